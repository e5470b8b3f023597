//! From files to a Model, a Design and findings: read, lint, derive and report, the same for every command that needs a
//! design.

use std::io;
use std::path::Path;

use keywright_design::{Addition, FrontierPoint, Options, PartitionHeat};
use keywright_finding::{Finding, Level, Policy, Report, Source, SourceId, Sources, render};
use keywright_model::design::DesignSource;
use keywright_model::{Design, Model};

use crate::designing::{Designing, read_design};
use crate::{catalogue, expectation, input};

/// The rule over designs that says of one on a base what moves.
pub(crate) const RULE_ON_BASE: &str = "moved-key";

/// The rules over designs that measure keys and items against DynamoDB's limits, with the literals that only a derived design
/// has. Others can't see all that a write of ours knows, such as that its condition keeps the item out of an index.
const RULES_OF_LIMITS: [&str; 3] = ["empty-key", "key-too-long", "oversized-item"];

/// A document with its design, derived or given.
pub(crate) struct Derivation {
    /// What the document states.
    pub(crate) model: Model,
    /// The design; none where findings at error level stand in the way.
    pub(crate) design: Option<Design>,
    /// The additions of the design to the table that it extends.
    pub(crate) additions: Vec<Addition>,
    /// The design of the table that it extends.
    pub(crate) base: Option<Design>,
    /// The load on the partitions of a derived design, the hottest first.
    pub(crate) heat: Vec<PartitionHeat>,
    /// The cheapest price for each number of indexes.
    pub(crate) frontier: Vec<FrontierPoint>,
    /// Everything that was found on the way.
    pub(crate) findings: Findings,
}

impl Derivation {
    /// Reads an access-patterns document and derives its design. `adjust` gets the options that the command line, the
    /// document and the team's file ask for. A document with errors is not searched.
    pub(crate) fn derive(
        document: &Path,
        designing: &Designing,
        adjust: impl FnOnce(Options) -> anyhow::Result<Options>,
    ) -> anyhow::Result<Self> {
        Derivation::derive_from(document, input::read(document)?, designing, adjust)
    }

    /// The same for a document that is read already: a pipe can be read only once.
    pub(crate) fn derive_from(
        document: &Path,
        source: Source,
        designing: &Designing,
        adjust: impl FnOnce(Options) -> anyhow::Result<Options>,
    ) -> anyhow::Result<Self> {
        let mut reading = Reading::default();
        let (id, model) = reading.access_patterns(source);
        let options = adjust(designing.options(document, &model)?)?;
        if reading.has_errors() {
            return Ok(Derivation::without_design(model, reading));
        }
        let outcome = keywright_design::design(&model, &options);
        reading.add(id, outcome.findings);
        if let Some(design) = &outcome.design {
            reading.add(id, of_derived(design, &model, options.base.as_ref()));
        }
        let findings = reading.judge();
        let design = outcome.design.filter(|_| !findings.report.has_errors()).map(|design| Design {
            input: document.file_name().map(|name| name.to_string_lossy().into_owned()),
            certificate: outcome.certificate,
            ..design
        });
        Ok(Derivation {
            model,
            design,
            additions: outcome.additions,
            base: options.base,
            heat: outcome.heat,
            frontier: outcome.frontier,
            findings,
        })
    }

    /// Reads an access-patterns document and the design that somebody wrote for it.
    pub(crate) fn given(document: &Path, design: &Path) -> anyhow::Result<Self> {
        let mut reading = Reading::default();
        let (_, model) = reading.access_patterns(input::read(document)?);
        let mut design = reading.design(design, input::read(design)?)?;
        keywright_document::complete_design(&mut design, &model);
        if !reading.has_errors() {
            expectation::add(&mut design, &model, Designing::default().options(document, &model)?);
        }
        let derivation = Derivation::without_design(model, reading);
        let design = Some(design).filter(|_| !derivation.findings.report.has_errors());
        Ok(Derivation { design, ..derivation })
    }

