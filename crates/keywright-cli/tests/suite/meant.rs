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

/// Who sorts by an optional attribute wants only items that hold it.
#[test]
fn an_order_by_an_optional_attribute_leaves_out_what_lacks_it() {
    holds("sorted-by-optional", 4);
    holds("sorted-by-optional-beside-parent", 4);
}

/// Enumerations are in the order of their declaration, which is not that of keys.
#[test]
fn an_order_that_keys_do_not_have_is_refused() {
    let (code, said) = run(&["design"], "sorted-by-enumeration");
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("the values of priority are ordered LOW, MID, HIGH"), "{said}");
}
