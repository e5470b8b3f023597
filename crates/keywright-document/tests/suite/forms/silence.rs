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
        ("Submissions of a course in order", "read Submission Submission.submittedAt Ascending by courseId"),
        ("Lessons of a course, by title", "read Lesson Lesson.title Ascending by courseId"),
    ] {
        let (model, findings) = school(sentence);
        assert_eq!(shown(&model), expected, "{sentence}");
        assert_eq!(findings, [], "{sentence}");
    }
    let (_, findings) = school("Show the students of a course in order");
    assert_eq!(findings.len(), 1, "{findings:#?}");
    assert_eq!(findings[0].1, "\"in order\" is not an order of an attribute");
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
        let expected = format!("\"{order}\" is not an order of an attribute");
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
        let present = entity.attribute("availableSince").unwrap().present.as_ref().unwrap().value;
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

/// The only pattern of a list below some entities, and the findings.
fn sentence(entities: &str, sentence: &str) -> (String, Vec<String>) {
    let (model, findings) = read(&format!("## Entities\n{entities}\n## Access patterns\n- {sentence}\n"));
    (shown(&model), findings.into_iter().map(|(_, message)| message).collect())
}

const GYM: &str = "\
- **Gym** (gymId, name)
- **Trainer** (trainerId, gymId, name)
- **Member** (memberId, gymId, name)
- **Class** (classId, gymId, trainerId, title, startsAt)
- **Booking** (memberId, classId, bookedAt)
- **Locker** (gymId, lockerNo, size)
- **Visit** (visitId, memberId, gymId, at)";

#[test]
fn what_is_somebodys_is_not_somebody() {
    let (read, findings) = sentence(GYM, "See a member's upcoming classes");
    assert_eq!(read, "read Class by memberId");
    assert_eq!(findings, ["\"upcoming\" selects nothing here"]);
    let (read, findings) = sentence(GYM, "The classes a member booked");
    assert_eq!((read.as_str(), findings), ("read Class by memberId", vec![]));
    let (read, _) = sentence(GYM, "My visits");
    assert_eq!(read, "read Visit by ", "whose they are is asked for, not taken for everybody's");
}

#[test]
fn who_books_joins_or_leaves_makes_and_deletes_what_keeps_that() {
    for (written, expected) in [
        ("Book a class", "Create Booking by memberId+classId+bookedAt"),
        ("Leave a class", "Delete Booking by memberId+classId"),
        ("Assign a trainer to a class", "Update Class by classId+→trainerId"),
        ("Rent a locker", "Create Locker by gymId+lockerNo+size"),
        ("Remove a locker from a gym", "Delete Locker by gymId+lockerNo"),
    ] {
        let (read, findings) = sentence(GYM, written);
        assert_eq!((read.as_str(), findings), (expected, vec![]), "{written}");
    }
    let (_, findings) = sentence(GYM, "Join a gym");
    assert!(findings[0].starts_with("\"Join a gym\" makes or deletes no Gym itself"), "{findings:#?}");
    let clinic = "- **Patient** (patientId, name)\n- **Prescription** (prescriptionId, patientId, drug)";
    let (read, _) = sentence(clinic, "Prescribe a drug to a patient");
    assert_eq!(read, "Create Prescription by prescriptionId+patientId+drug");
    let shop = "- **User** (userId, name)\n- **Review** (reviewId, userId, text)";
    let (read, _) = sentence(shop, "Leave a review");
    assert_eq!(read, "Create Review by reviewId+userId+text");
    let (_, findings) = sentence(shop, "Log in a user");
    assert_eq!(findings.len(), 1, "{findings:#?}");
}

