#![allow(missing_docs, clippy::all)]
use keywright_finding::{Catalogue, Finding, Policy, Report, Source, Sources};
use std::fmt::Write as _;
fn main() {
    let which = std::env::args().nth(1).unwrap();
    let n: usize = std::env::args().nth(2).unwrap().parse().unwrap();
    let size: usize = std::env::args().nth(3).unwrap().parse().unwrap();
    let d = design(size);
    let o = document(size);
    let f = faulty(size);
    let mut best = std::time::Duration::MAX;
    let mut parts = [std::time::Duration::MAX; 3];
    for _ in 0..n {
        let s = std::time::Instant::now();
        match which.as_str() {
            "design" => {
                let t = std::time::Instant::now();
                let read = keywright_document::read_table_design(&d);
                let mut findings = read.findings;
                parts[0] = parts[0].min(t.elapsed());
                let t = std::time::Instant::now();
                findings.extend(keywright_lint::designs(&read.design, &read.source, None));
                parts[1] = parts[1].min(t.elapsed());
                let t = std::time::Instant::now();
                let r =
                    Report::new(findings, &Sources::from(Source::new("design.md", d.as_str())), &policy());
                parts[2] = parts[2].min(t.elapsed());
                std::hint::black_box(r);
            }
            "faulty" => {
                let t = std::time::Instant::now();
                let (model, mut findings) = keywright_document::read_access_patterns(&f);
                parts[0] = parts[0].min(t.elapsed());
                let t = std::time::Instant::now();
                findings.extend(keywright_lint::patterns(&model));
                parts[1] = parts[1].min(t.elapsed());
                let t = std::time::Instant::now();
                let r =
                    Report::new(findings, &Sources::from(Source::new("design.md", f.as_str())), &policy());
                parts[2] = parts[2].min(t.elapsed());
                std::hint::black_box(r);
            }
            _ => {
                let t = std::time::Instant::now();
                let (model, mut findings) = keywright_document::read_access_patterns(&o);
                parts[0] = parts[0].min(t.elapsed());
                let t = std::time::Instant::now();
                findings.extend(keywright_lint::patterns(&model));
                parts[1] = parts[1].min(t.elapsed());
                let t = std::time::Instant::now();
                let r =
                    Report::new(findings, &Sources::from(Source::new("design.md", o.as_str())), &policy());
                parts[2] = parts[2].min(t.elapsed());
                std::hint::black_box(r);
            }
        }
        best = best.min(s.elapsed());
    }
    println!("{best:?} read/lint/report {parts:?}");
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
