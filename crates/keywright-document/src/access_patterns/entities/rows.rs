//! Entities as rows of a table.

use crate::access_patterns::cell::Said;
use crate::access_patterns::names::fold;
use crate::access_patterns::remarks::Remarks;
use crate::markdown::{Page, Table};

use super::body::read_field;
use super::{Draft, Field, entity_name};

/// Entities as rows: `Entity | Description | Attributes | …`.
pub(super) fn read<'p>(table: &Table, page: &'p Page, remarks: &mut Remarks) -> Vec<Draft<'p>> {
    let heading = |index: usize| table.header.get(index).map(|words| fold(page.phrase(*words).as_str()));
    let Some(name_column) = (0..table.header.len()).find(|index| {
        heading(*index).is_some_and(|it| matches!(it.as_str(), "entity" | "name" | "entityname"))
    }) else {
        return Vec::new();
    };
    let mut drafts = Vec::new();
    for row in &table.rows {
        let Said::Words(name) = Said::new(row.cell(page, name_column)) else { continue };
        let name = entity_name(name);
        let mut draft = Draft::new(name.as_str(), name.span());
        for (index, _) in table.header.iter().enumerate() {
            let field = heading(index).and_then(|it| match it.as_str() {
                "notes" | "purpose" => Some(Field::Description),
                other => Field::named(other),
            });
            if let (Some(field), Said::Words(value)) = (field, Said::new(row.cell(page, index))) {
                read_field(&mut draft, field, value, remarks);
            }
        }
        drafts.push(draft);
    }
    drafts
}
