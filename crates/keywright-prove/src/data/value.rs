//! Values of attributes: mostly ordinary, some at the limits, some hostile to keys.

use std::collections::{BTreeMap, BTreeSet};

use keywright_dynamodb::number::Number;
use keywright_dynamodb::value::AttributeValue;
use keywright_model::design::Generator;
use keywright_model::model::{Attribute, Entity, Type};

use crate::data::Plan;
use crate::interpret::Maker;
use crate::random::Random;

/// Texts that break keys which are glued together without care: separators, prefixes of each other, bytes around the
/// separator, versions, other letters' cases, bytes above ASCII, look-alikes of literals.
const HOSTILE: [&str; 18] = [
    "a",
    "ab",
    "a#",
    "a#b",
    "a b",
    "a!",
    "a$",
    "a$Z",
    "#a",
    "a@1",
    "user@example.com",
    "A",
    "a~",
    "~",
    "é",
    "ORDER#1",
    "a##b",
    "z\u{10ffff}",
];

/// Tenants that look alike.
const TENANTS: [&str; 6] = ["t1", "t10", "t1#", "t1 ", "T1", "t"];

/// Names that are prefixes of each other, for ordinary texts.
const WORDS: [&str; 12] =
    ["an", "ann", "anna", "annabel", "bo", "bob", "bobby", "carl", "carla", "Zoe", "zoe", "10"];

/// 2025-12-30T23:59:58.999Z: instants begin shortly before a year, a month and a day end.
const FIRST_INSTANT: i64 = 1_767_139_198_999;

/// Makes values, and sees to it that unique ones are.
pub(crate) struct Values {
    random: Random,
    maker: Maker,
    plan: Plan,
    serial: BTreeMap<(String, String), u64>,
    turns: BTreeMap<String, usize>,
    /// The values so far of attributes of which the document says how many distinct ones there are.
    given: BTreeMap<(String, String), Distinct>,
}

/// Values in the order in which they came, each once.
#[derive(Default)]
struct Distinct {
    values: Vec<AttributeValue>,
    known: BTreeSet<AttributeValue>,
}

impl Values {
    /// Values for a seed. Identifiers that callers give and those that operations make up follow one clock: what is
    /// created later has the later identifier and the later time of creation, whoever makes them.
    pub(crate) fn new(seed: u64, plan: Plan, operations: &Maker) -> Self {
        Values {
            random: Random::new(seed, "values"),
            maker: Maker::new(seed ^ 0x5eed).with_clock_of(operations),
            plan,
            serial: BTreeMap::new(),
            turns: BTreeMap::new(),
            given: BTreeMap::new(),
        }
    }

    /// A value of an attribute: one of as many as the document says that there are. `distinct` asks for one that was
    /// not given before.
    pub(crate) fn make(&mut self, entity: &Entity, attribute: &Attribute, distinct: bool) -> AttributeValue {
        let stated = self.plan.distinct(&entity.name, &attribute.name);
        let Some(most) = stated.filter(|_| !distinct && attribute.values.is_empty()) else {
            return self.make_new(entity, attribute, distinct);
        };
        // Tenants are the same in all entities.
        let of = if is_tenant(attribute) { "" } else { entity.name.as_str() };
        let name = (of.to_owned(), attribute.name.clone());
        let known = self.given.get(&name).map_or(0, |given| given.values.len());
        let repeats = known as u64 >= most || known > 0 && self.random.percent(40);
        if repeats {
            let at = self.random.index(known.min(most as usize));
            if let Some(value) = self.given.get(&name).and_then(|given| given.values.get(at)) {
                return value.clone();
            }
        }
        let value = self.make_new(entity, attribute, true);
        let given = self.given.entry(name).or_default();
        if given.known.insert(value.clone()) {
            given.values.push(value.clone());
        }
        value
    }

