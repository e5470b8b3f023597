//! inverted-out-of-range: a number that can be too large for its encoding.

use keywright_finding::{Finding, Group, Rule};
use keywright_key::Encoding;

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::error(
    "inverted-out-of-range",
    Group::Keys,
    "a number that can be too large for its encoding",
    include_str!("inverted_out_of_range.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for (_, member, key, _) in facts.keys() {
        for place in key.places() {
            let Encoding::Unsigned { digits, direction } = place.encoding() else { continue };
            let Some(known) = facts.known(member.item, place.name()) else { continue };
            let Some(max) = known.model.and_then(|attribute| attribute.max.as_ref()).map(|max| max.value)
            else {
                continue;
            };
            let largest = 10u64.checked_pow(u32::from(*digits)).map_or(u64::MAX, |limit| limit - 1);
            if max <= largest || !known.ty.is_numeric() {
                continue;
            }
            let consequence = match direction {
                keywright_key::Direction::Descending => {
                    format!("{largest} minus a larger number is below zero")
                }
                keywright_key::Direction::Ascending => "a larger number is wider than the others".to_owned(),
            };
            let width = max.to_string().len();
            findings.push(
                Finding::new(
                    &RULE,
                    key.span,
                    format!("`{}` goes up to {max}, and in `{}` {consequence}", place.name(), key.text()),
                )
                .help(format!("use {width} digits")),
            );
        }
    }
}
