//! `iam`: least privilege per access pattern, and tenant isolation by the partition keys that a tenant may
//! access.
//!
//! A condition with `ForAllValues` is true if its key is absent from the request. So every statement also
//! requires that the key is present, a Deny rejects requests without it, and Scan, which has no leading key,
//! is never granted where there are tenants.

use std::collections::{BTreeMap, BTreeSet};

use keywright_model::design::{Action, KeyValue, Keys, Operation, Request, Value};
use serde_json::{Map, json};

use super::infrastructure::pretty;
use super::markdown::{code, fenced, table};
use super::{Options, Target};
use crate::plan::{Name, Part, parts};
use crate::{File, Plan, header};

/// IAM policies.
pub(super) static IAM: Target =
    Target { name: "iam", summary: "IAM policies: least privilege per pattern, tenants kept apart", files };

/// The partition keys for which an action on a table or index is needed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Grant {
    /// IAM patterns of the partition keys.
    keys: BTreeSet<String>,
    /// Whether no pattern of partition keys covers everything that the request reads.
    open: bool,
}

impl Grant {
    /// The patterns that also match keys of other tenants.
    fn shared(&self) -> impl Iterator<Item = &String> {
        self.keys.iter().filter(|key| !key.contains("${aws:PrincipalTag/"))
    }
}

/// The IAM patterns of the partition keys for a table, a key and an item type.
type KeyShapes<'k> = dyn Fn(&str, &[(String, Value)], &str) -> Vec<Option<String>> + 'k;