    fn make_new(&mut self, entity: &Entity, attribute: &Attribute, distinct: bool) -> AttributeValue {
        let name = (entity.name.clone(), attribute.name.clone());
        let serial = self.serial.entry(name).or_insert(0);
        *serial += 1;
        let serial = *serial;
        let value = match *attribute.ty {
            Type::String | Type::Text => AttributeValue::S(self.text(attribute, serial, distinct)),
            Type::Enum if !attribute.values.is_empty() => {
                let at = self.random.index(attribute.values.len());
                AttributeValue::S(attribute.values[at].value.clone())
            }
            Type::Enum => AttributeValue::S(format!("VALUE{}", self.random.below(3))),
            Type::Ulid => self.id(Generator::Ulid),
            Type::Uuid => self.id(Generator::Uuid),
            Type::Ksuid => self.id(Generator::Ksuid),
            Type::Boolean => AttributeValue::BOOL(self.random.percent(50)),
            Type::Datetime => AttributeValue::S(crate::interpret::instant(self.millis(serial, distinct))),
            Type::Date => {
                // One of five years' days, so that a parent can have many.
                let day = if distinct { (serial % 1_800) as i64 * 86_400_000 } else { 0 };
                let millis = self.millis(serial, distinct) + day;
                AttributeValue::S(crate::interpret::instant(millis)[..10].to_owned())
            }
            Type::Number | Type::Integer => self.integer(attribute, serial, distinct),
            Type::Decimal => self.decimal(attribute, serial, distinct),
            Type::List => AttributeValue::L(vec![self.word().into(), self.word().into()]),
            Type::Set => AttributeValue::SS([self.word(), "x#y".to_owned()].into()),
            Type::Map => AttributeValue::M([("k".to_owned(), AttributeValue::S(self.word()))].into()),
            Type::Binary => AttributeValue::B(vec![0, (serial % 256) as u8, 255]),
        };
        let expires = attribute.ttl.as_ref().is_some_and(|ttl| ttl.value);
        if expires {
            // Far in the future: what expires on its own is no subject of these checks.
            return AttributeValue::from(4_000_000_000 + (serial % 1000) as i64);
        }
        value
    }

    fn id(&mut self, generator: Generator) -> AttributeValue {
        AttributeValue::S(self.maker.id_after(generator, 313))
    }

    fn word(&mut self) -> String {
        WORDS[self.random.index(WORDS.len())].to_owned()
    }

    fn text(&mut self, attribute: &Attribute, serial: u64, distinct: bool) -> String {
        let longest = attribute.max.as_ref().map_or(64, |max| max.value.clamp(1, 64)) as usize;
        let tenant = is_tenant(attribute);
        let text = if distinct && tenant {
            match TENANTS.get(serial as usize - 1) {
                Some(text) => (*text).to_owned(),
                None => format!("t{serial}"),
            }
        } else if distinct {
            // The hostile texts first, each once, then look-alikes with a number.
            match HOSTILE.get(serial as usize - 1) {
                Some(text) => (*text).to_owned(),
                None => format!("{}{serial}", self.word()),
            }
        } else if tenant {
            TENANTS[self.random.index(TENANTS.len())].to_owned()
        } else if self.random.percent(35) {
            HOSTILE[self.random.index(HOSTILE.len())].to_owned()
        } else {
            self.word()
        };
        let cut: String = text.chars().take(longest).collect();
        if distinct && cut.len() < text.len() {
            let digits = serial.to_string();
            let keep = longest.saturating_sub(digits.len());
            return cut.chars().take(keep).chain(digits.chars()).take(longest).collect();
        }
        cut
    }

    /// Instants a few per millisecond, second, day and month, so that ties and boundaries occur.
    fn millis(&mut self, serial: u64, distinct: bool) -> i64 {
        const STEPS: [i64; 6] = [0, 1, 1_000, 61_000, 86_400_000, 31 * 86_400_000];
        if distinct {
            return FIRST_INSTANT + serial as i64 * 1_001;
        }
        let step = STEPS[self.random.index(STEPS.len())];
        FIRST_INSTANT + step * self.random.below(4) as i64
    }

