//! An entity with very many layouts is shown to have no cheaper one by decisions whose ends are bounded.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use keywright_audit::{Refusal, audit};
use keywright_design::{Options, design};
use keywright_dynamodb::Money;
use keywright_model::certificate::{Node, Tree};
use keywright_model::{Certificate, Design};

/// One entity that fifteen patterns read, most of them by keys of their own.
const TICKETS: &str = r"# DynamoDB Access Patterns

## Entities

### Ticket
- **Attributes**:
  - `ticketId` (ulid, id)
  - `projectId` (ulid)
  - `assignee` (string)
  - `reporter` (string)
  - `status` (string)
  - `priority` (string)
  - `component` (string)
  - `release` (string)
  - `dueAt` (datetime)
  - `title` (string)
  - `note` (text)
- **Cardinality**: ~1M total

## Access Patterns

### Reads
| ID | Entity | Description | Input Parameters | Result | Sort | Paginated | Frequency | Consistency |
|---|---|---|---|---|---|---|---|---|
| AP-001 | Ticket | Get a ticket | ticketId | Single | - | No | Warm | Eventual |
| AP-002 | Ticket | Of a project | projectId | Collection | ticketId desc | Yes | Warm | Eventual |
| AP-003 | Ticket | Of a project by status | projectId, status | Collection | ticketId desc | Yes | Warm | Eventual |
| AP-004 | Ticket | Of a project by assignee | projectId, assignee | Collection | dueAt asc | Yes | Warm | Eventual |
| AP-005 | Ticket | Of a project by component | projectId, component | Collection | ticketId desc | Yes | Cold | Eventual |
| AP-006 | Ticket | Of a release | release | Collection | ticketId asc | Yes | Cold | Eventual |
| AP-007 | Ticket | Of a release by status | release, status | Collection | ticketId desc | Yes | Warm | Eventual |
| AP-008 | Ticket | Of a release by component | release, component | Collection | ticketId desc | Yes | Cold | Eventual |
| AP-009 | Ticket | Of an assignee | assignee | Collection | dueAt asc | Yes | Warm | Eventual |
| AP-010 | Ticket | Of an assignee by status | assignee, status | Collection | dueAt asc | Yes | Warm | Eventual |
| AP-011 | Ticket | Of an assignee by priority | assignee, priority | Collection | dueAt asc | Yes | Cold | Eventual |
| AP-012 | Ticket | Of a reporter | reporter | Collection | ticketId desc | Yes | Cold | Eventual |
| AP-013 | Ticket | Of a reporter by status | reporter, status | Collection | ticketId desc | Yes | Cold | Eventual |
| AP-014 | Ticket | Of a reporter by project | reporter, projectId | Collection | ticketId desc | Yes | Cold | Eventual |
| AP-015 | Ticket | Of a component by priority | component, priority | Collection | ticketId desc | Yes | Cold | Eventual |

### Writes
| ID | Entity | Description | Input Parameters | Frequency |
|---|---|---|---|---|
| AP-016 | Ticket | Create a ticket | projectId, assignee, reporter, status, priority, component, release, dueAt, title, note | Warm |
| AP-017 | Ticket | Change the status | ticketId, status | Warm |
| AP-018 | Ticket | Change the assignee | ticketId, assignee | Cold |
| AP-019 | Ticket | Change the priority | ticketId, priority | Cold |
";

fn derived() -> (Design, Certificate) {
    let (model, _) = keywright_document::read_access_patterns(TICKETS);
    let outcome = design(&model, &Options::default());
    (outcome.design.unwrap(), outcome.certificate.unwrap())
}

fn first_tree(certificate: &mut Certificate) -> &mut Tree {
    &mut certificate.proof.as_mut().unwrap().tables[0].components[0].bounds[0].trees[0]
}

fn tampered(change: impl Fn(&mut Tree)) -> Refusal {
    let (design, mut certificate) = derived();
    change(first_tree(&mut certificate));
    audit(&design, &certificate).unwrap_err()
}

fn position(tree: &Tree, is: impl Fn(&Node) -> bool) -> usize {
    tree.nodes.iter().position(is).unwrap()
}

#[test]
fn decisions_show_that_nothing_is_cheaper() {
    let (design, mut certificate) = derived();
    let verdict = audit(&design, &certificate).unwrap();
    assert!(certificate.optimal && verdict.is_shown(), "{verdict:?}");
    let tree = first_tree(&mut certificate);
    let ends = tree.nodes.iter().filter(|node| !matches!(node, Node::Decide { .. })).count();
    // A tree has one end more than decisions, and this one is small for what it shows.
    assert_eq!(tree.nodes.len(), 2 * ends - 1);
    assert!((20..1_000).contains(&ends), "{ends} ends");
}

#[test]
fn an_end_without_prices_bounds_nothing() {
    let refusal = tampered(|tree| {
        for node in &mut tree.nodes {
            if let Node::Bound { prices, .. } = node {
                prices.iter_mut().for_each(|price| *price = Money::ZERO);
            }
        }
    });
    assert!(matches!(refusal, Refusal::Missing { .. }), "{refusal}");
}

#[test]
fn prices_that_are_far_too_high_bound_nothing() {
    // What demands would pay for an index beyond what it costs is taken off again.
    let refusal = tampered(|tree| {
        for node in &mut tree.nodes {
            if let Node::Bound { prices, .. } = node {
                prices.iter_mut().for_each(|price| *price = *price * 1_000);
            }
        }
    });
    assert!(matches!(refusal, Refusal::Missing { .. }), "{refusal}");
}

#[test]
fn an_end_that_is_not_illegal_is_refused() {
    let refusal = tampered(|tree| {
        let at = position(tree, |node| matches!(node, Node::Bound { .. }));
        tree.nodes[at] = Node::Illegal(vec![0]);
    });
    assert!(matches!(refusal, Refusal::Undecided { .. }), "{refusal}");
}

#[test]
fn demands_that_share_an_index_are_not_apart() {
    let refusal = tampered(|tree| {
        for node in &mut tree.nodes {
            if let Node::Bound { apart, .. } = node {
                *apart = (0..15).collect();
            }
        }
    });
    assert!(matches!(refusal, Refusal::Undecided { .. }), "{refusal}");
}

#[test]
fn an_index_that_is_left_out_is_refused() {
    let (_, mut certificate) = derived();
    let many = first_tree(&mut certificate).indexes.len();
    // The last one: the positions of all others stay. Decisions on it point nowhere; without it something is missing.
    let refusal = tampered(|tree| {
        tree.indexes.truncate(many - 1);
    });
    assert!(matches!(refusal, Refusal::Undecided { .. } | Refusal::Malformed), "{refusal}");
}

#[test]
fn a_tree_that_goes_round_in_circles_is_refused() {
    let refusal = tampered(|tree| {
        let at = position(tree, |node| matches!(node, Node::Decide { .. }));
        if let Node::Decide { no, .. } = &mut tree.nodes[at] {
            *no = at;
        }
    });
    assert_eq!(refusal, Refusal::Malformed);
}

#[test]
fn a_primary_key_that_is_never_decided_is_refused() {
    let refusal = tampered(|tree| {
        // The root's decision is passed over: what was below yes is never looked at.
        if let Node::Decide { no, .. } = tree.nodes[0] {
            let next = tree.nodes[no].clone();
            tree.nodes[0] = next;
        }
    });
    assert!(matches!(refusal, Refusal::Undecided { .. } | Refusal::Malformed), "{refusal}");
}
