//! No false alarm: whatever we derive, and every example that we ship, is silent at warning level and above.

use std::fs;
use std::path::{Path, PathBuf};

use keywright_document::{Companions, read_access_patterns, read_table_design, write_table_design};
use keywright_finding::{Finding, Level};
use keywright_model::design::DesignSource;
use keywright_model::{Design, Model, Style};

fn examples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .expect("examples are shipped")
        .map(|entry| entry.expect("a readable folder").path().join("access-patterns.md"))
        .filter(|path| path.exists())
        .collect();
    files.sort();
    files
}

/// Documents of other trades that the program, the generators and the rules are tested with.
fn documents() -> Vec<PathBuf> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folders =
        ["cli/tests/documents", "cli/tests/kinds", "generate/tests/documents", "lint/tests/documents"];
    let listed = |folder: &str| {
        fs::read_dir(crates.join(format!("keywright-{folder}"))).expect("a crate has its documents")
    };
    let mut files: Vec<PathBuf> = folders
        .into_iter()
        .flat_map(listed)
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|it| it == "md"))
        .collect();
    files.sort();
    files
}

fn derive(model: &Model, style: Style) -> Option<Design> {
    let options = keywright_design::Options { style: Some(style), ..keywright_design::Options::default() };
    let outcome = keywright_design::design(model, &options);
    // A document that can't be served as a whole is told so by the designer.
    let served = !outcome.findings.iter().any(|finding| finding.level == Level::Error);
    outcome.design.filter(|_| served)
}

fn alarms(findings: Vec<Finding>, text: &str) -> Vec<String> {
    findings
        .into_iter()
        .filter(|finding| finding.level >= Level::Warning)
        .map(|finding| format!("{} at `{}`: {}", finding.rule.name(), finding.span.of(text), finding.message))
        .collect()
}

#[test]
fn derived_designs_are_silent_as_values_and_as_documents() {
    assert!(silent(&examples()) >= 15);
}

#[test]
fn designs_of_other_documents_are_silent_too() {
    assert!(silent(&documents()) >= 120);
}

/// Designs every document in every style, and holds what is found to nothing; says how many designs were looked at.
fn silent(documents: &[PathBuf]) -> usize {
    let mut seen = 0;
    for path in documents {
        let source = fs::read_to_string(path).expect("an example is readable");
        let (model, mut findings) = read_access_patterns(&source);
        findings.extend(keywright_lint::patterns(&model));
        if findings.iter().any(|finding| finding.level == Level::Error) {
            // Shipped to show what a faulty document looks like.
            continue;
        }
        for style in [Style::Overloaded, Style::MultiAttribute, Style::MultiTable] {
            let Some(design) = derive(&model, style) else { continue };
            let findings = keywright_lint::designs(&design, &DesignSource::default(), Some(&model));
            assert_eq!(alarms(findings, ""), Vec::<String>::new(), "{} as {style}", path.display());
            let companions = Companions { model: Some(&model), ..Companions::default() };
            let text = write_table_design(&design, companions);
            let read = read_table_design(&text);
            for model in [Some(&model), None] {
                let mut findings = read.findings.clone();
                findings.extend(keywright_lint::designs(&read.design, &read.source, model));
                let mut alarms = alarms(findings, &text);
                if model.is_none() {
                    // Without numbers, rules that judge capacity can only warn; without patterns, one that wants a version
                    // to be checked does not know that nobody is given one.
                    let open = |alarm: &String| {
                        alarm.contains("no rate is stated") || alarm.starts_with("version-unchecked-update")
                    };
                    alarms.retain(|alarm| !open(alarm));
                }
                assert_eq!(alarms, Vec::<String>::new(), "{} as {style}\n{text}", path.display());
            }
            seen += 1;
        }
    }
    seen
}
