//! `keywright design`: the cheapest design for a document, proven to be so.

mod verify;

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::anyhow;
use keywright_design::{CertificateTables, Options, Outcome};
use keywright_document::{Companions, write_table_design};
use keywright_dynamodb::Money;
use keywright_finding::{Level, Policy, Report, Source, Sources, render};
use keywright_model::Model;

use crate::designing::{self, Designing, Extending};
use crate::exit::Exit;
use crate::validation::Validated;
use crate::{catalogue, files, input, output};
use verify::verify;

/// Derives the cheapest table design that serves every access pattern.
#[derive(clap::Args)]
pub(crate) struct Design {
    /// The access-patterns document.
    #[arg(value_name = "DOC")]
    document: PathBuf,
    /// How to print the design.
    #[arg(long, value_enum, default_value_t = Format::Markdown)]
    format: Format,
    /// Write to this file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    designing: Designing,
    #[command(flatten)]
    extending: Extending,
    /// Print the cheapest price for each number of indexes instead of the design.
    #[arg(long)]
    alternatives: bool,
    /// Check the certificate by other means than those of the search: what is wrong fails, what is not covered is said.
    #[arg(long)]
    verify: bool,
    /// Stop after so long (`10s`, `500ms`) with the best design found and the gap that is left.
    #[arg(long, value_name = "T", value_parser = duration, default_value = "60s")]
    time_limit: Duration,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Format {
    /// A table-design document.
    Markdown,
    /// Everything, with prices and decisions; the schema is in `docs/schema/design.json`.
    Json,
}

impl Design {
    pub(crate) fn run(self) -> anyhow::Result<Exit> {
        let source = input::read(&self.document)?;
        let (model, _) = keywright_document::read_access_patterns(source.text());
        let options = Options {
            time_limit: Some(self.time_limit),
            whole_frontier: self.alternatives,
            certificate_tables: match self.format {
                // Whoever asks for the certificate, or to check it, gets all of it.
                Format::Json => CertificateTables::Whole,
                Format::Markdown if self.verify => CertificateTables::Whole,
                Format::Markdown => CertificateTables::Small,
            },
            compare: true,
            base: self.extending.base()?,
            ..self.designing.options(&self.document, &model)?
        };
        let derived = derive(source, &options)?;
        let Some(mut design) = derived.outcome.design.clone() else { return Ok(Exit::Fails) };
        #[allow(
            clippy::print_stderr,
            reason = "the program's edge: what is added is a message, the design the output"
        )]
        {
            eprint!("{}", designing::additions(&derived.outcome.additions));
        }
        let verified = self.verify.then(|| verify(&design, derived.outcome.certificate.as_ref()));
        #[allow(
            clippy::print_stderr,
            reason = "the program's edge: what was checked is a message, the design the output"
        )]
        if let Some(verified) = &verified {
            eprint!("{}", verified.message);
        }
        design.input = self.document.file_name().map(|name| name.to_string_lossy().into_owned());
        let text = if self.alternatives {
            alternatives(&derived.outcome)
        } else {
            match self.format {
                Format::Json => with_certificate(&design, &derived.outcome)?,
                Format::Markdown => {
                    let validated = Validated {
                        model: &derived.model,
                        design: &design,
                        base: options.base.as_ref(),
                        heat: &derived.outcome.heat,
                        certificate: derived.outcome.certificate.as_ref(),
                        evidence: None,
                    };
                    let checks = validated.checks();
                    write_table_design(
                        &design,
                        Companions { model: Some(&derived.model), evidence: None, checks: &checks },
                    )
                }
            }
        };
        match &self.output {
            Some(path) => files::write(path, &text)?,
            None => output::print(|out| out.write_all(text.as_bytes()))?,
        }
        Ok(if verified.is_none_or(|it| it.holds) { Exit::Holds } else { Exit::Fails })
    }
}

/// A document and the design that was derived from it.
pub(crate) struct Derived {
    pub(crate) model: Model,
    pub(crate) outcome: Outcome,
}

/// Reads a document and derives its design; errors go where messages go.
pub(crate) fn derive(source: Source, options: &Options) -> anyhow::Result<Derived> {
    let (model, mut findings) = keywright_document::read_access_patterns(source.text());
    // What is wrong with the patterns is wrong with every design for them.
    findings.extend(keywright_lint::patterns(&model).into_iter().filter(|it| it.level == Level::Error));
    let unreadable = findings.iter().any(|finding| finding.level == Level::Error);
    let mut outcome = keywright_design::design(&model, options);
    findings.append(&mut outcome.findings);
    if unreadable {
        outcome.design = None;
    }
    let sources = Sources::from(source);
    let policy = Policy::new(catalogue::catalogue());
    let report = Report::new(findings, &sources, &policy).only(|finding| finding.level != Level::Note);
    if !report.findings().is_empty() {
        render::human(&report, &sources, render::Human::default(), &mut io::stderr().lock())?;
    }
    Ok(Derived { model, outcome })
}

/// The design as JSON, with its certificate.
fn with_certificate(design: &keywright_model::Design, outcome: &Outcome) -> anyhow::Result<String> {
    let design = keywright_model::Design { certificate: outcome.certificate.clone(), ..design.clone() };
    Ok(serde_json::to_string_pretty(&design)? + "\n")
}

/// The frontier of price against number of indexes.
fn alternatives(outcome: &Outcome) -> String {
    let mut text = String::from("| Indexes | Bill per month | Operational | Together |\n|---|---|---|---|\n");
    for point in &outcome.frontier {
        let together = point.total.bill + point.total.operational;
        text.push_str(&format!(
            "| {} | {} | {} | {} |\n",
            point.indexes,
            point.total.bill.in_cents(),
            point.total.operational.in_cents(),
            together.in_cents()
        ));
    }
    let certificate = outcome.certificate.as_ref();
    if let Some(pure) = certificate.and_then(|it| it.pure_bill.as_ref()) {
        text.push_str(&format!(
            "\nWere operating free, the bill would be {} a month.\n",
            pure.bill.in_cents()
        ));
    }
    if let Some(law) = certificate.and_then(|it| it.one_query) {
        let (verb, amount) = if law < Money::ZERO { ("saves", Money::ZERO - law) } else { ("costs", law) };
        text.push_str(&format!(
            "\nThat a read of several entities is one Query {verb} {} a month.\n",
            amount.in_cents()
        ));
    }
    text
}

/// `10s`, `500ms`, `2m`, or bare seconds.
fn duration(text: &str) -> anyhow::Result<Duration> {
    let (digits, unit) =
        text.split_at(text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len()));
    let amount: u64 = digits.parse().map_err(|_| anyhow!("`{text}` is no time: write `10s` or `500ms`"))?;
    match unit.trim() {
        "" | "s" => Ok(Duration::from_secs(amount)),
        "ms" => Ok(Duration::from_millis(amount)),
        "m" | "min" => Ok(Duration::from_secs(amount.saturating_mul(60))),
        _ => Err(anyhow!("`{text}` is no time: write `10s`, `500ms` or `2min`")),
    }
}
