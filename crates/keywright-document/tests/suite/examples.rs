//! The examples as Models: what is read of each, word for word but without places.

use std::fmt::Write;

use keywright_finding::Level;
use serde_json::Value;

fn read(name: &str) -> String {
    let path = format!("{}/../../examples/{name}/access-patterns.md", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).expect("the examples are part of the repository")
}

/// A value without places, with `{"value": x}` as `x` and `{"value": x, "assumed": true}` as `"x (assumed)"`.
fn plain(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let mut fields: serde_json::Map<String, Value> = fields
                .into_iter()
                .filter(|(name, _)| name != "span")
                .map(|(name, it)| (name, plain(it)))
                .collect();
            match (fields.remove("value"), fields.get("assumed"), fields.len()) {
                (Some(value), None, 0) => value,
                (Some(Value::String(value)), Some(_), 1) => Value::String(format!("{value} (assumed)")),
                (Some(value), _, _) => {
                    fields.insert("value".to_owned(), value);
                    Value::Object(fields)
                }
                (None, _, _) => Value::Object(fields),
            }
        }
        Value::Array(values) => Value::Array(values.into_iter().map(plain).collect()),
        other => other,
    }
}

/// A Model, one fact a line.
fn show(name: &str) -> String {
    let (model, findings) = keywright_document::read_access_patterns(&read(name));
    let mut shown = String::new();
    let Value::Object(fields) = plain(serde_json::to_value(&model).expect("a Model is JSON")) else {
        panic!("a Model is an object")
    };
    for (field, value) in fields {
        match value {
            Value::Array(values) => {
                for mut value in values {
                    let lines = ["attributes", "inputs"].map(|inner| {
                        value.as_object_mut().and_then(|value| value.remove(inner)).unwrap_or(Value::Null)
                    });
                    writeln!(shown, "{field}: {value}").expect("a String takes all");
                    for line in lines.iter().filter_map(Value::as_array).flatten() {
                        writeln!(shown, "    {line}").expect("a String takes all");
                    }
                }
            }
            value => writeln!(shown, "{field}: {value}").expect("a String takes all"),
        }
    }
    for finding in findings {
        writeln!(shown, "{}[{}]: {}", finding.level, finding.rule.name(), finding.message)
            .expect("a String takes all");
    }
    shown
}

#[test]
fn orders() {
    insta::assert_snapshot!(show("orders"));
}

#[test]
fn saas() {
    insta::assert_snapshot!(show("saas"));
}

#[test]
fn expedition() {
    insta::assert_snapshot!(show("expedition"));
}

#[test]
fn devices() {
    insta::assert_snapshot!(show("devices"));
}

#[test]
fn forum() {
    insta::assert_snapshot!(show("forum"));
}

#[test]
fn bad() {
    insta::assert_snapshot!(show("bad"));
}

#[test]
fn good_examples_are_read_without_a_warning() {
    for name in ["orders", "saas", "expedition", "devices", "forum"] {
        let (model, findings) = keywright_document::read_access_patterns(&read(name));
        let loud: Vec<_> = findings.iter().filter(|finding| finding.level > Level::Note).collect();
        assert!(loud.is_empty(), "{name}: {loud:#?}");
        assert!(model.patterns.len() >= 10, "{name} has {} patterns", model.patterns.len());
        assert!(model.entities.iter().all(|it| !it.identity.is_empty() || !it.kinds.is_empty()), "{name}");
    }
}
