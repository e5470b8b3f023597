//! One report in all four forms.

#![cfg(feature = "render")]

use keywright_finding::render::{Human, github, human, json, sarif};
use keywright_finding::{
    Catalogue, Edit, Finding, Fix, Group, Level, Levels, Policy, Report, Rule, Source, Sources, Span,
};

static UNKNOWN: Rule =
    Rule::error("unknown-entity", Group::Patterns, "an entity that is not declared", "# unknown-entity");
static VAGUE: Rule =
    Rule::warning("vague-pattern", Group::Patterns, "words that say nothing", "# vague-pattern");
static ASSUMPTION: Rule =
    Rule::note("assumption", Group::Document, "what was inferred", "# assumption").refused_when_strict();

const TEXT: &str = "# Ürlaub 🎵\r\n### Customer\r\n| AP-001 | Custmer | handle it |\r\n<!-- keywright: allow vague-pattern: see the ticket -->\r\n| AP-002 | Customer | handle it |\r\n";

fn span_of(words: &str) -> Span {
    let at = TEXT.find(words).expect("the words are in the text");
    (at..at + words.len()).into()
}

fn policy(strict: bool) -> Policy {
    let mut policy = Policy::new(Catalogue::new(&[&[&UNKNOWN, &VAGUE, &ASSUMPTION]])).judged_by([
        &UNKNOWN,
        &VAGUE,
        &ASSUMPTION,
    ]);
    policy.levels = Levels::new().strict(strict);
    policy
}

fn report(strict: bool) -> (Report, Sources) {
    let sources = Sources::from(Source::new("docs/access patterns.md", TEXT));
    let handle: Vec<_> =
        TEXT.match_indices("handle it").map(|(at, words)| (at..at + words.len()).into()).collect();
    let findings = vec![
        Finding::new(&UNKNOWN, span_of("Custmer"), "no entity is named `Custmer`")
            .help("did you mean `Customer`?")
            .related(span_of("Customer"), "declared here")
            .fix(Fix::new("Write `Customer`", [Edit::replace(span_of("Custmer"), "Customer")])),
        Finding::new(&VAGUE, handle[0], "\"handle\" does not say what is read")
            .help("say what\nis read: 100 %"),
        Finding::new(&VAGUE, handle[1], "\"handle\" does not say what is read"),
        Finding::new(&ASSUMPTION, span_of("🎵"), "read \"🎵\" as music"),
        Finding::new(&ASSUMPTION, span_of("Ürlaub"), "read \"Ürlaub\" as a holiday"),
    ];
    (Report::new(findings, &sources, &policy(strict)), sources)
}

fn written(write: impl FnOnce(&mut dyn std::io::Write) -> std::io::Result<()>) -> String {
    let mut out = Vec::new();
    write(&mut out).expect("memory takes everything");
    String::from_utf8(out).expect("reports are UTF-8")
}

#[test]
fn people_see_the_words_and_what_to_do() {
    let (report, sources) = report(false);
    insta::assert_snapshot!(written(|out| human(&report, &sources, Human::default(), out)));
}

#[test]
fn strict_runs_show_assumptions_as_errors() {
    let (report, sources) = report(true);
    assert_eq!(report.counts().errors, 3);
    insta::assert_snapshot!(written(|out| human(&report, &sources, Human::default(), out)));
}

#[test]
fn a_limit_keeps_the_most_important_and_counts_the_rest() {
    let (report, sources) = report(false);
    let look = Human { limit: Some(1), ..Human::default() };
    let text = written(|out| human(&report, &sources, look, out));
    assert!(text.contains("unknown-entity") && !text.contains("vague-pattern"), "{text}");
    assert!(text.contains("… and 3 more"), "{text}");
}

#[test]
fn colour_is_only_there_when_asked_for() {
    let (report, sources) = report(false);
    let plain = written(|out| human(&report, &sources, Human::default(), out));
    let coloured = written(|out| human(&report, &sources, Human { colour: true, ..Human::default() }, out));
    assert!(!plain.contains('\u{1b}'));
    assert!(coloured.contains('\u{1b}'));
}

