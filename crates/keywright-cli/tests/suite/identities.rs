//! Identities that callers give, be they of a type that is mostly made up: there is one item of each, and a proof sees where
//! a design lets one come twice.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;

use assert_cmd::Command;
use serde_json::Value as Json;

/// Devices of a site by when they were last seen, written in one way: the description, its condition.
fn document(writes: &str, condition: &str) -> String {
    format!(
        "# Sites
## Entities
### Device
- `deviceId` (uuid, id)
- `site` (string, ~500 values)
- `lastSeen` (datetime, mutable)
- Cardinality: ~1000 per site, ~500k total
## Access Patterns
### Reads
| ID | Entity | Description | Input Parameters | Result | Sort | Paginated | Frequency |
|---|---|---|---|---|---|---|---|
| AP-001 | Device | Most recently seen devices of a site | site | Collection | lastSeen DESC | Yes | 1/s |
### Writes
| ID | Entity | Description | Input Parameters | Items Written | Transaction | Conditions | Frequency |
|---|---|---|---|---|---|---|---|
| AP-010 | Device | {writes} a device | deviceId, site, lastSeen | Device | No | {condition} | 50/s |
"
    )
}

/// A design whose key holds more than the identity, as one would be for devices whose identity is made up.
fn too_wide(condition: &str) -> String {
    format!(
        "# DynamoDB Table Design
## Table Configuration
| Property | Value |
|---|---|
| Table Name | `Table` |
| Partition Key | `pk` (String) |
| Sort Key | `sk` (String) |
| Type Attribute | `type` |
## Entity Key Design
### Device
- **PK**: `DEVICE_SITE#<site>`
- **SK**: `DEVICE#<lastSeen:iso>#<deviceId>`
- **Attributes**:
  - `deviceId` (uuid)
  - `site` (string)
  - `lastSeen` (datetime)
## Access Pattern Mapping
### Reads
| AP ID | Description | Operation | Table/GSI | PK | SK Condition | SK Value | Params |
|---|---|---|---|---|---|---|---|
| AP-001 | Devices of a site | Query | `Table` | `DEVICE_SITE#<site>` | begins\\_with | `DEVICE#` | `Items: Device`, `ScanIndexForward=false`, `Limit=25`, `paginated`, `Inputs: site string`, `Returns: Page OF Device`, `Order: lastSeen DESC` |
### Writes
| AP ID | Description | Operation | Items | Conditions |
|---|---|---|---|---|
| AP-010 | A device | PutItem | `Put Device SET deviceId = :deviceId, site = :site, lastSeen = :lastSeen`, `Inputs: deviceId uuid, site string, lastSeen datetime` | {condition} |
"
    )
}

/// What became of the write, in a proof of the document's own design or of another.
fn outcome(document: &str, design: Option<&str>) -> Json {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("devices.md");
    fs::write(&path, document).unwrap();
    let mut command = Command::cargo_bin("keywright").unwrap();
    command.arg("prove").arg(&path).args(["--scale", "60", "--format", "json"]);
    if let Some(design) = design {
        let path = folder.path().join("table-design.md");
        fs::write(&path, design).unwrap();
        command.arg("--design").arg(path);
    }
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let evidence: Json = serde_json::from_slice(&output.stdout).expect(&said);
    let patterns = evidence["patterns"].as_array().unwrap().iter();
    patterns.into_iter().find(|it| it["id"] == "AP-010").unwrap().clone()
}

const WAYS: [(&str, &str, &str); 3] = [
    ("Save", "-", "-"),
    ("Register", "Device must not exist", "`attribute_not_exists(pk)` fails as `\"Device must not exist\"`"),
    ("Register", "-", "`attribute_not_exists(pk)`"),
];

#[test]
fn there_is_one_item_of_an_identity_however_often_it_comes() {
    for (writes, condition, _) in WAYS {
        let own = outcome(&document(writes, condition), None);
        assert_eq!(own["outcome"], "held", "{writes}, {condition}: {own:#}");
    }
}

#[test]
fn a_key_that_lets_one_identity_come_twice_is_seen() {
    for (writes, condition, guard) in WAYS {
        let wide = outcome(&document(writes, condition), Some(&too_wide(guard)));
        assert_eq!(wide["outcome"], "failed", "{writes}, {condition}: {wide:#}");
    }
}
