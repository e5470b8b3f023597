//! Prefixes and ranges: the keys that a Query reads.

use std::ops::{Bound, RangeBounds};

use super::{Placeholder, Segment, Template};
use crate::{
    Bucket, BucketSize, Direction, Encoding, Instant, KeyError, KeyFault, VER_SEPARATOR, Value, Values,
};

/// The keys from a lower to an upper bound, both included, as for BETWEEN.
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

    /// The lower bound; `None` if the range begins with the item collection.
    ///
    /// ```
    /// use keywright_key::Template;
    /// assert_eq!(Template::parse("A#<a>").unwrap().range(&(), ..).unwrap().lower(), Some("A#"));
    /// ```
    pub fn lower(&self) -> Option<&str> {
        self.lower.as_deref()
    }

    /// The upper bound; `None` if the range ends with the item collection.
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

/// The leading part of a key for which values are given: its text, and the first placeholder without a value.
struct Run<'t> {
    text: String,
    open: usize,
    place: &'t Placeholder,
}

impl Template {
    /// The common prefix of all keys with these values, for begins_with. The values must be those of leading
    /// attributes, without a gap. The prefix ends with a separator, so that it matches no other values or
    /// templates by accident.
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

    /// The common prefix of all keys whose next attribute, a text, begins with `start`: for example titles by
    /// their first letters.
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

