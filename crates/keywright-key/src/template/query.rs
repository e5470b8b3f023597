//! Prefixes and ranges: the keys that a Query reads.

use std::ops::{Bound, RangeBounds};

use super::{Placeholder, Segment, Template};
use crate::{Direction, KeyError, KeyFault, Value, Values};

/// The keys from a lower to an upper bound, both included, as BETWEEN takes them.
///
/// ```
/// use keywright_key::{Template, Value};
/// let template = Template::parse("SCORE#<score:pad4>#<userId>").unwrap();
/// let range = template.range(&(), Value::from(10)..=Value::from(20)).unwrap();
/// assert_eq!((range.lower(), range.upper()), (Some("SCORE#0010#"), Some("SCORE#0020$")));
/// assert!(range.contains("SCORE#0020#u1") && !range.contains("SCORE#0021#u1"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRange {
    lower: Option<String>,
    upper: Option<String>,
}

impl KeyRange {
    pub(crate) fn new(lower: Option<String>, upper: Option<String>) -> KeyRange {
        KeyRange { lower, upper }
    }

    /// The least key; none where the range begins with the collection.
    ///
    /// ```
    /// use keywright_key::Template;
    /// assert_eq!(Template::parse("A#<a>").unwrap().range(&(), ..).unwrap().lower(), Some("A#"));
    /// ```
    pub fn lower(&self) -> Option<&str> {
        self.lower.as_deref()
    }

    /// The greatest key; none where the range ends with the collection.
    ///
    /// ```
    /// use keywright_key::Template;
    /// assert_eq!(Template::parse("A#<a>").unwrap().range(&(), ..).unwrap().upper(), Some("A$"));
    /// ```
    pub fn upper(&self) -> Option<&str> {
        self.upper.as_deref()
    }

    /// Whether a key lies in the range, by bytes.
    ///
    /// ```
    /// use keywright_key::Template;
    /// assert!(Template::parse("A#<a>").unwrap().range(&(), ..).unwrap().contains("A#1"));
    /// ```
    pub fn contains(&self, key: &str) -> bool {
        self.lower().is_none_or(|lower| lower.as_bytes() <= key.as_bytes())
            && self.upper().is_none_or(|upper| key.as_bytes() <= upper.as_bytes())
    }
}

/// The leading run of a key: its text, and the place of the first attribute that has no value.
struct Run<'t> {
    text: String,
    open: usize,
    place: &'t Placeholder,
}

impl Template {
    /// What every key of those values begins with, for begins_with. The values are a leading run of the attributes, and
    /// the prefix ends on a separator, so that it matches no other value and no other template by accident.
    ///
    /// ```
    /// use keywright_key::{Template, Value};
    /// let template = Template::parse("ORDER#<orderId>#ITEM#<itemId>").unwrap();
    /// assert_eq!(template.prefix(&()).unwrap(), "ORDER#");
    /// assert_eq!(template.prefix(&[("orderId", Value::from("o1"))]).unwrap(), "ORDER#o1#ITEM#");
    /// // A gap: an item of any order.
    /// assert!(template.prefix(&[("itemId", Value::from("i1"))]).is_err());
    /// ```
    pub fn prefix<V: Values + ?Sized>(&self, values: &V) -> Result<String, KeyError> {
        let run = self.leading_run(values)?;
        if !run.text.ends_with(self.separator.as_str()) && !run.text.ends_with('@') {
            return Err(self.fault(Some(&run.place.name), KeyFault::OpenPrefix));
        }
        self.check_length(&run.text)?;
        Ok(run.text)
    }

    /// What every key begins with whose next attribute, a text, begins with `start`: for titles by their first letters.
    ///
    /// ```
    /// use keywright_key::Template;
    /// let template = Template::parse("SONG#<title>#<songId>").unwrap();
    /// assert_eq!(template.prefix_of_text(&(), "All you").unwrap(), "SONG#All$Wyou");
    /// ```
    pub fn prefix_of_text<V: Values + ?Sized>(&self, values: &V, start: &str) -> Result<String, KeyError> {
        let Run { mut text, place, .. } = self.leading_run(values)?;
        if place.encoding.width().is_some() {
            let found = Value::from(start).kind();
            let fault = KeyFault::Kind { expected: place.encoding.takes(), found };
            return Err(self.fault(Some(&place.name), fault));
        }
        place.guard.write(start, &mut text).map_err(|fault| self.fault(Some(&place.name), fault))?;
        self.check_length(&text)?;
        Ok(text)
    }

