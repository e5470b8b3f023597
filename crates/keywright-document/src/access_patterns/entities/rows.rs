//! Entities as rows of a table.

use crate::access_patterns::cardinality::clauses;
use crate::access_patterns::cell::Said;
use crate::access_patterns::names::{fold, tokens};
use crate::access_patterns::quantity::{is_total, quantity};
use crate::access_patterns::remarks::Remarks;
use crate::markdown::{Page, Phrase, Table};

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
                if field == Field::Description {
                    draft.cardinality.extend(volumes(value));
                }
            }
        }
        drafts.push(draft);
    }
    drafts
}

/// The parts of a description that say how many there are: "~40 per customer", "~10M in total".
fn volumes(description: Phrase<'_>) -> impl Iterator<Item = Phrase<'_>> {
    clauses(description).into_iter().filter(|clause| {
        let per = tokens(*clause).any(|word| word.is("per"));
        quantity(*clause)
            .is_some_and(|(amount, rest)| per || is_total(*clause) || amount.capped && rest.is_empty())
    })
}
