//! Times of expiry: DynamoDB reads them as a number of seconds since 1970, whatever type a document gives them.

use keywright_model::At;
use keywright_model::model::Type;

use super::entities::Draft;
use super::remarks::Remarks;

/// Reads every attribute that items expire by as a number. All that comes after knows it as nothing else, so that no
/// design, proof or code writes an instant that DynamoDB would never look at.
pub(super) fn in_seconds(drafts: &mut [Draft<'_>], remarks: &mut Remarks) {
    for draft in drafts {
        let entity = &mut draft.entity;
        for attribute in &mut entity.attributes {
            let expires = attribute.ttl.as_ref().is_some_and(|ttl| ttl.value);
            if !expires || attribute.ty.value.is_numeric() {
                continue;
            }
            remarks.assume(
                attribute.ty.span,
                format!(
                    "read {}.{} as an integer, seconds since 1970, and not as a {}",
                    entity.name, attribute.name, attribute.ty.value
                ),
                format!(
                    "DynamoDB expires items by a number of seconds alone; write `{}` (integer, ttl)",
                    attribute.name
                ),
            );
            attribute.ty = At::assumed(Type::Integer, attribute.ty.span);
        }
    }
}
