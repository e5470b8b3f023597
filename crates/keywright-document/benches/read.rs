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

/// Documents that are large in one way each: eight times the text should take eight times as long.
#[divan::bench_group(sample_count = 10)]
mod growth {
    use super::*;

    const SIZES: [usize; 2] = [400, 3_200];
    const SONGS: &str = "## Entities\n### Song\n- **Attributes**:\n  - `songId` (ulid, id)\n  - `title` (string)\n\
        ## Access Patterns\n### Reads\n\
        | ID | Entity | Description | Input Parameters | Result | Sort | Paginated | Frequency |\n|---|---|---|---|---|---|---|---|\n";

    fn entities(count: usize) -> String {
        let mut text = "## Entities\n".to_owned();
        for index in 0..count {
            text.push_str(&format!(
                "### Entity{index}\n- **Attributes**:\n  - `entity{index}Id` (ulid)\n  - `entity{}Id` (ulid)\n- **Relationships**: \
                 Belongs to an Entity{}.\n- **Cardinality**: ~10 per Entity{}, ~1M total\n",
                index / 2, index / 2, index / 2
            ));
        }
        text
    }

    fn attributes(count: usize) -> String {
        let mut text = "## Entities\n### Song\n- **Attributes**:\n".to_owned();
        for index in 0..count {
            text.push_str(&format!("  - `a{index}` (strng, ref Song)\n"));
        }
        text.push_str("- **Lifecycle**: a1 changes\n");
        text
    }

    fn long_cells(words: usize) -> String {
        format!(
            "{}| AP-001 | Song | {} | {} | Collection | {} | Yes | {} |\n### Writes\n\
             | ID | Entity | Description | Items Written | Conditions |\n|---|---|---|---|---|\n| AP-002 | Song | Create | {} | {} |\n",
            SONGS,
            "top of Song and ".repeat(words),
            "titlePrefix, ".repeat(words),
            "title and ".repeat(words),
            "12 of ".repeat(words),
            "Song + title +1, ".repeat(words),
            "a and b, c must exist and ".repeat(words),
        )
    }

    fn diagram(lines: usize) -> String {
        format!(
            "```mermaid\nerDiagram\n{}A {{\n{}```\n",
            "A ||--o{ B : c\nnonsense all along\n".repeat(lines),
            "ulid a PK \"x\"\n".repeat(lines)
        )
    }

    fn read(bencher: Bencher<'_, '_>, text: &str) {
        bencher.counter(BytesCount::of_str(text)).bench(|| read_access_patterns(divan::black_box(text)));
    }

    #[divan::bench(args = SIZES)]
    fn many_entities(bencher: Bencher<'_, '_>, size: usize) {
        read(bencher, &entities(size));
    }

    #[divan::bench(args = SIZES)]
    fn many_attributes(bencher: Bencher<'_, '_>, size: usize) {
        read(bencher, &attributes(size));
    }

    #[divan::bench(args = SIZES)]
    fn longer_cells(bencher: Bencher<'_, '_>, size: usize) {
        read(bencher, &long_cells(size));
    }

    #[divan::bench(args = SIZES)]
    fn longer_diagram(bencher: Bencher<'_, '_>, size: usize) {
        read(bencher, &diagram(size));
    }
}
