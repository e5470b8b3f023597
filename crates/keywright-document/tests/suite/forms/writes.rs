//! Writes of several items: which inputs find them, which are what they become, and which values are fixed.

use keywright_document::read_access_patterns;
use keywright_model::Model;
use keywright_model::model::{ConditionKind, ConditionValue};

use crate::forms::music::{effects, inputs};

const GAME: &str = "\
## Entities
### Player
- playerId: ulid, id
- guildId: ulid, optional, mutable, ref Guild
- coins: integer, mutable
- rank: integer, mutable
- lastSeenAt: datetime, mutable
### Guild
- guildId: ulid, id
- name: string
- memberCount: integer, mutable
### Match
- matchId: ulid, id
- playerId: ulid, ref Player
- rank: integer
- status: enum(OPEN, DONE, VOIDED), mutable
- finishedAt: datetime, optional, mutable
### Event
- playerId: ulid, id, ref Player
- at: datetime, id
- rank: integer
- code: string
## Access Patterns
### Writes
| ID | Entity | Description | Input Parameters | Items Written | Transaction | Conditions |
|---|---|---|---|---|---|---|
";

fn write(row: &str) -> (Model, Vec<String>) {
    let (model, findings) = read_access_patterns(&format!("{GAME}{row}\n"));
    let errors = findings.into_iter().filter(|it| it.rule.name() != "assumption").map(|it| it.message);
    (model, errors.collect())
}

#[test]
fn what_finds_no_item_is_a_new_value_of_the_one_that_changes() {
    let (model, _) = write(
        "| AP-1 | Event, Match | Record a move | playerId, at, code, matchId, status | Event + Match update | Yes | - |",
    );
    assert_eq!(effects(&model), ["create Event", "update Match"]);
    assert_eq!(
        inputs(&model),
        [
            "playerId is Event.playerId",
            "at is Event.at",
            "code is Event.code",
            "matchId is Match.matchId",
            "status new Match.status"
        ]
    );
}

#[test]
fn a_new_value_is_found_where_several_items_are_written() {
    let (model, _) = write(
        "| AP-1 | Event, Match | Record a move | playerId, at, matchId, newStatus | Event + Match update | Yes | - |",
    );
    assert_eq!(inputs(&model)[3], "newStatus new Match.status");
}

#[test]
fn what_a_new_item_is_given_changes_another_only_where_that_can_change() {
    let (model, _) = write(
        "| AP-1 | Event, Player | Record a move | playerId, at, rank | Event + Player update | Yes | - |",
    );
    assert_eq!(inputs(&model)[2], "rank new Event.rank+Player.rank");
    let (model, _) = write(
        "| AP-1 | Event, Match | Record a move | playerId, at, matchId, rank | Event + Match update | Yes | - |",
    );
    assert_eq!(inputs(&model)[3], "rank is Event.rank");
}

#[test]
fn what_finds_one_item_may_be_what_another_becomes() {
    let (model, _) = write(
        "| AP-1 | Player, Guild | Join a guild | playerId, guildId | Player update + Guild (memberCount +1) | Yes | - |",
    );
    assert_eq!(effects(&model), ["update Player (guildId)", "memberCount +1 Guild"]);
    assert_eq!(inputs(&model)[1], "guildId is Player.guildId+Guild.guildId");
    let said = model.assumptions.iter().find(|it| it.statement.contains("guildId")).unwrap();
    assert_eq!(said.statement, "read \"guildId\" as a new value of Player.guildId too");
    assert_eq!(said.reason, "write `Player (SET guildId)` to say so");
}

#[test]
fn who_leaves_loses_what_pointed_there() {
    for items in
        ["Player update + Guild (memberCount -1)", "Player (REMOVE guildId) + Guild (memberCount -1)"]
    {
        let (model, errors) = write(&format!(
            "| AP-1 | Player, Guild | Leave the guild | playerId, guildId | {items} | Yes | - |"
        ));
        assert_eq!(effects(&model), ["update Player -guildId", "memberCount -1 Guild"], "{items}");
        assert_eq!(errors, [""; 0]);
    }
    let (model, _) =
        write("| AP-1 | Player | Forget the guild | playerId | Player (SET guildId = null) | No | - |");
    assert_eq!(effects(&model), ["update Player -guildId"]);
}

#[test]
fn a_value_beside_an_attribute_is_what_it_becomes() {
    for items in [
        "Match (SET status = DONE, finishedAt)",
        "Match (status: DONE, finishedAt)",
        "Match (SET status to done and finishedAt)",
        "Match (status -> DONE; finishedAt = now)",
        "Match update (SET status = `DONE`, finishedAt)",
    ] {
        let (model, errors) =
            write(&format!("| AP-1 | Match | Finish | matchId, finishedAt | {items} | No | - |"));
        assert_eq!(effects(&model), ["update Match (status, finishedAt)"], "{items}");
        let constant = inputs(&model).pop().unwrap();
        assert_eq!(constant, "status new Match.status = DONE", "{items}");
        assert_eq!(errors, [""; 0], "{items}");
    }
    let (model, _) = write("| AP-1 | Match | Finish | matchId | Match.status = DONE | No | - |");
    assert_eq!(inputs(&model), ["matchId is Match.matchId", "status new Match.status = DONE"]);
    let (model, _) =
        write("| AP-1 | Match | Start a match | playerId | new Match (status = OPEN) | No | - |");
    assert_eq!(inputs(&model), ["playerId is Match.playerId", "status is Match.status = OPEN"]);
}

