//! From files to a Model, a Design and a report: the part of the way that `prove` and `build` share.

use std::io;
use std::path::Path;

use keywright_design::{Addition, Options, PartitionHeat};
use keywright_finding::{Finding, Level, Policy, Report, Sources, render};
use keywright_model::design::DesignSource;
use keywright_model::{Design, Model};

use crate::designing::{Designing, Extending, read_design};
use crate::{catalogue, input};

/// What was read and derived.
pub(crate) struct Chain {
    /// What the document states.
    pub(crate) model: Model,
    /// The design; none where findings at error level stand in the way.
    pub(crate) design: Option<Design>,
    /// What the design adds to the table that it extends.
    pub(crate) additions: Vec<Addition>,
    /// The design of the table that it extends.
    pub(crate) base: Option<Design>,
    /// What a derived design asks of its partitions.
    pub(crate) heat: Vec<PartitionHeat>,
    /// What the reader, the rules and the designer say.
    report: Report,
    sources: Sources,
}

impl Chain {
    /// Reads an access-patterns document and derives its design, or reads the design that is given.
    pub(crate) fn read(
        document: &Path,
        design: Option<&Path>,
        designing: &Designing,
        extending: &Extending,
    ) -> anyhow::Result<Self> {
        let mut sources = Sources::new();
        let source = input::read(document)?;
        let (model, mut findings) = keywright_document::read_access_patterns(source.text());
        findings.extend(keywright_lint::patterns(&model));
        let id = sources.add(source);
        let mut findings: Vec<Finding> = findings.into_iter().map(|finding| finding.in_source(id)).collect();
        let unreadable = findings.iter().any(|finding| finding.level == Level::Error);
        let mut additions = Vec::new();
        let (mut base, mut heat) = (None, Vec::new());
        let derived = match design {
            Some(path) => {
                let source = input::read(path)?;
                let (mut design, found) = read_design(path, &source)?;
                let id = sources.add(source);
                findings.extend(found.into_iter().map(|finding| finding.in_source(id)));
                keywright_document::complete_design(&mut design, &model);
                Some(design)
            }
            None if unreadable => None,
            None => {
                let options = Options { base: extending.base()?, ..designing.options(document, &model)? };
                let outcome = keywright_design::design(&model, &options);
                findings.extend(outcome.findings.into_iter().map(|finding| finding.in_source(id)));
                additions = outcome.additions;
                heat = outcome.heat;
                if let (Some(design), Some(base)) = (&outcome.design, &options.base) {
                    let judged = keywright_lint::designs_on_base(
                        design,
                        &DesignSource::default(),
                        Some(&model),
                        Some(base),
                    );
                    let moved = judged.into_iter().filter(|finding| finding.rule.name() == "moved-key");
                    findings.extend(moved.map(|finding| finding.in_source(id)));
                }
                base = options.base;
                let certificate = outcome.certificate;
                outcome.design.map(|design| Design {
                    input: document.file_name().map(|name| name.to_string_lossy().into_owned()),
                    certificate,
                    ..design
                })
            }
        };
        let policy = Policy::new(catalogue::catalogue())
            .judged_by(keywright_document::RULES.iter().chain(keywright_design::RULES).copied());
        let report = Report::new(findings, &sources, &policy);
        let design = derived.filter(|_| !report.has_errors());
        Ok(Chain { model, design, additions, base, heat, report, sources })
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
