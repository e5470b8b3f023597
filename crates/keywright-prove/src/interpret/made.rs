//! What operations make up: identifiers and instants, from a seed and a clock of our own.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

use keywright_dynamodb::value::AttributeValue;
use keywright_key::{Instant, Value};
use keywright_model::design::{Generated, Generator};
use keywright_model::model::Type;

use crate::random::Random;

/// 2026-01-01T00:00:00Z.
const START: i64 = 1_767_225_600_000;

/// Makes identifiers and instants. Time passes with every call, and identifiers that sort by time follow it; a UUID is
/// random.
#[derive(Clone, Debug)]
pub(crate) struct Maker {
    clock: Clock,
    random: Random,
}

/// The time of a run, in milliseconds since 1970. Its clones tell the same time.
#[derive(Clone, Debug)]
struct Clock(Rc<Cell<i64>>);

impl Clock {
    fn now(&self) -> i64 {
        self.0.get()
    }

    fn advance(&self, millis: i64) {
        self.0.set(self.0.get() + millis);
    }
}

impl Maker {
    /// A maker for a seed.
    pub(crate) fn new(seed: u64) -> Self {
        Maker { clock: Clock(Rc::new(Cell::new(START))), random: Random::new(seed, "made") }
    }

    /// The same, on the clock of another.
    pub(crate) fn with_clock_of(mut self, other: &Maker) -> Self {
        self.clock = other.clock.clone();
        self
    }

    /// The values of one call: one instant for all of them.
    pub(crate) fn all(&mut self, wanted: &[Generated]) -> BTreeMap<String, AttributeValue> {
        if wanted.is_empty() {
            return BTreeMap::new();
        }
        // Mostly a new instant, sometimes the same: calls within one millisecond happen.
        self.clock.advance(if self.random.percent(20) { 0 } else { 977 });
        wanted.iter().map(|made| (made.name.clone(), self.one(made.generator, made.ty))).collect()
    }

    fn one(&mut self, generator: Generator, ty: Type) -> AttributeValue {
        match generator {
            Generator::Ulid | Generator::Uuid | Generator::Ksuid => self.id(generator).into(),
            Generator::Now => now(self.clock.now(), ty),
            Generator::ExpiresAfterDays(days) => {
                AttributeValue::from(self.clock.now() / 1000 + i64::try_from(days).unwrap_or(0) * 86_400)
            }
        }
    }

    /// A new identifier as text, so many milliseconds after the last.
    pub(crate) fn id_after(&mut self, generator: Generator, millis: i64) -> String {
        self.clock.advance(millis);
        self.id(generator)
    }

    /// A new identifier as text.
    fn id(&mut self, generator: Generator) -> String {
        let random = (u128::from(self.random.next()) << 64) | u128::from(self.random.next());
        let millis = self.clock.now() as u128;
        match generator {
            Generator::Uuid => {
                let low = random & ((1 << 62) - 1);
                let middle = (random >> 64) & 0xfff;
                // Version 4: a document that says no more than `uuid` says nothing of an order.
                let high = random >> 80;
                Value::Uuid((high << 80) | (4 << 76) | (middle << 64) | (0b10 << 62) | low).to_string()
            }
            Generator::Ksuid => {
                // KSUID counts seconds from 2014-05-13.
                let seconds = (self.clock.now() / 1000 - 1_400_000_000) as u32;
                let mut bytes = [0; 20];
                bytes[..4].copy_from_slice(&seconds.to_be_bytes());
                bytes[4..].copy_from_slice(&random.to_be_bytes());
                Value::Ksuid(bytes).to_string()
            }
            _ => Value::Ulid((millis << 80) | (random >> 48)).to_string(),
        }
    }
}

/// The instant in the form of the attribute's type.
fn now(millis: i64, ty: Type) -> AttributeValue {
    match ty {
        Type::Number | Type::Integer | Type::Decimal => AttributeValue::from(millis),
        Type::Date => AttributeValue::S(instant(millis)[..10].to_owned()),
        _ => AttributeValue::S(instant(millis)),
    }
}

/// An instant as text: UTC, with milliseconds.
pub(crate) fn instant(millis: i64) -> String {
    let text = Instant::from_unix_millis(millis).unwrap_or(Instant::EPOCH).to_string();
    // A fixed number of digits, so that the text itself sorts by time.
    match text.split_once('.') {
        Some((whole, rest)) => format!("{whole}.{:0<3}Z", rest.trim_end_matches('Z')),
        None => format!("{}.000Z", text.trim_end_matches('Z')),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_follow_time_and_repeat_by_seed() {
        let made = |generator| Generated { name: "id".into(), ty: Type::Ulid, generator };
        let ids = |generator| {
            let draw = || {
                let mut maker = Maker::new(5);
                maker.clock.advance(1);
                let first = maker.id(generator);
                maker.clock.advance(2000);
                [first, maker.id(generator)]
            };
            assert_eq!(draw(), draw());
            let mut maker = Maker::new(5);
            assert!(maker.all(&[made(generator)]).contains_key("id"));
            draw()
        };
        for generator in [Generator::Ulid, Generator::Ksuid] {
            let [first, second] = ids(generator);
            assert!(first < second, "{first} {second}");
        }
        // Whose order is not that of time, its values don't follow the clock.
        for uuid in ids(Generator::Uuid) {
            assert_eq!(uuid.as_bytes()[14], b'4', "{uuid}");
        }
        let mut maker = Maker::new(5);
        let drawn: Vec<String> = (0..16).map(|_| maker.id_after(Generator::Uuid, 1)).collect();
        assert!(!drawn.is_sorted(), "{drawn:?}");
        assert_eq!(instant(START), "2026-01-01T00:00:00.000Z");
        assert_eq!(instant(START + 70), "2026-01-01T00:00:00.070Z");
    }
}
