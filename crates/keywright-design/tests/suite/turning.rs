//! Turning points: below and above the rate that a decision names, the design is what it says.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::support;

use keywright_design::{CertificateTables, Options, TurningPoints, design};
use keywright_model::design::{Design, Subject};
use keywright_model::{At, Model, Rate};
use support::documents::{EXAMPLES, documents};

fn derived(model: &Model, turning_points: TurningPoints) -> Design {
    let options =
        Options { turning_points, certificate_tables: CertificateTables::None, ..Options::default() };
    let outcome = design(model, &options);
    outcome.design.expect("the document can be served")
}

/// What was decided of a design, as far as rates may change it.
fn choices(design: &Design) -> Vec<(Subject, String)> {
    let decisions = design.decisions.iter();
    let told = decisions.filter(|it| matches!(it.subject, Subject::Pattern(_) | Subject::Item(_)));
    told.map(|it| (it.subject.clone(), it.chosen.clone())).collect()
}

/// A rate of a pattern changed to that many millionths of what it is.
fn at_rate(model: &Model, id: &str, nano: u64) -> Model {
    let mut model = model.clone();
    let pattern = model.patterns.iter_mut().find(|it| it.id == id).expect("it is a pattern");
    pattern.rate = Some(At::stated(Rate::from_nano(nano), pattern.span));
    model
}

/// The side and the rate of a turning point: `… pays off above 6.01 writes/s`.
fn turn(text: &str) -> (bool, u64) {
    let words: Vec<&str> = text.split(' ').collect();
    let side = words.iter().rposition(|it| ["above", "below"].contains(it)).expect("a side");
    let (whole, rest) = words[side + 1].split_once('.').unwrap_or((words[side + 1], ""));
    let rest = format!("{rest:0<9}");
    let nano = whole.parse::<u64>().unwrap() * 1_000_000_000 + rest[..9].parse::<u64>().unwrap();
    (words[side] == "above", nano)
}

/// Looks at a turning point from both sides; says whether there is one.
fn holds(model: &Model, design: &Design, id: &str) -> bool {
    let own = Subject::Pattern(id.to_owned());
    let decision = design.decisions.iter().find(|it| it.subject == own).expect("every pattern is decided on");
    let Some(text) = decision.turning_point.as_deref().filter(|it| it.contains(" pays off ")) else {
        return false;
    };
    assert!(!text.contains("if nothing else changes"), "{id}: {text}");
    let (above, nano) = turn(text);
    let (inside, outside) =
        if above { (nano / 100 * 98, nano / 100 * 102) } else { (nano / 100 * 102, nano / 100 * 98) };
    let there = |nano: u64| choices(&derived(&at_rate(model, id, nano), TurningPoints::Estimated));
    assert_eq!(there(inside), choices(design), "{id}: {text}");
    let then = there(outside);
    assert_ne!(then, choices(design), "{id}: {text}");
    let named = |chosen: &str| text.starts_with(chosen) || text.contains(&format!(" {chosen} pays off"));
    assert!(then.iter().any(|(_, chosen)| named(chosen)), "{id}: {text}\n{then:#?}");
    true
}

/// Closing an alarm takes it out of two indexes; with one index fewer both lists change.
const ALARMS: &str = include_str!("../../../keywright-lint/tests/documents/sites.md");

#[test]
fn other_choices_may_move_with_the_rate() {
    let (model, _) = keywright_document::read_access_patterns(ALARMS);
    let design = derived(&model, TurningPoints::Of("AP-023".to_owned()));
    assert!(holds(&model, &design, "AP-023"));
    let others = design.decisions.iter().filter_map(|it| it.turning_point.as_deref());
    assert!(
        others.filter(|it| it.contains(" pays off ")).any(|it| it.ends_with(", if nothing else changes"))
    );
}

#[test]
fn examples_turn_where_they_say() {
    let mut seen = 0;
    for (path, text) in documents(EXAMPLES) {
        let (model, _) = keywright_document::read_access_patterns(&text);
        if path.contains("/bad/") {
            continue;
        }
        let design = derived(&model, TurningPoints::Exact);
        seen += model.patterns.iter().filter(|pattern| holds(&model, &design, &pattern.id)).count();
    }
    assert!(seen >= 10, "{seen}");
}

/// Ten new beds a day are so few that a thousandth of them costs less than prices are rounded to.
#[test]
fn a_tiny_rate_is_no_turning_point_of_itself() {
    let (model, _) = keywright_document::read_access_patterns(include_str!("../documents/wards.md"));
    for id in ["AP-010", "AP-011"] {
        let design = derived(&model, TurningPoints::Of(id.to_owned()));
        holds(&model, &design, id);
    }
}
