//! What people write who have not read the format: their own headings, ids and names, and words that need an answer.

use keywright_document::read_access_patterns;
use keywright_finding::Level;
use keywright_model::Model;
use keywright_model::model::{Action, Bound, PatternKind, Role, Type};

const TEAM: &str = "\
## Data
- **Workspaces** (workspace_id, name)
- **Users** (user_id, email)
- **Membership** (workspace_id, user_id, role (owner/editor/viewer))
- **Documents** (document_id, workspace_id, title, created, updatedAt, deleted (boolean), clearedAt)
- **Devices** (serialNumber (string, id), workspace_id, online (boolean))
## What we need to do
";

fn team(sentences: &str) -> (Model, Vec<(Level, String)>) {
    let (model, findings) = read_access_patterns(&format!("{TEAM}{sentences}\n"));
    let findings = findings.into_iter().filter(|it| it.rule.name() != "assumption");
    (model, findings.map(|it| (it.level, it.message)).collect())
}

/// The inputs of the only pattern, and what it does.
fn shown(sentence: &str) -> String {
    let (model, _) = team(&format!("- {sentence}"));
    let pattern = &model.patterns[0];
    let inputs: Vec<_> = pattern
        .inputs()
        .iter()
        .map(|it| {
            let sign = if it.role == Role::NewValue { "→" } else { "" };
            match &it.constant {
                Some(value) => format!("{sign}{}={value}", it.name),
                None => format!("{sign}{}", it.name),
            }
        })
        .collect();
    let what = match &pattern.kind {
        PatternKind::Read(_) => "read",
        PatternKind::Write(write) | PatternKind::Delete(write) => match write.effects[0].action {
            Action::Create => "create",
            Action::Delete => "delete",
            Action::Put => "put",
            Action::Update | Action::Add { .. } => "update",
        },
    };
    let entity = pattern.entities.first().map_or("", |it| it.value.as_str());
    format!("{what} {entity} by {}", inputs.join("+"))
}

#[test]
fn headings_and_plural_names_of_their_own() {
    let (model, _) = team("- Get a document");
    let identities: Vec<_> =
        model.entities.iter().map(|it| it.identity_names().collect::<Vec<_>>().join("+")).collect();
    assert_eq!(
        identities,
        ["workspace_id", "user_id", "workspace_id+user_id", "document_id", "serialNumber"]
    );
    let role = model.entities[2].attribute("role").unwrap();
    let values: Vec<_> = role.values.iter().map(|it| it.value.as_str()).collect();
    assert_eq!(values, ["owner", "editor", "viewer"]);
    assert_eq!(model.entities[3].attribute("created").unwrap().ty.value, Type::Datetime);
}

#[test]
fn values_of_an_enumeration_in_every_form() {
    for facts in
        ["(new, open, closed)", "(enum: new, open, closed)", "(new/open/closed)", ": new | open | closed"]
    {
        let (model, findings) =
            read_access_patterns(&format!("## Entities\n### Ticket\n- id: ulid, id\n- state {facts}\n"));
        let state = model.entities[0].attribute("state").unwrap_or_else(|| panic!("{facts}"));
        let values: Vec<_> = state.values.iter().map(|it| it.value.as_str()).collect();
        assert_eq!(values, ["new", "open", "closed"], "{facts}");
        assert!(findings.iter().all(|it| it.level < Level::Warning), "{facts}: {findings:#?}");
    }
}

#[test]
fn an_identifier_ends_with_its_sentence() {
    let (model, findings) = read_access_patterns(
        "## Entities\n### Site\n- siteId: string, id\n### Device\nIdentified by serial. Belongs to a Site.\n- serial: string\n- siteId: string\n",
    );
    assert_eq!(model.entities[1].identity_names().collect::<Vec<_>>(), ["serial"]);
    assert!(findings.iter().all(|it| it.level < Level::Warning), "{findings:#?}");
}

#[test]
fn sentences_follow_links() {
    for (sentence, expected) in [
        ("List the workspaces of a user", "read Workspaces by user_id"),
        ("List the members of a workspace", "read Membership by workspace_id"),
        ("Invite a user to a workspace as viewer", "create Membership by workspace_id+user_id+role=viewer"),
        ("Kick a user out of a workspace", "delete Membership by workspace_id+user_id"),
        ("Change the role of a member", "update Membership by workspace_id+user_id+→role"),
        ("Transfer a document to another workspace", "update Documents by document_id+→workspace_id"),
        ("Soft-delete a document", "update Documents by document_id+→deleted=true"),
        ("Clear a document", "update Documents by document_id+→clearedAt"),
        ("Open a document by document_id", "read Documents by document_id"),
        ("getDocument: document by document_id", "read Documents by document_id"),
    ] {
        assert!(shown(sentence).starts_with(expected), "{sentence}: {}", shown(sentence));
    }
}

#[test]
fn ranges_of_time_and_orders_in_words() {
    for (sentence, expected) in [
        (
            "Documents of a workspace between two dates",
            "read Documents by createdFrom+createdTo+workspace_id",
        ),
        ("Documents of a workspace in the last 30 days", "read Documents by createdFrom+workspace_id"),
        (
            "Documents of a workspace, most recently updated first, 50 per page",
            "read Documents by workspace_id",
        ),
    ] {
        assert_eq!(shown(sentence), expected, "{sentence}");
    }
    let (model, _) = team("- Documents of a workspace, most recently updated first, 50 per page");
    let read = model.patterns[0].read().unwrap();
    assert_eq!(read.sort[0].attribute.attribute, "updatedAt");
    assert_eq!(read.page_size.as_ref().unwrap().value, 50);
    assert!(read.paginated.as_ref().unwrap().value);
}

