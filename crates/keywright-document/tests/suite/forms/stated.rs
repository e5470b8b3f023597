//! Numbers, facts and words that newcomers state: each is read as it is meant, or a finding says that it is not.

use keywright_document::read_access_patterns;
use keywright_model::Model;
use keywright_model::model::{Action, Direction, PatternKind};

/// The Model, and the messages of the findings that are no assumptions.
fn read(document: &str) -> (Model, Vec<String>) {
    let (model, findings) = read_access_patterns(document);
    let findings = findings.into_iter().filter(|it| it.rule.name() != "assumption");
    (model, findings.map(|it| it.message).collect())
}

fn has(findings: &[String], wanted: &str) -> bool {
    findings.iter().any(|it| it.contains(wanted))
}

/// An entity with these attributes, this cardinality and this lifecycle, and a read of it.
fn user(attributes: &str, more: &str) -> (Model, Vec<String>) {
    read(&format!(
        "## Entities\n### User\n- **Attributes**: userId (ulid, id), {attributes}\n{more}\n\
         ## Access Patterns\n- Get a user by userId\n"
    ))
}

fn assumptions(model: &Model) -> Vec<&str> {
    model.assumptions.iter().map(|it| it.statement.as_str()).collect()
}

/// The order of the only read: what by, and whether downwards.
fn order(model: &Model) -> Vec<(String, bool)> {
    let PatternKind::Read(read) = &model.patterns[0].kind else { panic!("no read") };
    read.sort.iter().map(|it| (it.attribute.to_string(), it.direction == Direction::Descending)).collect()
}

fn names(model: &Model) -> Vec<&str> {
    model.patterns[0].inputs().iter().map(|it| it.name.as_str()).collect()
}

#[test]
fn sizes_have_decimals() {
    let (model, findings) = user(
        "a (string, ~1.5 KB), b (string, ~2.9KB), c (string, ~0.5 KB), d (string, ~120 bytes), e (string, 1-2 KB)",
        "",
    );
    let sizes: Vec<u64> =
        model.entities[0].attributes.iter().filter_map(|it| it.bytes.as_ref()).map(|it| it.value).collect();
    assert_eq!(sizes, [1536, 2970, 512, 120, 1536]);
    assert_eq!(findings, [] as [String; 0]);
}

#[test]
fn the_unit_of_a_range_is_that_of_both_ends() {
    let shop = |amount: &str| {
        let (model, _) = read(&format!(
            "## Entities\n### Shop\n- **Attributes**: shopId (ulid, id)\n### Item\n\
             - **Attributes**: itemId (ulid, id), shopId (ref Shop)\n- **Cardinality**: {amount} items per shop\n\
             ## Access Patterns\n- List items of a shop\n"
        ));
        let fan_out = &model.relationships[0].fan_out;
        (fan_out.mean.as_ref().map(|it| it.value), fan_out.max.as_ref().map(|it| it.value))
    };
    assert_eq!(shop("10-20K"), (Some(15_000), Some(20_000)));
    assert_eq!(shop("1.5-2K"), (Some(1_750), Some(2_000)));
    assert_eq!(shop("500-2K"), (Some(1_250), Some(2_000)));
    assert_eq!(shop("1K-10K"), (Some(5_500), Some(10_000)));
}

#[test]
fn a_bound_behind_versions_is_one_of_them() {
    let (model, findings) = read(
        "## Entities\n### Author\n- **Attributes**: authorId (ulid, id)\n### Page\n- **Kind**: history\n\
         - **Attributes**: pageId (ulid, id), authorId (ref Author), body (string, mutable)\n\
         - **Cardinality**: ~30 pages per author, ~8 versions per page, at most 200\n\
         ## Access Patterns\n- List pages of an author\n",
    );
    let fan_out = |child: &str| {
        let link = model.relationships.iter().find(|it| it.child == child).unwrap();
        (link.fan_out.mean.as_ref().unwrap().value, link.fan_out.max.as_ref().map(|it| it.value))
    };
    assert_eq!(fan_out("Page"), (30, None));
    assert_eq!(fan_out("PageVersion"), (8, Some(200)));
    assert_eq!(findings, [] as [String; 0]);
}

