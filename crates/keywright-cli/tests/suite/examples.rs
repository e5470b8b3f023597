//! Every example that we ship is silent at warning level and above; the bad one shows what the findings are like.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;

fn examples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .expect("examples are shipped")
        .map(|entry| entry.expect("the folder is readable").path().join("access-patterns.md"))
        .filter(|path| path.exists())
        .collect();
    files.sort();
    files
}

/// The levels and rules of what `keywright check` says.
fn said(path: &Path) -> (Option<i32>, BTreeSet<(String, String)>) {
    let mut command = Command::cargo_bin("keywright").expect("the program is built for its tests");
    let output = command.args(["check", "--format", "json"]).arg(path).output().expect("the program runs");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("the report is JSON");
    let field =
        |finding: &serde_json::Value, name: &str| finding[name].as_str().unwrap_or_default().to_owned();
    let findings = report["findings"].as_array().expect("it lists findings").iter();
    (
        output.status.code(),
        findings.map(|finding| (field(finding, "level"), field(finding, "rule"))).collect(),
    )
}

#[test]
fn good_examples_are_silent() {
    let good: Vec<PathBuf> =
        examples().into_iter().filter(|path| !path.to_string_lossy().contains("bad")).collect();
    assert!(good.len() >= 5, "{good:?}");
    for path in good {
        let (code, findings) = said(&path);
        let alarms: Vec<_> = findings.iter().filter(|(level, _)| level != "note").collect();
        assert_eq!((code, alarms), (Some(0), Vec::new()), "{}", path.display());
    }
}

/// The numbers of the document meet here as they do not at the usual scale: more children to a parent, numbers at their
/// largest.
#[test]
fn good_examples_hold_at_a_larger_scale() {
    for path in examples().into_iter().filter(|path| !path.to_string_lossy().contains("bad")) {
        let mut command = Command::cargo_bin("keywright").expect("the program is built for its tests");
        let output = command.arg("prove").arg(&path).args(["--scale", "1000"]).output().expect("it runs");
        let shown = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{}: {shown}", path.display());
    }
}

#[test]
fn the_bad_example_shows_the_findings() {
    let bad = examples().into_iter().find(|path| path.to_string_lossy().contains("bad")).unwrap();
    let (code, findings) = said(&bad);
    assert_eq!(code, Some(1));
    let rules: BTreeSet<&str> = findings.iter().map(|(_, rule)| rule.as_str()).collect();
    assert!(rules.len() >= 20, "{rules:?}");
}
