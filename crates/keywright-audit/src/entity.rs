//! What follows from an entity's facts alone: how many items share values, how many hold them, how hot they are.

use keywright_dynamodb::limits::{GLOBAL_SECONDARY_INDEXES, PROJECTED_ATTRIBUTES};
use keywright_model::certificate::{
    Bounded, EffectAction, EffectFacts, EntityFacts, KeptPlace, KeyForm, LogicalIndex, Path,
};

use crate::paths::{attributes, is_same};
use crate::set::{Set, has, members, set, within};

/// The hottest of many values takes ten times its even share.
const HOTTEST: u64 = 10;

/// An index may list all attributes of an entity that has at least so many demands an index could serve, and at most so
/// many.
const FEWEST_LISTING: usize = 2;
const MOST_LISTING: usize = 12;

pub(crate) struct Entity<'f> {
    pub(crate) facts: &'f EntityFacts,
    pub(crate) identity: Set,
    pub(crate) unique: Vec<Set>,
    tenants: Set,
}

impl<'f> Entity<'f> {
    pub(crate) fn new(facts: &'f EntityFacts) -> Self {
        let tenant = |at: &usize| facts.attributes[*at].tenant;
        let tenants: Vec<usize> = (0..facts.attributes.len()).filter(tenant).collect();
        Entity {
            facts,
            identity: set(&facts.identity),
            unique: facts.unique.iter().map(|it| set(&it.attributes)).collect(),
            tenants: set(&tenants),
        }
    }

