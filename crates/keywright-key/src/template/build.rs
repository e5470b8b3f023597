//! Building keys.

use super::parse::INLINE;
use super::{Placeholder, Segment, Template};
use crate::{Encoding, KeyError, KeyFault, Value, Values};

impl Template {
    /// Builds the key from values. Every attribute of the template needs a value; other values are ignored.
    ///
    /// ```
    /// use keywright_key::{Template, Value};
    /// let template = Template::parse("REPO#<owner>#<name>").unwrap();
    /// let key = template.build(&[("owner", Value::from("octo")), ("name", Value::from("cat"))]).unwrap();
    /// assert_eq!(key, "REPO#octo#cat");
    /// ```
    pub fn build<V: Values + ?Sized>(&self, values: &V) -> Result<String, KeyError> {
        // Each value is looked up once, and the length is computed before the key is allocated.
        let mut found = [const { None }; INLINE];
        let mut length = self.fixed_bytes;
        for place in self.placeholders() {
            let Some(value) = values.value_near(place.slot, &place.name) else {
                return Err(self.fault(Some(&place.name), KeyFault::Missing));
            };
            if let (Value::Text(text), None) = (value, place.encoding.width()) {
                length += place.guard.length_of(text);
            }
            if let Some(slot) = found.get_mut(place.slot) {
                *slot = Some(value);
            }
        }
        let mut key = String::with_capacity(length);
        for segment in &self.segments {
            match segment {
                // Pushing a single character is faster than copying a string.
                Segment::Literal(literal) => match literal.as_bytes() {
                    [byte] if byte.is_ascii() => key.push(char::from(*byte)),
                    _ => key.push_str(literal),
                },
                Segment::Placeholder(place) => match found.get(place.slot) {
                    Some(Some(value)) => self.write(place, value, &mut key)?,
                    _ => match values.value_near(place.slot, &place.name) {
                        Some(value) => self.write(place, value, &mut key)?,
                        None => return Err(self.fault(Some(&place.name), KeyFault::Missing)),
                    },
                },
            }
        }
        self.check_length(&key)?;
        Ok(key)
    }

    /// Builds the key from values as people write them, see [`Encoding::read`].
    ///
    /// ```
    /// use keywright_key::Template;
    /// let template = Template::parse("SCORE#<score:desc6>#<userId>").unwrap();
    /// let key = template.build_from_text(|name| match name {
    ///     "score" => Some("42"),
    ///     "userId" => Some("u1"),
    ///     _ => None,
    /// });
    /// assert_eq!(key.unwrap(), "SCORE#999957#u1");
    /// ```
    pub fn build_from_text<'v>(&self, text_of: impl Fn(&str) -> Option<&'v str>) -> Result<String, KeyError> {
        let mut key = String::with_capacity(self.fixed_bytes + 32);
        for segment in &self.segments {
            match segment {
                Segment::Literal(literal) => key.push_str(literal),
                Segment::Placeholder(place) => {
                    let text = text_of(&place.name)
                        .ok_or_else(|| self.fault(Some(&place.name), KeyFault::Missing))?;
                    let value =
                        place.encoding.read(text).map_err(|fault| self.fault(Some(&place.name), fault))?;
                    self.write(place, &value, &mut key)?;
                }
            }
        }
        self.check_length(&key)?;
        Ok(key)
    }

    /// Appends the value of a placeholder.
    #[inline]
    pub(super) fn write(
        &self,
        place: &Placeholder,
        value: &Value<'_>,
        key: &mut String,
    ) -> Result<(), KeyError> {
        let written = match (&place.encoding, value) {
            (Encoding::Text, Value::Text(text)) => place.guard.write(text, key),
            (Encoding::Enumeration(enumeration), Value::Text(name)) if enumeration.writes_name() => {
                place.encoding.encode(value).and_then(|_| place.guard.write(name, key))
            }
            (encoding, value) => encoding.write(value, key),
        };
        written.map_err(|fault| self.fault(Some(&place.name), fault))
    }

    pub(crate) fn check_length(&self, key: &str) -> Result<(), KeyError> {
        let (bytes, most) = (key.len(), self.part.max_bytes());
        if bytes == 0 || bytes > most {
            return Err(self.fault(None, KeyFault::Length { bytes, most }));
        }
        Ok(())
    }

    pub(crate) fn fault(&self, attribute: Option<&str>, fault: KeyFault) -> KeyError {
        KeyError::new(&self.text, attribute, fault)
    }
}
