//! Impossible and absurd documents end in clear findings, soon.

use crate::support;

use std::time::Instant;

use support::{doc, hub, hub_with_each, kind};

fn rules(outcome: &keywright_design::Outcome) -> Vec<&'static str> {
    outcome.findings.iter().map(|finding| finding.rule.name()).collect()
}

#[test]
fn a_document_without_patterns() {
    let outcome = doc("Empty").entity("User", 10, "userId:ulid:id").outcome();
    assert_eq!(rules(&outcome), ["no-patterns"]);
    assert!(outcome.design.is_none());
}

#[test]
fn an_attribute_of_half_a_megabyte() {
    let outcome = doc("Big")
        .entity("File", 10, "fileId:ulid:id, body:binary:500000B")
        .read("AP-001", "File", "fileId", "single", 1)
        .outcome();
    assert_eq!(rules(&outcome), ["item-too-large"]);
}

#[test]
fn a_million_writes_a_second_on_one_key() {
    let outcome = doc("Hot")
        .entity("Counter", 1, "name:string:id, value:integer")
        .write("AP-001", "add Counter value 1", "name", 1_000_000)
        .outcome();
    assert_eq!(rules(&outcome), ["too-hot"]);
    assert_eq!(
        outcome.findings[0].message,
        "AP-001 writes about 1000000 units a second to one key of Counter; a partition takes 1000"
    );
}

#[test]
fn a_million_reads_a_second_of_one_item() {
    let outcome = doc("Hot")
        .entity("Config", 1, "name:string:id, value:string")
        .read("AP-001", "Config", "name", "single", 1_000_000)
        .outcome();
    assert_eq!(rules(&outcome), ["too-hot"]);
    assert_eq!(
        outcome.findings[0].message,
        "AP-001 reads one key of Config faster than a partition allows: at 1000000/s, one call reads about 0.5 units \
         of it, and a partition serves 3000 read units a second"
    );
}

#[test]
fn entities_that_have_nothing_to_do_with_each_other() {
    let outcome = doc("Sky")
        .entity("User", 1_000, "userId:ulid:id, name:string")
        .entity("Planet", 8, "planetId:ulid:id, mass:integer")
        .read("AP-001", "User, Planet", "userId", "all", 10)
        .outcome();
    assert_eq!(rules(&outcome), ["unservable-pattern"]);
    assert_eq!(
        outcome.findings[0].message,
        "AP-001 can't be served: Planet can't share a partition key with the other entities of this read: the inputs give nothing of it"
    );
}

#[test]
fn what_no_key_can_hold() {
    let by = |attribute: &str, identity: &str| {
        doc("Keys")
            .entity("Doc", 1_000_000, &format!("{identity}:id, tags:list, text:string:5000B"))
            .read("AP-001", "Doc", attribute, "page 20", 10)
            .outcome()
    };
    let message = |outcome: &keywright_design::Outcome| outcome.findings[0].message.clone();
    assert_eq!(message(&by("tags", "docId:ulid")), "AP-001 can't be served: tags: a list can't be a key");
    assert_eq!(
        message(&by("text", "docId:ulid")),
        "AP-001 can't be served: text: it has about 5000 bytes, and a key takes 2048"
    );
    assert_eq!(
        message(&by("name", "name:string:3000B")),
        "name identifies a Doc, but it has about 3000 bytes, and a key takes 2048"
    );
}

#[test]
fn fifty_patterns_that_each_need_an_index() {
    let attributes: Vec<String> = (0..50).map(|at| format!("a{at:02}:string")).collect();
    let mut doc =
        doc("Wide").entity("Thing", 1_000_000, &format!("thingId:ulid:id, {}", attributes.join(", ")));
    for at in 0..50 {
        doc = doc.read(&format!("AP-{at:03}"), "Thing", &format!("a{at:02}"), "page 20", 1);
    }
    let started = Instant::now();
    let outcome = doc.outcome();
    assert!(rules(&outcome).contains(&"needs-too-many-indexes"), "{:?}", rules(&outcome));
    assert!(started.elapsed().as_secs() < 60, "{:?}", started.elapsed());
}

