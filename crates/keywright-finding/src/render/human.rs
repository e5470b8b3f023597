//! The report for people: the problem, the words it is about, and what to do.

use std::io::{self, Write};

use annotate_snippets::{AnnotationKind, Group, Level as Title, Origin, Renderer, Snippet};

use super::document;
use crate::{Counts, Finding, Level, Report, Source, Sources, Span};

/// Lines longer than this, in bytes, are not shown; only the text of the span is.
const LONGEST_LINE: usize = 2_000;

/// How many characters of such a line are shown.
const LONGEST_WORDS: usize = 60;

/// Options of the report for people.
#[derive(Clone, Copy, Debug)]
pub struct Human {
    /// Use the colours of a terminal.
    pub colour: bool,
    /// The width of a line.
    pub width: usize,
    /// The most findings to show, chosen by severity; the rest is only counted.
    pub limit: Option<usize>,
    /// Show each assumption on one line, without an excerpt.
    pub brief_assumptions: bool,
}

impl Default for Human {
    /// Plain text of 120 columns, all findings, brief assumptions.
    fn default() -> Self {
        Self { colour: false, width: 120, limit: None, brief_assumptions: true }
    }
}

/// Writes the report for people, with a count of the findings in the last line.
///
/// # Errors
/// If the writer fails.
pub fn human(report: &Report, sources: &Sources, look: Human, out: &mut dyn Write) -> io::Result<()> {
    let renderer = if look.colour { Renderer::styled() } else { Renderer::plain() }.term_width(look.width);
    let shown = shown(report.findings(), look.limit);
    let mut after_brief = None;
    for finding in &shown {
        let source = document(sources, finding.source)?;
        let brief =
            look.brief_assumptions && finding.level == Level::Note && finding.rule.strict_level().is_some();
        // Blank lines separate blocks, but not one-liners from each other.
        if after_brief.is_some_and(|after_brief| !(brief && after_brief)) {
            writeln!(out)?;
        }
        if brief {
            let at = source.locate(finding.span.start);
            let message = format!("{} ({}:{}:{})", finding.message, source.path(), at.line, at.column);
            let title = title(finding.level).primary_title(message).id(finding.rule.name());
            writeln!(out, "{}", renderer.render(&[Group::with_title(title)]))?;
        } else {
            writeln!(out, "{}", renderer.render(&[group(finding, source, sources)?]))?;
        }
        after_brief = Some(brief);
    }
    if !shown.is_empty() {
        writeln!(out)?;
    }
    let left_out = report.findings().len() - shown.len();
    if left_out > 0 {
        writeln!(out, "… and {left_out} more; `--format json` has them all")?;
    }
    writeln!(out, "{}", summary(report.counts(), report.allowed().len(), report.accepted()))
}

/// The findings to show, in source order; the most severe ones if there are more than the limit.
fn shown(findings: &[Finding], limit: Option<usize>) -> Vec<&Finding> {
    let Some(limit) = limit.filter(|limit| *limit < findings.len()) else {
        return findings.iter().collect();
    };
    let mut order: Vec<usize> = (0..findings.len()).collect();
    order.sort_by_key(|index| std::cmp::Reverse(findings[*index].level));
    order.truncate(limit);
    order.sort_unstable();
    order.into_iter().map(|index| &findings[index]).collect()
}

fn title(level: Level) -> Title<'static> {
    match level {
        Level::Error => Title::ERROR,
        Level::Warning => Title::WARNING,
        Level::Note => Title::NOTE,
    }
}

fn group<'r>(finding: &'r Finding, source: &'r Source, sources: &'r Sources) -> io::Result<Group<'r>> {
    let heading = title(finding.level).primary_title(finding.message.as_str()).id(finding.rule.name());
    let mut group = excerpt(Group::with_title(heading), source, finding.span, AnnotationKind::Primary, None);
    for related in &finding.related {
        let source = document(sources, related.source)?;
        group = excerpt(group, source, related.span, AnnotationKind::Context, Some(&related.label));
    }
    if let Some(help) = &finding.help {
        group = group.element(Title::HELP.message(help.as_str()));
    }
    Ok(group)
}

/// Adds the line of a span to the group. The renderer gets that line alone, so that its work does not grow
/// with the document. Of a span over several lines only the first is shown.
fn excerpt<'r>(
    group: Group<'r>,
    source: &'r Source,
    span: Span,
    kind: AnnotationKind,
    label: Option<&'r str>,
) -> Group<'r> {
    let start = source.locate(span.start);
    let line = source.line(start.line);
    let offset = source.text().floor_char_boundary(span.start as usize).min(line.end as usize);
    let end = source.text().ceil_char_boundary(span.end as usize).clamp(offset, line.end as usize);
    if line.len() as usize > LONGEST_LINE {
        let words: String = source.text()[offset..end.max(offset)].chars().take(LONGEST_WORDS).collect();
        let origin = Origin::path(source.path()).line(start.line as usize).char_column(start.column as usize);
        let label = label.map_or_else(String::new, |label| format!("{label}: "));
        let message = format!("{label}the line is too long to show; here it reads `{words}`");
        return group.element(origin).element(Title::NOTE.message(message));
    }
    let shift = line.start as usize;
    let annotation = kind.span(offset - shift..end - shift).label(label);
    let snippet = Snippet::source(line.of(source.text()))
        .path(source.path())
        .line_start(start.line as usize)
        .fold(false)
        .annotation(annotation);
    group.element(snippet)
}

fn summary(counts: Counts, allowed: usize, accepted: usize) -> String {
    let count = |number: usize, noun: &str| match number {
        1 => format!("1 {noun}"),
        _ => format!("{number} {noun}s"),
    };
    let Counts { errors, warnings, notes } = counts;
    let mut parts = Vec::new();
    for (number, noun) in [(errors, "error"), (warnings, "warning"), (notes, "note")] {
        if number > 0 {
            parts.push(count(number, noun));
        }
    }
    if parts.is_empty() {
        parts.push("no findings".to_owned());
    }
    if allowed > 0 {
        parts.push(format!("{allowed} allowed"));
    }
    if accepted > 0 {
        parts.push(format!("{accepted} in the baseline"));
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_counts_in_words() {
        assert_eq!(summary(Counts::default(), 0, 0), "no findings");
        assert_eq!(
            summary(Counts { errors: 1, warnings: 0, notes: 2 }, 3, 4),
            "1 error, 2 notes, 3 allowed, 4 in the baseline"
        );
    }
}
