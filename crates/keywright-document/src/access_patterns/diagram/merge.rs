//! A diagram joins what the prose says, and wins where both say something different.

use std::collections::BTreeMap;

use keywright_finding::Finding;
use keywright_model::At;
use keywright_model::model::{Attribute, Cardinality, Relationship, Type};

use crate::rules::{CONTRADICTING_DIAGRAM, UNKNOWN_TYPE};

use super::{Diagram, Drawn, DrawnAttribute};
use crate::access_patterns::attribute::{guess_type, type_named};
use crate::access_patterns::entities::Draft;
use crate::access_patterns::names::{Domain, fold};
use crate::access_patterns::relationships::plain;
use crate::access_patterns::remarks::Remarks;

/// Adds the drawn entities and attributes to those that the prose declares.
pub(in crate::access_patterns) fn declare<'p>(
    diagram: &Diagram<'p>,
    drafts: &mut Vec<Draft<'p>>,
    remarks: &mut Remarks,
) {
    let mut known: BTreeMap<String, usize> =
        drafts.iter().enumerate().map(|(index, draft)| (fold(&draft.entity.name), index)).collect();
    let aliases: BTreeMap<String, String> = aliases(diagram);
    for entity in &diagram.entities {
        let index = *known.entry(fold(entity.name.as_str())).or_insert_with(|| {
            drafts.push(Draft::new(entity.name.as_str(), entity.name.span()));
            drafts.len() - 1
        });
        draw(entity, &mut drafts[index], remarks);
    }
    // An entity that only a line names is one as well.
    for end in diagram.lines.iter().flat_map(|line| [line.left, line.right]) {
        let folded = fold(end.as_str());
        if !aliases.contains_key(&folded) {
            known.entry(folded).or_insert_with(|| {
                drafts.push(Draft::new(end.as_str(), end.span()));
                drafts.len() - 1
            });
        }
    }
}

/// The names that lines may use, by their folded form.
fn aliases(diagram: &Diagram<'_>) -> BTreeMap<String, String> {
    diagram
        .entities
        .iter()
        .filter_map(|entity| {
            entity.alias.map(|alias| (fold(alias.as_str()), entity.name.as_str().to_owned()))
        })
        .collect()
}

fn draw(entity: &Drawn<'_>, draft: &mut Draft<'_>, remarks: &mut Remarks) {
    let drawn_keys: Vec<String> =
        entity.attributes.iter().filter(|it| it.identifies).map(|it| fold(it.name.as_str())).collect();
    let stated: Vec<&Attribute> = draft
        .entity
        .attributes
        .iter()
        .filter(|it| it.id.as_ref().is_some_and(|id| id.value && !id.assumed))
        .collect();
    if !drawn_keys.is_empty() && !stated.is_empty() {
        let other = stated.iter().find(|it| !drawn_keys.contains(&fold(&it.name)));
        if let Some(other) = other {
            remarks.report(
                Finding::new(
                    &CONTRADICTING_DIAGRAM,
                    other.id.as_ref().map_or(other.span, |id| id.span),
                    format!(
                        "`{}` identifies `{}` here but not in the diagram; the diagram is used",
                        other.name, draft.entity.name
                    ),
                )
                .help("mark the same attributes as PK and as id")
                .related(entity.name.span(), "the diagram's entity"),
            );
        }
        if stated.len() != drawn_keys.len() || other.is_some() {
            for attribute in &mut draft.entity.attributes {
                attribute.id = None;
            }
        }
    }
    for attribute in &entity.attributes {
        draw_attribute(attribute, draft, remarks);
    }
}

fn draw_attribute(drawn: &DrawnAttribute<'_>, draft: &mut Draft<'_>, remarks: &mut Remarks) {
    let ty = drawn.ty.map(|ty| {
        let known = type_named(ty.as_str());
        if known.is_none() {
            remarks.report(
                Finding::new(&UNKNOWN_TYPE, ty.span(), format!("`{}` is not an attribute type", ty.as_str()))
                    .help("it is read as a string"),
            );
        }
        At::stated(known.unwrap_or(Type::String), ty.span())
    });
    let owner = draft.entity.name.clone();
    if draft.attribute(drawn.name.as_str()).is_none() {
        let unknown = At::assumed(Type::String, drawn.name.span());
        let typed = ty.is_some();
        let mut attribute =
            Attribute::new(drawn.name.as_str(), drawn.name.span(), ty.clone().unwrap_or(unknown));
        attribute.description = drawn.comment.map(|it| At::stated(it.as_str().to_owned(), it.span()));
        if !typed {
            guess_type(&mut attribute, remarks);
        }
        draft.declare(attribute, remarks);
    }
    let Some(attribute) = draft.attribute_mut(drawn.name.as_str()) else { return };
    if let Some(ty) = ty {
        if attribute.ty.assumed && !refines(attribute.ty.value, ty.value) {
            attribute.ty = ty;
        } else if attribute.ty.value != ty.value && !refines(attribute.ty.value, ty.value) {
            remarks.report(
                Finding::new(
                    &CONTRADICTING_DIAGRAM,
                    attribute.ty.span,
                    format!(
                        "`{owner}.{}` is {} here and {} in the diagram; the diagram is used",
                        attribute.name, attribute.ty.value, ty.value
                    ),
                )
                .help("write the same type in both places")
                .related(ty.span, "the diagram's type"),
            );
            attribute.ty = ty;
        }
    }
    if drawn.identifies {
        attribute.id = Some(At::stated(true, drawn.name.span()));
    }
    if drawn.unique {
        attribute.unique = Some(At::stated(true, drawn.name.span()));
    }
    if drawn.refers {
        let name = fold(&attribute.name);
        draft.foreign.insert(name);
    }
}

/// Whether a type is a special case of what a diagram draws: a ULID is a string.
fn refines(special: Type, general: Type) -> bool {
    match general {
        Type::String => {
            !special.is_numeric() && special.is_scalar() && !matches!(special, Type::Boolean | Type::Binary)
        }
        Type::Number => special.is_numeric(),
        Type::Decimal => special == Type::Number,
        Type::Integer => special == Type::Number,
        Type::Datetime => special == Type::Date,
        _ => special == general,
    }
}

/// The lines of the diagram as relationships.
pub(in crate::access_patterns) fn relate(diagram: &Diagram<'_>, domain: &Domain<'_>) -> Vec<Relationship> {
    let aliases = aliases(diagram);
    let declared = |name: &str| {
        let name = aliases.get(&fold(name)).map_or(name, String::as_str);
        domain.declared(name)
    };
    diagram
        .lines
        .iter()
        .map(|line| {
            let (left, right) = (declared(line.left.as_str()), declared(line.right.as_str()));
            let (parent, child, cardinality) = match (line.left_many, line.right_many) {
                (false, true) => (left, right, Cardinality::OneToMany),
                (true, false) => (right, left, Cardinality::OneToMany),
                (false, false) => (left, right, Cardinality::OneToOne),
                (true, true) => (left, right, Cardinality::ManyToMany),
            };
            let span = line.words.span();
            let mut relationship = plain(&parent, &child, At::stated(cardinality, span), span, false);
            relationship.label = line.label.map(|label| At::stated(label.as_str().to_owned(), label.span()));
            relationship
        })
        .collect()
}
