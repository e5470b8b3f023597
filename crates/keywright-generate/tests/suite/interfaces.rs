//! The interfaces document, from designs that stand here by hand.

use keywright_generate::{Options, Source, generate, target};
use keywright_model::Design;

fn shop() -> Design {
    serde_json::from_str(include_str!("../designs/shop.json")).expect("the design is valid")
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

/// Somebody who writes a method by hand needs its key and what it changes, whichever operation it is.
#[test]
fn every_method_says_its_key_its_parameters_and_what_it_writes() {
    let design = shop();
    let text = interfaces(&design);
    let (_, section) = text.split_once("## Repository Interfaces").expect("the section is there");
    let (section, _) = section.split_once("## Paginated Result Type").expect("it ends");
    let methods: Vec<&str> = section.split("\n#### ").skip(1).collect();
    assert_eq!(methods.len(), design.operations.len());
    for method in methods {
        for label in ["Access Pattern", "Operation", "Index", "Key", "Parameters", "Conditions"] {
            assert!(method.contains(&format!("- **{label}**: ")), "{label} of {method}");
        }
        let writes = ["Write", "Put", "Update", "Delete"]
            .iter()
            .any(|it| method.lines().any(|line| line.starts_with("- **Operation**") && line.contains(it)));
        assert_eq!(method.contains("- **Items**: "), writes, "{method}");
    }
    let created =
        section.split("\n#### ").find(|it| it.starts_with("`createCustomer`")).expect("it is there");
    assert!(created.contains(r#"`Put Customer (pk = "CUSTOMER#<username>", sk = "#), "{created}");
    let updated =
        section.split("\n#### ").find(|it| it.starts_with("`updateOrderStatus`")).expect("it is there");
    assert!(updated.contains("SET status = :newStatus"), "{updated}");
}
