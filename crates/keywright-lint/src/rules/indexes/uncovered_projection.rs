//! uncovered-projection: a pattern that returns what the index lacks.

use keywright_dynamodb::expression::Assigned;
use keywright_finding::{Finding, Group, Rule};
use keywright_model::design::{Action, Projection, Request, Shape, Value};

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::error(
    "uncovered-projection",
    Group::Indexes,
    "a pattern that returns what the index lacks",
    include_str!("uncovered_projection.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for (operation, request, place) in facts.requests() {
        let Request::Query(query) = request else { continue };
        let Some(index) = query.index.as_ref().and_then(|name| facts.design.index(&query.table, name)) else {
            continue;
        };
        // A later request fetches the items themselves.
        let fetched =
            operation.requests.iter().any(|it| matches!(it, Request::BatchGetItem(_) | Request::GetItem(_)));
        if fetched
            || query.count
            || matches!(operation.outcome.shape, Shape::Count { .. } | Shape::Nothing)
            || operation.requests.len() > 1
        {
            continue;
        }
        let projected: &[String] = match &index.projection {
            Projection::All => continue,
            Projection::KeysOnly => &[],
            Projection::Include(names) => names,
        };
        for item in query.items.iter().filter_map(|name| facts.item_named(name)) {
            let own = facts.item(item);
            let wanted: Vec<&str> = if !query.projection.is_empty() {
                query.projection.iter().map(String::as_str).collect()
            } else if !operation.outcome.attributes.is_empty() {
                operation.outcome.attributes.iter().map(String::as_str).collect()
            } else if let Some(returns) = facts
                .pattern(operation)
                .and_then(|pattern| pattern.read())
                .and_then(|read| read.returns.as_ref())
            {
                returns
                    .value
                    .iter()
                    .filter(|it| own.entities.contains(&it.entity))
                    .map(|it| it.attribute.as_str())
                    .collect()
            } else {
                let names = own.attributes.iter().map(|it| it.name.as_str());
                names.filter(|name| !is_kept(facts, &own.name, &own.entities, name)).collect()
            };
            let in_keys: Vec<&str> = facts
                .keys()
                .filter(|(_, member, ..)| member.item == item)
                .flat_map(|(_, _, key, _)| key.names())
                .collect();
            let is_there = |name: &&str| {
                projected.iter().any(|it| it == name)
                    || in_keys.contains(name)
                    || own.key(name).is_some()
                    || facts.design.type_attribute.as_deref() == Some(*name)
            };
            let missing: Vec<&str> = wanted.into_iter().filter(|name| !is_there(name)).collect();
            if !missing.is_empty() {
                findings.push(
                    Finding::new(&RULE, place.at(|source| source.place), format!("{} returns `{}`, which entries of {} do not hold", operation.pattern, missing.join("`, `"), index.name))
                        .help("add them to the projection, fetch the items by their keys, or state in Returns what the pattern needs"),
                );
            }
        }
    }
}

/// Whether an attribute is a number that only the design keeps, which no read returns: no entity has it, or, where the
/// entities are not known, no operation is told its value.
fn is_kept(facts: &DesignFacts<'_>, item: &str, entities: &[String], name: &str) -> bool {
    let declared = facts.model.map(|facts| entities.iter().filter_map(|it| facts.model.entity(it)));
    if let Some(declared) = declared {
        let declared: Vec<_> = declared.collect();
        return !declared.is_empty() && declared.iter().all(|it| it.attribute(name).is_none());
    }
    let actions = || facts.design.operations.iter().flat_map(|it| &it.requests).flat_map(Request::actions);
    let puts = actions().filter_map(|action| match action {
        Action::Put(put) if put.item == item => {
            Some(put.values.iter().map(|(path, value)| (path, Some(value))))
        }
        _ => None,
    });
    let sets = actions().filter_map(|action| match action {
        Action::Update(update) if update.item == item => {
            Some(update.update.set.iter().map(|(path, value)| {
                (path, if let Assigned::Value(value) = value { Some(value) } else { None })
            }))
        }
        _ => None,
    });
    let values: Vec<Option<&Value>> = puts
        .flatten()
        .chain(sets.flatten())
        .filter(|(path, _)| *path == name)
        .map(|(_, value)| value)
        .collect();
    let told = |value: &&Value| matches!(value, Value::Input(_) | Value::Generated(_) | Value::Template(_));
    !values.is_empty()
        && !values.into_iter().flatten().any(|value| told(&value))
        && is_number(facts, item, name)
}

fn is_number(facts: &DesignFacts<'_>, item: &str, name: &str) -> bool {
    let attribute = facts.design.item(item).and_then(|it| it.attribute(name));
    attribute.is_some_and(|it| it.ty.is_numeric())
}
