//! The orders in which the steps of two writers can come.

/// The orders of one writer's steps and the other's, whose are true: all of them, or the most that keep within the
/// limit, those with fewer changes of turn first.
pub(super) fn schedules(first: usize, second: usize, most: usize) -> Vec<Vec<bool>> {
    let mut all: Vec<Vec<bool>> = Vec::new();
    for turns in 1..=first + second {
        for starts in [true, false] {
            with_turns(first, second, starts, turns, &mut Vec::new(), most, &mut all);
        }
    }
    all
}

/// The orders that change turns exactly so often, the last step included; until there are enough.
fn with_turns(
    first: usize,
    second: usize,
    turn: bool,
    turns: usize,
    so_far: &mut Vec<bool>,
    most: usize,
    all: &mut Vec<Vec<bool>>,
) {
    if all.len() == most {
        return;
    }
    let left = if turn { second } else { first };
    let other = if turn { first } else { second };
    if turns == 1 {
        if other == 0 && left > 0 {
            let order = so_far.iter().copied().chain(std::iter::repeat_n(turn, left));
            all.push(order.collect());
        }
        return;
    }
    for count in 1..=left {
        so_far.extend(std::iter::repeat_n(turn, count));
        let (first, second) = if turn { (first, second - count) } else { (first - count, second) };
        with_turns(first, second, !turn, turns - 1, so_far, most, all);
        so_far.truncate(so_far.len() - count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_interleavings_are_there_once() {
        assert_eq!(schedules(1, 1, 70), [[true, false], [false, true]]);
        for (first, second, count) in [(2, 2, 6), (4, 4, 70), (1, 3, 4), (3, 2, 10)] {
            let mut all = schedules(first, second, 70);
            assert!(all.iter().all(|one| one.iter().filter(|turn| **turn).count() == second));
            all.sort();
            all.dedup();
            assert_eq!(all.len(), count);
        }
    }

    #[test]
    fn of_too_many_interleavings_those_with_the_fewest_turns_remain() {
        let turns = |order: &Vec<bool>| order.windows(2).filter(|pair| pair[0] != pair[1]).count();
        let some = schedules(6, 6, 70);
        assert_eq!(some.len(), 70);
        assert!(some.windows(2).all(|pair| turns(&pair[0]) <= turns(&pair[1])));
        assert_eq!(some, schedules(6, 6, 70));
    }
}
