//! Table designs: `table-design.md` and entity charts, written exactly and read liberally.
//!
//! The cells of a written design carry the whole executable part in the grammar of `docs/table-design.md`, so that
//! reading gives back the Design that was written. What people write by hand is read as far as it goes.

mod cell;
mod complete;
mod example;
mod params;
mod places;
mod problems;
mod read;
mod statement;
mod template;
mod value;
mod write;

pub use complete::complete_design;
pub use read::{TableDesign, read_table_design};
pub use write::{Check, Companions, write_table_design};

use keywright_dynamodb::expression::Condition;
use keywright_model::design::{Action, OperationName, Request, Value};

use problems::Problems;

/// The three tables of the section "Access Pattern Mapping".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Section {
    Reads,
    Writes,
    Deletes,
}

impl Section {
    const fn title(self) -> &'static str {
        match self {
            Section::Reads => "Reads",
            Section::Writes => "Writes",
            Section::Deletes => "Deletes",
        }
    }
}

/// The operation, index and shards that a list of requests suggests: of a read its first request does the main work,
/// of a write the last that writes.
fn implied_main(requests: &[Request], section: Section) -> (Option<OperationName>, Option<String>, u32) {
    let main = match section {
        Section::Reads => requests.first(),
        Section::Writes | Section::Deletes => requests
            .iter()
            .rev()
            .find(|request| write::actions_of(request).is_some())
            .or_else(|| requests.last()),
    };
    let Some(main) = main else { return (None, None, 1) };
    let index = match main {
        Request::Query(query) => query.index.clone(),
        Request::Scan(scan) => scan.index.clone(),
        _ => None,
    };
    (Some(write::name_of(main)), index, write::shards_of(main))
}

/// The condition of an action, and what it fails as.
fn action_parts(action: &Action) -> (Option<&Condition<Value>>, Option<&String>) {
    match action {
        Action::Put(put) => (put.condition.as_ref(), put.fails_as.as_ref()),
        Action::Update(update) => (update.condition.as_ref(), update.fails_as.as_ref()),
        Action::Delete(it) | Action::Check(it) => (it.condition.as_ref(), it.fails_as.as_ref()),
    }
}
