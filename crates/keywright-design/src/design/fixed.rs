//! What is paid whatever the search chooses.

use keywright_model::Style;

use super::weighing::Weighing;
use crate::cost::{Cost, scan_price};
use crate::search::{Answer, tables};

/// Scans, which cost what their table is large, whatever its keys are, and the indexes that are there already.
pub(super) fn price(weighing: &Weighing<'_>, answer: &Answer) -> Cost {
    let Weighing { problem, month, style, existing, .. } = *weighing;
    let scans = problem.reads.iter().filter(|read| read.scan).map(|read| {
        let tables = tables(problem, style, existing);
        let table = tables.iter().find(|table| table.contains(&read.parts[0].entity));
        let table = table.expect("every entity is in a table");
        scan_price(problem, month, read, table, &answer.layouts).cost
    });
    // Native indexes are paid for by those whose keys they hold.
    let native = style == Style::MultiAttribute;
    let present = existing.filter(|_| !native).map_or(0, |it| it.design.indexes.len());
    scans.sum::<Cost>() + Cost::operational(month.operational.index * present as i128)
}
