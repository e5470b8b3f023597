//! uncovered-projection: a pattern that returns what the index lacks.

use keywright_finding::{Finding, Group, Rule};
use keywright_model::design::{Projection, Request, Shape};

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
                let model = facts.model.map(|facts| facts.model);
                names.filter(|name| !facts.design.is_kept(own, name, model)).collect()
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
