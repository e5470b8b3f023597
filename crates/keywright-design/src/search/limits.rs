//! How many indexes there may be, and which numbers of them are still to be tried.

use super::Counts;

/// The most indexes that a layout may have: of each kind, and of all kinds together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    kinds: Counts,
    total: usize,
}

impl Limits {
    /// Any number of indexes.
    pub(super) const ANY: Limits = Limits { kinds: [usize::MAX; 3], total: usize::MAX };

    /// No more than so many of each kind.
    pub(super) fn exactly(counts: Counts) -> Limits {
        Limits { kinds: counts, total: counts.iter().sum() }
    }

    /// Whether a layout with so many indexes keeps to the limits.
    pub(super) fn allow(&self, counts: Counts) -> bool {
        counts.iter().sum::<usize>() <= self.total && (0..3).all(|kind| counts[kind] <= self.kinds[kind])
    }

    /// The most indexes of a kind.
    pub(super) fn of_kind(&self, kind: usize) -> usize {
        self.kinds[kind]
    }

    /// How many more indexes a layout with so many may have.
    pub(super) fn leave(&self, open: usize) -> usize {
        self.total.saturating_sub(open)
    }

    /// The limits as a value; any number is none.
    pub(crate) fn as_value(self) -> keywright_model::certificate::Limits {
        let some = |limit: usize| (limit < usize::MAX).then_some(limit);
        let [all, keys, include] = self.kinds.map(some);
        keywright_model::certificate::Limits { all, keys, include, total: some(self.total) }
    }

    /// Whether whatever keeps to the other limits keeps to these.
    pub(crate) fn cover(&self, other: Limits) -> bool {
        other.total <= self.total && (0..3).all(|kind| other.kinds[kind] <= self.kinds[kind])
    }
}

/// Numbers of indexes of each kind that add up to no more than a sum: all that lie between two of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    pub(super) sum: usize,
    least: Counts,
    most: Counts,
}

impl Numbers {
    /// All numbers that add up to no more than a sum.
    pub(super) fn up_to(sum: usize) -> Self {
        Numbers { sum, least: Counts::default(), most: [sum; 3] }
    }

    /// Those of these numbers that add up to no more than a smaller sum.
    pub(super) fn below(&self, sum: usize) -> Self {
        Numbers { sum: sum.min(self.sum), ..*self }
    }

    /// Those of these numbers with no fewer of a kind.
    pub(super) fn with_at_least(&self, kind: usize, count: usize) -> Self {
        let mut numbers = *self;
        numbers.least[kind] = numbers.least[kind].max(count);
        numbers
    }

    /// The fewest of a kind.
    pub(super) fn least(&self, kind: usize) -> usize {
        self.least[kind]
    }

    /// What a layout keeps to if it keeps to any of these numbers; none where there are no such numbers.
    pub(super) fn limits(&self) -> Option<Limits> {
        let needed: usize = self.least.iter().sum();
        let spare = self.sum.checked_sub(needed)?;
        if (0..3).any(|kind| self.least[kind] > self.most[kind]) {
            return None;
        }
        // What the other kinds need at least is not left for this one.
        let kinds = std::array::from_fn(|kind| self.most[kind].min(self.least[kind] + spare));
        Some(Limits { kinds, total: self.sum })
    }

    /// These numbers without those that have room for so many of each kind: first those with too few of the first kind,
    /// then those with enough of it and too few of the second, and so on.
    pub(super) fn without_room_for(&self, counts: Counts) -> Vec<Numbers> {
        let mut parts = Vec::new();
        let mut rest = *self;
        for (kind, count) in counts.into_iter().enumerate() {
            if let Some(fewer) = count.checked_sub(1) {
                let mut part = rest;
                part.most[kind] = part.most[kind].min(fewer);
                parts.extend(part.limits().is_some().then_some(part));
            }
            rest.least[kind] = rest.least[kind].max(count);
        }
        parts
    }

    /// The fewest indexes that come new beside so many of each kind, when no fewer than these are needed in all.
    pub(super) fn beyond(&self, present: Counts, needed: usize) -> usize {
        let of_kinds: usize = (0..3).map(|kind| self.least[kind].saturating_sub(present[kind])).sum();
        of_kinds.max(needed.saturating_sub(present.iter().sum()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vectors(numbers: &Numbers) -> Vec<Counts> {
        let mut all = Vec::new();
        for whole in numbers.least[0]..=numbers.most[0] {
            for keys in numbers.least[1]..=numbers.most[1] {
                for lists in numbers.least[2]..=numbers.most[2] {
                    all.extend((whole + keys + lists <= numbers.sum).then_some([whole, keys, lists]));
                }
            }
        }
        all
    }

    #[test]
    fn numbers_are_parted_into_those_with_and_those_without_room() {
        for counts in [[2, 0, 1], [0, 0, 1], [3, 3, 3], [0, 4, 0]] {
            for sum in 0..7 {
                let all = Numbers::up_to(sum);
                let room = |vector: &Counts| (0..3).all(|kind| vector[kind] >= counts[kind]);
                let without: Vec<Counts> = vectors(&all).into_iter().filter(|it| !room(it)).collect();
                let mut parted: Vec<Counts> = all.without_room_for(counts).iter().flat_map(vectors).collect();
                parted.sort_unstable();
                assert_eq!(parted, without, "{counts:?} in {sum}");
            }
        }
    }

    #[test]
    fn limits_allow_whatever_some_of_the_numbers_allow() {
        let numbers = Numbers { sum: 5, least: [1, 0, 2], most: [4, 1, 5] };
        let limits = numbers.limits().unwrap();
        assert_eq!((limits.kinds, limits.total), ([3, 1, 4], 5));
        assert!(vectors(&numbers).iter().all(|vector| limits.allow(*vector)));
        assert_eq!(Numbers { sum: 5, least: [4, 0, 2], most: [5; 3] }.limits(), None);
        assert_eq!((numbers.beyond([0, 1, 0], 0), numbers.beyond([5, 0, 0], 6)), (3, 2));
        assert_eq!(numbers.beyond([0, 1, 0], 6), 5);
    }
}
