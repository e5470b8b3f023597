//! Reads keys back: the exact inverse of building them.

use std::borrow::Cow;

use super::{Guard, Placeholder, Segment, Template};
use crate::encoding::text::first_up_to_escape;
use crate::{Encoding, KeyError, KeyFault, KeyField, Value, Values};

/// The number of attributes that are held without an allocation.
pub(super) const INLINE: usize = 4;

/// The values of a key, in the order of the template's attributes. Text is borrowed from the key.
///
/// ```
/// use keywright_key::{Template, Value};
/// let template = Template::parse("REPO#<owner>#<name>").unwrap();
/// let parsed = template.parse_key("REPO#octo#cat").unwrap();
/// assert_eq!(parsed.get("name"), Some(&Value::from("cat")));
/// let texts: Vec<String> = parsed.iter().map(|(name, value)| format!("{name}={value}")).collect();
/// assert_eq!(texts, ["owner=octo", "name=cat"]);
/// ```
#[derive(Clone, Debug)]
pub struct Parsed<'t, 'k> {
    template: &'t Template,
    inline: [Option<Value<'k>>; INLINE],
    more: Vec<Option<Value<'k>>>,
}

impl<'t, 'k> Parsed<'t, 'k> {
    fn new(template: &'t Template) -> Self {
        let more = match template.attributes.len() {
            0..=INLINE => Vec::new(),
            many => vec![None; many - INLINE],
        };
        Parsed { template, inline: [const { None }; INLINE], more }
    }

    fn slot(&mut self, at: usize) -> &mut Option<Value<'k>> {
        if at < INLINE { &mut self.inline[at] } else { &mut self.more[at - INLINE] }
    }

    fn at(&self, at: usize) -> Option<&Value<'k>> {
        if at < INLINE { self.inline[at].as_ref() } else { self.more[at - INLINE].as_ref() }
    }

    /// The value of an attribute.
    ///
    /// ```
    /// use keywright_key::Template;
    /// assert!(Template::parse("A#<a>").unwrap().parse_key("A#1").unwrap().get("b").is_none());
    /// ```
    pub fn get(&self, attribute: &str) -> Option<&Value<'k>> {
        self.at(self.template.attributes.iter().position(|name| name == attribute)?)
    }

    /// The attributes and their values.
    ///
    /// ```
    /// use keywright_key::Template;
    /// assert_eq!(Template::parse("A#<a>").unwrap().parse_key("A#1").unwrap().iter().count(), 1);
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = (&'t str, &Value<'k>)> {
        let attributes = self.template.attributes.iter().enumerate();
        attributes.filter_map(|(at, name)| Some((name.as_str(), self.at(at)?)))
    }

    /// The value of an attribute, converted to a Rust type.
    ///
    /// ```
    /// use keywright_key::Template;
    /// let template = Template::parse("SCORE#<score:pad6>").unwrap();
    /// let parsed = template.parse_key("SCORE#000300").unwrap();
    /// assert_eq!(parsed.field::<u32>("score").unwrap(), 300);
    /// assert!(parsed.field::<u8>("score").is_err());
    /// ```
    pub fn field<T: KeyField>(&self, attribute: &str) -> Result<T, KeyError> {
        let fault = |fault| self.template.fault(Some(attribute), fault);
        let value = self.get(attribute).ok_or_else(|| fault(KeyFault::Missing))?;
        T::from_value(value.borrowed()).ok_or_else(|| {
            fault(KeyFault::Malformed { text: value.to_string(), expected: "a value of the field's type" })
        })
    }
}

impl Values for Parsed<'_, '_> {
    fn value(&self, attribute: &str) -> Option<&Value<'_>> {
        self.get(attribute)
    }

    fn value_near(&self, position: usize, attribute: &str) -> Option<&Value<'_>> {
        match self.template.attributes.get(position) {
            Some(name) if name == attribute => self.at(position),
            _ => self.get(attribute),
        }
    }
}

