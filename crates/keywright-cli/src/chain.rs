//! From files to a Model, a Design and a report: the part of the way that `prove` and `build` share.

use std::ffi::OsStr;
use std::io;
use std::path::Path;

use anyhow::Context;
use keywright_finding::{Finding, Level, Policy, Report, Source, Sources, render};
use keywright_model::{Design, Model};

use crate::{catalogue, input};

/// What was read and derived.
pub(crate) struct Chain {
    /// What the document states.
    pub(crate) model: Model,
    /// The design; none where findings at error level stand in the way.
    pub(crate) design: Option<Design>,
    /// What the reader, the rules and the designer say.
    report: Report,
    sources: Sources,
}

impl Chain {
    /// Reads an access-patterns document and derives its design, or reads the design that is given.
    pub(crate) fn read(document: &Path, design: Option<&Path>) -> anyhow::Result<Self> {
        let mut sources = Sources::new();
        let source = input::read(document)?;
        let (model, mut findings) = keywright_document::read_access_patterns(source.text());
        findings.extend(keywright_lint::patterns(&model));
        let id = sources.add(source);
        let mut findings: Vec<Finding> = findings.into_iter().map(|finding| finding.in_source(id)).collect();
        let unreadable = findings.iter().any(|finding| finding.level == Level::Error);
        let derived = match design {
            Some(path) => {
                let source = input::read(path)?;
                let (design, found) = read_design(path, &source)?;
                let id = sources.add(source);
                findings.extend(found.into_iter().map(|finding| finding.in_source(id)));
                Some(design)
            }
            None if unreadable => None,
            None => {
                let outcome = keywright_design::design(&model, &keywright_design::Options::default());
                findings.extend(outcome.findings.into_iter().map(|finding| finding.in_source(id)));
                outcome.design.map(|design| Design {
                    input: document.file_name().map(|name| name.to_string_lossy().into_owned()),
                    ..design
                })
            }
        };
        let policy = Policy::new(catalogue::catalogue())
            .judged_by(keywright_document::RULES.iter().chain(keywright_design::RULES).copied());
        let report = Report::new(findings, &sources, &policy);
        let design = derived.filter(|_| !report.has_errors());
        Ok(Chain { model, design, report, sources })
    }

    /// How many findings there are at a level.
    pub(crate) fn count(&self, level: Level) -> usize {
        self.report.findings().iter().filter(|finding| finding.level == level).count()
    }

    /// Prints errors and warnings where messages go.
    pub(crate) fn show(&self) -> anyhow::Result<()> {
        let report = self.report.clone().only(|finding| finding.level != Level::Note);
        if !report.findings().is_empty() {
            render::human(&report, &self.sources, render::Human::default(), &mut io::stderr().lock())?;
        }
        Ok(())
    }
}

/// Reads a design: a table-design document, or JSON.
fn read_design(path: &Path, source: &Source) -> anyhow::Result<(Design, Vec<Finding>)> {
    if path.extension() == Some(OsStr::new("json")) {
        let design = serde_json::from_str(source.text())
            .with_context(|| format!("{} is no design in JSON", path.display()))?;
        return Ok((design, Vec::new()));
    }
    let read = keywright_document::read_table_design(source.text());
    Ok((read.design, read.findings))
}