/// The grants of an operation, by resource and action.
type Grants = BTreeMap<(String, &'static str), Grant>;

fn files(plan: &Plan<'_>, _: &Options) -> Vec<File> {
    let tenants = &plan.design.tenants;
    let mut files = Vec::new();
    let mut rows = Vec::new();
    let mut all: Grants = BTreeMap::new();
    for operation in &plan.design.operations {
        let mut grants = grants(plan, operation, tenants);
        let refused = if tenants.is_empty() { Vec::new() } else { refuse_open(&mut grants) };
        for ((resource, action), grant) in &grants {
            let sum = all.entry((resource.clone(), action)).or_default();
            sum.keys.extend(grant.keys.iter().cloned());
            sum.open |= grant.open;
        }
        let actions: BTreeSet<&str> = grants.keys().map(|(_, action)| *action).collect();
        let actions: Vec<String> = actions.iter().map(|action| code(action)).collect();
        let mut row = vec![
            operation.pattern.clone(),
            code(&format!("patterns/{}.json", operation.pattern)),
            if actions.is_empty() { "none".to_owned() } else { actions.join(", ") },
        ];
        if !tenants.is_empty() {
            row.push(reach(&grants, &refused));
        }
        rows.push(row);
        files.push(File::new(format!("patterns/{}.json", operation.pattern), pretty(&policy(plan, &grants))));
    }
    files.push(File::new("all.json", pretty(&policy(plan, &all))));
    if !tenants.is_empty() {
        // A tenant's session must not get a statement that reaches other tenants: it would undo the isolation
        // of all others.
        for grant in all.values_mut() {
            let shared: Vec<String> = grant.shared().cloned().collect();
            grant.keys.retain(|key| !shared.contains(key));
        }
        all.retain(|_, grant| !grant.keys.is_empty());
        files.push(File::new("tenant.json", pretty(&policy(plan, &all))));
    }
    files.push(File::new("README.md", readme(plan, tenants, &rows)));
    files
}

fn readme(plan: &Plan<'_>, tenants: &[String], rows: &[Vec<String>]) -> String {
    let mut text = format!("{}\n# IAM policies\n\n", header::markdown(plan));
    text += "One policy per access pattern, and `all.json` with everything that the patterns need together. Attach those \
             that a service uses. Region and account are wildcards: narrow them where you know them.\n\n";
    if tenants.is_empty() {
        return text + &table(&["Access Pattern", "Policy", "Actions"], rows);
    }
    text += &table(&["Access Pattern", "Policy", "Actions", "Reaches"], rows);
    let tags: Vec<String> = tenants.iter().map(|tenant| code(&tag(tenant))).collect();
    text += &format!(
        "\n## Tenants\n\n`tenant.json` is for a tenant's session: it holds what the patterns need of partition keys that hold \
         the tenant, and nothing else. Tag the principal, or the session that it assumes, with {}, written as keys write \
         it.\n\n{}\n- A pattern that reaches other tenants too has no tenant in a partition key: no condition of IAM looks \
         at a sort key. Leave its policy, and `all.json`, to services that check the tenant themselves.\n- `ForAllValues` is \
         true when the key is absent. So each statement also asks that `dynamodb:LeadingKeys` is there, and a Deny refuses \
         requests without it.\n- Scan has no leading key and is never granted.\n- A tenant whose name holds a space or \
         another character that keys escape matches no key: its requests are denied, never another's allowed.\n",
        tags.join(", "),
        fenced("sh", &format!("aws sts assume-role --role-arn … --tags Key={},Value=t1", tag(&tenants[0])))
    );
    text
}

/// The tenants whose items a policy reaches, and the actions that it does not grant.
fn reach(grants: &Grants, refused: &[String]) -> String {
    let shared: BTreeSet<String> = grants.values().flat_map(Grant::shared).map(|key| code(key)).collect();
    let mut reach = Vec::new();
    if !shared.is_empty() {
        reach.push(format!("other tenants too: {}", shared.into_iter().collect::<Vec<_>>().join(", ")));
    } else if !grants.is_empty() {
        reach.push("its tenant".to_owned());
    }
    reach.extend(refused.iter().cloned());
    reach.join("; ")
}

/// Removes grants that no condition can restrict to a tenant, and describes them.
fn refuse_open(grants: &mut Grants) -> Vec<String> {
    let mut refused = Vec::new();
    grants.retain(|(resource, action), grant| {
        if grant.open {
            let place = resource.rsplit('/').next().unwrap_or(resource);
            refused.push(match *action {
                "dynamodb:Scan" => "no Scan, which has no leading key".to_owned(),
                _ => format!(
                    "no {} on {}, whose leading key is several attributes",
                    action.trim_start_matches("dynamodb:"),
                    code(place)
                ),
            });
        }
        !grant.open
    });
    refused
}

/// The name of the principal's tag that holds the tenant.
fn tag(attribute: &str) -> String {
    Name::new(attribute).camel()
}

fn grants(plan: &Plan<'_>, operation: &Operation, tenants: &[String]) -> Grants {
    let mut grants = Grants::new();
    let mut grant = |table: &str, index: Option<&str>, action: &'static str, keys: Vec<Option<String>>| {
        let grant = grants.entry((arn(table, index), action)).or_default();
        for key in keys {
            match key {
                Some(key) => {
                    grant.keys.insert(key);
                }
                None => grant.open = true,
            }
        }
    };
    // An input may have another name than its attribute.
    let attribute_of = |name: &str| {
        let input = operation.inputs.iter().find(|input| input.name == name);
        input.and_then(|input| input.attribute.clone()).unwrap_or_else(|| name.to_owned())
    };
    let shape = |value: &Value| pattern_of_value(value, tenants, &attribute_of);
    let of_key = |table: &str, key: &[(String, Value)], item: &str| -> Vec<Option<String>> {
        let Some(table) = plan.design.table(table) else { return vec![None] };
        let value = key.iter().find(|(name, _)| *name == table.partition.name).map(|(_, value)| value);
        // A value from an earlier request does not show the form of the key, so the item type's template is
        // used.
        let own = item_pattern(plan, item, &table.partition.name, tenants);
        vec![value.map(shape).filter(|key| key != "*").or(own)]
    };
    for request in &operation.requests {
        match request {
            Request::GetItem(get) => {
                grant(&get.table, None, "dynamodb:GetItem", of_key(&get.table, &get.key, &get.item));
            }
            Request::Query(query) => {
                // AWS does not document the leading key of an index with several partition attributes. No
                // condition can be relied on there, so with tenants nothing is granted.
                let keys = match query.key.partition.as_slice() {
                    [(_, value)] => vec![Some(shape(value))],
                    _ => vec![None],
                };
                grant(&query.table, query.index.as_deref(), "dynamodb:Query", keys);
            }
            Request::BatchGetItem(batch) => {
                let keys = match &batch.keys {
                    Keys::Each(key) => {
                        batch.items.iter().flat_map(|item| of_key(&batch.table, key, item)).collect()
                    }
                    Keys::OfRequest(_) => batch
                        .items
                        .iter()
                        .map(|item| {
                            let table = plan.design.table(&batch.table)?;
                            item_pattern(plan, item, &table.partition.name, tenants)
                        })
                        .collect(),
                };
                grant(&batch.table, None, "dynamodb:BatchGetItem", keys);
            }
            Request::Scan(scan) => grant(&scan.table, scan.index.as_deref(), "dynamodb:Scan", vec![None]),
            Request::Write { action } => {
                let (table, name, keys) = write(plan, action, tenants, &of_key);
                grant(table, None, name, keys);
            }
            Request::TransactWriteItems { actions } => {
                for action in actions {
                    let (table, name, keys) = write(plan, action, tenants, &of_key);
                    grant(table, None, name, keys);
                }
            }
            Request::BatchWriteItem { actions } => {
                for action in actions {
                    let (table, _, keys) = write(plan, action, tenants, &of_key);
                    grant(table, None, "dynamodb:BatchWriteItem", keys);
                }
            }
        }
    }
    grants
}

