//! Heat of whole collections: what several entities do under one partition key adds up.
//!
//! The search keeps every entity's own path cool. Where what has to lie together is too hot together, the cheapest design
//! that is not is found by branch and bound. A load never falls while nothing that it is the sum of does; so in every
//! design that is cool some entity asks for less there, or some read of several entities finds them elsewhere. Each of
//! these is a branch: a budget of one entity, within which the search finds the cheapest design again. The branch with
//! the least bound goes on, and the first design that is cool and no dearer than all bounds is the cheapest.

use super::weighing::{Budgets, Weighing};
use crate::candidate::Candidates;
use crate::collection::{Collection, Member, collections, member_load, parts_at, path_at, read_load};
use crate::cost::{Load, Unit};
use crate::search::{
    Answer, Below, Budget, EntityTask, KnownTable, Paid, Spot, Stop, Unsolved, Wanted, solve,
};

/// More designs than this are not looked at; what is left then shows as a gap.
const MOST_DESIGNS: usize = 200;

/// The cheapest design in which no collection is too hot.
pub(super) struct Cooled {
    pub(super) answer: Answer,
    pub(super) collections: Vec<Collection>,
    /// What entities were left to ask for, where heat limits that.
    pub(super) budgets: Budgets,
    /// The bound of the design without regard to what collections bear together, where that is another one.
    pub(super) unheated: Option<i128>,
}

/// A design, and the first collection in it that is too hot.
struct Found {
    budgets: Budgets,
    answer: Answer,
    collections: Vec<Collection>,
    hot: Option<Hot>,
}

/// A collection that is too hot, and in what.
struct Hot {
    unit: Unit,
    collection: Collection,
}

/// Finds the cheapest design in which no collection is too hot.
pub(super) fn cheapest<'t>(
    weighing: &Weighing<'t>,
    all: &'t [Candidates],
    tasks: &[EntityTask<'t>],
    stop: Stop,
    wanted: Wanted,
) -> Result<Cooled, Unsolved> {
    let search = Search { weighing, all, tasks, stop };
    let mut first = search.found(Budgets::new(), wanted)?;
    if first.hot.is_none() {
        let Found { answer, collections, budgets, .. } = first;
        return Ok(Cooled { answer, collections, budgets, unheated: None });
    }
    let unheated = Unheated {
        lower_bound: first.answer.proof.lower_bound,
        tables: std::mem::take(&mut first.answer.tables),
        paid: first.answer.paid.take(),
    };
    // Nobody looks at the tables of other designs.
    let wanted = Wanted { tables: None, ..wanted };
    let (mut found, lower_bound) = search.branch(first, wanted)?;
    found.answer.proof.lower_bound = lower_bound;
    let bound = unheated.lower_bound;
    unheated.show_in(&mut found.answer);
    let Found { answer, collections, budgets, .. } = found;
    Ok(Cooled { answer, collections, budgets, unheated: Some(bound) })
}

/// What the search knew of the design without regard to what collections bear together.
struct Unheated {
    lower_bound: i128,
    tables: Vec<KnownTable>,
    paid: Option<Paid>,
}

impl Unheated {
    /// Puts what is known into the answer of another design, of as many indexes as that one has.
    fn show_in(self, answer: &mut Answer) {
        let now = self.tables.into_iter().zip(&answer.tables);
        answer.tables = now.map(|(it, now)| KnownTable { indexes: now.indexes, ..it }).collect();
        // Prices are those of the round that the tables are of.
        if let (Some(now), Some(then)) = (&mut answer.paid, self.paid) {
            (now.prices, now.by) = (then.prices, then.by);
        }
    }
}

struct Search<'s, 't> {
    weighing: &'s Weighing<'t>,
    all: &'t [Candidates],
    tasks: &'s [EntityTask<'t>],
    stop: Stop,
}

