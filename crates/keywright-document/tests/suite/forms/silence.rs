//! What loose documents state and no reader may lose: limits, orders, verbs and whole entities become part of the Model,
//! or a finding says that they do not.

use keywright_document::read_access_patterns;
use keywright_finding::Level;
use keywright_model::Model;
use keywright_model::model::{Action, ConditionKind, ConditionValue, PatternKind, Presence, Role, Type};

const SCHOOL: &str = "\
## Entities
- **Student** (studentId, email, name)
- **Course** (courseId, title)
- **Lesson** (courseId, lessonId, lessonNumber, title)
- **Enrollment** (studentId, courseId, enrolledAt, progress)
- **Submission** (submissionId, studentId, courseId, submittedAt)
## What we need to do
";

/// The Model, and the findings that are no assumptions.
fn read(document: &str) -> (Model, Vec<(Level, String)>) {
    let (model, findings) = read_access_patterns(document);
    let findings = findings.into_iter().filter(|it| it.rule.name() != "assumption");
    (model, findings.map(|it| (it.level, it.message)).collect())
}

fn school(sentence: &str) -> (Model, Vec<(Level, String)>) {
    read(&format!("{SCHOOL}- {sentence}\n"))
}

/// What the only pattern does, by which inputs, if what.
fn shown(model: &Model) -> String {
    let pattern = &model.patterns[0];
    let inputs: Vec<_> = pattern
        .inputs()
        .iter()
        .map(|it| {
            let sign = if it.role == Role::NewValue { "→" } else { "" };
            let value = it.constant.as_ref().map_or(String::new(), |value| format!("={value}"));
            format!("{sign}{}{value}", it.name)
        })
        .collect();
    let what = match &pattern.kind {
        PatternKind::Read(read) => {
            let order = read.sort.iter().map(|it| format!(" {} {:?}", it.attribute, it.direction));
            format!("read {}{}", pattern.entities[0].value, order.collect::<String>())
        }
        PatternKind::Write(write) | PatternKind::Delete(write) => {
            let effects = write.effects.iter().map(|it| {
                let all = if it.all { "all " } else { "" };
                format!("{:?} {all}{}", it.action, it.entity)
            });
            let conditions = write.conditions.iter().map(|it| match &it.kind {
                ConditionKind::AtMost { entity, per, limit } => {
                    format!(" if {limit} {entity} per {}", per.as_deref().unwrap_or("table"))
                }
                kind => format!(" if {kind:?}"),
            });
            format!("{}{}", effects.collect::<Vec<_>>().join(" + "), conditions.collect::<String>())
        }
    };
    format!("{what} by {}", inputs.join("+"))
}

#[test]
fn a_limit_behind_a_sentence_is_a_condition() {
    let expected = "Create Enrollment if 30 Enrollment per Course by courseId+studentId";
    for limit in [
        "; max 30 students per course",
        "; a course has at most 30 students",
        ", up to 30 students per course",
        " (no more than 30 students per course)",
        " with at most 30 students",
        "; max 30 students",
    ] {
        let (model, findings) = school(&format!("Enroll a student in a course{limit}"));
        assert_eq!(shown(&model), expected, "{limit}");
        assert_eq!(findings, [], "{limit}");
    }
}

#[test]
fn a_limit_for_each_of_nobody_knows_what_stays_words() {
    let (model, _) = school("Enroll a student in a course; max 30 enrollments");
    assert_eq!(shown(&model), "Create Enrollment if Words by courseId+studentId");
}

#[test]
fn a_limit_that_nothing_parts_from_its_sentence_is_a_finding() {
    let (_, findings) = school("Enroll at most 30 students in a course");
    let expected = (Level::Warning, "\"at most 30\" is not read as a limit here".to_owned());
    assert!(findings.contains(&expected), "{findings:#?}");
    // A read may have a limit of its own.
    let (model, findings) = school("List up to 20 students of a course");
    assert!(shown(&model).starts_with("read Student"));
    assert_eq!(findings, []);
}

#[test]
fn no_input_is_inferred_twice() {
    let (model, _) = school("Take a student of a course out of that course (delete Enrollment)");
    assert_eq!(shown(&model), "Delete Enrollment by courseId+studentId");
}

#[test]
fn orders_of_a_sentence_also_lie_in_what_leads_to_its_items() {
    for (sentence, expected) in [
        (
            "Show all students of a course, by enrolment date",
            "read Student Enrollment.enrolledAt Ascending by courseId",
        ),
        (
            "Top 10 students of a course by progress",
            "read Student Enrollment.progress Descending by courseId",
        ),
        ("Students of a course, newest first", "read Student Enrollment.enrolledAt Descending by courseId"),
        ("Show a course with its lessons in order", "read Course Lesson.lessonNumber Ascending by courseId"),
        (
            "Submissions of a course, sorted by submittedAt, descending",
            "read Submission Submission.submittedAt Descending by courseId",
        ),
        ("Lessons of a course, by title", "read Lesson Lesson.title Ascending by courseId"),
    ] {
        let (model, findings) = school(sentence);
        assert_eq!(shown(&model), expected, "{sentence}");
        assert_eq!(findings, [], "{sentence}");
    }
    let (_, findings) = school("Show a student with his submissions in order");
    assert_eq!(findings.len(), 1, "{findings:#?}");
    assert_eq!(findings[0].1, "\"in order\" is no order that an attribute has");
}