#[test]
fn words_that_select_or_order_and_are_not_understood_are_findings() {
    for (sentence, expected) in [
        ("List offline devices", "\"offline\" selects nothing here"),
        ("Documents of a workspace, urgent first", "\"urgent first\" is not an order of an attribute"),
        ("Devices of a user", "no Devices has the identifier of a Users"),
    ] {
        let (_, findings) = team(&format!("- {sentence}"));
        assert!(findings.iter().any(|(_, message)| message == expected), "{sentence}: {findings:#?}");
    }
    for sentence in ["List online devices", "List all devices", "List the devices of a workspace"] {
        let (_, findings) = team(&format!("- {sentence}"));
        assert_eq!(findings, [], "{sentence}");
    }
}

#[test]
fn ids_of_their_own_become_ours() {
    let (model, _) = team("- Q1: List all devices\n- Q2: Get a device\n- M1: Create a document");
    let ids: Vec<_> = model.patterns.iter().map(|it| it.id.as_str()).collect();
    assert_eq!(ids, ["AP-001", "AP-002", "AP-003"]);
}

#[test]
fn a_line_names_an_entity_its_attributes_and_how_many_there_are() {
    let (model, findings) = read_access_patterns(
        "## Entities\n\
         - Garage: garageId, city. About 300.\n\
         - Van: vin (unique identifier), plate (unique), garageId, wheels (4-8), \
         status (active, in_repair, retired). ~120K total\n\
         ## Access patterns\n\
         - Get a van by vin\n",
    );
    assert_eq!(findings.iter().filter(|it| it.level == Level::Error).count(), 0, "{findings:#?}");
    let [garage, van] = model.entities.as_slice() else { panic!("{:#?}", model.entities) };
    assert_eq!(garage.count.as_ref().map(|it| it.value), Some(300));
    assert_eq!(van.count.as_ref().map(|it| it.value), Some(120_000));
    assert_eq!(van.identity_names().collect::<Vec<_>>(), ["vin"]);
    let attribute = |name: &str| van.attributes.iter().find(|it| it.name == name).expect("it is declared");
    let values: Vec<_> = attribute("status").values.iter().map(|it| it.value.as_str()).collect();
    assert_eq!(values, ["active", "in_repair", "retired"]);
    assert_eq!(attribute("wheels").ty.value, Type::Integer);
    assert_eq!(attribute("wheels").max.as_ref().map(|it| it.value), Some(8));
}

const TICKETS: &str = "\
## Entities
### Visit
- **Attributes**: visitId (ulid, id), exhibitionId (string), email (string), state (enum(RESERVED, PAID, USED)), paidAt (datetime, optional)
## Access Patterns
";

fn written(row: &str) -> keywright_model::model::Write {
    let (model, findings) = read_access_patterns(&format!(
        "{TICKETS}### Writes\n\
         | ID | Entity | Description | Input Parameters | Items Written | Transaction | Conditions | Frequency |\n\
         |---|---|---|---|---|---|---|---|\n{row}\n"
    ));
    assert_eq!(findings.iter().filter(|it| it.level == Level::Error).count(), 0, "{findings:#?}");
    model.patterns[0].write().expect("it is a write").clone()
}

#[test]
fn what_is_given_whole_and_has_no_id_yet_is_new() {
    let reserved =
        written("| AP-1 | Visit | Reserve a visit | exhibitionId, email | Visit | No | - | Warm |");
    assert_eq!(reserved.effects[0].action, Action::Create);
    let paid =
        written("| AP-1 | Visit | Reserve a visit | visitId, exhibitionId, email | Visit | No | - | Warm |");
    assert_eq!(paid.effects[0].action, Action::Update);
    let some = written("| AP-1 | Visit | Reserve a visit | email | Visit | No | - | Warm |");
    assert_eq!(some.effects[0].action, Action::Update);
}

#[test]
fn a_change_without_an_entity_is_one_of_the_only_entity() {
    let paid = written(
        "| AP-1 | Visit | Pay | visitId, paidAt | SET state = PAID, paidAt | No | Visit must exist | Warm |",
    );
    let [only] = paid.effects.as_slice() else { panic!("{:#?}", paid.effects) };
    assert_eq!((only.entity.as_str(), &only.action), ("Visit", &Action::Update));
    assert_eq!(only.attributes, ["state", "paidAt"]);
}

#[test]
fn who_clears_an_attribute_deletes_no_item() {
    let cleared = written(
        "| AP-1 | Visit | Clear the payment of a visit | visitId, paidAt = none | Visit | No | Visit must exist | Warm |",
    );
    assert_eq!(cleared.effects[0].action, Action::Update);
    assert_eq!(cleared.effects[0].removes, ["paidAt"]);
}

#[test]
fn a_state_behind_the_noun_that_no_input_gives_is_told() {
    let (_, findings) = read_access_patterns(&format!(
        "{TICKETS}### Reads\n\
         | ID | Entity | Description | Input Parameters | Result | Sort | Paginated | Frequency |\n\
         |---|---|---|---|---|---|---|---|\n\
         | AP-1 | Visit | Count the visits of an exhibition that were used | exhibitionId | Count | - | No | Warm |\n"
    ));
    let told: Vec<_> = findings.iter().filter(|it| it.rule.name() == "unreadable-cell").collect();
    assert!(told.iter().any(|it| it.message.contains("\"used\" selects nothing here")), "{findings:#?}");
}

const WAREHOUSE: &str = "\
## Entities
- **Warehouse**: code (id), name
- **PickTask**: taskId (ulid, id), code (ref Warehouse), orderId (ulid), priority (enum(LOW, NORMAL, URGENT)), \
state (enum(OPEN, TAKEN)), finished (boolean), pickedAt (datetime, optional)
## Access patterns
";

