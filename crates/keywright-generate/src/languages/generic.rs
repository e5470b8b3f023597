//! Generic: interfaces for people, in the syntax of no language.

use keywright_model::model::Type;

use super::Language;
use crate::plan::{Answer, EntityModel, Field, KeyBuilder, Method, Name, Parameter, Plan, View};

/// Interfaces in the syntax of no language.
pub(super) static GENERIC: Language = Language {
    name: "Generic",
    fence: "text",
    method: Name::camel,
    entity,
    key_builder,
    method_types,
    signature,
    page,
    repository,
};

fn ty(ty: Type, values: &[String]) -> String {
    match ty {
        Type::Enum if !values.is_empty() => {
            values.iter().map(|value| format!("\"{value}\"")).collect::<Vec<_>>().join(" | ")
        }
        Type::Ulid | Type::Uuid | Type::Ksuid | Type::Enum | Type::Text => Type::String.name().to_owned(),
        other => other.name().to_owned(),
    }
}

fn declare(name: &str, fields: &[Field<'_>]) -> String {
    let mut text = format!("{name} {{\n");
    for field in fields {
        let optional = if field.optional { "?" } else { "" };
        text += &format!("  {}{optional}: {}\n", field.name.camel(), ty(field.ty, field.values));
    }
    text + "}"
}

fn entity(entity: &EntityModel<'_>) -> String {
    declare(&entity.name.pascal(), &entity.fields)
}

fn key_builder(key: &KeyBuilder<'_>) -> String {
    let parts: Vec<String> =
        key.parts.iter().map(|part| format!("{}: {}", part.name.camel(), ty(part.ty, &[]))).collect();
    format!("{}({}): string", key.name.camel(), parts.join(", "))
}

fn method_types(method: &Method<'_>) -> Option<String> {
    let mut types: Vec<String> = method
        .answer
        .views()
        .iter()
        .filter(|view| view.partial)
        .map(|view| declare(&view.name.pascal(), &view.fields))
        .collect();
    if let Answer::Made(fields) = &method.answer {
        types.push(declare(&method.name.suffixed("result").pascal(), fields));
    }
    (!types.is_empty()).then(|| types.join("\n\n"))
}

fn parameter(parameter: &Parameter<'_>) -> String {
    let optional = if parameter.source.optional { "?" } else { "" };
    let element = ty(parameter.source.ty, parameter.values);
    let element = if parameter.source.list { format!("list of {element}") } else { element };
    format!("{}{optional}: {element}", parameter.name.camel())
}

fn signature(method: &Method<'_>) -> String {
    let mut parameters: Vec<String> = method.parameters.iter().map(parameter).collect();
    if matches!(method.answer, Answer::Page(_)) {
        parameters.extend(["limit?: integer".to_owned(), "cursor?: string".to_owned()]);
    }
    format!("{}({}): {}", method.name.camel(), parameters.join(", "), answer(method))
}

fn answer(method: &Method<'_>) -> String {
    let union =
        |views: &[View<'_>]| views.iter().map(|view| view.name.pascal()).collect::<Vec<_>>().join(" | ");
    match &method.answer {
        Answer::Nothing => "nothing".to_owned(),
        Answer::Made(_) => method.name.suffixed("result").pascal(),
        Answer::One(views) => format!("{} or nothing", union(views)),
        Answer::Many(views) => format!("list of {}", union(views)),
        Answer::Page(views) => format!("PaginatedResult<{}>", union(views)),
        Answer::Count => "integer".to_owned(),
    }
}

fn page() -> String {
    "PaginatedResult<T> {\n  items: list of T\n  nextCursor?: string\n}".to_owned()
}

fn repository(_: &Plan<'_>, entity: &Name) -> (String, String) {
    (format!("{}Repository {{", entity.pascal()), "}".to_owned())
}
