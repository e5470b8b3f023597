//! The catalogue: one list per group, one file per rule.

mod indexes;
mod keys;
mod operations;
mod patterns;

pub(crate) use patterns::PATTERNS;

/// The rules over designs.
pub(crate) fn designs() -> impl Iterator<Item = &'static crate::check::DesignCheck> {
    keys::KEYS.iter().chain(operations::OPERATIONS).chain(indexes::INDEXES)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use keywright_document::{read_access_patterns, read_table_design};
    use keywright_finding::{Finding, Rule};

    use super::{PATTERNS, designs};
    use crate::{DesignFacts, Facts};

    /// The rules that speak about an example while one of them is disabled.
    fn spoken(example: &str, disabled: Option<&Rule>) -> BTreeSet<&'static str> {
        let runs = |rule: &Rule| disabled.is_none_or(|disabled| disabled != rule);
        // An example is a document of either kind; above a design, access patterns or the table that it extends may stand.
        let split = example.find("# DynamoDB Table Design\n").unwrap_or(0);
        let (above, below) = example.split_at(split);
        let base = above.starts_with("# Base Design").then(|| read_table_design(above).design);
        let model = read_access_patterns(if above.is_empty() { below } else { above }).0;
        let mut findings: Vec<Finding> = Vec::new();
        let facts = Facts::new(&model);
        for check in PATTERNS.iter().filter(|check| above.is_empty() && runs(check.rule)) {
            (check.run)(&facts, &mut findings);
        }
        let read = read_table_design(below);
        let numbers = (!above.is_empty() && base.is_none()).then_some(&facts);
        let facts = DesignFacts::new(&read.design, &read.source, numbers).with_base(base.as_ref());
        for check in designs().filter(|check| runs(check.rule)) {
            (check.run)(&facts, &mut findings);
        }
        findings.iter().map(|finding| finding.rule.name()).collect()
    }

    /// The tests over pages expect a finding on every failing example. Without the rule's check there is none, so they go
    /// red: no other check speaks in a rule's name.
    #[test]
    fn a_page_fails_when_its_check_is_disabled() {
        let rules = PATTERNS.iter().map(|check| check.rule).chain(designs().map(|check| check.rule));
        for rule in rules {
            for (at, example) in rule.examples().fails.iter().enumerate() {
                let name = rule.name();
                assert!(
                    spoken(example, None).contains(name),
                    "{name}: silent about failing example {}",
                    at + 1
                );
                assert!(
                    !spoken(example, Some(rule)).contains(name),
                    "{name}: another check speaks in its name"
                );
            }
        }
    }
}
