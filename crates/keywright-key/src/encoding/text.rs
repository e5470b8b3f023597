//! Free text in a key: escapes that separate a value from the following text and keep the order of values.

use std::borrow::Cow;

use super::malformed;
use crate::KeyFault;

/// The characters that encode the bytes 0x00 to 0x24 after a `$` when free text is escaped.
///
/// | position of the text | bytes that are escaped as `$` and a character |
/// |---|---|
/// | before a literal that begins with `#` | every byte from 0x00 to `$` (0x24) |
/// | before a literal that begins with `@`, or at the end of a key that a version may follow | the same, and `@` as `$a` |
/// | before a `#`, in a key that a version may follow | the same, and `?` as `??`, `@` as `?A` |
/// | at the end of the key | `#` and `$` |
///
/// Byte `b` becomes character number `b` of this alphabet: a space is `$W`, `!` is `$X`, `"` is `$Y`, `#` is
/// `$Z` and `$` is `$_`. All other bytes stay unchanged. The alphabet is in ascending byte order and all
/// bytes that are not escaped are above `$`, so the order of texts is the order of keys, and a text (followed
/// by `#`, 0x23) sorts before every longer text that begins with it. At the end of a key the bytes below `#`
/// already sort correctly. Directly before a version's `@` only the order of versions is kept; further in
/// front the pairs with `?` keep the order of texts too, because `?` is the byte below `@`.
///
/// Before a literal with any other first byte nothing is escaped: a text is refused if it holds a byte at or
/// below that first byte, or at or below `$`. With a separator other than `#`, the first byte of the
/// separator takes the place of `$`. [`SeparatorPolicy::Reject`](crate::SeparatorPolicy) refuses every text
/// that would be escaped.
///
/// ```
/// use keywright_key::ESCAPE_ALPHABET;
/// assert_eq!(ESCAPE_ALPHABET[usize::from(b'#')], b'Z');
/// assert!(ESCAPE_ALPHABET.is_sorted());
/// ```
pub const ESCAPE_ALPHABET: &[u8; 37] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_";

/// The byte that begins an escape.
pub(crate) const ESCAPE: u8 = b'$';
/// Encodes `@` after a `$`. It is not in the alphabet, because `@` can't keep its order there.
pub(crate) const ESCAPED_AT: u8 = b'a';

/// Begins the pairs that encode `?` and `@` in a key that ends with a version. It is the byte below `@`.
const BELOW_AT: u8 = b'?';

/// How free text at a placeholder is separated from what follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Guard {
    /// Followed by `#`: every byte up to `$` is escaped.
    Separator,
    /// At the end of the key: `#` and `$` are escaped, so that the value can't look like further segments.
    End,
    /// Followed by `@` and a version: every byte up to `$` and `@` are escaped.
    Version,
    /// Followed by `#` in a key that ends with a version: escapes the same as [`Guard::Separator`], and `@`
    /// in order.
    WithinVersioned,
    /// Refuses every byte up to this one: it would end the value or sort before its end.
    Refuse(u8),
    /// At the end of the key: refuses what [`Guard::End`] escapes.
    RefuseEnd,
    /// Followed by `@` and a version: refuses what [`Guard::Version`] escapes.
    RefuseVersion,
}

impl Guard {
    const fn escapes(self, byte: u8) -> bool {
        match self {
            Guard::Separator => byte <= ESCAPE,
            Guard::End => byte == b'#' || byte == ESCAPE,
            Guard::Version => byte <= ESCAPE || byte == b'@',
            Guard::WithinVersioned => byte <= ESCAPE || byte == BELOW_AT || byte == b'@',
            Guard::Refuse(_) | Guard::RefuseEnd | Guard::RefuseVersion => false,
        }
    }

    /// The length of the escaped text in bytes.
    #[inline]
    pub(crate) fn length_of(self, text: &str) -> usize {
        match self.may_escape(text) {
            false => text.len(),
            true => text.len() + text.bytes().filter(|byte| self.escapes(*byte)).count(),
        }
    }

