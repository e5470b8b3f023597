//! The facts in an attribute's parentheses: `id`, `unique`, `ref Customer`, `max 999`, `~2 KB`.

use keywright_finding::{Finding, Suggestions};
use keywright_model::At;
use keywright_model::model::{Attribute, AttributeRef, Mutability, Presence, Type};

use super::split_list;
use super::types::leading_type;
use crate::access_patterns::entities::share;
use crate::access_patterns::names::fold;
use crate::access_patterns::quantity::{bytes, quantity};
use crate::access_patterns::remarks::Remarks;
use crate::markdown::Phrase;
use crate::rules::{UNKNOWN_TYPE, UNREADABLE_CELL};

/// The words that a fact may begin with, for did-you-mean.
const FACTS: [&str; 13] = [
    "id",
    "unique",
    "optional",
    "required",
    "mutable",
    "immutable",
    "enum",
    "tenant",
    "ttl",
    "sequential",
    "version",
    "ref",
    "shared with",
];

/// Reads the facts between commas; returns whether a type is among them.
pub(super) fn read_facts(attribute: &mut Attribute, facts: Phrase<'_>, remarks: &mut Remarks) -> bool {
    let mut typed = false;
    let parts = split_list(facts);
    if bare_values(&parts) {
        read_values(attribute, facts);
        let listed: Vec<&str> = attribute.values.iter().map(|it| it.value.as_str()).collect();
        remarks.assume(
            facts.span(),
            format!("read the values of {} as {}", attribute.name, listed.join(", ")),
            format!("to state it explicitly, write `enum({})`", listed.join(", ")),
        );
        return true;
    }
    for (index, fact) in parts.into_iter().enumerate() {
        // `enum: info, warn, critical`
        if attribute.ty.value == Type::Enum
            && typed
            && is_word(fact)
            && !is_flag(&fold(fact.as_str()))
            && is_open_enum(facts)
        {
            attribute.values.push(At::stated(fact.as_str().to_owned(), fact.span()));
            continue;
        }
        if !typed && let Some((ty, rest)) = leading_type(fact) {
            attribute.ty = At::stated(ty, fact.span());
            typed = true;
            let values = ty == Type::Enum && read_values(attribute, rest);
            if ty == Type::Enum && fact.as_str().trim_end_matches([' ', ')', ']']).ends_with(['(', '[']) {
                remarks.doubt(
                    fact.span(),
                    format!("`{}` lists no values", fact.as_str()),
                    "list them, such as `enum(OPEN, DONE)`",
                );
                continue;
            }
            if !values && !rest.is_empty() {
                read_fact(attribute, rest, false, remarks);
            }
            continue;
        }
        let first = index == 0;
        if !read_fact(attribute, fact, first, remarks) && first {
            typed = true;
            unknown_type(attribute, fact, remarks);
        }
        typed |= !attribute.ty.assumed;
    }
    typed
}

/// Whether the values of an enumeration stand behind a colon, and not in parentheses: `enum: info, warn`.
fn is_open_enum(facts: Phrase<'_>) -> bool {
    let lower = facts.as_str().to_lowercase();
    ["enum:", "enum ", "enumeration:"].iter().any(|it| lower.starts_with(it)) && !lower.contains('(')
}

/// Whether a fact is one word of letters.
fn is_word(fact: Phrase<'_>) -> bool {
    let text = fact.as_str();
    text.starts_with(char::is_alphabetic)
        && text.chars().all(|next| next.is_alphanumeric() || matches!(next, '_' | '-'))
}

/// Whether facts are values without a type: `gold/silver/bronze`, `new, open, closed`, and no word among them a type or a fact.
pub(super) fn bare_values(parts: &[Phrase<'_>]) -> bool {
    // Slips stand between commas, in small letters, the type first: `strng, uniqe`, but `active, retired`.
    let slips = parts.len() > 1
        && parts.first().is_some_and(|first| first.as_str().contains(char::is_lowercase) && is_near(*first));
    let known = |word: Phrase<'_>| leading_type(word).is_some() || is_flag(&fold(word.as_str())) || slips;
    let listed: Vec<Phrase<'_>> = match parts {
        [only] => only.split(&['/', '|']).map(Phrase::trim).collect(),
        several => several.to_vec(),
    };
    listed.len() > 1 && listed.iter().all(|word| is_word(*word) && !known(*word))
}

/// Whether a word is nearly a fact or a type: a slip.
pub(super) fn is_near(word: Phrase<'_>) -> bool {
    let near = Suggestions::new(FACTS.into_iter().chain(Type::ALL.iter().map(|ty| ty.name())));
    near.nearest(word.as_str()).is_some()
}

