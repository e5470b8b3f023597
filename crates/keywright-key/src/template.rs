//! Key templates: literals and encoded attributes, such as `ORDER#<placedAt:iso>#<orderId>`.

mod build;
mod check;
mod compare;
mod grammar;
mod language;
mod parse;
mod query;

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

pub use check::AttributeType;
pub use compare::{Collision, KeyOrder};
pub use parse::Parsed;
pub use query::KeyRange;

use crate::encoding::text::{ESCAPE, Guard};
use crate::{Encoding, TemplateError, TemplateFault};

/// The separator between the segments of a key.
///
/// ```
/// use keywright_key::KEY_SEPARATOR;
/// assert_eq!(["USER", "u1"].join(KEY_SEPARATOR), "USER#u1");
/// ```
pub const KEY_SEPARATOR: &str = "#";

/// What to do with text that would change the form or the order of a key.
///
/// ```
/// use keywright_key::{SeparatorPolicy, Template, Value};
/// let template = Template::parse("USER#<userId>#PROFILE").unwrap();
/// assert_eq!(template.build(&[("userId", Value::from("a#b"))]).unwrap(), "USER#a$Zb#PROFILE");
/// let strict = template.with_policy(SeparatorPolicy::Reject);
/// assert!(strict.build(&[("userId", Value::from("a#b"))]).is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SeparatorPolicy {
    /// Escape it, keeping the order of values.
    #[default]
    Escape,
    /// Return an error.
    Reject,
}

/// The part of a primary key that a template builds. The parts have different length limits.
///
/// ```
/// use keywright_key::KeyPart;
/// assert_eq!(KeyPart::Sort.max_bytes(), 1024);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KeyPart {
    /// A partition key: 1 to 2048 bytes.
    #[default]
    Partition,
    /// A sort key: 1 to 1024 bytes.
    Sort,
}

impl KeyPart {
    /// The largest length that DynamoDB allows.
    ///
    /// ```
    /// use keywright_key::KeyPart;
    /// assert_eq!(KeyPart::Partition.max_bytes(), 2048);
    /// ```
    pub const fn max_bytes(self) -> usize {
        match self {
            KeyPart::Partition => 2048,
            KeyPart::Sort => 1024,
        }
    }
}

/// A piece of a template: literal text or a placeholder.
///
/// ```
/// use keywright_key::{Segment, Template};
/// let template = Template::parse("USER#<userId>").unwrap();
/// let [Segment::Literal(literal), Segment::Placeholder(place)] = template.segments() else { panic!() };
/// assert_eq!((literal.as_str(), place.name()), ("USER#", "userId"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Segment {
    /// Text that is the same in every key.
    Literal(String),
    /// A placeholder for an attribute.
    Placeholder(Placeholder),
}

/// A placeholder for an attribute in a template: the attribute's name and encoding.
///
/// ```
/// use keywright_key::{Encoding, Template};
/// let template = Template::parse("ORDER#<placedAt:iso>#<orderId>").unwrap();
/// let orderId = template.placeholders().last().unwrap();
/// assert_eq!(*orderId.encoding(), Encoding::Text);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Placeholder {
    name: String,
    encoding: Encoding,
    /// How free text is separated from what follows; decided by `guard_places` when the template is complete.
    guard: Guard,
    /// The position of its attribute in the template's attributes.
    slot: usize,
}

impl Placeholder {
    /// The name of the attribute.
    ///
    /// ```
    /// use keywright_key::Template;
    /// assert_eq!(Template::parse("A#<a:iso>").unwrap().placeholders().next().unwrap().name(), "a");
    /// ```
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The encoding of its value: [`Encoding::Text`] unless the template names one.
    ///
    /// ```
    /// use keywright_key::Template;
    /// assert_eq!(Template::parse("A#<a:iso>").unwrap().placeholders().next().unwrap().encoding().to_string(), "iso");
    /// ```
    pub fn encoding(&self) -> &Encoding {
        &self.encoding
    }

