//! What a design has though no condition asks for it and no data shows it: guards of creates and updates, limits of lists.
//! Whoever changes one of these in a design hears of it.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;

fn document(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kinds").join(name).with_extension("md")
}

/// The design of a document as text.
fn designed(name: &str) -> String {
    let output = Command::cargo_bin("keywright").unwrap().arg("design").arg(document(name)).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// Proves a written design: the exit code, what was printed, and what was said.
fn proven(name: &str, design: &str) -> (Option<i32>, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table-design.md");
    std::fs::write(&path, design).unwrap();
    let mut command = Command::cargo_bin("keywright").unwrap();
    command
        .arg("prove")
        .arg(document(name))
        .arg("--design")
        .arg(&path)
        .args(["--scale", "60", "--format", "json"]);
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// What the failing patterns of a document expected where one row of its design has another text.
fn expected(name: &str, pattern: &str, from: &str, to: &str) -> Vec<String> {
    let design = designed(name);
    let row = design.lines().find(|line| line.starts_with(&format!("| {pattern} |"))).unwrap();
    let at = row.rfind(from).unwrap_or_else(|| panic!("no {from} in {row}"));
    let broken = format!("{}{to}{}", &row[..at], &row[at + from.len()..]);
    let (_, evidence, said) = proven(name, &design.replace(row, &broken));
    let evidence: Value = serde_json::from_str(&evidence).expect(&said);
    let patterns = evidence["patterns"].as_array().unwrap().iter();
    let failed = patterns.filter(|it| it["outcome"] == "failed");
    failed.map(|it| format!("{}: {}", it["id"], it["failure"]["expected"]).replace('"', "")).collect()
}

#[test]
fn a_create_of_what_is_there_is_refused() {
    let guard = "`attribute_not_exists(pk)`";
    let refusal = |entity: &str| format!("a refusal, because this does not hold: {entity} must not exist");
    for name in ["first-payments", "made-up-payments"] {
        let found = expected(name, "AP-010", guard, "-");
        assert!(found.contains(&format!("AP-010: {}", refusal("Customer"))), "{name}: {found:?}");
        let first = expected(name, "AP-011", &format!("1. {guard}"), "");
        assert!(first.contains(&format!("AP-011: {}", refusal("Order"))), "{name}: {first:?}");
        let second = expected(name, "AP-011", &format!("2. {guard}"), "");
        assert!(second.contains(&format!("AP-011: {}", refusal("Payment"))), "{name}: {second:?}");
    }
}

#[test]
fn an_update_of_what_is_not_there_leaves_nothing() {
    for (name, pattern, entity) in
        [("first-payments", "AP-012", "Customer"), ("made-up-payments", "AP-012", "Order")]
    {
        let found = expected(name, pattern, "`attribute_exists(pk)`", "-");
        assert_eq!(found, [format!("{pattern}: a refusal, because this does not hold: {entity} must exist")]);
    }
}

#[test]
fn the_first_of_more_than_the_data_has_end_where_the_document_says() {
    // Four hundred are more than are ever written for one read.
    let found = expected("top-scores", "AP-002", "Limit=400", "Limit=399");
    assert_eq!(found, ["AP-002: the first 400"]);
    let (code, evidence, said) = proven("top-scores", &designed("top-scores"));
    assert_eq!(code, Some(0), "{evidence}{said}");
}

#[test]
fn a_parent_that_a_new_value_names_is_the_one_that_has_to_be_there() {
    let (code, evidence, said) = proven("reassigned", &designed("reassigned"));
    assert_eq!(code, Some(0), "{evidence}{said}");
    let old = expected("reassigned", "AP-017", "2. `attribute_exists(pk)`", "2. `attribute_not_exists(pk)`");
    assert!(old[0].starts_with("AP-017: "), "{old:?}");
}

#[test]
fn a_parent_that_comes_again_with_a_child_while_all_are_deleted_is_no_failure() {
    let (code, evidence, said) = proven("first-payments", &designed("first-payments"));
    assert_eq!(code, Some(0), "{evidence}{said}");
}

#[test]
fn a_number_that_is_called_like_one_of_the_design_is_the_documents_own() {
    let design = designed("own-counts");
    assert!(
        design.contains("ADD keptMemberCount 1") && design.contains(":1.keptLastTaskNumber + 1"),
        "{design}"
    );
    let (code, evidence, said) = proven("own-counts", &design);
    assert_eq!(code, Some(0), "{evidence}{said}");
}

#[test]
fn items_that_expire_by_another_attribute_than_their_table_are_refused() {
    let design = designed("sessions");
    let broken = design.replace("- **TTL**: `expiresAt`", "- **TTL**: `elsewhere`");
    assert_ne!(design, broken);
    let (code, evidence, said) = proven("sessions", &broken);
    assert_eq!((code, evidence.as_str()), (Some(1), ""), "{said}");
    assert!(said.contains("error[several-ttl-attributes]"), "{said}");
}
