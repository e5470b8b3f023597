//! Integers and decimals of a fixed number of digits.

use super::{Direction, digits, malformed};
use crate::{Decimal, KeyFault, Value};

/// Powers of ten in a table, because every number of every key needs one.
const POWERS_OF_TEN: [i128; 39] = {
    let mut powers = [1; 39];
    let mut at = 1;
    while at < powers.len() {
        powers[at] = powers[at - 1] * 10;
        at += 1;
    }
    powers
};

const fn power_of_ten(exponent: u8) -> i128 {
    POWERS_OF_TEN[exponent as usize]
}

pub(super) fn write_unsigned(
    value: i128,
    width: u8,
    direction: Direction,
    out: &mut String,
) -> Result<(), KeyFault> {
    let most = power_of_ten(width) - 1;
    if value < 0 || value > most {
        return Err(out_of_range(value.to_string(), 0.to_string(), most.to_string()));
    }
    let written = if direction.is_descending() { most - value } else { value };
    digits::write(written as u128, width.into(), out);
    Ok(())
}

pub(super) fn decode_unsigned(
    text: &str,
    width: u8,
    direction: Direction,
) -> Result<Value<'static>, KeyFault> {
    let written = digits::read(text, width.into())? as i128;
    let most = power_of_ten(width) - 1;
    Ok(Value::Integer(if direction.is_descending() { most - written } else { written }))
}

pub(super) fn write_signed(
    value: i128,
    width: u8,
    direction: Direction,
    out: &mut String,
) -> Result<(), KeyFault> {
    let offset = power_of_ten(width);
    if value <= -offset || value >= offset {
        return Err(out_of_range(value.to_string(), (1 - offset).to_string(), (offset - 1).to_string()));
    }
    let written = if direction.is_descending() { offset - value } else { offset + value };
    digits::write(written as u128, usize::from(width) + 1, out);
    Ok(())
}

pub(super) fn decode_signed(text: &str, width: u8, direction: Direction) -> Result<Value<'static>, KeyFault> {
    signed_units(text, width, direction).map(Value::Integer)
}

fn signed_units(text: &str, width: u8, direction: Direction) -> Result<i128, KeyFault> {
    let written = digits::read(text, usize::from(width) + 1)? as i128;
    let offset = power_of_ten(width);
    if written == 0 || written >= 2 * offset {
        return Err(malformed(text, "a signed number of its width"));
    }
    Ok(if direction.is_descending() { offset - written } else { written - offset })
}

pub(super) fn write_decimal(
    value: Decimal,
    width: u8,
    scale: u8,
    direction: Direction,
    out: &mut String,
) -> Result<(), KeyFault> {
    if value.scale() > scale {
        return Err(KeyFault::Precision { value: value.to_string() });
    }
    let units = value.units(scale).filter(|units| units.abs() < power_of_ten(width));
    let Some(units) = units else { return Err(decimal_range(value.to_string(), width, scale)) };
    write_signed(units, width, direction, out)?;
    if scale > 0 {
        out.insert(out.len() - usize::from(scale), '.');
    }
    Ok(())
}

pub(super) fn decode_decimal(
    text: &str,
    width: u8,
    scale: u8,
    direction: Direction,
) -> Result<Value<'static>, KeyFault> {
    let units = match scale {
        0 => signed_units(text, width, direction)?,
        _ => {
            let (whole, fraction) = text
                .split_once('.')
                .filter(|(_, fraction)| fraction.len() == usize::from(scale))
                .ok_or_else(|| malformed(text, "a decimal of its width and scale"))?;
            signed_units(&format!("{whole}{fraction}"), width, direction)?
        }
    };
    Ok(Value::Decimal(Decimal::new(units, scale).expect("the width is at most 37 digits")))
}

pub(super) fn decimal_range(value: String, width: u8, scale: u8) -> KeyFault {
    let most = Decimal::new(power_of_ten(width) - 1, scale).expect("the width is at most 37 digits");
    out_of_range(value, format!("-{most}"), most.to_string())
}

fn out_of_range(value: String, least: String, most: String) -> KeyFault {
    KeyFault::OutOfRange { value, least, most }
}
