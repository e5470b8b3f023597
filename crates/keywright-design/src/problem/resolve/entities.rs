//! Entities and attributes: sizes, counts, distinct values, identities, parents, unique sets.

use std::collections::BTreeMap;

use keywright_dynamodb::size::declared::{Basis, Declared, DeclaredType, typical_bytes};
use keywright_finding::Finding;
use keywright_model::Model;
use keywright_model::model::{Attribute, Cardinality, ConditionKind, Entity, EntityKind, Presence, Type};

use super::{Remarks, sizes};
use crate::naming;
use crate::problem::{Attr, AttributeFacts, Attrs, Domain, EntityFacts, ParentLink};
use crate::rules;

/// Items of an entity whose number nobody states.
const DEFAULT_COUNT: u64 = 1_000_000;
/// Distinct values of an attribute of which nothing is known.
const DEFAULT_DISTINCT: u64 = 1_000;
/// Items in a million that hold an optional attribute.
const DEFAULT_PRESENT: u64 = 500_000;

/// With more items of one kind than this sums of what they cost would not fit.
const MOST_ITEMS: u64 = 1_000_000_000_000;
/// Nor would they with more bytes of one kind than this.
const MOST_BYTES: u64 = 1_000_000_000_000_000;
/// Larger than any item, and small enough for sums: what is stated beyond it is too large all the same.
pub(super) const MOST_VALUE_BYTES: u64 = 1_000 * keywright_dynamodb::limits::ITEM_BYTES;

pub(super) fn resolve(model: &Model, remarks: &mut Remarks) -> Vec<EntityFacts> {
    let counts = counts(model, remarks);
    let each = model.entities.iter().enumerate();
    let mut entities: Vec<EntityFacts> =
        each.map(|(index, entity)| resolve_entity(model, index, entity, &counts, remarks)).collect();
    let names: Vec<String> = entities.iter().map(|it| it.name.clone()).collect();
    entities.iter_mut().for_each(|entity| limit(entity, &names, remarks));
    entities
}

/// Reports more items than prices are reckoned for, and goes on with fewer.
fn limit(entity: &mut EntityFacts, names: &[String], remarks: &mut Remarks) {
    let bytes =
        |sum: u64, it: &AttributeFacts| sum.saturating_add(it.bytes).saturating_add(it.name.len() as u64);
    let bytes = entity.attributes.iter().fold(entity.rest_bytes, bytes).max(1);
    let of_parents = entity.parents.iter().map(|link| (link.mean, format!(" in one {}", names[link.parent])));
    let all = (entity.count, String::new());
    let (items, within) = of_parents.fold(all, |most, next| if next.0 > most.0 { next } else { most });
    let most = MOST_ITEMS.min(MOST_BYTES / bytes).max(1);
    if items <= most {
        return;
    }
    let there = format!("there are about {items} items of {}{within}", entity.name);
    let message = match items > MOST_ITEMS {
        true => format!("{there}; a price is reckoned for {MOST_ITEMS}"),
        false => format!(
            "{there} with {bytes} bytes each; a price is reckoned for {} TB of one kind",
            MOST_BYTES / 1_000_000_000_000
        ),
    };
    remarks.findings.push(Finding::new(&rules::TOO_MANY_ITEMS, entity.span, message).help(
        "correct the numbers under Cardinality, such as `~40 per customer, ~10M total`, or the sizes of the attributes",
    ));
    entity.count = entity.count.min(most);
    entity.parents.iter_mut().for_each(|link| link.mean = link.mean.min(most));
}

