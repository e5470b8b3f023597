//! TypeScript: interfaces, and the declarations that the `typescript` target shares with them.

use keywright_model::model::Type;

use super::Language;
use super::identifier::Reserved;
use crate::plan::{Answer, EntityModel, Field, KeyBuilder, Method, Name, Parameter, View};

/// TypeScript.
pub(super) static TYPESCRIPT: Language = Language {
    name: "TypeScript",
    fence: "typescript",
    method: method_name,
    entity,
    key_builder,
    method_types,
    signature: |method| format!("{};", signature(method)),
    page: || {
        "export interface Page<T> {\n  readonly items: T[];\n  readonly nextCursor?: string;\n}".to_owned()
    },
    repository: |_, entity| (format!("export interface {} {{", repository_name(entity)), "}".to_owned()),
};

static RESERVED: Reserved = Reserved {
    values: &[
        "arguments",
        "await",
        "break",
        "case",
        "catch",
        "class",
        "const",
        "constructor",
        "continue",
        "debugger",
        "default",
        "delete",
        "do",
        "else",
        "enum",
        "eval",
        "export",
        "extends",
        "false",
        "finally",
        "for",
        "function",
        "if",
        "implements",
        "import",
        "in",
        "instanceof",
        "interface",
        "let",
        "new",
        "null",
        "package",
        "private",
        "protected",
        "public",
        "return",
        "static",
        "super",
        "switch",
        "this",
        "throw",
        "true",
        "try",
        "typeof",
        "undefined",
        "var",
        "void",
        "while",
        "with",
        "yield",
    ],
    types: &[
        "Any",
        "Array",
        "BigInt",
        "Boolean",
        "Buffer",
        "Date",
        "DynamoDBClient",
        "Error",
        "Function",
        "Iterator",
        "Map",
        "Never",
        "Number",
        "Object",
        "Partial",
        "Pick",
        "Promise",
        "Readonly",
        "ReadonlyArray",
        "ReadonlySet",
        "Record",
        "RegExp",
        "Set",
        "String",
        "Symbol",
        "Tagged",
        "Uint8Array",
        "Unknown",
    ],
};

/// The name of a type.
pub(crate) fn type_name(name: &Name) -> String {
    RESERVED.ty(name.pascal())
}

/// The name of a method.
pub(crate) fn method_name(name: &Name) -> String {
    RESERVED.value(name.camel())
}

/// The name of a function or constant.
pub(crate) fn value_name(name: &Name) -> String {
    RESERVED.value(name.camel())
}

/// The class with the methods of an entity.
pub(crate) fn repository_name(entity: &Name) -> String {
    entity.suffixed("repository").pascal()
}

/// The TypeScript type of a value.
pub(crate) fn ty(ty: Type, values: &[String]) -> String {
    match ty {
        Type::Enum if !values.is_empty() => {
            values.iter().map(|value| text(value)).collect::<Vec<_>>().join(" | ")
        }
        Type::String
        | Type::Text
        | Type::Ulid
        | Type::Uuid
        | Type::Ksuid
        | Type::Enum
        | Type::Datetime
        | Type::Date
        // A string keeps all digits; a double has too few for money.
        | Type::Decimal => "string".to_owned(),
        Type::Number | Type::Integer => "number".to_owned(),
        Type::Boolean => "boolean".to_owned(),
        Type::List => "readonly runtime.Document[]".to_owned(),
        Type::Map => "{ readonly [name: string]: runtime.Document }".to_owned(),
        Type::Set => "ReadonlySet<string>".to_owned(),
        Type::Binary => "Uint8Array".to_owned(),
    }
}

/// A string literal.
pub(crate) fn text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A JSDoc comment. The text is escaped so that it can't end the comment.
pub(crate) fn doc(indent: &str, lines: &[String]) -> String {
    let lines: Vec<String> =
        lines.iter().map(|line| line.replace("*/", "*\\/").replace(['\n', '\r'], " ")).collect();
    match lines.as_slice() {
        [one] => format!("{indent}/** {one} */\n"),
        several => {
            let body: String = several
                .iter()
                .map(|line| format!("{indent} * {line}").trim_end().to_owned() + "\n")
                .collect();
            format!("{indent}/**\n{body}{indent} */\n")
        }
    }
}

