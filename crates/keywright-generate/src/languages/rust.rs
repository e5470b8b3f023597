//! Rust: interfaces, and the declarations that the `rust` target shares with them.

use keywright_model::model::Type;

use super::Language;
use super::identifier::Reserved;
use crate::plan::{Answer, Field, KeyBuilder, Method, Name, View};

/// Rust.
pub(super) static RUST: Language = Language {
    name: "Rust",
    fence: "rust",
    method: value_name,
    entity: |entity| declare(&type_name(&entity.name), &entity.description, &entity.fields),
    key_builder: |key| format!("pub {}", key_signature(key)),
    method_types,
    signature: |method| format!("{};", signature(method)),
    page: || {
        "pub struct Page<T> {\n    pub items: Vec<T>,\n    pub next_cursor: Option<String>,\n}".to_owned()
    },
    repository: |_, entity| (format!("pub trait {} {{", repository_name(entity)), "}".to_owned()),
};

static RESERVED: Reserved = Reserved {
    values: &[
        "Self", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
        "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in",
        "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return",
        "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof", "unsafe", "unsized",
        "use", "virtual", "where", "while", "yield",
    ],
    types: &[
        "Box",
        "Clone",
        "Copy",
        "Debug",
        "Default",
        "Drop",
        "Eq",
        "Err",
        "Fn",
        "FnMut",
        "FnOnce",
        "From",
        "Into",
        "Iterator",
        "None",
        "Ok",
        "Option",
        "Ord",
        "PartialEq",
        "PartialOrd",
        "Result",
        "Self",
        "Send",
        "Sized",
        "Some",
        "String",
        "Sync",
        "ToString",
        "Vec",
    ],
};

/// The name of a type.
pub(crate) fn type_name(name: &Name) -> String {
    RESERVED.ty(name.pascal())
}

/// The name of a function, method, parameter or field.
pub(crate) fn value_name(name: &Name) -> String {
    RESERVED.value(name.snake())
}

/// The type with the methods of an entity.
pub(crate) fn repository_name(entity: &Name) -> String {
    entity.suffixed("repository").pascal()
}

/// The Rust type of a value.
pub(crate) const fn ty(ty: Type) -> &'static str {
    match ty {
        Type::String
        | Type::Text
        | Type::Ulid
        | Type::Uuid
        | Type::Ksuid
        | Type::Enum
        | Type::Datetime
        | Type::Date => "String",
        Type::Integer => "i64",
        Type::Number | Type::Decimal => "keywright::Decimal",
        Type::Boolean => "bool",
        Type::List => "Vec<rt::AttributeValue>",
        Type::Map => "std::collections::HashMap<String, rt::AttributeValue>",
        Type::Set => "Vec<String>",
        Type::Binary => "Vec<u8>",
    }
}

/// A doc comment.
pub(crate) fn doc(indent: &str, lines: &[String]) -> String {
    lines
        .iter()
        .map(|line| {
            // Otherwise rustdoc would read placeholders in brackets as links or HTML.
            let line =
                line.replace(['\n', '\r'], " ").replace('[', "\\[").replace(']', "\\]").replace('<', "\\<");
            format!("{indent}/// {line}").trim_end().to_owned() + "\n"
        })
        .collect()
}

fn remark(field: &Field<'_>) -> String {
    let form = match field.ty {
        Type::Datetime => Some("An RFC 3339 instant.".to_owned()),
        Type::Date => Some("A date, `YYYY-MM-DD`.".to_owned()),
        Type::Enum if !field.values.is_empty() => Some(format!("One of {}.", field.values.join(", "))),
        _ => None,
    };
    match (field.description, form) {
        (Some(words), Some(form)) => format!("{words} {form}"),
        (Some(words), None) => words.to_owned(),
        (None, Some(form)) => form,
        (None, None) => format!("`{}`.", field.attribute),
    }
}

/// A struct with these fields.
pub(crate) fn declare(name: &str, description: &str, fields: &[Field<'_>]) -> String {
    let mut code = doc("", &[description.to_owned()]);
    code += "#[derive(Clone, Debug, PartialEq)]\n";
    if fields.is_empty() {
        return code + &format!("pub struct {name} {{}}");
    }
    code += &format!("pub struct {name} {{\n");
    for field in fields {
        let whole =
            if field.optional { format!("Option<{}>", ty(field.ty)) } else { ty(field.ty).to_owned() };
        code += &doc("    ", &[remark(field)]);
        code += &format!("    pub {}: {whole},\n", value_name(&field.name));
    }
    code + "}"
}

/// The Rust type of a part of a key.
pub(crate) const fn scalar(part: Type) -> &'static str {
    match part {
        Type::Integer => "i64",
        Type::Boolean => "bool",
        Type::Number | Type::Decimal => "keywright::Decimal",
        _ => "&str",
    }
}

