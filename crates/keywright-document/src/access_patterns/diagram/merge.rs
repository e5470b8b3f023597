//! A diagram joins what the prose says, and wins where both say something different.

use std::collections::{BTreeMap, BTreeSet};

use keywright_finding::{Finding, Level};
use keywright_model::At;
use keywright_model::model::{Attribute, AttributeRef, Cardinality, Relationship, Type};

use crate::rules::{CONTRADICTING_DIAGRAM, UNKNOWN_TYPE};

use super::{Diagram, Drawn, DrawnAttribute, Line};
use crate::access_patterns::attribute::{guess_type, type_named};
use crate::access_patterns::entities::Draft;
use crate::access_patterns::names::{Domain, fold, parts, tokens};
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
    report_optional(diagram, drafts, remarks);
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

/// A line by which an item may have no parent: it may, if the attribute that would name the parent is optional.
fn report_optional(diagram: &Diagram<'_>, drafts: &[Draft<'_>], remarks: &mut Remarks) {
    let known: BTreeMap<String, &Draft<'_>> =
        drafts.iter().map(|draft| (fold(&draft.entity.name), draft)).collect();
    for line in diagram.lines.iter().filter(|line| line.optional) {
        let (parent, child) = if line.right_many { (line.left, line.right) } else { (line.right, line.left) };
        let draft = known.get(&fold(child.as_str()));
        let lacks = |it: &Attribute| {
            it.is_optional() && (fold(&it.name).starts_with(&fold(parent.as_str())) || it.reference.is_some())
        };
        if draft.is_some_and(|draft| draft.entity.attributes.iter().any(lacks)) {
            continue;
        }
        remarks.report(
            Finding::new(
                &CONTRADICTING_DIAGRAM,
                line.words.span(),
                format!(
                    "the line says that an item of {} may have no {}, but no attribute of it is optional",
                    child.as_str(),
                    parent.as_str()
                ),
            )
            .level(Level::Note)
            .help("list the attribute that refers to it under the entity's attributes, with `optional`"),
        );
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

/// Lets foreign keys point to what the lines say, where their names don't: two lines from PLAYER to GAME, "plays white" and
/// "plays black", and the keys `whiteId` and `blackId`.
pub(in crate::access_patterns) fn refer(
    diagram: &Diagram<'_>,
    drafts: &mut [Draft<'_>],
    remarks: &mut Remarks,
) {
    let aliases = aliases(diagram);
    let known: BTreeMap<String, usize> =
        drafts.iter().enumerate().map(|(at, draft)| (fold(&draft.entity.name), at)).collect();
    let find = |name: &str| {
        let name = aliases.get(&fold(name)).map_or(name, String::as_str);
        known.get(&fold(name)).copied()
    };
    // The lines to each child, with the parent of each.
    let mut lines: BTreeMap<usize, Vec<(usize, &Line<'_>)>> = BTreeMap::new();
    for line in &diagram.lines {
        let ends = find(line.left.as_str()).zip(find(line.right.as_str()));
        match ends.filter(|(left, right)| left != right) {
            Some((left, right)) if !line.left_many && line.right_many => {
                lines.entry(right).or_default().push((left, line));
            }
            Some((left, right)) if line.left_many && !line.right_many => {
                lines.entry(left).or_default().push((right, line));
            }
            _ => {}
        }
    }
    for at in 0..drafts.len() {
        let child = &drafts[at];
        if child.foreign.is_empty() {
            continue;
        }
        let own = lines.remove(&at).unwrap_or_default();
        let references = child.entity.attributes.iter().filter_map(|it| it.reference.as_ref());
        let referred: BTreeSet<&str> = references.map(|it| it.value.entity.as_str()).collect();
        let pointing = |parent: &Draft<'_>| {
            let held = |name: &str| {
                child.attribute(name).is_some()
                    || child.attribute(&format!("{}{name}", parent.entity.name)).is_some()
            };
            referred.contains(parent.entity.name.as_str()) || parent.entity.identity_names().any(held)
        };
        let parents = || own.iter().map(|(parent, _)| &drafts[*parent].entity);
        let identities: BTreeSet<String> = parents().flat_map(|it| it.identity_names().map(fold)).collect();
        let is_open = |(parent, _): &&(usize, &Line<'_>)| {
            drafts[*parent].entity.identity.len() == 1 && !pointing(&drafts[*parent])
        };
        let mut open: Vec<(usize, &Line<'_>)> = own.iter().filter(is_open).copied().collect();
        let mut free: Vec<String> = child
            .entity
            .attributes
            .iter()
            .filter(|it| it.reference.is_none() && child.foreign.contains(&fold(&it.name)))
            .filter(|it| !identities.contains(&fold(&it.name)))
            .map(|it| it.name.clone())
            .collect();
        let mut found: Vec<(String, usize, &Line<'_>)> = Vec::new();
        open.retain(|(parent, line)| {
            let named = |name: &String| {
                let first = parts(name).into_iter().next();
                line.label.is_some_and(|label| tokens(label).any(|word| first == Some(fold(word.as_str()))))
            };
            let Some(position) = free.iter().position(named) else { return true };
            found.push((free.remove(position), *parent, *line));
            false
        });
        // Where no label tells, as many keys as lines from one entity are theirs, in order.
        if open.len() == free.len() && open.windows(2).all(|pair| pair[0].0 == pair[1].0) {
            found.extend(
                free.drain(..).zip(open.drain(..)).map(|(name, (parent, line))| (name, parent, line)),
            );
        }
        for (name, parent, line) in found {
            let parent = &drafts[parent].entity;
            let Some(target) = parent.identity_names().next() else { continue };
            let target = AttributeRef::new(&parent.name, target);
            let owner = drafts[at].entity.name.clone();
            let Some(attribute) = drafts[at].attribute_mut(&name) else { continue };
            remarks.assume(
                attribute.span,
                format!("read {owner}.{name} as a reference to {target}"),
                format!("it is a foreign key, and the diagram says `{}`", line.words.as_str()),
            );
            attribute.reference = Some(At::assumed(target, attribute.span));
        }
        for name in free {
            let Some(attribute) = drafts[at].attribute(&name) else { continue };
            remarks.doubt(
                attribute.span,
                format!("`{name}` is a foreign key, but nothing says of what"),
                format!(
                    "list it under the attributes of {} with what it refers to, such as `{name}` (ref Player)",
                    drafts[at].entity.name
                ),
            );
        }
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
