//! unsorted-result: a result in another order than the pattern states.

use keywright_finding::{Finding, Group, Rule, Span};
use keywright_model::design::{KeyValue, Request};
use keywright_model::model::{Direction, Role, Type};

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::error(
    "unsorted-result",
    Group::Operations,
    "a result in another order than the pattern states",
    include_str!("unsorted_result.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for (operation, source) in facts.operations() {
        let Some(pattern) = facts.pattern(operation) else { continue };
        let Some(sort) = pattern.read().and_then(|read| read.sort.first()) else { continue };
        let Some(Request::Query(query)) = operation.requests.first() else { continue };
        if operation.outcome.client_sort || query.items.is_empty() {
            continue;
        }
        let wanted = sort.attribute.attribute.as_str();
        let equal: Vec<&str> = pattern
            .inputs()
            .iter()
            .filter(|input| input.role == Role::Equal)
            .flat_map(|input| input.binds.iter().map(|bind| bind.attribute.as_str()))
            .collect();
        let spaces = facts
            .spaces
            .iter()
            .filter(|space| space.table == query.table && space.index == query.index.as_deref());
        for member in spaces.flat_map(|space| &space.members) {
            let item = facts.item(member.item);
            if !query.items.contains(&item.name) || !item.entities.contains(&sort.attribute.entity) {
                continue;
            }
            let order = key_order(facts, member, query.index.as_deref(), &query.table);
            let Some((name, descending)) =
                order.into_iter().find(|(name, _)| !equal.contains(&name.as_str()))
            else {
                continue;
            };
            let known = facts.known(member.item, &name);
            let wants_time = facts
                .known(member.item, wanted)
                .is_some_and(|it| matches!(it.ty, Type::Datetime | Type::Date));
            let stands_for_time = known.is_some_and(|known| known.ty.is_time_ordered_id()) && wants_time;
            let span = source.map_or_else(Span::default, |source| {
                source.requests.first().map_or(source.id, |it| it.operation)
            });
            if name != wanted && !stands_for_time {
                findings.push(
                    Finding::new(&RULE, span, format!("{} wants {} by `{wanted}`, and the key returns them by `{name}`", operation.pattern, item.name))
                        .help(format!("put `<{wanted}>` in front of `<{name}>` in the sort key, or use an index that has it there")),
                );
            } else if (descending == query.forward) != (sort.direction == Direction::Descending) {
                let forward = !query.forward;
                findings.push(
                    Finding::new(
                        &RULE,
                        span,
                        format!("{} wants `{wanted}` in the other direction", operation.pattern),
                    )
                    .help(format!("write ScanIndexForward={forward}")),
                );
            }
        }
    }
}

/// The attributes that a sort key orders by, and whether each goes down.
fn key_order(
    facts: &DesignFacts<'_>,
    member: &crate::Member<'_>,
    index: Option<&str>,
    table: &str,
) -> Vec<(String, bool)> {
    let Some(sort) = &member.sort else { return Vec::new() };
    if sort.assignment.value == KeyValue::Natural {
        return match index.and_then(|index| facts.design.index(table, index)) {
            Some(index) => index.sort.iter().map(|key| (key.name.clone(), false)).collect(),
            None => vec![(sort.assignment.attribute.clone(), false)],
        };
    }
    sort.places()
        .iter()
        .map(|place| {
            (place.name().to_owned(), place.encoding().direction() == keywright_key::Direction::Descending)
        })
        .collect()
}
