//! Read requests: the GetItem, Query or BatchGetItem that serves a demand.

use keywright_dynamodb::expression::{Comparator, Condition, KeyCondition, SortRange};
use keywright_model::design::{BatchGet, Get, Keys, Limit, Query, Request, Scatter, Value};
use keywright_model::model::Literal;

use super::condition;
use super::context::{Context, Place};
use super::key;
use super::scope::Scope;
use super::sort_condition::sort_condition;
use crate::demand::Demand;
use crate::key::Part;
use crate::plan;
use crate::problem::{Attrs, Behind, EntityFacts, Equality, ReadFacts, ReadPart, ResultShape};
use crate::search::Choice;

/// The requests that serve a demand, numbered from `first`.
#[allow(clippy::too_many_arguments, reason = "what is read, how, from which values, and what comes back")]
pub(super) fn requests(
    context: &Context<'_>,
    entity: usize,
    demand: &Demand,
    choice: &Choice,
    scope: &Scope,
    first: u32,
    limit: Limit,
    projection: &[String],
) -> Vec<Request> {
    let facts = context.entity(entity);
    match choice {
        Choice::NotNeeded => Vec::new(),
        Choice::Unique(set) => {
            let set = facts.unique[*set];
            let lookup = Get {
                table: context.uniqueness_table(entity, set),
                item: context.uniqueness_name(entity, set),
                key: key::uniqueness(context, entity, set).whole(facts, scope),
                consistent: demand.strong,
                projection: Vec::new(),
                may_be_absent: false,
            };
            let base = context.chosen_path(entity, Place::Base);
            let fit =
                plan::by_unique(facts, &demand.part, base, set).expect("the search chose a set that fits");
            let mut found = scope.clone();
            for attr in facts.identity.iter().filter(|attr| !fit.keyed.contains(**attr)) {
                let attribute = facts.attribute(*attr).name.clone();
                found.set(*attr, Value::Read { request: first, attribute });
            }
            let second = match fit.is_plain() {
                true => get(context, entity, &found, demand.strong, projection),
                false => compared(context, entity, demand, &found, scope, fit.compared, projection),
            };
            vec![Request::GetItem(lookup), second]
        }
        Choice::Base(fit) if fit.whole_key && fit.list => {
            vec![Request::BatchGetItem(BatchGet {
                table: context.table(entity),
                items: vec![facts.name.clone()],
                keys: Keys::Each(item_key(context, entity, scope)),
                consistent: demand.is_strong(true),
                projection: projection.to_vec(),
            })]
        }
        Choice::Base(fit) if fit.whole_key => {
            vec![get(context, entity, scope, demand.is_strong(true), projection)]
        }
        Choice::Base(_) | Choice::Index(..) => {
            let place = context.place(entity, choice);
            let fetch = match choice {
                Choice::Index(index, fit) => {
                    let projection = context.tasks[entity].candidates.indexes[*index].projection;
                    !projection.holds(fit.wanted(&demand.part))
                }
                _ => false,
            };
            let shown = if fetch { &[][..] } else { projection };
            let mut requests =
                vec![Request::Query(query(context, entity, place, demand, scope, limit, shown))];
            if fetch && demand.result != ResultShape::Count {
                requests.push(Request::BatchGetItem(BatchGet {
                    table: context.table(entity),
                    items: vec![facts.name.clone()],
                    keys: Keys::OfRequest(first),
                    consistent: false,
                    projection: projection.to_vec(),
                }));
            }
            requests
        }
    }
}

/// BatchGetItem of the items that the links which a request found lead to.
pub(super) fn behind_links(
    context: &Context<'_>,
    facts: &ReadFacts,
    behind: &Behind,
    links: u32,
    projection: &[String],
) -> Request {
    let tie = context.entity(facts.parts[0].entity);
    let mut scope = Scope::default();
    for (own, held) in &behind.held {
        scope.set(*own, Value::Read { request: links, attribute: tie.attribute(*held).name.clone() });
    }
    Request::BatchGetItem(BatchGet {
        table: context.table(behind.entity),
        items: vec![context.entity(behind.entity).name.clone()],
        keys: Keys::Each(item_key(context, behind.entity, &scope)),
        consistent: facts.strong,
        projection: projection.to_vec(),
    })
}

