//! `query-interfaces.md`: entity models, key builders, one method per pattern, and a matrix that covers all
//! patterns.

use keywright_model::design::{Request, Shape, Value};

use super::markdown::{code, fenced, table, words};
use super::{Options, Target};
use crate::languages::Language;
use crate::plan::{Answer, KeyBuilder, Method};
use crate::{File, Plan, describe, header};

/// The query interfaces, in a language or in neutral notation.
pub(super) static INTERFACES: Target = Target {
    name: "interfaces",
    summary: "query-interfaces.md: one typed method per access pattern, in the language of --language",
    files,
};

fn files(plan: &Plan<'_>, options: &Options) -> Vec<File> {
    let language = options.language;
    let mut text = format!("# DynamoDB Query Interfaces\n\n{}\n", header::markdown(plan));
    let mut facts = Vec::new();
    facts.extend(plan.design.generated_on.as_ref().map(|date| format!("> Generated on: {date}")));
    facts.extend(plan.design.application.as_ref().map(|name| format!("> Application: {}", words(name))));
    facts.push(format!("> Input: {}", plan.document));
    facts.push(format!("> Language: {}", language.name));
    text += &facts.join("\n");
    text += "\n";
    for section in [models, keys, repositories, page, transactions, traceability, notes] {
        text += "\n";
        text += &section(plan, language);
    }
    vec![File::new("query-interfaces.md", text)]
}

fn models(plan: &Plan<'_>, language: &Language) -> String {
    let mut text = "## Entity Models\n".to_owned();
    for entity in &plan.entities {
        text += &format!("\n### {}\n\n{}\n\n", entity.name.pascal(), words(&entity.description));
        text += &fenced(language.fence, &(language.entity)(entity));
    }
    text
}

fn keys(plan: &Plan<'_>, language: &Language) -> String {
    let mut text = "## Key Builders\n".to_owned();
    for entity in &plan.entities {
        let own: Vec<&KeyBuilder<'_>> =
            plan.keys.iter().filter(|key| key.item.name == entity.item.name).collect();
        let rows: Vec<Vec<String>> = own
            .iter()
            .map(|key| {
                vec![
                    if key.builds() { code(&(language.key_builder)(key)) } else { "-".to_owned() },
                    code(&key.assignment.attribute),
                    code(&key.template()),
                    key.index.unwrap_or("Table").to_owned(),
                    present(key),
                    if key.patterns.is_empty() { "-".to_owned() } else { key.patterns.join(", ") },
                ]
            })
            .collect();
        text += &format!("\n### {} keys\n\n", entity.name.pascal());
        text += &table(&["Builder", "Attribute", "Value", "Of", "Present", "Access Patterns"], &rows);
    }
    text
}

/// The condition under which an item has the key, in words.
fn present(key: &KeyBuilder<'_>) -> String {
    match &key.assignment.sparse {
        None => "always".to_owned(),
        Some(sparse) => match &sparse.equals {
            Some(value) => format!("when {} is {}", code(&sparse.attribute), code(&value.to_string())),
            None => format!("when {} is present", code(&sparse.attribute)),
        },
    }
}

fn repositories(plan: &Plan<'_>, language: &Language) -> String {
    let mut text = "## Repository Interfaces\n".to_owned();
    for (entity, methods) in plan.repositories() {
        text += &format!("\n### {}Repository\n\n", entity.pascal());
        let (open, close) = (language.repository)(plan, entity);
        let mut block = Vec::new();
        block.extend(
            methods.iter().filter_map(|method| (language.method_types)(method)).map(|types| types + "\n"),
        );
        block.push(open);
        for (at, method) in methods.iter().enumerate() {
            if at > 0 {
                block.push(String::new());
            }
            let signature = (language.signature)(method);
            block.extend(signature.lines().map(|line| format!("    {line}").trim_end().to_owned()));
        }
        block.push(close);
        block.retain(|line| !line.is_empty() || methods.len() > 1);
        text += &fenced(language.fence, &block.join("\n"));
        for method in methods {
            text += "\n";
            text += &details(plan, method, language);
        }
    }
    text
}

fn details(plan: &Plan<'_>, method: &Method<'_>, language: &Language) -> String {
    let operation = method.operation;
    let mut text = format!("#### {}\n\n", code(&(language.method)(&method.name)));
    text += &format!("- **Access Pattern**: {}: {}\n", method.pattern, words(&operation.description));
    text += &format!("- **Operation**: {}\n", describe::summary(operation));
    let several = operation.requests.len() > 1;
    for (at, request) in operation.requests.iter().enumerate() {
        let number = if several { format!("{}. ", at + 1) } else { String::new() };
        text += &format!("- **Index**: {number}{}\n", describe::place_of(request));
        let actions = request.actions();
        let key = match describe::key_of(plan.design, request) {
            Some(key) => code(&key),
            None if actions.is_empty() => "-".to_owned(),
            None => "of every item".to_owned(),
        };
        text += &format!("- **Key**: {number}{key}\n");
        let parameters = describe::parameters_of(request);
        let parameters = if parameters.is_empty() { "-".to_owned() } else { code(&parameters.join("; ")) };
        text += &format!("- **Parameters**: {number}{parameters}\n");
        if !actions.is_empty() {
            let items: Vec<String> =
                actions.iter().map(|action| code(&describe::action(plan.design, action))).collect();
            text += &format!("- **Items**: {number}{}\n", items.join("; "));
        }
    }
    let conditions: Vec<String> = conditions(method);
    text += &format!(
        "- **Conditions**: {}\n",
        if conditions.is_empty() { "-".to_owned() } else { conditions.join("; ") }
    );
    if !operation.generated.is_empty() {
        let names: Vec<String> = operation.generated.iter().map(|it| code(&it.name)).collect();
        text += &format!("- **Generated by the method**: {}\n", names.join(", "));
    }
    if let Some(retry) = operation.retry {
        text += &format!(
            "- **Retry**: from request {}, at most {} attempts, when a condition on a value that was read \
             fails\n",
            retry.from_request, retry.attempts
        );
    }
    text
}

