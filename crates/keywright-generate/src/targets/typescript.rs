//! `typescript`: repositories on AWS SDK v3, with strict types and no other dependency.

use keywright_model::design::{Action, Request};
use keywright_model::model::Type;
use serde_json::json;

use super::infrastructure::pretty;
use super::{Options, Target};
use crate::code::Code;
use crate::languages::typescript::{
    answer, declare, doc, element, has_input, method_types, repository_name, signature, text, ty, type_name,
    value_name,
};
use crate::plan::{Answer, Field, KeyBuilder, Literal, Method, Parameter, View, program, schema};
use crate::{File, Plan, describe, header};

/// TypeScript on AWS SDK v3.
pub(super) static TYPESCRIPT: Target = Target {
    name: "typescript",
    summary: "a TypeScript package on AWS SDK v3: one typed method per pattern",
    files,
};

fn files(plan: &Plan<'_>, _: &Options) -> Vec<File> {
    let comment = header::comment(plan, "//");
    let with_header = |text: &str| format!("{comment}\n{text}");
    let name = plan.application.suffixed("store").kebab();
    let package = json!({
        "name": name,
        "description": header::sentences(plan).join(" "),
        "version": "0.1.0",
        "private": true,
        "type": "module",
        "main": "dist/index.js",
        "types": "dist/index.d.ts",
        "scripts": { "build": "tsc" },
        "dependencies": { "@aws-sdk/client-dynamodb": "^3.700.0" },
        "devDependencies": { "@types/node": "^22.0.0", "typescript": "^5.6.0" },
    });
    let tsconfig = json!({
        "compilerOptions": {
            "target": "ES2022",
            "module": "NodeNext",
            "moduleResolution": "NodeNext",
            "strict": true,
            "noUncheckedIndexedAccess": true,
            "exactOptionalPropertyTypes": true,
            "noImplicitOverride": true,
            "noUnusedLocals": true,
            "noUnusedParameters": true,
            "noFallthroughCasesInSwitch": true,
            "declaration": true,
            "skipLibCheck": true,
            "types": ["node"],
            "rootDir": "src",
            "outDir": "dist",
        },
        "include": ["src"],
    });
    let mut files = vec![
        File::new("package.json", pretty(&package)),
        File::new("tsconfig.json", with_header(&pretty(&tsconfig))),
        File::new("src/index.ts", with_header(INDEX)),
        File::new("src/entities.ts", with_header(&entities(plan))),
        File::new("src/keys.ts", with_header(&keys(plan))),
        File::new("src/repositories.ts", with_header(&repositories(plan))),
        File::new("src/schema.ts", with_header(&schema_file(plan))),
    ];
    for (name, text) in [
        ("call", include_str!("typescript/call.ts")),
        ("cursor", include_str!("typescript/cursor.ts")),
        ("errors", include_str!("typescript/errors.ts")),
        ("key", include_str!("typescript/key.ts")),
        ("operation", include_str!("typescript/operation.ts")),
        ("parse", include_str!("typescript/parse.ts")),
        ("read", include_str!("typescript/read.ts")),
        ("scope", include_str!("typescript/scope.ts")),
        ("store", include_str!("typescript/store.ts")),
        ("value", include_str!("typescript/value.ts")),
        ("wait", include_str!("typescript/wait.ts")),
        ("write", include_str!("typescript/write.ts")),
    ] {
        files.push(File::new(format!("src/runtime/{name}.ts"), with_header(text)));
    }
    files
}

const INDEX: &str = "export * from \"./entities.js\";
export * as keys from \"./keys.js\";
export * from \"./repositories.js\";
export { SCHEMA } from \"./schema.js\";
export {
  ConditionFailedError,
  CursorError,
  ItemNotFoundError,
  MalformedItemError,
  type Page,
  Store,
  type StoreOptions,
  UnprocessedError,
} from \"./runtime/store.js\";
export { KeyError } from \"./runtime/key.js\";
export { parseKey } from \"./runtime/parse.js\";
";

