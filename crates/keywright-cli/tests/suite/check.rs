//! `keywright check` and `keywright model`, from the outside.

use std::fs;
use std::path::Path;
use std::process::Output;

use assert_cmd::Command;

const GOOD: &str = "# DynamoDB Access Patterns
> Application: Music

## Entities
### Song
- **Attributes**:
  - `songId` (ulid, id)
  - `title` (string)
- **Cardinality**: ~2M total

## Access Patterns
### Reads
| ID | Entity | Description | Input Parameters | Result | Sort | Paginated | Frequency | Consistency | Multi-Entity |
|---|---|---|---|---|---|---|---|---|---|
| AP-001 | Song | Get a song | songId | Single | - | No | Hot | Eventual | No |
| AP-002 | Song | Find songs by title | titlePrefix | Collection | title ASC | Yes | Warm | Eventual | No |

### Writes
| ID | Entity | Description | Input Parameters | Items Written | Transaction | Conditions | Frequency |
|---|---|---|---|---|---|---|---|
| AP-003 | Song | Add a song | title | 1 (Song) | No | Song must not exist | Warm |
";

/// Runs the program in a folder that holds a document, and returns what it said.
fn run(document: &[u8], arguments: &[&str]) -> Output {
    let folder = tempfile::tempdir().expect("there is a temporary folder");
    fs::write(folder.path().join("music.md"), document).expect("it takes a small file");
    let before = listing(folder.path());
    let output = program(folder.path(), arguments);
    assert_eq!(listing(folder.path()), before, "the program wrote a file");
    output
}

fn program(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::cargo_bin("keywright").expect("the program is built for its tests");
    command.current_dir(folder).args(arguments).output().expect("the program runs")
}

fn listing(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("its entries are readable").path())
        .collect();
    files.sort();
    files
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("the program writes UTF-8")
}

fn faulty() -> String {
    GOOD.replace("| AP-001 | Song |", "| AP-001 | Sogn |")
}

