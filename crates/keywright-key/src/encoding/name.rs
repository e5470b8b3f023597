//! Parses and prints the names of encodings.

use std::fmt;

use super::{Direction, Encoding, Enumeration, EnumerationOrder, EpochUnit, Precision};
use crate::{BucketSize, TemplateFault};

/// The family that the letters of an encoding's name stand for. Numbers and declared values follow the
/// letters.
#[derive(Clone, Copy)]
enum Family {
    Text,
    Unsigned(Direction),
    Signed(Direction),
    Decimal(Direction),
    Float(Direction),
    Bool(Direction),
    Iso(Precision, Direction),
    Epoch(EpochUnit, Direction),
    Date(Direction),
    Bucket(BucketSize),
    Shard,
    Ulid(Direction),
    Uuid(Direction),
    Ksuid(Direction),
    Enumeration(EnumerationOrder, Direction),
}

use Direction::{Ascending as Up, Descending as Down};

/// Every family: its letters, and its name in messages.
const FAMILIES: &[(&str, &str, Family)] = &[
    ("text", "text", Family::Text),
    ("pad", "padN", Family::Unsigned(Up)),
    ("desc", "descN", Family::Unsigned(Down)),
    ("int", "intN", Family::Signed(Up)),
    ("intdesc", "intdescN", Family::Signed(Down)),
    ("dec", "decN.S", Family::Decimal(Up)),
    ("decdesc", "decdescN.S", Family::Decimal(Down)),
    ("float", "float", Family::Float(Up)),
    ("floatdesc", "floatdesc", Family::Float(Down)),
    ("bool", "bool", Family::Bool(Up)),
    ("booldesc", "booldesc", Family::Bool(Down)),
    ("iso", "iso", Family::Iso(Precision::Millis, Up)),
    ("isodesc", "isodesc", Family::Iso(Precision::Millis, Down)),
    ("isos", "isos", Family::Iso(Precision::Seconds, Up)),
    ("isosdesc", "isosdesc", Family::Iso(Precision::Seconds, Down)),
    ("isou", "isou", Family::Iso(Precision::Micros, Up)),
    ("isoudesc", "isoudesc", Family::Iso(Precision::Micros, Down)),
    ("epochs", "epochs", Family::Epoch(EpochUnit::Seconds, Up)),
    ("epochsdesc", "epochsdesc", Family::Epoch(EpochUnit::Seconds, Down)),
    ("epochms", "epochms", Family::Epoch(EpochUnit::Millis, Up)),
    ("epochmsdesc", "epochmsdesc", Family::Epoch(EpochUnit::Millis, Down)),
    ("date", "date", Family::Date(Up)),
    ("datedesc", "datedesc", Family::Date(Down)),
    ("y", "y", Family::Bucket(BucketSize::Year)),
    ("ym", "ym", Family::Bucket(BucketSize::Month)),
    ("ymd", "ymd", Family::Bucket(BucketSize::Day)),
    ("ymdh", "ymdh", Family::Bucket(BucketSize::Hour)),
    ("shard", "shardN", Family::Shard),
    ("ulid", "ulid", Family::Ulid(Up)),
    ("uliddesc", "uliddesc", Family::Ulid(Down)),
    ("uuid", "uuid", Family::Uuid(Up)),
    ("uuiddesc", "uuiddesc", Family::Uuid(Down)),
    ("ksuid", "ksuid", Family::Ksuid(Up)),
    ("ksuiddesc", "ksuiddesc", Family::Ksuid(Down)),
    ("enum", "enum", Family::Enumeration(EnumerationOrder::Declared, Up)),
    ("enumdesc", "enumdesc", Family::Enumeration(EnumerationOrder::Declared, Down)),
    ("enumname", "enumname", Family::Enumeration(EnumerationOrder::Name, Up)),
    ("enumnamedesc", "enumnamedesc", Family::Enumeration(EnumerationOrder::Name, Down)),
];

