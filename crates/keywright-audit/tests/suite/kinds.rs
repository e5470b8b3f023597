//! Certificates of what is not plain: native indexes, periods, lists of several kinds, and ways that lost.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use keywright_audit::{Refusal, audit};
use keywright_design::{Options, design};
use keywright_dynamodb::Money;
use keywright_model::certificate::{EntityFacts, Proof};
use keywright_model::{Certificate, Design, Style};

/// A document of the program's tests, or of the examples.
fn derived(path: &str, style: Style) -> (Design, Certificate) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join(path)).unwrap();
    let (model, _) = keywright_document::read_access_patterns(&text);
    let outcome = design(&model, &Options { style: Some(style), ..Options::default() });
    (outcome.design.unwrap(), outcome.certificate.unwrap())
}

/// Changes the facts of a certificate that holds, and says how it is refused.
fn with_facts(path: &str, style: Style, change: impl Fn(&mut EntityFacts)) -> Option<Refusal> {
    let (design, mut certificate) = derived(path, style);
    assert!(audit(&design, &certificate).unwrap().is_shown(), "{path}");
    certificate.proof.as_mut().unwrap().entities.iter_mut().for_each(change);
    audit(&design, &certificate).err()
}

const HUB: &str = "crates/keywright-cli/tests/kinds/hub.md";
const LOGS: &str = "crates/keywright-cli/tests/kinds/logs.md";
const SHIFTS: &str = "crates/keywright-cli/tests/kinds/shifts.md";
const ORDERS: &str = "examples/orders/access-patterns.md";

fn cent() -> Money {
    Money::from_pico(10_000_000_000)
}

#[test]
fn no_query_of_one_kind_runs_in_a_list_of_several() {
    let (_, certificate) = derived(HUB, Style::Overloaded);
    let demands = certificate.proof.iter().flat_map(|it| &it.entities).flat_map(|it| &it.demands);
    assert_eq!(demands.filter(|it| it.mixed).count(), 2);
    // Were the kinds apart, a table would do.
    let refusal = with_facts(HUB, Style::Overloaded, |entity| {
        entity.demands.iter_mut().for_each(|demand| demand.mixed = false);
    });
    assert!(refusal.is_some());
}

#[test]
fn a_period_is_told_by_its_instant() {
    let refusal = with_facts(LOGS, Style::Overloaded, |entity| {
        entity.attributes.iter_mut().for_each(|it| it.period_of = None);
    });
    assert!(refusal.is_some());
}

#[test]
fn those_who_pay_for_native_indexes_can_open_them() {
    let (design, certificate) = derived(ORDERS, Style::MultiAttribute);
    let verdict = audit(&design, &certificate).unwrap();
    assert!(verdict.is_shown() && !design.indexes.is_empty(), "{verdict:?}");
    let with = |change: &dyn Fn(&mut Proof)| {
        let mut certificate = certificate.clone();
        change(certificate.proof.as_mut().unwrap());
        audit(&design, &certificate)
    };
    // An index that nobody could open.
    let refusal = with(&|proof| {
        let (entity, mut index) = (0, proof.chosen.iter().find_map(|it| it.indexes.first()).unwrap().clone());
        index.path.sort.clear();
        proof.payers.push(vec![(entity, index)]);
    });
    assert_eq!(refusal, Err(Refusal::Malformed));
    // A price that is not the real one.
    let refusal = with(&|proof| {
        let layout = proof.chosen.iter_mut().find(|it| !it.indexes.is_empty()).unwrap();
        layout.price = layout.price - cent();
    });
    assert!(matches!(refusal, Err(Refusal::Price { .. })), "{refusal:?}");
    // Strings in the place of attributes.
    let refusal = with(&|proof| {
        proof.entities.iter_mut().for_each(|entity| entity.index_form = entity.form);
    });
    assert!(refusal.is_err(), "{refusal:?}");
}

#[test]
fn ways_that_lost_are_shown_to_be_no_cheaper() {
    let (design, certificate) = derived(SHIFTS, Style::Overloaded);
    assert!(!certificate.others.is_empty(), "{:?}", certificate.not_covered);
    assert!(audit(&design, &certificate).unwrap().is_shown());
    let bounds = |certificate: &mut Certificate, change: &dyn Fn(&mut Option<Money>)| {
        let tables = certificate.others.iter_mut().flat_map(|it| &mut it.tables);
        let bounds = tables.flat_map(|it| &mut it.components).flat_map(|it| &mut it.bounds);
        bounds.for_each(|bound| change(&mut bound.least));
    };
    // One of them is said to cost more than it does.
    let mut higher = certificate.clone();
    bounds(&mut higher, &|least| *least = least.map(|it| it + cent()));
    assert!(audit(&design, &higher).is_err());
    // Of one of them nothing is known.
    let mut unknown = certificate.clone();
    unknown.others.iter_mut().flat_map(|it| &mut it.tables).for_each(|table| {
        table.components.iter_mut().for_each(|it| it.bounds.clear());
    });
    assert!(!audit(&design, &unknown).unwrap().is_shown());
}
