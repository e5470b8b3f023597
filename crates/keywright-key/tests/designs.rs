//! Templates as real designs write them.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use keywright_key::{KeyOrder, Template, TemplateFault, Value};

#[test]
fn every_shape_that_designs_use_is_read_and_printed() {
    for (text, canonical) in [
        ("USER#{userId}", "USER#<userId>"),
        ("USER#\\<userId\\>", "USER#<userId>"),
        ("<ulid>", "<ulid>"),
        ("REPOS", "REPOS"),
        ("##A#", "##A#"),
        ("#ISSUE#<number:pad7>", "#ISSUE#<number:pad7>"),
        ("~PULLREQUEST#<number:desc7>", "~PULLREQUEST#<number:desc7>"),
        ("REPO#<owner>#<name>", "REPO#<owner>#<name>"),
        ("USER#<userId>@<version:pad10>", "USER#<userId>@<version:pad10>"),
        ("GEO#<location.country>#<location.region>", "GEO#<location.country>#<location.region>"),
        ("ORDERS#<orderId:shard10>", "ORDERS#<orderId:shard10>"),
        ("A#< name : iso >", "A#<name:iso>"),
        ("LOG#<tenantCode>#<year-month>", "LOG#<tenantCode>#<year-month>"),
        ("a\\b", "a\\b"),
    ] {
        let template = Template::parse(text).unwrap();
        assert_eq!(template.to_string(), canonical);
        assert_eq!(Template::parse(canonical).unwrap(), template);
    }
}

#[test]
fn a_wrong_template_names_the_place_and_the_reason() {
    for (text, span, fault) in [
        ("", 0..0, TemplateFault::Empty),
        ("A#<b", 2..4, TemplateFault::NotClosed),
        ("A#b>", 3..4, TemplateFault::NotOpened),
        ("A#<>", 2..4, TemplateFault::NoName),
        ("A#< :iso>", 2..9, TemplateFault::NoName),
        ("A#<a<b>", 3..6, TemplateFault::Name),
        ("A#<a#b>", 3..6, TemplateFault::Name),
        ("A#<a:isoo>", 5..9, TemplateFault::UnknownEncoding { near: Some("iso") }),
        ("A#<a:pad>", 5..8, TemplateFault::NoWidth),
        ("A#<a><b>", 2..5, TemplateFault::Ambiguous),
    ] {
        let error = Template::parse(text).unwrap_err();
        assert_eq!((error.span(), error.fault(), error.template()), (span, &fault, text));
    }
}

#[test]
fn a_fixed_width_needs_no_separator() {
    let template = Template::parse("A<a:pad3><b>").unwrap();
    let key = template.build(&[("a", Value::from(7)), ("b", Value::from("x"))]).unwrap();
    assert_eq!(key, "A007x");
    assert_eq!(template.parse_key(&key).unwrap().get("b"), Some(&Value::from("x")));
}

#[test]
fn an_attribute_that_stands_twice_must_agree_with_itself() {
    let template = Template::parse("LOG#<at:ym>#<at:isos>").unwrap();
    let parsed = template.parse_key("LOG#2024-01#2024-01-15T10:30:00Z").unwrap();
    assert_eq!(parsed.get("at").unwrap().to_string(), "2024-01-15T10:30:00Z");
    assert!(template.parse_key("LOG#2024-02#2024-01-15T10:30:00Z").is_err());

    let sharded = Template::parse("ORDERS#<id:shard10>#<id>").unwrap();
    let key = sharded.build(&[("id", Value::from("order-1"))]).unwrap();
    assert!(sharded.matches(&key));
    let other = format!("ORDERS#{}#order-1", if key.contains("#0#") { 1 } else { 0 });
    assert!(!sharded.matches(&other));

    let twice = Template::parse("<a>#<a>").unwrap();
    assert!(twice.matches("x#x") && !twice.matches("x#y"));
}

#[test]
fn byte_order_is_not_what_people_think() {
    let order = |a: &str, b: &str| Template::parse(a).unwrap().order(&Template::parse(b).unwrap());
    assert_eq!(order("#ORDER#<id>", "CUSTOMER#<name>"), KeyOrder::Before);
    assert_eq!(order("~PULLREQUEST#<n:pad7>", "REPO#<name>"), KeyOrder::After);
    assert_eq!(order("USER#", "!"), KeyOrder::After);
    assert_eq!(order("REPOS", "REPOS"), KeyOrder::Same);
    assert_eq!(order("REPO", "REPOS"), KeyOrder::Before);
    assert_eq!(order("A#<x>", "A#<y>"), KeyOrder::Mixed);
    assert_eq!(order("A#<x:pad3>", "A#<y:ulid>"), KeyOrder::Mixed);
    assert_eq!(order("A#<x:bool>", "A#2"), KeyOrder::Before);
}

#[test]
fn collisions_are_found_with_an_example() {
    let collision = |a: &str, b: &str| Template::parse(a).unwrap().collision(&Template::parse(b).unwrap());
    for (a, b) in [
        ("ORDER#<id>", "ORDER#<id>#ITEM#<n>"),
        ("ORDER#<id>", "ORDER_ITEM#<id>"),
        ("A#<x:pad3>", "A#<y:pad4>"),
        ("A#<x:enum(P,Q)>", "A#<y:enum(P,Q,R)>#B"),
        ("A#<x:date>", "A#<x:ym>"),
        ("A#<x:shard8>", "A#9"),
    ] {
        assert_eq!(collision(a, b), None, "{a} {b}");
    }
    for (a, b) in [
        ("USER#<id>", "USER#<name>"),
        ("<a>#<b>", "USER#<id>"),
        ("A#<x:pad3>", "A#<y>"),
        ("A#<x:shard8>", "A#7"),
        ("A#<x>#PROFILE", "A#<y>#<z>"),
    ] {
        let found = collision(a, b).unwrap();
        let key = found.example().unwrap();
        assert!(Template::parse(a).unwrap().matches(key) && Template::parse(b).unwrap().matches(key));
    }
}
