//! What is tampered with in a certificate is refused.

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
        let entry = proof.tables[0].components[0].bounds[0].layouts[1].first_mut().unwrap();
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
        for bound in &mut proof.tables[0].components[0].bounds {
            let table = &mut bound.layouts[1];
            let least = table.iter().map(|it| it.price).min();
            table.retain(|it| Some(it.price) != least);
        }
    });
    let refused = matches!(refusal, Refusal::Sum { .. } | Refusal::Missing { .. } | Refusal::Malformed);
    assert!(refused, "{refusal}");
}

#[test]
fn a_design_that_is_not_the_cheapest_is_refused() {
    // The bound is said to be higher than anything shows, so that a dearer design would pass for the cheapest.
    let refusal = tampered(|_, _, proof| {
        for bound in proof.tables[0].components.iter_mut().flat_map(|it| &mut it.bounds) {
            bound.least = bound.least.map(|least| least + cent());
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
    for component in &mut proof.tables[0].components {
        component.bounds.retain(|bound| bound.limits != keywright_model::certificate::Limits::default());
    }
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

#[test]
fn an_entry_of_a_subtree_is_refused_where_it_is_too_high_or_too_low() {
    for change in [cent(), Money::ZERO - cent()] {
        let refusal = tampered(|_, _, proof| {
            let summed = &mut proof.tables[0].components[0].bounds[0].elimination[0];
            let entry = summed.table.iter_mut().find(|it| it.least.is_some()).unwrap();
            *entry.least.as_mut().unwrap() += change;
        });
        assert!(matches!(refusal, Refusal::Subtree { .. }), "{refusal}");
    }
}

#[test]
fn a_subtree_that_forgets_what_it_is_tied_to_is_refused() {
    let refusal = tampered(|_, _, proof| {
        let summed = &mut proof.tables[0].components[0].bounds[0].elimination;
        summed[0].with.clear();
        summed[0].table.truncate(1);
    });
    assert_eq!(refusal, Refusal::Malformed);
    let refusal = tampered(|_, _, proof| {
        proof.tables[0].components[0].bounds[0].elimination[0].table.pop();
    });
    assert_eq!(refusal, Refusal::Malformed);
    let refusal = tampered(|_, _, proof| {
        proof.tables[0].components[0].bounds[0].elimination.pop();
    });
    assert_eq!(refusal, Refusal::Malformed);
}
