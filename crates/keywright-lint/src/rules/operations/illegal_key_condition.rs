//! illegal-key-condition: a condition on keys that DynamoDB does not have.

use keywright_finding::{Finding, Group, Rule, Span};

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::error(
    "illegal-key-condition",
    Group::Operations,
    "a condition on keys that DynamoDB does not have",
    include_str!("illegal_key_condition.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for (operation, source) in facts.operations() {
        let Some(source) = source else { continue };
        if let Some(cell) = &source.sort_condition
            && let Some(word) =
                illegal(&cell.value, &["contains", "<>", "!=", " or ", "in ", "not ", "ends_with"])
        {
            findings.push(finding(operation, word, "sort key", cell.span));
        }
        if let Some(cell) = &source.partition
            && let Some(word) =
                illegal(&cell.value, &["begins_with", "contains(", " or ", "between ", " in ("])
        {
            findings.push(finding(operation, word, "partition key", cell.span));
        }
    }
}

fn finding(operation: &keywright_model::design::Operation, word: &str, key: &str, span: Span) -> Finding {
    Finding::new(
        &RULE,
        span,
        format!("{} asks for a {key} with `{}`, which DynamoDB refuses", operation.pattern, word.trim()),
    )
    .help("a partition key is given by equality, a sort key by =, <, <=, >, >=, BETWEEN or begins_with")
}

/// The first of these words that a condition uses; a word with a blank behind it must begin the condition.
fn illegal(text: &str, words: &'static [&'static str]) -> Option<&'static str> {
    let lower = text.to_ascii_lowercase();
    words.iter().copied().find(|word| {
        if word.starts_with(' ') {
            lower.contains(word)
        } else {
            lower.trim_start().starts_with(word) || (word.ends_with('(') && lower.contains(word))
        }
    })
}
