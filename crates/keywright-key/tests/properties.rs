//! What must hold for every value: order, round trip, prefixes, ranges and tenants. Each property runs ten thousand cases.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::cmp::Ordering;
use std::ops::Bound;

use keywright_key::{
    Bucket, Date, Decimal, Encoding, Instant, SeparatorPolicy, SortKey, Template, Tenant, TenantTemplate,
    Value, Version, VersionedTemplate, compat, item_id, split_item_id,
};
use proptest::prelude::*;

const CASES: u32 = 10_000;

fn cases() -> ProptestConfig {
    ProptestConfig { cases: CASES, failure_persistence: None, ..ProptestConfig::default() }
}

/// Text that tries to break keys: separators, versions, escapes, control characters, emoji, nothing at all, and texts
/// that are prefixes of each other.
fn hostile_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => prop::sample::select(vec![
            "#", "@", "$", "$Z", "$_", "$a", "##", "!", "\"", " ", "%", "\0", "\u{1}", "\t", "\n", "\u{7f}", "a", "b", "A",
            "0", "1", "t1", "t10", "ORDER", "ORDER_ITEM", "ITEM#", "é", "😀", "\u{10ffff}", "\u{80}", "~", ":", "::",
            "@0000000001", "-", "_", "?", "??", "?A",
        ]).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..5).prop_map(|pieces| pieces.concat())
}

fn integer(digits: u32) -> impl Strategy<Value = i128> {
    let most = 10i128.pow(digits) - 1;
    prop_oneof![Just(0), Just(1), Just(most), Just(most - 1), 0..=most, 0..=most.min(100)]
}

fn signed(digits: u32) -> impl Strategy<Value = i128> {
    (integer(digits), any::<bool>()).prop_map(|(value, negative)| if negative { -value } else { value })
}

fn instant(unit_nanos: u32, least: Instant) -> impl Strategy<Value = Instant> {
    let (first, last) = (least.unix_seconds(), Instant::MAX.unix_seconds());
    let seconds = prop_oneof![
        Just(first),
        Just(last),
        Just(0),
        Just(1),
        first..=last,
        1_700_000_000i64..1_700_000_100,
    ];
    (seconds, 0..1_000_000_000 / unit_nanos)
        .prop_map(move |(seconds, units)| Instant::from_unix(seconds, units * unit_nanos).unwrap())
}

fn date() -> impl Strategy<Value = Date> {
    instant(1_000_000_000, Instant::MIN).prop_map(Instant::date)
}

fn float() -> impl Strategy<Value = f64> {
    prop_oneof![
        prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL | prop::num::f64::ZERO | prop::num::f64::NEGATIVE,
        prop::sample::select(vec![
            0.0,
            -0.0,
            f64::MAX,
            f64::MIN,
            f64::MIN_POSITIVE,
            -f64::MIN_POSITIVE,
            5e-324,
            -5e-324
        ]),
        (-100i32..100).prop_map(|whole| f64::from(whole) / 4.0),
    ]
    .prop_filter("finite", |value| value.is_finite())
}

/// Values of one encoding. Text is tested apart, since its place in the template matters.
fn values_of(encoding: &'static str) -> BoxedStrategy<Value<'static>> {
    let name = encoding.replace("desc", "");
    match name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.') {
        "pad" | "" => integer(encoding.trim_matches(|c: char| c.is_alphabetic()).parse().unwrap())
            .prop_map(Value::Integer)
            .boxed(),
        "int" => signed(encoding.trim_matches(|c: char| c.is_alphabetic()).parse().unwrap())
            .prop_map(Value::Integer)
            .boxed(),
        "dec" => {
            let numbers = encoding.trim_matches(|c: char| c.is_alphabetic());
            let (digits, scale) = numbers.split_once('.').unwrap();
            let (digits, scale): (u32, u8) = (digits.parse().unwrap(), scale.parse().unwrap());
            signed(digits).prop_map(move |units| Value::Decimal(Decimal::new(units, scale).unwrap())).boxed()
        }
        "float" => float().prop_map(Value::Float).boxed(),
        "bool" => any::<bool>().prop_map(Value::Bool).boxed(),
        "isos" => instant(1_000_000_000, Instant::MIN).prop_map(Value::Instant).boxed(),
        "iso" => instant(1_000_000, Instant::MIN).prop_map(Value::Instant).boxed(),
        "isou" => instant(1_000, Instant::MIN).prop_map(Value::Instant).boxed(),
        "epochs" => instant(1_000_000_000, Instant::EPOCH).prop_map(Value::Instant).boxed(),
        "epochms" => instant(1_000_000, Instant::EPOCH).prop_map(Value::Instant).boxed(),
        "date" => date().prop_map(Value::Date).boxed(),
        "ulid" => prop_oneof![any::<u128>(), Just(0), Just(u128::MAX)].prop_map(Value::Ulid).boxed(),
        "uuid" => prop_oneof![any::<u128>(), Just(0), Just(u128::MAX)].prop_map(Value::Uuid).boxed(),
        "ksuid" => {
            prop_oneof![any::<[u8; 20]>(), Just([0; 20]), Just([255; 20])].prop_map(Value::Ksuid).boxed()
        }
        other => panic!("no values for {other}"),
    }
}

