//! Entities with history: the latest version under its own key, every version as an item of its own.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::support;

use keywright_audit::audit;
use keywright_design::{Options, Outcome, design};
use keywright_dynamodb::expression::Condition;
use keywright_model::design::{Action, Design, Put, Request, Value};
use keywright_model::{Model, Style};
use support::{keys, operation, summary};

/// A document about pages with these patterns, and whatever else is said of a page.
fn document(facts: &str, reads: &str, writes: &str) -> Model {
    let text = format!(
        "# DynamoDB Access Patterns\n\n> Application: Wiki\n\n## Entities\n\n### Page\n- **Kind**: history\n{facts}\n\
         ## Access Patterns\n\n### Reads\n| ID | Entity | Description | Input Parameters | Result | Sort | Paginated | Frequency |\n\
         |---|---|---|---|---|---|---|---|\n{reads}\n### Writes\n\
         | ID | Entity | Description | Input Parameters | Items Written | Conditions | Frequency |\n\
         |---|---|---|---|---|---|---|\n{writes}\n"
    );
    keywright_document::read_access_patterns(&text).0
}

const PAGE: &str = "- **Attributes**: `pageId` (ulid, id), `author` (string, ~10 bytes), `title` (string, mutable, ~20 bytes), \
                    `body` (text, mutable, ~900 bytes), `version` (integer, version, max 99999)\n\
                    - **Cardinality**: ~10K total, ~8 versions per page, at most 500\n";

const READS: &str = "| AP-001 | Page | Get a page | pageId | Single | - | No | 10/s |\n\
                     | AP-002 | Page | List the pages of an author | author | Collection | title ASC | Yes | 10/s |\n\
                     | AP-003 | Page | Get a version of a page | pageId, version | Single | - | No | 1/s |\n\
                     | AP-004 | Page | List the versions of a page | pageId | Collection | newest first | Yes | 1/s |\n";

const WRITES: &str = "| AP-010 | Page | Create a page | author, title, body | 1 (Page) | - | 1/s |\n\
                      | AP-011 | Page | Change the title of a page | pageId, newTitle | 1 (Page) | Page must exist | 1/s |\n";

fn derived(model: &Model, style: Style) -> Outcome {
    design(model, &Options { style: Some(style), ..Options::default() })
}

fn designed(model: &Model) -> Design {
    let outcome = derived(model, Style::Overloaded);
    let messages: Vec<&String> = outcome.findings.iter().map(|finding| &finding.message).collect();
    outcome.design.unwrap_or_else(|| panic!("{messages:#?}"))
}

fn actions<'d>(design: &'d Design, pattern: &str) -> &'d [Action] {
    match operation(design, pattern).requests.last() {
        Some(Request::TransactWriteItems { actions }) => actions,
        other => panic!("{pattern} ends with {other:?}"),
    }
}

/// The version that a pattern keeps.
fn kept<'d>(design: &'d Design, pattern: &str) -> &'d Put {
    let versions = actions(design, pattern).iter().filter_map(|action| match action {
        Action::Put(put) if put.item == "PageVersion" => Some(put),
        _ => None,
    });
    let versions: Vec<&Put> = versions.collect();
    let [only] = versions[..] else { panic!("{pattern} keeps {} versions", versions.len()) };
    assert_eq!(only.condition, Some(Condition::NotExists("pk".into())), "a version is never written over");
    only
}

fn value<'p>(put: &'p Put, name: &str) -> &'p Value {
    &put.values.iter().rev().find(|(path, _)| path == name).unwrap().1
}

#[test]
fn the_latest_and_its_versions_share_a_collection_and_never_a_list() {
    let design = designed(&document(PAGE, READS, WRITES));
    assert_eq!(keys(&design, "PageVersion"), "PAGE#<pageId> | PAGEVERSION#<version:pad5>");
    assert!(keys(&design, "Page").starts_with("PAGE#<pageId> | "));
    // What is listed are pages: no version is in an index.
    assert_eq!((summary(&design, "AP-002"), design.indexes.len()), ("Query GSI1".into(), 1));
    assert_eq!((summary(&design, "AP-003"), summary(&design, "AP-004")), ("GetItem".into(), "Query".into()));
    let Request::Query(query) = &operation(&design, "AP-004").requests[0] else { panic!() };
    assert!(!query.forward && query.items == ["PageVersion"]);
}

#[test]
fn every_write_keeps_a_version_of_what_it_leaves_behind() {
    let design = designed(&document(PAGE, READS, WRITES));
    let created = kept(&design, "AP-010");
    let Action::Put(page) = &actions(&design, "AP-010")[0] else { panic!() };
    assert_eq!(created.values, page.values);
    assert_eq!(summary(&design, "AP-010"), "TransactWriteItems");

    // Who changes the title alone reads the rest, and nobody may have changed it meanwhile.
    assert_eq!(summary(&design, "AP-011"), "TransactWriteItems +1");
    let changed = kept(&design, "AP-011");
    let read = |attribute: &str| Value::Read { request: 1, attribute: attribute.into() };
    assert_eq!(value(changed, "title"), &Value::Input("newTitle".into()));
    assert_eq!(value(changed, "body"), &read("body"));
    assert_eq!(value(changed, "version"), &Value::Sum { of: Box::new(read("version")), plus: 1 });
    let Action::Update(update) = &actions(&design, "AP-011")[0] else { panic!() };
    let Some(Condition::All(conditions)) = &update.condition else { panic!("{update:?}") };
    assert!(conditions.contains(&Condition::equals("version".to_owned(), read("version"))));
    assert_eq!(operation(&design, "AP-011").retry.as_ref().unwrap().from_request, 1);
}

