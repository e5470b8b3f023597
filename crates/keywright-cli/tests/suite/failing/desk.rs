//! A document, an earlier output, and the program at work on them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

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
pub(crate) struct Desk {
    folder: tempfile::TempDir,
}

impl Desk {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("notes.md"), DOCUMENT).unwrap();
        fs::create_dir(folder.path().join("out")).unwrap();
        fs::write(folder.path().join("out/table-design.md"), "earlier").unwrap();
        Desk { folder }
    }

    pub(crate) fn out(&self) -> PathBuf {
        self.at("out")
    }

    pub(crate) fn command(&self, command: &str) -> Command {
        self.command_at(command, "12")
    }

    pub(crate) fn command_at(&self, command: &str, scale: &str) -> Command {
        let mut keywright = Command::new(assert_cmd::cargo::cargo_bin("keywright"));
        keywright
            .arg(command)
            .arg(self.at("notes.md"))
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

    /// A place on the desk.
    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The same command where no file can be larger than so many blocks of 512 bytes: it stands in for a disk that is
    /// full in the middle of a file.
    #[cfg(unix)]
    pub(crate) fn on_a_full_disk(command: &Command, blocks: u32) -> Command {
        let mut shell = Command::new("sh");
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        shell.args(["-c", &script]).arg(command.get_program()).args(command.get_args());
        let variables = command.get_envs().filter_map(|(name, value)| Some((name, value?)));
        shell.envs(variables).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        shell
    }

    /// The earlier output is as it was, and alone.
    pub(crate) fn is_untouched(&self) -> bool {
        let names: Vec<_> = fs::read_dir(self.out()).unwrap().map(|it| it.unwrap().file_name()).collect();
        names == ["table-design.md"]
            && fs::read_to_string(self.out().join("table-design.md")).unwrap() == "earlier"
    }
}

/// What the program said on standard error.
pub(crate) fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A large proof whose tables are on a temporary file, in a folder of its own.
#[cfg(unix)]
pub(crate) fn large(desk: &Desk) -> (Command, PathBuf) {
    let temporary = desk.at("temporary");
    fs::create_dir(&temporary).unwrap();
    let mut command = desk.command_at("build", "100000");
    command.env("TMPDIR", &temporary).stdout(Stdio::piped()).stderr(Stdio::piped());
    (command, temporary)
}

#[cfg(unix)]
pub(crate) fn is_empty(folder: &Path) -> bool {
    fs::read_dir(folder).unwrap().next().is_none()
}
