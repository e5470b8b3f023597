//! Designs as people write them.

use keywright_document::{TableDesign, read_table_design};
use keywright_dynamodb::expression::{Condition, SortRange};
use keywright_finding::Level;
use keywright_model::design::{
    Action, ItemKind, KeyValue, Limit, OperationName, Projection, Request, Shape, Value,
};

const SHOP: &str = r#"# DynamoDB Table Design

> Application: Shop

## Table Configuration

| Property | Value |
|---|---|
| Table Name | `shop` |
| Partition Key | `PK` (String) |
| Sort Key | `SK` (String) |
| TTL Attribute | `expiresAt` |

## Global Secondary Indexes

| GSI Name | Partition Key | Sort Key | Projection | Purpose |
|---|---|---|---|---|
| GSI1 | GSI1PK (String) | GSI1SK (String) | ALL | look up by email |
| email-index | `email` (S) | - | INCLUDE (`username`, `plan`) | |

## Entity Key Design

### Customer (one per account)

- **Description**: Somebody who buys.
- **PK**: `CUSTOMER#{username}` the account
- **SK**: Same as PK
- **GSI1PK**: `EMAIL#${email}`
- **GSI1SK**: `EMAIL#<email>`
- **Attributes**: username (string), `email` (string), plan (enum(free, pro), optional)

Example item:

```json
{"PK": "CUSTOMER#ann", "SK": "CUSTOMER#ann", "score": 3}
```

### Order

**Main item:**

- PK: CUSTOMER#<username> (the owner)
- SK: ORDER#<orderId>
- Attributes: Same as Customer

**OrderLine items:**

- PK: ORDER#<orderId>
- SK: LINE#<lineNo:pad4>

### Visit

- PK: the customer and the day
- SK: `VISIT#<at:iso>`

## Access Pattern Mapping

### Reads

