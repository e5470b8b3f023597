//! The many ways in which people write the same thing.

use keywright_document::read_access_patterns;
use keywright_model::Model;
use keywright_model::model::{
    Action, Cardinality, ConditionKind, Direction, PatternKind, ResultKind, Role, Step, Type,
};

fn read(source: &str) -> Model {
    read_access_patterns(source).0
}

const MUSIC: &str = "\
# DynamoDB Access Patterns
## Entities
### User
- **Attributes**:
  - `userId` (ulid, id)
  - `email` (string, unique)
  - `songCount` (integer)
### Song
- **Attributes**:
  - `songId` (ulid, id)
  - `userId` (ulid, ref User)
  - `title` (string)
  - `status` (enum(DRAFT, LIVE))
  - `stock` (integer)
  - `createdAt` (datetime)
- **Relationships**: Belongs to a User.
### GlobalRating
- **Attributes**:
  - `songId` (ulid, id, ref Song)
  - `averageRating` (decimal)
  - `ratings` (integer)
### PlayCount
- **Attributes**:
  - `songId` (ulid, id, ref Song)
  - `plays` (integer)
";

/// The Model of the music entities and one row of a table.
fn with_row(header: &str, row: &str) -> Model {
    let columns = header.matches('|').count() - 1;
    read(&format!("{MUSIC}## Access Patterns\n{header}\n|{}\n{row}\n", "---|".repeat(columns)))
}

fn read_row(inputs: &str, sort: &str) -> Model {
    with_row(
        "| ID | Entity | Description | Input Parameters | Result | Sort |",
        &format!("| AP-001 | Song | List songs | {inputs} | Collection | {sort} |"),
    )
}

fn write_row(entity: &str, description: &str, inputs: &str, items: &str, conditions: &str) -> Model {
    with_row(
        "| ID | Entity | Description | Input Parameters | Items Written | Transaction | Conditions |",
        &format!("| AP-001 | {entity} | {description} | {inputs} | {items} | Yes | {conditions} |"),
    )
}

/// The inputs as `name role target`.
fn inputs(model: &Model) -> Vec<String> {
    model.patterns[0]
        .inputs()
        .iter()
        .map(|input| {
            let binds: Vec<_> = input.binds.iter().map(ToString::to_string).collect();
            let constant = input.constant.as_ref().map(|it| format!(" = {it}")).unwrap_or_default();
            let marks = [(input.optional, "?"), (input.list, "[]")];
            let marks: String = marks.iter().filter(|(set, _)| *set).map(|(_, mark)| *mark).collect();
            format!("{}{marks} {} {}{constant}", input.name, role(input.role), binds.join("+"))
        })
        .collect()
}

fn role(role: Role) -> &'static str {
    match role {
        Role::Equal => "is",
        Role::Lower(_) => "from",
        Role::Upper(_) => "to",
        Role::Prefix => "begins",
        Role::NewValue => "new",
        Role::Increment => "grows",
        Role::Limit => "limit",
        Role::Cursor => "cursor",
        Role::Unknown => "unknown",
    }
}

/// The effects as `action entity`.
fn effects(model: &Model) -> Vec<String> {
    let write = model.patterns[0].write().expect("a write");
    write
        .effects
        .iter()
        .map(|effect| {
            let action = match &effect.action {
                Action::Create => "create".to_owned(),
                Action::Put => "put".to_owned(),
                Action::Update => "update".to_owned(),
                Action::Delete => "delete".to_owned(),
                Action::Add { attribute, by } => match by {
                    Step::Fixed(by) => format!("{attribute} {by:+}"),
                    Step::Input(name) => format!("{attribute} +{name}"),
                    Step::MinusInput(name) => format!("{attribute} -{name}"),
                },
            };
            let all = if effect.all { "all " } else { "" };
            let set = if effect.attributes.is_empty() {
                String::new()
            } else {
                format!(" ({})", effect.attributes.join(", "))
            };
            format!("{action} {all}{}{set}", effect.entity)
        })
        .collect()
}

