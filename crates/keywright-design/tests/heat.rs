//! Heat: what several kinds of items do under one partition key adds up; one item bears few transactions.

mod support;

use support::{doc, keys};

#[test]
fn children_that_are_too_hot_together_lie_apart() {
    let shop = |rate| {
        doc("Tenants")
            .entity("Tenant", 5, "tenantId:ulid:id, name:string")
            .entity("Event", 10_000_000, "tenantId:ulid:id, eventId:ulid:id, text:string")
            .entity("Alarm", 10_000_000, "tenantId:ulid:id, alarmId:ulid:id, text:string")
            .belongs("Event", "Tenant", "tenantId", 2_000_000, None)
            .belongs("Alarm", "Tenant", "tenantId", 2_000_000, None)
            .read("AP-001", "Event", "tenantId", "page 20 by eventId desc", 1)
            .read("AP-002", "Alarm", "tenantId", "page 20 by alarmId desc", 1)
            .write("AP-003", "create Event", "tenantId, text", rate)
            .write("AP-004", "create Alarm", "tenantId, text", rate)
            .design()
    };
    // The hottest of five tenants may take all: 300 and 300 a second are borne by one collection.
    let cool = shop(300);
    assert!(cool.indexes.is_empty());
    assert!(keys(&cool, "Event").starts_with("TENANT#<tenantId> |"));
    assert!(keys(&cool, "Alarm").starts_with("TENANT#<tenantId> |"));
    // 500 and 500 are not, though each of them alone would be.
    let hot = shop(500);
    let together = ["Event", "Alarm"].iter().filter(|it| keys(&hot, it).starts_with("TENANT#<tenantId> |"));
    assert!(together.count() < 2, "{} and {}", keys(&hot, "Event"), keys(&hot, "Alarm"));
}

#[test]
fn too_many_transactions_on_one_item_are_reported() {
    let shop = |rate| {
        doc("Shop")
            .entity("Statistics", 1, "name:string:id, orders:integer")
            .entity("Order", 10_000_000, "orderId:ulid:id, note:string")
            .read("AP-001", "Order", "orderId", "single", 1)
            .write("AP-002", "create Order, add Statistics orders 1", "name, note", rate)
            .outcome()
    };
    let names = |outcome: &keywright_design::Outcome| -> Vec<&'static str> {
        outcome.findings.iter().map(|finding| finding.rule.name()).collect()
    };
    assert!(names(&shop(200)).contains(&"transaction-conflicts"), "{:?}", names(&shop(200)));
    assert!(!names(&shop(5)).contains(&"transaction-conflicts"));
}
