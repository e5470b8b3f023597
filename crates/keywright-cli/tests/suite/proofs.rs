//! What a proof finds at any seed: designs that are right hold, and those that are wrong in one place don't.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

const SEEDS: [&str; 3] = ["1", "2", "3"];

fn document(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kinds").join(name).with_extension("md")
}

fn keywright(command: &str, name: &str, more: &[&str]) -> Value {
    let mut keywright = Command::new(assert_cmd::cargo::cargo_bin("keywright"));
    let output =
        keywright.arg(command).arg(document(name)).args(["--format", "json"]).args(more).output().unwrap();
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

/// The patterns that don't hold, with the check that they fail or what is said of them.
fn faults(evidence: &Value) -> Vec<(String, String)> {
    let patterns = evidence["patterns"].as_array().unwrap().iter();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    patterns
        .filter(|it| it["outcome"] != "held")
        .map(|it| (text(&it["id"]), format!("{}{}", text(&it["failure"]["check"]), it["notChecked"])))
        .collect()
}

/// A derived design holds at every seed.
fn holds(name: &str) {
    for seed in SEEDS {
        let evidence = keywright("prove", name, &["--seed", seed]);
        assert_eq!(faults(&evidence), Vec::new(), "{name}, seed {seed}");
    }
}

/// A derived design that is broken in one place fails there at every seed, in one of the checks.
fn fails(name: &str, pattern: &str, checks: &[&str], breaks: impl Fn(&mut Value)) {
    let mut design = keywright("design", name, &[]);
    let whole = design.clone();
    breaks(&mut design);
    assert_ne!(design, whole, "nothing was broken");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("design.json");
    fs::write(&path, design.to_string()).unwrap();
    for seed in SEEDS {
        let more = ["--design", path.to_str().unwrap(), "--seed", seed];
        let evidence = keywright("prove", name, &more);
        let found = faults(&evidence);
        let caught =
            found.iter().any(|(id, check)| id == pattern && checks.iter().any(|it| check.starts_with(it)));
        assert!(caught, "{name}, seed {seed}: {found:?}");
    }
}

fn operation<'d>(design: &'d mut Value, pattern: &str) -> &'d mut Value {
    design["operations"].as_array_mut().unwrap().iter_mut().find(|it| it["pattern"] == pattern).unwrap()
}

/// Takes away what is asked of an attribute wherever a condition of the operation compares it.
fn forget(value: &mut Value, attribute: &str) {
    if value["compare"][0]["path"] == attribute {
        *value = json!({"exists": "pk"});
    }
    match value {
        Value::Array(values) => values.iter_mut().for_each(|one| forget(one, attribute)),
        Value::Object(fields) => fields.values_mut().for_each(|one| forget(one, attribute)),
        _ => {}
    }
}

#[test]
fn whoever_has_more_than_the_document_lets_one_expect_says_nothing_of_mean_costs() {
    holds("donations");
}

#[test]
fn what_keeps_identities_goes_with_all_that_a_parent_has() {
    holds("baskets");
}

#[test]
fn whoever_pays_himself_is_nobody_s_business() {
    holds("transfers");
}

#[test]
fn a_number_that_no_key_can_hold_is_refused_by_the_client() {
    holds("alarms");
}

/// Breaks the only request of a read.
fn query(pattern: &str, breaks: impl Fn(&mut Value)) -> impl Fn(&mut Value) {
    move |design| breaks(&mut operation(design, pattern)["requests"][0])
}

#[test]
fn lists_by_what_an_update_sets_have_several_records() {
    holds("drivers");
    fails("drivers", "AP-002", &["order"], query("AP-002", |query| query["forward"] = json!(true)));
    let range = |query: &mut Value| query["key"]["range"][1]["between"].take();
    let from =
        query("AP-002", |query| query["key"]["range"][1] = json!({"compare": [">=", range(query)[0]]}));
    fails("drivers", "AP-002", &["set"], from);
    let until =
        query("AP-002", |query| query["key"]["range"][1] = json!({"compare": ["<=", range(query)[1]]}));
    fails("drivers", "AP-002", &["set"], until);
    let unpaged = query("AP-002", |query| query["limit"] = json!({"first": 25}));
    fails("drivers", "AP-002", &["limit", "set", "answer"], unpaged);
}

#[test]
fn what_a_write_read_is_changed_meanwhile_on_the_same_record() {
    fails("stock", "AP-023", &["two writers at once"], |design| {
        forget(&mut operation(design, "AP-023")["requests"][1]["actions"][1], "available");
    });
    fails("subscriptions", "AP-022", &["two writers at once"], |design| {
        forget(&mut operation(design, "AP-022")["requests"][1], "planId");
    });
    fails("library", "AP-040", &["two writers at once"], |design| {
        forget(&mut operation(design, "AP-040")["requests"][1], "email");
    });
}

#[test]
fn an_update_is_tried_with_what_is_taken_within_the_same_parent() {
    fails("channels", "AP-022", &["condition"], |design| {
        let actions = operation(design, "AP-022")["requests"][1]["actions"].as_array_mut().unwrap();
        actions.last_mut().unwrap().as_object_mut().unwrap().remove("condition");
    });
}