#[test]
fn inputs_say_what_they_are_for() {
    for (cell, expected) in [
        ("userId", vec!["userId is Song.userId"]),
        ("`userId`, <title>", vec!["userId is Song.userId", "title is Song.title"]),
        (r"\<userId\>, {title}", vec!["userId is Song.userId", "title is Song.title"]),
        ("USER_ID", vec!["USER_ID is Song.userId"]),
        ("titlePrefix", vec!["titlePrefix begins Song.title"]),
        ("title begins_with start", vec!["start begins Song.title"]),
        ("begins_with(title, start)", vec!["start begins Song.title"]),
        ("title (prefix)", vec!["title begins Song.title"]),
        ("startDate, endDate", vec!["startDate from Song.createdAt", "endDate to Song.createdAt"]),
        (
            "fromCreatedAt / toCreatedAt",
            vec!["fromCreatedAt from Song.createdAt", "toCreatedAt to Song.createdAt"],
        ),
        (
            "createdAfter, createdBefore",
            vec!["createdAfter from Song.createdAt", "createdBefore to Song.createdAt"],
        ),
        ("minStock, maxStock", vec!["minStock from Song.stock", "maxStock to Song.stock"]),
        ("createdAt between a and b", vec!["a from Song.createdAt", "b to Song.createdAt"]),
        ("createdAt range", vec!["createdAtFrom from Song.createdAt", "createdAtTo to Song.createdAt"]),
        ("createdAt >= since", vec!["since from Song.createdAt"]),
        ("status = LIVE", vec!["status is Song.status = LIVE"]),
        ("status = :status", vec!["status is Song.status"]),
        ("limit, cursor?", vec!["limit limit ", "cursor? cursor "]),
        ("[title], optional status", vec!["title? is Song.title", "status? is Song.status"]),
        ("songIds", vec!["songIds[] is Song.songId"]),
        ("songId[]", vec!["songId[] is Song.songId"]),
        ("songId: string", vec!["songId is Song.songId"]),
        ("colour", vec!["colour unknown "]),
        ("email", vec!["email is User.email"]),
        ("-", vec![]),
        ("none", vec![]),
    ] {
        assert_eq!(inputs(&read_row(cell, "-")), expected, "{cell}");
    }
    assert_eq!(read_row("", "-").patterns[0].inputs, None);
}

#[test]
fn orders_in_words_and_in_columns() {
    for (cell, expected) in [
        ("createdAt DESC", vec![("createdAt", Direction::Descending)]),
        (
            "`createdAt` asc, title",
            vec![("createdAt", Direction::Ascending), ("title", Direction::Ascending)],
        ),
        ("songs by createdAt descending", vec![("createdAt", Direction::Descending)]),
        ("newest first", vec![("createdAt", Direction::Descending)]),
        ("oldest", vec![("createdAt", Direction::Ascending)]),
        ("title ↓", vec![("title", Direction::Descending)]),
        ("rank DESC", vec![("rank", Direction::Descending)]),
        ("—", vec![]),
    ] {
        let model = read_row("userId", cell);
        let read = model.patterns[0].read().expect("a read");
        let sort: Vec<_> =
            read.sort.iter().map(|it| (it.attribute.attribute.as_str(), it.direction)).collect();
        assert_eq!(sort, expected, "{cell}");
    }
}

