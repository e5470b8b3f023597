//! Any bytes are read as a table design and judged without a panic: every finding lies on characters of the text, and every
//! fix can be applied.
//!
//! `cargo +nightly fuzz run check_table_design examples/` starts from the documents of the repository.

#![no_main]

use keywright_finding::Edits;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let read = keywright_document::read_table_design(&text);
    let model = keywright_document::read_access_patterns(&text).0;
    let mut findings = read.findings;
    for model in [None, Some(&model)] {
        findings.extend(keywright_lint::designs(&read.design, &read.source, model));
    }
    for finding in &findings {
        assert!(text.get(finding.span.range()).is_some(), "{finding:?}");
        if let Some(fix) = &finding.fix {
            let edits = Edits::new(fix.edits.iter().cloned()).expect("the edits of a fix go together");
            edits.apply(&text).expect("a fix is about its document");
        }
    }
});