    fn without_design(model: Model, reading: Reading) -> Self {
        Derivation {
            model,
            design: None,
            additions: Vec::new(),
            base: None,
            heat: Vec::new(),
            frontier: Vec::new(),
            findings: reading.judge(),
        }
    }
}

/// What the rules over designs find in one that was derived: limits that it passes, and keys that move. What is wrong with the table that it
/// extends was so before.
fn of_derived(design: &Design, model: &Model, base: Option<&Design>) -> Vec<Finding> {
    let unplaced = DesignSource::default();
    let before: Vec<String> = match base {
        Some(base) => {
            keywright_lint::designs(base, &unplaced, Some(model)).into_iter().map(|it| it.message).collect()
        }
        None => Vec::new(),
    };
    let mut found = keywright_lint::designs_on_base(design, &unplaced, Some(model), base);
    found.retain(|it| {
        let name = it.rule.name();
        name == RULE_ON_BASE
            || RULES_OF_LIMITS.contains(&name) && it.level == Level::Error && !before.contains(&it.message)
    });
    found
}

/// Reads a design without its document; none where findings at error level stand in the way.
pub(crate) fn design_alone(path: &Path, source: Source) -> anyhow::Result<(Option<Design>, Findings)> {
    let mut reading = Reading::default();
    let design = reading.design(path, source)?;
    let findings = reading.judge();
    Ok((Some(design).filter(|_| !findings.report.has_errors()), findings))
}

/// Documents while they are read, with what was found in them so far.
#[derive(Default)]
struct Reading {
    sources: Sources,
    findings: Vec<Finding>,
}

impl Reading {
    fn access_patterns(&mut self, source: Source) -> (SourceId, Model) {
        let (model, findings) = keywright_document::read_access_patterns(source.text());
        let id = self.sources.add(source);
        self.add(id, findings);
        self.add(id, keywright_lint::patterns(&model));
        (id, model)
    }

    fn design(&mut self, path: &Path, source: Source) -> anyhow::Result<Design> {
        let (design, findings) = read_design(path, &source)?;
        let id = self.sources.add(source);
        self.add(id, findings);
        Ok(design)
    }

    fn add(&mut self, id: SourceId, findings: impl IntoIterator<Item = Finding>) {
        self.findings.extend(findings.into_iter().map(|finding| finding.in_source(id)));
    }

    fn has_errors(&self) -> bool {
        self.findings.iter().any(|finding| finding.level == Level::Error)
    }

    fn judge(self) -> Findings {
        let policy = Policy::new(catalogue::catalogue())
            .judged_by(keywright_document::RULES.iter().chain(keywright_design::RULES).copied());
        let report = Report::new(self.findings, &self.sources, &policy);
        Findings { report, sources: self.sources }
    }
}

/// Findings, with the documents that they are about.
pub(crate) struct Findings {
    report: Report,
    sources: Sources,
}

impl Findings {
    /// How many findings there are at a level.
    pub(crate) fn count(&self, level: Level) -> usize {
        self.report.findings().iter().filter(|finding| finding.level == level).count()
    }

    /// Prints errors and warnings where messages go.
    pub(crate) fn show(&self) -> anyhow::Result<()> {
        self.print(self.report.clone())
    }

    /// Prints findings of a later stage about the same documents.
    pub(crate) fn show_more(&self, findings: Vec<Finding>) -> anyhow::Result<()> {
        let policy = Policy::new(catalogue::catalogue());
        self.print(Report::new(findings, &self.sources, &policy))
    }

    fn print(&self, report: Report) -> anyhow::Result<()> {
        let report = report.only(|finding| finding.level != Level::Note);
        if !report.findings().is_empty() {
            render::human(&report, &self.sources, render::Human::default(), &mut io::stderr().lock())?;
        }
        Ok(())
    }
}
