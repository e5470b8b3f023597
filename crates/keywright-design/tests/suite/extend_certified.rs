//! The certificates of extended tables, in every style: nothing that keeps their keys costs less, and what is tampered with
//! is refused.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::support;

use std::ops::Range;

use keywright_audit::{Refusal, audit};
use keywright_design::{Options, Outcome, design};
use keywright_dynamodb::Money;
use keywright_model::certificate::{Limits, Proof};
use keywright_model::design::Design;
use keywright_model::{Certificate, Style};
use support::dice::Dice;
use support::{Doc, doc};

/// Reads of which a document may have any: entities, inputs, what comes back.
const READS: [(&str, &str, &str); 16] = [
    ("Account, Order", "accountId", "page 20 by orderId desc"),
    ("Account, Order", "accountId", "page 20 by orderId"),
    ("Account, Order", "accountId", "all"),
    ("Order", "orderId", "single"),
    ("Order", "state", "page 20 by at desc"),
    ("Order, Line", "orderId", "all"),
    ("Account, Note", "accountId", "page 10 by noteId desc"),
    ("Account, Note", "accountId", "page 10 by noteId"),
    ("Note", "tag", "page 10"),
    ("Account", "name", "page 5"),
    ("Account, Order, Note", "accountId", "all"),
    ("Line", "sku", "page 10"),
    ("Order", "accountId, state", "all"),
    ("Account", "accountId", "single"),
    // Of these two one has the keys in its order, and whoever reads the other sorts.
    ("Account, Order", "accountId", "all by at desc"),
    ("Order", "accountId, state", "all by orderId"),
];

/// A document with those of the entities and reads that are wanted.
fn with(dice: &mut Dice, notes: bool, wanted: &[bool]) -> Doc {
    let mut made = doc("Shop")
        .entity("Account", 50_000, "accountId:ulid:id, name:string, about:string:300B")
        .entity(
            "Order",
            1_000_000,
            "orderId:ulid:id, accountId:ulid, state:enum(NEW|PAID|SENT):mutable, at:datetime, text:string:200B",
        )
        .entity("Line", 4_000_000, "orderId:ulid:id, number:integer:id:max999, sku:string:5000values")
        .belongs("Order", "Account", "accountId", 20, Some(200))
        .belongs("Line", "Order", "orderId", 4, Some(40));
    if notes {
        made = made
            .entity("Note", 500_000, "noteId:ulid:id, accountId:ulid, tag:string:100values, text:string")
            .belongs("Note", "Account", "accountId", 10, None);
    }
    for (at, (entities, inputs, result)) in READS.iter().enumerate() {
        let rate = [1, 5, 40, 300][dice.roll(4) as usize];
        if wanted[at] && (notes || !entities.contains("Note")) {
            made = made.read(&format!("AP-{at:03}"), entities, inputs, result, rate);
        }
    }
    made = made
        .write("AP-101", "create Account", "name, about", 1)
        .write("AP-102", "create Order", "accountId, state, at, text", 5)
        .write("AP-103", "create Line", "orderId, number, sku", 10);
    if wanted[4] {
        made = made.write("AP-104", "update Order", "orderId, new state", 3);
    }
    if notes {
        made = made.write("AP-105", "create Note", "accountId, tag, text", 2);
    }
    made
}

/// A random document, and what extends the design of a smaller one to it; none where one of them has no design.
fn extended(seed: u64, style: Style) -> Option<(Design, Outcome)> {
    let mut dice = Dice(seed);
    let early = dice.roll(2) == 0;
    let before: Vec<bool> = READS.iter().map(|_| dice.roll(3) == 0).collect();
    let after: Vec<bool> = before.iter().map(|was| *was || dice.roll(4) == 0).collect();
    let rates = dice.roll(1_000_000);
    let small = with(&mut Dice(rates), early, &before);
    let options = Options { style: Some(style), ..Options::default() };
    let base = design(&small.0, &options).design?;
    let large = with(&mut Dice(rates), true, &after);
    let outcome = design(&large.0, &Options { base: Some(base.clone()), ..Options::default() });
    outcome.design.is_some().then_some((base, outcome))
}

fn certificate(outcome: &Outcome) -> &Certificate {
    outcome.certificate.as_ref().unwrap()
}

/// The seeds that the environment asks for: `500`, or `180..190`.
fn asked_for() -> Option<Range<u64>> {
    let text = std::env::var("KEYWRIGHT_SEEDS").ok()?;
    let (from, to) = text.split_once("..").unwrap_or(("0", &text));
    Some(from.parse().ok()?..to.parse().ok()?)
}

#[test]
fn the_certificates_of_extended_tables_hold() {
    for style in [Style::Overloaded, Style::MultiAttribute, Style::MultiTable] {
        let (mut held, mut shared, mut kept) = (0, 0, 0);
        let mut wrong: Vec<(u64, String)> = Vec::new();
        for seed in asked_for().unwrap_or(0..100) {
            let Some((base, outcome)) = extended(seed, style) else { continue };
            let (design, certificate) = (outcome.design.as_ref().unwrap(), certificate(&outcome));
            match audit(design, certificate) {
                Ok(verdict) if verdict.is_shown() => {
                    let proof = certificate.proof.as_ref().unwrap();
                    held += 1;
                    shared += usize::from(
                        !proof.shared.is_empty() && proof.entities.iter().any(|it| it.kept.is_some()),
                    );
                    kept += usize::from(!base.indexes.is_empty());
                }
                Ok(verdict) => wrong.push((seed, format!("{verdict:?} {:?}", certificate.not_covered))),
                Err(refusal) => wrong.push((seed, format!("{refusal} {:?}", certificate.not_covered))),
            }
        }
        assert_eq!(wrong, Vec::new(), "{style}");
        let enough = held > 9 && shared > 5 && kept > 3 || asked_for().is_some();
        assert!(enough, "{style}: {held} held, {shared} shared, {kept} with indexes");
    }
}

