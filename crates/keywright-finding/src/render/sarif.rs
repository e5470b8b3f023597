//! The report as SARIF 2.1.0, for code scanners.
//!
//! Only the properties that are used are modelled here; a test validates the output against the standard's
//! schema.

use std::io::{self, Write};

use serde::Serialize;

use super::document;
use crate::{Catalogue, Finding, Level, Report, Rule, Source, Sources, Span};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Log<'r> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'r>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'r> {
    tool: Tool<'r>,
    column_kind: &'static str,
    artifacts: Vec<Artifact>,
    results: Vec<SarifResult<'r>>,
}

#[derive(Serialize)]
struct Tool<'r> {
    driver: Driver<'r>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver<'r> {
    name: &'static str,
    semantic_version: &'r str,
    rules: Vec<Descriptor>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Descriptor {
    id: &'static str,
    short_description: Text<'static>,
    help: Help,
    default_configuration: Configuration,
    properties: Tags,
}

#[derive(Serialize)]
struct Help {
    text: &'static str,
    markdown: &'static str,
}

#[derive(Serialize)]
struct Configuration {
    level: Level,
}

#[derive(Serialize)]
struct Tags {
    tags: [String; 1],
}

#[derive(Serialize)]
struct Artifact {
    location: ArtifactLocation,
    length: usize,
    encoding: &'static str,
}

#[derive(Serialize)]
struct ArtifactLocation {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult<'r> {
    rule_id: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule_index: Option<usize>,
    level: Level,
    message: Text<'r>,
    locations: [SarifLocation<'r>; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<SarifLocation<'r>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<SarifFix<'r>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suppressions: Vec<Suppression<'r>>,
}

#[derive(Serialize)]
struct Text<'r> {
    text: std::borrow::Cow<'r, str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifLocation<'r> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<usize>,
    physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Text<'r>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    region: Region,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    start_column: u32,
    end_line: u32,
    end_column: u32,
    byte_offset: u32,
    byte_length: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifFix<'r> {
    description: Text<'r>,
    artifact_changes: [ArtifactChange<'r>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactChange<'r> {
    artifact_location: ArtifactLocation,
    replacements: Vec<Replacement<'r>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Replacement<'r> {
    deleted_region: Region,
    inserted_content: Text<'r>,
}

#[derive(Serialize)]
struct Suppression<'r> {
    kind: &'static str,
    justification: &'r str,
}

/// Writes the report as a SARIF log of one run. Findings that allow comments suppress are included as
/// suppressed results, each with its reason. `version` is that of the program.
///
/// # Errors
/// If the writer fails.
pub fn sarif(
    report: &Report,
    sources: &Sources,
    catalogue: &Catalogue,
    version: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    let rules: Vec<&'static Rule> = catalogue.iter().collect();
    let mut results = Vec::with_capacity(report.findings().len() + report.allowed().len());
    for finding in report.findings() {
        results.push(result(finding, sources, &rules, Vec::new())?);
    }
    for allowed in report.allowed() {
        let suppression = Suppression { kind: "inSource", justification: &allowed.reason };
        results.push(result(&allowed.finding, sources, &rules, vec![suppression])?);
    }
    let log = Log {
        schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        version: "2.1.0",
        runs: [Run {
            tool: Tool {
                driver: Driver {
                    name: "keywright",
                    semantic_version: version,
                    rules: rules.iter().map(|rule| descriptor(rule)).collect(),
                },
            },
            column_kind: "unicodeCodePoints",
            artifacts: sources
                .iter()
                .map(|(_, source)| Artifact {
                    location: location(source),
                    length: source.text().len(),
                    encoding: "utf-8",
                })
                .collect(),
            results,
        }],
    };
    serde_json::to_writer_pretty(&mut *out, &log)?;
    writeln!(out)
}

fn descriptor(rule: &'static Rule) -> Descriptor {
    Descriptor {
        id: rule.name(),
        short_description: text(rule.summary()),
        help: Help { text: rule.page(), markdown: rule.page() },
        default_configuration: Configuration { level: rule.level() },
        properties: Tags { tags: [rule.group().to_string()] },
    }
}

fn result<'r>(
    finding: &'r Finding,
    sources: &'r Sources,
    rules: &[&'static Rule],
    suppressions: Vec<Suppression<'r>>,
) -> io::Result<SarifResult<'r>> {
    let source = document(sources, finding.source)?;
    let message = match &finding.help {
        Some(help) => format!("{}\n{help}", finding.message).into(),
        None => finding.message.as_str().into(),
    };
    let related = finding.related.iter().enumerate().map(|(index, related)| {
        Ok(SarifLocation {
            id: Some(index),
            physical_location: physical(document(sources, related.source)?, related.span),
            message: Some(text(&related.label)),
        })
    });
    let fixes = finding.fix.iter().map(|fix| SarifFix {
        description: text(&fix.message),
        artifact_changes: [ArtifactChange {
            artifact_location: location(source),
            replacements: fix
                .edits
                .iter()
                .map(|edit| Replacement {
                    deleted_region: region(source, edit.span),
                    inserted_content: text(&edit.replacement),
                })
                .collect(),
        }],
    });
    Ok(SarifResult {
        rule_id: finding.rule.name(),
        rule_index: rules.iter().position(|rule| *rule == finding.rule),
        level: finding.level,
        message: Text { text: message },
        locations: [SarifLocation {
            id: None,
            physical_location: physical(source, finding.span),
            message: None,
        }],
        related_locations: related.collect::<io::Result<_>>()?,
        fixes: fixes.collect(),
        suppressions,
    })
}

fn text(text: &str) -> Text<'_> {
    Text { text: text.into() }
}

fn physical(source: &Source, span: Span) -> PhysicalLocation {
    PhysicalLocation { artifact_location: location(source), region: region(source, span) }
}

fn region(source: &Source, span: Span) -> Region {
    let (start, end) = (source.locate(span.start), source.locate(span.end));
    Region {
        start_line: start.line,
        start_column: start.column,
        end_line: end.line,
        end_column: end.column,
        byte_offset: span.start,
        byte_length: span.len(),
    }
}

fn location(source: &Source) -> ArtifactLocation {
    ArtifactLocation { uri: uri(source.path()) }
}

/// A path as a URI reference. Relative paths stay relative, so that a scanner can resolve them against its
/// own root.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    let path = path.strip_prefix("./").unwrap_or(path);
    if path.starts_with('/') {
        uri.push_str("file://");
    } else if path.split('/').next().is_some_and(|first| first.contains(':')) {
        // Otherwise the part before the colon would be read as a scheme.
        uri.push_str("./");
    }
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' | b':' | b'@' => {
                uri.push(char::from(byte))
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_uri_references() {
        assert_eq!(uri("docs/access patterns.md"), "docs/access%20patterns.md");
        assert_eq!(uri("/tmp/é.md"), "file:///tmp/%C3%A9.md");
        assert_eq!(uri("./a.md"), "a.md");
        assert_eq!(uri("a:b.md"), "./a:b.md");
    }
}