/// How many items each entity has: stated, or the parent's number times its fan-out, or the default.
fn counts(model: &Model, remarks: &mut Remarks) -> Vec<u64> {
    let stated = model
        .entities
        .iter()
        .filter_map(|entity| {
            let count = if entity.is(EntityKind::Singleton) {
                Some(1)
            } else {
                entity.count.as_ref().map(|c| c.value)
            };
            Some((entity.name.as_str(), count?.max(1)))
        })
        .collect();
    let known = counted(model, stated);
    let mut counts = Vec::with_capacity(model.entities.len());
    for entity in &model.entities {
        counts.push(match known.get(entity.name.as_str()).copied() {
            Some((count, levels)) => {
                if levels > 1 {
                    remarks.assume(
                        entity.span,
                        format!("there are {count} items of {}", entity.name),
                        "not stated, so it is computed from the totals above it; write `~10M total` under Cardinality",
                    );
                }
                count
            }
            None => {
                remarks.assume(
                    entity.span,
                    format!("there are {DEFAULT_COUNT} items of {}", entity.name),
                    "their number is not stated; write `~40 per customer, ~10M total` under Cardinality",
                );
                DEFAULT_COUNT
            }
        });
    }
    counts
}

/// How many items of each entity there are, and over how many levels of parents that is known: stated, or so many as the
/// number of a parent's items and what each of those has make, over as few levels as the document allows, and between
/// equals by the parent that it names first. What only a cycle of parents could tell is not there.
fn counted<'m>(model: &'m Model, stated: BTreeMap<&'m str, u64>) -> BTreeMap<&'m str, (u64, usize)> {
    let mut known: BTreeMap<&str, (u64, usize)> =
        stated.into_iter().map(|(name, count)| (name, (count, 0))).collect();
    for level in 1.. {
        let mut next: BTreeMap<&str, (u64, usize)> = BTreeMap::new();
        for link in model.relationships.iter().filter(|link| !known.contains_key(link.child.as_str())) {
            let mean = match link.cardinality.value {
                Cardinality::OneToOne => Some(1),
                _ => link.fan_out.mean.as_ref().or(link.fan_out.max.as_ref()).map(|it| it.value),
            };
            if let (Some(mean), Some((parents, _))) = (mean, known.get(link.parent.as_str())) {
                let count = parents.saturating_mul(mean).max(1);
                next.entry(&link.child).or_insert((count, level));
            }
        }
        if next.is_empty() {
            break;
        }
        known.append(&mut next);
    }
    known
}

fn resolve_entity(
    model: &Model,
    index: usize,
    entity: &Entity,
    counts: &[u64],
    remarks: &mut Remarks,
) -> EntityFacts {
    let count = counts[index];
    let position = |name: &str| entity.attributes.iter().position(|it| it.name == name).map(Attr::new);
    let identity: Vec<Attr> = entity.identity_names().filter_map(position).collect();
    let singleton = entity.is(EntityKind::Singleton);
    // What is common to all tenants belongs to none.
    let common = entity.is(EntityKind::Common);
    if identity.is_empty() && !singleton {
        remarks.findings.push(
            Finding::new(
                &rules::NO_IDENTITY,
                entity.span,
                format!("no attribute identifies {}", naming::one(&entity.name)),
            )
            .help("mark the identifying attributes with `id`, or the entity as `Kind: singleton`"),
        );
    }
    let parents: Vec<ParentLink> = model
        .parents_of(&entity.name)
        .filter(|link| link.cardinality.value != Cardinality::ManyToMany)
        .filter_map(|link| {
            let parent = model.entities.iter().position(|it| it.name == link.parent)?;
            let via: Vec<Attr> = link.via.iter().filter_map(|name| position(name)).collect();
            let one = link.cardinality.value == Cardinality::OneToOne;
            let mean = link.fan_out.mean.as_ref().map(|mean| mean.value);
            let max = if one { Some(1) } else { link.fan_out.max.as_ref().map(|max| max.value) };
            let mean = if one { 1 } else { mean.unwrap_or_else(|| count.div_ceil(counts[parent])) };
            Some(ParentLink {
                parent,
                via,
                told: None,
                mean: max.map_or(mean, |max| mean.min(max)).max(1),
                max,
            })
        })
        .collect();
    let stated = sizes::stated(model, entity);
    let mut attributes: Vec<AttributeFacts> = entity
        .attributes
        .iter()
        .enumerate()
        .map(|(position, attribute)| {
            let here = Attr::new(position);
            let linked = parents.iter().find(|link| link.via == [here]).map(|link| link.parent);
            // A second reference to the same parent, such as who won and who lost, is no link of its own.
            let reference = linked.or_else(|| pointed_at(model, attribute)).map(|parent| counts[parent]);
            let alone = identity == [here];
            let mut facts = attribute_facts(
                attribute,
                Domain { entity: index, attr: here },
                count,
                reference,
                alone,
                stated.is_none(),
                remarks,
            );
            facts.tenant &= !common;
            facts
        })
        .collect();
    let rest_bytes =
        stated.map_or(0, |stated| sizes::fill(model, entity, &identity, &stated, &mut attributes, remarks));
    let versions_of = entity.versions_of.as_ref();
    let versions_of = versions_of.and_then(|name| model.entities.iter().position(|it| it.name == *name));
    let unique = unique_sets(model, entity, &identity);
    if entity.retention.is_some() || attributes.iter().any(|it| it.ttl) {
        remarks.findings.extend(unique.iter().map(|set| stays_taken(entity, set.iter(), &attributes)));
    }
    EntityFacts {
        name: entity.name.clone(),
        span: entity.span,
        unique,
        attributes,
        buckets: Vec::new(),
        identity,
        // Known once it is known what inputs mean.
        generated: false,
        singleton,
        edge: false,
        counter: false,
        count,
        parents,
        skew: entity.skew.as_ref().map(|skew| skew.value),
        retention_days: entity.retention.as_ref().map(|retention| retention.days),
        at_creation: Attrs::NONE,
        added: Attrs::NONE,
        copy_of: None,
        versions_of,
        held: Vec::new(),
        rest_bytes,
    }
}

