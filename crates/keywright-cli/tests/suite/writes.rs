//! Whole documents whose writes are easily misread: the operation does what its author meant, and the proof agrees.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;

use assert_cmd::Command;
use serde_json::Value as Json;

const READS: &str = "| ID | Entity | Description | Input Parameters | Result | Sort | Paginated | Frequency |
|---|---|---|---|---|---|---|---|
";
const WRITES: &str = "### Writes
| ID | Entity | Description | Input Parameters | Items Written | Transaction | Conditions | Frequency |
|---|---|---|---|---|---|---|---|
";

/// A document of entities, reads and writes.
fn document(entities: &str, reads: &str, writes: &str) -> String {
    format!(
        "# DynamoDB Access Patterns\n## Entities\n{entities}## Access Patterns\n### Reads\n{READS}{reads}{WRITES}{writes}"
    )
}

fn run(document: &str, arguments: &[&str]) -> (Option<i32>, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("access-patterns.md");
    fs::write(&path, document).unwrap();
    let mut command = Command::cargo_bin("keywright").unwrap();
    let output = command.arg(arguments[0]).arg(&path).args(&arguments[1..]).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// The row of a write in the design, where all patterns are proven.
fn proven(document: &str, pattern: &str) -> String {
    let (code, evidence, said) = run(document, &["prove", "--scale", "60", "--format", "json"]);
    let evidence: Json = serde_json::from_str(&evidence).expect(&said);
    assert_eq!(
        (code, &evidence["failed"], &evidence["notChecked"]),
        (Some(0), &0.into(), &0.into()),
        "{evidence:#}"
    );
    designed(document, pattern)
}

/// The row of a write in the design.
fn designed(document: &str, pattern: &str) -> String {
    let (_, design, _) = run(document, &["design"]);
    let row = design.lines().find(|line| line.starts_with(&format!("| {pattern} |")));
    row.expect(&design).to_owned()
}

const LOT: &str = "### Lot
- **Attributes**:
  - `lotId` (ulid, id)
  - `closesAt` (datetime, mutable)
  - `status` (enum(OPEN, SOLD), mutable)
  - `title` (string)
";
const LOT_READS: &str = "| AP-001 | Lot | Get a lot | lotId | Single | - | No | 20/s |
| AP-002 | Lot | Lots by status, soonest first | status | Collection | closesAt ASC | Yes | 20/s |
";

#[test]
fn a_new_value_is_written_whatever_the_order_of_the_inputs() {
    for given in ["lotId, newClosesAt, expectedClosesAt", "lotId, expectedClosesAt, newClosesAt"] {
        let writes = format!(
            "| AP-020 | Lot | Create a lot | closesAt, title, status = OPEN | 1 (Lot) | No | - | 1/s |
| AP-021 | Lot | Extend the closing time | {given} | Lot update | No | closesAt must match expectedClosesAt | 1/s |
| AP-022 | Lot | Sell a lot | newStatus, expectedStatus, lotId | Lot update | No | - | 1/s |
"
        );
        let document = document(LOT, LOT_READS, &writes);
        let row = proven(&document, "AP-021");
        assert!(row.contains("SET closesAt = :newClosesAt"), "{row}");
        assert!(row.contains("closesAt = :expectedClosesAt`"), "{row}");
        assert!(!row.contains("<expectedClosesAt"), "{row}");
        let row = proven(&document, "AP-022");
        assert!(row.contains("SET #status = :newStatus"), "{row}");
        assert!(row.contains("<newStatus>") && !row.contains("<expectedStatus>"), "{row}");
        assert!(row.contains("#status = :expectedStatus"), "{row}");
    }
}

#[test]
fn what_an_item_is_finds_it_and_not_what_it_becomes() {
    let entities = "### Account
- **Attributes**:
  - `accountId` (ulid, id)
  - `email` (string, unique, mutable)
  - `title` (string)
";
    let reads = "| AP-001 | Account | Get an account | accountId | Single | - | No | 20/s |
| AP-002 | Account | Get an account by email | email | Single | - | No | 20/s |
";
    for given in ["currentEmail, newEmail", "newEmail, currentEmail", "newEmail, email"] {
        let writes = format!(
            "| AP-020 | Account | Create an account | email, title | 1 (Account) | Yes | - | 1/s |
| AP-021 | Account | Change the email | {given} | Account update | Yes | - | 1/s |
"
        );
        let row = proven(&document(entities, reads, &writes), "AP-021");
        let found = row.find("<currentEmail>").or_else(|| row.find("<email>")).expect(&row);
        assert!(row.find("<newEmail>").is_some_and(|new| found < new), "{row}");
        assert!(row.contains("SET email = :newEmail"), "{row}");
    }
}

#[test]
fn an_item_sets_what_another_of_the_write_is_given_too() {
    let entities = "### Bed
- **Attributes**:
  - `bedId` (string, id)
  - `state` (enum(FREE, OCCUPIED), mutable)
  - `patientId` (string, optional, mutable)
### Admission
- **Attributes**:
  - `admissionId` (ulid, id)
  - `patientId` (string)
  - `bedId` (string)
";
    let reads = "| AP-001 | Bed | Get a bed | bedId | Single | - | No | 20/s |
| AP-002 | Admission | Get an admission | admissionId | Single | - | No | 20/s |
";
    let writes = "| AP-020 | Bed | Create a bed | bedId, state = FREE | 1 (Bed) | No | Bed must not exist | 1/s |
| AP-021 | Admission | Admit a patient to a bed | patientId, bedId | Admission + Bed (SET state = OCCUPIED, patientId) | Yes | state must be FREE | 1/s |
";
    let document = document(entities, reads, writes);
    let row = proven(&document, "AP-021");
    assert!(
        row.contains("Update Bed KEY pk = \"BED#<bedId>\" SET #state = 'OCCUPIED', patientId = :patientId"),
        "{row}"
    );
    let (_, _, said) = run(&document, &["design"]);
    assert!(!said.contains("but no input gives its value"), "{said}");
}

#[test]
fn a_condition_on_what_comes_to_be_is_one_on_what_is_there() {
    let entities = "### Seat
- **Attributes**:
  - `seatNo` (string, id)
  - `bookingId` (ulid, optional, mutable, ref Booking)
### Booking
- **Attributes**:
  - `bookingId` (ulid, id)
  - `name` (string)
";
    let reads = "| AP-001 | Seat | Get a seat | seatNo | Single | - | No | 20/s |
| AP-002 | Booking | Get a booking | bookingId | Single | - | No | 20/s |
";
    let writes = "| AP-020 | Seat | Add a seat | seatNo | 1 (Seat) | No | Seat must not exist | 1/s |
| AP-021 | Booking | Book a seat | name, seatNo | Booking + Seat (SET bookingId) | Yes | bookingId must be empty | 1/s |
";
    let row = designed(&document(entities, reads, writes), "AP-021");
    assert!(row.contains("2. `attribute_exists(pk) AND attribute_not_exists(bookingId)`"), "{row}");
    assert!(row.contains(" 1. `attribute_not_exists(pk)` "), "{row}");
}

#[test]
fn a_condition_on_a_parent_whose_key_is_given_is_checked() {
    let entities = "### Invoice
- **Attributes**:
  - `merchantId` (ulid, id, tenant)
  - `invoiceNo` (string, id)
  - `state` (enum(OPEN, PAID), mutable)
### Line
- **Attributes**:
  - `merchantId` (ulid, id, tenant)
  - `invoiceNo` (string, id)
  - `lineNo` (integer, id, max 999)
  - `cents` (integer)
- **Relationships**: Belongs to an Invoice.
";
    let reads = "| AP-001 | Invoice | Get an invoice | merchantId, invoiceNo | Single | - | No | 20/s |
| AP-002 | Line | Lines of an invoice | merchantId, invoiceNo | Collection | lineNo ASC | Yes | 20/s |
";
    let writes = "| AP-020 | Invoice | Create an invoice | merchantId, invoiceNo, state = OPEN | new Invoice | No | Invoice must not exist | 1/s |
| AP-021 | Line | Add a line | merchantId, invoiceNo, lineNo, cents | new Line | Yes | Line must not exist; state must be OPEN | 1/s |
| AP-022 | Invoice | Pay an invoice | merchantId, invoiceNo | Invoice (SET state = PAID) | No | state must be OPEN | 1/s |
";
    let row = proven(&document(entities, reads, writes), "AP-021");
    assert!(row.contains("2. `Check Invoice KEY"), "{row}");
    assert!(row.contains("2. `#state = 'OPEN'`"), "{row}");
}

#[test]
fn what_is_unique_within_a_tenant_is_unique_there_alone() {
    let entities = "### Patient
- **Attributes**:
  - `hospitalId` (ulid, id, tenant)
  - `patientId` (ulid, id)
  - `mrn` (string)
- **Unique**: hospitalId + mrn
";
    let reads = "| AP-001 | Patient | Get a patient | hospitalId, patientId | Single | - | No | 20/s |
| AP-002 | Patient | Find a patient by record number | hospitalId, mrn | Single | - | No | 20/s |
";
    let writes = "| AP-020 | Patient | Register a patient | hospitalId, mrn | 1 (Patient) | Yes | mrn must be unique | 1/s |
";
    let document = document(entities, reads, writes);
    let row = proven(&document, "AP-020");
    assert_eq!(row.matches("Put Patient").count(), 2, "{row}");
    let (_, design, _) = run(&document, &["design", "--format", "json"]);
    let design: Json = serde_json::from_str(&design).unwrap();
    let items: Vec<&str> =
        design["items"].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert_eq!(items.len(), 2, "{items:?}");
}

const ACCOUNT: &str = "### Account
- **Attributes**:
  - `accountId` (ulid, id)
  - `name` (string)
  - `contactCount` (integer, mutable)
### Contact
- **Attributes**:
  - `accountId` (ulid, id, ref Account)
  - `contactId` (ulid, id)
  - `nickname` (string, mutable)
- **Cardinality**: max 5 contacts per account
";
const ACCOUNT_READS: &str = "| AP-001 | Contact | List my contacts | accountId | Collection | - | No | 10/s |
| AP-002 | Account | Get an account | accountId | Single | - | No | 10/s |
";

#[test]
fn what_is_not_there_is_not_counted_down() {
    let document = document(
        ACCOUNT,
        ACCOUNT_READS,
        "| AP-020 | Account | Create an account | name | Account | No | - | 1/s |
| AP-021 | Contact | Add a contact | accountId, contactId, nickname | Contact + Account (contactCount +1) | Yes | Contact must not exist; max 5 contacts per account | 1/s |
### Deletes
| ID | Entity | Description | Input Parameters | Items Deleted | Transaction | Conditions | Frequency |
|---|---|---|---|---|---|---|---|
| AP-040 | Contact | Remove a contact | accountId, contactId | Contact + Account (contactCount -1) | Yes | - | 1/s |
",
    );
    let row = proven(&document, "AP-040");
    assert!(row.contains("1. `attribute_exists(pk)` 2. `attribute_exists(pk)`"), "{row}");
}

#[test]
fn what_is_put_be_it_there_or_not_has_no_limit() {
    let document = document(
        ACCOUNT,
        ACCOUNT_READS,
        "| AP-020 | Account | Create an account | name | Account | No | - | 1/s |
| AP-021 | Contact | Save a contact | accountId, contactId, nickname | Contact | Yes | max 5 contacts per account | 1/s |
",
    );
    let (code, _, said) = run(&document, &["design"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("AP-021 may replace an existing Contact"), "{said}");
    assert!(said.contains("`Contact must not exist`"), "{said}");
}

#[test]
fn nothing_is_asked_by_what_only_another_entity_holds() {
    let document = document(
        "### Studio
- **Attributes**:
  - `studioId` (string, id)
  - `city` (string)
### Class
- **Attributes**:
  - `classId` (ulid, id)
  - `studioId` (string, ref Studio)
  - `kind` (enum(YOGA, SPIN))
",
        "| AP-001 | Class | List the classes of a kind in a city | city, kind | Collection | - | Yes | 10/s |
| AP-002 | Studio | Get a studio | studioId | Single | - | No | 10/s |
",
        "| AP-020 | Studio | Open a studio | studioId, city | Studio | No | - | 1/s |
| AP-021 | Class | Schedule a class | studioId, kind | Class | No | - | 1/s |
",
    );
    let (code, _, said) = run(&document, &["design"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.contains("it looks up Class by `city`, which is an attribute of Studio and not of Class"),
        "{said}"
    );
}

const DELETES: &str = "### Deletes
| ID | Entity | Description | Input Parameters | Items Deleted | Transaction | Conditions | Frequency |
|---|---|---|---|---|---|---|---|
";

#[test]
fn a_string_of_an_index_is_there_where_its_item_is_in_the_index() {
    let entities = "### Ticket
- **Attributes**:
  - `ticketId` (ulid, id)
  - `team` (string, optional, mutable, 30%)
  - `state` (enum(OPEN, DONE, HELD), mutable)
  - `title` (string, mutable)
  - `rank` (integer, mutable, max 999)
";
    let reads = "| AP-001 | Ticket | Get a ticket | ticketId | Single | - | No | 20/s |
| AP-002 | Ticket | Held tickets by rank | state = HELD | Collection | rank ASC | Yes | 20/s |
| AP-003 | Ticket | Tickets of a team by title | team | Collection | title ASC | Yes | 20/s |
";
    let writes = "| AP-020 | Ticket | Open a ticket | team?, title, rank, state = OPEN | Ticket | No | - | 1/s |
| AP-021 | Ticket | Hold a ticket | ticketId | Ticket (SET state = HELD) | No | state must be OPEN | 1/s |
| AP-022 | Ticket | Rank a ticket | ticketId, newRank | Ticket update | No | Ticket must exist | 1/s |
| AP-023 | Ticket | Rank a held ticket | ticketId, newRank | Ticket update | No | state must be HELD | 1/s |
| AP-024 | Ticket | Rank an open ticket | ticketId, newRank | Ticket update | No | state must be OPEN | 1/s |
| AP-025 | Ticket | Rename a ticket | ticketId, newTitle | Ticket update | No | Ticket must exist | 1/s |
| AP-026 | Ticket | Rename a ticket of no team | ticketId, newTitle | Ticket update | No | team must be empty | 1/s |
";
    let document = document(entities, reads, writes);
    // Nothing says what state it is in, or whether it has a team: it is read, and must still be so.
    let row = proven(&document, "AP-022");
    assert!(row.contains("WHEN :1.state = 'HELD'") && row.contains("#state = :1.state"), "{row}");
    let row = designed(&document, "AP-025");
    assert!(row.contains("WHEN :1.team") && row.contains("team = :1.team"), "{row}");
    // The condition says it, either way.
    let row = designed(&document, "AP-023");
    assert!(row.contains("INDEX GSI") && !row.contains("GetItem") && !row.contains("WHEN"), "{row}");
    for pattern in ["AP-024", "AP-026"] {
        let row = designed(&document, pattern);
        assert!(!row.contains("INDEX") && !row.contains("GetItem"), "{row}");
    }
}

#[test]
fn what_must_be_empty_or_different_is_asked_of_an_item_that_is_there() {
    let entities = "### Alarm
- **Attributes**:
  - `alarmId` (ulid, id)
  - `openSince` (datetime, optional, mutable, 40%)
  - `nick` (string, optional, mutable, 50%)
  - `state` (enum(ON, OFF), mutable)
### Note
- **Attributes**:
  - `alarmId` (ulid, id, ref Alarm)
  - `noteId` (ulid, id)
";
    let reads = "| AP-001 | Alarm | Get an alarm | alarmId | Single | - | No | 5/s |
| AP-002 | Note | Notes of an alarm | alarmId | Collection | - | Yes | 5/s |
";
    let writes = format!(
        "| AP-020 | Alarm | Add an alarm | alarmId, nick?, openSince?, state | 1 (Alarm) | No | Alarm must not exist | 1/s |
| AP-021 | Note | Add a note | alarmId | 1 (Note) | Yes | openSince must be empty | 1/s |
| AP-022 | Alarm | Switch an alarm | alarmId, newState | Alarm update | No | nick must not be root | 1/s |
{DELETES}| AP-040 | Alarm | Delete an alarm | alarmId | 1 (Alarm) | No | openSince must be empty | 1/day |
| AP-041 | Alarm | Delete an alarm that is off | alarmId | 1 (Alarm) | No | state must not be ON | 1/day |
| AP-042 | Alarm | Delete an open alarm | alarmId | 1 (Alarm) | No | openSince must be set | 1/day |
"
    );
    let document = document(entities, reads, &writes);
    let row = proven(&document, "AP-040");
    assert!(row.contains("`attribute_exists(pk) AND attribute_not_exists(openSince)`"), "{row}");
    let row = designed(&document, "AP-041");
    assert!(row.contains("`attribute_exists(pk) AND #state <> 'ON'`"), "{row}");
    let row = designed(&document, "AP-021");
    assert!(row.contains("2. `attribute_exists(pk) AND attribute_not_exists(openSince)`"), "{row}");
    // What is held is held by something.
    let row = designed(&document, "AP-042");
    assert!(row.contains("| `attribute_exists(openSince)` "), "{row}");
}

#[test]
fn an_item_is_named_by_what_points_to_the_same() {
    let entities = "### User
- **Attributes**:
  - `userId` (uuid, id)
### Channel
- **Attributes**:
  - `channelId` (ulid, id)
### Member
- **Attributes**:
  - `channelId` (ulid, id, ref Channel)
  - `userId` (uuid, id, ref User)
  - `posts` (integer, mutable, max 99999)
### Message
- **Attributes**:
  - `channelId` (ulid, id, ref Channel)
  - `messageId` (ulid, id)
  - `authorId` (uuid, ref User)
";
    let reads = "| AP-001 | Message | Messages of a channel | channelId | Collection | - | Yes | 100/s |
| AP-002 | Member | Members of a channel | channelId | Collection | - | Yes | 100/s |
";
    let writes = "| AP-010 | Message | Post a message | channelId, authorId | Message | Yes | Member must exist | 10/s |
| AP-011 | Message | Post and count | channelId, authorId | Message + Member (posts +1) | Yes | Member must exist | 10/s |
| AP-012 | Member | Join | channelId, userId, posts = 0 | Member | No | Member must not exist | 1/s |
| AP-013 | User | Sign up | - | User | No | - | 1/s |
| AP-014 | Channel | Create a channel | - | Channel | No | - | 1/s |
";
    let document = document(entities, reads, writes);
    for pattern in ["AP-010", "AP-011"] {
        let row = proven(&document, pattern);
        assert!(
            row.contains("Member KEY pk = \"CHANNEL#<channelId>\" AND sk = \"MEMBER#<authorId>\""),
            "{row}"
        );
    }
}

const CHANNEL: &str = "### Channel
- **Attributes**:
  - `channelId` (ulid, id)
  - `name` (string)
### Member
- **Attributes**:
  - `channelId` (ulid, id, ref Channel)
  - `userId` (string, id)
- **Cardinality**: max 8 members per channel
";
const CHANNEL_READS: &str = "| AP-001 | Channel | Get a channel | channelId | Single | - | No | 50/s |
| AP-002 | Member | Members of a channel | channelId | Collection | userId ASC | No | 50/s |
";
const CHANNEL_WRITES: &str = "| AP-020 | Channel | Create a channel | channelId, name | 1 (Channel) | No | Channel must not exist | 1/s |
| AP-021 | Member | Join a channel | channelId, userId | 1 (Member) | Yes | Member must not exist; Channel must exist; max 8 members per channel | 10/s |
";
const LEAVE: &str =
    "| AP-040 | Member | Leave a channel | channelId, userId | 1 (Member) | Yes | Member must exist | 1/s |
";
const CLOSE: &str =
    "| AP-041 | Channel | Delete a channel | channelId | 1 (Channel) | No | Channel must exist | 1/min |
";

#[test]
fn what_a_parent_leaves_behind_can_still_go() {
    let whole = |deletes: &str| {
        document(CHANNEL, CHANNEL_READS, &format!("{CHANNEL_WRITES}{DELETES}{LEAVE}{deletes}"))
    };
    let row = proven(&whole(CLOSE), "AP-040");
    assert!(row.contains("Update MemberCount") && !row.contains("Channel"), "{row}");
    // Who takes the members along, or lets no channel go, keeps their number in the channel.
    let along = CLOSE.replace("1 (Channel)", "Channel + all Members");
    for deletes in ["", along.as_str()] {
        assert!(designed(&whole(deletes), "AP-040").contains("Update Channel"), "{deletes}");
    }
}

#[test]
fn who_can_not_go_once_the_parent_is_gone_is_found_whatever_the_seed() {
    let whole = |deletes: &str| {
        document(CHANNEL, CHANNEL_READS, &format!("{CHANNEL_WRITES}{DELETES}{LEAVE}{deletes}"))
    };
    // The number is in the channel, and then somebody deletes channels.
    let (_, design, _) = run(&whole(""), &["design"]);
    let close = designed(&whole(CLOSE), "AP-041");
    let rows = design
        .lines()
        .flat_map(|line| [Some(line), line.starts_with("| AP-040 |").then_some(close.as_str())]);
    let design: Vec<&str> = rows.flatten().collect();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table-design.md");
    fs::write(&path, design.join("\n")).unwrap();
    for seed in ["1", "2", "3", "4"] {
        let arguments = ["prove", "--design", path.to_str().unwrap(), "--scale", "60", "--seed", seed];
        let (code, said, _) = run(&whole(CLOSE), &arguments);
        assert_eq!(code, Some(1), "{said}");
        assert!(said.contains("AP-040 failed"), "{said}");
    }
}
