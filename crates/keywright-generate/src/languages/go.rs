//! Go: interfaces, and the declarations that the `go` target shares with them.

use keywright_model::model::Type;
use unicode_ident::is_xid_start;

use super::Language;
use super::identifier::Reserved;
use crate::plan::{Answer, Field, KeyBuilder, Method, Name, View};

/// Go.
pub(super) static GO: Language = Language {
    name: "Go",
    fence: "go",
    method: Name::pascal,
    entity: |entity| declare(&type_name(&entity.name), &entity.description, &entity.fields),
    key_builder,
    method_types,
    signature,
    page: || "type Page[T any] struct {\n\tItems      []T\n\tNextCursor string\n}".to_owned(),
    repository: |_, entity| (format!("type {} interface {{", repository_name(entity)), "}".to_owned()),
};

static RESERVED: Reserved = Reserved {
    values: &[
        "any",
        "bool",
        "break",
        "byte",
        "case",
        "chan",
        "const",
        "continue",
        "default",
        "defer",
        "else",
        "error",
        "fallthrough",
        "false",
        "for",
        "func",
        "go",
        "goto",
        "if",
        "import",
        "int64",
        "interface",
        "map",
        "nil",
        "package",
        "range",
        "return",
        "runtime",
        "select",
        "string",
        "struct",
        "switch",
        "true",
        "type",
        "var",
    ],
    types: &["Schema"],
};

/// The name of a type.
pub(crate) fn type_name(name: &Name) -> String {
    RESERVED.ty(exported(name))
}

/// An exported name. It must start with an upper-case letter; scripts without case get an `X` in front.
pub(crate) fn exported(name: &Name) -> String {
    let written = letters(&name.pascal());
    if written.starts_with(char::is_uppercase) { written } else { format!("X{written}") }
}

/// Go identifiers take letters and digits. Other characters that are valid elsewhere are written as code
/// points.
fn letters(name: &str) -> String {
    let fits = |it: char| it.is_ascii() || it.is_alphabetic() && !it.is_numeric() && is_xid_start(it);
    name.chars().map(|it| if fits(it) { it.to_string() } else { format!("U{:04X}", u32::from(it)) }).collect()
}

/// The name of a parameter.
pub(crate) fn value_name(name: &Name) -> String {
    RESERVED.value(letters(&name.camel()))
}

/// The type with the methods of an entity.
pub(crate) fn repository_name(entity: &Name) -> String {
    exported(&entity.suffixed("repository"))
}

/// The Go type of a value.
pub(crate) const fn ty(ty: Type) -> &'static str {
    match ty {
        Type::String
        | Type::Text
        | Type::Ulid
        | Type::Uuid
        | Type::Ksuid
        | Type::Enum
        | Type::Datetime
        | Type::Date => "string",
        Type::Integer => "int64",
        Type::Number | Type::Decimal => "runtime.Decimal",
        Type::Boolean => "bool",
        Type::List => "[]any",
        Type::Map => "map[string]any",
        Type::Set => "[]string",
        Type::Binary => "[]byte",
    }
}

/// A doc comment. Line breaks in the text become spaces, so that the text can't end the comment.
pub(crate) fn doc(indent: &str, lines: &[String]) -> String {
    lines
        .iter()
        .map(|line| format!("{indent}// {}", line.replace(['\n', '\r'], " ")).trim_end().to_owned() + "\n")
        .collect()
}

fn remark(field: &Field<'_>) -> Option<String> {
    let name = exported(&field.name);
    let form = match field.ty {
        Type::Datetime => Some("is an RFC 3339 instant.".to_owned()),
        Type::Date => Some("is a date, YYYY-MM-DD.".to_owned()),
        Type::Enum if !field.values.is_empty() => Some(format!("is one of {}.", field.values.join(", "))),
        _ => None,
    };
    match (field.description, form) {
        (Some(words), Some(form)) => Some(format!("{name} {form} {words}")),
        (Some(words), None) => Some(format!("{name}: {words}")),
        (None, form) => form.map(|form| format!("{name} {form}")),
    }
}

