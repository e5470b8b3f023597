//! IAM policies, judged by an evaluator of the part of IAM that they use.

use std::collections::BTreeMap;

use keywright_generate::{Options, Source, generate, target};
use keywright_model::{Design, Model, Style};
use serde_json::{Value, json};

/// A design of one table whose items belong to tenants.
fn design() -> Design {
    serde_json::from_value(json!({
        "application": "Saas", "style": "overloaded", "typeAttribute": "entityType",
        "tables": [{ "name": "Saas", "partition": { "name": "pk", "type": "S" }, "sort": { "name": "sk", "type": "S" } }],
        "indexes": [],
        "items": [{
            "name": "Project", "kind": "main", "entities": ["Project"], "table": "Saas",
            "keys": [
                { "attribute": "pk", "value": { "template": "TENANT#<tenantId>#PROJECTS" } },
                { "attribute": "sk", "value": { "template": "PROJECT#<projectId>" } },
            ],
            "attributes": [{ "name": "tenantId", "type": "string" }, { "name": "projectId", "type": "ulid" }],
        }],
        "operations": [
            {
                "pattern": "AP-001", "description": "List projects", "operation": "Query", "index": null, "shards": 1,
                "requests": [{
                    "operation": "Query", "table": "Saas", "items": ["Project"], "forward": true, "limit": "all",
                    "key": { "partition": [["pk", { "template": "TENANT#<tenantId>#PROJECTS" }]] },
                }],
                "inputs": [{ "name": "tenantId", "type": "string", "role": "equal", "attribute": "tenantId" }],
                "outcome": { "shape": "collection", "items": ["Project"], "fromRequest": 1 },
            },
            {
                "pattern": "AP-002", "description": "Scan all projects", "operation": "Scan", "index": null, "shards": 1,
                "requests": [{ "operation": "Scan", "table": "Saas", "items": ["Project"], "limit": "all" }],
                "inputs": [], "outcome": { "shape": "collection", "items": ["Project"], "fromRequest": 1 },
            },
        ],
        "total": { "bill": "0", "operational": "0" },
    }))
    .expect("the design is valid")
}

/// The policies for a design whose tenants these attributes name.
fn policies(tenants: &[&str]) -> BTreeMap<String, Value> {
    policies_of(Design { tenants: tenants.iter().map(|&it| it.to_owned()).collect(), ..design() })
}

fn policies_of(design: Design) -> BTreeMap<String, Value> {
    let source = Source { model: None, design: &design, document: "access-patterns.md" };
    let files =
        generate(target("iam").expect("it exists"), &source, &Options::default()).expect("names are usable");
    files
        .into_iter()
        .filter(|file| file.path.ends_with(".json"))
        .map(|file| (file.path, serde_json::from_str(&file.text).expect("a policy is JSON")))
        .collect()
}

/// A request as IAM sees it.
struct Asked<'a> {
    action: &'a str,
    resource: &'a str,
    leading_keys: Option<Vec<&'a str>>,
    tenant: Option<&'a str>,
}

/// Whether the text is like the pattern: `*` is anything, everything else itself.
fn like(pattern: &[char], text: &[char]) -> bool {
    match pattern.split_first() {
        None => text.is_empty(),
        Some(('*', rest)) => (0..=text.len()).any(|skip| like(rest, &text[skip..])),
        Some((first, rest)) => text.first() == Some(first) && like(rest, &text[1..]),
    }
}

/// The pattern's characters with variables filled in; a filled-in `*` is no wildcard. None where a variable has no value.
fn filled(pattern: &str, asked: &Asked<'_>) -> Option<Vec<Result<char, char>>> {
    let mut characters = Vec::new();
    let mut rest = pattern;
    while let Some((before, variable)) = rest.split_once("${") {
        characters.extend(before.chars().map(Ok));
        let (name, after) = variable.split_once('}').expect("variables are closed");
        let value = match name {
            "*" | "?" | "$" => name,
            "aws:PrincipalTag/tenantId" | "aws:PrincipalTag/tenantCode" => asked.tenant?,
            other => panic!("unknown variable {other}"),
        };
        characters.extend(value.chars().map(Err));
        rest = after;
    }
    characters.extend(rest.chars().map(Ok));
    Some(characters)
}

fn matches_key(pattern: &str, key: &str, asked: &Asked<'_>) -> bool {
    // Literal characters of a variable are moved out of the way of the wildcards.
    let Some(pattern) = filled(pattern, asked) else { return false };
    let pattern: Vec<char> = pattern
        .into_iter()
        .map(|it| it.unwrap_or_else(|literal| if literal == '*' { '\u{1}' } else { literal }))
        .collect();
    let key: Vec<char> = key.chars().map(|it| if it == '*' { '\u{1}' } else { it }).collect();
    like(&pattern, &key)
}

fn list(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        other => panic!("not a list of texts: {other}"),
    }
}

