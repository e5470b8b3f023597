//! Attributes: their types, and the facts that a document may state about them.

use std::fmt;

use keywright_finding::Span;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::At;

/// One attribute of an entity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Attribute {
    /// The name; the name of a nested attribute is dotted (`location.country`).
    pub name: String,
    /// The span of the name.
    pub span: Span,
    /// The type.
    #[serde(rename = "type")]
    pub ty: At<Type>,
    /// The author's description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<At<String>>,
    /// Whether it is stated as (part of) the identifier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<At<bool>>,
    /// Whether an item may lack it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub optional: Option<At<bool>>,
    /// How many items hold it, if it is optional.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub present: Option<At<Presence>>,
    /// Whether a write may change it after creation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mutability: Option<At<Mutability>>,
    /// The values of an enumeration, in declared order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<At<String>>,
    /// The largest number (`max 999999`), or the greatest length of a text in characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<At<u64>>,
    /// The mean size of a value in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<At<u64>>,
    /// The number of distinct values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distinct: Option<At<u64>>,
    /// The entity and attribute that it refers to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<At<AttributeRef>>,
    /// Whether its values are unique.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unique: Option<At<bool>>,
    /// Whether it names the tenant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<At<bool>>,
    /// Whether it holds the time of expiry, in epoch seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ttl: Option<At<bool>>,
    /// Whether its values are numbers that are assigned in sequence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sequential: Option<At<bool>>,
    /// Whether it is the version number of the item.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<At<bool>>,
    /// Entities whose numbers come from the same sequence.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shared_with: Vec<At<String>>,
}

impl Attribute {
    /// An attribute with only a name and a type.
    pub fn new(name: impl Into<String>, span: Span, ty: At<Type>) -> Self {
        Attribute {
            name: name.into(),
            span,
            ty,
            description: None,
            id: None,
            optional: None,
            present: None,
            mutability: None,
            values: Vec::new(),
            max: None,
            bytes: None,
            distinct: None,
            reference: None,
            unique: None,
            tenant: None,
            ttl: None,
            sequential: None,
            version: None,
            shared_with: Vec::new(),
        }
    }

    /// Whether an item may lack it.
    pub fn is_optional(&self) -> bool {
        self.optional.as_ref().is_some_and(|flag| flag.value)
    }

    /// Whether the document states that some write changes it.
    pub fn is_mutable(&self) -> bool {
        self.mutability.as_ref().is_some_and(|it| it.value == Mutability::Mutable)
    }
}

/// An attribute of a named entity: `Song.title`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct AttributeRef {
    /// The entity's name.
    pub entity: String,
    /// The attribute's name.
    pub attribute: String,
}

impl AttributeRef {
    /// The attribute of that entity.
    pub fn new(entity: impl Into<String>, attribute: impl Into<String>) -> Self {
        AttributeRef { entity: entity.into(), attribute: attribute.into() }
    }
}

impl fmt::Display for AttributeRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.entity, self.attribute)
    }
}

/// The types that documents use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Type {
    /// A short text.
    String,
    /// A long text.
    Text,
    /// A number of unspecified form.
    Number,
    /// A whole number.
    Integer,
    /// A number with a fractional part.
    Decimal,
    /// True or false.
    Boolean,
    /// An instant.
    Datetime,
    /// A calendar date.
    Date,
    /// A list of values.
    List,
    /// A map of names to values.
    Map,
    /// A set of values.
    Set,
    /// Bytes.
    Binary,
    /// A ULID.
    Ulid,
    /// A UUID.
    Uuid,
    /// A KSUID.
    Ksuid,
    /// One of a few declared values.
    Enum,
}

impl Type {
    /// All types.
    pub const ALL: [Type; 16] = [
        Type::String,
        Type::Text,
        Type::Number,
        Type::Integer,
        Type::Decimal,
        Type::Boolean,
        Type::Datetime,
        Type::Date,
        Type::List,
        Type::Map,
        Type::Set,
        Type::Binary,
        Type::Ulid,
        Type::Uuid,
        Type::Ksuid,
        Type::Enum,
    ];

    /// The name that documents use.
    pub const fn name(self) -> &'static str {
        match self {
            Type::String => "string",
            Type::Text => "text",
            Type::Number => "number",
            Type::Integer => "integer",
            Type::Decimal => "decimal",
            Type::Boolean => "boolean",
            Type::Datetime => "datetime",
            Type::Date => "date",
            Type::List => "list",
            Type::Map => "map",
            Type::Set => "set",
            Type::Binary => "binary",
            Type::Ulid => "ulid",
            Type::Uuid => "uuid",
            Type::Ksuid => "ksuid",
            Type::Enum => "enum",
        }
    }

    /// Whether a value may be part of a key.
    pub const fn is_scalar(self) -> bool {
        !matches!(self, Type::List | Type::Map | Type::Set)
    }

    /// Whether DynamoDB stores its values as numbers.
    pub const fn is_numeric(self) -> bool {
        matches!(self, Type::Number | Type::Integer | Type::Decimal)
    }

    /// Whether a create can generate the value.
    pub const fn is_generated_id(self) -> bool {
        matches!(self, Type::Ulid | Type::Uuid | Type::Ksuid)
    }

    /// Whether the order of the values is the order of creation.
    pub const fn is_time_ordered_id(self) -> bool {
        matches!(self, Type::Ulid | Type::Ksuid)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Whether a value may change once the item exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Mutability {
    /// Some write changes it.
    Mutable,
    /// No write changes it.
    Immutable,
}

/// How many items hold an optional attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Presence {
    /// This many items at a time ("~500 open at a time").
    Items(u64),
    /// This many in a million items.
    PerMillion(u32),
}
