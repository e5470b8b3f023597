//! Files that we write: all of them or none, each whole or not at all.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use tempfile::NamedTempFile;

/// Writes one file; what was there stays until all of it is written.
pub(crate) fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    write_all([(path.to_owned(), text)])
}

/// Writes all files or none: first to temporary files beside their places, then every one takes its place. Folders are
/// made where they are missing, and are gone again where it comes to nothing.
pub(crate) fn write_all<'t>(files: impl IntoIterator<Item = (PathBuf, &'t str)>) -> anyhow::Result<()> {
    // Declared first, so that on an error the temporary files in them are gone before they are.
    let mut folders = NewFolders::default();
    let mut ready = Vec::new();
    for (path, text) in files {
        ready.push(Ready::new(&path, text, &mut folders)?);
    }
    // From here on only renames are left: nothing that a full disk could stop half-way.
    ready.into_iter().try_for_each(Ready::take_place)?;
    folders.stay();
    Ok(())
}

/// A file that only has to take its place.
enum Ready<'t> {
    /// It is written, beside its place.
    Beside { temporary: NamedTempFile, path: PathBuf },
    /// The path is not a regular file, such as a pipe or a terminal: the text is written to it in place.
    Stream { path: PathBuf, text: &'t str },
}

impl<'t> Ready<'t> {
    fn new(path: &Path, text: &'t str, folders: &mut NewFolders) -> anyhow::Result<Self> {
        let there = fs::metadata(path).ok();
        if let Some(there) = &there {
            if there.is_dir() {
                bail!("can't write {}: it is a folder", path.display());
            }
            if there.permissions().readonly() {
                bail!("can't write {}: it is read-only", path.display());
            }
            if !there.is_file() {
                return Ok(Ready::Stream { path: path.to_owned(), text });
            }
        }
        // What a link leads to is written, and the link stays.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        folders.make(folder).with_context(|| format!("can't create {}", folder.display()))?;
        let mut temporary = NamedTempFile::new_in(folder)
            .with_context(|| format!("can't write into {}", folder.display()))?;
        temporary
            .write_all(text.as_bytes())
            .and_then(|()| temporary.as_file().sync_all())
            .with_context(|| format!("can't write {}", path.display()))?;
        let permissions = there.map(|there| there.permissions()).or_else(for_everyone);
        if let Some(permissions) = permissions {
            fs::set_permissions(temporary.path(), permissions)
                .with_context(|| format!("can't set the permissions of {}", path.display()))?;
        }
        Ok(Ready::Beside { temporary, path })
    }

    fn take_place(self) -> anyhow::Result<()> {
        match self {
            Ready::Beside { temporary, path } => {
                temporary.persist(&path).with_context(|| format!("can't put {} in place", path.display()))?;
                Ok(())
            }
            Ready::Stream { path, text } => {
                fs::write(&path, text).with_context(|| format!("can't write {}", path.display()))
            }
        }
    }
}

/// Temporary files are private to their user; documents are not.
#[cfg(unix)]
fn for_everyone() -> Option<fs::Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn for_everyone() -> Option<fs::Permissions> {
    None
}

/// Folders that we made; dropped before they are to stay, they go as far as they are empty.
#[derive(Default)]
struct NewFolders(Vec<PathBuf>);

impl NewFolders {
    fn make(&mut self, folder: &Path) -> io::Result<()> {
        let is_missing = |it: &&Path| !it.as_os_str().is_empty() && !it.is_dir();
        let missing: Vec<&Path> = folder.ancestors().take_while(is_missing).collect();
        for one in missing.into_iter().rev() {
            fs::create_dir(one)?;
            self.0.push(one.to_owned());
        }
        Ok(())
    }

    fn stay(mut self) {
        self.0.clear();
    }
}

impl Drop for NewFolders {
    fn drop(&mut self) {
        for folder in self.0.iter().rev() {
            // Somebody else may have put something there meanwhile: then it is theirs.
            let _ = fs::remove_dir(folder);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn one_place_that_is_taken_by_a_folder_stops_all() {
        let desk = tempfile::tempdir().unwrap();
        let at = |name: &str| desk.path().join(name);
        fs::write(at("a"), "earlier").unwrap();
        fs::create_dir(at("b")).unwrap();
        let error = write_all([(at("a"), "new"), (at("new/deep/c"), "new"), (at("b"), "new")]).unwrap_err();
        assert!(error.to_string().ends_with("it is a folder"), "{error}");
        assert_eq!(fs::read_to_string(at("a")).unwrap(), "earlier");
        assert_eq!(names(desk.path()), ["a", "b"]);
        write_all([(at("a"), "new"), (at("new/deep/c"), "new")]).unwrap();
        assert_eq!(fs::read_to_string(at("a")).unwrap(), "new");
        assert_eq!(fs::read_to_string(at("new/deep/c")).unwrap(), "new");
    }

    #[test]
    fn a_file_in_the_way_of_a_folder_is_left() {
        let desk = tempfile::tempdir().unwrap();
        fs::write(desk.path().join("a"), "mine").unwrap();
        let error = write(&desk.path().join("a/b"), "new").unwrap_err();
        assert!(error.to_string().starts_with("can't create"), "{error}");
        assert_eq!(names(desk.path()), ["a"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay_what_they_are() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let desk = tempfile::tempdir().unwrap();
        let (file, link) = (desk.path().join("file"), desk.path().join("link"));
        fs::write(&file, "earlier").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        symlink(&file, &link).unwrap();
        write(&link, "new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        fs::set_permissions(&file, fs::Permissions::from_mode(0o400)).unwrap();
        assert!(write(&file, "newer").unwrap_err().to_string().ends_with("it is read-only"));
        write(Path::new("/dev/null"), "a device takes it and stays").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}
