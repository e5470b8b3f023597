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

/// The design that is derived, with a further item for each version.
fn with_versions(folder: &Path) -> Value {
    let output = keywright(folder, &["design", "contracts.md", "--format", "json"]);
    let mut design: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut item = design["items"][0].clone();
    item["name"] = "ContractVersion".into();
    item["kind"] = "copy".into();
    item["keys"][0]["value"] = json!({"template": "VERSION#<contractId>#<version:pad3>"});
    design["items"].as_array_mut().unwrap().push(item);
    let save = &mut design["operations"][1];
    let put = save["requests"][0]["action"].take();
    let mut version = put.clone();
    version["item"] = "ContractVersion".into();
    save["operation"] = "TransactWriteItems".into();
    save["requests"][0] = json!({"operation": "TransactWriteItems", "actions": [put, version]});
    // It costs more than what was derived: two items, in a transaction.
    save["expected"]["writeMicroUnits"] = 4_000_000.into();
    design
}

#[test]
fn versions_that_a_design_keeps_are_held_to_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::write(path.join("contracts.md"), CONTRACTS).unwrap();
    let mut design = with_versions(path);
    fs::write(path.join("design.json"), design.to_string()).unwrap();
    let held = evidence(path, &["contracts.md", "--design", "design.json"]);
    assert_eq!((&held["held"], &held["failed"]), (&json!(2), &json!(0)), "{held:#}");
    assert!(held["patterns"][1].get("notChecked").is_none_or(|it| it == &json!([])), "{held:#}");

    design["operations"][1]["requests"][0]["actions"].as_array_mut().unwrap().pop();
    fs::write(path.join("design.json"), design.to_string()).unwrap();
    let failed = evidence(path, &["contracts.md", "--design", "design.json"]);
    assert_eq!(failed["patterns"][1]["outcome"], "failed", "{failed:#}");
    let expected = failed["patterns"][1]["failure"]["expected"].as_str().unwrap();
    assert!(expected.starts_with("ContractVersion at pk `VERSION#"), "{failed:#}");
}

#[test]
fn what_nobody_can_see_is_not_held() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text, pattern, reason) in [
        ("contracts.md", CONTRACTS, 1, "earlier versions of Contract"),
        ("movies.md", MOVIES, 2, "the value of averageRating of Movie"),
    ] {
        fs::write(folder.path().join(name), text).unwrap();
        let evidence = evidence(folder.path(), &[name]);
        let reasons = evidence["patterns"][pattern]["notChecked"].to_string();
        assert!(reasons.contains(reason), "{evidence:#}");
    }
}
