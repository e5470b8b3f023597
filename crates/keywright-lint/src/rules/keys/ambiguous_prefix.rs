//! ambiguous-prefix: a prefix that lies inside another one without a separator.

use keywright_finding::{Finding, Group, Rule};

use crate::check::DesignCheck;
use crate::{DesignFacts, Key};

static RULE: Rule = Rule::error(
    "ambiguous-prefix",
    Group::Keys,
    "a prefix that lies inside another one without a separator",
    include_str!("ambiguous_prefix.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for space in &facts.spaces {
        among(facts, space.members.iter().map(|member| &member.partition).collect(), findings);
        for collection in space.collections() {
            among(facts, collection.iter().filter_map(|member| member.sort.as_ref()).collect(), findings);
        }
    }
}

/// Reports the keys of one space whose prefixes go on in others. Sorted, these stand right behind them.
fn among(facts: &DesignFacts<'_>, mut keys: Vec<&Key<'_>>, findings: &mut Vec<Finding>) {
    keys.sort_by_key(|key| key.prefix());
    for key in &keys {
        let short = key.prefix();
        let varies = key.template.as_ref().is_some_and(|template| !template.is_constant());
        if !varies || !short.ends_with(is_of_a_word) {
            continue;
        }
        let behind = keys.partition_point(|other| other.prefix() <= short);
        for other in keys[behind..].iter().take_while(|other| other.prefix().starts_with(short)) {
            if key.item != other.item && other.prefix()[short.len()..].starts_with(is_of_a_word) {
                report(facts, key, other, findings);
            }
        }
    }
}

fn is_of_a_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

fn report(facts: &DesignFacts<'_>, key: &Key<'_>, other: &Key<'_>, findings: &mut Vec<Finding>) {
    let (short, long) = (key.prefix(), other.prefix());
    findings.push(
        Finding::new(
            &RULE,
            key.span,
            format!(
                "begins_with(`{short}`) of {} also matches `{long}` of {}",
                facts.item(key.item).name,
                facts.item(other.item).name
            ),
        )
        .help(format!("end the prefix with a separator: `{short}#`"))
        .related(other.span, "the prefix that it lies in"),
    );
}
