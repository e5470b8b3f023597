//! Heat: what several kinds of items do under one partition key adds up; one item bears few transactions.

use crate::support;

use keywright_model::design::Subject;
use support::{at, doc, keys, operation};

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
    // 500 and 500 are not, though each of them alone would be: no read wants them together, so that another literal is all
    // it takes, and no more is paid.
    let hot = shop(500);
    assert!(keys(&hot, "Event").starts_with("TENANT#<tenantId> |"), "{}", keys(&hot, "Event"));
    assert!(keys(&hot, "Alarm").starts_with("TENANT_ALARM#<tenantId> |"), "{}", keys(&hot, "Alarm"));
    assert!(hot.indexes.is_empty());
    let why = hot.decisions.iter().find(|it| it.subject == Subject::Item("Alarm".to_owned())).unwrap();
    assert!(why.reason.contains("TENANT_ALARM is a literal of its own"), "{}", why.reason);
    assert!(why.reason.contains("1000 write units"), "{}", why.reason);
}

/// A tenant whose events and alarms are read beside it, so that they have to lie under its key, or all in an index.
fn watched(events: u64, alarms: u64) -> support::Doc {
    doc("Tenants")
        .entity("Tenant", 5, "tenantId:ulid:id, name:string")
        .entity("Event", 10_000_000, "tenantId:ulid:id, eventId:ulid:id, text:string")
        .entity("Alarm", 10_000_000, "tenantId:ulid:id, alarmId:ulid:id, text:string")
        .belongs("Event", "Tenant", "tenantId", 2_000_000, None)
        .belongs("Alarm", "Tenant", "tenantId", 2_000_000, None)
        .read("AP-001", "Tenant, Event", "tenantId", "page 20 by eventId desc", 1)
        .read("AP-002", "Tenant, Alarm", "tenantId", "page 20 by alarmId desc", 1)
        .write("AP-003", "create Event", "tenantId, text", events)
        .write("AP-004", "create Alarm", "tenantId, text", alarms)
}

#[test]
fn what_is_read_together_and_too_hot_is_parted_at_the_least_price() {
    // One after the other, the first that is looked at would go; what it costs least to write elsewhere has to.
    for (events, alarms, moves, stays) in [(700, 100, "Alarm", "Event"), (100, 700, "Event", "Alarm")] {
        let outcome = watched(events, alarms).outcome();
        let proven = outcome.proven.unwrap();
        assert_eq!(proven.gap, keywright_dynamodb::Money::ZERO, "{events} and {alarms}");
        let design = outcome.design.unwrap();
        assert!(keys(&design, stays).starts_with("TENANT#<tenantId> |"), "{}", keys(&design, stays));
        let moved = design.item(moves).unwrap();
        let base = moved.key("pk").map(|key| format!("{:?}", key.value)).unwrap();
        assert!(!base.contains("TENANT#<tenantId>"), "{base}");
        // In the table one collection has the one, in an index another has the other.
        let busiest = outcome.heat.iter().map(|it| it.write_units).max().unwrap();
        assert!(busiest <= 750, "{:?}", outcome.heat);
    }
}

