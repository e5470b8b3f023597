//! Documents that need more than plain keys, each designed and proven in every style: links between entities that are
//! many to many, numbers that writes keep, a natural identity under another key.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;

fn document(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kinds").join(format!("{name}.md"))
}

/// Designs a document in a style and proves it; the design comes back.
fn proven(name: &str, style: &str) -> Value {
    let run = |arguments: &[&str]| {
        let mut command = Command::cargo_bin("keywright").unwrap();
        let output = command.args(arguments).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(0), "{name} in {style}: {text}");
        text
    };
    let path = document(name);
    let path = path.to_str().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let design = folder.path().join("table-design.md");
    let design = design.to_str().unwrap();
    run(&["design", path, "--style", style, "-o", design]);
    // What was written, read back: every pattern holds.
    let evidence = run(&["prove", path, "--design", design, "--scale", "60", "--format", "json"]);
    let evidence: Value = serde_json::from_str(&evidence).unwrap();
    assert_eq!((&evidence["failed"], &evidence["notChecked"]), (&0.into(), &0.into()), "{name} in {style}");
    serde_json::from_str(&run(&["design", path, "--style", style, "--format", "json"])).unwrap()
}

/// How many patterns fail where a design is proven that somebody has changed.
fn failing(name: &str, change: impl Fn(String) -> String) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let design = folder.path().join("table-design.md");
    let (path, file) = (document(name), design.to_str().unwrap());
    let path = path.to_str().unwrap();
    let run = |arguments: &[&str]| Command::cargo_bin("keywright").unwrap().args(arguments).output().unwrap();
    run(&["design", path, "-o", file]);
    let before = std::fs::read_to_string(&design).unwrap();
    let after = change(before.clone());
    assert_ne!(before, after, "nothing was changed");
    std::fs::write(&design, after).unwrap();
    let output = run(&["prove", path, "--design", file, "--scale", "60", "--format", "json"]);
    let evidence: Value = serde_json::from_slice(&output.stdout).unwrap();
    let patterns = evidence["patterns"].as_array().unwrap().iter();
    let failed = patterns.filter(|it| it["outcome"] != "held");
    failed.map(|it| it["id"].as_str().unwrap().to_owned()).collect()
}

fn kinds(design: &Value) -> Vec<(String, String)> {
    let items = design["items"].as_array().unwrap();
    let text = |item: &Value, name: &str| item[name].as_str().unwrap().to_owned();
    items.iter().map(|item| (text(item, "name"), text(item, "kind"))).collect()
}

fn has(design: &Value, name: &str, kind: &str) -> bool {
    kinds(design).contains(&(name.to_owned(), kind.to_owned()))
}

#[test]
fn a_link_that_the_document_only_names_is_an_edge() {
    for style in ["overloaded", "multi-attribute", "multi-table"] {
        let design = proven("school", style);
        assert!(has(&design, "Enrollment", "edge"), "{style}: {:?}", kinds(&design));
    }
}

#[test]
fn who_gives_what_must_match_succeeds_and_a_singleton_that_nobody_creates_is_there() {
    for style in ["overloaded", "multi-attribute", "multi-table"] {
        proven("holds", style);
    }
}

#[test]
fn a_link_that_nobody_names_is_called_after_both() {
    let design = proven("blog", "overloaded");
    assert_eq!(kinds(&design).iter().filter(|(_, kind)| kind == "edge").count(), 1, "{:?}", kinds(&design));
}

#[test]
fn a_declared_link_is_read_from_both_sides() {
    for style in ["overloaded", "multi-attribute", "multi-table"] {
        proven("teams", style);
    }
}

#[test]
fn numbers_are_kept_in_the_parent_or_beside_it() {
    for style in ["overloaded", "multi-attribute", "multi-table"] {
        let design = proven("music", style);
        assert!(has(&design, "NoteCount", "counter"), "{style}: {:?}", kinds(&design));
    }
}

