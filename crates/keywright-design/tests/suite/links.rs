//! Many to many: the links between two entities, read from both sides, and the items behind them.

use crate::support;

use keywright_model::design::{ItemKind, Keys, Request};
use support::{Doc, doc, keys, operation, summary};

fn school() -> Doc {
    doc("School")
        .entity("Student", 100_000, "studentId:ulid:id, name:string")
        .entity("Course", 2_000, "courseId:ulid:id, title:string")
        .entity("Enrollment", 800_000, "studentId:ulid:id, courseId:ulid:id")
        .many_to_many("Student", "Course")
        .belongs("Enrollment", "Student", "studentId", 8, None)
        .belongs("Enrollment", "Course", "courseId", 400, None)
        .read("AP-001", "Student", "studentId", "single", 100)
        .read("AP-002", "Course", "courseId", "single", 100)
        .write("AP-005", "create Enrollment", "studentId, courseId", 10)
        .write("AP-006", "delete Enrollment", "studentId, courseId", 1)
}

#[test]
fn links_lie_with_one_side_and_an_inverted_index_serves_the_other() {
    let design = school()
        .read_through("AP-003", "Course", "Enrollment.studentId", "page 25", 10)
        .read_through("AP-004", "Student", "Enrollment.courseId", "page 25", 10)
        .design();
    assert_eq!(design.item("Enrollment").unwrap().kind, ItemKind::Edge);
    let paths = keys(&design, "Enrollment");
    assert!(paths.contains("STUDENT#<studentId> | ENROLLMENT#<courseId>"), "{paths}");
    assert!(paths.contains("COURSE#<courseId> | ENROLLMENT#<studentId>"), "{paths}");
    assert_eq!(design.indexes.len(), 1);
    for id in ["AP-003", "AP-004"] {
        assert!(summary(&design, id).starts_with("Query"), "{}", summary(&design, id));
        assert_eq!(operation(&design, id).requests.len(), 2);
    }
    let Request::BatchGetItem(batch) = &operation(&design, "AP-003").requests[1] else { panic!("no batch") };
    assert_eq!(batch.keys.request(), Some(1));
    let Keys::Each(key) = &batch.keys else { panic!("the keys come from the links") };
    assert_eq!(serde_json::to_string(&key[0].1).unwrap(), r#"{"template":"COURSE#<1.courseId>"}"#);
    assert_eq!(operation(&design, "AP-003").outcome.items, ["Course"]);
}

#[test]
fn a_link_that_is_read_from_one_side_needs_no_index() {
    let design = school().read_through("AP-003", "Course", "Enrollment.studentId", "page 25", 10).design();
    assert!(design.indexes.is_empty());
    assert_eq!(keys(&design, "Enrollment"), "STUDENT#<studentId> | ENROLLMENT#<courseId>");
}

#[test]
fn a_count_of_links_reads_no_items_behind_them() {
    let design = school().read_through("AP-003", "Course", "Enrollment.studentId", "count", 10).design();
    assert_eq!(operation(&design, "AP-003").requests.len(), 1);
}

#[test]
fn an_order_that_links_lack_is_made_by_the_caller_where_links_are_few() {
    let sorted = |max| {
        doc("School")
            .entity("Student", 100_000, "studentId:ulid:id, name:string")
            .entity("Course", 2_000, "courseId:ulid:id, title:string")
            .entity("Enrollment", 800_000, "studentId:ulid:id, courseId:ulid:id")
            .belongs("Enrollment", "Student", "studentId", 8, max)
            .belongs("Enrollment", "Course", "courseId", 400, None)
            .read_through("AP-001", "Course", "Enrollment.studentId", "all by title", 10)
            .outcome()
    };
    let design = sorted(Some(40)).design.unwrap();
    let outcome = &operation(&design, "AP-001").outcome;
    assert!(outcome.client_sort);
    assert_eq!(outcome.order[0].attribute, "title");
    assert!(sorted(None).design.is_none(), "nothing bounds what the caller would sort");
}
