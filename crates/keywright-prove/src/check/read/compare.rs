//! Rows that came, held against those that the oracle expects.

use std::collections::BTreeMap;

use keywright_model::Model;
use keywright_model::model::{Direction, Pattern, Read, Sort};

use super::Disagreement;
use crate::oracle::{Expected, Row};
use crate::show;

/// The rows that came for a read, beside those that are expected.
pub(super) struct Comparison<'c> {
    pub(super) model: &'c Model,
    pub(super) pattern: &'c Pattern,
    pub(super) read: &'c Read,
    pub(super) expected: &'c Expected,
    pub(super) rows: &'c [Row],
}

impl Comparison<'_> {
    /// What is wrong with the rows, if anything is.
    pub(super) fn disagreement(&self) -> Option<Disagreement> {
        let Comparison { expected, rows, .. } = *self;
        let show = |rows: &[Row]| show::rows(rows.iter());
        if expected.single {
            return compare_single(expected, rows);
        }
        let most = expected.most.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX));
        if expected.rows.len() > most {
            return compare_first(expected, rows, most).or_else(|| self.wrong_order());
        }
        let (mut wanted, mut came) = (expected.rows.clone(), rows.to_vec());
        wanted.sort();
        came.sort();
        if wanted != came {
            let missing: Vec<Row> = difference(&wanted, &came);
            let extra: Vec<Row> = difference(&came, &wanted);
            let check = if missing.len() == extra.len() { "attributes" } else { "set" };
            let expected = match missing.is_empty() {
                true => show::count(wanted.len()),
                false => format!("{}, among them {}", show::count(wanted.len()), show(&missing)),
            };
            let actual = match extra.is_empty() {
                true => format!("{}; what is named above is missing", show::count(came.len())),
                false => format!("{}, among them {}", show::count(came.len()), show(&extra)),
            };
            return Some((check, expected, actual));
        }
        self.wrong_order()
    }

    fn wrong_order(&self) -> Option<Disagreement> {
        let Comparison { model, pattern, read, expected, rows } = *self;
        for entity in &pattern.entities {
            let sort: Vec<&Sort> =
                read.sort.iter().filter(|sort| sort.attribute.entity == entity.value).collect();
            // What is wanted as one list is in order over all its kinds.
            let mixed = model.interleaved(pattern);
            let listed = |name: &str| mixed.iter().any(|number| number.entity == name);
            let together = |name: &str| name == entity.value || listed(name) && listed(&entity.value);
            let own: Vec<&Row> = rows.iter().filter(|row| together(&row.entity)).collect();
            if let Some(pair) = out_of_order(&own, expected) {
                let order: Vec<String> = sort
                    .iter()
                    .map(|part| match part.direction {
                        Direction::Ascending => format!("{} ascending", part.attribute.attribute),
                        Direction::Descending => format!("{} descending", part.attribute.attribute),
                    })
                    .collect();
                let came = format!("{} before {}", show::row(pair[0]), show::row(pair[1]));
                return Some(("order", order.join(", "), came));
            }
        }
        None
    }
}

/// One record or none: the first in order, any of those that tie.
fn compare_single(expected: &Expected, rows: &[Row]) -> Option<Disagreement> {
    let places = expected.rows.iter().zip(&expected.places);
    let candidates: Vec<&Row> = places.filter(|(_, place)| **place == 0).map(|(row, _)| row).collect();
    let right = match rows {
        [] => candidates.is_empty(),
        [row] => candidates.contains(&row),
        _ => false,
    };
    (!right).then(|| {
        let wanted = candidates.first().map_or_else(|| show::count(0), |row| show::row(row));
        ("set", wanted, show::rows(rows.iter()))
    })
}

/// The first so many: as many came, none of them is another's, and nothing is missing that belongs before the last.
fn compare_first(expected: &Expected, rows: &[Row], most: usize) -> Option<Disagreement> {
    let (mut wanted, mut came) = (expected.rows.clone(), rows.to_vec());
    wanted.sort();
    came.sort();
    let extra = difference(&came, &wanted);
    if rows.len() != most || !extra.is_empty() {
        let came = show::count(rows.len());
        let actual = match extra.is_empty() {
            true => came,
            false => format!("{came}, among them {}", show::rows(extra.iter())),
        };
        return Some(("set", format!("the first {most} of {}", show::count(wanted.len())), actual));
    }
    let places = || expected.rows.iter().zip(&expected.places);
    // Of several kinds each has its own places: only of one is there a last.
    if expected.rows.iter().any(|row| row.entity != expected.rows[0].entity) {
        return None;
    }
    let last =
        rows.last().and_then(|last| places().find(|(row, _)| *row == last)).map_or(0, |(_, place)| *place);
    let mut before: Vec<Row> =
        places().filter(|(_, place)| **place < last).map(|(row, _)| row.clone()).collect();
    before.sort();
    let missing = difference(&before, &came);
    (!missing.is_empty()).then(|| {
        let expected = format!("the first {}, among them {}", show::count(most), show::rows(missing.iter()));
        ("set", expected, format!("{}; what is named above is missing", show::count(rows.len())))
    })
}

/// Two neighbours of which the second belongs before the first. An answer need not show what it is ordered by, so that the
/// oracle's places decide; of rows that look alike, the one that fits.
fn out_of_order<'r>(rows: &[&'r Row], expected: &Expected) -> Option<[&'r Row; 2]> {
    let mut places: BTreeMap<&Row, Vec<usize>> = BTreeMap::new();
    for (row, place) in expected.rows.iter().zip(&expected.places) {
        places.entry(row).or_default().push(*place);
    }
    let mut reached = 0;
    for (at, row) in rows.iter().enumerate() {
        match places.get(row).and_then(|places| places.iter().find(|place| **place >= reached)) {
            Some(place) => reached = *place,
            None => return Some([rows[at.saturating_sub(1)], row]),
        }
    }
    None
}

/// What the first list has and the second lacks; both are sorted.
fn difference(these: &[Row], those: &[Row]) -> Vec<Row> {
    let mut those = those.iter().peekable();
    let mut rest = Vec::new();
    for row in these {
        while those.peek().is_some_and(|other| *other < row) {
            those.next();
        }
        if those.peek() == Some(&row) {
            those.next();
        } else {
            rest.push(row.clone());
        }
    }
    rest
}
