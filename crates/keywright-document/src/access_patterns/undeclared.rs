//! Entities of a document that declares none: those that its tables of patterns name, made of what the patterns ask for.

use std::collections::BTreeMap;

use keywright_model::At;
use keywright_model::model::{Attribute, Type};

use crate::markdown::Page;

use super::attribute::guess_type;
use super::columns::Column;
use super::description::placeholders;
use super::entities::Draft;
use super::glimpse::each_row;
use super::inputs::{Written, is_paging, read_cell};
use super::names::fold;
use super::outline::Section;
use super::remarks::Remarks;
use super::verbs::{Verb, verb_of};

/// Declares what the tables name, each an assumption.
pub(super) fn declare<'p>(
    sections: &[Section<'p>],
    page: &'p Page,
    drafts: &mut Vec<Draft<'p>>,
    remarks: &mut Remarks,
) {
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    each_row(sections, page, |row| {
        // Inputs of a pattern over several entities belong to none in particular.
        let names = row.entities();
        let named = row.cell(Column::Inputs).or_else(|| row.cell(Column::Attributes));
        let inputs: Vec<Written<'p>> = match (named, row.cell(Column::KeyCondition)) {
            (Some(inputs), _) => read_cell(inputs),
            (None, Some(keys)) => placeholders(keys),
            (None, None) => Vec::new(),
        };
        let looks_up = row.cell(Column::Description).is_some_and(|it| {
            verb_of(it, None) == Some(Verb::Read) && it.as_str().to_lowercase().contains(" by ")
        });
        for name in &names {
            let index = *known.entry(fold(name.as_str())).or_insert_with(|| {
                drafts.push(Draft::new(name.as_str(), name.span()));
                remarks.assume(
                    name.span(),
                    format!("read \"{}\" as an entity", name.as_str()),
                    "the document declares none; describe it under a heading Entities",
                );
                drafts.len() - 1
            });
            if let [_] = names.as_slice() {
                attributes(&inputs, looks_up, &mut drafts[index], remarks);
            }
        }
    });
}

/// Gives an entity the attributes that a pattern asks for; what alone looks it up first identifies it.
fn attributes(inputs: &[Written<'_>], looks_up: bool, draft: &mut Draft<'_>, remarks: &mut Remarks) {
    for input in inputs {
        let name = input.attribute.unwrap_or(input.name);
        let is_name = !name.is_empty() && !name.as_str().contains(char::is_whitespace);
        if !is_name || is_paging(name.as_str()) || draft.attribute(name.as_str()).is_some() {
            continue;
        }
        let mut attribute =
            Attribute::new(name.as_str(), name.span(), At::assumed(Type::String, name.span()));
        guess_type(&mut attribute, remarks);
        let identified = draft.entity.attributes.iter().any(|it| it.id.is_some());
        if looks_up && inputs.len() == 1 && !identified {
            attribute.id = Some(At::assumed(true, name.span()));
        }
        draft.declare(attribute, remarks);
    }
}