#[test]
fn effects_say_what_happens_to_what() {
    for (description, cell, expected) in [
        ("Create a song", "1 (Song)", vec!["create Song"]),
        ("Create a song", "1", vec!["create Song"]),
        ("Create a song", "", vec!["create Song"]),
        (
            "Create a song",
            "Song + User + GlobalRating update",
            vec!["create Song", "create User", "update GlobalRating"],
        ),
        ("Create a song", "Song, User (songCount +1)", vec!["create Song", "songCount +1 User"]),
        ("Create a song", "Song + songCount +1", vec!["create Song", "songCount +1 User"]),
        ("Create a song", "Song + PlayCount +1", vec!["create Song", "plays +1 PlayCount"]),
        ("Sell a song", "Song (stock -title)", vec!["stock -title Song"]),
        ("Rename a song", "Song", vec!["update Song"]),
        ("Mark a song as live", "Song (SET status)", vec!["update Song (status)"]),
        ("Upsert a song", "Song", vec!["put Song"]),
        ("Create or update a song", "Song", vec!["put Song"]),
        (
            "Rate a song",
            "new Song + GlobalRating (SET averageRating, ratings +1)",
            vec!["create Song", "update GlobalRating (averageRating)", "ratings +1 GlobalRating"],
        ),
        ("Import songs", "N Songs", vec!["create all Song"]),
    ] {
        assert_eq!(effects(&write_row("Song", description, "songId, title", cell, "-")), expected, "{cell}");
    }
    let deleted = with_row(
        "| ID | Entity | Description | Input Parameters | Items Deleted | Transaction |",
        "| AP-001 | User | Delete a user | userId | User + all Songs | Yes (batch) |",
    );
    assert_eq!(effects(&deleted), ["delete User", "delete all Song"]);
    assert_eq!(inputs(&deleted), ["userId is User.userId+Song.userId"]);
}

#[test]
fn inputs_of_an_update_identify_or_change() {
    let model =
        write_row("Song", "Update a song", "songId, userId, title, newStatus", "Song", "Song must exist");
    assert_eq!(
        inputs(&model),
        [
            "songId is Song.songId",
            "userId is Song.userId",
            "title new Song.title",
            "newStatus new Song.status"
        ]
    );
    let model =
        write_row("Song", "Mark a song as live", "songId, status = LIVE", "Song", "status must be DRAFT");
    assert_eq!(inputs(&model), ["songId is Song.songId", "status new Song.status = LIVE"]);
}

#[test]
fn conditions_are_understood_or_kept() {
    for (cell, expected) in [
        ("Song must exist", vec!["exists Song"]),
        ("the song must not exist", vec!["absent Song"]),
        ("must not already exist", vec!["absent Song"]),
        ("attribute_not_exists(pk)", vec!["absent Song"]),
        ("User must exist and status must be DRAFT", vec!["exists User", "Song.status compares"]),
        ("title and status must be unique", vec!["unique Song title+status"]),
        ("title, status must be unique", vec!["unique Song title+status"]),
        ("email must be unique; Song must exist", vec!["unique User email", "exists Song"]),
        ("status must be DRAFT or LIVE", vec!["Song.status one of 2"]),
        ("status must be one of DRAFT, LIVE", vec!["Song.status one of 2"]),
        ("stock >= amount", vec!["Song.stock compares"]),
        ("max 100 songs per user", vec!["at most 100 Song per User"]),
        ("Nobody must exist", vec!["words"]),
        ("the moon is full", vec!["words"]),
        ("-", vec![]),
    ] {
        let model = write_row("Song, User", "Change a song", "songId, amount", "Song + User update", cell);
        let conditions: Vec<String> = model.patterns[0]
            .write()
            .expect("a write")
            .conditions
            .iter()
            .map(|condition| match &condition.kind {
                ConditionKind::Exists { entity } => format!("exists {entity}"),
                ConditionKind::NotExists { entity } => format!("absent {entity}"),
                ConditionKind::Unique { entity, attributes } => {
                    format!("unique {entity} {}", attributes.join("+"))
                }
                ConditionKind::Compare { attribute, .. } => format!("{attribute} compares"),
                ConditionKind::OneOf { attribute, values } => format!("{attribute} one of {}", values.len()),
                ConditionKind::AtMost { entity, per, limit } => {
                    format!("at most {limit} {entity} per {}", per.as_deref().unwrap_or("-"))
                }
                ConditionKind::Words => "words".to_owned(),
            })
            .collect();
        assert_eq!(conditions, expected, "{cell}");
    }
}

