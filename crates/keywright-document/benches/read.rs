//! How fast documents are read, in bytes per second.

use divan::Bencher;
use divan::counter::BytesCount;
use keywright_document::read_access_patterns;

fn main() {
    divan::main();
}

fn example(name: &str) -> String {
    let path = format!("{}/../../examples/{name}/access-patterns.md", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).expect("the examples are part of the repository")
}

/// A document of so many entities and patterns.
fn document(entities: usize, patterns: usize) -> String {
    let mut text = "# DynamoDB Access Patterns\n\n## Entities\n\n".to_owned();
    for index in 0..entities {
        text.push_str(&format!(
            "### Entity{index}\n- **Description**: Number {index}.\n- **Attributes**:\n  - `entity{index}Id` (ulid, id)\n  \
             - `title` (string, mutable, ~40 bytes)\n  - `status` (enum(OPEN, CLOSED), mutable)\n  - `createdAt` (datetime)\n\
             - **Cardinality**: ~1M total\n\n"
        ));
    }
    text.push_str(
        "## Access Patterns\n\n### Reads\n\n| ID | Entity | Description | Input Parameters | Result | Sort | Paginated | Frequency |\n\
         |---|---|---|---|---|---|---|---|\n",
    );
    for index in 0..patterns {
        text.push_str(&format!(
            "| AP-{index:03} | Entity{} | List by status, newest first | status, createdAt >= from | Collection | createdAt DESC | Yes | 25/s |\n",
            index % entities
        ));
    }
    text
}

#[divan::bench(args = ["orders", "saas", "expedition", "devices", "forum"])]
fn an_example(bencher: Bencher<'_, '_>, name: &str) {
    let text = example(name);
    bencher.counter(BytesCount::of_str(&text)).bench(|| read_access_patterns(divan::black_box(&text)));
}

#[divan::bench]
fn a_hundred_entities_and_five_hundred_patterns(bencher: Bencher<'_, '_>) {
    let text = document(100, 500);
    bencher.counter(BytesCount::of_str(&text)).bench(|| read_access_patterns(divan::black_box(&text)));
}

#[divan::bench(sample_count = 10)]
fn a_hundred_thousand_rows(bencher: Bencher<'_, '_>) {
    let text = document(10, 100_000);
    bencher.counter(BytesCount::of_str(&text)).bench(|| read_access_patterns(divan::black_box(&text)));
}
