//! Actions on their way to an engine that only takes them down.

use keywright_dynamodb::expression::Update as UpdateExpression;
use keywright_dynamodb::expression::{Condition, KeyCondition};
use keywright_dynamodb::value::{AttributeValue, Item};
use keywright_model::Design;
use keywright_model::design::{
    Delete, KeyAttribute, Limit, Operation, OperationName, Outcome, Query, Request, Shape, Table, Update,
    Value,
};
use keywright_model::model::Literal;

use super::*;
use crate::engine::{EngineError, ServiceError};
use crate::interpret::{Answer, Inputs, Page, Step};

/// Finds so many items, and takes down what is sent to it.
struct Found {
    items: usize,
    sent: Vec<(&'static str, Json)>,
    /// How many requests of a batch it leaves undone each time; how often it was given time.
    leaves: usize,
    pauses: usize,
    touched: Vec<usize>,
    /// How often others are in the way of writes.
    conflicts: usize,
}

impl Wire for Found {
    fn send(&mut self, sent: Sent) -> Result<Json, EngineError> {
        let items: Vec<Json> = (0..self.items).map(|at| json!({"id": {"S": format!("{at}")}})).collect();
        let is_query = sent.operation == "Query";
        let mut rest = sent.body["RequestItems"]["T"].as_array().cloned().unwrap_or_default();
        rest.truncate(self.leaves.min(rest.len().saturating_sub(1)));
        if let Touch::Write { actions, .. } = &sent.touch {
            self.touched.push(actions.len());
        }
        let actions = sent.body["TransactItems"].as_array().map(Vec::len);
        self.sent.push((sent.operation, sent.body));
        if !is_query && self.conflicts > 0 {
            self.conflicts -= 1;
            let body = match actions {
                Some(actions) => {
                    let mut reasons = vec![json!({"Code": "None"}); actions - 1];
                    reasons.push(json!({"Code": "TransactionConflict"}));
                    json!({"__type": "TransactionCanceledException", "CancellationReasons": reasons})
                }
                None => json!({"__type": "TransactionConflictException"}),
            };
            return Err(ServiceError::from_body(400, &body).unwrap().into());
        }
        Ok(match (is_query, rest.is_empty()) {
            (true, _) => json!({"Count": items.len(), "Items": items}),
            (false, true) => json!({}),
            (false, false) => json!({"UnprocessedItems": {"T": rest}}),
        })
    }

    fn pause(&mut self, _: u32) {
        self.pauses += 1;
    }

