//! The cells of patterns: inputs, orders, effects, conditions, rates.

use keywright_model::Model;
use keywright_model::model::{Action, ConditionKind, Direction};

use crate::forms::music::{MUSIC, effects, inputs, read, read_row, with_row, write_row};

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
        ("nil, userId, -", vec!["nil unknown ", "userId is Song.userId"]),
        ("howMany (paging)", vec!["howMany limit "]),
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
        ("Play a song", "Song.stock +1", vec!["stock +1 Song"]),
        ("Play a song", "User.songCount +1, Song.stock -2", vec!["songCount +1 User", "stock -2 Song"]),
        ("Update a song", "Song.title, User.songCount + 1", vec!["update Song (title)", "songCount +1 User"]),
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
    let model = write_row("Song", "Release a song", "songId, newStatus = LIVE", "Song", "-");
    assert_eq!(inputs(&model), ["songId is Song.songId", "newStatus new Song.status = LIVE"]);
    assert!(
        assumed(&model).contains(&"read \"newStatus\" as a new value for Song.status"),
        "{:?}",
        assumed(&model)
    );
}

/// What was assumed, in the order of the document.
fn assumed(model: &Model) -> Vec<&str> {
    model.assumptions.iter().map(|it| it.statement.as_str()).collect()
}

#[test]
fn paging_is_assumed_unless_it_is_said() {
    let model = read_row("userId, limit, cursor", "-");
    assert_eq!(
        assumed(&model),
        ["read \"limit\" as the size of a page", "read \"cursor\" as where a page begins"]
    );
    assert!(model.patterns[0].inputs()[1].assumed);
    assert_eq!(assumed(&read_row("userId, limit (paging), cursor (paging)", "-")), [] as [&str; 0]);
}

#[test]
fn a_verb_that_is_not_known_is_told_by_the_identity() {
    let compose = |inputs: &str, items: &str| write_row("Song", "Compose a song", inputs, items, "-");
    let model = compose("userId, title", "1 (Song)");
    assert_eq!(effects(&model), ["create Song"]);
    assert_eq!(assumed(&model), ["read \"Compose a song\" as the creation of Song"]);
    let model = compose("songId, title", "1 (Song)");
    assert_eq!(effects(&model), ["update Song"]);
    assert_eq!(inputs(&model), ["songId is Song.songId", "title new Song.title"]);
    assert!(
        assumed(&model).contains(&"read \"Compose a song\" as an update of Song"),
        "{:?}",
        assumed(&model)
    );
    assert_eq!(effects(&compose("songId, title", "Song put")), ["put Song"]);
}

#[test]
fn a_state_that_no_input_gives_is_said_to_select_nothing() {
    let row = |description: &str, inputs: &str| {
        let source = format!(
            "{}## Access Patterns\n| ID | Entity | Description | Input Parameters | Result |\n|---|---|---|---|---|\n\
             | AP-001 | Song | {description} | {inputs} | Collection |\n",
            MUSIC.replace(
                "  - `stock` (integer)\n",
                "  - `stock` (integer)\n  - `playedAt` (datetime, optional)\n"
            )
        );
        let (_, findings) = keywright_document::read_access_patterns(&source);
        findings.iter().any(|it| it.rule.name() == "unreadable-cell")
    };
    assert!(row("Live songs of a user", "userId"));
    assert!(row("Played songs of a user", "userId"));
    assert!(!row("Live songs of a user", "userId, status = LIVE"));
    assert!(!row("New songs of a user", "userId"));
}

