//! Checks templates against the types of their attributes.

use super::{Segment, Template, ambiguous_place};
use crate::{Direction, Encoding, Enumeration, Precision, TemplateError, TemplateFault};

/// The type of an attribute, as far as it matters for keys.
///
/// ```
/// use keywright_key::{AttributeType, Encoding};
/// assert_eq!(Encoding::default_for(&AttributeType::Date).unwrap().to_string(), "date");
/// assert!(Encoding::default_for(&AttributeType::Integer).is_err()); // no width, no order
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AttributeType {
    /// Text.
    String,
    /// A number of any kind.
    Number,
    /// A whole number.
    Integer,
    /// An exact decimal.
    Decimal,
    /// A binary floating-point number.
    Float,
    /// A truth value.
    Boolean,
    /// A point in time.
    Datetime,
    /// A calendar date.
    Date,
    /// A ULID.
    Ulid,
    /// A UUID.
    Uuid,
    /// A KSUID.
    Ksuid,
    /// One of the declared values.
    Enum(Vec<String>),
    /// Bytes: can't be part of a string key.
    Binary,
    /// A list: can't be part of a key.
    List,
    /// A map: can't be part of a key.
    Map,
    /// A set: can't be part of a key.
    Set,
}

impl AttributeType {
    /// The type in words for a message.
    ///
    /// ```
    /// use keywright_key::AttributeType;
    /// assert_eq!(AttributeType::Integer.words(), "an integer");
    /// ```
    pub const fn words(&self) -> &'static str {
        match self {
            AttributeType::String => "a string",
            AttributeType::Number => "a number",
            AttributeType::Integer => "an integer",
            AttributeType::Decimal => "a decimal",
            AttributeType::Float => "a float",
            AttributeType::Boolean => "a boolean",
            AttributeType::Datetime => "a datetime",
            AttributeType::Date => "a date",
            AttributeType::Ulid => "a ULID",
            AttributeType::Uuid => "a UUID",
            AttributeType::Ksuid => "a KSUID",
            AttributeType::Enum(_) => "an enum",
            AttributeType::Binary => "binary",
            AttributeType::List => "a list",
            AttributeType::Map => "a map",
            AttributeType::Set => "a set",
        }
    }

    /// The encodings that can hold the type, in words for a message.
    const fn encodings(&self) -> &'static str {
        match self {
            AttributeType::String => "none, or `shardN`",
            AttributeType::Number => "`padN`, `intN`, `decN.S`, `float`, their descending forms, or `shardN`",
            AttributeType::Integer => "`padN`, `descN`, `intN`, `intdescN`, or `shardN`",
            AttributeType::Decimal => "`decN.S`, `decdescN.S`, or `shardN`",
            AttributeType::Float => "`float`, `floatdesc`, or `shardN`",
            AttributeType::Boolean => "`bool`, `booldesc`, or `shardN`",
            AttributeType::Datetime => {
                "`iso`, `isos`, `isou`, `epochs`, `epochms`, their descending forms, `y`, `ym`, `ymd`, `ymdh`, or `shardN`"
            }
            AttributeType::Date => "`date`, `datedesc`, `y`, `ym`, `ymd`, or `shardN`",
            AttributeType::Ulid => "none, `ulid`, `uliddesc`, or `shardN`",
            AttributeType::Uuid => "none, `uuid`, `uuiddesc`, or `shardN`",
            AttributeType::Ksuid => "none, `ksuid`, `ksuiddesc`, or `shardN`",
            AttributeType::Enum(_) => "none, `enum`, `enumdesc`, `enumname`, `enumnamedesc`, or `shardN`",
            AttributeType::Binary | AttributeType::List | AttributeType::Map | AttributeType::Set => "none",
        }
    }
}

impl Encoding {
    /// The encoding of an attribute of that type if the template names none. An error for numbers, which need
    /// a width.
    ///
    /// ```
    /// use keywright_key::{AttributeType, Encoding};
    /// assert_eq!(Encoding::default_for(&AttributeType::Datetime).unwrap().to_string(), "iso");
    /// ```
    pub fn default_for(attribute: &AttributeType) -> Result<Encoding, TemplateFault> {
        match attribute {
            AttributeType::String
            | AttributeType::Ulid
            | AttributeType::Uuid
            | AttributeType::Ksuid
            | AttributeType::Enum(_) => Ok(Encoding::Text),
            AttributeType::Boolean => Ok(Encoding::Bool(Direction::Ascending)),
            AttributeType::Datetime => {
                Ok(Encoding::Iso { precision: Precision::Millis, direction: Direction::Ascending })
            }
            AttributeType::Date => Ok(Encoding::Date(Direction::Ascending)),
            AttributeType::Number | AttributeType::Integer | AttributeType::Decimal => {
                Err(TemplateFault::NumberWithoutWidth)
            }
            AttributeType::Float => Err(TemplateFault::FloatWithoutEncoding),
            AttributeType::Binary | AttributeType::List | AttributeType::Map | AttributeType::Set => {
                Err(TemplateFault::NotAKeyType { attribute: attribute.words() })
            }
        }
    }

