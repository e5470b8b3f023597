//! Which attributes point to other entities, and which attributes relationships need.

use std::collections::BTreeMap;

use keywright_model::At;
use keywright_model::model::{Attribute, AttributeRef, Cardinality, EntityKind, Type};

use super::entities::Draft;
use super::names::{fold, one};
use super::relationships::{Relationships, plain};
use super::remarks::Remarks;

/// Infers references from names: `customerId` of an Order is the `customerId` (or the `id`) of a Customer.
pub(super) fn from_names(drafts: &mut [Draft<'_>], remarks: &mut Remarks) {
    let mut targets: BTreeMap<String, (usize, String)> = BTreeMap::new();
    let mut ambiguous = Vec::new();
    for (index, draft) in drafts.iter().enumerate() {
        let entity = fold(&draft.entity.name);
        for name in draft.entity.identity_names() {
            let folded = fold(name);
            let qualified = format!("{entity}{folded}");
            targets.entry(qualified).or_insert_with(|| (index, name.to_owned()));
            // A bare `id` or `name` names nobody in particular.
            if matches!(
                folded.as_str(),
                "id" | "name" | "code" | "number" | "slug" | "version" | "type" | "date" | "timestamp"
            ) {
                continue;
            }
            let single = draft.entity.identity.len() == 1;
            match targets.get(&folded) {
                // The entity that the identifier is called after owns it.
                Some(_) if folded.starts_with(&entity) && single => {
                    targets.insert(folded, (index, name.to_owned()));
                }
                Some((owner, _))
                    if *owner != index && !folded.starts_with(&fold(&drafts[*owner].entity.name)) =>
                {
                    ambiguous.push(folded);
                }
                Some(_) => {}
                None if single => {
                    targets.insert(folded, (index, name.to_owned()));
                }
                None => {}
            }
        }
    }
    for name in ambiguous {
        targets.remove(&name);
    }
    let names: Vec<String> = drafts.iter().map(|draft| draft.entity.name.clone()).collect();
    let by_name: BTreeMap<String, usize> =
        names.iter().enumerate().map(|(index, name)| (fold(name), index)).collect();
    let identities: Vec<Vec<String>> =
        drafts.iter().map(|draft| draft.entity.identity_names().map(str::to_owned).collect()).collect();
    let types: Vec<BTreeMap<String, Type>> = drafts
        .iter()
        .map(|draft| {
            let identity = draft.entity.identity_names().filter_map(|name| draft.attribute(name));
            identity.map(|it| (it.name.clone(), it.ty.value)).collect()
        })
        .collect();
    for (own, draft) in drafts.iter_mut().enumerate() {
        for attribute in &mut draft.entity.attributes {
            // `ref Customer` does not say which attribute: its identifier.
            if let Some(reference) = &mut attribute.reference {
                if let Some(target) = by_name.get(&fold(&reference.value.entity)) {
                    reference.value.entity.clone_from(&names[*target]);
                    if reference.value.attribute.is_empty() {
                        reference.value.attribute =
                            pointed_at(&attribute.name, &names[*target], &identities[*target]);
                    }
                    // It has the type of what it points to, unless it says another.
                    let ty = types[*target].get(&reference.value.attribute);
                    if let Some(ty) = ty.filter(|_| attribute.ty.assumed) {
                        attribute.ty = At::assumed(*ty, reference.span);
                    }
                }
                continue;
            }
            if let Some(target) = described(attribute, &by_name).filter(|target| *target != own) {
                let name = pointed_at(&attribute.name, &names[target], &identities[target]);
                let span = attribute.description.as_ref().map_or(attribute.span, |it| it.span);
                remarks.assume(
                    span,
                    format!(
                        "read {}.{} as a reference to {}.{name}",
                        draft.entity.name, attribute.name, names[target]
                    ),
                    format!("its description says so; write `ref {}` in the parentheses", names[target]),
                );
                attribute.reference = Some(At::assumed(AttributeRef::new(&names[target], name), span));
                continue;
            }
            if let Some((target, name)) = targets.get(&fold(&attribute.name))
                && *target != own
            {
                attribute.reference =
                    Some(At::assumed(AttributeRef::new(&names[*target], name), attribute.span));
                remarks.assume(
                    attribute.span,
                    format!(
                        "read {}.{} as a reference to {}.{name}",
                        draft.entity.name, attribute.name, names[*target]
                    ),
                    format!(
                        "it has the name of that identifier; write `ref {}` in the parentheses",
                        names[*target]
                    ),
                );
            }
        }
    }
}

/// The entity that a description points to: "FK to User", "references a User", "foreign key of Order".
fn described(attribute: &Attribute, by_name: &BTreeMap<String, usize>) -> Option<usize> {
    let description = attribute.description.as_ref()?.value.to_lowercase();
    let at = ["fk ", "foreign key ", "references ", "reference to ", "refers to ", "points to "]
        .iter()
        .find_map(|words| description.find(words).map(|at| at + words.len()))?;
    description[at..]
        .split(|next: char| !next.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .take(4)
        .find_map(|word| by_name.get(word).copied())
}

/// The part of an identity that `ref Order` means: the one of the attribute's own name, else the last, since what comes
/// before it (a tenant, a parent) is shared.
fn pointed_at(attribute: &str, entity: &str, identity: &[String]) -> String {
    let own = fold(attribute);
    let same = identity.iter().find(|name| {
        let folded = fold(name);
        own == folded || own == format!("{}{folded}", fold(entity))
    });
    same.or(identity.last()).cloned().unwrap_or_default()
}

/// Says to which attribute `ref Seat` points where the identity of a Seat came to be known after it was read.
pub(super) fn complete(drafts: &mut [Draft<'_>]) {
    let names = |draft: &Draft<'_>| draft.entity.identity_names().map(str::to_owned).collect();
    let identities: BTreeMap<String, Vec<String>> =
        drafts.iter().map(|draft| (draft.entity.name.clone(), names(draft))).collect();
    for attribute in drafts.iter_mut().flat_map(|draft| &mut draft.entity.attributes) {
        let Some(reference) = &mut attribute.reference else { continue };
        let target = &mut reference.value;
        if let Some(identity) = identities.get(&target.entity).filter(|_| target.attribute.is_empty()) {
            target.attribute = pointed_at(&attribute.name, &target.entity, identity);
        }
    }
}

/// Adds the relationships that references imply where nothing states them.
pub(super) fn relate(drafts: &[Draft<'_>], relationships: &mut Relationships, remarks: &mut Remarks) {
    let names = |draft: &Draft<'_>| draft.entity.identity_names().map(str::to_owned).collect();
    let identities: BTreeMap<&str, Vec<String>> =
        drafts.iter().map(|draft| (draft.entity.name.as_str(), names(draft))).collect();
    for draft in drafts {
        let mut held: BTreeMap<&str, usize> = BTreeMap::new();
        for attribute in &draft.entity.attributes {
            if let Some(reference) = &attribute.reference {
                *held.entry(reference.value.entity.as_str()).or_default() += 1;
            }
        }
        for attribute in &draft.entity.attributes {
            let Some(reference) = &attribute.reference else { continue };
            let parent = reference.value.entity.as_str();
            // Only what holds the whole identity points to one item: by references, or by the same names.
            let named = |identity: &Vec<String>| {
                !reference.assumed && identity.iter().all(|name| draft.attribute(name).is_some())
            };
            let whole = identities.get(parent).is_some_and(|identity| {
                held.get(parent).is_some_and(|held| *held >= identity.len()) || named(identity)
            });
            if !whole
                || parent == draft.entity.name
                || relationships.between(parent, &draft.entity.name).is_some()
            {
                continue;
            }
            let sole = draft.entity.identity.len() == 1 && draft.entity.identity[0].value == attribute.name;
            let cardinality = if sole { Cardinality::OneToOne } else { Cardinality::OneToMany };
            if !reference.assumed {
                relationships.add(plain(
                    parent,
                    &draft.entity.name,
                    At::assumed(cardinality, reference.span),
                    reference.span,
                    false,
                ));
                continue;
            }
            remarks.assume(
                attribute.span,
                format!("read {} as belonging to {parent}", draft.entity.name),
                format!(
                    "{}.{} refers to it; say so in the relationships: Belongs to {}",
                    draft.entity.name,
                    attribute.name,
                    one(parent)
                ),
            );
            relationships.add(plain(
                parent,
                &draft.entity.name,
                At::assumed(cardinality, attribute.span),
                attribute.span,
                true,
            ));
        }
    }
}

/// Says through which attributes a child points to its parent, and adds to the child those that it lacks: a
/// relationship that no attribute carries can't be followed.
pub(super) fn carry(drafts: &mut [Draft<'_>], relationships: &mut Relationships, remarks: &mut Remarks) {
    let by_name: BTreeMap<String, usize> =
        drafts.iter().enumerate().map(|(index, draft)| (draft.entity.name.clone(), index)).collect();
    let mut carriers: BTreeMap<(usize, String, String), String> = BTreeMap::new();
    for (index, draft) in drafts.iter().enumerate() {
        for attribute in &draft.entity.attributes {
            if let Some(reference) = &attribute.reference {
                let target = (index, reference.value.entity.clone(), reference.value.attribute.clone());
                carriers.entry(target).or_insert_with(|| attribute.name.clone());
            }
        }
    }
    for relationship in relationships.all() {
        let (Some(parent), Some(child)) =
            (by_name.get(&relationship.parent), by_name.get(&relationship.child))
        else {
            continue;
        };
        if relationship.cardinality.value == Cardinality::ManyToMany || parent == child {
            continue;
        }
        let identity: Vec<(String, Type)> = drafts[*parent]
            .entity
            .identity_names()
            .map(|name| {
                (name.to_owned(), drafts[*parent].attribute(name).map_or(Type::String, |it| it.ty.value))
            })
            .collect();
        let parent_name = drafts[*parent].entity.name.clone();
        // What is identified by all that its parent is, and by more, means the parent by it, however short the names.
        let own = &drafts[*child].entity;
        let part = |name: &str| own.identity_names().any(|it| it == name);
        let extends = identity.len() > 1
            && own.identity.len() > identity.len()
            && identity.iter().all(|(name, _)| part(name));
        // What has all those names beside an identity of its own means the parent by them too.
        let bare = |name: &str| matches!(fold(name).as_str(), "id" | "name");
        let repeats = identity.len() > 1
            && !identity.iter().any(|(name, _)| bare(name))
            && !identity.iter().all(|(name, _)| part(name))
            && identity.iter().all(|(name, _)| drafts[*child].attribute(name).is_some());
        let mut via = Vec::new();
        for (name, ty) in identity {
            let draft = &mut drafts[*child];
            let points = carriers.get(&(*child, parent_name.clone(), name.clone())).cloned();
            let shared = draft.attribute(&name).filter(|_| extends || repeats).map(|it| it.name.clone());
            if let Some(carrier) = points.or_else(|| carrier(draft, &parent_name, &name)).or(shared) {
                via.push(carrier);
                continue;
            }
            if draft.entity.is(EntityKind::Singleton) {
                continue;
            }
            let folded = fold(&name);
            let own = if matches!(folded.as_str(), "id" | "name" | "code" | "number" | "slug") {
                let mut own = lower_first(&parent_name);
                own.push_str(&upper_first(&name));
                own
            } else {
                name.clone()
            };
            // `sku` is too short a name to point anywhere by itself, but the relationship does.
            if let Some(held) = draft.attribute_mut(&own) {
                let target = AttributeRef::new(&parent_name, &name);
                held.reference.get_or_insert(At::assumed(target, relationship.span));
                via.push(held.name.clone());
                continue;
            }
            remarks.assume(
                relationship.span,
                format!(
                    "gave {} the attribute {own}, a reference to {parent_name}.{name}",
                    draft.entity.name
                ),
                format!(
                    "{} belongs to {parent_name} but has no attribute that says to which; declare it",
                    draft.entity.name
                ),
            );
            let mut attribute = Attribute::new(&own, relationship.span, At::assumed(ty, relationship.span));
            attribute.reference =
                Some(At::assumed(AttributeRef::new(&parent_name, &name), relationship.span));
            draft.declare(attribute, remarks);
            via.push(own);
        }
        relationship.via = via;
    }
}

/// Lets what points to a number have the bound of that number, unless it states one: what is no number of a lesson is not
/// one of what belongs to a lesson.
pub(super) fn bound(drafts: &mut [Draft<'_>], relationships: &mut Relationships, remarks: &mut Remarks) {
    let by_name: BTreeMap<String, usize> =
        drafts.iter().enumerate().map(|(index, draft)| (draft.entity.name.clone(), index)).collect();
    // Each attribute that points somewhere, and to what.
    let mut links: Vec<((usize, String), (usize, String))> = Vec::new();
    for (index, draft) in drafts.iter().enumerate() {
        for attribute in &draft.entity.attributes {
            let Some(reference) = &attribute.reference else { continue };
            let Some(target) = by_name.get(&reference.value.entity) else { continue };
            links.push(((index, attribute.name.clone()), (*target, reference.value.attribute.clone())));
        }
    }
    for relationship in relationships.all().iter() {
        let ends = by_name.get(&relationship.child).zip(by_name.get(&relationship.parent));
        let Some((child, parent)) = ends.filter(|(child, parent)| child != parent) else { continue };
        let identity = drafts[*parent].entity.identity_names().map(str::to_owned);
        let ties = relationship.via.iter().cloned().zip(identity);
        links.extend(ties.map(|(own, its)| ((*child, own), (*parent, its))));
    }
    // A reference to a reference has the bound that is stated behind both.
    for _ in 0..LONGEST_CHAIN {
        let mut found = false;
        for ((child, own), (parent, its)) in &links {
            let target = drafts[*parent].attribute(its).filter(|it| it.ty.value.is_numeric());
            let Some(max) = target.and_then(|it| it.max.as_ref()).map(|max| max.value) else { continue };
            let (entity, target) = (drafts[*child].entity.name.clone(), drafts[*parent].entity.name.clone());
            let attribute = drafts[*child].attribute_mut(own);
            let unbounded = attribute.filter(|it| it.max.is_none() && it.ty.value.is_numeric());
            let Some(attribute) = unbounded else { continue };
            remarks.assume(
                attribute.span,
                format!("{entity}.{own} is at most {max}"),
                format!("it refers to {target}.{its}, which is; write `max {max}` behind its type"),
            );
            attribute.max = Some(At::assumed(max, attribute.span));
            found = true;
        }
        if !found {
            return;
        }
    }
}

/// So many references lead from one to the next, at most.
const LONGEST_CHAIN: usize = 16;

/// The attribute whose name says that it holds one part of the parent's identity.
fn carrier(child: &Draft<'_>, parent: &str, name: &str) -> Option<String> {
    let folded = fold(name);
    child
        .attribute(&format!("{}{folded}", fold(parent)))
        .or_else(|| child.attribute(name).filter(|_| folded.len() > 4 || child.foreign.contains(&folded)))
        .map(|attribute| attribute.name.clone())
}

fn lower_first(name: &str) -> String {
    // PROJECT, as diagrams write it.
    if !name.contains(char::is_lowercase) {
        return name.to_lowercase();
    }
    let mut characters = name.chars().filter(|next| next.is_alphanumeric());
    characters.next().map_or_else(String::new, |first| first.to_lowercase().chain(characters).collect())
}

fn upper_first(name: &str) -> String {
    let mut characters = name.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}