impl Template {
    /// Reads a key back into its values. It is the inverse of [`Template::build`] and accepts only keys that
    /// `build` produces. An attribute of which the key holds only a bucket or a shard gives that.
    ///
    /// ```
    /// use keywright_key::Template;
    /// let template = Template::parse("ORDER#<orderId>").unwrap();
    /// let error = template.parse_key("ORDER_ITEM#o-1").unwrap_err();
    /// assert_eq!(error.to_string(), "key `ORDER#<orderId>`: \"ORDER#\" is expected");
    /// ```
    pub fn parse_key<'k>(&self, key: &'k str) -> Result<Parsed<'_, 'k>, KeyError> {
        self.check_length(key)?;
        let mut parsed = Parsed::new(self);
        let mut rest = key;
        for (at, segment) in self.segments.iter().enumerate() {
            match segment {
                Segment::Literal(literal) => {
                    rest = strip_literal(rest, literal)
                        .ok_or_else(|| self.fault(None, KeyFault::Literal { expected: literal.clone() }))?;
                }
                Segment::Placeholder(place) => {
                    if let Some(length) = plain_text_length(place, rest) {
                        let (text, after) = rest.split_at(length);
                        match parsed.slot(place.slot) {
                            empty @ None => *empty = Some(Value::Text(Cow::Borrowed(text))),
                            Some(_) => self.remember(place, Value::from(text), &mut parsed)?,
                        }
                        rest = after;
                        continue;
                    }
                    let length = place_length(place, self.segments.get(at + 1), rest);
                    let (text, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
                    let value =
                        self.read(place, text).map_err(|fault| self.fault(Some(&place.name), fault))?;
                    self.remember(place, value, &mut parsed)?;
                    rest = after;
                }
            }
        }
        if !rest.is_empty() {
            return Err(self.fault(None, KeyFault::Trailing { text: rest.to_owned() }));
        }
        if self.has_lossy_twin {
            self.check_lossy_places(key, &parsed)?;
        }
        Ok(parsed)
    }

    /// Whether the template can build the key.
    ///
    /// ```
    /// use keywright_key::Template;
    /// assert!(Template::parse("ORDER#<orderId>").unwrap().matches("ORDER#o-1"));
    /// ```
    pub fn matches(&self, key: &str) -> bool {
        self.parse_key(key).is_ok()
    }

    fn read<'k>(&self, place: &Placeholder, text: &'k str) -> Result<Value<'k>, KeyFault> {
        match &place.encoding {
            Encoding::Text => place.guard.read(text).map(Value::Text),
            Encoding::Enumeration(enumeration) if enumeration.writes_name() => {
                let name = place.guard.read(text)?;
                enumeration_name(&place.encoding, name)
            }
            encoding => encoding.decode(text),
        }
    }

    /// Stores the value. A whole value replaces a bucket or shard; two whole values must be equal.
    fn remember<'k>(
        &self,
        place: &Placeholder,
        value: Value<'k>,
        parsed: &mut Parsed<'_, 'k>,
    ) -> Result<(), KeyError> {
        let slot = parsed.slot(place.slot);
        let is_lossy = |value: &Value<'_>| matches!(value, Value::Bucket(_) | Value::Shard(_));
        match slot {
            None => *slot = Some(value),
            Some(known) if is_lossy(&value) && !is_lossy(known) => {}
            Some(known) if !is_lossy(&value) && !is_lossy(known) && *known != value => {
                return Err(self.fault(Some(&place.name), KeyFault::Contradiction));
            }
            _ => *slot = Some(value),
        }
        Ok(())
    }

    /// Requires that the bucket or shard of an attribute matches its whole value, if the key holds both.
    fn check_lossy_places(&self, key: &str, parsed: &Parsed<'_, '_>) -> Result<(), KeyError> {
        let stands_twice = |place: &Placeholder| {
            place.encoding.is_lossy()
                && self.placeholders().filter(|other| other.slot == place.slot).count() > 1
        };
        let Some(place) = self.placeholders().find(|place| stands_twice(place)) else { return Ok(()) };
        match self.build(parsed) {
            Ok(built) if built == key => Ok(()),
            // All placeholders of the attribute are lossy, so there is no whole value to compare with.
            Err(_) if self.placeholders().filter(|p| p.slot == place.slot).all(|p| p.encoding.is_lossy()) => {
                Ok(())
            }
            _ => Err(self.fault(Some(&place.name), KeyFault::Contradiction)),
        }
    }
}

/// The text after the literal. The literal is usually a single separator.
#[inline]
fn strip_literal<'k>(rest: &'k str, literal: &str) -> Option<&'k str> {
    match literal.as_bytes() {
        [byte] if rest.as_bytes().first() == Some(byte) => Some(&rest[1..]),
        [_] => None,
        _ => rest.strip_prefix(literal),
    }
}

/// The length of the placeholder's text, if a fast check shows that it has no escapes, which is the usual
/// case.
#[inline]
fn plain_text_length(place: &Placeholder, rest: &str) -> Option<usize> {
    if place.encoding != Encoding::Text {
        return None;
    }
    match (place.guard, first_up_to_escape(rest.as_bytes())) {
        (Guard::Separator, Some(at)) if rest.as_bytes()[at] == b'#' => Some(at),
        (Guard::End, None) => Some(rest.len()),
        _ => None,
    }
}

/// The length of the placeholder's text.
fn place_length(place: &Placeholder, next: Option<&Segment>, rest: &str) -> usize {
    match (place.encoding.width(), next) {
        (Some(width), _) => width,
        // The guard keeps the first byte of the following literal out of the value.
        (None, Some(Segment::Literal(literal))) => {
            let first = literal.as_bytes()[0];
            // Searching a `char` is fast: the standard library compares many bytes at a time.
            let found = match first.is_ascii() {
                true => rest.find(char::from(first)),
                false => rest.bytes().position(|byte| byte == first),
            };
            found.unwrap_or(rest.len())
        }
        (None, _) => rest.len(),
    }
}

fn enumeration_name<'k>(encoding: &Encoding, name: Cow<'k, str>) -> Result<Value<'k>, KeyFault> {
    encoding.decode(&name)?;
    Ok(Value::Text(name))
}
