//! `keywright generate`: code, infrastructure and documents from a design.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use keywright_document::DocumentKind;
use keywright_finding::{Finding, Level, Policy, Report, Sources, Suggestions, render};
use keywright_generate::{File, LANGUAGES, Options, Staleness, TARGETS};
use keywright_model::{Design, Model};

use crate::designing::Designing;
use crate::exit::Exit;
use crate::{catalogue, files, input, output};

/// Generates code, infrastructure and documents.
///
/// DOC is an access-patterns document, a table-design document, or a design as JSON.
#[derive(clap::Args)]
pub(crate) struct Generate {
    /// What to generate: one of the targets below.
    #[arg(value_name = "TARGET", long_help = targets_help())]
    target: String,
    /// The document to generate from.
    #[arg(value_name = "DOC")]
    document: PathBuf,
    /// The folder to write into.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// The language of interfaces: Generic, TypeScript, Python, Rust, Go or Java.
    #[arg(long, value_name = "L")]
    language: Option<String>,
    #[command(flatten)]
    designing: Designing,
    /// Write nothing; fail and show the difference if what is there is not what would be generated, or is left over.
    #[arg(long)]
    check: bool,
}

fn targets_help() -> String {
    let lines: Vec<String> =
        TARGETS.iter().map(|target| format!("  {:16} {}", target.name, target.summary)).collect();
    format!("What to generate:\n\n{}", lines.join("\n"))
}

impl Generate {
    pub(crate) fn run(self) -> anyhow::Result<Exit> {
        let target = keywright_generate::target(&self.target)
            .ok_or_else(|| unknown("target", &self.target, TARGETS.iter().map(|target| target.name)))?;
        let mut options = Options::default();
        if let Some(name) = &self.language {
            options.language = keywright_generate::language(name)
                .ok_or_else(|| unknown("language", name, LANGUAGES.iter().map(|language| language.name)))?;
        }
        let Some(read) = Read::from(&self.document, &self.designing)? else { return Ok(Exit::Fails) };
        let document = self.document.file_name().unwrap_or(OsStr::new("design")).to_string_lossy();
        let source = keywright_generate::Source {
            model: read.model.as_ref(),
            design: &read.design,
            document: &document,
        };
        let files = match keywright_generate::generate(target, &source, &options) {
            Ok(files) => files,
            Err(findings) => {
                report(findings, read.sources)?;
                return Ok(Exit::Fails);
            }
        };
        if !self.check {
            return write(&files, &self.out);
        }
        let mut stale =
            keywright_generate::stale(&files, |path| fs::read_to_string(self.out.join(path)).ok());
        // Targets may share a folder: what another of them writes is not left over.
        let others = TARGETS
            .iter()
            .filter_map(|target| keywright_generate::generate(target, &source, &options).ok())
            .flatten()
            .map(|file| file.path)
            .collect();
        stale.extend(leftovers(&files, &others, &self.out, &document));
        check(&stale)
    }
}

fn unknown<'n>(what: &str, name: &str, names: impl Iterator<Item = &'n str> + Clone) -> anyhow::Error {
    match Suggestions::new(names.clone()).nearest(name) {
        Some(meant) => anyhow!("there is no {what} named `{name}`; did you mean `{meant}`?"),
        None => {
            anyhow!("there is no {what} named `{name}`; there are {}", names.collect::<Vec<_>>().join(", "))
        }
    }
}

/// Writes the files; those that are there already as they should be are left alone.
pub(crate) fn write(files: &[File], out: &Path) -> anyhow::Result<Exit> {
    let all = files.iter().map(|file| (out.join(&file.path), file.text.as_str()));
    files::write_all(all.filter(|(path, text)| fs::read_to_string(path).ok().as_deref() != Some(text)))?;
    Ok(Exit::Holds)
}

fn check(stale: &[Staleness]) -> anyhow::Result<Exit> {
    output::print(|printed| {
        for file in stale {
            printed.write_all(file.diff.as_bytes())?;
        }
        Ok(())
    })?;
    Ok(if stale.is_empty() { Exit::Holds } else { Exit::Fails })
}

/// The files of an earlier output that lie where this target writes, and that nobody writes any more.
fn leftovers(files: &[File], others: &BTreeSet<String>, out: &Path, document: &str) -> Vec<Staleness> {
    let folders: BTreeSet<&str> =
        files.iter().map(|file| file.path.rsplit_once('/').map_or("", |(folder, _)| folder)).collect();
    let mut paths = BTreeSet::new();
    for folder in folders {
        // Below the output folder itself lies also what compilers make of ours.
        list(out, folder, !folder.is_empty(), &mut paths);
    }
    let text = |path: &String| fs::read_to_string(out.join(path)).ok();
    paths
        .iter()
        .filter(|path| !others.contains(*path))
        .filter_map(|path| keywright_generate::leftover(path, &text(path)?, document))
        .collect()
}

fn list(out: &Path, folder: &str, deep: bool, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(out.join(folder)).into_iter().flatten().flatten() {
        let Ok(name) = entry.file_name().into_string() else { continue };
        let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
        match entry.file_type() {
            Ok(kind) if kind.is_file() => {
                found.insert(path);
            }
            Ok(kind) if kind.is_dir() && deep => list(out, &path, true, found),
            _ => {}
        }
    }
}

/// A document that was read as far as a design.
struct Read {
    model: Option<Model>,
    design: Design,
    sources: Sources,
}

impl Read {
    /// The design of a document; none where findings, which are shown, stand in the way.
    fn from(path: &Path, designing: &Designing) -> anyhow::Result<Option<Self>> {
        let source = input::read(path)?;
        if path.extension() == Some(OsStr::new("json")) {
            let design = serde_json::from_str(source.text())
                .with_context(|| format!("{} is no design in JSON", path.display()))?;
            return Ok(Some(Read { model: None, design, sources: source.into() }));
        }
        if DocumentKind::of(source.text()) == DocumentKind::TableDesign {
            let read = keywright_document::read_table_design(source.text());
            let sources = Sources::from(source);
            let fails = read.findings.iter().any(|finding| finding.level == Level::Error);
            let sources = report(read.findings, sources)?;
            return Ok((!fails).then_some(Read { model: None, design: read.design, sources }));
        }
        let (model, mut findings) = keywright_document::read_access_patterns(source.text());
        let outcome = keywright_design::design(&model, &designing.options(path, &model)?);
        findings.extend(outcome.findings);
        let fails = findings.iter().any(|finding| finding.level == Level::Error);
        let sources = report(findings, Sources::from(source))?;
        Ok(outcome.design.filter(|_| !fails).map(|design| Read { model: Some(model), design, sources }))
    }
}

/// Shows what is worth acting on, and gives the sources back.
fn report(findings: Vec<Finding>, sources: Sources) -> anyhow::Result<Sources> {
    let policy = Policy::new(catalogue::catalogue());
    let report = Report::new(findings, &sources, &policy).only(|finding| finding.level == Level::Error);
    if !report.findings().is_empty() {
        render::human(&report, &sources, render::Human::default(), &mut io::stderr().lock())?;
    }
    Ok(sources)
}