#[test]
fn what_expires_says_when_and_its_table_reads_it() {
    holds("sessions");
    fails("sessions", "AP-020", &["time to live"], |design| {
        design["tables"][0].as_object_mut().unwrap().remove("ttl");
    });
    fails("sessions", "AP-020", &["time to live"], |design| {
        operation(design, "AP-020")["generated"][0]["generator"] = json!({"expiresAfterDays": 7000});
    });
}

#[test]
fn a_delete_of_all_that_does_not_look_again_leaves_what_came_meanwhile() {
    holds("projects");
    let cut = |pattern: &'static str, from: usize| {
        move |design: &mut Value| {
            let requests = operation(design, pattern)["requests"].as_array_mut().unwrap();
            requests.truncate(from);
        }
    };
    // Who adds a task wants its project to be there: once that is gone, no task may be left.
    fails("projects", "AP-020", &["two writers at once"], cut("AP-020", 2));
    fails("projects", "AP-021", &["two writers at once"], cut("AP-021", 7));
    fails("subscriptions", "AP-040", &["two writers at once"], cut("AP-040", 3));
}

#[test]
fn what_a_write_reads_for_itself_is_read_strongly_or_compared_again() {
    let eventual = |pattern: &'static str, at: usize| {
        move |design: &mut Value| {
            let read = &mut operation(design, pattern)["requests"][at];
            read.as_object_mut().unwrap().remove("consistent").unwrap();
        }
    };
    // All that is there is looked for, at first and once more.
    fails("projects", "AP-020", &["strong read"], eventual("AP-020", 0));
    fails("projects", "AP-020", &["strong read"], eventual("AP-020", 2));
    // A condition compares the plan that was read: an old one is refused.
    let mut design = keywright("design", "subscriptions", &[]);
    eventual("AP-022", 0)(&mut design);
    let proven = |design: &Value| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("design.json");
        fs::write(&path, design.to_string()).unwrap();
        faults(&keywright("prove", "subscriptions", &["--design", path.to_str().unwrap()]))
    };
    assert_eq!(proven(&design), Vec::new());
    // Nothing compares it.
    forget(&mut operation(&mut design, "AP-022")["requests"][1], "planId");
    let found = proven(&design);
    assert!(found.iter().any(|(id, check)| id == "AP-022" && check.starts_with("strong read")), "{found:?}");
}

#[test]
fn an_answer_has_the_types_of_items_that_its_request_names() {
    fails("catalogue", "AP-001", &["item types"], |design| {
        let items = operation(design, "AP-001")["requests"][0]["items"].as_array_mut().unwrap();
        assert!(items.len() > 1, "{items:?}");
        items.pop();
    });
}

/// What each pattern is expected to cost.
fn expected(evidence: &Value) -> Vec<(String, Option<u64>)> {
    let patterns = evidence["patterns"].as_array().unwrap().iter();
    patterns.map(|it| (it["id"].as_str().unwrap().to_owned(), it["expectedMicroUnits"].as_u64())).collect()
}

#[test]
fn a_design_that_states_no_prices_is_held_to_those_of_its_keys() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table-design.md");
    let written = path.to_str().unwrap();
    let mut design = Command::new(assert_cmd::cargo::cargo_bin("keywright"));
    assert!(
        design.arg("design").arg(document("subscriptions")).args(["-o", written]).status().unwrap().success()
    );
    let evidence = keywright("prove", "subscriptions", &["--design", written, "--scale", "60"]);
    assert_eq!(faults(&evidence), Vec::new());
    let priced = expected(&evidence);
    assert_eq!(priced, expected(&keywright("prove", "subscriptions", &["--scale", "60"])));
    assert!(priced.iter().all(|(_, units)| units.is_some()), "{priced:?}");

    // What is served in another way than on these keys would be expected has no price, and says so.
    let text = fs::read_to_string(&path).unwrap();
    let row = text.lines().find(|line| line.starts_with("| AP-007 |")).unwrap();
    let strong = row.replacen("`Items:", "`ConsistentRead=true`, `Items:", 1);
    assert_ne!(row, strong);
    fs::write(&path, text.replace(row, &strong)).unwrap();
    let evidence = keywright("prove", "subscriptions", &["--design", written, "--scale", "60"]);
    let unpriced: Vec<String> =
        expected(&evidence).into_iter().filter(|(_, units)| units.is_none()).map(|(id, _)| id).collect();
    assert_eq!(unpriced, ["AP-007"]);
}

#[test]
fn a_call_takes_up_to_twice_what_is_expected_and_two_units() {
    // It takes six units.
    let expecting = |micro_units: u64| {
        move |design: &mut Value| {
            let expected = &mut operation(design, "AP-021")["expected"];
            expected["readMicroUnits"] = json!(0);
            expected["writeMicroUnits"] = json!(micro_units);
        }
    };
    fails("subscriptions", "AP-021", &["expected cost"], expecting(1_900_000));
    let mut design = keywright("design", "subscriptions", &[]);
    expecting(2_000_000)(&mut design);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("design.json");
    fs::write(&path, design.to_string()).unwrap();
    let evidence = keywright("prove", "subscriptions", &["--design", path.to_str().unwrap()]);
    assert_eq!(faults(&evidence), Vec::new());
}
