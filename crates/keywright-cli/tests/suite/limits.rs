//! Limits, the numbers that are kept for them, and values that two writers want to be different: a design that gets them
//! wrong is caught.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

fn keywright(arguments: &[&str]) -> Value {
    let document = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kinds/garage.md");
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("keywright"));
    let output = command.arg(arguments[0]).arg(document).args(&arguments[1..]).output().unwrap();
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

/// The evidence of a design that was broken.
fn proven(breaks: impl FnOnce(&mut Value)) -> Value {
    let mut design = keywright(&["design", "--format", "json"]);
    let whole = design.clone();
    breaks(&mut design);
    assert_ne!(design, whole, "nothing was broken");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("design.json");
    std::fs::write(&path, design.to_string()).unwrap();
    keywright(&["prove", "--design", path.to_str().unwrap(), "--scale", "60", "--format", "json"])
}

fn of<'v>(evidence: &'v Value, pattern: &str) -> &'v Value {
    evidence["patterns"].as_array().unwrap().iter().find(|it| it["id"] == pattern).unwrap()
}

fn operation<'v>(design: &'v mut Value, pattern: &str) -> &'v mut Value {
    design["operations"].as_array_mut().unwrap().iter_mut().find(|it| it["pattern"] == pattern).unwrap()
}

/// The update of an operation that has to do with an attribute.
fn update<'v>(design: &'v mut Value, pattern: &str, attribute: &str) -> &'v mut Value {
    let requests = operation(design, pattern)["requests"].as_array_mut().unwrap();
    let actions = requests.last_mut().unwrap()["actions"].as_array_mut().unwrap();
    let named = |it: &&mut Value| it["action"] == "Update" && it["update"].to_string().contains(attribute);
    actions.iter_mut().find(named).unwrap()
}

fn replaced(value: &mut Value, from: &str, to: &str) {
    let text = value.to_string();
    assert!(text.contains(from), "{text}");
    *value = serde_json::from_str(&text.replace(from, to)).unwrap();
}

#[test]
fn everything_holds_and_nothing_is_left() {
    for seed in ["1", "2"] {
        let evidence = keywright(&["prove", "--scale", "60", "--seed", seed, "--format", "json"]);
        assert_eq!((&evidence["failed"], &evidence["notChecked"]), (&json!(0), &json!(0)), "{evidence:#}");
        let left: Vec<&Value> = evidence["patterns"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|it| !it["notChecked"].is_null())
            .collect();
        assert!(left.is_empty(), "{left:#?}");
    }
}

#[test]
fn a_limit_that_nobody_keeps_is_caught() {
    let evidence = proven(|design| {
        update(design, "AP-026", "permitCount").as_object_mut().unwrap().remove("condition").unwrap();
    });
    assert_eq!(of(&evidence, "AP-026")["outcome"], "failed");
}

#[test]
fn a_limit_that_is_off_by_one_is_caught_either_way() {
    for limit in ["\"6\"", "\"4\""] {
        let evidence = proven(|design| {
            replaced(&mut update(design, "AP-026", "permitCount")["condition"], "\"5\"", limit);
        });
        assert_eq!(of(&evidence, "AP-026")["outcome"], "failed", "{limit}");
    }
}

#[test]
fn a_number_that_is_not_counted_down_is_caught() {
    let evidence =
        proven(|design| replaced(&mut update(design, "AP-040", "permitCount")["update"], "\"-1\"", "\"0\""));
    let failure = &of(&evidence, "AP-040")["failure"];
    assert_eq!(failure["check"], "number", "{failure:#}");
    let records = failure["records"].as_array().unwrap();
    assert!(records.len() <= 2, "one of those that are counted, and whose it is: {records:#?}");
}

#[test]
fn two_writers_who_change_a_unique_value_to_different_ones_leave_nothing_behind() {
    let evidence = proven(|design| {
        let condition = &mut update(design, "AP-021", "phone")["condition"];
        *condition = json!({"exists": "pk"});
    });
    let failure = &of(&evidence, "AP-021")["failure"];
    assert_eq!(failure["check"], "two writers at once", "{failure:#}");
}

#[test]
fn a_list_that_ends_too_early_is_caught() {
    let evidence = proven(|design| replaced(operation(design, "AP-002"), "20", "19"));
    let failure = &of(&evidence, "AP-002")["failure"];
    assert_eq!(failure["check"], "set", "{failure:#}");
}

#[test]
fn the_smallest_case_has_no_records_that_have_nothing_to_do_with_it() {
    let evidence = proven(|design| {
        let actions = operation(design, "AP-025")["requests"][0].take();
        let mut put = actions;
        replaced(&mut put, "\"seats\"", "\"chairs\"");
        operation(design, "AP-025")["requests"][0] = put;
    });
    let records = of(&evidence, "AP-025")["failure"]["records"].as_array().cloned().unwrap_or_default();
    assert!(records.is_empty(), "{records:#?}");
}
