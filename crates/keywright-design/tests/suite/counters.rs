//! Numbers: counted by reading, kept in the parent's item, or kept in an item of their own, whatever is cheapest.

use crate::support;

use keywright_dynamodb::expression::Comparator;
use keywright_model::design::{ItemKind, Shape, Subject};
use keywright_model::model::{AttributeRef, ConditionKind, ConditionValue, Literal};
use support::{Doc, doc, keys, operation, summary};

fn playlists(per_user: u64, counts: u64, user_must_exist: bool) -> Doc {
    let exists = ConditionKind::Exists { entity: "User".to_owned() };
    let doc = doc("Music")
        .entity("User", 1_000_000, "userId:ulid:id, name:string")
        .entity("Song", 1_000_000 * per_user, "songId:ulid:id, userId:ulid, title:string:400B")
        .belongs("Song", "User", "userId", per_user, None)
        .read("AP-001", "User", "userId", "single", 10)
        .read("AP-002", "Song", "userId", "page 20", 10)
        .read("AP-003", "Song", "userId", "count", counts)
        .write("AP-004", "create Song", "userId, title", 1);
    let doc = if user_must_exist { doc.condition("User must exist", exists) } else { doc };
    doc.write("AP-005", "delete Song", "userId, songId", 1)
}

#[test]
fn a_few_items_are_counted_by_reading_them() {
    let design = playlists(5, 10, true).design();
    assert_eq!(summary(&design, "AP-003"), "Query");
    assert_eq!(operation(&design, "AP-003").outcome.shape, Shape::Count { attribute: None });
}

