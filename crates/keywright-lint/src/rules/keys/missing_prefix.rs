//! missing-prefix: a key without a prefix where several item types share the key space.

use keywright_finding::{Edit, Finding, Fix, Group, Rule};

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::error(
    "missing-prefix",
    Group::Keys,
    "a key without a prefix where several item types share the key space",
    include_str!("missing_prefix.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for space in facts.spaces.iter().filter(|space| facts.is_overloaded(space.table)) {
        for member in &space.members {
            let bare = |key: &crate::Key<'_>| key.template.is_some() && key.prefix().is_empty();
            if bare(&member.partition) && space.members.len() > 1 {
                findings.push(finding(facts, &member.partition));
            }
            if let Some(sort) = member.sort.as_ref().filter(|sort| bare(sort))
                && facts.collection(space, member).len() > 1
            {
                findings.push(finding(facts, sort));
            }
        }
    }
}

fn finding(facts: &DesignFacts<'_>, key: &crate::Key<'_>) -> Finding {
    let item = facts.item(key.item);
    let mut finding = Finding::new(
        &RULE,
        key.span,
        format!(
            "`{}` of {} has no prefix, so its keys can be those of another item type",
            key.text(),
            item.name
        ),
    )
    .help(format!("begin it with `{}#`", item.name.to_uppercase()));
    if facts.written(key).is_some_and(|written| written.value.len() == written.span.len() as usize) {
        let prefix = format!("{}#", item.name.to_uppercase().replace(' ', "_"));
        finding = finding.fix(Fix::new("add the prefix", [Edit::insert(key.span.start, prefix)]));
    }
    finding
}
