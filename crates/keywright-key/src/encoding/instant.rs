//! Instants, dates and buckets of time.

use super::{Direction, EpochUnit, Precision, digits, malformed};
use crate::{Bucket, BucketSize, Date, Instant, KeyFault, Value};

pub(super) const fn iso_width(precision: Precision) -> usize {
    match precision {
        Precision::Seconds => 20,
        Precision::Millis => 24,
        Precision::Micros => 27,
    }
}

/// Instants up to the year 9999 need 12 digits of seconds or 15 of milliseconds.
pub(super) const fn epoch_digits(unit: EpochUnit) -> usize {
    match unit {
        EpochUnit::Seconds => 12,
        EpochUnit::Millis => 15,
    }
}

pub(super) fn write_iso(
    value: Instant,
    precision: Precision,
    direction: Direction,
    out: &mut String,
) -> Result<(), KeyFault> {
    let nanos = value.subsec_nanos();
    let (fraction, unit) = match precision {
        Precision::Seconds => (0, 1_000_000_000),
        Precision::Millis => (nanos / 1_000_000, 1_000_000),
        Precision::Micros => (nanos / 1_000, 1_000),
    };
    if !nanos.is_multiple_of(unit) {
        return Err(KeyFault::Precision { value: value.to_string() });
    }
    let mut text = *b"0000-00-00T00:00:00.000000Z";
    let (hour, minute, second) = value.clock();
    put_date(value.date(), &mut text);
    put(hour.into(), &mut text[11..13]);
    put(minute.into(), &mut text[14..16]);
    put(second.into(), &mut text[17..19]);
    let width = iso_width(precision);
    if precision != Precision::Seconds {
        put(fraction, &mut text[20..width - 1]);
    }
    text[width - 1] = b'Z';
    digits::write_directed(&mut text[..width], direction, out);
    Ok(())
}

pub(super) fn decode_iso(
    text: &str,
    precision: Precision,
    direction: Direction,
) -> Result<Value<'static>, KeyFault> {
    let refused = || malformed(text, "an instant with its number of digits");
    if text.len() != iso_width(precision) || !text.ends_with('Z') {
        return Err(refused());
    }
    let instant = directed(text, direction, Instant::parse).map_err(|_| refused())?;
    // `Instant::parse` also accepts `t` for `T`, but keys are only read as they are written.
    if text.as_bytes()[10] == b'T' { Ok(Value::Instant(instant)) } else { Err(refused()) }
}

pub(super) fn write_epoch(
    value: Instant,
    unit: EpochUnit,
    direction: Direction,
    out: &mut String,
) -> Result<(), KeyFault> {
    let (number, fraction) = match unit {
        EpochUnit::Seconds => (value.unix_seconds(), value.subsec_nanos()),
        EpochUnit::Millis => (value.unix_millis(), value.subsec_nanos() % 1_000_000),
    };
    if fraction != 0 {
        return Err(KeyFault::Precision { value: value.to_string() });
    }
    if number < 0 {
        return Err(KeyFault::OutOfRange {
            value: value.to_string(),
            least: Instant::EPOCH.to_string(),
            most: Date::MAX.to_string(),
        });
    }
    let width = epoch_digits(unit);
    let number = number as u128;
    let most = 10u128.pow(width as u32) - 1;
    digits::write(if direction.is_descending() { most - number } else { number }, width, out);
    Ok(())
}

pub(super) fn decode_epoch(
    text: &str,
    unit: EpochUnit,
    direction: Direction,
) -> Result<Value<'static>, KeyFault> {
    let width = epoch_digits(unit);
    let written = digits::read(text, width)? as i64;
    let most = 10i64.pow(width as u32) - 1;
    let number = if direction.is_descending() { most - written } else { written };
    let instant = match unit {
        EpochUnit::Seconds => Instant::from_unix(number, 0),
        EpochUnit::Millis => Instant::from_unix_millis(number),
    };
    instant.map(Value::Instant).ok_or_else(|| malformed(text, "an instant up to the year 9999"))
}

pub(super) fn write_date(value: Date, direction: Direction, out: &mut String) {
    let mut text = *b"0000-00-00";
    put_date(value, &mut text);
    digits::write_directed(&mut text, direction, out);
}

pub(super) fn decode_date(text: &str, direction: Direction) -> Result<Value<'static>, KeyFault> {
    directed(text, direction, Date::parse).map(Value::Date).map_err(|_| malformed(text, "a date"))
}

pub(super) fn write_bucket(value: &Value<'_>, size: BucketSize, out: &mut String) -> Result<(), KeyFault> {
    let bucket = match value {
        Value::Instant(instant) => Bucket::of(*instant, size),
        // A date has no hour, so it only determines the larger buckets.
        Value::Date(date) if size != BucketSize::Hour => Bucket::of(date.midnight(), size),
        Value::Bucket(bucket) if bucket.size() == size => *bucket,
        value => return Err(super::Encoding::Bucket(size).wrong_kind(value)),
    };
    let mut text = *b"0000-00-00T00";
    put_date(bucket.start().date(), &mut text);
    put(bucket.start().clock().0.into(), &mut text[11..]);
    digits::write_directed(&mut text[..size.width()], Direction::Ascending, out);
    Ok(())
}

pub(super) fn decode_bucket(text: &str, size: BucketSize) -> Result<Value<'static>, KeyFault> {
    let is_ours = size != BucketSize::Hour || text.as_bytes().get(10) == Some(&b'T');
    match Bucket::parse(text, size) {
        Ok(bucket) if is_ours => Ok(Value::Bucket(bucket)),
        _ => Err(malformed(text, "a bucket of its size")),
    }
}

pub(super) fn read_instant(text: &str) -> Result<Value<'static>, KeyFault> {
    Instant::parse(text).map(Value::Instant).map_err(|_| malformed(text, "an RFC 3339 instant"))
}

pub(super) fn read_bucket(text: &str, size: BucketSize) -> Result<Value<'static>, KeyFault> {
    if let Ok(bucket) = Bucket::parse(text, size) {
        return Ok(Value::Bucket(bucket));
    }
    match Date::parse(text) {
        Ok(date) => Ok(Value::Date(date)),
        Err(_) => read_instant(text),
    }
}

/// Parses a text of at most 27 bytes; if descending, its digits are complemented first.
fn directed<T>(
    text: &str,
    direction: Direction,
    parse: impl Fn(&str) -> Result<T, crate::TimeError>,
) -> Result<T, crate::TimeError> {
    if !direction.is_descending() {
        return parse(text);
    }
    let mut buffer = [0; 27];
    let bytes = buffer.get_mut(..text.len()).ok_or(crate::TimeError)?;
    bytes.copy_from_slice(text.as_bytes());
    digits::complement(bytes);
    parse(std::str::from_utf8(bytes).map_err(|_| crate::TimeError)?)
}

fn put_date(date: Date, text: &mut [u8]) {
    put(date.year().into(), &mut text[..4]);
    put(date.month().into(), &mut text[5..7]);
    put(date.day().into(), &mut text[8..10]);
}

/// Fills the slice with the digits of the number.
fn put(mut number: u32, place: &mut [u8]) {
    for byte in place.iter_mut().rev() {
        *byte = b'0' + (number % 10) as u8;
        number /= 10;
    }
}