fn warehouse(sentence: &str) -> (Model, Vec<String>) {
    let (model, findings) = read_access_patterns(&format!("{WAREHOUSE}{sentence}\n"));
    let findings = findings.into_iter().filter(|it| it.rule.name() == "unreadable-cell");
    (model, findings.map(|it| it.message).collect())
}

#[test]
fn the_last_word_of_a_name_means_its_entity() {
    for sentence in [
        "- Get a task (taskId)",
        "- Create a task (code, orderId, priority)",
        "- List the tasks of an order (orderId)",
    ] {
        let (model, findings) = warehouse(sentence);
        let pattern = &model.patterns[0];
        let about: Vec<_> = pattern.entities.iter().map(|it| it.value.as_str()).collect();
        assert_eq!(about, ["PickTask"], "{sentence}");
        assert_eq!(findings, Vec::<String>::new(), "{sentence}");
    }
}

#[test]
fn a_state_that_comes_first_is_an_order_of_its_enumeration() {
    let order = |sentence: &str| {
        let (model, _) = warehouse(sentence);
        let PatternKind::Read(read) = &model.patterns[0].kind else { panic!("{sentence} is a read") };
        read.sort.iter().map(|it| format!("{} {:?}", it.attribute, it.direction)).collect::<Vec<_>>()
    };
    assert_eq!(
        order("- List tasks of a warehouse (code), most urgent first"),
        ["PickTask.priority Descending"]
    );
    assert_eq!(order("- List tasks of a warehouse (code), low first"), ["PickTask.priority Ascending"]);
    assert_eq!(order("- List tasks of a warehouse (code), normal first"), Vec::<String>::new());
}

#[test]
fn what_was_not_done_selects_nothing_and_is_told() {
    const READS: &str =
        "### Reads\n| ID | Entity | Description | Input Parameters | Result |\n|---|---|---|---|---|\n";
    let told = |description: &str| {
        warehouse(&format!("{READS}| AP-001 | PickTask | {description} | code | Collection |")).1
    };
    assert_eq!(
        told("Unfinished tasks of a warehouse"),
        ["\"Unfinished\" selects nothing here: no input refers to finished"]
    );
    assert_eq!(
        told("Unpicked tasks of a warehouse"),
        ["\"Unpicked\" selects nothing here: no input refers to pickedAt"]
    );
    assert_eq!(told("Uneven tasks of a warehouse"), Vec::<String>::new());
}

#[test]
fn some_of_what_comes_along_comes_along() {
    let (model, _) = warehouse("- Get a warehouse with its latest 20 tasks (code)");
    let pattern = &model.patterns[0];
    let about: Vec<_> = pattern.entities.iter().map(|it| it.value.as_str()).collect();
    assert_eq!(about, ["Warehouse", "PickTask"]);
    let PatternKind::Read(read) = &pattern.kind else { panic!("it is a read") };
    assert_eq!(read.sort.iter().map(|it| it.attribute.to_string()).collect::<Vec<_>>(), ["PickTask.taskId"]);
}

#[test]
fn who_puts_a_new_value_changes_what_is_there() {
    const WRITES: &str = "### Writes\n| ID | Entity | Description | Input Parameters | Items Written |\n|---|---|---|---|---|\n";
    let action = |description: &str, inputs: &str| {
        let (model, _) =
            warehouse(&format!("{WRITES}| AP-001 | PickTask | {description} | {inputs} | 1 (PickTask) |"));
        model.patterns[0].write().map(|write| write.effects[0].action.clone())
    };
    assert_eq!(action("Put a task into a warehouse", "taskId, newCode"), Some(Action::Update));
    assert_eq!(action("Put a task", "taskId, code, orderId"), Some(Action::Put));
}

const PERMITS: &str = "\
## Entities
### Garage
- **Attributes**:
  - `garageId` (string, id)
### Permit
- **Attributes**:
  - `plate` (string)
  - `garageId` (string, ref Garage)
  - `validUntil` (date)
### Reading
- **Attributes**:
  - `garageId` (string, ref Garage)
  - `takenAt` (datetime)
  - `cars` (integer)
## Access Patterns
### Reads
| ID | Entity | Description | Input Parameters | Result |
|---|---|---|---|---|
";

/// What identifies each entity, and what its reads are given.
fn identities(rows: &str) -> Vec<String> {
    let (model, _) = read_access_patterns(&format!("{PERMITS}{rows}\n"));
    model.entities.iter().map(|it| it.identity_names().collect::<Vec<_>>().join("+")).collect()
}

#[test]
fn what_finds_one_item_identifies_it() {
    let permit = "| AP-1 | Permit | Permit of a plate | garageId, plate | Single |";
    assert_eq!(identities(permit), ["garageId", "plate+garageId", "garageId+takenAt"]);
    // Without it, there is one for each at a time.
    assert_eq!(identities("")[1], "garageId+validUntil");
    // What also finds several does not identify one of them.
    let list = "| AP-2 | Permit | Permits of a plate | garageId, plate | Collection |";
    assert_eq!(identities(&format!("{permit}\n{list}"))[1], "garageId+validUntil");
    // One of several, and one without what it belongs to.
    for read in ["The latest reading | garageId", "A reading by the number of cars | cars"] {
        let row = format!("| AP-3 | Reading | {read} | Single |");
        assert_eq!(identities(&row)[2], "garageId+takenAt", "{read}");
    }
}

