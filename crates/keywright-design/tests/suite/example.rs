//! The example document of this repository, designed and looked at.

use crate::support;

use keywright_design::{Options, design};
use support::{keys, summary};

#[test]
fn the_shop_is_served_by_one_table() {
    let text = include_str!("../../../../examples/orders/access-patterns.md");
    let (model, _) = keywright_document::read_access_patterns(text);
    let outcome = design(&model, &Options::default());
    let messages: Vec<&String> = outcome.findings.iter().map(|finding| &finding.message).collect();
    let design = outcome.design.unwrap_or_else(|| panic!("{messages:#?}"));
    assert_eq!(messages, Vec::<&String>::new());
    assert_eq!(outcome.proven.map(|proven| proven.gap.pico()), Some(0));
    let expected_keys = [
        (
            "Customer",
            "CUSTOMER#<customerId> | CUSTOMER#<customerId> | CUSTOMER_EMAIL#<email> | CUSTOMER#<customerId>",
        ),
        ("CustomerEmail", "CUSTOMEREMAIL#<email> | CUSTOMEREMAIL#<email>"),
        ("Address", "CUSTOMER#<customerId> | ADDRESS#<label>"),
        ("OrderItem", "ORDER#<orderId> | ORDERITEM#<lineNumber:pad3>"),
    ];
    for (item, expected) in expected_keys {
        assert_eq!(keys(&design, item), expected, "{item}");
    }
    let expected = [
        ("AP-001", "GetItem"),
        ("AP-002", "Query GSI1"),
        ("AP-003", "Query"),
        ("AP-005", "Query GSI1"),
        ("AP-007", "Query"),
        ("AP-008", "Query GSI2"),
        ("AP-011", "GetItem +1"),
        ("AP-023", "TransactWriteItems"),
        ("AP-041", "TransactWriteItems +1"),
    ];
    for (id, operation) in expected {
        assert_eq!(summary(&design, id), operation, "{id}");
    }
    assert_eq!(design.operations.len(), model.patterns.len());
    assert!(design.decisions.iter().any(|decision| decision.turning_point.is_some()));
}
