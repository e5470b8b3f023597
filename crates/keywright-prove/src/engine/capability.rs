//! What not every engine can do, and how to find out by trying it.

use serde_json::{Value, json};

use crate::engine::{Engine, EngineError, Tables};

/// Something that DynamoDB does and an engine may lack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Capability {
    /// Global secondary indexes with several HASH and RANGE attributes.
    MultiAttributeIndexKeys,
    /// `ConsumedCapacity` for the table and for each index.
    ConsumedCapacity,
    /// `ConsumedCapacity` of a Query that follows the size of what it read.
    ReadCapacityBySize,
    /// A reason for every action of a cancelled transaction.
    CancellationReasons,
}

impl Capability {
    /// All of them.
    pub const ALL: [Capability; 4] = [
        Capability::MultiAttributeIndexKeys,
        Capability::ConsumedCapacity,
        Capability::ReadCapacityBySize,
        Capability::CancellationReasons,
    ];
}

/// Whether an engine can do something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Support {
    /// It can.
    Present,
    /// It can't, for this reason.
    Absent(String),
}

impl Support {
    /// Whether it can.
    pub fn is_present(&self) -> bool {
        *self == Support::Present
    }
}

/// Finds out by trying, on a table of its own that is gone afterwards.
///
/// ```
/// use keywright_prove::engine::{Embedded, capability};
/// let engine = Embedded::in_memory()?;
/// for (capability, support) in capability::probe(&engine)? {
///     assert!(support.is_present(), "{capability:?}: {support:?}");
/// }
/// # Ok::<(), keywright_prove::engine::EngineError>(())
/// ```
pub fn probe(engine: &dyn Engine) -> Result<Vec<(Capability, Support)>, EngineError> {
    let mut tables = Tables::new(engine);
    let found = Capability::ALL.into_iter().map(|capability| {
        let support = match capability {
            Capability::MultiAttributeIndexKeys => probe_multi_attribute_keys(&mut tables),
            Capability::ConsumedCapacity => probe_consumed_capacity(&mut tables),
            Capability::ReadCapacityBySize => probe_read_capacity(&mut tables),
            Capability::CancellationReasons => probe_cancellation_reasons(&mut tables),
        };
        Ok((capability, refusal_is_absence(support)?))
    });
    let found = found.collect::<Result<Vec<_>, EngineError>>();
    tables.end(found)
}

/// What an engine refuses, it lacks; what stands in the way of asking stays an error.
fn refusal_is_absence(support: Result<Support, EngineError>) -> Result<Support, EngineError> {
    match support {
        Err(EngineError::Refused(refusal)) => Ok(Support::Absent(refusal.to_string())),
        support => support,
    }
}

fn probe_multi_attribute_keys(tables: &mut Tables<'_>) -> Result<Support, EngineError> {
    let table = tables.create(&table("multi", &["a", "b"], &["c", "d"]))?;
    // Some engines take the definition and keep only the first attribute of each kind.
    let description = tables.engine().call("DescribeTable", json!({"TableName": table}))?;
    let keys = &description["Table"]["GlobalSecondaryIndexes"][0]["KeySchema"];
    Ok(match keys.as_array().map(Vec::len) {
        Some(4) => Support::Present,
        _ => Support::Absent(format!("an index of four key attributes became {keys}")),
    })
}

fn probe_consumed_capacity(tables: &mut Tables<'_>) -> Result<Support, EngineError> {
    let table = tables.create(&table("capacity", &["a"], &[]))?;
    let put = json!({
        "TableName": table, "Item": {"pk": {"S": "1"}, "a": {"S": "1"}}, "ReturnConsumedCapacity": "INDEXES",
    });
    let consumed = tables.engine().call("PutItem", put)?["ConsumedCapacity"].take();
    // Whether the numbers are right is no question of what an engine has: every request of a proof asks that.
    let states = |value: &Value| value["CapacityUnits"].is_number();
    Ok(if states(&consumed["Table"]) && states(&consumed["GlobalSecondaryIndexes"]["index"]) {
        Support::Present
    } else {
        Support::Absent(format!("a small put with one index entry consumed {consumed}"))
    })
}

/// What an engine states for a small item and for two of 3 KB: one that states the same for both does not add up what it
/// reads. One that states a wrong number for either is wrong, and lacks nothing.
fn probe_read_capacity(tables: &mut Tables<'_>) -> Result<Support, EngineError> {
    let table = tables.create(&table("read", &["a"], &[]))?;
    for (key, a, bytes) in [("1", "large", 3000), ("2", "large", 3000), ("3", "small", 1)] {
        let item = json!({"pk": {"S": key}, "a": {"S": a}, "b": {"S": "x".repeat(bytes)}});
        tables.engine().call("PutItem", json!({"TableName": table, "Item": item}))?;
    }
    let query = |a: &str| {
        tables.engine().call(
            "Query",
            json!({
                "TableName": table, "IndexName": "index", "KeyConditionExpression": "a = :a",
                "ExpressionAttributeValues": {":a": {"S": a}}, "ReturnConsumedCapacity": "INDEXES",
            }),
        )
    };
    let (large, small) = (query("large")?, query("small")?);
    let units = |answer: &Value| answer["ConsumedCapacity"]["CapacityUnits"].as_f64();
    // An index that lags shows fewer items: it tells nothing about sizes, and such engines reckon like DynamoDB.
    let lags = large["Count"].as_u64() != Some(2) || small["Count"].as_u64() != Some(1);
    let states = units(&large).is_some() && units(&small).is_some();
    Ok(if lags || states && units(&large) != units(&small) {
        Support::Present
    } else {
        let consumed = &large["ConsumedCapacity"];
        Support::Absent(format!("a Query of 6 KB consumed {consumed}, and so did one of a few bytes"))
    })
}

