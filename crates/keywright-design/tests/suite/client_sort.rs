//! What the caller sorts by has to be there to sort by.

use keywright_design::{Options, design};
use keywright_document::read_access_patterns;
use keywright_model::design::Projection;

#[test]
fn a_list_holds_what_the_caller_sorts_by() {
    let (model, _) = read_access_patterns(include_str!("client_sort.md"));
    let design = design(&model, &Options::default()).design.expect("the document can be served");
    let operation = design.operations.iter().find(|it| it.pattern == "AP-006").expect("it is served");
    // AP-006 returns no amount, and is sorted by it.
    assert!(operation.outcome.client_sort, "{operation:#?}");
    let lists: Vec<_> = design
        .indexes
        .iter()
        .filter_map(|index| match &index.projection {
            Projection::Include(names) => Some(names),
            _ => None,
        })
        .collect();
    let fetches = operation.requests.len() > 1;
    assert!(fetches || lists.iter().all(|names| names.iter().any(|it| it == "amount")), "{lists:?}");
}
