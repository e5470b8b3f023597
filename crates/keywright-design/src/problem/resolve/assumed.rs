//! What prices take for granted where the document is silent, beside what is assumed where it is read: shares, spreads,
//! rates and heat. Each is said once, with how to state it, or that no document can.

use std::collections::BTreeMap;

use keywright_model::model::{Action, Attribute, Cardinality, Pattern, Relationship, Type};
use keywright_model::{Frequency, Model, Rate};

use super::Remarks;
use super::writes::{given_to, is_kept_by_updates};
use crate::cost::{HOTTEST, RANGE_SELECTS};
use crate::first_value::first_value;
use crate::naming;
use crate::problem::{AttributeFacts, Attrs, EffectAction, EntityFacts, ReadFacts, WriteFacts};

/// Says all of it. Entities and attributes that the document declares come first among the facts, in its order.
pub(super) fn note(
    model: &Model,
    entities: &[EntityFacts],
    reads: &[ReadFacts],
    writes: &[WriteFacts],
    remarks: &mut Remarks,
) {
    let positions: BTreeMap<&str, usize> =
        entities.iter().enumerate().map(|(at, facts)| (facts.name.as_str(), at)).collect();
    let mut asked = vec![Attrs::NONE; entities.len()];
    for part in reads.iter().flat_map(|read| &read.parts) {
        asked[part.entity].extend(part.equal.iter().map(|equality| equality.attr));
    }
    let mut updated = vec![false; entities.len()];
    for effect in model.patterns.iter().filter_map(Pattern::write).flat_map(|write| &write.effects) {
        if let (Action::Update, Some(at)) = (&effect.action, positions.get(effect.entity.as_str())) {
            updated[*at] = true;
        }
    }
    for (at, (entity, facts)) in model.entities.iter().zip(entities).enumerate() {
        let attributes = || entity.attributes.iter().zip(&facts.attributes);
        for (attribute, it) in attributes() {
            optional(&facts.name, attribute, it, remarks);
        }
        values(facts, &entity.attributes, asked[at], remarks);
        if updated[at] {
            entity.attributes.iter().for_each(|attribute| update_time(&facts.name, attribute, remarks));
        }
    }
    for link in &model.relationships {
        if let Some((child, parent)) =
            positions.get(link.child.as_str()).zip(positions.get(link.parent.as_str()))
        {
            fan_out(link, &entities[*child], *parent, remarks);
        }
    }
    for read in reads.iter().filter(|read| read.parts.iter().any(|part| part.range.is_some())) {
        remarks.assume(
            read.span,
            format!("one in {RANGE_SELECTS} items is within the range of {}", read.id),
            "a document has no way to state how narrow a range is",
        );
    }
    for write in writes {
        first_values(model, entities, write, remarks);
    }
    rates(model, remarks);
    skew(model, remarks);
}

/// What a create gives the attributes that its inputs lack: they are in every item, so somebody should know.
fn first_values(model: &Model, entities: &[EntityFacts], write: &WriteFacts, remarks: &mut Remarks) {
    let Some(pattern) = model.patterns.get(write.pattern) else { return };
    for effect in &write.effects {
        let facts = &entities[effect.entity];
        let made = matches!(effect.action, EffectAction::Create | EffectAction::Put);
        let own = facts.versions_of.is_none() && facts.copy_of.is_none();
        let Some(entity) = model.entity(&facts.name).filter(|_| made && own) else { continue };
        let given = given_to(pattern, entities, effect.entity);
        let lacking = entity.attributes.iter().filter_map(|attribute| {
            let attr = facts.named(&attribute.name).filter(|attr| !given.contains(*attr))?;
            let it = facts.attribute(attr);
            let may_lack = attribute.is_optional() || it.optional;
            if may_lack || it.ttl || it.version {
                return None;
            }
            let value = match it.ty {
                Type::Datetime => "the time of the write".to_owned(),
                Type::Date => "the day of the write".to_owned(),
                _ => first_value(attribute)?.to_string(),
            };
            Some((it.name.as_str(), value))
        });
        let lacking: Vec<(&str, String)> = lacking.collect();
        let Some((name, value)) = lacking.first() else { continue };
        let all: Vec<String> = lacking.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let stated = match value.contains(' ') {
            true => format!("`{name}`"),
            false => format!("`{name}`, or `{name} = {value}`,"),
        };
        remarks.assume(
            write.span,
            format!("{} creates {} with {}", write.id, naming::one(&facts.name), all.join(", ")),
            &format!(
                "its inputs do not give that; add {stated} to them, or mark what may be absent as `optional`"
            ),
        );
    }
}

