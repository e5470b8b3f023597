//! Access patterns as lists of sentences, and tables that name no entities.

use keywright_model::Model;
use keywright_model::model::Action;

use crate::forms::music::{MUSIC, read, with_row};

/// Each pattern in short: its id, what it is about, by what, what comes back in which order, how often.
fn shown(model: &Model) -> Vec<String> {
    let pattern = |it: &keywright_model::model::Pattern| {
        let entities: Vec<_> = it.entities.iter().map(|it| it.value.as_str()).collect();
        let inputs: Vec<_> = it.inputs().iter().map(|it| it.name.as_str()).collect();
        let what = match (it.read(), it.write()) {
            (Some(read), _) => {
                let order: Vec<_> =
                    read.sort.iter().map(|it| format!(" {} {:?}", it.attribute, it.direction)).collect();
                let result = read.result.as_ref().map(|it| it.value);
                let together =
                    if read.multi_entity.as_ref().is_some_and(|it| it.value) { " together" } else { "" };
                format!(
                    "{}{together}{}",
                    result.map_or(String::new(), |it| format!("{it:?}")),
                    order.concat()
                )
            }
            (_, Some(write)) => {
                write.effects.iter().map(|it| format!("{:?} {}", it.action, it.entity)).collect()
            }
            _ => String::new(),
        };
        format!("{} {} by {}: {what}, {}/s", it.id, entities.join("+"), inputs.join("+"), it.mean_rate())
    };
    model.patterns.iter().map(pattern).collect()
}

#[test]
fn each_item_of_a_list_is_a_pattern() {
    let model = read(&format!(
        "{MUSIC}## Access Patterns\n\
         1. AP-07: Get a song by id (hot)\n\
         2. List songs of a user, newest first (40/min)\n\
         3. Songs of a user ordered by title\n\
         4. Delete a song\n\
         5. Create a song\n"
    ));
    assert_eq!(
        shown(&model),
        [
            "AP-07 Song by id: Single, 300/s",
            "AP-001 Song by userId: Collection Song.createdAt Descending, 0.666666666/s",
            "AP-002 Song by userId: Collection Song.title Ascending, 10/s",
            "AP-004 Song by songId+userId+title+status+stock+createdAt: Create Song, 10/s",
            "AP-003 Song by songId: Delete Song, 10/s",
        ]
    );
    assert!(model.assumptions.len() > 8, "all of it is inferred: {:#?}", model.assumptions);
}

#[test]
fn what_comes_with_its_parent_is_read_with_it() {
    let document = |sentence: &str| {
        format!(
            "## Entities\n### Depot\n- `depotId` (string, id)\n### Parcel\n- `trackingNo` (string, id)\n- `depotId` (string, ref Depot)\n\
             - `status` (enum(MOVING, DELIVERED))\n### ScanEvent\n- `trackingNo` (string, ref Parcel)\n- `scannedAt` (datetime)\n\
             - Identifier: trackingNo, scannedAt\n## Access Patterns\n- {sentence}\n"
        )
    };
    for (sentence, expected) in [
        (
            "Get a parcel with its scan events by trackingNo",
            "Parcel+ScanEvent by trackingNo: Collection together",
        ),
        ("Get a parcel and its scan events", "Parcel+ScanEvent by trackingNo: Collection together"),
        (
            "Get a parcel together with all of its scan events",
            "Parcel+ScanEvent by trackingNo: Collection together",
        ),
        ("Get the parcel of a scan event", "Parcel by trackingNo: Single"),
        ("List parcels at a depot by status", "Parcel by status+depotId: Collection"),
    ] {
        let (model, findings) = keywright_document::read_access_patterns(&document(sentence));
        assert_eq!(shown(&model)[0], format!("AP-001 {expected}, 10/s"), "{sentence}");
        assert!(findings.iter().all(|it| it.rule.name() == "assumption"), "{sentence}: {findings:?}");
        // What is given selects both.
        let both = model.patterns[0].entities.len();
        assert!(both == 1 || model.patterns[0].inputs()[0].binds.len() == both, "{sentence}");
    }
}