#[test]
fn from_and_to_before_an_attribute_are_a_range() {
    let row = "| AP-1 | Reading | Readings | garageId, from takenAt, to takenAt | Collection |";
    let (model, _) = read_access_patterns(&format!("{PERMITS}{row}\n"));
    let roles: Vec<Role> = model.patterns[0].inputs().iter().map(|it| it.role).collect();
    assert_eq!(roles, [Role::Equal, Role::Lower(Bound::Inclusive), Role::Upper(Bound::Inclusive)]);
}

const TUTORS: &str = "\
## Entities
- **Tutor** (tutorId, name)
- **Lesson** (lessonId, tutorId, startsAt, status: REQUESTED | CONFIRMED | DONE)
- **Review** (reviewId, lessonId, stars (1-5))
- **Message** (messageId, conversationId, sentAt, body)
## Access Patterns
";

#[test]
fn values_behind_a_colon_are_those_of_an_attribute_in_a_list() {
    let (model, _) = read_access_patterns(TUTORS);
    let names: Vec<&str> = model.entities.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["Tutor", "Lesson", "Review", "Message"]);
    let status = model.entities[1].attribute("status").unwrap();
    assert_eq!((status.ty.value, status.values.len()), (Type::Enum, 3));
    // What is no attribute is not lost in silence.
    let (model, findings) = read_access_patterns(
        "## Entities\n- **Tutor** (tutorId, name)\n- **Lesson** (lessonId, starts at noon!)\n",
    );
    assert_eq!(model.entities.len(), 1);
    let told = "\"starts at noon!\" is no attribute, so this line is not read as an entity";
    assert!(findings.iter().any(|it| it.message == told), "{findings:#?}");
}

#[test]
fn a_noun_that_nobody_declares_is_found_by_its_id() {
    let (model, _) =
        read_access_patterns(&format!("{TUTORS}- Messages of a conversation, latest 50 (100/s)\n"));
    let inputs: Vec<&str> = model.patterns[0].inputs().iter().map(|it| it.name.as_str()).collect();
    assert_eq!(inputs, ["conversationId"]);
}

#[test]
fn how_often_is_read_wherever_it_stands() {
    for (sentence, per_day) in [
        ("Confirm a lesson (2/s), only if it is REQUESTED", 2 * 86_400),
        ("List the lessons of a tutor (every minute)", 24 * 60),
        ("List the lessons of a tutor (once a day)", 1),
        ("List the lessons of a tutor (hourly)", 24),
    ] {
        let (model, _) = read_access_patterns(&format!("{TUTORS}- {sentence}\n"));
        let rate = model.patterns[0].rate.as_ref().unwrap().value.nano();
        let expected = per_day * 1_000_000_000 / 86_400;
        assert!(rate.abs_diff(expected) <= per_day, "{sentence}: {rate}");
    }
}

#[test]
fn who_leaves_a_review_makes_one() {
    let (model, _) = read_access_patterns(&format!("{TUTORS}- Leave a review for a lesson (1/s)\n"));
    let effect = &model.patterns[0].write().unwrap().effects[0];
    assert_eq!((effect.entity.as_str(), effect.action.clone()), ("Review", Action::Create));
}

#[test]
fn running_text_tells_how_many_there_are() {
    let (model, _) = read_access_patterns(
        "## Entities\n- **Tutor** (tutorId, name)\n- **Student** (studentId, name)\n- **Lesson** (lessonId, studentId)\n\n\
         About 50k tutors and 400k students. Each student has ~30 lessons. We open 3 rooms for tutors.\n",
    );
    let counts: Vec<_> = model.entities.iter().map(|it| it.count.as_ref().map(|count| count.value)).collect();
    assert_eq!(counts, [Some(50_000), Some(400_000), None]);
    let mean = model.relationships[0].fan_out.mean.as_ref().map(|it| it.value);
    assert_eq!((model.relationships[0].child.as_str(), mean), ("Lesson", Some(30)));
}

#[test]
fn a_rate_behind_an_order_is_no_size_of_a_page() {
    let (model, _) = team("- List the documents of a workspace, newest first (5/s)");
    let PatternKind::Read(read) = &model.patterns[0].kind else { panic!("{:?}", model.patterns[0]) };
    assert!(read.page_size.is_none(), "{:?}", read.page_size);
}

#[test]
fn soonest_first_is_by_when_something_happens() {
    let (model, findings) = read_access_patterns(
        "## Entities\n- Shift: shiftId (ulid), siteId, createdAt (datetime), startsAt (datetime)\n\
         - Site: siteId (ulid), name\n## Access patterns\n- List the shifts of a site, soonest first\n",
    );
    assert!(findings.iter().all(|it| it.level < Level::Error), "{findings:#?}");
    let PatternKind::Read(read) = &model.patterns[0].kind else { panic!("{:?}", model.patterns[0]) };
    assert_eq!(read.sort[0].attribute.attribute, "startsAt");
}

const POOLS: &str = "## Entities\n- Member: memberId (uuid), name\n- Lane: one of a pool, numbered 1 to 12: poolId, laneNo (1-12)\n\
                     - Booking: bookingId (ulid), memberId, poolId, laneNo, startsAt, state (HELD, PAID), heldUntil (optional)\n\
                     ## Access patterns\n";

#[test]
fn what_is_said_before_the_attributes_of_an_entity_describes_it() {
    let (model, _) = read_access_patterns(POOLS);
    let lane = model.entities.iter().find(|it| it.name == "Lane").unwrap();
    let names: Vec<&str> = lane.attributes.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["poolId", "laneNo"]);
}

#[test]
fn a_line_that_names_attributes_and_more_is_not_lost_in_silence() {
    let (model, findings) = read_access_patterns(
        "## Entities\n- **Pool** (poolId, name)\n- Lane: laneId, how deep it is!, poolId\n",
    );
    assert_eq!(model.entities.len(), 1);
    assert!(findings.iter().any(|it| it.message.contains("not read as an entity")), "{findings:#?}");
}

