//! Keys that would have to move so that a table can be extended: as few as do, and of those the cheapest.

use keywright_dynamodb::Money;
use keywright_finding::Finding;

use super::derive::{Derived, Stuck};

/// What is to be said about the cheapest migration that lets the patterns be served: the keys of one of the entities that
/// are in the way, or of all of them, or all of a table that has no sort key. Nothing where that does not help.
pub(super) fn cheapest(stuck: &Stuck, design: &dyn Fn(&[usize]) -> Derived) -> Vec<Finding> {
    let moved = |moved: &[usize]| {
        let derived = design(moved);
        let moves = derived.outcome.design.is_some() && !derived.migrations.is_empty();
        moves.then_some(derived.migrations)
    };
    let price = |migrations: &Vec<crate::extend::Migration>| -> Money {
        migrations.iter().fold(Money::ZERO, |all, it| all + it.price)
    };
    let Stuck { entities, table } = stuck;
    let one = entities.iter().filter_map(|entity| moved(&[*entity])).min_by_key(price);
    let all = || if entities.len() > 1 { moved(entities) } else { None };
    let found = one.or_else(all).or_else(|| if table.is_empty() { None } else { moved(table) });
    found.into_iter().flatten().map(|it| it.finding).collect()
}