    /// Whether keys with equal leading parts are sorted by the values of this attribute.
    ///
    /// ```
    /// use keywright_key::Template;
    /// let template = Template::parse("<a:shard4>#<b>").unwrap();
    /// assert_eq!(template.placeholders().map(|place| place.keeps_order()).collect::<Vec<_>>(), [false, true]);
    /// ```
    pub fn keeps_order(&self) -> bool {
        self.encoding.keeps_order() && (self.encoding.width().is_some() || self.guard.keeps_order())
    }
}

/// A key template: a sequence of literals and encoded attributes.
///
/// ```
/// use keywright_key::{Template, Value};
///
/// let template = Template::parse("ORDER#{placedAt:epochs}#{orderId}")?;
/// assert_eq!(template.to_string(), "ORDER#<placedAt:epochs>#<orderId>");
/// assert_eq!(template.attributes(), ["placedAt", "orderId"]);
///
/// let placed_at = keywright_key::Instant::parse("2024-01-15T10:30:00Z")?;
/// let key = template.build(&[("placedAt", Value::from(placed_at)), ("orderId", Value::from("o-1"))])?;
/// assert_eq!(key, "ORDER#001705314600#o-1");
/// assert_eq!(template.parse_key(&key)?.get("orderId"), Some(&Value::from("o-1")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Template {
    /// The canonical text.
    text: String,
    segments: Vec<Segment>,
    /// The attributes, without repetition, in order of first appearance.
    attributes: Vec<String>,
    policy: SeparatorPolicy,
    separator: String,
    part: KeyPart,
    /// Whether a version may follow the key, so that `@` must be escaped or refused in text.
    versioned: bool,
    /// The number of bytes in literals and fixed-width placeholders.
    fixed_bytes: usize,
    /// Whether an attribute has a bucket or shard placeholder beside another one, so that the two can
    /// contradict each other.
    has_lossy_twin: bool,
}

impl Template {
    /// Parses a template: `USER#<userId>`, `USER#{userId}` and `USER#\<userId\>` are equivalent; an encoding
    /// follows a colon.
    ///
    /// ```
    /// use keywright_key::Template;
    /// assert_eq!(Template::parse("USER#{userId}").unwrap(), Template::parse("USER#<userId>").unwrap());
    /// ```
    pub fn parse(text: &str) -> Result<Template, TemplateError> {
        let mut segments: Vec<Segment> = Vec::new();
        let mut spans = Vec::new();
        for piece in grammar::pieces(text) {
            let (span, segment) = piece?;
            segments.push(segment);
            spans.push(span);
        }
        if segments.is_empty() {
            return Err(TemplateError::new(text, 0..0, TemplateFault::Empty));
        }
        if let Some(at) = ambiguous_place(&segments) {
            return Err(TemplateError::new(text, spans[at].clone(), TemplateFault::Ambiguous));
        }
        Ok(Template::assemble(segments))
    }

    /// Builds a template from segments that are known to be unambiguous.
    fn assemble(segments: Vec<Segment>) -> Template {
        let mut template = Template {
            text: String::new(),
            attributes: Vec::new(),
            segments,
            policy: SeparatorPolicy::Escape,
            separator: KEY_SEPARATOR.to_owned(),
            part: KeyPart::Partition,
            versioned: false,
            fixed_bytes: 0,
            has_lossy_twin: false,
        };
        template.text = template.segments.iter().map(Segment::to_string).collect();
        for segment in &mut template.segments {
            match segment {
                Segment::Literal(literal) => template.fixed_bytes += literal.len(),
                Segment::Placeholder(place) => {
                    template.fixed_bytes += place.encoding.width().unwrap_or(0);
                    let known = template.attributes.iter().position(|name| *name == place.name);
                    place.slot = known.unwrap_or_else(|| {
                        template.attributes.push(place.name.clone());
                        template.attributes.len() - 1
                    });
                }
            }
        }
        let twins = |place: &Placeholder| {
            let slot = place.slot;
            template.placeholders().filter(|other| other.slot == slot).count() > 1
        };
        let has_lossy_twin = template.placeholders().any(|place| place.encoding.is_lossy() && twins(place));
        template.has_lossy_twin = has_lossy_twin;
        template.guard_places();
        template
    }

