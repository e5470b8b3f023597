//! The types of attributes: stated in the words of many languages, described, or suggested by a name.

use keywright_model::At;
use keywright_model::model::{Attribute, Type};

use crate::access_patterns::names::{fold, parts};
use crate::access_patterns::remarks::Remarks;
use crate::markdown::Phrase;

/// The type of a name, in the words of many languages.
pub(in crate::access_patterns) fn type_named(word: &str) -> Option<Type> {
    // `flagKey -> Flag` points to something that is called like a type.
    if word.starts_with(['-', '→', '=']) {
        return None;
    }
    let folded = fold(word);
    let element = word.trim_end();
    // `list<string>`, `list of strings`; a `Listing` is something else.
    let holds = ["list", "array"].iter().any(|it| {
        let rest = element.to_lowercase();
        rest.strip_prefix(it).is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric()))
    });
    if element.ends_with("[]") || holds || matches!(folded.as_str(), "lists" | "arrays" | "listofstrings") {
        return Some(Type::List);
    }
    Some(match folded.as_str() {
        "string" | "str" | "s" | "varchar" | "char" | "email" | "url" | "uri" | "slug" => Type::String,
        "text" | "longtext" | "markdown" => Type::Text,
        "number" | "num" | "n" | "numeric" => Type::Number,
        "integer" | "int" | "long" | "bigint" | "int32" | "int64" | "short" | "uint" => Type::Integer,
        "decimal" | "float" | "double" | "money" | "currency" | "real" => Type::Decimal,
        "boolean" | "bool" | "flag" => Type::Boolean,
        "datetime" | "timestamp" | "instant" | "time" | "iso8601" | "isodate" | "timestamptz" => {
            Type::Datetime
        }
        "date" => Type::Date,
        "map" | "object" | "json" | "document" | "struct" => Type::Map,
        "set" | "stringset" | "numberset" | "ss" | "ns" => Type::Set,
        "binary" | "bytes" | "blob" | "bytea" => Type::Binary,
        "ulid" => Type::Ulid,
        "uuid" | "guid" | "uuidv4" | "uuidv7" => Type::Uuid,
        "ksuid" => Type::Ksuid,
        "enum" | "enumeration" => Type::Enum,
        _ if folded.starts_with("set") && word.contains('<') => Type::Set,
        _ if folded.starts_with("map") && word.contains('<') => Type::Map,
        _ => return None,
    })
}

/// A type at the beginning of a fact, and what follows it: `enum(a, b)`, `string unique`.
pub(super) fn leading_type(fact: Phrase<'_>) -> Option<(Type, Phrase<'_>)> {
    if let Some(ty) = type_named(fact.as_str()) {
        return Some((ty, fact.slice(fact.as_str().len()..fact.as_str().len())));
    }
    let text = fact.as_str();
    let end =
        text.find(|next: char| next.is_whitespace() || matches!(next, '(' | ':' | '<')).unwrap_or(text.len());
    let Some(ty) = type_named(&text[..end]) else {
        // `ISO timestamp`, `signed integer`
        let (adjective, noun) = text.split_once(' ')?;
        let ty = type_named(noun).filter(|_| adjective.chars().all(char::is_alphanumeric))?;
        return Some((ty, fact.slice(text.len()..text.len())));
    };
    // `list<string>` and `list of strings` are lists.
    let rest = if matches!(ty, Type::List | Type::Set | Type::Map) { text.len() } else { end };
    Some((ty, fact.slice(rest..text.len()).trim()))
}

/// A type that the description names where the declared one is only a string.
pub(super) fn described_type(word: &str) -> Option<Type> {
    Some(match word.to_ascii_uppercase().as_str() {
        "ULID" => Type::Ulid,
        "UUID" | "GUID" => Type::Uuid,
        "KSUID" => Type::Ksuid,
        "ISO-8601" | "ISO8601" => Type::Datetime,
        _ => return None,
    })
}

/// The type that a name suggests where none is stated.
pub(in crate::access_patterns) fn guess_type(attribute: &mut Attribute, remarks: &mut Remarks) {
    let words = parts(attribute.name.rsplit('.').next().unwrap_or(&attribute.name));
    let first = words.first().map_or("", String::as_str);
    let last = words.last().map_or("", String::as_str);
    let several = words.len() > 1;
    let ty = match last {
        _ if attribute.ttl.as_ref().is_some_and(|ttl| ttl.value) => Type::Integer,
        "at" | "timestamp" | "time" | "until" | "since" if several || last == "timestamp" => Type::Datetime,
        "created" | "updated" | "modified" | "ts" | "at" if !several => Type::Datetime,
        "date" | "day" | "on" if several || last == "date" => Type::Date,
        // `dateOfBirth`
        _ if first == "date" && several => Type::Date,
        // Of those that people write down, few are counted: a serial number has letters, a phone number a plus.
        "number"
            if !matches!(
                first,
                "number"
                    | "line"
                    | "sequence"
                    | "row"
                    | "page"
                    | "seat"
                    | "version"
                    | "issue"
                    | "lesson"
                    | "chapter"
                    | "episode"
                    | "season"
                    | "step"
                    | "track"
                    | "round"
            ) =>
        {
            Type::String
        }
        "count" | "quantity" | "amount" | "total" | "price" | "score" | "number" | "size" | "age"
        | "balance" | "version" | "stock" | "rating" | "points" | "progress" | "capacity" | "position"
        | "rank" | "likes" | "views" | "votes" => Type::Number,
        _ if matches!(first, "is" | "has" | "can") && several => Type::Boolean,
        _ => Type::String,
    };
    attribute.ty = At::assumed(ty, attribute.span);
    remarks.assume(
        attribute.span,
        format!("read {} as {} {ty}", attribute.name, if ty == Type::Integer { "an" } else { "a" }),
        format!("no type is stated; write `{}` ({ty})", attribute.name),
    );
}
