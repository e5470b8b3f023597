//! The certificate: the problem's numbers and the search's tables, as values that somebody else can check.
//!
//! Nothing is proven here. What the search knew of every entity, within the limits that matter, is written down.

mod facts;

use keywright_dynamodb::Money;
use keywright_model::certificate::{
    Bound, ComponentBound, Decision, Elimination, Layout, LogicalIndex, Node, Path, Projected, Proof,
    Subtree, TableProof, Tree, Way,
};

use crate::cost::MonthlyPrice;
use crate::path::{self, Projection};
use crate::search::{self, Answer, Choice, EntityTask, Known, KnownComponent, Summed};

/// More layouts and entries than this are not written down.
const MOST_ENTRIES: usize = 20_000;

/// Of an entity with more layouts than this, decisions show that none is missing.
pub(crate) const MANY_LAYOUTS: u128 = 10_000;

/// The proof of an answer, or why there is none. What is known is of the layouts of `weighed`, which may have more choice
/// than was left. Entities with more than `many` layouts have decisions.
pub(crate) fn proof(
    tasks: &[EntityTask<'_>],
    weighed: &[EntityTask<'_>],
    month: &MonthlyPrice,
    answer: &Answer,
    many: u128,
) -> Result<Proof, String> {
    let Some(first) = tasks.first() else { return Err("a document without entities".to_owned()) };
    let mut tables = Vec::with_capacity(answer.tables.len());
    for table in &answer.tables {
        let bounds = table.bounds.as_ref().map_err(|reason| format!("the tables: {reason}"))?;
        tables.push(TableProof {
            indexes: table.indexes,
            components: table.components.clone(),
            bounds: bounds.iter().map(|it| bound(weighed, &table.components, it, many)).collect(),
        });
    }
    let entries: usize = tables.iter().flat_map(|table| &table.bounds).map(entries).sum();
    if entries > MOST_ENTRIES {
        return Err(format!(
            "the tables: they have {entries} entries, more than the {MOST_ENTRIES} that are written down"
        ));
    }
    Ok(Proof {
        prices: facts::prices(month),
        entities: tasks.iter().map(facts::entity).collect(),
        shared: facts::shared(first.problem, tasks),
        fixed: Money::ZERO,
        chosen: tasks.iter().zip(&answer.layouts).map(|(task, it)| layout(task, it)).collect(),
        tables,
    })
}

/// What the tables of a proof show less than is known, if they do: lists of names, or reads of several entities, keep
/// indexes apart that the number of each kind would let share a GSI.
pub(crate) fn shows_less(proof: &Proof, lower_bound: i128) -> Option<String> {
    let most = keywright_dynamodb::limits::GLOBAL_SECONDARY_INDEXES;
    let mut shown = 0;
    for table in &proof.tables {
        let sums = (0..=most).flat_map(|all| (0..=most - all).map(move |keys| (all, keys)));
        let vectors =
            sums.flat_map(|(all, keys)| (0..=most - all - keys).map(move |lists| [all, keys, lists]));
        let least = vectors.filter_map(|[all, keys, lists]| {
            let room = |limit: Option<usize>, many: usize| limit.is_none_or(|limit| many <= limit);
            let covers = |it: &&Bound| {
                room(it.limits.all, all)
                    && room(it.limits.keys, keys)
                    && room(it.limits.include, lists)
                    && room(it.limits.total, all + keys + lists)
            };
            let of =
                |it: &Bound| it.components.iter().map(|it| it.least.map(Money::pico)).sum::<Option<i128>>();
            let sums: Option<Vec<i128>> = table.bounds.iter().filter(covers).map(of).collect();
            let running = proof.prices.index.pico() * (all + keys + lists) as i128;
            Some(sums?.into_iter().max().unwrap_or(0) + running)
        });
        shown += least.min().unwrap_or(0);
    }
    (shown < lower_bound).then(|| {
        let short = Money::from_pico(lower_bound - shown).in_cents();
        format!("indexes that can't share a GSI: the search parts them, and the tables show {short} less")
    })
}

fn entries(bound: &Bound) -> usize {
    let of = |component: &ComponentBound| {
        let layouts: usize = component.layouts.iter().map(Vec::len).sum();
        let sums: usize = component.elimination.iter().map(|it| it.table.len()).sum();
        layouts + sums
    };
    bound.components.iter().map(of).sum()
}

fn bound(tasks: &[EntityTask<'_>], components: &[Vec<usize>], known: &Known, many: u128) -> Bound {
    let components = components.iter().zip(&known.components);
    Bound {
        limits: known.limits.as_value(),
        components: components
            .map(|(entities, it)| component(tasks, entities, known.limits, it, many))
            .collect(),
    }
}

fn component(
    tasks: &[EntityTask<'_>],
    entities: &[usize],
    limits: search::Limits,
    known: &KnownComponent,
    decided: u128,
) -> ComponentBound {
    let many = |entity: &usize| {
        let at = entities.iter().position(|it| it == entity).expect("a component sums its own entities");
        known.layouts[at].len()
    };
    let layouts = entities.iter().zip(&known.layouts);
    let trees = layouts.clone().filter(|(entity, _)| layouts_of(&tasks[**entity]) > decided);
    ComponentBound {
        least: known.least.map(Money::from_pico),
        layouts: layouts
            .map(|(entity, some)| some.iter().map(|it| layout(&tasks[*entity], it)).collect())
            .collect(),
        elimination: known.summed.iter().map(|it| elimination(it, &many)).collect(),
        trees: trees.filter_map(|(entity, some)| tree(tasks, *entity, limits, some)).collect(),
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
    let nodes = search::tree(tasks, entity, limits, known)?;
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
