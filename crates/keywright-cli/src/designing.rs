//! How a design is derived, as commands share it: the style, the table that exists, and what a team agrees on.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use keywright_design::{Addition, Options, Takes};
use keywright_document::DocumentKind;
use keywright_finding::{Finding, Level, Source};
use keywright_model::{Design, Model, Style};

use crate::config::Config;
use crate::input;

/// How a design is derived.
#[derive(clap::Args, Clone, Debug, Default)]
pub(crate) struct Designing {
    /// The style: overloaded, multi-attribute or multi-table; by default the one that the document states
    #[arg(long, value_name = "S")]
    style: Option<Style>,
}

/// The table that a design extends.
#[derive(clap::Args, Clone, Debug, Default)]
pub(crate) struct Extending {
    /// Extend this design (a table-design document, or JSON): its keys and indexes stay as they are
    #[arg(long, value_name = "TABLE_DESIGN")]
    base: Option<PathBuf>,
}

impl Designing {
    /// The designer's options: the command line wins over the document, and the document over the team's file.
    pub(crate) fn options(&self, document: &Path, model: &Model) -> anyhow::Result<Options> {
        let config = Config::find(document)?;
        let stated = model.style.as_ref().map(|style| style.value);
        let defaults = Options::default();
        Ok(Options {
            style: self.style.or(stated).or(config.style()),
            prices: config.prices().unwrap_or_else(|| defaults.prices.clone()),
            ..defaults
        })
    }
}

impl Extending {
    /// The design to extend, where one is given. One that can't be read is no base to build on.
    pub(crate) fn base(&self) -> anyhow::Result<Option<Design>> {
        let Some(path) = &self.base else { return Ok(None) };
        let (design, findings) = read_design(path, &input::read(path)?)?;
        match findings.iter().find(|finding| finding.level == Level::Error) {
            Some(finding) => Err(anyhow!("{} can't be extended: {}", path.display(), finding.message)),
            None => Ok(Some(design)),
        }
    }
}

/// Reads a design: a table-design document, or JSON.
pub(crate) fn read_design(path: &Path, source: &Source) -> anyhow::Result<(Design, Vec<Finding>)> {
    if path.extension() == Some(OsStr::new("json")) {
        let design = serde_json::from_str(source.text())
            .with_context(|| format!("{} is not a design in JSON", path.display()))?;
        return Ok((design, Vec::new()));
    }
    let read = keywright_document::read_table_design(source.text());
    if read.design.items.is_empty() {
        let name = path.display();
        return Err(match DocumentKind::of(source.text()) {
            DocumentKind::AccessPatterns => {
                anyhow!(
                    "{name} states access patterns, not a table design; give the access patterns first, and the design with `--design`"
                )
            }
            DocumentKind::TableDesign => {
                anyhow!(
                    "{name} has no item types: add a section `Entity Key Design`, or a table with the columns Entity, PK and SK"
                )
            }
        });
    }
    Ok((read.design, read.findings))
}

/// The additions to a table, one line each.
pub(crate) fn additions(additions: &[Addition]) -> String {
    let line = |addition: &Addition| match &addition.takes {
        Takes::Nothing => format!("additive   {}\n", addition.what),
        Takes::Backfill { items, price } => {
            format!("backfill   {}: {items} items, {} once\n", addition.what, price.in_cents())
        }
    };
    additions.iter().map(line).collect()
}