#[test]
fn a_good_document_holds() {
    let output = run(GOOD.as_bytes(), &["check", "music.md"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    assert!(!text(&output.stdout).contains("error") && !text(&output.stdout).contains("warning"));
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn an_error_is_shown_with_its_words_and_exit_1() {
    let output = run(faulty().as_bytes(), &["check", "music.md"]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stdout);
    assert!(said.contains("error[unknown-entity]: no entity is named `Sogn`"), "{said}");
    assert!(said.contains("--> music.md:15:12"), "{said}");
    assert!(said.contains("^^^^"), "{said}");
    assert!(said.contains("did you mean `Song`?"), "{said}");
    assert!(!said.contains('\u{1b}'), "colour belongs to terminals");
}

#[test]
fn assumptions_are_shown_listed_and_refused() {
    let statement = "read \"titlePrefix\" as a prefix of Song.title";
    let plain = run(GOOD.as_bytes(), &["check", "music.md"]);
    assert!(
        text(&plain.stdout).contains(&format!("note[assumption]: {statement}")),
        "{}",
        text(&plain.stdout)
    );

    let listed = run(faulty().as_bytes(), &["check", "--assumptions", "music.md"]);
    assert_eq!(listed.status.code(), Some(1), "the list leaves errors out, the exit code does not");
    let said = text(&listed.stdout);
    assert!(said.contains(statement) && said.contains("^^^^^^^^^^^"), "{said}");
    assert!(!said.contains("unknown-entity"), "{said}");

    let strict = run(GOOD.as_bytes(), &["check", "--strict", "music.md"]);
    assert_eq!(strict.status.code(), Some(1));
    assert!(text(&strict.stdout).contains(&format!("error[assumption]: {statement}")));
}

#[test]
fn an_allow_comment_with_a_reason_suppresses() {
    let allow = |reason: &str| {
        faulty()
            .replace("### Reads\n", &format!("### Reads\n<!-- keywright: allow unknown-entity{reason} -->\n"))
    };
    let allowed = run(allow(": the importer knows it").as_bytes(), &["check", "music.md"]);
    assert_eq!(allowed.status.code(), Some(0), "{}", text(&allowed.stdout));
    assert!(text(&allowed.stdout).contains("1 allowed"), "{}", text(&allowed.stdout));
    let without_reason = run(allow("").as_bytes(), &["check", "music.md"]);
    assert_eq!(without_reason.status.code(), Some(1));
    assert!(text(&without_reason.stdout).contains("warning[allow-without-reason]"));
    let unused = GOOD.replace("### Reads\n", "<!-- keywright: allow unknown-entity: old -->\n### Reads\n");
    let unused = run(unused.as_bytes(), &["check", "music.md"]);
    assert!(text(&unused.stdout).contains("warning[unused-allow]"), "{}", text(&unused.stdout));
}

#[test]
fn machine_formats_say_the_same() {
    let json = run(faulty().as_bytes(), &["check", "--format", "json", "music.md"]);
    assert_eq!(json.status.code(), Some(1));
    let report: serde_json::Value = serde_json::from_str(text(&json.stdout)).unwrap();
    let schema = keywright_finding::render::json_schema().to_value();
    assert!(jsonschema::is_valid(&schema, &report));
    let findings = report["findings"].as_array().unwrap();
    let unknown = findings.iter().find(|finding| finding["rule"] == "unknown-entity").unwrap();
    assert_eq!((&unknown["file"], &unknown["start"]["line"]), (&"music.md".into(), &15.into()));
    assert_eq!(report["summary"]["errors"], 1);

    let sarif = run(faulty().as_bytes(), &["check", "--format", "sarif", "music.md"]);
    assert_eq!(sarif.status.code(), Some(1));
    let log: serde_json::Value = serde_json::from_str(text(&sarif.stdout)).unwrap();
    assert_eq!(log["runs"][0]["results"].as_array().unwrap().len(), findings.len());
    assert_eq!(log["runs"][0]["columnKind"], "unicodeCodePoints");

    let github = run(faulty().as_bytes(), &["check", "--format", "github", "music.md"]);
    assert_eq!(github.status.code(), Some(1));
    assert_eq!(text(&github.stdout).lines().count(), findings.len());
    assert!(
        text(&github.stdout)
            .contains("::error file=music.md,line=15,endLine=15,col=12,endColumn=16,title=unknown-entity::")
    );
}

#[test]
fn findings_come_in_source_order_and_are_the_same_every_time() {
    let document = faulty().replace("| AP-003 | Song |", "| AP-001 | Snog |");
    let lines = |output: &Output| -> Vec<u64> {
        let report: serde_json::Value =
            serde_json::from_str(text(&output.stdout)).expect("the report is JSON");
        let offsets = report["findings"].as_array().expect("it lists findings").iter();
        offsets.map(|finding| finding["start"]["offset"].as_u64().expect("they have places")).collect()
    };
    let first = run(document.as_bytes(), &["check", "--format", "json", "music.md"]);
    let second = run(document.as_bytes(), &["check", "--format", "json", "music.md"]);
    assert_eq!(first.stdout, second.stdout);
    assert!(lines(&first).len() >= 4 && lines(&first).is_sorted(), "{:?}", lines(&first));
}

#[test]
fn what_can_not_be_read_gets_one_line_and_exit_2() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("empty.md"), "").unwrap();
    fs::write(folder.path().join("blank.md"), "\u{feff} \r\n\n").unwrap();
    fs::write(folder.path().join("bytes.md"), b"# A\n\xff\xfe").unwrap();
    fs::write(folder.path().join("good.md"), GOOD).unwrap();
    fs::create_dir(folder.path().join("folder.md")).unwrap();
    let before = listing(folder.path());
    for (file, why) in [
        ("missing.md", "no such file"),
        ("folder.md", "is a folder, not a document"),
        ("bytes.md", "is not UTF-8 text (byte 4 is where it stops being one)"),
        ("empty.md", "is empty"),
        ("blank.md", "is empty"),
        ("good.md/inside.md", "can't be read"),
    ] {
        for arguments in [&["check", file][..], &["check", "good.md", file], &["model", file]] {
            let output = program(folder.path(), arguments);
            let said = text(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
            assert_eq!(said.lines().count(), 1, "{said}");
            assert!(said.starts_with(&format!("error: {file}: {why}")), "{said}");
            assert_eq!(text(&output.stdout), "");
        }
    }
    assert_eq!(listing(folder.path()), before, "the program wrote a file");
}

#[test]
fn every_document_that_can_not_be_read_gets_its_line() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("empty.md"), "").unwrap();
    fs::write(folder.path().join("good.md"), GOOD).unwrap();
    let output = program(folder.path(), &["check", "missing.md", "good.md", "empty.md", ".", "--fix"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(text(&output.stdout), "");
    assert_eq!(
        text(&output.stderr),
        "error: missing.md: no such file\nerror: empty.md: is empty\nerror: .: is a folder, not a document\n"
    );
    assert_eq!(fs::read_to_string(folder.path().join("good.md")).unwrap(), GOOD);
}

#[cfg(unix)]
#[test]
fn what_may_not_be_read_gets_one_line_and_exit_2() {
    use std::os::unix::fs::PermissionsExt;

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("secret.md");
    fs::write(&path, GOOD).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(&path).is_ok() {
        // Whoever may read everything can't be refused.
        return;
    }
    let output = program(folder.path(), &["check", "secret.md"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).starts_with("error: secret.md: can't be read"));
}

#[test]
fn a_wrong_call_ends_with_exit_2() {
    assert_eq!(run(b"", &["check"]).status.code(), Some(2));
    assert_eq!(run(GOOD.as_bytes(), &["check", "--format", "xml", "music.md"]).status.code(), Some(2));
}

#[test]
fn several_documents_are_reported_together() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.md"), faulty()).unwrap();
    fs::write(folder.path().join("b.md"), faulty()).unwrap();
    let output = program(folder.path(), &["check", "b.md", "a.md"]);
    let said = text(&output.stdout);
    let (first, second) = (said.find("b.md:15:12").unwrap(), said.find("a.md:15:12").unwrap());
    assert!(first < second, "{said}");
    assert!(said.trim_end().lines().last().unwrap().starts_with("2 errors"), "{said}");
}

#[test]
fn the_model_is_printed_for_people_and_programs() {
    let outline = run(GOOD.as_bytes(), &["model", "music.md"]);
    assert_eq!(outline.status.code(), Some(0), "{}", text(&outline.stderr));
    insta::assert_snapshot!(text(&outline.stdout));

    let json = run(GOOD.as_bytes(), &["model", "music.md", "--format", "json"]);
    let model: serde_json::Value = serde_json::from_str(text(&json.stdout)).unwrap();
    assert!(jsonschema::is_valid(&keywright_model::schema::model().to_value(), &model));
    assert_eq!(model["entities"][0]["name"], "Song");
    assert_eq!(model["patterns"][0]["id"], "AP-001");
    assert_eq!(model["patterns"][0]["kind"], "read");
}

#[test]
fn twenty_thousand_findings_are_reported() {
    let mut document = GOOD.replace("### Writes", "\n### Writes");
    let (head, tail) = document.split_once("| AP-001").unwrap();
    let rows: String = (0..100_000)
        .map(|n| format!("| AP-{n} | Sang{n} | Get it | songId | Single | - | No | Hot | Eventual | No |\n"))
        .collect();
    document = format!("{head}{rows}| AP-001{tail}");
    let output = run(document.as_bytes(), &["check", "music.md"]);
    assert_eq!(output.status.code(), Some(1));
    let summary = text(&output.stdout).trim_end().lines().last().unwrap();
    let errors: usize = summary.split(' ').next().unwrap().parse().unwrap();
    assert!(errors >= 20_000, "{summary}");
}

#[test]
fn a_document_without_patterns_does_not_pass_in_silence() {
    let entities = GOOD.split("## Access Patterns").next().expect("it begins with its entities");
    let output = run(entities.as_bytes(), &["check", "music.md"]);
    assert!(text(&output.stdout).contains("this document has no access patterns"));
    let output = run(GOOD.as_bytes(), &["check", "music.md"]);
    assert!(!text(&output.stdout).contains("this document has no access patterns"));
}
