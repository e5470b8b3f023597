//! Any text is read, judged and shown: no panic, every finding at a place of the text, in order, once.

use keywright_finding::render::{Human, github, human, json, sarif};
use keywright_finding::{Catalogue, Policy, Report, Source, Sources};
use proptest::prelude::*;

fn report(text: &str) -> (Report, Sources, Policy) {
    let policy = Policy::new(Catalogue::new(&[keywright_document::RULES, &keywright_lint::rules()]))
        .judged_by(keywright_lint::rules());
    let (model, mut findings) = keywright_document::read_access_patterns(text);
    findings.extend(keywright_lint::patterns(&model));
    let sources = Sources::from(Source::new("any.md", text));
    (Report::new(findings, &sources, &policy), sources, policy)
}

/// Pieces that documents are made of, in any order.
fn document() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "## Entities\n",
        "### Song\n",
        "### Söng 🎵\n",
        "- **Attributes**:\n",
        "  - `songId` (ulid, id)\n",
        "  - `title` (string, optional) - sort key\n",
        "  - `at` (datetime)\n",
        "- **Cardinality**: ~12 per Song, ~2M total\n",
        "- **Relationships**: Belongs to a Song. Contains many Songs.\n",
        "\n## Access Patterns\n",
        "### Reads\n",
        "### Writes\n",
        "### Deletes\n",
        "| ID | Entity | Description | Input Parameters | Result | Sort |\n|---|---|---|---|---|---|\n",
        "| ID | Entity | Description | Input Parameters | Items Written | Transaction | Conditions |\n|---|---|---|---|---|---|---|\n",
        "| AP-001 | Song, Söng 🎵 | search the newest | titlePrefix, at | Collection | title DESC |\n",
        "| AP-001 | Sogn | manage all Songs | songId, newTitle | Song + all Songs | | max 5 Songs per Song, nobody minds |\n",
        "| | | | | | |\n",
        "|",
        "```mermaid\nerDiagram\nSong ||--o{ Sogn : has\n```\n",
        "<!-- keywright: allow unknown-entity: x -->\n",
        "<!-- keywright: allow vague-pattern -->",
        "\r\n",
        "\\<",
        "é",
        "`",
        "-",
        ":",
    ]);
    prop_oneof![prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat()), any::<String>()]
}

/// Designs as the rules' pages show them, cut and patched anywhere; the access patterns above some of them apart.
fn damaged_design() -> impl Strategy<Value = (Option<String>, String)> {
    let pages: Vec<String> = keywright_lint::rules()
        .iter()
        .flat_map(|rule| {
            let examples = rule.examples();
            examples.fails.into_iter().chain(examples.passes)
        })
        .collect();
    let patch = "[|`\\n#<>{}:.=()\\-*$@0-9é]{0,4}";
    let patches = prop::collection::vec((any::<prop::sample::Index>(), 0..9_usize, patch), 0..8);
    (prop::sample::select(pages), patches).prop_map(|(page, patches)| {
        let split = page.find("# DynamoDB Table Design\n").unwrap_or(0);
        let above = (split > 0).then(|| page[..split].to_owned());
        let mut design = page[split..].to_owned();
        for (at, length, patch) in patches {
            let start = design.floor_char_boundary(at.index(design.len() + 1));
            let end = design.ceil_char_boundary((start + length).min(design.len()));
            design.replace_range(start..end, &patch);
        }
        (above, design)
    })
}

fn designs_are_judged(above: Option<&str>, text: &str) -> Result<(), TestCaseError> {
    let read = keywright_document::read_table_design(text);
    let model = above.map(|above| keywright_document::read_access_patterns(above).0);
    let mut findings = read.findings;
    findings.extend(keywright_lint::designs(&read.design, &read.source, model.as_ref()));
    // Whatever is read may also stand for the table that another design extends.
    findings.extend(keywright_lint::designs_on_base(&read.design, &read.source, None, Some(&read.design)));
    for finding in &findings {
        prop_assert!(text.get(finding.span.range()).is_some(), "{:?} is not on characters", finding);
        prop_assert!(!finding.message.is_empty() && !finding.message.ends_with('.'), "{}", finding.message);
        if let Some(fix) = &finding.fix {
            let edits = keywright_finding::Edits::new(fix.edits.iter().cloned());
            prop_assert!(edits.is_ok_and(|edits| edits.apply(text).is_ok()), "{:?} can't be applied", fix);
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn any_design_is_judged((above, text) in damaged_design()) {
        designs_are_judged(above.as_deref(), &text)?;
    }

    #[test]
    fn any_bytes_are_judged_as_a_design(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        designs_are_judged(None, &String::from_utf8_lossy(&bytes))?;
    }

    #[test]
    fn any_text_is_judged_and_shown(text in document()) {
        let (report, sources, policy) = report(&text);
        let mut places = Vec::new();
        for finding in report.findings() {
            prop_assert!(text.get(finding.span.range()).is_some(), "{:?} is not on characters", finding);
            prop_assert!(!finding.message.is_empty() && !finding.message.ends_with('.'), "{}", finding.message);
            places.push((finding.span, finding.rule.name(), &finding.message));
        }
        prop_assert!(places.is_sorted());
        let count = places.len();
        places.dedup();
        prop_assert_eq!(places.len(), count, "a finding comes twice");
        let mut out = Vec::new();
        human(&report, &sources, Human::default(), &mut out)?;
        json(&report, &sources, &mut out)?;
        sarif(&report, &sources, &policy.catalogue, "0.0.0", &mut out)?;
        github(&report, &sources, &mut out)?;
        prop_assert!(std::str::from_utf8(&out).is_ok());
    }
}
