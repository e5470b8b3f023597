//! Derived designs, broken in what only they hold: attributes that go, sums in keys, kept versions, numbers that move. The
//! proof catches every one.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

/// A way to break one operation of a derived design.
struct Mutation {
    name: &'static str,
    /// The document, and the pattern whose operation is broken.
    of: (&'static str, &'static str),
    breaks: fn(&mut Value),
}

const MUTATIONS: &[Mutation] = &[
    Mutation {
        name: "an attribute that should go stays",
        of: ("documents/guilds", "AP-014"),
        breaks: |requests| replace(requests, r#""remove":["guildId"]"#, r#""remove":[]"#),
    },
    Mutation {
        name: "what goes stays in the index",
        of: ("documents/guilds", "AP-014"),
        breaks: |requests| {
            replace(requests, r#"[{"attribute":"GSI1PK"},{"attribute":"GSI1SK"}]"#, "[]");
        },
    },
    Mutation {
        name: "what goes is counted up",
        of: ("documents/guilds", "AP-014"),
        breaks: |requests| replace(requests, r#""-1""#, r#""1""#),
    },
    Mutation {
        name: "a key holds the number before the sum",
        of: ("kinds/arcade", "AP-011"),
        breaks: |requests| replace(requests, "<1.score + points:int8>", "<1.score:int8>"),
    },
    Mutation {
        name: "a key holds a difference instead of a sum",
        of: ("kinds/arcade", "AP-011"),
        breaks: |requests| replace(requests, "1.score + points", "1.score - points"),
    },
    Mutation {
        name: "a key holds another difference than the item",
        of: ("kinds/arcade", "AP-012"),
        breaks: |requests| replace(requests, "1.score - 25", "1.score - 24"),
    },
    Mutation {
        name: "the number that a sum is made of may change meanwhile",
        of: ("kinds/arcade", "AP-012"),
        breaks: |requests| forget(requests, "score"),
    },
    Mutation {
        name: "a version is not counted",
        of: ("documents/wiki", "AP-012"),
        breaks: |requests| replace(requests, r#"["version",{"literal":{"number":"1"}}]"#, ""),
    },
    Mutation {
        name: "a version has the number of the one before",
        of: ("documents/wiki", "AP-012"),
        breaks: |requests| replace(requests, r#""plus":1"#, r#""plus":0"#),
    },
    Mutation {
        name: "a version has the old title",
        of: ("documents/wiki", "AP-012"),
        breaks: |requests| {
            let old = r#"["title",{"read":{"attribute":"title","request":1}}]"#;
            replace(requests, r#"["title",{"input":"newTitle"}]"#, old);
        },
    },
    Mutation {
        name: "no version is kept",
        of: ("documents/wiki", "AP-015"),
        breaks: |requests| {
            let actions = requests[1]["actions"].as_array_mut().unwrap();
            actions.retain(|action| action["item"] != "PageVersion");
        },
    },
    Mutation {
        name: "a number beside a value that is set stays",
        of: ("documents/bids", "AP-021"),
        breaks: |requests| replace(requests, r#"["bids",{"literal":{"number":"1"}}]"#, ""),
    },
    Mutation {
        name: "a value beside a number that grows stays",
        of: ("documents/bids", "AP-021"),
        breaks: |requests| replace(requests, r#"["highest",{"value":{"input":"amount"}}]"#, ""),
    },
    Mutation {
        name: "a number grows instead of shrinking",
        of: ("documents/bids", "AP-024"),
        breaks: |requests| replace(requests, r#"{"minus":["left""#, r#"{"plus":["left""#),
    },
];

/// Replaces a text of the requests, wherever it is.
fn replace(requests: &mut Value, from: &str, to: &str) {
    let text = requests.to_string();
    assert!(text.contains(from), "no {from} in {text}");
    // What is left out may have had a neighbour.
    let text = text.replace(from, to).replace("[,", "[").replace(",,", ",").replace(",]", "]");
    *requests = serde_json::from_str(&text).unwrap();
}

/// Forgets the conditions on an attribute.
fn forget(value: &mut Value, attribute: &str) {
    if value["compare"][0]["path"] == attribute {
        *value = json!({"exists": "pk"});
    }
    match value {
        Value::Array(values) => values.iter_mut().for_each(|one| forget(one, attribute)),
        Value::Object(fields) => fields.values_mut().for_each(|one| forget(one, attribute)),
        _ => {}
    }
}

fn document(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name).with_extension("md")
}

fn keywright(command: &str, document: &Path, more: &[&str]) -> Value {
    let mut keywright = Command::new(assert_cmd::cargo::cargo_bin("keywright"));
    let output = keywright.arg(command).arg(document).args(["--format", "json"]).args(more).output().unwrap();
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

/// What the proof finds fault with.
fn caught(mutation: &Mutation, folder: &Path) -> Vec<String> {
    let (name, pattern) = mutation.of;
    let document = document(name);
    let mut design = keywright("design", &document, &[]);
    let operations = design["operations"].as_array_mut().unwrap();
    let broken = operations.iter_mut().find(|it| it["pattern"] == pattern).unwrap();
    let whole = broken.clone();
    (mutation.breaks)(&mut broken["requests"]);
    assert_ne!(*broken, whole, "{}: nothing was broken", mutation.name);
    let path = folder.join("design.json");
    fs::write(&path, design.to_string()).unwrap();
    let evidence = keywright("prove", &document, &["--design", path.to_str().unwrap(), "--scale", "60"]);
    let patterns = evidence["patterns"].as_array().unwrap().iter();
    let failed = patterns.filter(|it| it["outcome"] == "failed");
    failed.map(|it| format!("{}: {}", it["id"].as_str().unwrap(), it["failure"]["check"])).collect()
}

#[test]
#[allow(clippy::print_stdout, reason = "the suite prints caught / total")]
fn every_mutation_is_caught() {
    let folder = tempfile::tempdir().unwrap();
    let mut missed = Vec::new();
    for mutation in MUTATIONS {
        let found = caught(mutation, folder.path());
        let word = if found.is_empty() { "MISSED" } else { "caught" };
        println!("{word} {}: {}", mutation.name, found.join(", "));
        if found.is_empty() {
            missed.push(mutation.name);
        }
    }
    println!("caught {} / {}", MUTATIONS.len() - missed.len(), MUTATIONS.len());
    assert!(missed.is_empty(), "not caught: {missed:?}");
}
