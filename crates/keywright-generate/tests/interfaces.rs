//! The interfaces document, from designs that stand here by hand.

use keywright_generate::{Options, Source, generate, target};
use keywright_model::Design;

fn shop() -> Design {
    serde_json::from_str(include_str!("designs/shop.json")).expect("the design is valid")
}

fn interfaces(design: &Design) -> String {
    let source = Source { model: None, design, document: "access-patterns.md" };
    let target = target("interfaces").expect("the target exists");
    let mut files = generate(target, &source, &Options::default()).expect("the names are usable");
    files.pop().expect("one file").text
}

#[test]
fn every_pattern_is_covered_by_a_method_of_its_own() {
    let design = shop();
    let text = interfaces(&design);
    let (_, matrix) = text.split_once("## Traceability Matrix").expect("the matrix is there");
    let methods: std::collections::BTreeSet<&str> = matrix
        .lines()
        .filter(|line| line.contains("| Covered |"))
        .map(|line| line.split('|').nth(3).expect("four cells"))
        .collect();
    assert_eq!(methods.len(), design.operations.len());
    for (pattern, method) in [
        ("AP-001", "CustomerRepository.getCustomer"),
        ("AP-002", "CustomerRepository.getCustomerByEmail"),
        ("AP-003", "OrderRepository.listOrdersByUsernamePaginated"),
        ("AP-004", "CustomerRepository.listCustomerAndOrdersByUsername"),
        ("AP-005", "OrderRepository.listOrdersByPlacedAtPaginated"),
        ("AP-006", "OrderRepository.listOrders"),
        ("AP-007", "OrderRepository.batchGetOrders"),
        ("AP-008", "CustomerRepository.getCustomerOrderCount"),
        ("AP-020", "CustomerRepository.createCustomer"),
        ("AP-021", "OrderRepository.createOrder"),
        ("AP-022", "OrderRepository.updateOrderStatus"),
        ("AP-023", "CustomerRepository.updateCustomerEmail"),
        ("AP-030", "OrderRepository.deleteOrder"),
        ("AP-031", "OrderRepository.deleteOrdersByUsername"),
    ] {
        let row = matrix.lines().find(|line| line.contains(&format!("| {pattern} |"))).expect(pattern);
        assert!(row.contains(&format!("`{method}`")), "{row}");
    }
}