/// A pair of values keeps its order in bytes, and each reads back as itself.
fn keeps_order_and_reads_back(encoding: &'static str) {
    let encoder = Encoding::parse(encoding).unwrap();
    // In the middle of a key and at its end: order must hold in both.
    let middle = Template::parse(&format!("A#<v:{encoding}>#Z")).unwrap();
    let end = Template::parse(&format!("A#<v:{encoding}>")).unwrap();
    let mut runner = proptest::test_runner::TestRunner::new(cases());
    let outcome = runner.run(&(values_of(encoding), values_of(encoding)), |(a, b)| {
        let expected = match encoder.direction() {
            keywright_key::Direction::Ascending => a.compare(&b),
            keywright_key::Direction::Descending => b.compare(&a),
        };
        for template in [&middle, &end] {
            let key = |value: &Value<'static>| template.build(&[("v", value.clone())]).unwrap();
            let (key_a, key_b) = (key(&a), key(&b));
            prop_assert_eq!(Some(key_a.as_bytes().cmp(key_b.as_bytes())), expected);
            let parsed = template.parse_key(&key_a).unwrap();
            prop_assert_eq!(parsed.get("v"), Some(&a));
        }
        prop_assert_eq!(Some(encoder.encode(&a).unwrap().len()), encoder.width());
        Ok(())
    });
    outcome.unwrap_or_else(|failure| panic!("{encoding}: {failure}"));
}

macro_rules! order_and_round_trip {
    ($($test:ident: $($encoding:literal),+;)*) => {
        $(#[test]
        fn $test() {
            $(keeps_order_and_reads_back($encoding);)+
        })*
    };
}

order_and_round_trip! {
    unsigned: "pad1", "pad6", "pad20", "pad38", "desc6", "desc38";
    signed_numbers: "int1", "int6", "int37", "intdesc6", "intdesc37";
    decimals: "dec6.2", "dec37.37", "dec5.0", "decdesc6.2", "decdesc37.10";
    floats: "float", "floatdesc";
    booleans: "bool", "booldesc";
    instants: "iso", "isodesc", "isos", "isosdesc", "isou", "isoudesc";
    epochs: "epochs", "epochsdesc", "epochms", "epochmsdesc";
    dates: "date", "datedesc";
}

