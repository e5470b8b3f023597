//! What the effects of a write and its inputs say of each other: fixed values, amounts, and what identifies one item and
//! changes another.

use keywright_dynamodb::expression::Comparator;
use keywright_model::model::{
    Action, AttributeRef, Condition, ConditionKind, ConditionValue, Effect, Input, Literal, Role, Step, Type,
    Write,
};

use super::write::lists_changes;
use crate::access_patterns::effects::{Assignment, is_none};
use crate::access_patterns::inputs::{self, Context};
use crate::access_patterns::names::{fold, tokens};
use crate::access_patterns::remarks::Remarks;
use crate::access_patterns::verbs::Verb;
use crate::rules::UNREADABLE_CELL;

/// A new value that the inputs give changes its item, also where the items written name only what else changes.
pub(super) fn name_changes(write: &mut Write, inputs: &[Input]) {
    for effect in write.effects.iter_mut().filter(|effect| lists_changes(effect)) {
        let new = inputs.iter().filter(|input| matches!(input.role, Role::NewValue | Role::Increment));
        for bind in new.flat_map(|input| &input.binds).filter(|bind| bind.entity == effect.entity) {
            if !effect.attributes.contains(&bind.attribute) {
                effect.attributes.push(bind.attribute.clone());
            }
        }
    }
}

/// What must be what the caller gives is no new value: "holdId must match".
pub(super) fn keep(write: &Write, inputs: &mut [Input]) {
    for input in inputs.iter_mut().filter(|it| it.role == Role::NewValue && it.assumed) {
        let is_held = |condition: &Condition| match &condition.kind {
            ConditionKind::Compare {
                attribute,
                comparator: Comparator::Equal,
                value: ConditionValue::Input(name),
            } => *name == input.name && input.binds.contains(attribute),
            _ => false,
        };
        if write.conditions.iter().any(is_held) {
            input.role = Role::Equal;
        }
    }
}

