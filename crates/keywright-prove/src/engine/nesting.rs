//! A measure of how deep the expressions of a request are nested.
//!
//! The embedded engine's parser recurses with every parenthesis. No design comes near the bound; a value that ends
//! up inside an expression by mistake might.

use serde_json::Value;

/// The deepest nesting of parentheses that is sent to the embedded engine.
pub(crate) const DEEPEST: usize = 200;

/// A nesting that any thread's stack has room for: the parser needs a few kilobytes per level.
pub(crate) const SHALLOW: usize = 16;

/// How deep the expressions of a request body are nested, and the field with the deepest one.
pub(crate) fn deepest(body: &Value) -> (usize, &str) {
    match body {
        Value::Object(fields) => deeper(fields.iter().map(|(name, value)| match value {
            Value::String(text) if is_expression(name) => (depth(text), name.as_str()),
            // Values are the bulk of a request and hold no expressions.
            _ if matches!(name.as_str(), "Item" | "Key" | "ExpressionAttributeValues") => (0, ""),
            _ => deepest(value),
        })),
        Value::Array(elements) => deeper(elements.iter().map(deepest)),
        _ => (0, ""),
    }
}

/// The deepest of several; the first of those that are equally deep.
fn deeper<'a>(parts: impl Iterator<Item = (usize, &'a str)>) -> (usize, &'a str) {
    parts.fold((0, ""), |most, part| if part.0 > most.0 { part } else { most })
}

fn is_expression(name: &str) -> bool {
    name.ends_with("Expression") || name == "Statement"
}

/// Open parentheses at the deepest place, and each NOT before them: both make the parser recurse.
fn depth(expression: &str) -> usize {
    let (mut open, mut deepest) = (0usize, 0);
    for byte in expression.bytes() {
        match byte {
            b'(' => {
                open += 1;
                deepest = deepest.max(open);
            }
            b')' => open = open.saturating_sub(1),
            _ => {}
        }
    }
    let negations =
        expression.split_ascii_whitespace().filter(|word| word.eq_ignore_ascii_case("NOT")).count();
    deepest + negations
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_depth_counts_and_only_in_expressions() {
        let wide = "(a = :a) OR ".repeat(150) + "(a = :a)";
        let deep = "(".repeat(201) + "a = :a" + &")".repeat(201);
        assert_eq!(deepest(&json!({"FilterExpression": wide})).0, 1);
        assert_eq!(deepest(&json!({"FilterExpression": deep})), (201, "FilterExpression"));
        assert_eq!(deepest(&json!({"FilterExpression": "NOT ".repeat(201)})), (201, "FilterExpression"));
        assert_eq!(deepest(&json!({"Item": {"note": {"S": deep}}})).0, 0);
        let transaction = json!({"TransactItems": [
            {"Put": {"ConditionExpression": "(a = :a)"}},
            {"Update": {"UpdateExpression": "SET a = :a", "ConditionExpression": deep}},
        ]});
        assert_eq!(deepest(&transaction), (201, "ConditionExpression"));
    }
}
