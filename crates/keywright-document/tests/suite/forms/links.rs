//! Links between entities that are many to many.

use keywright_document::read_access_patterns;
use keywright_model::Model;

use crate::forms::music::read;

/// Students and courses, many to many, with one row of reads and one of writes.
fn school(read_row: &str, write_row: &str) -> Model {
    read(&format!(
        "## Entities\n### Student\n- **Attributes**: `studentId` (ulid, id)\n- **Cardinality**: ~100K total\n\
         ### Course\n- **Attributes**: `courseId` (ulid, id)\n\
         - **Relationships**: Many-to-many with Students.\n- **Cardinality**: ~8 courses per student\n\
         ## Access Patterns\n### Reads\n| ID | Entity | Description | Input Parameters | Result |\n|---|---|---|---|---|\n\
         | AP-001 | {read_row} |\n\
         ### Writes\n| ID | Entity | Description | Input Parameters | Items Written |\n|---|---|---|---|---|\n\
         | AP-002 | {write_row} |\n"
    ))
}

#[test]
fn a_link_that_patterns_follow_is_declared() {
    let enroll = "Student, Course | Enroll a student | studentId, courseId | 1 (Enrollment)";
    let model = school("Course | Courses of a student | studentId | Collection", enroll);
    let link = model.entity("Enrollment").expect("the link is called what the items call it");
    assert_eq!(link.identity_names().collect::<Vec<_>>(), ["studentId", "courseId"]);
    assert_eq!(link.count.as_ref().map(|count| count.value), Some(800_000));
    let parents: Vec<&str> = model.parents_of("Enrollment").map(|it| it.parent.as_str()).collect();
    assert_eq!(parents, ["Student", "Course"]);
    // The courses are found through the link, and the write is about it.
    assert_eq!(model.patterns[0].inputs()[0].binds[0].to_string(), "Enrollment.studentId");
    assert_eq!(model.patterns[1].write().unwrap().effects[0].entity, "Enrollment");
    assert!(model.assumptions.iter().any(|it| it.statement.contains("the link between Student and Course")));
}

#[test]
fn a_link_without_a_name_is_called_after_both_and_is_what_a_pattern_about_both_touches() {
    let model = school(
        "Student | Students of a course | courseId | Collection",
        "Student, Course | Enroll a student | studentId, courseId | 1",
    );
    assert!(model.entity("StudentCourse").is_some());
    let effects = &model.patterns[1].write().unwrap().effects;
    assert_eq!(effects.iter().map(|it| it.entity.as_str()).collect::<Vec<_>>(), ["StudentCourse"]);
}

#[test]
fn a_link_that_no_pattern_follows_is_not_declared() {
    let model =
        school("Student | A student | studentId | Single", "Student | Create a student | - | 1 (Student)");
    assert_eq!(model.entities.len(), 2);
}

#[test]
fn a_tie_to_what_nobody_declares_is_identified_by_both_ends() {
    let source = "## Entities\n### Auction\n- auctionId: ulid, id\n### Watch\n- bidderId: string\n\
                  - auctionId -> Auction\n- since: datetime\n### Message\n- authorId: string\n\
                  - auctionId -> Auction\n- sentAt: datetime\n";
    let model = crate::forms::music::read(source);
    let identity = |at: usize| model.entities[at].identity_names().collect::<Vec<_>>().join("+");
    assert_eq!((identity(1).as_str(), identity(2).as_str()), ("auctionId+bidderId", "auctionId+sentAt"));
    let said: Vec<_> = model.assumptions.iter().map(|it| it.statement.as_str()).collect();
    assert!(said.contains(&"read auctionId and bidderId as the identifier of Watch"), "{said:?}");
}

#[test]
fn a_reference_to_what_its_parent_and_a_number_identify_is_to_the_whole_of_it() {
    let (model, findings) = read_access_patterns(
        "## Entities\n### Station\n- stationId: uuid, id\n\
         ### Connector\n- stationId: uuid, ref Station\n- connectorNo: integer\n- **Relationships**: Belongs to a Station.\n\
         ### Session\n- sessionId: ulid, id\n- stationId: uuid, ref Station\n- connectorNo: integer, ref Connector\n",
    );
    assert!(findings.iter().all(|it| it.rule.name() == "assumption"), "{findings:#?}");
    let session = model.relationships.iter().find(|it| it.child == "Session" && it.parent == "Connector");
    assert_eq!(session.expect("it points to one").via, ["stationId", "connectorNo"]);
}
