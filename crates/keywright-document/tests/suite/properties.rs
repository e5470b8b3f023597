//! What holds for any text, and what must not matter.

use keywright_document::read_access_patterns;
use keywright_finding::Span;
use proptest::prelude::*;
use serde_json::Value;

/// A Model as JSON without places.
fn without_places(source: &str) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                fields.remove("span");
                fields.values_mut().for_each(strip);
            }
            Value::Array(values) => values.iter_mut().for_each(strip),
            _ => {}
        }
    }
    let (model, _) = read_access_patterns(source);
    let mut value = serde_json::to_value(&model).expect("a Model is JSON");
    strip(&mut value);
    value
}

/// All places of a Model.
fn places(value: &Value, found: &mut Vec<Span>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                match serde_json::from_value::<Span>(value.clone()) {
                    Ok(span) if name == "span" => found.push(span),
                    _ => places(value, found),
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|value| places(value, found)),
        _ => {}
    }
}

/// The places of all values that say that they are assumed.
fn assumed(value: &Value, found: &mut Vec<Span>) {
    match value {
        Value::Object(fields) => {
            if fields.get("assumed") == Some(&Value::Bool(true)) {
                let span = fields.get("span").cloned().unwrap_or_default();
                found.push(serde_json::from_value(span).expect("what is assumed has a place"));
            }
            fields.values().for_each(|value| assumed(value, found));
        }
        Value::Array(values) => values.iter().for_each(|value| assumed(value, found)),
        _ => {}
    }
}

fn example(index: usize) -> String {
    let name = ["orders", "saas", "expedition", "devices", "forum", "bad"][index % 6];
    let path = format!("{}/../../examples/{name}/access-patterns.md", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).expect("the examples are part of the repository")
}

/// Pieces that documents are made of, in any order.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "# DynamoDB Access Patterns\n",
        "> Application: Shop\n",
        "> Style: multi-table\n",
        "## Entities\n",
        "### Song\n",
        "### Söng 🎵\n",
        "- **Attributes**:\n",
        "  - `songId` (ulid, id)\n",
        "  - `at` (datetime, max 9, ~2 KB, enum(a, b)\n",
        "    - `x` (map(\n",
        "- **Relationships**: Belongs to many Songs. Has one Söng 🎵.\n",
        "- **Cardinality**: ~1K-10K per Song, 1:1 with Song\n",
        "- **Lifecycle**: at changes. Deleted after 99999999999 years.\n",
        "- **Kind**: history\n",
        "- **Skew**: 5 %\n",
        "\n## Access Patterns\n",
        "### Reads\n",
        "### Writes\n",
        "### Deletes\n",
        "| ID | Entity | Description | Input Parameters | Result | Sort | Frequency |\n|---|---|---|---|---|---|---|\n",
        "| Entity | Access Pattern | Index | Parameters | Notes |\n|---|---|---|---|---|\n",
        "| Pattern # | Description | RPS |\n|---|---|---|\n",
        "| ID | Entity | Description | Input Parameters | Items Written | Transaction | Conditions |\n|---|---|---|---|---|---|---|\n",
        "| AP-001 | Song, Söng 🎵 | top 100 newest of a Song | titlePrefix, at range, \\<x\\> | Collection | newest first | 3k/day |\n",
        "| AP-001 | Sogn | Create all Songs | songId, newTitle, at = 5 | Song + all Songs + at +1 (Söng -x) | Yes (batch) | max 5 Songs per Song and at must be unique, at >= x |\n",
        "| | | | | | |\n",
        "|",
        "```mermaid\nerDiagram\n",
        "Song ||--o{ Sogn : has\n",
        "Song {\n",
        "ulid songId PK\n",
        "```\n",
        "```plantuml\n",
        "entity \"A b\" as C {\n",
        "<!-- a remark -->",
        "<!--",
        "\r\n",
        "\\<",
        "é",
        "`",
        "-",
        ":",
        "(",
        "{",
        "&amp;",
        "<at:pad6>",
        "<br>",
    ]);
    prop_oneof![
        4 => prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat()),
        1 => any::<String>(),
        1 => prop::collection::vec(any::<u8>(), 0..400).prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
    ]
}

/// A random cut out of an example, so that all kinds of places end in the middle.
fn cut() -> impl Strategy<Value = String> {
    (0..6_usize, any::<prop::sample::Index>(), any::<prop::sample::Index>()).prop_map(|(index, from, to)| {
        let text = example(index);
        let (from, to) = (from.index(text.len()), to.index(text.len()));
        let at = |offset: usize| text.floor_char_boundary(offset);
        text[at(from.min(to))..at(from.max(to))].to_owned()
    })
}

