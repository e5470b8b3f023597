//! The certificates of random models, each looked at by the checker that shares nothing with the search.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::ops::Range;

use keywright_audit::{Refusal, Verdict, audit_total};
use keywright_dynamodb::Money;
use keywright_dynamodb::price::PriceTable;
use keywright_model::certificate::TableProof;
use keywright_model::design::Total;
use keywright_model::{Certificate, Style};

use super::{CertificateTables, MANY_LAYOUTS, proof, shows_less};
use crate::candidate::{Candidates, IndexCandidate, candidates};
use crate::cost::{MonthlyPrice, OperationalPrices};
use crate::demand::demands;
use crate::exhaustive::random::{self, asked_for};
use crate::form::Forms;
use crate::problem::Problem;
use crate::search::{EntityTask, Stop, Wanted, solve};

/// A problem's design with its certificate.
struct Made {
    total: Total,
    indexes: usize,
    certificate: Certificate,
    /// What is said to be shown less than is known.
    less: Option<String>,
}

/// What the checker said of a problem's certificate.
struct Checked {
    trees: usize,
    /// All that is claimed is shown.
    whole: bool,
    with_indexes: bool,
}

/// Designs a problem with the indexes that are kept; none where nothing can be designed. Entities with more than `many`
/// layouts have decisions.
fn made(
    problem: &Problem,
    style: Style,
    many: u128,
    kept: impl Fn(&IndexCandidate) -> bool,
) -> Result<Option<Made>, String> {
    let month = MonthlyPrice { table: PriceTable::us_east_1(), operational: OperationalPrices::default() };
    let demands = demands(problem, keywright_model::Style::Overloaded, None);
    let all: Vec<Candidates> = demands
        .iter()
        .enumerate()
        .map(|(entity, demands)| {
            let forms = Forms::of(problem, style, entity);
            let mut all = candidates(problem, entity, demands).in_form(problem, entity, forms);
            all.indexes.retain(&kept);
            all
        })
        .collect();
    let tasks: Vec<EntityTask<'_>> = demands
        .iter()
        .zip(&all)
        .enumerate()
        .map(|(entity, (demands, all))| {
            let forms = Forms::of(problem, style, entity);
            EntityTask::new(problem, &month, style, forms, entity, demands, all)
        })
        .collect();
    let most = CertificateTables::Small.most_entries();
    let wanted = Wanted { tables: Some(usize::MAX), ..Wanted::default() };
    let Ok(answer) = solve(problem, &month, &tasks, Stop::default(), wanted) else { return Ok(None) };
    let (total, bound) = (answer.cost.total(), answer.proof.lower_bound);
    let (total, bound) = (Money::from_pico(total), Money::from_pico(bound));
    Ok(Some(Made {
        total: Total { bill: total, operational: Money::ZERO },
        indexes: answer.counts.iter().sum(),
        less: shows_less(&answer.tables, answer.proof.lower_bound),
        certificate: Certificate {
            optimal: bound == total,
            lower_bound: bound,
            gap: total - bound,
            proof: Some(proof(&tasks, &tasks, &month, &answer, many, most)?.0),
            ..Certificate::default()
        },
    }))
}

fn verdict(made: &Made) -> Result<Verdict, Refusal> {
    audit_total(&made.total, made.indexes, &made.certificate)
}

/// Lets the checker look at the certificate of a problem; none where nothing can be designed.
fn checked(
    problem: &Problem,
    style: Style,
    many: u128,
    kept: impl Fn(&IndexCandidate) -> bool,
) -> Result<Option<Checked>, String> {
    let Some(made) = made(problem, style, many, kept)? else { return Ok(None) };
    let verdict = verdict(&made).map_err(|refusal| refusal.to_string())?;
    // What is not shown is said.
    if verdict.is_shown() != made.less.is_none() {
        return Err(format!("{verdict:?}, and it says {:?}", made.less));
    }
    let tables = made.certificate.proof.iter().flat_map(|proof| &proof.tables);
    let bounds = tables.flat_map(|table| &table.components).flat_map(|it| &it.bounds);
    let trees = bounds.map(|bound| bound.trees.len()).sum();
    Ok(Some(Checked { trees, whole: verdict.is_shown(), with_indexes: made.indexes > 0 }))
}

/// The seeds that are looked at: those that the environment asks for, else enough to meet everything.
fn seeds() -> Range<u64> {
    asked_for().unwrap_or(0..90)
}

/// A part of the seeds, such as two thirds of them; all that the environment asks for.
fn part(part: u64, whole: u64) -> Range<u64> {
    let of = seeds();
    if asked_for().is_some() { of } else { of.start..of.start + (of.end - of.start) * part / whole }
}

/// Seeds of larger models whose lists are kept apart in more than one way: one crowd of them holds for more numbers of
/// indexes than it was found for, and what one component is without is nothing to another.
const CROWDED: [u64; 1] = [105];

