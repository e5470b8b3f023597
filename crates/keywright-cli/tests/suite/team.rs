//! What a team needs of `keywright check`: fixes, baselines, a shared configuration, allow comments.

use std::fs;
use std::path::Path;
use std::process::Output;

use assert_cmd::Command;

/// A design by hand with CRLF at some line ends, odd blanks and no last newline: none of that is a fix's business.
const DESIGN: &str = "# DynamoDB Table Design\r\n\n\
## Entity Key Design   \n\
| Entity | PK | SK |\n|---|:--|---|\n\
| Customer | `CUSTOMER#<customerId>` | `CUSTOMER#<customerId>` |\n\
| Order |  `CUSTOMER#<customerId>` | `ORDER#<orderId>` |\r\n\n\
## Access Pattern Mapping\n### Reads\n\
| AP ID | Description | Operation | Table/GSI | PK | SK Condition | SK Value | Params |\n|---|---|---|---|---|---|---|---|\n\
| AP-001 | Get a customer – ö | Query | Table | `CUSTOMER#<customerId>` | = | `CUSTOMER#<customerId>` | - |\n\
| AP-002 | List orders |   Query | Table | `CUSTOMER#<customerId>` | begins_with | `ORDER` | ScanIndexForward=false |\n\n\
Words at the end";

struct Team {
    folder: tempfile::TempDir,
}

impl Team {
    fn new() -> Self {
        let team = Team { folder: tempfile::tempdir().expect("there is a temporary folder") };
        team.write("service/docs/table-design.md", DESIGN);
        team
    }

    fn write(&self, file: &str, text: &str) {
        let path = self.folder.path().join(file);
        fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("a folder can be made");
        fs::write(path, text).expect("it takes a small file");
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.folder.path().join(file)).expect("the file is there")
    }

    fn check(&self, arguments: &[&str]) -> Output {
        run(self.folder.path(), &[&["check"], arguments].concat())
    }

    /// The rules that speak, each with its level.
    fn said(&self, arguments: &[&str]) -> Vec<(String, String)> {
        let output = self.check(&[&["--format", "json"], arguments].concat());
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("the report is JSON");
        let field =
            |finding: &serde_json::Value, name: &str| finding[name].as_str().unwrap_or_default().to_owned();
        let findings = report["findings"].as_array().expect("it lists findings");
        findings.iter().map(|finding| (field(finding, "rule"), field(finding, "level"))).collect()
    }

    fn rules(&self, arguments: &[&str]) -> Vec<String> {
        self.said(arguments).into_iter().map(|(rule, _)| rule).collect()
    }
}

const DOCUMENT: &str = "service/docs/table-design.md";

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::cargo_bin("keywright").expect("the program is built for its tests");
    command.current_dir(folder).args(arguments).output().expect("the program runs")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("the program writes UTF-8")
}

/// The design as its fixes leave it.
fn mended() -> String {
    DESIGN
        .replace("| Get a customer – ö | Query |", "| Get a customer – ö | GetItem |")
        .replace("`ORDER` |", "`ORDER#` |")
}