fn schema_file(plan: &Plan<'_>) -> String {
    format!(
        "import type * as runtime from \"./runtime/store.js\";\n\n/** The tables, indexes and item types. */\n\
         export const SCHEMA: runtime.Schema = {};\n",
        print(&schema(plan.design), 0)
    )
}

fn entities(plan: &Plan<'_>) -> String {
    let mut code = String::from("import * as runtime from \"./runtime/store.js\";\n");
    for entity in &plan.entities {
        let name = type_name(&entity.name);
        code += &format!("\n{}\n", declare(&name, &entity.description, &entity.fields));
        code += &format!("\n{}", reader(&name, &entity.item.name, &entity.fields));
    }
    code
}

/// The function that reads an item into its type.
fn reader(name: &str, item: &str, fields: &[Field<'_>]) -> String {
    let mut code = Code::new("  ");
    code.line(doc("", &[format!("Reads {name} from an item.")]).trim_end());
    code.block(format!("export function read{name}(item: runtime.Item): {name} {{"), "}", |code| {
        if fields.is_empty() {
            code.line("void item;");
            code.line("return {};");
            return;
        }
        code.line(format!("const reader = new runtime.Reader({}, item);", text(item)));
        code.block("return {", "};", |code| {
            for field in fields {
                let method = match field.ty {
                    Type::Number | Type::Integer => "number",
                    Type::Decimal => "decimal",
                    Type::Boolean => "flag",
                    Type::List => "list",
                    Type::Map => "map",
                    Type::Set => "set",
                    Type::Binary => "binary",
                    _ => "text",
                };
                let path = text(field.attribute);
                let read = if field.optional {
                    format!("reader.optional({path}, reader.{method})")
                } else {
                    format!("reader.{method}({path})")
                };
                let cast = match field.ty {
                    Type::Enum if !field.values.is_empty() => {
                        format!(" as {}[{}]", name, text(&field.name.camel()))
                    }
                    _ => String::new(),
                };
                code.line(format!("{}: {read}{cast},", field.name.camel()));
            }
        });
    });
    code.finish()
}

fn keys(plan: &Plan<'_>) -> String {
    let functions: Vec<String> =
        plan.keys.iter().filter(|key| key.builds()).map(|key| format!("\n{}", key_function(key))).collect();
    if functions.is_empty() {
        return "// Every key is a plain attribute.\nexport {};\n".to_owned();
    }
    let code = String::from(
        "import { buildKey, KeyError } from \"./runtime/key.js\";\n\n\
         type Part = string | number | boolean;\n\n\
         function built(template: string, values: Readonly<Record<string, Part>>): string {\n  \
           const key = buildKey(template, (name) => (values[name] === undefined ? undefined : String(values[name])));\n  \
           if (key === undefined) throw new KeyError(`\\`${template}\\`: a value is missing`);\n  \
           return key;\n\
         }\n",
    );
    code + &functions.concat()
}

fn key_function(key: &KeyBuilder<'_>) -> String {
    let patterns = if key.patterns.is_empty() {
        String::new()
    } else {
        format!(" Used by {}.", key.patterns.join(", "))
    };
    let mut code = Code::new("  ");
    let words =
        format!("`{}` of {}: `{}`.{patterns}", key.assignment.attribute, key.item.name, key.template());
    code.line(doc("", &[words]).trim_end());
    let scalar = |part: Type| match ty(part, &[]).as_str() {
        it @ ("string" | "number" | "boolean") => it.to_owned(),
        _ => "string".to_owned(),
    };
    let parts: Vec<String> =
        key.parts.iter().map(|part| format!("readonly {}: {}", part.name.camel(), scalar(part.ty))).collect();
    let input = if parts.is_empty() { String::new() } else { format!("values: {{ {} }}", parts.join("; ")) };
    let values: Vec<String> = key
        .parts
        .iter()
        .map(|part| format!("{}: values.{}", text(part.attribute), part.name.camel()))
        .collect();
    code.block(format!("export function {}({input}): string {{", value_name(&key.name)), "}", |code| {
        let values = if values.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", values.join(", ")) };
        code.line(format!("return built({}, {values});", text(&key.template())));
    });
    code.finish()
}

fn repositories(plan: &Plan<'_>) -> String {
    let mut code = Code::new("  ");
    let views = || plan.methods.iter().flat_map(|method| method.answer.views());
    let mut whole: Vec<String> =
        views().filter(|view| !view.partial).map(|view| type_name(&view.name)).collect();
    whole.sort_unstable();
    whole.dedup();
    // Strict compiler settings reject unused imports.
    if !whole.is_empty() {
        code.line("import * as entities from \"./entities.js\";");
    }
    code.line("import * as runtime from \"./runtime/store.js\";");
    if plan.methods.iter().any(|method| method.answer.views().len() > 1) {
        code.line("import { SCHEMA } from \"./schema.js\";");
    }
    if !whole.is_empty() {
        code.blank();
    }
    for name in whole {
        code.line(format!("type {name} = entities.{name};"));
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
    }
    for (entity, methods) in plan.repositories() {
        code.blank();
        code.line(doc("", &[format!("The access patterns of {}.", entity.pascal())]).trim_end());
        code.block(format!("export class {} {{", repository_name(entity)), "}", |code| {
            code.line("constructor(private readonly store: runtime.Store) {}");
            for method in methods {
                code.blank();
                self::method(code, plan, method);
            }
        });
    }
    code.finish()
}

fn method(code: &mut Code, plan: &Plan<'_>, method: &Method<'_>) {
    let mut words = vec![format!("{}: {}", method.pattern, method.operation.description)];
    words.push(String::new());
    words.push(format!("{}.", describe::summary(method.operation)));
    for request in &method.operation.requests {
        for action in request.actions() {
            if let Some((_, Some(fails_as))) = describe::condition(action) {
                words.push(format!("@throws ConditionFailedError unless: {fails_as}"));
            }
        }
    }
    code.line(doc("", &words).trim_end());
    code.block(format!("async {} {{", signature(method)), "}", |code| {
        let inputs: Vec<String> = method.parameters.iter().map(given).collect();
        let inputs =
            if inputs.is_empty() { "{}".to_owned() } else { format!("{{\n  {},\n}}", inputs.join(",\n  ")) };
        let page = if matches!(method.answer, Answer::Page(_)) { ", input" } else { "" };
        let operation = print(&program(plan.design, method.operation), 0);
        let target = if matches!(method.answer, Answer::Nothing) { "" } else { "const answer = " };
        code.line(format!("{target}await this.store.run({operation}, {inputs}{page});"));
        result(code, method);
    });
    debug_assert!(has_input(method) || method.parameters.is_empty());
}

fn result(code: &mut Code, method: &Method<'_>) {
    let read = |views: &[View<'_>]| match views {
        [one] if one.partial => format!("read{}", type_name(&one.name)),
        [one] => format!("entities.read{}", type_name(&one.name)),
        several => {
            let candidates: Vec<String> = several.iter().map(|view| text(view.item)).collect();
            let cases: Vec<String> = several
                .iter()
                .map(|view| {
                    let reader = if view.partial { String::new() } else { "entities.".to_owned() };
                    format!(
                        "    case {0}:\n      return {{ type: {0}, item: {reader}read{1}(item) }};",
                        text(view.item),
                        type_name(&view.name)
                    )
                })
                .collect();
            format!(
                "(item: runtime.Item): {} => {{\n  switch (runtime.typeOf(SCHEMA, item, [{}])) {{\n{}\n    default:\n      \
                 throw new runtime.MalformedItemError({});\n  }}\n}}",
                element(method, several),
                candidates.join(", "),
                cases.join("\n"),
                text(&format!("{}: an item of another type came back", method.pattern))
            )
        }
    };
    match &method.answer {
        Answer::Nothing => {}
        Answer::Count => {
            code.line("return answer.count;");
        }
        Answer::Made(fields) => {
            let item = made_item(method);
            let written = item.map(|item| format!("...answer.written[{}], ", text(item))).unwrap_or_default();
            code.line(format!("const made: runtime.Item = {{ {written}...answer.generated }};"));
            code.line(format!("const reader = new runtime.Reader({}, made);", text(method.pattern)));
            code.block("return {", "};", |code| {
                for field in fields {
                    let method = match field.ty {
                        Type::Number | Type::Integer => "number",
                        Type::Decimal => "decimal",
                        _ => "text",
                    };
                    code.line(format!("{}: reader.{method}({}),", field.name.camel(), text(field.attribute)));
                }
            });
        }
        Answer::One(views) => {
            code.line("const [first] = answer.items;");
            code.line(format!("const read = {};", read(views)));
            code.line("return first === undefined ? undefined : read(first);");
        }
        Answer::Many(views) => {
            code.line(format!("return answer.items.map({});", read(views)));
        }
        Answer::Page(views) => {
            code.line(format!("const items = answer.items.map({});", read(views)));
            code.line("return answer.nextCursor === undefined ? { items } : { items, nextCursor: answer.nextCursor };");
        }
    }
    debug_assert!(!answer(method).is_empty());
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
    let name = format!("input.{}", parameter.name.camel());
    let convert = |value: &str| match parameter.source.ty {
        Type::Decimal => format!("{{ N: {value} }}"),
        Type::Number | Type::Integer => format!("{{ N: runtime.numberText({value}) }}"),
        Type::Boolean => format!("{{ BOOL: {value} }}"),
        Type::Binary => format!("{{ B: {value} }}"),
        Type::Set => format!("{{ SS: [...{value}] }}"),
        Type::List | Type::Map => format!("runtime.toAttribute({value})"),
        _ => format!("{{ S: {value} }}"),
    };
    let value = if parameter.source.list {
        format!("{name}.map((one) => ({}))", convert("one"))
    } else {
        convert(&name)
    };
    let whole =
        if parameter.source.optional { format!("{name} === undefined ? undefined : {value}") } else { value };
    format!("{}: {whole}", text(&parameter.source.name))
}

/// A literal of a program as TypeScript code.
fn print(literal: &Literal, depth: usize) -> String {
    let pad = "  ".repeat(depth + 1);
    match literal {
        Literal::Text(it) => text(it),
        Literal::Number(number) => number.to_string(),
        Literal::Flag(flag) => flag.to_string(),
        Literal::List(_, list) => {
            let parts: Vec<String> = list.iter().map(|it| print(it, depth + 1)).collect();
            let line = format!("[{}]", parts.join(", "));
            if line.len() <= 80 && !line.contains('\n') {
                return line;
            }
            format!("[\n{pad}{},\n{}]", parts.join(&format!(",\n{pad}")), "  ".repeat(depth))
        }
        Literal::Call("Pair" | "Alias", parts) => {
            let parts: Vec<String> = parts.iter().map(|it| print(it, depth)).collect();
            format!("[{}]", parts.join(", "))
        }
        Literal::Call(name, parts) => {
            let parts: Vec<String> = parts.iter().map(|it| print(it, depth)).collect();
            format!("runtime.{}({})", name.to_lowercase(), parts.join(", "))
        }
        Literal::Record(name, fields) => {
            let mut parts = Vec::new();
            if matches!(
                *name,
                "Get" | "Query" | "BatchGet" | "Scan" | "Write" | "Put" | "Update" | "Delete" | "Check"
            ) {
                parts.push(format!("kind: {}", text(name)));
            }
            parts.extend(fields.iter().map(|(name, it)| format!("{name}: {}", print(it, depth + 1))));
            let line = format!("{{ {} }}", parts.join(", "));
            if line.len() <= 80 && !line.contains('\n') {
                return line;
            }
            format!("{{\n{pad}{},\n{}}}", parts.join(&format!(",\n{pad}")), "  ".repeat(depth))
        }
    }
}