    /// Decides for every placeholder how free text is separated from what follows it.
    fn guard_places(&mut self) {
        let followers: Vec<Option<u8>> = (1..=self.segments.len())
            .map(|next| match self.segments.get(next) {
                Some(Segment::Literal(literal)) => literal.bytes().next(),
                Some(Segment::Placeholder(_)) | None => None,
            })
            .collect();
        let is_hash = self.separator == KEY_SEPARATOR;
        let escape = self.policy == SeparatorPolicy::Escape && is_hash;
        // `Reject` refuses exactly what `Escape` escapes. That includes `$`, which upper bounds of ranges end
        // with.
        let own = match is_hash {
            true => ESCAPE,
            false => self.separator.bytes().next().expect("a separator is not empty"),
        };
        for (segment, follower) in self.segments.iter_mut().zip(followers) {
            let Segment::Placeholder(place) = segment else { continue };
            place.guard = match follower {
                Some(b'#') if escape && self.versioned => Guard::WithinVersioned,
                Some(b'#') if is_hash && self.versioned => Guard::RefuseVersion,
                Some(b'#') if escape => Guard::Separator,
                Some(b'@') if escape => Guard::Version,
                Some(b'@') if is_hash => Guard::RefuseVersion,
                Some(byte) => Guard::Refuse(byte.max(own)),
                None if self.versioned && escape => Guard::Version,
                None if self.versioned => Guard::RefuseVersion,
                None if escape => Guard::End,
                None if is_hash => Guard::RefuseEnd,
                None => Guard::Refuse(own),
            };
        }
    }

    /// The same template with another separator policy.
    ///
    /// ```
    /// use keywright_key::{SeparatorPolicy, Template, Value};
    /// let template = Template::parse("A#<a>").unwrap().with_policy(SeparatorPolicy::Reject);
    /// assert!(template.build(&[("a", Value::from("x#y"))]).is_err());
    /// ```
    pub fn with_policy(mut self, policy: SeparatorPolicy) -> Template {
        self.policy = policy;
        self.guard_places();
        self
    }

    /// The same template for a partition key or a sort key, which have different length limits.
    ///
    /// ```
    /// use keywright_key::{KeyPart, Template, Value};
    /// let template = Template::parse("A#<a>").unwrap().with_part(KeyPart::Sort);
    /// assert!(template.build(&[("a", Value::from("x".repeat(1024)))]).is_err());
    /// ```
    pub fn with_part(mut self, part: KeyPart) -> Template {
        self.part = part;
        self
    }

    /// The same template with a separator other than `#`. Nothing is escaped then: text that contains the
    /// separator, or a byte at or below its first byte, is refused.
    ///
    /// ```
    /// use keywright_key::{Template, Value};
    /// let template = Template::parse("tags::<tag>::<name>").unwrap().with_separator("::").unwrap();
    /// assert!(template.build(&[("tag", Value::from("a")), ("name", Value::from("b"))]).is_ok());
    /// assert!(template.build(&[("tag", Value::from("a::b")), ("name", Value::from("c"))]).is_err());
    /// ```
    pub fn with_separator(mut self, separator: &str) -> Result<Template, TemplateError> {
        let is_punctuation = |byte: u8| byte.is_ascii_punctuation() && !b"$<>{}\\".contains(&byte);
        if separator.is_empty() || !separator.bytes().all(is_punctuation) {
            return Err(TemplateError::new(&self.text, 0..0, TemplateFault::Separator));
        }
        separator.clone_into(&mut self.separator);
        self.guard_places();
        Ok(self)
    }

    /// The same template for keys that a version may follow: `@` in text is escaped or refused.
    pub(crate) fn before_version(mut self) -> Template {
        self.versioned = true;
        self.guard_places();
        self
    }

    /// The literals and placeholders, in order.
    ///
    /// ```
    /// use keywright_key::Template;
    /// assert_eq!(Template::parse("A#<a>#Z").unwrap().segments().len(), 3);
    /// ```
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// The placeholders, in order. An attribute may have several.
    ///
    /// ```
    /// use keywright_key::Template;
    /// assert_eq!(Template::parse("<at:ym>#<at:iso>").unwrap().placeholders().count(), 2);
    /// ```
    pub fn placeholders(&self) -> impl DoubleEndedIterator<Item = &Placeholder> {
        self.segments.iter().filter_map(Segment::placeholder)
    }

