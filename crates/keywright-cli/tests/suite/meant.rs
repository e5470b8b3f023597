//! Documents in which a write means fewer items than lie where it looks, or finds an item that others move meanwhile: the
//! design touches what is meant and nothing else, and every pattern is proven.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use assert_cmd::Command;

/// What a command prints about a document, and how it ends.
fn run(arguments: &[&str], name: &str) -> (Option<i32>, String) {
    let document = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/meant").join(name).with_extension("md");
    let mut command = Command::cargo_bin("keywright").unwrap();
    let output = command.arg(arguments[0]).arg(document).args(&arguments[1..]).output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&said).into_owned())
}

/// Holds the proof to all patterns of a document.
fn holds(name: &str, patterns: usize) {
    let (code, said) = run(&["prove", "--scale", "80"], name);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains(&format!("{patterns} held, 0 failed, 0 not checked")), "{said}");
    let (code, said) = run(&["design", "--verify"], name);
    assert_eq!(code, Some(0), "{said}");
}

/// The row of a pattern in the design.
fn designed(name: &str, pattern: &str) -> String {
    let (_, design) = run(&["design"], name);
    design.lines().find(|line| line.starts_with(&format!("| {pattern} |"))).expect(&design).to_owned()
}

/// A value that chooses items is one of those that the key of the Query holds, not each of them in turn.
#[test]
fn all_items_of_a_value_are_those_with_that_value() {
    holds("all-of-a-status", 4);
    let delete = designed("all-of-a-status", "AP-020");
    assert!(!delete.contains("Scatter"), "{delete}");
    holds("all-of-a-customer-and-status", 6);
}

/// What chose an item may change before the item is written.
#[test]
fn what_chose_an_item_is_a_condition_of_its_write() {
    holds("all-paid-of-a-customer", 8);
    let delete = designed("all-paid-of-a-customer", "AP-020");
    assert!(delete.contains("| 2. `#status = 'PAID'` |") && delete.contains("Retry: 3 FROM 1"), "{delete}");
    holds("all-before-a-day", 7);
    let delete = designed("all-before-a-day", "AP-020");
    assert!(delete.contains("| 2. `#day < :until` |"), "{delete}");
}

/// An input that can't choose is named.
#[test]
fn an_input_that_can_not_choose_is_refused() {
    let document = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/meant/all-of-a-status.md");
    let text = std::fs::read_to_string(document).unwrap();
    let text = text.replace("with a status | status |", "with a status | status? |");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("access-patterns.md");
    std::fs::write(&path, text).unwrap();
    let output = Command::cargo_bin("keywright").unwrap().arg("design").arg(path).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("it chooses all Order items by `status`"), "{said}");
    assert_eq!(output.status.code(), Some(1), "{said}");
}

/// A key that was found may be another's, or nobody's, when the item is written or checked.
#[test]
fn what_moved_meanwhile_is_looked_for_again() {
    holds("item-that-moves", 4);
    let delete = designed("item-that-moves", "AP-020");
    assert!(delete.contains("attribute_exists(pk)") && delete.contains("Retry: 3 FROM 1"), "{delete}");
    holds("copy-that-moves", 10);
    holds("parent-that-moves", 13);
}

/// Who sorts by an optional attribute wants only items that hold it.
#[test]
fn an_order_by_an_optional_attribute_leaves_out_what_lacks_it() {
    holds("sorted-by-optional", 4);
    holds("sorted-by-optional-beside-parent", 4);
}

/// Enumerations are in the order of their declaration, which keys hold as positions.
#[test]
fn an_enumeration_is_sorted_as_it_is_declared() {
    holds("sorted-by-enumeration", 2);
    let list = designed("sorted-by-enumeration", "AP-001");
    assert!(list.contains("ScanIndexForward=false"), "{list}");
}

/// Who creates an item again while it is deleted with its versions keeps the versions of the new one.
#[test]
fn versions_go_before_their_item_and_all_of_them_were_found() {
    holds("delete-with-versions", 5);
    holds("delete-with-few-versions", 5);
    let delete = designed("delete-with-versions", "AP-040");
    assert!(delete.contains("version = :1.version"), "{delete}");
}