/// The signature of a key builder, without its visibility.
pub(crate) fn key_signature(key: &KeyBuilder<'_>) -> String {
    let parts: Vec<String> =
        key.parts.iter().map(|part| format!("{}: {}", value_name(&part.name), scalar(part.ty))).collect();
    format!("fn {}({}) -> Result<String, rt::Error>", value_name(&key.name), parts.join(", "))
}

/// The name of a method's input type.
pub(crate) fn input_name(method: &Method<'_>) -> String {
    method.name.suffixed("input").pascal()
}

/// The types that a method needs in addition to the entity models.
pub(crate) fn method_types(method: &Method<'_>) -> Option<String> {
    let mut types = Vec::new();
    if !method.parameters.is_empty() {
        let mut code = doc("", &[format!("What {} takes.", method.pattern)]);
        code += &format!("#[derive(Clone, Debug, PartialEq)]\npub struct {} {{\n", input_name(method));
        for parameter in &method.parameters {
            let element = ty(parameter.source.ty);
            let whole = match (parameter.source.list, parameter.source.optional) {
                (true, _) => format!("Vec<{element}>"),
                (false, true) => format!("Option<{element}>"),
                (false, false) => element.to_owned(),
            };
            let words = if parameter.values.is_empty() {
                format!("`{}`.", parameter.source.name)
            } else {
                format!("One of {}.", parameter.values.join(", "))
            };
            code += &doc("    ", &[words]);
            code += &format!("    pub {}: {whole},\n", value_name(&parameter.name));
        }
        types.push(code + "}");
    }
    if let Answer::Made(fields) = &method.answer {
        let name = method.name.suffixed("result").pascal();
        types.push(declare(&name, &format!("The values that {} generates.", method.pattern), fields));
    }
    for view in method.answer.views().iter().filter(|view| view.partial) {
        let description = format!("The result of {}: attributes of {}.", method.pattern, view.item);
        types.push(declare(&type_name(&view.name), &description, &view.fields));
    }
    if method.answer.views().len() > 1 {
        let mut code =
            doc("", &[format!("The result of {}: an item of one of several types.", method.pattern)]);
        code += &format!("#[derive(Clone, Debug, PartialEq)]\npub enum {} {{\n", mixed_name(method));
        for view in method.answer.views() {
            code += &doc("    ", &[format!("An item of type {}.", view.item)]);
            code += &format!("    {}({}),\n", type_name(&Name::new(view.item)), type_name(&view.name));
        }
        types.push(code + "}");
    }
    (!types.is_empty()).then(|| types.join("\n\n"))
}

/// The type of an item in an answer of several item types.
pub(crate) fn mixed_name(method: &Method<'_>) -> String {
    method.name.suffixed("entry").pascal()
}

/// The type of an item in an answer.
pub(crate) fn element(method: &Method<'_>, views: &[View<'_>]) -> String {
    match views {
        [one] => type_name(&one.name),
        _ => mixed_name(method),
    }
}

/// The return type of a method.
pub(crate) fn answer(method: &Method<'_>) -> String {
    match &method.answer {
        Answer::Nothing => "()".to_owned(),
        Answer::Made(_) => method.name.suffixed("result").pascal(),
        Answer::One(views) => format!("Option<{}>", element(method, views)),
        Answer::Many(views) => format!("Vec<{}>", element(method, views)),
        Answer::Page(views) => format!("rt::Page<{}>", element(method, views)),
        Answer::Count => "i64".to_owned(),
    }
}

/// A method's signature, without its visibility.
pub(crate) fn signature(method: &Method<'_>) -> String {
    let mut parameters = vec!["&self".to_owned()];
    if !method.parameters.is_empty() {
        parameters.push(format!("input: {}", input_name(method)));
    }
    if matches!(method.answer, Answer::Page(_)) {
        parameters.push("page: rt::PageOptions".to_owned());
    }
    format!(
        "async fn {}({}) -> Result<{}, rt::Error>",
        value_name(&method.name),
        parameters.join(", "),
        answer(method)
    )
}