const SALES: &str = "\
## Entities
| Entity | Description | Attributes |
|---|---|---|
| Company | a firm | companyId, name |
| Deal | a sale | dealId, companyId, stage (LEAD/QUALIFIED/WON), amount, closeDate |
| Activity | a call | activityId, dealId, at, note |
## Access patterns
| Entity | Access Pattern | Index | Parameters | Notes |
|---|---|---|---|---|
";

#[test]
fn notes_tell_an_order() {
    for (row, expected) in [
        (
            "Activity | Get activities of deal | Main | dealId | newest first",
            "read Activity Activity.at Descending",
        ),
        (
            "Activity | Get activities of deal | Main | dealId | most recent first",
            "read Activity Activity.at Descending",
        ),
        (
            "Activity | Get activities of deal | Main | dealId | Latest activities first",
            "read Activity Activity.at Descending",
        ),
        (
            "Activity | Get activities of deal | Main | dealId | sorted by at, descending",
            "read Activity Activity.at Descending",
        ),
        (
            "Deal | Get deals of company | Main | companyId | by closeDate",
            "read Deal Deal.closeDate Ascending",
        ),
        (
            "Deal | Get deals of company | Main | companyId | for the board; highest amount first",
            "read Deal Deal.amount Descending",
        ),
        ("Deal | Get deals of company | Main | companyId | the latest app calls this on start", "read Deal"),
        ("Deal | Get deals of company | Main | companyId | used on first load", "read Deal"),
    ] {
        let (model, findings) = read(&format!("{SALES}| {row} |\n"));
        assert!(shown(&model).starts_with(&format!("{expected} by")), "{row}: {}", shown(&model));
        assert_eq!(findings, [], "{row}");
    }
}

#[test]
fn notes_that_promise_an_order_which_nothing_has_are_a_finding() {
    for (note, order) in [
        ("newest first", "newest first"),
        ("by popularity", "by popularity"),
        ("in priority order", "in priority order"),
        ("urgent first", "urgent first"),
    ] {
        let (_, findings) =
            read(&format!("{SALES}| Deal | Get deals of company | Main | companyId | {note} |\n"));
        let expected = format!("\"{order}\" is no order that an attribute has");
        assert!(findings.iter().any(|(_, message)| *message == expected), "{note}: {findings:#?}");
    }
}

#[test]
fn notes_tell_what_must_hold() {
    let (model, _) = read(&format!("{SALES}| Deal | Create deal | | | max 50 deals per company |\n"));
    assert!(shown(&model).contains("if 50 Deal per Company"), "{}", shown(&model));
    let (model, _) = read(&format!("{SALES}| Company | Create company | | | name must be unique |\n"));
    assert!(shown(&model).contains("if Unique"), "{}", shown(&model));
    let (model, _) = read(&format!("{SALES}| Company | Create company | | | must be fast |\n"));
    assert!(!shown(&model).contains(" if "), "{}", shown(&model));
}

#[test]
fn values_parted_by_a_slash_are_an_enumeration_whatever_they_resemble() {
    let (model, findings) = read(SALES);
    assert_eq!(findings, []);
    let stage = model.entities[1].attribute("stage").unwrap();
    assert_eq!(stage.ty.value, Type::Enum);
    let values: Vec<_> = stage.values.iter().map(|it| it.value.as_str()).collect();
    assert_eq!(values, ["LEAD", "QUALIFIED", "WON"]);
    let (_, findings) = read("## Entities\n### Song\n- songId (strng, uniqe)\n- title\n");
    assert!(findings.iter().any(|(level, _)| *level == Level::Error), "{findings:#?}");
}

#[test]
fn verbs_of_two_words_do_what_they_say() {
    let (model, _) = school("Hand in a submission");
    assert_eq!(
        shown(&model),
        "Create Submission by submissionId+studentId+courseId+submittedAt",
        "who hands in a submission makes one"
    );
    let hotel = "## Entities\n- **Stay** (stayId, status (BOOKED/CHECKED_IN/LEFT), checkedOutAt (datetime, optional))\n## Access patterns\n";
    let (model, findings) = read(&format!("{hotel}- Check in a stay\n"));
    assert_eq!((shown(&model), findings), ("Update Stay by stayId+→status=CHECKED_IN".to_owned(), vec![]));
    let (model, findings) = read(&format!("{hotel}- Check out a stay\n"));
    assert_eq!((shown(&model), findings), ("Update Stay by stayId+→checkedOutAt".to_owned(), vec![]));
    let (_, findings) = read(&format!("{hotel}- Tear down a stay\n"));
    assert!(findings.iter().any(|(level, it)| *level == Level::Error && it.starts_with("\"Tear down\"")));
}

