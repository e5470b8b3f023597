//! One attribute: a name, a type, facts in parentheses, and what the author says about it.

use keywright_finding::{Finding, Suggestions};
use keywright_model::At;
use keywright_model::model::{Attribute, AttributeRef, Mutability, Presence, Type};

use crate::markdown::{Phrase, Piece};
use crate::rules::{UNKNOWN_TYPE, UNREADABLE_CELL};

use super::entities::share;
use super::names::{fold, parts, tokens};
use super::quantity::quantity;
use super::remarks::Remarks;

/// The parts of a list between commas that stand in no parentheses.
pub(super) fn split_list(list: Phrase<'_>) -> Vec<Phrase<'_>> {
    let text = list.as_str();
    let mut parts = Vec::new();
    let mut depth = 0_usize;
    let mut start = 0;
    for (at, next) in text.char_indices() {
        match next {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' | ';' | '\n' if depth == 0 => {
                parts.push(list.slice(start..at).trim());
                start = at + next.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(list.slice(start..text.len()).trim());
    parts.retain(|part| !part.is_empty());
    parts
}

/// Reads `` `orderId` (ulid, id) - the order's number `` and its variants; none where there is no name.
pub(super) fn read(line: Phrase<'_>, remarks: &mut Remarks) -> Option<Attribute> {
    let (name, rest) = name_and_rest(line);
    let name = name.trim_matches(&['<', '>', '{', '}', '"', '*', '`']);
    let (name, mark) = match name.as_str().strip_suffix('?') {
        Some(stem) => (name.part(stem), Some(name)),
        None => (name, None),
    };
    if name.is_empty() {
        return None;
    }
    let (facts, after) = match points(rest) {
        Some(facts) => (Some(facts), rest.slice(rest.as_str().len()..rest.as_str().len())),
        None => parenthesis(rest),
    };
    let after = after.trim_matches(&['-', '–', '—', ':']);
    let mut attribute = Attribute::new(name.as_str(), name.span(), At::assumed(Type::String, name.span()));
    let mut typed = false;
    if let Some(optional) = mark {
        attribute.optional = Some(At::stated(true, optional.span()));
    }
    let mut description = after;
    match facts {
        Some(facts) => typed = read_facts(&mut attribute, facts, remarks),
        // `orderId: string - the order's number`
        None => {
            if let Some(word) = tokens(after).next()
                && let Some(ty) = type_named(word.as_str())
                && after.as_str().starts_with(word.as_str())
            {
                attribute.ty = At::stated(ty, word.span());
                typed = true;
                let behind = after.slice(word.as_str().len()..after.as_str().len()).trim();
                let (facts, rest) = parenthesis(behind);
                match facts {
                    Some(values) if ty == Type::Enum && attribute.values.is_empty() => {
                        read_values(&mut attribute, values);
                    }
                    Some(facts) => {
                        read_facts(&mut attribute, facts, remarks);
                    }
                    None => {}
                }
                // `email: string, unique, ~40 bytes - for signing in`
                if let Some(more) = rest.as_str().strip_prefix(',') {
                    let end = [" - ", " – ", " — "].iter().filter_map(|dash| more.find(dash)).min();
                    for fact in split_list(rest.part(&more[..end.unwrap_or(more.len())])) {
                        read_fact(&mut attribute, fact, false, remarks);
                    }
                }
                description = rest.trim_matches(&['-', '–', '—', ':', ',']);
            } else if rest.as_str().starts_with(':')
                && split_list(after).first().is_some_and(|first| is_flag(&fold(first.as_str())))
            {
                // `expiresAt: ttl`
                typed = read_facts(&mut attribute, after, remarks);
                description = after.slice(0..0);
            }
        }
    }
    if !description.is_empty() {
        attribute.description = Some(At::stated(description.as_str().to_owned(), description.span()));
        learn_from_description(&mut attribute, description, remarks);
    }
    if !typed && is_untold(&attribute) {
        guess_type(&mut attribute, remarks);
    }
    Some(attribute)
}

/// Whether words without a label around them declare an attribute: a code span first, one word alone, or a type or values
/// behind the name.
pub(super) fn is_declaration(line: Phrase<'_>) -> bool {
    if matches!(line.pieces().first(), Some(Piece::Code(name)) if !name.as_str().contains(char::is_whitespace))
    {
        return true;
    }
    // `Immutable` is a word about the entity, `fullName` an attribute.
    let alone = is_name(line) && line.as_str().starts_with(char::is_lowercase);
    alone || declares_with_type(line) || lists_values(line)
}

/// Whether words are one name: `fullName`.
fn is_name(words: Phrase<'_>) -> bool {
    let name = words.trim_matches(&['`', '*']);
    let inside = |next: char| next.is_alphanumeric() || matches!(next, '_' | '.' | '?' | '-');
    name.as_str().starts_with(char::is_alphabetic)
        && !name.as_str().ends_with('.')
        && name.as_str().chars().all(inside)
}

/// Whether words declare an attribute with what it is: `showId (ulid, id)`, `showId: ulid, id`, `showId (PK)`, `showId -> Show`.
pub(super) fn declares_with_type(line: Phrase<'_>) -> bool {
    let (_, rest) = name_and_rest(line);
    let (facts, _) = parenthesis(rest);
    let typed = rest.as_str().strip_prefix(':').map(|typed| rest.part(typed).trim());
    points(rest).is_some()
        || facts.or(typed).is_some_and(|facts| {
            let first = split_list(facts).into_iter().next();
            first.is_some_and(|first| leading_type(first).is_some() || is_flag(&fold(first.as_str())))
        })
}

/// Whether a name is followed by its values: `plan: BASIC | PRO`.
fn lists_values(line: Phrase<'_>) -> bool {
    let (name, rest) = name_and_rest(line);
    let values = rest.as_str().strip_prefix(':').map(|values| rest.part(values));
    is_name(name)
        && values.is_some_and(|values| {
            let values: Vec<Phrase<'_>> = values.split(&['|']).collect();
            values.len() > 1 && values.iter().all(|value| is_name(value.trim_matches(&['"', '\''])))
        })
}

/// Whether words are nothing but attributes: each a name, alone or with its type.
pub(super) fn is_list(words: Phrase<'_>) -> bool {
    let parts = split_list(words);
    let alone = |part: &Phrase<'_>| {
        let name = part.trim_matches(&['`']);
        !name
            .as_str()
            .contains(|next: char| !next.is_alphanumeric() && !matches!(next, '_' | '.' | '?' | '-'))
            && name.as_str().starts_with(char::is_alphabetic)
    };
    parts.iter().all(|part| alone(part) || declares_with_type(*part))
        && (parts.len() > 1 || parts.iter().any(|part| declares_with_type(*part)))
}

/// The name that a line begins with, and what follows it.
fn name_and_rest(line: Phrase<'_>) -> (Phrase<'_>, Phrase<'_>) {
    let text = line.as_str();
    let end =
        text.find(|next: char| next.is_whitespace() || matches!(next, '(' | ':' | ',')).unwrap_or(text.len());
    (line.slice(0..end), line.slice(end..text.len()).trim())
}

/// What an arrow behind a name points to: `customerId -> Customer`.
fn points(rest: Phrase<'_>) -> Option<Phrase<'_>> {
    ["->", "→", "=>"].iter().find_map(|arrow| rest.as_str().strip_prefix(arrow)).map(|_| rest)
}

/// Reads a row of a table of attributes.
pub(super) fn from_cells(
    name: Phrase<'_>,
    ty: Option<Phrase<'_>>,
    facts: [Option<Phrase<'_>>; 2],
    description: Option<Phrase<'_>>,
    optional: Option<Phrase<'_>>,
    required: Option<Phrase<'_>>,
    remarks: &mut Remarks,
) -> Option<Attribute> {
    let name = name.trim_matches(&['<', '>', '{', '}', '"', '*', '`']);
    if name.is_empty() {
        return None;
    }
    let mut attribute = Attribute::new(name.as_str(), name.span(), At::assumed(Type::String, name.span()));
    let mut typed = false;
    for facts in ty.into_iter().chain(facts.into_iter().flatten()) {
        typed |= read_facts(&mut attribute, facts, remarks);
    }
    let flag = |cell: Option<Phrase<'_>>| cell.and_then(super::cell::yes_no);
    if let Some(optional) = flag(optional).or_else(|| flag(required).map(|it| At::stated(!it.value, it.span)))
    {
        attribute.optional.get_or_insert(optional);
    }
    if let Some(description) = description {
        attribute.description = Some(At::stated(description.as_str().to_owned(), description.span()));
        learn_from_description(&mut attribute, description, remarks);
    }
    if !typed && is_untold(&attribute) {
        guess_type(&mut attribute, remarks);
    }
    Some(attribute)
}

/// What stands in the parentheses at the beginning, and what follows them.
pub(super) fn parenthesis(text: Phrase<'_>) -> (Option<Phrase<'_>>, Phrase<'_>) {
    let words = text.as_str();
    if !words.starts_with('(') {
        return (None, text);
    }
    let mut depth = 0_usize;
    for (at, next) in words.char_indices() {
        match next {
            '(' => depth += 1,
            ')' => {
                depth -= 1;
                if depth == 0 {
                    return (Some(text.slice(1..at).trim()), text.slice(at + 1..words.len()).trim());
                }
            }
            _ => {}
        }
    }
    // Never closed: all that follows are facts.
    (Some(text.slice(1..words.len()).trim()), text.slice(words.len()..words.len()))
}

/// The type of a name, in the words of many languages.
pub(super) fn type_named(word: &str) -> Option<Type> {
    let folded = fold(word);
    let element = word.trim_end();
    if element.ends_with("[]") || folded.starts_with("list") || folded.starts_with("array") {
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

/// The words that a fact may begin with, for did-you-mean.
const FACTS: [&str; 13] = [
    "id",
    "unique",
    "optional",
    "required",
    "mutable",
    "immutable",
    "enum",
    "tenant",
    "ttl",
    "sequential",
    "version",
    "ref",
    "shared with",
];

/// Reads the facts between commas; returns whether a type is among them.
fn read_facts(attribute: &mut Attribute, facts: Phrase<'_>, remarks: &mut Remarks) -> bool {
    let mut typed = false;
    for (index, fact) in split_list(facts).into_iter().enumerate() {
        if !typed && let Some((ty, rest)) = leading_type(fact) {
            attribute.ty = At::stated(ty, fact.span());
            typed = true;
            let values = ty == Type::Enum && read_values(attribute, rest);
            if !values && !rest.is_empty() {
                read_fact(attribute, rest, false, remarks);
            }
            continue;
        }
        let first = index == 0;
        if !read_fact(attribute, fact, first, remarks) && first {
            typed = true;
            unknown_type(attribute, fact, remarks);
        }
    }
    typed
}

/// A type at the beginning of a fact, and what follows it: `enum(a, b)`, `string unique`.
fn leading_type(fact: Phrase<'_>) -> Option<(Type, Phrase<'_>)> {
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

fn unknown_type(attribute: &mut Attribute, fact: Phrase<'_>, remarks: &mut Remarks) {
    let near = Suggestions::new(Type::ALL.iter().map(|ty| ty.name())).nearest(fact.as_str());
    let help = near.map_or_else(
        || "it is read as a string; write one of string, number, integer, decimal, boolean, datetime, date, list, map, \
            set, binary, ulid, uuid, ksuid, enum"
            .to_owned(),
        |near| format!("it is read as a string; did you mean `{near}`?"),
    );
    attribute.ty = At::stated(Type::String, fact.span());
    remarks.say(&UNKNOWN_TYPE, fact.span(), format!("`{}` is no type of an attribute", fact.as_str()), help);
}

/// Reads one fact that is no type; returns false where a first fact says nothing that is known.
fn read_fact(attribute: &mut Attribute, fact: Phrase<'_>, first: bool, remarks: &mut Remarks) -> bool {
    let span = fact.span();
    let text = fact.as_str();
    let folded = fold(text);
    let yes = || Some(At::stated(true, span));
    match folded.as_str() {
        "id" | "pk" | "primarykey" | "identifier" | "uniqueidentifier" | "key" => attribute.id = yes(),
        "unique" | "uk" => attribute.unique = yes(),
        "optional" | "nullable" | "sparse" => attribute.optional = yes(),
        "required" | "notnull" | "mandatory" => attribute.optional = Some(At::stated(false, span)),
        "mutable" => attribute.mutability = Some(At::stated(Mutability::Mutable, span)),
        "immutable" | "readonly" => attribute.mutability = Some(At::stated(Mutability::Immutable, span)),
        "tenant" | "tenantcode" => attribute.tenant = yes(),
        "ttl" => attribute.ttl = yes(),
        "sequential" | "autoincrement" | "sequence" => attribute.sequential = yes(),
        "version" => attribute.version = yes(),
        "fk" => {}
        _ => return read_worded_fact(attribute, fact, first, remarks),
    }
    true
}

/// Whether a folded word is a fact by itself.
fn is_flag(folded: &str) -> bool {
    matches!(
        folded,
        "id" | "pk"
            | "primarykey"
            | "unique"
            | "uk"
            | "optional"
            | "nullable"
            | "required"
            | "mutable"
            | "immutable"
            | "tenant"
            | "ttl"
            | "sequential"
            | "version"
            | "fk"
    )
}

fn read_worded_fact(attribute: &mut Attribute, fact: Phrase<'_>, first: bool, remarks: &mut Remarks) -> bool {
    let text = fact.as_str();
    let lower = text.to_lowercase();
    let span = fact.span();
    let after = |prefixes: &[&str]| {
        let prefix = prefixes.iter().find(|prefix| lower.starts_with(**prefix))?;
        text.get(prefix.len()..).map(|rest| fact.part(rest).trim_matches(&[':', '=', '→', '>']))
    };
    if let Some(target) =
        after(&["references ", "reference ", "ref:", "ref ", "refs ", "fk ", "→", "-> ", "->"])
    {
        let (entity, own) = match target.split_once('.') {
            Some((entity, own)) => (entity, own.as_str()),
            None => (target, ""),
        };
        attribute.reference = Some(At::stated(AttributeRef::new(entity.as_str(), own), span));
    } else if let Some(others) = after(&["shared with "]) {
        attribute.shared_with.extend(
            others.split(&[',', '&', '/']).map(|other| At::stated(other.as_str().to_owned(), other.span())),
        );
    } else if let Some(limit) = after(&["max ", "max. ", "maximum ", "up to ", "max=", "max:", "≤ ", "<= "])
    {
        match quantity(limit) {
            Some((limit, _)) => attribute.max = Some(At::stated(limit.mean, span)),
            None => return not_understood(fact, first, remarks),
        }
    } else if let Some(values) = after(&["one of ", "values ", "enum"]) {
        if !read_values(attribute, values) {
            return not_understood(fact, first, remarks);
        }
    } else if lower.contains('%') && share(text).is_some() {
        attribute.present = share(text).map(|share| At::stated(Presence::PerMillion(share), span));
    } else if let Some((amount, unit)) = quantity(fact) {
        let unit = unit.as_str().to_lowercase();
        let is = |words: &[&str]| words.iter().any(|word| unit.starts_with(word));
        if is(&["byte", "b"]) && !is(&["billion"]) {
            attribute.bytes = Some(At::stated(amount.mean, span));
        } else if is(&["kb", "kib", "kilobyte"]) {
            attribute.bytes = Some(At::stated(amount.mean.saturating_mul(1024), span));
        } else if is(&["char"]) {
            attribute.bytes = Some(At::stated(amount.mean, span));
        } else if is(&["value", "distinct", "different"]) {
            attribute.distinct = Some(At::stated(amount.mean, span));
        } else if unit.contains("at a time") || unit.contains("at any time") || is(&["item"]) {
            attribute.present = Some(At::stated(Presence::Items(amount.mean), span));
        } else {
            return not_understood(fact, first, remarks);
        }
    } else if ['|', '/'].iter().any(|mark| text.contains(*mark)) && attribute.ty.value == Type::Enum {
        read_values(attribute, fact);
    } else {
        return not_understood(fact, first, remarks);
    }
    true
}

/// A fact that is not known may be a remark ("in cents"), or a slip that a near name betrays.
fn not_understood(fact: Phrase<'_>, first: bool, remarks: &mut Remarks) -> bool {
    if first {
        return false;
    }
    if let Some(near) = Suggestions::new(FACTS).nearest(fact.as_str()) {
        remarks.report(
            Finding::new(
                &UNREADABLE_CELL,
                fact.span(),
                format!("`{}` is no fact about an attribute", fact.as_str()),
            )
            .help(format!("did you mean `{near}`?")),
        );
    }
    true
}

/// Reads the values of an enumeration: `(a, b)`, `: a | b`, `a/b`.
fn read_values(attribute: &mut Attribute, values: Phrase<'_>) -> bool {
    let inner = values.trim_matches(&['(', ')', '[', ']', ':', '=']);
    let found: Vec<_> = inner
        .split(&[',', '|', '/'])
        .map(|value| value.trim_matches(&['"', '\'', '`', '“', '”']))
        .filter(|value| !value.is_empty())
        .map(|value| At::stated(value.as_str().to_owned(), value.span()))
        .collect();
    if found.is_empty() {
        return false;
    }
    if attribute.values.is_empty() {
        attribute.values = found;
        if attribute.ty.assumed || attribute.ty.value == Type::String {
            attribute.ty = At::stated(Type::Enum, values.span());
        }
    }
    true
}

/// What the words about an attribute tell of its type and role, each an assumption.
fn learn_from_description(attribute: &mut Attribute, description: Phrase<'_>, remarks: &mut Remarks) {
    let lower = description.as_str().to_lowercase();
    let span = description.span();
    let loosely_typed = attribute.ty.assumed || attribute.ty.value == Type::String;
    if loosely_typed
        && let Some((word, ty)) =
            tokens(description).find_map(|word| described_type(word.as_str()).map(|ty| (word, ty)))
    {
        attribute.ty = At::assumed(ty, word.span());
        remarks.assume(
            word.span(),
            format!("read \"{}\" as the type of {}: {ty}", word.as_str(), attribute.name),
            format!("write the type in the parentheses: `{}` ({ty})", attribute.name),
        );
    }
    if attribute.values.is_empty() && matches!(attribute.ty.value, Type::String | Type::Enum) {
        read_described_values(attribute, description, remarks);
    }
    let identifies = ["unique identifier", "primary identifier", "primary key", "identifies the"];
    if attribute.id.is_none() && identifies.iter().any(|words| lower.contains(words)) {
        attribute.id = Some(At::assumed(true, span));
    } else if attribute.unique.is_none() && tokens(description).any(|word| word.is("unique")) {
        let scoped =
            lower.contains("unique per") || lower.contains("unique within") || lower.contains("unique in");
        if attribute.id.is_none() && !scoped {
            attribute.unique = Some(At::assumed(true, span));
            remarks.assume(
                span,
                format!("read {} as unique", attribute.name),
                "its description says so; write `unique` in the parentheses",
            );
        }
    }
}

/// `ADMIN | USER` as a description lists the values.
fn read_described_values(attribute: &mut Attribute, description: Phrase<'_>, remarks: &mut Remarks) {
    let listed =
        description.as_str().rsplit_once(':').map_or(description, |(_, list)| description.part(list).trim());
    let values: Vec<Phrase<'_>> =
        listed.split(&['|']).map(|value| value.trim_matches(&['"', '\'', '`', '.'])).collect();
    let words = values.iter().all(|value| !value.is_empty() && !value.as_str().contains(char::is_whitespace));
    if values.len() < 2 || !words {
        return;
    }
    let names = values.iter().map(|value| value.as_str()).collect::<Vec<_>>().join(", ");
    remarks.assume(
        listed.span(),
        format!("read the values of {} as {names}", attribute.name),
        format!("its description lists them; write `enum({names})` in the parentheses"),
    );
    attribute.values =
        values.iter().map(|value| At::assumed(value.as_str().to_owned(), value.span())).collect();
    attribute.ty = At::assumed(Type::Enum, listed.span());
}

/// A type that the description names where the declared one is only a string.
fn described_type(word: &str) -> Option<Type> {
    Some(match word.to_ascii_uppercase().as_str() {
        "ULID" => Type::Ulid,
        "UUID" | "GUID" => Type::Uuid,
        "KSUID" => Type::Ksuid,
        "ISO-8601" | "ISO8601" => Type::Datetime,
        _ => return None,
    })
}

/// Whether neither a description nor a reference tells the type.
fn is_untold(attribute: &Attribute) -> bool {
    attribute.ty.assumed && attribute.ty.value == Type::String && attribute.reference.is_none()
}

/// The type that a name suggests where none is stated.
pub(super) fn guess_type(attribute: &mut Attribute, remarks: &mut Remarks) {
    let words = parts(attribute.name.rsplit('.').next().unwrap_or(&attribute.name));
    let first = words.first().map_or("", String::as_str);
    let last = words.last().map_or("", String::as_str);
    let several = words.len() > 1;
    let ty = match last {
        "at" | "timestamp" | "time" if several || last == "timestamp" => Type::Datetime,
        "date" | "day" | "on" if several || last == "date" => Type::Date,
        "count" | "quantity" | "amount" | "total" | "price" | "score" | "number" | "size" | "age"
        | "balance" | "version" | "stock" => Type::Number,
        _ if matches!(first, "is" | "has" | "can") && several => Type::Boolean,
        _ => Type::String,
    };
    attribute.ty = At::assumed(ty, attribute.span);
    remarks.assume(
        attribute.span,
        format!("read {} as a {ty}", attribute.name),
        format!("no type is stated; write `{}` ({ty})", attribute.name),
    );
}