#[test]
fn many_items_are_counted_by_their_writes_in_the_parents_item() {
    let design = playlists(500, 200, true).design();
    assert_eq!(summary(&design, "AP-003"), "GetItem");
    let counted = Shape::Count { attribute: Some("songCount".to_owned()) };
    assert_eq!(operation(&design, "AP-003").outcome.shape, counted);
    assert!(design.item("User").unwrap().attribute("songCount").is_some());
    assert_eq!(summary(&design, "AP-004"), "TransactWriteItems");
    // Nothing is counted down that is not there.
    let text = serde_json::to_string(operation(&design, "AP-005")).unwrap();
    assert!(text.contains(r#""add":[["songCount",{"literal":{"number":"-1"}}]]"#), "{text}");
    assert!(text.contains("exists"), "{text}");
    let decision =
        design.decisions.iter().find(|it| it.subject == Subject::Pattern("AP-003".to_owned())).unwrap();
    assert!(decision.alternatives.iter().any(|it| it.choice.starts_with("counted by reading")));
}

#[test]
fn where_no_parent_need_be_there_the_number_is_an_item_of_its_own() {
    let design = playlists(500, 200, false).design();
    let counter = design.item("SongCount").expect("an item of its own");
    assert_eq!(counter.kind, ItemKind::Counter);
    assert!(keys(&design, "SongCount").contains("<userId>"));
    assert_eq!(summary(&design, "AP-003"), "GetItem");
    // It comes to be with the first song: nothing has to be there before.
    let text = serde_json::to_string(operation(&design, "AP-004")).unwrap();
    assert!(text.contains(r#""item":"SongCount""#), "{text}");
}

#[test]
fn a_limit_is_kept_by_a_counter_of_its_own_where_the_parent_is_dear() {
    let limit = ConditionKind::AtMost { entity: "Song".to_owned(), per: Some("User".to_owned()), limit: 100 };
    let shop = |user: &str| {
        doc("Music")
            .entity("User", 1_000_000, user)
            .entity("Song", 20_000_000, "songId:ulid:id, userId:ulid, title:string")
            .belongs("Song", "User", "userId", 20, Some(100))
            .read("AP-001", "User", "userId", "single", 10)
            .read("AP-002", "Song", "userId", "all", 10)
            .write("AP-003", "create Song", "userId, title", 100)
            .condition("max 100 songs per user", limit.clone())
            .design()
    };
    assert!(shop("userId:ulid:id, name:string").item("SongCount").is_none());
    let dear = shop("userId:ulid:id, name:string, about:text:9000B");
    assert!(dear.item("SongCount").is_some());
    let text = serde_json::to_string(operation(&dear, "AP-003")).unwrap();
    assert!(text.contains("max 100 songs per user"), "{text}");
}

#[test]
fn what_expires_is_not_counted() {
    let design = doc("Music")
        .entity("User", 1_000_000, "userId:ulid:id, name:string")
        .entity("Play", 500_000_000, "playId:ulid:id, userId:ulid, expiresAt:number:ttl")
        .belongs("Play", "User", "userId", 500, None)
        .read("AP-001", "Play", "userId", "count", 200)
        .write("AP-002", "create Play", "userId", 1)
        .design();
    // It is read anew each time, where that takes least: from the keys alone.
    assert_eq!(summary(&design, "AP-001"), "Query GSI1");
    assert_eq!(design.indexes[0].projection, keywright_model::design::Projection::KeysOnly);
    assert!(design.items.iter().all(|item| item.kind != ItemKind::Counter));
}

/// Tickets of workspaces, of which those that are new are counted; accepted on a condition, or not.
fn desk(condition: Option<ConditionKind>) -> Doc {
    let exists = ConditionKind::Exists { entity: "Workspace".to_owned() };
    let doc = doc("Desk")
        .entity("Workspace", 3_000, "workspaceId:ulid:id, name:string")
        .entity(
            "Ticket",
            60_000_000,
            "ticketId:ulid:id, workspaceId:ulid, state:enum(NEW|OPEN|CLOSED):mutable",
        )
        .belongs("Ticket", "Workspace", "workspaceId", 20_000, None)
        .read("AP-001", "Ticket", "workspaceId, state=NEW", "count", 40)
        .write("AP-002", "create Workspace", "name", 1)
        .write("AP-003", "create Ticket", "workspaceId", 1)
        .condition("Workspace must exist", exists)
        .write("AP-004", "update Ticket", "workspaceId, ticketId, new state=OPEN", 1);
    let doc = condition.into_iter().fold(doc, |doc, kind| doc.condition("state must be so", kind));
    doc.write("AP-005", "update Ticket", "workspaceId, ticketId, new state=CLOSED", 1)
        .condition("state must be OPEN", state("OPEN"))
}

fn state(value: &str) -> ConditionKind {
    ConditionKind::Compare {
        attribute: AttributeRef::new("Ticket", "state"),
        comparator: Comparator::Equal,
        value: ConditionValue::Literal(Literal::String(value.to_owned())),
    }
}

#[test]
fn those_in_one_state_are_counted_by_who_enters_and_who_leaves() {
    let design = desk(Some(state("NEW"))).design();
    assert_eq!(summary(&design, "AP-001"), "GetItem");
    let counted = Shape::Count { attribute: Some("newTicketCount".to_owned()) };
    assert_eq!(operation(&design, "AP-001").outcome.shape, counted);
    let moves = |pattern: &str| {
        let text = serde_json::to_string(operation(&design, pattern)).unwrap();
        ["1", "-1"]
            .map(|by| text.contains(&format!(r#"["newTicketCount",{{"literal":{{"number":"{by}"}}}}]"#)))
    };
    assert_eq!(moves("AP-003"), [true, false], "who is new enters");
    assert_eq!(moves("AP-004"), [false, true], "who is accepted leaves");
    assert_eq!(moves("AP-005"), [false, false], "who is closed was not new");
    let decision =
        design.decisions.iter().find(|it| it.subject == Subject::Pattern("AP-001".to_owned())).unwrap();
    assert!(decision.alternatives.iter().any(|it| it.choice.starts_with("counted by reading")));
}

#[test]
fn where_nobody_tells_who_leaves_a_state_its_items_are_counted_by_reading() {
    let design = desk(None).design();
    assert_eq!(operation(&design, "AP-001").outcome.shape, Shape::Count { attribute: None });
}

/// Beds of wards, with a number that is not how many there are.
fn wards(number: &str, with: &str) -> Doc {
    doc("Hospital")
        .entity("Ward", 100, &format!("wardCode:string:id, {number}:integer"))
        .entity("Bed", 600, "wardCode:string:id, bedNumber:integer:id, state:enum(FREE|TAKEN)")
        .belongs("Bed", "Ward", "wardCode", 6, Some(6))
        .read("AP-001", "Ward, Bed", "wardCode", "all", 10)
        .write("AP-002", "create Ward", "wardCode", 1)
        .write("AP-003", &format!("create Bed, add Ward {number} 1"), "wardCode, bedNumber", 1)
        .condition(
            "max 6 beds per ward",
            ConditionKind::AtMost { entity: "Bed".to_owned(), per: Some("Ward".to_owned()), limit: 6 },
        )
        .write("AP-004", &format!("{with} Bed, add Ward {number} -1"), "wardCode, bedNumber", 1)
}

/// The conditions of the request that adds a bed, as text.
fn limit(doc: &Doc) -> String {
    format!("{:?}", operation(&doc.design(), "AP-003").requests)
}

#[test]
fn a_limit_is_on_how_many_there_are() {
    let occupied = wards("freeBeds", "update");
    assert!(limit(&occupied).contains("\"bedCount\""), "{}", limit(&occupied));
    let outcome = occupied.outcome();
    let said: Vec<&str> = outcome.assumptions.iter().map(|it| it.statement.as_str()).collect();
    assert!(said.iter().any(|it| it.contains("not to Ward.freeBeds")), "{said:?}");
    // A number that moves only with the beds is theirs, whatever its name; and so is one with their name.
    for counted in [wards("places", "delete"), wards("bedCount", "update")] {
        let own = limit(&counted);
        let declared = own.contains("places") || own.contains("bedCount");
        assert!(declared && !(own.contains("places") && own.contains("bedCount")), "{own}");
    }
}

/// Seats of events, of which those that are sold are counted; a seat is added whether its event is there or not.
fn events(sold: &str) -> Doc {
    let free = ConditionKind::Compare {
        attribute: AttributeRef::new("Seat", "state"),
        comparator: Comparator::Equal,
        value: ConditionValue::Literal(Literal::String("FREE".to_owned())),
    };
    doc("Tickets")
        .entity("Event", 20_000, "eventId:ulid:id, title:string, freeSeats:integer")
        .entity("Seat", 40_000_000, "eventId:ulid:id, seatNo:string:id, state:enum(FREE|SOLD):mutable")
        .belongs("Seat", "Event", "eventId", 2_000, Some(5_000))
        .read("AP-001", "Event", "eventId", "single", 300)
        .read("AP-002", "Seat", "eventId, state=SOLD", "count", 10)
        .write("AP-003", "create Seat", "eventId, seatNo, state=FREE", 1)
        .write("AP-004", sold, "eventId, seatNo, new state=SOLD", 10)
        .condition("state must be FREE", free)
}

#[test]
fn only_who_counts_one_more_has_to_know_the_parent() {
    let known = events("update Seat, add Event freeSeats -1").design();
    let counted = Shape::Count { attribute: Some("soldSeatCount".to_owned()) };
    assert_eq!(operation(&known, "AP-002").outcome.shape, counted);
    assert!(known.item("Event").unwrap().attribute("soldSeatCount").is_some());
    assert!(known.items.iter().all(|item| item.kind != ItemKind::Counter));
    // Who sells a seat of an event that may not be there counts it elsewhere.
    let unknown = events("update Seat").design();
    assert!(unknown.item("Event").unwrap().attribute("soldSeatCount").is_none());
}
