//! ambiguous-prefix: a prefix that lies inside another one without a separator.

use keywright_finding::{Finding, Group, Rule};

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::error(
    "ambiguous-prefix",
    Group::Keys,
    "a prefix that lies inside another one without a separator",
    include_str!("ambiguous_prefix.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for space in &facts.spaces {
        for member in &space.members {
            for other in &space.members {
                report(facts, &member.partition, &other.partition, findings);
            }
            let collection = facts.collection(space, member);
            for other in collection {
                if let (Some(sort), Some(other)) = (&member.sort, &other.sort) {
                    report(facts, sort, other, findings);
                }
            }
        }
    }
}

fn report(
    facts: &DesignFacts<'_>,
    key: &crate::Key<'_>,
    other: &crate::Key<'_>,
    findings: &mut Vec<Finding>,
) {
    let (short, long) = (key.prefix(), other.prefix());
    let open = short.ends_with(|last: char| last.is_alphanumeric() || last == '_');
    let goes_on = long
        .strip_prefix(short)
        .is_some_and(|rest| rest.starts_with(|next: char| next.is_alphanumeric() || next == '_'));
    let varies = key.template.as_ref().is_some_and(|template| !template.is_constant());
    if key.item != other.item && varies && open && goes_on {
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
}
