//! How fast a proof goes: records and patterns per second, and the share of the time that the engine takes.
//!
//! All numbers are of one run, so that their ratios mean something on a busy machine too. The scale is an argument:
//! `cargo bench -p keywright-prove --bench proof -- 100000`.

#![allow(clippy::print_stdout, reason = "a bench prints what it measured")]

#[path = "../tests/suite/fixture/mod.rs"]
mod fixture;

use std::sync::Mutex;
use std::time::{Duration, Instant};

use keywright_prove::engine::{Capability, Embedded, Engine, EngineError, Support};
use keywright_prove::{Options, prove};
use serde_json::Value;

/// The embedded engine, with a clock at its door.
struct Timed {
    engine: Embedded,
    spent: Mutex<(u64, Duration)>,
}

impl Engine for Timed {
    fn name(&self) -> String {
        self.engine.name()
    }

    fn call(&self, operation: &str, body: Value) -> Result<Value, EngineError> {
        let started = Instant::now();
        let answer = self.engine.call(operation, body);
        let mut spent = self.spent.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        spent.0 += 1;
        spent.1 += started.elapsed();
        answer
    }

    fn support(&self, capability: Capability) -> Result<Support, EngineError> {
        self.engine.support(capability)
    }

    fn is_private(&self) -> bool {
        self.engine.is_private()
    }
}

fn main() -> Result<(), EngineError> {
    let asked = std::env::args().skip(1).find_map(|argument| argument.parse().ok());
    let scale: u64 = asked.unwrap_or(2_000);
    let (model, design) = (fixture::model(), fixture::design());
    let engine = Timed { engine: Embedded::in_memory()?, spent: Mutex::default() };
    let options = Options { scale, ..Options::default() };
    let started = Instant::now();
    let mut loaded = None;
    let evidence = prove(&model, &design, &engine, &options, &mut |progress| {
        if !progress.doing.starts_with("loading") && loaded.is_none() {
            loaded = Some((progress.done, started.elapsed()));
        }
    })?;
    let all = started.elapsed();
    let (calls, in_engine) = *engine.spent.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let (records, loading) = loaded.unwrap_or((scale, all));
    let compared: u64 = evidence.patterns.iter().map(|pattern| pattern.items).sum();
    let per_second = |count: u64, time: Duration| count as f64 / time.as_secs_f64().max(f64::EPSILON);
    let checking = all.saturating_sub(loading);
    println!("scale {scale}: {} held, {} failed", evidence.held, evidence.failed);
    println!("records written and checked   {:>10.0} per second", per_second(records, loading));
    println!("items compared                {:>10.0} per second", per_second(compared, all));
    println!(
        "patterns proven               {:>10.1} per second",
        per_second(evidence.patterns.len() as u64, checking)
    );
    println!("requests                      {:>10.0} per second", per_second(calls, all));
    println!(
        "share of the engine           {:>10.0} %",
        100.0 * in_engine.as_secs_f64() / all.as_secs_f64().max(f64::EPSILON)
    );
    Ok(())
}
