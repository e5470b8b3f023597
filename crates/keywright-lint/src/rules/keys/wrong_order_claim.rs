//! wrong-order-claim: words about an order that the bytes of the keys contradict.

use keywright_finding::{Finding, Group, Rule};
use keywright_key::KeyOrder;
use keywright_model::At;

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::error(
    "wrong-order-claim",
    Group::Keys,
    "words about an order that the bytes of the keys contradict",
    include_str!("wrong_order_claim.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for space in &facts.spaces {
        for member in &space.members {
            let Some(own) = member.sort.as_ref().and_then(|key| key.template.as_ref()) else { continue };
            let notes: Vec<&At<String>> = facts
                .item_source(member.item)
                .map(|source| source.notes.iter().collect())
                .unwrap_or_default();
            let general =
                facts.source.notes.iter().filter(|note| mentions(&note.value, &facts.item(member.item).name));
            for note in notes.into_iter().chain(general) {
                let Some((after, rest)) = claim(&note.value) else { continue };
                for other in
                    facts.collection(space, member).into_iter().filter(|other| other.item != member.item)
                {
                    let name = &facts.item(other.item).name;
                    let named_others = facts.design.items.iter().any(|item| mentions(rest, &item.name));
                    if named_others && !mentions(rest, name) {
                        continue;
                    }
                    let Some(theirs) = other.sort.as_ref().and_then(|key| key.template.as_ref()) else {
                        continue;
                    };
                    let wrong = if after { KeyOrder::Before } else { KeyOrder::After };
                    if own.order(theirs) == wrong {
                        let (claimed, real) = if after { ("after", "before") } else { ("before", "after") };
                        findings.push(
                            Finding::new(&RULE, note.span, format!("`{}` sorts {real} `{}`, not {claimed} it: keys compare byte by byte", own.as_str(), theirs.as_str()))
                                .help("`#` (0x23) is below digits and letters, `~` (0x7E) above them: choose the sign that gives the order, or correct the words"),
                        );
                    }
                }
            }
        }
    }
}

/// Whether a text says "sorts … after" or "before", and what follows that.
fn claim(text: &str) -> Option<(bool, &str)> {
    let sorts = text.to_ascii_lowercase().find("sort")?;
    let rest = &text[sorts..];
    let lower = rest.to_ascii_lowercase();
    let after = lower.find(" after").map(|at| (at, true, " after".len()));
    let before = lower.find(" before").map(|at| (at, false, " before".len()));
    let (at, is_after, length) = [after, before].into_iter().flatten().min_by_key(|(at, ..)| *at)?;
    Some((is_after, &rest[at + length..]))
}

fn mentions(text: &str, name: &str) -> bool {
    text.to_ascii_lowercase().contains(&name.to_ascii_lowercase())
}
