//! Read requests: the GetItem, Query or BatchGetItem that serves a demand.

use keywright_dynamodb::expression::{Comparator, Condition, KeyCondition, SortRange};
use keywright_model::design::{BatchGet, Get, Keys, Limit, Query, Request, Scatter, Value};
use keywright_model::model::{Bound, Literal};

use super::condition;
use super::context::{Context, Place};
use super::item::uniqueness_key;
use super::scope::{Scope, placeholder};
use super::template;
use crate::demand::Demand;
use crate::naming::{self, Encoding};
use crate::path::Path;
use crate::plan::{self, Fit};
use crate::problem::{EntityFacts, ResultShape};
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
            let key = Value::Template(uniqueness_key(context, entity, facts.unique[*set], scope));
            let lookup = Get {
                table: context.table(),
                item: naming::uniqueness_type(facts, facts.unique[*set]),
                key: whole_key(context, key.clone(), key),
                consistent: demand.strong,
                projection: Vec::new(),
                may_be_absent: false,
            };
            let mut found = Scope::default();
            for attr in &facts.identity {
                let attribute = facts.attribute(*attr).name.clone();
                found.set(*attr, Value::Read { request: first, attribute });
            }
            let get = get(context, entity, &found.or(scope.clone()), demand.strong, projection);
            vec![Request::GetItem(lookup), get]
        }
        Choice::Base(fit) if fit.whole_key && fit.list => {
            vec![Request::BatchGetItem(BatchGet {
                table: context.table(),
                items: vec![facts.name.clone()],
                keys: Keys::Each(item_key(context, entity, scope)),
                consistent: demand.strong,
                projection: projection.to_vec(),
            })]
        }
        Choice::Base(fit) if fit.whole_key => {
            vec![get(context, entity, scope, demand.strong, projection)]
        }
        Choice::Base(_) | Choice::Index(..) => {
            let place = context.place(entity, choice);
            let fetch = match choice {
                Choice::Index(index, _) => {
                    !context.tasks[entity].candidates.indexes[*index].projection.holds(demand.part.returns)
                }
                _ => false,
            };
            let shown = if fetch { &[][..] } else { projection };
            let mut requests =
                vec![Request::Query(query(context, entity, place, demand, scope, limit, shown))];
            if fetch && demand.result != ResultShape::Count {
                requests.push(Request::BatchGetItem(BatchGet {
                    table: context.table(),
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

/// The primary key of an item from values in scope.
pub(super) fn item_key(context: &Context<'_>, entity: usize, scope: &Scope) -> Vec<(String, Value)> {
    let partition = Value::Template(template::partition(context, entity, Place::Base, scope, false));
    let sort = Value::Template(template::sort(context, entity, Place::Base, scope));
    whole_key(context, partition, sort)
}

pub(super) fn whole_key(context: &Context<'_>, partition: Value, sort: Value) -> Vec<(String, Value)> {
    let mut key = vec![("pk".to_owned(), partition)];
    if context.has_sort_key() {
        key.push(("sk".to_owned(), sort));
    }
    key
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
        table: context.table(),
        item: context.entity(entity).name.clone(),
        key: item_key(context, entity, scope),
        consistent,
        projection: projection.to_vec(),
        may_be_absent: false,
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
    let mut scatter = None;
    for attr in &fit.scatter {
        let attribute = facts.attribute(*attr);
        scope.set(*attr, Value::Input(attribute.name.clone()));
        scatter = Some(Scatter::Values {
            placeholder: attribute.name.clone(),
            values: attribute.values.iter().map(|value| Literal::String(value.clone())).collect(),
        });
    }
    let shards = context.shards(entity, place);
    let known = facts.shard_attribute().is_some_and(|attr| scope.get(attr).is_some());
    if shards > 1 && !known {
        let unordered = demand.part.order.is_empty()
            && matches!(demand.result, ResultShape::Page(_) | ResultShape::Single);
        scatter = Some(Scatter::Shards { count: shards as u32, one_after_another: unordered });
    }
    let (partition, sort) = context.key_names(place);
    let partition_value = Value::Template(template::partition(context, entity, place, &scope, !known));
    let mut filter = condition::equalities(facts, fit.filter, &scope);
    if fit.filter_range {
        filter.extend(demand.part.range.iter().flat_map(|range| condition::range(facts, range)));
    }
    filter.extend(demand.part.more_ranges.iter().flat_map(|range| condition::range(facts, range)));
    let has_sort = place != Place::Base || context.has_sort_key();
    let (equal, range) = if has_sort {
        sort_condition(context, entity, place, &path, &fit, demand, &scope, &mut filter)
    } else {
        (None, None)
    };
    Query {
        table: context.table(),
        index: index_name(context, place),
        items: vec![facts.name.clone()],
        key: KeyCondition {
            partition: vec![(partition, partition_value)],
            sort: equal.map(|value| (sort.clone(), value)).into_iter().collect(),
            range: range.map(|range| (sort, range)),
        },
        filter: Condition::all(filter),
        projection: projection.to_vec(),
        forward: fit.forward,
        limit: if fit.client_sort { Limit::All } else { limit },
        consistent: demand.strong,
        count: demand.result == ResultShape::Count,
        scatter,
    }
}

pub(super) fn index_name(context: &Context<'_>, place: Place) -> Option<String> {
    match place {
        Place::Base => None,
        Place::Index(number) => Some(context.index_name(number)),
    }
}

/// The condition on the sort key: equality, or a range that stays inside the block.
#[allow(clippy::too_many_arguments, reason = "the whole of a key condition meets here")]
fn sort_condition(
    context: &Context<'_>,
    entity: usize,
    place: Place,
    path: &Path,
    fit: &Fit,
    demand: &Demand,
    scope: &Scope,
    filter: &mut Vec<Condition<Value>>,
) -> (Option<Value>, Option<SortRange<Value>>) {
    let facts = context.entity(entity);
    if path.sort.is_empty() || fit.run == path.sort.len() {
        return (Some(Value::Template(template::sort(context, entity, place, scope))), None);
    }
    let prefix = template::prefix(context, entity, place, path, fit.run, scope);
    let begins = |text: String| (None, Some(SortRange::BeginsWith(Value::Template(text))));
    let next = path.sort[fit.run];
    if let Some(attr) = fit.optional {
        return begins(format!("{prefix}#{}", scope.segment(facts, attr, next.descending)));
    }
    let range = match (&demand.part.range, fit.range) {
        (Some(range), true) => range,
        _ => return begins(format!("{prefix}#")),
    };
    if let Some(input) = &range.prefix {
        return begins(format!("{prefix}#<{input}>"));
    }
    let encoding = Encoding::of(facts.attribute(range.attr), next.descending);
    let continues = fit.run + 1 < path.sort.len();
    // Encoded downwards, the greatest value has the smallest key.
    let (low, high) =
        if next.descending { (&range.upper, &range.lower) } else { (&range.lower, &range.upper) };
    let lower = match low {
        Some((input, Bound::Inclusive)) => format!("{prefix}#{}", placeholder(input, &encoding)),
        Some((input, Bound::Exclusive)) => format!("{prefix}#{}$", placeholder(input, &encoding)),
        None => format!("{prefix}#"),
    };
    let upper = match high {
        Some((input, Bound::Inclusive)) if continues => {
            format!("{prefix}#{}$", placeholder(input, &encoding))
        }
        Some((input, bound)) => {
            if *bound == Bound::Exclusive && !continues {
                let name = &facts.attribute(range.attr).name;
                filter.push(condition::compare(name, Comparator::NotEqual, Value::Input(input.clone())));
            }
            format!("{prefix}#{}", placeholder(input, &encoding))
        }
        None => format!("{prefix}$"),
    };
    (None, Some(SortRange::Between(Value::Template(lower), Value::Template(upper))))
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
    let (partition, sort) = context.key_names(place);
    let range = (!blocks.is_all(&entities)).then(|| {
        let (first, last) = blocks.span(&entities);
        let lower = Value::Template(format!("{}#", context.block(first, place)));
        let upper = Value::Template(format!("{}$", context.block(last, place)));
        (sort, SortRange::Between(lower, upper))
    });
    let names: Vec<String> = entities.iter().map(|entity| context.entity(*entity).name.clone()).collect();
    Query {
        table: context.table(),
        index: index_name(context, place),
        items: names,
        key: KeyCondition {
            partition: vec![(
                partition,
                Value::Template(template::partition(context, head, place, scope, false)),
            )],
            sort: Vec::new(),
            range,
        },
        filter: None,
        projection: projection.to_vec(),
        forward,
        limit,
        consistent: facts.strong,
        count: facts.result == ResultShape::Count,
        scatter: None,
    }
}

/// The values that a demand's inputs give.
pub(super) fn inputs(facts: &EntityFacts, demand: &Demand) -> Scope {
    let mut scope = Scope::default();
    for equality in &demand.part.equal {
        let value = match &equality.constant {
            Some(literal) => Value::Literal(literal.clone()),
            None => Value::Input(equality.input.clone()),
        };
        scope.set(equality.attr, value);
    }
    let _ = facts;
    scope
}
