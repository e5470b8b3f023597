//! Python: interfaces, and the declarations that the `python` target shares with them.

use keywright_model::model::Type;

use super::Language;
use super::identifier::Reserved;
use crate::plan::{Answer, Field, KeyBuilder, Method, Name, Parameter, View};

/// Python.
pub(super) static PYTHON: Language = Language {
    name: "Python",
    fence: "python",
    method: value_name,
    entity: |entity| declare(&type_name(&entity.name), &entity.description, &entity.fields),
    key_builder,
    method_types,
    signature: |method| format!("{} ...", signature(method)),
    page: || {
        "@dataclass(frozen=True)\nclass Page(Generic[T]):\n    items: list[T]\n    next_cursor: str | None = None".to_owned()
    },
    repository: |_, entity| (format!("class {}(Protocol):", repository_name(entity)), String::new()),
};

static RESERVED: Reserved = Reserved {
    values: &[
        "False", "None", "True", "and", "as", "assert", "async", "await", "bool", "break", "bytes", "class",
        "continue", "cursor", "def", "del", "dict", "elif", "else", "except", "finally", "for", "from",
        "global", "if", "import", "in", "int", "is", "lambda", "limit", "list", "nonlocal", "not", "or",
        "pass", "raise", "return", "self", "set", "str", "try", "while", "with", "yield",
    ],
    types: &[
        "Any",
        "Decimal",
        "Ellipsis",
        "Exception",
        "False",
        "Generic",
        "Literal",
        "None",
        "NotImplemented",
        "Protocol",
        "True",
        "Union",
    ],
};

/// The name of a type.
pub(crate) fn type_name(name: &Name) -> String {
    RESERVED.ty(name.pascal())
}

/// The name of a method, function, parameter or field.
pub(crate) fn value_name(name: &Name) -> String {
    RESERVED.value(name.snake())
}

/// The class with the methods of an entity.
pub(crate) fn repository_name(entity: &Name) -> String {
    entity.suffixed("repository").pascal()
}

/// The Python type of a value.
pub(crate) fn ty(ty: Type, values: &[String]) -> String {
    match ty {
        Type::Enum if !values.is_empty() => {
            format!("Literal[{}]", values.iter().map(|value| text(value)).collect::<Vec<_>>().join(", "))
        }
        Type::String
        | Type::Text
        | Type::Ulid
        | Type::Uuid
        | Type::Ksuid
        | Type::Enum
        | Type::Datetime
        | Type::Date => "str".to_owned(),
        Type::Integer => "int".to_owned(),
        Type::Number | Type::Decimal => "Decimal".to_owned(),
        Type::Boolean => "bool".to_owned(),
        Type::List => "list[runtime.Document]".to_owned(),
        Type::Map => "dict[str, runtime.Document]".to_owned(),
        Type::Set => "set[str]".to_owned(),
        Type::Binary => "bytes".to_owned(),
    }
}

/// A string literal.
pub(crate) fn text(text: &str) -> String {
    let mut literal = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => literal.push_str("\\\""),
            '\\' => literal.push_str("\\\\"),
            it if (it as u32) < 0x20 || it as u32 == 0x7f => {
                literal.push_str(&format!("\\x{:02x}", it as u32))
            }
            it => literal.push(it),
        }
    }
    literal.push('"');
    literal
}

/// A docstring. The text is escaped so that it can't end the docstring.
pub(crate) fn doc(lines: &[String]) -> String {
    let lines: Vec<String> = lines
        .iter()
        .map(|line| line.replace('\\', "\\\\").replace('"', "'").replace(['\n', '\r'], " "))
        .collect();
    match lines.as_slice() {
        [one] => format!("\"\"\"{one}\"\"\""),
        several => format!("\"\"\"{}\n\"\"\"", several.join("\n")),
    }
}

