//! The test vectors, which other languages read too: `scripts/key-vectors` writes them without this crate.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../examples/compat/calls.rs"]
mod calls;

use std::collections::BTreeMap;

use keywright_key::{Encoding, Template, encoding_names, shard_of};
use serde::Deserialize;

#[derive(Deserialize)]
struct Key {
    template: String,
    values: BTreeMap<String, String>,
    key: String,
}

#[derive(Deserialize)]
struct Refused {
    template: String,
    values: BTreeMap<String, String>,
    reason: String,
}

#[derive(Deserialize)]
struct Shard {
    text: String,
    count: u32,
    shard: u32,
}

#[derive(Deserialize)]
struct Call {
    function: String,
    arguments: Vec<serde_json::Value>,
    result: serde_json::Value,
}

fn read<T: for<'de> Deserialize<'de>>(text: &str) -> Vec<T> {
    serde_json::from_str(text).unwrap()
}

/// Whether the crate was built with what the template needs.
#[allow(clippy::match_like_matches_macro, reason = "that would do only where all features are off")]
fn is_supported(template: &Template) -> bool {
    template.placeholders().all(|place| match place.encoding() {
        Encoding::Ulid(_) => cfg!(feature = "ulid"),
        Encoding::Uuid(_) => cfg!(feature = "uuid"),
        Encoding::Ksuid(_) => cfg!(feature = "ksuid"),
        _ => true,
    })
}

#[test]
fn keys_are_built_and_read_as_the_vectors_say() {
    for vector in read::<Key>(include_str!("../vectors/keys.json")) {
        let template = Template::parse(&vector.template).unwrap();
        if !is_supported(&template) {
            continue;
        }
        let built = template.build_from_text(|name| vector.values.get(name).map(String::as_str));
        assert_eq!(built.unwrap(), vector.key, "{} {:?}", vector.template, vector.values);
        let parsed = template.parse_key(&vector.key).unwrap();
        for place in template.placeholders() {
            let is_whole =
                template.placeholders().any(|p| p.name() == place.name() && !p.encoding().is_lossy());
            if is_whole {
                let given = place.encoding().read(&vector.values[place.name()]).unwrap();
                let read = parsed.get(place.name()).unwrap();
                // A bucket's reader takes also instants: only whole places compare.
                if !place.encoding().is_lossy() {
                    assert_eq!(*read, given, "{}", vector.key);
                }
            }
        }
    }
}

#[test]
fn every_encoding_has_vectors() {
    let used: Vec<String> = read::<Key>(include_str!("../vectors/keys.json"))
        .iter()
        .flat_map(|vector| {
            let template = Template::parse(&vector.template).unwrap();
            template.placeholders().map(|place| place.encoding().to_string()).collect::<Vec<_>>()
        })
        .collect();
    for name in encoding_names() {
        let letters = name.trim_end_matches("N.S").trim_end_matches('N');
        let is_used = |encoding: &String| {
            let list = encoding.split('(').next().unwrap_or_default();
            list.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.') == letters
        };
        assert!(used.iter().any(is_used), "{name} has no vector");
    }
}

#[test]
fn what_the_vectors_refuse_is_refused() {
    for vector in read::<Refused>(include_str!("../vectors/refused.json")) {
        let template = Template::parse(&vector.template).unwrap();
        let built = template.build_from_text(|name| vector.values.get(name).map(String::as_str));
        assert!(built.is_err(), "{} {:?}: {}", vector.template, vector.values, vector.reason);
    }
}

#[test]
fn shards_are_those_of_the_vectors() {
    for vector in read::<Shard>(include_str!("../vectors/shards.json")) {
        assert_eq!(shard_of(&vector.text, vector.count), vector.shard, "{:?}", vector.text);
    }
}

#[test]
fn compat_answers_as_the_vectors_say() {
    for vector in read::<Call>(include_str!("../vectors/compat.json")) {
        let mut result = calls::call(&vector.function, &vector.arguments).unwrap();
        // JSON has one kind of number: 3 and 3.0 are the same version.
        if let (Some(a), Some(b)) = (result.as_f64(), vector.result.as_f64())
            && a == b
        {
            result = vector.result.clone();
        }
        assert_eq!(result, vector.result, "{}({:?})", vector.function, vector.arguments);
    }
}
