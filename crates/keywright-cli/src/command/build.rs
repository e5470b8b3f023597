//! `keywright build`: the main job: read, design, check, prove, then write.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use keywright_design::Options as DesignOptions;
use keywright_document::{Companions, write_table_design};
use keywright_finding::Level;
use keywright_generate::{File, Options as GenerateOptions, Source, TARGETS, Target};
use keywright_model::evidence::Outcome;
use keywright_model::model::PatternKind;
use keywright_model::{Design, Evidence};

use crate::derivation::Derivation;
use crate::designing::{Designing, Extending, additions};
use crate::exit::Exit;
use crate::files;
use crate::output;
use crate::proof::{self, ProofOptions};
use crate::validation::Validated;
use crate::words::{counted, unknown};

/// Reads, designs, checks and proves, then writes the documents.
///
/// Writes table-design.md, entity-chart.md, query-interfaces.md, design.json and evidence.json, all or none of them,
/// and only when everything holds.
#[derive(clap::Args)]
pub(crate) struct Build {
    /// The access-patterns document
    #[arg(value_name = "DOC")]
    document: PathBuf,
    /// The folder to write into; by default `keywright-out` beside the document
    #[arg(long, value_name = "DIR", conflicts_with = "job")]
    out: Option<PathBuf>,
    /// Write into docs/specs/jobs/NAME
    #[arg(long, value_name = "NAME")]
    job: Option<String>,
    /// Also generate these targets, each into a folder of its name
    #[arg(long = "target", value_name = "T")]
    targets: Vec<String>,
    #[command(flatten)]
    designing: Designing,
    #[command(flatten)]
    extending: Extending,
    #[command(flatten)]
    proof: ProofOptions,
}

impl Build {
    /// Runs the command to its exit.
    pub(crate) fn run(&self) -> anyhow::Result<Exit> {
        let targets = self.targets.iter().map(|name| target(name)).collect::<anyhow::Result<Vec<_>>>()?;
        let out = self.folder()?;
        let derivation = Derivation::derive(&self.document, &self.designing, |options| {
            Ok(DesignOptions { base: self.extending.base()?, ..options })
        })?;
        derivation.findings.show()?;
        let Some(design) = &derivation.design else {
            summary(&derivation, None, None, &[])?;
            return Ok(Exit::Fails);
        };
        let evidence = proof::run(&derivation.model, design, &self.proof)?;
        if evidence.failed > 0 || evidence.not_checked > 0 {
            let shown = proof::show(&evidence) + &proof::advice(&evidence, &self.document, None);
            output::print(|out| out.write_all(shown.as_bytes()))?;
            summary(&derivation, Some(design), Some(&evidence), &[])?;
            return Ok(Exit::Fails);
        }
        let files = self.files(&derivation, design, &evidence, &targets)?;
        let written: Vec<PathBuf> = files.iter().map(|file| out.join(&file.path)).collect();
        files::write_all(written.iter().cloned().zip(files.iter().map(|file| file.text.as_str())))?;
        summary(&derivation, Some(design), Some(&evidence), &written)?;
        Ok(Exit::Holds)
    }

    fn folder(&self) -> anyhow::Result<PathBuf> {
        Ok(match (&self.out, &self.job) {
            (Some(out), _) => out.clone(),
            (None, Some(job)) => {
                let plain = |character: char| character.is_alphanumeric() || "-_.".contains(character);
                if job.is_empty() || job.starts_with('.') || !job.chars().all(plain) {
                    return Err(anyhow!("`{job}` is not a job name: use letters, digits, `-`, `_` and `.`"));
                }
                Path::new("docs/specs/jobs").join(job)
            }
            (None, None) => self.document.with_file_name("keywright-out"),
        })
    }

    fn files(
        &self,
        derivation: &Derivation,
        design: &Design,
        evidence: &Evidence,
        targets: &[&'static Target],
    ) -> anyhow::Result<Vec<File>> {
        let document = self.document.file_name().unwrap_or(OsStr::new("design")).to_string_lossy();
        let source = Source { model: Some(&derivation.model), design, document: &document };
        let validated = Validated {
            model: &derivation.model,
            design,
            base: derivation.base.as_ref(),
            heat: &derivation.heat,
            found: derivation.findings.count(Level::Warning) + derivation.findings.count(Level::Error),
            certificate: design.certificate.as_ref(),
            evidence: Some(evidence),
        };
        let checks = validated.checks();
        let companions =
            Companions { model: Some(&derivation.model), evidence: Some(evidence), checks: &checks };
        let mut files = vec![
            File::new("table-design.md", write_table_design(design, companions)),
            File::new("design.json", serde_json::to_string_pretty(design)?),
            File::new("evidence.json", serde_json::to_string_pretty(evidence)?),
        ];
        for name in ["entity-chart", "interfaces"] {
            files.extend(generated(target(name)?, &source)?);
        }
        for target in targets {
            let made = generated(target, &source)?;
            files.extend(
                made.into_iter().map(|file| File::new(format!("{}/{}", target.name, file.path), file.text)),
            );
        }
        Ok(files)
    }
}

fn target(name: &str) -> anyhow::Result<&'static Target> {
    keywright_generate::target(name)
        .ok_or_else(|| unknown("target", name, TARGETS.iter().map(|target| target.name)))
}

