//! The errors of templates, of values for keys, and of keys that are read back.

use std::fmt;
use std::ops::Range;

/// The error for a text that is not a template. It names the template, the position and the reason.
///
/// ```
/// use keywright_key::Template;
/// let error = Template::parse("USER#<userId").unwrap_err();
/// assert_eq!(error.to_string(), "template `USER#<userId`, at `<userId`: the placeholder is not closed");
/// assert_eq!(error.span(), 5..12);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateError {
    inner: Box<(String, Range<usize>, TemplateFault)>,
}

impl TemplateError {
    pub(crate) fn new(template: &str, span: Range<usize>, fault: TemplateFault) -> Self {
        TemplateError { inner: Box::new((template.to_owned(), span, fault)) }
    }

    /// The text of the template.
    ///
    /// ```
    /// use keywright_key::Template;
    /// assert_eq!(Template::parse("A#<").unwrap_err().template(), "A#<");
    /// ```
    pub fn template(&self) -> &str {
        &self.inner.0
    }

    /// The bytes of the template that are wrong.
    ///
    /// ```
    /// use keywright_key::Template;
    /// assert_eq!(Template::parse("A#<").unwrap_err().span(), 2..3);
    /// ```
    pub fn span(&self) -> Range<usize> {
        self.inner.1.clone()
    }

    /// The reason.
    ///
    /// ```
    /// use keywright_key::{Template, TemplateFault};
    /// assert_eq!(*Template::parse("A#<").unwrap_err().fault(), TemplateFault::NotClosed);
    /// ```
    pub fn fault(&self) -> &TemplateFault {
        &self.inner.2
    }
}

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (template, span, fault) = &*self.inner;
        write!(f, "template `{template}`")?;
        if let Some(place) = template.get(span.clone()).filter(|place| !place.is_empty()) {
            write!(f, ", at `{place}`")?;
        }
        write!(f, ": {fault}")
    }
}

impl std::error::Error for TemplateError {}

/// Why a text is not a template, or does not fit the types of its attributes.
///
/// ```
/// use keywright_key::{Template, TemplateFault};
/// assert_eq!(*Template::parse("").unwrap_err().fault(), TemplateFault::Empty);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TemplateFault {
    /// The text is empty: a key is never empty.
    Empty,
    /// A `<` or `{` that is not closed.
    NotClosed,
    /// A `>` or `}` that is not opened.
    NotOpened,
    /// A placeholder without a name.
    NoName,
    /// A name with a bracket, a control character or a separator.
    Name,
    /// An encoding that does not exist.
    UnknownEncoding {
        /// A similar name, if there is one.
        near: Option<&'static str>,
    },
    /// An encoding without the number of digits, shards or the scale that it needs.
    NoWidth,
    /// A number of digits, shards or a scale that is out of range.
    Width {
        /// The least that is allowed.
        least: u32,
        /// The most that is allowed.
        most: u32,
    },
    /// A list of declared values that is empty or repeats a value.
    Declared,
    /// Text of variable length is followed directly by another attribute, so that a key could not be read
    /// back.
    Ambiguous,
    /// The separator is empty, or can't be distinguished from values.
    Separator,
    /// A literal contains an `@`, but a version follows the key.
    VersionSeparator,
    /// The entity has no attribute with that name.
    UnknownAttribute {
        /// A similar name, if there is one.
        near: Option<String>,
    },
    /// The encoding can't hold values of the attribute's type.
    Type {
        /// The attribute's type.
        attribute: &'static str,
        /// Encodings that can hold the type.
        instead: &'static str,
    },
    /// A number has no width, so its keys would not sort by value.
    NumberWithoutWidth,
    /// A float has no encoding: floats go into keys only if the template asks for it.
    FloatWithoutEncoding,
    /// The type can't be part of a key.
    NotAKeyType {
        /// The attribute's type.
        attribute: &'static str,
    },
}