/// The names of all encodings, with `N` and `S` for their numbers, for messages and completions.
///
/// ```
/// assert!(keywright_key::encoding_names().any(|name| name == "decN.S"));
/// ```
pub fn encoding_names() -> impl Iterator<Item = &'static str> {
    FAMILIES.iter().map(|(_, shown, _)| *shown)
}

pub(super) fn parse(text: &str) -> Result<Encoding, TemplateFault> {
    let (head, list) = match text.split_once('(') {
        Some((head, list)) => (head.trim_end(), Some(list.strip_suffix(')').ok_or(TemplateFault::Declared)?)),
        None => (text, None),
    };
    let letters = head.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let numbers = &head[letters.len()..];
    let unknown = || TemplateFault::UnknownEncoding { near: near(letters) };
    let (_, _, family) = FAMILIES.iter().find(|(name, _, _)| *name == letters).ok_or_else(unknown)?;
    if list.is_some() && !matches!(family, Family::Enumeration(..)) {
        return Err(unknown());
    }
    let without_numbers = |encoding| if numbers.is_empty() { Ok(encoding) } else { Err(unknown()) };
    match *family {
        Family::Text => without_numbers(Encoding::Text),
        Family::Unsigned(direction) => {
            let digits = number(numbers, 1, Encoding::MAX_DIGITS.into())? as u8;
            Ok(Encoding::Unsigned { digits, direction })
        }
        Family::Signed(direction) => {
            let digits = number(numbers, 1, u32::from(Encoding::MAX_DIGITS) - 1)? as u8;
            Ok(Encoding::Signed { digits, direction })
        }
        Family::Decimal(direction) => {
            let (digits, scale) = numbers.split_once('.').ok_or(TemplateFault::NoWidth)?;
            let digits = number(digits, 1, u32::from(Encoding::MAX_DIGITS) - 1)? as u8;
            let scale = number(scale, 0, digits.into())? as u8;
            Ok(Encoding::Decimal { digits, scale, direction })
        }
        Family::Float(direction) => without_numbers(Encoding::Float(direction)),
        Family::Bool(direction) => without_numbers(Encoding::Bool(direction)),
        Family::Iso(precision, direction) => without_numbers(Encoding::Iso { precision, direction }),
        Family::Epoch(unit, direction) => without_numbers(Encoding::Epoch { unit, direction }),
        Family::Date(direction) => without_numbers(Encoding::Date(direction)),
        Family::Bucket(size) => without_numbers(Encoding::Bucket(size)),
        Family::Shard => Ok(Encoding::Shard { count: number(numbers, 1, Encoding::MAX_SHARDS)? }),
        Family::Ulid(direction) => without_numbers(Encoding::Ulid(direction)),
        Family::Uuid(direction) => without_numbers(Encoding::Uuid(direction)),
        Family::Ksuid(direction) => without_numbers(Encoding::Ksuid(direction)),
        Family::Enumeration(order, direction) => {
            let values = match list {
                Some(list) => list.split(',').map(|value| value.trim().to_owned()).collect(),
                None => Vec::new(),
            };
            let enumeration = Enumeration::new(values, order, direction).ok_or(TemplateFault::Declared)?;
            without_numbers(Encoding::Enumeration(enumeration))
        }
    }
}

/// Parses a number in a range, without leading zeros.
fn number(text: &str, least: u32, most: u32) -> Result<u32, TemplateFault> {
    if text.is_empty() {
        return Err(TemplateFault::NoWidth);
    }
    let canonical = text == "0" || !text.starts_with('0');
    match text.parse() {
        Ok(number) if canonical && (least..=most).contains(&number) => Ok(number),
        _ => Err(TemplateFault::Width { least, most }),
    }
}

/// The known name that is most similar to an unknown one, if it is similar enough.
fn near(letters: &str) -> Option<&'static str> {
    let letters = letters.to_ascii_lowercase();
    FAMILIES
        .iter()
        .map(|(name, shown, _)| (crate::near::distance(&letters, name), *shown))
        .min_by_key(|(distance, _)| *distance)
        .filter(|(distance, _)| *distance <= 2 && *distance < letters.chars().count())
        .map(|(_, shown)| shown)
}

