//! The five commands that need a design read, lint and derive in the same way.

use std::fs;
use std::process::Output;

use assert_cmd::Command;

/// Two patterns with one id: the reader and the designer accept it, a rule over patterns does not.
const DUPLICATE: &str = "# DynamoDB Access Patterns\n\n## Entities\n\n### User\n- **Attributes**:\n  - `userId` (ulid, id)\n\
                         \x20 - `name` (string)\n\n## Access Patterns\n\n### Reads\n\
                         | ID | Entity | Description | Input Parameters | Result |\n|---|---|---|---|---|\n\
                         | AP-001 | User | Get a user | userId | Single |\n\
                         | AP-001 | User | Get a user again | userId | Single |\n";

/// A cell that can't be read, and an entity that the designer would refuse.
const UNREADABLE: &str = "# DynamoDB Access Patterns\n\n## Entities\n\n### User\n- **Attributes**:\n  - `userId` (ulid, id)\n\
                          \x20 - `text` (string, ~900 KB)\n\n## Access Patterns\n\n### Reads\n\
                          | ID | Entity | Description | Input Parameters | Result | Consistency |\n|---|---|---|---|---|---|\n\
                          | AP-001 | User | Get a user | userId | Single | Sometimes |\n";

fn run(document: &str, arguments: &[&str]) -> Output {
    let folder = tempfile::tempdir().expect("there is a temporary folder");
    fs::write(folder.path().join("patterns.md"), document).expect("it takes a small file");
    let mut keywright = Command::cargo_bin("keywright").expect("the program is built for its tests");
    keywright.current_dir(folder.path()).args(arguments).output().expect("the program runs")
}

const COMMANDS: [&[&str]; 5] = [
    &["build", "patterns.md"],
    &["prove", "patterns.md"],
    &["design", "patterns.md"],
    &["explain", "AP-001", "patterns.md"],
    &["generate", "interfaces", "patterns.md", "--out", "out"],
];

#[test]
fn every_command_refuses_what_a_rule_over_patterns_refuses() {
    for command in COMMANDS {
        let output = run(DUPLICATE, command);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{command:?}: {said}");
        assert!(said.contains("error[duplicate-pattern-id]"), "{command:?}: {said}");
    }
}

#[test]
fn no_command_searches_a_document_that_can_not_be_read() {
    let whole = run(&UNREADABLE.replace("Sometimes", "Strong"), &["design", "patterns.md"]);
    assert!(String::from_utf8_lossy(&whole.stderr).contains("error[item-too-large]"));
    for command in COMMANDS {
        let output = run(UNREADABLE, command);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{command:?}: {said}");
        assert!(said.contains("error[unreadable-cell]"), "{command:?}: {said}");
        assert!(!said.contains("item-too-large"), "{command:?}: {said}");
    }
}

#[test]
fn every_command_that_designs_takes_a_time_limit() {
    for command in COMMANDS {
        let output = run(DUPLICATE, &[command, &["--time-limit", "soon"]].concat());
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("`soon` is not a duration"), "{command:?}: {said}");
    }
}
