//! `manifest`: every pattern's method, parameters and results, for tools that call generated code.

use keywright_model::design::{Request, Value as Source};
use keywright_model::model::Type;
use serde_json::{Value, json};

use super::infrastructure::pretty;
use super::{Options, Target};
use crate::languages::{go, python, rust, typescript};
use crate::plan::{Answer, Field, Method, Name, Part, parts};
use crate::{File, Plan, header};

/// The manifest.
pub(super) static MANIFEST: Target =
    Target { name: "manifest", summary: "manifest.json: every pattern's method and types, for tools", files };

fn files(plan: &Plan<'_>, _: &Options) -> Vec<File> {
    let manifest = json!({
        "description": header::sentences(plan).join(" "),
        "application": plan.application.camel(),
        "typeAttribute": plan.design.type_attribute,
        "methods": plan.methods.iter().map(method).collect::<Vec<_>>(),
    });
    vec![File::new("manifest.json", pretty(&manifest))]
}

/// A name as each language writes it.
fn value_names(name: &Name) -> Value {
    json!({
        "go": go::exported(name),
        "python": python::value_name(name),
        "rust": rust::value_name(name),
        "typescript": typescript::method_name(name),
    })
}

/// TypeScript allows keywords as field names, so fields are never renamed there.
fn field_names(name: &Name) -> Value {
    let mut names = value_names(name);
    names["typescript"] = name.camel().into();
    names
}

fn kind(ty: Type) -> &'static str {
    match ty {
        Type::Integer => "integer",
        Type::Number => "number",
        Type::Decimal => "decimal",
        Type::Boolean => "boolean",
        Type::List => "list",
        Type::Map => "map",
        Type::Set => "set",
        Type::Binary => "binary",
        _ => "text",
    }
}

fn field(field: &Field<'_>) -> Value {
    json!({
        "attribute": field.attribute,
        "names": field_names(&field.name),
        "type": kind(field.ty),
        "optional": field.optional,
    })
}

/// The inputs that determine the partition of a page. A cursor is only valid for the same values of them.
fn partition<'m>(method: &Method<'m>) -> Vec<&'m str> {
    let Answer::Page(_) = method.answer else { return Vec::new() };
    // The cursor of a page that the runtime sorts is an offset, so it is not bound to a partition.
    if method.operation.outcome.client_sort {
        return Vec::new();
    }
    let queries = method.operation.requests.iter().filter_map(|request| match request {
        Request::Query(query) => Some(query),
        _ => None,
    });
    queries
        .flat_map(|query| &query.key.partition)
        .flat_map(|(_, value)| match value {
            Source::Input(name) => vec![name.as_str()],
            Source::Template(template) => parts(template).into_iter().filter_map(chosen).collect(),
            _ => Vec::new(),
        })
        .filter(|name| method.parameters.iter().any(|parameter| parameter.source.name == *name))
        .collect()
}

/// The name of a placeholder whose text differs for different values: not a bucket or a shard.
fn chosen(part: Part<'_>) -> Option<&str> {
    match part {
        Part::Value { encoding: "y" | "ym" | "ymd" | "ymdh", .. } => None,
        Part::Value { encoding, .. } if encoding.starts_with("shard") => None,
        Part::Value { name, .. } => Some(name),
        Part::Literal(_) => None,
    }
}

fn method(method: &Method<'_>) -> Value {
    let (answer, fields) = match &method.answer {
        Answer::Nothing => ("nothing", [].as_slice()),
        Answer::Made(fields) => ("made", fields.as_slice()),
        Answer::One(_) => ("one", [].as_slice()),
        Answer::Many(_) => ("many", [].as_slice()),
        Answer::Page(_) => ("page", [].as_slice()),
        Answer::Count => ("count", [].as_slice()),
    };
    json!({
        "pattern": method.pattern,
        "description": method.operation.description,
        "repository": method.entity.suffixed("repository").pascal(),
        "names": value_names(&method.name),
        "input": rust::input_name(method),
        "mixed": rust::mixed_name(method),
        "parameters": method
            .parameters
            .iter()
            .map(|parameter| {
                json!({
                    "input": parameter.source.name,
                    "names": field_names(&parameter.name),
                    "type": kind(parameter.source.ty),
                    "optional": parameter.source.optional,
                    "list": parameter.source.list,
                })
            })
            .collect::<Vec<_>>(),
        "answer": answer,
        "partition": partition(method),
        "made": fields.iter().map(field).collect::<Vec<_>>(),
        "views": method
            .answer
            .views()
            .iter()
            .map(|view| {
                json!({
                    "item": view.item,
                    "variant": rust::type_name(&Name::new(view.item)),
                    "types": {
                        "go": go::type_name(&view.name),
                        "python": python::type_name(&view.name),
                        "rust": rust::type_name(&view.name),
                        "typescript": typescript::type_name(&view.name),
                    },
                    "fields": view.fields.iter().map(field).collect::<Vec<_>>(),
                })
            })
            .collect::<Vec<_>>(),
    })
}