#[test]
fn parentheses_list_what_is_given() {
    for (sentence, expected) in [
        ("- Bookings of a lane on a day, in order of start (poolId, laneNo, day of startsAt)", 3),
        ("- Get a member by id (memberId)", 1),
        ("- List the bookings of a member with fields (bookingId, startsAt)", 1),
    ] {
        let (model, _) = read_access_patterns(&format!("{POOLS}{sentence}\n"));
        let inputs: Vec<&str> = model.patterns[0].inputs().iter().map(|it| it.name.as_str()).collect();
        assert_eq!(inputs.len(), expected, "{sentence}: {inputs:?}");
    }
}

#[test]
fn what_has_passed_is_a_bound() {
    let (model, findings) = read_access_patterns(&format!(
        "{POOLS}- Bookings that are HELD and whose heldUntil has passed, soonest first\n"
    ));
    assert!(findings.iter().all(|it| it.level < Level::Error), "{findings:#?}");
    let bound = model.patterns[0].inputs().iter().find(|it| it.name == "heldUntil").unwrap();
    assert!(matches!(bound.role, Role::Upper(_)), "{bound:?}");
}

const BOARDS: &str = "## Entities\n### Board\n- **Attributes**:\n  - `boardId` (ulid, id)\n  - `name` (string)\n\
    ### Column\n- **Attributes**:\n  - `columnId` (ulid, id)\n  - `boardId` (ulid, ref Board)\n\
    ### Card\n- **Attributes**:\n  - `cardId` (ulid, id)\n  - `boardId` (ulid, ref Board)\n  - `done` (boolean)\n\
    \n| Entity | Access Pattern | Index | Parameters | Notes |\n|---|---|---|---|---|\n";

#[test]
fn what_comes_with_an_item_in_a_table_of_four_columns_is_read_with_it() {
    for (row, entities) in [
        ("| Board | Get board with its columns and cards | | boardId | one query |", 3),
        ("| Board | Get a board and its cards | | boardId | |", 2),
        ("| Board | Get board | | boardId | cards are read apart |", 1),
        ("| Card | List cards of a board | | boardId | |", 1),
    ] {
        // The table stands right below the last entity, without a heading of its own.
        let (model, findings) = read_access_patterns(&format!("{BOARDS}{row}\n"));
        assert_eq!(model.patterns[0].entities.len(), entities, "{row}: {findings:#?}");
        let read = model.patterns[0].read().unwrap();
        assert_eq!(read.multi_entity.as_ref().is_some_and(|it| it.value), entities > 1, "{row}");
    }
}

#[test]
fn a_condition_tells_which_item_of_several_is_new() {
    let table = "## Entities\n### Trip\n- **Attributes**:\n  - `tripId` (ulid, id)\n  - `state` (enum(OPEN, DONE), mutable)\n\
        ### Stop\n- **Attributes**:\n  - `tripId` (ulid, ref Trip)\n  - `stopNo` (integer, max 99)\n  - `place` (string)\n\
        ## Access Patterns\n### Writes\n\
        | ID | Entity | Description | Input Parameters | Items Written | Transaction | Conditions |\n\
        |---|---|---|---|---|---|---|\n";
    let actions = |row: &str| {
        let (model, findings) = read_access_patterns(&format!("{table}{row}\n"));
        assert!(findings.iter().all(|it| it.level < Level::Error), "{findings:#?}");
        let effects = model.patterns[0].write().unwrap().effects.clone();
        effects.into_iter().map(|it| it.action).collect::<Vec<_>>()
    };
    use keywright_model::model::Action::{Create, Update};
    for (row, expected) in [
        (
            "| AP-1 | Trip, Stop | Advance a trip | tripId, newState, stopNo, place | Trip + Stop | Yes | Stop must not exist |",
            [Update, Create],
        ),
        (
            "| AP-1 | Trip | Advance a trip | tripId, newState, stopNo, place | Trip + Stop | Yes | Stop must not exist |",
            [Update, Create],
        ),
        (
            "| AP-1 | Stop, Trip | Add a stop | tripId, stopNo, place, newState | Stop + Trip | Yes | Trip must exist |",
            [Create, Update],
        ),
    ] {
        assert_eq!(actions(row), expected, "{row}");
    }
}

const SHIPPED: &str = "## Entities\n### Parcel\n- **Attributes**:\n  - `parcelId` (ulid, id)\n\
    \x20 - `status` (enum(NEW, SENT), mutable)\n  - `carrier` (string, mutable)\n  - `label` (string)\n\
    \x20 - `heldUntil` (datetime, optional)\n## Access Patterns\n### Writes\n\
    | ID | Entity | Description | Input Parameters | Items Written | Transaction | Conditions |\n\
    |---|---|---|---|---|---|---|\n";

#[test]
fn none_is_what_a_new_item_begins_without() {
    let (model, findings) = read_access_patterns(&format!(
        "{SHIPPED}| AP-1 | Parcel | Create a parcel | parcelId, status, carrier, label, heldUntil = none | 1 | No | |\n"
    ));
    assert!(findings.iter().all(|it| it.level < Level::Error), "{findings:#?}");
    assert!(model.patterns[0].inputs().iter().all(|it| it.name != "heldUntil"), "{:?}", model.patterns[0]);
    // What every item has can't be none.
    let row = "| AP-1 | Parcel | Create a parcel | parcelId, status = none, carrier, label | 1 | No | |";
    let (_, findings) = read_access_patterns(&format!("{SHIPPED}{row}\n"));
    let found = findings.iter().find(|it| it.level == Level::Error).unwrap();
    assert!(found.help.as_deref().unwrap().contains("mark `status` as `optional`"), "{found:?}");
}

