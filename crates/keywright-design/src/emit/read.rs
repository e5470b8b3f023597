//! Operations of reads.

use keywright_model::design::{
    Expected, Limit, Operation, OperationName, Order, Outcome, Parameter, Request, Scan, Shape,
};
use keywright_model::model::{Pattern, Role, Type};

use super::context::{Context, Place};
use super::request;
use crate::cost::ReadPrice;
use crate::demand::Source;
use crate::problem::{ReadFacts, ResultShape};
use crate::search::Choice;

/// The operation that serves a read.
pub(super) fn operation(context: &Context<'_>, read: usize, pattern: &Pattern) -> Operation {
    let facts = &context.problem.reads[read];
    let stated = pattern.read();
    let paginated = stated.is_some_and(|read| read.paginated.as_ref().is_some_and(|it| it.value));
    // The first page has the head and a page of children.
    let heads = u64::from(facts.has_head && facts.wanted.is_none());
    let limit = match facts.result {
        ResultShape::Single => Limit::First(1),
        ResultShape::Page(size) if paginated => Limit::Page { default: size + heads },
        ResultShape::Page(size) => Limit::First(size + heads),
        ResultShape::Whole | ResultShape::Count => Limit::All,
    };
    let shape = match facts.result {
        ResultShape::Single => Shape::Single,
        ResultShape::Page(_) if paginated => Shape::Page,
        ResultShape::Page(_) | ResultShape::Whole => Shape::Collection,
        ResultShape::Count => Shape::Count { attribute: None },
    };
    let shape = match facts.counted {
        Some(counter) => {
            let owner = context.entity(facts.parts[0].entity);
            Shape::Count { attribute: Some(owner.attribute(counter).name.clone()) }
        }
        None => shape,
    };
    let returns: Vec<String> = if stated.is_some_and(|read| read.returns.is_some()) {
        facts.answers().flat_map(|(entity, returns)| context.entity(entity).names(returns.iter())).collect()
    } else {
        Vec::new()
    };
    let mut shown = returns.clone();
    if facts.parts.len() > 1 && !shown.is_empty() {
        shown.push(context.problem.type_attribute.to_owned());
    }
    let mut served = serve(context, read, facts, limit.clone(), &shown);
    // Which items come first is known once they are sorted.
    let first = match limit {
        Limit::First(size) if served.client_sort && shape == Shape::Collection => Some(size),
        _ => None,
    };
    let order = order(context, facts);
    show_order(&mut served, &order);
    let names: Vec<String> = facts.answers().map(|(entity, _)| context.entity(entity).name.clone()).collect();
    Operation {
        pattern: pattern.id.clone(),
        description: pattern.description.value.clone(),
        operation: main_operation(&served.requests),
        index: request::index_name(context, served.place),
        outcome: Outcome {
            shape,
            items: names,
            attributes: returns,
            order,
            client_sort: served.client_sort,
            first,
            from_request: served.requests.len() as u32,
        },
        requests: served.requests,
        shards: served.shards,
        inputs: parameters(context, pattern),
        generated: Vec::new(),
        retry: None,
        expected: Some(Expected {
            read_micro_units: served.price.half_units * 500_000,
            write_micro_units: 0,
            micro_requests: served.price.requests * 1_000_000,
            price: served.price.cost.bill,
        }),
    }
}

/// What serves a read.
struct Served {
    requests: Vec<Request>,
    place: Place,
    shards: u32,
    client_sort: bool,
    price: ReadPrice,
}

