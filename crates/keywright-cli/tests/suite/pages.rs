//! The pages of all rules: they have the same parts, and examples that show what the rule minds.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use keywright_document::DocumentKind;
use keywright_finding::{Catalogue, Rule};
use keywright_generate::{Plan, Source};

fn catalogue() -> Catalogue {
    Catalogue::new(&[
        keywright_document::RULES,
        keywright_design::RULES,
        &keywright_lint::rules(),
        keywright_generate::RULES,
    ])
}

/// What is wrong with a page.
fn faults(rule: &Rule) -> Vec<String> {
    let mut faults = Vec::new();
    let examples = rule.examples();
    if examples.fails.len() < 2 || examples.passes.len() < 2 {
        faults.push(format!(
            "{} failing and {} passing examples",
            examples.fails.len(),
            examples.passes.len()
        ));
    }
    // The first two show the rule; those after them may show what else it does not mind.
    for (side, number) in examples.lonely().into_iter().filter(|(_, number)| *number <= 2) {
        faults.push(format!("example {number} under {side} has no counterpart that differs in one thing"));
    }
    if !rule.page().starts_with(&format!("# {}\n", rule.name())) {
        faults.push("the page has another title".to_owned());
    }
    for heading in ["\n## Why it matters\n", "\n## Fails\n", "\n## Passes\n", "\n## How to fix it\n"] {
        if !rule.page().contains(heading) {
            faults.push(format!("the page lacks \"{}\"", heading.trim()));
        }
    }
    faults.iter().map(|fault| format!("{}: {fault}", rule.name())).collect()
}

#[test]
fn every_rule_shows_two_pairs_of_examples_that_differ_in_one_thing() {
    let catalogue = catalogue();
    assert!(catalogue.iter().count() >= 120, "{}", catalogue.iter().count());
    let faults: Vec<String> = catalogue.iter().flat_map(faults).collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// What stands in the way of generating code for a document.
fn refused(document: &str) -> Vec<&'static str> {
    let (model, design) = if DocumentKind::of(document) == DocumentKind::TableDesign {
        (None, keywright_document::read_table_design(document).design)
    } else {
        let (model, _) = keywright_document::read_access_patterns(document);
        let design = keywright_design::design(&model, &keywright_design::Options::default()).design.unwrap();
        (Some(model), design)
    };
    let source = Source { model: model.as_ref(), design: &design, document: "a.md" };
    let findings = Plan::new(&source).err().unwrap_or_default();
    findings.iter().map(|finding| finding.rule.name()).collect()
}

#[test]
fn the_examples_of_generating_do_what_their_pages_say() {
    for rule in keywright_generate::RULES {
        let examples = rule.examples();
        for example in &examples.fails {
            assert!(
                refused(example).contains(&rule.name()),
                "{}: {:?}\n{example}",
                rule.name(),
                refused(example)
            );
        }
        for example in &examples.passes {
            assert_eq!(refused(example), [] as [&str; 0], "{}\n{example}", rule.name());
        }
    }
}
