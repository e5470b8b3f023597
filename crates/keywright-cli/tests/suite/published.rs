//! What `docs/` publishes is what the program says: one page per rule, and the JSON schemas.
//!
//! Run with `KEYWRIGHT_PUBLISH=1` to write the files anew.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

fn stdout(arguments: &[&str]) -> String {
    let mut command = Command::cargo_bin("keywright").expect("the program is built for its tests");
    let output = command.args(arguments).output().expect("the program runs");
    assert!(output.status.success());
    String::from_utf8(output.stdout).expect("the program writes UTF-8")
}

/// Holds a folder against what should be in it, or writes it anew. Files of another ending are left alone.
fn hold(folder: &Path, ending: &str, expected: &BTreeMap<String, String>) {
    if std::env::var_os("KEYWRIGHT_PUBLISH").is_some() {
        fs::create_dir_all(folder).expect("the folder can be made");
    }
    let present: Vec<String> = fs::read_dir(folder)
        .expect("the folder is published")
        .map(|entry| entry.expect("its entries are readable").file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(ending))
        .collect();
    let stale = present.iter().filter(|name| !expected.contains_key(*name));
    if std::env::var_os("KEYWRIGHT_PUBLISH").is_some() {
        for name in stale {
            fs::remove_file(folder.join(name)).expect("a stale page can be removed");
        }
        for (name, text) in expected {
            fs::write(folder.join(name), text).expect("a page can be written");
        }
        return;
    }
    assert_eq!(
        stale.collect::<Vec<_>>(),
        Vec::<&String>::new(),
        "no longer published; run with KEYWRIGHT_PUBLISH=1"
    );
    for (name, text) in expected {
        let published = fs::read_to_string(folder.join(name)).unwrap_or_default();
        assert!(published == *text, "{name} is stale; run with KEYWRIGHT_PUBLISH=1");
    }
}

#[test]
fn every_rule_has_a_page() {
    let rules: serde_json::Value = serde_json::from_str(&stdout(&["rules", "--format", "json"])).unwrap();
    let mut pages = BTreeMap::new();
    let mut index = String::from(
        "# Rules\n\nAll rules in the order of `keywright rules`. `keywright explain RULE` prints a page.\n\n\
         | found by | commands |\n|---|---|\n\
         | check | `keywright check`; an error in an access-patterns document also stops `design`, `build`, `prove`, `explain` \
         and `generate` |\n\
         | design | every command that derives a design: `design`, `build`, `prove`, `explain`, `generate` |\n\
         | generate | `keywright generate` and `keywright build` |\n",
    );
    let mut group = "";
    for rule in rules.as_array().unwrap() {
        let said = |field: &str| rule[field].as_str().unwrap();
        let (name, level, summary, found_by) =
            (said("name"), said("level"), said("summary"), said("foundBy"));
        if said("group") != group {
            group = said("group");
            index.push_str(&format!(
                "\n## {group}\n\n| rule | level | found by | finds |\n|---|---|---|---|\n"
            ));
        }
        index.push_str(&format!("| [{name}]({name}.md) | {level} | {found_by} | {summary} |\n"));
        let page = stdout(&["explain", name]);
        let body = page.strip_prefix(&format!("# {name}\n")).unwrap();
        pages.insert(
            format!("{name}.md"),
            format!("# {name}\n\n`{level}` · group {group} · found by `{found_by}` · [all rules](README.md)\n{body}"),
        );
    }
    pages.insert("README.md".to_owned(), index);
    hold(&docs().join("rules"), ".md", &pages);
}

#[test]
fn every_json_form_has_a_schema() {
    let schemas = [
        ("model.json", keywright_model::schema::model()),
        ("design.json", keywright_model::schema::design()),
        ("evidence.json", keywright_model::schema::evidence()),
        ("explanation.json", keywright_model::schema::explanation()),
        ("report.json", keywright_finding::render::json_schema()),
    ];
    let pages = schemas.map(|(name, schema)| {
        let text = serde_json::to_string_pretty(&schema).unwrap();
        (name.to_owned(), format!("{text}\n"))
    });
    hold(&docs().join("schema"), ".json", &BTreeMap::from(pages));
}