fn remark(field: &Field<'_>) -> Option<String> {
    let form = match field.ty {
        Type::Datetime => Some("An RFC 3339 instant."),
        Type::Date => Some("A date, `YYYY-MM-DD`."),
        Type::Decimal => Some("A decimal, exact."),
        _ => None,
    };
    match (field.description, form) {
        (Some(words), Some(form)) => Some(format!("{words} {form}")),
        (Some(words), None) => Some(words.to_owned()),
        (None, form) => form.map(str::to_owned),
    }
}

/// An interface with these fields.
pub(crate) fn declare(name: &str, description: &str, fields: &[Field<'_>]) -> String {
    let mut code = doc("", &[description.to_owned()]);
    code += &format!("export interface {name} {{\n");
    for field in fields {
        if let Some(remark) = remark(field) {
            code += &doc("  ", &[remark]);
        }
        let (mark, undefined) = if field.optional { ("?", " | undefined") } else { ("", "") };
        code +=
            &format!("  readonly {}{mark}: {}{undefined};\n", field.name.camel(), ty(field.ty, field.values));
    }
    code + "}"
}

fn entity(entity: &EntityModel<'_>) -> String {
    declare(&type_name(&entity.name), &entity.description, &entity.fields)
}

fn key_builder(key: &KeyBuilder<'_>) -> String {
    let parts: Vec<String> =
        key.parts.iter().map(|part| format!("{}: {}", part.name.camel(), ty(part.ty, &[]))).collect();
    let input = if parts.is_empty() { String::new() } else { format!("values: {{ {} }}", parts.join("; ")) };
    format!("{}({input}): string", value_name(&key.name))
}

/// The name of a method's input type.
pub(crate) fn input_name(method: &Method<'_>) -> String {
    method.name.suffixed("input").pascal()
}

/// Whether a method takes an input object.
pub(crate) fn has_input(method: &Method<'_>) -> bool {
    !method.parameters.is_empty() || matches!(method.answer, Answer::Page(_))
}

fn parameter(parameter: &Parameter<'_>) -> String {
    let element = ty(parameter.source.ty, parameter.values);
    let of_list = if element.contains('|') { format!("({element})") } else { element.clone() };
    let whole = if parameter.source.list { format!("readonly {of_list}[]") } else { element };
    let (mark, undefined) = if parameter.source.optional { ("?", " | undefined") } else { ("", "") };
    format!("  readonly {}{mark}: {whole}{undefined};\n", parameter.name.camel())
}

/// The types that a method needs in addition to the entity models.
pub(crate) fn method_types(method: &Method<'_>) -> Option<String> {
    let mut types = Vec::new();
    if has_input(method) {
        let mut code = doc("", &[format!("What {} takes.", method.pattern)]);
        code += &format!("export interface {} {{\n", input_name(method));
        method.parameters.iter().for_each(|it| code += &parameter(it));
        if matches!(method.answer, Answer::Page(_)) {
            code +=
                &doc("  ", &[format!("The number of items; {} by default.", method.page_size.unwrap_or(25))]);
            code += "  readonly limit?: number | undefined;\n";
            code += &doc("  ", &["The next cursor of the previous page.".to_owned()]);
            code += "  readonly cursor?: string | undefined;\n";
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
        let variants: Vec<String> = method
            .answer
            .views()
            .iter()
            .map(|view| {
                format!(
                    "\n  | {{ readonly type: {}; readonly item: {} }}",
                    text(view.item),
                    type_name(&view.name)
                )
            })
            .collect();
        types.push(format!(
            "{}export type {} ={};",
            doc(
                "",
                &[format!("The result of {}: items of several types, told apart by `type`.", method.pattern)]
            ),
            mixed_name(method),
            variants.concat()
        ));
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
        Answer::Nothing => "void".to_owned(),
        Answer::Made(_) => method.name.suffixed("result").pascal(),
        Answer::One(views) => format!("{} | undefined", element(method, views)),
        Answer::Many(views) => format!("{}[]", element(method, views)),
        Answer::Page(views) => format!("runtime.Page<{}>", element(method, views)),
        Answer::Count => "number".to_owned(),
    }
}

/// A method's signature, without the `;` or `{` after it.
pub(crate) fn signature(method: &Method<'_>) -> String {
    let input = if has_input(method) { format!("input: {}", input_name(method)) } else { String::new() };
    format!("{}({input}): Promise<{}>", method_name(&method.name), answer(method))
}
