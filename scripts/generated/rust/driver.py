"""Writes the workspace in which the generated Rust of all documents is compiled, and the program that replays recordings
through it. Usage: driver.py WORKSPACE ROOT OUTPUT NAME…

OUTPUT/NAME has the folders `rust` and `manifest`; WORKSPACE gets the crates and ROOT is where keywright's own are.
"""

import json
import pathlib
import re
import shutil
import sys

workspace, root, output, *names = sys.argv[1:]
workspace, root, output = pathlib.Path(workspace), pathlib.Path(root), pathlib.Path(output)
here = pathlib.Path(__file__).parent


def write(path, text):
    """Leaves a file alone that is as it should be, so that what depends on it is not compiled again."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def quote(text):
    """A string literal; the names in a manifest have no control characters."""
    return json.dumps(text, ensure_ascii=False)


def calls(name, manifest):
    """The module that calls the methods of one crate."""
    lines = [
        f"use {module(name)}::{{SCHEMA, repositories, runtime as rt}};",
        "use crate::value::{Row, Show, one, optional, several};",
        "use crate::{Came, Json, Made, Program, Refusal, Wanted};",
        "",
        "fn refusal(error: rt::Error) -> Refusal {",
        "    match error {",
        "        rt::Error::ConditionFailed { conditions, .. } => Refusal::Condition(conditions.iter().map(ToString::to_string).collect()),",
        "        rt::Error::ItemNotFound { .. } => Refusal::NothingThere,",
        "        rt::Error::Cursor { .. } => Refusal::Cursor,",
        "        other => Refusal::Other(other.to_string()),",
        "    }",
        "}",
        "",
        "pub fn program(client: aws_sdk_dynamodb::Client, tables: std::collections::HashMap<String, String>, made: Made) -> Program {",
        "    let maker = move |wanted: &rt::Made| made.lock().expect(\"nobody panicked\")[wanted.name].clone();",
        "    let store = rt::Store::new(client, &SCHEMA).with_table_names(tables).with_maker(maker);",
        "    Box::new(move |pattern, inputs, wanted| {",
        "        let (store, pattern, inputs) = (store.clone(), pattern.to_owned(), inputs.clone());",
        "        Box::pin(async move { call(store, &pattern, &inputs, wanted).await.map_err(refusal) })",
        "    })",
        "}",
        "",
        "async fn call(store: rt::Store, pattern: &str, inputs: &Json, wanted: Wanted) -> Result<Came, rt::Error> {",
        # A program whose answers have no pages leaves this unused.
        "    let _page = rt::PageOptions { limit: wanted.limit, cursor: wanted.cursor };",
        "    match pattern {",
    ]
    for method in manifest["methods"]:
        given = []
        for parameter in method["parameters"]:
            how = "several" if parameter["list"] else "optional" if parameter["optional"] else "one"
            given.append(f'{parameter["names"]["rust"]}: {how}(inputs, {quote(parameter["input"])})')
        arguments = [f'repositories::{method["input"]} {{ {", ".join(given)} }}'] if given else []
        if method["answer"] == "page":
            arguments.append("_page")
        invoke = f'repositories::{method["repository"]}::new(store).{method["names"]["rust"]}({", ".join(arguments)}).await?'
        lines.append(f'        {quote(method["pattern"])} => {{')
        if method["answer"] == "nothing":
            lines.append(f"            {invoke};\n            Ok(Came::Nothing)")
        elif method["answer"] == "count":
            lines.append(f"            Ok(Came::Count({invoke}))")
        elif method["answer"] == "made":
            lines.append(f"            let made = {invoke};\n            let mut row = Row::new();")
            lines += fields("made", method["made"])
            lines.append("            Ok(Came::Made(row))")
        else:
            lines.append(f"            let answer = {invoke};")
            source, after = {
                "one": ("answer.into_iter()", "None"),
                "many": ("answer.into_iter()", "None"),
                "page": ("answer.items.into_iter()", "answer.next_cursor"),
            }[method["answer"]]
            lines.append("            let mut rows = Vec::new();")
            lines.append(f"            for entry in {source} {{\n            let mut row = Row::new();")
            if len(method["views"]) == 1:
                lines += fields("entry", method["views"][0]["fields"])
            else:
                lines.append("            match entry {")
                for view in method["views"]:
                    lines.append(f'            repositories::{method["mixed"]}::{view["variant"]}(entry) => {{')
                    lines.append(f'            row.insert("\\0type".to_owned(), {quote(view["item"])}.to_owned());')
                    lines += fields("entry", view["fields"])
                    lines.append("            }")
                lines.append("            }")
            lines.append(f"            rows.push(row);\n            }}\n            Ok(Came::Rows(rows, {after}))")
        lines.append("        }")
    lines.append('        other => panic!("no method for {other}"),\n    }\n}\n')
    return "\n".join(lines)


def fields(owner, fields):
    for field in fields:
        name, attribute = field["names"]["rust"], quote(field["attribute"])
        if field["optional"]:
            yield f"            if let Some(value) = &{owner}.{name} {{ row.insert({attribute}.to_owned(), value.show()); }}"
        else:
            yield f"            row.insert({attribute}.to_owned(), {owner}.{name}.show());"


def module(name):
    return name.replace("-", "_")


dependencies = []
for name in names:
    for path in (output / name / "rust").rglob("*"):
        if path.is_file() and path.name != "Cargo.toml":
            write(workspace / "crates" / name / path.relative_to(output / name / "rust"), path.read_text())
    # A document in two styles gives two crates of one name.
    package = (output / name / "rust" / "Cargo.toml").read_text()
    write(workspace / "crates" / name / "Cargo.toml", re.sub(r'^name = ".*"', f'name = "{name}"', package, count=1, flags=re.MULTILINE))
    dependencies.append(f'{name} = {{ path = "../crates/{name}" }}')
    manifest = json.loads((output / name / "manifest" / "manifest.json").read_text())
    write(workspace / "replay" / "src" / "calls" / f"{module(name)}.rs", calls(name, manifest))

for stale in (workspace / "crates").iterdir():
    if stale.name not in names:
        shutil.rmtree(stale)
arms = "\n".join(f'        {json.dumps(name)} => {module(name)}::program(client, tables, made),' for name in names)
modules = "\n".join(f"#[allow(unused_imports)]\nmod {module(name)};" for name in names)
write(
    workspace / "replay" / "src" / "calls.rs",
    f"""//! One module per document: its methods by pattern.

