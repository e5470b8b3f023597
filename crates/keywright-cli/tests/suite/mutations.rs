//! Derived designs, broken in what only they hold: attributes that go, sums in keys, kept versions, numbers that move. The
//! proof catches every one.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use keywright_model::{Design, Model};
use serde_json::{Value, json};

#[path = "../../../keywright-prove/tests/suite/mutator/mod.rs"]
mod mutator;

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

/// Of all mutants one in so many is tried in every run of the suite; `KEYWRIGHT_MUTANTS=all` tries all of them,
/// `KEYWRIGHT_MUTANTS=documents/bids` all of one document, `KEYWRIGHT_MUTANTS='all AP-002'` those whose name has the
/// words; `KEYWRIGHT_SEEDS=1,2,3` tries each of them with several seeds.
const ONE_IN: usize = 127;
/// As many records as show every mutant.
const SCALE: u64 = 60;

/// The documents whose designs are broken.
fn documents() -> Vec<(String, PathBuf)> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut found = Vec::new();
    for folder in ["kinds", "documents"] {
        for entry in fs::read_dir(tests.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "md") {
                found.push((format!("{folder}/{}", path.file_stem().unwrap().to_str().unwrap()), path));
            }
        }
    }
    let examples = tests.join("../../../examples");
    for entry in fs::read_dir(&examples).unwrap() {
        let path = entry.unwrap().path();
        let document = path.join("access-patterns.md");
        if document.exists() && !path.ends_with("bad") {
            found.push((format!("examples/{}", path.file_name().unwrap().to_str().unwrap()), document));
        }
    }
    found.sort();
    found
}

/// What a document states, and what is derived from it; none where nothing can be.
fn derived(document: &Path) -> Option<(Model, Design)> {
    let (model, _) = keywright_document::read_access_patterns(&fs::read_to_string(document).unwrap());
    let mut keywright = Command::new(assert_cmd::cargo::cargo_bin("keywright"));
    let output = keywright.arg("design").arg(document).args(["--format", "json"]).output().unwrap();
    Some((model, serde_json::from_slice(&output.stdout).ok()?))
}

/// Mutants of documents, each tried with some seeds.
struct Trial<'t> {
    /// The document; all of them where it is `all`.
    of: &'t str,
    /// What the mutant's name has.
    words: &'t str,
    one_in: usize,
    seeds: &'t [u64],
}

impl Trial<'_> {
    /// The mutants that a proof does not find fault with, each with the seed.
    #[allow(clippy::print_stdout, reason = "the suite prints caught / total")]
    fn missed(&self) -> Vec<String> {
        let mut mutants = Vec::new();
        let models: Vec<(String, Model)> = documents()
            .into_iter()
            .filter(|(name, _)| self.of == "all" || self.of == name)
            .filter_map(|(name, path)| {
                let (model, design) = derived(&path)?;
                mutants.extend(mutator::mutants(&model, &design).into_iter().map(|it| (name.clone(), it)));
                Some((name, model))
            })
            .collect();
        mutants.retain(|(_, it)| it.name.contains(self.words));
        let (equal, mutants): (Vec<_>, Vec<_>) = mutants.into_iter().partition(|(_, it)| it.equal.is_some());
        for (document, mutant) in equal.iter().filter(|_| self.one_in == 1) {
            println!("equal {document} {}: {}", mutant.name, mutant.equal.unwrap());
        }
        assert!(!mutants.is_empty());
        let total = mutants.len();
        let tried: Vec<_> = mutants.into_iter().step_by(self.one_in).collect();
        let next = std::sync::atomic::AtomicUsize::new(0);
        let missed: std::sync::Mutex<Vec<String>> = std::sync::Mutex::default();
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    while let Some((document, mutant)) =
                        tried.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
                    {
                        let (_, model) = models.iter().find(|(name, _)| name == document).unwrap();
                        for seed in self.seeds {
                            let found = mutator::found_fault_with(model, &mutant.design, SCALE, *seed);
                            let word = if found.is_empty() { "MISSED" } else { "caught" };
                            println!("{word} {document} {}, seed {seed}: {}", mutant.name, found.join(", "));
                            if found.is_empty() {
                                missed
                                    .lock()
                                    .unwrap()
                                    .push(format!("{document} {}, seed {seed}", mutant.name));
                            }
                        }
                    }
                });
            }
        });
        let missed = missed.into_inner().unwrap();
        let calls = tried.len() * self.seeds.len();
        println!("caught {} / {calls} of {total} mutants, {} equal", calls - missed.len(), equal.len());
        missed
    }
}

#[test]
fn every_operation_is_held_to_every_part_of_it() {
    let asked = std::env::var("KEYWRIGHT_MUTANTS").ok();
    let (of, words) = asked.as_deref().map_or(("all", ""), |it| it.split_once(' ').unwrap_or((it, "")));
    let seeds = std::env::var("KEYWRIGHT_SEEDS").ok().filter(|_| asked.is_some());
    let seeds = seeds.unwrap_or_else(|| "1".into());
    let seeds: Vec<u64> = seeds.split(',').map(|seed| seed.trim().parse().unwrap()).collect();
    let one_in = if asked.is_some() { 1 } else { ONE_IN };
    let missed = Trial { of, words, one_in, seeds: &seeds }.missed();
    assert!(missed.is_empty(), "not caught: {missed:#?}");
}

#[test]
fn who_gives_up_where_another_one_was_faster_is_refused_whatever_the_seed() {
    let missed = Trial { of: "kinds/arcade", words: "gives up", one_in: 1, seeds: &[1, 2, 3, 4, 5] }.missed();
    assert!(missed.is_empty(), "not caught: {missed:#?}");
}

#[test]
fn the_order_and_the_bounds_of_a_list_that_updates_fill_show_whatever_the_seed() {
    let missed =
        Trial { of: "documents/rides", words: "AP-004 read:", one_in: 1, seeds: &[1, 2, 3, 4, 5] }.missed();
    assert!(missed.is_empty(), "not caught: {missed:#?}");
}

#[test]
fn a_list_of_what_belongs_to_two_is_long_whatever_the_seed() {
    let words = "AP-002 read: only the first 5";
    let missed = Trial { of: "documents/inventory", words, one_in: 1, seeds: &[1, 2, 3, 4, 5] }.missed();
    assert!(missed.is_empty(), "not caught: {missed:#?}");
}

#[test]
fn a_delete_of_all_looks_strongly_and_once_more() {
    for words in ["looks eventually", "does not look again"] {
        let missed = Trial { of: "kinds/projects", words, one_in: 1, seeds: &[1, 2] }.missed();
        assert!(missed.is_empty(), "not caught: {missed:#?}");
    }
}

#[test]
fn who_edits_another_part_of_a_record_at_once_is_noticed() {
    let missed = Trial { of: "kinds/family", words: "AP-021 Person", one_in: 1, seeds: &[1, 2] }.missed();
    assert!(missed.is_empty(), "not caught: {missed:#?}");
}