fn serve(context: &Context<'_>, read: usize, facts: &ReadFacts, limit: Limit, shown: &[String]) -> Served {
    let entity = facts.parts[0].entity;
    if facts.scan {
        let items = facts.parts.iter().map(|part| context.entity(part.entity).name.clone()).collect();
        let scan = Scan {
            table: context.table(entity),
            index: None,
            items,
            filter: None,
            limit,
            count: facts.result == ResultShape::Count,
        };
        return Served {
            requests: vec![Request::Scan(scan)],
            place: Place::Base,
            shards: 1,
            client_sort: !facts.parts[0].order.is_empty(),
            price: crate::cost::scan_price(
                context.problem,
                context.tasks[entity].month,
                facts,
                context.table_entities(entity),
                &context.answer.layouts,
            ),
        };
    }
    let source = if facts.parts.len() > 1 { Source::Shared { read, part: 0 } } else { Source::Read(read) };
    let at = context.tasks[entity]
        .demands
        .iter()
        .position(|demand| demand.source == source)
        .expect("every read is a demand");
    let demand = &context.tasks[entity].demands[at];
    let service = &context.layout(entity).services[at];
    let place = context.place(entity, &service.choice);
    let scope = request::inputs(demand);
    if facts.parts.len() > 1 {
        let query = request::shared_query(context, read, place, &scope, limit, shown);
        let price = context.answer.shared.iter().find(|(it, _)| *it == read).map(|(_, price)| *price);
        let client_sort = price.is_some_and(|price| price.awkward) && facts.wanted.is_none();
        return Served {
            requests: vec![Request::Query(query)],
            place,
            shards: 1,
            client_sort,
            price: price.unwrap_or_default(),
        };
    }
    let linked = facts.behind.as_ref();
    let first_shown = if linked.is_some() { &[][..] } else { shown };
    let mut requests =
        request::requests(context, entity, demand, &service.choice, &scope, 1, limit, first_shown);
    let price = context.with_behind(read, service.price);
    if let Some(behind) = linked {
        let links = requests.len() as u32;
        requests.push(request::behind_links(context, facts, behind, links, shown));
    }
    let client_sort = match &service.choice {
        Choice::Base(fit) | Choice::Index(_, fit) => fit.client_sort,
        Choice::NotNeeded | Choice::Unique(_) => false,
    };
    let shards = context.shards(entity, place) as u32;
    Served { requests, place, shards, client_sort, price }
}

/// Whoever sorts or merges needs what the order is by, also where the read does not return it. Shards are merged and gone on
/// with by their keys too, so that their entries come whole: that costs no more.
fn show_order(served: &mut Served, order: &[Order]) {
    for request in &mut served.requests {
        let projection = match request {
            Request::Query(query) if !query.scatter.is_empty() => {
                query.projection.clear();
                continue;
            }
            Request::Query(query) => &mut query.projection,
            Request::BatchGetItem(batch) => &mut batch.projection,
            _ => continue,
        };
        if served.client_sort && !projection.is_empty() {
            for part in order {
                if !projection.contains(&part.attribute) {
                    projection.push(part.attribute.clone());
                }
            }
        }
    }
}

/// The operation that a summary names: the first request that looks for something.
fn main_operation(requests: &[Request]) -> OperationName {
    match requests.first() {
        Some(Request::GetItem(_)) => OperationName::GetItem,
        Some(Request::BatchGetItem(_)) => OperationName::BatchGetItem,
        Some(Request::Scan(_)) => OperationName::Scan,
        _ => OperationName::Query,
    }
}

fn order(context: &Context<'_>, facts: &ReadFacts) -> Vec<Order> {
    let of_part = facts.parts.iter().map(|part| (part.entity, &part.order));
    let mut orders = facts.behind.iter().map(|behind| (behind.entity, &behind.order)).chain(of_part);
    orders.find(|(_, order)| !order.is_empty()).map_or_else(Vec::new, |(entity, order)| {
        order
            .iter()
            .map(|(attr, direction)| Order {
                attribute: context.entity(entity).attribute(*attr).name.clone(),
                direction: *direction,
            })
            .collect()
    })
}

/// What the caller gives: every input that no constant fixes.
pub(super) fn parameters(context: &Context<'_>, pattern: &Pattern) -> Vec<Parameter> {
    pattern
        .inputs()
        .iter()
        .filter(|input| input.constant.is_none())
        .map(|input| {
            let bound = input.binds.first();
            let attribute = bound.and_then(|bind| {
                let entity = context.model.entity(&bind.entity)?;
                entity.attribute(&bind.attribute)
            });
            Parameter {
                name: input.name.clone(),
                ty: match (attribute, input.role) {
                    // `2024-01` is no instant.
                    (Some(_), Role::Within(_)) => Type::String,
                    (Some(attribute), _) => attribute.ty.value,
                    (None, Role::Limit) => Type::Integer,
                    (None, _) => Type::String,
                },
                role: input.role,
                attribute: attribute.map(|attribute| attribute.name.clone()),
                optional: input.optional,
                list: input.list,
            }
        })
        .collect()
}
