//! A delete of all that a parent holds, while others write: what was there is gone, what comes meanwhile is gone or whole, and
//! gone where nobody would let it come without the parent.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::fixture;

use keywright_model::design::{Action, Request};
use keywright_model::evidence::Outcome;
use keywright_model::{Design, Evidence, Model};
use keywright_prove::engine::Embedded;
use keywright_prove::{Options, prove};

/// The desk where tickets go only with their project: nothing else would notice what their writers do meanwhile.
fn desk() -> (Model, Design) {
    let (mut model, mut design) = (fixture::model(), fixture::design());
    model.patterns.retain(|pattern| pattern.id != "AP-030");
    design.operations.retain(|operation| operation.pattern != "AP-030");
    (model, design)
}

fn run(model: &Model, design: &Design) -> Evidence {
    let engine = Embedded::in_memory().unwrap();
    prove(model, design, &engine, &Options::default(), &mut |_| {}).unwrap()
}

#[test]
fn it_gets_along_with_other_writers() {
    let (model, design) = desk();
    let evidence = run(&model, &design);
    let cascade = evidence.patterns.iter().find(|it| it.id == "AP-032").unwrap();
    assert_eq!(cascade.outcome, Outcome::Held, "{cascade:#?}");
    // A design by hand states no prices.
    assert_eq!(cascade.not_checked, ["expected cost: the design states none"]);
    assert_eq!(evidence.failed, 0, "{evidence:#?}");
}

#[test]
fn a_writer_that_brings_back_a_part_of_what_is_gone_is_caught() {
    let (model, mut design) = desk();
    let change_status = design.operations.iter_mut().find(|it| it.pattern == "AP-023").unwrap();
    let Some(Request::Write { action: Action::Update(update) }) = change_status.requests.get_mut(1) else {
        panic!("AP-023 reads, then updates")
    };
    update.condition = None;
    let evidence = run(&model, &design);
    for id in ["AP-023", "AP-032"] {
        let found = evidence.patterns.iter().find(|it| it.id == id).unwrap();
        let failure = found.failure.as_ref().unwrap_or_else(|| panic!("{id} failed"));
        assert_eq!(failure.check, "two writers at once");
        assert!(failure.actual.contains("AP-032") && failure.actual.contains("AP-023"), "{failure:#?}");
    }
}

#[test]
fn a_child_that_comes_before_its_parent_goes_does_not_stay() {
    let (model, mut design) = desk();
    let cascade = design.operations.iter_mut().find(|it| it.pattern == "AP-032").unwrap();
    cascade.requests.truncate(2);
    let evidence = run(&model, &design);
    for id in ["AP-022", "AP-032"] {
        let found = evidence.patterns.iter().find(|it| it.id == id).unwrap();
        let failure = found.failure.as_ref().unwrap_or_else(|| panic!("{id} failed"));
        assert_eq!(failure.check, "two writers at once");
        assert!(failure.expected.starts_with("no Ticket at"), "{failure:#?}");
        assert!(failure.actual.starts_with("it still exists"), "{failure:#?}");
    }
}