impl<'t> Search<'_, 't> {
    /// What there is to decide within budgets.
    fn within(&self, budgets: &Budgets) -> Vec<EntityTask<'t>> {
        let mut tasks = self.tasks.to_vec();
        for (entity, some) in budgets {
            tasks[*entity] = self.weighing.task(self.all, *entity).within(some.clone());
        }
        tasks
    }

    /// The cheapest design within budgets, and what is too hot in it.
    fn found(&self, budgets: Budgets, wanted: Wanted) -> Result<Found, Unsolved> {
        let Weighing { problem, month, style, .. } = *self.weighing;
        let limited = (!budgets.is_empty()).then(|| self.within(&budgets));
        let tasks = limited.as_deref().unwrap_or(self.tasks);
        let answer = solve(problem, month, tasks, self.stop, wanted)?;
        let collections = collections(problem, style, tasks, &answer);
        let hot = collections
            .iter()
            .filter(|it| it.members.len() > 1)
            .find_map(|it| Some(Hot { unit: it.load.too_much()?, collection: it.clone() }));
        Ok(Found { budgets, answer, collections, hot })
    }

    /// Branches below a design that is too hot until nothing is left that could be cheaper than the best cool one. Gives
    /// that, and what nothing cool is cheaper than.
    fn branch(&self, first: Found, wanted: Wanted) -> Result<(Found, i128), Unsolved> {
        let too_hot = Unsolved::TooHot { entities: first.hot.iter().flat_map(Hot::entities).collect() };
        let mut open = vec![first];
        let mut best: Option<Found> = None;
        // What was not looked at to its end costs at least this.
        let mut left = i128::MAX;
        let mut designs = 0;
        let total = |found: &Option<Found>| found.as_ref().map(|it| it.answer.cost.total());
        while let Some(at) = (0..open.len()).min_by_key(|at| open[*at].answer.proof.lower_bound) {
            let bound = open[at].answer.proof.lower_bound;
            if total(&best).is_some_and(|best| best <= bound) {
                break;
            }
            if designs >= MOST_DESIGNS || self.stop.now() {
                left = left.min(bound);
                if best.is_none() {
                    best = Some(self.dive(open.swap_remove(at), wanted)?);
                }
                break;
            }
            let parent = open.remove(at);
            for (entity, budget) in parent.hot.iter().flat_map(|hot| self.branches(&parent.answer, hot)) {
                designs += 1;
                let mut found = match self.found(parent.with(entity, budget), wanted) {
                    Ok(found) => found,
                    Err(Unsolved::NoLayout { .. } | Unsolved::NoPlace { .. }) => continue,
                    Err(_) => {
                        left = left.min(bound);
                        continue;
                    }
                };
                // Less is left to choose from than above.
                found.answer.proof.lower_bound = found.answer.proof.lower_bound.max(bound);
                if found.hot.is_some() {
                    open.push(found);
                    continue;
                }
                left = left.min(found.answer.proof.lower_bound);
                if total(&best).is_none_or(|best| found.answer.cost.total() < best) {
                    best = Some(found);
                }
            }
        }
        let best = best.ok_or(if left < i128::MAX { Unsolved::TimeUp } else { too_hot })?;
        let bound = left.min(best.answer.cost.total());
        Ok((best, bound))
    }

    /// Some cool design below one that is too hot: whatever it costs least to take away goes.
    fn dive(&self, mut from: Found, wanted: Wanted) -> Result<Found, Unsolved> {
        while let Some(hot) = &from.hot {
            let entities = hot.entities().collect();
            let branches = self.branches(&from.answer, hot).into_iter();
            let below = branches
                .filter_map(|(entity, budget)| self.found(from.with(entity, budget.spent()), wanted).ok());
            let least = below.min_by_key(|it| it.answer.cost.total());
            from = least.ok_or(if self.stop.now() {
                Unsolved::TimeUp
            } else {
                Unsolved::TooHot { entities }
            })?;
        }
        Ok(from)
    }

    /// What an entity could ask for less of, or where it could lie apart from others, so that a collection gets cooler:
    /// every design that is cool keeps to one of these budgets.
    fn branches(&self, answer: &Answer, hot: &Hot) -> Vec<(usize, Budget)> {
        let mut branches: Vec<(usize, Budget)> = Vec::new();
        let mut apart: Vec<usize> = Vec::new();
        for member in &hot.collection.members {
            let (entity, task) = (member.0, &self.tasks[member.0]);
            let first = parts_at(task, answer, *member).next();
            // While a read ties an entity to the others, it is with them in any index that the read runs on.
            let spot = self.spot(answer, *member, first.map(|it| it.demand));
            let own = member_load(task, answer, *member).of(hot.unit);
            if own > 0 {
                branches.push((entity, Budget { spot, below: Below::Load(hot.unit, own) }));
                apart.extend(first.map(|it| it.read));
            }
        }
        for member in &hot.collection.members {
            let (entity, task) = (member.0, &self.tasks[member.0]);
            let layout = &answer.layouts[entity];
            let bytes = member.1.map_or(layout.item_bytes, |at| layout.entry_bytes[at]);
            let first = parts_at(task, answer, *member).next();
            for part in parts_at(task, answer, *member) {
                let spot = self.spot(answer, *member, Some(part.demand));
                if hot.unit == Unit::Read && self.asks(answer, hot, part.read) {
                    // What is read of several entities is less where one of them is smaller.
                    branches.push((entity, Budget { spot, below: Below::Bytes(bytes) }));
                } else if part.part == 0 && !apart.contains(&part.read) {
                    // It is read elsewhere.
                    branches.push((entity, Budget { spot, below: Below::Bytes(0) }));
                }
                // Or two reads find it in different indexes, so that nothing ties the others.
                let other = first.filter(|it| member.1.is_some() && it.demand != part.demand);
                branches.extend(other.map(|it| (entity, Budget { spot, below: Below::Without(it.demand) })));
            }
        }
        branches
    }

    fn spot(&self, answer: &Answer, (entity, position): Member, demand: Option<usize>) -> Spot {
        let candidate = position.filter(|_| demand.is_none()).map(|at| answer.layouts[entity].indexes[at]);
        let partition = path_at(&self.tasks[entity], answer, position).partition_set();
        Spot { index: position.is_some(), partition, candidate, demand }
    }

    /// Whether a read of several entities asks anything of a collection.
    fn asks(&self, answer: &Answer, hot: &Hot, read: usize) -> bool {
        let problem = self.weighing.problem;
        let head = problem.reads[read].parts[0].entity;
        let member = hot.collection.members.iter().find(|member| member.0 == head);
        member.is_some_and(|member| read_load(problem, self.tasks, answer, *member, read) != Load::default())
    }
}