    /// Whether values of that type can be written with this encoding.
    ///
    /// ```
    /// use keywright_key::{AttributeType, Encoding};
    /// assert!(Encoding::parse("pad6").unwrap().accepts(&AttributeType::Integer));
    /// assert!(!Encoding::parse("pad6").unwrap().accepts(&AttributeType::String));
    /// ```
    pub fn accepts(&self, attribute: &AttributeType) -> bool {
        use AttributeType as Type;
        match self {
            Encoding::Text => {
                matches!(attribute, Type::String | Type::Ulid | Type::Uuid | Type::Ksuid | Type::Enum(_))
            }
            Encoding::Unsigned { .. } | Encoding::Signed { .. } => {
                matches!(attribute, Type::Integer | Type::Number)
            }
            Encoding::Decimal { .. } => matches!(attribute, Type::Decimal | Type::Integer | Type::Number),
            Encoding::Float(_) => matches!(attribute, Type::Float | Type::Number),
            Encoding::Bool(_) => *attribute == Type::Boolean,
            Encoding::Iso { .. } | Encoding::Epoch { .. } => *attribute == Type::Datetime,
            Encoding::Date(_) => *attribute == Type::Date,
            Encoding::Bucket(crate::BucketSize::Hour) => *attribute == Type::Datetime,
            Encoding::Bucket(_) => matches!(attribute, Type::Datetime | Type::Date),
            Encoding::Shard { .. } => !matches!(attribute, Type::Binary | Type::List | Type::Map | Type::Set),
            Encoding::Ulid(_) => matches!(attribute, Type::Ulid | Type::String),
            Encoding::Uuid(_) => matches!(attribute, Type::Uuid | Type::String),
            Encoding::Ksuid(_) => matches!(attribute, Type::Ksuid | Type::String),
            Encoding::Enumeration(_) => matches!(attribute, Type::Enum(_) | Type::String),
        }
    }

    /// The encoding that an attribute of that type gets at a placeholder with the encoding `self`.
    fn resolved(&self, attribute: &AttributeType) -> Result<Encoding, TemplateFault> {
        if *self == Encoding::Text {
            return Encoding::default_for(attribute);
        }
        if !self.accepts(attribute) {
            if Encoding::default_for(attribute)
                == Err(TemplateFault::NotAKeyType { attribute: attribute.words() })
            {
                return Err(TemplateFault::NotAKeyType { attribute: attribute.words() });
            }
            let instead = attribute.encodings();
            return Err(TemplateFault::Type { attribute: attribute.words(), instead });
        }
        let Encoding::Enumeration(enumeration) = self else { return Ok(self.clone()) };
        let values = match attribute {
            AttributeType::Enum(values) if enumeration.values().is_empty() => values.clone(),
            AttributeType::Enum(values)
                if !enumeration.values().iter().all(|value| values.contains(value)) =>
            {
                return Err(TemplateFault::Declared);
            }
            _ => return Ok(self.clone()),
        };
        Enumeration::new(values, enumeration.order(), enumeration.direction())
            .filter(|enumeration| !enumeration.values().is_empty())
            .map(Encoding::Enumeration)
            .ok_or(TemplateFault::Declared)
    }
}

impl Template {
    /// The template with the encodings that follow from the attribute types filled in, or all errors. The
    /// spans of the errors are positions in [`Template::as_str`].
    ///
    /// ```
    /// use keywright_key::{AttributeType, Template};
    /// let types = [("placedAt", AttributeType::Datetime), ("total", AttributeType::Number)];
    /// let template = Template::parse("ORDER#<placedAt>").unwrap();
    /// assert_eq!(template.resolve(&types).unwrap().to_string(), "ORDER#<placedAt:iso>");
    ///
    /// let errors = Template::parse("ORDER#<placed>#<total>").unwrap().resolve(&types).unwrap_err();
    /// assert_eq!(errors.len(), 2);
    /// assert!(errors[0].to_string().ends_with("there is no such attribute; did you mean `placedAt`?"));
    /// assert!(errors[1].to_string().contains("a number without a width does not sort by value"));
    /// ```
    pub fn resolve<N: AsRef<str>>(
        &self,
        types: &[(N, AttributeType)],
    ) -> Result<Template, Vec<TemplateError>> {
        let mut errors = Vec::new();
        let mut segments = self.segments.clone();
        let mut spans = Vec::with_capacity(segments.len());
        let mut end = 0;
        for segment in &mut segments {
            let start = end;
            end += segment.to_string().len();
            spans.push(start..end);
            let Segment::Placeholder(place) = segment else { continue };
            let known = types.iter().find(|(name, _)| name.as_ref() == place.name);
            let resolved = match known {
                Some((_, attribute)) => place.encoding.resolved(attribute),
                None => Err(TemplateFault::UnknownAttribute { near: near(&place.name, types) }),
            };
            match resolved {
                Ok(encoding) => place.encoding = encoding,
                Err(fault) => errors.push(TemplateError::new(&self.text, start..end, fault)),
            }
        }
        if let Some(at) = ambiguous_place(&segments) {
            errors.push(TemplateError::new(&self.text, spans[at].clone(), TemplateFault::Ambiguous));
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let mut resolved = Template::assemble(segments);
        (resolved.policy, resolved.part, resolved.versioned) = (self.policy, self.part, self.versioned);
        resolved.separator.clone_from(&self.separator);
        resolved.guard_places();
        Ok(resolved)
    }
}

/// The attribute whose name is most similar to an unknown one, if it is similar enough.
fn near<N: AsRef<str>>(name: &str, types: &[(N, AttributeType)]) -> Option<String> {
    let lower = name.to_lowercase();
    types
        .iter()
        .map(|(known, _)| (crate::near::distance(&lower, &known.as_ref().to_lowercase()), known.as_ref()))
        .min_by_key(|(distance, _)| *distance)
        .filter(|(distance, _)| *distance <= 2.max(name.len() / 3))
        .map(|(_, known)| known.to_owned())
}
