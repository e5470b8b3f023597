//! What the evidence says of a condition that no call violates on its own.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::process::Command;

/// A card that does not exist is not one that is free to be blocked either.
const CARDS: &str = "# DynamoDB Access Patterns
> Application: Cards
## Entities
### Card
- **Attributes**:
  - `cardId` (ulid, id)
  - `limit` (integer, mutable, max 999)
  - `blockedAt` (datetime, optional, mutable)
- **Cardinality**: ~100K total
## Access Patterns
### Reads
| ID | Entity | Description | Input Parameters | Result | Sort | Paginated | Frequency | Consistency |
|---|---|---|---|---|---|---|---|---|
| AP-001 | Card | Get a card | cardId | Single | - | No | 20/s | Strong |
### Writes
| ID | Entity | Description | Input Parameters | Items Written | Transaction | Conditions | Frequency |
|---|---|---|---|---|---|---|---|
| AP-020 | Card | Issue a card | cardId, limit | Card | No | Card must not exist | 1k/day |
| AP-021 | Card | Block a card | cardId, blockedAt | Card | No | Card must exist; blockedAt must be empty | 1k/day |
";

#[test]
fn a_condition_that_goes_with_another_is_not_advised_against() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("access-patterns.md");
    std::fs::write(&path, CARDS).unwrap();
    let mut keywright = Command::new(assert_cmd::cargo::cargo_bin("keywright"));
    let output = keywright.arg("prove").arg(&path).args(["--format", "json"]).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("whatever violates it also violates"), "{said}");
    assert!(!said.contains("remove it if it always holds"), "{said}");
}