#[test]
fn what_changes_gets_a_new_value_beside_a_fixed_one() {
    let role = |row: &str, input: &str| {
        let (model, findings) = read_access_patterns(&format!("{SHIPPED}{row}\n"));
        assert!(findings.iter().all(|it| it.level < Level::Error), "{findings:#?}");
        model.patterns[0].inputs().iter().find(|it| it.name == input).unwrap().role
    };
    let fixed = "| AP-1 | Parcel | Send a parcel | parcelId, carrier | Parcel (SET status = SENT) | No | |";
    assert_eq!(role(fixed, "carrier"), Role::NewValue);
    // What no document says to change is what the caller knows.
    let known = "| AP-1 | Parcel | Send a parcel | parcelId, label | Parcel (SET status = SENT) | No | |";
    assert_eq!(role(known, "label"), Role::Equal);
    // Beside a new value that the items written name, what they don't name is compared.
    let beside =
        "| AP-1 | Parcel | Send a parcel | parcelId, status, carrier | Parcel (SET carrier) | No | |";
    assert_eq!(role(beside, "status"), Role::Equal);
}

#[test]
fn who_wants_something_absent_changes_an_item_that_is_there() {
    use keywright_model::model::Action::{Create, Update};
    let action = |condition: &str| {
        let row = format!("| AP-1 | Parcel | Issue a parcel | parcelId, heldUntil | 1 | No | {condition} |");
        let (model, findings) = read_access_patterns(&format!("{SHIPPED}{row}\n"));
        assert!(findings.iter().all(|it| it.level < Level::Error), "{findings:#?}");
        model.patterns[0].write().unwrap().effects[0].action.clone()
    };
    assert_eq!(action("heldUntil must be empty"), Update);
    assert_eq!(action("heldUntil must not be set"), Update);
    assert_eq!(action("Parcel must not exist"), Create);
    assert_eq!(action(""), Create);
}

#[test]
fn plurals_and_pairs_are_read_as_they_are_said() {
    let document = "## Entities\n### Course\n- **Attributes**:\n  - `courseId` (ulid, id)\n### Quiz\n- **Attributes**:\n\
        \x20 - `quizId` (ulid, id)\n  - `courseId` (ulid, ref Course)\n  - `number` (integer, max 99)\n  - `pair` (string)\n\
        - **Unique**: UNIQUE\n## Access Patterns\n### Reads\n\
        | ID | Entity | Description | Input Parameters | Result | Sort |\n|---|---|---|---|---|---|\n\
        | AP-1 | Quizzes | Quizzes of a course | courseId | Collection | number asc |\n";
    let unique = |said: &str| {
        let (model, findings) = read_access_patterns(&document.replace("UNIQUE", said));
        assert!(findings.iter().all(|it| it.level < Level::Error), "{findings:#?}");
        assert_eq!(model.patterns[0].entities[0].value, "Quiz");
        model.entities[1].unique.iter().map(|set| set.attributes.join("+")).collect::<Vec<_>>()
    };
    assert_eq!(unique("courseId and number together"), ["courseId+number"]);
    assert_eq!(unique("courseId, number together"), ["courseId+number"]);
    assert_eq!(unique("the combination of courseId and number"), ["courseId+number"]);
    assert_eq!(unique("pair, number"), ["pair", "number"]);
    let (_, findings) =
        read_access_patterns(&document.replace("UNIQUE", "pair, courseId and number together"));
    assert!(
        findings.iter().any(|it| it.message.contains("which of these are unique as one")),
        "{findings:#?}"
    );
}

#[test]
fn what_is_said_behind_the_attributes_is_said_of_the_entity() {
    let document = "## Entities\n\
        - **Keeper**: keeperId (ulid, id), name\n\
        - **Alert**: alertId (ulid, id), region, expires after 7 days, max 40 per keeper, ~12 on average\n\
        ## Access Patterns\n\
        - Log in a keeper by id (5/s)\n- Raise an alert (1/s)\n";
    let (model, findings) = read_access_patterns(document);
    assert!(findings.iter().all(|it| it.level < Level::Error), "{findings:#?}");
    let alert = model.entity("Alert").unwrap();
    assert!(alert.attribute("region").is_some() && alert.attribute("expires").is_none(), "{alert:#?}");
    let fan_out = &model.relationships[0].fan_out;
    assert_eq!(fan_out.mean.as_ref().map(|it| it.value), Some(12), "{fan_out:?}");
    assert_eq!(fan_out.max.as_ref().map(|it| it.value), Some(40), "{fan_out:?}");
    // Nothing is lost behind them: what is neither read nor said keeps the line from being read as an entity.
    for lost in ["raised at, level", "a level of some kind"] {
        let line = format!(
            "## Entities\n- **Alert**: alertId (ulid, id), region, {lost}\n## Access Patterns\n- Raise an alert (1/s)\n"
        );
        let (_, findings) = read_access_patterns(&line);
        assert!(findings.iter().any(|it| it.message.contains("is no attribute")), "{lost}: {findings:#?}");
    }
    // Who is found by something is looked at, and does not come to be.
    assert!(model.patterns[0].read().is_some(), "{:#?}", model.patterns[0]);
}

