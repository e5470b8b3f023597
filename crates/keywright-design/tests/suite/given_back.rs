//! Every document, given its own written design back as the table to extend, is served by it as it is: the same keys,
//! indexes, operations and bill, and nothing to add.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::support::documents;

use documents::{EXAMPLES, KINDS, OWN, TRADES, documents};
use keywright_design::{Options, design};
use keywright_document::Companions;
use keywright_model::Style;

/// What differs when the written design of a document is extended to the same document; none where it has no design.
fn difference(text: &str, style: Style) -> Option<Vec<String>> {
    let model = keywright_document::read_access_patterns(text).0;
    let first = design(&model, &Options { style: Some(style), ..Options::default() }).design?;
    let written = keywright_document::write_table_design(&first, Companions::default());
    let base = keywright_document::read_table_design(&written).design;
    let outcome = design(&model, &Options { base: Some(base), ..Options::default() });
    let Some(again) = outcome.design else {
        return Some(outcome.findings.into_iter().map(|finding| finding.message).collect());
    };
    let mut differs: Vec<String> = outcome.additions.into_iter().map(|it| it.what).collect();
    let mut compare = |what: &str, same: bool| {
        if !same {
            differs.push(what.to_owned());
        }
    };
    compare("tables", again.tables == first.tables);
    compare("indexes", again.indexes == first.indexes);
    compare("items", again.items == first.items);
    for (one, other) in again.operations.iter().zip(&first.operations) {
        compare(&one.pattern, one == other);
    }
    // To the cent: what lies in a native index of others is priced a little differently as one that is there.
    let cents = |it: &keywright_model::design::Total| (it.bill.in_cents(), it.operational.in_cents());
    compare("bill", cents(&again.total) == cents(&first.total));
    Some(differs)
}

fn assert_unchanged(folders: &[&str], least: usize) {
    let mut wrong: Vec<(String, Style, Vec<String>)> = Vec::new();
    for style in [Style::Overloaded, Style::MultiAttribute, Style::MultiTable] {
        let mut designed = 0;
        for (name, text) in folders.iter().flat_map(|folder| documents(folder)) {
            let Some(differs) = difference(&text, style) else { continue };
            designed += 1;
            if !differs.is_empty() {
                wrong.push((name, style, differs));
            }
        }
        assert!(designed >= least, "{style}: only {designed} documents have a design");
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_examples_are_served_by_their_own_tables() {
    assert_unchanged(&[EXAMPLES], 5);
}

#[test]
fn documents_of_every_kind_are_served_by_their_own_tables() {
    assert_unchanged(&[KINDS, TRADES], 30);
}

/// INCLUDE lists over key attributes, which DynamoDB does not let a list name, are among them.
#[test]
fn lists_of_attributes_are_served_by_their_own_tables() {
    assert_unchanged(&[OWN], 5);
}

/// A ticket with its comments by time, and the public ones alone: the table's keys begin with what the second asks for, and
/// the caller sorts the first.
#[test]
fn what_the_caller_sorts_is_sorted_by_the_caller_again() {
    let text = "# Desk\n> Application: Desk\n## Entities\n### Ticket\n- `ticketId` (ulid, id)\n- `subject` (string)\n\
        - Cardinality: ~60M total\n### Comment\n- `ticketId` (ulid, ref Ticket)\n- `commentId` (ulid)\n\
        - `public` (boolean)\n- `body` (text, ~800 bytes)\n- Identifier: ticketId, commentId\n\
        - Cardinality: max 300 comments per ticket, ~6 per ticket\n## Access Patterns\n### Reads\n\
        | ID | Entity | Description | Input Parameters | Result | Sort | Paginated | Frequency | Multi-Entity |\n\
        |---|---|---|---|---|---|---|---|---|\n\
        | AP-001 | Ticket, Comment | Ticket with its comments | ticketId | Collection | commentId ASC | No | 40/s | Yes |\n\
        | AP-005 | Comment | Public comments | ticketId, public = true | Collection | commentId ASC | No | 15/s | No |\n\
        ### Writes\n\
        | ID | Entity | Description | Input Parameters | Items Written | Transaction | Conditions | Frequency |\n\
        |---|---|---|---|---|---|---|---|\n\
        | AP-010 | Ticket | Open a ticket | subject | Ticket | No | - | 3/s |\n\
        | AP-011 | Comment | Reply | ticketId, public, body | Comment | No | - | 3/s |\n";
    let model = keywright_document::read_access_patterns(text).0;
    let sorted = design(&model, &Options::default()).design.unwrap();
    let read = sorted.operations.iter().find(|it| it.pattern == "AP-001").unwrap();
    assert!(read.outcome.client_sort, "{:?}", read.outcome);
    for style in [Style::Overloaded, Style::MultiAttribute, Style::MultiTable] {
        assert_eq!(difference(text, style), Some(Vec::new()), "{style}");
    }
}
