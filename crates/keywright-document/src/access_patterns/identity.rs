//! What identifies an entity, where the document does not say it outright.

mod lookups;

use std::collections::BTreeSet;

use keywright_finding::Suggestions;
use keywright_model::At;
use keywright_model::model::{Attribute, Cardinality, Entity, EntityKind, Relationship, Type, UniqueSet};

use crate::markdown::Phrase;
use crate::rules::UNREADABLE_CELL;

use super::attribute;
use super::entities::Draft;
use super::names::{fold, parts, tokens};
use super::remarks::Remarks;

pub(super) use lookups::from_lookups;

/// Takes the identifiers that the document states: facts, an Identifier line, a diagram's PK.
pub(super) fn stated(drafts: &mut [Draft<'_>], remarks: &mut Remarks) {
    for draft in drafts {
        for line in std::mem::take(&mut draft.identity) {
            // "Identified by serialNumber. Belongs to a Site."
            let sentence = line.as_str().split(". ").next().unwrap_or_default().trim_end_matches('.');
            let line = line.part(sentence);
            for part in attribute::split_list(line) {
                let named = match declared(draft, part, remarks) {
                    Some(name) => vec![name],
                    None => named_attributes(draft, part, remarks),
                };
                draft.entity.identity.extend(named);
            }
        }
        for line in std::mem::take(&mut draft.unique) {
            for set in sets(draft, line, remarks) {
                let names = named_attributes(draft, set.trim_matches(&['(', ')']), remarks);
                add_unique(&mut draft.entity, names.into_iter().map(|name| name.value).collect(), set.span());
            }
        }
        if draft.entity.identity.is_empty() {
            draft.entity.identity = draft
                .entity
                .attributes
                .iter()
                .filter(|attribute| attribute.id.as_ref().is_some_and(|id| id.value && !id.assumed))
                .map(|attribute| At::stated(attribute.name.clone(), attribute.span))
                .collect();
        }
        let unique: Vec<_> = draft
            .entity
            .attributes
            .iter()
            .filter(|attribute| attribute.unique.as_ref().is_some_and(|flag| flag.value))
            .map(|attribute| {
                (attribute.name.clone(), attribute.unique.as_ref().map_or(attribute.span, |flag| flag.span))
            })
            .collect();
        for (name, span) in unique {
            add_unique(&mut draft.entity, vec![name], span);
        }
    }
}

const TOGETHER: &[&str] = &["together", "combined", "combination", "pair", "jointly"];

/// `username, email` are unique each; `a + b`, `(a, b)` and "a, b together" as one.
fn sets<'p>(draft: &Draft<'_>, line: Phrase<'p>, remarks: &mut Remarks) -> Vec<Phrase<'p>> {
    let parts = attribute::split_list(line);
    let is_said =
        |word: &Phrase<'_>| TOGETHER.iter().any(|it| word.is(it)) && draft.attribute(word.as_str()).is_none();
    let Some(together) = tokens(line).find(is_said) else { return parts };
    let joined = tokens(line).any(|word| word.is("and")) || line.as_str().contains('+');
    if parts.len() > 1 && joined {
        // "email, courseId and number together": nobody knows whether the first is one of them.
        remarks.say(
            &UNREADABLE_CELL,
            together.span(),
            format!("\"{}\" does not say which of these are unique as one", together.as_str()),
            "write `a + b` for those that are, and the others in a line of their own",
        );
        return Vec::new();
    }
    vec![line]
}

fn add_unique(entity: &mut Entity, attributes: Vec<String>, span: keywright_finding::Span) {
    if !attributes.is_empty() && !entity.unique.iter().any(|set| set.attributes == attributes) {
        entity.unique.push(UniqueSet { attributes, span });
    }
}

/// An attribute that nothing but the identifier declares: `year: number`, or a name that is like no other.
fn declared(draft: &mut Draft<'_>, part: Phrase<'_>, remarks: &mut Remarks) -> Option<At<String>> {
    let typed = attribute::declares_with_type(part);
    let name = tokens(part).next()?;
    let alone = tokens(part).count() == 1;
    let names = draft.entity.attributes.iter().map(|it| it.name.as_str());
    let is_new = draft.attribute(name.as_str()).is_none()
        && (typed || alone && Suggestions::new(names).nearest(name.as_str()).is_none());
    if !is_new {
        return None;
    }
    let attribute = attribute::read(part, remarks)?;
    let name = At::stated(attribute.name.clone(), attribute.span);
    draft.declare(attribute, remarks);
    Some(name)
}

/// The attributes that a line names.
fn named_attributes(draft: &Draft<'_>, line: Phrase<'_>, remarks: &mut Remarks) -> Vec<At<String>> {
    let mut found = Vec::new();
    let fillers = ["and", "plus", "with", "the", "of", "a"];
    for word in tokens(line) {
        match draft.attribute(word.as_str()) {
            Some(attribute) => found.push(At::stated(attribute.name.clone(), word.span())),
            None if TOGETHER.iter().chain(&fillers).any(|it| word.is(it)) => {}
            None => remarks.say(
                &UNREADABLE_CELL,
                word.span(),
                format!("`{}` is not an attribute of `{}`", word.as_str(), draft.entity.name),
                "name attributes of the entity, separated by commas",
            ),
        }
    }
    found
}

/// Infers identifiers from single attributes: "unique identifier", `<entity>Id`, `id`.
pub(super) fn from_names(drafts: &mut [Draft<'_>], remarks: &mut Remarks) {
    for draft in drafts {
        if draft.entity.identity.is_empty() && !draft.entity.is(EntityKind::Singleton) {
            from_name(draft, remarks);
        }
        // A description that calls a further attribute an identifier only describes it.
        let identity: BTreeSet<String> = draft.entity.identity_names().map(str::to_owned).collect();
        for attribute in &mut draft.entity.attributes {
            attribute.id = attribute.id.take().filter(|id| !id.assumed || identity.contains(&attribute.name));
        }
    }
}

fn from_name(draft: &mut Draft<'_>, remarks: &mut Remarks) {
    let described = draft.entity.attributes.iter().find_map(|attribute| {
        attribute.id.as_ref().filter(|id| id.value).map(|id| (attribute, id.span, "its description says so"))
    });
    let named = || own_id(draft).map(|attribute| (attribute, attribute.span, "its name says so"));
    let found = described.or_else(named).or_else(|| {
        let attribute = only_unique(&draft.entity)?;
        Some((attribute, attribute.span, "it is unique and nothing else identifies the entity"))
    });
    if let Some((attribute, span, why)) = found {
        let name = attribute.name.clone();
        let scope = scope(draft, &name);
        let listed = scope.as_ref().map_or_else(|| name.clone(), |scope| format!("{scope} and {name}"));
        remarks.assume(
            span,
            format!("read {listed} as the identifier of {}", draft.entity.name),
            format!("{why}; write `id` in the attribute's parentheses"),
        );
        // A plain `songId` of a PlaylistSong counts within its playlist.
        draft.entity.identity.extend(scope.map(|scope| At::assumed(scope, span)));
        draft.entity.identity.push(At::assumed(name, span));
    }
}

/// The attribute that names the whole of which an entity is a part, where the part's id is called after the part alone
/// and is no id that is unique by its making.
fn scope(draft: &Draft<'_>, id: &str) -> Option<String> {
    let mut words = parts(&draft.entity.name);
    let last = words.pop()?;
    let made_up = draft.attribute(id).is_some_and(|it| it.ty.value.is_generated_id());
    if words.is_empty() || made_up || fold(id) != format!("{last}id") {
        return None;
    }
    draft.attribute(&format!("{}id", words.concat())).map(|it| it.name.clone())
}

/// The attribute that is called after the entity: `orderId` of Order, `itemId` of OrderItem, `id` of either.
fn own_id<'d>(draft: &'d Draft<'_>) -> Option<&'d Attribute> {
    let whole = fold(&draft.entity.name);
    let last = parts(&draft.entity.name).pop().unwrap_or_default();
    // `messageId` of Messages
    let forms = |name: &str| {
        let singular = [
            Some(name.to_owned()),
            name.strip_suffix("ies").map(|stem| format!("{stem}y")),
            name.strip_suffix("es").map(str::to_owned),
            name.strip_suffix('s').map(str::to_owned),
        ];
        singular.into_iter().flatten().collect::<Vec<_>>()
    };
    let own = forms(&whole).into_iter().flat_map(|it| [format!("{it}id"), format!("{it}uuid")]);
    let last = forms(&last).into_iter().map(|it| format!("{it}id"));
    let others = ["uuid".to_owned(), "ulid".to_owned()];
    let mut candidates = own.chain(["id".to_owned()]).chain(last).chain(others);
    candidates.find_map(|wanted| draft.attribute(&wanted))
}

/// The attribute that is unique by itself, the first of several.
fn only_unique(entity: &Entity) -> Option<&Attribute> {
    let set = entity.unique.iter().find(|set| set.attributes.len() == 1)?;
    entity.attributes.iter().find(|attribute| attribute.name == set.attributes[0])
}

/// Whether a number counts the parts of a whole: `lineNo`, `position`.
fn is_position(attribute: &Attribute) -> bool {
    let last = parts(&attribute.name).pop().unwrap_or_default();
    attribute.ty.value.is_numeric()
        && matches!(last.as_str(), "no" | "number" | "position" | "index" | "sequence" | "seq" | "ordinal")
}

/// Whether an entity is called after what ties two others together, of which there is one for each pair: Watch, Like.
fn is_tie(entity: &Entity) -> bool {
    let last = parts(&entity.name).pop().unwrap_or_default();
    matches!(
        last.as_str(),
        "watch"
            | "follow"
            | "like"
            | "star"
            | "favorite"
            | "favourite"
            | "bookmark"
            | "vote"
            | "membership"
            | "member"
            | "enrollment"
            | "enrolment"
            | "subscription"
            | "participant"
            | "participation"
            | "rsvp"
            | "attendance"
            | "friendship"
            | "block"
            | "mute"
            | "reaction"
            | "wishlist"
    )
}

/// What numbers the items of an entity under its own name: `ticketNo` of Ticket.
fn own_number(entity: &Entity) -> Option<&Attribute> {
    let own = fold(&entity.name);
    let own = own.strip_suffix('s').filter(|it| it.len() > 2).unwrap_or(&own);
    entity.attributes.iter().find(|it| {
        let rest = fold(&it.name).strip_prefix(own).map(str::to_owned);
        let numbers = rest.is_some_and(|rest| matches!(rest.as_str(), "no" | "number" | "nr" | "code"));
        numbers && it.reference.is_none() && !it.is_optional()
    })
}

/// What is called an identifier and points to nothing that is declared: `bidderId`.
fn is_foreign(attribute: &Attribute) -> bool {
    let words = parts(&attribute.name);
    words.len() > 1
        && words.last().is_some_and(|last| last == "id")
        && attribute.reference.is_none()
        && !attribute.is_optional()
}

/// Infers identifiers of entities that have none of their own from what they refer to.
pub(super) fn from_references(
    drafts: &mut [Draft<'_>],
    relationships: &[Relationship],
    remarks: &mut Remarks,
) {
    let alone: BTreeSet<&str> = relationships
        .iter()
        .filter(|it| it.cardinality.value == Cardinality::OneToOne)
        .map(|it| it.child.as_str())
        .collect();
    for draft in drafts {
        let entity = &mut draft.entity;
        if !entity.identity.is_empty() || entity.is(EntityKind::Singleton) {
            continue;
        }
        let references: Vec<&Attribute> =
            entity.attributes.iter().filter(|it| it.reference.is_some()).collect();
        let one_to_one = alone.contains(entity.name.as_str());
        let position = entity.attributes.iter().find(|attribute| {
            attribute.reference.is_none()
                && (attribute.sequential.is_some()
                    || attribute.version.is_some()
                    || is_position(attribute)
                    || matches!(attribute.ty.value, Type::Datetime | Type::Date))
        });
        let other_end = entity.attributes.iter().find(|it| is_tie(entity) && is_foreign(it));
        let numbered = own_number(entity).filter(|_| !one_to_one);
        let (chosen, why): (Vec<&Attribute>, &str) =
            match (references.as_slice(), numbered.or(other_end).or(position)) {
                ([only], Some(number)) if numbered.is_some() => (
                    vec![*only, number],
                    "the entity has no other id, and is numbered within what it belongs to",
                ),
                (_, Some(number)) if numbered.is_some() => {
                    (vec![number], "the entity has no other id, and is numbered")
                }
                ([only], _) if one_to_one => (vec![*only], "there is one for each"),
                ([_, _, ..], _) => {
                    (references, "the entity has no id of its own, so the pair of references identifies it")
                }
                ([only], Some(other)) if other_end.is_some() => (
                    vec![*only, other],
                    "the entity has no id of its own, and its name says that it links these two",
                ),
                ([only], Some(position)) => (
                    vec![*only, position],
                    "the entity has no id of its own; there is one for each at a place or time",
                ),
                _ => continue,
            };
        let names: Vec<(String, _)> =
            chosen.iter().map(|attribute| (attribute.name.clone(), attribute.span)).collect();
        let listed = names.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(" and ");
        remarks.assume(
            names[0].1,
            format!("read {listed} as the identifier of {}", entity.name),
            format!("{why}; write `id` in the parentheses of what identifies it"),
        );
        entity.identity = names.into_iter().map(|(name, span)| At::assumed(name, span)).collect();
    }
}
