//! A search that is told to stop gives the best that it found and the gap that is left.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../../benches/generated/mod.rs"]
mod generated;

use std::time::{Duration, Instant};

use keywright_design::{Options, design};
use keywright_dynamodb::Money;

use crate::support::hub_with_each;

#[test]
fn a_search_ends_in_time_with_the_gap_that_is_left() {
    let model = generated::model(49, 500).0;
    let limit = Duration::from_millis(400);
    let started = Instant::now();
    let outcome = design(&model, &Options { time_limit: Some(limit), ..Options::default() });
    // Reading, writing and explaining a design take their time too, on a machine that does other things.
    assert!(started.elapsed() < limit + Duration::from_secs(20), "{:?}", started.elapsed());
    let Some(found) = outcome.design else {
        // Not one design in so short a time: then a finding says so.
        assert!(outcome.findings.iter().any(|it| it.message.contains("time")), "{:?}", outcome.findings);
        return;
    };
    let proven = outcome.proven.unwrap();
    let total = found.total.bill + found.total.operational;
    assert!(proven.lower_bound <= total && proven.gap >= Money::ZERO, "{proven:?} of {total}");
    assert_eq!(proven.lower_bound + proven.gap, total);
    let certificate = outcome.certificate.unwrap();
    assert_eq!((certificate.lower_bound, certificate.gap), (proven.lower_bound, proven.gap));
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
