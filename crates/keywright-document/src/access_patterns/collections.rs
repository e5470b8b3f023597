//! The section "Item Collection Candidates": groups that the author would like to see together.

use keywright_model::At;
use keywright_model::model::CollectionCandidate;

use crate::markdown::{Block, Page, Phrase, Table};

use super::cell::{Said, text};
use super::names::{Domain, fold};
use super::outline::{Section, Topic};

/// Reads the tables of that section.
pub(super) fn read(sections: &[Section<'_>], page: &Page, domain: &Domain<'_>) -> Vec<CollectionCandidate> {
    let mut found = Vec::new();
    for section in sections.iter().filter(|section| section.topic == Topic::Collections) {
        for block in section.blocks {
            if let Block::Table(table) = block {
                read_table(table, page, domain, &mut found);
            }
        }
    }
    found
}

fn read_table(table: &Table, page: &Page, domain: &Domain<'_>, found: &mut Vec<CollectionCandidate>) {
    let column = |names: &[&str]| {
        table.header.iter().position(|words| names.contains(&fold(page.phrase(*words).as_str()).as_str()))
    };
    let group = column(&["group", "name", "collection", "collectionpk"]);
    let entities = column(&["entities", "entity", "entitytypes"]);
    let patterns = column(&["accesspatterns", "patterns", "accesspattern", "supports"]);
    let rationale = column(&["rationale", "purpose", "reason", "notes"]);
    for row in &table.rows {
        let cell =
            |column: Option<usize>| Said::new(column.and_then(|column| row.cell(page, column))).words();
        let Some(group) = cell(group) else { continue };
        found.push(CollectionCandidate {
            name: group.as_str().to_owned(),
            span: group.span(),
            entities: listed(cell(entities))
                .map(|name| At::stated(domain.declared(name.as_str()), name.span()))
                .collect(),
            patterns: listed(cell(patterns)).map(text).collect(),
            rationale: cell(rationale).map(text),
        });
    }
}

fn listed(cell: Option<Phrase<'_>>) -> impl Iterator<Item = Phrase<'_>> {
    cell.into_iter().flat_map(|cell| cell.split(&[',', '+', ';', '&', '\n']))
}
