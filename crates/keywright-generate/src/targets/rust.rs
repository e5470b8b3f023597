//! `rust`: a crate on `keywright` and `aws-sdk-dynamodb`.

use keywright_model::design::Request;
use keywright_model::model::Type;

use super::{Options, Target};
use crate::code::Code;
use crate::languages::rust::{
    declare, doc, element, key_signature, method_types, mixed_name, repository_name, scalar, signature,
    type_name, value_name,
};
use crate::plan::{Answer, Field, KeyBuilder, Literal, Method, Name, Parameter, View, program, schema};
use crate::{File, Plan, describe, header};

/// Rust on aws-sdk-dynamodb.
pub(super) static RUST: Target = Target {
    name: "rust",
    summary: "a Rust crate on keywright and aws-sdk-dynamodb: one typed method per pattern",
    files,
};

fn files(plan: &Plan<'_>, _: &Options) -> Vec<File> {
    let comment = header::comment(plan, "//");
    let with_header = |text: &str| format!("{comment}\n{text}");
    let name = plan.application.suffixed("store").kebab();
    let manifest = format!(
        "{}\n[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\nrust-version = \"1.91\"\n\n[dependencies]\n\
         aws-sdk-dynamodb = {{ version = \"1\", default-features = false, features = [\"rt-tokio\"] }}\n\
         keywright = {{ version = \"0.1\", default-features = false, features = [\"ksuid\", \"ulid\", \"uuid\"] }}\n",
        header::comment(plan, "#")
    );
    let mut files = vec![
        File::new("Cargo.toml", manifest),
        File::new("src/lib.rs", with_header(LIB)),
        File::new("src/entities.rs", with_header(&entities(plan))),
        File::new("src/keys.rs", with_header(&keys(plan))),
        File::new("src/repositories.rs", with_header(&repositories(plan))),
        File::new("src/schema.rs", with_header(&schema_file(plan))),
        File::new("src/runtime.rs", with_header(include_str!("rust/runtime.rs"))),
    ];
    for (name, text) in [
        ("call", include_str!("rust/call.rs")),
        ("cursor", include_str!("rust/cursor.rs")),
        ("error", include_str!("rust/error.rs")),
        ("operation", include_str!("rust/operation.rs")),
        ("read", include_str!("rust/read.rs")),
        ("scope", include_str!("rust/scope.rs")),
        ("store", include_str!("rust/store.rs")),
        ("value", include_str!("rust/value.rs")),
        ("wait", include_str!("rust/wait.rs")),
        ("write", include_str!("rust/write.rs")),
    ] {
        files.push(File::new(format!("src/runtime/{name}.rs"), with_header(text)));
    }
    files
}

const LIB: &str = "//! The access patterns as typed methods.

pub mod entities;
pub mod keys;
pub mod repositories;
pub mod runtime;
mod schema;

pub use repositories::*;
pub use runtime::{Error, Page, PageOptions, Store};
pub use schema::SCHEMA;
";

fn schema_file(plan: &Plan<'_>) -> String {
    format!(
        "//! The tables, indexes and item types.\n\nuse crate::runtime as rt;\n\n/// The tables, indexes and item types.\n\
         pub static SCHEMA: rt::Schema = {};\n",
        print("", &schema(plan.design), 0)
    )
}

fn entities(plan: &Plan<'_>) -> String {
    let mut code = String::from("//! The attributes of the items.\n\nuse crate::runtime as rt;\n");
    for entity in &plan.entities {
        let name = type_name(&entity.name);
        code += &format!("\n{}\n", declare(&name, &entity.description, &entity.fields));
        code += &format!("\n{}", reader(&name, &entity.item.name, &entity.fields));
    }
    code
}