/// The entity that an attribute alone identifies by what it refers to.
fn pointed_at(model: &Model, attribute: &Attribute) -> Option<usize> {
    let target = &attribute.reference.as_ref()?.value;
    let is_whole =
        |it: &Entity| it.name == target.entity && it.identity_names().eq([target.attribute.as_str()]);
    model.entities.iter().position(is_whole)
}

/// DynamoDB deletes an expired item by itself, but not the item that reserves its unique value.
fn stays_taken(entity: &Entity, set: impl Iterator<Item = Attr>, attributes: &[AttributeFacts]) -> Finding {
    let names: Vec<&str> = set.map(|attr| attributes[attr.index()].name.as_str()).collect();
    let (names, name) = (names.join(" and "), &entity.name);
    Finding::new(
        &rules::CONDITION_NOT_ENFORCED,
        entity.span,
        format!("the {names} of an expired {name} stays taken: the item that reserves it does not expire"),
    )
    .help(format!(
        "let {names} identify {} (`id`), so that an expired one can be put over; or delete it by a pattern; or leave out \
         `unique`",
        naming::one(name)
    ))
}

/// The declared type, and what the document says of the size of its values.
pub(super) fn declared<'a>(attribute: &Attribute, values: &'a [String]) -> Declared<'a> {
    Declared {
        kind: declared_type(attribute.ty.value),
        bytes: attribute.bytes.as_ref().map(|bytes| bytes.value),
        max: attribute.max.as_ref().map(|max| max.value),
        values,
    }
}

