//! What the world can do to `keywright prove` and `keywright build`: a clear word, nothing left behind, nothing half done.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod faulty;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use faulty::{Fate, Faulty};

const DOCUMENT: &str = "# DynamoDB Access Patterns

> Application: Notes

## Entities

### Note
- **Attributes**:
  - `noteId` (ulid, id)
  - `author` (string)
  - `title` (string, mutable)
  - `writtenAt` (datetime)
- **Cardinality**: ~20 notes per author, ~1K total

## Access Patterns

### Reads
| ID | Entity | Description | Input Parameters | Result | Sort | Paginated | Frequency | Consistency | Multi-Entity |
|---|---|---|---|---|---|---|---|---|---|
| AP-001 | Note | Get a note | noteId | Single | - | No | Warm | Eventual | No |
| AP-002 | Note | Notes of an author, newest first | author | Collection | writtenAt DESC | Yes | Warm | Eventual | No |

### Writes
| ID | Entity | Description | Input Parameters | Items Written | Transaction | Conditions | Frequency |
|---|---|---|---|---|---|---|---|
| AP-003 | Note | Create a note | author, title | 1 (Note) | No | - | Warm |
| AP-004 | Note | Change the title | noteId, newTitle | Note update | No | Note must exist | Cold |
";

/// A folder with the document and an earlier output.
struct Desk {
    folder: tempfile::TempDir,
}

