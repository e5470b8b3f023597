//! Parses text as JavaScript's `Number` does.

/// The number; `None` for NaN.
pub(super) fn read(text: &str) -> Option<f64> {
    let text = text.trim_matches(is_javascript_space);
    match text.as_bytes() {
        [] => Some(0.0),
        [b'0', b'x' | b'X', digits @ ..] => whole(digits, 4),
        [b'0', b'o' | b'O', digits @ ..] => whole(digits, 3),
        [b'0', b'b' | b'B', digits @ ..] => whole(digits, 1),
        _ => decimal(text),
    }
}

/// Whether JavaScript trims the character: its white space and line ends. U+0085 and U+180E are neither.
fn is_javascript_space(c: char) -> bool {
    matches!(c, '\u{9}'..='\u{d}' | ' ' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}')
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202f}' | '\u{205f}' | '\u{3000}' | '\u{feff}')
}

/// A whole number in a base of `bits` bits, rounded to the nearest float, ties to even.
fn whole(digits: &[u8], bits: u32) -> Option<f64> {
    if digits.is_empty() {
        return None;
    }
    // The first 64 significant bits, whether a lower bit is set, and the number of lower bits.
    let (mut mantissa, mut sticky, mut below) = (0u64, false, 0i32);
    for digit in digits {
        let digit = char::from(*digit).to_digit(1 << bits)?;
        for at in (0..bits).rev() {
            let bit = digit >> at & 1 == 1;
            if mantissa >> 63 == 0 {
                mantissa = mantissa << 1 | u64::from(bit);
            } else {
                sticky |= bit;
                below = below.saturating_add(1);
            }
        }
    }
    // A set bit anywhere below the 53 bits of a float decides a tie, so `sticky` can be merged into the
    // lowest bit.
    let rounded = (mantissa | u64::from(sticky)) as f64;
    Some(rounded * 2f64.powi(below))
}

fn decimal(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if unsigned == "Infinity" {
        return Some(if text.starts_with('-') { f64::NEG_INFINITY } else { f64::INFINITY });
    }
    // Rust parses all of JavaScript's decimals, but also `inf` and `nan`, which are excluded here.
    let is_decimal = unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && unsigned.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-'));
    if is_decimal { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn reads_what_javascript_reads() {
        for (text, number) in [
            ("", 0.0),
            (" \t\n\u{feff}\u{a0}", 0.0),
            ("0012", 12.0),
            ("+5", 5.0),
            ("-5", -5.0),
            ("1.", 1.0),
            (".5", 0.5),
            ("-.5e-1", -0.05),
            ("1e3", 1000.0),
            ("0x10", 16.0),
            ("0XfF", 255.0),
            ("0o17", 15.0),
            ("0b101", 5.0),
            ("Infinity", f64::INFINITY),
            ("-Infinity", f64::NEG_INFINITY),
            ("1e999", f64::INFINITY),
            ("0x20000000000001", 9007199254740992.0),
            ("0x20000000000003", 9007199254740996.0),
            ("0x200000000000010000000000000001", 166153499473114502559719956244594689.0),
        ] {
            assert_eq!(read(text), Some(number), "{text:?}");
        }
    }

    #[test]
    fn the_rest_is_not_a_number() {
        for text in [
            "abc", "1_000", "1,5", "--1", "0x", "-0x10", "0xg", "0b2", "0o8", "inf", "nan", "NaN",
            "infinity", ".", "e5", "1e", "+", "1 2", "\u{85}1", "1.2.3", "0x1.8",
        ] {
            assert_eq!(read(text), None, "{text:?}");
        }
    }
}
