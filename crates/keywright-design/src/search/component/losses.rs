//! What a component loses at least when lists that it uses are ruled out.
//!
//! Each use of a list gets a price such that no set of uses is dearer together than ruling all of it out is. Prices of
//! different components add up: what goes for the whole table then costs at least the sum.

use super::super::lists::ListUse;
use super::super::open::Ban;
use super::{Bans, Component, Setting};

/// A component is solved in no more ways than this to find its prices; lists beyond that have none.
const MOST_WAYS: usize = 64;

/// More than any price: it can't go.
const IMPOSSIBLE: i128 = 1 << 100;

impl Component {
    /// What being without each list that the solution at a position uses costs at least. A second use of a list goes
    /// before the first.
    pub(in super::super) fn losses(&mut self, setting: Setting<'_, '_>, at: usize) -> &[(ListUse, i128)] {
        if self.solved[at].2.losses.is_none() {
            let losses = self.priced(setting, at);
            self.solved[at].2.losses = Some(losses);
        }
        self.solved[at].2.losses.as_deref().unwrap_or_default()
    }

    fn priced(&mut self, setting: Setting<'_, '_>, at: usize) -> Vec<(ListUse, i128)> {
        let (limits, bans, solved) = &self.solved[at];
        let (limits, bans, whole) = (*limits, bans.clone(), solved.bound);
        let Some(solution) = solved.solution.as_ref().ok().filter(|_| solved.complete) else {
            return Vec::new();
        };
        // Each list with how many of it may stay; what is kept whole is the last of its levels.
        let mut lists = solution.lists.clone();
        let mut ways = 1;
        lists.retain(|(_, uses)| {
            let fits = ways * (uses + 1) <= MOST_WAYS;
            ways *= if fits { uses + 1 } else { 1 };
            fits
        });
        let mut losses: Vec<(ListUse, i128)> = Vec::new();
        let mut lost = vec![0; ways];
        for (way, lost) in lost.iter_mut().enumerate() {
            let left = levels(&lists, way);
            let gone = lists.iter().zip(&left).filter(|((_, uses), left)| left < &uses);
            let more: Vec<(usize, usize)> = gone.map(|((kind, _), left)| (*kind, *left)).collect();
            if more.is_empty() {
                continue;
            }
            let mut bans = bans.clone();
            bans.extend(self.without(setting, &more));
            tidy(&mut bans);
            let found = self.solve(setting, limits, &bans);
            let found = self.solved(found);
            let impossible = found.complete && found.solution.is_err();
            *lost = if impossible { IMPOSSIBLE } else { (found.bound - whole).clamp(0, IMPOSSIBLE) };
        }
        for (at, (kind, uses)) in lists.iter().enumerate() {
            for left in (0..*uses).rev() {
                // Whatever else of the lists before is gone, and the later uses of this one: what is left to lose.
                let least = (0..ways).filter_map(|way| {
                    let levels = levels(&lists, way);
                    let later = lists.iter().zip(&levels).skip(at + 1).all(|((_, uses), left)| left == uses);
                    (later && levels[at] == left).then(|| {
                        let is_gone = |(of, nth): &ListUse| {
                            let it = lists.iter().position(|(kind, _)| kind == of);
                            it.is_some_and(|it| *nth > levels[it])
                        };
                        let paid = losses.iter().filter(|(it, _)| is_gone(it)).map(|(_, price)| price);
                        lost[way] - paid.sum::<i128>()
                    })
                });
                let least = least.min().unwrap_or(0).max(0);
                losses.push(((*kind, left + 1), least));
            }
        }
        losses
    }

    /// Kinds of lists of which no more than so many may stay, as bans on those of its entities that have them.
    pub(in super::super) fn without<'b>(
        &'b self,
        setting: Setting<'b, '_>,
        kinds: &'b [(usize, usize)],
    ) -> impl Iterator<Item = (usize, Ban)> + use<'b> {
        let lists = setting.lists;
        self.entities.iter().flat_map(move |entity| {
            lists.of(*entity).iter().filter_map(move |(list, kind)| {
                let (_, most) = kinds.iter().find(|(it, _)| it == kind)?;
                Some((*entity, Ban::List { list: *list, most: *most }))
            })
        })
    }
}

/// Bans in order, without those that others make superfluous.
pub(in super::super) fn tidy(bans: &mut Bans) {
    bans.sort_unstable();
    bans.dedup();
    // Of a list the smallest number comes first.
    bans.dedup_by(|later, first| later.0 == first.0 && later.1.is_among(&[first.1]));
}

/// How many uses of each list a way leaves.
fn levels(lists: &[(usize, usize)], mut way: usize) -> Vec<usize> {
    lists
        .iter()
        .map(|(_, uses)| {
            let left = uses - way % (uses + 1);
            way /= uses + 1;
            left
        })
        .collect()
}
