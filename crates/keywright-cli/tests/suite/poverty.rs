//! Designs that are wrong only where the data is rich enough: amounts that have to be paid in before they are spent, and
//! limits that nothing of the data, as it happens to be, could reach.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

/// Every account is opened with nothing, and a transfer takes no more than there is.
const BANK: &str = "# DynamoDB Access Patterns
> Application: Bank
## Entities
### Account
- **Attributes**:
  - `accountId` (ulid, id)
  - `balance` (integer, mutable, max 999999999999)
- **Cardinality**: ~100K total
### Transfer
- **Attributes**:
  - `transferId` (ulid, id)
  - `accountId` (ulid, ref Account, immutable)
  - `amount` (integer, immutable, max 999999999)
- **Cardinality**: ~10M total
## Access Patterns
### Reads
| ID | Entity | Description | Input Parameters | Result | Sort | Paginated | Frequency | Consistency |
|---|---|---|---|---|---|---|---|---|
| AP-001 | Account | Get an account | accountId | Single | - | No | 50/s | Strong |
| AP-002 | Transfer | List big transfers of an account | accountId, amount >= min | Collection | amount DESC | Yes | 10/s | Eventual |
### Writes
| ID | Entity | Description | Input Parameters | Items Written | Transaction | Conditions | Frequency |
|---|---|---|---|---|---|---|---|
| AP-020 | Account | Open an account | accountId, balance = 0 | Account | No | Account must not exist | 100/day |
| AP-021 | Transfer | Create a transfer | transferId, accountId, amount | Transfer + Account (balance -amount) | Yes | Transfer must not exist; balance >= amount | 20/s |
| AP-022 | Account | Deposit cash | accountId, amount | Account (balance +amount) | No | Account must exist | 5/s |
### Deletes
| ID | Entity | Description | Input Parameters | Items Deleted | Transaction | Conditions | Frequency |
|---|---|---|---|---|---|---|---|
| AP-040 | Account | Close an account | accountId | Account | No | balance must be 0 | 10/day |
";

/// Users and channels of so many workspaces that hardly any two are of the same.
const CHAT: &str = "# DynamoDB Access Patterns
> Application: Chat
## Entities
### Channel
- **Attributes**:
  - `workspaceId` (string, id, tenant, ~10 bytes, ~2K values)
  - `channelId` (ulid, id)
  - `memberCount` (integer, mutable, max 9999)
- **Cardinality**: ~100K total
### User
- **Attributes**:
  - `workspaceId` (string, id, tenant, ~10 bytes, ~2K values)
  - `userId` (ulid, id)
  - `handle` (string, mutable, ~10 bytes)
- **Cardinality**: ~200K total
### Participation
- **Attributes**:
  - `workspaceId` (string, id, tenant, ~10 bytes, ~2K values)
  - `channelId` (ulid, id, ref Channel)
  - `userId` (ulid, id, ref User)
  - `joinedAt` (datetime, immutable)
- **Cardinality**: max 50 participations per channel, ~1M total
## Access Patterns
### Reads
| ID | Entity | Description | Input Parameters | Result | Sort | Paginated | Frequency | Consistency |
|---|---|---|---|---|---|---|---|---|
| AP-001 | Channel | Get a channel | workspaceId, channelId | Single | - | No | 50/s | Eventual |
| AP-002 | User | Get a user | workspaceId, userId | Single | - | No | 50/s | Eventual |
### Writes
| ID | Entity | Description | Input Parameters | Items Written | Transaction | Conditions | Frequency |
|---|---|---|---|---|---|---|---|
| AP-020 | Channel | Create a channel | workspaceId, channelId, memberCount = 0 | Channel | No | Channel must not exist | 100/day |
| AP-021 | User | Create a user | workspaceId, userId, handle | User | No | User must not exist | 500/day |
| AP-022 | Participation | Join a channel | workspaceId, channelId, userId, joinedAt | Participation + Channel (memberCount +1) | Yes | Participation must not exist; Channel must exist; User must exist; max 50 participations per channel | 1/s |
";

const SEEDS: [&str; 3] = ["1", "3", "5"];

fn keywright(command: &str, document: &Path, more: &[&str]) -> Value {
    let mut keywright = Command::new(assert_cmd::cargo::cargo_bin("keywright"));
    let output = keywright.arg(command).arg(document).args(["--format", "json"]).args(more).output().unwrap();
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

/// The derived design holds at every seed with nothing left unchecked in a pattern, which fails once the design is broken.
fn is_caught(document: &str, pattern: &str, breaks: impl Fn(&mut Value)) {
    let folder = tempfile::tempdir().unwrap();
    let [path, broken] = ["access-patterns.md", "design.json"].map(|name| folder.path().join(name));
    fs::write(&path, document).unwrap();
    let mut design = keywright("design", &path, &[]);
    let whole = design.clone();
    breaks(&mut design);
    assert_ne!(design, whole, "nothing was broken");
    fs::write(&broken, design.to_string()).unwrap();
    let of = |evidence: &Value| -> Value {
        evidence["patterns"].as_array().unwrap().iter().find(|it| it["id"] == pattern).unwrap().clone()
    };
    for seed in SEEDS {
        let evidence = keywright("prove", &path, &["--seed", seed]);
        assert_eq!((&evidence["failed"], &evidence["notChecked"]), (&json!(0), &json!(0)), "{evidence:#}");
        assert!(of(&evidence)["notChecked"].is_null(), "seed {seed}: {}", of(&evidence));
        let more = ["--design", broken.to_str().unwrap(), "--seed", seed];
        assert_eq!(of(&keywright("prove", &path, &more))["outcome"], "failed", "seed {seed}");
    }
}

fn replaced(design: &mut Value, from: &str, to: &str) {
    *design = serde_json::from_str(&design.to_string().replace(from, to)).unwrap();
}

#[test]
fn what_is_spent_is_paid_in_first_so_that_amounts_differ() {
    is_caught(BANK, "AP-002", |design| {
        let operations = design["operations"].as_array_mut().unwrap();
        let list = operations.iter_mut().find(|it| it["pattern"] == "AP-002").unwrap();
        list["requests"][0]["forward"] = json!(true);
    });
    is_caught(BANK, "AP-002", |design| {
        replaced(design, "<amount:pad9>", "<amount>");
        replaced(design, "<min:pad9>", "<min>");
    });
}

#[test]
fn a_limit_is_reached_where_all_that_it_takes_has_to_be_made() {
    is_caught(CHAT, "AP-022", |design| replaced(design, "\"50\"", "\"10\""));
    is_caught(CHAT, "AP-022", |design| replaced(design, "\"50\"", "\"51\""));
}