    /// A fast check that recognises nearly all texts that need no escape.
    #[inline]
    fn may_escape(self, text: &str) -> bool {
        match self {
            Guard::Separator | Guard::End => first_up_to_escape(text.as_bytes()).is_some(),
            Guard::Version => first_up_to_escape(text.as_bytes()).is_some() || text.contains('@'),
            Guard::WithinVersioned => text.bytes().any(|byte| self.escapes(byte)),
            Guard::Refuse(_) | Guard::RefuseEnd | Guard::RefuseVersion => false,
        }
    }

    /// Appends the text, escaped.
    pub(crate) fn write(self, text: &str, out: &mut String) -> Result<(), KeyFault> {
        if let Some(found) = self.refused(text) {
            return Err(KeyFault::Separator { found });
        }
        if !self.may_escape(text) {
            out.push_str(text);
            return Ok(());
        }
        for character in text.chars() {
            match u8::try_from(character) {
                Ok(byte) if self.escapes(byte) => {
                    let [open, code] = self.pair(byte);
                    out.push(char::from(open));
                    out.push(char::from(code));
                }
                _ => out.push(character),
            }
        }
        Ok(())
    }

    /// The pair that encodes an escaped byte.
    fn pair(self, byte: u8) -> [u8; 2] {
        match (self, ESCAPE_ALPHABET.get(usize::from(byte))) {
            (_, Some(code)) => [ESCAPE, *code],
            (Guard::WithinVersioned, None) if byte == b'@' => [BELOW_AT, b'A'],
            (Guard::WithinVersioned, None) => [BELOW_AT, BELOW_AT],
            (_, None) => [ESCAPE, ESCAPED_AT],
        }
    }

    /// The first bytes of all escapes, each with the bytes that may follow it.
    pub(crate) fn pairs(self) -> Vec<(u8, Vec<u8>)> {
        let mut pairs: Vec<(u8, Vec<u8>)> = Vec::new();
        for byte in (0..=u8::MAX).filter(|byte| self.escapes(*byte)) {
            let [open, code] = self.pair(byte);
            match pairs.iter_mut().find(|(it, _)| *it == open) {
                Some((_, codes)) => codes.push(code),
                None => pairs.push((open, vec![code])),
            }
        }
        pairs
    }

    /// The bytes that are written unchanged.
    pub(crate) fn plain(self) -> impl Iterator<Item = u8> {
        (0..=u8::MAX).filter(move |byte| match self {
            Guard::Refuse(most) => *byte > most,
            Guard::RefuseEnd => !Guard::End.escapes(*byte),
            Guard::RefuseVersion => !Guard::Version.escapes(*byte),
            _ => !self.escapes(*byte),
        })
    }

    /// The inverse of [`Guard::write`]. Refuses text that `write` never produces.
    pub(crate) fn read<'k>(self, text: &'k str) -> Result<Cow<'k, str>, KeyFault> {
        let refused = || malformed(text, "text as the template writes it");
        if self.refused(text).is_some() {
            return Err(refused());
        }
        if !self.may_escape(text) || !text.bytes().any(|byte| self.escapes(byte)) {
            return Ok(Cow::Borrowed(text));
        }
        let mut read = String::with_capacity(text.len());
        let mut characters = text.chars();
        while let Some(character) = characters.next() {
            if self.opens(character) {
                let code = characters.next().and_then(|code| u8::try_from(code).ok());
                let pair = [character as u8, code.ok_or_else(refused)?];
                let byte = (0..=BELOW_AT + 1).find(|byte| self.escapes(*byte) && self.pair(*byte) == pair);
                read.push(char::from(byte.ok_or_else(refused)?));
            } else if u8::try_from(character).is_ok_and(|byte| self.escapes(byte)) {
                return Err(refused());
            } else {
                read.push(character);
            }
        }
        Ok(Cow::Owned(read))
    }

    /// Whether the character begins an escape.
    fn opens(self, character: char) -> bool {
        character == char::from(ESCAPE) || self == Guard::WithinVersioned && character == char::from(BELOW_AT)
    }

    /// The first character that is not allowed here.
    fn refused(self, text: &str) -> Option<char> {
        match self {
            // The order of UTF-8 text is decided by the first byte of each character.
            Guard::Refuse(most) => text.chars().find(|c| c.encode_utf8(&mut [0; 4]).as_bytes()[0] <= most),
            Guard::RefuseEnd => text.chars().find(|c| matches!(c, '#' | '$')),
            Guard::RefuseVersion => text.chars().find(|c| *c <= '$' || *c == '@'),
            Guard::Separator | Guard::End | Guard::Version | Guard::WithinVersioned => None,
        }
    }

    /// Whether the order of texts is the order of keys.
    pub(crate) const fn keeps_order(self) -> bool {
        !matches!(self, Guard::Version | Guard::RefuseVersion)
    }
}