impl Found {
    /// The budgets of this design, and one more.
    fn with(&self, entity: usize, budget: Budget) -> Budgets {
        let mut budgets = self.budgets.clone();
        budgets.entry(entity).or_default().push(budget);
        budgets
    }
}

impl Hot {
    fn entities(&self) -> impl Iterator<Item = usize> {
        self.collection.members.iter().map(|(entity, _)| *entity)
    }
}

/// What a test compares: the price of the cheapest cool design if there is one, its bound, and whether heat parted
/// anything.
#[cfg(test)]
#[derive(Debug)]
pub(crate) struct CoolPrice {
    pub(crate) total: Option<i128>,
    pub(crate) bound: Option<i128>,
    pub(crate) parted: bool,
}

/// The price of the cheapest cool design of a problem; none where nothing serves it, however hot it may get.
#[cfg(test)]
pub(crate) fn cool_price(
    problem: &crate::problem::Problem,
    month: &crate::cost::MonthlyPrice,
) -> Option<CoolPrice> {
    let demands = crate::demand::demands(problem, keywright_model::Style::Overloaded, None);
    let style = keywright_model::Style::Overloaded;
    let weighing = Weighing { problem, month, style, demands: &demands, existing: None };
    let all = weighing.candidates();
    let tasks = weighing.tasks(&all);
    match cheapest(&weighing, &all, &tasks, Stop::default(), Wanted::default()) {
        Ok(cooled) => Some(CoolPrice {
            total: Some(cooled.answer.cost.total()),
            bound: Some(cooled.answer.proof.lower_bound),
            parted: cooled.unheated.is_some(),
        }),
        Err(Unsolved::TooHot { .. }) => Some(CoolPrice { total: None, bound: None, parted: true }),
        Err(_) => None,
    }
}
