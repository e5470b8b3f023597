//! Reads of one item with what belongs to it.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::support;

use keywright_model::design::{Limit, Request};
use support::{doc, operation};

#[test]
fn a_page_of_children_comes_beside_the_one_they_belong_to() {
    for (result, wanted) in [("top 10", Limit::First(11)), ("page 10", Limit::Page { default: 11 })] {
        let design = doc("Podcasts")
            .entity("Show", 1_000, "showId:string:id, title:string")
            .entity("Episode", 100_000, "showId:string:id, number:integer:id:max99999")
            .belongs("Episode", "Show", "showId", 100, None)
            .read("AP-001", "Show, Episode", "showId", &format!("{result} by number desc"), 10)
            .write("AP-002", "create Show", "showId, title", 1)
            .write("AP-003", "create Episode", "showId, number", 1)
            .design();
        let Request::Query(query) = &operation(&design, "AP-001").requests[0] else { panic!() };
        assert_eq!(query.limit, wanted);
    }
}