/// The primary key of an item from values in scope.
pub(super) fn item_key(context: &Context<'_>, entity: usize, scope: &Scope) -> Vec<(String, Value)> {
    context.key(entity, Place::Base).whole(context.entity(entity), scope)
}

/// GetItem of an entity's item by values in scope.
pub(super) fn get(
    context: &Context<'_>,
    entity: usize,
    scope: &Scope,
    consistent: bool,
    projection: &[String],
) -> Request {
    Request::GetItem(Get {
        table: context.table(entity),
        item: context.entity(entity).name.clone(),
        key: item_key(context, entity, scope),
        consistent,
        projection: projection.to_vec(),
        may_be_absent: false,
    })
}

/// A Query of the one item with a known key, for what GetItem can't ask of it: further equalities, and ranges.
fn compared(
    context: &Context<'_>,
    entity: usize,
    demand: &Demand,
    key: &Scope,
    given: &Scope,
    attrs: Attrs,
    projection: &[String],
) -> Request {
    let facts = context.entity(entity);
    let mut filter = condition::equalities(facts, attrs, given);
    let ranges = demand.part.range.iter().chain(&demand.part.more_ranges);
    filter.extend(ranges.flat_map(|range| condition::range(facts, range)));
    filter.extend(holding(facts, demand));
    let whole = context.key(entity, Place::Base);
    let values = |parts: &[Part]| parts.iter().map(|it| (it.name.clone(), it.value(facts, key))).collect();
    Request::Query(Query {
        table: context.table(entity),
        index: None,
        items: vec![facts.name.clone()],
        key: KeyCondition { partition: values(&whole.partition), sort: values(&whole.sort), range: None },
        filter: Condition::all(filter),
        projection: projection.to_vec(),
        forward: true,
        // The key has one item at most; a limit would only make DynamoDB say that there may be more.
        limit: Limit::All,
        consistent: demand.strong,
        count: false,
        scatter: Vec::new(),
    })
}

fn query(
    context: &Context<'_>,
    entity: usize,
    place: Place,
    demand: &Demand,
    scope: &Scope,
    limit: Limit,
    projection: &[String],
) -> Query {
    let facts = context.entity(entity);
    let path = context.path(entity, place);
    let fit = plan::fit(facts, demand, &path).expect("the search chose a path that fits");
    let mut scope = scope.clone();
    let mut scatter = Vec::new();
    for attr in &fit.scatter {
        let attribute = facts.attribute(*attr);
        scope.set(*attr, Value::Template(format!("<{}>", attribute.name)));
        scatter.push(Scatter::Values {
            placeholder: attribute.name.clone(),
            values: attribute.values.iter().map(|value| Literal::String(value.clone())).collect(),
        });
    }
    let shards = context.shards(entity, place);
    let known = facts.shard_attribute().is_some_and(|attr| scope.get(attr).is_some());
    if shards > 1 && !known {
        let unordered = demand.part.order.is_empty()
            && matches!(demand.result, ResultShape::Page(_) | ResultShape::Single);
        scatter.push(Scatter::Shards { count: shards as u32, one_after_another: unordered });
    }
    let key = context.key(entity, place);
    let partition = key
        .partition
        .iter()
        .map(|part| {
            let value = if known { part.value(facts, &scope) } else { part.over_shards(facts, &scope) };
            (part.name.clone(), value)
        })
        .collect();
    let mut filter = condition::equalities(facts, fit.filter, &scope);
    let periods = fit.filter_within.iter().map(|(_, period)| *period).collect();
    filter.extend(condition::equalities(facts, periods, &scope));
    if fit.filter_range {
        filter.extend(demand.part.range.iter().flat_map(|range| condition::range(facts, range)));
    }
    filter.extend(demand.part.more_ranges.iter().flat_map(|range| condition::range(facts, range)));
    filter.extend(holding(facts, demand));
    filter.extend(fit.held.iter().map(|attr| Condition::Exists(facts.attribute(attr).name.clone())));
    let (sort, range) = sort_condition(facts, &key, &path, &fit, demand, &scope, &mut filter);
    Query {
        table: context.table(entity),
        index: index_name(context, place),
        items: vec![facts.name.clone()],
        key: KeyCondition { partition, sort, range },
        filter: Condition::all(filter),
        projection: projection.to_vec(),
        forward: fit.forward,
        limit: if fit.client_sort { Limit::All } else { limit },
        consistent: demand.is_strong(place == Place::Base),
        count: demand.result == ResultShape::Count,
        scatter,
    }
}

