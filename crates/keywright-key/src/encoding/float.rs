//! Finite floats as hexadecimal digits in their total order.

use super::{Direction, malformed};
use crate::{KeyFault, Value};

const SIGN: u64 = 1 << 63;

pub(super) fn write(value: f64, direction: Direction, out: &mut String) -> Result<(), KeyFault> {
    if !value.is_finite() {
        return Err(KeyFault::NotFinite);
    }
    // -0 + 0 is 0. The two compare equal, so they must give the same key.
    let bits = (value + 0.0).to_bits();
    let ordered = if bits & SIGN == 0 { bits | SIGN } else { !bits };
    let mut written = if direction.is_descending() { !ordered } else { ordered };
    let mut text = [0; 16];
    for byte in text.iter_mut().rev() {
        *byte = b"0123456789abcdef"[(written & 0xf) as usize];
        written >>= 4;
    }
    out.push_str(std::str::from_utf8(&text).expect("hexadecimal digits are ASCII"));
    Ok(())
}

pub(super) fn decode(text: &str, direction: Direction) -> Result<Value<'static>, KeyFault> {
    let refused = || malformed(text, "a finite float as 16 hexadecimal digits");
    let is_hexadecimal = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    if text.len() != 16 || !text.bytes().all(is_hexadecimal) {
        return Err(refused());
    }
    let written = u64::from_str_radix(text, 16).map_err(|_| refused())?;
    let ordered = if direction.is_descending() { !written } else { written };
    let value = f64::from_bits(if ordered & SIGN == 0 { !ordered } else { ordered & !SIGN });
    let is_negative_zero = value == 0.0 && value.is_sign_negative();
    if !value.is_finite() || is_negative_zero { Err(refused()) } else { Ok(Value::Float(value)) }
}