fn applies(statement: &Value, asked: &Asked<'_>) -> bool {
    let wild = |pattern: &str, text: &str| {
        like(&pattern.chars().collect::<Vec<_>>(), &text.chars().collect::<Vec<_>>())
    };
    let conditions = statement["Condition"].as_object();
    let holds = conditions.into_iter().flatten().all(|(operator, test)| match operator.as_str() {
        // True also when the key is absent: that is the trap.
        "ForAllValues:StringLike" => {
            let patterns = list(&test["dynamodb:LeadingKeys"]);
            asked
                .leading_keys
                .iter()
                .flatten()
                .all(|key| patterns.iter().any(|pattern| matches_key(pattern, key, asked)))
        }
        "Null" => (test["dynamodb:LeadingKeys"] == "true") == asked.leading_keys.is_none(),
        other => panic!("unknown condition {other}"),
    });
    list(&statement["Action"]).iter().any(|action| wild(action, asked.action))
        && list(&statement["Resource"]).iter().any(|resource| wild(resource, asked.resource))
        && holds
}

fn allowed(policy: &Value, asked: &Asked<'_>) -> bool {
    let statements = policy["Statement"].as_array().expect("a policy has statements");
    let with = |effect: &str| statements.iter().any(|it| it["Effect"] == effect && applies(it, asked));
    with("Allow") && !with("Deny")
}

#[test]
fn a_tenant_reaches_its_own_keys_and_no_others() {
    let policy = &policies(&["tenantId"])["all.json"];
    let table = "arn:aws:dynamodb:eu-west-1:123456789012:table/Saas";
    for (why, action, keys, tenant, expected) in [
        ("its own", "dynamodb:Query", Some(vec!["TENANT#t1#PROJECTS"]), Some("t1"), true),
        ("another's", "dynamodb:Query", Some(vec!["TENANT#t2#PROJECTS"]), Some("t1"), false),
        ("one that its name begins", "dynamodb:Query", Some(vec!["TENANT#t10#PROJECTS"]), Some("t1"), false),
        (
            "its own and another's",
            "dynamodb:Query",
            Some(vec!["TENANT#t1#PROJECTS", "TENANT#t2#PROJECTS"]),
            Some("t1"),
            false,
        ),
        ("a tenant that is a wildcard", "dynamodb:Query", Some(vec!["TENANT#t2#PROJECTS"]), Some("*"), false),
        ("no key at all", "dynamodb:Query", None, Some("t1"), false),
        ("nobody's session", "dynamodb:Query", Some(vec!["TENANT#t1#PROJECTS"]), None, false),
        ("a Scan", "dynamodb:Scan", None, Some("t1"), false),
        (
            "a write that no pattern has",
            "dynamodb:PutItem",
            Some(vec!["TENANT#t1#PROJECTS"]),
            Some("t1"),
            false,
        ),
    ] {
        let asked = Asked { action, resource: table, leading_keys: keys, tenant };
        assert_eq!(allowed(policy, &asked), expected, "{why}");
    }
}

#[test]
fn the_trap_is_there_without_the_guards() {
    let mut policy = policies(&["tenantId"])["all.json"].clone();
    for statement in policy["Statement"].as_array_mut().expect("statements") {
        if let Some(condition) = statement.get_mut("Condition").and_then(Value::as_object_mut) {
            condition.remove("Null");
        }
    }
    policy["Statement"].as_array_mut().expect("statements").retain(|it| it["Effect"] == "Allow");
    let resource = "arn:aws:dynamodb:eu-west-1:123456789012:table/Saas";
    let asked = Asked { action: "dynamodb:Query", resource, leading_keys: None, tenant: Some("t1") };
    assert!(allowed(&policy, &asked), "an absent key satisfies ForAllValues");
}

#[test]
fn a_scan_is_granted_only_where_there_are_no_tenants() {
    let asked = |policy: &Value| {
        let resource = "arn:aws:dynamodb:eu-west-1:123456789012:table/Saas";
        allowed(policy, &Asked { action: "dynamodb:Scan", resource, leading_keys: None, tenant: None })
    };
    assert!(asked(&policies(&[])["patterns/AP-002.json"]));
    assert!(!asked(&policies(&["tenantId"])["patterns/AP-002.json"]));
}

#[test]
fn policies_have_the_syntax_of_iam() {
    for (path, policy) in policies(&["tenantId"]) {
        assert_eq!(policy["Version"], "2012-10-17", "{path}");
        for statement in policy["Statement"].as_array().expect("statements") {
            let keys: Vec<&String> = statement.as_object().expect("an object").keys().collect();
            assert!(
                keys.iter()
                    .all(|key| ["Action", "Condition", "Effect", "Resource", "Sid"].contains(&key.as_str()))
            );
            let sid = statement["Sid"].as_str().expect("a name");
            assert!(sid.chars().all(|it| it.is_ascii_alphanumeric()), "{sid}");
            assert!(list(&statement["Resource"]).iter().all(|it| it.starts_with("arn:aws:dynamodb:")));
        }
    }
}

