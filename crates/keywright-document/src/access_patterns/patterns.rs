//! Access patterns: tables row by row, or lists of sentences.

mod given;
mod ids;
mod listed;
mod meant;
mod read;
mod result;
mod row;
mod story;
mod subject;
mod write;

use keywright_finding::{Finding, Level};
use keywright_model::model::{Pattern, PatternKind};

use crate::markdown::{Block, Page, Table};
use crate::rules::{IGNORED_COLUMN, IGNORED_SECTION};

use super::columns::{Column, Columns, is_pattern_table, is_surely_pattern_table, lacking};
use super::names::{Domain, fold};
use super::outline::{Kind, Section, Topic, kind_in};
use super::remarks::{Declared, Remarks};

pub(super) use result::SELECTORS;

/// Reads the patterns of all tables: reads, then writes, then deletes, each in the order of the document, so that the
/// order of sections does not matter.
pub(super) fn read(
    sections: &[Section<'_>],
    page: &Page,
    domain: &Domain<'_>,
    remarks: &mut Remarks,
) -> Vec<Pattern> {
    let mut ids = ids::Ids::new(sections, page);
    let mut patterns = Vec::new();
    for section in sections {
        let announced = match section.topic {
            Topic::Patterns(kind) => kind,
            Topic::Collections => continue,
            _ => None,
        };
        let about_patterns = matches!(section.topic, Topic::Patterns(_));
        let among_entities = matches!(section.topic, Topic::Entity | Topic::EntityField | Topic::Entities);
        let lists_patterns = if among_entities { is_surely_pattern_table } else { is_pattern_table };
        let mut tables = 0;
        for block in section.blocks {
            let Block::Table(table) = block else { continue };
            tables += 1;
            if lists_patterns(table, page) {
                read_table(table, announced, page, domain, &mut ids, &mut patterns, remarks);
            } else if about_patterns {
                report_unread_table(table, page, remarks);
            }
        }
        if about_patterns {
            report_broken_tables(section, page, remarks);
        }
        if about_patterns && tables == 0 {
            read_lists(section, announced, page, domain, &mut ids, &mut patterns, remarks);
        }
    }
    patterns.sort_by_key(|pattern: &Pattern| match pattern.kind {
        PatternKind::Read(_) => 0,
        PatternKind::Write(_) => 1,
        PatternKind::Delete(_) => 2,
    });
    patterns
}

/// A table among access patterns that is none of them: nothing of it gets into the Model, so it is more than a note.
fn report_unread_table(table: &Table, page: &Page, remarks: &mut Remarks) {
    let lacking = lacking(table, page);
    let columns = lacking.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    remarks.report(
        Finding::new(
            &IGNORED_SECTION,
            header_span(table, page),
            format!("this table has no column {columns}, so no access patterns are read from it"),
        )
        .level(Level::Warning)
        .help("name the columns in its first row: ID, Entity, Description, Input Parameters, and for reads Result"),
    );
}

fn header_span(table: &Table, page: &Page) -> keywright_finding::Span {
    match (table.header.first(), table.header.last()) {
        (Some(first), Some(last)) => {
            page.phrase(*first).trim().span().cover(page.phrase(*last).trim().span())
        }
        _ => table.span,
    }
}

/// Rows that Markdown takes for running text, for the line below the headings does not part as many columns as they do.
fn report_broken_tables(section: &Section<'_>, page: &Page, remarks: &mut Remarks) {
    for block in section.blocks {
        let Block::Paragraph(words) = block else { continue };
        let text = page.phrase(*words).trim();
        let mut lines = text.as_str().lines().filter(|line| line.trim_start().starts_with('|'));
        let (Some(heading), Some(line)) = (lines.next(), lines.next()) else { continue };
        let cells = |line: &str| line.trim().trim_matches('|').split('|').count();
        let (headings, parted) = (cells(heading), cells(line));
        remarks.report(
            Finding::new(
                &IGNORED_SECTION,
                text.part(heading).span(),
                "Markdown sees no table here, so no access patterns are read from these rows",
            )
            .level(Level::Warning)
            .help(format!(
                "below the {headings} headings there must be a line `|---|` with as many parts; this one has {parted}"
            )),
        );
    }
}

/// Where no table has the patterns, each item of the lists is one.
fn read_lists(
    section: &Section<'_>,
    announced: Option<Kind>,
    page: &Page,
    domain: &Domain<'_>,
    ids: &mut ids::Ids,
    patterns: &mut Vec<Pattern>,
    remarks: &mut Remarks,
) {
    let mut announced = announced;
    for block in section.blocks {
        let items = match block {
            Block::List(items) => items,
            // A line such as "Writes:" above a list.
            Block::Paragraph(words) => {
                let line = page.phrase(*words).trim();
                let kind = (line.as_str().len() <= 40).then(|| kind_in(&fold(line.as_str()))).flatten();
                announced = kind.or(announced);
                continue;
            }
            _ => continue,
        };
        for listed in listed::rows(items, page) {
            if !remarks.has_room(Declared::Pattern, listed.cells.span) {
                continue;
            }
            let row = row::Row { cells: &listed.cells, columns: &listed.columns, page, domain, loose: true };
            patterns.push(row.read(listed.kind.or(announced), ids, remarks));
        }
    }
}

fn read_table(
    table: &Table,
    announced: Option<Kind>,
    page: &Page,
    domain: &Domain<'_>,
    ids: &mut ids::Ids,
    patterns: &mut Vec<Pattern>,
    remarks: &mut Remarks,
) {
    let columns = Columns::new(table, page);
    for heading in &columns.unknown {
        remarks.report(
            Finding::new(
                &IGNORED_COLUMN,
                heading.span(),
                format!("the column `{}` is not read", heading.as_str()),
            )
            .help("its cells have no effect on the design"),
        );
    }
    let kind = announced.or_else(|| {
        if columns.has(Column::ItemsDeleted) {
            Some(Kind::Delete)
        } else if columns.has(Column::ItemsWritten) {
            Some(Kind::Write)
        } else if columns.has(Column::Result) && !columns.has(Column::Kind) {
            Some(Kind::Read)
        } else {
            None
        }
    });
    let loose = ids::is_loose(&columns);
    for row in &table.rows {
        let row = row::Row { cells: row, columns: &columns, page, domain, loose };
        if row.is_blank() || !remarks.has_room(Declared::Pattern, row.cells.span) {
            continue;
        }
        patterns.push(row.read(kind, ids, remarks));
    }
}
