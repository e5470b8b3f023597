//! `keywright check`: what is wrong with a document.

mod fix;

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context;
use keywright_document::{DocumentKind, TableDesign};
use keywright_finding::render::{self, Human};
use keywright_finding::{Baseline, Finding, Group, Level, Policy, Report, Rule, Source, SourceId, Sources};
use keywright_lint::Conventions;
use keywright_model::Model;

use crate::config::Config;
use crate::exit::Exit;
use crate::{catalogue, files, input, output};

/// Finds what is wrong with access-patterns and table-design documents.
#[derive(clap::Args)]
pub(crate) struct Check {
    /// The documents.
    #[arg(required = true, value_name = "DOC")]
    documents: Vec<PathBuf>,
    /// Treat assumptions as errors: every fact must be stated in the document.
    #[arg(long)]
    strict: bool,
    /// List only the assumptions: what was inferred because the document does not state it, and why.
    #[arg(long)]
    assumptions: bool,
    /// Apply the fixes that findings offer to the documents.
    #[arg(long)]
    fix: bool,
    /// With --fix: show the changes and write nothing.
    #[arg(long, requires = "fix")]
    diff: bool,
    /// Report only findings that are not in this file; if the file does not exist, write the current findings to it.
    #[arg(long, value_name = "FILE", conflicts_with = "fix")]
    baseline: Option<PathBuf>,
    /// How to print the findings.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Format {
    /// For people: the place, what is wrong, what to do.
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
        let Some(mut sources) = read(&self.documents) else { return Ok(Exit::CannotRun) };
        let mut policy = Policy::new(catalogue::catalogue()).judged_by(judges(&sources));
        let mut conventions = BTreeMap::new();
        // Each document is judged by the file nearest to it: several may come from the folders of several teams.
        for ((id, _), document) in sources.iter().zip(&self.documents) {
            let config = Config::find(document)?;
            policy.levels_of.insert(id, config.levels(&policy.catalogue)?.strict(self.strict));
            conventions.insert(id, config.conventions()?);
        }
        let judge = |sources: &Sources| {
            Report::new(Documents::read(sources).findings(&conventions), sources, &policy)
        };
        if self.fix {
            let fixed = fix::apply(sources.clone(), judge)?;
            if self.diff {
                let diff = fix::diff(&sources, &fixed.sources);
                output::print(|out| out.write_all(diff.as_bytes()))?;
                return Ok(if diff.is_empty() { Exit::Holds } else { Exit::Fails });
            }
            fix::write(&sources, &fixed.sources)?;
            sources = fixed.sources;
        }
        if let Some(path) = &self.baseline {
            match read_baseline(path)? {
                Some(baseline) => policy.baseline = Some(baseline),
                None => {
                    let report =
                        Report::new(Documents::read(&sources).findings(&conventions), &sources, &policy);
                    write_baseline(path, &Baseline::of(&report, &sources))?;
                    let count = report.findings().len();
                    output::print(|out| writeln!(out, "accepted {count} findings in {}", path.display()))?;
                    return Ok(Exit::Holds);
                }
            }
        }
        let documents = Documents::read(&sources);
        let mut found = documents.findings(&conventions);
        // A document can't state all defaults that prices use, so `--strict` refuses only what the reader inferred.
        if self.assumptions && !self.strict {
            found.extend(documents.price_defaults());
        }
        let mut report = Report::new(found, &sources, &policy);
        let exit = if report.has_errors() { Exit::Fails } else { Exit::Holds };
        if self.assumptions {
            report = report.only(|finding| finding.rule.strict_level().is_some());
        }
        output::print(|out| match self.format {
            Format::Human => {
                let look = Human { brief_assumptions: !self.assumptions, ..output::look(&io::stdout()) };
                render::human(&report, &sources, look, out)?;
                // Whether keys can be found for all of it is another question than whether it is well written.
                let undesigned = only_patterns(&sources) && exit == Exit::Holds && !self.assumptions;
                if undesigned {
                    writeln!(out, "whether one design can serve all patterns is told by `keywright design`")?;
                }
                Ok(())
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

/// Reads all documents. Each that can't be read gets its line, so that all of them are known after one run.
fn read(documents: &[PathBuf]) -> Option<Sources> {
    let mut sources = Sources::new();
    let mut whole = true;
    for path in documents {
        match input::read(path) {
            Ok(source) => {
                sources.add(source);
            }
            Err(error) => {
                Exit::of_failure(&error.into());
                whole = false;
            }
        }
    }
    whole.then_some(sources)
}

/// Whether there are access patterns, and no design of them.
fn only_patterns(sources: &Sources) -> bool {
    let is_design = |source: &Source| DocumentKind::of(source.text()) == DocumentKind::TableDesign;
    sources.iter().all(|(_, source)| !is_design(source))
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

/// The documents of a run, each parsed once.
struct Documents {
    models: Vec<(SourceId, Model)>,
    designs: Vec<(SourceId, TableDesign)>,
    /// What the readers found.
    findings: Vec<Finding>,
}

impl Documents {
    fn read(sources: &Sources) -> Self {
        let mut documents = Documents { models: Vec::new(), designs: Vec::new(), findings: Vec::new() };
        for (id, source) in sources.iter() {
            let found = match DocumentKind::of(source.text()) {
                DocumentKind::AccessPatterns => {
                    let (model, found) = keywright_document::read_access_patterns(source.text());
                    documents.models.push((id, model));
                    found
                }
                DocumentKind::TableDesign => {
                    let mut read = keywright_document::read_table_design(source.text());
                    let found = std::mem::take(&mut read.findings);
                    documents.designs.push((id, read));
                    found
                }
            };
            documents.findings.extend(found.into_iter().map(|finding| finding.in_source(id)));
        }
        documents
    }

    /// The findings of readers and rules. Access patterns that are named together with designs give the designs their
    /// numbers, if it is clear which ones.
    fn findings(&self, conventions: &BTreeMap<SourceId, Conventions>) -> Vec<Finding> {
        let mut findings = self.findings.clone();
        for (id, model) in &self.models {
            let found = keywright_lint::patterns(model);
            findings.extend(found.into_iter().map(|finding| finding.in_source(*id)));
            if model.patterns.is_empty() && !model.entities.is_empty() {
                findings.push(keywright_design::no_patterns().level(Level::Warning).in_source(*id));
            }
        }
        let model = if let [(_, only)] = self.models.as_slice() { Some(only) } else { None };
        for (id, read) in &self.designs {
            let own = conventions.get(id).cloned().unwrap_or_default();
            let found = keywright_lint::designs_by(&own, &read.design, &read.source, model);
            findings.extend(found.into_iter().map(|finding| finding.in_source(*id)));
        }
        findings
    }

    /// The defaults that prices use where an access-patterns document states nothing.
    fn price_defaults(&self) -> impl Iterator<Item = Finding> {
        self.models.iter().flat_map(|(id, model)| {
            let assumed = keywright_design::assumptions(model).into_iter();
            assumed.map(move |it| {
                Finding::new(&keywright_document::ASSUMPTION, it.span, it.statement)
                    .help(it.reason)
                    .in_source(*id)
            })
        })
    }
}

/// The accepted findings; none where there is no such file yet.
fn read_baseline(path: &Path) -> anyhow::Result<Option<Baseline>> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(|| format!("can't read {}", path.display())),
    };
    serde_json::from_str(&text)
        .map(Some)
        .with_context(|| format!("{} is not a baseline file", path.display()))
}

fn write_baseline(path: &Path, baseline: &Baseline) -> anyhow::Result<()> {
    let text = serde_json::to_string_pretty(baseline)? + "\n";
    files::write(path, &text)
}
