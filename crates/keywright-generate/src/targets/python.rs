//! `python`: repositories on boto3, with type hints throughout.

use keywright_model::design::{Action, Request};
use keywright_model::model::Type;

use super::{Options, Target};
use crate::code::Code;
use crate::languages::python::{
    declare, doc, method_types, repository_name, scalar, signature, text, type_name, value_name,
};
use crate::plan::{Answer, Field, KeyBuilder, Literal, Method, Name, Parameter, View, program, schema};
use crate::{File, Plan, describe, header};

/// Python on boto3.
pub(super) static PYTHON: Target =
    Target { name: "python", summary: "a Python package on boto3: one typed method per pattern", files };

fn files(plan: &Plan<'_>, _: &Options) -> Vec<File> {
    let comment = header::comment(plan, "#");
    let with_header = |text: &str| format!("{comment}\n{text}");
    let package = plan.application.suffixed("store").snake();
    let project = format!(
        "[project]\nname = \"{}\"\nversion = \"0.1.0\"\nrequires-python = \">=3.10\"\ndependencies = [\"boto3>=1.35\"]\n\n\
         [tool.setuptools]\npackages = [\"{package}\", \"{package}.runtime\"]\n\n[tool.setuptools.package-data]\n\
         {package} = [\"py.typed\"]\n\n[tool.mypy]\nstrict = true\n",
        plan.application.suffixed("store").kebab()
    );
    let path = |name: &str| format!("{package}/{name}");
    let mut files = vec![
        File::new("pyproject.toml", with_header(&project)),
        File::new(path("__init__.py"), with_header(INIT)),
        File::new(path("py.typed"), comment.as_str()),
        File::new(path("entities.py"), with_header(&entities(plan))),
        File::new(path("keys.py"), with_header(&keys(plan))),
        File::new(path("repositories.py"), with_header(&repositories(plan))),
        File::new(path("schema.py"), with_header(&schema_file(plan))),
        File::new(path("runtime/__init__.py"), with_header(include_str!("python/init.py"))),
    ];
    for (name, text) in [
        ("call", include_str!("python/call.py")),
        ("cursor", include_str!("python/cursor.py")),
        ("errors", include_str!("python/errors.py")),
        ("key", include_str!("python/key.py")),
        ("operation", include_str!("python/operation.py")),
        ("parse", include_str!("python/parse.py")),
        ("read", include_str!("python/read.py")),
        ("scope", include_str!("python/scope.py")),
        ("store", include_str!("python/store.py")),
        ("value", include_str!("python/value.py")),
        ("wait", include_str!("python/wait.py")),
        ("write", include_str!("python/write.py")),
    ] {
        files.push(File::new(path(&format!("runtime/{name}.py")), with_header(text)));
    }
    files
}

const INIT: &str = "\"\"\"The access patterns as typed methods.\"\"\"

from . import entities, keys, repositories
from .runtime import (
    ConditionFailedError,
    CursorError,
    InvalidKeyError,
    ItemNotFoundError,
    MalformedItemError,
    Page,
    Store,
    StoreError,
    UnprocessedError,
    parse_key,
)
from .schema import SCHEMA

__all__ = [
    \"SCHEMA\",
    \"ConditionFailedError\",
    \"CursorError\",
    \"InvalidKeyError\",
    \"ItemNotFoundError\",
    \"MalformedItemError\",
    \"Page\",
    \"Store\",
    \"StoreError\",
    \"UnprocessedError\",
    \"entities\",
    \"keys\",
    \"parse_key\",
    \"repositories\",
]
";

fn schema_file(plan: &Plan<'_>) -> String {
    format!(
        "\"\"\"The tables, indexes and item types.\"\"\"\n\nfrom . import runtime\n\nSCHEMA = {}\n",
        print(&schema(plan.design), 0)
    )
}

