//! Versions of an item: `ORDER#o1@0000000003`, zero-padded, so that the newest is last in byte order.

use std::fmt;

use crate::{
    Direction, Encoding, FieldKind, KeyError, KeyFault, KeyField, KeyPart, KeyRange, Parsed, Segment,
    Template, TemplateError, TemplateFault, Value, Values,
};

/// The separator between a sort key and its version.
///
/// ```
/// use keywright_key::{SortKey, VER_SEPARATOR, Version};
/// let key = SortKey::new("a").unwrap().at(Version::FIRST).to_string();
/// assert!(key.contains(VER_SEPARATOR));
/// ```
pub const VER_SEPARATOR: &str = "@";

/// The version of an item: an integer from 0 with ten digits in a key.
///
/// Versions sort by number, unlike those of [`compat`](crate::compat), which are not padded: `@9`, `@10`.
///
/// ```
/// use keywright_key::Version;
/// assert_eq!(Version::FIRST.to_string(), "0000000000");
/// assert_eq!(Version::new(41).and_then(Version::next), Version::new(42));
/// assert_eq!(Version::new(10_000_000_000), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(u64);

impl Version {
    /// The number of digits of a version in a key.
    ///
    /// ```
    /// use keywright_key::Version;
    /// assert_eq!(Version::MAX.to_string().len(), Version::DIGITS);
    /// ```
    pub const DIGITS: usize = 10;
    /// The version of a new item.
    ///
    /// ```
    /// use keywright_key::Version;
    /// assert_eq!(Version::FIRST.number(), 0);
    /// ```
    pub const FIRST: Version = Version(0);
    /// The largest version that ten digits can hold.
    ///
    /// ```
    /// use keywright_key::Version;
    /// assert_eq!(Version::MAX.number(), 9_999_999_999);
    /// ```
    pub const MAX: Version = Version(9_999_999_999);

    /// The version with that number; `None` if it has more than ten digits.
    ///
    /// ```
    /// use keywright_key::Version;
    /// assert!(Version::new(0).is_some() && Version::new(u64::MAX).is_none());
    /// ```
    pub const fn new(number: u64) -> Option<Version> {
        if number > Version::MAX.0 { None } else { Some(Version(number)) }
    }

    /// The number.
    ///
    /// ```
    /// use keywright_key::Version;
    /// assert_eq!(Version::FIRST.number(), 0);
    /// ```
    pub const fn number(self) -> u64 {
        self.0
    }

    /// The version after this one; `None` after the last.
    ///
    /// ```
    /// use keywright_key::Version;
    /// assert_eq!(Version::MAX.next(), None);
    /// ```
    pub const fn next(self) -> Option<Version> {
        Version::new(self.0 + 1)
    }

    /// Parses exactly ten digits.
    fn read(text: &str) -> Option<Version> {
        let is_number = text.len() == Version::DIGITS && text.bytes().all(|byte| byte.is_ascii_digit());
        if is_number { text.parse().ok().map(Version) } else { None }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:0width$}", self.0, width = Version::DIGITS)
    }
}

impl KeyField for Version {
    const KIND: FieldKind = FieldKind::Integer;

    fn to_value(&self) -> Value<'_> {
        Value::from(self.0)
    }

    fn from_value(value: Value<'_>) -> Option<Self> {
        u64::from_value(value).and_then(Version::new)
    }
}

/// A sort key with an optional version.
///
/// ```
/// use keywright_key::{SortKey, Version};
/// let key = SortKey::parse("ORDER#o1@0000000003")?;
/// assert_eq!((key.base(), key.version()), ("ORDER#o1", Version::new(3)));
/// assert_eq!(SortKey::parse("ORDER#o1")?.version(), None);
/// // What is no version is refused instead of cut off.
/// assert!(SortKey::parse("user@example.com").is_err());
/// assert!(SortKey::parse("ORDER#o1@3").is_err());
/// # Ok::<(), keywright_key::KeyFault>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SortKey<'k> {
    base: &'k str,
    version: Option<Version>,
}

