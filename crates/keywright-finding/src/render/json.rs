//! The report as JSON, with a published schema.

use std::io::{self, Write};

use serde::Serialize;

use super::document;
use crate::{Finding, Level, Location, Report, Source, Sources, Span};

/// A report as JSON. Within one version, fields are only added, never changed or removed.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(title = "Report"))]
#[serde(rename_all = "camelCase")]
struct JsonReport<'r> {
    /// The version of this format.
    version: u32,
    /// The numbers of findings.
    summary: JsonSummary,
    /// The findings, in source order.
    findings: Vec<JsonFinding<'r>>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Summary"))]
#[serde(rename_all = "camelCase")]
struct JsonSummary {
    /// The number of findings at error level; if it is not 0 the program ends with exit code 1.
    errors: usize,
    /// The number of findings at warning level.
    warnings: usize,
    /// The number of findings at note level.
    notes: usize,
    /// The number of findings that allow comments suppress.
    allowed: usize,
    /// The number of findings that the baseline suppresses.
    accepted: usize,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Finding"))]
#[serde(rename_all = "camelCase")]
struct JsonFinding<'r> {
    /// The rule's name, as allow comments and `keywright explain` take it.
    rule: &'r str,
    /// How severe the finding is.
    level: Level,
    /// The problem, in one sentence.
    message: &'r str,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'r str>,
    /// The place of the finding.
    #[serde(flatten)]
    place: JsonPlace<'r>,
    /// Other relevant places.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related: Vec<JsonRelated<'r>>,
    /// Edits that resolve the finding.
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<JsonFix<'r>>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Place"))]
struct JsonPlace<'r> {
    /// The document, by its path on the command line.
    file: &'r str,
    /// The first character.
    start: JsonPosition,
    /// One past the last character.
    end: JsonPosition,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Position"))]
struct JsonPosition {
    /// The offset in bytes, from 0.
    offset: u32,
    /// The line, from 1.
    line: u32,
    /// The column in Unicode code points, from 1.
    column: u32,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Related"))]
struct JsonRelated<'r> {
    /// A few words about the place.
    label: &'r str,
    /// The place.
    #[serde(flatten)]
    place: JsonPlace<'r>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Fix"))]
struct JsonFix<'r> {
    /// The effect of the edits.
    message: &'r str,
    /// The replacements, all in the finding's document, to be applied together.
    edits: Vec<JsonEdit<'r>>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Edit"))]
struct JsonEdit<'r> {
    /// The first character that is replaced.
    start: JsonPosition,
    /// One past the last character that is replaced.
    end: JsonPosition,
    /// The new text.
    replacement: &'r str,
}

/// Writes the report as one JSON document that ends with a line break.
///
/// # Errors
/// If the writer fails.
pub fn json(report: &Report, sources: &Sources, out: &mut dyn Write) -> io::Result<()> {
    let counts = report.counts();
    let findings = report.findings().iter().map(|finding| in_json(finding, sources));
    let value = JsonReport {
        version: 1,
        summary: JsonSummary {
            errors: counts.errors,
            warnings: counts.warnings,
            notes: counts.notes,
            allowed: report.allowed().len(),
            accepted: report.accepted(),
        },
        findings: findings.collect::<io::Result<_>>()?,
    };
    serde_json::to_writer_pretty(&mut *out, &value)?;
    writeln!(out)
}

/// The published JSON Schema of the output of [`json`].
#[cfg(feature = "schema")]
#[must_use]
pub fn json_schema() -> schemars::Schema {
    schemars::SchemaGenerator::new(schemars::generate::SchemaSettings::draft2020_12().for_serialize())
        .into_root_schema_for::<JsonReport<'static>>()
}

fn in_json<'r>(finding: &'r Finding, sources: &'r Sources) -> io::Result<JsonFinding<'r>> {
    let source = document(sources, finding.source)?;
    let related = finding.related.iter().map(|related| {
        Ok(JsonRelated {
            label: &related.label,
            place: place(document(sources, related.source)?, related.span),
        })
    });
    Ok(JsonFinding {
        rule: finding.rule.name(),
        level: finding.level,
        message: &finding.message,
        help: finding.help.as_deref(),
        place: place(source, finding.span),
        related: related.collect::<io::Result<_>>()?,
        fix: finding.fix.as_ref().map(|fix| JsonFix {
            message: &fix.message,
            edits: fix
                .edits
                .iter()
                .map(|edit| JsonEdit {
                    start: position(source, edit.span.start),
                    end: position(source, edit.span.end),
                    replacement: &edit.replacement,
                })
                .collect(),
        }),
    })
}

fn place(source: &Source, span: Span) -> JsonPlace<'_> {
    JsonPlace { file: source.path(), start: position(source, span.start), end: position(source, span.end) }
}

fn position(source: &Source, offset: u32) -> JsonPosition {
    let Location { line, column, .. } = source.locate(offset);
    JsonPosition { offset, line, column }
}
