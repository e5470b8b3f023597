//! unknown-attribute: a name that no attribute of the pattern declares.

use keywright_finding::{Finding, Group, Rule, Span};
use keywright_model::model::{Action, AttributeRef, ConditionKind, Entity, Input, Pattern, Role};

use crate::Facts;
use crate::check::Check;

static RULE: Rule = Rule::error(
    "unknown-attribute",
    Group::Patterns,
    "a name that none of the pattern's entities declares",
    include_str!("unknown_attribute.md"),
);

pub(super) const CHECK: Check = Check { rule: &RULE, run: check };

fn check(facts: &Facts<'_>, findings: &mut Vec<Finding>) {
    for pattern in &facts.model.patterns {
        // Of a pattern whose entities are unknown, no attribute can be known.
        if facts.entities_of(pattern).next().is_none() {
            continue;
        }
        for input in pattern.inputs().iter().filter(|input| is_unknown(input)) {
            findings.push(unknown_in_pattern(facts, pattern, input));
        }
        for (attribute, span) in referred_to(pattern) {
            check_reference(facts, &attribute.entity, &attribute.attribute, span, findings);
        }
        for effect in pattern.write().into_iter().flat_map(|write| &write.effects) {
            let moved = match &effect.action {
                Action::Add { attribute, .. } => Some(attribute),
                _ => None,
            };
            for name in effect.attributes.iter().chain(moved) {
                check_reference(facts, &effect.entity, name, effect.span, findings);
            }
        }
    }
    for entity in &facts.model.entities {
        check_entity(facts, entity, findings);
    }
}

fn is_unknown(input: &Input) -> bool {
    input.binds.is_empty() && !matches!(input.role, Role::Limit | Role::Cursor)
}

/// So many entities of a pattern are named in a message and asked for a name that is near.
const NAMED: usize = 3;

fn unknown_in_pattern(facts: &Facts<'_>, pattern: &Pattern, input: &Input) -> Finding {
    let names: Vec<&str> =
        facts.entities_of(pattern).take(NAMED + 1).map(|facts| facts.entity.name.as_str()).collect();
    let message = match names.as_slice() {
        [only] => format!("`{only}` has no attribute `{}`", input.name),
        [some @ .., _] if some.len() == NAMED => {
            format!("none of {} and others has an attribute `{}`", some.join(", "), input.name)
        }
        _ => format!("none of {} has an attribute `{}`", names.join(", "), input.name),
    };
    let finding = Finding::new(&RULE, input.span, message);
    if let Some(meant) =
        facts.entities_of(pattern).take(NAMED).find_map(|facts| facts.nearest_attribute(&input.name))
    {
        return finding.help(format!("did you mean `{meant}`?"));
    }
    // "Enter a tournament" by the keys of an Entry.
    let has_all = |it: &&Entity| pattern.inputs().iter().all(|input| it.attribute(&input.name).is_some());
    finding.help(match facts.model.entities.iter().find(has_all) {
        Some(other) => format!(
            "name `{0}` in a column Entity, or say `{0}` in the description, if the pattern is about that: it has all \
             these inputs; else declare the attribute, or correct the name",
            other.name
        ),
        None => "declare it under the entity's Attributes, or correct the name".to_owned(),
    })
}

/// The attributes that a pattern's sort, result and conditions name.
fn referred_to(pattern: &Pattern) -> Vec<(&AttributeRef, Span)> {
    let mut named = Vec::new();
    if let Some(read) = pattern.read() {
        named.extend(read.sort.iter().map(|sort| (&sort.attribute, sort.span)));
        named.extend(
            read.returns.iter().flat_map(|returns| returns.value.iter().map(|name| (name, returns.span))),
        );
    }
    for condition in pattern.write().into_iter().flat_map(|write| &write.conditions) {
        if let ConditionKind::Compare { attribute, .. }
        | ConditionKind::OneOf { attribute, .. }
        | ConditionKind::Held { attribute, .. } = &condition.kind
        {
            named.push((attribute, condition.span));
        }
    }
    named
}

/// The attributes that an entity's own facts name.
fn check_entity(facts: &Facts<'_>, entity: &Entity, findings: &mut Vec<Finding>) {
    for name in entity.identity.iter().filter(|name| !name.assumed) {
        check_reference(facts, &entity.name, &name.value, name.span, findings);
    }
    for unique in &entity.unique {
        for name in &unique.attributes {
            check_reference(facts, &entity.name, name, unique.span, findings);
        }
    }
    for reference in entity.attributes.iter().filter_map(|attribute| attribute.reference.as_ref()) {
        if !reference.assumed {
            check_reference(
                facts,
                &reference.value.entity,
                &reference.value.attribute,
                reference.span,
                findings,
            );
        }
    }
}

fn check_reference(facts: &Facts<'_>, entity: &str, name: &str, span: Span, findings: &mut Vec<Finding>) {
    // An unknown entity is another rule's business.
    let Some(declared) = facts.entity(entity) else { return };
    if declared.attribute(name).is_some() {
        return;
    }
    let finding = Finding::new(&RULE, span, format!("`{entity}` has no attribute `{name}`"));
    findings.push(match declared.nearest_attribute(name) {
        Some(meant) => finding.help(format!("did you mean `{meant}`?")),
        None => finding.help("declare it under the entity's Attributes, or correct the name"),
    });
}
