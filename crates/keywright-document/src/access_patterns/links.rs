//! Links between entities that are many to many: where the document declares none and its patterns follow one, the link
//! becomes an entity of its own that holds both identities.

use std::collections::BTreeSet;

use keywright_model::At;
use keywright_model::model::{Attribute, AttributeRef, Cardinality, Relationship, Type};

use crate::markdown::{Page, Phrase};

use super::columns::Column;
use super::entities::Draft;
use super::glimpse::each_row;
use super::inputs::read_cell;
use super::names::{Domain, fold, tokens};
use super::outline::Section;
use super::relationships::{Relationships, plain};
use super::remarks::Remarks;

/// What a row of a table of patterns says of links.
struct Row<'p> {
    /// The declared entities that it is about.
    entities: BTreeSet<usize>,
    /// Its inputs, folded.
    inputs: BTreeSet<String>,
    /// The first name among its items and entities that nothing declares.
    undeclared: Option<Phrase<'p>>,
}

/// Declares the links that patterns follow, each an assumption.
pub(super) fn declare<'p>(
    drafts: &mut Vec<Draft<'p>>,
    sections: &[Section<'p>],
    page: &'p Page,
    domain: &Domain<'_>,
    relationships: &mut Relationships,
    remarks: &mut Remarks,
) {
    let peers: Vec<Relationship> = relationships
        .all()
        .iter()
        .filter(|it| it.cardinality.value == Cardinality::ManyToMany && it.parent != it.child)
        .cloned()
        .collect();
    if peers.is_empty() {
        return;
    }
    let rows = rows(sections, page, domain);
    for relationship in peers {
        let (Some(one), Some(other)) = (domain.find(&relationship.parent), domain.find(&relationship.child))
        else {
            continue;
        };
        if is_linked(drafts, relationships, &relationship)
            || holds(drafts, one, other)
            || holds(drafts, other, one)
        {
            continue;
        }
        let follows = |row: &&Row<'_>| {
            row.entities.contains(&one) && gives(drafts, other, row)
                || row.entities.contains(&other) && gives(drafts, one, row)
                || row.undeclared.is_some() && gives(drafts, one, row) && gives(drafts, other, row)
        };
        let following: Vec<&Row<'_>> = rows.iter().filter(follows).collect();
        if following.is_empty() {
            continue;
        }
        let named = following.iter().find_map(|row| row.undeclared);
        let name = named.map_or_else(
            || format!("{}{}", relationship.parent, relationship.child),
            |phrase| phrase.as_str().to_owned(),
        );
        let span = named.map_or(relationship.span, |phrase| phrase.span());
        remarks.assume(
            span,
            format!("read {name} as the link between {} and {}", relationship.parent, relationship.child),
            "they are many to many and patterns follow the link; declare it as an entity with both identifiers",
        );
        let mut draft = Draft::new(&name, span);
        let mean = relationship.fan_out.mean.as_ref().map(|mean| mean.value);
        let total = drafts[one].entity.count.as_ref().map(|count| count.value).zip(mean);
        draft.entity.count = total.map(|(count, mean)| At::assumed(count.saturating_mul(mean), span));
        for end in [one, other] {
            let parent = &drafts[end].entity;
            for identifier in parent.identity_names() {
                let ty = parent.attribute(identifier).map_or(Type::String, |it| it.ty.value);
                let mut attribute =
                    Attribute::new(held_as(&parent.name, identifier), span, At::assumed(ty, span));
                attribute.reference = Some(At::assumed(AttributeRef::new(&parent.name, identifier), span));
                draft.declare(attribute, remarks);
            }
            let mut belongs =
                plain(&parent.name, &name, At::assumed(Cardinality::OneToMany, span), span, false);
            if end == one {
                belongs.fan_out = relationship.fan_out.clone();
            }
            relationships.add(belongs);
        }
        drafts.push(draft);
    }
}

/// The name under which a link holds a part of an identity: a bare `id` is called after its entity.
fn held_as(entity: &str, identifier: &str) -> String {
    if !matches!(fold(identifier).as_str(), "id" | "name" | "code" | "number" | "slug") {
        return identifier.to_owned();
    }
    let mut letters = entity.chars().filter(|next| next.is_alphanumeric());
    let mut name: String = letters.next().into_iter().flat_map(char::to_lowercase).chain(letters).collect();
    let mut letters = identifier.chars();
    name.extend(letters.next().into_iter().flat_map(char::to_uppercase));
    name.extend(letters);
    name
}

/// Whether some entity belongs to both already.
fn is_linked(drafts: &[Draft<'_>], relationships: &mut Relationships, of: &Relationship) -> bool {
    drafts.iter().any(|draft| {
        let points = |target: &str| {
            draft
                .entity
                .attributes
                .iter()
                .any(|it| it.reference.as_ref().is_some_and(|reference| reference.value.entity == target))
        };
        let mut belongs = |target: &str| {
            let known = relationships.between(target, &draft.entity.name);
            known.is_some_and(|it| {
                it.child == draft.entity.name && it.cardinality.value != Cardinality::ManyToMany
            })
        };
        let name = &draft.entity.name;
        *name != of.parent
            && *name != of.child
            && (points(&of.parent) || belongs(&of.parent))
            && (points(&of.child) || belongs(&of.child))
    })
}

/// Whether items of one entity hold the identity of another.
fn holds(drafts: &[Draft<'_>], own: usize, other: usize) -> bool {
    let other = &drafts[other].entity;
    !other.identity.is_empty()
        && other.identity_names().all(|name| drafts[own].attribute(&held_as(&other.name, name)).is_some())
}

/// Whether the inputs of a row give the identity of an entity.
fn gives(drafts: &[Draft<'_>], entity: usize, row: &Row<'_>) -> bool {
    let entity = &drafts[entity].entity;
    !entity.identity.is_empty()
        && entity.identity_names().all(|name| row.inputs.contains(&fold(&held_as(&entity.name, name))))
}

fn rows<'p>(sections: &[Section<'p>], page: &'p Page, domain: &Domain<'_>) -> Vec<Row<'p>> {
    let mut rows = Vec::new();
    each_row(sections, page, |row| {
        let named = row.entities();
        let items = [Column::ItemsWritten, Column::ItemsDeleted];
        let items = items.into_iter().filter_map(|column| row.cell(column)).flat_map(tokens);
        let undeclared = named.iter().copied().chain(items).find(|word| is_name(*word, domain));
        let inputs = row.cell(Column::Inputs).map_or_else(Vec::new, read_cell);
        rows.push(Row {
            entities: named.iter().filter_map(|name| domain.find(name.as_str())).collect(),
            inputs: inputs.iter().map(|it| fold(it.name.as_str())).collect(),
            undeclared,
        });
    });
    rows
}

/// Whether a word looks like the name of an entity that nothing declares: `Enrollment`.
fn is_name(word: Phrase<'_>, domain: &Domain<'_>) -> bool {
    let text = word.as_str();
    let mut letters = text.chars();
    letters.next().is_some_and(char::is_uppercase)
        && letters.next().is_some_and(char::is_lowercase)
        && text.chars().all(char::is_alphanumeric)
        && domain.find(text).is_none()
        && !matches!(
            fold(text).as_str(),
            "new" | "all" | "put" | "update" | "delete" | "create" | "set" | "add"
        )
}
