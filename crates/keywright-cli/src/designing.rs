//! How a design is derived, as commands share it: the style, the table that exists, and what a team agrees on.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, anyhow};
use keywright_design::{Addition, Options, Takes};
use keywright_document::DocumentKind;
use keywright_finding::{Finding, Level, Source};
use keywright_model::{Design, Model, Style};

use crate::config::Config;
use crate::input;

/// How a design is derived.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Designing {
    /// The style: overloaded, multi-attribute or multi-table; by default the one that the document states
    #[arg(long, value_name = "S")]
    style: Option<Style>,
    /// Stop searching after this time (`10s`, `500ms`) with the best design found; `design` reports its remaining gap
    #[arg(long, value_name = "T", value_parser = duration, default_value = TIME_LIMIT)]
    time_limit: Duration,
}

/// So long a search takes at most if nobody says otherwise.
const TIME_LIMIT: &str = "60s";

impl Default for Designing {
    fn default() -> Self {
        Designing { style: None, time_limit: duration(TIME_LIMIT).expect("the default is a duration") }
    }
}

/// The table that a design extends.
#[derive(clap::Args, Clone, Debug, Default)]
pub(crate) struct Extending {
    /// Extend this design (a table-design document, or JSON): its keys and indexes stay as they are
    #[arg(long, value_name = "TABLE_DESIGN")]
    base: Option<PathBuf>,
}

impl Designing {
    /// So long a search takes at most.
    pub(crate) fn time_limit(&self) -> Duration {
        self.time_limit
    }

    /// The designer's options: the command line wins over the document, and the document over the team's file.
    pub(crate) fn options(&self, document: &Path, model: &Model) -> anyhow::Result<Options> {
        let config = Config::find(document)?;
        let stated = model.style.as_ref().map(|style| style.value);
        let defaults = Options::default();
        Ok(Options {
            style: self.style.or(stated).or(config.style()),
            time_limit: Some(self.time_limit),
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

/// The rule over designs that finds items and their table expiring by different attributes.
const RULE_ON_EXPIRY: &str = "several-ttl-attributes";

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
    // Of two names for the time of expiry only the table's would count.
    let contradicts = |it: &Finding| it.rule.name() == RULE_ON_EXPIRY;
    let expiry = keywright_lint::designs(&read.design, &read.source, None).into_iter().filter(contradicts);
    let findings = read.findings.into_iter().chain(expiry).collect();
    Ok((read.design, findings))
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

/// `10s`, `500ms`, `2m`, or bare seconds.
fn duration(text: &str) -> anyhow::Result<Duration> {
    let (digits, unit) =
        text.split_at(text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len()));
    let amount: u64 =
        digits.parse().map_err(|_| anyhow!("`{text}` is not a duration: write `10s` or `500ms`"))?;
    match unit.trim() {
        "" | "s" => Ok(Duration::from_secs(amount)),
        "ms" => Ok(Duration::from_millis(amount)),
        "m" | "min" => Ok(Duration::from_secs(amount.saturating_mul(60))),
        _ => Err(anyhow!("`{text}` is not a duration: write `10s`, `500ms` or `2min`")),
    }
}