#[test]
fn frequencies_are_classes_or_rates() {
    for (cell, class, rate, peak) in [
        ("Hot", true, None, None),
        ("250/s", false, Some("250"), None),
        ("40/min", false, Some("0.666666666"), None),
        ("3k/day", false, Some("0.034722222"), None),
        ("1.5k rps", false, Some("1500"), None),
        ("Hot (300/s, peak 900/s)", true, Some("300"), Some("900")),
        ("900 rps peak, 300 rps avg", false, Some("300"), Some("900")),
        ("avg 5/s, peak 20/s", false, Some("5"), Some("20")),
        ("5/s; 20/s", false, Some("5"), Some("20")),
        ("12 requests per hour", false, Some("0.003333333"), None),
        ("sometimes", false, None, None),
    ] {
        let model = with_row(
            "| ID | Entity | Description | Input Parameters | Result | Frequency |",
            &format!("| AP-001 | Song | Get a song | songId | Single | {cell} |"),
        );
        let pattern = &model.patterns[0];
        let shown = |rate: &Option<keywright_model::At<keywright_model::Rate>>| {
            rate.as_ref().map(|it| it.value.to_string())
        };
        assert_eq!(pattern.frequency.is_some(), class, "{cell}");
        assert_eq!(shown(&pattern.rate).as_deref(), rate, "{cell}");
        assert_eq!(shown(&pattern.peak).as_deref(), peak, "{cell}");
    }
}

#[test]
fn a_column_rate_wins_over_frequency() {
    let model = with_row(
        "| ID | Entity | Description | Input Parameters | Result | Frequency | Rate | Peak |",
        "| AP-001 | Song | Get a song | songId | Single | 5/s | 250 | 1k |",
    );
    assert_eq!(model.patterns[0].mean_rate().to_string(), "250");
    assert_eq!(model.patterns[0].peak_rate().to_string(), "1000");
}

#[test]
fn tables_without_ids_and_results_are_read() {
    let model = with_row(
        "| Entity | Access Pattern | Index | Parameters | Notes |",
        "| User | Get User by email | Main | email | at sign-in |\n\
         | Song | Get Songs for User | Main | userId | |\n\
         | Song | Create Song | Main | songId, userId, title | |\n\
         | Song | Delete Song | Main | songId | |",
    );
    let shown: Vec<_> = model
        .patterns
        .iter()
        .map(|pattern| {
            let result = pattern.read().and_then(|read| read.result.as_ref()).map(|result| result.value);
            (pattern.id.as_str(), result, matches!(pattern.kind, PatternKind::Delete(_)))
        })
        .collect();
    assert_eq!(
        shown,
        [
            ("AP-001", Some(ResultKind::Single), false),
            ("AP-002", Some(ResultKind::Collection), false),
            ("AP-003", None, false),
            ("AP-004", None, true),
        ]
    );
}

#[test]
fn numeric_requirement_tables_are_read() {
    let model = with_row(
        "| Pattern # | Description | RPS |",
        "| 1 | Get user by email | 250 |\n| 2 | List songs of a user | 40 (peak 90) |\n| 7 | Count songs by status | 1 |",
    );
    let shown: Vec<_> = model
        .patterns
        .iter()
        .map(|pattern| {
            let names: Vec<_> = pattern.inputs().iter().map(|input| input.binds[0].to_string()).collect();
            format!(
                "{} {} {} {}",
                pattern.id,
                pattern.entities[0].value,
                names.join("+"),
                pattern.mean_rate()
            )
        })
        .collect();
    assert_eq!(
        shown,
        ["AP-001 User User.email 250", "AP-002 Song Song.userId 40", "AP-007 Song Song.status 1"]
    );
    assert_eq!(model.patterns[1].peak_rate().to_string(), "90");
    assert!(!model.assumptions.is_empty());
}

