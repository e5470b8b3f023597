//! `keywright build` and `keywright prove` as people run them: what is written, what is left alone, how they end.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/expedition/access-patterns.md")
}

fn keywright() -> Command {
    let mut command = Command::cargo_bin("keywright").unwrap();
    command
        .env("AWS_ACCESS_KEY_ID", "test")
        .env("AWS_SECRET_ACCESS_KEY", "test")
        .env("AWS_REGION", "us-east-1");
    command
}

fn output(command: &mut Command) -> (String, i32) {
    let output = command.output().unwrap();
    (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code().unwrap())
}

#[test]
fn build_writes_everything_and_what_it_wrote_proves() {
    let folder = tempfile::tempdir().unwrap();
    let (summary, code) = output(keywright().arg("build").arg(example()).arg("--out").arg(folder.path()));
    assert_eq!(code, 0, "{summary}");
    for word in ["entities", "patterns", "indexes", "price", "findings", "proven     22 of 22", "written"] {
        assert!(summary.contains(word), "{summary}");
    }
    for name in ["table-design.md", "entity-chart.md", "query-interfaces.md", "design.json", "evidence.json"]
    {
        assert!(folder.path().join(name).is_file(), "{name}");
    }
    let table_design = fs::read_to_string(folder.path().join("table-design.md")).unwrap();
    assert!(table_design.contains("## Proof"));
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 5, "no temporary file is left: {left:?}");

    // The design that was written, read back as if a person had written it.
    let design = folder.path().join("table-design.md");
    let run = || {
        let mut command = keywright();
        command
            .arg("prove")
            .arg(example())
            .arg("--design")
            .arg(&design)
            .args(["--scale", "40", "--format", "json"]);
        output(&mut command)
    };
    let (evidence, code) = run();
    assert_eq!(code, 0, "{evidence}");
    assert_eq!(run().0, evidence, "the same seed gives the same bytes");
    let evidence: serde_json::Value = serde_json::from_str(&evidence).unwrap();
    assert_eq!((&evidence["held"], &evidence["failed"]), (&22.into(), &0.into()));
}

#[test]
fn a_seed_repeats_a_build_to_the_byte_and_another_one_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let build = |name: &str, seed: &str| {
        let out = folder.path().join(name);
        let mut command = keywright();
        command.arg("build").arg(example()).arg("--out").arg(&out).args(["--scale", "40", "--seed", seed]);
        let (summary, code) = output(&mut command);
        assert_eq!(code, 0, "{summary}");
        ["table-design.md", "design.json", "evidence.json"]
            .map(|name| fs::read_to_string(out.join(name)).unwrap())
    };
    let [first, again, other] = [build("a", "7"), build("b", "7"), build("c", "8")];
    assert_eq!(first, again);
    assert_eq!(first[1], other[1], "the seed is the proof's alone");
    assert_ne!(first[2], other[2]);
}

#[test]
fn the_summary_fits_a_glance() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = keywright();
    command.arg("build").arg(example()).arg("--out").arg(folder.path()).args(["--scale", "40"]);
    let (summary, _) = output(&mut command);
    let lines: Vec<&str> = summary.lines().collect();
    let topics: Vec<&str> = lines.iter().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(topics, ["entities", "patterns", "tables", "cost", "findings", "proven", "written"]);
    assert!(lines[3].contains('$') && lines[3].contains("per month"), "{summary}");
    assert!(lines[6].contains(&folder.path().display().to_string()), "{summary}");
}

#[test]
fn a_job_has_its_folder_under_the_specifications() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = keywright();
    command.current_dir(folder.path()).arg("build").arg(fs::canonicalize(example()).unwrap());
    let (summary, code) = output(command.args(["--job", "expedition-2", "--scale", "40"]));
    assert_eq!(code, 0, "{summary}");
    assert!(folder.path().join("docs/specs/jobs/expedition-2/table-design.md").is_file());
}

#[test]
fn a_document_with_errors_leaves_earlier_outputs_alone() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("evidence.json"), "earlier").unwrap();
    let bad = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/bad/access-patterns.md");
    let (summary, code) = output(keywright().arg("build").arg(bad).arg("--out").arg(folder.path()));
    assert_eq!(code, 1, "{summary}");
    assert!(summary.contains("written    no files"), "{summary}");
    assert_eq!(fs::read_to_string(folder.path().join("evidence.json")).unwrap(), "earlier");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// The published schema of evidence.
