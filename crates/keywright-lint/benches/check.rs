//! How fast documents are read, judged and reported.
//!
//! `cargo bench -p keywright-lint` prints times and MB/s; what must hold is asserted before anything is measured: 100
//! entities with 500 patterns in under 20 ms, a design of 200 item types and 500 operations in under 20 ms, 100 000 findings
//! in seconds, and time that grows no faster than the document.

#![allow(clippy::print_stderr, reason = "a bench reports to whoever runs it")]

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use divan::Bencher;
use divan::counter::BytesCount;
use keywright_finding::render::{self, Human};
use keywright_finding::{Catalogue, Finding, Policy, Report, Source, Sources};

fn main() {
    // Times are only worth something in the build that is measured.
    if std::env::args().any(|argument| argument == "--bench") {
        must_hold();
    }
    divan::main();
}

/// An ordinary document: entities in a chain of parents, five patterns each.
fn document(entities: usize) -> String {
    let mut text = String::from("# DynamoDB Access Patterns\n> Application: Bench\n\n## Entities\n");
    for n in 0..entities {
        let parent = n.saturating_sub(1);
        write!(
            text,
            "### Thing{n}\n- **Description**: The thing of kind {n}.\n- **Attributes**:\n  - `thing{n}Id` (ulid, id) - unique identifier\n  - `thing{parent}Ref` (ulid, ref Thing{parent})\n  - `title` (string, ~40 bytes)\n  - `status` (enum(OPEN, DONE), mutable)\n  - `score` (integer, max 999999)\n  - `createdAt` (datetime, immutable)\n- **Cardinality**: ~40 per thing{parent}, ~1M total\n- **Lifecycle**: Created by a user. Status changes until done.\n"
        )
        .expect("memory takes everything");
    }
    text.push_str("\n## Access Patterns\n### Reads\n| ID | Entity | Description | Input Parameters | Result | Sort | Paginated | Frequency | Consistency | Multi-Entity |\n|---|---|---|---|---|---|---|---|---|---|\n");
    for n in 0..entities {
        let id = n * 10;
        writeln!(text, "| AP-{} | Thing{n} | Get a thing | thing{n}Id | Single | - | No | Hot | Eventual | No |", id + 1)
            .and_then(|()| writeln!(text, "| AP-{} | Thing{n} | List things by status | status | Collection | createdAt DESC | Yes | 40/min | Eventual | No |", id + 2))
            .and_then(|()| writeln!(text, "| AP-{} | Thing{n} | Find things by title | titlePrefix | Collection | title ASC | Yes | Warm | Eventual | No |", id + 3))
            .expect("memory takes everything");
    }
    text.push_str("### Writes\n| ID | Entity | Description | Input Parameters | Items Written | Transaction | Conditions | Frequency |\n|---|---|---|---|---|---|---|---|\n");
    for n in 0..entities {
        let id = n * 10;
        writeln!(text, "| AP-{} | Thing{n} | Create a thing | title, status | 1 (Thing{n}) | No | Thing{n} must not exist | Warm |", id + 4)
            .and_then(|()| writeln!(text, "| AP-{} | Thing{n} | Finish a thing | thing{n}Id, newStatus | 1 (Thing{n}) | No | status must be OPEN | Cold |", id + 5))
            .expect("memory takes everything");
    }
    text
}

/// A document with a finding in every row.
fn faulty(rows: usize) -> String {
    let mut text = String::from(
        "## Entities\n### Song\n- **Attributes**:\n  - `songId` (ulid, id)\n\n## Access Patterns\n### Reads\n| ID | Entity | Description | Input Parameters | Result |\n|---|---|---|---|---|\n",
    );
    for n in 0..rows {
        writeln!(text, "| AP-{n} | Sang{n} | Get a song | songId | Single |")
            .expect("memory takes everything");
    }
    text
}

/// An ordinary design: two reads for each item type, a write for every other.
fn design(items: usize) -> String {
    let mut text = String::from(
        "# DynamoDB Table Design\n\n## Table Configuration\n\n| Property | Value |\n|---|---|\n| Table Name | `app` |\n| Partition Key | `pk` (String) |\n| Sort Key | `sk` (String) |\n| Type Attribute | `type` |\n\n## Global Secondary Indexes\n\n| GSI Name | Partition Key | Sort Key | Projection | Purpose |\n|---|---|---|---|---|\n| GSI1 | `GSI1PK` (String) | `GSI1SK` (String) | ALL | by owner |\n\n## Entity Key Design\n\n",
    );
    for n in 0..items {
        write!(
            text,
            "### Thing{n}\n\n- **PK**: `THING{n}#<thing{n}Id>`\n- **SK**: `THING{n}#<createdAt:iso>#<thing{n}Id>`\n- **GSI1PK**: `OWNER{n}#<ownerId>`\n- **GSI1SK**: `THING{n}#<createdAt:iso>#<thing{n}Id>`\n- **Attributes**: `thing{n}Id` (ulid), `ownerId` (ulid), `createdAt` (datetime), `title` (string)\n\n"
        )
        .expect("memory takes everything");
    }
    text.push_str("## Access Pattern Mapping\n\n### Reads\n\n| AP ID | Description | Operation | Table/GSI | PK | SK Condition | SK Value | Params |\n|---|---|---|---|---|---|---|---|\n");
    for n in 0..items {
        writeln!(text, "| AP-{n}1 | List things | Query | Table | `THING{n}#<thing{n}Id>` | begins_with | `THING{n}#` | - |")
            .and_then(|()| writeln!(text, "| AP-{n}2 | List by owner | Query | GSI1 | `OWNER{n}#<ownerId>` | begins_with | `THING{n}#` | ScanIndexForward=false |"))
            .expect("memory takes everything");
    }
    text.push_str(
        "\n### Writes\n\n| AP ID | Description | Operation | Items | Conditions |\n|---|---|---|---|---|\n",
    );
    for n in 0..items / 2 {
        writeln!(
            text,
            "| AP-{n}3 | Create a thing | PutItem | `Put Thing{n}` | `attribute_not_exists(pk)` |"
        )
        .expect("memory takes everything");
    }
    text
}