#[test]
fn a_role_that_nobody_declares_is_no_range() {
    let source = "## Entities\n### Account\n- `accountId` (ulid, id)\n- `balance` (integer, mutable)\n## Access Patterns\n\
         | ID | Entity | Description | Input Parameters | Items Written | Transaction | Conditions |\n|---|---|---|---|---|---|---|\n\
         | AP-001 | Account | Transfer | fromAccountId, toAccountId, amount | Account fromAccountId (balance -amount) + Account toAccountId (balance +amount) | Yes | - |\n";
    let (_, findings) = keywright_document::read_access_patterns(source);
    let said: Vec<&str> = findings
        .iter()
        .filter(|it| it.rule.name() == "unreadable-cell")
        .map(|it| it.message.as_str())
        .collect();
    assert_eq!(
        said,
        [
            "`fromAccountId` identifies an item of Account, but no entity has such an attribute",
            "`toAccountId` identifies an item of Account, but no entity has such an attribute",
        ]
    );
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
        ("email not taken", vec!["unique User email"]),
        ("title must not be in use", vec!["unique Song title"]),
        ("status must be DRAFT or LIVE", vec!["Song.status one of 2"]),
        ("status must be one of DRAFT, LIVE", vec!["Song.status one of 2"]),
        ("stock >= amount", vec!["Song.stock compares"]),
        ("stock below 50", vec!["Song.stock compares"]),
        ("stock must be above amount", vec!["Song.stock compares"]),
        ("max 100 songs per user", vec!["at most 100 Song per User"]),
        ("max 100 songs per day", vec!["words"]),
        ("max 100 draft songs per user", vec!["words"]),
        ("max 100 songs per user per day", vec!["words"]),
        ("a user can have up to 100 songs", vec!["at most 100 Song per User"]),
        ("a song of the same album must not exist", vec!["words"]),
        ("a song with that title must not exist", vec!["unique Song title"]),
        ("a draft song must exist", vec!["words"]),
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
                ConditionKind::Held { attribute, held } => format!("{attribute} held {held}"),
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
fn a_limit_on_what_a_link_leads_to_is_on_the_links() {
    let model = read(
        "# DynamoDB Access Patterns\n\n## Entities\n\n### Team\n- **Attributes**:\n  - `teamId` (uuid, id)\n\n\
         ### Player\n- **Attributes**:\n  - `playerId` (uuid, id)\n\n### Squad\n- **Attributes**:\n  \
         - `teamId` (uuid, id, ref Team)\n  - `playerId` (uuid, id, ref Player)\n\n## Access Patterns\n\n### Writes\n\n\
         | ID | Entity | Description | Input Parameters | Items Written | Transaction | Conditions |\n\
         |---|---|---|---|---|---|---|\n\
         | AP-001 | Squad | Sign a player | teamId, playerId | new Squad | Yes | max 30 players per team |\n",
    );
    let conditions = &model.patterns[0].write().expect("a write").conditions;
    let at_most = ConditionKind::AtMost { entity: "Squad".into(), per: Some("Team".into()), limit: 30 };
    assert_eq!(conditions[0].kind, at_most);
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
        ("-5/s", false, None, None),
        ("Cold - 5/s", true, Some("5"), None),
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
fn a_reference_that_an_item_may_lack_is_what_an_update_sets() {
    let source = "## Entities\n### Courier\n- Attributes: `courierId` (uuid, id)\n\
        ### Order\n- Attributes: `orderId` (ksuid, id), `courierId` (uuid, optional)\n\
        ## Access Patterns\n### Writes\n| ID | Entity | Description | Input Parameters | Items Written | Transaction |\n\
        |---|---|---|---|---|---|\n| AP-001 | Order | Assign a courier | orderId, courierId | Order | No |\n";
    assert_eq!(inputs(&read(source)), ["orderId is Order.orderId", "courierId new Order.courierId"]);
}

#[test]
fn what_no_key_can_say_is_no_input() {
    for (inputs, said) in [
        ("status != DRAFT", "`status != DRAFT` is not an input"),
        ("status in (DRAFT, LIVE)", "`status in (DRAFT, LIVE)` is not an input"),
        ("status = GONE", "`GONE` is not a value of Song.status"),
        ("stock = many", "`many` is not a value of Song.stock"),
    ] {
        let (_, findings) = keywright_document::read_access_patterns(&format!(
            "{MUSIC}## Reads\n| ID | Entity | Description | Input Parameters | Result |\n|---|---|---|---|---|\n\
             | AP-001 | Song | Songs | {inputs} | Collection |\n"
        ));
        assert!(findings.iter().any(|it| it.message == said), "{inputs}: {findings:#?}");
    }
}

#[test]
fn a_condition_on_an_attribute_is_none_on_the_item() {
    let conditions = |written: &str| {
        let model = write_row("Song", "Release a song", "songId, newStatus", "1 (Song)", written);
        model.patterns[0].write().expect("a write").conditions.clone()
    };
    let of_item = |written: &str| {
        conditions(written)
            .iter()
            .any(|it| matches!(it.kind, ConditionKind::Exists { .. } | ConditionKind::NotExists { .. }))
    };
    assert!(of_item("Song must exist"));
    assert!(of_item("songId must exist"));
    assert!(!of_item("Song.title must not exist"));
    assert!(!of_item("attribute_not_exists(title)"));
}

#[test]
fn an_attribute_that_is_removed_is_not_the_item() {
    let model = write_row("Song", "Take a song down", "songId", "Song (REMOVE title)", "-");
    assert_eq!(model.patterns[0].write().expect("a write").effects[0].action, Action::Update);
}

#[test]
fn what_must_hold_for_another_entity_tells_no_verb() {
    let model = write_row("Song", "Compose a song", "userId, title", "1 (Song)", "User must exist");
    assert_eq!(model.patterns[0].write().expect("a write").effects[0].action, Action::Create);
}