impl<'k> SortKey<'k> {
    /// A sort key without a version. An `@` is refused, because it would be read as the start of a version,
    /// and so are texts that DynamoDB refuses as sort keys: the empty text and more than 1024 bytes.
    ///
    /// ```
    /// use keywright_key::SortKey;
    /// assert!(SortKey::new("ORDER#o1").is_ok() && SortKey::new("a@b").is_err() && SortKey::new("").is_err());
    /// ```
    pub fn new(base: &'k str) -> Result<SortKey<'k>, KeyFault> {
        check_length(base, base)?;
        match base.contains(VER_SEPARATOR) {
            true => Err(KeyFault::Separator { found: '@' }),
            false => Ok(SortKey { base, version: None }),
        }
    }

    /// Parses a sort key. The text after the last `@` must be a version.
    ///
    /// ```
    /// use keywright_key::SortKey;
    /// assert!(SortKey::parse("a@0000000001").is_ok() && SortKey::parse("a@1").is_err());
    /// ```
    pub fn parse(key: &'k str) -> Result<SortKey<'k>, KeyFault> {
        check_length(key, key.rsplit_once(VER_SEPARATOR).map_or(key, |(base, _)| base))?;
        match key.rsplit_once(VER_SEPARATOR) {
            None => Ok(SortKey { base: key, version: None }),
            Some((base, text)) => {
                let refused =
                    || KeyFault::Malformed { text: text.to_owned(), expected: "a version of ten digits" };
                Ok(SortKey { base, version: Some(Version::read(text).ok_or_else(refused)?) })
            }
        }
    }

    /// The sort key without its version.
    ///
    /// ```
    /// use keywright_key::SortKey;
    /// assert_eq!(SortKey::parse("a@0000000001").unwrap().base(), "a");
    /// ```
    pub fn base(self) -> &'k str {
        self.base
    }

    /// The version, if the key has one.
    ///
    /// ```
    /// use keywright_key::{SortKey, Version};
    /// assert_eq!(SortKey::parse("a@0000000001").unwrap().version(), Version::new(1));
    /// ```
    pub fn version(self) -> Option<Version> {
        self.version
    }

    /// The same item at a version.
    ///
    /// ```
    /// use keywright_key::{SortKey, Version};
    /// let item = SortKey::new("ORDER#o1").unwrap();
    /// assert_eq!(item.at(Version::FIRST).to_string(), "ORDER#o1@0000000000");
    /// ```
    pub fn at(self, version: Version) -> SortKey<'k> {
        SortKey { version: Some(version), ..self }
    }

    /// The same item without a version.
    ///
    /// ```
    /// use keywright_key::SortKey;
    /// assert_eq!(SortKey::parse("a@0000000001").unwrap().without_version().to_string(), "a");
    /// ```
    pub fn without_version(self) -> SortKey<'k> {
        SortKey { version: None, ..self }
    }

    /// The range of all versions of this item and nothing else, oldest first.
    ///
    /// ```
    /// use keywright_key::SortKey;
    /// let history = SortKey::new("ORDER#o1").unwrap().history();
    /// assert!(history.contains("ORDER#o1@0000000003"));
    /// assert!(!history.contains("ORDER#o1") && !history.contains("ORDER#o10@0000000003"));
    /// ```
    pub fn history(self) -> KeyRange {
        let bound = |version| Some(self.at(version).to_string());
        KeyRange::new(bound(Version::FIRST), bound(Version::MAX))
    }

    /// The parameters of a Query for the newest version: the history in reverse order, limited to one item.
    ///
    /// ```
    /// use keywright_key::SortKey;
    /// let latest = SortKey::new("ORDER#o1").unwrap().latest();
    /// assert!(!latest.scan_index_forward && latest.limit == 1);
    /// ```
    pub fn latest(self) -> Latest {
        Latest { range: self.history(), scan_index_forward: false, limit: 1 }
    }
}