/// A shop, and what came a year later: a read that ties a new kind to what is there, and one that needs an index.
fn grown(style: Style) -> Outcome {
    let wanted = |some: &[usize]| -> Vec<bool> { (0..READS.len()).map(|at| some.contains(&at)).collect() };
    let small = with(&mut Dice(7), false, &wanted(&[0, 3, 11]));
    let base = design(&small.0, &Options { style: Some(style), ..Options::default() }).design.unwrap();
    let large = with(&mut Dice(7), true, &wanted(&[0, 3, 4, 6, 11]));
    let outcome = design(&large.0, &Options { base: Some(base), ..Options::default() });
    assert!(outcome.design.is_some(), "{:?}", outcome.findings);
    outcome
}

/// Changes a certificate that holds, and says how it is refused.
fn tampered(outcome: &Outcome, change: &dyn Fn(&mut Proof)) -> Result<bool, Refusal> {
    let mut certificate = certificate(outcome).clone();
    change(certificate.proof.as_mut().unwrap());
    audit(outcome.design.as_ref().unwrap(), &certificate).map(|verdict| verdict.is_shown())
}

fn cent() -> Money {
    Money::from_pico(10_000_000_000)
}

#[test]
fn an_extension_that_is_tampered_with_is_refused() {
    for style in [Style::Overloaded, Style::MultiAttribute, Style::MultiTable] {
        let outcome = grown(style);
        assert_eq!(tampered(&outcome, &|_| ()), Ok(true), "{style}: {:?}", certificate(&outcome).not_covered);
        assert!(certificate(&outcome).optimal, "{style}");
        // An entry of a table that is not what the entities cost.
        let entry = tampered(&outcome, &|proof| {
            let bounds =
                proof.tables.iter_mut().flat_map(|it| &mut it.components).flat_map(|it| &mut it.bounds);
            let mut tables = bounds.flat_map(|it| &mut it.elimination).flat_map(|it| &mut it.table);
            let entry = tables.find_map(|it| it.least.as_mut()).unwrap();
            *entry += cent();
        });
        assert!(matches!(entry, Err(Refusal::Subtree { .. })), "{style}: {entry:?}");
        // The cheapest layouts of every entity are left out.
        let dropped = tampered(&outcome, &|proof| {
            for bound in
                proof.tables.iter_mut().flat_map(|it| &mut it.components).flat_map(|it| &mut it.bounds)
            {
                for layouts in &mut bound.layouts {
                    let least = layouts.iter().map(|it| it.price).min();
                    layouts.retain(|it| Some(it.price) != least);
                }
            }
        });
        assert!(dropped.is_err(), "{style}: {dropped:?}");
        // A key that is there is said to be another: what lies there could not be read.
        let moved = tampered(&outcome, &|proof| {
            let kept = proof.entities.iter_mut().filter_map(|it| it.kept.as_mut());
            kept.for_each(|kept| kept.base.partition.clear());
        });
        assert!(moved.is_err(), "{style}: {moved:?}");
        // Nothing is said of any number of indexes.
        let hidden = tampered(&outcome, &|proof| {
            for component in proof.tables.iter_mut().flat_map(|it| &mut it.components) {
                component.bounds.retain(|bound| bound.limits != Limits::default());
            }
        });
        assert!(hidden != Ok(true), "{style}");
    }
}

#[test]
fn what_is_there_decides_what_can_be_read_together() {
    let outcome = grown(Style::Overloaded);
    // The orders of an account are said to lie in another collection than the account.
    let apart = tampered(&outcome, &|proof| {
        let order = proof.entities.iter_mut().find(|it| it.name == "Order").unwrap();
        order.kept.as_mut().unwrap().places[0].collection = "ELSEWHERE#".to_owned();
    });
    assert!(apart.is_err(), "{apart:?}");
    // Their block is said to run the other way, or to be among others that nothing tells from it.
    let turned = tampered(&outcome, &|proof| {
        let order = proof.entities.iter_mut().find(|it| it.name == "Order").unwrap();
        for place in &mut order.kept.as_mut().unwrap().places {
            place.block.iter_mut().flat_map(|it| &mut it.sort).for_each(|it| it.1 = !it.1);
        }
    });
    assert!(turned.is_err(), "{turned:?}");
    let mixed = tampered(&outcome, &|proof| {
        let kept = proof.entities.iter_mut().filter_map(|it| it.kept.as_mut());
        kept.flat_map(|it| &mut it.places).for_each(|it| it.mixed = true);
    });
    assert!(mixed.is_err(), "{mixed:?}");
    // What only a cheaper place that is there makes possible: without it the tables say too little.
    let cheaper = tampered(&outcome, &|proof| {
        for facts in &mut proof.entities {
            facts.kept = None;
        }
    });
    assert!(cheaper.is_err(), "{cheaper:?}");
}
