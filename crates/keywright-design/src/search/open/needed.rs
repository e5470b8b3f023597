//! The least number of indexes that an entity can do with, at a glance.

use super::super::options::{Choice, choices, opened};
use super::super::task::EntityTask;

/// The least number of indexes with which the demands can be served, as far as it shows before any search.
pub(crate) fn least_indexes(task: &EntityTask<'_>) -> usize {
    (0..task.candidates.bases.len())
        .map(|base| {
            let ways: Vec<Vec<Choice>> = (0..task.demands.len()).map(|at| choices(task, base, at)).collect();
            apart(&ways)
        })
        .min()
        .unwrap_or(0)
}

/// How many demands are there that only indexes serve, no two of them by the same one; the hardest are taken first.
fn apart(choices: &[Vec<Choice>]) -> usize {
    let indexes = |ways: &Vec<Choice>| -> Option<Vec<usize>> { ways.iter().map(opened).collect() };
    let mut forced: Vec<Vec<usize>> = choices.iter().filter_map(indexes).collect();
    forced.sort_by_key(Vec::len);
    let mut taken: Vec<usize> = Vec::new();
    let mut apart = 0;
    for indexes in forced {
        if indexes.iter().all(|index| !taken.contains(index)) {
            taken.extend(indexes);
            apart += 1;
        }
    }
    apart
}
