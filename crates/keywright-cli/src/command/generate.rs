//! `keywright generate`: code, infrastructure and documents from a design.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use keywright_document::DocumentKind;
use keywright_generate::{File, LANGUAGES, Options, Staleness, TARGETS};

use crate::derivation::{self, Derivation};
use crate::designing::Designing;
use crate::exit::Exit;
use crate::words::unknown;
use crate::{files, input, output};

/// Generates code, infrastructure and documents.
///
/// DOC is an access-patterns document, a table-design document, or a design as JSON.
#[derive(clap::Args)]
pub(crate) struct Generate {
    /// The target to generate: one of those below.
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
    /// Write nothing; fail and show the difference if a file is stale or no longer generated.
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
        let document = input::read(&self.document)?;
        let (model, design, findings) = if is_design(&self.document, document.text()) {
            let (design, findings) = derivation::design_alone(&self.document, document)?;
            (None, design, findings)
        } else {
            let derivation = Derivation::derive_from(&self.document, document, &self.designing, Ok)?;
            (Some(derivation.model), derivation.design, derivation.findings)
        };
        findings.show()?;
        let Some(design) = design else { return Ok(Exit::Fails) };
        let document = self.document.file_name().unwrap_or(OsStr::new("design")).to_string_lossy();
        let source =
            keywright_generate::Source { model: model.as_ref(), design: &design, document: &document };
        let files = match keywright_generate::generate(target, &source, &options) {
            Ok(files) => files,
            Err(refused) => {
                findings.show_more(refused)?;
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

/// Files of an earlier output in the folders of this target that are no longer generated.
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

/// Whether a document is a design rather than access patterns.
fn is_design(path: &Path, text: &str) -> bool {
    path.extension() == Some(OsStr::new("json")) || DocumentKind::of(text) == DocumentKind::TableDesign
}
