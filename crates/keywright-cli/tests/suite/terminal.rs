//! What a person sees on a terminal: colour unless it is unwanted, and no more than can be read.
//!
//! `script` of util-linux gives the program a terminal; where it is not at hand there is nothing to see.

#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;
use std::process::Command;

/// Runs `keywright check` on a terminal with these variables set, and returns all that it showed.
fn shown(folder: &Path, variables: &[(&str, &str)]) -> Option<String> {
    let program = assert_cmd::cargo::cargo_bin("keywright");
    let output = Command::new("script")
        .args(["-qec", &format!("'{}' check many.md", program.display()), "/dev/null"])
        .current_dir(folder)
        .env_remove("NO_COLOR")
        .env("TERM", "xterm")
        .envs(variables.iter().copied())
        .stdin(std::process::Stdio::null())
        .output()
        .ok()?;
    Some(String::from_utf8(output.stdout).expect("the program writes UTF-8"))
}

#[test]
fn colour_and_a_limit_belong_to_terminals() {
    let folder = tempfile::tempdir().expect("there is a temporary folder");
    let rows: String = (0..500).map(|n| format!("| AP-{n} | Sang | Get it | songId | Single |\n")).collect();
    let text = format!(
        "## Entities\n### Song\n- **Attributes**:\n  - `songId` (ulid, id)\n\n## Access Patterns\n### Reads\n\
         | ID | Entity | Description | Input Parameters | Result |\n|---|---|---|---|---|\n{rows}"
    );
    fs::write(folder.path().join("many.md"), text).expect("it takes a small file");
    let Some(coloured) = shown(folder.path(), &[]) else { return };
    assert!(coloured.contains('\u{1b}'), "{}", &coloured[..200]);
    assert_eq!(coloured.matches("[unknown-entity]").count(), 200, "the most important ones");
    assert!(coloured.contains(" more; `--format json` has them all"));
    assert!(coloured.contains("500 errors"), "the summary counts all of them");

    for variables in [[("NO_COLOR", "1")], [("TERM", "dumb")]] {
        let plain = shown(folder.path(), &variables).expect("it ran before");
        assert!(!plain.contains('\u{1b}') && plain.contains("error[unknown-entity]"), "{variables:?}");
    }
    // An empty NO_COLOR is as good as none.
    assert!(shown(folder.path(), &[("NO_COLOR", "")]).expect("it ran before").contains('\u{1b}'));
}