    /// The range of keys with these values of leading attributes whose next attribute lies in `bounds`. The
    /// bounds are values, so the lower bound is the smaller value even if the encoding descends. A bucket is
    /// in the range if any of its times is. If versions may follow the keys, the versions of each key are in
    /// the range too.
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
        if let Encoding::Bucket(size) = place.encoding {
            if crosses(low, high) {
                return Err(fault(KeyFault::EmptyRange));
            }
            (low, high) = (lower_bucket(low, size), upper_bucket(high, size));
        }
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
                None if self.versioned => successor(key + VER_SEPARATOR),
                None => key + "\0",
            }),
        };
        let upper = match high {
            Bound::Unbounded => Some(run.text.clone()).filter(|text| !text.is_empty()).map(successor),
            Bound::Included(key) => Some(match follower {
                Some(follower) => successor(key + follower),
                None if self.versioned => successor(key + VER_SEPARATOR),
                None => key,
            }),
            Bound::Excluded(key) => Some(match follower {
                // The keys of the bound itself continue with the follower, so they sort above `key` alone.
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

    /// The text of the leading attributes that have values, up to the first one that has none.
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

/// Whether no time lies between the bounds. Comparing their buckets does not suffice: both may be in the same
/// one.
fn crosses(low: Bound<&Value<'_>>, high: Bound<&Value<'_>>) -> bool {
    let (Bound::Included(lower) | Bound::Excluded(lower)) = low else { return false };
    let (Bound::Included(upper) | Bound::Excluded(upper)) = high else { return false };
    let order = match (lower, upper) {
        (Value::Instant(lower), Value::Instant(upper)) => lower.cmp(upper),
        (Value::Date(lower), Value::Date(upper)) => lower.cmp(upper),
        _ => return false,
    };
    let both_included = matches!((low, high), (Bound::Included(_), Bound::Included(_)));
    order.is_gt() || (order.is_eq() && !both_included)
}

/// The lower bound for buckets. An excluded time excludes its bucket only if it is the last time in it.
fn lower_bucket<'b, 'v>(bound: Bound<&'b Value<'v>>, size: BucketSize) -> Bound<&'b Value<'v>> {
    let Bound::Excluded(value) = bound else { return bound };
    let next = match value {
        Value::Instant(time) => {
            let (nanos, is_last) = (time.subsec_nanos(), time.subsec_nanos() == 999_999_999);
            let seconds = time.unix_seconds() + i64::from(is_last);
            Instant::from_unix(seconds, if is_last { 0 } else { nanos + 1 })
        }
        Value::Date(date) => Instant::from_unix(date.midnight().unix_seconds() + 24 * 60 * 60, 0),
        _ => return bound,
    };
    let bucket = first_instant(value).map(|time| Bucket::of(time, size));
    if next.map(|next| Bucket::of(next, size)) == bucket { Bound::Included(value) } else { bound }
}

/// The upper bound for buckets. An excluded time excludes its bucket only if it is the first time in it.
fn upper_bucket<'b, 'v>(bound: Bound<&'b Value<'v>>, size: BucketSize) -> Bound<&'b Value<'v>> {
    let Bound::Excluded(value) = bound else { return bound };
    match first_instant(value) {
        Some(time) if Bucket::of(time, size).start() != time => Bound::Included(value),
        _ => bound,
    }
}

/// The first instant of a value that is an instant or a date.
fn first_instant(value: &Value<'_>) -> Option<Instant> {
    match value {
        Value::Instant(instant) => Some(*instant),
        Value::Date(date) => Some(date.midnight()),
        _ => None,
    }
}

/// Whether no key can lie between the bounds. Encoded values of one placeholder can be compared as text,
/// because the escapes keep their order.
fn is_empty(low: &Bound<String>, high: &Bound<String>) -> bool {
    match (low, high) {
        (Bound::Unbounded, _) | (_, Bound::Unbounded) => false,
        (Bound::Included(low), Bound::Included(high)) => low > high,
        (Bound::Included(low) | Bound::Excluded(low), Bound::Included(high) | Bound::Excluded(high)) => {
            low >= high
        }
    }
}

/// The smallest text above all texts that begin with `text`, which ends with a literal: its last character is
/// incremented. No key of the template equals the result, since the literal does not match it.
fn successor(mut text: String) -> String {
    let last = text.pop().expect("a bound ends in a literal");
    // Surrogates are skipped, and the last character has no successor.
    let next = (u32::from(last) + 1..=u32::from(char::MAX)).find_map(char::from_u32);
    match next {
        Some(next) => text.push(next),
        None => text.extend([last, char::MAX]),
    }
    text
}

/// A text between `key`, which ends with fixed-width ASCII, and all smaller keys of that width.
fn last_before(mut key: String) -> String {
    let last = key.pop().expect("an encoded value is not empty");
    key.push(char::from_u32(u32::from(last) - 1).expect("encodings end in printable ASCII"));
    key.push('\u{7f}');
    key
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Date, Version, VersionedTemplate};

    /// The bounds of a range over monthly buckets.
    fn months<'v>(bounds: impl RangeBounds<Value<'v>>) -> Result<(String, String), KeyFault> {
        let template = Template::parse("LOG#<at:ym>#<id>").unwrap();
        let range = template.range(&(), bounds).map_err(|error| error.fault().clone())?;
        Ok((range.lower.unwrap(), range.upper.unwrap()))
    }

    fn date(text: &str) -> Value<'static> {
        Value::from(Date::parse(text).unwrap())
    }

    fn at(text: &str) -> Value<'static> {
        Value::from(Instant::parse(text).unwrap())
    }

    #[test]
    fn a_bucket_is_in_the_range_if_one_of_its_times_is() {
        let bounds = |lower: &str, upper: &str| Ok((format!("LOG#{lower}#"), format!("LOG#{upper}")));
        // February is included for its days before the 20th.
        assert_eq!(months(date("2024-01-15")..date("2024-02-20")), bounds("2024-01", "2024-02$"));
        assert_eq!(months(date("2024-01-15")..date("2024-02-01")), bounds("2024-01", "2024-02"));
        assert_eq!(months(date("2024-01-15")..date("2024-01-20")), bounds("2024-01", "2024-01$"));
        assert_eq!(
            months(at("2024-01-15T00:00:00Z")..at("2024-02-01T00:00:01Z")),
            bounds("2024-01", "2024-02$")
        );
        let after = |low| (Bound::Excluded(low), Bound::Included(date("2024-03-01")));
        assert_eq!(months(after(date("2024-01-30"))), bounds("2024-01", "2024-03$"));
        assert_eq!(months(after(date("2024-01-31"))).unwrap().0, "LOG#2024-01$");
        assert_eq!(months(after(at("2024-01-31T23:59:59.999999999Z"))).unwrap().0, "LOG#2024-01$");
        assert_eq!(months(after(at("2024-01-31T23:59:59Z"))).unwrap().0, "LOG#2024-01#");
    }

    #[test]
    fn times_that_cross_are_refused_also_within_one_bucket() {
        assert_eq!(months(date("2024-01-20")..=date("2024-01-15")), Err(KeyFault::EmptyRange));
        assert_eq!(months(date("2024-01-20")..date("2024-01-20")), Err(KeyFault::EmptyRange));
        assert!(months(date("2024-01-20")..=date("2024-01-20")).is_ok());
        let january = Value::from(Bucket::parse("2024-01", BucketSize::Month).unwrap());
        assert!(months(date("2024-01-20")..=january.clone()).is_ok());
        assert_eq!(months(january.clone()..january), Err(KeyFault::EmptyRange));
    }

    #[test]
    fn the_versions_of_a_key_are_in_a_range_with_it() {
        let template = VersionedTemplate::new(Template::parse("SCORE#<score:pad3>").unwrap()).unwrap();
        let ranges = [
            (Bound::Included(10), Bound::Included(20), [false, true, true, false]),
            (Bound::Excluded(10), Bound::Excluded(20), [false, false, false, false]),
            (Bound::Excluded(9), Bound::Excluded(21), [false, true, true, false]),
        ];
        for (low, high, contained) in ranges {
            let range =
                template.template().range(&(), (low.map(Value::from), high.map(Value::from))).unwrap();
            for (score, contained) in [9, 10, 20, 21].into_iter().zip(contained) {
                let values = [("score", Value::from(score))];
                for key in [
                    template.base(&values).unwrap(),
                    template.at(&values, Version::FIRST).unwrap(),
                    template.at(&values, Version::MAX).unwrap(),
                ] {
                    assert_eq!(range.contains(&key), contained, "{key} in {range:?}");
                }
            }
        }
    }
}
