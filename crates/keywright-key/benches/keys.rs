//! Keys by template against the same keys by hand, as ratios of one run: at most 1.0 is the target.
//!
//! Each pair is measured in turns, many times over, and the best time of each counts: what else the machine does can
//! only make a round slower.

use std::hint::black_box;
use std::time::{Duration, Instant};

use keywright_key::{Template, Value};

const ROUNDS: usize = 200;
const CALLS: u32 = 2_000;

/// Nanoseconds per call, the best round of each.
fn race(mut ours: impl FnMut(), mut theirs: impl FnMut()) -> (f64, f64) {
    let (mut best_ours, mut best_theirs) = (Duration::MAX, Duration::MAX);
    for _ in 0..ROUNDS {
        best_ours = best_ours.min(round(&mut ours));
        best_theirs = best_theirs.min(round(&mut theirs));
    }
    let nanos = |time: Duration| time.as_nanos() as f64 / f64::from(CALLS);
    (nanos(best_ours), nanos(best_theirs))
}

fn round(call: &mut impl FnMut()) -> Duration {
    let start = Instant::now();
    for _ in 0..CALLS {
        call();
    }
    start.elapsed()
}

#[allow(clippy::print_stdout, reason = "a bench reports by printing")]
fn report(name: &str, (ours, theirs): (f64, f64)) {
    println!("{name:<46} {ours:>7.1} ns  against {theirs:>7.1} ns   ratio {:.2}", ours / theirs);
}

/// A key as `modyne` and its like build it: an input struct, turned into both parts by hand.
struct OrderKey<'a> {
    tenant: &'a str,
    customer: &'a str,
    order: &'a str,
    score: u32,
}

struct Primary {
    hash: String,
    range: String,
}

impl From<OrderKey<'_>> for Primary {
    fn from(key: OrderKey<'_>) -> Self {
        Primary {
            hash: format!("TENANT#{}#CUSTOMER#{}", key.tenant, key.customer),
            range: format!("ORDER#{:08}#{}", key.score, key.order),
        }
    }
}

fn main() {
    let (tenant, customer, order, region) =
        ("tenant001", "customer-4711", "01HX7MBJK3V9WQBZ7XNDK5ZT2M", "eu-central-1");

    let four = Template::parse("<region>#<tenant>#<customer>#<order>").expect("the template is right");
    report(
        "build: four texts, format!",
        race(
            || {
                let values = [
                    ("region", Value::from(black_box(region))),
                    ("tenant", Value::from(black_box(tenant))),
                    ("customer", Value::from(black_box(customer))),
                    ("order", Value::from(black_box(order))),
                ];
                black_box(four.build(&values).expect("the values are right"));
            },
            || {
                let (region, tenant, customer, order) =
                    (black_box(region), black_box(tenant), black_box(customer), black_box(order));
                black_box(format!("{region}#{tenant}#{customer}#{order}"));
            },
        ),
    );

    let mixed = Template::parse("TENANT#<tenant>#SCORE#<score:pad8>#<order>").expect("the template is right");
    report(
        "build: prefix, text, number, text, format!",
        race(
            || {
                let values = [
                    ("tenant", Value::from(black_box(tenant))),
                    ("score", Value::from(black_box(4711u32))),
                    ("order", Value::from(black_box(order))),
                ];
                black_box(mixed.build(&values).expect("the values are right"));
            },
            || {
                let (tenant, score, order) = (black_box(tenant), black_box(4711u32), black_box(order));
                black_box(format!("TENANT#{tenant}#SCORE#{score:08}#{order}"));
            },
        ),
    );

    let hash = Template::parse("TENANT#<tenant>#CUSTOMER#<customer>").expect("the template is right");
    let range = Template::parse("ORDER#<score:pad8>#<order>").expect("the template is right");
    report(
        "build: both parts, hand-written From",
        race(
            || {
                let values = [
                    ("tenant", Value::from(black_box(tenant))),
                    ("customer", Value::from(black_box(customer))),
                ];
                black_box(hash.build(&values).expect("the values are right"));
                let values =
                    [("score", Value::from(black_box(4711u32))), ("order", Value::from(black_box(order)))];
                black_box(range.build(&values).expect("the values are right"));
            },
            || {
                let key = OrderKey {
                    tenant: black_box(tenant),
                    customer: black_box(customer),
                    order: black_box(order),
                    score: black_box(4711),
                };
                let primary = Primary::from(key);
                black_box((primary.hash, primary.range));
            },
        ),
    );

    let key = format!("{region}#{tenant}#{customer}#{order}");
    report(
        "parse: four texts, split and collect",
        race(
            || {
                let parsed = four.parse_key(black_box(&key)).expect("the key is right");
                black_box(parsed.get("order"));
            },
            || {
                let parts: Vec<String> = black_box(&key).split('#').map(str::to_owned).collect();
                black_box(&parts[3]);
            },
        ),
    );
    report(
        "parse: four texts, split without any check",
        race(
            || {
                let parsed = four.parse_key(black_box(&key)).expect("the key is right");
                black_box(parsed.get("order"));
            },
            || {
                let parts: Vec<&str> = black_box(&key).split('#').collect();
                black_box(parts[3]);
            },
        ),
    );
}
