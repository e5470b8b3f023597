//! Every layout of an entity that could cost less than a given price: sets of indexes, opened for one demand after the
//! other, and below each set the cheapest ways with what is open.
//!
//! A demand opens an index, or takes one of the ways that are open by then: whoever is served by an index is served by one
//! that it opened or that was opened before. A branch ends where even its least price reaches what is asked for: what is
//! open and what was chosen, at their present sizes; and for each demand that is left the cheapest way,
//! with an equal part of what opening its index costs. An index is opened for nobody's sake but that of the demands that use
//! it, so that these parts never come to more than its price.

use keywright_model::certificate::{LogicalIndex, Path, Way};

use crate::arrange::is_arranged;
use crate::present::blocks;
use crate::price::{Place, Priced, Pricing, Reading, finds_one_kind, is_possible, lists};
use crate::room::Room;
use crate::serve::{Served, is_allowed, serve};
use crate::space::Space;

/// A table whose search takes more steps than this is too large.
const MOST_STEPS: u64 = 3_000_000;

/// A way to serve a demand under one primary key.
struct Step {
    way: WayTo,
    how: Option<Served>,
    /// The least that it costs.
    least: i128,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum WayTo {
    Without(Way),
    /// The index candidate at this position.
    Over(usize),
}

/// What is decided of a demand.
#[derive(Clone, Copy)]
enum Decided {
    Not,
    By(WayTo),
    /// The cheapest way without an index or over one of so many that were open.
    Among(usize),
}

/// What a search of an entity found: layouts that cost less than asked for.
pub(crate) struct Search<'s> {
    space: &'s Space<'s>,
    entity: usize,
    room: Room<'s>,
    /// Only what costs less than this matters.
    below: i128,
    /// Whether the cheapest alone is wanted: then what was found lowers the price that is asked for.
    cheapest: bool,
    pub(crate) found: Vec<Priced>,
    steps: u64,
}

/// The search was too large.
pub(crate) struct TooLarge;

struct Branch<'s> {
    base: &'s Path,
    options: Vec<Vec<Step>>,
    /// The least that each index candidate adds.
    opening: Vec<i128>,
    /// The most that opening one gives back: nothing, or less than nothing.
    refund: i128,
    /// How many demands could use it.
    users: Vec<i128>,
    /// The order in which demands are served.
    order: Vec<usize>,
    /// The table bears whatever is read from it.
    cool: bool,
}

/// A set of open indexes whose demands are to be served.
struct Leaf<'b, 's> {
    branch: &'b Branch<'s>,
    indexes: &'b [&'s LogicalIndex],
    /// Demands that may take any of some ways, each with its price.
    free: Vec<(usize, Vec<(i128, Way)>)>,
}

impl<'s> Search<'s> {
    pub(crate) fn new(
        space: &'s Space<'s>,
        entity: usize,
        room: Room<'s>,
        below: i128,
        cheapest: bool,
    ) -> Self {
        Search { space, entity, room, below, cheapest, found: Vec::new(), steps: 0 }
    }

    /// Tries everything.
    pub(crate) fn run(mut self) -> Result<Vec<Priced>, TooLarge> {
        for base in &self.space.bases[self.entity] {
            if let Some(branch) = self.branch(base) {
                let mut decided = vec![Decided::Not; branch.order.len()];
                // What is there already is open, and comes first.
                let mut open = (0..self.pricing().entity.kept().len()).collect();
                self.step(&branch, 0, &mut open, &mut decided, 0, None)?;
            }
        }
        Ok(self.found)
    }

