//! `keywright rules` and `keywright explain`.

use assert_cmd::Command;

fn keywright(arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("keywright").expect("the program is built for its tests");
    command.args(arguments);
    command
}

fn stdout(arguments: &[&str]) -> String {
    let output = keywright(arguments).assert().success().get_output().stdout.clone();
    String::from_utf8(output).expect("the program writes UTF-8")
}

#[test]
fn every_rule_that_is_listed_can_be_explained() {
    let listed: serde_json::Value = serde_json::from_str(&stdout(&["rules", "--format", "json"])).unwrap();
    let rules = listed.as_array().unwrap();
    assert!(rules.len() >= 19, "{}", rules.len());
    let table = stdout(&["rules"]);
    for rule in rules {
        let name = rule["name"].as_str().unwrap();
        assert!(
            table.lines().any(|line| line.split_whitespace().next() == Some(name)),
            "{name} is not in the table"
        );
        assert!(stdout(&["explain", name]).starts_with(&format!("# {name}\n")), "{name} has no page");
    }
}

#[test]
fn a_misspelt_rule_gets_a_suggestion_and_exit_2() {
    let failed = keywright(&["explain", "unknown-entiti"]).assert().code(2).stdout("");
    let message = String::from_utf8(failed.get_output().stderr.clone()).unwrap();
    assert_eq!(message, "error: there is no rule named `unknown-entiti`; did you mean `unknown-entity`?\n");
    keywright(&["explain", "xyzzy"]).assert().code(2).stdout("");
}

#[test]
fn a_reader_that_went_away_is_no_failure() {
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("keywright"))
        .arg("rules")
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}
