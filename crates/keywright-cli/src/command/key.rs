//! `keywright key`: build, read, compare, version and sort keys from a shell.

mod build;
mod compare;
mod parse;
mod sort;
mod tenant;
mod version;

use anyhow::Context;
use keywright_key::{KeyError, Template};
use serde::Serialize;

use crate::exit::Exit;
use crate::output;

/// Builds, reads, compares, versions and sorts keys.
#[derive(clap::Args)]
pub(crate) struct Key {
    #[command(subcommand)]
    action: Action,
    /// How to print the answer.
    #[arg(long, value_enum, default_value_t = Format::Human, global = true)]
    format: Format,
}

#[derive(clap::Subcommand)]
enum Action {
    Build(build::Build),
    Parse(parse::Parse),
    Compare(compare::Compare),
    Version(version::Version),
    Tenant(tenant::Tenant),
    Sort(sort::Sort),
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Plain lines.
    Human,
    /// One JSON value.
    Json,
}

/// The answer of a command: as lines, and as JSON.
struct Answer {
    lines: Vec<String>,
    json: serde_json::Value,
}

impl Answer {
    /// One line of text, and the same under its name in JSON.
    fn text(name: &str, text: impl Into<String>) -> Answer {
        let text = text.into();
        Answer { json: serde_json::json!({ name: text }), lines: vec![text] }
    }
}

/// Why there is no answer: the key or the values are wrong.
#[derive(Serialize)]
struct Refusal {
    template: Option<String>,
    attribute: Option<String>,
    reason: String,
    /// The whole message.
    #[serde(skip)]
    message: String,
}

impl From<KeyError> for Refusal {
    fn from(error: KeyError) -> Self {
        Refusal {
            template: Some(error.template().to_owned()),
            attribute: error.attribute().map(str::to_owned),
            reason: error.fault().to_string(),
            message: error.to_string(),
        }
    }
}

impl Refusal {
    /// A refusal that no template is to blame for.
    fn of_key(key: &str, reason: impl std::fmt::Display) -> Refusal {
        let message = format!("key `{key}`: {reason}");
        Refusal { template: None, attribute: None, reason: reason.to_string(), message }
    }
}

impl Key {
    pub(crate) fn run(self) -> anyhow::Result<Exit> {
        let outcome = match self.action {
            Action::Build(build) => build.run()?,
            Action::Parse(parse) => parse.run()?,
            Action::Compare(compare) => Ok(compare.run()?),
            Action::Version(version) => version.run(),
            Action::Tenant(tenant) => tenant.run()?,
            Action::Sort(sort) => Ok(sort.run()?),
        };
        match (outcome, self.format) {
            (Ok(answer), Format::Human) => {
                output::print(|out| answer.lines.iter().try_for_each(|line| writeln!(out, "{line}")))?;
                Ok(Exit::Holds)
            }
            (Ok(answer), Format::Json) => {
                print_json(&answer.json)?;
                Ok(Exit::Holds)
            }
            (Err(refusal), Format::Human) => {
                output::message(&format!("error: {}\n", refusal.message));
                Ok(Exit::Fails)
            }
            (Err(refusal), Format::Json) => {
                print_json(&serde_json::json!({ "error": refusal }))?;
                Ok(Exit::Fails)
            }
        }
    }
}

fn print_json(json: &serde_json::Value) -> anyhow::Result<()> {
    output::print(|out| {
        serde_json::to_writer_pretty(&mut *out, json)?;
        writeln!(out)
    })
}

/// Reads a template of the command line. One that can't be read is a wrong call.
fn template(text: &str) -> anyhow::Result<Template> {
    Template::parse(text).context("can't read the template")
}