/// Requires a sort key that is not longer than DynamoDB allows and does not consist of a version alone.
fn check_length(key: &str, base: &str) -> Result<(), KeyFault> {
    let most = KeyPart::Sort.max_bytes();
    let bytes = if base.is_empty() { 0 } else { key.len() };
    if bytes == 0 || bytes > most { Err(KeyFault::Length { bytes, most }) } else { Ok(()) }
}

impl fmt::Display for SortKey<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.base)?;
        match self.version {
            Some(version) => write!(f, "{VER_SEPARATOR}{version}"),
            None => Ok(()),
        }
    }
}

/// The parameters of a Query for the newest version of an item.
///
/// ```
/// use keywright_key::SortKey;
/// let latest = SortKey::new("ORDER#o1").unwrap().latest();
/// assert_eq!(latest.range.upper(), Some("ORDER#o1@9999999999"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Latest {
    /// All versions of the item.
    pub range: KeyRange,
    /// Always false: from the newest to the oldest.
    pub scan_index_forward: bool,
    /// Always 1: only the newest.
    pub limit: u32,
}

/// A sort-key template whose keys can carry a version. An `@` in text is escaped or refused, depending on the
/// policy, so that the last `@` of a key always begins its version, also for [`SortKey::parse`] and
/// [`compat`](crate::compat).
///
/// ```
/// use keywright_key::{Template, Value, Version, VersionedTemplate};
/// let template = VersionedTemplate::new(Template::parse("USER#<email>")?)?;
/// let values = [("email", Value::from("ada@example.com"))];
/// assert_eq!(template.base(&values)?, "USER#ada$aexample.com");
///
/// let key = template.at(&values, Version::FIRST)?;
/// assert_eq!(key, "USER#ada$aexample.com@0000000000");
/// let (parsed, version) = template.parse_key(&key)?;
/// assert_eq!(parsed.get("email"), Some(&Value::from("ada@example.com")));
/// assert_eq!(version, Some(Version::FIRST));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct VersionedTemplate {
    base: Template,
}

impl VersionedTemplate {
    /// The template with versions, as a sort key with its length limit. Its literals must not contain an `@`.
    ///
    /// ```
    /// use keywright_key::{Template, VersionedTemplate};
    /// assert!(VersionedTemplate::new(Template::parse("A@<a>").unwrap()).is_err());
    /// ```
    pub fn new(template: Template) -> Result<VersionedTemplate, TemplateError> {
        let mut end = 0;
        for segment in template.segments() {
            let start = end;
            end += segment.to_string().len();
            if matches!(segment, Segment::Literal(literal) if literal.contains(VER_SEPARATOR)) {
                return Err(TemplateError::new(
                    template.as_str(),
                    start..end,
                    TemplateFault::VersionSeparator,
                ));
            }
        }
        if template.separator() != crate::KEY_SEPARATOR {
            return Err(TemplateError::new(template.as_str(), 0..0, TemplateFault::Separator));
        }
        Ok(VersionedTemplate { base: template.with_part(KeyPart::Sort).before_version() })
    }

    /// The template of the keys without a version.
    ///
    /// ```
    /// use keywright_key::{Template, VersionedTemplate};
    /// let template = VersionedTemplate::new(Template::parse("A#<a>").unwrap()).unwrap();
    /// assert_eq!(template.template().to_string(), "A#<a>");
    /// ```
    pub fn template(&self) -> &Template {
        &self.base
    }

    /// The sort key without a version, under which the current state of the item is stored.
    ///
    /// ```
    /// use keywright_key::{Template, VersionedTemplate};
    /// let template = VersionedTemplate::new(Template::parse("A").unwrap()).unwrap();
    /// assert_eq!(template.base(&()).unwrap(), "A");
    /// ```
    pub fn base<V: Values + ?Sized>(&self, values: &V) -> Result<String, KeyError> {
        self.base.build(values)
    }

