//! The set of all keys of a template as a finite automaton, so that two templates can be compared exactly.

use super::{Guard, Segment, Template};
use crate::{Encoding, Placeholder};

/// A set of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bytes([u64; 4]);

impl Bytes {
    pub(super) const fn none() -> Bytes {
        Bytes([0; 4])
    }

    pub(super) const fn all() -> Bytes {
        Bytes([u64::MAX; 4])
    }

    pub(super) fn of(bytes: impl IntoIterator<Item = u8>) -> Bytes {
        let mut set = Bytes::none();
        for byte in bytes {
            set.0[usize::from(byte >> 6)] |= 1 << (byte & 63);
        }
        set
    }

    pub(super) const fn contains(self, byte: u8) -> bool {
        self.0[(byte >> 6) as usize] >> (byte & 63) & 1 == 1
    }

    pub(super) fn and(self, other: Bytes) -> Bytes {
        Bytes(std::array::from_fn(|at| self.0[at] & other.0[at]))
    }

    pub(super) fn or(self, other: Bytes) -> Bytes {
        Bytes(std::array::from_fn(|at| self.0[at] | other.0[at]))
    }

    pub(super) fn iter(self) -> impl Iterator<Item = u8> {
        (0..=u8::MAX).filter(move |byte| self.contains(*byte))
    }

    pub(super) fn least(self) -> Option<u8> {
        self.iter().next()
    }

    pub(super) fn greatest(self) -> Option<u8> {
        (0..=u8::MAX).rev().find(|byte| self.contains(*byte))
    }
}

/// A finite automaton over bytes without epsilon transitions. State 0 is the start. Every state leads to an
/// end.
#[derive(Debug, Default)]
pub(super) struct Language {
    steps: Vec<Vec<(Bytes, usize)>>,
    ends: Vec<bool>,
}

impl Language {
    /// All keys of the template. Dates are approximated by any digits of their form, and text by any bytes:
    /// the language holds slightly more than the template builds, never less.
    pub(super) fn of(template: &Template) -> Language {
        Language::of_segments(&template.segments, false)
    }

    /// All texts that begin with the first `places` placeholders and the literal before the next one.
    pub(super) fn of_prefix(template: &Template, places: usize) -> Language {
        let mut seen = 0;
        let run = template.segments.iter().take_while(|segment| {
            seen += usize::from(segment.placeholder().is_some());
            seen <= places
        });
        Language::of_segments(&template.segments[..run.count()], true)
    }

    fn of_segments(segments: &[Segment], open: bool) -> Language {
        let mut language = Language::default();
        // The states after the segments so far: one, except after alternatives and variable-length text.
        let mut current = vec![language.state()];
        for segment in segments {
            current = match segment {
                Segment::Literal(literal) => language.text(&current, literal.as_bytes()),
                Segment::Placeholder(place) => language.place(&current, place),
            };
        }
        if open {
            let rest = language.state();
            language.step(&current, Bytes::all(), rest);
            language.step(&[rest], Bytes::all(), rest);
            current.push(rest);
        }
        for state in current {
            language.ends[state] = true;
        }
        language
    }

    /// The transitions of a state: sets of bytes, and the states that they lead to.
    pub(super) fn steps(&self, state: usize) -> &[(Bytes, usize)] {
        &self.steps[state]
    }

    pub(super) fn is_end(&self, state: usize) -> bool {
        self.ends[state]
    }

    fn state(&mut self) -> usize {
        self.steps.push(Vec::new());
        self.ends.push(false);
        self.steps.len() - 1
    }

    fn step(&mut self, from: &[usize], bytes: Bytes, to: usize) {
        for state in from {
            self.steps[*state].push((bytes, to));
        }
    }

    fn text(&mut self, from: &[usize], text: &[u8]) -> Vec<usize> {
        text.iter().fold(from.to_vec(), |current, byte| self.class(&current, Bytes::of([*byte])))
    }

    fn class(&mut self, from: &[usize], bytes: Bytes) -> Vec<usize> {
        let to = self.state();
        self.step(from, bytes, to);
        vec![to]
    }

    fn place(&mut self, from: &[usize], place: &Placeholder) -> Vec<usize> {
        let choices: Vec<String> = match &place.encoding {
            Encoding::Enumeration(enumeration) if !enumeration.values().is_empty() => {
                // Names can contain separators, so they are written through the placeholder's guard.
                let written = enumeration.values().iter().map(|name| {
                    let mut out = String::new();
                    match enumeration.writes_name() {
                        true => place.guard.write(name, &mut out).map(|()| out),
                        false => place.encoding.encode(&name.as_str().into()),
                    }
                });
                written.filter_map(Result::ok).collect()
            }
            Encoding::Shard { count } if *count <= 1000 => (0..*count)
                .filter_map(|shard| place.encoding.encode(&crate::Value::Shard(shard)).ok())
                .collect(),
            _ => Vec::new(),
        };
        if !choices.is_empty() {
            return choices.iter().flat_map(|choice| self.text(from, choice.as_bytes())).collect();
        }
        match place.encoding.width() {
            Some(width) => (0..width)
                .fold(from.to_vec(), |current, at| self.class(&current, fixed_class(&place.encoding, at))),
            None => self.open_text(from, place.guard),
        }
    }

    /// Text of any length, as its guard writes it.
    fn open_text(&mut self, from: &[usize], guard: Guard) -> Vec<usize> {
        let inside = self.state();
        let mut all: Vec<usize> = from.to_vec();
        all.push(inside);
        self.step(&all, Bytes::of(guard.plain()), inside);
        for (open, codes) in guard.pairs() {
            let escaped = self.state();
            self.step(&all, Bytes::of([open]), escaped);
            self.step(&[escaped], Bytes::of(codes), inside);
        }
        all
    }
}

/// The bytes that can occur at a position of a fixed-width encoding.
fn fixed_class(encoding: &Encoding, at: usize) -> Bytes {
    let digits = Bytes::of(b'0'..=b'9');
    let shaped = |shape: &[u8]| match shape.get(at) {
        Some(b'0') | None => digits,
        Some(byte) => Bytes::of([*byte]),
    };
    let iso = b"0000-00-00T00:00:00.000000Z";
    match encoding {
        Encoding::Signed { .. } if at == 0 => Bytes::of(*b"01"),
        Encoding::Decimal { .. } if at == 0 => Bytes::of(*b"01"),
        Encoding::Decimal { digits: width, scale, .. }
            if *scale > 0 && at == usize::from(width - scale) + 1 =>
        {
            Bytes::of(*b".")
        }
        Encoding::Float(_) => Bytes::of(*b"0123456789abcdef"),
        Encoding::Bool(_) => Bytes::of(*b"01"),
        Encoding::Iso { .. } if encoding.width() == Some(at + 1) => Bytes::of(*b"Z"),
        Encoding::Iso { .. } | Encoding::Date(_) | Encoding::Bucket(_) => shaped(iso),
        Encoding::Ulid(_) if at == 0 => Bytes::of(b'0'..=b'7'),
        Encoding::Ulid(_) => Bytes::of(*b"0123456789ABCDEFGHJKMNPQRSTVWXYZ"),
        Encoding::Uuid(_) if matches!(at, 8 | 13 | 18 | 23) => Bytes::of(*b"-"),
        Encoding::Uuid(_) => Bytes::of(*b"0123456789abcdef"),
        Encoding::Ksuid(_) => Bytes::of((0..=u8::MAX).filter(u8::is_ascii_alphanumeric)),
        _ => digits,
    }
}
