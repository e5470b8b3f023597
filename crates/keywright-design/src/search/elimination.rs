//! Min-sum elimination: the cheapest joint choice over entities that shared reads tie together.
//!
//! One entity after the other is summed out; a forest of shared reads needs tables of two entities only, a cycle
//! larger ones. Exact in any case, unless a table would pass the limit.

/// A price for every joint choice of some variables; dense, the last variable runs fastest.
#[derive(Clone, Debug)]
pub(super) struct Factor {
    pub(super) scope: Vec<usize>,
    pub(super) table: Vec<i128>,
}

/// More than any price: not possible.
pub(super) const NEVER: i128 = i128::MAX / 1024;

/// Larger tables than this are not made.
const MOST_ENTRIES: usize = 4_000_000;

/// Why there is no answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Failure {
    Impossible,
    TooLarge,
}

/// The least sum of all factors and a choice for every variable that gives it. `sizes` are the numbers of
/// choices of each variable.
pub(super) fn minimise(sizes: &[usize], factors: Vec<Factor>) -> Result<(i128, Vec<usize>), Failure> {
    eliminate(sizes, factors, |_, _| {})
}

/// The same, and every variable that is summed out is noted, with what that gives.
pub(super) fn eliminate(
    sizes: &[usize],
    mut factors: Vec<Factor>,
    mut note: impl FnMut(usize, &Factor),
) -> Result<(i128, Vec<usize>), Failure> {
    let mut left: Vec<usize> = (0..sizes.len()).collect();
    let mut traces: Vec<(usize, Vec<usize>, Vec<usize>)> = Vec::new();
    let mut constant = 0i128;
    while !left.is_empty() {
        let neighbours = |variable: usize| {
            let mut scope: Vec<usize> = factors
                .iter()
                .filter(|factor| factor.scope.contains(&variable))
                .flat_map(|factor| factor.scope.iter().copied())
                .filter(|it| *it != variable)
                .collect();
            scope.sort_unstable();
            scope.dedup();
            scope
        };
        let cost = |scope: &[usize]| scope.iter().map(|it| sizes[*it] as u128).product::<u128>();
        let (at, scope) = left
            .iter()
            .enumerate()
            .map(|(at, variable)| (at, neighbours(*variable)))
            .min_by_key(|(at, scope)| (cost(scope), *at))
            .expect("a variable is left");
        let variable = left.remove(at);
        if cost(&scope) * sizes[variable] as u128 > MOST_ENTRIES as u128 {
            return Err(Failure::TooLarge);
        }
        let (mine, others): (Vec<Factor>, Vec<Factor>) =
            factors.into_iter().partition(|factor| factor.scope.contains(&variable));
        factors = others;
        let (table, trace) = sum_out(variable, &scope, sizes, &mine);
        traces.push((variable, scope.clone(), trace));
        let summed = Factor { scope, table };
        note(variable, &summed);
        if summed.scope.is_empty() {
            constant = NEVER.min(constant + summed.table[0]);
        } else {
            factors.push(summed);
        }
    }
    if constant >= NEVER {
        return Err(Failure::Impossible);
    }
    let mut choice = vec![0; sizes.len()];
    for (variable, scope, trace) in traces.into_iter().rev() {
        choice[variable] = trace[position(&scope, sizes, &choice)];
    }
    Ok((constant, choice))
}

fn position(scope: &[usize], sizes: &[usize], choice: &[usize]) -> usize {
    scope.iter().fold(0, |at, variable| at * sizes[*variable] + choice[*variable])
}

/// The least sum of the factors over one variable, and the choice that gives it, for every choice of the scope.
fn sum_out(variable: usize, scope: &[usize], sizes: &[usize], factors: &[Factor]) -> (Vec<i128>, Vec<usize>) {
    let entries: usize = scope.iter().map(|it| sizes[*it]).product();
    let mut table = Vec::with_capacity(entries);
    let mut trace = Vec::with_capacity(entries);
    let mut choice = vec![0; sizes.len()];
    for entry in 0..entries {
        let mut rest = entry;
        for it in scope.iter().rev() {
            choice[*it] = rest % sizes[*it];
            rest /= sizes[*it];
        }
        let mut best = (NEVER, 0);
        for value in 0..sizes[variable] {
            choice[variable] = value;
            let mut sum = 0i128;
            for factor in factors {
                let price = factor.table[position(&factor.scope, sizes, &choice)];
                if price >= NEVER {
                    sum = NEVER;
                    break;
                }
                sum += price;
            }
            if sum < best.0 {
                best = (sum, value);
            }
        }
        table.push(best.0);
        trace.push(best.1);
    }
    (table, trace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cycle_is_summed_out_exactly() {
        let sizes = [2, 3, 2];
        let price = |one: usize, other: usize, by: usize| ((one * 7 + other * 5 + by * 3) % 11) as i128;
        let pair = |one: usize, other: usize| Factor {
            scope: vec![one, other],
            table: (0..sizes[one])
                .flat_map(|x| (0..sizes[other]).map(move |y| price(x, y, one + other)))
                .collect(),
        };
        let factors = vec![pair(0, 1), pair(1, 2), pair(0, 2)];
        let (least, choice) = minimise(&sizes, factors.clone()).unwrap();
        let sum = |choice: &[usize]| -> i128 {
            factors.iter().map(|it| it.table[position(&it.scope, &sizes, choice)]).sum()
        };
        let mut naive = i128::MAX;
        for x in 0..2 {
            for y in 0..3 {
                for z in 0..2 {
                    naive = naive.min(sum(&[x, y, z]));
                }
            }
        }
        assert_eq!((least, sum(&choice)), (naive, naive));
    }

    #[test]
    fn what_no_choice_allows_is_impossible() {
        let factor = Factor { scope: vec![0], table: vec![NEVER, NEVER] };
        assert_eq!(minimise(&[2], vec![factor]), Err(Failure::Impossible));
    }
}