{modules}

use std::collections::HashMap;

use crate::{{Made, Program}};

pub fn program(
    name: &str,
    client: aws_sdk_dynamodb::Client,
    tables: HashMap<String, String>,
    made: Made,
) -> Program {{
    match name {{
{arms}
        other => panic!("there is no crate {{other}}"),
    }}
}}
""",
)
write(workspace / "replay" / "src" / "main.rs", (here / "replay.rs").read_text())
write(workspace / "replay" / "src" / "value.rs", (here / "value.rs").read_text())
write(
    workspace / "replay" / "Cargo.toml",
    f"""[package]
name = "replay"
version = "0.0.0"
edition = "2024"

[dependencies]
aws-sdk-dynamodb = {{ version = "1", default-features = false, features = ["rt-tokio"] }}
aws-smithy-async = {{ version = "1", features = ["rt-tokio"] }}
aws-smithy-http-client = {{ version = "1", default-features = false, features = ["default-client"] }}
aws-smithy-types = "1"
keywright = {{ version = "0.1", default-features = false }}
serde_json = "1"
tokio = {{ version = "1", features = ["macros", "rt", "time"] }}
{chr(10).join(dependencies)}
""",
)
write(
    workspace / "Cargo.toml",
    f"""[workspace]
resolver = "3"
members = ["crates/*", "replay"]

[profile.dev]
debug = false
incremental = false

[patch.crates-io]
keywright = {{ path = "{root}/crates/keywright" }}
keywright-key = {{ path = "{root}/crates/keywright-key" }}
""",
)
