//! Mistakes that guides on DynamoDB teach: each is caught by the rule that is for it.

use keywright_document::{read_access_patterns, read_table_design};

fn rules(model: &str, design: &str) -> Vec<&'static str> {
    let read = read_table_design(design);
    let model = (!model.is_empty()).then(|| read_access_patterns(model).0);
    keywright_lint::designs(&read.design, &read.source, model.as_ref())
        .iter()
        .map(|finding| finding.rule.name())
        .collect()
}

#[track_caller]
fn caught(rule: &str, model: &str, design: &str) {
    let found = rules(model, design);
    assert!(found.contains(&rule), "{rule} is not among {found:?}");
}

const READS: &str = "\n| AP ID | Description | Operation | Table/GSI | PK | SK Condition | SK Value | Params |\n|---|---|---|---|---|---|---|---|\n";
const WRITES: &str = "\n| AP ID | Description | Operation | Items | Conditions |\n|---|---|---|---|---|\n";
const SHOP: &str = "| Entity | PK | SK |\n|---|---|---|\n| Customer | CUSTOMER#<username> | CUSTOMER#<username> |\n| Order | CUSTOMER#<username> | #ORDER#<orderId> |\n";

#[test]
fn a_leading_hash_does_not_sort_after_the_parent() {
    let chart = "| Entity | PK | SK | Notes |\n|---|---|---|---|\n| Customer | CUSTOMER#<username> | CUSTOMER#<username> | - |\n| Order | CUSTOMER#<username> | #ORDER#<orderId> | Prefix with # to sort orders after the customer item |\n";
    caught("wrong-order-claim", "", chart);
}

#[test]
fn between_user_and_exclamation_mark_is_empty() {
    let read =
        "| AP-001 | Only the parent | Query | Main | CUSTOMER#<username> | BETWEEN | CUSTOMER# AND ! | - |\n";
    caught("reversed-between", "", &format!("{SHOP}{READS}{read}"));
}

#[test]
fn begins_with_needs_its_separator() {
    let read = "| AP-001 | Orders | Query | Main | CUSTOMER#<username> | begins_with | #ORDER | - |\n";
    caught("open-prefix", "", &format!("{SHOP}{READS}{read}"));
}

#[test]
fn delete_and_put_of_one_key_is_no_transaction() {
    let write = "| AP-001 | Replace | TransactWriteItems | 1. Delete Order 2. Put Order | - |\n";
    caught("same-item-twice", "", &format!("{SHOP}{WRITES}{write}"));
}

#[test]
fn an_index_does_not_make_unique() {
    let model = "## Entities\n### Customer\n- **Attributes**:\n  - `username` (string, id)\n  - `email` (string)\n\n### Writes\n| ID | Entity | Description | Input Parameters | Items Written | Transaction | Conditions | Frequency |\n|---|---|---|---|---|---|---|---|\n| AP-001 | Customer | Register | username, email | 1 (Customer) | Yes | email must be unique | Warm |\n";
    let write = "| AP-001 | Register | PutItem | Put Customer | attribute_not_exists(PK) |\n";
    caught("unguarded-uniqueness", model, &format!("{SHOP}{WRITES}{write}"));
}

#[test]
fn there_is_no_get_item_on_an_index() {
    let chart = "| Entity | PK | SK | GSI1PK | GSI1SK |\n|---|---|---|---|---|\n| User | USER#<id> | A | EMAIL#<email> | A |\n";
    let read = "| AP-001 | By email | GetItem | GSI1 | EMAIL#<email> | = | A | - |\n";
    caught("get-item-on-index", "", &format!("{chart}{READS}{read}"));
}

#[test]
fn keys_know_neither_contains_nor_or() {
    for read in [
        "| AP-001 | Search | Query | Main | CUSTOMER#<username> | contains | ORDER | - |\n",
        "| AP-001 | Search | Query | Main | CUSTOMER#<a> OR CUSTOMER#<b> | - | - | - |\n",
    ] {
        caught("illegal-key-condition", "", &format!("{SHOP}{READS}{read}"));
    }
}

#[test]
fn a_score_alone_overwrites_ties() {
    caught(
        "key-collision",
        "",
        "| Entity | PK | SK |\n|---|---|---|\n| Score | GAME#<gameId> | <score:pad8> |\n",
    );
}

#[test]
fn an_id_does_not_address_an_item_whose_key_holds_a_time() {
    let model = "## Entities\n### Order\n- **Attributes**:\n  - `orderId` (ulid, id)\n  - `username` (string)\n  - `placedAt` (datetime)\n  - `status` (string)\n\n### Writes\n| ID | Entity | Description | Input Parameters | Items Written | Transaction | Conditions | Frequency |\n|---|---|---|---|---|---|---|---|\n| AP-001 | Order | Ship | orderId, username, newStatus | 1 (Order) | No | Order must exist | Warm |\n";
    let design = "| Entity | PK | SK |\n|---|---|---|\n| Order | CUSTOMER#<username> | ORDER#<placedAt:iso>#<orderId> |\n";
    let write =
        "| AP-001 | Ship | UpdateItem | Update Order (SET #status = :newStatus) | attribute_exists(PK) |\n";
    caught("unaddressable-write", model, &format!("{design}{WRITES}{write}"));
}

#[test]
fn a_status_is_no_partition_key_of_an_index() {
    let chart = "| Entity | PK | SK | GSI1PK | GSI1SK |\n|---|---|---|---|---|\n| Order | ORDER#<orderId> | ORDER | STATUS#<status> | <orderId> |\n";
    caught("low-cardinality-partition-key", "", chart);
}