fn unknown_type(attribute: &mut Attribute, fact: Phrase<'_>, remarks: &mut Remarks) {
    let near = Suggestions::new(Type::ALL.iter().map(|ty| ty.name())).nearest(fact.as_str());
    let help = near.map_or_else(
        || "it is read as a string; write one of string, number, integer, decimal, boolean, datetime, date, list, map, \
            set, binary, ulid, uuid, ksuid, enum"
            .to_owned(),
        |near| format!("it is read as a string; did you mean `{near}`?"),
    );
    attribute.ty = At::stated(Type::String, fact.span());
    remarks.say(&UNKNOWN_TYPE, fact.span(), format!("`{}` is not an attribute type", fact.as_str()), help);
}

/// Reads one fact that is no type; returns false where a first fact says nothing that is known.
pub(super) fn read_fact(
    attribute: &mut Attribute,
    fact: Phrase<'_>,
    first: bool,
    remarks: &mut Remarks,
) -> bool {
    let span = fact.span();
    let text = fact.as_str();
    let folded = fold(text);
    let yes = || Some(At::stated(true, span));
    match folded.as_str() {
        "id" | "pk" | "primarykey" | "identifier" | "uniqueidentifier" | "key" => attribute.id = yes(),
        "unique" | "uk" => attribute.unique = yes(),
        "optional" | "nullable" | "sparse" => attribute.optional = yes(),
        "required" | "notnull" | "mandatory" => attribute.optional = Some(At::stated(false, span)),
        "mutable" => set_mutability(attribute, Mutability::Mutable, fact, remarks),
        "immutable" | "readonly" => set_mutability(attribute, Mutability::Immutable, fact, remarks),
        "tenant" | "tenantcode" => attribute.tenant = yes(),
        "ttl" => attribute.ttl = yes(),
        "sequential" | "autoincrement" | "sequence" => attribute.sequential = yes(),
        "version" => attribute.version = yes(),
        "fk" => {}
        _ => return read_worded_fact(attribute, fact, first, remarks),
    }
    true
}

/// The first of "mutable" and "immutable" counts.
fn set_mutability(attribute: &mut Attribute, said: Mutability, fact: Phrase<'_>, remarks: &mut Remarks) {
    let first = attribute.mutability.get_or_insert(At::stated(said, fact.span()));
    if !first.assumed && first.value != said {
        remarks.doubt(
            fact.span(),
            format!("`{}` is not read: {} says the opposite already", fact.as_str(), attribute.name),
            "remove one of `mutable` and `immutable`",
        );
    }
}

/// The facts at the beginning of words that nothing parts, `unique max 999`, and what follows them.
pub(super) fn bare(words: Phrase<'_>) -> (Vec<Phrase<'_>>, Phrase<'_>) {
    let mut rest = words.trim();
    let mut found = Vec::new();
    loop {
        let text = rest.as_str();
        let ends: Vec<usize> =
            text.match_indices(' ').map(|(at, _)| at).chain([text.len()]).take(2).collect();
        let fact = ends.iter().find_map(|end| {
            let words = rest.slice(0..*end);
            let lower = words.as_str().to_lowercase();
            let two = ["max ", "ref "].iter().any(|lead| lower.starts_with(lead));
            let plain = lower.chars().all(|next| next.is_alphanumeric() || next == ' ');
            (plain && (is_flag(&fold(&lower)) || two)).then_some((words, *end))
        });
        let Some((fact, end)) = fact.filter(|_| !text.is_empty()) else { return (found, rest) };
        found.push(fact);
        rest = rest.slice(end..text.len()).trim();
    }
}

/// Whether a folded word is a fact by itself.
pub(super) fn is_flag(folded: &str) -> bool {
    matches!(
        folded,
        "id" | "pk"
            | "primarykey"
            | "unique"
            | "uk"
            | "optional"
            | "nullable"
            | "required"
            | "mutable"
            | "immutable"
            | "tenant"
            | "ttl"
            | "sequential"
            | "version"
            | "fk"
    )
}

