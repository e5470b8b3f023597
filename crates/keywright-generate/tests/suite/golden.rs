//! All targets of every example side by side, as they are committed: a change to the output shows in its review.
//!
//! `KEYWRIGHT_BLESS=1 cargo test -p keywright-generate golden` writes them anew. What every example shares word
//! for word, the runtimes, is left out: it stands in `src/targets/`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use keywright_finding::Level;
use keywright_generate::{File, LANGUAGES, Options, Source, TARGETS, generate, stale};
use keywright_model::{Design, Model};

/// A document that is readable and can be designed.
struct Example {
    name: String,
    model: Model,
    design: Design,
}

fn examples() -> Vec<Example> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut folders: Vec<PathBuf> = fs::read_dir(folder)
        .expect("examples are there")
        .map(|entry| entry.expect("it can be listed").path())
        .collect();
    folders.sort();
    folders
        .into_iter()
        .filter_map(|folder| {
            let name = folder.file_name()?.to_string_lossy().into_owned();
            let text = fs::read_to_string(folder.join("access-patterns.md")).ok()?;
            let (model, findings) = keywright_document::read_access_patterns(&text);
            // An example of what is refused has nothing to generate.
            if findings.iter().any(|finding| finding.level == Level::Error) {
                return None;
            }
            let design = keywright_design::design(&model, &keywright_design::Options::default()).design?;
            Some(Example { name, model, design })
        })
        .collect()
}

/// The files of all targets, interfaces in all languages, below a folder per target.
fn files(example: &Example) -> Vec<File> {
    let source =
        Source { model: Some(&example.model), design: &example.design, document: "access-patterns.md" };
    let mut all = Vec::new();
    for target in TARGETS {
        let options: Vec<(String, Options)> = if target.name == "interfaces" {
            LANGUAGES
                .iter()
                .map(|language| {
                    (format!("interfaces/{}", language.name.to_lowercase()), Options { language })
                })
                .collect()
        } else {
            vec![(target.name.to_owned(), Options::default())]
        };
        for (folder, options) in options {
            let files = generate(target, &source, &options)
                .unwrap_or_else(|findings| panic!("{} {}: {findings:?}", example.name, target.name));
            all.extend(
                files.into_iter().map(|file| File { path: format!("{folder}/{}", file.path), ..file }),
            );
        }
    }
    all.retain(|file| !file.path.split('/').any(|part| part == "runtime" || part == "runtime.rs"));
    all
}

fn paths_below(folder: &Path, prefix: &str, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            paths_below(&entry.path(), &format!("{name}/"), found);
        } else {
            found.insert(name);
        }
    }
}

#[test]
fn the_output_is_what_is_committed() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let bless = std::env::var_os("KEYWRIGHT_BLESS").is_some();
    let mut differences = Vec::new();
    let examples = examples();
    assert!(examples.len() >= 4, "examples can be designed");
    for example in &examples {
        let folder = golden.join(&example.name);
        let files = files(example);
        if bless {
            let _ = fs::remove_dir_all(&folder);
            for file in &files {
                let path = folder.join(&file.path);
                fs::create_dir_all(path.parent().expect("it lies in a folder")).expect("folders can be made");
                fs::write(path, &file.text).expect("files can be written");
            }
        }
        for stale in stale(&files, |path| fs::read_to_string(folder.join(path)).ok()) {
            differences.push(format!(
                "{}\n{}",
                example.name,
                stale.diff.chars().take(2_000).collect::<String>()
            ));
        }
        let mut there = BTreeSet::new();
        paths_below(&folder, "", &mut there);
        let wanted: BTreeSet<String> = files.into_iter().map(|file| file.path).collect();
        differences
            .extend(there.difference(&wanted).map(|path| format!("{}: {path} is too much", example.name)));
    }
    assert!(differences.is_empty(), "{}\n(KEYWRIGHT_BLESS=1 accepts the output)", differences.join("\n"));
}

#[test]
fn generating_twice_gives_the_same_bytes() {
    for example in examples() {
        assert_eq!(files(&example), files(&example), "{}", example.name);
    }
}

#[test]
fn files_say_where_they_come_from_and_never_when() {
    for example in examples() {
        for file in files(&example) {
            // Formats that have no room for a remark.
            let bare = file.path.starts_with("create-table/") && file.path.ends_with(".json")
                || file.path.starts_with("iam/") && file.path.ends_with(".json")
                || file.path.ends_with("tsconfig.json")
                || file.path.ends_with("cdk.json");
            let says = file.text.contains("enerated by keywright from access-patterns.md");
            assert!(says || bare, "{}: {}", example.name, file.path);
        }
    }
}
