//! Design Decisions, and the sentences of notes.

use keywright_model::design::{Decision, Subject};

use super::super::cell::fold;
use super::Reader;
use super::structure::{said, words};
use crate::markdown::{Block, Page, Phrase};

impl Reader {
    /// A block of the decisions.
    pub(super) fn notes(&mut self, block: &Block, page: &Page) {
        match block {
            Block::Paragraph(text) => {
                let phrase = page.phrase(*text).trim();
                if !phrase.is_empty() {
                    self.source.notes.push(said(phrase));
                }
            }
            Block::List(items) => {
                for item in items {
                    let phrase = page.phrase(item.words).trim();
                    self.source.notes.push(said(phrase));
                    self.decision(phrase, item.depth);
                }
            }
            _ => {}
        }
    }

    fn decision(&mut self, phrase: Phrase<'_>, depth: usize) {
        let labelled = phrase.split_once(':');
        if depth > 0
            && let Some(last) = self.design.decisions.last_mut()
        {
            match labelled.map(|(label, value)| (fold(label.as_str()), words(value))) {
                Some((label, value)) if label == "reason" => last.reason = value,
                Some((label, value)) if label == "turningpoint" => last.turning_point = Some(value),
                _ => {}
            }
            return;
        }
        let (subject, chosen) =
            match labelled.and_then(|(label, value)| Some((subject(label)?, words(value)))) {
                Some(known) => known,
                None => (Subject::Design, words(phrase)),
            };
        self.design.decisions.push(Decision {
            subject,
            chosen,
            reason: String::new(),
            alternatives: Vec::new(),
            turning_point: None,
        });
    }
}

fn subject(label: Phrase<'_>) -> Option<Subject> {
    let text = label.as_str();
    if text == "Design" {
        return Some(Subject::Design);
    }
    let (kind, name) = text.split_once(' ')?;
    let name = name.trim().to_owned();
    match kind {
        "Pattern" => Some(Subject::Pattern(name)),
        "Item" => Some(Subject::Item(name)),
        "Index" => Some(Subject::Index(name)),
        _ => None,
    }
}
