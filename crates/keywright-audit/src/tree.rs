//! Trees of decisions about one entity: whatever they end in is illegal, or bounded by prices.
//!
//! Below a decision the entity has less choice. At an end, what is open costs what it costs at its present sizes; every
//! demand has a price; and an index that is not decided is worth no more than the parts by which the prices pass what
//! serving the demands there costs, less what opening it adds. Any prices give a bound; only good ones a high one.

use keywright_dynamodb::Money;
use keywright_model::certificate::{Decision, LogicalIndex, Node, Path, Tree, Way};

use crate::Refusal;
use crate::paths::is_same;
use crate::price::{Place, Priced, Reading, finds_one_kind, is_possible, kind};
use crate::room::Room;
use crate::serve::{is_allowed, serve};
use crate::space::Space;

/// A tree that is walked.
pub(crate) struct Walk<'s> {
    space: &'s Space<'s>,
    entity: usize,
    room: Room<'s>,
    tree: &'s Tree,
    /// The indexes that are weighed, by their positions among all.
    weighed: Vec<usize>,
    /// What costs as much as this does not matter.
    below: i128,
    visited: usize,
    found: Vec<Priced>,
}

/// What was decided on the way.
#[derive(Clone)]
struct Branch {
    base: Option<usize>,
    /// Primary keys that are ruled out.
    without: Vec<usize>,
    /// For each index that is weighed: open, ruled out, or neither.
    open: Vec<Option<bool>>,
    /// Where demands are served, and where they are not.
    placed: Vec<Option<Option<usize>>>,
    barred: Vec<(usize, Option<usize>)>,
}

/// A way to serve a demand that is left: the index that it needs, by its position, and the least that it costs.
struct Left {
    index: Option<usize>,
    least: i128,
    sorted_by_caller: bool,
    /// What it finds is of this entity alone, even in a list of several kinds.
    one_kind: bool,
}

/// Whether demands each need an index of their own.
enum Apart {
    /// One of them has no way at all.
    Unserved,
    Not,
    /// They do, and that adds so many bytes.
    Keys(u64),
}

impl<'s> Walk<'s> {
    /// What is left of an entity's layouts where its tree ends below a price; every index that the tree does not weigh has
    /// to be superfluous.
    pub(crate) fn run(
        space: &'s Space<'s>,
        room: Room<'s>,
        tree: &'s Tree,
        below: i128,
    ) -> Result<Vec<Priced>, Refusal> {
        let entity = tree.entity;
        let all = &space.indexes[entity];
        let same = |one: &LogicalIndex, other: &LogicalIndex| {
            is_same(&one.path, &other.path) && one.projection == other.projection
        };
        let position =
            |index: &LogicalIndex| all.iter().position(|it| same(it, index)).ok_or(Refusal::Malformed);
        let weighed: Vec<usize> = tree.indexes.iter().map(position).collect::<Result<_, _>>()?;
        // What is there already comes first among all, and is weighed in any case.
        let there = space.entities[entity].kept().len();
        let replaced = |other: usize| {
            let superfluous = || weighed.iter().any(|one| space.can_replace(entity, *one, other));
            weighed.contains(&other) || other >= there && superfluous()
        };
        if !(0..all.len()).all(replaced) {
            return Err(Refusal::Undecided { entity: space.name(entity) });
        }
        let demands = space.proof.entities[entity].demands.len();
        let branch = Branch {
            base: None,
            without: Vec::new(),
            open: weighed.iter().map(|at| (*at < there).then_some(true)).collect(),
            placed: vec![None; demands],
            barred: Vec::new(),
        };
        let mut walk = Walk { space, entity, room, tree, weighed, below, visited: 0, found: Vec::new() };
        walk.node(0, branch)?;
        Ok(walk.found)
    }

    fn allows(&self, indexes: &[&LogicalIndex]) -> bool {
        self.room.allows(&self.space.entities[self.entity], indexes)
    }

    fn refused(&self) -> Refusal {
        Refusal::Undecided { entity: self.space.name(self.entity) }
    }

