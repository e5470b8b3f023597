//! Choices in words.

use std::collections::BTreeSet;

use keywright_dynamodb::units::Units;
use keywright_model::design::{Action, Alternative, KeyValue, Operation, Projection, Request};

use crate::collection::Parted;
use crate::cost::{ReadPrice, Unit};
use crate::demand::Demand;
use crate::emit::{Context, Place};
use crate::path::{self, Path};
use crate::plan::{Fit, by_unique, fit};
use crate::problem::EntityFacts;
use crate::search::{Choice, EntityTask};

pub(super) fn projection(projection: &Projection) -> String {
    match projection {
        Projection::All => "ALL".to_owned(),
        Projection::KeysOnly => "KEYS_ONLY".to_owned(),
        Projection::Include(names) => format!("INCLUDE ({})", names.join(", ")),
    }
}

/// Why items have a literal of their own in a place.
pub(super) fn parted(context: &Context<'_>, place: Place, parted: &Parted) -> String {
    let others: Vec<&str> = parted.from.iter().map(|it| context.entity(*it).name.as_str()).collect();
    let place = match place {
        Place::Base => String::new(),
        Place::Index(number) => format!(" in {}", context.index_name(number)),
    };
    let (units, kind) = match parted.load.too_much() {
        Some(Unit::Read) => (parted.load.read_units(), "read"),
        _ => (parted.load.write_units(), "write"),
    };
    format!(
        "; {} is a literal of its own{place}, since no read wants it with {}, and one partition of all that would share \
         theirs would take {units} {kind} units a second",
        parted.literal,
        others.join(", ")
    )
}

/// `1 index`, `2 indexes`.
pub(super) fn indexes(number: usize) -> String {
    counted(number, "index", "indexes")
}

/// So many, with what there are as many of.
pub(super) fn counted(number: usize, one: &str, more: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { more })
}

pub(super) fn key(value: &KeyValue) -> &str {
    match value {
        KeyValue::Template(template) => template,
        KeyValue::Natural => "as it is",
    }
}

/// `customerId / placedAt, orderId`.
pub(super) fn path(entity: &EntityFacts, path: &Path) -> String {
    let names = |attrs: Vec<String>| if attrs.is_empty() { "-".to_owned() } else { attrs.join(", ") };
    let partition = match path.partition.is_empty() {
        true => "one collection".to_owned(),
        false => names(entity.names(path.partition.iter().copied())),
    };
    let sort = path.sort.iter().map(|segment| {
        let down = if segment.descending { " descending" } else { "" };
        format!("{}{down}", entity.attribute(segment.attr).name)
    });
    let only = path
        .only
        .as_ref()
        .map_or(String::new(), |(attr, value)| format!(" where {} is {value}", entity.attribute(*attr).name));
    format!("{partition} / {}{only}", names(sort.collect()))
}

pub(super) fn choice(task: &EntityTask<'_>, base: usize, demand: &Demand, choice: &Choice) -> String {
    let facts = task.facts();
    match choice {
        Choice::NotNeeded => "the inputs give the whole key".to_owned(),
        Choice::Base(fit) if fit.whole_key && fit.list => "BatchGetItem by the whole keys".to_owned(),
        Choice::Base(fit) if fit.whole_key => "GetItem by the whole key".to_owned(),
        Choice::Base(fit) => {
            let on = path(facts, &task.candidates.bases[base]);
            format!("Query on the table, {on}{}", afterwards(facts, demand, fit))
        }
        Choice::Unique(set) => {
            let names = facts.names(facts.unique[*set].iter()).join(", ");
            let fit = by_unique(facts, &demand.part, &task.candidates.bases[base], facts.unique[*set]);
            match fit.map(|fit| facts.names(fit.compared.iter())).filter(|names| !names.is_empty()) {
                Some(compared) => format!(
                    "GetItem of the uniqueness item of {names}, then of the item, if its {} matches",
                    compared.join(", ")
                ),
                None => format!("GetItem of the uniqueness item of {names}, then of the item"),
            }
        }
        Choice::Index(index, fit) => {
            let candidate = &task.candidates.indexes[*index];
            let kind = match candidate.projection {
                path::Projection::All => "all attributes".to_owned(),
                path::Projection::Keys => "keys only".to_owned(),
                path::Projection::Include(list) if list == facts.everything() => {
                    "a list of all attributes".to_owned()
                }
                // Several lists of one path are several choices.
                path::Projection::Include(list) => format!("only {}", facts.names(list.iter()).join(", ")),
            };
            let fetch =
                if candidate.projection.holds(fit.wanted(&demand.part)) { "" } else { ", then the items" };
            let on = path(facts, &candidate.path);
            format!("Query on an index, {on} with {kind}{}{fetch}", afterwards(facts, demand, fit))
        }
    }
}

