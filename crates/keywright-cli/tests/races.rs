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

#[test]
fn a_number_that_goes_with_all_that_it_counts_is_not_held() {
    let evidence = keywright(&["prove", "--scale", "60", "--format", "json"]);
    let delete_all = of(&evidence, "patterns", "id", "AP-010");
    assert_eq!(delete_all["outcome"], "held", "{delete_all:#}");
    let reason = "the number that AP-004 reads, once others wrote meanwhile: it was seen to be wrong";
    assert_eq!(delete_all["notChecked"], json!([reason]), "{delete_all:#}");
}