fn conditions(method: &Method<'_>) -> Vec<String> {
    method
        .operation
        .requests
        .iter()
        .flat_map(Request::actions)
        .filter_map(describe::condition)
        .map(|(condition, words_of_pattern)| match words_of_pattern {
            Some(text) => format!("{} ({})", code(&condition), words(text)),
            None => code(&condition),
        })
        .collect()
}

fn page(plan: &Plan<'_>, language: &Language) -> String {
    let paged = plan.methods.iter().any(|method| matches!(method.answer, Answer::Page(_)));
    let mut text = "## Paginated Result Type\n\n".to_owned();
    text += &fenced(language.fence, &(language.page)());
    text += "\nThe cursor is opaque. It is bound to its pattern and its partition: another method or another input \
             refuses it. A page without a next cursor is the last one.\n";
    if !paged {
        text += "\nNo access pattern of this document is paginated.\n";
    }
    text
}

fn transactions(plan: &Plan<'_>, language: &Language) -> String {
    let mut text = "## Transaction Definitions\n".to_owned();
    let mut any = false;
    for method in &plan.methods {
        for request in &method.operation.requests {
            let Request::TransactWriteItems { actions } = request else { continue };
            any = true;
            text += &format!("\n### {} ({})\n\n", code(&(language.method)(&method.name)), method.pattern);
            for (at, action) in actions.iter().enumerate() {
                text += &format!("{}. {}", at + 1, code(&describe::action(plan.design, action)));
                if let Some((condition, _)) = describe::condition(action) {
                    text += &format!(", if {}", code(&condition));
                }
                text += "\n";
            }
        }
    }
    if !any {
        text += "\nNo access pattern of this document needs a transaction.\n";
    }
    text
}

fn traceability(plan: &Plan<'_>, language: &Language) -> String {
    let rows: Vec<Vec<String>> = plan
        .methods
        .iter()
        .map(|method| {
            vec![
                method.pattern.to_owned(),
                words(&method.operation.description),
                code(&format!("{}Repository.{}", method.entity.pascal(), (language.method)(&method.name))),
                "Covered".to_owned(),
            ]
        })
        .collect();
    format!(
        "## Traceability Matrix\n\n{}",
        table(&["AP ID", "Description", "Repository Method", "Status"], &rows)
    )
}

fn notes(plan: &Plan<'_>, _: &Language) -> String {
    let requests = || plan.methods.iter().flat_map(|method| &method.operation.requests);
    let any = |test: fn(&Request) -> bool| requests().any(test);
    let mut notes = vec![
        "Build every key with its builder: a value that contains the separator is escaped, never spliced in."
            .to_owned(),
    ];
    if let Some(attribute) = &plan.design.type_attribute {
        notes.push(format!("{} tells the items of a mixed answer apart.", code(attribute)));
    }
    if any(|request| matches!(request, Request::Query(query) if !query.scatter.is_empty())) {
        notes.push(
            "A sharded read asks all shards in parallel and merges their answers in the order of the sort key.".to_owned(),
        );
    }
    if any(|request| matches!(request, Request::Query(query) if query.one_after_another())) {
        notes.push("Without an order, shards are read one after another until the page is full.".to_owned());
    }
    if any(|request| matches!(request, Request::BatchGetItem(_) | Request::BatchWriteItem { .. })) {
        notes.push("Unprocessed keys and items of a batch are sent again, with backoff.".to_owned());
    }
    if any(|request| request.actions().iter().any(|action| describe::condition(action).is_some())) {
        notes.push("A failed condition is a separate error that names the pattern's condition.".to_owned());
    }
    if plan.methods.iter().any(|method| method.operation.outcome.client_sort) {
        notes.push(
            "If the key order is not the promised order, the method sorts before it returns.".to_owned(),
        );
    }
    if plan
        .methods
        .iter()
        .any(|method| matches!(&method.operation.outcome.shape, Shape::Count { attribute: None }))
    {
        notes.push("A count adds up the counts of all pages.".to_owned());
    }
    let sums = |request: &Request| {
        request.actions().iter().any(|action| {
            matches!(action, keywright_model::design::Action::Put(put)
                if put.values.iter().any(|(_, value)| matches!(value, Value::Sum { .. })))
        })
    };
    if requests().any(sums) {
        notes.push(
            "The next number, of a sequence or of a version, is written in a transaction that is \
             conditioned on the last one; if the last one was read first, the method starts over when \
             another writer was faster."
                .to_owned(),
        );
    }
    let notes: Vec<String> = notes.iter().map(|note| format!("- {note}\n")).collect();
    format!("## Implementation Notes\n\n{}", notes.concat())
}
