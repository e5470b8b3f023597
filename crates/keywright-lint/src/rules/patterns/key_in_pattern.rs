//! key-in-pattern: keys in the document that comes before keys.

use keywright_finding::{Finding, Group, Rule};
use keywright_model::At;

use crate::Facts;
use crate::check::Check;
use crate::words;

static RULE: Rule = Rule::note(
    "key-in-pattern",
    Group::Patterns,
    "words about keys and indexes where only data and use belong",
    include_str!("key_in_pattern.md"),
);

pub(super) const CHECK: Check = Check { rule: &RULE, run: check };

/// Words about keys, in any case.
const PHRASES: &[&str] = &["partition key", "sort key", "hash key", "range key", "secondary index"];

/// Words about keys that are ordinary words or parts of names in another case.
const TERMS: &[&str] =
    &["PK", "SK", "GSI", "LSI", "GSI1", "GSI2", "GSI3", "GSI1PK", "GSI1SK", "GSI2PK", "GSI2SK"];

fn check(facts: &Facts<'_>, findings: &mut Vec<Finding>) {
    let entities = facts.model.entities.iter().filter_map(|entity| entity.description.as_ref());
    let attributes = facts.model.entities.iter().flat_map(|entity| &entity.attributes);
    let patterns =
        facts.model.patterns.iter().flat_map(|pattern| [Some(&pattern.description), pattern.notes.as_ref()]);
    let described = attributes.filter_map(|attribute| attribute.description.as_ref());
    for text in entities.chain(described).chain(patterns.flatten()) {
        look_at(text, findings);
    }
}

fn look_at(text: &At<String>, findings: &mut Vec<Finding>) {
    let found = words::find_exactly(&text.value, TERMS).or_else(|| words::find(&text.value, PHRASES));
    if let Some(found) = found {
        let word = &text.value[found.clone()];
        findings.push(
            Finding::new(
                &RULE,
                words::place(text, found.clone()),
                format!(
                    "\"{word}\" is about keys, which are derived from the patterns and do not belong in them"
                ),
            )
            .help("state what is read, by which attributes and in which order; the key is derived from that"),
        );
    }
}