/// The position of the first byte at or below `$`. Reads eight bytes at a time, because every text of every
/// key is checked.
#[inline]
pub(crate) fn first_up_to_escape(text: &[u8]) -> Option<usize> {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    let (chunks, rest) = text.as_chunks::<8>();
    for (at, chunk) in chunks.iter().enumerate() {
        let eight = u64::from_le_bytes(*chunk);
        // Subtracting n from a byte below n borrows and sets its top bit, which was not set before. Bytes
        // after the first match may be wrong, but the first match, at the lowest position, is right.
        let small = eight.wrapping_sub(ONES * (ESCAPE as u64 + 1)) & !eight & (ONES << 7);
        if small != 0 {
            return Some(at * 8 + small.trailing_zeros() as usize / 8);
        }
    }
    let tail = rest.iter().position(|byte| *byte <= ESCAPE)?;
    Some(chunks.len() * 8 + tail)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(guard: Guard, text: &str) -> String {
        let mut out = String::new();
        guard.write(text, &mut out).unwrap();
        out
    }

    #[test]
    fn the_quick_look_finds_every_byte_at_every_place() {
        for length in 0..20 {
            for at in 0..length {
                for byte in 0..=255u8 {
                    let mut text = vec![b'z'; length];
                    text[at] = byte;
                    let expected = (byte <= b'$').then_some(at);
                    assert_eq!(first_up_to_escape(&text), expected, "{byte} at {at} of {length}");
                    text[length - 1] = b'#';
                    assert_eq!(first_up_to_escape(&text), expected.or(Some(length - 1)));
                }
            }
        }
    }

    #[test]
    fn escapes_only_what_the_place_needs() {
        assert_eq!(written(Guard::Separator, "a b#c$d@e"), "a$Wb$Zc$_d@e");
        assert_eq!(written(Guard::End, "a b#c$d@e"), "a b$Zc$_d@e");
        assert_eq!(written(Guard::Version, "a b#c$d@e"), "a$Wb$Zc$_d$ae");
        assert_eq!(written(Guard::WithinVersioned, "a b#c$d@e?"), "a$Wb$Zc$_d?Ae??");
    }

    #[test]
    fn reads_only_what_it_writes() {
        for (guard, text) in [
            (Guard::Separator, "a b"),
            (Guard::Separator, "a$"),
            (Guard::Separator, "a$a"),
            (Guard::Separator, "a$é"),
            (Guard::End, "a$Wb"),
            (Guard::End, "a#b"),
            (Guard::Version, "a@b"),
            (Guard::WithinVersioned, "a@b"),
            (Guard::WithinVersioned, "a?b"),
            (Guard::WithinVersioned, "a?"),
            (Guard::WithinVersioned, "a$a"),
            (Guard::Refuse(b':'), "a1"),
            (Guard::RefuseEnd, "a#"),
        ] {
            assert!(guard.read(text).is_err(), "{guard:?} {text}");
        }
    }
}