    /// The keys of those values, a leading run of the attributes, whose next attribute lies in `bounds`. Bounds are
    /// values, so the lower one is the smaller value also where the encoding descends.
    ///
    /// ```
    /// use keywright_key::{Template, Value};
    /// let template = Template::parse("GAME#<game>#<score:desc4>").unwrap();
    /// let chess = [("game", Value::from("chess"))];
    /// let best = template.range(&chess, Value::from(9000)..).unwrap();
    /// assert!(best.contains("GAME#chess#0999") && !best.contains("GAME#chess#1000"));
    /// assert!(template.range(&chess, Value::from(2)..=Value::from(1)).is_err());
    /// ```
    pub fn range<'v, V: Values + ?Sized>(
        &self,
        values: &V,
        bounds: impl RangeBounds<Value<'v>>,
    ) -> Result<KeyRange, KeyError> {
        let run = self.leading_run(values)?;
        let place = run.place;
        let fault = |fault| self.fault(Some(&place.name), fault);
        if !place.keeps_order() {
            return Err(fault(KeyFault::NoOrder));
        }
        let follower = match self.segments.get(run.open + 1) {
            Some(Segment::Literal(literal)) => Some(literal.as_str()),
            Some(Segment::Placeholder(_)) => return Err(fault(KeyFault::OpenPrefix)),
            None => None,
        };
        let begins_with_place =
            matches!(self.segments.get(run.open.wrapping_sub(1)), Some(Segment::Placeholder(_)));
        if begins_with_place {
            return Err(fault(KeyFault::OpenPrefix));
        }
        let (mut low, mut high) = (bounds.start_bound(), bounds.end_bound());
        if place.encoding.direction() == Direction::Descending {
            std::mem::swap(&mut low, &mut high);
        }
        let written = |value: &Value<'_>| -> Result<String, KeyError> {
            let mut key = run.text.clone();
            self.write(place, value, &mut key)?;
            Ok(key)
        };
        let low = map_bound(low, written)?;
        let high = map_bound(high, written)?;
        if is_empty(&low, &high) {
            return Err(fault(KeyFault::EmptyRange));
        }
        let lower = match low {
            Bound::Unbounded => Some(run.text.clone()).filter(|text| !text.is_empty()),
            Bound::Included(key) => Some(key + follower.unwrap_or("")),
            Bound::Excluded(key) => Some(match follower {
                Some(follower) => successor(key + follower),
                None => key + "\0",
            }),
        };
        let upper = match high {
            Bound::Unbounded => Some(run.text.clone()).filter(|text| !text.is_empty()).map(successor),
            Bound::Included(key) => Some(match follower {
                Some(follower) => successor(key + follower),
                None => key,
            }),
            Bound::Excluded(key) => Some(match follower {
                // The keys of the bound itself go on with what follows, so they lie above it.
                Some(_) => key,
                None if place.encoding.width().is_some() => last_before(key),
                None => return Err(fault(KeyFault::ExclusiveText)),
            }),
        };
        for bound in lower.iter().chain(&upper) {
            self.check_length(bound)?;
        }
        Ok(KeyRange { lower, upper })
    }

    /// The text of the leading run of attributes that have values, up to the first that has none.
    fn leading_run<V: Values + ?Sized>(&self, values: &V) -> Result<Run<'_>, KeyError> {
        let mut text = String::new();
        for (open, segment) in self.segments.iter().enumerate() {
            match segment {
                Segment::Literal(literal) => text.push_str(literal),
                Segment::Placeholder(place) => match values.value(&place.name) {
                    Some(value) => self.write(place, value, &mut text)?,
                    None => {
                        let later = self.segments[open..].iter().filter_map(Segment::placeholder);
                        if let Some(given) = later.into_iter().find(|p| values.value(&p.name).is_some()) {
                            let missing = place.name.clone();
                            return Err(self.fault(Some(&given.name), KeyFault::Gap { missing }));
                        }
                        return Ok(Run { text, open, place });
                    }
                },
            }
        }
        Err(self.fault(None, KeyFault::WholeKey))
    }
}

fn map_bound<T, U, E>(bound: Bound<T>, map: impl Fn(T) -> Result<U, E>) -> Result<Bound<U>, E> {
    Ok(match bound {
        Bound::Unbounded => Bound::Unbounded,
        Bound::Included(value) => Bound::Included(map(value)?),
        Bound::Excluded(value) => Bound::Excluded(map(value)?),
    })
}

/// Whether no key can lie between the bounds. Written values of one place compare as the place orders them, also text
/// before a separator: the escape keeps order.
fn is_empty(low: &Bound<String>, high: &Bound<String>) -> bool {
    match (low, high) {
        (Bound::Unbounded, _) | (_, Bound::Unbounded) => false,
        (Bound::Included(low), Bound::Included(high)) => low > high,
        (Bound::Included(low) | Bound::Excluded(low), Bound::Included(high) | Bound::Excluded(high)) => {
            low >= high
        }
    }
}

/// The least text above everything that begins with `text`, which ends in a literal: its last character, counted up.
/// No key of the template is that text, since the literal does not match it.
fn successor(mut text: String) -> String {
    let last = text.pop().expect("a bound ends in a literal");
    // After the surrogates, and at the very end, a character has no direct successor.
    let next = (u32::from(last) + 1..=u32::from(char::MAX)).find_map(char::from_u32);
    match next {
        Some(next) => text.push(next),
        None => text.extend([last, char::MAX]),
    }
    text
}

/// A text between `key`, which ends in ASCII of a fixed width, and every smaller key of that width.
fn last_before(mut key: String) -> String {
    let last = key.pop().expect("an encoded value is not empty");
    key.push(char::from_u32(u32::from(last) - 1).expect("encodings end in printable ASCII"));
    key.push('\u{7f}');
    key
}
