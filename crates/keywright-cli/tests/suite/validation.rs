//! The section Validation of a written design: what was checked, with numbers, and what was not.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

use assert_cmd::Command;

fn example(name: &str) -> String {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../examples/{name}/access-patterns.md"));
    fs::read_to_string(path).unwrap()
}

/// The lines of the section, as a command writes it for a document.
fn validation(command: &str, document: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("access-patterns.md");
    fs::write(&path, document).unwrap();
    let written = folder.path().join("table-design.md");
    let mut program = Command::cargo_bin("keywright").unwrap();
    program.arg(command).arg(&path);
    match command {
        "build" => program.arg("--out").arg(folder.path()).args(["--scale", "60"]),
        _ => program.arg("-o").arg(&written),
    };
    let output = program.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = fs::read_to_string(&written).unwrap();
    let section = text.split("## Validation\n\n").nth(1).unwrap();
    section.lines().map(str::to_owned).collect()
}

fn line<'l>(lines: &'l [String], words: &str) -> &'l str {
    lines.iter().find(|line| line.contains(words)).unwrap_or_else(|| panic!("{words}: {lines:#?}"))
}

#[test]
fn what_was_checked_is_ticked_with_what_it_was_checked_on() {
    let lines = validation("build", &example("orders"));
    assert!(lines.iter().all(|line| line.starts_with("- [x] ")), "{lines:#?}");
    let heat = line(&lines, "No partition is too hot (");
    assert!(
        heat.contains(" of 3000 read units and ") && heat.contains(" of 1000 write units a second"),
        "{heat}"
    );
    assert!(line(&lines, "Every read of several entities is one Query (").contains(" read"));
    assert!(line(&lines, "Every transaction has at most 100 actions (").contains("the largest in AP-"));
    let run = line(&lines, "Every pattern was run on an engine");
    let patterns = example("orders").lines().filter(|line| line.starts_with("| AP-")).count();
    assert!(run.ends_with(&format!("({patterns} of {patterns})")), "{run}");
    assert!(
        line(&lines, "No design in the search space costs less than \\$")
            .ends_with("operational prices included")
    );
}

#[test]
fn what_was_not_checked_says_so_without_a_tick() {
    // Nothing is run by `design`, and a pattern without a frequency has no rate.
    let document = example("orders").replacen("| 250/s |", "|  |", 1);
    assert_ne!(document, example("orders"));
    let lines = validation("design", &document);
    assert!(line(&lines, "No pattern was run on an engine").starts_with("- [ ] "), "{lines:#?}");
    let rates = line(&lines, "The rates of ");
    assert!(rates.starts_with("- [ ] The rates of AP-001 were not checked"), "{rates}");
}

/// A document of the designer's own tests.
fn document(name: &str) -> String {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../keywright-design/tests/documents/{name}.md"));
    fs::read_to_string(path).unwrap()
}

#[test]
fn what_the_designer_warns_of_counts_as_found() {
    // Each gets a warning from the designer itself: a transaction that is forced, a single read that is ambiguous.
    for name in ["accounts", "wards"] {
        let lines = validation("design", &document(name));
        let rules = line(&lines, "No error or warning from ");
        assert!(rules.starts_with("- [ ] ") && rules.contains(", except "), "{name}: {rules}");
    }
    let rules = validation("design", &example("orders"));
    assert!(line(&rules, "No error or warning from ").starts_with("- [x] "), "{rules:#?}");
}

/// What `design` says of a document that it refuses.
fn refused(name: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("access-patterns.md");
    fs::write(&path, document(name)).unwrap();
    let output = Command::cargo_bin("keywright").unwrap().arg("design").arg(&path).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{name}: {said}");
    said
}

#[test]
fn a_derived_key_that_is_too_long_is_an_error() {
    // With its literal the key passes the limit, by itself it does not.
    let said = refused("tags");
    assert!(
        said.contains("error[key-too-long]") && said.contains("`DOC_TAG#<tag>` can be 2053 bytes"),
        "{said}"
    );
    let said = refused("long-tags");
    assert!(said.contains("3000 bytes, and a key takes 2048"), "{said}");
}

#[test]
fn more_indexes_that_save_nothing_are_no_alternative() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("access-patterns.md");
    fs::write(&path, document("alarms")).unwrap();
    let mut program = Command::cargo_bin("keywright").unwrap();
    let output = program.arg("design").arg(&path).arg("--alternatives").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("\n| 2 | ") && !text.contains("\n| 3 | "), "{text}");
}