#[test]
fn words_that_date_compare_or_count_are_read_or_a_finding() {
    for (written, expected) in [
        ("Classes of a gym today", "\"today\" selects nothing here"),
        ("Classes longer than an hour", "\"longer than\" selects nothing here"),
        ("How many guests has a gym", "\"guests\" is no entity, so nothing says what is counted"),
        (
            "Timetable of a gym",
            "\"Timetable\" is nothing that is declared: the pattern is read as one about Gym",
        ),
        ("Add / remove a locker", "\"Add / remove\" are two patterns"),
        ("Delete a member and everything about them", "\"everything\" names no items to delete"),
        (
            "Swipe in at a gym",
            "\"Swipe in\" does not say whether \"Swipe in at a gym\" reads, writes or deletes",
        ),
    ] {
        let (_, findings) = sentence(GYM, written);
        assert_eq!(findings, [expected], "{written}");
    }
    for written in
        ["Count visits of a gym per day", "Number of visits of a member", "Name of a gym", "List of gyms"]
    {
        let (_, findings) = sentence(GYM, written);
        assert_eq!(findings, Vec::<String>::new(), "{written}");
    }
}

#[test]
fn a_bold_line_says_whether_what_follows_writes() {
    let (model, _) = read(&format!(
        "## Entities\n{GYM}\n## Access patterns\n**Reading**\n- get a gym\n\n**Writing**\n- rename a gym\n"
    ));
    let kinds: Vec<bool> = model.patterns.iter().map(|it| it.read().is_some()).collect();
    assert_eq!(kinds, [true, false]);
    assert_eq!(model.patterns[1].inputs()[1].name, "name");
    let (_, findings) = read(&format!("## Entities\n{GYM}\n## Reads\n- Delete a gym\n"));
    assert_eq!(findings[0].1, "\"Delete\" says a write, and stands among the reads");
}

#[test]
fn stories_are_told_by_somebody() {
    let gym = format!("## Entities\n{GYM}\n## User stories\n");
    let (model, _) =
        read(&format!("{gym}- As a member I want to see my visits, latest first, so that I am proud.\n"));
    assert_eq!(shown(&model), "read Visit Visit.at Descending by memberId");
    let (model, _) = read(&format!("{gym}- As a manager, I want to delete a class\n"));
    assert_eq!(shown(&model), "Delete Class by classId");
}

#[test]
fn entities_need_no_heading_that_we_know() {
    let table = "| Entity | Fields |\n|---|---|\n| Spot | garageId, spotNo, level |\n| Ticket | ticketNo, plate, enteredAt |\n";
    let (model, _) = read(&format!("# Parking\n\n{table}"));
    let identities: Vec<_> =
        model.entities.iter().map(|it| it.identity_names().collect::<Vec<_>>().join("+")).collect();
    assert_eq!(identities, ["spotNo", "ticketNo"]);
    for document in [
        "# Gym\n## Things we store\n- Gym: gymId, name\n- Class: classId, gymId, title\n",
        "# Gym\n## Domain\nA **Gym** has a gymId and a name. A **Class** has a classId, a gymId and a date of birth.\n",
        "## Entities\n### Gym\ngymId, name\n### Class\n- classId PK\n- gymId FK\n- size number\n",
    ] {
        let (model, findings) = read(document);
        let names: Vec<_> = model.entities.iter().map(|it| (it.name.as_str(), it.attributes.len())).collect();
        assert_eq!(names, [("Gym", 2), ("Class", 3)], "{document}");
        assert!(findings.iter().all(|(level, _)| *level < Level::Warning), "{document}: {findings:#?}");
    }
}

#[test]
fn a_link_that_is_spoken_of_outweighs_another_way() {
    let (model, findings) = read(
        "## Entities\n### Users\n- user_id PK\n### Listings\n- listing_id PK\n- seller_id -> Users\n\
         ### Favorites\n- user_id -> Users\n- listing_id -> Listings\n- added_at\n\
         ## Operations\n| Operation | Input | Output | Load |\n|---|---|---|---|\n\
         | My favorites | user_id | Listings, most recently added first | 20/s |\n",
    );
    assert_eq!(findings, []);
    assert_eq!(shown(&model), "read Listings Favorites.added_at Descending by user_id");
    assert_eq!(model.patterns[0].inputs()[0].binds[0].to_string(), "Favorites.user_id");
}