/// A class with these fields. Optional fields come last, since they have a default.
pub(crate) fn declare(name: &str, description: &str, fields: &[Field<'_>]) -> String {
    let mut code =
        format!("@dataclass(frozen=True)\nclass {name}:\n    {}\n", doc(&[description.to_owned()]));
    let (optional, required): (Vec<&Field<'_>>, Vec<&Field<'_>>) =
        fields.iter().partition(|field| field.optional);
    if !fields.is_empty() {
        code += "\n";
    }
    for field in required.into_iter().chain(optional) {
        let default = if field.optional { " | None = None" } else { "" };
        code += &format!("    {}: {}{default}\n", value_name(&field.name), ty(field.ty, field.values));
        if let Some(words) = field.description {
            code += &format!("    {}\n", doc(&[words.to_owned()]));
        }
    }
    code.trim_end().to_owned()
}

/// The Python type of a part of a key.
pub(crate) fn scalar(part: Type) -> String {
    match ty(part, &[]).as_str() {
        it @ ("str" | "int" | "bool" | "Decimal") => it.to_owned(),
        _ => "str".to_owned(),
    }
}

fn key_builder(key: &KeyBuilder<'_>) -> String {
    let parts: Vec<String> =
        key.parts.iter().map(|part| format!("{}: {}", value_name(&part.name), scalar(part.ty))).collect();
    format!("{}({}) -> str", value_name(&key.name), parts.join(", "))
}

/// The types that a method needs in addition to the entity models.
pub(crate) fn method_types(method: &Method<'_>) -> Option<String> {
    let mut types = Vec::new();
    if let Answer::Made(fields) = &method.answer {
        let name = method.name.suffixed("result").pascal();
        types.push(declare(&name, &format!("The values that {} generates.", method.pattern), fields));
    }
    for view in method.answer.views().iter().filter(|view| view.partial) {
        let description = format!("The result of {}: attributes of {}.", method.pattern, view.item);
        types.push(declare(&type_name(&view.name), &description, &view.fields));
    }
    (!types.is_empty()).then(|| types.join("\n\n\n"))
}

/// The type of an item in an answer.
pub(crate) fn element(views: &[View<'_>]) -> String {
    views.iter().map(|view| type_name(&view.name)).collect::<Vec<_>>().join(" | ")
}

/// The return type of a method.
pub(crate) fn answer(method: &Method<'_>) -> String {
    match &method.answer {
        Answer::Nothing => "None".to_owned(),
        Answer::Made(_) => method.name.suffixed("result").pascal(),
        Answer::One(views) => format!("{} | None", element(views)),
        Answer::Many(views) => format!("list[{}]", element(views)),
        Answer::Page(views) => format!("runtime.Page[{}]", element(views)),
        Answer::Count => "int".to_owned(),
    }
}

fn parameter(parameter: &Parameter<'_>) -> String {
    let element = ty(parameter.source.ty, parameter.values);
    let whole = if parameter.source.list { format!("Sequence[{element}]") } else { element };
    let default = if parameter.source.optional { " | None = None" } else { "" };
    format!("{}: {whole}{default}", value_name(&parameter.name))
}

/// A method's signature, up to the colon.
pub(crate) fn signature(method: &Method<'_>) -> String {
    let mut parameters: Vec<String> = method.parameters.iter().map(parameter).collect();
    if matches!(method.answer, Answer::Page(_)) {
        parameters.extend(["limit: int | None = None".to_owned(), "cursor: str | None = None".to_owned()]);
    }
    let given = if parameters.is_empty() { String::new() } else { format!(", *, {}", parameters.join(", ")) };
    format!("def {}(self{given}) -> {}:", value_name(&method.name), answer(method))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_can_t_end_their_literals() {
        assert_eq!(text("a\"\\\n"), "\"a\\\"\\\\\\x0a\"");
        assert!(!doc(&["\"\"\" x".to_owned()])[3..].starts_with("\"\"\""));
    }
}