impl Desk {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("notes.md"), DOCUMENT).unwrap();
        fs::create_dir(folder.path().join("out")).unwrap();
        fs::write(folder.path().join("out/table-design.md"), "earlier").unwrap();
        Desk { folder }
    }

    fn out(&self) -> PathBuf {
        self.folder.path().join("out")
    }

    fn command(&self, command: &str) -> Command {
        self.command_at(command, "12")
    }

    fn command_at(&self, command: &str, scale: &str) -> Command {
        let mut keywright = Command::new(assert_cmd::cargo::cargo_bin("keywright"));
        keywright
            .arg(command)
            .arg(self.folder.path().join("notes.md"))
            .args(["--scale", scale])
            .stdin(Stdio::null())
            .env("AWS_ACCESS_KEY_ID", "test")
            .env("AWS_SECRET_ACCESS_KEY", "test")
            .env("AWS_REGION", "us-east-1");
        if command == "build" {
            keywright.arg("--out").arg(self.out());
        }
        keywright
    }

    /// The earlier output is as it was, and alone.
    fn is_untouched(&self) -> bool {
        let names: Vec<_> = fs::read_dir(self.out()).unwrap().map(|it| it.unwrap().file_name()).collect();
        names == ["table-design.md"]
            && fs::read_to_string(self.out().join("table-design.md")).unwrap() == "earlier"
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn an_endpoint_that_behaves_proves_and_is_left_as_it_was() {
    let (desk, endpoint) = (Desk::new(), Faulty::start(|_, _| Fate::Served));
    let output = desk.command("build").args(["--endpoint", &endpoint.url()]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(String::from_utf8_lossy(&output.stdout).contains("proven     4 of 4"));
    assert_eq!(endpoint.tables(), Vec::<String>::new());
    assert!(!desk.is_untouched());
}

#[test]
fn keep_leaves_the_tables() {
    let (desk, endpoint) = (Desk::new(), Faulty::start(|_, _| Fate::Served));
    let output = desk.command("prove").args(["--keep", "--endpoint", &endpoint.url()]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let tables = endpoint.tables();
    assert!(tables.len() == 1 && tables[0].starts_with("keywright-Notes-"), "{tables:?}");
}

#[test]
fn wrong_credentials_are_said_once_and_not_tried_again() {
    let desk = Desk::new();
    let endpoint = Faulty::start(|_, _| Fate::Refused("UnrecognizedClientException"));
    for command in ["prove", "build"] {
        let before = endpoint.seen().len();
        let output = desk.command(command).args(["--endpoint", &endpoint.url()]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
        assert!(said(&output).contains("credentials"), "{}", said(&output));
        assert_eq!(endpoint.seen().len(), before + 1, "{:?}", endpoint.seen());
    }
    assert!(desk.is_untouched());
}

#[test]
fn a_moment_of_throttling_is_waited_for() {
    let desk = Desk::new();
    let endpoint = Faulty::start(|operation, before| match (operation, before) {
        ("PutItem", 1 | 2 | 5) => Fate::Refused("ProvisionedThroughputExceededException"),
        _ => Fate::Served,
    });
    let output = desk.command("prove").args(["--endpoint", &endpoint.url()]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert_eq!(endpoint.tables(), Vec::<String>::new());
}

#[test]
fn throttling_without_end_is_given_up_and_the_table_is_gone() {
    let desk = Desk::new();
    let endpoint = Faulty::start(|operation, _| match operation {
        "PutItem" => Fate::Refused("ProvisionedThroughputExceededException"),
        _ => Fate::Served,
    });
    let output = desk.command("build").args(["--endpoint", &endpoint.url()]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("still throttled after 8 attempts"), "{}", said(&output));
    assert_eq!(endpoint.count("PutItem"), 8);
    assert_eq!(endpoint.tables(), Vec::<String>::new());
    assert!(desk.is_untouched());
}

#[test]
fn a_write_whose_connection_was_cut_is_not_repeated_and_the_table_is_gone() {
    let desk = Desk::new();
    let endpoint = Faulty::start(|operation, before| match (operation, before) {
        ("PutItem", 3) => Fate::Cut,
        _ => Fate::Served,
    });
    let output = desk.command("build").args(["--endpoint", &endpoint.url()]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("the connection was lost during PutItem"), "{}", said(&output));
    assert_eq!(endpoint.count("PutItem"), 4);
    assert_eq!(endpoint.tables(), Vec::<String>::new());
    assert!(desk.is_untouched());
}

#[test]
fn a_table_whose_creation_was_cut_is_gone() {
    let desk = Desk::new();
    let endpoint = Faulty::start(|operation, _| match operation {
        "CreateTable" => Fate::Cut,
        _ => Fate::Served,
    });
    let output = desk.command("prove").args(["--endpoint", &endpoint.url()]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert_eq!(endpoint.tables(), Vec::<String>::new());
}

#[test]
fn wrong_answers_are_failures_and_nothing_is_written() {
    let desk = Desk::new();
    let endpoint = Faulty::start(|operation, _| match operation {
        "Query" => Fate::Emptied,
        _ => Fate::Served,
    });
    let mut command = desk.command("build");
    let mut child = command
        .args(["--endpoint", &endpoint.url()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // An eventual read is given time to catch up, several times over.
    let patience = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(patience.elapsed() < Duration::from_secs(240), "it never ends");
        std::thread::sleep(Duration::from_millis(50));
    }
    let output = child.wait_with_output().unwrap();
    let shown = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{shown}");
    assert!(shown.contains("AP-002 failed:") && shown.contains("not: AP-002"), "{shown}");
    assert!(shown.contains("written    nothing"), "{shown}");
    assert_eq!(endpoint.tables(), Vec::<String>::new());
    assert!(desk.is_untouched());
}

#[test]
fn an_output_folder_that_is_a_file_is_said_and_left() {
    let desk = Desk::new();
    let file = desk.folder.path().join("file");
    fs::write(&file, "mine").unwrap();
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("keywright"));
    command.arg("build").arg(desk.folder.path().join("notes.md")).args(["--scale", "12", "--out"]).arg(&file);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("can't create"), "{}", said(&output));
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
}

/// A limit on the size of files stands in for a disk that is full in the middle of a file.
#[cfg(unix)]
#[test]
fn a_full_disk_is_said_and_nothing_is_half_written() {
    let desk = Desk::new();
    let command = desk.command("build");
    let mut shell = Command::new("sh");
    shell.args(["-c", "trap '' XFSZ; ulimit -f 4; exec \"$0\" \"$@\""]).arg(command.get_program());
    let output = shell.args(command.get_args()).stdin(Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("can't write"), "{}", said(&output));
    assert!(desk.is_untouched());
}

#[cfg(unix)]
#[test]
fn ctrl_c_deletes_the_table_and_ends_with_an_error() {
    let (desk, endpoint) = (Desk::new(), Faulty::start(|_, _| Fate::Served));
    let mut command = desk.command_at("build", "100000");
    let child = command
        .args(["--endpoint", &endpoint.url()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let patience = Instant::now();
    while endpoint.count("PutItem") < 20 {
        assert!(patience.elapsed() < Duration::from_secs(120), "it never starts");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(endpoint.tables().len(), 1);
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("interrupted"), "{}", said(&output));
    assert_eq!(endpoint.tables(), Vec::<String>::new());
    assert!(desk.is_untouched());
}

/// A large proof whose tables are on a temporary file, in a folder of its own.
#[cfg(unix)]
fn large(desk: &Desk) -> (Command, PathBuf) {
    let temporary = desk.folder.path().join("temporary");
    fs::create_dir(&temporary).unwrap();
    let mut command = desk.command_at("build", "100000");
    command.env("TMPDIR", &temporary).stdout(Stdio::piped()).stderr(Stdio::piped());
    (command, temporary)
}

#[cfg(unix)]
fn is_empty(folder: &Path) -> bool {
    fs::read_dir(folder).unwrap().next().is_none()
}

#[cfg(unix)]
#[test]
fn ctrl_c_removes_the_temporary_file_of_a_large_proof() {
    let desk = Desk::new();
    let (mut command, temporary) = large(&desk);
    let child = command.spawn().unwrap();
    let patience = Instant::now();
    let begun = || {
        fs::read_dir(&temporary).unwrap().any(|it| {
            fs::metadata(it.unwrap().path().join("tables-wal")).is_ok_and(|wal| wal.len() > 300_000)
        })
    };
    while !begun() {
        assert!(patience.elapsed() < Duration::from_secs(120), "it never starts");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("interrupted"), "{}", said(&output));
    assert!(is_empty(&temporary) && desk.is_untouched());
}

/// Here the disk is full while the tables are filled, not when the documents are written.
#[cfg(unix)]
#[test]
fn a_full_disk_under_a_large_proof_is_said_and_nothing_stays() {
    let desk = Desk::new();
    let (command, temporary) = large(&desk);
    let mut shell = Command::new("sh");
    shell.args(["-c", "trap '' XFSZ; ulimit -f 900; exec \"$0\" \"$@\""]).arg(command.get_program());
    shell.args(command.get_args()).env("TMPDIR", &temporary).stdin(Stdio::null());
    let output = shell.output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("no proof on embedded engine"), "{}", said(&output));
    assert!(is_empty(&temporary) && desk.is_untouched());
}

#[test]
fn a_dead_endpoint_is_said() {
    let desk = Desk::new();
    let output = desk.command("prove").args(["--endpoint", "http://127.0.0.1:1"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("can't reach http://127.0.0.1:1"), "{}", said(&output));
    assert!(Path::new(&desk.out()).is_dir() && desk.is_untouched());
}
