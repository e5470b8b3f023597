//! Time buckets: the year, month, day or hour of an instant as a part of keys.
//!
//! A document asks for one by a read that gives the whole period as an input (`month`). Then the period is an equality
//! like any other, and so may divide collections. Periods that nobody gives are no part of what is weighed: they would
//! only turn a range into several Queries, and all that is new would still go to one of them.

use keywright_model::Model;
use keywright_model::design::{Design, KeyValue};
use keywright_model::model::{Period, Role, Type};

use super::Remarks;
use crate::problem::{Attr, AttributeFacts, Bucket, Domain, EntityFacts, Problem};

/// For how many days items are kept, where nobody says.
const DEFAULT_DAYS: u64 = 365;

/// Gives every entity the periods that reads ask for.
pub(super) fn declare(model: &Model, entities: &mut [EntityFacts], remarks: &mut Remarks) {
    for pattern in model.patterns.iter().filter(|pattern| pattern.read().is_some()) {
        for input in pattern.inputs() {
            let Role::Within(period) = input.role else { continue };
            for bind in &input.binds {
                let Some(at) = entities.iter().position(|it| it.name == bind.entity) else { continue };
                let Some(of) = entities[at].named(&bind.attribute) else { continue };
                let bucket = Bucket { of, period };
                if !is_possible(&entities[at], bucket) || find(&entities[at], bucket).is_some() {
                    continue;
                }
                add(entities, at, bucket);
                if entities[at].retention_days.is_none() {
                    remarks.assume(
                        input.span,
                        format!("items of {} are spread over {DEFAULT_DAYS} days", bind.entity),
                        "their retention is not stated; write `Deleted after 90 days` under Lifecycle",
                    );
                }
            }
        }
    }
}

/// Gives entities the periods that the keys of a design hold, so that these keep their meaning.
pub(crate) fn keep(problem: &mut Problem, design: &Design) {
    for item in &design.items {
        let Some(at) = problem.entities.iter().position(|it| it.name == item.name) else { continue };
        for key in &item.keys {
            let KeyValue::Template(template) = &key.value else { continue };
            let Ok(template) = keywright_key::Template::parse(template) else { continue };
            for segment in template.segments() {
                let keywright_key::Segment::Placeholder(place) = segment else { continue };
                let encoding = place.encoding().to_string();
                let period = Period::ALL.into_iter().find(|it| it.encoding() == encoding);
                let of = problem.entities[at].named(place.name());
                let (Some(period), Some(of)) = (period, of) else { continue };
                let bucket = Bucket { of, period };
                if is_possible(&problem.entities[at], bucket) && find(&problem.entities[at], bucket).is_none()
                {
                    add(&mut problem.entities, at, bucket);
                }
            }
        }
    }
    settle(problem);
}

/// Lets what tells an instant tell its periods too.
pub(super) fn settle(problem: &mut Problem) {
    let Problem { entities, writes, .. } = problem;
    for entity in entities.iter_mut().filter(|entity| !entity.buckets.is_empty()) {
        entity.at_creation = entity.with_periods(entity.at_creation);
    }
    for write in writes {
        for effect in &mut write.effects {
            let entity = &entities[effect.entity];
            effect.given = entity.with_periods(effect.given);
            effect.sets = entity.with_periods(effect.sets);
            effect.removes = entity.with_periods(effect.removes);
        }
        for check in &mut write.checks {
            check.given = entities[check.entity].with_periods(check.given);
        }
    }
}

/// The period of an instant, where the entity has it.
pub(in crate::problem) fn find(entity: &EntityFacts, bucket: Bucket) -> Option<Attr> {
    entity.periods().find(|(_, it)| *it == bucket).map(|(attr, _)| attr)
}

/// A date has no hours, and an expiry is a number of seconds.
fn is_possible(entity: &EntityFacts, bucket: Bucket) -> bool {
    let instant = entity.attribute(bucket.of);
    let room = entity.attributes.len() + entity.buckets.len() < Attr::MOST;
    room && !instant.ttl
        && match instant.ty {
            Type::Datetime => true,
            Type::Date => bucket.period != Period::Hour,
            _ => false,
        }
}

fn add(entities: &mut [EntityFacts], at: usize, bucket: Bucket) {
    let entity = &mut entities[at];
    let attr = Attr::new(entity.attributes.len() + entity.buckets.len());
    let instant = entity.attribute(bucket.of);
    let days = entity.retention_days.unwrap_or(DEFAULT_DAYS);
    let spread = match bucket.period {
        Period::Year => days.div_ceil(365),
        Period::Month => days.div_ceil(30),
        Period::Day => days,
        Period::Hour => days.saturating_mul(24),
    };
    let mut name = instant.name.clone();
    let mut letters = bucket.period.name().chars();
    name.extend(letters.next().map(|first| first.to_ascii_uppercase()));
    name.extend(letters);
    let facts = AttributeFacts {
        name,
        bytes: bucket.period.width() as u64,
        distinct: spread.clamp(1, entity.count.max(1)),
        values: Vec::new(),
        max: None,
        domain: Domain { entity: at, attr },
        creation_time: false,
        bucket: Some(bucket),
        ..instant.clone()
    };
    entity.buckets.push(facts);
}
