//! What decisions and findings tell a reader: reasons with the numbers behind them, and advice that leads somewhere.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use keywright_design::{Options, Outcome, design};
use keywright_model::design::{Decision, Design, Subject};

fn outcome(text: &str) -> Outcome {
    design(&keywright_document::read_access_patterns(text).0, &Options::default())
}

fn derived(text: &str) -> Design {
    let outcome = outcome(text);
    outcome.design.unwrap_or_else(|| panic!("{:#?}", outcome.findings))
}

fn decision<'d>(design: &'d Design, subject: &Subject) -> &'d Decision {
    design.decisions.iter().find(|it| it.subject == *subject).unwrap()
}

fn on<'d>(design: &'d Design, id: &str) -> &'d Decision {
    decision(design, &Subject::Pattern(id.to_owned()))
}

/// The only finding that stands in the way of a design: what it says, and what it advises.
fn refused(text: &str) -> (String, String) {
    let outcome = outcome(text);
    assert!(outcome.design.is_none());
    let mut errors = outcome.findings.into_iter().filter(|it| it.level == keywright_finding::Level::Error);
    let first = errors.next().unwrap();
    assert_eq!(errors.map(|it| it.message).collect::<Vec<_>>(), Vec::<String>::new());
    (first.message, first.help.unwrap_or_default())
}

#[test]
fn a_read_through_links_is_reasoned_with_all_that_it_costs() {
    let design = derived(include_str!("../documents/courses.md"));
    for id in ["AP-004", "AP-009"] {
        let price = design.operation(id).unwrap().expected.as_ref().unwrap().price.in_cents();
        let decision = on(&design, id);
        assert!(
            decision.reason.contains(&format!("{price} billed a month")),
            "{id} {price}: {}",
            decision.reason
        );
        for other in decision.alternatives.iter().filter(|it| it.extra.is_some()) {
            assert!(other.choice.contains("then BatchGetItem of each"), "{id}: {}", other.choice);
            assert!(!other.reason.contains("in 1 request"), "{id}: {}", other.reason);
        }
    }
}

#[test]
fn shards_are_explained_with_the_load_that_makes_them() {
    let design = derived(include_str!("../documents/queue.md"));
    let shards = design.operation("AP-001").unwrap().shards;
    assert!(shards > 1);
    for reason in
        [&on(&design, "AP-001").reason, &decision(&design, &Subject::Item("Order".to_owned())).reason]
    {
        let expected = format!("is spread over {shards} shards: one partition would take ");
        assert!(reason.contains(&expected) && reason.contains(" write units a second"), "{reason}");
    }
}

#[test]
fn sizes_that_the_prices_round_away_are_told() {
    let profiles = derived(include_str!("../documents/profiles.md"));
    let reason = &decision(&profiles, &Subject::Item("Customer".to_owned())).reason;
    assert!(reason.contains("with its key strings as written an item has "), "{reason}");
    assert!(reason.contains("it takes 2 write units, not 1"), "{reason}");
    let accounts = derived(include_str!("../documents/accounts.md"));
    let reason = &on(&accounts, "AP-003").reason;
    assert!(reason.contains("with key strings as written") && reason.contains("1.5 read units"), "{reason}");
    // Where nothing crosses a boundary nothing is said.
    assert!(!on(&accounts, "AP-001").reason.contains("as written"));
}

#[test]
fn a_name_has_its_article() {
    let design = derived(include_str!("../documents/magazine.md"));
    let reason = &on(&design, "AP-011").reason;
    assert!(reason.contains("an ArticleVersion keeps the new version of Article"), "{reason}");
}

#[test]
fn an_entry_whose_key_goes_is_deleted() {
    let design = derived(include_str!("../documents/wards.md"));
    let reason = &on(&design, "AP-013").reason;
    assert!(
        reason.contains("patientId is part of the key in ") && reason.contains("the entry is deleted"),
        "{reason}"
    );
}

#[test]
fn a_strong_read_is_told_that_its_table_is_not_spread() {
    let (message, help) = refused(include_str!("../documents/strong-list.md"));
    assert!(message.starts_with("AP-002 is a strong read, so only the table serves it"), "{message}");
    assert!(message.ends_with("a table is not spread over shards"), "{message}");
    assert!(help.starts_with("make AP-002 Eventual"), "{help}");
}

#[test]
fn a_hot_read_is_told_what_one_call_reads() {
    let (message, _) = refused(include_str!("../documents/hot-counts.md"));
    assert!(message.contains("/s, one call reads about "), "{message}");
}

#[test]
fn who_joins_a_parent_later_is_not_asked_for_it_at_creation() {
    let outcome = outcome(include_str!("../documents/joined-later.md"));
    let messages: Vec<&str> = outcome.findings.iter().map(|it| it.message.as_str()).collect();
    assert!(outcome.design.is_some(), "{messages:#?}");
    assert!(
        messages.iter().any(|it| it.ends_with("enforces \"max 50 players per guild\": nothing counts")),
        "{messages:#?}"
    );
}