#[test]
fn a_label_before_a_rate_is_that_rates() {
    for (cell, mean, peak) in [
        ("0.5 peak 4", "0.5", Some("4")),
        ("10 (peak 40)", "10", Some("40")),
        ("10/s, peak 40/s", "10", Some("40")),
        ("avg 10, peak 40", "10", Some("40")),
        ("10 / 40 peak", "10", Some("40")),
        ("10 avg, 40 peak", "10", Some("40")),
        ("10 avg 40 peak", "10", Some("40")),
    ] {
        let (model, _) = read(&format!(
            "## Data\n- **Show** (showId, title)\n## Requirements\n\
             | Pattern # | Description | RPS |\n|---|---|---|\n| 1 | Get a show by showId | {cell} |\n"
        ));
        let pattern = &model.patterns[0];
        assert_eq!(pattern.rate.as_ref().map(|it| it.value.to_string()).as_deref(), Some(mean), "{cell}");
        assert_eq!(pattern.peak.as_ref().map(|it| it.value.to_string()).as_deref(), peak, "{cell}");
    }
}

#[test]
fn what_contradicts_itself_is_a_finding() {
    for (attributes, more, wanted) in [
        (
            "email (string, mutable, immutable)",
            "",
            "`immutable` is not read: email says the opposite already",
        ),
        ("score (integer, max lots)", "", "`max lots` gives no number"),
        ("role (enum())", "", "`enum()` lists no values"),
        ("name", "- **Cardinality**: a few users", "`a few users` gives no number"),
        (
            "name",
            "- **Cardinality**: ~1M total, ~2M total",
            "`~2M total` is not read: 1000000 User are stated already",
        ),
        (
            "name",
            "- **Lifecycle**: Deleted after 30 days. Deleted after 1 year.",
            "`Deleted after 1 year` is not read: 30 days are stated already",
        ),
    ] {
        let (_, findings) = user(attributes, more);
        assert!(has(&findings, wanted), "{wanted}: {findings:#?}");
    }
    let (_, findings) = user(
        "email (string, mutable), score (integer, max 9), role (enum(A, B))",
        "- **Cardinality**: ~1M total\n- **Lifecycle**: Deleted after 30 days. Never changes.",
    );
    assert_eq!(findings, [] as [String; 0]);
}

const ROOMS: &str = "\
## Entities
### User
- **Attributes**: userId (ulid, id), email (string)
### Room
- **Attributes**: roomId (ulid, id), userId (ref User), beds (integer, max 4, mutable)
";

#[test]
fn a_mean_above_the_maximum_and_a_value_beyond_it_are_findings() {
    let (_, findings) = read(&format!(
        "{ROOMS}- **Cardinality**: ~100 rooms per user, max 50 rooms per user\n## Access Patterns\n### Writes\n\
         | ID | Entity | Description | Input Parameters | Items Written |\n|---|---|---|---|---|\n\
         | AP-1 | Room | Change the beds | roomId, beds = 7 | 1 (Room) |\n\
         | AP-2 | User | Create a user | email | 2 (User) |\n\
         | AP-3 | Room | Change the beds | roomId, beds = 4 | 1 (Room) |\n"
    ));
    assert_eq!(
        findings,
        [
            "the mean number of Room per User is 100, and the maximum only 50",
            "`beds = 7` is more than Room.beds may be, which is 4",
            "`2 (User)` is read as one item of User",
        ]
    );
}

#[test]
fn a_direction_that_is_none_and_odd_headers_are_findings() {
    let (model, findings) = read(&format!(
        "# DynamoDB Access Patterns\n> Status: FINAL\n> Generated on: yesterday\n{ROOMS}## Access Patterns\n### Reads\n\
         | ID | Entity | Description | Input Parameters | Result | Sort |\n|---|---|---|---|---|---|\n\
         | AP-1 | User | All users | - | Collection | email SIDEWAYS |\n\
         | AP-2 | User | All users | - | Collection | email descending |\n"
    ));
    assert_eq!(order(&model), [("User.email".to_owned(), false)]);
    assert_eq!(
        findings,
        [
            "`FINAL` is not a status; it is kept as it is written",
            "`yesterday` is not a date; it is kept as it is written",
            "`SIDEWAYS` is no direction; the order is read as ascending",
        ]
    );
}

const ENROLLMENT: &str = "\
## Entities
### Enrollment
- **Attributes**: studentId (ulid, id), courseId (ulid, id), enrolledAt (datetime, immutable), progress (integer, mutable)
## Access Patterns
### Writes
| ID | Entity | Description | Input Parameters | Items Written |
|---|---|---|---|---|
";

#[test]
fn to_record_what_changes_is_an_update() {
    let action = |row: &str| {
        let (model, _) = read(&format!("{ENROLLMENT}{row}"));
        let said = assumptions(&model).iter().any(|it| it.starts_with("read \"Record\" as"));
        (model.patterns[0].write().unwrap().effects[0].action.clone(), said)
    };
    let record = "| AP-1 | Enrollment | Record progress | studentId, courseId, progress |";
    assert_eq!(action(&format!("{record} 1 (Enrollment) |\n")), (Action::Update, true));
    assert_eq!(action(&format!("{record} new Enrollment |\n")), (Action::Create, false));
    let record = "| AP-1 | Enrollment | Record an enrollment | studentId, courseId, progress |";
    assert_eq!(action(&format!("{record} 1 (Enrollment) |\n")), (Action::Create, true));
}