/// The imports that the code uses.
fn imports(body: &str, more: &[&str]) -> String {
    let mut lines = vec!["from __future__ import annotations".to_owned(), String::new()];
    let uses = |word: &str| {
        body.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '@')
            .any(|it| it.trim_start_matches('@') == word)
    };
    if uses("Sequence") {
        lines.push("from collections.abc import Sequence".to_owned());
    }
    if uses("dataclass") {
        lines.push("from dataclasses import dataclass".to_owned());
    }
    if uses("Decimal") {
        lines.push("from decimal import Decimal".to_owned());
    }
    let typing: Vec<&str> = ["Literal", "cast"].into_iter().filter(|word| uses(word)).collect();
    if !typing.is_empty() {
        lines.push(format!("from typing import {}", typing.join(", ")));
    }
    if lines.len() > 2 {
        lines.push(String::new());
    }
    if body.contains("runtime.") {
        lines.push("from . import runtime".to_owned());
    }
    lines.extend(more.iter().map(|line| (*line).to_owned()));
    lines.join("\n") + "\n"
}

fn entities(plan: &Plan<'_>) -> String {
    let mut body = String::new();
    for entity in &plan.entities {
        let name = type_name(&entity.name);
        body += &format!("\n\n{}\n", declare(&name, &entity.description, &entity.fields));
        body += &format!("\n\n{}", reader(&entity.name, &entity.item.name, &entity.fields));
    }
    format!("\"\"\"The attributes of the items.\"\"\"\n\n{}{body}", imports(&body, &[]))
}

fn reader_name(name: &Name) -> String {
    format!("read_{}", name.snake())
}

/// The function that reads an item into its class.
fn reader(name: &Name, item: &str, fields: &[Field<'_>]) -> String {
    let ty = type_name(name);
    let mut code = Code::new("    ");
    code.line(format!("def {}(item: runtime.Item) -> {ty}:", reader_name(name)));
    let mut body = Code::new("    ");
    body.line(format!("\"\"\"Reads {ty} from an item.\"\"\""));
    if fields.is_empty() {
        body.line("del item");
    } else {
        body.line(format!("reader = runtime.Reader({}, item)", text(item)));
    }
    body.block(format!("return {ty}("), ")", |body| {
        for field in fields {
            let path = text(field.attribute);
            let method = reads(field.ty);
            let read = if field.optional {
                format!("reader.optional({path}, reader.{method})")
            } else {
                format!("reader.{method}({path})")
            };
            let name = value_name(&field.name);
            match field.ty {
                Type::Enum if !field.values.is_empty() => {
                    let ty = crate::languages::python::ty(field.ty, field.values);
                    let ty = if field.optional { format!("{ty} | None") } else { ty };
                    body.line(format!("{name}=cast({}, {read}),", text(&ty.replace('"', "'"))));
                }
                _ => {
                    body.line(format!("{name}={read},"));
                }
            }
        }
    });
    code.finish() + &indented(&body.finish())
}

fn indented(text: &str) -> String {
    text.lines().map(|line| if line.is_empty() { "\n".to_owned() } else { format!("    {line}\n") }).collect()
}

/// The reader method that returns a value of this type.
fn reads(ty: Type) -> &'static str {
    match ty {
        Type::Integer => "integer",
        Type::Number | Type::Decimal => "decimal",
        Type::Boolean => "flag",
        Type::List => "documents",
        Type::Map => "mapping",
        Type::Set => "texts",
        Type::Binary => "binary",
        _ => "text",
    }
}

fn keys(plan: &Plan<'_>) -> String {
    let functions: Vec<String> =
        plan.keys.iter().filter(|key| key.builds()).map(|key| format!("\n\n{}", key_function(key))).collect();
    if functions.is_empty() {
        return "\"\"\"Every key is a plain attribute.\"\"\"\n".to_owned();
    }
    let mut body = String::from(
        "\n\ndef _built(template: str, **values: str) -> str:\n    key = build_key(template, values.get)\n    if key is None:\n        \
         raise InvalidKeyError(f\"`{template}`: a value is missing\")\n    return key\n",
    );
    body += &functions.concat();
    format!(
        "\"\"\"The keys of every item type.\"\"\"\n\n{}{body}",
        imports(&body, &["from .runtime.key import InvalidKeyError, build_key"])
    )
}

