//! Tables of patterns in other forms than ours.

use keywright_model::model::{PatternKind, ResultKind};

use crate::forms::music::{effects, inputs, read, with_row};

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
fn a_result_in_other_words_is_told_by_the_description() {
    let model = with_row(
        "| ID | Entity | Description | Input Parameters | Result |",
        "| AP-001 | Song | List songs of a user | userId | Sevral |",
    );
    let result = model.patterns[0].read().and_then(|read| read.result.clone()).expect("the words tell it");
    assert!(result.assumed && result.value == ResultKind::Collection);
}

#[test]
fn an_operation_beside_a_description_says_what_it_does() {
    let model = with_row(
        "| ID | Entity | Operation | Description | Inputs |",
        "| AP-001 | Song | Query | Songs by a user | userId |\n\
         | AP-002 | Song | Create | A song appears | songId, userId, title |\n\
         | AP-003 | Song | UpdateItem | A better title | songId, title |\n\
         | AP-004 | Song | Delete | Nobody sings it | songId |",
    );
    let shown: Vec<_> = model
        .patterns
        .iter()
        .map(|pattern| {
            let action = match &pattern.kind {
                PatternKind::Read(_) => "read".to_owned(),
                PatternKind::Write(write) | PatternKind::Delete(write) => {
                    format!("{:?}", write.effects[0].action)
                }
            };
            (pattern.description.value.as_str(), action)
        })
        .collect();
    let expected = [
        ("Songs by a user", "read"),
        ("A song appears", "Create"),
        ("A better title", "Update"),
        ("Nobody sings it", "Delete"),
    ];
    assert_eq!(shown, expected.map(|(description, action)| (description, action.to_owned())));
}

#[test]
fn what_comes_back_may_stand_where_its_attributes_would() {
    let model = with_row(
        "| ID | Entity | Type | Description | By | Output |",
        "| AP-001 | Song | query | Songs of a user | userId | list sorted by title desc, 20 per page |\n\
         | AP-002 | Song | query | Live songs | status = LIVE | top 100 by stock |\n\
         | AP-003 | Song | count | How large a user's catalogue is | userId | number |\n\
         | AP-004 | Song | get | Song | songId | title, status |\n\
         | AP-005 | User, Song | query | User with songs | userId | page, newest first |",
    );
    let shown: Vec<_> = model
        .patterns
        .iter()
        .map(|pattern| {
            let read = pattern.read().expect("it is a read");
            let order: Vec<_> =
                read.sort.iter().map(|it| format!(" {} {:?}", it.attribute, it.direction)).collect();
            format!(
                "{:?}{} page {:?} of {:?}, together {}, returns {}",
                read.result.as_ref().map(|it| it.value).expect("it is told"),
                order.concat(),
                read.paginated.as_ref().map(|it| it.value),
                read.page_size.as_ref().map(|it| it.value),
                read.multi_entity.is_some(),
                read.returns.as_ref().map_or(0, |it| it.value.len()),
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            "Collection Song.title Descending page Some(true) of Some(20), together false, returns 0",
            "Collection Song.stock Descending page None of Some(100), together false, returns 0",
            "Count page None of None, together false, returns 0",
            "Single page None of None, together false, returns 2",
            "Collection Song.createdAt Descending page Some(true) of None, together true, returns 0",
        ]
    );
}

#[test]
fn patterns_without_any_entity_are_told_so() {
    let (_, findings) = keywright_document::read_access_patterns(
        "## Entities\nDoctors see patients.\n## Access Patterns\n- Find a doctor by name\n",
    );
    let told = findings
        .iter()
        .find(|it| it.message.starts_with("this document declares no entities for its patterns"));
    assert_eq!(told.expect("it is told").span.start, 0);
}

#[test]
fn columns_that_speak_of_tables_and_keys() {
    let model = with_row(
        "| # | Query | Table(s) | Filter / Key | Frequency |",
        "| 1 | List songs of a user | Song | userId | 10/s |",
    );
    let pattern = &model.patterns[0];
    assert_eq!(pattern.entities[0].value, "Song");
    assert_eq!(inputs(&model), ["userId is Song.userId"]);
    assert!(pattern.read().is_some());
}

#[test]
fn the_column_entity_may_say_what_happens() {
    let model = with_row(
        "| ID | Entity | Description | Input Parameters |",
        "| AP-001 | Song (stock +10) | Restock a song | songId |",
    );
    assert_eq!(effects(&model), ["stock +10 Song"]);
    assert_eq!(model.patterns[0].entities.len(), 1);
    let model = with_row(
        "| ID | Entity | Description | Input Parameters |",
        "| AP-001 | Song, User (songCount +1) | Create a song | userId, title, status, stock |",
    );
    assert_eq!(effects(&model), ["create Song", "songCount +1 User"]);
}

#[test]
fn how_many_there_are_in_one_answer() {
    for (words, size) in [
        ("Top ten songs", Some(10)),
        ("The 5 newest songs", Some(5)),
        ("Ten largest songs", Some(10)),
        ("Get the latest 20 songs", Some(20)),
        ("20 most recent songs", Some(20)),
        ("Songs of the last 30 days", None),
        ("The newest songs", None),
        ("One most recent song", None),
    ] {
        let model = with_row(
            "| ID | Entity | Description | Input Parameters | Result |",
            &format!("| AP-001 | Song | {words} | userId | Collection |"),
        );
        let read = model.patterns[0].read().unwrap();
        assert_eq!(read.page_size.as_ref().map(|it| it.value), size, "{words}");
    }
}
