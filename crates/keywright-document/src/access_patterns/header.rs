//! The header: `> Application: Shop` and its like, or the front matter.

use keywright_finding::{Finding, Level};
use keywright_model::{At, Model, Style};

use crate::markdown::{Block, Page, Phrase};
use crate::rules::UNREADABLE_CELL;

use super::cell::{Said, text};
use super::names::{fold, tokens};
use super::outline::labelled;
use super::remarks::Remarks;

/// Reads the lines of the header into the Model; the first of each counts.
pub(super) fn read(blocks: &[Block], page: &Page, model: &mut Model, remarks: &mut Remarks) {
    for block in blocks {
        match block {
            Block::Quote(words) | Block::Paragraph(words) => {
                let phrase = page.phrase(*words);
                for line in phrase.as_str().lines() {
                    read_line(phrase.part(line).trim(), model, remarks);
                }
            }
            Block::List(items) => {
                for item in items {
                    read_line(page.phrase(item.words).trim(), model, remarks);
                }
            }
            _ => {}
        }
    }
}

fn read_line(line: Phrase<'_>, model: &mut Model, remarks: &mut Remarks) {
    let Some((label, Said::Words(value))) = labelled(line) else { return };
    match fold(label.as_str()).as_str() {
        "application" | "app" | "applicationname" => {
            model.application.get_or_insert_with(|| text(value));
        }
        "generatedon" | "date" | "generated" => {
            if !value.as_str().contains(|next: char| next.is_ascii_digit()) {
                note(
                    value,
                    "is not a date",
                    "write one, such as `2026-11-15`; generated files repeat it",
                    remarks,
                );
            }
            model.generated_on.get_or_insert_with(|| text(value));
        }
        "status" => {
            let known = ["DRAFT", "REVIEWED", "APPROVED"];
            if !tokens(value).any(|word| known.iter().any(|it| word.is(it))) {
                note(value, "is not a status", "write `DRAFT`, `REVIEWED` or `APPROVED`", remarks);
            }
            model.status.get_or_insert_with(|| text(value));
        }
        "style" => match value.as_str().parse::<Style>() {
            Ok(style) => {
                model.style.get_or_insert(At::stated(style, value.span()));
            }
            Err(message) => {
                remarks.say(
                    &UNREADABLE_CELL,
                    value.span(),
                    message,
                    "leave the line out for the default, overloaded",
                );
            }
        },
        _ => {}
    }
}

/// Says of a value that changes nothing in a design that it is none of the usual ones.
fn note(value: Phrase<'_>, what: &str, help: &str, remarks: &mut Remarks) {
    let message = format!("`{}` {what}; it is kept as it is written", value.as_str());
    remarks.report(Finding::new(&UNREADABLE_CELL, value.span(), message).level(Level::Note).help(help));
}
