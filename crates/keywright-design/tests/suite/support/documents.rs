//! Documents as people write them: the examples, and those that the program's own tests build and prove.

use std::fs;
use std::path::{Path, PathBuf};

/// The folders, from this crate.
pub(crate) const EXAMPLES: &str = "../../examples";
pub(crate) const KINDS: &str = "../keywright-cli/tests/kinds";
/// Documents of this crate's own tests.
pub(crate) const OWN: &str = "tests/documents";
pub(crate) const TRADES: &str = "../keywright-cli/tests/documents";

/// Every document of a folder, or of its folders, that states access patterns, with its text.
pub(crate) fn documents(folder: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut found: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a folder can be listed").path())
        .map(|path| if path.is_dir() { path.join("access-patterns.md") } else { path })
        .filter(|path| path.is_file())
        .collect();
    found.sort();
    let named = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("a document is text");
        (path.display().to_string(), text)
    };
    found.into_iter().map(named).collect()
}
