//! `keywright design`: the cheapest design for a document, proven to be so.

mod verify;

use std::path::PathBuf;

use keywright_design::{CertificateTables, FrontierPoint, Options, TurningPoints};
use keywright_document::{Companions, write_table_design};
use keywright_dynamodb::Money;
use keywright_finding::Level;
use keywright_model::Certificate;

use crate::derivation::Derivation;
use crate::designing::{self, Designing, Extending};
use crate::exit::Exit;
use crate::validation::Validated;
use crate::{files, output};
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
    /// Verify the certificate with an independent checker, for at most the time limit; fails on an error, lists what it
    /// could not cover.
    #[arg(long)]
    verify: bool,
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
        let derivation = Derivation::derive(&self.document, &self.designing, |options| {
            Ok(Options {
                whole_frontier: self.alternatives,
                certificate_tables: match self.format {
                    // Whoever asks for the certificate, or to check it, gets all of it.
                    Format::Json => CertificateTables::Whole,
                    Format::Markdown if self.verify => CertificateTables::Whole,
                    Format::Markdown => CertificateTables::Small,
                },
                compare: true,
                turning_points: TurningPoints::Exact,
                base: self.extending.base()?,
                ..options
            })
        })?;
        derivation.findings.show()?;
        let Some(design) = &derivation.design else { return Ok(Exit::Fails) };
        output::message(&designing::additions(&derivation.additions));
        let verified =
            self.verify.then(|| verify(design, design.certificate.as_ref(), self.designing.time_limit()));
        if let Some(verified) = &verified {
            output::message(&verified.message);
        }
        let text = match (self.alternatives, self.format) {
            (true, _) => alternatives(&derivation.frontier, design.certificate.as_ref()),
            (false, Format::Json) => serde_json::to_string_pretty(design)? + "\n",
            (false, Format::Markdown) => in_markdown(&derivation, design),
        };
        match &self.output {
            Some(path) => files::write(path, &text)?,
            None => output::print(|out| out.write_all(text.as_bytes()))?,
        }
        Ok(if verified.is_none_or(|it| it.holds) { Exit::Holds } else { Exit::Fails })
    }
}

/// The design as a table-design document.
fn in_markdown(derivation: &Derivation, design: &keywright_model::Design) -> String {
    let validated = Validated {
        model: &derivation.model,
        design,
        base: derivation.base.as_ref(),
        heat: &derivation.heat,
        found: derivation.findings.count(Level::Warning) + derivation.findings.count(Level::Error),
        certificate: design.certificate.as_ref(),
        evidence: None,
    };
    let checks = validated.checks();
    write_table_design(design, Companions { model: Some(&derivation.model), evidence: None, checks: &checks })
}

/// The frontier of price against number of indexes.
fn alternatives(frontier: &[FrontierPoint], certificate: Option<&Certificate>) -> String {
    let mut text =
        String::from("| Indexes | Bill per month | Operational prices | Total |\n|---|---|---|---|\n");
    // More indexes that save neither on the bill nor on the whole are nothing to choose.
    let whole = |point: &FrontierPoint| point.total.bill + point.total.operational;
    let beats = |one: &FrontierPoint, other: &FrontierPoint| {
        one.indexes < other.indexes && one.total.bill <= other.total.bill && whole(one) <= whole(other)
    };
    for point in frontier.iter().filter(|point| !frontier.iter().any(|other| beats(other, point))) {
        let together = whole(point);
        text.push_str(&format!(
            "| {} | {} | {} | {} |\n",
            point.indexes,
            point.total.bill.in_cents(),
            point.total.operational.in_cents(),
            together.in_cents()
        ));
    }
    if let Some(pure) = certificate.and_then(|it| it.pure_bill.as_ref()) {
        text.push_str(&format!(
            "\nWith operational prices at zero, the bill would be {} a month.\n",
            pure.bill.in_cents()
        ));
    }
    if let Some(law) = certificate.and_then(|it| it.one_query) {
        let (verb, amount) = if law < Money::ZERO { ("saves", Money::ZERO - law) } else { ("costs", law) };
        text.push_str(&format!(
            "\nServing every multi-entity read with one Query {verb} {} a month, operational prices included.\n",
            amount.in_cents()
        ));
    }
    text
}
