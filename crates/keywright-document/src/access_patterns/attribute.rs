//! One attribute: a name, a type, facts in parentheses, and what the author says about it.

mod described;
mod facts;
mod types;

use keywright_model::At;
use keywright_model::model::{Attribute, Type};

use crate::markdown::{Phrase, Piece};

use super::names::{fold, tokens};
use super::remarks::Remarks;
use described::learn_from_description;
use facts::{bare_values, is_flag, is_near, read_fact, read_facts, read_values};
use types::leading_type;

pub(super) use types::{guess_type, type_named};

/// The parts of a list between commas that stand in no parentheses.
pub(super) fn split_list(list: Phrase<'_>) -> Vec<Phrase<'_>> {
    let text = list.as_str();
    let mut parts = Vec::new();
    let mut depth = 0_usize;
    let mut start = 0;
    for (at, next) in text.char_indices() {
        match next {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' | ';' | '\n' if depth == 0 => {
                parts.push(list.slice(start..at).trim());
                start = at + next.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(list.slice(start..text.len()).trim());
    parts.retain(|part| !part.is_empty());
    parts
}

/// Reads `` `orderId` (ulid, id) - the order's number `` and its variants; none where there is no name.
pub(super) fn read(line: Phrase<'_>, remarks: &mut Remarks) -> Option<Attribute> {
    let (name, rest) = name_and_rest(line);
    let name = name.trim_matches(&['<', '>', '{', '}', '"', '*', '`']);
    let (name, mark) = match name.as_str().strip_suffix('?') {
        Some(stem) => (name.part(stem), Some(name)),
        None => (name, None),
    };
    if name.is_empty() {
        return None;
    }
    let (facts, after) = match points(rest) {
        Some(facts) => (Some(facts), rest.slice(rest.as_str().len()..rest.as_str().len())),
        None => parenthesis(rest),
    };
    let after = after.trim_matches(&['-', '–', '—', ':']);
    let mut attribute = Attribute::new(name.as_str(), name.span(), At::assumed(Type::String, name.span()));
    let mut typed = false;
    if let Some(optional) = mark {
        attribute.optional = Some(At::stated(true, optional.span()));
    }
    let mut description = after;
    match facts {
        Some(facts) => typed = read_facts(&mut attribute, facts, remarks),
        // `orderId: string - the order's number`
        None => {
            if let Some(word) = tokens(after).next()
                && let Some(ty) = type_named(word.as_str())
                && after.as_str().starts_with(word.as_str())
            {
                attribute.ty = At::stated(ty, word.span());
                typed = true;
                let behind = after.slice(word.as_str().len()..after.as_str().len()).trim();
                let (facts, rest) = parenthesis(behind);
                match facts {
                    Some(values) if ty == Type::Enum && attribute.values.is_empty() => {
                        read_values(&mut attribute, values);
                    }
                    Some(facts) => {
                        read_facts(&mut attribute, facts, remarks);
                    }
                    None => {}
                }
                // `handle string unique`
                let (bare, rest) = facts::bare(rest);
                for fact in bare {
                    read_fact(&mut attribute, fact, false, remarks);
                }
                // `email: string, unique, ~40 bytes - for signing in`
                if let Some(more) = rest.as_str().strip_prefix(',') {
                    let end = [" - ", " – ", " — "].iter().filter_map(|dash| more.find(dash)).min();
                    for fact in split_list(rest.part(&more[..end.unwrap_or(more.len())])) {
                        read_fact(&mut attribute, fact, false, remarks);
                    }
                }
                description = rest.trim_matches(&['-', '–', '—', ':', ',']);
            } else if rest.as_str().starts_with(':')
                && split_list(after).first().is_some_and(|first| is_flag(&fold(first.as_str())))
            {
                // `expiresAt: ttl`
                typed = read_facts(&mut attribute, after, remarks);
                description = after.slice(0..0);
            } else if let (bare, end) = facts::bare(after)
                && end.is_empty()
            {
                // `userId PK`
                for fact in bare {
                    read_fact(&mut attribute, fact, false, remarks);
                }
                description = after.slice(0..0);
            }
        }
    }
    if !description.is_empty() {
        attribute.description = Some(At::stated(description.as_str().to_owned(), description.span()));
        learn_from_description(&mut attribute, description, remarks);
    }
    if !typed && is_untold(&attribute) {
        guess_type(&mut attribute, remarks);
    }
    Some(attribute)
}

/// Whether words without a label around them declare an attribute: a code span first, one word alone, or a type or values
/// behind the name.
pub(super) fn is_declaration(line: Phrase<'_>) -> bool {
    if matches!(line.pieces().first(), Some(Piece::Code(name)) if !name.as_str().contains(char::is_whitespace))
    {
        return true;
    }
    // `Immutable` is a word about the entity, `fullName` an attribute.
    let alone = is_name(line) && line.as_str().starts_with(char::is_lowercase);
    alone
        || declares_with_type(line)
        || declares_in_words(line)
        || lists_values(line)
        || has_bare_values(line)
        || has_slip(line)
}

/// Whether a name is followed by what is nearly a type or a fact: `songId (strng)`.
fn has_slip(line: Phrase<'_>) -> bool {
    let (name, rest) = name_and_rest(line);
    let first = parenthesis(rest).0.and_then(|facts| split_list(facts).into_iter().next());
    is_name(name) && name.as_str().starts_with(char::is_lowercase) && first.is_some_and(is_near)
}

/// Whether words are one name: `fullName`.
fn is_name(words: Phrase<'_>) -> bool {
    let name = words.trim_matches(&['`', '*']);
    let inside = |next: char| next.is_alphanumeric() || matches!(next, '_' | '.' | '?' | '-');
    name.as_str().starts_with(char::is_alphabetic)
        && !name.as_str().ends_with('.')
        && name.as_str().chars().all(inside)
}

/// Whether words declare an attribute with what it is: `showId (ulid, id)`, `showId: ulid, id`, `showId (PK)`, `showId -> Show`.
pub(super) fn declares_with_type(line: Phrase<'_>) -> bool {
    let (_, rest) = name_and_rest(line);
    let (facts, _) = parenthesis(rest);
    let typed = rest.as_str().strip_prefix(':').map(|typed| rest.part(typed).trim());
    points(rest).is_some()
        || facts.or(typed).is_some_and(|facts| {
            let first = split_list(facts).into_iter().next();
            first.is_some_and(|first| leading_type(first).is_some() || is_flag(&fold(first.as_str())))
        })
}

/// Whether a name is followed by its values: `plan: BASIC | PRO`.
fn lists_values(line: Phrase<'_>) -> bool {
    let (name, rest) = name_and_rest(line);
    let values = rest.as_str().strip_prefix(':').map(|values| rest.part(values));
    is_name(name)
        && values.is_some_and(|values| {
            let values: Vec<Phrase<'_>> = values.split(&['|']).collect();
            values.len() > 1 && values.iter().all(|value| is_name(value.trim_matches(&['"', '\''])))
        })
}

/// Whether a name of an attribute is followed by its values: `tier (gold/silver/bronze)`. A capital begins an entity.
fn has_bare_values(line: Phrase<'_>) -> bool {
    let (name, rest) = name_and_rest(line);
    let (facts, _) = parenthesis(rest);
    is_name(name)
        && name.as_str().starts_with(char::is_lowercase)
        && facts.is_some_and(|facts| bare_values(&split_list(facts)))
}

/// Whether words are nothing but attributes: each a name, alone or with its type.
pub(super) fn is_list(words: Phrase<'_>) -> bool {
    let parts = split_list(words);
    no_attribute(words).is_none() && (parts.len() > 1 || parts.iter().any(|part| is_typed(*part)))
}

/// The first part of a list that is no attribute: neither a name, nor one with its type.
pub(super) fn no_attribute(list: Phrase<'_>) -> Option<Phrase<'_>> {
    let alone = |part: &Phrase<'_>| {
        let name = part.trim_matches(&['`']);
        !name
            .as_str()
            .contains(|next: char| !next.is_alphanumeric() && !matches!(next, '_' | '.' | '?' | '-'))
            && name.as_str().starts_with(char::is_alphabetic)
    };
    // `plate (unique within a country)`: what is said of a name does not make it another thing.
    let noted = |part: &Phrase<'_>| {
        let (name, rest) = name_and_rest(*part);
        let (facts, after) = parenthesis(rest);
        is_name(name) && name.as_str().starts_with(char::is_lowercase) && facts.is_some() && after.is_empty()
    };
    split_list(list).into_iter().find(|part| !alone(part) && !is_typed(*part) && !noted(part))
}

/// Whether words are a name with its type or its values.
fn is_typed(words: Phrase<'_>) -> bool {
    declares_with_type(words) || declares_in_words(words) || lists_values(words)
}

/// Whether words are a name, its type, and facts: `handle string unique`, `minutes integer max 999`, `userId PK`.
fn declares_in_words(words: Phrase<'_>) -> bool {
    let (name, rest) = name_and_rest(words);
    if is_name(name) && !rest.is_empty() && facts::bare(rest).1.is_empty() {
        return name.as_str().starts_with(char::is_lowercase);
    }
    let (first, behind) = match rest.split_once(' ') {
        Some((first, behind)) => (first, behind),
        None => (rest, rest.slice(rest.as_str().len()..rest.as_str().len())),
    };
    is_name(name) && type_named(first.as_str()).is_some() && facts::bare(behind).1.is_empty()
}

/// The name that a line begins with, and what follows it.
fn name_and_rest(line: Phrase<'_>) -> (Phrase<'_>, Phrase<'_>) {
    let text = line.as_str();
    let end =
        text.find(|next: char| next.is_whitespace() || matches!(next, '(' | ':' | ',')).unwrap_or(text.len());
    (line.slice(0..end), line.slice(end..text.len()).trim())
}

/// What an arrow behind a name points to: `customerId -> Customer`.
fn points(rest: Phrase<'_>) -> Option<Phrase<'_>> {
    ["->", "→", "=>"].iter().find_map(|arrow| rest.as_str().strip_prefix(arrow)).map(|_| rest)
}

/// Reads a row of a table of attributes.
pub(super) fn from_cells(
    name: Phrase<'_>,
    ty: Option<Phrase<'_>>,
    facts: [Option<Phrase<'_>>; 2],
    description: Option<Phrase<'_>>,
    optional: Option<Phrase<'_>>,
    required: Option<Phrase<'_>>,
    remarks: &mut Remarks,
) -> Option<Attribute> {
    let name = name.trim_matches(&['<', '>', '{', '}', '"', '*', '`']);
    if name.is_empty() {
        return None;
    }
    let mut attribute = Attribute::new(name.as_str(), name.span(), At::assumed(Type::String, name.span()));
    let mut typed = false;
    for facts in ty.into_iter().chain(facts.into_iter().flatten()) {
        typed |= read_facts(&mut attribute, facts, remarks);
    }
    let flag = |cell: Option<Phrase<'_>>| cell.and_then(super::cell::yes_no);
    if let Some(optional) = flag(optional).or_else(|| flag(required).map(|it| At::stated(!it.value, it.span)))
    {
        attribute.optional.get_or_insert(optional);
    }
    if let Some(description) = description {
        attribute.description = Some(At::stated(description.as_str().to_owned(), description.span()));
        learn_from_description(&mut attribute, description, remarks);
    }
    if !typed && is_untold(&attribute) {
        guess_type(&mut attribute, remarks);
    }
    Some(attribute)
}

/// What stands in the parentheses at the beginning, and what follows them.
pub(super) fn parenthesis(text: Phrase<'_>) -> (Option<Phrase<'_>>, Phrase<'_>) {
    let words = text.as_str();
    if !words.starts_with('(') {
        return (None, text);
    }
    let mut depth = 0_usize;
    for (at, next) in words.char_indices() {
        match next {
            '(' => depth += 1,
            ')' => {
                depth -= 1;
                if depth == 0 {
                    return (Some(text.slice(1..at).trim()), text.slice(at + 1..words.len()).trim());
                }
            }
            _ => {}
        }
    }
    // Never closed: all that follows are facts.
    (Some(text.slice(1..words.len()).trim()), text.slice(words.len()..words.len()))
}

/// Whether neither a description nor a reference tells the type.
fn is_untold(attribute: &Attribute) -> bool {
    attribute.ty.assumed && attribute.ty.value == Type::String && attribute.reference.is_none()
}
