//! Enumerations whose values keys hold by rank. A name sorts by the alphabet; where a read wants the declared order and that
//! is another, keys hold the position of the value.

use std::collections::BTreeMap;

use keywright_key::{Direction, Enumeration, EnumerationOrder};
use keywright_model::model::Type;

use crate::problem::{Attr, AttributeFacts, Attrs, Domain, EntityFacts, ReadFacts, ReadPart};

/// Notes the rank of values where some read sorts or ranges by it. What means the same is written alike.
pub(super) fn note(entities: &mut [EntityFacts], reads: &[ReadFacts]) {
    let mut ranked: BTreeMap<Domain, Vec<String>> = BTreeMap::new();
    for part in reads.iter().filter(|read| !read.scan).flat_map(|read| &read.parts) {
        let facts = &entities[part.entity];
        for attr in wanted(facts, part).iter() {
            let it = facts.attribute(attr);
            ranked.entry(it.domain).or_insert_with(|| it.values.clone());
        }
    }
    for it in entities.iter_mut().flat_map(|entity| &mut entity.attributes) {
        if let Some(values) = ranked.get(&it.domain) {
            it.rank.clone_from(values);
        }
    }
}

/// The enumerations of which a read wants the declared order, and whose names do not have it.
fn wanted(facts: &EntityFacts, part: &ReadPart) -> Attrs {
    let ranges = part.range.iter().filter(|range| range.prefix.is_none()).map(|range| range.attr);
    let ranges = ranges.filter(|attr| is_misordered(facts.attribute(*attr)));
    let order = order(part);
    let first = order.first().map(|(_, direction)| *direction);
    let order = order.iter().filter(|(attr, direction)| {
        let it = facts.attribute(*attr);
        // A name has no form that sorts downwards.
        let turned = it.ty == Type::Enum && !it.values.is_empty() && Some(*direction) != first;
        is_misordered(it) || turned
    });
    let all = ranges.chain(order.map(|(attr, _)| *attr));
    all.filter(|attr| may_be_ranked(facts.attribute(*attr)) && facts.may_be_key(*attr)).collect()
}

/// The order of a part without what is given.
pub(super) fn order(part: &ReadPart) -> Vec<(Attr, keywright_model::model::Direction)> {
    let given = part.eq();
    part.order.iter().copied().filter(|(attr, _)| !given.contains(*attr)).collect()
}

/// Whether the declared order of an enumeration is not that of its names.
pub(super) fn is_misordered(attribute: &AttributeFacts) -> bool {
    attribute.ty == Type::Enum && !attribute.values.is_sorted()
}

/// Whether a template can list the values.
pub(super) fn may_be_ranked(attribute: &AttributeFacts) -> bool {
    let values = attribute.values.clone();
    Enumeration::new(values, EnumerationOrder::Declared, Direction::Ascending).is_some()
}