/// What is left to do after a Query.
fn afterwards(facts: &EntityFacts, demand: &Demand, fit: &Fit) -> String {
    let mut words = String::new();
    if !fit.scatter.is_empty() {
        words.push_str(&format!(", once per {}", facts.names(fit.scatter.iter().copied()).join(" and ")));
    }
    let filtered = facts.names(fit.filtered(&demand.part).iter());
    if !filtered.is_empty() {
        words.push_str(&format!(", filtered by {}", filtered.join(", ")));
    }
    if fit.client_sort {
        words.push_str(", sorted by the caller");
    }
    words
}

pub(super) fn reason(price: &ReadPrice, chosen_among: bool) -> String {
    let cheapest = if chosen_among { "the cheapest way" } else { "the only way" };
    format!("{cheapest}: {}, {} billed a month", effort(price), price.cost.bill.in_cents())
}

/// What a call takes: `104.5 read units in 1 request`.
pub(super) fn effort(price: &ReadPrice) -> String {
    let units = Units::halves(price.half_units);
    let plural = if price.requests == 1 { "request" } else { "requests" };
    let unit = if price.half_units == 2 { "unit" } else { "units" };
    format!("{units} read {unit} in {} {plural}", price.requests)
}

/// Ways that the table itself would offer, were they allowed.
pub(super) fn impossible(task: &EntityTask<'_>, base: usize, demand: &Demand) -> Option<Alternative> {
    let facts = task.facts();
    let path = &task.candidates.bases[base];
    let fit = fit(facts, demand, path)?;
    let unbounded = fit.wastes(&demand.part) && facts.most_matches(fit.fixed(path)).is_none();
    unbounded.then(|| Alternative {
        choice: format!("Query on the table{}", afterwards(facts, demand, &fit)),
        extra: None,
        reason: "the number of items read and discarded has no upper bound; state a maximum to allow it"
            .to_owned(),
    })
}

pub(super) fn write(operation: &Operation) -> (String, String) {
    let reads = operation
        .requests
        .iter()
        .filter(|it| matches!(it, Request::GetItem(_) | Request::Query(_) | Request::BatchGetItem(_)))
        .count();
    let actions = || operation.requests.iter().flat_map(Request::actions);
    // Who looks once more for what came meanwhile touches nothing else.
    let of_all: BTreeSet<&str> = actions().filter(|it| it.each().is_some()).map(Action::item).collect();
    let items = actions().filter(|it| it.each().is_none()).count() + of_all.len();
    let checked = operation.requests.iter().any(|request| match request {
        Request::TransactWriteItems { actions } => actions.iter().any(|it| matches!(it, Action::Check(_))),
        _ => false,
    });
    let plural = if items == 1 { "item" } else { "items" };
    let mut reasons = Vec::new();
    if reads > 0 {
        reasons.push("it first reads a key or an old value that its inputs do not give");
    }
    if checked {
        reasons.push("a condition on an item that it does not change makes it a transaction");
    } else if items > 1 {
        reasons.push("it changes several items at once");
    }
    if reasons.is_empty() {
        reasons.push("its inputs give the whole key of one item");
    }
    (format!("{} of {items} {plural}", operation.operation), reasons.join("; "))
}
