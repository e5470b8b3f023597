//! Writes whose conditions want a state: the proof leads records into it, and where nothing leads there, says so.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;

use assert_cmd::Command;
use serde_json::Value as Json;

/// A parcel goes through five states one after the other; only the last lets it be deleted.
const PARCELS: &str = "# Parcels
## Entities
### Parcel
- **Attributes**:
  - `parcelId` (ulid, id)
  - `state` (enum: NEW, SORTED, LOADED, DELIVERED, SIGNED, mutable)
  - `attempts` (integer, mutable)
- **Cardinality**: ~1000 total
## Access Patterns
### Reads
| ID | Entity | Description | Input Parameters | Result | Frequency |
|---|---|---|---|---|---|
| AP-001 | Parcel | Get a parcel | parcelId | Single | 5/s |
### Writes
| ID | Entity | Description | Input Parameters | Items Written | Transaction | Conditions | Frequency |
|---|---|---|---|---|---|---|---|
| AP-010 | Parcel | Take a parcel | state = NEW, attempts = 0 | 1 | No | - | 1/s |
| AP-011 | Parcel | Sort it | parcelId, newState = SORTED | Parcel update | No | state must be NEW | 1/s |
| AP-012 | Parcel | Load it | parcelId, newState = LOADED | Parcel update | No | state must be SORTED | 1/s |
| AP-013 | Parcel | Deliver it | parcelId, newState = DELIVERED | Parcel update | No | state must be LOADED | 1/s |
| AP-014 | Parcel | Sign for it | parcelId, newState = SIGNED | Parcel update | No | state must be DELIVERED | 1/s |
| AP-015 | Parcel | Try once more | parcelId | Parcel (attempts +1) | No | Parcel must exist | 1/s |
### Deletes
| ID | Entity | Description | Input Parameters | Items Deleted | Transaction | Conditions | Frequency |
|---|---|---|---|---|---|---|---|
| AP-020 | Parcel | Forget it | parcelId | 1 (Parcel) | No | state must be SIGNED | 1/s |
| AP-021 | Parcel | Give it up | parcelId | 1 (Parcel) | No | attempts >= 9 | 1/s |
";

/// The exit code, the evidence, and what is said of a pattern that was not checked.
fn proven(document: &str, seed: &str) -> (Option<i32>, Json) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("parcels.md");
    fs::write(&path, document).unwrap();
    let mut command = Command::cargo_bin("keywright").unwrap();
    command.arg("prove").arg(&path).args(["--scale", "12", "--seed", seed, "--format", "json"]);
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), serde_json::from_slice(&output.stdout).expect(&said))
}

fn outcomes(evidence: &Json) -> Vec<(&str, &str)> {
    let patterns = evidence["patterns"].as_array().unwrap().iter();
    patterns.map(|it| (it["id"].as_str().unwrap(), it["outcome"].as_str().unwrap())).collect()
}

#[test]
fn records_are_led_into_the_state_that_a_write_wants() {
    for seed in ["1", "2", "3"] {
        let (code, evidence) = proven(PARCELS, seed);
        let others: Vec<_> =
            outcomes(&evidence).into_iter().filter(|(_, outcome)| *outcome != "held").collect();
        assert_eq!((code, others), (Some(0), Vec::new()), "seed {seed}");
    }
}

#[test]
fn a_write_that_nothing_leads_to_is_not_held() {
    let loading = PARCELS.lines().find(|line| line.starts_with("| AP-012")).unwrap();
    let (code, evidence) = proven(&PARCELS.replace(&format!("{loading}\n"), ""), "1");
    assert_eq!(code, Some(1));
    let unproven: Vec<_> =
        outcomes(&evidence).into_iter().filter(|(_, outcome)| *outcome != "held").collect();
    assert_eq!(unproven, [("AP-013", "notChecked"), ("AP-014", "notChecked"), ("AP-020", "notChecked")]);
    let patterns = evidence["patterns"].as_array().unwrap();
    let delivering = patterns.iter().find(|it| it["id"] == "AP-013").unwrap();
    let said = delivering["notChecked"][0].as_str().unwrap();
    assert!(said.contains("\"state must be LOADED\""), "{said}");
    assert!(said.contains("add the write that does"), "{said}");
}

#[test]
fn a_seed_repeats_a_run_exactly() {
    assert_eq!(proven(PARCELS, "5"), proven(PARCELS, "5"));
    assert_ne!(proven(PARCELS, "5").1["patterns"], proven(PARCELS, "6").1["patterns"]);
}