fn read_worded_fact(attribute: &mut Attribute, fact: Phrase<'_>, first: bool, remarks: &mut Remarks) -> bool {
    let text = fact.as_str();
    let lower = text.to_lowercase();
    let span = fact.span();
    let after = |prefixes: &[&str]| {
        let prefix = prefixes.iter().find(|prefix| lower.starts_with(**prefix))?;
        text.get(prefix.len()..).map(|rest| fact.part(rest).trim_matches(&[':', '=', '→', '>']))
    };
    if let Some(target) =
        after(&["references ", "reference ", "ref:", "ref ", "refs ", "fk ", "→", "-> ", "->"])
    {
        let (entity, own) = match target.split_once('.') {
            Some((entity, own)) => (entity, own.as_str()),
            None => (target, ""),
        };
        attribute.reference = Some(At::stated(AttributeRef::new(entity.as_str(), own), span));
    } else if let Some(others) = after(&["shared with "]) {
        attribute.shared_with.extend(
            others.split(&[',', '&', '/']).map(|other| At::stated(other.as_str().to_owned(), other.span())),
        );
    } else if let Some(limit) = after(&["max ", "max. ", "maximum ", "up to ", "max=", "max:", "≤ ", "<= "])
    {
        match quantity(limit) {
            Some((limit, _)) => attribute.max = Some(At::stated(limit.mean, span)),
            None => remarks.doubt(
                span,
                format!("`{text}` gives no number"),
                "write the greatest value, such as `max 999`, or remove it",
            ),
        }
    } else if let Some(values) = after(&["one of ", "values ", "enum"]) {
        if !read_values(attribute, values) {
            return not_understood(fact, first, remarks);
        }
    } else if let Some(top) = integers_up_to(text) {
        attribute.max = Some(At::stated(top, span));
        if attribute.ty.assumed {
            attribute.ty = At::stated(Type::Integer, span);
        }
    } else if lower.contains('%') && share(text).is_some() {
        attribute.present = share(text).map(|share| At::stated(Presence::PerMillion(share), span));
    } else if let Some(bytes) = bytes(fact) {
        attribute.bytes = Some(At::stated(bytes, span));
    } else if let Some((amount, unit)) = quantity(fact) {
        let unit = unit.as_str().to_lowercase();
        let is = |words: &[&str]| words.iter().any(|word| unit.starts_with(word));
        if is(&["byte", "char"]) {
            attribute.bytes = Some(At::stated(amount.mean, span));
        } else if is(&["value", "distinct", "different"]) {
            attribute.distinct = Some(At::stated(amount.mean, span));
        } else if unit.contains("at a time") || unit.contains("at any time") || is(&["item"]) {
            attribute.present = Some(At::stated(Presence::Items(amount.mean), span));
        } else {
            return not_understood(fact, first, remarks);
        }
    } else if ['|', '/'].iter().any(|mark| text.contains(*mark)) && attribute.ty.value == Type::Enum {
        read_values(attribute, fact);
    } else {
        return not_understood(fact, first, remarks);
    }
    true
}

/// The largest of the integers `1-5`, `1..5` or `0 to 100`.
fn integers_up_to(text: &str) -> Option<u64> {
    let parted = ["..=", "..", " to ", "-", "–", "—"].iter().find_map(|mark| text.split_once(mark));
    let (from, to) = parted?;
    let (from, to): (u64, u64) = (from.trim().parse().ok()?, to.trim().parse().ok()?);
    (from < to).then_some(to)
}

/// A fact that is not known may be a remark ("in cents"), or a slip that a near name betrays.
fn not_understood(fact: Phrase<'_>, first: bool, remarks: &mut Remarks) -> bool {
    if first {
        return false;
    }
    if let Some(near) = Suggestions::new(FACTS).nearest(fact.as_str()) {
        remarks.report(
            Finding::new(
                &UNREADABLE_CELL,
                fact.span(),
                format!("`{}` is not a known property of an attribute", fact.as_str()),
            )
            .help(format!("did you mean `{near}`?")),
        );
    }
    true
}

/// Reads the values of an enumeration: `(a, b)`, `: a | b`, `a/b`.
pub(super) fn read_values(attribute: &mut Attribute, values: Phrase<'_>) -> bool {
    let inner = values.trim_matches(&['(', ')', '[', ']', ':', '=']);
    let found: Vec<_> = inner
        .split(&[',', '|', '/'])
        .map(|value| value.trim_matches(&['"', '\'', '`', '“', '”']))
        .filter(|value| !value.is_empty())
        .map(|value| At::stated(value.as_str().to_owned(), value.span()))
        .collect();
    if found.is_empty() {
        return false;
    }
    if attribute.values.is_empty() {
        attribute.values = found;
        if attribute.ty.assumed || attribute.ty.value == Type::String {
            attribute.ty = At::stated(Type::Enum, values.span());
        }
    }
    true
}