#[test]
fn what_is_too_hot_together_everywhere_is_reported() {
    // A strong read runs on the table alone, and what it reads has to lie there; a copy would be written as often.
    let outcome = doc("Tenants")
        .entity("Tenant", 5, "tenantId:ulid:id, name:string")
        .entity("Event", 10_000_000, "tenantId:ulid:id, eventId:ulid:id, text:string")
        .belongs("Event", "Tenant", "tenantId", 2_000_000, None)
        .read("AP-001", "Tenant, Event", "tenantId", "page 20 by eventId desc strong", 1)
        .write("AP-002", "create Event", "tenantId, text", 500)
        .write("AP-003", "update Tenant", "tenantId, new name", 400)
        .outcome();
    let finding = outcome.findings.iter().find(|it| it.rule.name() == "too-hot").expect("it is too hot");
    assert!(finding.message.contains("Tenant, Event are read together by AP-001"), "{}", finding.message);
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

/// A table would be parted into shards only where all who use a path give what the shard is hashed from. Then it is a
/// part of the partition key itself, which spreads further, costs no bytes, and asks for no second Query.
#[test]
fn what_all_give_spreads_a_table_better_than_shards() {
    let votes = doc("Polls")
        .entity("Vote", 10_000_000, "pollId:string:id:5values, voterId:string:id, choice:string")
        .read("AP-001", "Vote", "pollId, voterId", "single", 3_000)
        .write("AP-002", "create Vote", "pollId, voterId, choice", 3_000)
        .write("AP-003", "delete Vote", "pollId, voterId", 1)
        .design();
    // One poll of five takes 3 000 votes a second, three times what a partition bears.
    assert_eq!(keys(&votes, "Vote"), "VOTE#<pollId>#<voterId>");
    assert!(votes.operations.iter().all(|operation| operation.shards == 1));
    // Whoever wants all votes of a poll does not give it: there the index is parted, never the table.
    let lists = doc("Polls")
        .entity("Vote", 10_000_000, "pollId:string:id:5values, voterId:string:id, choice:string")
        .read("AP-001", "Vote", "pollId, voterId", "single", 3_000)
        .read("AP-002", "Vote", "pollId", "page 20", 1)
        .write("AP-003", "create Vote", "pollId, voterId, choice", 3_000)
        .design();
    assert!(keys(&lists, "Vote").starts_with("VOTE#<pollId>#<voterId> |"), "{}", keys(&lists, "Vote"));
    let listed = lists.operations.iter().find(|operation| operation.pattern == "AP-002").unwrap();
    assert!(listed.shards > 1 && listed.index.is_some(), "{listed:?}");
}

/// What is uneven is the campaigns: each impression is written once, under an identity that is made up.
#[test]
fn a_stated_skew_is_not_of_what_is_made_up() {
    let impressions = |more: fn(support::Doc) -> support::Doc| {
        let mut ads = doc("Ads")
            .entity(
                "Impression",
                5_000_000_000,
                "impressionId:ulid:id, campaignId:string:5000values, seen:integer",
            )
            .read("AP-001", "Impression", "campaignId", "page 20 by impressionId desc", 5)
            .write("AP-002", "create Impression", "campaignId, seen", 12_000);
        ads.0.entities[0].skew = Some(at(200_000));
        more(ads).outcome()
    };
    let design = impressions(|ads| ads).design.expect("spread over shards");
    assert!(keys(&design, "Impression").starts_with("IMPRESSION#<impressionId> |"));
    // A fifth of 12 000 a second is more than three partitions bear three quarters of.
    assert_eq!(operation(&design, "AP-001").shards, 4);
    // One impression may be read, or changed, more often than others.
    let changed =
        impressions(|ads| ads.write("AP-003", "update Impression", "impressionId, new seen", 6_000));
    assert!(changed.findings.iter().any(|it| it.rule.name() == "too-hot"), "{:?}", changed.findings);
}

/// What a read gives is in the partition key of its index, though another read gives nothing, and though the key changes.
#[test]
fn only_who_gives_nothing_reads_a_collection_of_everything() {
    let alarms = doc("Alarms")
        .entity(
            "Alarm",
            50_000_000,
            "alarmId:ulid:id, deviceId:uuid, siteId:uuid:10000values, openSince:datetime:optional:mutable",
        )
        .read("AP-001", "Alarm", "siteId", "page 25 by openSince desc", 30)
        .read("AP-002", "Alarm", "", "page 25 by openSince", 2)
        .read("AP-003", "Alarm", "deviceId", "page 25 by alarmId desc", 500)
        .write("AP-004", "create Alarm", "deviceId, siteId, openSince", 340)
        .write("AP-005", "update Alarm without openSince", "alarmId", 340)
        .design();
    let partition = |pattern: &str| {
        let text = serde_json::to_string(&operation(&alarms, pattern).requests[0]).unwrap();
        text.split("<siteId>").count() + text.split("<alarmId>").count() - 2
    };
    assert!(partition("AP-001") > 0, "{}", keys(&alarms, "Alarm"));
    assert!(keys(&alarms, "Alarm").matches("| ALARMS |").count() < 2, "{}", keys(&alarms, "Alarm"));
    // Of an attribute that changes too, where whoever changes it knows the whole key.
    let articles = doc("Articles")
        .entity("Article", 1_000_000, "articleId:ulid:id, slug:string:40B:mutable, publishedAt:datetime")
        .read("AP-001", "Article", "articleId", "single", 500)
        .read("AP-002", "Article", "slug", "page 25", 1_000)
        .read("AP-003", "Article", "", "page 25 by publishedAt desc", 1)
        .write("AP-004", "create Article", "slug, publishedAt", 1)
        .write("AP-005", "update Article", "articleId, new slug", 1)
        .design();
    assert!(keys(&articles, "Article").contains("#<slug> |"), "{}", keys(&articles, "Article"));
}
