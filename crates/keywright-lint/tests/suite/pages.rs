//! The pages are the tests: every example under "Fails" is reported by its rule, every one under "Passes" is not.
//!
//! The rules of the readers are held to the same, since their examples need the rules over patterns to be whole.

use std::collections::BTreeSet;

use keywright_document::DocumentKind;
use keywright_finding::{Catalogue, Group, Policy, Report, Rule, Source};

fn policy() -> Policy {
    let lint = keywright_lint::rules();
    let catalogue = Catalogue::new(&[keywright_document::RULES, &lint]);
    let of_patterns = lint.into_iter().filter(|rule| rule.group() == Group::Patterns);
    Policy::new(catalogue).judged_by(of_patterns.chain(keywright_document::RULES.iter().copied()))
}

/// The names of the rules that speak about a document.
fn spoken(text: &str, policy: &Policy) -> BTreeSet<&'static str> {
    let findings = match DocumentKind::of(text) {
        DocumentKind::AccessPatterns => {
            let (model, mut findings) = keywright_document::read_access_patterns(text);
            findings.extend(keywright_lint::patterns(&model));
            findings
        }
        DocumentKind::TableDesign => keywright_document::read_table_design(text).findings,
    };
    let report = Report::new(findings, &Source::new("page.md", text).into(), policy);
    report.findings().iter().map(|finding| finding.rule.name()).collect()
}

/// What is wrong with a rule's page.
fn faults(rule: &Rule, policy: &Policy) -> Vec<String> {
    let mut faults = Vec::new();
    let mut fault = |what: String| faults.push(format!("{}: {what}", rule.name()));
    let examples = rule.examples();
    if examples.fails.len() < 2 || examples.passes.len() < 2 {
        fault(format!("{} failing and {} passing examples", examples.fails.len(), examples.passes.len()));
    }
    for (expected, kind, documents) in
        [(true, "failing", &examples.fails), (false, "passing", &examples.passes)]
    {
        for (index, document) in documents.iter().enumerate() {
            let spoken = spoken(document, policy);
            if spoken.contains(rule.name()) != expected {
                fault(format!("{kind} example {} is reported by {spoken:?}", index + 1));
            }
        }
    }
    if !rule.page().starts_with(&format!("# {}\n", rule.name())) {
        fault("the page has another title".to_owned());
    }
    for heading in ["\n## Why it matters\n", "\n## Fails\n", "\n## Passes\n", "\n## How to fix it\n"] {
        if !rule.page().contains(heading) {
            fault(format!("the page lacks \"{}\"", heading.trim()));
        }
    }
    faults
}

#[test]
fn every_example_does_what_its_page_says() {
    let policy = policy();
    let faults: Vec<String> = policy
        .catalogue
        .iter()
        .filter(|rule| policy.judged.contains(rule.name()))
        .flat_map(|rule| faults(rule, &policy))
        .collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn every_rule_of_the_catalogue_is_declared() {
    let catalogue = policy().catalogue;
    let document = [
        "unreadable-cell",
        "unknown-type",
        "duplicate-entity",
        "duplicate-attribute",
        "malformed-diagram",
        "contradicting-diagram",
        "oversized-document",
        "ignored-section",
        "ignored-column",
        "assumption",
        "unused-allow",
        "allow-without-reason",
    ];
    let patterns = [
        "missing-pattern-id",
        "duplicate-pattern-id",
        "missing-inputs",
        "missing-result",
        "unknown-entity",
        "unknown-attribute",
        "unmarked-multi-entity",
        "unstated-transaction",
        "unstated-sort",
        "unpaginated-collection",
        "vague-pattern",
        "entity-without-pattern",
        "pattern-free-write",
        "unknown-to-client",
        "key-in-pattern",
        "unenforced-condition",
        "missing-volume",
    ];
    for (group, names) in [(Group::Document, &document[..]), (Group::Patterns, &patterns[..])] {
        for name in names {
            assert_eq!(catalogue.get(name).map(|rule| rule.group()), Some(group), "{name}");
        }
    }
}

#[test]
fn summaries_are_one_line_without_a_full_stop() {
    for rule in policy().catalogue.iter() {
        let summary = rule.summary();
        assert!(
            !summary.is_empty() && !summary.contains('\n') && !summary.ends_with('.'),
            "{}: {summary}",
            rule.name()
        );
    }
}