#[test]
fn the_words_of_a_requirement_tell_its_result_and_inputs() {
    let told = |words: &str| {
        let model = with_row(
            "| Pattern # | Description | RPS | Attributes Needed |",
            &format!("| 1 | {words} | 250 | songId, title |"),
        );
        let pattern = &model.patterns[0];
        let read = pattern.read().unwrap_or_else(|| panic!("{words} is a read"));
        let result = read.result.as_ref().map(|it| format!("{:?}", it.value)).unwrap_or_default();
        let names: Vec<_> = pattern.inputs().iter().map(|input| input.binds[0].to_string()).collect();
        let returned = read.returns.as_ref().map_or(0, |it| it.value.len());
        assert!(read.returns.as_ref().is_none_or(|it| it.assumed) && returned <= 2, "{words}");
        format!("{result} {} by {}", pattern.entities[0].value, names.join("+"))
    };
    for (words, expected) in [
        ("List songs of a user", "Collection Song by Song.userId"),
        ("Get all songs of a user", "Collection Song by Song.userId"),
        ("Get a user's songs", "Collection Song by Song.userId"),
        ("Get user songs", "Collection Song by Song.userId"),
        ("Search songs by title", "Collection Song by Song.title"),
        ("Search song by title", "Collection Song by Song.title"),
        ("Get song by id", "Single Song by Song.songId"),
        ("Get a song", "Single Song by Song.songId"),
        ("Fetch the song by title", "Single Song by Song.title"),
        ("Get user by email", "Single User by User.email"),
        ("Count songs by status", "Count Song by Song.status"),
        ("Get the number of songs of a user", "Count Song by Song.userId"),
        ("List all songs", "Collection Song by "),
        ("View song history by status", "Collection Song by Song.status"),
    ] {
        assert_eq!(told(words), expected, "{words}");
    }
}

#[test]
fn attributes_that_a_write_needs_are_its_inputs() {
    let model = with_row(
        "| Pattern # | Description | RPS | Attributes Needed |",
        "| 1 | Create song | 25 | userId, title, status |",
    );
    let names: Vec<_> = model.patterns[0].inputs().iter().map(|it| it.binds[0].to_string()).collect();
    assert_eq!(names, ["Song.userId", "Song.title", "Song.status"]);
}

#[test]
fn entities_of_a_document_that_declares_none_are_inferred() {
    let model = read(
        "| Entity | Access Pattern | Index | Parameters | Notes |\n|---|---|---|---|---|\n\
         | Session | Get Session by token | Main | token | |\n| Session | Get Sessions for User | Main | username | |\n",
    );
    assert_eq!(model.entities.len(), 1);
    assert_eq!(model.entities[0].identity_names().collect::<Vec<_>>(), ["token"]);
    assert!(model.entities[0].attribute("username").is_some());
}

#[test]
fn entities_come_as_lists_tables_and_diagrams() {
    let list = read("## Entities\n### Song\n- `songId` (ulid, id)\n- title (string)\n");
    let table = read(
        "## Entities\n### Song\n| Attribute | Type | Key |\n|---|---|---|\n| songId | ulid | PK |\n| title | string | |\n",
    );
    let row = read(
        "## Entities\n| Entity | Attributes |\n|---|---|\n| Song | `songId` (ulid, id), `title` (string) |\n",
    );
    let inline = read("## Entities\n### Song\n- **Attributes**: `songId` (ulid, id), `title` (string)\n");
    let heading = read("## Entities\n### Song\n#### Attributes\n- songId: ulid (id)\n- title: string\n");
    let mermaid = read("```mermaid\nerDiagram\n Song {\n ulid songId PK\n string title\n }\n```\n");
    let plantuml = read("```puml\nentity Song {\n * songId : ulid\n --\n title : string\n}\n```\n");
    for (index, model) in [list, table, row, inline, heading, mermaid, plantuml].iter().enumerate() {
        let song = model.entity("Song").unwrap_or_else(|| panic!("form {index} declares no song"));
        let shown: Vec<_> = song.attributes.iter().map(|it| (it.name.as_str(), it.ty.value)).collect();
        assert_eq!(shown, [("songId", Type::Ulid), ("title", Type::String)], "form {index}");
        assert_eq!(song.identity_names().collect::<Vec<_>>(), ["songId"], "form {index}");
    }
}