/// The ARN of a table or an index, in any region of any account.
fn arn(table: &str, index: Option<&str>) -> String {
    let index = index.map_or_else(String::new, |index| format!("/index/{index}"));
    format!("arn:aws:dynamodb:*:*:table/{table}{index}")
}

fn write<'o>(
    plan: &Plan<'_>,
    action: &'o Action,
    tenants: &[String],
    of_key: &KeyShapes<'_>,
) -> (&'o str, &'static str, Vec<Option<String>>) {
    match action {
        Action::Put(put) => {
            let partition = plan.design.table(&put.table).map(|table| table.partition.name.as_str());
            let keys = partition.and_then(|partition| item_pattern(plan, &put.item, partition, tenants));
            (&put.table, "dynamodb:PutItem", vec![keys])
        }
        Action::Update(update) => {
            (&update.table, "dynamodb:UpdateItem", of_key(&update.table, &update.key, &update.item))
        }
        Action::Delete(delete) => {
            (&delete.table, "dynamodb:DeleteItem", of_key(&delete.table, &delete.key, &delete.item))
        }
        Action::Check(check) => {
            (&check.table, "dynamodb:ConditionCheckItem", of_key(&check.table, &check.key, &check.item))
        }
    }
}

/// The IAM pattern of an item type's partition key.
fn item_pattern(plan: &Plan<'_>, item: &str, attribute: &str, tenants: &[String]) -> Option<String> {
    match &plan.design.item(item)?.key(attribute)?.value {
        KeyValue::Template(template) => Some(pattern_of_template(template, tenants, &str::to_owned)),
        KeyValue::Natural => Some(placeholder_pattern(attribute, tenants)),
    }
}

fn pattern_of_value(value: &Value, tenants: &[String], attribute_of: &dyn Fn(&str) -> String) -> String {
    match value {
        Value::Template(template) => pattern_of_template(template, tenants, attribute_of),
        Value::Literal(literal) => literal_pattern(&literal.to_string()),
        Value::Input(name) | Value::Generated(name) => placeholder_pattern(&attribute_of(name), tenants),
        Value::Read { attribute, .. } => placeholder_pattern(attribute, tenants),
        Value::Sum { .. } => "*".to_owned(),
    }
}