    fn pricing(&self) -> Pricing<'s> {
        self.space.pricing(self.entity)
    }

    fn count(&mut self) -> Result<(), TooLarge> {
        self.steps += 1;
        if self.steps > MOST_STEPS { Err(TooLarge) } else { Ok(()) }
    }

    fn branch(&self, base: &'s Path) -> Option<Branch<'s>> {
        let pricing = self.pricing();
        let (entity, facts) = (pricing.entity, pricing.entity.facts);
        let indexes = &self.space.indexes[self.entity];
        // What is there already is in every item.
        let kept = entity.kept().len();
        let plain = pricing.item_bytes(base, &indexes[..kept].iter().collect::<Vec<_>>());
        let mut options: Vec<Vec<Step>> = Vec::new();
        for demand in &facts.demands {
            let mut ways: Vec<Step> = Vec::new();
            // The price of a shared read is nobody's own; shards only make a read dearer or its parts smaller.
            let price = |pico: i128| if demand.shared.is_some() { 0 } else { pico };
            let without = [Way::Known].into_iter().chain((0..facts.unique.len()).map(Way::Unique));
            for way in without.filter(|way| is_possible(entity, demand, base, *way)) {
                ways.push(Step { way: WayTo::Without(way), how: None, least: 0 });
            }
            let sought = is_possible(entity, demand, base, Way::Table);
            let on_table =
                serve(entity, demand, base).filter(|it| sought && is_allowed(entity, demand, base, None, it));
            if let Some(how) = on_table {
                let (path, served) = (base, &how);
                let reading = Reading { demand, path, served, index: None, entry: plain, item: plain };
                let least = price(pricing.read(&reading, 1).pico);
                ways.push(Step { way: WayTo::Without(Way::Table), how: Some(how), least });
            }
            for (at, index) in indexes.iter().enumerate().filter(|_| sought) {
                let path = &index.path;
                let Some(how) = serve(entity, demand, path) else { continue };
                if !is_allowed(entity, demand, path, Some(&index.projection), &how) {
                    continue;
                }
                let item = if at < kept { plain } else { plain + pricing.key_bytes(index) };
                let entry = pricing.entry_bytes(base, index, item);
                let cool = self.space.cool[self.entity][at];
                let reading = Reading { demand, path, served: &how, index: Some(index), entry, item };
                let least = price(pricing.least_read(&reading, cool));
                ways.push(Step { way: WayTo::Over(at), how: Some(how), least });
            }
            if ways.is_empty() {
                return None;
            }
            ways.sort_by_key(|it| it.least);
            options.push(ways);
        }
        let opening = indexes.iter().map(|index| pricing.opening(base, &[], index, plain, 0));
        let opening: Vec<i128> = opening.collect();
        let uses =
            |at: usize| options.iter().filter(|ways| ways.iter().any(|it| it.way == WayTo::Over(at))).count();
        let users = (0..indexes.len()).map(|at| uses(at).max(1) as i128).collect();
        let mut order: Vec<usize> = (0..options.len()).collect();
        order.sort_by_key(|at| (facts.demands[*at].shared.is_none(), options[*at].len(), *at));
        let refund = opening.iter().copied().fold(0, i128::min);
        let cool = pricing.is_cool_base(base, indexes);
        Some(Branch { base, options, opening, refund, users, order, cool })
    }

    /// Decides on the next demand in every way. What is open costs `kept`, where that is known.
    fn step(
        &mut self,
        branch: &Branch<'s>,
        at: usize,
        open: &mut Vec<usize>,
        decided: &mut Vec<Decided>,
        chosen: i128,
        kept: Option<i128>,
    ) -> Result<(), TooLarge> {
        self.count()?;
        let pricing = self.pricing();
        let all = &self.space.indexes[self.entity];
        let indexes: Vec<&LogicalIndex> = open.iter().map(|at| &all[*at]).collect();
        let item = pricing.item_bytes(branch.base, &indexes);
        let (kept, chosen) = match kept {
            Some(kept) => (kept, chosen),
            None if !self.room.allows(pricing.entity, &indexes) => return Ok(()),
            None => {
                // What was decided before costs no less now that items are larger.
                let decided = branch.order[..at].iter().map(|demand| (*demand, decided[*demand]));
                let Some(chosen) = self.served(branch, open, item, decided) else { return Ok(()) };
                (pricing.keep(branch.base, &indexes, item), chosen)
            }
        };
        // Where opening gives nothing back, what is there costs so much, whatever comes.
        if branch.refund == 0 && kept + chosen >= self.below {
            return Ok(());
        }
        let mut left = branch.order[at..].iter().map(|demand| self.cheapest(branch, open, item, *demand));
        let Some(left) = left.try_fold(0, |sum: i128, it| Some(sum + it?)) else { return Ok(()) };
        if kept + chosen + left >= self.below {
            return Ok(());
        }
        let Some(demand) = branch.order.get(at).copied() else {
            return self.leaf(branch, open, &indexes, decided, kept);
        };
        let is_open = |way: WayTo| !matches!(way, WayTo::Over(index) if !open.contains(&index));
        let options = &branch.options[demand];
        let there = options.iter().filter(|it| is_open(it.way)).map(|it| it.least).min();
        let shared = pricing.entity.facts.demands[demand].shared.is_some();
        // Where a part of a shared read lies is everybody's business: every place is tried.
        if let Some(least) = there.filter(|_| !shared) {
            decided[demand] = Decided::Among(open.len());
            self.step(branch, at + 1, open, decided, chosen + least, Some(kept))?;
        }
        for option in options {
            let opens = match option.way {
                WayTo::Over(index) if !open.contains(&index) => Some(index),
                _ if shared => None,
                _ => continue,
            };
            decided[demand] = Decided::By(option.way);
            open.extend(opens);
            let kept = if opens.is_some() { None } else { Some(kept) };
            self.step(branch, at + 1, open, decided, chosen + option.least, kept)?;
            if opens.is_some() {
                open.pop();
            }
        }
        decided[demand] = Decided::Not;
        Ok(())
    }

    /// The least that a way costs beside what is open, at the size that items have then; none where it is too much.
    fn price(
        &self,
        branch: &Branch<'s>,
        open: &[usize],
        item: u64,
        demand: usize,
        step: &Step,
    ) -> Option<i128> {
        let pricing = self.pricing();
        let shared = pricing.entity.facts.demands[demand].shared.is_some();
        let (way, index, cool) = match step.way {
            WayTo::Without(way) => (way, None, true),
            WayTo::Over(index) => {
                let cool = self.space.cool[self.entity][index];
                (Way::Index(0), Some((index, &self.space.indexes[self.entity][index])), cool)
            }
        };
        let opened = index.filter(|(index, _)| !open.contains(index));
        let item = item + opened.map_or(0, |(_, index)| pricing.key_bytes(index));
        let price = branch.price(&pricing, demand, step, way, index.map(|it| it.1), item, cool)?;
        Some(if shared { 0 } else { price })
    }

    /// The least that what was decided costs at the size that items have; none where something of it is too much then.
    fn served(
        &self,
        branch: &Branch<'s>,
        open: &[usize],
        item: u64,
        mut decided: impl Iterator<Item = (usize, Decided)>,
    ) -> Option<i128> {
        decided.try_fold(0, |sum, (demand, decided)| {
            let possible = branch.options[demand].iter().filter(|step| match (decided, step.way) {
                (Decided::Not, _) => false,
                (Decided::By(way), it) => way == it,
                (Decided::Among(many), WayTo::Over(index)) => open[..many].contains(&index),
                (Decided::Among(_), WayTo::Without(_)) => true,
            });
            let least = possible.filter_map(|step| self.price(branch, open, item, demand, step)).min()?;
            Some(sum + least)
        })
    }

    /// The least that serving a demand costs beside what is open, with its part of what opening an index does; none where
    /// no way is left.
    fn cheapest(&self, branch: &Branch<'s>, open: &[usize], item: u64, demand: usize) -> Option<i128> {
        let mut least: Option<i128> = None;
        for step in &branch.options[demand] {
            // They come in order, and none is cheaper than it says but for what opening gives back.
            if least.is_some_and(|least| step.least + branch.refund >= least) {
                break;
            }
            let Some(price) = self.price(branch, open, item, demand, step) else { continue };
            let opening = match step.way {
                WayTo::Over(index) if !open.contains(&index) => branch.opening[index] / branch.sharing(index),
                _ => 0,
            };
            least = least.into_iter().chain([price + opening]).min();
        }
        least
    }

    /// Serves all demands with exactly the open indexes.
    fn leaf(
        &mut self,
        branch: &Branch<'s>,
        open: &[usize],
        indexes: &[&'s LogicalIndex],
        decided: &[Decided],
        kept: i128,
    ) -> Result<(), TooLarge> {
        let pricing = self.pricing();
        let way = |to: WayTo| match to {
            WayTo::Without(way) => way,
            WayTo::Over(index) => Way::Index(open.iter().position(|it| *it == index).unwrap_or(usize::MAX)),
        };
        let settled = |demand: usize| match decided[demand] {
            Decided::By(to) => Some(way(to)),
            Decided::Not | Decided::Among(_) => None,
        };
        let lists = lists(pricing.entity, indexes, settled);
        let cool = |way: &Way| match way {
            Way::Table => branch.cool,
            Way::Index(at) => self.space.cool[self.entity][open[*at]],
            Way::Known | Way::Unique(_) => true,
        };
        let item = pricing.item_bytes(branch.base, indexes);
        let mut leaf = Leaf { branch, indexes, free: Vec::new() };
        let mut ways: Vec<Way> = vec![Way::Known; decided.len()];
        let mut least = kept;
        for demand in 0..decided.len() {
            let many = match decided[demand] {
                Decided::By(to) => {
                    ways[demand] = way(to);
                    let taken = branch.options[demand].iter().find(|step| step.way == to);
                    least += taken.map_or(0, |step| step.least);
                    continue;
                }
                Decided::Not => return Ok(()),
                Decided::Among(many) => many,
            };
            let possible = branch.options[demand].iter().filter_map(|step| {
                let way = way(step.way);
                if matches!(way, Way::Index(at) if at >= many) {
                    return None;
                }
                let index = match way {
                    Way::Index(at) => Some(*indexes.get(at)?),
                    Way::Known | Way::Table | Way::Unique(_) => None,
                };
                let price = branch.price(&pricing, demand, step, way, index, item, cool(&way))?;
                let one_kind = |how: &Served| finds_one_kind(how, way, indexes);
                (!lists.contains(&way) || step.how.as_ref().is_some_and(one_kind)).then_some((price, way))
            });
            let mut possible: Vec<(i128, Way)> = possible.collect();
            possible.sort_by_key(|it| it.0);
            // Of the places that stay cool whatever comes, only the cheapest can be the best.
            let mut taken = false;
            possible.retain(|(_, way)| !cool(way) || !std::mem::replace(&mut taken, true));
            if possible.is_empty() {
                return Ok(());
            }
            leaf.free.push((demand, possible));
        }
        self.combine(&leaf, 0, &mut ways, least)
    }

    /// Takes every way that is left for each demand. Where heat makes no difference there is one.
    fn combine(
        &mut self,
        leaf: &Leaf<'_, 's>,
        at: usize,
        ways: &mut Vec<Way>,
        so_far: i128,
    ) -> Result<(), TooLarge> {
        self.count()?;
        let rest: i128 = leaf.free[at..].iter().map(|(_, ways)| ways[0].0).sum();
        if so_far + rest >= self.below {
            return Ok(());
        }
        let Some((demand, some)) = leaf.free.get(at) else {
            self.weigh(leaf, ways);
            return Ok(());
        };
        for (price, way) in some {
            ways[*demand] = *way;
            self.combine(leaf, at + 1, ways, so_far + price)?;
        }
        Ok(())
    }

    fn weigh(&mut self, leaf: &Leaf<'_, 's>, ways: &[Way]) {
        let Some(priced) = self.pricing().layout(leaf.branch.base, leaf.indexes, ways) else { return };
        if priced.pico >= self.below || !self.space.heads_arranged(self.entity, &priced) {
            return;
        }
        if self.cheapest {
            self.below = priced.pico;
            self.found.clear();
        }
        let same = |it: &Priced| it.places == priced.places && it.on == priced.on;
        match self.found.iter_mut().find(|it| same(it)) {
            Some(known) if known.pico <= priced.pico => {}
            Some(known) => *known = priced,
            None => self.found.push(priced),
        }
    }
}

impl Branch<'_> {
    /// Among how many what opening an index costs is divided: what it gives back, one of its users may get alone.
    fn sharing(&self, index: usize) -> i128 {
        if self.opening[index] < 0 { 1 } else { self.users[index] }
    }

    /// The least that a way costs at the size that an item has; none where what is filtered or sorted there is too much.
    #[expect(clippy::too_many_arguments, reason = "a price depends on all of them")]
    fn price(
        &self,
        pricing: &Pricing<'_>,
        demand: usize,
        step: &Step,
        way: Way,
        index: Option<&LogicalIndex>,
        item: u64,
        cool: bool,
    ) -> Option<i128> {
        let demand = &pricing.entity.facts.demands[demand];
        if let Way::Known | Way::Unique(_) = way {
            return Some(pricing.without_index(demand, way, item));
        }
        let served = step.how.as_ref()?;
        let path = index.map_or(self.base, |index| &index.path);
        let entry = index.map_or(item, |index| pricing.entry_bytes(self.base, index, item));
        let reading = Reading { demand, path, served, index, entry, item };
        let cool = cool || index.is_none();
        pricing.is_small(demand, served, entry).then(|| pricing.least_read(&reading, cool))
    }
}

impl Space<'_> {
    /// Whether the reads that an entity heads can be arranged, in each place.
    pub(crate) fn heads_arranged(&self, entity: usize, priced: &Priced) -> bool {
        let demands = &self.proof.entities[entity].demands;
        let shared: Vec<(usize, usize)> = demands.iter().filter_map(|demand| demand.shared).collect();
        let mut collections: Vec<(Option<usize>, &Place, Vec<usize>)> = Vec::new();
        for ((read, part), (on, place)) in shared.into_iter().zip(priced.on.iter().zip(&priced.places)) {
            if part != 0 {
                continue;
            }
            match collections.iter_mut().find(|(it, ..)| it == on) {
                Some((.., reads)) => reads.push(read),
                None => collections.push((*on, place, vec![read])),
            }
        }
        collections.iter().all(|(_, place, reads)| {
            is_arranged(self.proof, &self.entities, reads, &blocks(self.proof, reads[0], place))
        })
    }

    /// The place of one part of a shared read in a layout.
    pub(crate) fn place(&self, entity: usize, demand: usize, priced: &Priced) -> Place {
        let before =
            self.proof.entities[entity].demands[..demand].iter().filter(|it| it.shared.is_some()).count();
        priced.places[before]
    }
}