#[test]
fn a_whole_month_is_a_part_of_keys_where_the_document_asks_for_it() {
    for style in ["overloaded", "multi-attribute", "multi-table"] {
        let design = proven("logs", style);
        let text = design["items"].to_string();
        assert!(text.contains("<loggedAt:ym>"), "{style}: {text}");
        // A day is the beginning of a time that other reads want a range of.
        assert!(!text.contains("<seenAt:ymd>"), "{style}: {text}");
        // No item holds a period: it is told by the time.
        assert!(!text.contains("loggedAtMonth\",\"type"), "{style}: {text}");
    }
}

#[test]
fn kinds_that_share_their_numbers_are_one_list() {
    // The list of issues alone keeps it out of the table, and no native index has several kinds in one collection.
    for style in ["overloaded", "multi-table"] {
        let design = proven("hub", style);
        let text = design["items"].to_string();
        assert!(text.contains("ISSUE_PULLREQUEST#<number:pad8>#ISSUE"), "{style}: {text}");
    }
}

#[test]
fn what_two_parents_want_strongly_is_there_twice() {
    for style in ["overloaded", "multi-attribute", "multi-table"] {
        let design = proven("shifts", style);
        let copies = kinds(&design).iter().filter(|(_, kind)| kind == "copy").count();
        assert_eq!(copies, 1, "{style}: {:?}", kinds(&design));
        // The copy comes and goes with the original, all or nothing.
        let written = design["operations"].as_array().unwrap().iter().filter(|it| it["pattern"] == "AP-012");
        let operation = written.map(|it| it["operation"].as_str().unwrap()).next();
        assert_eq!(operation, Some("TransactWriteItems"), "{style}");
    }
}

#[test]
fn a_natural_identity_under_its_parents_key_is_guarded() {
    let design = proven("catalogue", "overloaded");
    assert!(has(&design, "ProductSku", "uniqueness"), "{:?}", kinds(&design));
}

#[test]
fn what_a_unique_value_leads_to_is_compared_with_the_tenant() {
    for style in ["overloaded", "multi-attribute", "multi-table"] {
        let design = proven("tenants", style);
        let operations = design["operations"].as_array().unwrap();
        let by_address = operations.iter().find(|it| it["pattern"] == "AP-005").unwrap();
        let second = &by_address["requests"][1];
        assert_eq!(second["operation"], "Query", "{style}: {by_address}");
        assert!(!second["filter"].is_null(), "{style}: {by_address}");
    }
    let design = proven("tenants", "overloaded");
    for item in design["items"].as_array().unwrap().iter().filter(|it| it["kind"] == "main") {
        let partition = item["keys"][0]["value"]["template"].as_str().unwrap();
        assert!(partition.contains("#<tenantId>"), "{partition}");
    }
}

#[test]
fn a_list_over_two_enumerations_asks_for_every_combination() {
    for style in ["overloaded", "multi-attribute", "multi-table"] {
        let design = proven("enumerations", style);
        let operations = design["operations"].as_array().unwrap();
        let scattered = |pattern: &str| {
            let operation = operations.iter().find(|it| it["pattern"] == pattern).unwrap();
            operation["requests"][0]["scatter"].as_array().map_or(0, Vec::len)
        };
        assert_eq!(
            [scattered("AP-001"), scattered("AP-002"), scattered("AP-003")],
            [0, 2, 1],
            "{style}: {operations:#?}"
        );
        assert_eq!(design["indexes"].as_array().unwrap().len(), 1, "{style}");
    }
}

#[test]
fn a_profile_that_is_read_with_its_account_lies_in_the_same_item() {
    for style in ["overloaded", "multi-attribute", "multi-table"] {
        let design = proven("profiles", style);
        let account =
            design["items"].as_array().unwrap().iter().find(|item| item["name"] == "Account").unwrap();
        assert_eq!(account["entities"], serde_json::json!(["Account", "Profile"]), "{style}");
        let operations = design["operations"].as_array().unwrap();
        let both = operations.iter().find(|it| it["pattern"] == "AP-001").unwrap();
        assert_eq!(both["operation"], "GetItem", "{style}");
    }
}

