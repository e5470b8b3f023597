//! Entities with history: each version of an item is an item of another entity, which no document has to declare.
//!
//! That entity has the attributes of the first in the same order, and is identified by what identifies the first and by the
//! number of the version. Every write that leaves an item behind also leaves a version of it.

use keywright_finding::Span;
use keywright_model::At;
use keywright_model::model::{
    Action, Attribute, AttributeRef, Cardinality, Effect, Entity, EntityKind, FanOut, Mutability, Pattern,
    PatternKind, Relationship, Type,
};

use crate::markdown::Phrase;

use super::cardinality::{bounds_alone, clauses};
use super::entities::Draft;
use super::inputs::read_cell;
use super::names::{Domain, fold, one, tokens};
use super::quantity::{Quantity, quantity};
use super::relationships::Relationships;
use super::remarks::Remarks;

/// How many versions an item has on average, where the document does not say.
const USUAL_VERSIONS: u64 = 10;

/// The greatest number of a version where the document states none: as many digits as a key has room for.
const GREATEST_VERSION: u64 = 9_999_999_999;

/// Names of numbers that count versions.
const NUMBERS: [&str; 4] = ["version", "revision", "versionnumber", "revisionnumber"];

/// Declares for every entity with history the one that holds its versions. Only what the document leaves open is assumed.
pub(super) fn declare(drafts: &mut Vec<Draft<'_>>, relationships: &mut Relationships, remarks: &mut Remarks) {
    for at in 0..drafts.len() {
        let kind = drafts[at].entity.kinds.iter().find(|kind| kind.value == EntityKind::History);
        let Some(span) = kind.map(|kind| kind.span) else { continue };
        let entity = &drafts[at].entity;
        if entity.identity.is_empty() && !entity.is(EntityKind::Singleton) {
            // Nothing tells one item from another, and so nothing whose version it is.
            continue;
        }
        let number = number(&mut drafts[at], span, remarks);
        if drafts[at].entity.identity_names().any(|name| name == number) {
            // Each version is an item already.
            continue;
        }
        let taken = |name: &str| drafts.iter().any(|other| fold(&other.entity.name) == fold(name));
        let original = &drafts[at].entity;
        let endings = ["Version", "History", "Revision"].map(|ending| format!("{}{ending}", original.name));
        let Some(name) = endings.into_iter().find(|name| !taken(name)) else { continue };
        let said = stated(&drafts[at]);
        let many = said.as_ref().map_or(USUAL_VERSIONS, |said| said.value.mean.max(1));
        if said.is_none() {
            remarks.assume(
                span,
                format!("there are {many} versions of each {}, each {}", original.name, one(&name)),
                format!(
                    "nothing states their number; write `~20 versions per {}` under Cardinality",
                    original.name
                ),
            );
        }
        let versions = versions(original, &name, &number, (many, said.is_none()), span);
        let mut draft = Draft::new(&name, span);
        draft.entity = versions;
        if !original.identity.is_empty() {
            relationships.add(belongs(original, &name, said, many, span));
        }
        drafts.push(draft);
    }
}

/// The name of the attribute that counts the versions of an item; declared where there is none.
fn number(draft: &mut Draft<'_>, span: Span, remarks: &mut Remarks) -> String {
    if let Some(attribute) = draft.entity.version() {
        return attribute.name.clone();
    }
    let entity = draft.entity.name.clone();
    let named = draft.entity.attributes.iter().find(|it| {
        it.ty.value.is_numeric() && !it.is_optional() && NUMBERS.contains(&fold(&it.name).as_str())
    });
    if let Some(name) = named.map(|it| it.name.clone()) {
        if let Some(attribute) = draft.attribute_mut(&name) {
            attribute.version = Some(At::assumed(true, attribute.span));
            remarks.assume(
                attribute.span,
                format!("read {entity}.{name} as the number of the version"),
                "write `version` in its parentheses",
            );
        }
        return name;
    }
    let free = NUMBERS.iter().find(|name| draft.attribute(name).is_none()).unwrap_or(&NUMBERS[0]);
    remarks.assume(
        span,
        format!("gave {entity} an attribute {free} that counts its versions"),
        format!("its kind is history; declare `{free}` (integer, version)"),
    );
    let mut attribute = Attribute::new(*free, span, At::assumed(Type::Integer, span));
    attribute.version = Some(At::assumed(true, span));
    attribute.mutability = Some(At::assumed(Mutability::Mutable, span));
    draft.declare(attribute, remarks);
    (*free).to_owned()
}

/// How many versions an item has: "~20 versions per contract, at most 500".
fn stated(draft: &Draft<'_>) -> Option<At<Quantity>> {
    let all: Vec<Phrase<'_>> = draft.cardinality.iter().flat_map(|prose| clauses(*prose)).collect();
    all.iter().enumerate().filter(|(_, clause)| counts(**clause)).find_map(|(at, clause)| {
        let (mut amount, _) = quantity(*clause)?;
        let bound = all.get(at + 1).and_then(|next| bounds_alone(*next));
        amount.max = amount.max.or(bound.and_then(|it| it.max));
        Some(At::stated(amount, clause.span()))
    })
}