/// The Model is at hand only where the document is one of access patterns: isolation must not hang on it.
#[test]
fn a_design_that_was_read_keeps_its_tenants_apart() {
    let text = include_str!("../../../../examples/saas/access-patterns.md");
    let (model, _) = keywright_document::read_access_patterns(text);
    let design = keywright_design::design(&model, &keywright_design::Options::default()).design;
    let design = design.expect("the example can be designed");
    let written = keywright_document::write_table_design(&design, keywright_document::Companions::default());
    let read = keywright_document::read_table_design(&written).design;
    let iam = |model: Option<&Model>, design: &Design| {
        let source = Source { model, design, document: "a.md" };
        generate(target("iam").expect("it exists"), &source, &Options::default()).expect("names are usable")
    };
    assert_eq!(iam(None, &read), iam(Some(&model), &design));
}

/// The files of the policies for the example with tenants, in a style.
fn of_the_example(style: Style) -> BTreeMap<String, String> {
    let text = include_str!("../../../../examples/saas/access-patterns.md");
    let (model, _) = keywright_document::read_access_patterns(text);
    let options = keywright_design::Options { style: Some(style), ..keywright_design::Options::default() };
    let design = keywright_design::design(&model, &options).design.expect("the example can be designed");
    let source = Source { model: Some(&model), design: &design, document: "access-patterns.md" };
    let files =
        generate(target("iam").expect("it exists"), &source, &Options::default()).expect("names are usable");
    files.into_iter().map(|file| (file.path, file.text)).collect()
}

fn row<'f>(files: &'f BTreeMap<String, String>, pattern: &str) -> &'f str {
    let row = files["README.md"].lines().find(|line| line.starts_with(&format!("| {pattern} |")));
    row.expect("every pattern has a row")
}

/// People are common to all tenants: what the patterns on them need is no business of a tenant's session.
#[test]
fn a_tenants_session_is_granted_nothing_that_others_share() {
    for style in Style::ALL {
        let files = of_the_example(style);
        let policy: Value = serde_json::from_str(&files["tenant.json"]).expect("a policy is JSON");
        let statements = policy["Statement"].as_array().expect("statements");
        let allows: Vec<&Value> = statements.iter().filter(|it| it["Effect"] == "Allow").collect();
        assert!(allows.len() > 3, "{style}: most patterns name the tenant");
        for statement in allows {
            let keys = list(&statement["Condition"]["ForAllValues:StringLike"]["dynamodb:LeadingKeys"]);
            assert!(
                keys.iter().all(|key| key.contains("${aws:PrincipalTag/tenantCode}")),
                "{style}: {statement}"
            );
        }
        let table = if style == Style::MultiTable { "Membership" } else { "Back-Office" };
        let resource = format!("arn:aws:dynamodb:eu-west-1:123456789012:table/{table}");
        let (personal, own) = match style {
            Style::MultiTable => ("01J", "t1"),
            _ => ("PERSON#01J", "PRODUCT_TENANTCODE#t1"),
        };
        for (action, key) in [("dynamodb:DeleteItem", personal), ("dynamodb:Scan", own)] {
            let asked =
                Asked { action, resource: &resource, leading_keys: Some(vec![key]), tenant: Some("t1") };
            assert!(!allowed(&policy, &asked), "{style}: {action} {key}");
        }
    }
}

/// A pattern on what is common works in every style, and the README says that it reaches all tenants.
#[test]
fn the_readme_says_whom_a_policy_reaches_and_what_it_withholds() {
    let overloaded = of_the_example(Style::Overloaded);
    assert!(row(&overloaded, "AP-001").ends_with("| other tenants too: `PERSON#*` |"));
    assert!(row(&overloaded, "AP-005").ends_with("| `dynamodb:GetItem` | its tenant |"));
    let tables = of_the_example(Style::MultiTable);
    assert!(row(&tables, "AP-001").ends_with("| `dynamodb:GetItem` | other tenants too: `*` |"));
    let native = of_the_example(Style::MultiAttribute);
    let withheld = "no Query on `personByEmail`, whose leading key is several attributes";
    assert!(row(&native, "AP-002").ends_with(&format!("| none | {withheld} |")));
}

/// An input has a name of its own; the attribute that it speaks of is what names the tenant.
#[test]
fn an_input_of_another_name_is_held_to_the_tenant_too() {
    let text = serde_json::to_string(&design()).expect("a design is JSON");
    let text = text.replace(
        r#""template":"TENANT#<tenantId>#PROJECTS"}]]"#,
        r#""template":"TENANT#<company>#PROJECTS"}]]"#,
    );
    let text = text
        .replace(r#""name":"tenantId","type":"string","role""#, r#""name":"company","type":"string","role""#);
    assert_eq!(text.matches("company").count(), 2, "{text}");
    let design: Design = serde_json::from_str(&text).expect("the design is valid");
    let policy =
        &policies_of(Design { tenants: vec!["tenantId".to_owned()], ..design })["patterns/AP-001.json"];
    let asked = |key| Asked {
        action: "dynamodb:Query",
        resource: "arn:aws:dynamodb:eu-west-1:123456789012:table/Saas",
        leading_keys: Some(vec![key]),
        tenant: Some("t1"),
    };
    assert!(allowed(policy, &asked("TENANT#t1#PROJECTS")));
    assert!(!allowed(policy, &asked("TENANT#t2#PROJECTS")));
}