fn check_design(text: &str) -> Report {
    let read = keywright_document::read_table_design(text);
    let mut findings = read.findings;
    findings.extend(keywright_lint::designs(&read.design, &read.source, None));
    Report::new(findings, &Sources::from(Source::new("design.md", text)), &policy())
}

fn policy() -> Policy {
    Policy::new(Catalogue::new(&[keywright_document::RULES, &keywright_lint::rules()]))
        .judged_by(keywright_lint::rules())
}

fn findings(text: &str) -> Vec<Finding> {
    let (model, mut findings) = keywright_document::read_access_patterns(text);
    findings.extend(keywright_lint::patterns(&model));
    findings
}

fn check(text: &str) -> (Report, Sources) {
    let sources = Sources::from(Source::new("bench.md", text));
    (Report::new(findings(text), &sources, &policy()), sources)
}

/// The shortest of some runs: the one least disturbed by other work on the machine.
fn shortest(runs: u32, mut run: impl FnMut()) -> Duration {
    (0..runs)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed()
        })
        .min()
        .unwrap_or_default()
}

fn must_hold() {
    let ordinary = document(100);
    let ordinary_time = shortest(50, || drop(divan::black_box(check(&ordinary))));
    let large = document(800);
    let large_time = shortest(10, || drop(divan::black_box(check(&large))));
    let design = design(200);
    let design_time = shortest(50, || drop(divan::black_box(check_design(&design))));
    let many = faulty(100_000);
    let begin = Instant::now();
    let (report, sources) = check(&many);
    let mut written = Vec::new();
    render::human(&report, &sources, Human::default(), &mut written).expect("memory takes everything");
    let many_time = begin.elapsed();

    eprintln!("check of 100 entities, 500 patterns: {ordinary_time:?} (limit 20 ms)");
    eprintln!(
        "8 times the document: {:.1} times the time (limit 16, quadratic would be 64)",
        large_time.as_secs_f64() / ordinary_time.as_secs_f64()
    );
    eprintln!("check of a design of 200 item types, 500 operations: {design_time:?} (limit 20 ms)");
    eprintln!("{} findings, read, checked and shown: {many_time:?} (limit 10 s)", report.findings().len());
    assert!(ordinary_time < Duration::from_millis(20));
    // A cache that is too small makes large documents a little slower; only growth of another kind is a fault.
    assert!(large_time < ordinary_time * 16);
    assert!(design_time < Duration::from_millis(20));
    assert!(report.findings().len() >= 100_000 && many_time < Duration::from_secs(10));
}

#[divan::bench(args = [10, 100, 1_000])]
fn read(bencher: Bencher<'_, '_>, entities: usize) {
    let text = document(entities);
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| keywright_document::read_access_patterns(divan::black_box(&text)));
}

#[divan::bench(args = [10, 100, 1_000])]
fn judge(bencher: Bencher<'_, '_>, entities: usize) {
    let text = document(entities);
    let model = keywright_document::read_access_patterns(&text).0;
    bencher.counter(BytesCount::of_str(&text)).bench(|| keywright_lint::patterns(divan::black_box(&model)));
}

#[divan::bench(args = [10, 100, 1_000])]
fn read_and_check(bencher: Bencher<'_, '_>, entities: usize) {
    let text = document(entities);
    bencher.counter(BytesCount::of_str(&text)).bench(|| check(divan::black_box(&text)));
}

#[divan::bench(args = [50, 200, 800])]
fn read_and_check_a_design(bencher: Bencher<'_, '_>, items: usize) {
    let text = design(items);
    bencher.counter(BytesCount::of_str(&text)).bench(|| check_design(divan::black_box(&text)));
}

#[divan::bench(args = [1_000, 10_000], sample_count = 5)]
fn report_for_people(bencher: Bencher<'_, '_>, rows: usize) {
    let (report, sources) = check(&faulty(rows));
    bencher.bench(|| {
        let mut written = Vec::new();
        render::human(&report, &sources, Human::default(), &mut written).expect("memory takes everything");
        written
    });
}
