//! A bound on how deep the expressions of a request are nested.
//!
//! The embedded engine's parser recurses with every parenthesis. No design comes near the bound; a value that ends
//! up inside an expression by mistake might.

use serde_json::Value;

/// The deepest nesting of parentheses that is sent to the embedded engine.
pub(crate) const DEEPEST: usize = 200;

/// The first expression in a request body that is nested too deep, by the name of its field.
pub(crate) fn too_deep(body: &Value) -> Option<&str> {
    match body {
        Value::Object(fields) => fields.iter().find_map(|(name, value)| match value {
            Value::String(text) if is_expression(name) && depth(text) > DEEPEST => Some(name.as_str()),
            // Values are the bulk of a request and hold no expressions.
            _ if matches!(name.as_str(), "Item" | "Key" | "ExpressionAttributeValues") => None,
            _ => too_deep(value),
        }),
        Value::Array(elements) => elements.iter().find_map(too_deep),
        _ => None,
    }
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
        assert_eq!(too_deep(&json!({"FilterExpression": wide})), None);
        assert_eq!(too_deep(&json!({"FilterExpression": deep})), Some("FilterExpression"));
        assert_eq!(too_deep(&json!({"FilterExpression": "NOT ".repeat(201)})), Some("FilterExpression"));
        assert_eq!(too_deep(&json!({"Item": {"note": {"S": deep}}})), None);
        let transaction = json!({"TransactItems": [{"Put": {"ConditionExpression": deep}}]});
        assert_eq!(too_deep(&transaction), Some("ConditionExpression"));
    }
}