#[test]
fn a_value_may_be_the_name_of_an_input() {
    let (model, errors) =
        write("| AP-1 | Match | Finish | matchId, outcome | Match (SET status = outcome) | No | - |");
    assert_eq!(inputs(&model)[1], "outcome new Match.status");
    assert_eq!(errors, [""; 0]);
}

#[test]
fn a_value_that_can_not_be_written_is_a_finding() {
    let (_, errors) = write("| AP-1 | Match | Finish | matchId | Match (SET status = LOST) | No | - |");
    assert_eq!(errors, ["`LOST` is not a value of Match.status"]);
    let (_, errors) =
        write("| AP-1 | Player | Rank | playerId | Player (SET rank = (coins * 2) / 3) | No | - |");
    assert_eq!(errors, ["`(coins * 2) / 3` is not a value that can be written"]);
}

#[test]
fn a_name_that_is_set_and_that_nobody_declares_stays_for_a_rule() {
    let (model, _) = write("| AP-1 | Match | Finish | matchId | Match (SET stauts) | No | - |");
    assert_eq!(effects(&model), ["update Match (stauts)"]);
    let (model, _) = write("| AP-1 | Guild | Grow | guildId | Guild (membersCount +1) | No | - |");
    assert_eq!(effects(&model), ["membersCount +1 Guild"]);
}

#[test]
fn a_number_moves_by_an_input_that_no_attribute_holds() {
    let (model, _) = write(
        "| AP-1 | Player | Buy an item | playerId, price | Player (coins -price) | No | coins >= price |",
    );
    assert_eq!(effects(&model), ["coins -price Player"]);
    assert_eq!(inputs(&model), ["playerId is Player.playerId", "price for Player.coins"]);
}

#[test]
fn what_identifies_a_deleted_item_is_not_taken_away_from_it() {
    let (model, _) = write("| AP-1 | Match | Drop a match | matchId | delete Match (matchId) | No | - |");
    assert_eq!(effects(&model), ["delete Match"]);
}

#[test]
fn an_attribute_must_have_a_value_or_none() {
    for (condition, attribute, held) in [
        ("guildId must be empty", "Player.guildId", false),
        ("Player.guildId must not exist", "Player.guildId", false),
        ("attribute_not_exists(guildId)", "Player.guildId", false),
        ("finishedAt must not be set", "Match.finishedAt", false),
        ("the match's finishedAt is null", "Match.finishedAt", false),
        ("finishedAt must be set", "Match.finishedAt", true),
        ("finishedAt is not null", "Match.finishedAt", true),
    ] {
        let (model, _) = write(&format!(
            "| AP-1 | Match, Player, Guild | Finish | matchId, playerId, guildId | Match update + Player update | Yes | {condition} |"
        ));
        let conditions = &model.patterns[0].write().unwrap().conditions;
        let [only] = conditions.as_slice() else { panic!("{condition}: {conditions:#?}") };
        let ConditionKind::Held { attribute: found, held: is_held } = &only.kind else {
            panic!("{condition}: {only:#?}")
        };
        assert_eq!((found.to_string().as_str(), *is_held), (attribute, held), "{condition}");
    }
}

const BANK: &str = "\
## Entities
### Account
- accountId: ulid, id
- balance: integer, mutable
### Transfer
- transferId: ulid, id
- fromAccountId: ulid, ref Account
- toAccountId: ulid, ref Account
- amount: integer
## Access Patterns
### Writes
| ID | Entity | Description | Input Parameters | Items Written | Transaction | Conditions |
|---|---|---|---|---|---|---|
";

/// The inputs that name the accounts of a transfer, and the findings.
fn roles(items: &str) -> (Vec<Option<String>>, Vec<String>) {
    let row = format!(
        "| AP-1 | Transfer | Send money | fromAccountId, toAccountId, amount | {items} | Yes | - |\n"
    );
    let (model, findings) = read_access_patterns(&format!("{BANK}{row}"));
    let write = model.patterns[0].write().unwrap();
    let accounts = write.effects.iter().filter(|it| it.entity == "Account");
    (accounts.map(|it| it.named_by.clone()).collect(), findings.into_iter().map(|it| it.message).collect())
}

#[test]
fn an_input_names_which_of_several_is_meant() {
    let both = [Some("fromAccountId".to_owned()), Some("toAccountId".to_owned())];
    for items in [
        "new Transfer + Account fromAccountId (balance -amount) + Account toAccountId (balance +amount)",
        "new Transfer + Account of fromAccountId (balance -amount) + Account of toAccountId (balance +amount)",
        "new Transfer, fromAccount (balance -amount), toAccount (balance +amount)",
    ] {
        let (named, findings) = roles(items);
        assert_eq!(named, both, "{items}");
        assert!(findings.is_empty(), "{items}: {findings:?}");
    }
}