#[test]
fn fixes_are_written_and_the_rest_stays_byte_for_byte() {
    let team = Team::new();
    assert!(team.rules(&[DOCUMENT]).contains(&"open-prefix".to_owned()));
    let output = team.check(&["--fix", DOCUMENT]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    assert_eq!(team.read(DOCUMENT), mended());
    let left = team.rules(&[DOCUMENT]);
    assert!(!left.iter().any(|rule| rule == "open-prefix" || rule == "full-key-query"), "{left:?}");
    // Nothing is left to change, so nothing changes.
    let again = team.check(&["--fix", "--diff", DOCUMENT]);
    assert_eq!((again.status.code(), text(&again.stdout)), (Some(0), ""));
}

#[test]
fn a_diff_is_shown_and_nothing_is_written() {
    let team = Team::new();
    let output = team.check(&["--fix", "--diff", DOCUMENT]);
    assert_eq!(output.status.code(), Some(1), "there is something to change");
    let diff = text(&output.stdout);
    assert!(diff.starts_with(&format!("--- a/{DOCUMENT}\n+++ b/{DOCUMENT}\n@@ ")), "{diff}");
    let changed = |sign: &str, header: &str| {
        diff.lines().filter(|line| line.starts_with(sign) && !line.starts_with(header)).count()
    };
    assert_eq!((changed("-", "---"), changed("+", "+++")), (2, 2), "{diff}");
    assert!(diff.contains(
        "+| AP-002 | List orders |   Query | Table | `CUSTOMER#<customerId>` | begins_with | `ORDER#` |"
    ));
    assert_eq!(team.read(DOCUMENT), DESIGN);
    let without = team.check(&["--diff", DOCUMENT]);
    assert_eq!(without.status.code(), Some(2), "a diff of what?");
}

#[test]
fn what_is_allowed_is_not_fixed() {
    let team = Team::new();
    let allowed = DESIGN.replace(
        "### Reads\n",
        "### Reads\n\n<!-- keywright: allow open-prefix: there is no other prefix like it -->\n\n",
    );
    team.write(DOCUMENT, &allowed);
    assert_eq!(team.check(&["--fix", DOCUMENT]).status.code(), Some(0));
    assert_eq!(
        team.read(DOCUMENT),
        allowed.replace("| Get a customer – ö | Query |", "| Get a customer – ö | GetItem |")
    );
}

#[test]
fn a_baseline_accepts_what_is_there_and_fails_on_what_is_new() {
    let team = Team::new();
    let scan = "| AP-003 | All orders | Scan | Table | - | - | - | - |\n";
    let with_scan = DESIGN.replace("\n\nWords", &format!("\n{scan}\nWords"));
    team.write(DOCUMENT, &with_scan);
    assert_eq!(team.check(&[DOCUMENT]).status.code(), Some(1));

    let first = team.check(&["--baseline", "accepted.json", DOCUMENT]);
    assert_eq!(first.status.code(), Some(0), "{}", text(&first.stderr));
    assert!(text(&first.stdout).starts_with("accepted "), "{}", text(&first.stdout));
    let second = team.check(&["--baseline", "accepted.json", DOCUMENT]);
    assert_eq!(second.status.code(), Some(0), "{}", text(&second.stdout));
    assert!(text(&second.stdout).contains(" in the baseline"), "{}", text(&second.stdout));

    // Lines above move what was accepted; a further Scan is new.
    let moved = with_scan.replace("## Entity Key Design", "Some words.\n\n## Entity Key Design");
    team.write(DOCUMENT, &moved);
    assert_eq!(team.check(&["--baseline", "accepted.json", DOCUMENT]).status.code(), Some(0));
    team.write(DOCUMENT, &moved.replace(scan, &format!("{scan}{}", scan.replace("AP-003", "AP-004"))));
    let new = team.check(&["--baseline", "accepted.json", DOCUMENT]);
    assert_eq!(new.status.code(), Some(1));
    assert_eq!(text(&new.stdout).matches("error[scan]").count(), 1, "{}", text(&new.stdout));

    team.write("broken.json", "{");
    let broken = team.check(&["--baseline", "broken.json", DOCUMENT]);
    assert_eq!(broken.status.code(), Some(2));
    assert!(text(&broken.stderr).contains("broken.json is not a baseline file"), "{}", text(&broken.stderr));
}

#[test]
fn levels_come_from_the_nearest_file_above() {
    let team = Team::new();
    let level = |rule: &str| {
        team.said(&[DOCUMENT]).into_iter().find(|(name, _)| name == rule).map(|(_, level)| level)
    };
    assert_eq!(level("open-prefix").as_deref(), Some("warning"));
    team.write("keywright.toml", "[levels]\nopen-prefix = \"error\"\nfull-key-query = \"off\"\n");
    assert_eq!(level("open-prefix").as_deref(), Some("error"));
    assert_eq!(level("full-key-query"), None);
    assert_eq!(team.check(&[DOCUMENT]).status.code(), Some(1));
    // What is off is not fixed either.
    let diff = team.check(&["--fix", "--diff", DOCUMENT]);
    assert!(!text(&diff.stdout).contains("GetItem"), "{}", text(&diff.stdout));

    team.write("service/keywright.toml", "[levels]\nopen-prefix = \"note\"\n");
    assert_eq!(level("open-prefix").as_deref(), Some("note"));
    assert_eq!(level("full-key-query").as_deref(), Some("note"), "the nearest file counts alone");
}

#[test]
fn the_customs_of_keys_come_from_the_file() {
    let team = Team::new();
    assert!(!team.rules(&[DOCUMENT]).contains(&"mixed-separators".to_owned()));
    team.write("keywright.toml", "separator = \"|\"\n");
    assert!(team.rules(&[DOCUMENT]).contains(&"mixed-separators".to_owned()));
    team.write("keywright.toml", "prefixes = \"lower\"\n");
    assert!(team.rules(&[DOCUMENT]).contains(&"lower-case-prefix".to_owned()));
    team.write("keywright.toml", "prefixes = \"upper\"\nseparator = \"#\"\n");
    let said = team.rules(&[DOCUMENT]);
    assert!(!said.iter().any(|rule| rule == "lower-case-prefix" || rule == "mixed-separators"), "{said:?}");
}

#[test]
fn a_file_that_says_nonsense_ends_the_run() {
    let team = Team::new();
    for (config, why) in [
        (
            "[levels]\nopen-prefx = \"error\"\n",
            "there is no rule named `open-prefx`; did you mean `open-prefix`?",
        ),
        ("[levels]\nopen-prefix = \"loud\"\n", "open-prefix: "),
        ("prefixes = \"camel\"\n", "`camel` is not a case of prefixes"),
        ("region = \"mars-1\"\n", "there are no prices for `mars-1`, only for "),
        ("style = \"baroque\"\n", "unknown variant `baroque`"),
        ("colour = true\n", "unknown field `colour`"),
        ("levels = ", "is not valid TOML or has an unknown setting"),
    ] {
        team.write("keywright.toml", config);
        let output = team.check(&[DOCUMENT]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{config}: {said}");
        assert!(said.contains("keywright.toml") && said.contains(why), "{config}: {said}");
        assert_eq!(text(&output.stdout), "");
    }
}

#[test]
fn style_and_prices_of_designs_come_from_the_file() {
    let team = Team::new();
    let document = "service/access-patterns.md";
    team.write(
        document,
        "## Entities\n### Song\n- **Attributes**:\n  - `songId` (ulid, id)\n  - `title` (string)\n- **Cardinality**: ~2M total\n\n\
         ## Access Patterns\n### Reads\n| ID | Entity | Description | Input Parameters | Result | Frequency |\n|---|---|---|---|---|---|\n\
         | AP-001 | Song | Get a song | songId | Single | 250/s |\n",
    );
    let design = || {
        let output = run(team.folder.path(), &["design", document, "--format", "json"]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let design: serde_json::Value = serde_json::from_slice(&output.stdout).expect("the design is JSON");
        (design["style"].clone(), design["total"]["bill"].clone())
    };
    let plain = design();
    team.write(
        "keywright.toml",
        "region = \"far-away-1\"\n[[prices]]\nregion = \"far-away-1\"\nmillionReadUnits = \"9\"\nmillionWriteUnits = \"9\"\n\
         gbMonth = \"9\"\nreadUnitHour = \"9\"\nwriteUnitHour = \"9\"\n",
    );
    let elsewhere = design();
    assert_ne!(plain.1, elsewhere.1, "prices differ between regions");
    team.write("keywright.toml", "style = \"multi-table\"\n");
    assert_eq!(design().0, "multi-table");
}

#[test]
fn each_document_is_judged_by_the_file_nearest_to_it() {
    let team = Team::new();
    team.write("other/table-design.md", DESIGN);
    team.write("service/keywright.toml", "[levels]\nopen-prefix = \"error\"\n");
    team.write("other/keywright.toml", "[levels]\nopen-prefix = \"off\"\n");
    let other = "other/table-design.md";
    for documents in [[DOCUMENT, other], [other, DOCUMENT]] {
        let said = team.said(&documents);
        let prefixes: Vec<&(String, String)> =
            said.iter().filter(|(rule, _)| rule == "open-prefix").collect();
        assert_eq!(prefixes, [&("open-prefix".to_owned(), "error".to_owned())], "{documents:?}");
        assert_eq!(said.iter().filter(|(rule, _)| rule == "full-key-query").count(), 2);
    }
}