/// Seeds of models in which a list of several kinds and a read of one of them beside its head would be cheapest in one
/// place, where the read would find the others too.
const MIXED: [u64; 1] = [2283];

/// Checks the certificates of random models; says how many trees of decisions there were.
fn certified(style: Style, many: u128, seeds: impl Iterator<Item = u64>) -> usize {
    let (mut trees, mut held, mut with_indexes) = (0, 0, 0);
    let mut wrong: Vec<(u64, String)> = Vec::new();
    for seed in seeds {
        match checked(&random::problem(seed), style, many, |_| true) {
            Ok(None) => {}
            Ok(Some(it)) => {
                trees += it.trees;
                held += usize::from(it.whole);
                with_indexes += usize::from(it.with_indexes);
                if !it.whole {
                    wrong.push((seed, "less is shown than is known".to_owned()));
                }
            }
            Err(refusal) => wrong.push((seed, refusal)),
        }
    }
    assert_eq!(wrong, Vec::new(), "{style}");
    let enough = held > 25 && with_indexes > 10 || asked_for().is_some();
    assert!(enough, "{style}: {held} held, {with_indexes} of them with indexes");
    trees
}

#[test]
fn the_certificates_of_random_models_hold() {
    for style in [Style::Overloaded, Style::MultiTable, Style::MultiAttribute] {
        certified(style, MANY_LAYOUTS, seeds());
    }
}

#[test]
fn decisions_show_as_much_as_all_layouts() {
    for style in [Style::Overloaded, Style::MultiAttribute] {
        let trees = certified(style, 0, part(2, 3).chain(MIXED));
        assert!(trees > 60 || asked_for().is_some(), "{style}: {trees} trees");
    }
}

#[test]
fn the_certificates_of_larger_models_hold() {
    for style in [Style::Overloaded, Style::MultiAttribute] {
        for seed in part(1, 10).chain(CROWDED) {
            let found = checked(&random::mid_size(seed), style, MANY_LAYOUTS, |_| true);
            let held = matches!(&found, Ok(it) if it.as_ref().is_none_or(|it| it.whole));
            let seen = found.map(|it| it.is_some_and(|it| it.whole));
            assert!(held, "seed {seed}, {style}: {seen:?}");
        }
    }
}

#[test]
fn the_checker_misses_what_the_search_is_not_given() {
    // Of each kind of candidate some certificate is refused without it.
    let refused = |style: Style, kept: fn(&IndexCandidate) -> bool| {
        (0..60).filter(|seed| checked(&random::problem(*seed), style, MANY_LAYOUTS, kept).is_err()).count()
    };
    for style in [Style::Overloaded, Style::MultiAttribute] {
        assert!(refused(style, |index| index.projection.kind() != 0) > 0, "{style}: no ALL");
        assert!(refused(style, |index| index.projection.kind() != 1) > 0, "{style}: no KEYS");
    }
    assert!(refused(Style::Overloaded, |index| index.projection.kind() != 2) > 0, "no lists");
    assert!(refused(Style::Overloaded, |index| index.path.only.is_none()) > 0, "no sparse ones");
}

#[test]
fn what_lists_keep_apart_is_shown_by_crowds_of_them() {
    let mut crowded = 0;
    let small = seeds().map(|seed| (random::problem(seed), format!("seed {seed}")));
    let larger = (0..12).map(|seed| (random::mid_size(seed), format!("larger seed {seed}")));
    for (problem, seed) in small.chain(larger) {
        let found = made(&problem, Style::Overloaded, MANY_LAYOUTS, |_| true);
        let Ok(Some(mut made)) = found else { continue };
        let tables = |made: &mut Made| std::mem::take(&mut made.certificate.proof.as_mut().unwrap().tables);
        let before = tables(&mut made);
        if before.iter().all(|table| table.crowds.is_empty()) {
            continue;
        }
        crowded += 1;
        let mut with = |change: &dyn Fn(&mut TableProof)| {
            let mut changed = before.clone();
            changed.iter_mut().for_each(change);
            made.certificate.proof.as_mut().unwrap().tables = changed;
            verdict(&made)
        };
        assert!(with(&|_| ()).unwrap().is_shown(), "{seed}");
        let none = with(&|table| table.crowds.clear()).unwrap();
        assert!(!none.is_shown(), "{seed}: without crowds the tables show as much");
        // Lists that do not keep each other apart are no crowd.
        let friendly = with(&|table| {
            for it in table.crowds.iter_mut().flatten() {
                it.missing.clear();
                it.many = 1;
            }
        });
        assert!(!friendly.unwrap().is_shown(), "{seed}: a crowd of lists that could share a GSI");
        // A bound without a list is not one with it.
        let bold = with(&|table| {
            let bounds = table.components.iter_mut().flat_map(|it| &mut it.bounds);
            bounds.for_each(|bound| bound.without.clear());
        });
        assert!(bold.is_err(), "{seed}: bounds that forget what they are without");
    }
    assert!(crowded > 0, "no seed has lists that are kept apart");
}