#[test]
fn a_line_of_a_megabyte_is_not_shown_whole() {
    let text = format!("{}wrong{}", "é".repeat(500_000), " and on".repeat(100_000));
    let at = text.find("wrong").unwrap();
    let sources = Sources::from(Source::new("long.md", text));
    let finding = Finding::new(&UNKNOWN, (at..at + 5).into(), "no entity is named `wrong`");
    let report = Report::new(vec![finding], &sources, &policy(false));
    let text = written(|out| human(&report, &sources, Human::default(), out));
    assert!(text.contains("long.md:1:500001") && text.contains("reads `wrong`"), "{text}");
    assert!(text.len() < 1_000);
}

#[test]
fn spans_at_odd_places_are_shown() {
    let text = "é\n\n|";
    let sources = Sources::from(Source::new("odd.md", text));
    for (start, end) in [(0, 99), (1, 1), (3, 3), (4, 4), (5, 5), (77, 99), (2, 5)] {
        let report =
            Report::new(vec![Finding::new(&UNKNOWN, Span::new(start, end), "odd")], &sources, &policy(false));
        for text in [
            written(|out| human(&report, &sources, Human::default(), out)),
            written(|out| json(&report, &sources, out)),
            written(|out| github(&report, &sources, out)),
            written(|out| sarif(&report, &sources, &policy(false).catalogue, "0.0.0", out)),
        ] {
            assert!(text.contains("odd"), "{text}");
        }
    }
}

#[test]
fn programs_get_json() {
    let (report, sources) = report(false);
    insta::assert_snapshot!(written(|out| json(&report, &sources, out)));
}

#[cfg(feature = "schema")]
#[test]
fn json_keeps_to_its_schema() {
    let (report, sources) = report(false);
    let value = serde_json::from_str(&written(|out| json(&report, &sources, out))).unwrap();
    let schema = keywright_finding::render::json_schema().to_value();
    let validator = jsonschema::validator_for(&schema).unwrap();
    assert_eq!(
        validator.iter_errors(&value).map(|error| error.to_string()).collect::<Vec<_>>(),
        Vec::<String>::new()
    );
    let wrong = serde_json::json!({ "version": 1, "findings": [{}] });
    assert!(!validator.is_valid(&wrong));
}

#[test]
fn github_gets_workflow_commands() {
    let (report, sources) = report(false);
    insta::assert_snapshot!(written(|out| github(&report, &sources, out)));
}

#[test]
fn sarif_keeps_to_the_standard() {
    let (report, sources) = report(false);
    let text = written(|out| sarif(&report, &sources, &policy(false).catalogue, "1.2.3", out));
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let mut schema: serde_json::Value =
        serde_json::from_str(include_str!("sarif/sarif-schema-2.1.0.json")).unwrap();
    // The schema's pattern for languages is no valid expression (a stray bracket); we never state a language.
    for holder in ["run", "toolComponent"] {
        schema["definitions"][holder]["properties"]["language"].as_object_mut().unwrap().remove("pattern");
    }
    let validator = jsonschema::validator_for(&schema).unwrap();
    assert_eq!(
        validator.iter_errors(&value).map(|error| error.to_string()).collect::<Vec<_>>(),
        Vec::<String>::new()
    );

    let run = &value["runs"][0];
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    assert_eq!(run["results"].as_array().unwrap().len(), 5);
    for result in run["results"].as_array().unwrap() {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(run["tool"]["driver"]["rules"][index]["id"], result["ruleId"]);
    }
    insta::assert_snapshot!(serde_json::to_string_pretty(&run["results"]).unwrap());

    let mut wrong = value.clone();
    wrong["runs"][0]["results"][0]["level"] = "fatal".into();
    assert!(!validator.is_valid(&wrong), "the schema is the standard's");
}

#[test]
fn a_report_of_nothing_says_so() {
    let sources = Sources::from(Source::new("a.md", "# A"));
    let report = Report::new(Vec::new(), &sources, &policy(false));
    assert_eq!(written(|out| human(&report, &sources, Human::default(), out)), "no findings\n");
    assert_eq!(written(|out| github(&report, &sources, out)), "");
    assert_eq!(report.findings().iter().filter(|finding| finding.level == Level::Error).count(), 0);
}