pub(super) fn fmt(encoding: &Encoding, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let desc = if encoding.direction() == Down { "desc" } else { "" };
    match encoding {
        Encoding::Text => f.write_str("text"),
        Encoding::Unsigned { digits, direction: Up } => write!(f, "pad{digits}"),
        Encoding::Unsigned { digits, direction: Down } => write!(f, "desc{digits}"),
        Encoding::Signed { digits, .. } => write!(f, "int{desc}{digits}"),
        Encoding::Decimal { digits, scale, .. } => write!(f, "dec{desc}{digits}.{scale}"),
        Encoding::Float(_) => write!(f, "float{desc}"),
        Encoding::Bool(_) => write!(f, "bool{desc}"),
        Encoding::Iso { precision: Precision::Seconds, .. } => write!(f, "isos{desc}"),
        Encoding::Iso { precision: Precision::Millis, .. } => write!(f, "iso{desc}"),
        Encoding::Iso { precision: Precision::Micros, .. } => write!(f, "isou{desc}"),
        Encoding::Epoch { unit: EpochUnit::Seconds, .. } => write!(f, "epochs{desc}"),
        Encoding::Epoch { unit: EpochUnit::Millis, .. } => write!(f, "epochms{desc}"),
        Encoding::Date(_) => write!(f, "date{desc}"),
        Encoding::Bucket(BucketSize::Year) => f.write_str("y"),
        Encoding::Bucket(BucketSize::Month) => f.write_str("ym"),
        Encoding::Bucket(BucketSize::Day) => f.write_str("ymd"),
        Encoding::Bucket(BucketSize::Hour) => f.write_str("ymdh"),
        Encoding::Shard { count } => write!(f, "shard{count}"),
        Encoding::Ulid(_) => write!(f, "ulid{desc}"),
        Encoding::Uuid(_) => write!(f, "uuid{desc}"),
        Encoding::Ksuid(_) => write!(f, "ksuid{desc}"),
        Encoding::Enumeration(enumeration) => {
            let by_name = if enumeration.order() == EnumerationOrder::Name { "name" } else { "" };
            write!(f, "enum{by_name}{desc}")?;
            match enumeration.values() {
                [] => Ok(()),
                values => write!(f, "({})", values.join(",")),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_read_and_printed_the_same() {
        for shown in encoding_names() {
            let text = shown.replace('N', "12").replace('S', "3");
            assert_eq!(parse(&text).unwrap().to_string(), text);
        }
        assert_eq!(parse("enum( OPEN , PAID )").unwrap().to_string(), "enum(OPEN,PAID)");
    }

    #[test]
    fn wrong_names_say_why() {
        use TemplateFault::{Declared, NoWidth, UnknownEncoding, Width};
        for (text, fault) in [
            ("pad", NoWidth),
            ("pad0", Width { least: 1, most: 38 }),
            ("pad06", Width { least: 1, most: 38 }),
            ("pad39", Width { least: 1, most: 38 }),
            ("int38", Width { least: 1, most: 37 }),
            ("dec10", NoWidth),
            ("dec10.11", Width { least: 0, most: 10 }),
            ("shard0", Width { least: 1, most: 100_000 }),
            ("pad99999999999", Width { least: 1, most: 38 }),
            ("iso3", UnknownEncoding { near: Some("iso") }),
            ("padding", UnknownEncoding { near: None }),
            ("ISO", UnknownEncoding { near: Some("iso") }),
            ("", UnknownEncoding { near: None }),
            ("pad6(A)", UnknownEncoding { near: Some("padN") }),
            ("enum()", Declared),
            ("enum(A,A)", Declared),
            ("enum(A", Declared),
        ] {
            assert_eq!(parse(text), Err(fault), "{text}");
        }
    }
}