#[test]
fn the_order_of_the_inputs_tells_which_is_meant_where_nothing_else_does() {
    let (named, findings) = roles("new Transfer + Account (balance -amount) + Account (balance +amount)");
    assert_eq!(named, [Some("fromAccountId".to_owned()), Some("toAccountId".to_owned())]);
    assert_eq!(
        findings,
        ["AP-1: `fromAccountId` identifies this Account", "AP-1: `toAccountId` identifies this Account"]
    );
    let (_, findings) = roles("new Transfer + Account (balance +amount)");
    assert_eq!(
        findings,
        ["AP-1 does not say which Account is meant: `fromAccountId` and `toAccountId` point to one"]
    );
}

#[test]
fn a_measure_beside_named_changes_is_a_new_value_and_no_state_that_was_seen() {
    let (model, _) =
        write("| AP-1 | Player | Level up | playerId, coins | Player (rank = 2) | No | player must exist |");
    assert_eq!(
        inputs(&model),
        ["playerId is Player.playerId", "coins new Player.coins", "rank new Player.rank = 2"]
    );
    let (model, _) =
        write("| AP-1 | Match | Finish | matchId, status | Match (rank = 2) | No | match must exist |");
    assert_eq!(
        inputs(&model),
        ["matchId is Match.matchId", "status is Match.status", "rank new Match.rank = 2"]
    );
}

const HOME: &str = "\
## Entities
### Person
- personId: ulid, id
- email: string, unique
- home (map, optional)
- home.city (string)
- home.country (string, mutable)
- photo (map)
## Access Patterns
### Writes
| ID | Entity | Description | Input Parameters | Items Written | Transaction | Conditions |
|---|---|---|---|---|---|---|
";

#[test]
fn a_map_with_members_is_its_members() {
    let (model, _) = read_access_patterns(&format!(
        "{HOME}| AP-1 | Person | Move | personId, home | 1 (Person) | No | person must exist |\n"
    ));
    let person = &model.entities[0];
    let names: Vec<_> = person.attributes.iter().map(|it| (it.name.as_str(), it.is_optional())).collect();
    assert_eq!(
        names,
        [
            ("personId", false),
            ("email", false),
            ("home.city", true),
            ("home.country", true),
            ("photo", false)
        ]
    );
    assert_eq!(
        inputs(&model),
        [
            "personId is Person.personId",
            "home.city new Person.home.city",
            "home.country new Person.home.country"
        ]
    );
}

#[test]
fn a_read_that_returns_a_map_returns_its_members() {
    let (model, findings) = read_access_patterns(&format!(
        "{}### Reads\n| ID | Entity | Description | Input Parameters | Result | Returns |\n|---|---|---|---|---|---|\n\
         | AP-1 | Person | Get a person | personId | Single | home, photo |\n",
        HOME.split("### Writes").next().unwrap()
    ));
    assert!(findings.iter().all(|it| it.rule.name() == "assumption"), "{findings:#?}");
    let returns = model.patterns[0].read().and_then(|it| it.returns.as_ref()).expect("it is stated");
    let names: Vec<_> = returns.value.iter().map(|it| it.attribute.as_str()).collect();
    assert_eq!(names, ["home.city", "home.country", "photo"]);
}

#[test]
fn the_new_value_of_an_attribute_is_unique_where_the_attribute_is() {
    let (model, findings) = read_access_patterns(&format!(
        "{HOME}| AP-1 | Person | Change email | personId, newEmail | 1 (Person) | Yes | newEmail must be unique |\n"
    ));
    assert!(findings.iter().all(|it| it.rule.name() == "assumption"), "{findings:#?}");
    let write = model.patterns[0].write().unwrap();
    let ConditionKind::Unique { entity, attributes } = &write.conditions[0].kind else {
        panic!("{:?}", write.conditions)
    };
    assert_eq!((entity.as_str(), attributes.as_slice()), ("Person", &["email".to_owned()][..]));
}

#[test]
fn a_state_that_is_called_like_its_attribute_is_a_state() {
    let (model, findings) = read_access_patterns(
        "## Entities\n### Bug\n- bugId: ulid, id\n- open: enum(OPEN, CLOSED), mutable\n## Access Patterns\n### Writes\n\
         | ID | Entity | Description | Input Parameters | Items Written | Transaction | Conditions |\n|---|---|---|---|---|---|---|\n\
         | AP-1 | Bug | Close (update) | bugId, open = CLOSED | 1 (Bug) | No | open must be OPEN |\n\
         | AP-2 | Bug | Report (create) | open = OPEN | 1 (Bug) | No | - |\n",
    );
    assert!(findings.iter().all(|it| it.rule.name() == "assumption"), "{findings:#?}");
    let conditions = &model.patterns[0].write().unwrap().conditions;
    let ConditionKind::Compare { value: ConditionValue::Literal(_), .. } = &conditions[0].kind else {
        panic!("{conditions:?}")
    };
    assert!(model.patterns[1].inputs()[0].constant.is_some(), "{:?}", model.patterns[1].inputs());
}
