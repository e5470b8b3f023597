//! Designs that are wrong as they stand: what no data would show, or what an engine refuses before it could.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

const CLINIC: &str = "# DynamoDB Access Patterns
> Application: Clinic
## Entities
### Patient
- **Attributes**:
  - `patientId` (ulid, id)
  - `insuranceNo` (string, unique, mutable, ~12 bytes)
- **Cardinality**: ~100K total
### Visit
- **Attributes**:
  - `patientId` (ulid, id, ref Patient)
  - `visitId` (ulid, id)
  - `points` (integer, immutable, max 9999)
  - `room` (string, immutable)
- **Cardinality**: max 20 visits per patient, ~1M total
## Access Patterns
### Reads
| ID | Entity | Description | Input Parameters | Result | Sort | Paginated | Frequency | Consistency |
|---|---|---|---|---|---|---|---|---|
| AP-001 | Patient | Get a patient | patientId | Single | - | No | 20/s | Strong |
| AP-002 | Visit | List visits of a patient | patientId | Collection | - | No | 20/s | Eventual |
| AP-003 | Visit | List visits of a room | room | Collection | points ASC | Yes | 5/s | Eventual |
### Writes
| ID | Entity | Description | Input Parameters | Items Written | Transaction | Conditions | Frequency |
|---|---|---|---|---|---|---|---|
| AP-020 | Patient | Register a patient | patientId, insuranceNo | Patient | Yes | Patient must not exist; insuranceNo must be unique | 1k/day |
| AP-021 | Visit | Add a visit | patientId, visitId, points, room | Visit | No | Visit must not exist | 1k/day |
";

/// How a broken design is proven: the exit code, and the evidence.
fn proven(style: &[&str], breaks: impl Fn(&Path) -> Vec<u8>) -> (Option<i32>, Value) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("access-patterns.md");
    fs::write(&path, CLINIC).unwrap();
    let run = |arguments: &[&str]| {
        let mut keywright = Command::new(assert_cmd::cargo::cargo_bin("keywright"));
        keywright.arg(arguments[0]).arg(&path).args(&arguments[1..]).output().unwrap()
    };
    let design = folder.path().join("design.json");
    let derived = run(&[&["design", "--format", "json"], style].concat());
    fs::write(&design, derived.stdout).unwrap();
    fs::write(&design, breaks(&design)).unwrap();
    let output = run(&["prove", "--design", design.to_str().unwrap(), "--format", "json"]);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{text}")))
}

/// The check that a pattern fails where a text of the design is another one.
fn failed(style: &[&str], pattern: &str, from: &str, to: &str) -> Value {
    let (code, evidence) = proven(style, |path| {
        let text = fs::read_to_string(path).unwrap();
        let value: Value = serde_json::from_str(&text).unwrap();
        let text = value.to_string();
        assert!(text.contains(from), "{text}");
        text.replace(from, to).into_bytes()
    });
    assert_eq!(code, Some(1), "{evidence:#}");
    of(&evidence, pattern)["failure"]["check"].clone()
}

fn of<'e>(evidence: &'e Value, pattern: &str) -> &'e Value {
    evidence["patterns"].as_array().unwrap().iter().find(|it| it["id"] == pattern).unwrap()
}

#[test]
fn a_reserved_value_under_a_key_that_another_item_can_have() {
    assert_eq!(failed(&[], "AP-020", "PATIENTINSURANCENO#", "PATIENT#"), "keys apart");
}

#[test]
fn a_limit_beside_a_sort_by_the_caller() {
    let (code, evidence) = proven(&[], |path| {
        let mut design: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
        let operations = design["operations"].as_array_mut().unwrap();
        let list = operations.iter_mut().find(|it| it["pattern"] == "AP-002").unwrap();
        list["outcome"]["clientSort"] = true.into();
        list["requests"][0]["limit"] = serde_json::json!({"first": 3});
        design.to_string().into_bytes()
    });
    assert_eq!((code, &of(&evidence, "AP-002")["failure"]["check"]), (Some(1), &"limit".into()));
}

#[test]
fn a_key_of_another_type_than_what_it_holds() {
    let style = ["--style", "multi-attribute"];
    let number = r#"{"name":"points","type":"N"}"#;
    assert_eq!(failed(&style, "AP-003", number, &number.replace('N', "S")), "key type");
    assert_eq!(failed(&style, "AP-021", number, &number.replace('N', "S")), "key type");
}

#[test]
fn a_design_without_an_expected_cost_is_held_to_that_of_its_keys() {
    let (_, derived) = proven(&[], |path| fs::read(path).unwrap());
    let (code, evidence) = proven(&[], |path| {
        let mut design: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
        for operation in design["operations"].as_array_mut().unwrap() {
            operation.as_object_mut().unwrap().remove("expected");
        }
        design.to_string().into_bytes()
    });
    assert_eq!(code, Some(0), "{evidence:#}");
    let expected = |evidence: &Value| of(evidence, "AP-001")["expectedMicroUnits"].as_u64().unwrap();
    assert_eq!(expected(&evidence), expected(&derived));
    assert!(!of(&evidence, "AP-001")["notChecked"].to_string().contains("expected cost"), "{evidence:#}");
}