    /// The attributes, without repetition, in order of first appearance.
    ///
    /// ```
    /// use keywright_key::Template;
    /// assert_eq!(Template::parse("<at:ym>#<at:iso>#<id>").unwrap().attributes(), ["at", "id"]);
    /// ```
    pub fn attributes(&self) -> &[String] {
        &self.attributes
    }

    /// The text before the first attribute, which every key of the template begins with.
    ///
    /// ```
    /// use keywright_key::Template;
    /// assert_eq!(Template::parse("USER#<id>").unwrap().leading_literal(), "USER#");
    /// ```
    pub fn leading_literal(&self) -> &str {
        match self.segments.first() {
            Some(Segment::Literal(literal)) => literal,
            _ => "",
        }
    }

    /// Whether all keys of the template are the same.
    ///
    /// ```
    /// use keywright_key::Template;
    /// assert!(Template::parse("REPOS").unwrap().is_constant());
    /// ```
    pub fn is_constant(&self) -> bool {
        self.attributes.is_empty()
    }

    /// What is done with text that would change the form of a key.
    ///
    /// ```
    /// use keywright_key::{SeparatorPolicy, Template};
    /// assert_eq!(Template::parse("A").unwrap().policy(), SeparatorPolicy::Escape);
    /// ```
    pub fn policy(&self) -> SeparatorPolicy {
        self.policy
    }

    /// The separator: `#` unless [`Template::with_separator`] sets another.
    ///
    /// ```
    /// use keywright_key::Template;
    /// assert_eq!(Template::parse("A").unwrap().separator(), "#");
    /// ```
    pub fn separator(&self) -> &str {
        &self.separator
    }

    /// The part of a primary key that it builds.
    ///
    /// ```
    /// use keywright_key::{KeyPart, Template};
    /// assert_eq!(Template::parse("A").unwrap().part(), KeyPart::Partition);
    /// ```
    pub fn part(&self) -> KeyPart {
        self.part
    }

    /// The canonical text.
    ///
    /// ```
    /// use keywright_key::Template;
    /// assert_eq!(Template::parse("A#{a:iso}").unwrap().as_str(), "A#<a:iso>");
    /// ```
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl Segment {
    /// The placeholder, if it is one.
    ///
    /// ```
    /// use keywright_key::Template;
    /// assert!(Template::parse("A#<a>").unwrap().segments()[1].placeholder().is_some());
    /// ```
    pub fn placeholder(&self) -> Option<&Placeholder> {
        match self {
            Segment::Placeholder(place) => Some(place),
            Segment::Literal(_) => None,
        }
    }
}

/// The position of a variable-length placeholder that is directly followed by another placeholder.
fn ambiguous_place(segments: &[Segment]) -> Option<usize> {
    segments.windows(2).position(|pair| match pair {
        [Segment::Placeholder(first), Segment::Placeholder(_)] => first.encoding.width().is_none(),
        _ => false,
    })
}

impl fmt::Display for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Segment::Literal(literal) => f.write_str(literal),
            Segment::Placeholder(Placeholder { name, encoding: Encoding::Text, .. }) => write!(f, "<{name}>"),
            Segment::Placeholder(Placeholder { name, encoding, .. }) => write!(f, "<{name}:{encoding}>"),
        }
    }
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl std::str::FromStr for Template {
    type Err = TemplateError;

    fn from_str(text: &str) -> Result<Self, TemplateError> {
        Template::parse(text)
    }
}

/// Two templates are equal if these fields are: all others follow from them.
impl Template {
    fn identity(&self) -> (&str, SeparatorPolicy, &str, KeyPart, bool) {
        (&self.text, self.policy, &self.separator, self.part, self.versioned)
    }
}

impl PartialEq for Template {
    fn eq(&self, other: &Self) -> bool {
        self.identity() == other.identity()
    }
}

impl Eq for Template {}

impl PartialOrd for Template {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Template {
    fn cmp(&self, other: &Self) -> Ordering {
        self.identity().cmp(&other.identity())
    }
}

impl Hash for Template {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.identity().hash(state);
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Template {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Template {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        Template::parse(&text).map_err(serde::de::Error::custom)
    }
}
