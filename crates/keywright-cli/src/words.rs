//! Phrases that several commands print.

use anyhow::anyhow;
use keywright_finding::Suggestions;

/// `1 read`, `2 reads`, `2 Queries`.
pub(crate) fn counted(number: usize, noun: &str) -> String {
    match (number, noun.strip_suffix('y')) {
        (1, _) => format!("1 {noun}"),
        (_, Some(stem)) if !stem.ends_with(['a', 'e', 'o']) => format!("{number} {stem}ies"),
        _ => format!("{number} {noun}s"),
    }
}

/// The error for a name that is not in a list: with the nearest one, or with all of them.
pub(crate) fn unknown<'n>(
    what: &str,
    name: &str,
    names: impl Iterator<Item = &'n str> + Clone,
) -> anyhow::Error {
    match Suggestions::new(names.clone()).nearest(name) {
        Some(meant) => anyhow!("there is no {what} named `{name}`; did you mean `{meant}`?"),
        None => {
            anyhow!("there is no {what} named `{name}`; there are {}", names.collect::<Vec<_>>().join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_singular_and_words_in_y_change() {
        assert_eq!(counted(1, "error"), "1 error");
        assert_eq!(counted(0, "error"), "0 errors");
        assert_eq!(counted(2, "Query"), "2 Queries");
        assert_eq!(counted(2, "key"), "2 keys");
    }

    #[test]
    fn an_unknown_name_gets_the_nearest_or_all_of_them() {
        let names = ["rust", "go"].into_iter();
        let near = unknown("target", "rusty", names.clone()).to_string();
        assert_eq!(near, "there is no target named `rusty`; did you mean `rust`?");
        let far = unknown("target", "cobol", names).to_string();
        assert_eq!(far, "there is no target named `cobol`; there are rust, go");
    }
}
