//! Names that languages keep for themselves, that collide, or that are no names at all.

use keywright_generate::{LANGUAGES, Options, Source, TARGETS, generate, target};
use keywright_model::Design;

/// A design of one item type with those attributes, read by the first of them.
fn design(item: &str, attributes: &[&str]) -> Design {
    let fields: Vec<serde_json::Value> =
        attributes.iter().map(|name| serde_json::json!({ "name": name, "type": "string" })).collect();
    let template = format!("X#<{}>", attributes[0]);
    serde_json::from_value(serde_json::json!({
        "application": "1 class", "style": "overloaded", "typeAttribute": "entityType",
        "tables": [{ "name": "T", "partition": { "name": "pk", "type": "S" } }],
        "indexes": [],
        "items": [{
            "name": item, "kind": "main", "entities": [item], "table": "T",
            "keys": [{ "attribute": "pk", "value": { "template": template } }],
            "attributes": fields,
        }],
        "operations": [{
            "pattern": "AP-001", "description": "Read \"it\" */ -- <b>", "operation": "GetItem", "index": null, "shards": 1,
            "requests": [{ "operation": "GetItem", "table": "T", "item": item, "key": [["pk", { "template": template }]] }],
            "inputs": [{ "name": attributes[0], "type": "string", "role": "equal", "attribute": attributes[0] }],
            "outcome": { "shape": "single", "items": [item], "fromRequest": 1 },
        }],
        "total": { "bill": "0", "operational": "0" },
    }))
    .expect("the design is valid")
}

fn source(design: &Design) -> Source<'_> {
    Source { model: None, design, document: "access-patterns.md" }
}

fn text(name: &str, design: &Design) -> String {
    let files =
        generate(target(name).expect("it exists"), &source(design), &Options::default()).expect("usable");
    files.into_iter().filter(|file| !file.path.contains("runtime")).map(|file| file.text).collect()
}

#[test]
fn keywords_get_a_suffix_and_types_of_the_language_too() {
    let design = design("String", &["type", "class", "2fa", "user-name"]);
    let rust = text("rust", &design);
    for expected in [
        "pub struct StringItem {",
        "pub type_: String",
        "pub class: String",
        "pub value2fa: String",
        "pub user_name",
    ] {
        assert!(rust.contains(expected), "{expected}");
    }
    let python = text("python", &design);
    for expected in ["class_: str", "type: str", "value2fa: str", "user_name: str"] {
        assert!(python.contains(expected), "{expected}");
    }
    assert!(text("typescript", &design).contains("export interface StringItem {"));
    assert!(
        text("go", &design).contains("Value2fa string") || text("go", &design).contains("Value2fa  string")
    );
    // Words of the document can't end a comment or a text.
    assert!(!text("typescript", &design).contains("it\" */ --"));
}

#[test]
fn names_that_become_one_are_a_finding_and_nothing_is_written() {
    let design = design("Thing", &["userId", "user_id"]);
    for target in TARGETS {
        let findings = generate(target, &source(&design), &Options::default()).expect_err("they collide");
        assert_eq!(findings[0].rule.name(), "colliding-names", "{}", target.name);
    }
}

#[test]
fn an_entity_named_like_a_type_that_comes_along_is_a_finding() {
    let with = |other: &str| {
        let mut design = design("String", &["id"]);
        let mut item = design.items[0].clone();
        other.clone_into(&mut item.name);
        design.items.push(item);
        generate(TARGETS[0], &source(&design), &Options::default()).map_err(|findings| findings.len())
    };
    for taken in ["StringItem", "string_repository", "GetStringInput"] {
        assert_eq!(with(taken), Err(1), "{taken}");
    }
    assert!(with("StringPage").is_ok());
}

#[test]
fn letters_without_case_are_exported_from_go_and_show_no_border() {
    let written = text("go", &design("Thing", &["日本", "नाम"]));
    assert!(written.contains("X日本 ") && written.contains("XनU093Eम "), "{written}");
    let findings =
        generate(TARGETS[0], &source(&design("Thing", &["日本語", "日本 語"])), &Options::default());
    assert_eq!(findings.expect_err("they read the same")[0].rule.name(), "colliding-names");
}

#[test]
fn a_name_without_letters_is_a_finding() {
    let design = design("Thing", &["id", "⚡"]);
    let findings = generate(TARGETS[0], &source(&design), &Options::default()).expect_err("it has no name");
    assert_eq!(findings[0].rule.name(), "unusable-name");
}

#[test]
fn every_language_writes_interfaces() {
    let design = design("Thing", &["id"]);
    for language in LANGUAGES {
        let options = Options { language };
        let files =
            generate(target("interfaces").expect("it exists"), &source(&design), &options).expect("usable");
        assert!(files[0].text.contains(&format!("> Language: {}", language.name)));
        assert!(files[0].text.contains("| AP-001 |"), "{}", language.name);
    }
}
