//! unknown-entity: a name that no entity declares.

use keywright_finding::{Finding, Group, Rule, Span};
use keywright_model::Model;
use keywright_model::model::ConditionKind;

use crate::Facts;
use crate::check::Check;

static RULE: Rule = Rule::error(
    "unknown-entity",
    Group::Patterns,
    "a name that no entity declares",
    include_str!("unknown_entity.md"),
);

pub(super) const CHECK: Check = Check { rule: &RULE, run: check };

fn check(facts: &Facts<'_>, findings: &mut Vec<Finding>) {
    for (name, span) in named(facts.model) {
        if facts.entity(name).is_some() {
            continue;
        }
        let finding = Finding::new(&RULE, span, format!("no entity is named `{name}`"));
        findings.push(match facts.nearest_entity(name) {
            Some(meant) => finding.help(format!("did you mean `{meant}`?")),
            None => finding.help("declare it under Entities, or correct the name"),
        });
    }
}

/// Every place where the author names an entity. What the reader inferred is not the author's mistake.
fn named(model: &Model) -> impl Iterator<Item = (&str, Span)> {
    let of_patterns = model.patterns.iter().flat_map(|pattern| {
        let write = pattern.write();
        let entities =
            pattern.entities.iter().filter(|name| !name.assumed).map(|name| (name.value.as_str(), name.span));
        let effects = write.into_iter().flat_map(|write| &write.effects).filter(|effect| !effect.assumed);
        let conditions = write.into_iter().flat_map(|write| &write.conditions);
        let conditioned =
            conditions.filter_map(|condition| Some((entity_of(&condition.kind)?, condition.span)));
        entities.chain(effects.map(|effect| (effect.entity.as_str(), effect.span))).chain(conditioned)
    });
    let of_attributes = model.entities.iter().flat_map(|entity| &entity.attributes).flat_map(|attribute| {
        let reference = attribute.reference.iter().filter(|reference| !reference.assumed);
        let shared = attribute.shared_with.iter().map(|name| (name.value.as_str(), name.span));
        reference.map(|reference| (reference.value.entity.as_str(), reference.span)).chain(shared)
    });
    let stated = model.relationships.iter().filter(|relationship| !relationship.assumed);
    let of_relationships = stated.flat_map(|relationship| {
        [(relationship.parent.as_str(), relationship.span), (relationship.child.as_str(), relationship.span)]
    });
    let of_collections = model.collections.iter().flat_map(|collection| &collection.entities);
    of_patterns
        .chain(of_attributes)
        .chain(of_relationships)
        .chain(of_collections.map(|name| (name.value.as_str(), name.span)))
}

fn entity_of(condition: &ConditionKind) -> Option<&str> {
    match condition {
        ConditionKind::Exists { entity }
        | ConditionKind::NotExists { entity }
        | ConditionKind::Unique { entity, .. }
        | ConditionKind::AtMost { entity, .. } => Some(entity),
        ConditionKind::Compare { attribute, .. }
        | ConditionKind::OneOf { attribute, .. }
        | ConditionKind::Held { attribute, .. } => Some(&attribute.entity),
        ConditionKind::Words => None,
    }
}
