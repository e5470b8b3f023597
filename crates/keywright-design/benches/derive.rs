//! How long deriving takes, how much memory, and how large the space is that it proves the optimum of.
//!
//! `cargo bench -p keywright-design` prints one line per size: the time of the whole derivation (resolve, candidates,
//! search, emission and decisions) by the clock and on all processors together, the peak memory of the process so far,
//! the candidates and plans per pattern, so that speed bought by dropping candidates would show, how the time on
//! processors and the number of patterns grew from the size before, and below it what the proof does not cover.
//!
//! `-- --only N` runs the first N sizes, `-- --size ENTITIES PATTERNS` any other one; one entity is a wide one, with as
//! many lists as that. `-- --certificate` also writes the whole certificate down and checks it. `-- --unlimited` lets each take as long as it does, on a machine that has other things to do.

#![allow(clippy::print_stdout, reason = "a bench prints what it measured")]

mod generated;
#[path = "../tests/suite/support/mod.rs"]
mod support;

use std::time::{Duration, Instant};

use keywright_audit::audit;
use keywright_design::{CertificateTables, Options, Outcome, design};
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
/// Runs go on until they took so long together, so that their mean time on processors is more than a tick or two.
const WORTH_A_MEAN: Duration = Duration::from_millis(500);

fn main() {
    // A test run builds this and wants it quick.
    let arguments: Vec<String> = std::env::args().collect();
    let value = |name: &str, after: usize| {
        let at = arguments.iter().position(|it| it == name)?;
        arguments.get(at + after)?.parse::<usize>().ok()
    };
    let test = arguments.iter().any(|it| it == "--test");
    let certified = arguments.iter().any(|it| it == "--certificate");
    let unlimited = arguments.iter().any(|it| it == "--unlimited");
    let asked = value("--size", 1).zip(value("--size", 2));
    let sizes = match asked {
        Some((entities, patterns)) => vec![(entities, patterns, Duration::from_secs(10))],
        None => SIZES[..if test { 1 } else { value("--only", 1).unwrap_or(SIZES.len()) }].to_vec(),
    };
    println!(
        "{:>9} {:>9} {:>11} {:>11} {:>7} {:>12} {:>8} {:>8} {:>10}  growth",
        "entities", "patterns", "time", "processors", "memory", "candidates/p", "plans/p", "indexes", "gap"
    );
    let mut before: Option<(f64, usize)> = None;
    for (entities, patterns, most) in sizes {
        let model = match entities {
            1 => generated::wide(patterns.saturating_sub(2).max(1)),
            _ => generated::model(entities, patterns),
        };
        let (entities, patterns) = (model.0.entities.len(), model.0.patterns.len());
        // What can't be proven in the time that it may take shows its gap.
        let time_limit = (!unlimited).then(|| most.max(Duration::from_secs(1)));
        let certificate_tables = if certified { CertificateTables::Whole } else { CertificateTables::None };
        let options = Options { certificate_tables, time_limit, ..Options::default() };
        let mut fastest = Duration::MAX;
        let mut outcome = None;
        let (started, busy, mut runs) = (Instant::now(), processor_time(), 0);
        while runs < RUNS || started.elapsed() < WORTH_A_MEAN {
            // Nobody holds two designs at once.
            drop(outcome.take());
            let started = Instant::now();
            outcome = Some(design(&model.0, &options));
            fastest = fastest.min(started.elapsed());
            runs += 1;
            if test || fastest > Duration::from_secs(5) {
                break;
            }
        }
        let busy = (processor_time() - busy).as_secs_f64() / f64::from(runs);
        let outcome = outcome.expect("at least one run");
        let Some(design) = &outcome.design else {
            let messages: Vec<&str> = outcome.findings.iter().map(|it| it.message.as_str()).collect();
            panic!("{entities} entities and {patterns} patterns have no design: {messages:#?}");
        };
        let proven = outcome.proven.expect("a design comes with what is known of the optimum");
        let space = outcome.space;
        let per = |number: usize| format!("{:.1}", number as f64 / patterns as f64);
        let growth = before.map_or(String::new(), |(time, size)| {
            format!("{:.2}x/{:.2}x", busy / time, patterns as f64 / size as f64)
        });
        before = Some((busy, patterns));
        let gap = if proven.gap == Money::ZERO { "optimal".to_owned() } else { proven.gap.in_cents() };
        println!(
            "{entities:>9} {patterns:>9} {:>8.2} ms {:>8.2} ms {:>4} MB {:>12} {:>8} {:>8} {gap:>10}  {growth}{}",
            fastest.as_secs_f64() * 1e3,
            busy * 1e3,
            peak_megabytes(),
            per(space.candidates),
            per(space.plans),
            design.indexes.len(),
            if fastest > most { "  TOO SLOW" } else { "" },
        );
        for left in outcome.certificate.iter().flat_map(|it| &it.not_covered) {
            println!("{:>20} not covered: {left}", "");
        }
        if certified {
            check(&outcome);
        }
    }
}

/// Writes the certificate down and checks it: how large it is, and how long both take.
fn check(outcome: &Outcome) {
    let (Some(design), Some(certificate)) = (&outcome.design, &outcome.certificate) else { return };
    let started = Instant::now();
    let text = serde_json::to_string(certificate).expect("a certificate is a value");
    let written = started.elapsed();
    let started = Instant::now();
    let verdict = audit(design, certificate);
    println!(
        "{:>9} certificate: {:.1} MB as JSON in {written:.1?}, checked in {:.1?}: {}",
        "",
        text.len() as f64 / 1e6,
        started.elapsed(),
        match verdict {
            Ok(verdict) if verdict.is_shown() => "all of it is shown".to_owned(),
            Ok(verdict) =>
                format!("{} of {} are shown", verdict.shown.in_cents(), verdict.claimed.in_cents()),
            Err(refusal) => refusal.to_string(),
        }
    );
    certificate.not_covered.iter().for_each(|it| println!("{:>9} not covered: {it}", ""));
}

/// How long the process kept processors busy so far, in ticks of ten milliseconds, where the system says.
fn processor_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program may hold spaces; it ends with the last parenthesis.
    let after = stat.rsplit(')').next().unwrap_or_default();
    let ticks = after.split_whitespace().skip(11).take(2).filter_map(|it| it.parse::<u64>().ok());
    Duration::from_millis(10 * ticks.sum::<u64>())
}

/// The most memory that the process held so far, where the system says.
fn peak_megabytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) / 1024
}
