//! The designs that the teaching texts on single-table design show come out again from their access patterns.

mod support;

use keywright_model::model::ConditionKind;
use support::{doc, keys, summary};

#[test]
fn user_and_sessions_share_a_collection() {
    let design = doc("Login")
        .entity("User", 100_000, "username:string:id, name:string")
        .entity("Session", 500_000, "sessionId:ulid:id, username:string")
        .belongs("Session", "User", "username", 5, None)
        .read("AP-001", "User", "username", "single", 100)
        .read("AP-002", "Session", "username", "all", 50)
        .read("AP-003", "Session", "username, sessionId", "single", 50)
        .write("AP-004", "create User", "username, name", 1)
        .write("AP-005", "create Session", "username", 10)
        .design();
    assert_eq!(keys(&design, "User"), "USER#<username> | USER#<username>");
    assert_eq!(keys(&design, "Session"), "USER#<username> | SESSION#<sessionId>");
    assert_eq!(summary(&design, "AP-001"), "GetItem");
    assert_eq!(summary(&design, "AP-002"), "Query");
    assert_eq!(summary(&design, "AP-003"), "GetItem");
    assert!(design.indexes.is_empty());
}

#[test]
fn a_unique_email_gets_an_item_of_its_own() {
    let unique = |attribute: &str| ConditionKind::Unique {
        entity: "Customer".to_owned(),
        attributes: vec![attribute.to_owned()],
    };
    let design = doc("Shop")
        .entity("Customer", 1_000_000, "username:string:id, email:string:unique, name:string")
        .read("AP-001", "Customer", "username", "single", 100)
        .write("AP-002", "create Customer", "username, email, name", 1)
        .condition("username must be unique", unique("username"))
        .condition("email must be unique", unique("email"))
        .write("AP-003", "update Customer", "username, new email", 1)
        .write("AP-004", "delete Customer", "username", 1)
        .design();
    assert_eq!(keys(&design, "Customer"), "CUSTOMER#<username>");
    assert_eq!(keys(&design, "CustomerEmail"), "CUSTOMEREMAIL#<email>");
    assert_eq!(summary(&design, "AP-002"), "TransactWriteItems");
    assert_eq!(summary(&design, "AP-003"), "TransactWriteItems +1");
    assert_eq!(summary(&design, "AP-004"), "TransactWriteItems +1");
}
