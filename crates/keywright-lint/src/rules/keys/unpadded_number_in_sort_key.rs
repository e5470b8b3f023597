//! unpadded-number-in-sort-key: a number in a sort key as text of varying width.

use keywright_finding::{Edit, Finding, Fix, Group, Rule};
use keywright_key::Encoding;

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::error(
    "unpadded-number-in-sort-key",
    Group::Keys,
    "a number in a sort key as text of varying width",
    include_str!("unpadded_number_in_sort_key.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for (_, member, key) in facts.sort_keys() {
        for place in key.places().into_iter().filter(|place| *place.encoding() == Encoding::Text) {
            let Some(known) = facts.known(member.item, place.name()).filter(|known| known.ty.is_numeric())
            else {
                continue;
            };
            let largest = known
                .model
                .and_then(|attribute| attribute.max.as_ref())
                .map_or(9_999_999_999, |max| max.value);
            let width = largest.to_string().len();
            let mut finding = Finding::new(
                &RULE,
                key.span,
                format!("`<{}>` is a number as text, so 10 sorts before 9 in `{}`", place.name(), key.text()),
            )
            .help(format!("write `<{}:pad{width}>`", place.name()));
            if let Some(span) = key.place_span(facts.written(key), place.name()) {
                finding =
                    finding.fix(Fix::new("pad the number", [Edit::insert(span.end, format!(":pad{width}"))]));
            }
            findings.push(finding);
        }
    }
}
