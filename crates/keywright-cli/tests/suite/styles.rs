//! The three styles and `--base` as people run them: every example is proven in every style, and so is a table that
//! was extended.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../examples/{name}/access-patterns.md"))
}

fn keywright() -> Command {
    Command::cargo_bin("keywright").expect("the program is built for its tests")
}

/// Standard output, standard error and the exit code.
fn run(command: &mut Command) -> (String, String, i32) {
    let output = command.output().expect("the program runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr), output.status.code().expect("it ends by itself"))
}

fn json(command: &mut Command) -> Value {
    let (out, err, code) = run(command);
    assert_eq!(code, 0, "{out}\n{err}");
    serde_json::from_str(&out).expect("the answer is JSON")
}

const EXAMPLES: [&str; 5] = ["orders", "forum", "saas", "devices", "expedition"];

#[test]
fn every_example_is_proven_in_every_style() {
    for name in EXAMPLES {
        for style in ["multi-attribute", "multi-table"] {
            let evidence = json(
                keywright()
                    .args(["prove", "--format", "json", "--scale", "60", "--style", style])
                    .arg(example(name)),
            );
            let patterns = evidence["patterns"].as_array().expect("it lists patterns").len() as u64;
            let counts = ["held", "failed", "notChecked"].map(|count| evidence[count].as_u64());
            assert_eq!(counts, [Some(patterns), Some(0), Some(0)], "{name} as {style}");
        }
    }
}

#[test]
fn a_design_in_any_style_reads_back_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    for name in EXAMPLES {
        for style in ["overloaded", "multi-attribute", "multi-table"] {
            let path = folder.path().join(format!("{name}-{style}.md"));
            let (_, err, code) =
                run(keywright().args(["design", "--style", style, "-o"]).arg(&path).arg(example(name)));
            assert_eq!(code, 0, "{err}");
            let text = fs::read_to_string(&path).unwrap();
            let read = keywright_document::read_table_design(&text);
            let findings: Vec<&String> = read.findings.iter().map(|finding| &finding.message).collect();
            assert_eq!(findings, Vec::<&String>::new(), "{name} as {style}");
            let model =
                keywright_document::read_access_patterns(&fs::read_to_string(example(name)).unwrap()).0;
            let derived = keywright_design::design(
                &model,
                &keywright_design::Options { style: style.parse().ok(), ..Default::default() },
            );
            let derived = derived.design.unwrap();
            assert_eq!(read.design.tables, derived.tables, "{name} as {style}");
            assert_eq!(read.design.indexes, derived.indexes, "{name} as {style}");
            for (one, two) in read.design.items.iter().zip(&derived.items) {
                assert_eq!(one, two, "{name} as {style}");
            }
            for (one, two) in read.design.operations.iter().zip(&derived.operations) {
                assert_eq!(one.requests, two.requests, "{} of {name} as {style}", one.pattern);
            }
        }
    }
}

#[test]
fn every_target_takes_every_style() {
    let folder = tempfile::tempdir().unwrap();
    for style in ["multi-attribute", "multi-table"] {
        for target in keywright_generate::TARGETS {
            let out = folder.path().join(style).join(target.name);
            let (_, err, code) = run(keywright()
                .args(["generate", target.name, "--style", style, "--out"])
                .arg(&out)
                .arg(example("orders")));
            assert_eq!(code, 0, "{} as {style}: {err}", target.name);
        }
    }
    let tables =
        fs::read_to_string(folder.path().join("multi-attribute/create-table/Shop.create-table.json"));
    let tables: Value = serde_json::from_str(&tables.unwrap()).unwrap();
    let indexes = tables["GlobalSecondaryIndexes"].as_array().unwrap();
    let hashes = |index: &Value| {
        let schema = index["KeySchema"].as_array().unwrap().clone();
        schema.iter().filter(|element| element["KeyType"] == "HASH").count()
    };
    assert!(indexes.iter().any(|index| hashes(index) > 1), "{indexes:?}");
}

#[test]
fn the_document_asks_for_a_style_and_the_command_line_overrides_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("access-patterns.md");
    let text = fs::read_to_string(example("devices")).unwrap();
    let style = |arguments: &[&str]| {
        let design = json(keywright().args(["design", "--format", "json"]).args(arguments).arg(&path));
        design["style"].as_str().unwrap_or_default().to_owned()
    };
    fs::write(&path, &text).unwrap();
    assert_eq!(style(&[]), "overloaded");
    fs::write(folder.path().join("keywright.toml"), "style = \"multi-attribute\"\n").unwrap();
    assert_eq!(style(&[]), "multi-attribute");
    let stated = text.replacen("> Application", "> Style: multi-table\n> Application", 1);
    assert_ne!(stated, text);
    fs::write(&path, stated).unwrap();
    assert_eq!(style(&[]), "multi-table");
    assert_eq!(style(&["--style", "overloaded"]), "overloaded");
}

/// The shop, with a pattern and an entity more.
fn grown() -> String {
    let text = fs::read_to_string(example("orders")).unwrap();
    let entity = "### Review\n\n- **Attributes**:\n  - `productId` (ulid, id, ref Product)\n  - `customerId` (ulid, id, ref \
        Customer)\n  - `stars` (integer, max 5)\n  - `writtenAt` (datetime, immutable)\n- **Cardinality**: ~20 reviews per \
        product, ~2M total\n\n## Access Patterns\n";
    let text = text.replacen("## Access Patterns\n", entity, 1);
    let reads = "| AP-011 |";
    let read = "| AP-012 | Review | List the reviews of a product | productId | Collection | - | Yes | 20/s | Eventual | No |\n\
        | AP-013 | Customer | List customers of a name | name | Collection | createdAt DESC | Yes | 1/s | Eventual | No |\n| AP-011 |";
    let text = text.replacen(reads, read, 1);
    let write = "| AP-019 | Review | Write a review | productId, customerId, stars, writtenAt | 1 (Review) | No | Review must \
        not exist | 1/s |\n| AP-020 |";
    text.replacen("| AP-020 |", write, 1)
}

#[test]
fn an_extended_table_keeps_its_keys_and_proves() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().join("table-design.md");
    let (_, err, code) = run(keywright().args(["design", "-o"]).arg(&base).arg(example("orders")));
    assert_eq!(code, 0, "{err}");
    let document = folder.path().join("access-patterns.md");
    fs::write(&document, grown()).unwrap();
    let out = folder.path().join("out");
    let (summary, err, code) =
        run(keywright().arg("build").arg(&document).arg("--base").arg(&base).arg("--out").arg(&out));
    assert_eq!(code, 0, "{summary}\n{err}");
    assert!(summary.contains("additive   a new item type Review"), "{summary}");
    assert!(summary.contains("backfill   items of Customer get"), "{summary}");
    let key_lines = |text: &str| -> Vec<String> {
        let keys = |line: &&str| {
            line.starts_with("- **PK**") || line.starts_with("- **SK**") || line.starts_with("- **GSI")
        };
        text.lines().filter(keys).map(str::to_owned).collect()
    };
    let (before, after) =
        (fs::read_to_string(&base).unwrap(), fs::read_to_string(out.join("table-design.md")).unwrap());
    let after = key_lines(&after);
    for line in key_lines(&before) {
        assert!(after.contains(&line), "{line} is gone: {after:#?}");
    }
}

#[test]
fn a_base_that_can_t_be_read_ends_with_2() {
    let (_, err, code) = run(keywright().args(["design", "--base", "nowhere.md"]).arg(example("orders")));
    assert_eq!(code, 2, "{err}");
}