#[test]
fn parents_in_a_cycle() {
    let outcome = doc("Loop")
        .entity("A", 10, "aId:ulid:id, bId:ulid")
        .entity("B", 10, "bId:ulid:id, aId:ulid")
        .belongs("A", "B", "bId", 1, None)
        .belongs("B", "A", "aId", 1, None)
        .read("AP-001", "A", "aId", "single", 1)
        .outcome();
    assert!(rules(&outcome).contains(&"parent-cycle"));
}

#[test]
fn a_strong_read_that_only_an_index_could_serve() {
    let outcome = doc("Strong")
        .entity("User", 1_000_000, "userId:ulid:id, city:string:100values")
        .read("AP-001", "User", "userId", "single strong", 1)
        .read("AP-002", "User", "city", "page 20 strong", 1)
        // What changes has no copy, and copies are all that is left beside the primary key.
        .write("AP-003", "update User", "userId, new city", 1)
        .outcome();
    assert!(outcome.design.is_none());
    assert!(
        rules(&outcome).iter().any(|rule| ["unservable-pattern", "too-hot"].contains(rule)),
        "{:?}",
        rules(&outcome)
    );
}

#[test]
fn an_update_that_changes_nothing() {
    let outcome = doc("Idle")
        .entity("Member", 10, "memberId:ulid:id, plan:string")
        .write("AP-001", "update Member", "memberId", 1)
        .outcome();
    assert_eq!(rules(&outcome), ["unservable-pattern"]);
    assert_eq!(
        outcome.findings[0].message,
        "AP-001 changes nothing in Member: neither an input nor a fixed value gives a new value"
    );
}

#[test]
fn a_million_reads_a_second_of_one_list() {
    let events = |reads: u64, writes: u64| {
        doc("Events")
            .entity("Event", 1_000_000, "eventId:ulid:id, payload:string")
            .read("AP-001", "Event", "", "page 25 by eventId desc", reads)
            .write("AP-004", "create Event", "payload", writes)
            .outcome()
    };
    // Every shard is asked by every call, so that none of them helps.
    let read = events(1_000_000, 1);
    assert_eq!(rules(&read), ["too-hot"]);
    assert!(
        read.findings[0].message.starts_with("AP-001 reads one key of Event faster than a partition allows"),
        "{}",
        read.findings[0].message
    );
    let written = events(1, 1_000_000);
    assert_eq!(rules(&written), ["too-hot"]);
    assert_eq!(
        written.findings[0].message,
        "AP-001 needs an index of Event to which AP-004 writes about 1000000 units a second under one key: that takes \
         1334 shards, and no index is spread over more than 1000, since a read asks them all"
    );
}

/// A read of a hub with everything in it.
fn everything(kinds: usize) -> keywright_design::Outcome {
    let all: Vec<String> = std::iter::once("Hub".to_owned()).chain((0..kinds).map(kind)).collect();
    hub(kinds).read("AP-001", &all.join(", "), "hubId", "all", 5).outcome()
}

#[test]
fn a_read_of_a_parent_with_a_dozen_kinds_of_children() {
    let outcome = everything(12);
    assert!(outcome.design.is_some(), "{:?}", outcome.findings);
    // More than anybody needs are too many.
    let outcome = everything(24);
    assert_eq!(rules(&outcome), ["unservable-pattern"]);
    assert_eq!(
        outcome.findings[0].message,
        "AP-001 reads 25 kinds of items at once; Keywright puts at most 24 into one collection"
    );
}

#[test]
fn a_parent_that_is_read_with_each_of_many_kinds_of_children() {
    let started = Instant::now();
    let outcome = hub_with_each(16, 0).outcome();
    assert!(outcome.design.is_none());
    assert_eq!(rules(&outcome), ["unservable-pattern"], "{:?}", outcome.findings);
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}

#[test]
fn a_hundred_billion_items_of_300_kb() {
    let outcome = doc("Big")
        .entity("Order", 100_000_000_000, "orderId:ulid:id, note:string:300000B")
        .read("AP-001", "Order", "orderId", "single", 5)
        .outcome();
    assert_eq!(rules(&outcome), ["too-many-items"]);
    assert_eq!(
        outcome.findings[0].message,
        "there are about 100000000000 items of Order with 300037 bytes each; a price is reckoned for 1000 TB of one kind"
    );
    let outcome = doc("Many")
        .entity("Order", 2_000_000_000_000, "orderId:ulid:id")
        .read("AP-001", "Order", "orderId", "single", 5)
        .outcome();
    assert_eq!(rules(&outcome), ["too-many-items"]);
}
