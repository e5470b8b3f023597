//! `keywright explain`: why a pattern is served as it is, and what a rule says, for people and for programs.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;

use assert_cmd::Command;
use serde_json::Value;

/// A ticket with its comments by time, and the public ones alone.
const DESK: &str = "# Desk\n> Application: Desk\n## Entities\n### Ticket\n- `ticketId` (ulid, id)\n- `subject` (string)\n\
    - Cardinality: ~60M total\n### Comment\n- `ticketId` (ulid, ref Ticket)\n- `commentId` (ulid)\n- `public` (boolean)\n\
    - `body` (text, ~800 bytes)\n- Identifier: ticketId, commentId\n\
    - Cardinality: max 300 comments per ticket, ~6 per ticket\n## Access Patterns\n### Reads\n\
    | ID | Entity | Description | Input Parameters | Result | Sort | Paginated | Frequency | Multi-Entity |\n\
    |---|---|---|---|---|---|---|---|---|\n\
    | AP-001 | Ticket, Comment | Ticket with its comments | ticketId | Collection | commentId ASC | No | 40/s | Yes |\n\
    | AP-005 | Comment | Public comments | ticketId, public = true | Collection | commentId ASC | No | 15/s | No |\n\
    ### Writes\n\
    | ID | Entity | Description | Input Parameters | Items Written | Transaction | Conditions | Frequency |\n\
    |---|---|---|---|---|---|---|---|\n\
    | AP-010 | Ticket | Open a ticket | subject | Ticket | No | - | 3/s |\n\
    | AP-011 | Comment | Reply | ticketId, public, body | Comment | No | - | 3/s |\n";

fn explain(arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("desk.md"), DESK).unwrap();
    let mut command = Command::cargo_bin("keywright").unwrap();
    let output = command.current_dir(folder.path()).arg("explain").args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_read_of_several_entities_says_its_price_its_order_and_what_else_it_could_be() {
    let text = explain(&["AP-001", "desk.md"]);
    // What it takes, and who sorts.
    assert!(text.contains("one Query on the table over a shared collection, sorted by the caller"), "{text}");
    assert!(text.contains(" read unit") && text.contains(" in 1 request, $"), "{text}");
    assert!(text.contains("the caller sorts the result"), "{text}");
    // Another place, and another key, each with what it costs more.
    assert!(
        text.contains("| one Query on an index with all attributes over a shared collection, in key order"),
        "{text}"
    );
    // What the law forbids, and what it costs.
    let apart =
        text.lines().find(|line| line.starts_with("| a Query for each of Ticket and Comment |")).unwrap();
    assert!(
        apart.contains("not possible") && apart.contains("always one Query") && apart.contains("this rule "),
        "{apart}"
    );
    // What it would take to change that.
    assert!(text.contains("No read rate makes another place cheaper"), "{text}");
    assert!(!text.contains("half read units"), "{text}");
}

#[test]
fn an_explanation_is_json_for_programs() {
    let pattern: Value = serde_json::from_str(&explain(&["AP-001", "desk.md", "--format", "json"])).unwrap();
    assert_eq!((&pattern["pattern"], &pattern["operation"]), (&"AP-001".into(), &"Query".into()));
    let decision = &pattern["decisions"][0];
    assert_eq!(decision["subject"]["pattern"], "AP-001");
    assert!(decision["alternatives"].as_array().unwrap().len() > 1, "{decision:#}");
    let rule: Value = serde_json::from_str(&explain(&["create-cycle", "--format", "json"])).unwrap();
    assert_eq!(
        (&rule["name"], &rule["level"], &rule["group"]),
        (&"create-cycle".into(), &"error".into(), &"patterns".into())
    );
    assert!(rule["summary"].as_str().unwrap().contains("exist first"), "{rule:#}");
    assert_eq!(rule["page"].as_str().unwrap(), explain(&["create-cycle"]));
}

#[test]
fn a_pattern_is_explained_on_the_table_that_it_extends() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("desk.md"), DESK).unwrap();
    let run = |arguments: &[&str]| {
        let mut command = Command::cargo_bin("keywright").unwrap();
        let output = command.current_dir(folder.path()).args(arguments).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    run(&["design", "desk.md", "--style", "multi-table", "-o", "base.md"]);
    let text = run(&["explain", "AP-005", "desk.md", "--base", "base.md"]);
    assert!(text.starts_with("# AP-005: Public comments"), "{text}");
}
