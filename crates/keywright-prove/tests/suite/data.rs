//! The data of a proof is the document's: as many children to a parent, as many distinct values, as rare an attribute.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::fixture;

use std::collections::{BTreeMap, BTreeSet};

use keywright_finding::Span;
use keywright_model::model::{Attribute, Presence};
use keywright_model::{At, Model};
use keywright_prove::engine::{Embedded, Engine, Tables};
use keywright_prove::{Options, prove_in};
use serde_json::{Value, json};

fn at<T>(value: T) -> At<T> {
    At::stated(value, Span::new(0, 0))
}

fn attribute<'m>(model: &'m mut Model, entity: &str, name: &str) -> &'m mut Attribute {
    let entity = model.entities.iter_mut().find(|it| it.name == entity).unwrap();
    entity.attributes.iter_mut().find(|it| it.name == name).unwrap()
}

/// What a proof leaves in the table, by item type.
fn data(model: &Model, scale: u64) -> BTreeMap<String, Vec<Value>> {
    let engine = Embedded::in_memory().unwrap();
    let options = Options { scale, ..Options::default() };
    let mut tables = Tables::new(&engine).keep();
    let evidence = prove_in(model, &fixture::design(), &mut tables, &options, &mut |_| {}).unwrap();
    assert_eq!(evidence.failed, 0, "{evidence:#?}");
    let mut items: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    let mut start = Value::Null;
    loop {
        let mut body = json!({"TableName": "Desk"});
        if !start.is_null() {
            body["ExclusiveStartKey"] = start;
        }
        let mut page = engine.call("Scan", body).unwrap();
        for item in page["Items"].as_array().unwrap() {
            items.entry(item["type"]["S"].as_str().unwrap().to_owned()).or_default().push(item.clone());
        }
        start = page["LastEvaluatedKey"].take();
        if start.is_null() {
            return items;
        }
    }
}

fn text<'i>(item: &'i Value, name: &str) -> &'i str {
    item[name]["S"].as_str().unwrap_or_default()
}

fn distinct(items: &[Value], name: &str) -> usize {
    items.iter().map(|item| text(item, name)).collect::<BTreeSet<_>>().len()
}

/// The tickets of each project.
fn fan_outs(items: &BTreeMap<String, Vec<Value>>) -> Vec<usize> {
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for ticket in &items["Ticket"] {
        *counts.entry((text(ticket, "tenant"), text(ticket, "projectId"))).or_default() += 1;
    }
    counts.into_values().collect()
}

#[test]
fn parents_have_as_many_children_as_stated_and_never_more() {
    for (mean, max) in [(2, 5), (9, 14)] {
        let mut model = fixture::model();
        model.relationships[0].fan_out.mean = Some(at(mean));
        model.relationships[0].fan_out.max = Some(at(max));
        let items = data(&model, 700);
        let fan_outs = fan_outs(&items);
        let (tickets, projects) = (items["Ticket"].len() as f64, items["Project"].len() as f64);
        let off = (tickets / projects) / mean as f64;
        assert!((0.8..1.25).contains(&off), "{tickets} tickets of {projects} projects for {mean} each");
        let most = fan_outs.iter().max().copied().unwrap() as u64;
        assert!(most <= max && most > mean, "{most} of at most {max}");
    }
}

#[test]
fn parents_that_have_many_children_have_twice_the_mean_at_most() {
    let mut model = fixture::model();
    model.relationships[0].fan_out.mean = Some(at(9));
    let items = data(&model, 700);
    let most = fan_outs(&items).into_iter().max().unwrap();
    assert!((12..=20).contains(&most), "{most} where the mean is 9");
}

#[test]
fn there_are_as_many_distinct_values_as_stated() {
    let mut model = fixture::model();
    attribute(&mut model, "Ticket", "assignee").distinct = Some(at(9));
    attribute(&mut model, "Ticket", "title").distinct = Some(at(40));
    attribute(&mut model, "Event", "kind").distinct = Some(at(2_000));
    model.entities.iter_mut().find(|it| it.name == "Event").unwrap().count = Some(at(20_000));
    let items = data(&model, 700);
    // Whoever has none is not counted among the values.
    let assigned: Vec<Value> =
        items["Ticket"].iter().filter(|it| it.get("assignee").is_some()).cloned().collect();
    assert_eq!(distinct(&assigned, "assignee"), 9);
    assert_eq!(distinct(&items["Ticket"], "title"), 40);
    // Ten to a value in the document, ten to a value here.
    let events = items["Event"].len();
    let kinds = distinct(&items["Event"], "kind");
    assert!((events / 14..=events / 7).contains(&kinds), "{kinds} kinds of {events} events");
}

#[test]
fn an_optional_attribute_is_as_rare_as_stated() {
    for (present, share) in [(Presence::PerMillion(100_000), 0.1), (Presence::Items(9_500), 0.95)] {
        let mut model = fixture::model();
        attribute(&mut model, "Account", "plan").present = Some(at(present));
        model.entities.iter_mut().find(|it| it.name == "Account").unwrap().count = Some(at(10_000));
        let items = data(&model, 1_000);
        let accounts = &items["Account"];
        let holding = accounts.iter().filter(|it| it.get("plan").is_some()).count();
        let seen = holding as f64 / accounts.len() as f64;
        assert!((seen - share).abs() < 0.06, "{holding} of {}, not {share}", accounts.len());
    }
}

#[test]
fn ties_extremes_separators_and_look_alikes_are_among_the_values() {
    let items = data(&fixture::model(), 400);
    let tenants: BTreeSet<&str> = items["Account"].iter().map(|it| text(it, "tenant")).collect();
    assert!(["t1", "t10", "t1#"].iter().all(|tenant| tenants.contains(tenant)), "{tenants:?}");
    let names: BTreeSet<&str> = items["Account"].iter().map(|it| text(it, "username")).collect();
    assert!(names.iter().any(|name| name.contains('#')) && names.iter().any(|name| name.contains('@')));
    let extends = |name: &&&str| names.iter().any(|other| other != *name && other.starts_with(**name));
    assert!(names.iter().any(|name| extends(&name)), "{names:?}");
    let priorities: Vec<&str> =
        items["Ticket"].iter().map(|it| it["priority"]["N"].as_str().unwrap()).collect();
    assert!(priorities.contains(&"0") && priorities.contains(&"999"), "{priorities:?}");
    assert!(priorities.iter().collect::<BTreeSet<_>>().len() < priorities.len(), "some tie");
}
