//! Entities that are one to one: one item where that is cheaper, two where it is not.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::support;

use keywright_design::Options;
use keywright_model::design::{Design, Subject};
use keywright_model::model::ConditionKind;
use support::{Doc, doc, keys, operation, summary};

/// How often each pattern runs.
#[derive(Clone, Copy, Debug)]
struct Rates {
    both: u64,
    user: u64,
    create: u64,
    change_profile: u64,
}

const USER: &str = "userId:ulid:id, name:string";
const PROFILE: &str = "about:string:9000B, theme:enum(LIGHT|DARK)";

fn user_exists(doc: Doc) -> Doc {
    doc.condition("User must exist", ConditionKind::Exists { entity: "User".to_owned() })
}

/// Users whose profiles come later; `one` says that they are one to one.
fn users(rates: Rates, one: bool) -> Doc {
    let doc = doc("App").entity("User", 100_000, USER).entity(
        "Profile",
        40_000,
        &format!("userId:ulid:id, {PROFILE}"),
    );
    let doc = match one {
        true => doc.one_to_one("Profile", "User", "userId"),
        false => doc.belongs("Profile", "User", "userId", 1, Some(1)),
    };
    let doc = doc
        .read("AP-001", "User, Profile", "userId", "all", rates.both)
        .read("AP-002", "User", "userId", "single", rates.user)
        .write("AP-003", "create User", "name", rates.create)
        .write("AP-004", "create Profile", "userId, about", rates.create);
    user_exists(doc).write("AP-005", "update Profile", "userId, new about", rates.change_profile)
}

/// The same, merged by hand.
fn by_hand(rates: Rates) -> Doc {
    let mut doc = doc("App").entity(
        "User",
        100_000,
        &format!("{USER}, about:string:9000B:optional, theme:enum(LIGHT|DARK):optional"),
    );
    for attribute in doc.0.entities[0].attributes.iter_mut().skip(2) {
        attribute.present = Some(support::at(keywright_model::model::Presence::Items(40_000)));
    }
    doc.read("AP-001", "User", "userId", "all", rates.both)
        .read("AP-002", "User", "userId", "single", rates.user)
        .write("AP-003", "create User", "name", rates.create)
        .write("AP-004", "update User", "userId, new about, new theme", rates.create)
        .write("AP-005", "update User", "userId, new about", rates.change_profile)
}

fn price(doc: &Doc) -> i128 {
    let total = keywright_design::design(&doc.0, &Options::default()).design.unwrap().total;
    total.bill.pico() + total.operational.pico()
}

fn is_one(design: &Design) -> bool {
    design.item("User").unwrap().entities == ["User", "Profile"] && design.item("Profile").is_none()
}

#[test]
fn the_cheaper_of_one_item_and_two_comes_out() {
    let (mut one, mut two) = (0, 0);
    for both in [1, 500] {
        for user in [1, 2_000] {
            for create in [1, 50] {
                for change_profile in [1, 400] {
                    let rates = Rates { both, user, create, change_profile };
                    let (apart, merged) = (price(&users(rates, false)), price(&by_hand(rates)));
                    let document = users(rates, true);
                    assert_eq!(
                        price(&document),
                        apart.min(merged),
                        "{rates:?}: {apart} apart, {merged} as one"
                    );
                    let design = document.design();
                    assert_eq!(is_one(&design), merged <= apart, "{rates:?}");
                    one += usize::from(merged < apart);
                    two += usize::from(apart < merged);
                }
            }
        }
    }
    assert!(one > 3 && two > 3, "{one} as one item, {two} as two");
}

#[test]
fn a_child_that_comes_later_is_optional_and_is_there_with_its_marker() {
    let rates = Rates { both: 500, user: 1, create: 1, change_profile: 1 };
    let design = users(rates, true).design();
    assert!(is_one(&design), "{:?}", design.items);
    assert_eq!(keys(&design, "User"), "USER#<userId>");
    let user = design.item("User").unwrap();
    let about = user.attribute("about").unwrap();
    assert!(about.optional && about.entity.as_deref() == Some("Profile"), "{about:?}");
    assert_eq!(user.attribute("name").unwrap().entity.as_deref(), Some("User"));
    assert_eq!(summary(&design, "AP-001"), "GetItem");
    // Its create updates the item, if the user is there and has no profile yet.
    assert_eq!(summary(&design, "AP-004"), "UpdateItem");
    let text = serde_json::to_string(operation(&design, "AP-004")).unwrap();
    assert!(text.contains(r#"{"exists":"pk"}"#) && text.contains(r#"{"notExists":"about"}"#), "{text}");
    assert!(text.contains("LIGHT"), "the first theme is written: {text}");
    let text = serde_json::to_string(operation(&design, "AP-005")).unwrap();
    assert!(text.contains(r#"{"exists":"about"}"#), "{text}");
    let decision = design.decisions.iter().find(|it| it.subject == Subject::Item("User".to_owned())).unwrap();
    assert!(decision.chosen.ends_with("with Profile in the same item"), "{decision:?}");
    assert!(
        decision.alternatives.iter().any(|it| it.choice == "User and Profile as two items"),
        "{decision:?}"
    );
}

#[test]
fn a_read_of_the_child_alone_wants_only_items_that_hold_it() {
    let rates = Rates { both: 2_000, user: 1, create: 1, change_profile: 1 };
    let design = users(rates, true).read("AP-006", "Profile", "userId", "single", 1).design();
    assert!(is_one(&design));
    let text = serde_json::to_string(operation(&design, "AP-006")).unwrap();
    assert!(text.contains(r#""filter":{"exists":"about"}"#), "{text}");
}

#[test]
fn what_may_go_alone_is_an_item_of_its_own() {
    let rates = Rates { both: 500, user: 1, create: 1, change_profile: 1 };
    assert!(is_one(&users(rates, true).design()));
    let alone = users(rates, true).write("AP-007", "delete Profile", "userId", 1);
    assert!(!is_one(&alone.design()));
    let with_owner = users(rates, true).write("AP-007", "delete User, delete Profile", "userId", 1);
    let design = with_owner.design();
    assert!(is_one(&design));
    assert_eq!(summary(&design, "AP-007"), "DeleteItem");
}

#[test]
fn what_is_one_item_stays_one_where_a_table_is_extended() {
    let rates = Rates { both: 500, user: 1, create: 1, change_profile: 1 };
    let base = users(rates, true).design();
    let extend = |doc: &Doc| {
        keywright_design::design(&doc.0, &Options { base: Some(base.clone()), ..Options::default() })
    };
    let rates = Rates { both: 1, user: 2_000, create: 1, change_profile: 400 };
    assert!(!is_one(&users(rates, true).design()));
    assert!(is_one(&extend(&users(rates, true)).design.unwrap()));
    let refused = extend(&users(rates, true).write("AP-007", "delete Profile", "userId", 1));
    assert!(refused.design.is_none());
    assert_eq!(refused.findings[0].rule.name(), "base-not-extendable");
}
