//! Entities as items of a list: `**Song** (songId, title)`, `Song: songId, title`, or with more about each in a list below.

use keywright_finding::{Finding, Level};

use crate::access_patterns::attribute;
use crate::access_patterns::names::{join, tokens};
use crate::access_patterns::remarks::Remarks;
use crate::access_patterns::verbs::verb;
use crate::markdown::{Item, Page, Phrase};
use crate::rules::{IGNORED_SECTION, UNREADABLE_CELL};

use super::body::{counts, ends, read_field, read_items, read_unlabelled};
use super::{Draft, Field};

/// The most words that the name of an entity has.
const LONGEST: usize = 3;

/// The entities of a list. Items that only say something about the domain are none.
pub(super) fn read<'p>(items: &[Item], page: &'p Page, remarks: &mut Remarks) -> Vec<Draft<'p>> {
    let mut drafts = Vec::new();
    let mut at = 0;
    while let Some(item) = items.get(at) {
        let below: Vec<Item> = items[at + 1..]
            .iter()
            .take_while(|next| next.depth > item.depth)
            .map(|next| Item { depth: next.depth - item.depth - 1, ..*next })
            .collect();
        at += below.len() + 1;
        let line = page.phrase(item.words).trim();
        let Some((name, said)) = named(line, !below.is_empty()) else {
            report_unread(line, remarks);
            continue;
        };
        let mut draft = Draft::new(name.as_str(), name.span());
        for words in said {
            if attribute::is_list(words) {
                read_field(&mut draft, Field::Attributes, words, remarks);
            } else {
                read_unlabelled(&mut draft, words, remarks);
            }
        }
        read_items(&mut draft, &below, None, page, remarks);
        drafts.push(draft);
    }
    drafts
}

/// Says of a list below the heading of the entities that it declares none. What it begins with tells whether it ought to be
/// access patterns.
pub(super) fn report_list(items: &[Item], page: &Page, remarks: &mut Remarks) {
    let Some(first) = items.first().map(|item| page.phrase(item.words).trim()) else { return };
    let does = |word: Phrase<'_>| verb(word.as_str()).is_some();
    let acts = items.iter().all(|item| tokens(page.phrase(item.words)).next().is_some_and(does));
    let finding =
        Finding::new(&IGNORED_SECTION, first.span(), "this list is not read: it declares no entity");
    remarks.report(if acts {
        finding.level(Level::Warning).help(
            "it stands below the heading of the entities; write `## Access Patterns` above it if it lists those",
        )
    } else {
        finding.help("an entity is an item such as `- **Song** (songId, title)`")
    });
}

/// Whether a line names an entity with its attributes: `Song: songId, title`.
pub(in crate::access_patterns) fn declares(line: Phrase<'_>) -> bool {
    let capital = line.as_str().trim_start_matches(['*', '`']).starts_with(char::is_uppercase);
    capital && named(line, false).is_some()
}

/// The name of an entity, and what the line says of it; none where it names no entity. A line without attributes names one
/// only if something stands below it.
fn named(line: Phrase<'_>, has_more: bool) -> Option<(Phrase<'_>, Vec<Phrase<'_>>)> {
    let text = line.as_str();
    let end = text.find([':', '(', '–', '—']).or_else(|| text.find(" - ")).unwrap_or(text.len());
    let name = line.slice(0..end).trim_matches(&['"', '*', '`']);
    let is_name = name.as_str().starts_with(char::is_alphabetic)
        && name.words().count() <= LONGEST
        && name.as_str().chars().all(|it| it.is_alphanumeric() || matches!(it, ' ' | '_' | '-'));
    let rest = line.slice(end..text.len()).trim();
    let (facts, after) = attribute::parenthesis(rest);
    let after = after.trim_matches(&[':', '-', '–', '—']);
    let said: Vec<Phrase<'_>> =
        facts.into_iter().chain(statements(after)).filter(|it| !it.is_empty()).collect();
    (is_name && (has_more || said.iter().any(|it| attribute::is_list(*it)))).then_some((name, said))
}

