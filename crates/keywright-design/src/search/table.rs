//! One table: the cheapest layouts of its components together, over all numbers of indexes.
//!
//! Nothing costs less than the cheapest layouts of all components, each for itself, and the fewest indexes that are
//! needed. Where these layouts fit into so many GSIs, whatever has as many or more is no cheaper, and fewer are tried;
//! where they need too many of the kinds together, the numbers of each kind are parted; where their indexes can't share
//! that few GSIs, what ties them is. The most promising part goes first, until none can beat the best design.

mod fit;
mod joint;
mod parting;
mod shown;

use std::collections::BTreeMap;

use keywright_dynamodb::Money;
use keywright_dynamodb::limits::GLOBAL_SECONDARY_INDEXES;

use super::component::{Component, Setting, Unserved};
use super::limits::{Limits, Numbers};
use super::lists::Lists;
use super::open::least_indexes;
use super::task::{EntityTask, Stop};
use super::total::{Answer, KnownTable, Proof, Unshown, Unsolved, Wanted, entities};
use super::{Counts, Present};
use crate::cost::{Cost, MonthlyPrice};
use crate::existing::Existing;
use crate::form::Form;
use crate::problem::Problem;
use fit::Best;
use joint::Joint;
use parting::{Part, Queue, Without};

/// So many parts of the space are searched before what is left is only bounded.
const MOST_PARTED: usize = 5_000;

/// Finds the cheapest design of one table, which has these components.
pub(super) fn solve_table(
    problem: &Problem,
    month: &MonthlyPrice,
    tasks: &[EntityTask<'_>],
    components: Vec<Component>,
    stop: Stop,
    wanted: Wanted,
) -> Result<Answer, Unsolved> {
    let table = entities(&components);
    let needed = table.iter().map(|entity| least_indexes(&tasks[*entity])).max().unwrap_or(0);
    if needed > GLOBAL_SECONDARY_INDEXES {
        return Err(Unsolved::TooManyIndexes { needed });
    }
    let native = table.first().is_some_and(|entity| tasks[*entity].forms.index == Form::Native);
    let existing = table.first().and_then(|entity| tasks[*entity].existing);
    let home = existing.and_then(|existing| table.iter().find_map(|entity| existing.home(*entity)));
    let present = existing.zip(home).map_or_else(Vec::new, |(existing, home)| existing.present(home));
    let mut search = Search {
        problem,
        month,
        tasks,
        lists: Lists::new(problem, tasks, &table),
        table,
        native,
        index_price: if native { Money::ZERO } else { month.operational.index },
        existing,
        needed: needed.max(present.len()),
        present,
        stop,
        whole_frontier: wanted.whole_frontier,
        components,
        best: None,
        frontier: BTreeMap::new(),
        fewest: usize::MAX,
        solved: Vec::new(),
    };
    let first = search.within(Limits::ANY, &Without::default());
    search.first_reason()?;
    let first = first.expect("every component has a solution");
    let weighed = search.solutions(&first).map(|it| it.weighed).sum();
    search.offer(&first);
    // Where that does not fit, a table without lists often does: something to compare with, and to end with.
    if search.best.is_none()
        && let Some(plain) = search.within(Limits::ANY, &Without::all_lists(&search.lists))
    {
        search.offer(&plain);
    }
    let lower_bound = search.run(&first);
    // That fewer indexes than are needed do not do is no more than a glance; whoever checks it wants to see it.
    let worth_showing = wanted.tables.is_some_and(|most| search.table.len() <= most);
    if let Some(fewer) = needed.checked_sub(1).filter(|_| worth_showing)
        && let Some(limits) = Numbers::up_to(fewer).limits()
    {
        search.within(limits, &Without::default());
    }
    let bounds = match wanted.tables {
        Some(_) if worth_showing => {
            search.shown(lower_bound.into_iter().chain(search.best_total()).min().unwrap_or(0))
        }
        Some(most) => Err(Unshown::TooManyEntities(most)),
        None => Err(Unshown::NotAskedFor),
    };
    let mut best = search.answer().ok_or(match stop.now() {
        true => Unsolved::TimeUp,
        // What is there keeps indexes apart that would have to be one.
        false if search.fewest == usize::MAX => Unsolved::NoPlace { entities: search.table.clone() },
        false => Unsolved::TooManyIndexes { needed: search.fewest },
    })?;
    let lower_bound = lower_bound.map_or(best.cost.total(), |bound| bound.min(best.cost.total()));
    let components = search.components.iter().map(|it| it.entities.clone()).collect();
    best.tables = vec![KnownTable {
        indexes: best.counts.iter().sum(),
        present: search.present_counts(),
        components,
        bounds,
    }];
    best.proof = Proof { lower_bound, layouts: weighed };
    Ok(best)
}

/// What was found so far.
struct Search<'s, 'p> {
    problem: &'s Problem,
    month: &'s MonthlyPrice,
    tasks: &'s [EntityTask<'p>],
    /// The entities of the table, ascending.
    table: Vec<usize>,
    /// The kinds of their lists.
    lists: Lists<'s>,
    /// Every index holds one entity, and has paid for itself.
    native: bool,
    index_price: Money,
    existing: Option<&'s Existing<'s>>,
    /// The indexes that are there already.
    present: Vec<Present>,
    /// No design has fewer indexes.
    needed: usize,
    stop: Stop,
    /// Also find the cheapest design for numbers of indexes that can't win.
    whole_frontier: bool,
    components: Vec<Component>,
    best: Option<Best>,
    frontier: BTreeMap<usize, Cost>,
    fewest: usize,
    /// The limits within which everything was solved, with nothing ruled out.
    solved: Vec<Limits>,
}

