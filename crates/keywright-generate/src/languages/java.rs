//! Java: interfaces.

use keywright_model::model::Type;

use super::Language;
use super::identifier::Reserved;
use crate::plan::{Answer, Field, KeyBuilder, Method, Name, View};

/// Java.
pub(super) static JAVA: Language = Language {
    name: "Java",
    fence: "java",
    method: value_name,
    entity: |entity| declare(&type_name(&entity.name), &entity.description, &entity.fields),
    key_builder,
    method_types,
    signature: |method| format!("{};", signature(method)),
    page: || "public record Page<T>(List<T> items, Optional<String> nextCursor) {}".to_owned(),
    repository: |_, entity| {
        (format!("public interface {} {{", entity.suffixed("repository").pascal()), "}".to_owned())
    },
};

static RESERVED: Reserved = Reserved {
    values: &[
        "abstract",
        "assert",
        "boolean",
        "break",
        "byte",
        "case",
        "catch",
        "char",
        "class",
        "const",
        "continue",
        "default",
        "do",
        "double",
        "else",
        "enum",
        "extends",
        "false",
        "final",
        "finally",
        "float",
        "for",
        "goto",
        "if",
        "implements",
        "import",
        "instanceof",
        "int",
        "interface",
        "long",
        "native",
        "new",
        "null",
        "package",
        "private",
        "protected",
        "public",
        "return",
        "short",
        "static",
        "strictfp",
        "super",
        "switch",
        "synchronized",
        "this",
        "throw",
        "throws",
        "transient",
        "true",
        "try",
        "void",
        "volatile",
        "while",
    ],
    types: &[
        "BigDecimal",
        "Boolean",
        "Byte",
        "Character",
        "Class",
        "Double",
        "Enum",
        "Error",
        "Exception",
        "Float",
        "Integer",
        "List",
        "Long",
        "Map",
        "Number",
        "Object",
        "Optional",
        "Page",
        "Record",
        "Set",
        "Short",
        "String",
        "Thread",
    ],
};

pub(super) fn type_name(name: &Name) -> String {
    RESERVED.ty(name.pascal())
}

fn value_name(name: &Name) -> String {
    RESERVED.value(name.camel())
}

/// The Java type of a value; with `boxed`, the class that generic types need.
const fn ty(ty: Type, boxed: bool) -> &'static str {
    match ty {
        Type::Integer => {
            if boxed {
                "Long"
            } else {
                "long"
            }
        }
        Type::Boolean => {
            if boxed {
                "Boolean"
            } else {
                "boolean"
            }
        }
        Type::Number | Type::Decimal => "BigDecimal",
        Type::List => "List<Object>",
        Type::Map => "Map<String, Object>",
        Type::Set => "Set<String>",
        Type::Binary => "byte[]",
        Type::Datetime => "Instant",
        Type::Date => "LocalDate",
        _ => "String",
    }
}

fn component(name: &Name, of: Type, optional: bool, list: bool) -> String {
    let whole = match (list, optional) {
        (true, _) => format!("List<{}>", ty(of, true)),
        (false, true) => format!("Optional<{}>", ty(of, true)),
        (false, false) => ty(of, false).to_owned(),
    };
    format!("{whole} {}", value_name(name))
}

fn declare(name: &str, description: &str, fields: &[Field<'_>]) -> String {
    let components: Vec<String> =
        fields.iter().map(|field| component(&field.name, field.ty, field.optional, false)).collect();
    let description = description.replace("*/", "* /").replace(['\n', '\r'], " ");
    format!("/** {description} */\npublic record {name}(\n    {}) {{}}", components.join(",\n    "))
}

fn key_builder(key: &KeyBuilder<'_>) -> String {
    let parts: Vec<String> =
        key.parts.iter().map(|part| format!("{} {}", ty(part.ty, false), value_name(&part.name))).collect();
    format!("static String {}({})", value_name(&key.name), parts.join(", "))
}

fn input_name(method: &Method<'_>) -> String {
    method.name.suffixed("input").pascal()
}

fn mixed_name(method: &Method<'_>) -> String {
    method.name.suffixed("entry").pascal()
}

fn method_types(method: &Method<'_>) -> Option<String> {
    let mut types = Vec::new();
    if !method.parameters.is_empty() {
        let components: Vec<String> = method
            .parameters
            .iter()
            .map(|it| component(&it.name, it.source.ty, it.source.optional, it.source.list))
            .collect();
        types.push(format!(
            "public record {}(\n    {}) {{}}",
            input_name(method),
            components.join(",\n    ")
        ));
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
        let name = mixed_name(method);
        let variants: Vec<String> = method
            .answer
            .views()
            .iter()
            .map(|view| {
                format!("    record {0}Entry({0} item) implements {name} {{}}", type_name(&view.name))
            })
            .collect();
        types.push(format!("public sealed interface {name} {{\n{}\n}}", variants.join("\n")));
    }
    (!types.is_empty()).then(|| types.join("\n\n"))
}

fn element(method: &Method<'_>, views: &[View<'_>]) -> String {
    match views {
        [one] => type_name(&one.name),
        _ => mixed_name(method),
    }
}

fn signature(method: &Method<'_>) -> String {
    let answer = match &method.answer {
        Answer::Nothing => "void".to_owned(),
        Answer::Made(_) => method.name.suffixed("result").pascal(),
        Answer::One(views) => format!("Optional<{}>", element(method, views)),
        Answer::Many(views) => format!("List<{}>", element(method, views)),
        Answer::Page(views) => format!("Page<{}>", element(method, views)),
        Answer::Count => "long".to_owned(),
    };
    let mut parameters = Vec::new();
    if !method.parameters.is_empty() {
        parameters.push(format!("{} input", input_name(method)));
    }
    if matches!(method.answer, Answer::Page(_)) {
        parameters.extend(["OptionalInt limit".to_owned(), "Optional<String> cursor".to_owned()]);
    }
    format!("{answer} {}({})", value_name(&method.name), parameters.join(", "))
}
