//! Writes a Design as `table-design.md`.

mod closing;
mod entities;
mod mapping;
mod structure;

pub(in crate::table_design) use mapping::{actions_of, name_of, shards_of};

use keywright_model::{Design, Evidence, Model};

/// What stands beside a design when it is written. All of it is optional: the executable part needs none.
#[derive(Clone, Copy, Debug, Default)]
pub struct Companions<'c> {
    /// The Model that the design serves: tells reads from writes and deletes, and says which patterns there are.
    pub model: Option<&'c Model>,
    /// What a proof saw.
    pub evidence: Option<&'c Evidence>,
    /// What else was checked, for the section Validation.
    pub checks: &'c [Check],
}

/// Something that was checked, and whether it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// What, as one sentence.
    pub statement: String,
    /// Whether it holds.
    pub holds: bool,
}

/// Writes a design with what stands beside it.
///
/// Reading the result with [`read_table_design`](crate::read_table_design) gives the same executable design, and
/// writing that with the same companions gives the same bytes. Prices and alternatives are not written.
///
/// ```
/// use keywright_document::{Companions, write_table_design};
/// use keywright_model::Design;
///
/// let text = write_table_design(&Design::default(), Companions::default());
/// assert!(text.starts_with("# DynamoDB Table Design\n"));
/// ```
#[must_use]
pub fn write_table_design(design: &Design, companions: Companions<'_>) -> String {
    let mut text = String::new();
    structure::header(&mut text, design);
    structure::tables(&mut text, design);
    structure::indexes(&mut text, design);
    entities::entities(&mut text, design);
    entities::collections(&mut text, design);
    mapping::mapping(&mut text, design, companions.model);
    closing::decisions(&mut text, design);
    if let Some(evidence) = companions.evidence {
        closing::proof(&mut text, evidence);
    }
    closing::validation(&mut text, design, companions);
    text
}

/// A table of cells that are Markdown already; an empty one says "nothing".
fn table(text: &mut String, header: &[&str], rows: impl IntoIterator<Item = Vec<String>>) {
    text.push_str(&format!("| {} |\n", header.join(" | ")));
    text.push_str(&format!("|{}\n", "---|".repeat(header.len())));
    for row in rows {
        let cells: Vec<&str> = row.iter().map(|cell| if cell.is_empty() { "-" } else { cell }).collect();
        text.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
}
