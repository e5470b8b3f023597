//! Which attributes change once an item exists: those that some write gives a new value.

use std::collections::BTreeMap;

use keywright_finding::Span;
use keywright_model::At;
use keywright_model::model::{Action, Entity, Mutability, Pattern, Role};

use super::remarks::Remarks;

/// Infers mutability from the write patterns where the document does not state it.
pub(super) fn from_patterns(entities: &mut [Entity], patterns: &[Pattern], remarks: &mut Remarks) {
    let mut changed: BTreeMap<(&str, &str), (&Pattern, Span)> = BTreeMap::new();
    for pattern in patterns {
        let Some(write) = pattern.write() else { continue };
        for effect in &write.effects {
            match &effect.action {
                Action::Update => {
                    for name in &effect.attributes {
                        changed.entry((&effect.entity, name)).or_insert((pattern, effect.span));
                    }
                }
                Action::Add { attribute, .. } => {
                    changed.entry((&effect.entity, attribute)).or_insert((pattern, effect.span));
                }
                Action::Create | Action::Put | Action::Delete => {}
            }
        }
        for input in pattern.inputs() {
            if matches!(input.role, Role::NewValue | Role::Increment) {
                for bound in &input.binds {
                    changed.entry((&bound.entity, &bound.attribute)).or_insert((pattern, input.span));
                }
            }
        }
    }
    for entity in entities {
        for attribute in &mut entity.attributes {
            let Some((pattern, span)) = changed.get(&(entity.name.as_str(), attribute.name.as_str())) else {
                continue;
            };
            if attribute.mutability.is_some() {
                continue;
            }
            attribute.mutability = Some(At::assumed(Mutability::Mutable, *span));
            let by =
                if pattern.id.is_empty() { pattern.description.value.as_str() } else { pattern.id.as_str() };
            remarks.assume(
                *span,
                format!("read {}.{} as mutable", entity.name, attribute.name),
                format!("{by} changes it; write `mutable` in the attribute's parentheses"),
            );
        }
    }
}
