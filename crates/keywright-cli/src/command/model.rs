//! `keywright model`: the Model as read.

use std::io;
use std::path::PathBuf;

use keywright_finding::{Level, Policy, Report, Sources, render};

use crate::exit::Exit;
use crate::{catalogue, input, outline, output};

/// Prints the Model that a document states.
#[derive(clap::Args)]
pub(crate) struct Model {
    /// The document.
    #[arg(value_name = "DOC")]
    document: PathBuf,
    /// How to print the Model.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Format {
    /// An outline.
    Human,
    /// Everything, each value with its place; the schema is in `docs/schema/model.json`.
    Json,
}

impl Model {
    pub(crate) fn run(self) -> anyhow::Result<Exit> {
        let source = input::read(&self.document)?;
        let (model, findings) = keywright_document::read_access_patterns(source.text());
        output::print(|out| match self.format {
            Format::Human => write!(out, "{}", outline::Outline(&model)),
            Format::Json => {
                serde_json::to_writer_pretty(&mut *out, &model)?;
                writeln!(out)
            }
        })?;
        // Standard output is the Model alone; what could not be read goes where messages go.
        let sources = Sources::from(source);
        let policy = Policy::new(catalogue::catalogue());
        let report = Report::new(findings, &sources, &policy);
        if !report.has_errors() {
            return Ok(Exit::Holds);
        }
        let errors = report.only(|finding| finding.level == Level::Error);
        render::human(&errors, &sources, output::look(&io::stderr()), &mut io::stderr().lock())?;
        Ok(Exit::Fails)
    }
}