impl fmt::Display for TemplateFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TemplateFault::Empty => f.write_str("a key is never empty"),
            TemplateFault::NotClosed => f.write_str("the placeholder is not closed"),
            TemplateFault::NotOpened => f.write_str("no placeholder is open here"),
            TemplateFault::NoName => f.write_str("the placeholder has no name"),
            TemplateFault::Name => {
                f.write_str("the name holds a bracket, a backslash, a `#` or a control character")
            }
            TemplateFault::UnknownEncoding { near: Some(near) } => {
                write!(f, "there is no such encoding; did you mean `{near}`?")
            }
            TemplateFault::UnknownEncoding { near: None } => f.write_str("there is no such encoding"),
            TemplateFault::NoWidth => f.write_str("the encoding needs its number, such as `pad6` or `dec10.2`"),
            TemplateFault::Width { least, most } => write!(f, "the number must be {least} to {most}"),
            TemplateFault::Declared => f.write_str("the declared values are empty or not different"),
            TemplateFault::Ambiguous => f.write_str(
                "text of open length is followed by another attribute without a separator, so the key can't be read back",
            ),
            TemplateFault::Separator => f.write_str("the separator must be ASCII punctuation other than `$`"),
            TemplateFault::VersionSeparator => f.write_str("an `@` here would be taken for the one of the version"),
            TemplateFault::UnknownAttribute { near: Some(near) } => {
                write!(f, "there is no such attribute; did you mean `{near}`?")
            }
            TemplateFault::UnknownAttribute { near: None } => f.write_str("there is no such attribute"),
            TemplateFault::Type { attribute, instead } => {
                write!(f, "the encoding can't hold {attribute}; use {instead}")
            }
            TemplateFault::NumberWithoutWidth => f.write_str(
                "a number without a width does not sort by value; give it one, such as `pad6`, `int6` or `dec10.2`",
            ),
            TemplateFault::FloatWithoutEncoding => {
                f.write_str("a float goes into a key only when asked for, with `float` or `floatdesc`")
            }
            TemplateFault::NotAKeyType { attribute } => write!(f, "{attribute} can't be part of a key"),
        }
    }
}

/// The error for a key that can't be built or read. It names the template, the attribute and the reason.
///
/// ```
/// use keywright_key::{Template, Value};
/// let template = Template::parse("SCORE#<score:pad3>").unwrap();
/// let error = template.build(&[("score", Value::from(1000))]).unwrap_err();
/// assert_eq!(error.to_string(), "key `SCORE#<score:pad3>`, `score`: 1000 is outside 0 to 999");
/// assert_eq!(error.attribute(), Some("score"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyError {
    inner: Box<(String, Option<String>, KeyFault)>,
}

impl KeyError {
    pub(crate) fn new(template: &str, attribute: Option<&str>, fault: KeyFault) -> Self {
        KeyError { inner: Box::new((template.to_owned(), attribute.map(str::to_owned), fault)) }
    }

    /// The template of the key.
    ///
    /// ```
    /// use keywright_key::Template;
    /// assert_eq!(Template::parse("A#<a>").unwrap().build(&()).unwrap_err().template(), "A#<a>");
    /// ```
    pub fn template(&self) -> &str {
        &self.inner.0
    }

    /// The attribute that is wrong; `None` if the error is about the whole key.
    ///
    /// ```
    /// use keywright_key::Template;
    /// assert_eq!(Template::parse("A#<a>").unwrap().build(&()).unwrap_err().attribute(), Some("a"));
    /// ```
    pub fn attribute(&self) -> Option<&str> {
        self.inner.1.as_deref()
    }

    /// The reason.
    ///
    /// ```
    /// use keywright_key::{KeyFault, Template};
    /// assert_eq!(*Template::parse("A#<a>").unwrap().build(&()).unwrap_err().fault(), KeyFault::Missing);
    /// ```
    pub fn fault(&self) -> &KeyFault {
        &self.inner.2
    }
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "key `{}`", self.template())?;
        if let Some(attribute) = self.attribute() {
            write!(f, ", `{attribute}`")?;
        }
        write!(f, ": {}", self.fault())
    }
}

impl std::error::Error for KeyError {}

