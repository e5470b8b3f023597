//! Smaller partitions: what an index's key leaves to the sort key or to a filter because updates change it.
//!
//! A key string is rebuilt whole. An update that changes a part of the partition and does not know the rest has to read the
//! item first, unless what it knows and what it does not know stand in different strings. And an entry moves whenever its
//! key changes; where a stated maximum bounds the collection, a filter can be cheaper.

use std::collections::BTreeSet;

use crate::problem::{Attr, Attrs, EffectAction, EffectFacts};

/// A read that gives more changing attributes than this leaves out one of them or all, not any of their sets.
const MOST_TOGETHER: usize = 3;

#[cfg(test)]
thread_local! {
    /// Tests leave the smaller partitions out, to see that they are missed.
    pub(crate) static NONE_SMALLER: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// What updates change, and what they know.
#[derive(Debug, Default)]
pub(super) struct Changes {
    /// For each update what it sets, and all that it knows afterwards.
    updates: Vec<(Attrs, Attrs)>,
    /// All that they set.
    changing: Attrs,
}

impl Changes {
    pub(super) fn of(effects: &[&EffectFacts]) -> Self {
        #[cfg(test)]
        if NONE_SMALLER.get() {
            return Changes::default();
        }
        let updates = effects.iter().filter(|effect| effect.action == EffectAction::Update);
        let updates: Vec<(Attrs, Attrs)> = updates
            .map(|effect| (effect.sets, effect.given.union(effect.sets.minus(effect.grows))))
            .collect();
        let changing = updates.iter().fold(Attrs::NONE, |all, (sets, _)| all.union(*sets));
        Changes { updates, changing }
    }

    /// A partition, and its parts that spare updates a read or a move: for each update that sets some of it what it
    /// knows, or what it leaves as it is. Of those that do, the largest is the coolest.
    pub(super) fn partitions(&self, whole: Attrs) -> BTreeSet<Attrs> {
        let mut parts = BTreeSet::from([whole]);
        for (sets, known) in self.updates.iter().filter(|(sets, _)| !sets.intersection(whole).is_empty()) {
            let smaller = parts.iter().flat_map(|part| [part.intersection(*known), part.minus(*sets)]);
            parts.extend(smaller.collect::<Vec<Attrs>>());
        }
        // Nothing for everything is no part of it, unless a read gives nothing.
        parts.retain(|part| !part.is_empty() || whole.is_empty());
        parts
    }

    /// What of these a filter may take over, in every way.
    pub(super) fn left_out(&self, given: Attrs) -> Vec<Attrs> {
        let changing: Vec<Attr> = given.intersection(self.changing).iter().collect();
        if changing.len() > MOST_TOGETHER {
            let alone = changing.iter().map(|attr| [*attr].into_iter().collect());
            return alone.chain([changing.iter().copied().collect()]).collect();
        }
        let chosen = |some: usize| changing.iter().enumerate().filter(move |(at, _)| some >> at & 1 == 1);
        (1..1 << changing.len()).map(|some| chosen(some).map(|(_, attr)| *attr).collect()).collect()
    }
}
