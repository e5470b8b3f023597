//! Building a key allocates once, reading one allocates nothing for text.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use allocation_counter::measure;
use keywright_key::{Instant, Template, Value};

#[test]
fn a_key_is_allocated_once() {
    let long = "x".repeat(300);
    for (template, values) in [
        (
            "<a>#<b>#<c>#<d>",
            [
                ("a", Value::from("eu")),
                ("b", Value::from("t1")),
                ("c", Value::from("c1")),
                ("d", Value::from("o1")),
            ],
        ),
        (
            "<a>#<b>#<c>#<d>",
            [
                ("a", Value::from(&long)),
                ("b", Value::from("x#y z")),
                ("c", Value::from("")),
                ("d", Value::from("$#")),
            ],
        ),
        (
            "A#<a:pad20>#<b:isos>#<c>#<d:int6>",
            [
                ("d", Value::from(-5)),
                ("c", Value::from(&long)),
                ("b", Value::from(Instant::EPOCH)),
                ("a", Value::from(u64::MAX)),
            ],
        ),
    ] {
        let template = Template::parse(template).unwrap();
        let mut key = String::new();
        let allocated = measure(|| key = template.build(&values).unwrap());
        assert_eq!(allocated.count_total, 1, "{template}");
        assert_eq!(key.capacity(), key.len(), "{template}");
    }
}

#[test]
fn reading_text_allocates_nothing() {
    let template = Template::parse("REGION#<a>#<b>#<c>#<d>").unwrap();
    let key = "REGION#eu-central-1#tenant001#customer-4711#01HX7MBJK3V9WQBZ7XNDK5ZT2M";
    let allocated = measure(|| {
        let parsed = template.parse_key(key).unwrap();
        assert_eq!(parsed.get("d").and_then(Value::as_text), Some("01HX7MBJK3V9WQBZ7XNDK5ZT2M"));
    });
    assert_eq!(allocated.count_total, 0);
}
