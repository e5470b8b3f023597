//! What a document says and a proof can't always see: versions that are kept, values that are computed.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

const CONTRACTS: &str = "# DynamoDB Access Patterns

> Application: Contracts

## Entities

### Contract
- **Kind**: history
- **Attributes**:
  - `contractId` (ulid, id)
  - `version` (integer, version, mutable, max 999)
  - `terms` (string, mutable)
- **Cardinality**: ~1K total

## Access Patterns

### Reads
| ID | Entity | Description | Input Parameters | Result | Sort | Paginated | Frequency | Consistency | Multi-Entity |
|---|---|---|---|---|---|---|---|---|---|
| AP-001 | Contract | Get a contract as it is now | contractId | Single | - | No | Warm | Eventual | No |

### Writes
| ID | Entity | Description | Input Parameters | Items Written | Transaction | Conditions | Frequency |
|---|---|---|---|---|---|---|---|
| AP-002 | Contract | Save a version of a contract | contractId, version, terms | 1 (Contract) | Yes | - | Cold |
";

const MOVIES: &str = "# DynamoDB Access Patterns

> Application: Movies

## Entities

### Movie
- **Attributes**:
  - `movieId` (ulid, id)
  - `title` (string)
  - `averageRating` (decimal, mutable, optional)
- **Cardinality**: ~1K total

## Access Patterns

### Reads
| ID | Entity | Description | Input Parameters | Result | Sort | Paginated | Frequency | Consistency | Multi-Entity |
|---|---|---|---|---|---|---|---|---|---|
| AP-001 | Movie | Get a movie | movieId | Single | - | No | Warm | Eventual | No |

### Writes
| ID | Entity | Description | Input Parameters | Items Written | Transaction | Conditions | Frequency |
|---|---|---|---|---|---|---|---|
| AP-002 | Movie | Add a movie | title | 1 (Movie) | No | - | Cold |
| AP-003 | Movie | Work out the average again | movieId | Movie (SET averageRating) | No | Movie must exist | Cold |
";

fn keywright(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("keywright"));
    command.current_dir(folder).args(arguments).output().unwrap()
}

fn evidence(folder: &Path, arguments: &[&str]) -> Value {
    let output = keywright(folder, &[&["prove", "--format", "json"], arguments].concat());
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

fn derived(folder: &Path) -> Value {
    let output = keywright(folder, &["design", "contracts.md", "--format", "json"]);
    serde_json::from_slice(&output.stdout).unwrap()
}

fn prove(folder: &Path, design: &Value) -> Value {
    fs::write(folder.join("design.json"), design.to_string()).unwrap();
    evidence(folder, &["contracts.md", "--design", "design.json"])
}

/// The actions of the pattern that saves a version.
fn actions(design: &mut Value) -> &mut Vec<Value> {
    design["operations"][1]["requests"][0]["actions"].as_array_mut().unwrap()
}

#[test]
fn versions_that_a_design_keeps_are_held_to_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::write(path.join("contracts.md"), CONTRACTS).unwrap();
    let design = derived(path);
    let held = prove(path, &design);
    assert_eq!((&held["held"], &held["failed"]), (&json!(2), &json!(0)), "{held:#}");
    assert!(held["patterns"][1].get("notChecked").is_none_or(|it| it == &json!([])), "{held:#}");

    // One that is not kept is missed.
    let mut lost = design.clone();
    actions(&mut lost).pop();
    let failed = prove(path, &lost);
    assert_eq!(failed["patterns"][1]["outcome"], "failed", "{failed:#}");
    let expected = failed["patterns"][1]["failure"]["expected"].as_str().unwrap();
    assert!(expected.starts_with("ContractVersion at pk `CONTRACT"), "{failed:#}");

    // One that is written over is noticed.
    let mut twice = design.clone();
    for action in actions(&mut twice) {
        action.as_object_mut().unwrap().remove("condition");
    }
    let failed = prove(path, &twice);
    assert_eq!(failed["patterns"][1]["outcome"], "failed", "{failed:#}");
}

/// A design by hand may keep them in items of another name, told apart by their keys.
#[test]
fn versions_that_a_design_by_hand_keeps_are_held_to_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::write(path.join("contracts.md"), CONTRACTS).unwrap();
    let mut design = derived(path);
    let items = design["items"].as_array_mut().unwrap();
    items.retain(|item| item["name"] != "ContractVersion");
    let mut item = items[0].clone();
    item["name"] = "ContractPast".into();
    item["kind"] = "copy".into();
    item["keys"][0]["value"] = json!({"template": "PAST#<contractId>#<version:pad3>"});
    items.push(item);
    actions(&mut design)[1]["item"] = "ContractPast".into();
    let held = prove(path, &design);
    assert_eq!((&held["held"], &held["failed"]), (&json!(2), &json!(0)), "{held:#}");
    assert!(held["patterns"][1].get("notChecked").is_none_or(|it| it == &json!([])), "{held:#}");
    actions(&mut design).pop();
    let failed = prove(path, &design);
    assert_eq!(failed["patterns"][1]["outcome"], "failed", "{failed:#}");

    // Where nothing keeps them, nothing is seen of them.
    design["items"].as_array_mut().unwrap().pop();
    let unseen = prove(path, &design);
    assert!(
        unseen["patterns"][1]["notChecked"].to_string().contains("earlier versions of Contract"),
        "{unseen:#}"
    );
}

/// A design that is written down and read again keeps the same versions.
#[test]
fn versions_are_kept_by_what_is_written_and_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let wiki = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/documents/wiki.md");
    fs::copy(wiki, path.join("wiki.md")).unwrap();
    for style in ["overloaded", "multi-attribute", "multi-table"] {
        let output = keywright(path, &["design", "wiki.md", "--style", style, "-o", "table-design.md"]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let proven = evidence(path, &["wiki.md", "--design", "table-design.md", "--scale", "40"]);
        assert_eq!(
            (&proven["failed"], &proven["held"]),
            (&json!(0), &json!(PATTERNS)),
            "{style}: {proven:#}"
        );
    }
}

/// The patterns of the document about a wiki.
const PATTERNS: u64 = 15;

#[test]
fn what_nobody_can_see_is_not_held() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("movies.md"), MOVIES).unwrap();
    let evidence = evidence(folder.path(), &["movies.md"]);
    let reasons = evidence["patterns"][2]["notChecked"].to_string();
    assert!(reasons.contains("the value of averageRating of Movie"), "{evidence:#}");
}