#[test]
fn the_newest_are_not_told_by_what_may_never_come() {
    for (attribute, sorted_by) in [
        ("`pinnedAt` (datetime, optional)", "messageId"),
        ("`endsAt` (datetime)", "messageId"),
        ("`sentAt` (datetime)", "sentAt"),
    ] {
        let model = read(&format!(
            "## Entities\n### Message\n- `messageId` (ulid, id)\n- `channelId` (string)\n- {attribute}\n## Access Patterns\n\
             - List messages by channelId, newest first\n"
        ));
        let sort = &model.patterns[0].read().expect("a read").sort;
        assert_eq!(sort[0].attribute.attribute, sorted_by, "{attribute}");
    }
}

#[test]
fn a_sentence_may_go_on_with_what_must_hold_and_how_often() {
    let model = read(&format!(
        "{MUSIC}## Access Patterns\n\
         1. Delete a song; status must be DRAFT\n\
         2. Delete a song (the song must exist and the moon must be full)\n\
         3. Get a song by id, 170/s\n"
    ));
    let conditions = |at: usize| -> Vec<String> {
        let write = model.patterns.iter().filter_map(|it| it.write()).nth(at).expect("a delete");
        write.conditions.iter().map(|it| it.text.clone()).collect()
    };
    assert_eq!(conditions(0), ["status must be DRAFT"]);
    assert_eq!(conditions(1), ["the song must exist", "the moon must be full"]);
    assert_eq!(shown(&model)[0], "AP-003 Song by id: Single, 170/s");
}

#[test]
fn a_line_above_a_list_and_the_items_that_are_touched_tell_the_kind() {
    let model = read(&format!(
        "{MUSIC}## Access Patterns\n- List songs of a user by month, newest first\n\nWrites:\n\n- Rename a song\n  \
         - Inputs: songId, newTitle\n\nThe rest is done by night, in no order at all.\n\n- Clear\n  - Inputs: songId\n  - Items Deleted: Song\n"
    ));
    assert_eq!(
        shown(&model),
        [
            "AP-001 Song by month+userId: Collection Song.createdAt Descending, 10/s",
            "AP-002 Song by songId+newTitle: Update Song, 10/s",
            "AP-003 Song by songId: Delete Song, 10/s",
        ]
    );
    let month = &model.patterns[0].inputs()[0];
    assert!(matches!(month.role, keywright_model::model::Role::Within(_)), "{month:?}");
}

#[test]
fn words_that_are_apart_in_prose_are_one_name() {
    let model =
        read(&format!("{MUSIC}## Access Patterns\n- Find a song by created at\n- Get a song by colour\n"));
    let given = |at: usize| model.patterns[at].inputs().iter().map(|it| it.name.clone()).collect::<Vec<_>>();
    assert_eq!(given(0), ["createdAt"]);
    assert!(model.patterns[1].inputs.is_none(), "what is given is said, only not understood");
}

#[test]
fn what_selects_in_the_output_is_not_passed_over() {
    let header = "| ID | Name | Input | Output | Frequency |";
    let row = "| AP-001 | Drafts | userId | Songs with status DRAFT | Hot |";
    let (_, findings) = keywright_document::read_access_patterns(&format!(
        "{MUSIC}## Reads\n{header}\n|---|---|---|---|---|\n{row}\n"
    ));
    let said: Vec<_> = findings.iter().map(|it| it.message.as_str()).collect();
    assert!(said.contains(&"\"with status DRAFT\" selects nothing here"), "{said:?}");
}

