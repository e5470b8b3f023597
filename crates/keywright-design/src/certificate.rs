//! The certificate: the problem's numbers and the search's tables, as values that somebody else can check.
//!
//! Nothing is proven here. What the search knew of every entity, within the limits that matter, is written down.

mod facts;
#[cfg(test)]
mod random;

use keywright_dynamodb::Money;
use keywright_model::certificate::{
    Bound, Component, Decision, Elimination, Layout, LogicalIndex, Node, Path, Projected, Proof, Subtree,
    TableProof, Tree, Way,
};

use crate::cost::{Cost, MonthlyPrice};
use crate::existing::Existing;
use crate::path::{self, Projection};
use crate::search::{
    self, Answer, Ban, Choice, EntityTask, Known, KnownComponent, KnownTable, Summed, Unshown,
};

/// The tables of so many entities take a few megabytes.
const MANY_ENTITIES: usize = 200;

/// How much of what others can check is written down of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CertificateTables {
    /// Nothing: only the bound.
    None,
    /// Tables of a few megabytes; of what takes more, only the bound.
    #[default]
    Small,
    /// All of them, unless so many entities need decisions that nobody would wait for those.
    Whole,
}

impl CertificateTables {
    /// The tables of no more entities than this are written down; none where nobody wants any.
    pub(crate) fn most_entities(self, tasks: &[EntityTask<'_>]) -> Option<usize> {
        let needs_decisions = |task: &&EntityTask<'_>| layouts_of(task) > MANY_LAYOUTS;
        match self {
            CertificateTables::None => None,
            // Decisions about a thousand entities of ten patterns each take minutes, and more memory than there may be.
            CertificateTables::Whole if tasks.iter().filter(needs_decisions).count() <= MANY_ENTITIES => {
                Some(usize::MAX)
            }
            CertificateTables::Small | CertificateTables::Whole => Some(MANY_ENTITIES),
        }
    }

    /// No more layouts and entries than this are written down.
    pub(crate) fn most_entries(self) -> usize {
        match self {
            CertificateTables::None | CertificateTables::Small => 20_000,
            CertificateTables::Whole => usize::MAX,
        }
    }
}

/// Of an entity with more layouts than this, decisions show that none is missing.
pub(crate) const MANY_LAYOUTS: u128 = 10_000;

/// The proof of an answer, with why it has no tables where it has none; or why there is no proof. Without tables what the
/// design costs can still be checked. What is known is of the layouts of `weighed`, which may have more choice than was
/// left. Entities with more than `many` layouts have decisions. Of more
/// than `most_entries` nothing is written down.
pub(crate) fn proof(
    tasks: &[EntityTask<'_>],
    weighed: &[EntityTask<'_>],
    month: &MonthlyPrice,
    answer: &Answer,
    many: u128,
    most_entries: usize,
) -> Result<(Proof, Option<String>), String> {
    let Some(first) = tasks.first() else { return Err("a document without entities".to_owned()) };
    // Native indexes are paid for as in the round that the tables are of.
    let paid = answer.paid.as_ref().map(|paid| {
        let tasks = weighed.iter().cloned().zip(&paid.prices);
        tasks.map(|(task, prices)| task.priced(prices.clone())).collect::<Vec<_>>()
    });
    let weighed = paid.as_deref().unwrap_or(weighed);
    let mut tables = Vec::with_capacity(answer.tables.len());
    let mut missing: Option<String> = None;
    for table in &answer.tables {
        let (known, crowds) = match &table.bounds {
            Ok(shown) => (shown.known.as_slice(), shown.crowds.clone()),
            Err(Unshown::Stopped) => {
                missing = Some(Unshown::Stopped.to_string());
                (&[][..], Vec::new())
            }
            Err(reason) => return Err(reason.to_string()),
        };
        let components = table.components.iter().enumerate();
        tables.push(TableProof {
            indexes: table.indexes,
            present: table.present,
            components: components
                .map(|(at, entities)| component(weighed, at, entities, known, many))
                .collect(),
            crowds,
        });
    }
    // Tables that nothing of the document is in stay as they are.
    let elsewhere = first.existing.map_or_else(Vec::new, Existing::elsewhere);
    if !elsewhere.is_empty() {
        let mut untouched = TableProof { indexes: elsewhere.len(), ..TableProof::default() };
        elsewhere.iter().for_each(|index| untouched.present[index.kind] += 1);
        tables.push(untouched);
    }
    let mut proof = Proof {
        prices: facts::prices(month),
        entities: tasks.iter().map(facts::entity).collect(),
        shared: facts::shared(first.problem, tasks),
        fixed: Money::ZERO,
        chosen: tasks.iter().zip(&answer.layouts).map(|(task, it)| chosen(task, it, answer)).collect(),
        tables,
        payers: payers(tasks, answer),
    };
    let entries = entries(&proof);
    if entries > most_entries {
        missing = Some(format!(
            "the optimum: proving it takes a table of {entries} prices, and at most {most_entries} are written \
             unless the whole certificate is asked for"
        ));
        proof.tables.iter_mut().for_each(|table| {
            table.crowds.clear();
            table.components.iter_mut().for_each(|component| component.bounds.clear());
        });
    }
    Ok((proof, missing))
}

/// What the tables of an answer show less than is known, if they do: lists of names, or reads of several entities, keep
/// indexes apart that the number of each kind would let share a GSI.
pub(crate) fn shows_less(tables: &[KnownTable], lower_bound: i128) -> Option<String> {
    let shown: i128 = tables.iter().filter_map(|table| Some(table.bounds.as_ref().ok()?.least)).sum();
    (shown < lower_bound).then(|| {
        let short = Money::from_pico(lower_bound - shown).in_cents();
        format!(
            "{short} of the lower bound: the search knows which indexes can't share a GSI, but the price \
             tables do not record it"
        )
    })
}

/// The entities that have very many layouts and no decisions, since those would be too many: who checks looks at all
/// layouts, as far as that goes.
pub(crate) fn undecided(tasks: &[EntityTask<'_>], proof: &Proof) -> Option<String> {
    let components = proof.tables.iter().flat_map(|table| &table.components);
    let mut names: Vec<&str> = components
        .flat_map(|component| {
            let decided = |entity: usize| {
                component.bounds.iter().all(|bound| bound.trees.iter().any(|tree| tree.entity == entity))
            };
            component.entities.iter().copied().filter(move |entity| !decided(*entity))
        })
        .map(|entity| &tasks[entity])
        .filter(|task| layouts_of(task) > MANY_LAYOUTS)
        .map(|task| task.facts().name.as_str())
        .collect();
    names.sort_unstable();
    names.dedup();
    (!names.is_empty()).then(|| {
        format!(
            "a short proof for {}: the checker has to enumerate all its layouts, which may be too many",
            names.join(", ")
        )
    })
}

/// How many layouts and subtrees a proof lists.
pub(crate) fn entries(proof: &Proof) -> usize {
    let of = |bound: &Bound| {
        let layouts: usize = bound.layouts.iter().map(Vec::len).sum();
        let sums: usize = bound.elimination.iter().map(|it| it.table.len()).sum();
        layouts + sums
    };
    let components = proof.tables.iter().flat_map(|table| &table.components);
    components.flat_map(|it| &it.bounds).map(of).sum()
}

/// What is known of the component at a position: of bounds that say the same, the one that asks for least.
fn component(
    tasks: &[EntityTask<'_>],
    at: usize,
    entities: &[usize],
    known: &[Known],
    many: u128,
) -> Component {
    let mut bounds: Vec<Bound> = Vec::new();
    // None, for what is impossible, bounds better than any price.
    let rank = |least: Option<i128>| (least.is_none(), least);
    for (nth, it) in known.iter().enumerate() {
        let mine = &it.components[at];
        let says_as_much = |other: &Known| {
            let theirs = &other.components[at];
            other.limits.cover(it.limits)
                && theirs.bans.iter().all(|ban| mine.bans.contains(ban))
                && rank(theirs.least) >= rank(mine.least)
        };
        if !known[..nth].iter().any(says_as_much) {
            bounds.push(bound(tasks, entities, it, mine, many));
        }
    }
    Component { entities: entities.to_vec(), bounds }
}

fn bound(
    tasks: &[EntityTask<'_>],
    entities: &[usize],
    within: &Known,
    known: &KnownComponent,
    decided: u128,
) -> Bound {
    let many = |entity: &usize| {
        let at = entities.iter().position(|it| it == entity).expect("a component sums its own entities");
        known.layouts[at].len()
    };
    let layouts = entities.iter().zip(&known.layouts);
    let trees = layouts.clone().filter(|(entity, _)| layouts_of(&tasks[**entity]) > decided);
    Bound {
        limits: within.limits.as_value(),
        without: known.without.clone(),
        least: known.least.map(Money::from_pico),
        layouts: layouts
            .map(|(entity, some)| some.iter().map(|it| layout(&tasks[*entity], it)).collect())
            .collect(),
        elimination: known.summed.iter().map(|it| elimination(it, &many)).collect(),
        trees: trees
            .filter_map(|(entity, some)| tree(tasks, *entity, within.limits, &known.bans, some))
            .collect(),
    }
}

/// How many layouts an entity has, illegal ones among them.
fn layouts_of(task: &EntityTask<'_>) -> u128 {
    let below = |base: usize| {
        let ways = (0..task.demands.len()).map(|at| search::choices(task, base, at).len() as u128);
        ways.fold(1, u128::saturating_mul)
    };
    (0..task.candidates.bases.len()).map(below).fold(0, u128::saturating_add)
}

/// Why an entity has no layout that beats all that are known, where few enough decisions show it.
fn tree(
    tasks: &[EntityTask<'_>],
    entity: usize,
    limits: search::Limits,
    bans: &[(usize, Ban)],
    known: &[search::Layout],
) -> Option<Tree> {
    let task = &tasks[entity];
    let decision = |on: search::Decision| match on {
        search::Decision::Base(base) => Decision::Base(path(&task.candidates.bases[base])),
        search::Decision::Index(index) => Decision::Index(index),
        search::Decision::Place { demand, index } => Decision::Place { demand, index },
    };
    let node = |node: search::Node| match node {
        search::Node::Decide { on, yes, no } => Node::Decide { on: decision(on), yes, no },
        search::Node::Illegal(demands) => Node::Illegal(demands),
        search::Node::Bound { prices, apart } => {
            Node::Bound { prices: prices.into_iter().map(Money::from_pico).collect(), apart }
        }
    };
    let bans: Vec<Ban> = bans.iter().filter(|(of, _)| *of == entity).map(|(_, ban)| *ban).collect();
    let nodes = search::tree(tasks, entity, limits, &bans, known)?;
    Some(Tree {
        entity,
        indexes: task.weighed().iter().map(|index| logical_index(task, *index)).collect(),
        nodes: nodes.into_iter().map(node).collect(),
    })
}

fn elimination(summed: &Summed, many: &dyn Fn(&usize) -> usize) -> Elimination {
    let sizes: Vec<usize> = summed.with.iter().map(many).collect();
    let table = summed.table.iter().enumerate().map(|(at, least)| {
        let mut rest = at;
        let mut beside = vec![0; sizes.len()];
        for (place, size) in beside.iter_mut().zip(&sizes).rev() {
            *place = rest % size;
            rest /= size;
        }
        Subtree { beside, least: least.map(Money::from_pico) }
    });
    Elimination { entity: summed.entity, with: summed.with.clone(), table: table.collect() }
}

fn path(path: &path::Path) -> Path {
    Path {
        partition: facts::sequence(&path.partition),
        sort: path.sort.iter().map(|segment| segment.attr.index()).collect(),
        descending: path.sort.iter().filter(|it| it.descending).map(|it| it.attr.index()).collect(),
        by_name: facts::by_name(&path.sort),
        only: path.only.as_ref().map(|(attr, value)| (attr.index(), facts::literal(value))),
    }
}

fn logical_index(task: &EntityTask<'_>, index: usize) -> LogicalIndex {
    let candidate = &task.candidates.indexes[index];
    LogicalIndex {
        path: path(&candidate.path),
        projection: match candidate.projection {
            Projection::All => Projected::All,
            Projection::Keys => Projected::Keys,
            Projection::Include(attrs) => Projected::Include(facts::list(attrs)),
        },
    }
}

/// A layout of the design, with what the tables charge for native indexes.
fn chosen(task: &EntityTask<'_>, it: &search::Layout, answer: &Answer) -> Layout {
    let mut layout = layout(task, it);
    if let Some(paid) = &answer.paid {
        let charged = it.indexes.iter().map(|index| paid.prices[task.entity][*index]).sum::<Cost>();
        let more = charged.total() - paid.charged[task.entity].total();
        layout.price += Money::from_pico(more);
    }
    layout
}

fn payers(tasks: &[EntityTask<'_>], answer: &Answer) -> Vec<Vec<(usize, LogicalIndex)>> {
    let groups = answer.paid.iter().flat_map(|paid| &paid.by);
    let of = |(entity, index): &(usize, usize)| (*entity, logical_index(&tasks[*entity], *index));
    groups.map(|group| group.iter().map(of).collect()).collect()
}

fn layout(task: &EntityTask<'_>, layout: &search::Layout) -> Layout {
    let way = |choice: &Choice| match choice {
        Choice::NotNeeded => Way::Known,
        Choice::Base(_) => Way::Table,
        Choice::Unique(set) => Way::Unique(*set),
        Choice::Index(index, _) => {
            let at = layout.indexes.iter().position(|it| it == index);
            Way::Index(at.expect("every used index is open"))
        }
    };
    Layout {
        base: path(&task.candidates.bases[layout.base]),
        indexes: layout.indexes.iter().map(|index| logical_index(task, *index)).collect(),
        ways: layout.services.iter().map(|service| way(&service.choice)).collect(),
        price: Money::from_pico(layout.cost.total()),
    }
}
