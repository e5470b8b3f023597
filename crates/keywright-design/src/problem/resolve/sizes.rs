//! Items whose size the document states as a whole: what their attributes then hold.

use keywright_dynamodb::size::declared::{Basis, typical_bytes};
use keywright_model::model::{Attribute, Entity, Pattern, PatternKind};
use keywright_model::{At, Model};

use super::{Remarks, TYPE_ATTRIBUTES, entities};
use crate::cost::BASE_KEY_NAMES;
use crate::naming;
use crate::problem::{Attr, AttributeFacts};

/// The largest size that patterns state of an entity's items.
pub(super) fn stated(model: &Model, entity: &Entity) -> Option<At<u64>> {
    let own = |it: &&Pattern| it.entities.first().is_some_and(|first| first.value == entity.name);
    let sizes = model.patterns.iter().filter(own).filter_map(|pattern| match &pattern.kind {
        PatternKind::Read(read) => read.item_bytes.clone(),
        PatternKind::Write(write) | PatternKind::Delete(write) => write.item_bytes.clone(),
    });
    sizes.filter(|size| size.value > 0).max_by_key(|size| size.value)
}

/// Lets the attributes whose size nobody states have what is left of the stated size of an item, with the keys that it has
/// by its identity. Gives what none of them takes.
pub(super) fn fill(
    model: &Model,
    entity: &Entity,
    identity: &[Attr],
    stated: &At<u64>,
    facts: &mut [AttributeFacts],
    remarks: &mut Remarks,
) -> u64 {
    let keys: u64 = identity.iter().map(|attr| 1 + facts[attr.index()].bytes).sum();
    let block = naming::block_name(&entity.name).len();
    let told = (TYPE_ATTRIBUTES[0].len() + entity.name.len() + 2 * block) as u64 + BASE_KEY_NAMES;
    let held: u64 = facts.iter().map(|it| it.name.len() as u64 + it.bytes).sum();
    let (present, wanted) = (keys + told + held, stated.value.min(entities::MOST_VALUE_BYTES));
    let unsaid: Vec<usize> = (0..facts.len())
        .filter(|at| !identity.contains(&Attr::new(*at)) && is_unsaid(&entity.attributes[*at]))
        .collect();
    remarks.assume(
        stated.span,
        format!("an item of {} has {wanted} bytes, with the keys of its identity", entity.name),
        "that is the largest Item Size stated for it; keys of indexes come on top",
    );
    if present > wanted {
        // The defaults are too large.
        let all: u64 = unsaid.iter().map(|at| facts[*at].bytes).sum();
        let excess = (present - wanted).min(all);
        for at in unsaid {
            let bytes = facts[at].bytes;
            facts[at].bytes = (bytes - bytes * excess / all.max(1)).max(1);
        }
        return 0;
    }
    // What patterns look for has no such values: no key could hold them.
    let plain: Vec<usize> =
        unsaid.into_iter().filter(|at| !is_asked(model, entity, &facts[*at].name)).collect();
    let mut left = wanted - present;
    for (taken, at) in plain.iter().enumerate() {
        let share = left / (plain.len() - taken) as u64;
        facts[*at].bytes += share;
        left -= share;
    }
    left
}

/// Whether the size of its values is nothing but a default.
fn is_unsaid(attribute: &Attribute) -> bool {
    let values: Vec<String> = attribute.values.iter().map(|value| value.value.clone()).collect();
    let points = attribute.reference.is_some();
    !points && typical_bytes(&entities::declared(attribute, &values)).basis == Basis::Default
}

/// Whether some pattern looks for items by an attribute, or in the order of it, or keeps it unique.
fn is_asked(model: &Model, entity: &Entity, name: &str) -> bool {
    let is = |of: &keywright_model::model::AttributeRef| of.entity == entity.name && of.attribute == name;
    let read = |pattern: &Pattern| {
        pattern.read().is_some_and(|read| {
            read.sort.iter().any(|sort| is(&sort.attribute))
                || pattern.inputs().iter().any(|input| input.binds.iter().any(is))
        })
    };
    let unique = entity.unique.iter().any(|set| set.attributes.iter().any(|it| it == name))
        || entity
            .attributes
            .iter()
            .any(|it| it.name == name && it.unique.as_ref().is_some_and(|it| it.value));
    unique || model.patterns.iter().any(read)
}