#[test]
fn diagrams_draw_cardinalities() {
    for (line, parent, cardinality) in [
        ("A ||--o{ B : has", "A", Cardinality::OneToMany),
        ("A }o--|| B", "B", Cardinality::OneToMany),
        ("A ||--|| B", "A", Cardinality::OneToOne),
        ("A }|..|{ B : \"a: b\"", "A", Cardinality::ManyToMany),
    ] {
        for (language, head) in [("mermaid", "erDiagram\n"), ("plantuml", "")] {
            let model = read(&format!("```{language}\n{head}{line}\n```\n"));
            let [relationship] = model.relationships.as_slice() else {
                panic!("{language} {line}: {model:?}")
            };
            assert_eq!(
                (relationship.parent.as_str(), relationship.cardinality.value),
                (parent, cardinality),
                "{line}"
            );
        }
    }
    let model = read("```mermaid\nerDiagram\nA only one to zero or more B : has\n```\n");
    assert_eq!(model.relationships[0].cardinality.value, Cardinality::OneToMany);
    let model = read("```plantuml\nA \"1\" -- \"0..*\" B : has\n```\n");
    assert_eq!(model.relationships[0].cardinality.value, Cardinality::OneToMany);
}

#[test]
fn volumes_are_read_from_prose() {
    for (cardinality, count, mean, max) in [
        ("~100 songs per user, ~1M total", Some(1_000_000), Some(100), None),
        ("1K-10K songs per user", None, Some(5_500), Some(10_000)),
        ("max 50 per user; 2.5 million in total", Some(2_500_000), None, Some(50)),
        ("12,500 songs", Some(12_500), None, None),
    ] {
        let model = read(&MUSIC.replace(
            "- **Relationships**: Belongs to a User.\n",
            &format!("- **Relationships**: Belongs to a User.\n- **Cardinality**: {cardinality}\n"),
        ));
        let song = model.entity("Song").expect("it is declared");
        assert_eq!(song.count.as_ref().map(|it| it.value), count, "{cardinality}");
        let fan_out = &model.parents_of("Song").next().expect("it belongs to a user").fan_out;
        assert_eq!(fan_out.mean.as_ref().map(|it| it.value), mean, "{cardinality}");
        assert_eq!(fan_out.max.as_ref().map(|it| it.value), max, "{cardinality}");
    }
    let model = read(&MUSIC.replace("### PlayCount\n", "### PlayCount\n- **Cardinality**: 1:1 with Song\n"));
    let play_count = model.parents_of("PlayCount").next().expect("it belongs to a song");
    assert_eq!(play_count.cardinality.value, Cardinality::OneToOne);
}

#[test]
fn relationships_are_read_from_prose() {
    let of = |prose: &str| {
        let model = read(&format!(
            "## Entities\n### Customer\n- **Attributes**: `customerId` (ulid, id)\n### Order\n\
             - **Attributes**: `orderId` (ulid, id), `customerId` (ulid)\n- **Relationships**: {prose}\n"
        ));
        let [relationship] = model.relationships.as_slice() else {
            panic!("{prose}: {:?}", model.relationships)
        };
        (relationship.parent.clone(), relationship.cardinality.value)
    };
    let customer = |cardinality| ("Customer".to_owned(), cardinality);
    assert_eq!(of("Belongs to a Customer."), customer(Cardinality::OneToMany));
    assert_eq!(of("Placed by a customer"), customer(Cardinality::OneToMany));
    assert_eq!(of("N:1 with Customer"), customer(Cardinality::OneToMany));
    assert_eq!(of("Many-to-many with Customers").1, Cardinality::ManyToMany);
    assert_eq!(of("Has many Customers."), ("Order".to_owned(), Cardinality::OneToMany));
    assert_eq!(of("Has exactly one Customer."), ("Order".to_owned(), Cardinality::OneToOne));
    // Nothing is said, but the attribute has the name of the customer's identifier.
    assert_eq!(of("-"), customer(Cardinality::OneToMany));
}