#[test]
fn a_verb_stands_for_all_that_follow_it_and_one_item_changes_once() {
    let effects = |items: &str| {
        let model = with_row(
            "| ID | Entity | Description | Input Parameters | Items Written | Transaction |",
            &format!("| AP-001 | User | Clear | userId, title, status | {items} | Yes |"),
        );
        let write = model.patterns[0].write().unwrap();
        write
            .effects
            .iter()
            .map(|it| {
                format!(
                    "{:?} {}{} {}",
                    it.action,
                    it.entity,
                    if it.all { "s" } else { "" },
                    it.attributes.join("+")
                )
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(effects("delete User, all Songs"), ["Delete User ", "Delete Songs "]);
    assert_eq!(effects("update Song.title, Song.status"), ["Update Song title+status"]);
}

#[test]
fn what_is_removed_gets_no_value() {
    let effect = |inputs: &str, items: &str| {
        let model = with_row(
            "| ID | Entity | Description | Input Parameters | Items Written | Transaction |",
            &format!("| AP-001 | Song | Change a song | {inputs} | {items} | No |"),
        );
        let effect = &model.patterns[0].write().unwrap().effects[0];
        assert_eq!(effect.action, Action::Update, "{items}");
        let given: Vec<_> = model.patterns[0].inputs().iter().map(|it| it.name.as_str()).collect();
        format!("{} -{} given {}", effect.attributes.join("+"), effect.removes.join("-"), given.join("+"))
    };
    assert_eq!(effect("songId", "Song (REMOVE status)"), "status -status given songId");
    assert_eq!(
        effect("songId, title", "Song (SET title, REMOVE status)"),
        "title+status -status given songId+title"
    );
    assert_eq!(
        effect("songId, title", "Song (REMOVE status, SET title)"),
        "title+status -status given songId+title"
    );
    assert_eq!(effect("songId", "Song (status = none)"), "status -status given songId");
    assert_eq!(effect("songId, status = none", "1 (Song)"), "status -status given songId");
}

#[test]
fn what_stands_below_an_item_says_more_of_it() {
    let model = read(&format!(
        "{MUSIC}## Access Patterns\n\
         - **AP-001**: Songs of somebody\n  - Inputs: userId\n  - Entity: Song\n  - Sort: title DESC\n  - Rate: 7\n\
         - Deletes\n  - AP-002 - A song by songId\n"
    ));
    assert_eq!(
        shown(&model),
        [
            "AP-001 Song by userId: Collection Song.title Descending, 7/s",
            "AP-002 Song by songId: Delete Song, 10/s"
        ]
    );
}

#[test]
fn what_comes_back_names_the_entities_where_no_column_does() {
    let model = with_row(
        "| ID | Name | Input | Output | Frequency |",
        "| AP-001 | Library | userId | User + Songs sorted by title | Hot |\n\
         | AP-002 | Drafts | userId, status | Songs of the user | Warm |\n\
         | AP-003 | Song | songId | Song | 5/s |",
    );
    assert_eq!(
        shown(&model),
        [
            "AP-001 User+Song by userId: Collection together Song.title Ascending, 300/s",
            "AP-002 Song by userId+status: Collection, 10/s",
            "AP-003 Song by songId: Single, 5/s",
        ]
    );
}

#[test]
fn entities_need_no_heading_above_them() {
    let model = read(
        "# Podcasts\n\nShows have episodes.\n\n### Show\n- `showId` (ulid, id)\n- title (string)\n\n### Listener\n- handle (string, id)\n\n## Notes\n- nothing (yet)\n",
    );
    let names: Vec<_> = model.entities.iter().map(|it| (it.name.as_str(), it.attributes.len())).collect();
    assert_eq!(names, [("Show", 2), ("Listener", 1)]);
}

#[test]
fn an_update_in_words_says_what_changes() {
    let model = read(
        "## Entities\n- **Booking** (bookingId: ulid, seat: string, state: enum(OPEN, CANCELLED))\n\
         ## Writes\n- Update a booking's seat\n- Cancel a booking\n",
    );
    let inputs: Vec<String> = model
        .patterns
        .iter()
        .map(|pattern| {
            let shown = pattern.inputs().iter().map(|it| match &it.constant {
                Some(value) => format!("{}={value} {:?}", it.name, it.role),
                None => format!("{} {:?}", it.name, it.role),
            });
            shown.collect::<Vec<_>>().join("+")
        })
        .collect();
    assert_eq!(inputs, ["bookingId Equal+seat NewValue", "bookingId Equal+state=CANCELLED NewValue"]);
}

#[test]
fn what_must_be_there_outweighs_what_a_verb_mostly_means() {
    let action = |description: &str, condition: &str| {
        let model = with_row(
            "| ID | Entity | Description | Input Parameters | Items Written | Transaction | Conditions |",
            &format!("| AP-001 | Song | {description} | songId, title | 1 (Song) | No | {condition} |"),
        );
        model.patterns[0].write().unwrap().effects[0].action.clone()
    };
    assert_eq!(action("Pin a song", "Song must not exist"), Action::Create);
    assert_eq!(action("Deposit a song", "Song must exist"), Action::Update);
    assert_eq!(action("Create a song", "Song must not exist"), Action::Create);
}
