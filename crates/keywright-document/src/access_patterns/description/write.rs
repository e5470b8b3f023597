//! What the description of a write tells: what it is given, and the state that an item must be in before.

use keywright_dynamodb::expression::Comparator;
use keywright_model::At;
use keywright_model::model::{
    Action, Attribute, AttributeRef, Condition, ConditionKind, ConditionValue, Effect, Entity, Input,
    Literal, Role, Type,
};

use super::{equal, pointing, shown};
use crate::access_patterns::names::{Domain, join, tokens};
use crate::access_patterns::remarks::Remarks;
use crate::access_patterns::states::{stamp_of, state_named, state_of};
use crate::markdown::Phrase;

/// The inputs of a write whose words name none: a create is given all that its item has, a delete what identifies it, an
/// update that and what it names.
pub(in crate::access_patterns) fn unsaid_inputs_of(
    effects: &[Effect],
    description: Phrase<'_>,
    domain: &Domain<'_>,
    remarks: &mut Remarks,
) -> Option<At<Vec<Input>>> {
    let (effect, along) = effects.split_first()?;
    let entity = domain.find(&effect.entity)?;
    let declared = &domain.entities[entity];
    let with_children = effect.action == Action::Delete && along.iter().all(|it| it.action == Action::Delete);
    if !along.is_empty() && !with_children {
        return None;
    }
    let inputs: Vec<Input> = match effect.action {
        Action::Create | Action::Put => held(declared, description).collect(),
        Action::Delete | Action::Update if !effect.all => {
            // A ticket with all its comments: those that point to it.
            let identity = declared.identity_names().map(|name| {
                let mut input = equal(&declared.name, name, description);
                let children = along.iter().filter_map(|it| domain.find(&it.entity));
                input.binds.extend(children.filter_map(|child| pointing(child, entity, name, domain)));
                input
            });
            let changed = changed(effect, entity, description, domain);
            identity.chain(changed).collect()
        }
        _ => return None,
    };
    if inputs.is_empty() {
        return None;
    }
    let names: Vec<String> = inputs.iter().map(shown).collect();
    remarks.assume(
        description.span(),
        format!("read the inputs of \"{}\" as {}", description.as_str(), names.join(", ")),
        "add a column Input Parameters",
    );
    Some(At::assumed(inputs, description.span()))
}

/// What a create is given: all that its item has, and the state that its words name, "invite a user **as viewer**".
fn held<'a>(declared: &'a Entity, description: Phrase<'a>) -> impl Iterator<Item = Input> + 'a {
    let told = told_state(description, declared);
    declared.attributes.iter().map(move |it| match told.filter(|(told, _)| told.name == it.name) {
        Some((_, value)) => Input {
            constant: Some(Literal::String(value.value.clone())),
            ..equal(&declared.name, &it.name, description)
        },
        None => equal(&declared.name, &it.name, description),
    })
}

/// "Register a pet for an owner" is given the pet as well: a parent that is named is not all that the new item has.
fn complete_create(
    inputs: &mut At<Vec<Input>>,
    effect: &Effect,
    description: Phrase<'_>,
    domain: &Domain<'_>,
    remarks: &mut Remarks,
) {
    let Some(entity) = domain.find(&effect.entity) else { return };
    let declared = &domain.entities[entity];
    let named = domain.mentions(description).iter().any(|(it, _)| *it == entity);
    let points = |input: &Input| {
        let own = input.binds.iter().find(|bind| bind.entity == declared.name);
        let attribute = own.and_then(|bind| declared.attribute(&bind.attribute));
        input.constant.is_none() && attribute.is_some_and(|it| it.reference.is_some())
    };
    if !named || !inputs.assumed || !inputs.value.iter().all(points) {
        return;
    }
    let known = |it: &Input| inputs.value.iter().any(|input| input.binds.contains(&it.binds[0]));
    let rest: Vec<Input> = held(declared, description).filter(|it| !known(it)).collect();
    if rest.is_empty() {
        return;
    }
    let names: Vec<String> = rest.iter().map(shown).collect();
    remarks.assume(
        description.span(),
        format!("read the inputs of \"{}\" as also {}", description.as_str(), names.join(", ")),
        "a create is given all that its item has; add a column Input Parameters",
    );
    inputs.value.extend(rest);
}

/// "Remove a room from a hotel" is told the room as well: one item is named by all that identifies it.
pub(in crate::access_patterns) fn complete(
    mut inputs: At<Vec<Input>>,
    effects: &[Effect],
    description: Phrase<'_>,
    domain: &Domain<'_>,
    remarks: &mut Remarks,
) -> At<Vec<Input>> {
    let [effect] = effects else { return inputs };
    if matches!(effect.action, Action::Create | Action::Put) {
        complete_create(&mut inputs, effect, description, domain, remarks);
    }
    let one = matches!(effect.action, Action::Delete | Action::Update) && !effect.all;
    let Some(entity) = domain.find(&effect.entity).filter(|_| one && inputs.assumed) else { return inputs };
    for name in domain.entities[entity].identity_names() {
        let bound = AttributeRef::new(&effect.entity, name);
        if !inputs.value.iter().any(|it| it.binds.contains(&bound)) {
            inputs.value.push(equal(&effect.entity, name, description));
        }
    }
    inputs
}