    /// The sort key of a version.
    ///
    /// ```
    /// use keywright_key::{Template, Version, VersionedTemplate};
    /// let template = VersionedTemplate::new(Template::parse("A").unwrap()).unwrap();
    /// assert_eq!(template.at(&(), Version::FIRST).unwrap(), "A@0000000000");
    /// ```
    pub fn at<V: Values + ?Sized>(&self, values: &V, version: Version) -> Result<String, KeyError> {
        self.append(self.base.build(values)?, &Value::from(version.number()))
    }

    /// Appends a version, given as a value, to a sort key without one.
    ///
    /// ```
    /// use keywright_key::{Template, Value, VersionedTemplate};
    /// let template = VersionedTemplate::new(Template::parse("ORDER#<id>")?)?;
    /// assert_eq!(template.append("ORDER#o1".into(), &Value::from(3))?, "ORDER#o1@0000000003");
    /// assert!(template.append("ORDER#o1".into(), &Value::from(-1)).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn append(&self, base: String, version: &Value<'_>) -> Result<String, KeyError> {
        let mut key = base;
        key.push_str(VER_SEPARATOR);
        let digits = Encoding::Unsigned { digits: Version::DIGITS as u8, direction: Direction::Ascending };
        digits.write(version, &mut key).map_err(|fault| self.base.fault(Some("version"), fault))?;
        self.base.check_length(&key)?;
        Ok(key)
    }

    /// The range of all versions of the item with these values and nothing else, oldest first.
    ///
    /// ```
    /// use keywright_key::{Template, VersionedTemplate};
    /// let template = VersionedTemplate::new(Template::parse("A").unwrap()).unwrap();
    /// assert!(template.history(&()).unwrap().contains("A@0000000007"));
    /// ```
    pub fn history<V: Values + ?Sized>(&self, values: &V) -> Result<KeyRange, KeyError> {
        Ok(KeyRange::new(Some(self.at(values, Version::FIRST)?), Some(self.at(values, Version::MAX)?)))
    }

    /// The parameters of a Query for the newest version: the history in reverse order, limited to one item.
    ///
    /// ```
    /// use keywright_key::{Template, VersionedTemplate};
    /// let template = VersionedTemplate::new(Template::parse("A").unwrap()).unwrap();
    /// assert!(!template.latest(&()).unwrap().scan_index_forward);
    /// ```
    pub fn latest<V: Values + ?Sized>(&self, values: &V) -> Result<Latest, KeyError> {
        Ok(Latest { range: self.history(values)?, scan_index_forward: false, limit: 1 })
    }

    /// Reads a key back into its values and its version.
    ///
    /// ```
    /// use keywright_key::{Template, Version, VersionedTemplate};
    /// let template = VersionedTemplate::new(Template::parse("A").unwrap()).unwrap();
    /// assert_eq!(template.parse_key("A@0000000007").unwrap().1, Version::new(7));
    /// ```
    pub fn parse_key<'k>(&self, key: &'k str) -> Result<(Parsed<'_, 'k>, Option<Version>), KeyError> {
        // No segment contains an unescaped `@`, so the text after one is a version.
        let versioned =
            key.rsplit_once(VER_SEPARATOR).and_then(|(base, text)| Some((base, Version::read(text)?)));
        match versioned {
            Some((base, version)) => Ok((self.base.parse_key(base)?, Some(version))),
            None => Ok((self.base.parse_key(key)?, None)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limits_are_those_of_sort_keys() {
        let template = VersionedTemplate::new(Template::parse("A#<a>").unwrap()).unwrap();
        let of = |bytes: usize| [("a", Value::from("x".repeat(bytes - 2)))];
        assert!(template.base(&of(1024)).is_ok() && template.base(&of(1025)).is_err());
        assert!(
            template.at(&of(1013), Version::FIRST).is_ok() && template.at(&of(1014), Version::FIRST).is_err()
        );

        let long = "x".repeat(1025);
        assert!(SortKey::new(&long[1..]).is_ok() && SortKey::new(&long).is_err());
        for no_key in ["", "@0000000003"] {
            let fault = SortKey::parse(no_key).unwrap_err();
            assert_eq!(fault, KeyFault::Length { bytes: 0, most: 1024 });
        }
    }
}
