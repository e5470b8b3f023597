//! Any bytes are read without a panic, and every place lies on characters of the text.
//!
//! `cargo +nightly fuzz run read_access_patterns examples/` starts from the documents of the repository.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let (model, findings) = keywright_document::read_access_patterns(&text);
    for finding in &findings {
        assert!(text.get(finding.span.range()).is_some(), "{finding:?}");
    }
    for entity in &model.entities {
        assert!(text.get(entity.span.range()).is_some(), "{entity:?}");
    }
    for pattern in &model.patterns {
        assert!(text.get(pattern.span.range()).is_some(), "{pattern:?}");
    }
});