#[cfg(all(feature = "ulid", feature = "uuid", feature = "ksuid"))]
order_and_round_trip! {
    ids: "ulid", "uliddesc", "uuid", "uuiddesc", "ksuid", "ksuiddesc";
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn text_keeps_order_and_reads_back(a in hostile_text(), b in hostile_text(), c in hostile_text(), d in hostile_text()) {
        let template = Template::parse("A#<x>#<y>").unwrap();
        let key = |x: &str, y: &str| template.build(&[("x", Value::from(x)), ("y", Value::from(y))]).unwrap();
        let (first, second) = (key(&a, &b), key(&c, &d));
        // The order of keys is the order of the texts, one after the other.
        prop_assert_eq!(first.cmp(&second), (&a, &b).cmp(&(&c, &d)));
        let parsed = template.parse_key(&first).unwrap();
        prop_assert_eq!(parsed.get("x"), Some(&Value::from(a)));
        prop_assert_eq!(parsed.get("y"), Some(&Value::from(b)));
        // A value never changes the shape: there are as many separators as in the template.
        prop_assert_eq!(first.matches('#').count(), 2);
    }

    #[test]
    fn what_is_read_is_what_is_built(key in hostile_text()) {
        for text in ["<x>", "<x>#<y>", "<x>@<v:pad10>", "ORDER#<x>", "<x>#ITEM#<y>", "<n:int1><x>", "<f:bool>#<x>"] {
            let template = Template::parse(text).unwrap();
            if let Ok(parsed) = template.parse_key(&key) {
                prop_assert_eq!(template.build(&parsed).unwrap(), key.clone());
            }
        }
    }

    #[test]
    fn rejecting_is_an_error_or_the_same_key(a in hostile_text(), b in hostile_text(), c in hostile_text(), d in hostile_text()) {
        let template = Template::parse("A#<x>#<y>").unwrap().with_policy(SeparatorPolicy::Reject);
        let key = |x: &str, y: &str| template.build(&[("x", Value::from(x)), ("y", Value::from(y))]);
        prop_assert_eq!(key(&a, &b).is_err(), a.bytes().any(|byte| byte <= b'$') || b.contains(['#', '$']));
        if let (Ok(first), Ok(second)) = (key(&a, &b), key(&c, &d)) {
            prop_assert_eq!(first.cmp(&second), (&a, &b).cmp(&(&c, &d)));
            prop_assert_eq!(first, format!("A#{a}#{b}"));
        }
    }

    #[test]
    fn another_separator_refuses_and_keeps_order(a in hostile_text(), b in hostile_text(), c in hostile_text(), d in hostile_text()) {
        let template = Template::parse("A::<x>::<y>").unwrap().with_separator("::").unwrap();
        let key = |x: &str, y: &str| template.build(&[("x", Value::from(x)), ("y", Value::from(y))]);
        prop_assert_eq!(key(&a, &b).is_err(), [&a, &b].iter().any(|text| text.bytes().any(|byte| byte <= b':')));
        if let (Ok(first), Ok(second)) = (key(&a, &b), key(&c, &d)) {
            prop_assert_eq!(first.cmp(&second), (&a, &b).cmp(&(&c, &d)));
            let parsed = template.parse_key(&first).unwrap();
            prop_assert_eq!(parsed.get("y"), Some(&Value::from(b)));
        }
    }

    #[test]
    fn a_prefix_contains_exactly_its_keys(x in hostile_text(), y in hostile_text(), other in hostile_text()) {
        let template = Template::parse("ORDER#<x>#ITEM#<y>").unwrap();
        let key = |x: &str, y: &str| template.build(&[("x", Value::from(x)), ("y", Value::from(y))]).unwrap();
        let prefix = template.prefix(&[("x", Value::from(x.as_str()))]).unwrap();
        prop_assert!(prefix.ends_with('#'));
        prop_assert!(key(&x, &y).starts_with(&prefix));
        prop_assert_eq!(key(&other, &y).starts_with(&prefix), other == x);
        // The start of a text selects exactly the texts that begin so.
        let start = template.prefix_of_text(&(), &x).unwrap();
        prop_assert_eq!(key(&other, &y).starts_with(&start), other.starts_with(&x));
        let start = template.prefix_of_text(&[("x", Value::from("k"))], &x).unwrap();
        prop_assert_eq!(key("k", &other).starts_with(&start), other.starts_with(&x));
    }

    #[test]
    fn a_range_of_text_contains_exactly_its_keys(
        low in hostile_text(), high in hostile_text(), x in hostile_text(), y in hostile_text(),
    ) {
        let middle = Template::parse("P#<x>#<y>").unwrap();
        let end = Template::parse("P#<y>#<x>").unwrap();
        let value = |text: &str| Value::from(text.to_owned());
        let given = [("y", value(&y))];
        let values = [("x", value(&x)), ("y", value(&y))];
        for (template, given) in [(&middle, &[][..]), (&end, &given[..])] {
            let key = template.build(&values).unwrap();
            let other = template.build(&[("x", value(&x)), ("y", value("another"))]).unwrap();
            let inclusive = template.range(given, value(&low)..=value(&high));
            prop_assert_eq!(inclusive.is_err(), low > high);
            if let Ok(range) = inclusive {
                prop_assert_eq!(range.contains(&key), low <= x && x <= high);
                if !given.is_empty() && y != "another" {
                    prop_assert!(!range.contains(&other));
                }
            }
            prop_assert_eq!(template.range(given, value(&low)..).unwrap().contains(&key), low <= x);
            prop_assert_eq!(template.range(given, ..=value(&high)).unwrap().contains(&key), x <= high);
            let above = (Bound::Excluded(value(&low)), Bound::Unbounded);
            prop_assert_eq!(template.range(given, above).unwrap().contains(&key), low < x);
            prop_assert!(template.range(given, ..).unwrap().contains(&key));
        }
        prop_assert_eq!(middle.range(&(), ..value(&high)).unwrap().contains(&middle.build(&values).unwrap()), x < high);
    }

    #[test]
    fn a_range_of_numbers_contains_exactly_its_keys(low in signed(3), high in signed(3), n in signed(3), y in hostile_text()) {
        for (text, is_last) in [
            ("P#<n:int3>#<y>", false), ("P#<n:intdesc3>#<y>", false), ("P#<y>#<n:int3>", true), ("P#<y>#<n:intdesc3>", true),
        ] {
            let template = Template::parse(text).unwrap();
            let values = [("n", Value::Integer(n)), ("y", Value::from(y.as_str()))];
            let given = if is_last { &values[1..] } else { &values[..0] };
            let key = template.build(&values).unwrap();
            let (from, to) = (Value::Integer(low), Value::Integer(high));
            for (range, expected, is_empty) in [
                (template.range(given, from.clone()..=to.clone()), low <= n && n <= high, low > high),
                (template.range(given, from.clone()..to.clone()), low <= n && n < high, low >= high),
                (template.range(given, from.clone()..), low <= n, false),
                (template.range(given, ..to.clone()), n < high, false),
                (template.range(given, ..=to), n <= high, false),
                (template.range(given, (Bound::Excluded(from), Bound::Unbounded)), low < n, false),
            ] {
                match range {
                    Ok(range) => prop_assert_eq!(range.contains(&key), expected, "{} {:?} {}", text, range, key),
                    Err(_) => prop_assert!(is_empty),
                }
            }
        }
    }

    #[test]
    fn buckets_keep_what_they_keep(a in instant(1, Instant::MIN), b in instant(1, Instant::MIN)) {
        for name in ["y", "ym", "ymd", "ymdh"] {
            let encoding = Encoding::parse(name).unwrap();
            let Encoding::Bucket(size) = encoding else { unreachable!() };
            let (key_a, key_b) = (encoding.encode(&a.into()).unwrap(), encoding.encode(&b.into()).unwrap());
            prop_assert_eq!(key_a.cmp(&key_b), Bucket::of(a, size).cmp(&Bucket::of(b, size)));
            if a < b {
                prop_assert!(key_a <= key_b);
            }
            prop_assert_eq!(encoding.decode(&key_a).unwrap(), Value::Bucket(Bucket::of(a, size)));
            prop_assert!(a.to_string().starts_with(&key_a));
        }
    }

    #[test]
    fn a_shard_is_one_of_its_number(text in hostile_text(), count in 1u32..2000) {
        let encoding = Encoding::Shard { count };
        let key = encoding.encode(&Value::from(text.as_str())).unwrap();
        prop_assert_eq!(Some(key.len()), encoding.width());
        prop_assert_eq!(encoding.decode(&key).unwrap(), Value::Shard(keywright_key::shard_of(&text, count)));
        prop_assert_eq!(encoding.encode(&encoding.decode(&key).unwrap()).unwrap(), key);
    }

    #[test]
    fn enumerations_sort_as_they_say(a in 0usize..12, b in 0usize..12) {
        let names = ["OPEN", "PAID", "a#b", "SENT", "x y", "zoë", "0", "Z", "b", "c", "d", "e"];
        let list = names.join(",");
        let by_name = names[a].cmp(names[b]);
        for (name, expected) in [
            ("enum", a.cmp(&b)), ("enumdesc", b.cmp(&a)), ("enumname", by_name), ("enumnamedesc", by_name.reverse()),
        ] {
            let template = Template::parse(&format!("S#<s:{name}({list})>#<id>")).unwrap();
            let key = |name: &str| template.build(&[("s", Value::from(name)), ("id", Value::from(""))]).unwrap();
            prop_assert_eq!(key(names[a]).cmp(&key(names[b])), expected);
            let built = key(names[a]);
            let parsed = template.parse_key(&built).unwrap();
            prop_assert_eq!(parsed.get("s"), Some(&Value::from(names[a])));
        }
    }

    #[test]
    fn what_does_not_fit_is_an_error(digits in 1u8..=20, beyond in 0i128..1000) {
        let most = 10i128.pow(digits.into()) - 1;
        for (encoding, value) in [
            (format!("pad{digits}"), most + 1 + beyond), (format!("desc{digits}"), most + 1 + beyond),
            (format!("pad{digits}"), -1 - beyond), (format!("int{digits}"), most + 1 + beyond),
            (format!("int{digits}"), -most - 1 - beyond), (format!("intdesc{digits}"), -most - 1 - beyond),
            (format!("dec{digits}.0"), most + 1 + beyond), (format!("decdesc{digits}.1"), most + 1 + beyond),
        ] {
            prop_assert!(Encoding::parse(&encoding).unwrap().encode(&Value::Integer(value)).is_err(), "{}", encoding);
        }
    }

    #[test]
    fn excess_precision_is_an_error(at in instant(1, Instant::EPOCH)) {
        for (name, unit) in [("isos", 1_000_000_000), ("iso", 1_000_000), ("isou", 1_000), ("epochs", 1_000_000_000), ("epochms", 1_000_000)] {
            let encoded = Encoding::parse(name).unwrap().encode(&at.into());
            prop_assert_eq!(encoded.is_ok(), at.subsec_nanos() % unit == 0);
        }
    }

    #[test]
    fn a_range_of_buckets_contains_exactly_the_buckets_of_its_times(
        low in 0i64..400 * 24, length in 1i64..100 * 24, time in -30 * 24i64..530 * 24, minutes in 0i64..60,
        size in prop::sample::select(vec!["y", "ym", "ymd", "ymdh"]),
    ) {
        let hours = |hours: i64, minutes: i64| Instant::from_unix((hours * 60 + minutes) * 60, 0).unwrap();
        let at = |time| Value::from(time);
        let start = 53 * 365 * 24;
        let (low, high, time) = (hours(start + low, 0), hours(start + low + length, minutes), hours(start + time, minutes));
        let template = Template::parse(&format!("LOG#<at:{size}>#<id>")).unwrap();
        let Encoding::Bucket(size) = *template.placeholders().next().unwrap().encoding() else { unreachable!() };
        let key = template.build(&[("at", at(time)), ("id", Value::from("e1"))]).unwrap();
        let bucket = Bucket::of(time, size);
        for (low_bound, high_bound) in [
            (Bound::Included(low), Bound::Included(high)),
            (Bound::Included(low), Bound::Excluded(high)),
            (Bound::Excluded(low), Bound::Excluded(high)),
        ] {
            let range = template.range(&(), (low_bound.map(at), high_bound.map(at))).unwrap();
            let begins_before_end = match high_bound {
                Bound::Excluded(high) => bucket.start() < high,
                _ => bucket.start() <= high,
            };
            // A bucket that holds the lower bound holds a later time too: none is as short as the time between two.
            prop_assert_eq!(range.contains(&key), bucket >= Bucket::of(low, size) && begins_before_end);
        }
    }

    #[test]
    fn tenants_never_meet(
        one in hostile_text(), other in hostile_text(), id in hostile_text(), other_id in hostile_text(), part in hostile_text(),
    ) {
        let (Some(one), Some(other)) = (Tenant::new(one), Tenant::new(other)) else { return Ok(()) };
        prop_assume!(one != other);
        // Every shape in which a tenant stands, all in one table: keys of different templates may meet too.
        let templates = ["E#<t>", "E#<t>#<id>", "E#<t>#<part>#<id>", "<t>#<id>", "E#<t>#ITEM#<id>", "E#<t>#<id:shard4>"]
            .map(|text| TenantTemplate::new(Template::parse(text).unwrap(), "t").unwrap());
        for policy in [SeparatorPolicy::Escape, SeparatorPolicy::Reject] {
            let templates = templates.clone().map(|t| {
                TenantTemplate::new(t.template().clone().with_policy(policy), "t").unwrap()
            });
            let ours = [("id", Value::from(id.as_str())), ("part", Value::from(part.as_str()))];
            let theirs = [("id", Value::from(other_id.as_str())), ("part", Value::from(part.as_str()))];
            for mine in &templates {
                for foreign in templates.iter().filter(|t| t.template().leading_literal() == mine.template().leading_literal()) {
                    let Ok(foreign_key) = foreign.build(&other, &theirs) else { continue };
                    if let Ok(key) = mine.build(&one, &ours) {
                        prop_assert_ne!(&key, &foreign_key);
                        prop_assert_eq!(&mine.tenant_of(&key).unwrap(), &one);
                    }
                    for given in [&ours[..0], &ours[..1], &ours[1..], &ours[..]] {
                        if let Ok(prefix) = mine.prefix(&one, given) {
                            prop_assert!(!foreign_key.starts_with(&prefix), "{} {}", prefix, foreign_key);
                        }
                        if let Ok(range) = mine.range(&one, given, ..) {
                            prop_assert!(!range.contains(&foreign_key), "{:?} {}", range, foreign_key);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_history_is_one_items_versions(
        a in hostile_text(), b in hostile_text(), x in 0u64..=9_999_999_999, y in 0u64..=9_999_999_999,
    ) {
        let (x, y) = (Version::new(x).unwrap(), Version::new(y).unwrap());
        for text in ["<id>", "ORDER#<id>", "<part>#<id>"] {
            let template = VersionedTemplate::new(Template::parse(text).unwrap()).unwrap();
            let of = |id: &str| [("id", Value::from(id.to_owned())), ("part", Value::from("p@0000000001"))];
            let (values, others) = (of(&a), of(&b));
            // A key is never empty, so an empty id alone has none.
            let (Ok(base), Ok(_)) = (template.base(&values), template.base(&others)) else { continue };
            let (key, later) = (template.at(&values, x).unwrap(), template.at(&values, y).unwrap());
            // The newest is the last.
            prop_assert_eq!(key.cmp(&later), x.cmp(&y));
            let history = template.history(&values).unwrap();
            prop_assert!(history.contains(&key) && !history.contains(&base));
            prop_assert_eq!(history.contains(&template.at(&others, y).unwrap()), a == b);
            let (parsed, version) = template.parse_key(&key).unwrap();
            prop_assert_eq!(parsed.get("id"), Some(&Value::from(a.as_str())));
            prop_assert_eq!(version, Some(x));
            prop_assert_eq!(template.parse_key(&base).unwrap().1, None);
            // What the template builds, the plain sort key reads.
            prop_assert_eq!(SortKey::parse(&key).unwrap().version(), Some(x));
            prop_assert_eq!(SortKey::parse(&key).unwrap().base(), &base);
            prop_assert!(!base.contains('@'));
            prop_assert_eq!(compat::remove_sort_key_version(&key), base);
        }
    }

    #[test]
    fn text_in_front_of_the_last_keeps_its_order_under_versions(a in hostile_text(), b in hostile_text()) {
        let template = VersionedTemplate::new(Template::parse("<part>#<id>").unwrap()).unwrap();
        let at = |part: &str| {
            let values = [("part", Value::from(part.to_owned())), ("id", Value::from("i"))];
            template.at(&values, Version::FIRST)
        };
        if let (Ok(first), Ok(second)) = (at(&a), at(&b)) {
            prop_assert_eq!(a.cmp(&b), first.cmp(&second));
            let (parsed, _) = template.parse_key(&first).unwrap();
            prop_assert_eq!(parsed.get("part"), Some(&Value::from(a.as_str())));
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in prop_oneof![
        hostile_text(),
        "[-+]?[0-9]{0,60}([.][0-9]{0,60})?([eE][-+]?[0-9]{0,9})?",
        "[0-9]{0,12}-[0-9]{1,3}-[0-9]{1,3}(T[0-9]{1,3}:[0-9]{1,3}(:[0-9]{1,3}([.][0-9]{0,12})?)?)?(Z|[+-][0-9:]{1,8})?",
    ]) {
        for name in [
            "pad1", "desc38", "int37", "intdesc1", "dec37.37", "decdesc37.0", "dec5.2", "float", "floatdesc", "bool", "iso",
            "isosdesc", "isou", "epochs", "epochmsdesc", "date", "datedesc", "y", "ym", "ymd", "ymdh", "shard7", "enum(A,B)",
        ] {
            let encoding = Encoding::parse(name).unwrap();
            if let Ok(value) = encoding.read(&text) {
                let written = encoding.encode(&value);
                prop_assert!(written.is_err() || encoding.decode(&written.unwrap()).is_ok(), "{} {}", name, text);
            }
            let _ = encoding.decode(&text);
        }
        let _ = (text.parse::<Decimal>(), Instant::parse(&text), Date::parse(&text), SortKey::parse(&text));
    }

    #[test]
    fn an_id_has_one_key(pk in hostile_text(), sk in hostile_text(), other_pk in hostile_text(), other_sk in hostile_text()) {
        let id = item_id(&pk, &sk);
        prop_assert_eq!(split_item_id(&id).unwrap(), (pk.as_str().into(), sk.as_str()));
        let same = item_id(&other_pk, &other_sk) == id;
        prop_assert_eq!(same, pk == other_pk && sk == other_sk);
    }

    #[test]
    fn templates_compare_as_their_keys_do(
        texts in prop::collection::vec(prop::sample::select(vec![
            "A", "AB", "A#", "A#<x>", "A#<x>#<y>", "A#<x>#B", "<x>", "<x>#<y>", "A#<n:pad2>", "A#<n:pad2>#<x>", "A<x>",
            "A#<n:int1>", "A@<x>", "#A#<x>", "~A#<x>", "A#<x:bool>", "A#<s:enum(P,Q)>", "A#<x>@<n:pad2>",
        ]), 2),
        x in hostile_text(), y in hostile_text(), n in 0i128..10, p in hostile_text(), q in hostile_text(),
    ) {
        let [a, b] = [texts[0], texts[1]].map(|text| Template::parse(text).unwrap());
        let of = |template: &Template, x: &str, y: &str| -> Option<String> {
            let values = [
                ("x", if template.as_str().contains("x:bool") { Value::Bool(n > 5) } else { Value::from(x) }),
                ("y", Value::from(y)), ("n", Value::Integer(n)), ("s", Value::from("P")),
            ];
            template.build(&values).ok()
        };
        let (Some(key_a), Some(key_b)) = (of(&a, &x, &y), of(&b, &p, &q)) else { return Ok(()) };
        if key_a == key_b {
            prop_assert!(a.may_collide(&b));
        }
        if key_b.starts_with(a.leading_literal()) {
            prop_assert!(a.contains(&b));
        }
        match a.order(&b) {
            keywright_key::KeyOrder::Before => prop_assert_eq!(key_a.cmp(&key_b), Ordering::Less),
            keywright_key::KeyOrder::After => prop_assert_eq!(key_a.cmp(&key_b), Ordering::Greater),
            keywright_key::KeyOrder::Same => prop_assert_eq!(key_a, key_b),
            keywright_key::KeyOrder::Mixed => {}
        }
    }
}

#[test]
fn minus_zero_and_zero_are_one_key() {
    let float = Encoding::parse("float").unwrap();
    assert_eq!(float.encode(&Value::Float(-0.0)).unwrap(), float.encode(&Value::Float(0.0)).unwrap());
    assert!(float.encode(&Value::Float(f64::NAN)).is_err());
    assert!(float.encode(&Value::Float(f64::INFINITY)).is_err());
    // A text that only -0 or an infinity would have is no key.
    assert!(float.decode("7fffffffffffffff").is_err());
    assert!(float.decode("fff0000000000000").is_err());
}