#[test]
fn in_order_is_by_the_number_that_identifies() {
    let document = "## Entities\n- **Game**: gameId (ulid, id)\n\
        - **Move**: gameId (ulid, ref Game), ply (integer, max 600), san (string). Identified by gameId and ply\n\
        ## Access Patterns\n- All moves of a game in order (5/s)\n";
    let (model, findings) = read_access_patterns(document);
    assert!(findings.iter().all(|it| it.level < Level::Error), "{findings:#?}");
    assert_eq!(model.patterns[0].read().unwrap().sort[0].attribute.attribute, "ply");
    // The number of the parent is the same for all of them.
    let (model, _) = read_access_patterns(
        "## Entities\n- **Device**: deviceId (integer, id, max 999)\n\
        - **Reading**: deviceId (integer, ref Device), recordedAt (datetime), value (number). Identified by deviceId and \
        recordedAt\n## Access Patterns\n- All readings of a device in order (5/s)\n",
    );
    assert_eq!(model.patterns[0].read().unwrap().sort[0].attribute.attribute, "recordedAt");
}

#[test]
fn adding_to_a_number_makes_no_item() {
    use keywright_model::model::{Action, Step};
    let head = "## Entities\n- **Product**: productId (ulid, id), name, stock (integer, mutable), loyaltyPoints (integer)\n\
        - **Review**: reviewId (ulid, id), productId (ulid, ref Product)\n\
        ## Access Patterns\n### Writes\n| What | Inputs | Rate |\n|---|---|---|\n";
    let action = |row: &str| {
        let (model, findings) = read_access_patterns(&format!("{head}| {row} | 2/s |\n"));
        assert!(findings.iter().all(|it| it.level < Level::Error), "{findings:#?}");
        let [effect] = model.patterns[0].write().unwrap().effects.as_slice() else { panic!("{row}") };
        assert!(row.contains("review") || effect.entity == "Product", "{row}: {effect:?}");
        effect.action.clone()
    };
    let by = |by: Step| Action::Add { attribute: "stock".to_owned(), by };
    assert_eq!(
        action("Add stock to a product | productId, quantity"),
        by(Step::Input("quantity".to_owned()))
    );
    assert_eq!(
        action("Take stock from a product | productId, stock"),
        by(Step::MinusInput("stock".to_owned()))
    );
    assert_eq!(action("Reduce the stock of a product by 2 | productId"), by(Step::Fixed(-2)));
    assert_eq!(action("Add 10 stock to a product | productId"), by(Step::Fixed(10)));
    // A new value is no amount.
    assert_eq!(action("Raise the stock of a product | productId, newStock"), Action::Update);
    let points = action("Add loyalty points to a product | productId, points");
    assert!(matches!(points, Action::Add { attribute, .. } if attribute == "loyaltyPoints"));
    // What is no number of it is an item of its own.
    assert_eq!(action("Add a review to a product | reviewId, productId"), Action::Create);
}

#[test]
fn a_number_of_items_is_a_page() {
    let head = "## Entities\n### Loan\n- **Attributes**:\n  - `loanId` (ulid, id)\n  - `memberId` (string)\n## Access Patterns\n\
        ### Reads\n| ID | Entity | Description | Input Parameters | Result | Sort | Paginated |\n|---|---|---|---|---|---|---|\n";
    let page = |cell: &str| {
        let row =
            format!("| AP-1 | Loan | Loans of a member | memberId | Collection | loanId DESC | {cell} |");
        let (model, findings) = read_access_patterns(&format!("{head}{row}\n"));
        let read = model.patterns[0].read().unwrap().clone();
        let fails = findings.iter().any(|it| it.level == Level::Error);
        (read.paginated.map(|it| it.value), read.page_size.map(|it| it.value), fails)
    };
    assert_eq!(page("20"), (Some(true), Some(20), false));
    assert_eq!(page("25 per page"), (Some(true), Some(25), false));
    assert_eq!(page("Yes (30)"), (Some(true), Some(30), false));
    assert_eq!(page("No"), (Some(false), None, false));
    assert_eq!(page("0"), (None, None, true));
    assert!(page("2 results, not paged").2 && page("1 page").2);
}

#[test]
fn a_read_by_what_items_lack_is_refused() {
    let head = "## Entities\n### Loan\n- **Attributes**:\n  - `loanId` (ulid, id)\n  - `memberId` (string)\n\
        \x20 - `dueOn` (date)\n  - `returnedAt` (datetime, optional)\n  - `mood` (string)\n## Access Patterns\n### Reads\n\
        | ID | Entity | Description | Input Parameters | Result | Sort | Paginated |\n|---|---|---|---|---|---|---|\n";
    let said = |inputs: &str| {
        let row = format!("| AP-1 | Loan | Loans of a member | {inputs} | Collection | loanId DESC | Yes |");
        let (_, findings) = read_access_patterns(&format!("{head}{row}\n"));
        findings
            .into_iter()
            .filter(|it| it.level == Level::Error)
            .map(|it| it.help.unwrap())
            .collect::<String>()
    };
    assert!(said("memberId, returnedAt = none").contains("no key holds items for what they lack"));
    assert!(said("memberId, dueOn = today").contains("let the caller give the time"));
    assert_eq!(said("memberId, dueOn"), "");
    // A text may be that word.
    assert_eq!(said("memberId, mood = none"), "");
}

