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

/// What happens to text that would change the shape or the order of a key.
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
    /// It is escaped, keeping the order of values.
    #[default]
    Escape,
    /// It is an error.
    Reject,
}

/// Which part of a primary key a template makes: they have different limits.
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
    /// How long DynamoDB lets the key be.
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

/// One piece of a template: text that stands in every key, or a place for an attribute.
///
/// ```
/// use keywright_key::{Segment, Template};
/// let template = Template::parse("USER#<userId>").unwrap();
/// let [Segment::Literal(literal), Segment::Placeholder(place)] = template.segments() else { panic!() };
/// assert_eq!((literal.as_str(), place.name()), ("USER#", "userId"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Segment {
    /// Text that stands in every key.
    Literal(String),
    /// A place for an attribute.
    Placeholder(Placeholder),
}

/// A place for an attribute in a template: its name and its encoding.
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
    /// How free text is kept apart from what follows: decided when the template is put together.
    guard: Guard,
    /// The position of its attribute among the template's.
    slot: usize,
}

impl Placeholder {
    /// The attribute.
    ///
    /// ```
    /// use keywright_key::Template;
    /// assert_eq!(Template::parse("A#<a:iso>").unwrap().placeholders().next().unwrap().name(), "a");
    /// ```
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How its value is written. [`Encoding::Text`] where the template says nothing.
    ///
    /// ```
    /// use keywright_key::Template;
    /// assert_eq!(Template::parse("A#<a:iso>").unwrap().placeholders().next().unwrap().encoding().to_string(), "iso");
    /// ```
    pub fn encoding(&self) -> &Encoding {
        &self.encoding
    }

    /// Whether the order of the attribute's values is the byte order of keys that are equal up to here.
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
    /// The attributes, each once, by first appearance.
    attributes: Vec<String>,
    policy: SeparatorPolicy,
    separator: String,
    part: KeyPart,
    /// Whether a version follows the key, so that the last text must keep clear of `@`.
    versioned: bool,
    /// How many bytes the literals and the places of fixed width take.
    fixed_bytes: usize,
    /// Whether a bucket or a shard stands beside its whole attribute, so that the two can contradict each other.
    has_lossy_twin: bool,
}

impl Template {
    /// Reads a template: `USER#<userId>`, `USER#{userId}` and `USER#\<userId\>` are the same; an encoding follows a
    /// colon.
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

    /// A template of those segments, which can be read back.
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

    /// Decides for every place how free text is kept apart from what follows it.
    fn guard_places(&mut self) {
        let followers: Vec<Option<u8>> = (1..=self.segments.len())
            .map(|next| match self.segments.get(next) {
                Some(Segment::Literal(literal)) => literal.bytes().next(),
                Some(Segment::Placeholder(_)) | None => None,
            })
            .collect();
        let is_hash = self.separator == KEY_SEPARATOR;
        let escape = self.policy == SeparatorPolicy::Escape && is_hash;
        // Rejecting refuses what escaping escapes: `$` too, which stands for the end of a range.
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

    /// The same template as a partition key or a sort key, which have different limits.
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

    /// The same template with another separator than `#`. Nothing is escaped then: text that contains the separator,
    /// or a byte at or below its first, is refused.
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

    /// The same template for keys that a version may follow: its texts keep clear of `@`.
    pub(crate) fn before_version(mut self) -> Template {
        self.versioned = true;
        self.guard_places();
        self
    }

    /// The literals and places, in order.
    ///
    /// ```
    /// use keywright_key::Template;
    /// assert_eq!(Template::parse("A#<a>#Z").unwrap().segments().len(), 3);
    /// ```
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// The places, in order. An attribute that stands twice has two.
    ///
    /// ```
    /// use keywright_key::Template;
    /// assert_eq!(Template::parse("<at:ym>#<at:iso>").unwrap().placeholders().count(), 2);
    /// ```
    pub fn placeholders(&self) -> impl DoubleEndedIterator<Item = &Placeholder> {
        self.segments.iter().filter_map(Segment::placeholder)
    }

    /// The attributes, each once, by first appearance.
    ///
    /// ```
    /// use keywright_key::Template;
    /// assert_eq!(Template::parse("<at:ym>#<at:iso>#<id>").unwrap().attributes(), ["at", "id"]);
    /// ```
    pub fn attributes(&self) -> &[String] {
        &self.attributes
    }

    /// The text before the first attribute: what every key of the template begins with.
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

    /// Whether every key is the same.
    ///
    /// ```
    /// use keywright_key::Template;
    /// assert!(Template::parse("REPOS").unwrap().is_constant());
    /// ```
    pub fn is_constant(&self) -> bool {
        self.attributes.is_empty()
    }

    /// What happens to text that would change the shape of a key.
    ///
    /// ```
    /// use keywright_key::{SeparatorPolicy, Template};
    /// assert_eq!(Template::parse("A").unwrap().policy(), SeparatorPolicy::Escape);
    /// ```
    pub fn policy(&self) -> SeparatorPolicy {
        self.policy
    }

    /// The separator, `#` unless [`Template::with_separator`] says otherwise.
    ///
    /// ```
    /// use keywright_key::Template;
    /// assert_eq!(Template::parse("A").unwrap().separator(), "#");
    /// ```
    pub fn separator(&self) -> &str {
        &self.separator
    }

    /// Which part of a primary key it makes.
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
    /// The place, if it is one.
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

/// The place of open length that another place follows directly.
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

/// What makes two templates the same: the rest follows from it.
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
