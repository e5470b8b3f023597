//! `keywright generate` as a team runs it: files that are written once and again, and `--check` in front of a commit.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;

fn orders() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/orders/access-patterns.md")
}

/// Standard output, standard error and the exit code.
fn generate(target: &str, out: &Path, more: &[&str]) -> (String, String, i32) {
    let output = Command::cargo_bin("keywright")
        .unwrap()
        .args(["generate", target])
        .arg(orders())
        .arg("--out")
        .arg(out)
        .args(more)
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr), output.status.code().unwrap())
}

/// Every file below a folder, with its text.
fn files(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push((path.clone(), fs::read_to_string(&path).unwrap()));
        }
    }
    found.sort();
    found
}

#[test]
fn what_was_generated_passes_its_own_check_and_comes_out_again() {
    let out = tempfile::tempdir().unwrap();
    for target in ["rust", "typescript", "python", "go", "cdk", "iam", "interfaces"] {
        let folder = out.path().join(target);
        assert_eq!(generate(target, &folder, &[]), (String::new(), String::new(), 0), "{target}");
        let first = files(&folder);
        assert!(!first.is_empty(), "{target}");
        assert_eq!(generate(target, &folder, &["--check"]), (String::new(), String::new(), 0), "{target}");
        generate(target, &folder, &[]);
        assert_eq!(files(&folder), first, "{target}");
    }
}

#[test]
fn a_changed_file_fails_the_check_and_is_shown() {
    let out = tempfile::tempdir().unwrap();
    generate("typescript", out.path(), &[]);
    let path = out.path().join("src/keys.ts");
    let text = fs::read_to_string(&path).unwrap();
    let changed = text.replacen("export ", "export  ", 1);
    assert_ne!(changed, text);
    fs::write(&path, &changed).unwrap();
    let (shown, err, code) = generate("typescript", out.path(), &["--check"]);
    assert_eq!((code, err.as_str()), (1, ""));
    assert!(shown.contains("src/keys.ts"), "{shown}");
    assert!(shown.lines().any(|line| line.starts_with("-export  ")), "{shown}");
    assert!(shown.lines().any(|line| line.starts_with("+export ")), "{shown}");
    assert_eq!(fs::read_to_string(&path).unwrap(), changed, "a check writes nothing");
}

#[test]
fn a_missing_file_and_one_left_over_fail_the_check() {
    let out = tempfile::tempdir().unwrap();
    generate("python", out.path(), &[]);
    let keys = files(out.path()).into_iter().find(|(path, _)| path.ends_with("keys.py")).unwrap();
    fs::rename(&keys.0, keys.0.with_file_name("old_keys.py")).unwrap();
    let (shown, _, code) = generate("python", out.path(), &["--check"]);
    assert_eq!(code, 1);
    assert!(shown.contains("/keys.py") && shown.contains("old_keys.py"), "{shown}");
}

#[test]
fn an_unknown_target_is_answered_with_the_nearest() {
    let out = tempfile::tempdir().unwrap();
    let (_, err, code) = generate("typscript", out.path(), &[]);
    assert_eq!(code, 2);
    assert!(err.contains("did you mean `typescript`?"), "{err}");
    assert!(files(out.path()).is_empty());
}
