//! Updates that give a record a unique value which another one has.

use keywright_dynamodb::value::AttributeValue;
use keywright_model::Model;
use keywright_model::model::{Entity, Input, Pattern, Role, Write};

use super::existing::is_unfit;
use crate::data::Values;
use crate::inputs::given_inputs;
use crate::interpret::{Given, Inputs};
use crate::oracle::{binding, unique_sets};
use crate::world::{Record, World, identity};

/// The inputs that name a record and give it what is taken, of the unique sets one after the other. What of a set the
/// update leaves alone, such as the tenant, the two records have in common: else nothing would be taken.
pub(super) fn take_another_s(
    model: &Model,
    world: &World,
    pattern: &Pattern,
    write: &Write,
    values: &mut Values,
) -> Option<Inputs> {
    let mut candidates: Vec<(&Entity, Vec<String>)> = Vec::new();
    for entity in pattern.entities.iter().filter_map(|name| model.entity(name)) {
        let sets = unique_sets(entity).into_iter();
        let set = sets.filter(|set| set.iter().any(|name| giver(model, pattern, entity, name).is_some()));
        candidates.extend(set.map(|set| (entity, set)));
    }
    let turn = values.turn(&pattern.id).checked_rem(candidates.len())?;
    let (entity, set) = candidates.get(turn)?;
    let from = values.random().index(world.slots(&entity.name));
    let (own, other) = world.slots_from(&entity.name, from).find_map(|own| {
        let fits = !is_unfit(model, write, entity, own);
        let other = fits.then(|| another(model, world, pattern, entity, set, own)).flatten()?;
        Some((own, other))
    })?;
    let mut inputs = Inputs::new();
    for input in given_inputs(pattern).filter(|input| !input.list) {
        let Some(name) = binding(model, input, &entity.name) else { continue };
        let identifies = entity.identity_names().any(|identity| identity == name);
        let value = match input.role {
            Role::NewValue if set.iter().any(|part| part == name) => other.get(name),
            Role::Equal if identifies => own.get(name),
            _ => None,
        };
        inputs.extend(value.map(|value| (input.name.clone(), Given::One(value.clone()))));
    }
    Some(inputs)
}

/// A record beside this one that holds what the update would have to give it.
fn another<'w>(
    model: &Model,
    world: &'w World,
    pattern: &Pattern,
    entity: &Entity,
    set: &[String],
    own: &Record,
) -> Option<&'w Record> {
    let stays: Vec<(&str, &[AttributeValue])> = set
        .iter()
        .filter(|name| giver(model, pattern, entity, name).is_none())
        .map(|name| Some((name.as_str(), std::slice::from_ref(own.get(name)?))))
        .collect::<Option<_>>()?;
    let fits = |other: &Record| {
        let moves = set.iter().any(|name| own.get(name) != other.get(name));
        moves
            && set.iter().all(|name| other.contains_key(name))
            && stays.iter().all(|(name, values)| other.get(*name) == values.first())
            && identity(entity, other) != identity(entity, own)
    };
    world.one_near(&entity.name, &stays, 0, fits)
}

/// The input that gives an attribute its new value.
fn giver<'p>(model: &Model, pattern: &'p Pattern, entity: &Entity, attribute: &str) -> Option<&'p Input> {
    let mut new = given_inputs(pattern).filter(|input| input.role == Role::NewValue);
    new.find(|input| binding(model, input, &entity.name) == Some(attribute))
}
