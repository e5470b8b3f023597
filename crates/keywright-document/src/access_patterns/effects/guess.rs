//! What a write does where its words do not say so: the identity tells whether the item is there.

use keywright_model::model::{Action, Effect, Type};

use super::Context;
use crate::access_patterns::names::fold;
use crate::access_patterns::outline::Kind;
use crate::access_patterns::remarks::Remarks;
use crate::access_patterns::verbs::Verb;

/// Says what a description without a verb that we know was taken for.
pub(super) fn note_guess(effects: &[Effect], context: &Context<'_, '_>, remarks: &mut Remarks) {
    let Some(first) = effects.first().filter(|_| !context.description.is_empty()) else { return };
    let reason = match first.action {
        Action::Create => {
            "its identity is generated, so it is new; start the description with `Create` to state this"
        }
        Action::Update => {
            "its identity is given, so it exists; start the description with `Update` to state this"
        }
        Action::Put => {
            "it may or may not exist; start the description with `Create`, `Update` or `Put` to state this"
        }
        Action::Add { .. } | Action::Delete => return,
    };
    let statement =
        format!("read \"{}\" as {} of {}", context.description.as_str(), noun(&first.action), first.entity);
    remarks.assume(context.description.span(), statement, reason);
}

pub(super) fn noun(action: &Action) -> &'static str {
    match action {
        Action::Create => "the creation",
        Action::Put => "a put",
        Action::Update | Action::Add { .. } => "an update",
        Action::Delete => "the deletion",
    }
}

/// The action that the description and the kind of pattern suggest; where they are silent, whether the identity is
/// among the inputs tells.
pub(super) fn default_action(entity: Option<usize>, context: &Context<'_, '_>) -> Action {
    let action = told_action(entity, context);
    // "Advance a delivery" changes it, but its event is new where "StatusEvent must not exist".
    let said = context.existence.iter().find(|(of, _)| Some(*of) == entity).map(|(_, verb)| *verb);
    match (action, said) {
        (Action::Update, Some(Verb::Create)) => Action::Create,
        (Action::Create, Some(Verb::Update)) => Action::Update,
        (action, _) => action,
    }
}

fn told_action(entity: Option<usize>, context: &Context<'_, '_>) -> Action {
    match (context.kind, context.verb) {
        (Kind::Delete, _) => Action::Delete,
        (_, Some(Verb::Create)) => Action::Create,
        // "Put a permit into a zone" with a `newZone` changes one that is there.
        (_, Some(Verb::Put)) if entity.is_some_and(|entity| gives_new_values(entity, context)) => {
            Action::Update
        }
        (_, Some(Verb::Put)) => Action::Put,
        (_, Some(Verb::Delete)) => Action::Delete,
        (_, Some(Verb::Update | Verb::Increment | Verb::Decrement)) => Action::Update,
        _ => match entity.map(|entity| made_up(entity, context)) {
            Some(MadeUp::Now) => Action::Create,
            Some(MadeUp::Before) => Action::Update,
            Some(MadeUp::Never) | None => Action::Put,
        },
    }
}

/// Whether an input is a new value of an attribute: `newZone`.
fn gives_new_values(entity: usize, context: &Context<'_, '_>) -> bool {
    let new = |input: &String| {
        input.strip_prefix("new").is_some_and(|name| context.domain.attribute(entity, name).is_some())
    };
    context.inputs.iter().any(new)
}

/// When the identity of an item is made up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MadeUp {
    /// By this write: the inputs do not give it.
    Now,
    /// By an earlier one: the inputs give it.
    Before,
    /// It is no ulid, uuid or ksuid of its own.
    Never,
}

fn made_up(entity: usize, context: &Context<'_, '_>) -> MadeUp {
    let domain = context.domain;
    let own = |name: &&str| {
        domain
            .attribute(entity, name)
            .is_some_and(|it| it.ty.value.is_generated_id() && it.reference.is_none())
    };
    let given =
        |name: &str| context.inputs.contains(&fold(name)) || context.inputs.iter().any(|it| it == "id");
    let mut names = domain.entities[entity].identity_names().filter(own).peekable();
    if names.peek().is_none() {
        MadeUp::Never
    } else if names.all(given) {
        MadeUp::Before
    } else {
        MadeUp::Now
    }
}

/// Whether the inputs give all that a new item needs and nothing that finds one: "Reserve a ticket" by its slot, its
/// visitor and its price. States, flags and times of creation have first values of their own.
fn gives_a_new_one(entity: usize, context: &Context<'_, '_>) -> bool {
    let facts = &context.domain.entities[entity];
    let creation = context.domain.creation(entity).map(|it| it.name.as_str());
    let given = |name: &str| context.inputs.contains(&fold(name));
    let finds = facts.attributes.iter().any(|it| it.unique.is_some() && given(&it.name))
        || facts.unique.iter().any(|set| set.attributes.iter().all(|name| given(name)));
    let mut wanted = facts.attributes.iter().filter(|it| {
        let starts = !it.values.is_empty() || it.ty.value == Type::Boolean || it.version.is_some();
        let identifies = context.domain.identifies(entity, &it.name) && it.ty.value.is_generated_id();
        !it.is_optional() && !starts && !identifies && Some(it.name.as_str()) != creation
    });
    !finds && wanted.clone().count() > 1 && wanted.all(|it| given(&it.name))
}

/// An item of an update whose identity nobody gives but that can be made up comes to be with it: the event of a change of
/// status, or what the whole write is about if all is there that a new one needs.
pub(super) fn refine(effects: &mut [Effect], context: &Context<'_, '_>, remarks: &mut Remarks) {
    for (index, effect) in effects.iter_mut().enumerate() {
        let Some(entity) = context.domain.find(&effect.entity) else { continue };
        if let Action::Update = effect.action
            && (index > 0 || gives_a_new_one(entity, context))
            && !effect.all
            && effect.attributes.is_empty()
            && made_up(entity, context) == MadeUp::Now
        {
            effect.action = Action::Create;
            effect.assumed = true;
            remarks.assume(
                effect.span,
                format!("read \"{}\" as a new {}", effect.entity, effect.entity),
                format!(
                    "the inputs name no existing one; write `new {}` or `{} update`",
                    effect.entity, effect.entity
                ),
            );
        }
    }
}
