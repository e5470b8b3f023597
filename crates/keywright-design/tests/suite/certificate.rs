//! Certificates of designs that heat parts, and of large ones: what they show, and what they say that they do not.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::support;

use keywright_audit::{Verdict, audit};
use keywright_design::{CertificateTables, Options, Outcome};
use keywright_model::certificate::Proof;
use support::{Doc, doc};

fn verdict(outcome: &Outcome) -> Verdict {
    let (design, certificate) = (outcome.design.as_ref().unwrap(), outcome.certificate.as_ref().unwrap());
    audit(design, certificate).unwrap_or_else(|refusal| panic!("{refusal}: {:?}", certificate.not_covered))
}

fn says(outcome: &Outcome, words: &str) -> bool {
    outcome.certificate.as_ref().unwrap().not_covered.iter().any(|it| it.contains(words))
}

#[test]
fn what_heat_parts_is_bounded_by_the_design_that_it_does_not_part() {
    let tenants = |rate, together: bool| {
        let several = |child: &str| if together { format!("Tenant, {child}") } else { child.to_owned() };
        doc("Tenants")
            .entity("Tenant", 5, "tenantId:ulid:id, name:string")
            .entity("Event", 10_000_000, "tenantId:ulid:id, eventId:ulid:id, text:string")
            .entity("Alarm", 10_000_000, "tenantId:ulid:id, alarmId:ulid:id, text:string")
            .belongs("Event", "Tenant", "tenantId", 2_000_000, None)
            .belongs("Alarm", "Tenant", "tenantId", 2_000_000, None)
            .read("AP-001", &several("Event"), "tenantId", "page 20 by eventId desc", 1)
            .read("AP-002", &several("Alarm"), "tenantId", "page 20 by alarmId desc", 1)
            .write("AP-003", "create Event", "tenantId, text", rate)
            .write("AP-004", "create Alarm", "tenantId, text", rate)
            .outcome()
    };
    // What costs nothing needs no other bound: a literal of its own.
    for cool in [tenants(300, true), tenants(500, false)] {
        let shown = verdict(&cool);
        assert!(cool.certificate.as_ref().unwrap().optimal && shown.is_shown() && shown.shown == shown.total);
        assert!(!says(&cool, "too hot together"));
    }
    let hot = tenants(500, true);
    let shown = verdict(&hot);
    // The search knows that nothing is cheaper; the tables show the bound without that limit, and it says so.
    assert!(hot.certificate.as_ref().unwrap().optimal && shown.claimed == shown.total, "{shown:?}");
    assert!(!shown.is_shown() && says(&hot, "too hot together"), "{shown:?}");
}

/// So many shops, each of two entities that a read ties together.
fn shops(many: usize) -> Doc {
    (0..many).fold(doc("Shops"), |doc, at| {
        let (customer, order) = (format!("Customer{at}"), format!("Order{at}"));
        let pattern = |number: usize| format!("AP-{:04}", 5 * at + number);
        doc.entity(&customer, 10_000, "customerId:ulid:id, name:string")
            .entity(&order, 100_000, "orderId:ulid:id, customerId:ulid, status:string, note:string")
            .belongs(&order, &customer, "customerId", 10, None)
            .read(&pattern(1), &format!("{customer}, {order}"), "customerId", "page 20 by orderId desc", 5)
            .read(&pattern(2), &order, "status", "page 20 by orderId desc", 5)
            .read(&pattern(3), &order, "orderId", "single", 5)
            .write(&pattern(4), &format!("create {order}"), "customerId, status, note", 5)
            .write(&pattern(5), &format!("create {customer}"), "name", 1)
    })
}

#[test]
fn large_documents_are_shown_as_long_as_their_tables_are_not_huge() {
    let large = shops(90).outcome();
    let certificate = large.certificate.as_ref().unwrap();
    assert!(certificate.optimal && verdict(&large).is_shown());
    let text = serde_json::to_string(certificate).unwrap();
    assert!(text.len() < 2_000_000, "{} bytes", text.len());
    let huge = shops(101).outcome();
    assert!(huge.certificate.as_ref().unwrap().proof.is_none());
    assert!(says(&huge, "more than 200 entities"));
    // Whoever asks for it gets all of it, and can check it.
    let options = Options { certificate_tables: CertificateTables::Whole, ..Options::default() };
    let whole = keywright_design::design(&shops(101).0, &options);
    assert!(whole.certificate.as_ref().unwrap().optimal && verdict(&whole).is_shown());
}

