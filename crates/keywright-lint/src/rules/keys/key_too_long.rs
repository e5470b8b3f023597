//! key-too-long: a key that can be longer than DynamoDB lets it be.

use keywright_dynamodb::limits::{PARTITION_KEY_BYTES, SORT_KEY_BYTES};
use keywright_finding::{Finding, Group, Rule};
use keywright_key::Segment;

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::error(
    "key-too-long",
    Group::Keys,
    "a key that can be longer than DynamoDB lets it be",
    include_str!("key_too_long.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for (_, member, key, is_partition) in facts.keys() {
        let Some(template) = &key.template else { continue };
        let limit = if is_partition { PARTITION_KEY_BYTES } else { SORT_KEY_BYTES };
        let longest: u64 = template
            .segments()
            .iter()
            .map(|segment| match segment {
                Segment::Literal(text) => text.len() as u64,
                Segment::Placeholder(place) => match place.encoding().width() {
                    Some(width) => width as u64,
                    None => facts
                        .known(member.item, place.name())
                        .and_then(|known| known.model)
                        .filter(|attribute| !attribute.ty.value.is_numeric())
                        // What values have on average, some have at least.
                        .map_or(0, |attribute| {
                            let stated = [&attribute.max, &attribute.bytes];
                            stated.into_iter().flatten().map(|it| it.value).max().unwrap_or(0)
                        }),
                },
            })
            .fold(0, u64::saturating_add);
        if longest > limit {
            findings.push(
                Finding::new(
                    &RULE,
                    key.span,
                    format!("`{}` can be {longest} bytes long, and DynamoDB takes {limit}", key.text()),
                )
                .help("put a hash of the long value into the key, and the value into an attribute"),
            );
        }
    }
}