    /// The indexes that its items are in already.
    pub(crate) fn kept(&self) -> &'f [LogicalIndex] {
        self.facts.kept.as_ref().map_or(&[], |kept| kept.indexes.as_slice())
    }

    /// What its keys look like in an index that they are in already; in the table where none is given.
    fn kept_place(&self, index: Option<&LogicalIndex>) -> Option<&'f KeptPlace> {
        let places = &self.facts.kept.as_ref()?.places;
        match index {
            None => places.first(),
            Some(index) => {
                let same =
                    |it: &LogicalIndex| is_same(&it.path, &index.path) && it.projection == index.projection;
                places.get(1 + self.kept().iter().position(same)?)
            }
        }
    }

    /// The GSI that an index is already.
    pub(crate) fn gsi(&self, index: &LogicalIndex) -> Option<usize> {
        self.kept_place(Some(index))?.gsi
    }

    /// Whether other kinds of items lie among its own in an index, or in the table, and nothing tells them apart.
    pub(crate) fn is_mixed(&self, index: Option<&LogicalIndex>) -> bool {
        self.kept_place(index).is_some_and(|place| place.mixed)
    }

    pub(crate) fn everything(&self) -> Set {
        let held = (0..self.facts.attributes.len()).filter(|at| self.instant_of(*at).is_none());
        set(&held.collect::<Vec<usize>>())
    }

    /// How many of its demands could use an index.
    fn eventual(&self) -> usize {
        self.facts.demands.iter().filter(|demand| !demand.strong).count()
    }

    /// No more names than this are in all INCLUDE lists of its indexes together, each with the type.
    pub(crate) fn most_listed(&self) -> usize {
        let most = (self.eventual() + self.kept().len()).min(GLOBAL_SECONDARY_INDEXES);
        most * (1 + members(self.everything()).count())
    }

    /// Whether an index of it may list all that it holds: not where one index alone is possible, so that ALL repeats no
    /// other keys, nor where there are very many.
    pub(crate) fn lists_everything(&self) -> bool {
        let many = self.eventual();
        !self.facts.crowded
            && (FEWEST_LISTING..=MOST_LISTING).contains(&many)
            && members(self.everything()).count() < PROJECTED_ATTRIBUTES
    }

    /// The instant whose period it is, for what only keys hold.
    pub(crate) fn instant_of(&self, attribute: usize) -> Option<usize> {
        self.facts.attributes[attribute].period_of
    }

    /// These attributes and the periods that they tell.
    pub(crate) fn with_periods(&self, some: Set) -> Set {
        let told = |at: &usize| self.instant_of(*at).is_some_and(|instant| has(some, instant));
        (0..self.facts.attributes.len()).filter(told).fold(some, |all, at| all | 1 << at)
    }

    /// The names of some attributes and those of all others that items hold, each ascending.
    pub(crate) fn names(&self, some: &[usize]) -> [Vec<&'f String>; 2] {
        let (mut one, mut other) = (Vec::new(), Vec::new());
        for (at, attribute) in self.facts.attributes.iter().enumerate() {
            if attribute.period_of.is_some() {
                continue;
            }
            if some.contains(&at) { one.push(&attribute.name) } else { other.push(&attribute.name) }
        }
        one.sort_unstable();
        other.sort_unstable();
        [one, other]
    }

    pub(crate) fn distinct(&self, attribute: usize) -> u64 {
        self.facts.attributes[attribute].distinct.max(1)
    }

    /// At most one item has given values of these.
    pub(crate) fn is_one(&self, given: Set) -> bool {
        self.facts.singleton
            || self.identity != 0 && within(self.identity, given)
            || self.unique.iter().any(|it| within(*it, given))
    }

    /// How many items share values of these, in the mean.
    pub(crate) fn mean(&self, given: Set) -> u64 {
        if self.is_one(given) {
            return 1;
        }
        let mut fewest: Option<(u64, Set)> = None;
        for parent in &self.facts.parents {
            let via = set(&parent.via);
            let closer = fewest.is_none_or(|(mean, _)| parent.mean < mean);
            if tells(parent, given) && closer {
                fewest = Some((parent.mean, via));
            }
        }
        // A child has the tenant of its parent.
        let (start, rest) = match fewest {
            Some((mean, via)) => (mean, given & !via & !self.tenants),
            None => (self.facts.count, given),
        };
        members(rest).fold(start, |left, at| left.div_ceil(self.distinct(at))).max(1)
    }

    /// How many items share values of these at most, where that is stated.
    pub(crate) fn most(&self, given: Set) -> Option<u64> {
        if self.is_one(given) {
            return Some(1);
        }
        let parents = self.facts.parents.iter().filter(|it| tells(it, given));
        parents.filter_map(|it| it.max).min()
    }

    /// How many in a million items hold all of these.
    pub(crate) fn present(&self, attributes: Set) -> u64 {
        let shares = members(attributes).filter_map(|at| self.facts.attributes[at].present);
        shares.fold(1_000_000, |all, share| all * share / 1_000_000)
    }

    /// The attributes that some items lack.
    pub(crate) fn is_optional(&self, attribute: usize) -> bool {
        self.facts.attributes[attribute].present.is_some()
    }

    /// The part of the traffic, in millionths, that meets the hottest value of these.
    pub(crate) fn hottest(&self, partition: Set, writes: bool) -> u64 {
        self.hottest_of(partition, writes, self.facts.skew.unwrap_or(0))
    }

    /// The part of what a write does that meets the hottest value of these. Every item comes once and goes once: stated
    /// traffic that is uneven is none of creating or deleting items that each have a partition of their own.
    pub(crate) fn hottest_written(&self, partition: Set, effect: &EffectFacts) -> u64 {
        let once = matches!(effect.action, EffectAction::Create | EffectAction::Delete);
        if once && self.identity != 0 && within(self.identity, partition) {
            self.hottest_of(partition, true, 0)
        } else {
            self.hottest(partition, true)
        }
    }

    fn hottest_of(&self, partition: Set, writes: bool, skew: u64) -> u64 {
        if partition == 0 {
            return 1_000_000;
        }
        let counts = |at: &usize| !(writes && self.facts.attributes[*at].one_value_written);
        let values = members(partition).filter(counts);
        let values = values.fold(1u64, |all, at| all.saturating_mul(self.facts.attributes[at].distinct));
        let values = if self.is_one(partition) { self.facts.count } else { values.min(self.facts.count) };
        let even = (HOTTEST * 1_000_000).div_ceil(values.max(1)).min(1_000_000);
        even.max(skew)
    }

    /// The tenants that all demands give and all items keep: every primary key begins with them.
    pub(crate) fn tenants_kept(&self) -> Set {
        let created = set(&self.facts.at_creation);
        let kept = members(self.tenants).filter(|at| {
            let lasting = !self.is_optional(*at) && !self.facts.attributes[*at].changes && has(created, *at);
            let harmless = self.facts.generated || has(self.identity, *at);
            let given = self.facts.demands.iter().all(|demand| demand.given.contains(at));
            lasting && harmless && given
        });
        kept.fold(0, |all, at| all | 1 << at)
    }

    /// The form of the keys of an index, or of the table.
    pub(crate) fn form(&self, index: bool) -> KeyForm {
        if index { self.facts.index_form } else { self.facts.form }
    }

    /// The attributes of a path that are key attributes as they are.
    pub(crate) fn own_keys(&self, form: KeyForm, path: &Path) -> Set {
        match form {
            KeyForm::Generic => 0,
            KeyForm::Natural => self.own_partition(path) | self.own_sort(path),
            KeyForm::Native => {
                let own = |at: &usize| self.facts.attributes[*at].own_key.is_some();
                members(attributes(path)).filter(own).fold(0, |all, at| all | 1 << at)
            }
        }
    }

    fn own_partition(&self, path: &Path) -> Set {
        match path.partition.as_slice() {
            [only] if self.may_be_own(path, *only) => 1 << only,
            _ => 0,
        }
    }

    fn own_sort(&self, path: &Path) -> Set {
        match path.sort.as_slice() {
            [only] if self.may_be_own(path, *only) && path.descending.is_empty() => 1 << only,
            _ => 0,
        }
    }

    fn may_be_own(&self, path: &Path, attribute: usize) -> bool {
        path.only.is_none() && self.facts.attributes[attribute].own_key.is_some()
    }

    /// The attributes of each string that a path adds to an item.
    pub(crate) fn strings(&self, form: KeyForm, path: &Path) -> Vec<Set> {
        let (partition, sort) = (set(&path.partition), set(&path.sort));
        match form {
            // A sort key of nothing says the partition again.
            KeyForm::Generic if path.sort.is_empty() => vec![partition, partition],
            KeyForm::Generic => vec![partition, sort],
            KeyForm::Native => {
                let rest = attributes(path) & !self.own_keys(form, path);
                members(rest).map(|at| 1 << at).collect()
            }
            KeyForm::Natural => {
                let mut strings = Vec::new();
                if self.own_partition(path) == 0 {
                    strings.push(partition);
                }
                if !path.sort.is_empty() && self.own_sort(path) == 0 {
                    strings.push(sort);
                }
                strings
            }
        }
    }
}

/// Whether these say which parent it is.
fn tells(parent: &Bounded, given: Set) -> bool {
    parent.told.is_some_and(|at| has(given, at)) || !parent.via.is_empty() && within(set(&parent.via), given)
}