/// An instant that an update sets without being given it is the present one, in the items and in the keys.
#[test]
fn logins() {
    for style in ["overloaded", "multi-attribute", "multi-table"] {
        let design = proven("logins", style);
        let operations = design["operations"].as_array().unwrap();
        let login = operations.iter().find(|operation| operation["pattern"] == "AP-011").unwrap();
        let made: Vec<&Value> = login["generated"].as_array().unwrap().iter().map(|it| &it["name"]).collect();
        assert!(made.contains(&&Value::from("lastSeenAt")), "{made:?}");
    }
}

#[test]
fn a_leaderboard_follows_a_number_that_writes_add_to() {
    let requests = |design: &Value, id: &str| -> String {
        let operations = design["operations"].as_array().unwrap();
        operations.iter().find(|it| it["pattern"] == id).unwrap()["requests"].to_string()
    };
    // A string has to be written anew, so that the number is read first and must still be the same.
    let overloaded = proven("arcade", "overloaded");
    let round = requests(&overloaded, "AP-011");
    assert!(round.contains(r#""operation":"GetItem""#), "{round}");
    assert!(round.contains("<1.score + points:int8>"), "{round}");
    assert!(requests(&overloaded, "AP-012").contains("<1.score - 25:int8>"));
    // A number that is a key attribute itself moves its entry by itself.
    assert!(!requests(&proven("arcade", "multi-attribute"), "AP-012").contains("GetItem"));
    assert!(requests(&proven("arcade", "multi-table"), "AP-012").contains("<1.score - 25:int8>"));
}

/// The identifier of what an item refers to is older than the item: an order by creation needs the instant.
#[test]
fn an_order_by_creation_never_rests_on_anothers_identifier() {
    for style in ["overloaded", "multi-attribute", "multi-table"] {
        let design = proven("gym", style);
        let items = design["items"].as_array().unwrap();
        let booking = items.iter().find(|item| item["name"] == "Booking").unwrap();
        assert!(booking["keys"].to_string().contains("bookedAt"), "{booking}");
    }
}

#[test]
fn what_moves_comes_and_goes_with_its_unique_and_optional_values() {
    for style in ["overloaded", "multi-attribute", "multi-table"] {
        let design = proven("cards", style);
        assert!(has(&design, "TeacherBadge", "uniqueness"), "{style}: {:?}", kinds(&design));
        assert!(has(&design, "LastReceiptNumber", "counter"), "{style}: {:?}", kinds(&design));
    }
}

#[test]
fn what_a_caller_leaves_out_stays_in_the_keys_as_it_was() {
    for style in ["overloaded", "multi-attribute", "multi-table"] {
        let design = proven("family", style);
        let text = serde_json::to_string(&design["operations"]).unwrap();
        let told = text.contains("<newSurname else 1.surname>#<newGivenName else 1.givenName>");
        // Keys of attributes follow by themselves.
        assert_eq!(told, style != "multi-attribute", "{style}");
    }
}

#[test]
fn a_number_is_handed_on_an_item_checked_once_and_a_tally_begun() {
    for style in ["overloaded", "multi-attribute", "multi-table"] {
        let design = proven("billing", style);
        let of = |pattern: &str| {
            let all = design["operations"].as_array().unwrap();
            serde_json::to_string(all.iter().find(|it| it["pattern"] == pattern).unwrap()).unwrap()
        };
        // The invoice, the key that leads to it, and the last number.
        assert_eq!(of("AP-021").matches("\"plus\":1").count(), 3, "{style}: {}", of("AP-021"));
        assert_eq!(of("AP-022").matches("\"action\":\"Check\"").count(), 1, "{style}: {}", of("AP-022"));
        assert!(!of("AP-023").contains("\"exists\""), "{style}: {}", of("AP-023"));
        // A number of all there is, is one item.
        assert!(has(&design, "LastNewsletterIssueNo", "counter"), "{style}: {:?}", kinds(&design));
    }
}

#[test]
fn what_comes_while_all_of_it_goes_is_noticed() {
    let design = proven("lending", "overloaded");
    let all = design["operations"].as_array().unwrap();
    let delete = all.iter().find(|it| it["pattern"] == "AP-030").unwrap();
    assert_eq!(delete["requests"][1]["consistent"], true, "{delete}");
    let condition = serde_json::to_string(&delete["requests"][2]["actions"][0]["condition"]).unwrap();
    assert!(condition.contains("loanCount"), "{condition}");
}

#[test]
fn what_is_refused_before_its_portions_is_refused() {
    proven("auction", "overloaded");
}

#[test]
fn a_parent_leaves_no_child_that_came_while_it_was_deleted() {
    for style in ["overloaded", "multi-attribute", "multi-table"] {
        let design = proven("projects", style);
        let operations = design["operations"].as_array().unwrap();
        let delete = operations.iter().find(|it| it["pattern"] == "AP-020").unwrap();
        let names: Vec<&str> = delete["requests"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it["operation"].as_str().unwrap())
            .collect();
        assert_eq!(names, ["Query", "TransactWriteItems", "Query", "BatchWriteItem"], "{style}");
    }
}

#[test]
fn several_items_of_one_entity_have_roles_of_their_own() {
    for style in ["overloaded", "multi-attribute", "multi-table"] {
        let design = proven("payments", style);
        let operations = design["operations"].as_array().unwrap();
        let actions = |pattern: &str| {
            let operation = operations.iter().find(|it| it["pattern"] == pattern).unwrap();
            operation["requests"][0]["actions"].as_array().unwrap().clone()
        };
        let names = |action: &Value, input: &str| {
            let key = action["key"].to_string();
            assert!(key.contains(input), "{style}: {key}");
        };
        let transfer = actions("AP-021");
        names(&transfer[1], "fromAccountId");
        names(&transfer[2], "toAccountId");
        assert_eq!(transfer[1]["failsAs"], "balance >= amount", "{style}");
        assert!(transfer[2]["failsAs"].is_null(), "{style}: only what falls must not fall too far");
        names(&actions("AP-022")[1], "payeeId");
        let dispute = actions("AP-023");
        names(&dispute[1], "plaintiffId");
        names(&dispute[2], "defendantId");
    }
}

#[test]
fn what_expires_does_so_by_a_number_of_seconds() {
    for style in ["overloaded", "multi-attribute", "multi-table"] {
        // The document says datetime, by which DynamoDB expires nothing.
        let design = proven("tokens", style);
        let create = design["operations"].as_array().unwrap().iter().find(|it| it["pattern"] == "AP-003");
        let inputs = create.unwrap()["inputs"].as_array().unwrap();
        let expiry = inputs.iter().find(|input| input["name"] == "expiresAt").unwrap();
        assert_eq!(expiry["type"], "integer", "{style}");
    }
    let folder = tempfile::tempdir().unwrap();
    let path = document("tokens");
    let mut command = Command::cargo_bin("keywright").unwrap();
    let arguments =
        ["generate", "typescript", path.to_str().unwrap(), "--out", folder.path().to_str().unwrap()];
    command.args(arguments).assert().success();
    let code = std::fs::read_to_string(folder.path().join("src/repositories.ts")).unwrap();
    assert!(code.contains("\"expiresAt\": { N: "), "{code}");
}

#[test]
fn an_entry_is_there_for_a_constant_and_an_optional_attribute() {
    // A native key holds the state itself.
    for style in ["overloaded", "multi-table"] {
        let design = proven("seats", style);
        let keys = design["items"][0]["keys"].to_string();
        assert!(keys.contains("\"equals\":{\"string\":\"HELD\"}"), "{style}: {keys}");
        assert!(keys.contains("<heldUntil:iso>"), "{style}: {keys}");
    }
}

#[test]
fn the_parent_holds_the_number_of_those_whom_only_such_writes_count_that_know_it() {
    for style in ["overloaded", "multi-attribute", "multi-table"] {
        let design = proven("theatre", style);
        assert!(!kinds(&design).iter().any(|(_, kind)| kind == "counter"), "{style}: {:?}", kinds(&design));
        assert!(design["items"].to_string().contains("soldSeatCount"), "{style}");
    }
}

#[test]
fn what_a_read_gives_is_its_partition_though_another_one_gives_nothing() {
    for style in ["overloaded", "multi-table"] {
        let design = proven("sirens", style);
        let operations = design["operations"].as_array().unwrap();
        let read = operations.iter().find(|it| it["pattern"] == "AP-006").unwrap();
        let partition = read["requests"][0]["key"].to_string();
        assert!(partition.contains("siteId"), "{style}: {partition}");
    }
}

#[test]
fn what_a_create_is_not_given_is_missing_in_keys_and_what_hangs_on_nobody_goes_too() {
    for style in ["overloaded", "multi-attribute", "multi-table"] {
        let design = proven("permits", style);
        let items = design["items"].as_array().unwrap();
        let permit = items.iter().find(|it| it["name"] == "Permit").unwrap();
        let zone = permit["attributes"].as_array().unwrap().iter().find(|it| it["name"] == "zoneCode");
        assert_eq!(zone.unwrap()["optional"], true, "{style}");
    }
}

#[test]
fn a_list_of_all_attributes_spares_an_index_the_keys_of_the_others() {
    // Native keys are the item's own attributes, so that ALL repeats nothing.
    for (style, listed) in [("overloaded", true), ("multi-attribute", false), ("multi-table", true)] {
        let design = proven("deals", style);
        let index = design["indexes"].as_array().unwrap().iter().find(|it| it["purpose"] == "serves AP-004");
        let projection = index.map(|it| it["projection"].to_string()).unwrap_or_default();
        assert_eq!(projection.contains("amount"), listed, "{style}: {projection}");
    }
}

#[test]
fn an_enumeration_sorts_as_it_is_declared() {
    for style in ["overloaded", "multi-attribute", "multi-table"] {
        let design = proven("queues", style);
        let text = design["items"].to_string();
        assert!(text.contains("<urgency:enum(LOW,NORMAL,HIGH,CRITICAL)>"), "{style}: {text}");
        // One order of a strong list is that of the keys, the caller sorts by the other.
        let operations = design["operations"].as_array().unwrap().iter();
        let sorted = operations.filter(|it| it["outcome"]["clientSort"] == true).count();
        assert_eq!(sorted, 1, "{style}");
    }
}

#[test]
fn an_enumeration_sorts_downwards_beside_what_sorts_upwards() {
    for style in ["overloaded", "multi-table"] {
        let design = proven("tickets", style);
        let text = design["items"].to_string();
        assert!(
            text.contains("<priority:enum(LOW,MEDIUM,HIGH,URGENT)>#<openedAt:isodesc>"),
            "{style}: {text}"
        );
        // What nobody sorts by stands there by its name.
        assert!(text.contains("<state>"), "{style}: {text}");
    }
}

#[test]
fn an_enumeration_in_another_order_is_noticed() {
    let calls = "enum(LOW,NORMAL,HIGH,CRITICAL)";
    let by_name = failing("queues", |design| design.replace(calls, "enumname(LOW,NORMAL,HIGH,CRITICAL)"));
    assert!(by_name.starts_with(&["AP-002".to_owned(), "AP-003".to_owned()]), "{by_name:?}");
    let reversed = failing("queues", |design| design.replace(calls, "enum(CRITICAL,HIGH,NORMAL,LOW)"));
    assert!(reversed.starts_with(&["AP-002".to_owned(), "AP-003".to_owned()]), "{reversed:?}");
    // The order in which a caller sorts.
    let risks = |design: String| {
        design.replace("`risk` (enum(NONE, LITTLE, GREAT))", "`risk` (enum(NONE, GREAT, LITTLE))")
    };
    let sorted = failing("queues", risks);
    assert_eq!(sorted, ["AP-005"]);
}

#[test]
fn an_update_of_all_items_keeps_their_index_keys() {
    for style in ["overloaded", "multi-attribute", "multi-table"] {
        let design = proven("shipping", style);
        let operations = design["operations"].as_array().unwrap();
        // Each item is written as it was found, and all are looked for again where one is not that any more.
        let moved = operations.iter().find(|it| it["pattern"] == "AP-011").unwrap();
        assert!(moved["retry"].is_object(), "{style}: {moved:#}");
    }
}

#[test]
fn an_update_of_all_items_that_trusts_what_it_read_is_noticed() {
    let trusting = |design: String| {
        let line = design.lines().find(|line| line.contains("| AP-011 |")).unwrap().to_owned();
        let (rest, condition) = line.rsplit_once(" | 2. ").unwrap();
        assert!(condition.contains("#status = :1.status"), "{condition}");
        design.replace(&line, &format!("{rest} | 2. `attribute_exists(pk)` |"))
    };
    let failed = failing("shipping", trusting);
    assert!(failed.contains(&"AP-011".to_owned()), "{failed:?}");
}

#[test]
fn a_document_without_volumes_is_held_to_what_prices_take_for_granted() {
    let design = proven("podcast", "overloaded");
    // The page of a show is one read of both.
    let operations = design["operations"].as_array().unwrap();
    let page = operations.iter().find(|it| it["pattern"] == "AP-002").unwrap();
    assert_eq!(page["requests"][0]["items"], serde_json::json!(["SHOW", "EPISODE"]), "{page:#}");
}

#[test]
fn a_limit_is_kept_apart_from_a_parent_that_goes_and_that_nobody_asks_for() {
    for style in ["overloaded", "multi-attribute", "multi-table"] {
        let design = proven("closures", style);
        assert!(has(&design, "PermitCount", "counter"), "{style}: {:?}", kinds(&design));
    }
}

const STYLES: [&str; 3] = ["overloaded", "multi-attribute", "multi-table"];

/// What is said of a document that can't be designed.
fn refused(name: &str) -> String {
    let path = document(name);
    let mut command = Command::cargo_bin("keywright").unwrap();
    let output = command.args(["design", path.to_str().unwrap()]).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{name}");
    [output.stdout, output.stderr].iter().map(|it| String::from_utf8_lossy(it).into_owned()).collect()
}

/// What is taken for granted in a document.
fn assumed(name: &str) -> String {
    let path = document(name);
    let mut command = Command::cargo_bin("keywright").unwrap();
    let output = command.args(["check", "--assumptions", path.to_str().unwrap()]).output().unwrap();
    [output.stdout, output.stderr].iter().map(|it| String::from_utf8_lossy(it).into_owned()).collect()
}

#[test]
fn a_number_of_children_lies_beside_a_parent_that_is_put_over() {
    for style in STYLES {
        let design = proven("probes", style);
        assert!(has(&design, "ProbeCount", "counter"), "{style}: {:?}", kinds(&design));
    }
}

#[test]
fn an_index_holds_what_an_optional_filter_looks_at() {
    for style in STYLES {
        proven("postings", style);
    }
}

#[test]
fn an_optional_filter_over_too_much_is_refused_for_that_reason() {
    for (name, input) in [("postings-too-many", "category"), ("drafts-too-many", "status")] {
        let said = refused(name);
        assert!(said.contains(&format!("drops what it reads where {input} is given")), "{said}");
        assert!(said.contains("at most 1 MB") && !said.contains("throughput"), "{said}");
    }
}

#[test]
fn a_reference_to_a_number_has_its_bound() {
    for style in STYLES {
        proven("lessons", style);
    }
    assert!(assumed("lessons").contains("Submission.position is at most 999"));
}

#[test]
fn a_number_that_falls_before_a_name_that_rises_is_turned_in_the_key() {
    for style in STYLES {
        proven("venues", style);
    }
    let design = proven("venues", "overloaded");
    let text = design["items"].to_string();
    assert!(text.contains("<rating:pad2:desc>") || text.contains("<rating:desc2>"), "{text}");
}

#[test]
fn how_many_there_are_is_multiplied_over_all_levels() {
    assert!(assumed("samples").contains("there are 9000000000 items of Sample"));
}

#[test]
fn an_item_has_the_size_that_the_document_states() {
    let design = proven("listings", "overloaded");
    let units = |at: usize, what: &str| design["operations"][at]["expected"][what].clone();
    // 20 KB are five units of 4 KB, half of them eventually, and twenty of 1 KB.
    assert_eq!(units(0, "readMicroUnits"), 2_500_000);
    assert_eq!(units(1, "writeMicroUnits"), 20_000_000);
}

#[test]
fn a_map_that_is_not_there_yet_takes_values() {
    for style in ["overloaded", "multi-attribute", "multi-table"] {
        proven("addresses", style);
    }
}

#[test]
fn an_item_that_a_parent_and_a_number_identify_is_found_through_another() {
    let design = proven("charging", "overloaded");
    let end = design["operations"].as_array().unwrap().iter().find(|it| it["pattern"] == "AP-025").unwrap();
    assert_eq!(end["requests"][0]["operation"], "GetItem", "{end}");
}

#[test]
fn a_parent_that_comes_with_its_first_child_begins_with_the_number_of_it() {
    for (name, number) in
        [("first-seat", "seatCount"), ("first-counted", "seatCount"), ("first-page", "lastPageNumber")]
    {
        let design = proven(name, "overloaded");
        let operations = design["operations"].as_array().unwrap();
        let created = operations.iter().find(|it| it["pattern"] == "AP-020").unwrap();
        // Nothing is read, and the parent is put once.
        let requests = created["requests"].as_array().unwrap();
        assert_eq!(requests.len(), 1, "{name}: {created:#}");
        let actions = requests[0]["actions"].as_array().unwrap();
        assert_eq!(actions.len(), 2, "{name}: {created:#}");
        assert!(actions[0].to_string().contains(number), "{name}: {created:#}");
    }
}

#[test]
fn what_every_item_has_is_stored_by_its_create() {
    let dropped = |design: String| {
        design.replacen(", createdAt = :createdAt`", "`", 1).replacen(", createdAt datetime Now", "", 1)
    };
    assert_eq!(failing("carts", dropped), ["AP-010"]);
}

#[test]
fn the_order_of_uuids_is_not_that_of_time() {
    let by_id = |design: String| design.replace("CART#<createdAt:iso>#<cartId>", "CART#<cartId>");
    assert!(failing("carts", by_id).contains(&"AP-002".to_owned()));
}

#[test]
fn a_list_that_is_wanted_whole_has_no_limit() {
    let limited = |design: String| {
        design.replacen("`Returns: Collection OF Order`", "`Limit=45`, `Returns: Collection OF Order`", 1)
    };
    assert_eq!(failing("customers", limited), ["AP-002"]);
}

#[test]
fn what_a_scatter_fills_in_is_no_input() {
    proven("world", "overloaded");
}

#[test]
fn a_limit_that_no_number_follows_is_refused() {
    let moved = refused("boards");
    assert!(moved.contains("AP-022 gives a Card another Board"), "{moved}");
    let expired = refused("expiring-sessions");
    assert!(expired.contains("a Session expires by itself"), "{expired}");
}

#[test]
fn what_expires_and_is_unique_is_said_to_stay_taken() {
    let path = document("expiring-holds");
    let output =
        Command::cargo_bin("keywright").unwrap().args(["design", path.to_str().unwrap()]).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("the seat of an expired Hold stays taken"), "{said}");
}

#[test]
fn decimals_are_added_exactly() {
    proven("meters", "overloaded");
}

#[test]
fn two_references_to_one_parent_have_as_many_values_as_it_has_items() {
    let design = proven("matches", "overloaded");
    let units = |id: &str| {
        let operations = design["operations"].as_array().unwrap();
        operations.iter().find(|it| it["pattern"] == id).unwrap()["expected"]["readMicroUnits"].clone()
    };
    assert_eq!(units("AP-005"), units("AP-006"));
}

#[test]
fn what_is_taken_away_is_what_the_caller_says_it_is() {
    proven("releases", "overloaded");
}

#[test]
fn one_of_two_may_be_gone_when_both_are_deleted() {
    proven("accounts", "overloaded");
}

#[test]
fn a_unique_value_that_changes_while_its_item_is_deleted_is_free_again() {
    proven("fleets", "overloaded");
}

#[test]
fn a_state_is_called_like_its_attribute() {
    proven("bugs", "overloaded");
}
