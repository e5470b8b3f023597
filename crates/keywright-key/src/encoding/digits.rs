//! Numbers as digits of a fixed width.

use super::{Direction, malformed};
use crate::KeyFault;

/// Appends the number with leading zeros. The number must fit the width.
pub(super) fn write(number: u128, width: usize, out: &mut String) {
    let mut buffer = [b'0'; 40];
    let mut at = buffer.len();
    // Division of 128-bit numbers is slow, so it is used only for the part that needs it.
    let mut wide = number;
    while wide > u128::from(u64::MAX) {
        at -= 1;
        buffer[at] = b'0' + (wide % 10) as u8;
        wide /= 10;
    }
    let mut narrow = wide as u64;
    while narrow > 0 {
        at -= 1;
        buffer[at] = b'0' + (narrow % 10) as u8;
        narrow /= 10;
    }
    let text = &buffer[buffer.len() - width..];
    debug_assert!(buffer.len() - at <= width, "{number} does not fit {width} digits");
    out.push_str(std::str::from_utf8(text).expect("digits are ASCII"));
}

/// Parses exactly `width` digits.
pub(super) fn read(text: &str, width: usize) -> Result<u128, KeyFault> {
    if text.len() != width || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(malformed(text, "digits of the right number"));
    }
    Ok(text.bytes().fold(0, |number, byte| number * 10 + u128::from(byte - b'0')))
}

/// How many digits the number has.
pub(super) fn count(number: u128) -> usize {
    number.checked_ilog10().map_or(1, |log| log as usize + 1)
}

/// Replaces every digit d by 9-d, which reverses the order of texts of the same form.
pub(super) fn complement(text: &mut [u8]) {
    for byte in text.iter_mut().filter(|byte| byte.is_ascii_digit()) {
        *byte = b'0' + b'9' - *byte;
    }
}

/// Appends a text of digits and punctuation; if descending, its complement.
pub(super) fn write_directed(text: &mut [u8], direction: Direction, out: &mut String) {
    if direction.is_descending() {
        complement(text);
    }
    out.push_str(std::str::from_utf8(text).expect("digits and punctuation are ASCII"));
}
