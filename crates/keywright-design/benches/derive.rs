//! How long deriving takes, how much memory, and how large the space is that it proves the optimum of.
//!
//! `cargo bench -p keywright-design` prints one line per size: the time of the whole derivation (resolve, candidates,
//! search, emission and decisions), the peak memory of the process so far, the candidates and plans per pattern, so that
//! speed bought by dropping candidates would show, and how time and space grew from the size before.

#![allow(clippy::print_stdout, reason = "a bench prints what it measured")]

mod generated;
#[path = "../tests/support/mod.rs"]
mod support;

use std::time::{Duration, Instant};

use keywright_design::{Options, design};
use keywright_dynamodb::Money;

/// Entities, patterns, and the longest that deriving them may take.
const SIZES: [(usize, usize, Duration); 7] = [
    (7, 36, Duration::from_millis(10)),
    (28, 140, Duration::from_secs(1)),
    (49, 250, Duration::from_secs(1)),
    (100, 500, Duration::from_secs(1)),
    (100, 1_000, Duration::from_secs(10)),
    (400, 4_000, Duration::from_secs(10)),
    (1_000, 10_000, Duration::from_secs(10)),
];

/// Runs of one size; the fastest counts, as the one that was disturbed least.
const RUNS: u32 = 3;

fn main() {
    // A test run builds this and wants it quick; `--only N` runs the first N sizes.
    let arguments: Vec<String> = std::env::args().collect();
    let value = |name: &str| {
        let at = arguments.iter().position(|it| it == name)?;
        arguments.get(at + 1)?.parse::<usize>().ok()
    };
    let sizes =
        if arguments.iter().any(|it| it == "--test") { 1 } else { value("--only").unwrap_or(SIZES.len()) };
    println!(
        "{:>9} {:>9} {:>10} {:>9} {:>12} {:>12} {:>9} {:>10} {:>8}",
        "entities", "patterns", "time", "memory", "candidates/p", "plans/p", "indexes", "gap", "growth"
    );
    let mut before: Option<(f64, usize)> = None;
    for (entities, patterns, most) in SIZES.into_iter().take(sizes) {
        let model = generated::model(entities, patterns);
        let (entities, patterns) = (model.0.entities.len(), model.0.patterns.len());
        let options = Options::default();
        let mut fastest = Duration::MAX;
        let mut outcome = None;
        for _ in 0..RUNS {
            let started = Instant::now();
            let found = design(&model.0, &options);
            fastest = fastest.min(started.elapsed());
            outcome = Some(found);
            if fastest > Duration::from_secs(5) {
                break;
            }
        }
        let outcome = outcome.expect("at least one run");
        let Some(design) = &outcome.design else {
            let messages: Vec<&str> = outcome.findings.iter().map(|it| it.message.as_str()).collect();
            panic!("{entities} entities and {patterns} patterns have no design: {messages:#?}");
        };
        let proven = outcome.proven.expect("a design comes with what is known of the optimum");
        let space = outcome.space;
        let per = |number: usize| format!("{:.1}", number as f64 / patterns as f64);
        let seconds = fastest.as_secs_f64();
        let growth = before.map_or(String::new(), |(time, size)| {
            format!("{:.2}x/{:.2}x", seconds / time, patterns as f64 / size as f64)
        });
        before = Some((seconds, patterns));
        let gap = if proven.gap == Money::ZERO { "optimal".to_owned() } else { proven.gap.in_cents() };
        println!(
            "{entities:>9} {patterns:>9} {:>7.2} ms {:>6} MB {:>12} {:>12} {:>9} {gap:>10} {growth:>8}{}",
            seconds * 1e3,
            peak_megabytes(),
            per(space.candidates),
            per(space.plans),
            design.indexes.len(),
            if fastest > most { "  TOO SLOW" } else { "" },
        );
    }
}

/// The most memory that the process held so far, where the system says.
fn peak_megabytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) / 1024
}