/// Why a key can't be built from its values or be read back.
///
/// ```
/// use keywright_key::{KeyFault, Template};
/// let template = Template::parse("USER#<userId>").unwrap();
/// assert_eq!(*template.build(&()).unwrap_err().fault(), KeyFault::Missing);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyFault {
    /// The attribute has no value.
    Missing,
    /// An attribute before this one has no value: a prefix must be built from leading attributes without a
    /// gap.
    Gap {
        /// The attribute that has no value.
        missing: String,
    },
    /// The encoding does not accept this kind of value.
    Kind {
        /// The kind that the encoding accepts.
        expected: &'static str,
        /// The kind of the value.
        found: &'static str,
    },
    /// The value is out of the encoding's range.
    OutOfRange {
        /// The value.
        value: String,
        /// The least that the encoding can hold.
        least: String,
        /// The most that the encoding can hold.
        most: String,
    },
    /// The value has more digits than the encoding keeps, and keys never round.
    Precision {
        /// The value.
        value: String,
    },
    /// The float is infinite or not a number.
    NotFinite,
    /// The text has a character that would change the form or the order of the key, and it must not be
    /// escaped.
    Separator {
        /// The character.
        found: char,
    },
    /// The value is not one of the declared values.
    Undeclared {
        /// The value.
        value: String,
    },
    /// The enumeration has no declared values, so there is no order.
    NothingDeclared,
    /// The text is not valid for the encoding.
    Malformed {
        /// The text.
        text: String,
        /// The expected form.
        expected: &'static str,
    },
    /// The key lacks a literal of the template.
    Literal {
        /// The literal.
        expected: String,
    },
    /// The key goes on after the end of the template.
    Trailing {
        /// The extra text.
        text: String,
    },
    /// Two placeholders of the same attribute contradict each other.
    Contradiction,
    /// The key is empty or longer than DynamoDB allows.
    Length {
        /// How many bytes the key has.
        bytes: usize,
        /// The largest number of bytes.
        most: usize,
    },
    /// The prefix would not end with a separator, so it would match other keys too.
    OpenPrefix,
    /// All attributes are given. A whole key is compared for equality; it is no prefix or range.
    WholeKey,
    /// The bounds leave nothing between them.
    EmptyRange,
    /// The placeholder does not keep the order of its values, so there are no ranges of it.
    NoOrder,
    /// The bound is exclusive but can't be expressed with BETWEEN, which includes both bounds.
    ExclusiveText,
    /// The encoding needs a feature of this crate that is not enabled.
    Feature {
        /// The feature.
        name: &'static str,
    },
}

impl fmt::Display for KeyFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeyFault::Missing => f.write_str("no value is given"),
            KeyFault::Gap { missing } => {
                write!(f, "a value is given, but none for `{missing}` before it")
            }
            KeyFault::Kind { expected, found } => write!(f, "takes {expected}, not {found}"),
            KeyFault::OutOfRange { value, least, most } => write!(f, "{value} is outside {least} to {most}"),
            KeyFault::Precision { value } => write!(f, "{value} has more digits than the key keeps"),
            KeyFault::NotFinite => f.write_str("a float in a key must be finite"),
            KeyFault::Separator { found } => {
                write!(f, "{found:?} would change the shape or the order of the key")
            }
            KeyFault::Undeclared { value } => write!(f, "{value:?} is not a declared value"),
            KeyFault::NothingDeclared => f.write_str("no values are declared, so they have no order"),
            KeyFault::Malformed { text, expected } => write!(f, "{text:?} is not {expected}"),
            KeyFault::Literal { expected } => write!(f, "{expected:?} is expected"),
            KeyFault::Trailing { text } => write!(f, "{text:?} is too much"),
            KeyFault::Contradiction => f.write_str("two places of the key contradict each other"),
            KeyFault::Length { bytes, most } => write!(f, "{bytes} bytes; a key has 1 to {most}"),
            KeyFault::OpenPrefix => {
                f.write_str("a prefix here does not end on a separator, so it would match other keys too")
            }
            KeyFault::WholeKey => f.write_str("every attribute is given: compare the whole key instead"),
            KeyFault::EmptyRange => f.write_str("no value lies between the bounds"),
            KeyFault::NoOrder => f.write_str("the order of its values is not kept here, so it has no ranges"),
            KeyFault::ExclusiveText => {
                f.write_str("BETWEEN includes its bounds, and no text is the last one before another")
            }
            KeyFault::Feature { name } => write!(f, "needs the feature `{name}`"),
        }
    }
}

impl std::error::Error for KeyFault {}
