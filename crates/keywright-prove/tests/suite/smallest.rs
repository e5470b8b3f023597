//! A failure comes with the least that shows it: the fewest records, a short input, the request, and both answers.

use crate::fixture;

use keywright_model::design::{Action, Request, Value};
use keywright_model::evidence::{Failure, Outcome};
use keywright_model::model::Literal;
use keywright_model::{Design, Evidence};
use keywright_prove::engine::Embedded;
use keywright_prove::{Options, prove};

fn run(design: &Design, shrink: bool) -> Evidence {
    run_at(design, shrink, 60)
}

fn run_at(design: &Design, shrink: bool, scale: u64) -> Evidence {
    let engine = Embedded::in_memory().expect("an engine in memory starts");
    let options = Options { scale, shrink, ..Options::default() };
    prove(&fixture::model(), design, &engine, &options, &mut |_| {}).expect("the proof runs")
}

fn failure(evidence: &Evidence, pattern: &str) -> Failure {
    let found = evidence.patterns.iter().find(|it| it.id == pattern).expect("the pattern is there");
    assert_eq!(found.outcome, Outcome::Failed);
    found.failure.clone().expect("a failure says why")
}

fn requests<'d>(design: &'d mut Design, pattern: &str) -> &'d mut Vec<Request> {
    let operation = design.operations.iter_mut().find(|it| it.pattern == pattern);
    &mut operation.expect("the design serves it").requests
}

#[test]
fn a_wrong_order_takes_two_records() {
    let mut design = fixture::design();
    let Some(Request::Query(query)) = requests(&mut design, "AP-004").first_mut() else {
        panic!("AP-004 is a Query")
    };
    query.forward = !query.forward;
    let unshrunk = failure(&run(&design, false), "AP-004");
    let smallest = failure(&run(&design, true), "AP-004");
    assert_eq!((smallest.check.as_str(), unshrunk.records), ("order", None));
    let records = smallest.records.expect("it was looked for");
    assert_eq!(records.len(), 2, "{records:#?}");
    assert!(smallest.inputs.len() <= unshrunk.inputs.len());
    assert!(smallest.request.is_some_and(|request| request.starts_with("Query ")));
}

#[test]
fn a_missing_condition_takes_no_more_than_what_it_is_about() {
    let mut design = fixture::design();
    let Some(Request::Write { action: Action::Delete(delete) }) = requests(&mut design, "AP-030").first_mut()
    else {
        panic!("AP-030 is a delete")
    };
    delete.condition = None;
    let smallest = failure(&run(&design, true), "AP-030");
    assert_eq!(smallest.check, "condition");
    assert_eq!(
        smallest.records.as_deref(),
        Some(&[][..]),
        "nothing has to be there for nothing to be deleted"
    );
}

#[test]
fn a_large_world_is_no_excuse() {
    let mut design = fixture::design();
    let Some(Request::Query(query)) = requests(&mut design, "AP-004").first_mut() else {
        panic!("AP-004 is a Query")
    };
    query.forward = !query.forward;
    let Some(Request::TransactWriteItems { actions }) = requests(&mut design, "AP-020").first_mut() else {
        panic!("AP-020 is a transaction")
    };
    let Some(Action::Put(email)) = actions.get_mut(1) else { panic!("it holds the address") };
    email.condition = None;
    let evidence = run_at(&design, true, 2_600);
    let order = failure(&evidence, "AP-004");
    assert_eq!((order.check.as_str(), order.records.map(|records| records.len())), ("order", Some(2)));
    let taken = failure(&evidence, "AP-020");
    assert_eq!(taken.check, "condition");
    let records = taken.records.expect("it was looked for");
    assert_eq!(records.len(), 1, "whoever has the address: {records:#?}");
}

#[test]
fn numbers_of_a_sequence_are_set_back_for_every_look() {
    let mut design = fixture::design();
    let Some(Request::TransactWriteItems { actions }) = requests(&mut design, "AP-022").last_mut() else {
        panic!("AP-022 ends with a transaction")
    };
    let put = actions.iter_mut().find_map(|action| match action {
        Action::Put(put) => Some(put),
        _ => None,
    });
    let mut values = put.expect("it puts a ticket").values.iter_mut();
    let title = values.find(|(name, _)| name == "title").expect("it has a title");
    title.1 = Value::Literal(Literal::String("Untitled".to_owned()));
    let smallest = failure(&run(&design, true), "AP-022");
    assert_eq!(smallest.check, "items");
    let records = smallest.records.expect("it fails again with the number that was next");
    assert_eq!(records.len(), 1, "the project alone: {records:#?}");
}