#[test]
fn a_child_without_a_reference_gets_one() {
    let model = read(
        "## Entities\n### User\n- **Attributes**: `id` (ulid, id)\n### Song\n- **Attributes**: `songId` (ulid, id)\n\
         - **Relationships**: Belongs to a User.\n",
    );
    let reference = model.entities[1].attribute("userId").expect("it was given to the song");
    assert_eq!(reference.ty.value, Type::Ulid);
    assert_eq!(model.relationships[0].via, ["userId"]);
    assert!(model.assumptions.iter().any(|it| it.statement.contains("gave Song the attribute userId")));
}

#[test]
fn identifiers_are_inferred() {
    let identity = |attributes: &str| {
        let model = read(&format!(
            "## Entities\n### User\n- **Attributes**: `userId` (ulid, id)\n### Song\n- **Attributes**: `songId` (ulid, id)\n\
             ### OrderItem\n- **Attributes**: {attributes}\n"
        ));
        model.entities[2].identity_names().collect::<Vec<_>>().join("+")
    };
    assert_eq!(identity("`orderItemId` (ulid), `userId` (ulid)"), "orderItemId");
    assert_eq!(identity("`itemId` (ulid), `userId` (ulid)"), "itemId");
    assert_eq!(identity("`id` (ulid)"), "id");
    assert_eq!(identity("`code` (string) - the unique identifier"), "code");
    assert_eq!(identity("`userId` (ulid), `songId` (ulid), `stars` (integer)"), "userId+songId");
    assert_eq!(identity("`userId` (ulid), `measuredAt` (datetime)"), "userId+measuredAt");
    assert_eq!(identity("`slug` (string, unique)"), "slug");
    assert_eq!(identity("`orderId` (string), `itemId` (string)"), "orderId+itemId");
    assert_eq!(identity("`colour` (string)"), "");
}

#[test]
fn facts_of_attributes() {
    let model = read(
        "## Entities\n### Issue\n- **Attributes**:\n\
         \x20 - `number` (integer, id, sequential, shared with PullRequest, max 999999)\n\
         \x20 - `state` (enum(open, closed), mutable)\n\
         \x20 - `body` (text, optional, ~2 KB)\n\
         \x20 - `label` (string, ~300 values, ~10 bytes)\n\
         \x20 - `openSince` (datetime, optional, ~500 at a time)\n\
         \x20 - `tenantCode` (string, tenant)\n\
         \x20 - `expiresAt` (number, ttl)\n\
         \x20 - `place` (map)\n\
         \x20   - `city` (string)\n\
         \x20   - `point` (map)\n\
         \x20     - `x` (decimal)\n",
    );
    let issue = &model.entities[0];
    let names: Vec<_> = issue.attributes.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names[7..], ["place", "place.city", "place.point", "place.point.x"]);
    let of = |name: &str| issue.attribute(name).expect("it is declared");
    assert_eq!(of("number").max.as_ref().map(|it| it.value), Some(999_999));
    assert_eq!(of("number").shared_with[0].value, "PullRequest");
    assert_eq!(of("state").values.iter().map(|it| it.value.as_str()).collect::<Vec<_>>(), ["open", "closed"]);
    assert_eq!(of("body").bytes.as_ref().map(|it| it.value), Some(2048));
    assert_eq!(of("label").distinct.as_ref().map(|it| it.value), Some(300));
    assert!(of("openSince").present.is_some());
    assert!(of("tenantCode").tenant.is_some() && of("expiresAt").ttl.is_some());
}

