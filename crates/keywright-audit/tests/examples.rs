//! The certificates of all examples hold, and what is tampered with is refused.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use keywright_audit::{Refusal, audit};
use keywright_design::{Options, design};
use keywright_dynamodb::Money;
use keywright_model::certificate::Proof;
use keywright_model::{Certificate, Design};

fn derived(text: &str) -> (Design, Certificate) {
    let (model, _) = keywright_document::read_access_patterns(text);
    let outcome = design(&model, &Options::default());
    (outcome.design.unwrap(), outcome.certificate.unwrap())
}

fn examples() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let mut found = Vec::new();
    let mut folders = vec![std::path::PathBuf::from(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.file_name().is_some_and(|name| name == "access-patterns.md") {
                found.push((path.display().to_string(), std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn every_example_is_shown_to_be_the_cheapest() {
    let examples = examples();
    assert!(examples.len() >= 5, "{} examples", examples.len());
    for (path, text) in examples {
        let (design, certificate) = derived(&text);
        if certificate.proof.is_none() {
            assert!(certificate.not_covered.len() > 1, "{path} says why it has no tables");
            continue;
        }
        let verdict = audit(&design, &certificate).unwrap_or_else(|refusal| panic!("{path}: {refusal}"));
        assert!(verdict.is_shown(), "{path}: {verdict:?}");
    }
}

/// Two entities that one read ties together, and one index.
const SHOP: &str = r"# DynamoDB Access Patterns

## Entities

### Customer
- **Attributes**:
  - `customerId` (ulid, id)
  - `email` (string)
  - `name` (string)
- **Cardinality**: ~100K total

### Order
- **Attributes**:
  - `orderId` (ulid, id)
  - `customerId` (ulid)
  - `status` (string)
  - `note` (text)
- **Relationships**:
  - Belongs to Customer (customerId)
- **Cardinality**: ~1M total

## Access Patterns

### Reads
| ID | Entity | Description | Input Parameters | Result | Sort | Paginated | Frequency | Consistency |
|---|---|---|---|---|---|---|---|---|
| AP-001 | Customer, Order | Customer with orders | customerId | Collection | orderId desc | Yes | Warm | Eventual |
| AP-002 | Order | Get an order | orderId | Single | - | No | Warm | Eventual |
| AP-003 | Order | Orders by status | status | Collection | orderId desc | Yes | Warm | Eventual |

### Writes
| ID | Entity | Description | Input Parameters | Frequency |
|---|---|---|---|---|
| AP-004 | Order | Create an order | customerId, status, note | Warm |
| AP-005 | Customer | Create a customer | email, name | Cold |
";

/// Changes a certificate that holds, and says how it is refused.
fn tampered(change: impl Fn(&mut Design, &mut Certificate, &mut Proof)) -> Refusal {
    let (mut design, mut certificate) = derived(SHOP);
    audit(&design, &certificate).unwrap();
    let mut proof = certificate.proof.clone().unwrap();
    change(&mut design, &mut certificate, &mut proof);
    certificate.proof = Some(proof);
    audit(&design, &certificate).unwrap_err()
}

fn cent() -> Money {
    Money::from_pico(10_000_000_000)
}

#[test]
fn the_shop_is_shown_to_be_the_cheapest() {
    let (design, certificate) = derived(SHOP);
    let verdict = audit(&design, &certificate).unwrap();
    assert!(verdict.is_shown() && certificate.optimal, "{verdict:?}");
    assert!(!design.indexes.is_empty());
}

#[test]
fn a_tampered_entry_is_refused() {
    let refusal = tampered(|_, _, proof| {
        let entry = proof.bounds[0].tables[1].first_mut().unwrap();
        entry.price += cent();
    });
    assert!(matches!(refusal, Refusal::Price { .. }), "{refusal}");
}

#[test]
fn a_price_below_the_real_one_is_refused() {
    let refusal = tampered(|design, certificate, proof| {
        proof.chosen[1].price = proof.chosen[1].price - cent();
        design.total.bill = design.total.bill - cent();
        certificate.lower_bound = certificate.lower_bound - cent();
    });
    assert!(matches!(refusal, Refusal::Price { .. }), "{refusal}");
    let refusal = tampered(|design, certificate, _| {
        design.total.bill = design.total.bill - cent();
        certificate.lower_bound = certificate.lower_bound - cent();
    });
    assert!(matches!(refusal, Refusal::Total { .. }), "{refusal}");
}

#[test]
fn a_dropped_layout_is_refused() {
    let refusal = tampered(|_, _, proof| {
        for bound in &mut proof.bounds {
            let table = &mut bound.tables[1];
            let least = table.iter().map(|it| it.price).min();
            table.retain(|it| Some(it.price) != least);
        }
    });
    assert!(matches!(refusal, Refusal::Sum { .. } | Refusal::Missing { .. }), "{refusal}");
}

#[test]
fn a_design_that_is_not_the_cheapest_is_refused() {
    // The bound is said to be higher than anything shows, so that a dearer design would pass for the cheapest.
    let refusal = tampered(|_, _, proof| {
        for bound in &mut proof.bounds {
            for least in bound.least.iter_mut().flatten() {
                *least += cent();
            }
        }
    });
    assert!(matches!(refusal, Refusal::Sum { .. }), "{refusal}");
    // A claim to be optimal beside a gap.
    let refusal = tampered(|_, certificate, _| {
        certificate.gap = cent();
    });
    assert!(matches!(refusal, Refusal::Total { .. }), "{refusal}");
}

#[test]
fn limits_that_hide_a_number_of_indexes_show_less() {
    let (design, mut certificate) = derived(SHOP);
    // Only what holds for one index at most: nothing is known of more.
    let mut proof = certificate.proof.clone().unwrap();
    proof.bounds.retain(|bound| bound.limits != keywright_model::certificate::Limits::default());
    certificate.proof = Some(proof);
    let verdict = audit(&design, &certificate).unwrap();
    assert!(!verdict.is_shown(), "{verdict:?}");
}

#[test]
fn a_certificate_without_tables_is_no_proof() {
    let (design, mut certificate) = derived(SHOP);
    certificate.proof = None;
    assert_eq!(audit(&design, &certificate), Err(Refusal::NoProof));
}