| AP ID | Description | Operation | Table/GSI | PK | SK Condition | SK Value | Params |
|---|---|---|---|---|---|---|---|
| AP-001 | Get a customer | GetItem | Main | `CUSTOMER#{username}` | = | `CUSTOMER#{username}` | - |
| AP-002 | Orders, newest first | Query | Table | PK = CUSTOMER#<username> | begins_with | `ORDER#` | Limit=20, ScanIndexForward=false, paginated |
| AP-003 | By email | Query (GSI) | GSI1 | `EMAIL#<email>` | begins_with(EMAIL#) | | FilterExpression: contains(tags, :tag), ProjectionExpression=username, plan |
| AP-004 | Orders of a time | Query | Main | `CUSTOMER#<username>` | BETWEEN | `ORDER#<from>` AND `ORDER#<to>` | |

### Writes

| AP ID | Description | Operation | Items | Conditions |
|---|---|---|---|---|
| AP-010 | Place an order | TransactWriteItems | 1. Put Order 2. Update Customer (ADD orderCount 1) | 1. `attribute_not_exists(PK)` 2. attribute_exists(PK) |
| AP-011 | Delete an order | DeleteItem | Order | Order must exist |

## Colours

Blue.
"#;

fn messages(read: &TableDesign) -> Vec<String> {
    let at_least_warnings = read.findings.iter().filter(|finding| finding.level >= Level::Warning);
    at_least_warnings.map(|finding| format!("{}: {}", finding.span.of(SHOP), finding.message)).collect()
}

#[test]
fn keys_are_read_in_all_their_forms() {
    let read = read_table_design(SHOP);
    assert_eq!(
        messages(&read),
        ["the customer and the day: this key is given in words, so its values can't be checked"]
    );
    let key = |item: &str, attribute: &str| {
        let item = read.design.item(item).unwrap_or_else(|| panic!("{item} is there"));
        match &item.key(attribute).unwrap_or_else(|| panic!("{attribute} of {}", item.name)).value {
            KeyValue::Template(template) => template.clone(),
            KeyValue::Natural => "natural".to_owned(),
        }
    };
    assert_eq!(key("Customer", "PK"), "CUSTOMER#<username>");
    assert_eq!(key("Customer", "SK"), "CUSTOMER#<username>");
    assert_eq!(key("Customer", "GSI1PK"), "EMAIL#<email>");
    assert_eq!(key("Customer", "email"), "natural", "it holds the key of email-index");
    assert_eq!(key("Order", "PK"), "CUSTOMER#<username>");
    assert_eq!(key("OrderLine", "SK"), "LINE#<lineNo:pad4>");
    assert_eq!(read.design.item("Order").expect("it is there").attributes.len(), 3, "the same as Customer");
    assert_eq!(read.design.item("Customer").expect("it is there").kind, ItemKind::Main);
    let index = read.design.index("shop", "email-index").expect("it is listed");
    assert_eq!(index.projection, Projection::Include(vec!["username".into(), "plan".into()]));
}

#[test]
fn operations_are_read_as_far_as_they_go() {
    let design = read_table_design(SHOP).design;
    let operation = |id: &str| design.operation(id).unwrap_or_else(|| panic!("{id} is mapped"));
    let Request::GetItem(get) = &operation("AP-001").requests[0] else { panic!("a GetItem") };
    assert_eq!((get.item.as_str(), get.key.len()), ("Customer", 2));
    let orders = operation("AP-002");
    let Request::Query(query) = &orders.requests[0] else { panic!("a Query") };
    assert_eq!(query.items, ["Order"]);
    assert_eq!(query.limit, Limit::Page { default: 20 });
    assert_eq!(orders.outcome.shape, Shape::Page);
    assert!(!query.forward);
    assert_eq!(orders.inputs.iter().map(|it| it.name.as_str()).collect::<Vec<_>>(), ["username"]);
    let Request::Query(query) = &operation("AP-003").requests[0] else { panic!("a Query") };
    assert_eq!(query.index.as_deref(), Some("GSI1"));
    assert!(matches!(query.filter, Some(Condition::Contains(..))));
    assert_eq!(query.projection, ["username", "plan"]);
    let expected = SortRange::BeginsWith(Value::Template("EMAIL#".into()));
    assert_eq!(query.key.range, Some(("GSI1SK".into(), expected)));
    let Request::Query(query) = &operation("AP-004").requests[0] else { panic!("a Query") };
    assert!(matches!(query.key.range, Some((_, SortRange::Between(..)))));
    let Request::TransactWriteItems { actions } = &operation("AP-010").requests[0] else {
        panic!("a transaction")
    };
    assert!(
        matches!(&actions[0], Action::Put(put) if put.condition == Some(Condition::NotExists("PK".into())))
    );
    assert!(
        matches!(&actions[1], Action::Update(update) if update.update.add.len() == 1 && update.key.len() == 2)
    );
    assert_eq!(operation("AP-011").operation, OperationName::DeleteItem);
}

#[test]
fn places_point_at_the_words() {
    let read = read_table_design(SHOP);
    let customer = &read.source.items[0];
    assert_eq!(customer.name.of(SHOP), "Customer");
    assert_eq!(customer.keys[0].value.span.of(SHOP), "CUSTOMER#{username}");
    assert_eq!(customer.attributes[1].of(SHOP), "email");
    assert!(customer.example.as_ref().is_some_and(|example| example.values.len() == 3));
    let operation = &read.source.operations[1];
    assert_eq!(operation.id.of(SHOP), "AP-002");
    assert_eq!(operation.requests[0].sort_values[0].of(SHOP), "ORDER#");
    assert_eq!(
        read.source.operations[2].requests[0].filter.as_ref().map(|filter| filter.span.of(SHOP)),
        Some("contains(tags, :tag)")
    );
}

#[test]
fn a_chart_is_a_design() {
    let chart = "| Entity | PK | SK | GSI1PK | Notes |\n|---|---|---|---|---|\n| User | USER#<username> | USER#<username> | - | lookup |\n| Session | USER#<username> | SESSION#<id> | `TOKEN#<token>` | - |\n";
    let read = read_table_design(chart);
    assert_eq!(read.findings, []);
    assert_eq!(read.design.tables[0].partition.name, "PK");
    assert_eq!(read.design.indexes[0].name, "GSI1");
    assert!(!read.source.indexes[0].listed);
    assert_eq!(read.design.items[1].keys.len(), 3);
    assert_eq!(read.design.items[0].keys.len(), 2);
}

#[test]
fn what_contradicts_itself_is_a_finding() {
    let text = "| Entity | PK | SK |\n|---|---|---|\n| User | U#<id> | A |\n| User | V#<id> | A |\n\n| AP ID | Description | Operation | PK |\n|---|---|---|---|\n| AP-1 | a | GetItem | x |\n| AP-1 | b | Query | y |\n";
    let read = read_table_design(text);
    let found: Vec<_> = read.findings.iter().map(|it| (it.rule.name(), it.span.of(text))).collect();
    assert_eq!(found, [("contradicting-design", "V#<id>"), ("contradicting-design", "AP-1")]);
}

#[test]
fn tables_of_indexes_and_keys_as_blogs_write_them() {
    for heading in
        ["| Index | PK | SK |", "| Name | PK | SK | Projection |", "| GSI | Partition Key | Sort Key |"]
    {
        let columns = "---|".repeat(heading.matches('|').count() - 1);
        let read = read_table_design(&format!(
            "# Table Design\n## GSIs\n{heading}\n|{columns}\n| gsi1 | sk | pk | ALL |\n"
        ));
        assert_eq!(read.findings, [], "{heading}");
        let [index] = read.design.indexes.as_slice() else { panic!("{heading}: {:?}", read.design.indexes) };
        assert_eq!(
            (index.name.as_str(), index.partition[0].name.as_str(), index.sort[0].name.as_str()),
            ("gsi1", "sk", "pk")
        );
    }
    let read = read_table_design(
        "# Table Design\n## Entity Key Design\n### Match\n| Key | Value |\n|---|---|\n| PK | `MATCH#<matchId>` |\n| SK | ROUND#<round> |\n",
    );
    let keys: Vec<_> = read.design.items[0].keys.iter().map(|key| key.value.clone()).collect();
    assert_eq!(
        keys,
        [KeyValue::Template("MATCH#<matchId>".to_owned()), KeyValue::Template("ROUND#<round>".to_owned())]
    );
    assert_eq!(read.findings, []);
}

#[test]
fn key_conditions_in_one_cell_tell_the_operation() {
    let read = read_table_design(
        "# Table Design\n## Table\n| Property | Value |\n|---|---|\n| Name | app |\n| PK | pk |\n| SK | sk |\n\
         ## Indexes\n| Index | PK | SK |\n|---|---|---|\n| GSI1 | sk | pk |\n\
         ## Access Patterns\n| # | Access pattern | Index | Key condition | Notes |\n|---|---|---|---|---|\n\
         | 1 | Get org | Table | pk = ORG#{orgId} and sk = ORG#{orgId} | |\n\
         | 2 | List projects | Main | pk = ORG#{orgId} and begins_with(sk, \"PROJECT#\") | |\n\
         | 3 | Orgs of a user | GSI1 | `sk = MEMBER#{userId}` | |\n\
         | 4 | Readings | Table | pk = DEVICE#{id} AND sk BETWEEN READING#{from} AND READING#{to} | |\n",
    );
    assert_eq!(read.findings, []);
    let shown: Vec<String> = read
        .design
        .operations
        .iter()
        .map(|operation| {
            let index = operation.index.as_deref().unwrap_or("-");
            let key = match &operation.requests[0] {
                Request::GetItem(get) => format!("{:?}", get.key),
                Request::Query(query) => format!("{:?}", query.key),
                other => panic!("{other:?}"),
            };
            format!("{} {} {index} {key}", operation.pattern, operation.operation)
        })
        .collect();
    assert!(
        shown[0].starts_with("Get org GetItem - ")
            && shown[0].contains("(\"sk\", Template(\"ORG#<orgId>\"))"),
        "{}",
        shown[0]
    );
    assert!(
        shown[1].starts_with("List projects Query - ")
            && shown[1].contains("BeginsWith(Template(\"PROJECT#\"))"),
        "{}",
        shown[1]
    );
    assert!(
        shown[2].starts_with("Orgs of a user Query GSI1 ")
            && shown[2].contains("(\"sk\", Template(\"MEMBER#<userId>\"))"),
        "{}",
        shown[2]
    );
    assert!(
        shown[3].contains("Between(Template(\"READING#<from>\"), Template(\"READING#<to>\"))"),
        "{}",
        shown[3]
    );
}

#[test]
fn a_chart_and_a_section_describe_one_item_type() {
    let read = read_table_design(
        "# Table Design\n| Entity | PK | SK |\n|---|---|---|\n| Order | `USER#<userId>` | `ORDER#<orderNo>` |\n\n\
         ### Order\n- Attributes: orderNo (integer), total (decimal)\n- TTL: `expiresAt`\n\n### Odd\n- Attributes: none\n",
    );
    let [order] = read.design.items.as_slice() else { panic!("{:?}", read.design.items) };
    let names: Vec<_> = order.attributes.iter().map(|it| it.name.as_str()).collect();
    assert_eq!((order.keys.len(), names), (2, vec!["orderNo", "total"]));
    assert_eq!(read.source.items[0].attributes.len(), 2);
    assert_eq!(read.design.tables[0].ttl.as_deref(), Some("expiresAt"));
    let messages: Vec<_> = read.findings.iter().map(|it| it.message.as_str()).collect();
    assert_eq!(messages, ["the section `Odd` is not part of a table design and is not read"]);
}

#[test]
fn an_item_type_that_is_not_there_is_named() {
    let read = read_table_design(
        "# Table Design\n| Entity | PK | SK |\n|---|---|---|\n| Order | `USER#<userId>` | `ORDER#<orderNo>` |\n\n\
         | AP ID | Description | Operation | Items | Conditions |\n|---|---|---|---|---|\n\
         | AP-001 | Pay | UpdateItem | Update Ordre (SET state = :s) | - |\n\
         | AP-002 | Move | TransactWriteItems | 1. Delete Order 2. Put Parcel | - |\n",
    );
    let messages: Vec<_> = read.findings.iter().map(|it| (it.message.as_str(), it.help.as_deref())).collect();
    assert_eq!(
        messages,
        [
            ("no item type is named `Ordre`", Some("did you mean `Order`?")),
            (
                "no item type is named `Parcel`",
                Some("give it a heading with its keys below, or a row in the chart of entities")
            ),
        ]
    );
}

/// The findings of a read of users and their orders, each with the words that it points at and its help.
fn of_read(operation: &str, params: &str) -> Vec<(String, String, String)> {
    let text = format!(
        "# Table Design\n\n| Entity | PK | SK |\n|---|---|---|\n| User | USER#<userId> | USER#<userId> |\n\
         | Order | USER#<userId> | ORDER#<orderId> |\n\n## Access Pattern Mapping\n\n### Reads\n\n\
         | AP ID | Description | Operation | PK | SK Condition | SK Value | Params |\n\
         |---|---|---|---|---|---|---|\n| AP-001 | Read | {operation} | {params} |\n"
    );
    let findings = read_table_design(&text).findings;
    let errors = findings.into_iter().filter(|finding| finding.level == Level::Error);
    let words = |finding: &keywright_finding::Finding| finding.span.of(&text).to_owned();
    errors.map(|it| (words(&it), it.message.clone(), it.help.clone().unwrap_or_default())).collect()
}

#[test]
fn a_param_that_a_request_does_not_have_is_a_finding() {
    let batch = "BatchGetItem | USER#<userId> | = | ORDER#<orderId>";
    for (param, name) in [
        ("`Limit=5`", "Limit"),
        ("`ScanIndexForward=false`", "ScanIndexForward"),
        ("`paginated`", "paginated"),
    ] {
        let found = of_read(batch, &format!("`Items: Order`, {param}"));
        let [(words, message, help)] = found.as_slice() else { panic!("{param}: {found:?}") };
        assert_eq!(format!("`{words}`"), param);
        assert_eq!(*message, format!("BatchGetItem has no `{name}`"));
        assert!(help.starts_with("remove it"), "{help}");
    }
    let get = "GetItem | USER#<userId> | = | ORDER#<orderId>";
    assert_eq!(of_read(get, "`Limit=1`"), []);
    assert_eq!(of_read(get, "`Limit=2`").len(), 1);
    let query = "Query | USER#<userId> | begins_with | ORDER#";
    assert_eq!(of_read(query, "`Limit=5`, `ScanIndexForward=false`, `paginated`"), []);
    // Beside several requests it is said of those that have it; with a number, of one.
    let both = "1. Query 2. BatchGetItem | 1. USER#<userId> 2. USER#<userId> | 1. begins_with 2. = \
                | 1. ORDER# 2. ORDER#<1.orderId>";
    assert_eq!(of_read(both, "`Limit=5`"), []);
    assert_eq!(of_read(both, "1. `Limit=5`"), []);
    assert_eq!(of_read(both, "2. `Limit=5`").len(), 1);
}

#[test]
fn an_operation_returns_what_its_request_names() {
    let query = "Query | USER#<userId> | - | -";
    let found = of_read(query, "`Items: User`, `Returns: Collection OF User, Order`");
    let [(words, message, help)] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(words, "Items: User");
    assert_eq!(message, "`Items` does not name Order, which the operation returns");
    assert_eq!(help, "add Order to `Items`, or remove it from `Returns`");
    assert_eq!(of_read(query, "`Items: User, Order`, `Returns: Collection OF User, Order`"), []);
    assert_eq!(of_read(query, "`Items: User, Order`, `Returns: Collection OF Order`"), []);
}

#[test]
fn a_check_says_what_it_checks() {
    let design = |condition: &str| {
        format!(
            "# Table Design\n## Table\n| Property | Value |\n|---|---|\n| Name | app |\n| PK | pk |\n\
             ## Entity Key Mapping\n| Entity | pk |\n|---|---|\n| Order | O#<orderId> |\n| Customer | C#<customerId> |\n\
             ## Writes\n| AP ID | Description | Operation | Items | Conditions |\n|---|---|---|---|---|\n\
             | AP-001 | Place | TransactWriteItems | 1. Put Order 2. Check Customer | {condition} |\n"
        )
    };
    let messages = |condition: &str| {
        let findings = read_table_design(&design(condition)).findings;
        findings.into_iter().map(|it| it.message).collect::<Vec<_>>()
    };
    assert_eq!(messages("2. attribute_exists(pk)"), Vec::<String>::new());
    assert_eq!(messages("-"), ["this Check has no condition"]);
}