/// A struct with these fields.
pub(crate) fn declare(name: &str, description: &str, fields: &[Field<'_>]) -> String {
    let mut code = doc("", &[format!("{name}: {description}")]);
    code += &format!("type {name} struct {{\n");
    let rows: Vec<(Option<String>, String, String)> = fields
        .iter()
        .map(|field| {
            let pointer = if field.optional { "*" } else { "" };
            (remark(field), exported(&field.name), format!("{pointer}{}", ty(field.ty)))
        })
        .collect();
    code += &aligned(&rows);
    code + "}"
}

/// Rows of names and types, aligned in columns as gofmt does. A comment starts a new block of columns.
pub(crate) fn aligned(rows: &[(Option<String>, String, String)]) -> String {
    let mut code = String::new();
    let starts = |at: usize| at == 0 || rows[at].0.is_some();
    let mut at = 0;
    while at < rows.len() {
        let end = (at + 1..rows.len()).find(|next| starts(*next)).unwrap_or(rows.len());
        let block = &rows[at..end];
        if let Some(remark) = &block[0].0 {
            code += &doc("\t", std::slice::from_ref(remark));
        }
        let width = block.iter().map(|(_, name, _)| name.chars().count()).max().unwrap_or_default();
        for (_, name, ty) in block {
            code += &format!("\t{name}{}{ty}\n", " ".repeat(width - name.chars().count() + 1));
        }
        at = end;
    }
    code
}

fn key_builder(key: &KeyBuilder<'_>) -> String {
    let parts: Vec<String> =
        key.parts.iter().map(|part| format!("{} {}", value_name(&part.name), scalar(part.ty))).collect();
    format!("{}({}) (string, error)", exported(&key.name), parts.join(", "))
}

/// The Go type of a part of a key.
pub(crate) const fn scalar(part: Type) -> &'static str {
    match part {
        Type::List | Type::Map | Type::Set | Type::Binary => "string",
        other => ty(other),
    }
}

/// The name of a method's input type.
pub(crate) fn input_name(method: &Method<'_>) -> String {
    exported(&method.name.suffixed("input"))
}

/// The types that a method needs in addition to the entity models.
pub(crate) fn method_types(method: &Method<'_>) -> Option<String> {
    let mut types = Vec::new();
    if !method.parameters.is_empty() {
        let rows: Vec<(Option<String>, String, String)> = method
            .parameters
            .iter()
            .map(|parameter| {
                let element = ty(parameter.source.ty);
                let whole = match (parameter.source.list, parameter.source.optional) {
                    (true, _) => format!("[]{element}"),
                    (false, true) => format!("*{element}"),
                    (false, false) => element.to_owned(),
                };
                let values = (!parameter.values.is_empty()).then(|| {
                    format!("{} is one of {}.", exported(&parameter.name), parameter.values.join(", "))
                });
                (values, exported(&parameter.name), whole)
            })
            .collect();
        let name = input_name(method);
        types.push(format!(
            "{}type {name} struct {{\n{}}}",
            doc("", &[format!("{name} holds the inputs of {}.", method.pattern)]),
            aligned(&rows)
        ));
    }
    if let Answer::Made(fields) = &method.answer {
        let name = exported(&method.name.suffixed("result"));
        types.push(declare(&name, &format!("the values that {} generates.", method.pattern), fields));
    }
    for view in method.answer.views().iter().filter(|view| view.partial) {
        let description = format!("the result of {}: attributes of {}.", method.pattern, view.item);
        types.push(declare(&type_name(&view.name), &description, &view.fields));
    }
    if method.answer.views().len() > 1 {
        let name = mixed_name(method);
        let mut code = doc(
            "",
            &[format!(
                "{name} is the result of {}: an item of one of several types, told apart by a type switch.",
                method.pattern
            )],
        );
        code += &format!("type {name} interface{{ is{name}() }}\n");
        for view in method.answer.views() {
            code += &format!("\nfunc ({}) is{name}() {{}}\n", type_name(&view.name));
        }
        types.push(code.trim_end().to_owned());
    }
    (!types.is_empty()).then(|| types.join("\n\n"))
}

/// The type of an item in an answer of several item types.
pub(crate) fn mixed_name(method: &Method<'_>) -> String {
    exported(&method.name.suffixed("entry"))
}

/// The type of an item in an answer.
pub(crate) fn element(method: &Method<'_>, views: &[View<'_>]) -> String {
    match views {
        [one] => type_name(&one.name),
        _ => mixed_name(method),
    }
}

/// The return type of a method, including the error.
pub(crate) fn answer(method: &Method<'_>) -> String {
    match &method.answer {
        Answer::Nothing => "error".to_owned(),
        Answer::Made(_) => format!("({}, error)", exported(&method.name.suffixed("result"))),
        // An interface value can itself be nil, so it needs no pointer.
        Answer::One(views) if views.len() > 1 => format!("({}, error)", element(method, views)),
        Answer::One(views) => format!("(*{}, error)", element(method, views)),
        Answer::Many(views) => format!("([]{}, error)", element(method, views)),
        Answer::Page(views) => format!("(runtime.Page[{}], error)", element(method, views)),
        Answer::Count => "(int64, error)".to_owned(),
    }
}

/// A method's signature, without `func`.
pub(crate) fn signature(method: &Method<'_>) -> String {
    let mut parameters = vec!["ctx context.Context".to_owned()];
    if !method.parameters.is_empty() {
        parameters.push(format!("input {}", input_name(method)));
    }
    if matches!(method.answer, Answer::Page(_)) {
        parameters.push("page runtime.PageOptions".to_owned());
    }
    format!("{}({}) {}", exported(&method.name), parameters.join(", "), answer(method))
}
