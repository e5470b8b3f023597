//! Much text: it is read or refused. How its time grows is measured in `benches/read.rs`.

use keywright_document::{IGNORED_COLUMN, OVERSIZED_DOCUMENT, read_access_patterns};

const HEADER: &str = "## Access Patterns\n### Reads\n\
    | ID | Entity | Description | Input Parameters | Result | Sort | Paginated | Frequency |\n|---|---|---|---|---|---|---|---|\n";

fn rows(count: usize) -> String {
    let mut text =
        "## Entities\n### Song\n- **Attributes**:\n  - `songId` (ulid, id)\n  - `title` (string)\n"
            .to_owned();
    text.push_str(HEADER);
    for row in 0..count {
        text.push_str(&format!(
            "| AP-{row} | Song | Find songs by title | titlePrefix | Collection | title ASC | Yes | 3/s |\n"
        ));
    }
    text
}

#[test]
fn a_hundred_thousand_rows_are_read() {
    let (model, _) = read_access_patterns(&rows(100_000));
    assert_eq!(model.patterns.len(), 100_000);
}

#[test]
fn ten_megabytes_are_read() {
    let prose = "Some words about songs, and more of them.\n\n".repeat(240_000);
    let text = format!("# Title\n## Domain Overview\n{prose}{}", rows(10));
    assert!(text.len() > 10_000_000);
    let (model, findings) = read_access_patterns(&text);
    assert_eq!(model.patterns.len(), 10);
    assert!(findings.iter().all(|finding| finding.rule != &OVERSIZED_DOCUMENT));
}

#[test]
fn a_list_ten_thousand_deep_is_refused_and_the_rest_is_read() {
    for deep in ["- ".repeat(10_000), "> ".repeat(10_000), "1. ".repeat(10_000)] {
        let text = format!("{deep}x\n{}\n{}", "\n".repeat(100_000), rows(3));
        let (model, findings) = read_access_patterns(&text);
        assert_eq!(model.patterns.len(), 3);
        assert_eq!(findings.iter().filter(|finding| finding.rule == &OVERSIZED_DOCUMENT).count(), 1);
    }
    let indented: String = (0..10_000).map(|depth| format!("{}- a\n", "  ".repeat(depth % 1_000))).collect();
    let (_, findings) = read_access_patterns(&indented);
    assert_eq!(findings.iter().filter(|finding| finding.rule == &OVERSIZED_DOCUMENT).count(), 1);
}

#[test]
fn five_thousand_columns_are_read() {
    let many = |cell: &str| format!("{cell} | ").repeat(5_000);
    let text = format!(
        "## Access Patterns\n### Reads\n| ID | Entity | Description | Result | {}\n|{}\n{}",
        many("extra"),
        "---|".repeat(5_004),
        format!("| AP-001 | Song | Get a song | Single | {}\n", many("x")).repeat(20),
    );
    let (model, findings) = read_access_patterns(&text);
    assert_eq!(model.patterns.len(), 20);
    let ignored = findings.iter().filter(|finding| finding.rule == &IGNORED_COLUMN).count();
    assert_eq!(ignored, 5_000);
}

#[test]
fn too_much_is_refused_once() {
    let text = " ".repeat((64 << 20) + 1);
    let (model, findings) = read_access_patterns(&text);
    assert!(model.patterns.is_empty());
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0].rule, &OVERSIZED_DOCUMENT);
}