    fn index(&self, at: usize) -> &'s LogicalIndex {
        &self.space.indexes[self.entity][self.weighed[at]]
    }

    fn node(&mut self, at: usize, branch: Branch) -> Result<(), Refusal> {
        self.visited += 1;
        let node = self.tree.nodes.get(at).filter(|_| self.visited <= self.tree.nodes.len());
        match node.ok_or(Refusal::Malformed)? {
            Node::Decide { on, yes, no } => {
                if *yes <= at || *no <= at {
                    return Err(Refusal::Malformed);
                }
                let [with, without] = self.decided(on, &branch)?;
                self.node(*yes, with)?;
                self.node(*no, without)
            }
            Node::Illegal(demands) => {
                if self.is_illegal(&branch, demands)? {
                    Ok(())
                } else {
                    Err(self.refused())
                }
            }
            Node::Bound { prices, apart } => {
                let prices: Vec<i128> = prices.iter().copied().map(Money::pico).collect();
                self.end(&branch, &prices, apart)
            }
        }
    }

    /// What is left after yes, and after no.
    fn decided(&self, on: &Decision, branch: &Branch) -> Result<[Branch; 2], Refusal> {
        let (mut yes, mut no) = (branch.clone(), branch.clone());
        match on {
            Decision::Base(path) => {
                let at = self.space.bases[self.entity].iter().position(|it| is_same(it, path));
                let at = at.filter(|_| branch.base.is_none()).ok_or(Refusal::Malformed)?;
                yes.base = Some(at);
                no.without.push(at);
            }
            Decision::Index(index) => {
                let undecided = branch.open.get(*index).is_some_and(Option::is_none);
                if !undecided {
                    return Err(Refusal::Malformed);
                }
                yes.open[*index] = Some(true);
                no.open[*index] = Some(false);
            }
            Decision::Place { demand, index } => {
                let known = branch.placed.get(*demand).is_some_and(Option::is_none)
                    && index.is_none_or(|index| branch.open.get(index).is_some_and(|it| *it != Some(false)));
                if !known {
                    return Err(Refusal::Malformed);
                }
                yes.placed[*demand] = Some(*index);
                if let Some(index) = index {
                    yes.open[*index] = Some(true);
                }
                no.barred.push((*demand, *index));
            }
        }
        Ok([yes, no])
    }

    fn base(&self, branch: &Branch) -> Result<&'s Path, Refusal> {
        branch.base.map(|at| &self.space.bases[self.entity][at]).ok_or_else(|| self.refused())
    }

    /// The open indexes.
    fn open(&self, branch: &Branch) -> Vec<&'s LogicalIndex> {
        (0..branch.open.len()).filter(|at| branch.open[*at] == Some(true)).map(|at| self.index(at)).collect()
    }

    /// Whether an index is open, or may still be opened.
    fn may_be_open(&self, branch: &Branch, index: usize) -> bool {
        match branch.open[index] {
            Some(open) => open,
            None => {
                let mut more = self.open(branch);
                more.push(self.index(index));
                self.allows(&more)
            }
        }
    }

    /// The ways to serve a demand that are left, where an item has no fewer bytes than `floor`.
    fn left(&self, branch: &Branch, demand: usize, floor: u64) -> Result<Vec<Left>, Refusal> {
        let (space, base) = (self.space, self.base(branch)?);
        let pricing = space.pricing(self.entity);
        let (entity, asked) = (pricing.entity, &pricing.entity.facts.demands[demand]);
        let item = pricing.item_bytes(base, &self.open(branch));
        // What several entities read together is nobody's own.
        let own = |pico: i128| if asked.shared.is_some() { 0 } else { pico };
        let mut left = Vec::new();
        for way in [Way::Known].into_iter().chain((0..entity.facts.unique.len()).map(Way::Unique)) {
            if is_possible(entity, asked, base, way) {
                let least = own(pricing.without_index(asked, way, item.max(floor)));
                left.push(Left { index: None, least, sorted_by_caller: false, one_kind: true });
            }
        }
        if !is_possible(entity, asked, base, Way::Table) {
            return Ok(left);
        }
        let here = |index: Option<usize>| match branch.placed[demand] {
            Some(placed) => placed == index,
            None => !branch.barred.contains(&(demand, index)),
        };
        if branch.placed[demand].is_some() {
            left.clear();
        }
        let places = (0..branch.open.len()).map(Some).chain([None]);
        for place in places.filter(|place| here(*place)) {
            let index = place.map(|at| self.index(at));
            if place.is_some_and(|at| !self.may_be_open(branch, at)) {
                continue;
            }
            let path = index.map_or(base, |index| &index.path);
            let projection = index.map(|index| &index.projection);
            let Some(how) = serve(entity, asked, path) else { continue };
            let opens = place.filter(|at| branch.open[*at].is_none()).map(|at| self.index(at));
            let item = (item + opens.map_or(0, |index| pricing.key_bytes(index))).max(floor);
            let entry = index.map_or(item, |index| pricing.entry_bytes(base, index, item));
            if is_allowed(entity, asked, path, projection, &how) && pricing.is_small(asked, &how, entry) {
                let cool = place.is_none_or(|at| space.cool[self.entity][self.weighed[at]]);
                let reading = Reading { demand: asked, path, served: &how, index, entry, item };
                let least = own(pricing.least_read(&reading, cool));
                let (way, among) = index.map_or((Way::Table, vec![]), |it| (Way::Index(0), vec![it]));
                let one_kind = finds_one_kind(&how, way, &among);
                left.push(Left { index: place, least, sorted_by_caller: how.sorted_by_caller, one_kind });
            }
        }
        Ok(left)
    }

    /// Whether nothing is left: no primary key, a demand without any way, or more demands that each need an index of their
    /// own than there is room for.
    fn is_illegal(&self, branch: &Branch, demands: &[usize]) -> Result<bool, Refusal> {
        if demands.is_empty() {
            let all = 0..self.space.bases[self.entity].len();
            return Ok(branch.base.is_none() && all.into_iter().all(|at| branch.without.contains(&at)));
        }
        if !self.allows(&self.open(branch)) {
            return Ok(true);
        }
        match self.apart(branch, demands)? {
            Apart::Unserved => Ok(true),
            Apart::Not => Ok(false),
            Apart::Keys(_) => {
                let room = self.room.limits.total.map(|total| total.saturating_sub(self.open(branch).len()));
                Ok(room.is_some_and(|room| demands.len() > room))
            }
        }
    }

    /// Whether demands each need an index of their own that is not open yet, and the bytes of the smallest keys for each.
    fn apart(&self, branch: &Branch, demands: &[usize]) -> Result<Apart, Refusal> {
        let pricing = self.space.pricing(self.entity);
        let mut taken: Vec<usize> = Vec::new();
        let mut keys = 0;
        for demand in demands {
            if *demand >= branch.placed.len() {
                return Err(Refusal::Malformed);
            }
            let left = self.left(branch, *demand, 0)?;
            let new = |index: &usize| branch.open[*index].is_none() && !taken.contains(index);
            let indexes: Vec<usize> = left.iter().filter_map(|way| way.index).filter(new).collect();
            if left.is_empty() {
                return Ok(Apart::Unserved);
            }
            if indexes.len() < left.len() {
                return Ok(Apart::Not);
            }
            keys += indexes.iter().map(|at| pricing.key_bytes(self.index(*at))).min().unwrap_or(0);
            taken.extend(indexes);
        }
        Ok(Apart::Keys(keys))
    }

    /// An end: what is left there costs at least what its prices come to.
    fn end(&mut self, branch: &Branch, prices: &[i128], apart: &[usize]) -> Result<(), Refusal> {
        let (space, base) = (self.space, self.base(branch)?);
        let pricing = space.pricing(self.entity);
        let demands = &pricing.entity.facts.demands;
        if prices.len() != demands.len() {
            return Err(Refusal::Malformed);
        }
        let open = self.open(branch);
        if !self.allows(&open) {
            return Ok(());
        }
        let item = pricing.item_bytes(base, &open);
        let floor = match self.apart(branch, apart)? {
            Apart::Unserved => return Ok(()),
            Apart::Not => return Err(self.refused()),
            Apart::Keys(keys) => item + keys,
        };
        // What has to be there makes writes dearer; that it is stored comes with each index.
        let mut sum = pricing.keep(base, &open, floor) - pricing.grown(base, &open, item, floor);
        let undecided = |at: &usize| branch.open[*at].is_none() && self.may_be_open(branch, *at);
        let undecided: Vec<usize> = (0..branch.open.len()).filter(undecided).collect();
        let mut worth: Vec<i128> = vec![0; branch.open.len()];
        for at in &undecided {
            worth[*at] = pricing.opening(base, &open, self.index(*at), item, floor);
        }
        let mut places: Vec<Option<(Option<usize>, bool)>> = Vec::new();
        // Where this entity's items lie in lists among others, and where reads want them alone.
        let (mut lists, mut alone): (Vec<Option<usize>>, Vec<Option<usize>>) = (Vec::new(), Vec::new());
        for (demand, price) in prices.iter().enumerate() {
            let left = self.left(branch, demand, floor)?;
            let is_open = |way: &&Left| way.index.is_none_or(|index| branch.open[index] == Some(true));
            let price = left.iter().filter(is_open).map(|way| way.least).fold(*price, i128::min);
            sum += price;
            for way in &left {
                if let Some(index) = way.index.filter(|index| branch.open[*index].is_none()) {
                    worth[index] -= (price - way.least).max(0);
                }
            }
            if demands[demand].shared.is_some() {
                match branch.placed[demand].map(|_| left.first()) {
                    // It is said to be where it can't be, or is a list of several kinds in another order than its keys'.
                    Some(None) => return Ok(()),
                    Some(Some(it)) if it.sorted_by_caller && demands[demand].mixed => return Ok(()),
                    Some(Some(it)) => {
                        places.push(Some((it.index, it.sorted_by_caller)));
                        if demands[demand].mixed {
                            lists.push(it.index);
                        } else if !it.one_kind {
                            alone.push(it.index);
                        }
                    }
                    None => places.push(None),
                }
            }
        }
        let among_others =
            |at: &Option<usize>| lists.contains(at) || pricing.entity.is_mixed(at.map(|at| self.index(at)));
        if alone.iter().any(among_others) {
            return Ok(());
        }
        sum += self.most_worth(&open, &undecided, &worth);
        if sum >= self.below {
            return Ok(());
        }
        // What is left could be cheap enough: then its interface has to be known.
        let mut end = Priced { pico: sum, places: Vec::new(), on: Vec::new() };
        for place in places {
            let (at, sorted_by_caller) = place.ok_or_else(|| self.refused())?;
            let index = at.map(|at| self.index(at));
            end.places.push(Place {
                kind: index.map(|index| kind(&index.projection)),
                gsi: index.and_then(|index| pricing.entity.gsi(index)),
                bytes: index.map_or(floor, |index| pricing.entry_bytes(base, index, floor)),
                sorted_by_caller,
            });
            end.on.push(at);
        }
        if space.heads_arranged(self.entity, &end) {
            self.found.push(end);
        }
        Ok(())
    }

    /// The most that can be won by opening more indexes, as far as there is room for them: less than nothing, or nothing.
    fn most_worth(&self, open: &[&LogicalIndex], undecided: &[usize], worth: &[i128]) -> i128 {
        let mut order: Vec<usize> = undecided.iter().copied().filter(|at| worth[*at] < 0).collect();
        order.sort_by_key(|at| worth[*at]);
        let mut taken = open.to_vec();
        let mut sum = 0;
        for at in order {
            taken.push(self.index(at));
            if self.allows(&taken) {
                sum += worth[at];
            } else {
                taken.pop();
            }
        }
        sum
    }
}