fn key_function(key: &KeyBuilder<'_>) -> String {
    let patterns = if key.patterns.is_empty() {
        String::new()
    } else {
        format!(" Used by {}.", key.patterns.join(", "))
    };
    let parts: Vec<String> =
        key.parts.iter().map(|part| format!("{}: {}", value_name(&part.name), scalar(part.ty))).collect();
    // A dictionary, because an attribute's name need not be an identifier.
    let values: Vec<String> = key
        .parts
        .iter()
        .map(|part| {
            let name = value_name(&part.name);
            let value = match scalar(part.ty).as_str() {
                "str" => name,
                "bool" => format!("str({name}).lower()"),
                "Decimal" => format!("format({name}, \"f\")"),
                _ => format!("str({name})"),
            };
            format!("{}: {value}", text(part.attribute))
        })
        .collect();
    let given = if values.is_empty() { String::new() } else { format!(", **{{{}}}", values.join(", ")) };
    let words =
        format!("`{}` of {}: `{}`.{patterns}", key.assignment.attribute, key.item.name, key.template());
    format!(
        "def {}({}) -> str:\n    {}\n    return _built({}{given})\n",
        value_name(&key.name),
        parts.join(", "),
        doc(&[words]),
        text(&key.template())
    )
}

fn repositories(plan: &Plan<'_>) -> String {
    let mut body = String::new();
    for method in &plan.methods {
        if let Some(types) = method_types(method) {
            body += &format!("\n\n{types}\n");
        }
        for view in method.answer.views().iter().filter(|view| view.partial) {
            body += &format!("\n\n{}", reader(&view.name, view.item, &view.fields));
        }
    }
    for (entity, methods) in plan.repositories() {
        body += &format!("\n\nclass {}:\n", repository_name(entity));
        body += &format!("    \"\"\"The access patterns of {}.\"\"\"\n\n", entity.pascal());
        body += "    def __init__(self, store: runtime.Store) -> None:\n        self._store = store\n";
        for method in methods {
            body += "\n";
            body += &indented(&self::method(plan, method));
        }
    }
    let mut whole: Vec<String> = Vec::new();
    for view in plan.methods.iter().flat_map(|method| method.answer.views()).filter(|view| !view.partial) {
        whole.extend([type_name(&view.name), reader_name(&view.name)]);
    }
    whole.sort_unstable();
    whole.dedup();
    let mut more = Vec::new();
    let entities = format!("from .entities import {}", whole.join(", "));
    if !whole.is_empty() {
        more.push(entities.as_str());
    }
    if body.contains("SCHEMA") {
        more.push("from .schema import SCHEMA");
    }
    format!("\"\"\"One method per access pattern.\"\"\"\n\n{}{body}", imports(&body, &more))
}

fn method(plan: &Plan<'_>, method: &Method<'_>) -> String {
    let mut words = vec![format!("{}: {}", method.pattern, method.operation.description)];
    words.push(String::new());
    words.push(format!("{}.", describe::summary(method.operation)));
    for action in method.operation.requests.iter().flat_map(Request::actions) {
        if let Some((_, Some(fails_as))) = describe::condition(action) {
            words.push(format!("Raises ConditionFailedError unless: {fails_as}"));
        }
    }
    let mut body = Code::new("    ");
    body.line(doc(&words));
    let target = if matches!(method.answer, Answer::Nothing) { "" } else { "answer = " };
    body.block(format!("{target}self._store.run("), ")", |body| {
        body.line(format!("{},", print(&program(plan.design, method.operation), 0)));
        let inputs: Vec<String> = method.parameters.iter().map(given).collect();
        let inputs = if inputs.is_empty() {
            "{}".to_owned()
        } else {
            format!("{{\n    {},\n}}", inputs.join(",\n    "))
        };
        body.line(format!("{inputs},"));
        if matches!(method.answer, Answer::Page(_)) {
            body.line("limit=limit,");
            body.line("cursor=cursor,");
        }
    });
    result(&mut body, method);
    format!("{}\n{}", signature(method), indented(&body.finish()))
}