#[test]
fn who_gives_all_that_a_page_is_and_the_version_seen_reads_nothing() {
    let writes = "| AP-011 | Page | Change a page | pageId, author, version, newTitle, newBody | 1 (Page) | version must match | 1/s |\n";
    let design = designed(&document(PAGE, READS, writes));
    assert_eq!(summary(&design, "AP-011"), "TransactWriteItems");
    let next = Value::Sum { of: Box::new(Value::Input("version".into())), plus: 1 };
    assert_eq!(value(kept(&design, "AP-011"), "version"), &next);
    let Action::Update(update) = &actions(&design, "AP-011")[0] else { panic!() };
    let Some(Condition::All(conditions)) = &update.condition else { panic!("{update:?}") };
    assert!(conditions.contains(&Condition::equals("version".to_owned(), Value::Input("version".into()))));
}

#[test]
fn what_is_put_over_another_has_a_later_number() {
    let facts = PAGE.replace("(ulid, id)", "(string, id)");
    let numbered =
        "| AP-011 | Page | Save a page | pageId, version, author, title, body | 1 (Page) | - | 1/s |\n";
    let design = designed(&document(&facts, READS, numbered));
    assert_eq!(summary(&design, "AP-011"), "TransactWriteItems");
    let Action::Put(page) = &actions(&design, "AP-011")[0] else { panic!() };
    assert!(matches!(&page.condition, Some(Condition::Any(parts)) if parts.len() == 2), "{page:?}");

    let counted = "| AP-011 | Page | Save a page | pageId, author, title, body | 1 (Page) | - | 1/s |\n";
    let design = designed(&document(&facts, READS, counted));
    assert_eq!(summary(&design, "AP-011"), "TransactWriteItems +1");
    let Request::GetItem(get) = &operation(&design, "AP-011").requests[0] else { panic!() };
    assert!(get.may_be_absent && get.consistent);
    let last = Value::Read { request: 1, attribute: "version".into() };
    assert_eq!(
        value(kept(&design, "AP-011"), "version"),
        &Value::Sum { of: Box::new(last), plus: 1 },
        "the first has the number 1"
    );
}

#[test]
fn a_document_need_not_declare_the_number() {
    let facts = PAGE.replace(", `version` (integer, version, max 99999)", "");
    let design = designed(&document(&facts, READS, WRITES));
    assert_eq!(keys(&design, "PageVersion"), "PAGE#<pageId> | PAGEVERSION#<version:pad10>");
    assert!(design.item("Page").unwrap().attribute("version").is_some());
}

#[test]
fn what_no_version_could_be_kept_of_is_refused() {
    for (write, words) in [
        ("| AP-011 | Page | Retitle all pages | author, newTitle | all Pages | - | 1/s |\n", "at once"),
        (
            "| AP-011 | Page | Add views | pageId, views | Page (views +views) | - | 1/s |\n",
            "adds an input to a number",
        ),
    ] {
        let facts = PAGE.replace("`version`", "`views` (integer, mutable), `version`");
        let outcome = derived(&document(&facts, READS, write), Style::Overloaded);
        let told = outcome.findings.iter().any(|finding| finding.message.contains(words));
        assert!(told && outcome.design.is_none(), "{write}: {:#?}", outcome.findings);
    }
}

#[test]
fn every_style_keeps_them_at_a_price_that_is_checked() {
    let model = document(PAGE, READS, WRITES);
    for style in [Style::Overloaded, Style::MultiAttribute, Style::MultiTable] {
        let outcome = derived(&model, style);
        let design = outcome.design.as_ref().unwrap_or_else(|| panic!("{:#?}", outcome.findings));
        assert!(design.item("PageVersion").is_some(), "{style}");
        assert_eq!(outcome.proven.map(|proven| proven.gap.pico()), Some(0), "{style}");
        let verdict = audit(design, outcome.certificate.as_ref().unwrap()).unwrap();
        assert!(verdict.is_shown(), "{style}: {verdict:?}");
    }
}

#[test]
fn a_table_that_keeps_versions_keeps_them_when_it_is_extended() {
    let base = designed(&document(PAGE, READS, WRITES));
    let more = "| AP-005 | Page | List the versions of a page, oldest first | pageId | Collection | version ASC | Yes | 1/s |\n";
    let model = document(PAGE, &format!("{READS}{more}"), WRITES);
    let outcome = design(&model, &Options { base: Some(base.clone()), ..Options::default() });
    let extended = outcome.design.unwrap_or_else(|| panic!("{:#?}", outcome.findings));
    for item in ["Page", "PageVersion"] {
        assert_eq!(keys(&base, item), keys(&extended, item));
    }
    assert_eq!(summary(&extended, "AP-005"), "Query");
    kept(&extended, "AP-011");
}
