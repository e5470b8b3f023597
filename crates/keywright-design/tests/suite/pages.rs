//! The pages are the tests: designing reports every example under "Fails" by its rule, and none under "Passes".

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use keywright_design::Options;

/// What designing says about an example: access patterns, with the table that they extend above them where there is one.
fn said(example: &str) -> BTreeMap<&'static str, String> {
    let (base, document) = example.split_at(example.find("# DynamoDB Access Patterns\n").unwrap());
    let base = (!base.is_empty()).then(|| keywright_document::read_table_design(base).design);
    let (model, _) = keywright_document::read_access_patterns(document);
    let outcome = keywright_design::design(&model, &Options { base, ..Options::default() });
    outcome.findings.into_iter().map(|finding| (finding.rule.name(), finding.message)).collect()
}

#[test]
fn every_example_does_what_its_page_says() {
    let mut wrong = Vec::new();
    for rule in keywright_design::RULES {
        let examples = rule.examples();
        assert!(!examples.fails.is_empty() && !examples.passes.is_empty(), "{}", rule.name());
        for (side, documents, speaks) in
            [("Fails", &examples.fails, true), ("Passes", &examples.passes, false)]
        {
            for (at, document) in documents.iter().enumerate() {
                let said = said(document);
                if said.contains_key(rule.name()) != speaks {
                    wrong.push(format!("{}: example {} under {side} is told {said:?}", rule.name(), at + 1));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