/// What an update gives new values: the state that its words lead to, "mark an order as **shipped**", what they name,
/// "update a member's **plan**", or the state of its verb, "**cancel** a booking".
fn changed(effect: &Effect, entity: usize, description: Phrase<'_>, domain: &Domain<'_>) -> Vec<Input> {
    if effect.action != Action::Update {
        return Vec::new();
    }
    let declared = &domain.entities[entity];
    let words: Vec<Phrase<'_>> = tokens(description).collect();
    let new = |it: &Attribute| Input { role: Role::NewValue, ..equal(&declared.name, &it.name, description) };
    let becomes = |(it, value): (&Attribute, &At<String>)| Input {
        constant: Some(Literal::String(value.value.clone())),
        ..new(it)
    };
    let told = told_state(description, declared);
    let named = declared.attributes.iter().filter(|it| {
        let is_named = words
            .iter()
            .any(|word| domain.attribute(entity, word.as_str()).is_some_and(|named| named.name == it.name));
        is_named && !declared.identity_names().any(|name| name == it.name)
    });
    let mut inputs: Vec<Input> = told.map(becomes).into_iter().collect();
    inputs.extend(named.filter(|it| told.is_none_or(|(told, _)| told.name != it.name)).map(new));
    // "Transfer a document to another workspace"
    let assigns = words.first().is_some_and(|first| first.as_str().to_lowercase().contains("assign"));
    let moved = domain.mentions(description).into_iter().filter(|(other, noun)| {
        let before = words.iter().take_while(|word| word.span().start < noun.span().start);
        let before: Vec<_> = before.collect();
        *other != entity
            && (assigns || before.iter().rev().take(3).any(|word| word.is("to") || word.is("into")))
    });
    for (other, _) in moved.filter(|_| told.is_none()) {
        let target = &domain.entities[other].name;
        let pointer = declared.attributes.iter().find(|it| {
            it.reference.as_ref().is_some_and(|reference| reference.value.entity == *target)
                && !domain.identifies(entity, &it.name)
        });
        // Of a tenant's agents, `agentId` is only a part of what identifies one.
        let part = || {
            let names = domain.entities[other].identity_names();
            let held = names.filter_map(|name| pointing(entity, other, name, domain));
            let mut held = held.filter(|it| !domain.identifies(entity, &it.attribute));
            held.next().and_then(|it| declared.attribute(&it.attribute))
        };
        let pointer = pointer.or_else(part);
        inputs.extend(pointer.filter(|it| !inputs.iter().any(|input| input.name == it.name)).map(new));
    }
    if inputs.is_empty() && words.first().is_some_and(|first| first.is("rename") || first.is("retitle")) {
        let called = ["name", "title", "label"].iter().find_map(|name| domain.attribute(entity, name));
        inputs.extend(called.filter(|it| !domain.identifies(entity, &it.name)).map(new));
    }
    // "Check in a guest" is another verb than "check".
    let verbs = [words.get(..2), words.get(..1)].into_iter().flatten().map(|it| join(description, it));
    for verb in verbs {
        if inputs.is_empty() {
            inputs.extend(state_of(verb.as_str(), declared).map(becomes));
        }
        if inputs.is_empty()
            && let Some(stamp) = stamp_of(verb.as_str(), declared)
        {
            let flag = (stamp.ty.value == Type::Boolean).then_some(Literal::Boolean(true));
            inputs.push(Input { constant: flag, ..new(stamp) });
        }
    }
    inputs
}

/// The state that an item must be in before: cancel a **pending** order.
pub(in crate::access_patterns) fn conditions(
    effects: &[Effect],
    description: Phrase<'_>,
    domain: &Domain<'_>,
    remarks: &mut Remarks,
) -> Vec<Condition> {
    let [effect] = effects else { return Vec::new() };
    let changes = matches!(effect.action, Action::Update | Action::Delete) && !effect.all;
    let Some(entity) = domain.find(&effect.entity).filter(|_| changes) else { return Vec::new() };
    let noun = domain.mentions(description).into_iter().find(|(it, _)| *it == entity);
    let before = noun.and_then(|(_, noun)| {
        tokens(description).take_while(|it| it.span().start < noun.span().start).last()
    });
    let Some(word) = before else { return Vec::new() };
    let Some((attribute, value)) = state_named(word.as_str(), &domain.entities[entity]) else {
        return Vec::new();
    };
    let attribute = AttributeRef::new(&effect.entity, &attribute.name);
    let text = format!("{} must be {}", attribute.attribute, value.value);
    remarks.assume(
        word.span(),
        format!("read \"{}\" as a condition: {text}", word.as_str()),
        format!("write `{text}` into a column Conditions"),
    );
    let value = ConditionValue::Literal(Literal::String(value.value.clone()));
    let kind = ConditionKind::Compare { attribute, comparator: Comparator::Equal, value };
    vec![Condition { text, span: word.span(), kind }]
}

/// The state behind "as" or "to": mark an order **as shipped**.
fn told_state<'e>(description: Phrase<'_>, entity: &'e Entity) -> Option<(&'e Attribute, &'e At<String>)> {
    let words: Vec<Phrase<'_>> = tokens(description).collect();
    let mut pairs = words.windows(2).filter(|pair| pair[0].is("as") || pair[0].is("to"));
    pairs.find_map(|pair| state_named(pair[1].as_str(), entity))
}