/// The function that reads an item into its struct.
fn reader(name: &str, item: &str, fields: &[Field<'_>]) -> String {
    let mut code = Code::new("    ");
    code.block(format!("impl {name} {{"), "}", |code| {
        code.line("/// Reads an item.");
        let parameter = if fields.is_empty() { "_item" } else { "item" };
        code.block(
            format!("pub fn from_item({parameter}: &rt::Item) -> Result<Self, rt::Error> {{"),
            "}",
            |code| {
                if fields.is_empty() {
                    code.line("Ok(Self {})");
                    return;
                }
                code.line(format!("let reader = rt::Reader::new({}, item);", text(item)));
                code.block("Ok(Self {", "})", |code| {
                    for field in fields {
                        let method = reads(field.ty);
                        let path = text(field.attribute);
                        let read = if field.optional {
                            format!("reader.optional({path}, rt::Reader::{method})?")
                        } else {
                            format!("reader.{method}({path})?")
                        };
                        code.line(format!("{}: {read},", value_name(&field.name)));
                    }
                });
            },
        );
    });
    code.finish()
}

/// The reader method that returns a value of this type.
const fn reads(ty: Type) -> &'static str {
    match ty {
        Type::Integer => "integer",
        Type::Number | Type::Decimal => "decimal",
        Type::Boolean => "flag",
        Type::List => "list",
        Type::Map => "map",
        Type::Set => "set",
        Type::Binary => "binary",
        _ => "text",
    }
}

fn keys(plan: &Plan<'_>) -> String {
    let functions: Vec<String> =
        plan.keys.iter().filter(|key| key.builds()).map(|key| format!("\n{}", key_function(key))).collect();
    if functions.is_empty() {
        return "//! Every key is a plain attribute.\n".to_owned();
    }
    let code = String::from(
        "//! The keys of every item type.\n\nuse crate::runtime as rt;\n\n\
         fn built(template: &str, values: &[(&str, String)]) -> Result<String, rt::Error> {\n    \
             let template =\n        keywright::Template::parse(template).map_err(|error| rt::Error::InvalidKey(error.to_string()))?;\n    \
             let text = |name: &str| values.iter().find(|(it, _)| *it == name).map(|(_, text)| text.as_str());\n    \
             template.build_from_text(text).map_err(|error| rt::Error::InvalidKey(error.to_string()))\n}\n",
    );
    code + &functions.concat()
}

fn key_function(key: &KeyBuilder<'_>) -> String {
    let patterns = if key.patterns.is_empty() {
        String::new()
    } else {
        format!(" Used by {}.", key.patterns.join(", "))
    };
    let words =
        format!("`{}` of {}: `{}`.{patterns}", key.assignment.attribute, key.item.name, key.template());
    let values: Vec<String> = key
        .parts
        .iter()
        .map(|part| {
            let name = value_name(&part.name);
            let value = if scalar(part.ty) == "&str" {
                format!("{name}.to_owned()")
            } else {
                format!("{name}.to_string()")
            };
            format!("({}, {value})", text(part.attribute))
        })
        .collect();
    // These words are in a code span, where nothing is read as markup, so the escapes are undone.
    let words = doc("", &[words]).replace("\\<", "<").replace("\\[", "[").replace("\\]", "]");
    format!(
        "{words}pub {} {{\n    built({}, &[{}])\n}}\n",
        key_signature(key),
        text(&key.template()),
        values.join(", ")
    )
}

fn repositories(plan: &Plan<'_>) -> String {
    let mut code = Code::new("    ");
    code.line("//! One method per access pattern.");
    code.blank();
    let mut whole: Vec<String> = plan
        .methods
        .iter()
        .flat_map(|method| method.answer.views())
        .filter(|view| !view.partial)
        .map(|view| type_name(&view.name))
        .collect();
    whole.sort_unstable();
    whole.dedup();
    match whole.as_slice() {
        [] => {}
        [one] => {
            code.line(format!("use crate::entities::{one};"));
        }
        several => {
            code.line(format!("use crate::entities::{{{}}};", several.join(", ")));
        }
    }
    code.line("use crate::runtime as rt;");
    if plan.methods.iter().any(|method| method.answer.views().len() > 1) {
        code.line("use crate::schema::SCHEMA;");
    }
    for method in &plan.methods {
        if let Some(types) = method_types(method) {
            code.blank();
            code.line(types);
        }
        for view in method.answer.views().iter().filter(|view| view.partial) {
            code.blank();
            code.line(reader(&type_name(&view.name), view.item, &view.fields).trim_end());
        }
        if method.answer.views().len() > 1 {
            code.blank();
            mixed(&mut code, method);
        }
    }
    for (entity, methods) in plan.repositories() {
        let name = repository_name(entity);
        code.blank();
        code.line(format!("/// The access patterns of {}.", entity.pascal()));
        code.line("#[derive(Clone, Debug)]");
        code.block(format!("pub struct {name} {{"), "}", |code| {
            code.line("store: rt::Store,");
        });
        code.blank();
        code.block(format!("impl {name} {{"), "}", |code| {
            code.line("/// The access patterns on a store.");
            code.block("pub fn new(store: rt::Store) -> Self {", "}", |code| {
                code.line("Self { store }");
            });
            for method in methods {
                code.blank();
                self::method(code, plan, method);
            }
        });
    }
    code.finish()
}