fn probe_cancellation_reasons(tables: &mut Tables<'_>) -> Result<Support, EngineError> {
    let table = tables.create(&table("reasons", &["a"], &[]))?;
    let failing = json!({
        "TableName": table, "Key": {"pk": {"S": "1"}}, "ConditionExpression": "attribute_exists(pk)",
    });
    match tables.engine().call("TransactWriteItems", json!({"TransactItems": [{"ConditionCheck": failing}]}))
    {
        Ok(_) => Ok(Support::Absent("a transaction went through although its condition failed".into())),
        Err(error) => match error.refusal() {
            Some(refusal)
                if refusal.reasons.first().is_some_and(|reason| reason.code == "ConditionalCheckFailed") =>
            {
                Ok(Support::Present)
            }
            Some(refusal) => {
                Ok(Support::Absent(format!("a cancelled transaction gives no reasons: {refusal}")))
            }
            None => Err(error),
        },
    }
}

/// A table definition with one index on these attributes, all of them strings.
fn table(name: &str, hash: &[&str], range: &[&str]) -> Value {
    let attributes = ["pk"].iter().chain(hash).chain(range);
    let key = |kind: &'static str| move |name: &&str| json!({"AttributeName": name, "KeyType": kind});
    let index_keys: Vec<Value> = hash.iter().map(key("HASH")).chain(range.iter().map(key("RANGE"))).collect();
    json!({
        "TableName": format!("probe-{name}"),
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions":
            attributes.map(|name| json!({"AttributeName": name, "AttributeType": "S"})).collect::<Vec<_>>(),
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "GlobalSecondaryIndexes":
            [{"IndexName": "index", "KeySchema": index_keys, "Projection": {"ProjectionType": "ALL"}}],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Embedded;

    /// An engine that lacks everything that can be lacking.
    struct Poor(Embedded);

    impl Engine for Poor {
        fn name(&self) -> String {
            "poor engine".into()
        }

        fn call(&self, operation: &str, mut body: Value) -> Result<Value, EngineError> {
            // It knows one attribute of each kind, drops the rest in silence, and gives neither units nor reasons.
            if operation == "CreateTable" {
                let keys = body["GlobalSecondaryIndexes"][0]["KeySchema"].as_array_mut().expect("an index");
                keys.truncate(1);
                body["AttributeDefinitions"].as_array_mut().expect("attributes").truncate(2);
            }
            let mut answer = self.0.call(operation, body).map_err(|error| match error {
                EngineError::Refused(mut refusal) => {
                    refusal.reasons.clear();
                    EngineError::Refused(refusal)
                }
                other => other,
            })?;
            if let Some(answer) = answer.as_object_mut() {
                answer.remove("ConsumedCapacity");
            }
            Ok(answer)
        }

        fn support(&self, _: Capability) -> Result<Support, EngineError> {
            Ok(Support::Present)
        }

        fn is_private(&self) -> bool {
            true
        }
    }

    #[test]
    fn what_an_engine_lacks_is_found_out_by_trying() {
        let engine = Poor(Embedded::in_memory().unwrap());
        let found = probe(&engine).unwrap();
        assert_eq!(found.len(), Capability::ALL.len());
        for (capability, support) in found {
            assert!(!support.is_present(), "{capability:?}");
        }
        assert_eq!(engine.call("ListTables", json!({})).unwrap()["TableNames"], json!([]));
    }

    /// An engine that states half a unit more for every Query.
    struct Lying(Embedded);

    impl Engine for Lying {
        fn name(&self) -> String {
            "lying engine".into()
        }

        fn call(&self, operation: &str, body: Value) -> Result<Value, EngineError> {
            let mut answer = self.0.call(operation, body)?;
            let units = answer["ConsumedCapacity"]["CapacityUnits"].as_f64();
            if let Some(units) = units.filter(|_| operation == "Query") {
                answer["ConsumedCapacity"]["CapacityUnits"] = json!(units + 0.5);
            }
            Ok(answer)
        }

        fn support(&self, _: Capability) -> Result<Support, EngineError> {
            Ok(Support::Present)
        }

        fn is_private(&self) -> bool {
            true
        }
    }

    #[test]
    fn an_engine_that_states_something_else_lacks_nothing() {
        let engine = Lying(Embedded::in_memory().unwrap());
        for (capability, support) in probe(&engine).unwrap() {
            assert!(support.is_present(), "{capability:?}: {support:?}");
        }
    }

    #[test]
    fn an_engine_that_can_t_be_asked_lacks_nothing() {
        let refused = refusal_is_absence(Err(EngineError::Interrupted));
        assert!(matches!(refused, Err(EngineError::Interrupted)));
    }
}
