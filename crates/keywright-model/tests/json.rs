//! The JSON forms have the names that the outside relies on, and read back to the same values.

use keywright_dynamodb::expression::KeyCondition;
use keywright_finding::Span;
use keywright_model::design::{
    Limit, Operation, OperationName, Outcome, Query, Request, Scatter, Shape, Value,
};
use keywright_model::model::{Consistency, Entity, Pattern, PatternKind, Read, ResultKind};
use keywright_model::{At, Design, Model, schema};

fn pattern() -> Pattern {
    Pattern {
        id: "AP-001".into(),
        span: Span::new(3, 9),
        entities: vec![At::stated("Order".into(), Span::new(10, 15))],
        description: At::stated("Orders of a customer".into(), Span::new(20, 40)),
        inputs: None,
        frequency: None,
        rate: None,
        peak: None,
        notes: None,
        kind: PatternKind::Read(Read {
            result: Some(At::stated(ResultKind::Collection, Span::new(41, 51))),
            consistency: Some(At::assumed(Consistency::Eventual, Span::new(41, 51))),
            ..Read::default()
        }),
    }
}

#[test]
fn a_pattern_shows_its_id_and_kind() {
    let model = Model {
        entities: vec![Entity::new("Order", Span::new(0, 5))],
        patterns: vec![pattern()],
        ..Model::default()
    };
    let json = serde_json::to_value(&model).expect("a model is JSON");
    assert_eq!(json["patterns"][0]["id"], "AP-001");
    assert_eq!(json["patterns"][0]["kind"], "read");
    assert_eq!(json["patterns"][0]["result"]["value"], "collection");
    assert_eq!(serde_json::from_value::<Model>(json).expect("it was just written"), model);
}

#[test]
fn an_operation_reads_back() {
    let design = Design {
        operations: vec![Operation {
            pattern: "AP-001".into(),
            description: "Orders of a customer".into(),
            operation: OperationName::Query,
            index: None,
            requests: vec![Request::Query(Query {
                table: "Shop".into(),
                index: None,
                items: vec!["Order".into()],
                key: KeyCondition {
                    partition: vec![("pk".into(), Value::Template("CUSTOMER#<customerId>#<shard>".into()))],
                    sort: Vec::new(),
                    range: None,
                },
                filter: None,
                projection: Vec::new(),
                forward: false,
                limit: Limit::Page { default: 25 },
                consistent: false,
                count: false,
                scatter: vec![Scatter::Shards { count: 10, one_after_another: false }],
            })],
            shards: 10,
            inputs: Vec::new(),
            generated: Vec::new(),
            outcome: Outcome {
                shape: Shape::Page,
                items: vec!["Order".into()],
                attributes: Vec::new(),
                order: Vec::new(),
                client_sort: false,
                first: None,
                from_request: 1,
            },
            retry: None,
            expected: None,
        }],
        ..Design::default()
    };
    let json = serde_json::to_value(&design).expect("a design is JSON");
    assert_eq!(json["operations"][0]["operation"], "Query");
    assert_eq!(json["operations"][0]["requests"][0]["operation"], "Query");
    assert_eq!(json["total"]["bill"], "0");
    assert_eq!(serde_json::from_value::<Design>(json).expect("it was just written"), design);
}

#[test]
fn every_value_has_a_schema() {
    for (name, schema) in
        [("Model", schema::model()), ("Design", schema::design()), ("Evidence", schema::evidence())]
    {
        assert_eq!(schema.get("title").and_then(|title| title.as_str()), Some(name));
    }
}