fn mixed(code: &mut Code, method: &Method<'_>) {
    let views = method.answer.views();
    code.block(format!("impl {} {{", mixed_name(method)), "}", |code| {
        code.line("/// Reads an item.");
        code.block("pub fn from_item(item: &rt::Item) -> Result<Self, rt::Error> {", "}", |code| {
            let candidates: Vec<String> = views.iter().map(|view| text(view.item)).collect();
            code.block(
                format!("match rt::type_of(&SCHEMA, item, &[{}]) {{", candidates.join(", ")),
                "}",
                |code| {
                    for view in views {
                        code.line(format!(
                            "Some({}) => {}::from_item(item).map(Self::{}),",
                            text(view.item),
                            type_name(&view.name),
                            type_name(&Name::new(view.item))
                        ));
                    }
                    let message = format!("{}: an item of another type came back", method.pattern);
                    code.line(format!("_ => Err(rt::Error::MalformedItem({}.to_owned())),", text(&message)));
                },
            );
        });
    });
}

fn method(code: &mut Code, plan: &Plan<'_>, method: &Method<'_>) {
    let mut words = vec![format!("{}: {}", method.pattern, method.operation.description)];
    words.push(String::new());
    words.push(format!("{}.", describe::summary(method.operation)));
    let fails: Vec<String> = method
        .operation
        .requests
        .iter()
        .flat_map(Request::actions)
        .filter_map(|action| describe::condition(action).and_then(|(_, fails_as)| fails_as))
        .map(|fails_as| format!("`ConditionFailed` unless: {fails_as}"))
        .collect();
    if !fails.is_empty() {
        words.extend([String::new(), "# Errors".to_owned()]);
        words.extend(fails);
    }
    code.line(doc("", &words).trim_end());
    code.block(format!("pub {} {{", signature(method)), "}", |code| {
        let operation = print("", &program(plan.design, method.operation), 0);
        code.line(format!("static OPERATION: rt::Operation = {operation};"));
        let page =
            if matches!(method.answer, Answer::Page(_)) { "page" } else { "rt::PageOptions::default()" };
        let optional = method.parameters.iter().any(|parameter| parameter.source.optional);
        let required: Vec<String> = method
            .parameters
            .iter()
            .filter(|parameter| !parameter.source.optional)
            .map(|parameter| {
                format!("    ({}, {}),\n", text(&parameter.source.name), given(parameter, "input."))
            })
            .collect();
        let list = if required.is_empty() { "[]".to_owned() } else { format!("[\n{}]", required.concat()) };
        let mutable = if optional { "mut " } else { "" };
        code.line(format!("let {mutable}inputs = rt::Inputs::from({list});"));
        for parameter in method.parameters.iter().filter(|parameter| parameter.source.optional) {
            let name = value_name(&parameter.name);
            code.block(format!("if let Some({name}) = input.{name} {{"), "}", |code| {
                code.line(format!(
                    "inputs.insert({}, {});",
                    text(&parameter.source.name),
                    given(parameter, "")
                ));
            });
        }
        let target = if matches!(method.answer, Answer::Nothing) { "" } else { "let answer = " };
        code.line(format!("{target}self.store.run(&OPERATION, inputs, {page}).await?;"));
        result(code, method);
    });
}