#[test]
fn what_is_there_twice_is_shown_with_what_that_costs() {
    let hospital = doc("Hospital")
        .entity("Nurse", 10_000, "nurseId:string:id, name:string")
        .entity("Ward", 200, "wardId:string:id, floor:integer")
        .entity("Shift", 1_000_000, "shiftId:ulid:id, nurseId:string, wardId:string, note:string")
        .belongs("Shift", "Nurse", "nurseId", 100, None)
        .belongs("Shift", "Ward", "wardId", 5_000, None)
        .read("AP-001", "Nurse, Shift", "nurseId", "page 20 by shiftId desc strong", 5)
        .read("AP-002", "Ward, Shift", "wardId", "page 20 by shiftId desc strong", 5)
        .write("AP-003", "create Shift", "nurseId, wardId, note", 2)
        .outcome();
    let proof = hospital.certificate.as_ref().unwrap().proof.as_ref().unwrap();
    assert_eq!(proof.entities.iter().filter(|entity| entity.copy).count(), 1);
    assert!(verdict(&hospital).is_shown());
}

#[test]
fn an_extension_is_the_cheapest_of_those_that_leave_all_keys_where_they_are() {
    let orders = || {
        doc("Shop")
            .entity("Order", 1_000_000, "orderId:ulid:id, customerId:ulid, status:string, placedAt:datetime")
            .read("AP-002", "Order", "orderId", "single", 50)
            .write("AP-010", "create Order", "orderId, customerId, status, placedAt", 10)
    };
    let before = orders().read("AP-001", "Order", "customerId", "page 20 by placedAt desc", 50);
    let base = before.outcome().design.unwrap();
    assert_eq!(base.indexes.len(), 1);
    // Nobody reads the present index any more, and it stays.
    let after = orders()
        .entity("Note", 100_000, "noteId:ulid:id, author:string, text:string")
        .read("AP-003", "Order", "status", "page 20 by placedAt", 20)
        .read("AP-004", "Note", "author", "page 20 by noteId", 20)
        .write("AP-011", "create Note", "noteId, author, text", 2);
    let options = Options { base: Some(base), ..Options::default() };
    let outcome = keywright_design::design(&after.0, &options);
    let shown = verdict(&outcome);
    assert!(shown.is_shown() && outcome.certificate.as_ref().unwrap().optimal, "{shown:?}");
    let refused = |change: &dyn Fn(&mut Proof)| {
        let mut certificate = outcome.certificate.clone().unwrap();
        change(certificate.proof.as_mut().unwrap());
        audit(outcome.design.as_ref().unwrap(), &certificate).is_err()
    };
    // What is there is neither closed nor free to choose.
    assert!(refused(&|proof| {
        proof.chosen.iter_mut().for_each(|layout| layout.indexes.clear());
    }));
    assert!(refused(&|proof| {
        proof.entities.iter_mut().for_each(|entity| entity.kept = None);
    }));
    // A GSI that is said to be there would cost nothing.
    assert!(refused(&|proof| proof.tables[0].present[0] += 1));
}

#[test]
fn what_a_filter_keeps_from_a_list_of_several_kinds_is_priced_again() {
    let numbered = "owner:string:id, number:integer:id:sequential:max99999999, title:string";
    let hub = doc("Hub")
        .entity("Repo", 100_000, "owner:string:id, about:string")
        .entity("Issue", 2_000_000, numbered)
        .entity("PullRequest", 1_000_000, numbered)
        .belongs("Issue", "Repo", "owner", 20, Some(100))
        .belongs("PullRequest", "Repo", "owner", 10, Some(100))
        .shared_number("Issue", "number", "PullRequest")
        .read("AP-001", "Repo, Issue, PullRequest", "owner", "page 25 by number desc", 50)
        .read("AP-002", "Issue", "owner", "page 5 by number desc", 1)
        .write("AP-003", "create Issue", "owner, title", 5)
        .outcome();
    let certificate = hub.certificate.as_ref().unwrap();
    assert!(certificate.optimal && verdict(&hub).is_shown(), "{:?}", certificate.not_covered);
    let sifted = |proof: &Proof| proof.shared.iter().any(|read| read.wanted.is_some());
    assert!(sifted(certificate.proof.as_ref().unwrap()), "a filter is cheaper than an index");
    assert!(certificate.others.iter().any(|other| !sifted(other)), "keys of its own lost");
    let refused = |change: &dyn Fn(&mut Proof)| {
        let mut certificate = certificate.clone();
        change(certificate.proof.as_mut().unwrap());
        audit(hub.design.as_ref().unwrap(), &certificate).is_err()
    };
    assert!(!refused(&|_| ()));
    // Nothing is said to be dropped, or all that lies there to have no bound.
    assert!(refused(&|proof| proof.shared.iter_mut().for_each(|read| read.wanted = None)));
    assert!(refused(&|proof| {
        let parents = proof.entities.iter_mut().flat_map(|entity| &mut entity.parents);
        parents.for_each(|parent| parent.max = None);
    }));
}