/// The entity for the versions of another, of which each item has so many, stated or assumed.
fn versions(original: &Entity, name: &str, number: &str, many: (u64, bool), span: Span) -> Entity {
    let (many, assumed) = many;
    let mut entity = Entity::new(name, span);
    entity.description = Some(At::stated(format!("Every version of {}", original.name), span));
    entity.kinds = original.kinds.iter().filter(|kind| kind.value == EntityKind::Common).cloned().collect();
    entity.versions_of = Some(original.name.clone());
    entity.attributes = original.attributes.iter().map(|it| kept(original, it, number, span)).collect();
    entity.identity = original.identity.clone();
    entity.identity.push(At::stated(number.to_owned(), span));
    let one = original.is(EntityKind::Singleton).then(|| At::stated(1, span));
    entity.count = one.or_else(|| original.count.clone()).map(|count| {
        let assumed = assumed || count.assumed;
        At { value: count.value.saturating_mul(many), span, assumed }
    });
    entity.skew = original.skew.clone();
    entity.retention = original.retention.clone();
    entity
}

/// An attribute as a version holds it: nothing changes it any more, and what is unique or counted is so in the originals.
fn kept(original: &Entity, attribute: &Attribute, number: &str, span: Span) -> Attribute {
    let mut kept = attribute.clone();
    kept.id = None;
    kept.unique = None;
    kept.sequential = None;
    kept.shared_with.clear();
    kept.version = None;
    kept.mutability = Some(At::stated(Mutability::Immutable, span));
    if attribute.name == number {
        kept.ty = At { value: Type::Integer, ..attribute.ty.clone() };
        kept.max.get_or_insert(At::stated(GREATEST_VERSION, span));
    } else if original.identity_names().any(|name| name == attribute.name) {
        let target = AttributeRef::new(&original.name, &attribute.name);
        kept.reference = Some(At::stated(target, span));
    }
    kept
}

fn belongs(original: &Entity, name: &str, said: Option<At<Quantity>>, many: u64, span: Span) -> Relationship {
    let at = said.as_ref().map_or(span, |said| said.span);
    let max = said.as_ref().and_then(|said| said.value.max);
    Relationship {
        parent: original.name.clone(),
        child: name.to_owned(),
        span,
        assumed: false,
        cardinality: At::stated(Cardinality::OneToMany, span),
        fan_out: FanOut {
            mean: Some(At { value: many, span: at, assumed: said.is_none() }),
            max: max.map(|max| At::stated(max, at)),
        },
        via: original.identity_names().map(str::to_owned).collect(),
        label: None,
    }
}

/// Lets a read that is about versions be one of the entity that holds them: it is given the number of one, or speaks of
/// several. "The latest version" is the item itself.
pub(super) fn mean<'p>(
    named: &mut [(Phrase<'p>, Option<usize>)],
    description: Phrase<'p>,
    given: Option<Phrase<'p>>,
    domain: &Domain<'_>,
    remarks: &mut Remarks,
) {
    let [(_, Some(entity))] = named else { return };
    let original = &domain.entities[*entity];
    let of = |other: &Entity| other.versions_of.as_ref() == Some(&original.name);
    let Some(versions) = domain.entities.iter().position(of) else { return };
    let number = original.version().map(|it| fold(&it.name));
    let gives = given.is_some_and(|cell| {
        let names = read_cell(cell);
        names.iter().any(|it| Some(fold(it.name.as_str())) == number)
    });
    let words: Vec<Phrase<'p>> = tokens(description).collect();
    let several = words.iter().enumerate().any(|(at, word)| {
        let before = at.checked_sub(1).map(|at| words[at].as_str().to_lowercase()).unwrap_or_default();
        is_plural(*word) && !["latest", "current", "newest", "last", "present"].contains(&before.as_str())
    });
    if gives || several {
        let name = &domain.entities[versions].name;
        remarks.assume(
            description.span(),
            format!("read \"{}\" as a read of {name}", description.as_str()),
            format!("it is about versions of {}; name {name} in the column Entity", original.name),
        );
        *entity = versions;
    }
}

/// Whether a clause about volumes speaks of versions.
pub(super) fn counts(clause: Phrase<'_>) -> bool {
    tokens(clause).any(|word| is_plural(word) || word.is("version"))
}

fn is_plural(word: Phrase<'_>) -> bool {
    ["versions", "revisions", "history"].iter().any(|it| word.is(it))
}

/// Lets every write that leaves an item with history behind leave a version of it too.
pub(super) fn keep(entities: &[Entity], patterns: &mut [Pattern]) {
    for versions in entities {
        let Some(original) = &versions.versions_of else { continue };
        for pattern in &mut *patterns {
            let (PatternKind::Write(write) | PatternKind::Delete(write)) = &mut pattern.kind else {
                continue;
            };
            let leaves = |effect: &&Effect| effect.entity == *original && effect.action != Action::Delete;
            let Some(span) = write.effects.iter().find(leaves).map(|effect| effect.span) else { continue };
            // What the document says of it is this, too.
            write.effects.retain(|effect| effect.entity != versions.name);
            write.effects.push(Effect {
                entity: versions.name.clone(),
                span,
                action: Action::Create,
                named_by: None,
                attributes: Vec::new(),
                removes: Vec::new(),
                all: false,
                assumed: false,
            });
        }
    }
}
