//! `keywright rules`: the catalogue.

use comfy_table::{Table, presets};
use keywright_finding::{Catalogue, Group, Level};
use serde::Serialize;

use crate::exit::Exit;
use crate::{catalogue, output};

/// Lists the rules.
#[derive(clap::Args)]
pub(crate) struct Rules {
    /// How to print the list.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Format {
    /// A table.
    Human,
    /// An array of rules.
    Json,
}

/// A rule in JSON.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Listed {
    name: &'static str,
    level: Level,
    group: Group,
    summary: &'static str,
    found_by: &'static str,
}

impl Rules {
    pub(crate) fn run(self) -> anyhow::Result<Exit> {
        let catalogue = catalogue::catalogue();
        match self.format {
            Format::Human => output::print(|out| writeln!(out, "{}", table(&catalogue)))?,
            Format::Json => {
                let rules: Vec<Listed> = catalogue
                    .iter()
                    .map(|rule| Listed {
                        name: rule.name(),
                        level: rule.level(),
                        group: rule.group(),
                        summary: rule.summary(),
                        found_by: catalogue::found_by(rule),
                    })
                    .collect();
                output::print(|out| {
                    serde_json::to_writer_pretty(&mut *out, &rules)?;
                    writeln!(out)
                })?;
            }
        }
        Ok(Exit::Holds)
    }
}

fn table(catalogue: &Catalogue) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(["RULE", "LEVEL", "GROUP", "FOUND BY", "FINDS"]);
    for rule in catalogue.iter() {
        let (level, group) = (rule.level().to_string(), rule.group().to_string());
        table.add_row([rule.name(), &level, &group, catalogue::found_by(rule), rule.summary()]);
    }
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    table.trim_fmt()
}