#[test]
fn descriptions_tell_values_and_references() {
    let model = read(
        "## Entities\n### User\n- **Attributes**:\n  - `id` (string) - UUID, unique identifier\n  - `role` (string) - ADMIN | USER\n\
         ### Song\n- **Attributes**:\n  - `songId` (ulid, id)\n  - `owner` (string) - FK to User\n",
    );
    let user = &model.entities[0];
    assert_eq!(user.attributes[0].ty.value, Type::Uuid);
    assert_eq!(
        user.attributes[1].values.iter().map(|it| it.value.as_str()).collect::<Vec<_>>(),
        ["ADMIN", "USER"]
    );
    let owner = model.entities[1].attributes[1].reference.as_ref().expect("it is described");
    assert_eq!(owner.value.to_string(), "User.id");
    assert_eq!(model.relationships[0].via, ["owner"]);
}

#[test]
fn a_document_without_anything_to_read_says_so() {
    let (_, findings) = read_access_patterns("# Read me\n\nThis is about something else.\n");
    assert_eq!(findings.len(), 1);
    assert!(findings[0].message.starts_with("nothing in this document is read"), "{}", findings[0].message);
    assert_eq!(read_access_patterns(" \n").1, []);
}

#[test]
fn places_are_those_of_the_words() {
    let source = "\u{feff}## Entities\r\n### Söng\r\n- **Attributes**:\r\n  - `söngId` (ulid, id)\r\n";
    let model = read(source);
    let song = &model.entities[0];
    assert_eq!(song.span.of(source), "Söng");
    assert_eq!(song.attributes[0].span.of(source), "söngId");
    assert_eq!(song.attributes[0].ty.span.of(source), "ulid");
}

#[test]
fn comments_and_front_matter_are_no_words() {
    let model = read(
        "---\napplication: Shop\n---\n<!-- a remark -->\n## Entities\n### Song <!-- b -->\n<!-- c -->\n- **Attributes**:\n\
         \x20 <!-- d -->\n  - `songId` (ulid, id) <!-- e -->\n",
    );
    assert_eq!(model.application.as_ref().map(|it| it.value.as_str()), Some("Shop"));
    assert_eq!(model.entities[0].name, "Song");
    assert_eq!(model.entities[0].attributes.len(), 1);
    assert_eq!(model.entities[0].attributes[0].description, None);
}

/// What the reader says of ignored parts of a document.
fn ignored(source: &str) -> Vec<String> {
    let (_, findings) = keywright_document::read_access_patterns(source);
    findings
        .into_iter()
        .filter(|it| it.rule == &keywright_document::IGNORED_SECTION)
        .map(|it| it.message)
        .collect()
}

#[test]
fn patterns_that_are_not_read_are_not_passed_over() {
    assert_eq!(
        ignored(&format!("{MUSIC}## Access Patterns\n- Get a song\n- List songs\n")),
        ["the access patterns in this list are not read"]
    );
    assert_eq!(
        ignored(&format!(
            "{MUSIC}## Access Patterns\n### Reads\n| Id | Entity | Inputs |\n|---|---|---|\n| AP-001 | Song | songId |\n"
        )),
        ["no access patterns are read from this table, for it has no column `Description`"]
    );
}

#[test]
fn an_entity_that_only_belongs_to_two_others_is_identified_by_both() {
    let model = read(
        "## Entities\n### Student\n- **Attributes**: `studentId` (ulid, id)\n### Course\n- **Attributes**: `courseId` (ulid, id)\n\
         ### Enrollment\n- **Attributes**: `grade` (integer)\n- **Relationships**: Belongs to a Student. Belongs to a Course.\n",
    );
    assert_eq!(model.entities[2].identity_names().collect::<Vec<_>>(), ["studentId", "courseId"]);
}

#[test]
fn a_result_in_other_words_is_told_by_the_description() {
    let model = with_row(
        "| ID | Entity | Description | Input Parameters | Result |",
        "| AP-001 | Song | List songs of a user | userId | Sevral |",
    );
    let result = model.patterns[0].read().and_then(|read| read.result.clone()).expect("the words tell it");
    assert!(result.assumed && result.value == ResultKind::Collection);
}

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
