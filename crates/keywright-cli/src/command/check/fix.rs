//! `--fix`: makes the changes that findings offer, in the documents or as a diff.

use anyhow::Context;
use keywright_finding::{Edits, Report, Source, SourceId, Sources};
use similar::TextDiff;

use crate::files;

/// How often fixes are applied: each round may uncover the next.
const ROUNDS: usize = 10;

/// Documents with all fixes made, and how many were.
pub(super) struct Fixed {
    pub(super) sources: Sources,
    pub(super) count: usize,
}

/// Applies fixes until none is left. `report` says what is wrong with documents as they stand.
pub(super) fn apply(sources: Sources, report: impl Fn(&Sources) -> Report) -> anyhow::Result<Fixed> {
    let mut fixed = Fixed { sources, count: 0 };
    for _ in 0..ROUNDS {
        let said = report(&fixed.sources);
        let mut next = Sources::new();
        let mut made = 0;
        for (id, source) in fixed.sources.iter() {
            let (edits, count) = edits_of(&said, id);
            let text = edits.apply(source.text()).context("a fix lies outside of its document")?;
            next.add(Source::new(source.path(), text));
            made += count;
        }
        fixed.sources = next;
        fixed.count += made;
        if made == 0 {
            break;
        }
    }
    Ok(fixed)
}

/// As many fixes of a document as go together; the others have their turn in the next round.
fn edits_of(report: &Report, id: SourceId) -> (Edits, usize) {
    let fixes: Vec<_> = report
        .findings()
        .iter()
        .filter(|finding| finding.source == id)
        .filter_map(|finding| finding.fix.as_ref())
        .collect();
    let (edits, left_out) = Edits::of_fixes(fixes.iter().copied());
    (edits, fixes.len() - left_out)
}

/// Writes the documents that changed.
pub(super) fn write(before: &Sources, after: &Sources) -> anyhow::Result<()> {
    let pairs = before.iter().zip(after.iter());
    let changed = pairs.filter(|((_, old), (_, new))| old.text() != new.text());
    files::write_all(changed.map(|(_, (_, new))| (new.path().into(), new.text())))
}

/// The changes as a unified diff; empty where there are none.
pub(super) fn diff(before: &Sources, after: &Sources) -> String {
    let mut text = String::new();
    for ((_, old), (_, new)) in before.iter().zip(after.iter()) {
        if old.text() != new.text() {
            let diff = TextDiff::from_lines(old.text(), new.text());
            let names = (format!("a/{}", old.path()), format!("b/{}", new.path()));
            text.push_str(&diff.unified_diff().context_radius(3).header(&names.0, &names.1).to_string());
        }
    }
    text
}