#[test]
fn a_condition_on_each_of_many_is_refused_as_such() {
    let (message, help) = refused(include_str!("../documents/all-paid.md"));
    assert!(message.contains("no operation checks \"status must be NEW\" on each of them"), "{message}");
    assert!(help.contains("remove the condition"), "{help}");
}

#[test]
fn an_attribute_that_can_be_too_long_is_no_key() {
    let (message, _) = refused(include_str!("../documents/long-tags.md"));
    assert!(message.contains("3000 bytes"), "{message}");
}

const ROOMS: &str = "## Entities\n### Room\n- **Attributes**:\n  - `roomNumber` (integer, id)\n  - `name` (string)\n\
    - **Cardinality**: ~100 total\n### Booking\n- **Attributes**:\n  - `bookingId` (ulid, id)\n\
    \x20 - `roomNumber` (integer, ref Room, immutable)\n  - `guest` (string)\n  - `calls` (integer)\n\
    ## Access Patterns\n### Reads\n\
    | ID | Entity | Description | Input Parameters | Result | Paginated | Frequency | Item Size |\n|---|---|---|---|---|---|---|---|\n\
    | AP-001 | Booking | Bookings of a room | roomNumber | Collection | Yes | Warm | SIZE |\n\
    ### Writes\n| ID | Entity | Description | Input Parameters | Items Written | Transaction | Frequency |\n|---|---|---|---|---|---|---|\n\
    | AP-002 | Booking | Create a booking | GIVEN | 1 (new Booking) | No | Warm |\n";

#[test]
fn nobody_makes_up_which_other_item_is_meant() {
    let rooms = ROOMS.replace("SIZE", "-");
    let design = derived(&rooms.replace("GIVEN", "roomNumber, guest"));
    assert!(design.operation("AP-002").is_some(), "calls begin at zero");
    let findings = outcome(&rooms.replace("GIVEN", "guest")).findings;
    let lacking = findings.iter().find(|it| it.rule.name() == "value-not-given").unwrap();
    assert!(lacking.level >= keywright_finding::Level::Warning, "{lacking:?}");
    assert_eq!(lacking.message, "AP-002 creates a Booking without a value for roomNumber");
}

#[test]
fn a_stated_size_counts_for_what_is_too_much() {
    let rooms = ROOMS.replace("GIVEN", "roomNumber, guest").replace("SIZE", "300 KB");
    let rooms = rooms.replace("## Access", "- **Cardinality**: ~100000000000 bookings per room\n## Access");
    let (message, _) = refused(&rooms);
    let expected = "there are about 10000000000000 items of Booking; a price is reckoned for 1000000000000";
    assert_eq!(message, expected);
    let fewer = rooms.replace("~100000000000 bookings", "~1000000000 bookings");
    let (message, _) = refused(&fewer);
    assert!(message.starts_with("there are about 100000000000 items of Booking with 307"), "{message}");
}

#[test]
fn absurd_sizes_are_findings_and_no_overflow() {
    let huge = ROOMS.replace("GIVEN", "roomNumber, guest").replace("SIZE", "-");
    let huge = huge.replace("`guest` (string)", "`guest` (string, ~18446744073709551615 bytes)");
    let huge = huge.replace("`name` (string)", "`name` (string, ~9223372036854775808 bytes)");
    let outcome = outcome(&huge);
    assert!(outcome.design.is_none());
    assert!(outcome.findings.iter().any(|it| it.rule.name() == "item-too-large"), "{:#?}", outcome.findings);
}

#[test]
fn items_are_counted_along_any_number_of_levels() {
    // Every layer has two parents: there are as many ways up as Fibonacci numbers tell.
    let layers: String = (0..60)
        .map(|at| {
            let parents = (at + 1..60.min(at + 3)).collect::<Vec<_>>();
            let refer = parents.iter().map(|it| format!("  - `layer{it}Id` (ulid, ref Layer{it})\n"));
            let each = parents.iter().map(|it| format!("~1 layer{at}s per layer{it}"));
            let total = (at == 59).then(|| "~7 total".to_owned());
            format!(
                "### Layer{at}\n- **Attributes**:\n  - `layer{at}Id` (ulid, id)\n{}- **Cardinality**: {}\n",
                refer.collect::<String>(),
                each.chain(total).collect::<Vec<_>>().join(", ")
            )
        })
        .collect();
    let reads = "## Access Patterns\n### Reads\n| ID | Entity | Description | Input Parameters | Result |\n\
        |---|---|---|---|---|\n| AP-001 | Layer0 | Get a layer | layer0Id | Single |\n";
    let outcome = outcome(&format!("## Entities\n{layers}{reads}"));
    assert!(outcome.design.is_some(), "{:#?}", outcome.findings);
    let told = outcome.assumptions.iter().any(|it| it.statement == "there are 7 items of Layer0");
    assert!(told, "{:#?}", outcome.assumptions);
}
