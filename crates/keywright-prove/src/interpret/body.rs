//! Requests as DynamoDB JSON: expressions with aliases for every name and every value.

use std::collections::BTreeMap;

use keywright_dynamodb::expression::{Condition, KeyCondition, Names, Update};
use keywright_dynamodb::value::{AttributeValue, Item};
use serde_json::{Map, Value as Json};

/// The body of a request, together with the aliases that its expressions share.
pub(crate) struct Body {
    fields: Map<String, Json>,
    names: Names,
    values: BTreeMap<String, AttributeValue>,
}

impl Body {
    /// A body for a table.
    pub(crate) fn of_table(table: &str) -> Self {
        let mut fields = Map::new();
        fields.insert("TableName".into(), table.into());
        Body { fields, names: Names::aliased(), values: BTreeMap::new() }
    }

    /// Sets a field.
    pub(crate) fn set(&mut self, field: &str, value: impl Into<Json>) -> &mut Self {
        self.fields.insert(field.into(), value.into());
        self
    }

    /// Sets a field to an item or a key.
    pub(crate) fn item(&mut self, field: &str, item: &Item) -> &mut Self {
        self.set(field, json(item))
    }

    /// Adds a condition or filter expression.
    pub(crate) fn condition(&mut self, field: &str, condition: &Condition<AttributeValue>) -> &mut Self {
        let (names, values) = (&mut self.names, &mut self.values);
        let text = condition.print(names, &mut |value| alias(values, value));
        self.set(field, text)
    }

    /// Adds a key condition.
    pub(crate) fn key_condition(&mut self, condition: &KeyCondition<AttributeValue>) -> &mut Self {
        let (names, values) = (&mut self.names, &mut self.values);
        let text = condition.print(names, &mut |value| alias(values, value));
        self.set("KeyConditionExpression", text)
    }

    /// Adds an update expression.
    pub(crate) fn update(&mut self, update: &Update<AttributeValue>) -> &mut Self {
        let (names, values) = (&mut self.names, &mut self.values);
        let text = update.print(names, &mut |value| alias(values, value));
        self.set("UpdateExpression", text)
    }

    /// Adds a projection; none for no attributes.
    pub(crate) fn projection(&mut self, attributes: &[String]) -> &mut Self {
        if attributes.is_empty() {
            return self;
        }
        let text = self.names.projection(attributes);
        self.set("ProjectionExpression", text)
    }

    /// The body with its aliases.
    pub(crate) fn finish(mut self) -> Json {
        let names = self.names.aliases();
        if !names.is_empty() {
            let names: Map<String, Json> =
                names.into_iter().map(|(alias, name)| (alias, name.into())).collect();
            self.fields.insert("ExpressionAttributeNames".into(), names.into());
        }
        if !self.values.is_empty() {
            let values: Map<String, Json> =
                self.values.iter().map(|(alias, value)| (alias.clone(), json(value))).collect();
            self.fields.insert("ExpressionAttributeValues".into(), values.into());
        }
        Json::Object(self.fields)
    }
}

fn alias(values: &mut BTreeMap<String, AttributeValue>, value: &AttributeValue) -> String {
    let alias = format!(":v{}", values.len());
    values.insert(alias.clone(), value.clone());
    alias
}

/// A value as JSON.
pub(crate) fn json(value: &impl serde::Serialize) -> Json {
    serde_json::to_value(value).expect("attribute values have string keys and finite numbers")
}

/// An item from JSON; none where it is no item.
pub(crate) fn item(json: &Json) -> Option<Item> {
    serde_json::from_value(json.clone()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use keywright_dynamodb::expression::Assigned;

    #[test]
    fn expressions_share_their_aliases() {
        let mut body = Body::of_table("T");
        let update =
            Update { set: vec![("status".into(), Assigned::Value("A".into()))], ..Update::default() };
        body.update(&update).condition("ConditionExpression", &Condition::equals("status", "B".into()));
        let body = body.finish();
        assert_eq!(body["UpdateExpression"], "SET #n0 = :v0");
        assert_eq!(body["ConditionExpression"], "#n0 = :v1");
        assert_eq!(body["ExpressionAttributeNames"]["#n0"], "status");
        assert_eq!(body["ExpressionAttributeValues"][":v1"]["S"], "B");
    }
}
