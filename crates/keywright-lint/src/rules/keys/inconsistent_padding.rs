//! inconsistent-padding: one number with two widths.

use keywright_finding::{Finding, Group, Rule};
use keywright_key::Encoding;

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::error(
    "inconsistent-padding",
    Group::Keys,
    "one number with two widths",
    include_str!("inconsistent_padding.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    let mut first: std::collections::BTreeMap<(String, bool), (usize, keywright_finding::Span)> =
        std::collections::BTreeMap::new();
    for (_, member, key) in facts.sort_keys() {
        for place in key.places() {
            let Encoding::Unsigned { digits, direction } = place.encoding() else { continue };
            let width = usize::from(*digits);
            let entity = facts.item(member.item).entities.first().cloned().unwrap_or_default();
            let descending = *direction == keywright_key::Direction::Descending;
            let (before, span) =
                *first.entry((format!("{entity}.{}", place.name()), descending)).or_insert((width, key.span));
            if before != width {
                findings.push(
                    Finding::new(
                        &RULE,
                        key.span,
                        format!(
                            "`{}` has {width} digits here and {before} elsewhere, so its keys do not compare",
                            place.name()
                        ),
                    )
                    .help(format!("use {} digits in all keys", before.max(width)))
                    .related(span, "here it has another width"),
                );
            }
        }
    }
}