/// The IAM pattern of a key template. `attribute_of` gives the attribute that a placeholder stands for.
fn pattern_of_template(template: &str, tenants: &[String], attribute_of: &dyn Fn(&str) -> String) -> String {
    let part = |part: Part<'_>| match part {
        Part::Literal(text) => literal_pattern(text),
        // A shard is hashed from the tenant and does not identify it.
        Part::Value { encoding, .. } if encoding.starts_with("shard") => "*".to_owned(),
        Part::Value { name, .. } => match name.split_once('.') {
            Some((request, attribute)) if request.parse::<u32>().is_ok() => {
                placeholder_pattern(attribute, tenants)
            }
            _ => placeholder_pattern(&attribute_of(name), tenants),
        },
    };
    parts(template).into_iter().map(part).collect()
}

/// A tenant attribute matches the principal's own tenant; any other attribute matches everything.
fn placeholder_pattern(attribute: &str, tenants: &[String]) -> String {
    if tenants.iter().any(|tenant| tenant == attribute) {
        format!("${{aws:PrincipalTag/{}}}", tag(attribute))
    } else {
        "*".to_owned()
    }
}

/// Literal text, with IAM's special characters written as the variables that stand for them.
fn literal_pattern(text: &str) -> String {
    text.chars()
        .map(|character| match character {
            '*' | '?' | '$' => format!("${{{character}}}"),
            other => other.to_string(),
        })
        .collect()
}

fn policy(plan: &Plan<'_>, grants: &Grants) -> serde_json::Value {
    // Actions with the same resource and keys share a statement.
    let mut statements: BTreeMap<(String, Vec<String>, bool), BTreeSet<&'static str>> = BTreeMap::new();
    for ((resource, action), grant) in grants {
        let keys: Vec<String> = if grant.open { Vec::new() } else { grant.keys.iter().cloned().collect() };
        let restricted = !keys.is_empty() && !keys.iter().any(|key| key == "*");
        let keys = if restricted { keys } else { Vec::new() };
        statements.entry((resource.clone(), keys, restricted)).or_default().insert(action);
    }
    let mut written: Vec<serde_json::Value> = Vec::new();
    for ((resource, keys, restricted), actions) in &statements {
        let mut statement = Map::new();
        statement.insert("Sid".into(), format!("Allow{}", written.len() + 1).into());
        statement.insert("Effect".into(), "Allow".into());
        statement.insert("Action".into(), actions.iter().copied().collect());
        statement.insert("Resource".into(), resource.clone().into());
        if *restricted {
            statement.insert(
                "Condition".into(),
                json!({
                    "ForAllValues:StringLike": { "dynamodb:LeadingKeys": keys },
                    "Null": { "dynamodb:LeadingKeys": "false" },
                }),
            );
        }
        written.push(statement.into());
    }
    if !plan.design.tenants.is_empty() {
        let resources: Vec<String> = (plan.design.tables.iter())
            .flat_map(|table| [arn(&table.name, None), arn(&table.name, Some("*"))])
            .collect();
        written.push(json!({
            "Sid": "DenyScan",
            "Effect": "Deny",
            "Action": ["dynamodb:PartiQLSelect", "dynamodb:Scan"],
            "Resource": resources,
        }));
        written.push(json!({
            "Sid": "DenyWithoutLeadingKey",
            "Effect": "Deny",
            "Action": [
                "dynamodb:BatchGetItem",
                "dynamodb:BatchWriteItem",
                "dynamodb:ConditionCheckItem",
                "dynamodb:DeleteItem",
                "dynamodb:GetItem",
                "dynamodb:PutItem",
                "dynamodb:Query",
                "dynamodb:UpdateItem",
            ],
            "Resource": resources,
            "Condition": { "Null": { "dynamodb:LeadingKeys": "true" } },
        }));
    }
    json!({ "Version": "2012-10-17", "Statement": written })
}