fn lower(bound: &mut Option<i128>, to: i128) {
    *bound = Some(bound.map_or(to, |bound| bound.min(to)));
}

impl Search<'_, '_> {
    /// Searches every number of indexes that could win; gives a bound on what was left out, none where nothing was.
    fn run(&mut self, first: &Joint) -> Option<i128> {
        let mut bound: Option<i128> = None;
        let most = if self.whole_frontier { self.needed } else { GLOBAL_SECONDARY_INDEXES };
        for sum in (most..=GLOBAL_SECONDARY_INDEXES).rev() {
            let numbers = Numbers::up_to(sum);
            let mut queue = Queue::default();
            queue.push(first.bound + self.running(&numbers), Part { numbers, ..Part::default() });
            let mut parted = 0;
            while let Some((least, part)) = queue.pop() {
                if self.beaten(part.numbers.sum, least) {
                    continue;
                }
                parted += 1;
                if self.stop.now() || parted > MOST_PARTED {
                    lower(&mut bound, least);
                } else if let Some(left) = self.part(least, part, &mut queue) {
                    lower(&mut bound, left);
                }
            }
        }
        bound
    }

    /// What the best design so far costs.
    fn best_total(&self) -> Option<i128> {
        self.best.as_ref().map(|best| best.cost.total())
    }

    /// What running such numbers of indexes costs at least; what is there already is run anyway.
    fn running(&self, numbers: &Numbers) -> i128 {
        self.index_price.pico() * numbers.beyond(self.present_counts(), self.needed) as i128
    }

    /// How many indexes of each kind are there already.
    fn present_counts(&self) -> Counts {
        let mut counts = Counts::default();
        self.present.iter().for_each(|it| counts[it.kind] += 1);
        counts
    }

    /// Whether a design with at most so many indexes is known that costs no more.
    fn beaten(&self, sum: usize, least: i128) -> bool {
        if self.whole_frontier {
            return self.frontier.range(..=sum).any(|(_, cost)| cost.total() <= least);
        }
        self.best.as_ref().is_some_and(|best| best.cost.total() <= least)
    }

    /// The cheapest design of one part. What it leaves open comes into the queue as smaller parts; gives a bound where
    /// that is given up.
    fn part(&mut self, least: i128, part: Part, queue: &mut Queue) -> Option<i128> {
        let limits = part.numbers.limits()?;
        let joint = self.within(limits, &part.without)?;
        let bound = least.max(joint.bound + self.running(&part.numbers));
        let Some(fit) = self.offer(&joint) else { return Some(bound) };
        if self.beaten(part.numbers.sum, bound) {
            return None;
        }
        if fit.torn {
            return self.part_groups(bound, &part, &joint, None, queue);
        }
        if let Some(kind) = (0..3).find(|kind| fit.counts[*kind] > limits.of_kind(*kind)) {
            return if !fit.exact {
                Some(bound)
            } else if kind == 2 && fit.by_lists {
                self.part_lists(bound, part, &joint, queue)
            } else {
                self.part_groups(bound, &part, &joint, Some(kind), queue)
            };
        }
        let used: usize = fit.counts.iter().sum();
        if used > part.numbers.sum {
            for numbers in part.numbers.without_room_for(fit.counts) {
                let least = bound.max(joint.bound + self.running(&numbers));
                queue.push(least, Part { numbers, ..part.clone() });
            }
        } else if let Some(fewer) = used.checked_sub(1).filter(|fewer| *fewer >= self.needed) {
            // It fits: nothing with as many indexes is cheaper.
            queue.push(bound, Part { numbers: part.numbers.below(fewer), ..part });
        }
        None
    }

    fn setting(&self) -> Setting<'_, '_> {
        Setting {
            problem: self.problem,
            month: self.month,
            tasks: self.tasks,
            lists: &self.lists,
            stop: self.stop,
        }
    }

    /// Why some component has no solution at all.
    fn first_reason(&self) -> Result<(), Unsolved> {
        for component in &self.components {
            let at = component.known(self.tasks, Limits::ANY, &[]);
            let solved = component.solved(at.expect("every component was solved without limits"));
            match &solved.solution {
                Ok(_) => {}
                Err(_) if !solved.complete => return Err(Unsolved::TimeUp),
                Err(Unserved::Entity(entity)) => return Err(Unsolved::NoLayout { entity: *entity }),
                Err(Unserved::Together) => {
                    return Err(Unsolved::NoPlace { entities: component.entities.clone() });
                }
            }
        }
        Ok(())
    }
}
