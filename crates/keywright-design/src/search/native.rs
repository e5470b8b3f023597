//! Who pays for native indexes: entities with the same key attributes are in one index, and pay for it once.
//!
//! An index costs its own price and the entries of strangers. Where one entity alone can open it, that entity pays.
//! Where several can, the payers are those that opened it in the round before: for any division of the price that
//! never asks for more than the whole, the search gives a lower bound, and where the payers are those that open it
//! again, the bound is met.

use std::collections::{BTreeMap, BTreeSet};

use keywright_dynamodb::Money;

use super::{EntityTask, Group, Layout};
use crate::cost::{Cost, stranger_price};
use crate::form;
use crate::path::Projection;

/// The key attributes and the projection of a native index, by name: what is equal is one index.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Signature {
    partition: Vec<String>,
    sort: Vec<String>,
    kind: usize,
    listed: Vec<String>,
}

/// The entities that open each index.
pub(super) type Openers = BTreeMap<Signature, BTreeSet<usize>>;

/// The native indexes that candidates stand for.
pub(super) struct Natives {
    /// Who has each as a candidate.
    holders: BTreeMap<Signature, Vec<(usize, usize)>>,
}

impl Natives {
    pub(super) fn of(tasks: &[EntityTask<'_>]) -> Self {
        let mut holders: BTreeMap<Signature, Vec<(usize, usize)>> = BTreeMap::new();
        for task in tasks {
            for index in 0..task.candidates.indexes.len() {
                holders.entry(signature(task, index)).or_default().push((task.entity, index));
            }
        }
        Natives { holders }
    }

    /// The tasks, with every candidate priced by who opened it before.
    pub(super) fn priced<'p>(&self, tasks: &[EntityTask<'p>], openers: &Openers) -> Vec<EntityTask<'p>> {
        let mut beside: Vec<Vec<Cost>> =
            tasks.iter().map(|task| vec![Cost::ZERO; task.candidates.indexes.len()]).collect();
        let nobody = BTreeSet::new();
        for (signature, holders) in &self.holders {
            let before = openers.get(signature).unwrap_or(&nobody);
            let payers: Vec<(usize, usize)> = match before.is_empty() {
                true => holders.clone(),
                false => holders.iter().filter(|(entity, _)| before.contains(entity)).copied().collect(),
            };
            let inside: BTreeSet<usize> = match before.is_empty() {
                // Nobody yet: whoever could come in is not counted, so that no division asks for too much.
                true => holders.iter().map(|(entity, _)| *entity).collect(),
                false => before.clone(),
            };
            let whole = self.cost(tasks, signature, &inside);
            for (at, (entity, index)) in payers.iter().enumerate() {
                beside[*entity][*index] = share(whole, payers.len(), at);
            }
            // Who comes in later no longer counts as a stranger.
            for (entity, index) in holders.iter().filter(|it| !payers.contains(it)) {
                let as_stranger = self.strangers(tasks, signature, |it| it == *entity);
                beside[*entity][*index] = less(as_stranger);
            }
        }
        tasks.iter().cloned().zip(beside).map(|(task, beside)| task.priced(beside)).collect()
    }

    /// Those who pay where these opened indexes before, each with the candidate.
    pub(super) fn payers(&self, openers: &Openers) -> Vec<Vec<(usize, usize)>> {
        let of = |(signature, before): (&Signature, &BTreeSet<usize>)| {
            let holders = self.holders.get(signature)?.iter();
            Some(holders.filter(|(entity, _)| before.contains(entity)).copied().collect())
        };
        openers.iter().filter_map(of).collect()
    }

    /// What an index costs beside the entries of those that open it.
    fn cost(&self, tasks: &[EntityTask<'_>], signature: &Signature, openers: &BTreeSet<usize>) -> Cost {
        let (entity, _) = self.holders[signature][0];
        let price = Cost::operational(tasks[entity].month.operational.index);
        price
            + self.strangers(tasks, signature, |it| !openers.contains(&it))
            + self.uniqueness(tasks, signature)
    }

    fn strangers(
        &self,
        tasks: &[EntityTask<'_>],
        signature: &Signature,
        counts: impl Fn(usize) -> bool,
    ) -> Cost {
        // Seen from one holder another is a stranger, and the other way round.
        let mut seen = BTreeSet::new();
        let mut cost = Cost::ZERO;
        for (entity, index) in &self.holders[signature] {
            let task = &tasks[*entity];
            let candidate = &task.candidates.indexes[*index];
            for stranger in form::strangers(task.problem, *entity, &candidate.path) {
                let other = stranger.entity;
                if stranger.uniqueness.is_none() && counts(other) && seen.insert(other) {
                    cost +=
                        stranger_price(task.problem, task.month, *entity, candidate.projection, &stranger);
                }
            }
        }
        cost
    }

    fn uniqueness(&self, tasks: &[EntityTask<'_>], signature: &Signature) -> Cost {
        let (entity, index) = self.holders[signature][0];
        let task = &tasks[entity];
        let candidate = &task.candidates.indexes[index];
        form::strangers(task.problem, entity, &candidate.path)
            .iter()
            .filter(|stranger| stranger.uniqueness.is_some())
            .map(|stranger| stranger_price(task.problem, task.month, entity, candidate.projection, stranger))
            .sum()
    }

    /// The indexes that layouts open, and who.
    pub(super) fn opened(&self, tasks: &[EntityTask<'_>], layouts: &[Layout]) -> Openers {
        let mut openers = Openers::new();
        for (task, layout) in tasks.iter().zip(layouts) {
            for index in &layout.indexes {
                openers.entry(signature(task, *index)).or_default().insert(task.entity);
            }
        }
        openers
    }

    /// What layouts really cost, where `charged` is what the priced tasks asked for.
    pub(super) fn settled(&self, tasks: &[EntityTask<'_>], layouts: &[Layout], charged: Cost) -> Cost {
        let mut cost = charged;
        for (task, layout) in tasks.iter().zip(layouts) {
            for index in &layout.indexes {
                cost += less(task.beside(*index));
            }
        }
        for (signature, openers) in self.opened(tasks, layouts) {
            cost += self.cost(tasks, &signature, &openers);
        }
        cost
    }
}

/// Whether two groups of native entries are one index.
pub(super) fn is_same(
    tasks: &[EntityTask<'_>],
    candidate: &dyn Fn(&(usize, usize)) -> usize,
    one: &Group,
    other: &Group,
) -> bool {
    let of = |group: &Group| {
        let member = &group.members[0];
        signature(&tasks[member.0], candidate(member))
    };
    of(one) == of(other)
}

fn signature(task: &EntityTask<'_>, index: usize) -> Signature {
    let facts = task.facts();
    let candidate = &task.candidates.indexes[index];
    let mut partition = facts.names(candidate.path.partition.iter().copied());
    partition.sort();
    // Without the kind in the key nobody else has all of its attributes: it stands for this entity alone.
    if !form::needs_kind(task.problem, task.entity, &candidate.path) {
        partition.push(format!("of {}", task.entity));
    }
    // What is new never comes into an index that is there.
    if let Some(gsi) = task.gsi(index) {
        partition.push(format!("in {gsi}"));
    }
    Signature {
        partition,
        sort: facts.names(candidate.path.sort.iter().map(|segment| segment.attr)),
        kind: candidate.projection.kind(),
        listed: match candidate.projection {
            Projection::Include(list) => facts.names(list.iter()),
            Projection::All | Projection::Keys => Vec::new(),
        },
    }
}

/// One of so many equal parts of a cost; the first takes what can't be divided.
fn share(cost: Cost, parts: usize, at: usize) -> Cost {
    let part = |money: Money| {
        let each = money.pico() / parts as i128;
        let rest = if at == 0 { money.pico() - each * parts as i128 } else { 0 };
        Money::from_pico(each + rest)
    };
    Cost { bill: part(cost.bill), operational: part(cost.operational) }
}

fn less(cost: Cost) -> Cost {
    Cost { bill: Money::ZERO - cost.bill, operational: Money::ZERO - cost.operational }
}
