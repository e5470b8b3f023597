//! How long the program takes from its start to its end on a small document: at most 10 ms, which is asserted.

#![allow(clippy::print_stderr, reason = "a bench reports to whoever runs it")]

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use divan::Bencher;

const LIMIT: Duration = Duration::from_millis(10);

fn main() {
    // Times are only worth something in the build that is measured.
    if std::env::args().any(|argument| argument == "--bench") {
        let folder = tempfile::tempdir().expect("there is a temporary folder");
        let document = small_document(folder.path());
        let time = |_| {
            let start = Instant::now();
            check(&document);
            start.elapsed()
        };
        // The shortest run is the one least disturbed by other work on the machine.
        let shortest = (0..50).map(time).min().unwrap_or_default();
        eprintln!("start to end on a small document: {shortest:?} (limit {LIMIT:?})");
        assert!(shortest < LIMIT);
    }
    divan::main();
}

fn small_document(folder: &Path) -> std::path::PathBuf {
    let path = folder.join("music.md");
    let text = "## Entities\n### Song\n- **Attributes**:\n  - `songId` (ulid, id)\n  - `title` (string)\n\n## Access Patterns\n### Reads\n| ID | Entity | Description | Input Parameters | Result |\n|---|---|---|---|---|\n| AP-001 | Song | Get a song | songId | Single |\n";
    std::fs::write(&path, text).expect("it takes a small file");
    path
}

fn check(document: &Path) {
    let status = Command::new(env!("CARGO_BIN_EXE_keywright"))
        .arg("check")
        .arg(document)
        .stdout(Stdio::null())
        .status()
        .expect("the program is built for its benches");
    assert_eq!(status.code(), Some(0));
}

#[divan::bench]
fn start_to_end(bencher: Bencher<'_, '_>) {
    let folder = tempfile::tempdir().expect("there is a temporary folder");
    let document = small_document(folder.path());
    bencher.bench(|| check(&document));
}