/// A line that would be an entity if all that it lists were attributes: it is not lost in silence.
fn report_unread(line: Phrase<'_>, remarks: &mut Remarks) {
    let text = line.as_str();
    let Some(open) = text.find(['(', ':']).filter(|open| text[..*open].split_whitespace().count() <= LONGEST)
    else {
        return;
    };
    let name = line.slice(0..open).trim();
    let said = line.slice(open..text.len());
    let facts = if said.as_str().starts_with('(') {
        attribute::parenthesis(said).0
    } else {
        // "Note: members, guests and staff may enter" names none that is written as an attribute is.
        let said = said.trim_matches(&[':', ' ']);
        let named = |part: &Phrase<'_>| {
            let first = tokens(*part).next();
            part.as_str().contains('`') || first.is_some_and(|it| is_camel_case(it.as_str()))
        };
        Some(said).filter(|said| attribute::split_list(*said).iter().any(named))
    };
    let lists = facts.filter(|facts| attribute::split_list(*facts).len() > 1);
    if let Some(part) = lists.and_then(attribute::no_attribute)
        && name.as_str().trim_start_matches(['*', '`']).starts_with(char::is_uppercase)
    {
        remarks.say(
            &UNREADABLE_CELL,
            part.span(),
            format!("\"{}\" is no attribute, so this line is not read as an entity", part.as_str()),
            "list names, each alone or with its facts in parentheses, such as `status (enum(OPEN, DONE))`",
        );
    }
}

fn is_camel_case(part: &str) -> bool {
    let mut letters = part.chars();
    letters.next().is_some_and(char::is_lowercase)
        && letters.all(char::is_alphanumeric)
        && part.contains(char::is_uppercase)
}

/// `garageId, city. About 300 in all`: a point outside of parentheses parts the attributes from what else is said, and so
/// does a colon where no attributes stand before it: `one of a garage: garageId, bay`.
fn statements(said: Phrase<'_>) -> Vec<Phrase<'_>> {
    let parted = split_outside(said, '.').into_iter().flat_map(without_remarks).flat_map(|sentence| {
        let parts = if attribute::is_list(sentence) { vec![sentence] } else { split_outside(sentence, ':') };
        let attributes = parts.last().is_some_and(|last| attribute::is_list(*last));
        if attributes { parts } else { vec![sentence] }
    });
    parted.collect()
}

/// `noteId (ulid, id), text, expires after 7 days`: what stands beside the attributes says more of the entity.
fn without_remarks(sentence: Phrase<'_>) -> Vec<Phrase<'_>> {
    let parts = attribute::split_list(sentence);
    let is_attribute = |part: &Phrase<'_>| attribute::no_attribute(*part).is_none();
    let begins = parts.iter().take_while(|part| is_attribute(part));
    if !begins.into_iter().any(|part| attribute::declares_with_type(*part)) {
        return vec![sentence];
    }
    let groups: Vec<Phrase<'_>> = parts
        .chunk_by(|one, next| is_attribute(one) && is_attribute(next) || counts(*one) && counts(*next))
        .map(|group| join(sentence, group))
        .collect();
    // Nothing is lost: what is read beside the first attributes are more of them, numbers, and how long items last.
    let is_read = |group: &Phrase<'_>| attribute::is_list(*group) || counts(*group) || ends(*group);
    if groups[1..].iter().all(is_read) { groups } else { vec![sentence] }
}

/// The parts between marks that stand outside of parentheses and end a word.
fn split_outside(words: Phrase<'_>, mark: char) -> Vec<Phrase<'_>> {
    let text = words.as_str();
    let mut found = Vec::new();
    let (mut start, mut depth) = (0, 0_usize);
    for (at, next) in text.char_indices() {
        match next {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if next == mark
                && depth == 0
                && text[at + 1..].chars().next().is_none_or(char::is_whitespace) =>
            {
                found.push(words.slice(start..at).trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(words.slice(start..text.len()).trim());
    found
}
