//! A search that is told to stop gives the best that it found and the gap that is left.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../../benches/generated/mod.rs"]
mod generated;

use std::time::{Duration, Instant};

use keywright_design::{Options, design};
use keywright_dynamodb::Money;

use crate::support::{doc, hub_with_each};

#[test]
fn a_search_ends_in_time_with_the_gap_that_is_left() {
    let model = generated::model(49, 500).0;
    let started = Instant::now();
    let whole = design(&model, &Options::default());
    let ample = started.elapsed() * 20;
    let best = whole.design.unwrap().total;
    assert_eq!(whole.proven.unwrap().gap, Money::ZERO);
    // From no time at all to more than it takes: a search may end anywhere between.
    for limit in [0, 5, 50, 400].map(Duration::from_millis).into_iter().chain([ample]) {
        let started = Instant::now();
        let outcome = design(&model, &Options { time_limit: Some(limit), ..Options::default() });
        // Reading, writing and explaining a design take their time too, on a machine that does other things.
        assert!(started.elapsed() < limit + Duration::from_secs(20), "{limit:?}: {:?}", started.elapsed());
        let Some(found) = outcome.design else {
            // Not one design in so short a time: then a finding says so.
            assert!(limit < ample);
            assert!(outcome.findings.iter().any(|it| it.message.contains("time")), "{:?}", outcome.findings);
            continue;
        };
        let proven = outcome.proven.unwrap();
        let (total, best) = (found.total.bill + found.total.operational, best.bill + best.operational);
        // What it says of the optimum is true: that lies between the bound and what was found.
        assert!(proven.lower_bound <= best && best <= total, "{limit:?}: {proven:?} of {total}, {best}");
        assert_eq!(proven.lower_bound + proven.gap, total);
        assert!(limit > Duration::ZERO || proven.gap > Money::ZERO, "nothing is proven in no time");
        let certificate = outcome.certificate.unwrap();
        assert_eq!((certificate.lower_bound, certificate.gap), (proven.lower_bound, proven.gap));
    }
}

#[test]
fn ways_to_keep_numbers_are_not_tried_beyond_the_limit() {
    // Four numbers, each known in three ways, beside much that has nothing to do with them: 81 designs.
    let wide = (0..12).fold(doc("Counts"), |doc, at| {
        let (id, name) = (format!("thing{at}Id"), format!("Thing{at}"));
        let doc =
            doc.entity(&name, 100_000, &format!("{id}:ulid:id, a:string, b:string, c:string, d:string"));
        ["a", "b", "c", "d"]
            .iter()
            .fold(doc, |doc, by| doc.read(&format!("AP-{at}-{by}"), &name, by, "page 20", 2))
    });
    let counted = (0..4).fold(wide, |doc, at| {
        let (team, task) = (format!("Team{at}"), format!("Task{at}"));
        doc.entity(&team, 1_000, &format!("team{at}Id:ulid:id, name:string"))
            .entity(&task, 500_000, &format!("task{at}Id:ulid:id, team{at}Id:ulid, title:string"))
            .belongs(&task, &team, &format!("team{at}Id"), 500, None)
            .read(&format!("AP-{at}-get"), &team, &format!("team{at}Id"), "single", 20)
            .read(&format!("AP-{at}-count"), &task, &format!("team{at}Id"), "count", 20)
            .write(&format!("AP-{at}-new"), &format!("create {task}"), &format!("team{at}Id, title"), 2)
    });
    let timed = |time_limit: Option<Duration>| {
        let started = Instant::now();
        let outcome = design(&counted.0, &Options { time_limit, ..Options::default() });
        assert!(outcome.design.is_some(), "{:#?}", outcome.findings);
        (started.elapsed(), outcome.proven.unwrap().gap)
    };
    let (all, none) = timed(None);
    assert_eq!(none, Money::ZERO);
    let (some, gap) = timed(Some(all / 10));
    assert!(some < all / 2, "{some:?} of {all:?}");
    assert!(gap > Money::ZERO, "what was not tried may be cheaper");
    // A limit beyond the end of the clock is none.
    assert_eq!(timed(Some(Duration::MAX)).1, Money::ZERO);
}

#[test]
fn an_entity_with_as_many_indexes_as_a_table_can_have_is_proven() {
    // Over the table itself and twenty indexes, each of them whole or of keys: a million sets under every primary key.
    let model = generated::wide(21).0;
    let outcome =
        design(&model, &Options { time_limit: Some(Duration::from_secs(20)), ..Options::default() });
    let found = outcome.design.unwrap();
    assert_eq!((found.indexes.len(), outcome.proven.unwrap().gap), (20, Money::ZERO));
}

#[test]
fn what_is_only_shown_is_shown() {
    let model = generated::model(7, 36).0;
    let outcome = design(&model, &Options { compare: true, ..Options::default() });
    let total = outcome.design.unwrap().total;
    let certificate = outcome.certificate.unwrap();
    let pure = certificate.pure_bill.unwrap();
    // Nothing has a smaller bill than what is chosen for its bill alone.
    assert!(pure.bill <= total.bill, "{pure:?} beside {total:?}");
    assert_eq!(pure.operational, Money::ZERO);
    assert!(certificate.one_query.is_some());
}

#[test]
fn what_has_no_layout_at_all_ends_in_time() {
    for (eventual, strong) in [(10, 0), (16, 0), (10, 3)] {
        let started = Instant::now();
        let limit = Some(Duration::from_secs(1));
        let outcome =
            design(&hub_with_each(eventual, strong).0, &Options { time_limit: limit, ..Options::default() });
        assert!(
            started.elapsed() < Duration::from_secs(10),
            "{eventual} and {strong}: {:?}",
            started.elapsed()
        );
        // There is a reason, or a design with a gap or the proof that there is none.
        let Some(proven) = outcome.proven else {
            assert!(outcome.design.is_none() && !outcome.findings.is_empty());
            continue;
        };
        assert!(proven.gap > Money::ZERO || outcome.certificate.is_some_and(|it| it.optimal), "{proven:?}");
    }
}
