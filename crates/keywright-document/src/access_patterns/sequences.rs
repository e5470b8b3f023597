//! Numbers that several entities take from one sequence: what one says of it holds for the others.

use std::collections::BTreeMap;

use keywright_model::At;

use super::entities::Draft;
use super::names::fold;
use super::remarks::Remarks;

/// Lets every entity that another shares its numbers with share them too.
pub(super) fn share(drafts: &mut [Draft<'_>], remarks: &mut Remarks) {
    let mut said: Vec<(String, String, At<String>)> = Vec::new();
    for draft in &*drafts {
        for attribute in &draft.entity.attributes {
            let with = |other: &At<String>| {
                (
                    fold(&other.value),
                    attribute.name.clone(),
                    At::assumed(draft.entity.name.clone(), other.span),
                )
            };
            said.extend(attribute.shared_with.iter().map(with));
        }
    }
    let places: BTreeMap<String, usize> =
        drafts.iter().enumerate().map(|(at, draft)| (fold(&draft.entity.name), at)).collect();
    for (entity, name, other) in said {
        let Some(draft) = places.get(&entity).map(|at| &mut drafts[*at]) else { continue };
        let owner = draft.entity.name.clone();
        let Some(attribute) = draft.attribute_mut(&name) else { continue };
        if attribute.shared_with.iter().any(|it| fold(&it.value) == fold(&other.value)) {
            continue;
        }
        remarks.assume(
            other.span,
            format!("read {owner}.{} as shared with {}", attribute.name, other.value),
            format!("the other says so; write `shared with {}` there too", other.value),
        );
        attribute.sequential.get_or_insert(At::assumed(true, other.span));
        attribute.shared_with.push(other);
    }
}