const DESK: &str = "\
## Data model
```mermaid
erDiagram
    TENANT ||--o{ TICKET : has
    TICKET ||--o{ COMMENT : has
    TENANT {
        string tenantId PK
    }
    TICKET {
        string tenantId PK
        string ticketId PK
        string subject
    }
    COMMENT {
        string tenantId PK
        string ticketId PK
        string commentId PK
        string body
    }
```
## Access patterns
";

#[test]
fn what_goes_with_its_parent_goes_as_a_whole() {
    for sentence in [
        "Delete a ticket with all its comments",
        "Delete a ticket and its comments",
        "Delete a ticket and all comments",
        "Remove a ticket including comments",
    ] {
        let (model, findings) = read(&format!("{DESK}- {sentence}\n"));
        assert_eq!(
            shown(&model),
            "Delete TICKET + Delete all COMMENT by tenantId+ticketId",
            "{sentence}: {findings:#?}"
        );
        let bound: Vec<_> = model.patterns[0].inputs()[1].binds.iter().map(ToString::to_string).collect();
        assert_eq!(bound, ["TICKET.ticketId", "COMMENT.ticketId"], "{sentence}");
    }
}

#[test]
fn a_noun_that_nothing_declares_stays_for_a_rule_to_speak_of() {
    let rows = "| Pattern # | Description | RPS |\n|---|---|---|\n";
    for (sentence, noun) in [
        ("Create match", "match"),
        ("Get player's inventory items", "items"),
        ("List open matches by region", "matches"),
    ] {
        let (model, _) = read(&format!("# Game\n\n{rows}| 1 | {sentence} | 50 |\n"));
        let named: Vec<_> =
            model.patterns[0].entities.iter().map(|it| (it.value.as_str(), it.assumed)).collect();
        assert_eq!(named, [(noun, false)], "{sentence}");
    }
    let (_, findings) = read(&format!("{SCHOOL}- Log in\n"));
    let expected = (Level::Error, "\"Log in\" does not say which entity it is about".to_owned());
    assert!(findings.contains(&expected), "{findings:#?}");
}

#[test]
fn how_many_hold_an_attribute_at_a_time_may_stand_under_cardinality() {
    let drivers = "## Entities\n### Driver\n- driverId: ulid, id\n- availableSince: datetime, optional\n- city: string\n";
    for words in [
        "~300K total; ~20000 hold availableSince at a time",
        "~300K total, ~20000 available drivers at a time",
    ] {
        let (model, findings) = read(&format!("{drivers}- **Cardinality**: {words}\n"));
        assert_eq!(findings, [], "{words}");
        let entity = &model.entities[0];
        assert_eq!(entity.count.as_ref().unwrap().value, 300_000, "{words}");
        let present = entity.attribute("availableSince").unwrap().present.as_ref().unwrap().value.clone();
        assert_eq!(present, Presence::Items(20_000), "{words}");
    }
    let (_, findings) =
        read_access_patterns(&format!("{drivers}- **Cardinality**: ~20 on strike at a time\n"));
    let told = findings.iter().find(|it| it.rule.name() == "unreadable-cell").unwrap();
    assert!(told.help.as_ref().unwrap().contains("optional, ~500 at a time"), "{told:#?}");
}

#[test]
fn what_must_match_is_what_the_input_of_its_name_gives() {
    let (model, _) = read(
        "## Entities\n### Seat\n- seatNo: integer, id\n- state: enum(HELD, SOLD)\n- holdId: string, optional\n\
         ## Access Patterns\n### Writes\n\
         | ID | Entity | Description | Input Parameters | Items Written | Conditions |\n|---|---|---|---|---|---|\n\
         | AP-1 | Seat | Buy a held seat | seatNo, holdId, state = SOLD | 1 (Seat) | state must be HELD; holdId must match |\n",
    );
    let pattern = &model.patterns[0];
    let write = pattern.write().unwrap();
    assert_eq!(write.effects[0].action, Action::Update);
    assert!(
        matches!(&write.conditions[1].kind, ConditionKind::Compare { attribute, value: ConditionValue::Input(name), .. }
            if attribute.attribute == "holdId" && name == "holdId"),
        "{:#?}",
        write.conditions
    );
    // It is compared, not written.
    assert_eq!(pattern.inputs()[1].role, Role::Equal);
    assert_eq!(pattern.inputs()[2].role, Role::NewValue);
}