/// How many items hold what is optional.
fn optional(entity: &str, attribute: &Attribute, facts: &AttributeFacts, remarks: &mut Remarks) {
    if facts.optional && attribute.present.is_none() {
        remarks.assume(
            attribute.span,
            format!("{} % of all items of {entity} have {}", facts.present / 10_000, facts.name),
            "not stated; write `~500 at a time` or `5%` behind `optional`",
        );
    }
}

/// How many different values there are of what reads ask by, and that none of them is more frequent.
fn values(facts: &EntityFacts, attributes: &[Attribute], asked: Attrs, remarks: &mut Remarks) {
    let told: Attrs = facts.parents.iter().flat_map(|link| link.via.iter().copied()).collect();
    for attr in asked.minus(told).iter() {
        let it = facts.attribute(attr);
        let Some(attribute) = attributes.get(attr.index()) else { continue };
        if attribute.distinct.is_some() || facts.at_most_one([attr].into_iter().collect()) {
            continue;
        }
        if !it.values.is_empty() || it.ty == Type::Boolean {
            remarks.assume(
                attribute.span,
                format!(
                    "each of the {} values of {} occurs in equally many items of {}",
                    it.distinct, it.name, facts.name
                ),
                "a document has no way to state how many items have which value; if only a few matter, give \
                 those an optional attribute and state how many have it",
            );
        } else {
            remarks.assume(
                attribute.span,
                format!("items of {} have {} different values of {}", facts.name, it.distinct, it.name),
                "not stated; write `~300 values` behind its type",
            );
        }
    }
}

/// How many items belong to one parent, and how many they may become.
fn fan_out(link: &Relationship, child: &EntityFacts, parent: usize, remarks: &mut Remarks) {
    let Some(known) = child.parents.iter().find(|it| it.parent == parent) else { return };
    if link.cardinality.value != Cardinality::OneToMany {
        return;
    }
    if link.fan_out.mean.is_none() {
        remarks.assume(
            link.span,
            format!("the mean number of {} items of one {} is {}", child.name, link.parent, known.mean),
            "not stated, so it is computed from the totals; write `~40 orders per customer` under \
             Cardinality",
        );
    }
    if known.max.is_none() {
        remarks.assume(
            link.span,
            format!("any number of {} items may belong to one {}", child.name, link.parent),
            "no maximum is stated; write `max 50 items per order` under Cardinality",
        );
    }
}

/// The time of the last change is set by every update, whether it says so or not.
fn update_time(entity: &str, attribute: &Attribute, remarks: &mut Remarks) {
    if is_kept_by_updates(attribute) && attribute.version.is_none() {
        remarks.assume(
            attribute.span,
            format!("every update of {entity} sets {}", attribute.name),
            "its name says so; rename the attribute if this is not intended",
        );
    }
}

/// What the classes of frequency stand for, and that peaks are no higher than the mean.
fn rates(model: &Model, remarks: &mut Remarks) {
    for class in [Frequency::Hot, Frequency::Warm, Frequency::Cold] {
        let of_class = |it: &&Pattern| {
            it.rate.is_none() && it.frequency.as_ref().is_some_and(|frequency| frequency.value == class)
        };
        let mut patterns = model.patterns.iter().filter(of_class);
        let Some(first) = patterns.next() else { continue };
        let rate: Rate = class.default_rate();
        let others = match patterns.count() {
            0 => String::new(),
            1 => " and one other pattern".to_owned(),
            more => format!(" and {more} other patterns"),
        };
        remarks.assume(
            first.span,
            format!("{class:?} means {rate} times a second, for {}{others}", first.id),
            "a class is not a number; fill in Rate, or write `250/s` as Frequency",
        );
    }
    if let Some(first) = model.patterns.iter().find(|it| it.peak.is_none()) {
        remarks.assume(
            first.span,
            "patterns without a stated peak never run more often than on average".to_owned(),
            "not stated; fill in Peak, or write `Hot (300/s, peak 900/s)` as Frequency",
        );
    }
}

/// How much of the traffic the hottest value takes.
fn skew(model: &Model, remarks: &mut Remarks) {
    if let Some(first) = model.entities.iter().find(|it| it.skew.is_none()) {
        remarks.assume(
            first.span,
            format!(
                "the hottest value of a key takes {HOTTEST} times its even share of the traffic, where no \
                 skew is stated"
            ),
            "write `Skew: 5%` below the entity",
        );
    }
}