const PETS: &str = "\
## Entities
### Owner
- **Attributes**: ownerId (ulid, id), fullName (string)
### Pet
- **Attributes**: petId (ulid, id), ownerId (ulid, ref Owner), name (string), species (enum(DOG, CAT))
## Access Patterns
";

#[test]
fn a_parent_that_a_create_names_is_not_all_that_it_is_given() {
    let (model, _) = read(&format!("{PETS}- Register a pet for an owner\n"));
    assert_eq!(names(&model), ["ownerId", "petId", "name", "species"]);
    assert!(
        assumptions(&model)
            .contains(&"read the inputs of \"Register a pet for an owner\" as also petId, name, species")
    );
    let (model, _) = read(&format!("{PETS}- Create a pet with name and species\n"));
    assert_eq!(names(&model), ["name", "species"]);
}

/// A loan whose due date has this name, and one pattern of a table with inputs.
fn loans(due: &str, sentence: &str, given: &str) -> (Model, Vec<String>) {
    read(&format!(
        "## Entities\n### Loan\n- **Attributes**: loanId (ulid, id), borrower (string), {due}, returned (boolean, mutable), status (enum(OPEN, CLOSED), mutable)\n\
         ## Access patterns\n| # | Use case | Input | Notes |\n|---|---|---|---|\n| 1 | {sentence} | {given} | |\n"
    ))
}

#[test]
fn by_due_date_is_an_order_whatever_it_is_called() {
    for (due, name) in [
        ("dueOn (date)", "dueOn"),
        ("dueAt (datetime)", "dueAt"),
        ("dueDate (date)", "dueDate"),
        ("due (date)", "due"),
    ] {
        let (model, findings) = loans(due, "List the loans of a borrower by due date", "borrower");
        assert_eq!(order(&model), [(format!("Loan.{name}"), false)], "{due}");
        assert_eq!(findings, [] as [String; 0], "{due}");
        let (model, _) = read(&format!(
            "## Entities\n### Loan\n- **Attributes**: loanId (ulid, id), borrower (string), {due}\n\
             ## Access patterns\n- List the loans of a borrower by due date\n"
        ));
        assert_eq!((order(&model), names(&model)), (vec![(format!("Loan.{name}"), false)], vec!["borrower"]));
    }
    let (model, _) = loans("dueDate (date)", "List loans by due date", "dueDate");
    assert_eq!(order(&model), []);
    assert!(!assumptions(&model).iter().any(|it| it.starts_with("read the order")));
}

#[test]
fn words_beside_inputs_that_mean_nothing_are_findings() {
    for (sentence, given, wanted) in [
        ("List broken loans of a borrower", "borrower", Some("\"broken\" selects nothing here")),
        (
            "List the loans of a borrower by acquisition date",
            "borrower",
            Some("\"by acquisition date\" is neither an input nor an order of an attribute"),
        ),
        (
            "List the loans of a borrower that are not returned",
            "borrower",
            Some("\"that are not returned\" selects nothing here"),
        ),
        ("List the loans of a borrower that are not returned", "borrower, returned = false", None),
        ("Search loans by keyword", "borrower", None),
        ("List loans by borrower", "borrower", None),
        ("Get a loan by id", "loanId", None),
    ] {
        let (_, findings) = loans("dueOn (date)", sentence, given);
        match wanted {
            Some(wanted) => assert!(has(&findings, wanted), "{sentence}: {findings:#?}"),
            None => assert_eq!(findings, [] as [String; 0], "{sentence}"),
        }
    }
}

#[test]
fn only_if_in_the_notes_is_a_condition() {
    let (model, findings) = read(
        "## Entities\n- **Artifact** (artifactId, status enum(OPEN, CLOSED))\n## Access patterns\n\
         | Entity | Access Pattern | Parameters | Notes |\n|---|---|---|---|\n\
         | Artifact | Reopen an artifact | artifactId, newStatus | only if it is CLOSED |\n",
    );
    let conditions = &model.patterns[0].write().unwrap().conditions;
    assert_eq!(conditions.len(), 1, "{findings:#?}");
}