#[test]
fn all_that_one_pattern_touches_is_of_one_tenant() {
    let (model, findings) = read_access_patterns(
        "## Entities\n### Probe\n- **Attributes**:\n  - `farmId` (ulid, tenant)\n  - `probeId` (ulid, id)\n\
        \x20 - `seenAt` (datetime, mutable)\n\
        ### Reading\n- **Attributes**:\n  - `farmId` (ulid, tenant)\n  - `readingId` (ulid, id)\n\
        \x20 - `probeId` (ulid, ref Probe)\n## Access Patterns\n### Writes\n\
        | ID | Entity | Description | Input Parameters | Items Written | Transaction | Conditions |\n\
        |---|---|---|---|---|---|---|\n\
        | AP-1 | Reading | Record a reading | farmId, readingId, probeId, seenAt | Reading + Probe (seenAt) | No | |\n\
        | AP-2 | Reading | Copy a reading | farmId, readingId, probeId | 1 | No | Probe must exist |\n",
    );
    assert!(findings.iter().all(|it| it.level < Level::Error), "{findings:#?}");
    for pattern in &model.patterns {
        let tenant = pattern.inputs().iter().find(|it| it.name == "farmId").unwrap();
        let mut of: Vec<&str> = tenant.binds.iter().map(|it| it.entity.as_str()).collect();
        of.sort_unstable();
        assert_eq!(of, ["Probe", "Reading"], "{}", pattern.id);
    }
}

const MATCHES: &str = "## Entities\n- **Cup** (cupId ulid id, title)\n\
    - **Match** (cupId ulid id ref Cup, matchNo int id, state (PENDING/LIVE/DONE), grade (A/B))\n\
    - **Session** (sessionId ulid id, cupId -> Cup, matchNo int)\n## Access Patterns\n";

#[test]
fn what_is_not_is_refused_and_an_article_is_no_value() {
    let errors = |line: &str| {
        let (model, findings) = read_access_patterns(&format!("{MATCHES}- {line}\n"));
        let errors: Vec<_> = findings.into_iter().filter(|it| it.level == Level::Error).collect();
        (model, errors)
    };
    for line in [
        "List the matches of a cup except those done",
        "List the matches of a cup that are not done",
        "List the matches of a cup without the live ones",
    ] {
        let (_, errors) = errors(line);
        assert!(
            errors.iter().any(|it| it.message.contains("a key finds items by what they are")),
            "{line}: {errors:#?}"
        );
    }
    let (model, errors) = errors("List the matches of a cup");
    assert!(errors.is_empty(), "{errors:#?}");
    let given: Vec<_> = model.patterns[0].inputs().iter().map(|it| it.name.as_str()).collect();
    assert_eq!(given, ["cupId"], "the article is no grade");
}

#[test]
fn what_a_write_depends_on_is_not_lost() {
    for line in [
        "Start a match unless it is done",
        "Start a match; only while it is pending",
        "Scan a match at the door; state must be PENDING",
    ] {
        let (model, _) = read_access_patterns(&format!("{MATCHES}- {line}\n"));
        assert_eq!(model.patterns[0].write().unwrap().conditions.len(), 1, "{line}");
    }
}

#[test]
fn all_of_a_kind_go_and_nobody_with_a_session() {
    use keywright_model::model::Action::Delete;
    let effects = |text: &str| {
        let (model, findings) = read_access_patterns(text);
        assert!(findings.iter().all(|it| it.level < Level::Error), "{findings:#?}");
        let write = model.patterns[0].write().unwrap().clone();
        assert!(write.effects.iter().all(|it| it.action == Delete), "{write:?}");
        write.effects.into_iter().map(|it| (it.entity, it.all)).collect::<Vec<_>>()
    };
    let line = |line: &str| effects(&format!("{MATCHES}- {line}\n"));
    assert_eq!(line("Delete all sessions of a cup"), [("Session".to_owned(), true)]);
    assert_eq!(line("Log out a cup"), [("Session".to_owned(), false)]);
    let table = "| Entity | Access Pattern | Parameters | Frequency |\n|---|---|---|---|\n";
    assert_eq!(
        effects(&format!("{MATCHES}{table}| Cup | Delete a cup with all its matches | cupId | 1/s |\n")),
        [("Cup".to_owned(), false), ("Match".to_owned(), true)]
    );
}

#[test]
fn what_is_unique_within_something_is_so_together_with_it() {
    let document = "## Entities\n### Doc\n- **Attributes**:\n  - `spaceId` (ulid, id, tenant)\n  - `docId` (ulid, id)\n\
        \x20 - `folderId` (string)\n  - `title` (string)\n## Access Patterns\n### Writes\n\
        | ID | Entity | Description | Input Parameters | Items Written | Transaction | Conditions |\n\
        |---|---|---|---|---|---|---|\n\
        | AP-1 | Doc | Create a doc | spaceId, folderId, title | 1 | Yes | title must be unique SCOPE |\n";
    let kind = |scope: &str| {
        let (model, _) = read_access_patterns(&document.replace("SCOPE", scope));
        model.patterns[0].write().unwrap().conditions[0].kind.clone()
    };
    use keywright_model::model::ConditionKind::{Unique, Words};
    let of = |kind| if let Unique { attributes, .. } = kind { attributes.join("+") } else { String::new() };
    assert_eq!(of(kind("")), "title");
    assert_eq!(of(kind("per folder")), "title+folderId");
    assert_eq!(of(kind("within its folder")), "title+folderId");
    assert_eq!(of(kind("per tenant")), "title+spaceId");
    assert_eq!(of(kind("among all docs")), "title");
    // What nothing names is not dropped.
    assert_eq!(kind("per shelf"), Words);
}

#[test]
fn one_of_two_references_is_said() {
    let document = "## Entities\n- **Player** (playerId ulid id, name)\n\
        - **Match** (matchId ulid id, homePlayerId -> Player, awayPlayerId -> Player, playedAt datetime)\n\
        - **Trophy** (trophyId ulid id, playerId -> Player)\n## Access Patterns\n";
    let doubted = |line: &str| {
        let (_, findings) = read_access_patterns(&format!("{document}- {line}\n"));
        findings.iter().any(|it| it.message.contains("those of awayPlayerId are not read"))
    };
    assert!(doubted("List the matches of a player, newest first"));
    assert!(!doubted("List the trophies of a player"));
}