/// Lets `SET status = DELIVERED` fix the value and `SET total = amount` name the input.
pub(super) fn assign(
    assignments: &[Assignment<'_>],
    write: &mut Write,
    inputs: &mut Vec<Input>,
    context: &Context<'_>,
    remarks: &mut Remarks,
) {
    for assignment in assignments {
        let entity = &context.domain.entities[assignment.entity];
        let bound = AttributeRef::new(&entity.name, &assignment.attribute);
        let value = assignment.value;
        let folded = fold(value.as_str());
        let own =
            |it: &&mut Effect| it.entity == entity.name && it.attributes.contains(&assignment.attribute);
        if is_none(value.as_str()) {
            for effect in write.effects.iter_mut().filter(|it| own(it)) {
                effect.removes.push(assignment.attribute.clone());
            }
            continue;
        }
        if let Some(input) = inputs.iter_mut().find(|input| fold(&input.name) == folded) {
            if !input.binds.iter().any(|it| it.entity == entity.name) {
                input.role = if input.binds.is_empty() { Role::NewValue } else { input.role };
                input.binds.push(bound);
            }
            continue;
        }
        let ty = entity.attribute(&assignment.attribute).map_or(Type::String, |it| it.ty.value);
        let instant = matches!(ty, Type::Datetime | Type::Date) && matches!(folded.as_str(), "now" | "today");
        let last =
            tokens(value).last().map(|word| fold(word.as_str().rsplit('.').next().unwrap_or_default()));
        // `appointmentId = Appointment.appointmentId` is what it would be anyway.
        if instant || last.is_some_and(|last| last == fold(&assignment.attribute)) {
            continue;
        }
        if tokens(value).count() != 1 {
            remarks.say(
                &UNREADABLE_CELL,
                value.span(),
                format!("`{}` is not a value that can be written", value.as_str()),
                format!(
                    "write a fixed value, such as `{0} = …`, or the name of an input; if the program \
                     computes it, make it an input and write `SET {0}`",
                    assignment.attribute
                ),
            );
            continue;
        }
        inputs::report_value(value, &bound, context, remarks);
        let creates = write.effects.iter().any(|it| it.entity == entity.name && it.action == Action::Create);
        inputs.push(Input {
            name: free_name(&bound, inputs),
            span: value.span(),
            role: if creates { Role::Equal } else { Role::NewValue },
            binds: vec![bound],
            constant: Some(fixed(inputs::literal(value.as_str(), ty), entity, &assignment.attribute)),
            optional: false,
            list: false,
            filter: false,
            assumed: false,
        });
    }
}

/// A value as the attribute lists it: `delivered` is DELIVERED.
fn fixed(literal: Literal, entity: &keywright_model::model::Entity, attribute: &str) -> Literal {
    let Literal::String(text) = &literal else { return literal };
    let values = entity.attribute(attribute).map_or(&[][..], |it| &it.values);
    let listed = values.iter().find(|it| fold(&it.value) == fold(text));
    listed.map_or_else(|| literal.clone(), |it| Literal::String(it.value.clone()))
}

fn free_name(bound: &AttributeRef, inputs: &[Input]) -> String {
    let taken = |name: &str| inputs.iter().any(|it| it.name == name);
    if !taken(&bound.attribute) {
        return bound.attribute.clone();
    }
    let mut name = bound.entity.to_lowercase();
    let mut letters = bound.attribute.chars();
    name.extend(letters.next().map(|first| first.to_ascii_uppercase()));
    name.extend(letters);
    name
}

/// An input that finds one item may be what changes in another: who joins a guild gets its id.
pub(super) fn share(
    write: &mut Write,
    inputs: &[Input],
    verb: Option<Verb>,
    context: &Context<'_>,
    remarks: &mut Remarks,
) {
    for effect in &mut write.effects {
        if effect.action != Action::Update || !effect.attributes.is_empty() {
            continue;
        }
        let own = |input: &Input| {
            input.binds.iter().find(|it| it.entity == effect.entity).map(|it| it.attribute.clone())
        };
        let mut assigned: Vec<String> = Vec::new();
        let mut removed: Vec<String> = Vec::new();
        for input in inputs.iter().filter(|it| it.role == Role::Equal && !it.list && !it.filter) {
            let Some(bound) = own(input).map(|name| AttributeRef::new(&effect.entity, name)) else {
                continue;
            };
            if !inputs::finds_another(input, &bound, context) || !inputs::may_change(&bound, context) {
                continue;
            }
            let leaves = verb == Some(Verb::Delete) && inputs::is_optional(&bound, context);
            let (list, what, word) = if leaves {
                (&mut removed, "the removal of", "REMOVE")
            } else {
                (&mut assigned, "a new value of", "SET")
            };
            list.push(bound.attribute.clone());
            remarks.assume(
                input.span,
                format!("read \"{}\" as {what} {bound} too", input.name),
                format!("write `{} ({word} {})` to say so", bound.entity, bound.attribute),
            );
        }
        if !assigned.is_empty() {
            let new = inputs.iter().filter(|it| matches!(it.role, Role::NewValue | Role::Increment));
            assigned.extend(new.filter_map(own));
            effect.attributes = assigned;
        }
        effect.attributes.extend(removed.iter().cloned());
        effect.removes = removed;
    }
}

/// What an input's name says must be there before is a condition, also where none is written.
pub(super) fn require(write: &mut Write, inputs: &[Input], context: &Context<'_>) {
    for input in inputs.iter().filter(|it| it.role == Role::Equal && it.assumed && !it.list) {
        let Some(bound) = input.binds.first().filter(|_| inputs::is_expected(&input.name)) else { continue };
        let there = |effect: &Effect| {
            let comes = matches!(effect.action, Action::Create | Action::Put);
            effect.entity == bound.entity && !effect.all && !comes
        };
        let lasts = inputs::identifies(bound, context) || input.optional;
        let said = write.conditions.iter().any(|it| compared_with(it, &input.name).is_some());
        if said || lasts || !write.effects.iter().any(there) {
            continue;
        }
        write.conditions.push(Condition {
            text: format!("{} must be {}", bound.attribute, input.name),
            span: input.span,
            kind: ConditionKind::Compare {
                attribute: bound.clone(),
                comparator: Comparator::Equal,
                value: ConditionValue::Input(input.name.clone()),
            },
        });
    }
}

/// An input that no attribute holds may be how far a number moves, or what one is compared with: `coins -price`.
pub(super) fn measure(write: &Write, inputs: &mut [Input], participants: &[usize], context: &Context<'_>) {
    let takes_part = |bound: &AttributeRef| {
        context.domain.find(&bound.entity).is_some_and(|entity| participants.contains(&entity))
    };
    // `Task (SET status = PICKED) + Bin (onHand -quantity)` leaves the quantity of the task alone.
    let changed_apart = |input: &Input| {
        let own = |bound: &AttributeRef| {
            let mut updates =
                write.effects.iter().filter(|it| it.entity == bound.entity && it.action == Action::Update);
            updates.any(|it| !it.attributes.is_empty() && !it.attributes.contains(&bound.attribute))
        };
        input.role == Role::NewValue && input.assumed && input.binds.iter().all(own)
    };
    for input in inputs.iter_mut().filter(|it| it.constant.is_none()) {
        if input.binds.iter().any(takes_part) && !changed_apart(input) {
            continue;
        }
        let step = write.effects.iter().find_map(|effect| match &effect.action {
            Action::Add { attribute, by: Step::Input(name) | Step::MinusInput(name) }
                if fold(name) == fold(&input.name) =>
            {
                Some(AttributeRef::new(&effect.entity, attribute))
            }
            _ => None,
        });
        let compared = || write.conditions.iter().find_map(|it| compared_with(it, &input.name));
        if let Some(bound) = step.or_else(compared) {
            input.role = Role::Amount;
            input.binds = vec![bound];
        }
    }
}

/// An item that a write looks at beside its own is named also by what points to the same thing: who may post to a channel
/// is a member of it, and the member's user is the author.
pub(super) fn identify(inputs: &mut [Input], participants: &[usize], context: &Context<'_>) {
    let entities = &context.domain.entities;
    for entity in participants.iter().map(|at| &entities[*at]) {
        let own = |name: &str| AttributeRef::new(&entity.name, name);
        let target = |bound: &AttributeRef| {
            let declared = entities.iter().find(|it| it.name == bound.entity)?;
            declared.attribute(&bound.attribute)?.reference.as_ref().map(|it| it.value.clone())
        };
        let bound = |inputs: &[Input], name: &str| inputs.iter().any(|it| it.binds.contains(&own(name)));
        let open: Vec<(&str, AttributeRef)> = entity
            .identity_names()
            .filter(|name| !bound(inputs, name))
            .filter_map(|name| Some((name, target(&own(name))?)))
            .collect();
        for (name, referred) in &open {
            // Where two identifiers point to the same, nothing says which of them is meant.
            if open.iter().filter(|(_, other)| other == referred).count() > 1 {
                continue;
            }
            let speaks = |input: &Input| input.binds.iter().any(|it| it.entity == entity.name);
            let points = |it: &AttributeRef| it == referred || target(it).as_ref() == Some(referred);
            let mut pointing = inputs.iter_mut().filter(|input| {
                input.role == Role::Equal && !speaks(input) && input.binds.iter().any(points)
            });
            if let (Some(only), None) = (pointing.next(), pointing.next()) {
                only.binds.push(own(name));
            }
        }
    }
}

/// The attribute that a condition compares with an input.
fn compared_with(condition: &Condition, input: &str) -> Option<AttributeRef> {
    match &condition.kind {
        ConditionKind::Compare { attribute, value: ConditionValue::Input(name), .. } if name == input => {
            Some(attribute.clone())
        }
        _ => None,
    }
}
