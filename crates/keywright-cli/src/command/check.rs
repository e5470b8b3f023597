//! `keywright check`: what is wrong with a document.

use std::io;
use std::path::PathBuf;

use keywright_document::DocumentKind;
use keywright_finding::render::{self, Human};
use keywright_finding::{Finding, Group, Levels, Policy, Report, Rule, Source, Sources};

use crate::exit::Exit;
use crate::{catalogue, input, output};

/// Finds what is wrong with access-patterns and table-design documents.
#[derive(clap::Args)]
pub(crate) struct Check {
    /// The documents.
    #[arg(required = true, value_name = "DOC")]
    documents: Vec<PathBuf>,
    /// Refuse assumptions: what the document does not say outright is an error.
    #[arg(long)]
    strict: bool,
    /// List only what was inferred where the document is silent, with the reasons.
    #[arg(long)]
    assumptions: bool,
    /// How to print the findings.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Format {
    /// For people: the words, what is wrong with them, what to do.
    Human,
    /// For programs; the schema is in `docs/schema/report.json`.
    Json,
    /// For code scanners: SARIF 2.1.0.
    Sarif,
    /// For GitHub workflows: commands that annotate a pull request.
    Github,
}

impl Check {
    pub(crate) fn run(self) -> anyhow::Result<Exit> {
        let mut sources = Sources::new();
        for path in &self.documents {
            sources.add(input::read(path)?);
        }
        let mut policy = Policy::new(catalogue::catalogue()).judged_by(judges(&sources));
        policy.levels = Levels::new().strict(self.strict);
        let mut report = Report::new(findings(&sources), &sources, &policy);
        let exit = if report.has_errors() { Exit::Fails } else { Exit::Holds };
        if self.assumptions {
            report = report.only(|finding| finding.rule.strict_level().is_some());
        }
        output::print(|out| match self.format {
            Format::Human => {
                let look = Human { brief_assumptions: !self.assumptions, ..output::look(&io::stdout()) };
                render::human(&report, &sources, look, out)
            }
            Format::Json => render::json(&report, &sources, out),
            Format::Sarif => {
                render::sarif(&report, &sources, &policy.catalogue, env!("CARGO_PKG_VERSION"), out)
            }
            Format::Github => render::github(&report, &sources, out),
        })?;
        Ok(exit)
    }
}

/// The rules that have something to judge: those over designs only where there is one.
fn judges(sources: &Sources) -> impl Iterator<Item = &'static Rule> {
    let is_design = |source: &Source| DocumentKind::of(source.text()) == DocumentKind::TableDesign;
    let any_design = sources.iter().any(|(_, source)| is_design(source));
    let any_patterns = sources.iter().any(|(_, source)| !is_design(source));
    let judges = keywright_lint::rules()
        .into_iter()
        .filter(move |rule| if rule.group() == Group::Patterns { any_patterns } else { any_design });
    keywright_document::RULES.iter().copied().chain(judges)
}

/// What the readers and the rules say about every document. Access patterns that are named together with designs give
/// the designs their numbers, if it is clear which ones.
fn findings(sources: &Sources) -> Vec<Finding> {
    let mut findings: Vec<Finding> = Vec::new();
    let mut models = Vec::new();
    let mut designs = Vec::new();
    for (id, source) in sources.iter() {
        let mut said = match DocumentKind::of(source.text()) {
            DocumentKind::AccessPatterns => {
                let (model, mut said) = keywright_document::read_access_patterns(source.text());
                said.extend(keywright_lint::patterns(&model));
                models.push(model);
                said
            }
            DocumentKind::TableDesign => {
                let mut read = keywright_document::read_table_design(source.text());
                let said = std::mem::take(&mut read.findings);
                designs.push((id, read));
                said
            }
        };
        findings.extend(said.drain(..).map(|finding| finding.in_source(id)));
    }
    let model = if let [only] = models.as_slice() { Some(only) } else { None };
    for (id, read) in designs {
        let said = keywright_lint::designs(&read.design, &read.source, model);
        findings.extend(said.into_iter().map(|finding| finding.in_source(id)));
    }
    findings
}
