//! Generated files, and whether those on disk are still what would be generated.

use similar::TextDiff;

/// A file to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// The path below the output folder, with `/` between its parts.
    pub path: String,
    /// The whole text.
    pub text: String,
}

impl File {
    /// A file with its text, which ends in one line break.
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        let mut text = text.into();
        text.truncate(text.trim_end().len());
        text.push('\n');
        File { path: path.into(), text }
    }
}

/// How a file on disk differs from what would be generated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Staleness {
    /// The file's path below the output folder.
    pub path: String,
    /// The file is not there at all.
    pub missing: bool,
    /// What would change, as a unified diff from what is there to what would be generated.
    pub diff: String,
}

/// The files that are missing or differ. `existing` gives the text of a path below the output folder, if it is there.
pub fn stale(files: &[File], mut existing: impl FnMut(&str) -> Option<String>) -> Vec<Staleness> {
    files
        .iter()
        .filter_map(|file| {
            let found = existing(&file.path);
            if found.as_deref() == Some(file.text.as_str()) {
                return None;
            }
            let old = found.as_deref().unwrap_or_default();
            let diff = TextDiff::from_lines(old, &file.text)
                .unified_diff()
                .context_radius(3)
                .header(&format!("{} (on disk)", file.path), &format!("{} (generated)", file.path))
                .to_string();
            Some(Staleness { path: file.path.clone(), missing: found.is_none(), diff })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_is_stale() {
        let files = [File::new("same", "a"), File::new("changed", "a\nb"), File::new("missing", "a")];
        let stale = stale(&files, |path| match path {
            "same" => Some("a\n".into()),
            "changed" => Some("a\nc\n".into()),
            _ => None,
        });
        assert_eq!(stale.iter().map(|it| it.path.as_str()).collect::<Vec<_>>(), ["changed", "missing"]);
        assert!(stale[0].diff.contains("-c\n+b\n"), "{}", stale[0].diff);
        assert!(stale[1].missing && !stale[0].missing);
    }

    #[test]
    fn carriage_returns_are_a_difference() {
        let files = [File::new("file", "a\nb")];
        assert_eq!(stale(&files, |_| Some("a\r\nb\r\n".into())).len(), 1);
    }
}