fn fits_the_schema(evidence: &serde_json::Value) -> Result<(), String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema/evidence.json");
    let schema = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    jsonschema::validator_for(&schema).unwrap().validate(evidence).map_err(|error| error.to_string())
}

#[test]
fn evidence_fits_its_published_schema_held_or_failed() {
    let folder = tempfile::tempdir().unwrap();
    let (summary, code) = output(keywright().arg("build").arg(example()).arg("--out").arg(folder.path()));
    assert_eq!(code, 0, "{summary}");
    let written = fs::read_to_string(folder.path().join("evidence.json")).unwrap();
    assert_eq!(fits_the_schema(&serde_json::from_str(&written).unwrap()), Ok(()));

    // A design that reads in the wrong direction: the failure names the few records that show it.
    let path = folder.path().join("design.json");
    let mut design: serde_json::Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    let operations = design["operations"].as_array_mut().unwrap();
    let backwards = operations.iter_mut().find(|operation| operation["pattern"] == "AP-002").unwrap();
    let forward = backwards.pointer_mut("/requests/0/forward").unwrap();
    *forward = (!forward.as_bool().unwrap()).into();
    fs::write(&path, design.to_string()).unwrap();
    let mut command = keywright();
    command.arg("prove").arg(example()).arg("--design").arg(&path).args(["--format", "json"]);
    let (shown, code) = output(&mut command);
    assert_eq!(code, 1, "{shown}");
    let evidence: serde_json::Value = serde_json::from_str(&shown).unwrap();
    assert_eq!(fits_the_schema(&evidence), Ok(()));
    let failed = evidence["patterns"].as_array().unwrap().iter().find(|it| it["id"] == "AP-002").unwrap();
    assert_eq!(failed["outcome"], "failed");
    assert_eq!(failed["failure"]["check"], "order");
    assert_eq!(failed["failure"]["records"].as_array().unwrap().len(), 2, "{failed:#}");
    let mut wrong = evidence;
    wrong["held"] = "many".into();
    assert!(fits_the_schema(&wrong).is_err());
}

#[test]
fn a_dead_endpoint_leaves_earlier_outputs_alone() {
    let folder = tempfile::tempdir().unwrap();
    let earlier = folder.path().join("table-design.md");
    fs::write(&earlier, "earlier").unwrap();
    let mut command = keywright();
    command.arg("build").arg(example()).arg("--out").arg(folder.path());
    let output = command.args(["--endpoint", "http://127.0.0.1:1"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("can't reach http://127.0.0.1:1"));
    assert_eq!(fs::read_to_string(&earlier).unwrap(), "earlier");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_design_that_is_wrong_fails_and_shows_why() {
    let folder = tempfile::tempdir().unwrap();
    let (summary, code) = output(keywright().arg("build").arg(example()).arg("--out").arg(folder.path()));
    assert_eq!(code, 0, "{summary}");
    let path = folder.path().join("design.json");
    let mut design: serde_json::Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    design["operations"].as_array_mut().unwrap().remove(0);
    fs::write(&path, design.to_string()).unwrap();
    let mut command = keywright();
    command.arg("prove").arg(example()).arg("--design").arg(&path).args(["--scale", "20"]);
    let (shown, code) = output(&mut command);
    assert_eq!(code, 1, "{shown}");
    assert!(shown.contains("failed: served"), "{shown}");
}

#[test]
fn usage_and_unreadable_documents_end_with_two() {
    assert_eq!(output(keywright().args(["build", "no-such-file.md"])).1, 2);
    assert_eq!(output(keywright().args(["prove"])).1, 2);
    let mut command = keywright();
    command.arg("build").arg(example()).args(["--target", "typescrpt"]);
    assert_eq!(output(&mut command).1, 2);
    let mut command = keywright();
    command.arg("build").arg(example()).args(["--job", "../elsewhere"]);
    assert_eq!(output(&mut command).1, 2);
}
