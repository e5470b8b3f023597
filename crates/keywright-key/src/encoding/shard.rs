//! Shards: a small number hashed from an attribute, to spread one hot partition over several.

use super::{digits, malformed};
use crate::{FieldKind, KeyFault, KeyField, Value};

/// The shard, 0 to `count`-1, of a text. The result never changes and is the same in every language:
///
/// 1. `h` = 2166136261. For each byte `b` of the UTF-8 text: `h` = (`h` xor `b`) · 16777619, modulo 2^32 (FNV-1a).
/// 2. Mix: `h` ^= `h` >> 16; `h` ·= 0x85ebca6b; `h` ^= `h` >> 13; `h` ·= 0xc2b2ae35; `h` ^= `h` >> 16, all modulo 2^32.
///    Without it, ids that differ only at their end fall into few shards.
/// 3. The shard is `h` modulo `count`.
///
/// A value that is not text is hashed as [`Value::to_text`] writes it. The test vectors are in `vectors/shards.json`.
///
/// ```
/// use keywright_key::shard_of;
/// assert_eq!(shard_of("", 10), 3);
/// assert_eq!(shard_of("order-1", 10), 2);
/// ```
///
/// # Panics
/// If `count` is zero.
pub const fn shard_of(text: &str, count: u32) -> u32 {
    let bytes = text.as_bytes();
    let mut hash: u32 = 2_166_136_261;
    let mut at = 0;
    while at < bytes.len() {
        hash = (hash ^ bytes[at] as u32).wrapping_mul(16_777_619);
        at += 1;
    }
    hash ^= hash >> 16;
    hash = hash.wrapping_mul(0x85eb_ca6b);
    hash ^= hash >> 13;
    hash = hash.wrapping_mul(0xc2b2_ae35);
    hash ^= hash >> 16;
    hash % count
}

/// The number of a shard: all that a key with `shardN` holds of an attribute.
///
/// ```
/// use keywright_key::{Shard, Template};
/// let template = Template::parse("ORDERS#<id:shard10>").unwrap();
/// assert_eq!(template.parse_key("ORDERS#7").unwrap().field::<Shard>("id").unwrap(), Shard(7));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shard(pub u32);

impl KeyField for Shard {
    const KIND: FieldKind = FieldKind::Shard;

    fn to_value(&self) -> Value<'_> {
        Value::Shard(self.0)
    }

    fn from_value(value: Value<'_>) -> Option<Self> {
        match value {
            Value::Shard(shard) => Some(Shard(shard)),
            _ => None,
        }
    }
}

pub(super) fn write(value: &Value<'_>, count: u32, out: &mut String) -> Result<(), KeyFault> {
    let shard = match value {
        Value::Shard(shard) if *shard < count => *shard,
        Value::Shard(shard) => {
            return Err(KeyFault::OutOfRange {
                value: shard.to_string(),
                least: 0.to_string(),
                most: (count - 1).to_string(),
            });
        }
        value => shard_of(&value.to_text(), count),
    };
    digits::write(shard.into(), digits::count(u128::from(count - 1)), out);
    Ok(())
}

pub(super) fn decode(text: &str, count: u32) -> Result<Value<'static>, KeyFault> {
    let shard = digits::read(text, digits::count(u128::from(count - 1)))? as u32;
    if shard < count { Ok(Value::Shard(shard)) } else { Err(malformed(text, "one of the shards")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spreads_sequential_and_similar_ids_evenly() {
        for count in [2, 3, 7, 10, 16, 100] {
            let mut shards = vec![0u32; count as usize];
            let texts = 1000 * count;
            for number in 0..texts {
                shards[shard_of(&format!("order-{number}"), count) as usize] += 1;
            }
            let (least, most) = (shards.iter().min().unwrap(), shards.iter().max().unwrap());
            assert!(*least > 850 && *most < 1150, "{count}: {least} to {most}");
        }
    }
}