fn holds(text: &str) -> Result<(), TestCaseError> {
    let (model, findings) = read_access_patterns(text);
    for finding in &findings {
        prop_assert!(text.get(finding.span.range()).is_some(), "{:?} is not on characters", finding);
        prop_assert!(!finding.message.is_empty());
    }
    prop_assert!(findings.is_sorted_by_key(|finding| finding.span));
    let json = serde_json::to_value(&model).expect("a Model is JSON");
    let mut spans = Vec::new();
    places(&json, &mut spans);
    for span in spans {
        prop_assert!(text.get(span.range()).is_some(), "{span:?} of the Model is not on characters");
    }
    let mut guesses = Vec::new();
    assumed(&json, &mut guesses);
    for guess in guesses {
        // One assumption may be about several words: it stands at the first and names the others.
        let words = guess.of(text);
        let explained = model.assumptions.iter().any(|it| {
            it.span.overlaps(guess) || it.span == guess || (!words.is_empty() && it.statement.contains(words))
        });
        prop_assert!(explained, "{guess:?} {words:?} is assumed without a reason");
    }
    let back = serde_json::from_value::<keywright_model::Model>(json).expect("it was just written");
    prop_assert_eq!(&back, &model);
    prop_assert_eq!(read_access_patterns(text), (model, findings));
    Ok(())
}

/// The document with its rows' cells in another order, the same for all rows of a table.
fn with_columns_shuffled(text: &str, seed: u64) -> String {
    let mut shuffled = String::new();
    let mut order: Vec<usize> = Vec::new();
    for line in text.split_inclusive('\n') {
        let inner = line.trim();
        if !inner.starts_with('|') {
            order.clear();
            shuffled.push_str(line);
            continue;
        }
        let cells: Vec<&str> = inner.trim_start_matches('|').trim_end_matches('|').split('|').collect();
        if order.is_empty() {
            order = (0..cells.len()).collect();
            let mut state = seed;
            for index in (1..order.len()).rev() {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                order.swap(index, usize::try_from(state >> 33).unwrap_or(0) % (index + 1));
            }
        }
        let cells: Vec<&str> = order.iter().map(|index| cells.get(*index).copied().unwrap_or("")).collect();
        shuffled.push_str(&format!("|{}|\n", cells.join("|")));
    }
    shuffled
}

/// The document with its sections of a level in another order; what stands above the first stays there.
fn with_sections_rotated(text: &str, mark: &str, by: usize) -> String {
    let starts: Vec<usize> = std::iter::once(0)
        .chain(text.match_indices('\n').map(|(at, _)| at + 1))
        .filter(|at| text[*at..].starts_with(mark))
        .collect();
    let Some(first) = starts.first() else { return text.to_owned() };
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let mut sections: Vec<&str> = starts.iter().zip(ends).map(|(start, end)| &text[*start..end]).collect();
    let count = sections.len();
    sections.rotate_left(by % count);
    let gap = sections.iter().map(|section| format!("{}\n\n", section.trim_end()));
    format!("{}{}", &text[..*first], gap.collect::<String>())
}

/// The headings of sections, but not of entities, in another case.
fn with_headings_shouted(text: &str) -> String {
    const SECTIONS: [&str; 10] = [
        "domain overview",
        "overview",
        "entities",
        "access patterns",
        "reads",
        "writes",
        "deletes",
        "item collection candidates",
        "notes and decisions",
        "read patterns",
    ];
    text.split_inclusive('\n')
        .map(|line| {
            let title = line.trim_start_matches('#').trim();
            let shouted = SECTIONS.contains(&title.to_lowercase().as_str()) && line.starts_with("##");
            if shouted { line.to_uppercase() } else { line.to_owned() }
        })
        .collect()
}

proptest! {
    #[test]
    fn any_text_is_read(text in pieces()) {
        holds(&text)?;
    }

    #[test]
    fn any_part_of_a_document_is_read(text in cut()) {
        holds(&text)?;
    }
}

proptest! {
    // Each reads a whole example twice.
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn line_endings_do_not_matter(index in 0..6_usize) {
        let text = example(index);
        prop_assert_eq!(without_places(&text.replace('\n', "\r\n")), without_places(&text));
    }

    #[test]
    fn the_order_of_columns_does_not_matter(index in 0..6_usize, seed in any::<u64>()) {
        let text = example(index);
        prop_assert_eq!(without_places(&with_columns_shuffled(&text, seed)), without_places(&text));
    }

    #[test]
    fn the_order_of_sections_does_not_matter(index in 0..6_usize, by in 0..9_usize) {
        let text = example(index);
        prop_assert_eq!(without_places(&with_sections_rotated(&text, "## ", by)), without_places(&text));
    }

    #[test]
    fn the_case_and_the_level_of_headings_do_not_matter(index in 0..6_usize) {
        let text = example(index);
        prop_assert_eq!(without_places(&with_headings_shouted(&text)), without_places(&text));
        let deeper = text.replace("\n#", "\n##");
        prop_assert_eq!(without_places(&deeper), without_places(&text));
    }
}

#[test]
fn the_order_of_reads_writes_and_deletes_does_not_matter() {
    let text = example(0);
    let (head, tail) = text.split_once("## Access Patterns\n").expect("the example has them");
    let (patterns, rest) = tail.split_once("\n## ").expect("the example goes on");
    for by in 1..3 {
        let rotated = with_sections_rotated(&format!("\n{patterns}\n"), "### ", by);
        let other = format!("{head}## Access Patterns\n{rotated}\n## {rest}");
        assert_ne!(other, text);
        assert_eq!(without_places(&other), without_places(&text), "rotated by {by}");
    }
}
