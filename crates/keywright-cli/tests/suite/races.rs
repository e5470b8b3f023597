//! Numbers that writes keep, while two of them write at once.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

fn keywright(arguments: &[&str]) -> Value {
    let document = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kinds/music.md");
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("keywright"));
    let output = command.arg(arguments[0]).arg(document).args(&arguments[1..]).output().unwrap();
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

fn of<'v>(all: &'v Value, list: &str, name: &str, pattern: &str) -> &'v Value {
    all[list].as_array().unwrap().iter().find(|it| it[name] == pattern).unwrap()
}

#[test]
fn a_number_that_is_read_and_then_written_loses_a_writer() {
    let mut design = keywright(&["design", "--format", "json"]);
    let operations = design["operations"].as_array_mut().unwrap();
    let create = operations.iter_mut().find(|it| it["pattern"] == "AP-007").unwrap();
    let mut transaction = create["requests"][0].take();
    let counter = &mut transaction["actions"][1];
    counter["update"].as_object_mut().unwrap().remove("add").unwrap();
    let last = json!({"read": {"request": 1, "attribute": "noteCount"}});
    let next = json!(["noteCount", {"value": {"sum": {"of": last, "plus": 1}}}]);
    counter["update"]["set"].as_array_mut().unwrap().push(next);
    let read = json!({
        "operation": "GetItem", "table": counter["table"], "item": counter["item"], "key": counter["key"],
        "consistent": true, "mayBeAbsent": true,
    });
    create["requests"] = json!([read, transaction]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("design.json");
    std::fs::write(&path, design.to_string()).unwrap();
    let path = path.to_str().unwrap();
    let evidence = keywright(&["prove", "--design", path, "--scale", "60", "--format", "json"]);
    let create = of(&evidence, "patterns", "id", "AP-007");
    assert_eq!(create["failure"]["check"], "two writers at once", "{create:#}");
    assert!(create["failure"]["expected"].as_str().unwrap().starts_with("AP-004 {"), "{create:#}");
}

/// The design of the document, with the requests of the pattern that deletes all notes.
fn delete_all() -> (Value, usize) {
    let design = keywright(&["design", "--format", "json"]);
    let operations = design["operations"].as_array().unwrap();
    let at = operations.iter().position(|it| it["pattern"] == "AP-010").unwrap();
    (design, at)
}

#[test]
fn what_is_deleted_as_a_whole_is_counted_down_portion_by_portion() {
    let (design, at) = delete_all();
    let operation = &design["operations"][at];
    let last = operation["requests"].as_array().unwrap().last().unwrap();
    assert_eq!(last["operation"], "TransactWriteItems", "{operation:#}");
    let [delete, count] = last["actions"].as_array().unwrap().as_slice() else { panic!("{last:#}") };
    assert_eq!((&delete["action"], &count["action"]), (&json!("Delete"), &json!("Update")));
    assert_eq!((&delete["each"], &delete["each"]), (&count["each"], &operation["retry"]["fromRequest"]));
    let evidence = keywright(&["prove", "--scale", "60", "--format", "json"]);
    let proven = of(&evidence, "patterns", "id", "AP-010");
    assert_eq!((&proven["outcome"], &proven["notChecked"]), (&json!("held"), &Value::Null), "{proven:#}");
}

#[test]
fn a_number_that_goes_with_all_that_it_counts_is_caught() {
    let (mut design, at) = delete_all();
    let requests = design["operations"][at]["requests"].as_array_mut().unwrap();
    let last = requests.pop().unwrap();
    let [delete, count] = last["actions"].as_array().unwrap().as_slice() else { panic!("{last:#}") };
    let (mut each, mut number) = (delete.clone(), delete.clone());
    each.as_object_mut().unwrap().remove("condition");
    for part in ["condition", "each"] {
        number.as_object_mut().unwrap().remove(part);
    }
    (number["item"], number["key"]) = (count["item"].clone(), count["key"].clone());
    requests.push(json!({"operation": "Write", "action": number}));
    requests.push(json!({"operation": "BatchWriteItem", "actions": [each]}));
    design["operations"][at].as_object_mut().unwrap().remove("retry");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("design.json");
    std::fs::write(&path, design.to_string()).unwrap();
    let path = path.to_str().unwrap();
    let evidence = keywright(&["prove", "--design", path, "--scale", "60", "--format", "json"]);
    let proven = of(&evidence, "patterns", "id", "AP-010");
    assert_eq!(proven["failure"]["check"], "two writers at once", "{proven:#}");
}