    fn integer(&mut self, attribute: &Attribute, serial: u64, distinct: bool) -> AttributeValue {
        let largest = attribute.max.as_ref().map_or(99_999, |max| max.value.min(i64::MAX as u64)) as i64;
        if distinct {
            return AttributeValue::from(serial as i64 % largest.saturating_add(1).max(1));
        }
        let candidates = [0, 1, 2, 9, 10, 11, 99, 100, 999, largest - 1, largest];
        let value = candidates[self.random.index(candidates.len())].clamp(0, largest);
        AttributeValue::from(value)
    }

    fn decimal(&mut self, attribute: &Attribute, serial: u64, distinct: bool) -> AttributeValue {
        let largest = attribute.max.as_ref().map_or(999, |max| max.value.min(1_000_000_000));
        let texts = ["0", "0.01", "0.1", "1", "1.5", "2", "9.99", "10", "10.05"];
        let text = if distinct {
            format!("{}.{:02}", serial % largest.max(1), serial % 100)
        } else {
            texts[self.random.index(texts.len())].to_owned()
        };
        let number: Number = text.parse().unwrap_or_else(|_| 0.into());
        let most = Number::from(largest);
        AttributeValue::N(if number > most { most } else { number })
    }

    /// Whether an optional attribute is there this time.
    pub(crate) fn present(&mut self, entity: &Entity, attribute: &Attribute) -> bool {
        !attribute.is_optional()
            || self.random.below(1_000_000) < self.plan.present(&entity.name, &attribute.name)
    }

    /// How often something was asked for before, for choices that have to be made in turn.
    pub(crate) fn turn(&mut self, of: &str) -> usize {
        let turns = self.turns.entry(of.to_owned()).or_insert(0);
        *turns += 1;
        *turns - 1
    }

    /// Draws for choices that are not values.
    pub(crate) fn random(&mut self) -> &mut Random {
        &mut self.random
    }
}

fn is_tenant(attribute: &Attribute) -> bool {
    attribute.tenant.as_ref().is_some_and(|tenant| tenant.value)
}

/// A value of the type that no record has: beyond everything that [`Values`] makes.
pub(crate) fn absent_value(attribute: &Attribute) -> AttributeValue {
    match *attribute.ty {
        Type::Number | Type::Integer => AttributeValue::from(
            attribute.max.as_ref().map_or(54_321, |max| (max.value / 2).min(54_321)) as i64,
        ),
        Type::Decimal => AttributeValue::N("7.77".parse().unwrap_or_else(|_| 7.into())),
        Type::Boolean => AttributeValue::BOOL(true),
        Type::Datetime => "2031-05-06T07:08:09.010Z".into(),
        Type::Date => "2031-05-06".into(),
        Type::Ulid => "7ZZZZZZZZZZZZZZZZZZZZZZZZZ".into(),
        Type::Uuid => "ffffffff-ffff-4fff-bfff-ffffffffffff".into(),
        Type::Ksuid => "aWgEPTl1tmebfsQzFP4bxwgy80V".into(),
        Type::Enum => {
            attribute.values.last().map_or_else(|| "VALUE9".into(), |value| value.value.as_str().into())
        }
        _ => {
            let longest = attribute.max.as_ref().map_or(64, |max| max.value.clamp(1, 64)) as usize;
            AttributeValue::S("nobody#1".chars().take(longest).collect())
        }
    }
}

/// Texts near a text in key order, which a careless prefix or range would take for it.
pub(crate) fn neighbours(text: &str) -> Vec<String> {
    let mut near = vec![format!("{text}#"), format!("{text}0"), format!("{text} ")];
    let mut shorter = text.to_owned();
    shorter.pop();
    if !shorter.is_empty() {
        near.push(shorter);
    }
    near
}