fn result(body: &mut Code, method: &Method<'_>) {
    let single = |views: &[View<'_>]| match views {
        [one] => Some(reader_name(&one.name)),
        _ => None,
    };
    // Items of several types are read by a function of their own.
    if let (None, [_, ..]) = (single(method.answer.views()), method.answer.views()) {
        let views = method.answer.views();
        let union = crate::languages::python::element(views);
        let candidates: Vec<String> = views.iter().map(|view| text(view.item)).collect();
        body.block(format!("def read(item: runtime.Item) -> {union}:"), "", |body| {
            body.line(format!("kind = runtime.type_of(SCHEMA, item, [{}])", candidates.join(", ")));
            for view in views {
                body.line(format!("if kind == {}:", text(view.item)));
                body.line(format!("    return {}(item)", reader_name(&view.name)));
            }
            let message = format!("{}: an item of another type came back", method.pattern);
            body.line(format!("raise runtime.MalformedItemError({})", text(&message)));
        });
    }
    let read = single(method.answer.views()).unwrap_or_else(|| "read".to_owned());
    match &method.answer {
        Answer::Nothing => {}
        Answer::Count => {
            body.line("return answer.count");
        }
        Answer::Made(fields) => {
            let written = made_item(method)
                .map(|item| format!("**answer.written.get({}, {{}}), ", text(item)))
                .unwrap_or_default();
            body.line(format!("made: runtime.Item = {{{written}**answer.generated}}"));
            body.line(format!("reader = runtime.Reader({}, made)", text(method.pattern)));
            body.block(format!("return {}(", method.name.suffixed("result").pascal()), ")", |body| {
                for field in fields {
                    let name = value_name(&field.name);
                    body.line(format!("{name}=reader.{}({}),", reads(field.ty), text(field.attribute)));
                }
            });
        }
        Answer::One(_) => {
            body.line(format!("return {read}(answer.items[0]) if answer.items else None"));
        }
        Answer::Many(_) => {
            body.line(format!("return [{read}(item) for item in answer.items]"));
        }
        Answer::Page(_) => {
            body.line(format!(
                "return runtime.Page([{read}(item) for item in answer.items], answer.next_cursor)"
            ));
        }
    }
}

/// The item type of the first Put: a result may hold its values.
fn made_item<'a>(method: &Method<'a>) -> Option<&'a str> {
    method.operation.requests.iter().flat_map(Request::actions).find_map(|action| match action {
        Action::Put(put) => Some(put.item.as_str()),
        _ => None,
    })
}

/// The code that converts an input to a DynamoDB value.
fn given(parameter: &Parameter<'_>) -> String {
    let name = value_name(&parameter.name);
    let convert = |value: &str| match parameter.source.ty {
        Type::Number | Type::Decimal | Type::Integer => format!("{{\"N\": runtime.number_text({value})}}"),
        Type::Boolean => format!("{{\"BOOL\": {value}}}"),
        Type::Binary => format!("{{\"B\": {value}}}"),
        Type::Set => format!("{{\"SS\": sorted({value})}}"),
        Type::List | Type::Map => format!("runtime.to_attribute({value})"),
        _ => format!("{{\"S\": {value}}}"),
    };
    let value = if parameter.source.list {
        format!("[{} for one in {name}]", convert("one"))
    } else {
        convert(&name)
    };
    let whole =
        if parameter.source.optional { format!("None if {name} is None else {value}") } else { value };
    format!("{}: {whole}", text(&parameter.source.name))
}

/// A literal of a program as Python code.
fn print(literal: &Literal, depth: usize) -> String {
    let pad = "    ".repeat(depth + 1);
    let wrapped = |open: String, parts: &[String], close: &str| {
        let line = format!("{open}{}{close}", parts.join(", "));
        if line.len() <= 80 && !line.contains('\n') {
            return line;
        }
        format!("{open}\n{pad}{},\n{}{close}", parts.join(&format!(",\n{pad}")), "    ".repeat(depth))
    };
    match literal {
        Literal::Text(it) => text(it),
        Literal::Number(number) => number.to_string(),
        Literal::Flag(flag) => if *flag { "True" } else { "False" }.to_owned(),
        Literal::List(_, list) => {
            let parts: Vec<String> = list.iter().map(|it| print(it, depth + 1)).collect();
            wrapped("[".to_owned(), &parts, "]")
        }
        Literal::Call(name, parts) => {
            let parts: Vec<String> = parts.iter().map(|it| print(it, depth)).collect();
            match *name {
                "Pair" | "Alias" => format!("({})", parts.join(", ")),
                name => format!("runtime.{}({})", name.to_lowercase(), parts.join(", ")),
            }
        }
        Literal::Record(name, fields) => {
            let parts: Vec<String> = fields
                .iter()
                .map(|(name, it)| format!("{}={}", Name::new(name).snake(), print(it, depth + 1)))
                .collect();
            wrapped(format!("runtime.{name}("), &parts, ")")
        }
    }
}