fn attribute_facts(
    attribute: &Attribute,
    domain: Domain,
    count: u64,
    reference: Option<u64>,
    alone: bool,
    unsized_item: bool,
    remarks: &mut Remarks,
) -> AttributeFacts {
    let values: Vec<String> = attribute.values.iter().map(|value| value.value.clone()).collect();
    let size = typical_bytes(&declared(attribute, &values));
    if size.basis == Basis::Default && unsized_item {
        remarks.assume(
            attribute.span,
            format!("a value of {} has {} bytes", attribute.name, size.bytes),
            "its size is not stated; write `~120 bytes` behind its type",
        );
    }
    let unique = alone || attribute.unique.as_ref().is_some_and(|unique| unique.value);
    let distinct = match (&attribute.distinct, reference, attribute.ty.value) {
        (Some(distinct), ..) => distinct.value,
        _ if unique => count,
        (_, Some(parents), _) => parents.min(count),
        (_, _, Type::Boolean) => 2,
        (_, _, Type::Enum) if !values.is_empty() => values.len() as u64,
        _ if !values.is_empty() => values.len() as u64,
        (_, _, Type::Ulid | Type::Uuid | Type::Ksuid | Type::Datetime) => count,
        _ => DEFAULT_DISTINCT.min(count),
    };
    let optional = attribute.is_optional();
    let present = match attribute.present.as_ref().map(|present| present.value) {
        Some(Presence::Items(items)) => items.saturating_mul(1_000_000) / count.max(1),
        Some(Presence::PerMillion(share)) => u64::from(share),
        None if optional => DEFAULT_PRESENT,
        None => 1_000_000,
    };
    let flag = |flag: &Option<keywright_model::At<bool>>| flag.as_ref().is_some_and(|it| it.value);
    AttributeFacts {
        name: attribute.name.clone(),
        ty: attribute.ty.value,
        bytes: size.bytes.min(MOST_VALUE_BYTES),
        distinct: distinct.max(1),
        optional,
        present: present.min(1_000_000),
        values,
        rank: Vec::new(),
        max: attribute.max.as_ref().map(|max| max.value),
        domain,
        creation_time: false,
        sequential: flag(&attribute.sequential),
        ttl: flag(&attribute.ttl),
        version: flag(&attribute.version),
        tenant: flag(&attribute.tenant),
        changes: attribute.is_mutable(),
        grows: false,
        bucket: None,
    }
}

/// Sets that are unique beside the identity: stated of an attribute, of the entity, or asked for by a condition.
fn unique_sets(model: &Model, entity: &Entity, identity: &[Attr]) -> Vec<Attrs> {
    let identity: Attrs = identity.iter().copied().collect();
    let position = |name: &String| entity.attributes.iter().position(|it| &it.name == name).map(Attr::new);
    let stated_alone = entity
        .attributes
        .iter()
        .filter(|it| it.unique.as_ref().is_some_and(|unique| unique.value))
        .map(|it| vec![it.name.clone()]);
    let stated = entity.unique.iter().map(|set| set.attributes.clone());
    let asked = model.patterns.iter().filter_map(|pattern| pattern.write()).flat_map(|write| {
        write.conditions.iter().filter_map(|condition| match &condition.kind {
            ConditionKind::Unique { entity: of, attributes } if *of == entity.name => {
                Some(attributes.clone())
            }
            _ => None,
        })
    });
    let mut sets: Vec<Attrs> = Vec::new();
    for names in stated_alone.chain(stated).chain(asked) {
        let set: Option<Attrs> = names.iter().map(position).collect();
        // What contains the identity is unique anyway, and so is what contains another unique set.
        let Some(set) = set.filter(|set| !set.is_empty()) else { continue };
        let anyway = sets.iter().any(|known| known.is_subset(set));
        if (identity.is_empty() || !identity.is_subset(set)) && !anyway {
            sets.retain(|known| !set.is_subset(*known));
            sets.push(set);
        }
    }
    sets
}

const fn declared_type(ty: Type) -> DeclaredType {
    match ty {
        Type::String => DeclaredType::String,
        Type::Text => DeclaredType::Text,
        Type::Number => DeclaredType::Number,
        Type::Integer => DeclaredType::Integer,
        Type::Decimal => DeclaredType::Decimal,
        Type::Boolean => DeclaredType::Boolean,
        Type::Datetime => DeclaredType::Datetime,
        Type::Date => DeclaredType::Date,
        Type::List => DeclaredType::List,
        Type::Map => DeclaredType::Map,
        Type::Set => DeclaredType::Set,
        Type::Binary => DeclaredType::Binary,
        Type::Ulid => DeclaredType::Ulid,
        Type::Uuid => DeclaredType::Uuid,
        Type::Ksuid => DeclaredType::Ksuid,
        Type::Enum => DeclaredType::Enum,
    }
}
