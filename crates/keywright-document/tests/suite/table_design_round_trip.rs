//! A design that is written reads back to the same executable design, and writes again to the same bytes.

use crate::random;

use keywright_document::{Check, Companions, read_table_design, write_table_design};
use keywright_model::Design;
use proptest::prelude::*;

fn show(design: &Design) -> String {
    serde_json::to_string_pretty(design).expect("a design is JSON")
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_written_design_reads_back(design in random::design()) {
        let text = write_table_design(&design, Companions::default());
        let read = read_table_design(&text);
        prop_assert!(read.findings.is_empty(), "{:#?}\n{}", read.findings, text);
        prop_assert_eq!(show(&read.design), show(&design), "{}", text);
        prop_assert_eq!(&read.design, &design);
        prop_assert_eq!(write_table_design(&read.design, Companions::default()), text);
        prop_assert_eq!(read.source.items.len(), design.items.len());
        prop_assert_eq!(read.source.operations.len(), design.operations.len());
        for (operation, source) in design.operations.iter().zip(&read.source.operations) {
            prop_assert_eq!(operation.requests.len(), source.requests.len());
        }
    }

    #[test]
    fn what_was_checked_stands_beside_a_design(design in random::design(), checks in prop::collection::vec(("[ -~]{1,60}", any::<bool>()), 0..4)) {
        let checks: Vec<Check> = checks.into_iter().map(|(statement, holds)| Check { statement, holds }).collect();
        let companions = Companions { checks: &checks, ..Companions::default() };
        let text = write_table_design(&design, companions);
        let read = read_table_design(&text);
        prop_assert!(read.findings.is_empty(), "{:#?}\n{}", read.findings, text);
        prop_assert_eq!(&read.design, &design);
        prop_assert_eq!(write_table_design(&read.design, companions), text);
    }

    #[test]
    fn any_text_is_read(text in "\\PC*") {
        let read = read_table_design(&text);
        prop_assert_eq!(read.source.items.len(), read.design.items.len());
    }

    #[test]
    fn a_damaged_design_is_read(design in random::design(), cuts in prop::collection::vec((any::<prop::sample::Index>(), "[|`\\n#<>:.=()\\-*]{0,3}"), 1..6)) {
        let mut text = write_table_design(&design, Companions::default());
        for (at, insert) in cuts {
            let at = text.floor_char_boundary(at.index(text.len()));
            let end = text.ceil_char_boundary((at + 2).min(text.len()));
            text.replace_range(at..end, &insert);
        }
        let read = read_table_design(&text);
        for finding in read.findings {
            prop_assert!(finding.span.end as usize <= text.len());
        }
    }
}
