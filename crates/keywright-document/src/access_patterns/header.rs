//! The header: `> Application: Shop` and its like, or the front matter.

use keywright_model::{At, Model, Style};

use crate::markdown::{Block, Page, Phrase};
use crate::rules::UNREADABLE_CELL;

use super::cell::{Said, text};
use super::names::fold;
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
            model.generated_on.get_or_insert_with(|| text(value));
        }
        "status" => {
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
