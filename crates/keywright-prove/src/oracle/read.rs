//! What a read must give back.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use keywright_dynamodb::value::AttributeValue;
use keywright_model::Model;
use keywright_model::model::{AttributeRef, Direction, Pattern, Read, ResultKind, Role, Sort};

use crate::interpret::Inputs;
use crate::oracle::order::{compare_attribute, in_order};
use crate::oracle::select::{binding, select};
use crate::world::{Record, World};

/// One record of an answer, with the attributes that the pattern wants.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Row {
    /// The entity's name.
    pub(crate) entity: String,
    /// Its wanted attributes.
    pub(crate) attributes: BTreeMap<String, AttributeValue>,
}

/// What a read must give back.
#[derive(Clone, Debug)]
pub(crate) struct Expected {
    /// All records that the inputs select, in order; of a single result only the first is to come.
    pub(crate) rows: Vec<Row>,
    /// The place of each row in its entity's order; rows that tie share one.
    pub(crate) places: Vec<usize>,
    /// One record, or none.
    pub(crate) single: bool,
    /// Only the first so many: the latest sixty.
    pub(crate) most: Option<u64>,
    /// Their number alone.
    pub(crate) count: bool,
}

/// The attributes of an entity that a read returns: those it names, else all that are declared.
pub(crate) fn wanted_attributes(model: &Model, read: &Read, entity: &str) -> Vec<String> {
    let returned: Vec<String> = read
        .returns
        .iter()
        .flat_map(|returns| &returns.value)
        .filter(|attribute| attribute.entity == entity)
        .map(|attribute| attribute.attribute.clone())
        .collect();
    if !returned.is_empty() {
        return returned;
    }
    let declared = model.entity(entity).map(|entity| entity.attributes.as_slice()).unwrap_or_default();
    declared.iter().map(|attribute| attribute.name.clone()).collect()
}

/// Evaluates a read.
pub(crate) fn expected(
    model: &Model,
    world: &World,
    pattern: &Pattern,
    read: &Read,
    inputs: &Inputs,
) -> Expected {
    let (mut rows, mut places) = (Vec::new(), Vec::new());
    let mixed = model.interleaved(pattern);
    let mut listed: Vec<(usize, &AttributeRef, &Record)> = Vec::new();
    for entity in &pattern.entities {
        let sort: Vec<&Sort> =
            read.sort.iter().filter(|sort| sort.attribute.entity == entity.value).collect();
        let mut records: Vec<&Record> = select(model, world, pattern, entity, inputs, &[])
            .into_iter()
            .filter(|record| sort.iter().all(|part| record.contains_key(&part.attribute.attribute)))
            .collect();
        records.sort_by(|a, b| in_order(model, &sort, a, b));
        let wanted = wanted_attributes(model, read, entity);
        let number = mixed.iter().find(|number| number.entity == entity.value);
        listed.extend(number.into_iter().flat_map(|number| {
            records
                .iter()
                .enumerate()
                .map(|(at, record)| (places.len() + at, number, *record))
                .collect::<Vec<_>>()
        }));
        let mut place = 0;
        for (at, record) in records.iter().enumerate() {
            place += usize::from(at > 0 && in_order(model, &sort, records[at - 1], record).is_ne());
            places.push(place);
        }
        rows.extend(records.into_iter().map(|record| Row {
            entity: entity.value.clone(),
            attributes:
                wanted.iter().filter_map(|name| Some((name.clone(), record.get(name)?.clone()))).collect(),
        }));
    }
    // Kinds that are wanted as one list have their places in that list.
    let descends = read.sort.first().is_some_and(|sort| sort.direction == Direction::Descending);
    let of = |(_, number, record): &(usize, &AttributeRef, &Record)| record.get(&number.attribute).cloned();
    let compared = |one: &_, other: &_| {
        let (number, of_one, of_other) = (mixed.first(), of(one), of(other));
        let ordering = number.map_or(Ordering::Equal, |number| {
            compare_attribute(model, number, of_one.as_ref(), of_other.as_ref())
        });
        if descends { ordering.reverse() } else { ordering }
    };
    listed.sort_by(|one, other| compared(one, other));
    let mut place = 0;
    for at in 0..listed.len() {
        place += usize::from(at > 0 && compared(&listed[at - 1], &listed[at]).is_ne());
        places[listed[at].0] = place;
    }
    let result = read.result.as_ref().map(|result| result.value);
    let paginated = read.paginated.as_ref().is_some_and(|paginated| paginated.value);
    // A page of children comes beside the one that they belong to.
    let heads = u64::from(
        pattern.entities.len() > 1 && pattern.entities.iter().any(|it| is_named(model, pattern, &it.value)),
    );
    Expected {
        rows,
        places,
        most: read.page_size.as_ref().filter(|_| !paginated).map(|size| size.value.max(1) + heads),
        single: result == Some(ResultKind::Single) && pattern.entities.len() == 1,
        count: result == Some(ResultKind::Count),
    }
}

/// Whether the inputs name one record of an entity.
fn is_named(model: &Model, pattern: &Pattern, entity: &str) -> bool {
    let given = |name: &str| {
        let mut inputs = pattern.inputs().iter().filter(|input| input.role == Role::Equal && !input.list);
        inputs.any(|input| binding(model, input, entity) == Some(name))
    };
    model
        .entity(entity)
        .is_some_and(|it| it.identity_names().next().is_some() && it.identity_names().all(given))
}
