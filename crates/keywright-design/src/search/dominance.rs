//! Index candidates that another one makes superfluous, whatever else is open.
//!
//! An index is beaten by one of the same projection whose entries are no larger and no dearer to keep, and that serves
//! every demand in the same way: in any layout the other can take its place. Where heat or a shared collection could
//! tell two places apart, both stay.

use super::task::EntityTask;
use crate::cost::{entry_writes, old_values_needed};
use crate::form::Form;
use crate::path::{Path, Projection};
use crate::plan::Fit;

/// What keeping an index and reading from it costs, as far as it differs between indexes.
struct Profile {
    projection: Projection,
    /// Bytes of its keys.
    strings: u64,
    /// For each write what it does to the entry, and whether it needs old values for it.
    writes: Vec<(u64, bool)>,
    /// How many in a million items are in it.
    share: u64,
    /// How it serves each demand, where it does.
    serves: Vec<Option<Shape>>,
    /// Another index in its stead could make a difference beside the price.
    special: bool,
}

/// All that the price of a Query on an index depends on, beside sizes.
#[derive(PartialEq, Eq)]
struct Shape {
    keyed: u64,
    most: Option<u64>,
    one_in: Vec<u64>,
    range: bool,
    filter_range: bool,
    client_sort: bool,
    wastes: bool,
    queries: u64,
    fetch: bool,
}

/// The index candidates that no other makes superfluous, ascending.
pub(super) fn undominated(task: &EntityTask<'_>, hot: &[bool]) -> Vec<usize> {
    let all = 0..task.candidates.indexes.len();
    if task.forms.index != Form::Generic || task.candidates.bases.is_empty() {
        // Native keys decide which indexes can share a GSI, so no two are alike.
        return all.collect();
    }
    let profiles: Vec<Profile> = all.clone().map(|index| profile(task, index, hot[index])).collect();
    all.filter(|index| {
        let (mine, before) = (&profiles[*index], &profiles[..*index]);
        let beaten =
            |other: &Profile, earlier: bool| no_worse(other, mine) && (earlier || !no_worse(mine, other));
        !before.iter().any(|other| beaten(other, true))
            && !profiles[*index + 1..].iter().any(|other| beaten(other, false))
    })
    .collect()
}

fn profile(task: &EntityTask<'_>, index: usize, hot: bool) -> Profile {
    let facts = task.facts();
    let candidate = &task.candidates.indexes[index];
    // A moved base key costs every index the same, so it is left out.
    let nowhere = Path::of(Vec::new(), Vec::new());
    let entry = task.entry(index, 1);
    let mut share = facts.share_present(candidate.path.attrs());
    if let Some((attr, _)) = &candidate.path.only {
        share /= facts.attribute(*attr).distinct.max(1);
    }
    let mut shared = false;
    let serves = task.index_fits.iter().zip(task.demands).map(|(on, demand)| {
        let (_, fit) = &on[on.binary_search_by_key(&index, |(at, _)| *at).ok()?];
        shared |= demand.is_shared();
        let fetch = !candidate.projection.holds(fit.wanted(&demand.part));
        Some(shape(task, &candidate.path, fit, fetch, fit.wastes(&demand.part)))
    });
    let serves = serves.collect();
    Profile {
        projection: candidate.projection,
        strings: task.key_bytes(index),
        writes: task
            .effects
            .iter()
            .map(|(_, effect)| {
                let old = old_values_needed(
                    facts,
                    effect,
                    &nowhere,
                    std::iter::once((&candidate.path, entry.form)),
                );
                (entry_writes(facts, effect, &nowhere, &entry), old)
            })
            .collect(),
        share,
        serves,
        special: hot || shared || index < task.candidates.kept,
    }
}

fn shape(task: &EntityTask<'_>, path: &Path, fit: &Fit, fetch: bool, wastes: bool) -> Shape {
    let facts = task.facts();
    let fixed = fit.fixed(path);
    let present = facts.share_present(path.attrs());
    let keyed = u128::from(facts.mean_matches(fixed)) * u128::from(present);
    Shape {
        keyed: u64::try_from(keyed.div_ceil(1_000_000)).unwrap_or(u64::MAX),
        most: facts.most_matches(fixed),
        one_in: fit
            .filter
            .iter()
            .chain(fit.filter_within.iter().map(|(_, period)| *period))
            .map(|attr| facts.attribute(attr).distinct)
            .collect(),
        range: fit.range,
        filter_range: fit.filter_range,
        client_sort: fit.client_sort,
        wastes,
        queries: fit.queries(facts),
        fetch,
    }
}

/// Whether `one` can take the place of `other` in any layout, and is never dearer.
fn no_worse(one: &Profile, other: &Profile) -> bool {
    !one.special
        && !other.special
        && one.projection == other.projection
        && one.strings <= other.strings
        && one.share <= other.share
        && one.writes.iter().zip(&other.writes).all(|(one, other)| one.0 <= other.0 && one.1 <= other.1)
        && one.serves.iter().zip(&other.serves).all(|(one, other)| other.is_none() || one == other)
}