#[test]
fn items_of_a_list_tell_consistency_and_class() {
    let said = |sentence: &str| {
        let (model, _) =
            read(&format!("## Entities\n- **Case** (caseId, title)\n## Access patterns\n- {sentence}\n"));
        let pattern = &model.patterns[0];
        let PatternKind::Read(read) = &pattern.kind else { panic!("no read") };
        let consistency = read.consistency.as_ref().map(|it| format!("{:?}", it.value));
        (consistency, pattern.frequency.as_ref().map(|it| format!("{:?}", it.value)))
    };
    let strong = Some("Strong".to_owned());
    assert_eq!(said("Get a case (200/s, strong)"), (strong.clone(), None));
    assert_eq!(said("Get a case by id, strongly consistent"), (strong, None));
    assert_eq!(said("Get a case by id - hot"), (None, Some("Hot".to_owned())));
    assert_eq!(said("Get a case by id (hot)"), (None, Some("Hot".to_owned())));
}

#[test]
fn patterns_among_the_entities_are_a_finding() {
    let (_, findings) = read(
        "**Entities**\n- **Company** (companyId, name)\n\n**What the app does**\n1. Get a company by companyId\n\
         2. Create a company\n",
    );
    assert_eq!(findings, ["this list is not read: it declares no entity"]);
}

#[test]
fn two_lines_between_two_entities_tell_two_keys_apart() {
    let game = |line: &str, keys: &str| {
        read(&format!(
            "## Entities\n```mermaid\nerDiagram\n{line}\n    PLAYER {{\n        uuid playerId PK\n    }}\n    GAME {{\n\
             \x20       uuid gameId PK\n{keys}        timestamp playedAt\n    }}\n```\n## Access Patterns\n- Get a player\n"
        ))
    };
    let keys = "        uuid whiteId FK\n        uuid blackId FK\n";
    for (white, black) in [("\"plays white\"", "\"plays black\""), ("one", "other")] {
        let (model, findings) =
            game(&format!("    PLAYER ||--o{{ GAME : {white}\n    PLAYER ||--o{{ GAME : {black}"), keys);
        let game = model.entities.iter().find(|it| it.name == "GAME").unwrap();
        let attributes: Vec<String> = game
            .attributes
            .iter()
            .map(|it| {
                it.reference.as_ref().map_or(it.name.clone(), |to| format!("{} → {}", it.name, to.value))
            })
            .collect();
        let expected = ["gameId", "whiteId → PLAYER.playerId", "blackId → PLAYER.playerId", "playedAt"];
        assert_eq!(attributes, expected);
        assert_eq!(findings, [] as [String; 0]);
    }
    let (_, findings) = game("    PLAYER |o--o{ GAME : plays", "        uuid playerId FK\n");
    assert!(has(&findings, "may have no PLAYER"), "{findings:#?}");
    let (_, findings) = game("    PLAYER ||--o{ GAME : plays", keys);
    assert!(has(&findings, "`whiteId` is a foreign key, but nothing says of what"), "{findings:#?}");
}

#[test]
fn the_names_of_a_whole_identity_are_the_reference() {
    let (model, findings) = read(
        "## Entities\n### Ticket\n- **Attributes**: owner (string, id), slug (string, id), number (integer, id)\n\
         ### Comment\n- **Attributes**: commentId (ulid, id), owner (string), slug (string), number (integer)\n\
         - **Relationships**: Belongs to a Ticket.\n## Access Patterns\n- Get a ticket\n",
    );
    let comment: Vec<&str> = model.entities[1].attributes.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(comment, ["commentId", "owner", "slug", "number"]);
    assert_eq!(model.relationships[0].via, ["owner", "slug", "number"]);
    assert_eq!(findings, [] as [String; 0]);
}

#[test]
fn what_comes_first_follows_what_it_is_by() {
    for (sentence, down) in [
        ("List recipes of a cuisine by likes, highest first", true),
        ("List recipes of a cuisine by likes, most liked first", true),
        ("List recipes of a cuisine by likes, lowest first", false),
    ] {
        let (model, findings) = read(&format!(
            "## Entities\n- **Cook** (cookId)\n- **Recipe** (recipeId, cuisine, likes integer)\n\
             - **Like** (cookId -> Cook, recipeId -> Recipe)\n## Access patterns\n- {sentence}\n"
        ));
        assert_eq!(order(&model), [("Recipe.likes".to_owned(), down)]);
        assert_eq!(findings, [] as [String; 0], "{sentence}");
    }
}

#[test]
fn what_is_counted_per_no_entity_says_so() {
    let (_, findings) = read(
        "## Entities\n### Star\n- **Attributes**: project (string, id), username (string, id)\n\
         - **Cardinality**: ~30 stars per project, ~3M total\n## Access Patterns\n- Get a star\n",
    );
    assert_eq!(findings, ["`~30 stars per project` is not read: \"project\" is no entity"]);
}