/// A filter for what an item must hold without being asked for a value.
fn holding(facts: &EntityFacts, demand: &Demand) -> Option<Condition<Value>> {
    demand.part.holding.map(|attr| Condition::Exists(facts.attribute(attr).name.clone()))
}

pub(super) fn index_name(context: &Context<'_>, place: Place) -> Option<String> {
    match place {
        Place::Base => None,
        Place::Index(number) => Some(context.index_name(number)),
    }
}

/// One Query over the blocks of several entities.
pub(super) fn shared_query(
    context: &Context<'_>,
    read: usize,
    place: Place,
    scope: &Scope,
    limit: Limit,
    projection: &[String],
) -> Query {
    let facts = &context.problem.reads[read];
    let head = facts.parts[0].entity;
    let entities: Vec<usize> = facts.parts.iter().map(|part| part.entity).collect();
    let blocks = context.blocks_of(head, place).expect("a shared read has its blocks arranged");
    let forward = blocks.reads.iter().find(|(it, _)| *it == read).is_none_or(|(_, forward)| *forward);
    let key = context.key(head, place);
    let sort = key.sort[0].name.clone();
    let range = (!blocks.is_all(&entities)).then(|| {
        let (first, last) = blocks.span(&entities);
        let lower = Value::Template(context.block_bounds(first, place).0);
        let upper = Value::Template(context.block_bounds(last, place).1);
        (sort, SortRange::Between(lower, upper))
    });
    let answers = facts.answers().map(|(entity, _)| context.entity(entity).name.clone());
    let sifted = |wanted: usize| {
        let kind = context.entity(wanted);
        let name = Value::Literal(Literal::String(kind.name.clone()));
        let mut filter = vec![condition::compare(&context.problem.type_attribute, Comparator::Equal, name)];
        let scope = values(&facts.sieve.equal);
        filter.extend(condition::equalities(kind, facts.sieve.eq(), &scope));
        filter.extend(facts.sieve.ranges().flat_map(|range| condition::range(kind, range)));
        Condition::all(filter)
    };
    Query {
        table: context.table(head),
        index: index_name(context, place),
        items: answers.collect(),
        key: KeyCondition {
            partition: key
                .partition
                .iter()
                .map(|part| (part.name.clone(), part.value(context.entity(head), scope)))
                .collect(),
            sort: Vec::new(),
            range,
        },
        filter: facts.wanted.map_or_else(|| Condition::all(held_by_kind(context, facts, place)), sifted),
        projection: projection.to_vec(),
        forward,
        limit,
        consistent: facts.strong,
        count: facts.result == ResultShape::Count,
        scatter: Vec::new(),
    }
}

/// What items of a kind must hold to be wanted, where the caller sorts that kind by an optional attribute.
fn held_by_kind(context: &Context<'_>, read: &ReadFacts, place: Place) -> Vec<Condition<Value>> {
    let of_part = |part: &ReadPart| {
        let kind = context.entity(part.entity);
        let unheld = plan::unheld_order(kind, part, context.chosen_path(part.entity, place));
        let name = Value::Literal(Literal::String(kind.name.clone()));
        let other = condition::compare(&context.problem.type_attribute, Comparator::NotEqual, name);
        let asked = unheld.iter().map(|attr| {
            Condition::Any(vec![other.clone(), Condition::Exists(kind.attribute(attr).name.clone())])
        });
        asked.collect::<Vec<_>>()
    };
    read.parts.iter().flat_map(of_part).collect()
}

/// The values that a demand's inputs give.
pub(super) fn inputs(demand: &Demand) -> Scope {
    values(&demand.part.equal)
}

/// The values that equalities give.
fn values(equal: &[Equality]) -> Scope {
    let mut scope = Scope::default();
    for equality in equal {
        let value = match &equality.constant {
            Some(literal) => Value::Literal(literal.clone()),
            None => Value::Input(equality.input.clone()),
        };
        scope.set(equality.attr, value);
    }
    scope
}
