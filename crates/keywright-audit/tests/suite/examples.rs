//! The certificates of all examples and of the documents that the program is tested with hold.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};

use keywright_audit::{Verdict, audit};
use keywright_design::{Options, design};
use keywright_model::Style;

/// The documents of the examples and of the program's tests.
fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let tests = root.join("crates/keywright-cli/tests");
    let mut found = Vec::new();
    let mut folders = vec![root.join("examples"), tests.join("documents"), tests.join("kinds")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let tested = path.starts_with(&tests) && path.extension().is_some_and(|it| it == "md");
            if path.is_dir() {
                folders.push(path);
            } else if tested || path.file_name().is_some_and(|name| name == "access-patterns.md") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn verdict(path: &Path, style: Style) -> Option<Verdict> {
    let text = std::fs::read_to_string(path).unwrap();
    let (model, _) = keywright_document::read_access_patterns(&text);
    let outcome = design(&model, &Options { style: Some(style), ..Options::default() });
    let (design, certificate) = (outcome.design?, outcome.certificate?);
    if certificate.proof.is_none() {
        assert!(certificate.not_covered.len() > 1, "{} says why it has no tables", path.display());
        return None;
    }
    match audit(&design, &certificate) {
        Ok(verdict) => Some(verdict),
        Err(refusal) => panic!("{} {style}: {refusal}", path.display()),
    }
}

#[test]
fn every_document_is_shown_to_be_the_cheapest() {
    let documents = documents();
    assert!(documents.len() >= 20, "{} documents", documents.len());
    for style in [Style::Overloaded, Style::MultiTable, Style::MultiAttribute] {
        let mut shown = 0;
        for path in &documents {
            if let Some(verdict) = verdict(path, style) {
                assert!(verdict.is_shown(), "{} {style}: {verdict:?}", path.display());
                shown += 1;
            }
        }
        assert!(shown >= 20, "{shown} of {} in the style {style}", documents.len());
    }
}

#[test]
fn every_document_is_shown_as_an_extension_of_what_it_was() {
    let mut shown = 0;
    for path in documents() {
        let text = std::fs::read_to_string(&path).unwrap();
        let (model, _) = keywright_document::read_access_patterns(&text);
        // It was without its last read.
        let mut before = model.clone();
        let Some(last) = before.patterns.iter().rposition(|pattern| pattern.read().is_some()) else {
            continue;
        };
        before.patterns.remove(last);
        let base = design(&before, &Options { style: Some(Style::Overloaded), ..Options::default() }).design;
        let Some(base) = base else { continue };
        let outcome = design(&model, &Options { base: Some(base), ..Options::default() });
        let (Some(design), Some(certificate)) = (outcome.design, outcome.certificate) else { continue };
        if certificate.proof.is_none() {
            assert!(certificate.not_covered.len() > 1, "{} says why it has no tables", path.display());
            continue;
        }
        let verdict = audit(&design, &certificate).unwrap_or_else(|it| panic!("{}: {it}", path.display()));
        let said = certificate.not_covered.iter().any(|it| it.contains("can't share a GSI"));
        assert!(verdict.is_shown() || said, "{}: {verdict:?}", path.display());
        shown += 1;
    }
    assert!(shown >= 5, "{shown} extensions have tables");
}