fn result(code: &mut Code, method: &Method<'_>) {
    let read = |views: &[View<'_>]| format!("{}::from_item", element(method, views));
    match &method.answer {
        Answer::Nothing => {
            code.line("Ok(())");
        }
        Answer::Count => {
            code.line("Ok(answer.count)");
        }
        Answer::Made(fields) => {
            code.line(format!("let reader = rt::Reader::new({}, &answer.made);", text(method.pattern)));
            code.block(format!("Ok({} {{", method.name.suffixed("result").pascal()), "})", |code| {
                for field in fields {
                    let path = text(field.attribute);
                    code.line(format!("{}: reader.{}({path})?,", value_name(&field.name), reads(field.ty)));
                }
            });
        }
        Answer::One(views) => {
            code.line(format!("answer.items.first().map({}).transpose()", read(views)));
        }
        Answer::Many(views) => {
            code.line(format!("answer.items.iter().map({}).collect()", read(views)));
        }
        Answer::Page(views) => {
            code.line(format!(
                "let items = answer.items.iter().map({}).collect::<Result<_, _>>()?;",
                read(views)
            ));
            code.line("Ok(rt::Page { items, next_cursor: answer.next_cursor })");
        }
    }
}

/// The code that converts an input to a DynamoDB value.
fn given(parameter: &Parameter<'_>, owner: &str) -> String {
    let name = format!("{owner}{}", value_name(&parameter.name));
    let convert = |value: &str| match parameter.source.ty {
        Type::Integer | Type::Number | Type::Decimal => format!("rt::AttributeValue::N({value}.to_string())"),
        Type::Boolean => format!("rt::AttributeValue::Bool({value})"),
        Type::Binary => format!("rt::AttributeValue::B(aws_sdk_dynamodb::primitives::Blob::new({value}))"),
        Type::Set => format!("rt::AttributeValue::Ss({value})"),
        Type::List => format!("rt::AttributeValue::L({value})"),
        Type::Map => format!("rt::AttributeValue::M({value})"),
        _ => format!("rt::AttributeValue::S({value})"),
    };
    if parameter.source.list {
        format!("rt::Input::Many({name}.into_iter().map(|one| {}).collect())", convert("one"))
    } else {
        format!("rt::Input::One({})", convert(&name))
    }
}

/// A string literal.
fn text(text: &str) -> String {
    format!("{text:?}")
}

/// A literal of a program as Rust code, as the value of a field.
fn print(field: &str, literal: &Literal, depth: usize) -> String {
    let pad = "    ".repeat(depth + 1);
    let end = "    ".repeat(depth);
    let some = |value: String| match field {
        "index" | "range" | "limit" | "scatter" | "retry" | "counter" | "failsAs" | "basedOn" | "ofStep"
        | "value" | "when" | "equals" | "typeAttribute" | "each" => format!("Some({value})"),
        _ => value,
    };
    match literal {
        Literal::Text(it) => match field {
            "shape" => format!("rt::Shape::{}", Name::new(it).pascal()),
            "mode" => format!("rt::Mode::{}", Name::new(it).pascal()),
            "how" => format!("rt::How::{}", Name::new(it).pascal()),
            _ => some(text(it)),
        },
        Literal::Number(number) => some(number.to_string()),
        Literal::Flag(flag) => flag.to_string(),
        Literal::List(_, list) => {
            let parts: Vec<String> = list.iter().map(|it| print("", it, depth + 1)).collect();
            let line = format!("&[{}]", parts.join(", "));
            if line.len() <= 80 && !line.contains('\n') {
                return line;
            }
            format!("&[\n{pad}{},\n{end}]", parts.join(&format!(",\n{pad}")))
        }
        Literal::Call(name, parts) => {
            let parts: Vec<String> = parts.iter().map(|it| print("", it, depth)).collect();
            match *name {
                "Pair" | "Alias" => format!("({})", parts.join(", ")),
                "Sum" => some(format!("rt::Value::Sum(&{})", parts.join(", "))),
                name => some(format!("rt::Value::{name}({})", parts.join(", "))),
            }
        }
        Literal::Record(name, fields) => {
            let (open, close) = match *name {
                "Get" | "Query" | "BatchGet" | "Scan" | "Write" => {
                    (format!("rt::Step::{name}(rt::{name} {{"), "})")
                }
                "Put" | "Update" | "Delete" => (format!("rt::Action::{name}(rt::{name} {{"), "})"),
                "Check" => ("rt::Action::Check(rt::Delete {".to_owned(), "})"),
                name => (format!("rt::{name} {{"), "}"),
            };
            let base = if *name == "Check" { "Delete" } else { name };
            let mut parts: Vec<String> = fields
                .iter()
                .map(|(name, it)| format!("{}: {}", Name::new(name).snake(), print(name, it, depth + 1)))
                .collect();
            // The base of a struct update takes no comma after it.
            parts.push(format!("..rt::{base}::NONE"));
            let line = format!("{open} {} {close}", parts.join(", "));
            if line.len() <= 80 && !line.contains('\n') {
                return some(line);
            }
            some(format!("{open}\n{pad}{}\n{end}{close}", parts.join(&format!(",\n{pad}"))))
        }
    }
}
