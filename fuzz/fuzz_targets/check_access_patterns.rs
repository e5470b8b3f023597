//! Any bytes are read as access patterns, judged and reported in all four forms without a panic.
//!
//! `cargo +nightly fuzz run check_access_patterns examples/` starts from the documents of the repository.

#![no_main]

use keywright_finding::render::{Human, github, human, json, sarif};
use keywright_finding::{Catalogue, Policy, Report, Source, Sources};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let (model, mut findings) = keywright_document::read_access_patterns(&text);
    findings.extend(keywright_lint::patterns(&model));
    let catalogue = Catalogue::new(&[keywright_document::RULES, &keywright_lint::rules()]);
    let policy = Policy::new(catalogue).judged_by(keywright_lint::rules());
    let sources = Sources::from(Source::new("any.md", text));
    let report = Report::new(findings, &sources, &policy);
    let mut out = Vec::new();
    human(&report, &sources, Human::default(), &mut out).expect("memory takes everything");
    json(&report, &sources, &mut out).expect("memory takes everything");
    sarif(&report, &sources, &policy.catalogue, "0.0.0", &mut out).expect("memory takes everything");
    github(&report, &sources, &mut out).expect("memory takes everything");
});