fn generated(target: &Target, source: &Source<'_>) -> anyhow::Result<Vec<File>> {
    keywright_generate::generate(target, source, &GenerateOptions::default()).map_err(|findings| {
        let reasons: Vec<&str> = findings.iter().map(|finding| finding.message.as_str()).collect();
        anyhow!("can't generate {}: {}", target.name, reasons.join("; "))
    })
}

/// Prints the summary that a person reads in ten seconds.
fn summary(
    derivation: &Derivation,
    design: Option<&Design>,
    evidence: Option<&Evidence>,
    written: &[PathBuf],
) -> anyhow::Result<()> {
    let (errors, warnings) =
        (derivation.findings.count(Level::Error), derivation.findings.count(Level::Warning));
    let reads =
        derivation.model.patterns.iter().filter(|pattern| matches!(pattern.kind, PatternKind::Read(_)));
    let (all, reads) = (derivation.model.patterns.len(), reads.count());
    let mut lines = vec![
        format!("entities   {}", derivation.model.entities.len()),
        format!("patterns   {all} ({}, {})", counted(reads, "read"), counted(all - reads, "write")),
    ];
    if let Some(design) = design {
        let total = &design.total;
        lines.push(format!("tables     {}, indexes {}", design.tables.len(), design.indexes.len()));
        lines.push(format!(
            "cost       {} per month, plus {} of operational prices",
            total.bill.in_cents(),
            total.operational.in_cents()
        ));
    }
    lines.extend(additions(&derivation.additions).lines().map(str::to_owned));
    lines.push(format!("findings   {}, {}", counted(errors, "error"), counted(warnings, "warning")));
    match evidence {
        Some(evidence) => {
            let failed: Vec<&str> = evidence
                .patterns
                .iter()
                .filter(|pattern| pattern.outcome != Outcome::Held)
                .map(|pattern| pattern.id.as_str())
                .collect();
            let rest = if failed.is_empty() {
                String::new()
            } else {
                format!("; failed or not checked: {}", failed.join(", "))
            };
            lines.push(format!(
                "proven     {} of {all} patterns, on {}{rest}",
                evidence.held, evidence.engine
            ));
            // A pattern that held may have a property that no call showed: whoever relies on the proof must know.
            for (reason, patterns) in evidence.unchecked() {
                lines.push(format!("unchecked  {}: {reason}", proof::concerned(evidence, &patterns)));
            }
        }
        None => lines.push("proven     0 patterns: no design was found".into()),
    }
    match written.first().and_then(|first| first.parent()) {
        Some(folder) => {
            let names = outline(folder, written);
            lines.push(format!("written    {}: {}", folder.display(), names.join(", ")));
        }
        None => lines.push("written    no files".into()),
    }
    output::print(|out| lines.iter().try_for_each(|line| writeln!(out, "{line}")))
}

/// The written files by name, and the folders with their number of files.
fn outline(folder: &Path, written: &[PathBuf]) -> Vec<String> {
    let mut names: Vec<(String, usize)> = Vec::new();
    for path in written.iter().filter_map(|path| path.strip_prefix(folder).ok()) {
        let mut parts = path.iter();
        let Some(first) = parts.next() else { continue };
        let first = first.to_string_lossy();
        let name = if parts.next().is_some() { format!("{first}/") } else { first.into_owned() };
        match names.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += 1,
            None => names.push((name, 1)),
        }
    }
    let show = |(name, count): (String, usize)| match (name.ends_with('/'), count) {
        (false, _) => name,
        (true, count) => format!("{name} ({})", counted(count, "file")),
    };
    names.into_iter().map(show).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_counted_and_files_named() {
        let written =
            ["out/design.json", "out/go/a.go", "out/go/b/c.go", "out/iam/all.json"].map(PathBuf::from);
        let shown = outline(Path::new("out"), &written);
        assert_eq!(shown, ["design.json", "go/ (2 files)", "iam/ (1 file)"]);
    }
}