    fn table_name(&self, table: &str) -> String {
        table.to_owned()
    }
}

/// Deletes all that is found, and counts it down.
fn operation(request: Request) -> Operation {
    let text = |text: &str| Value::Literal(Literal::String(text.to_owned()));
    let query = Query {
        table: "T".into(),
        index: None,
        items: Vec::new(),
        key: KeyCondition { partition: vec![("id".into(), text("all"))], sort: Vec::new(), range: None },
        filter: None,
        projection: Vec::new(),
        forward: true,
        limit: Limit::All,
        consistent: false,
        count: false,
        scatter: Vec::new(),
    };
    Operation {
        pattern: "AP-001".into(),
        description: String::new(),
        operation: OperationName::TransactWriteItems,
        index: None,
        requests: vec![Request::Query(query), request],
        shards: 1,
        inputs: Vec::new(),
        generated: Vec::new(),
        outcome: Outcome {
            shape: Shape::Nothing,
            items: Vec::new(),
            attributes: Vec::new(),
            order: Vec::new(),
            client_sort: false,
            first: None,
            from_request: 2,
        },
        retry: None,
        expected: None,
    }
}

fn delete(condition: Option<Condition<Value>>) -> Action {
    let key = vec![("id".to_owned(), Value::Read { request: 1, attribute: "id".into() })];
    Action::Delete(Delete {
        table: "T".into(),
        item: "Note".into(),
        key,
        condition,
        fails_as: None,
        each: Some(1),
        when: Vec::new(),
    })
}

fn count_down() -> Action {
    let number = Value::Literal(Literal::Number("-1".into()));
    let update = UpdateExpression { add: vec![("n".into(), number)], ..UpdateExpression::default() };
    Action::Update(Update {
        table: "T".into(),
        item: "NoteCount".into(),
        key: vec![("id".into(), Value::Literal(Literal::String("count".into())))],
        update,
        entries: Vec::new(),
        condition: None,
        fails_as: None,
        each: Some(1),
    })
}

fn found(items: usize, leaves: usize) -> Found {
    Found { items, sent: Vec::new(), leaves, pauses: 0, touched: Vec::new(), conflicts: 0 }
}

fn design() -> Design {
    let table = Table { name: "T".into(), partition: KeyAttribute::string("id"), sort: None, ttl: None };
    Design { tables: vec![table], ..Design::default() }
}

/// The steps that it takes, and what was sent.
fn run(operation: &Operation, items: usize, portions: usize) -> (usize, Vec<(&'static str, Json)>) {
    let design = design();
    let mut wire = found(items, 0);
    let call = Call::again(&design, operation, Inputs::new(), Page::default(), Item::new());
    let mut call = call.in_portions(portions);
    let mut steps = 1;
    loop {
        match call.step(&mut wire).unwrap() {
            Step::More => steps += 1,
            Step::Done(answer) => {
                assert_eq!(answer, Answer::Written);
                return (steps, wire.sent);
            }
        }
    }
}

#[test]
fn what_a_batch_can_t_hold_takes_several_steps() {
    let batch = operation(Request::BatchWriteItem { actions: vec![delete(None)] });
    assert_eq!(run(&batch, 20, 1).0, 2);
    assert_eq!(run(&batch, 60, 1).0, 4);
    assert_eq!(run(&batch, 6, 3).0, 4);
    assert_eq!(run(&batch, 1, 3).0, 2);
    assert_eq!(run(&batch, 0, 3).0, 2);
}

#[test]
fn each_transaction_counts_what_it_deletes() {
    let there = Some(Condition::Exists("id".into()));
    let counted = operation(Request::TransactWriteItems { actions: vec![delete(there), count_down()] });
    for (items, portions, sizes) in [(250, 1, vec![99, 99, 52]), (5, 3, vec![2, 2, 1]), (0, 1, vec![])] {
        let (steps, sent) = run(&counted, items, portions);
        assert_eq!(steps, 1 + sizes.len().max(1));
        let sent: Vec<&Json> = sent.iter().skip(1).map(|(_, body)| &body["TransactItems"]).collect();
        let counts: Vec<usize> = sent.iter().map(|actions| actions.as_array().unwrap().len() - 1).collect();
        assert_eq!(counts, sizes);
        for (actions, size) in sent.iter().zip(&sizes) {
            let updates: Vec<&Json> =
                actions.as_array().unwrap().iter().filter_map(|action| action.get("Update")).collect();
            let [update] = updates.as_slice() else { panic!("{updates:?}") };
            let values = update["ExpressionAttributeValues"].as_object().unwrap();
            let added: Vec<AttributeValue> =
                values.values().map(|value| serde_json::from_value(value.clone()).unwrap()).collect();
            assert_eq!(added, [AttributeValue::from(-(*size as i64))]);
        }
    }
}

#[test]
fn only_what_an_engine_left_over_is_sent_again_after_a_pause() {
    let batch = operation(Request::BatchWriteItem { actions: vec![delete(None)] });
    let design = design();
    let mut wire = found(5, 2);
    let mut call = Call::again(&design, &batch, Inputs::new(), Page::default(), Item::new());
    assert_eq!(call.finish(&mut wire).unwrap(), Answer::Written);
    assert_eq!((wire.touched, wire.pauses), (vec![5, 2, 1], 2));
}

#[test]
fn a_write_that_another_is_in_the_way_of_is_sent_again_after_a_pause() {
    let one = Request::Write { action: delete(None) };
    let together = Request::TransactWriteItems { actions: vec![delete(None), count_down()] };
    let design = design();
    for operation in [operation(one), operation(together)] {
        for (conflicts, passes) in [(2, true), (CONFLICT_ATTEMPTS as usize, false)] {
            let mut wire = Found { conflicts, ..found(1, 0) };
            let mut call = Call::again(&design, &operation, Inputs::new(), Page::default(), Item::new());
            let written = call.finish(&mut wire).is_ok_and(|answer| answer == Answer::Written);
            assert_eq!(written, passes, "{:?}", wire.sent);
            assert_eq!(wire.pauses, conflicts.min(CONFLICT_ATTEMPTS as usize - 1));
        }
    }
}

#[test]
fn a_transaction_is_never_cut() {
    let also = match count_down() {
        Action::Update(update) => Action::Update(Update { each: None, ..update }),
        _ => unreachable!("it is an update"),
    };
    let together = operation(Request::TransactWriteItems { actions: vec![delete(None), also] });
    let design = design();
    for (items, fits) in [(99, true), (100, false)] {
        let mut wire = found(items, 0);
        let mut call = Call::again(&design, &together, Inputs::new(), Page::default(), Item::new());
        let outcome = call.finish(&mut wire);
        assert_eq!(outcome.is_ok(), fits, "{items}");
        assert_eq!(wire.touched.len(), usize::from(fits), "nothing is sent of what does not fit");
    }
}
