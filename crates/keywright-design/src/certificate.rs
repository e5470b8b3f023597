//! The certificate: the problem's numbers and the search's tables, as values that somebody else can check.
//!
//! Nothing is proven here. What the search knew of every entity, within the limits that matter, is written down.

mod facts;

use keywright_dynamodb::Money;
use keywright_model::certificate::{
    Bound, ComponentBound, Elimination, Layout, LogicalIndex, Path, Projected, Proof, Subtree, TableProof,
    Way,
};

use crate::cost::MonthlyPrice;
use crate::path::{self, Projection};
use crate::search::{self, Answer, Choice, EntityTask, Known, KnownComponent, Summed};

/// More layouts and entries than this are not written down.
const MOST_ENTRIES: usize = 20_000;

/// The proof of an answer, or why there is none.
pub(crate) fn proof(
    tasks: &[EntityTask<'_>],
    month: &MonthlyPrice,
    answer: &Answer,
) -> Result<Proof, String> {
    let Some(first) = tasks.first() else { return Err("a document without entities".to_owned()) };
    let mut tables = Vec::with_capacity(answer.tables.len());
    for table in &answer.tables {
        let bounds = table.bounds.as_ref().map_err(|reason| format!("the tables: {reason}"))?;
        tables.push(TableProof {
            indexes: table.indexes,
            components: table.components.clone(),
            bounds: bounds.iter().map(|it| bound(tasks, &table.components, it)).collect(),
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

fn entries(bound: &Bound) -> usize {
    let of = |component: &ComponentBound| {
        let layouts: usize = component.layouts.iter().map(Vec::len).sum();
        let sums: usize = component.elimination.iter().map(|it| it.table.len()).sum();
        layouts + sums
    };
    bound.components.iter().map(of).sum()
}

fn bound(tasks: &[EntityTask<'_>], components: &[Vec<usize>], known: &Known) -> Bound {
    let components = components.iter().zip(&known.components);
    Bound {
        limits: known.limits.as_value(),
        components: components.map(|(entities, it)| component(tasks, entities, it)).collect(),
    }
}

fn component(tasks: &[EntityTask<'_>], entities: &[usize], known: &KnownComponent) -> ComponentBound {
    let many = |entity: &usize| {
        let at = entities.iter().position(|it| it == entity).expect("a component sums its own entities");
        known.layouts[at].len()
    };
    let layouts = entities.iter().zip(&known.layouts);
    ComponentBound {
        least: known.least.map(Money::from_pico),
        layouts: layouts
            .map(|(entity, some)| some.iter().map(|it| layout(&tasks[*entity], it)).collect())
            .collect(),
        elimination: known.summed.iter().map(|it| elimination(it, &many)).collect(),
        trees: Vec::new(),
    }
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

fn layout(task: &EntityTask<'_>, layout: &search::Layout) -> Layout {
    let index = |at: &usize| {
        let candidate = &task.candidates.indexes[*at];
        LogicalIndex {
            path: path(&candidate.path),
            projection: match candidate.projection {
                Projection::All => Projected::All,
                Projection::Keys => Projected::Keys,
                Projection::Include(attrs) => Projected::Include(facts::list(attrs)),
            },
        }
    };
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
        indexes: layout.indexes.iter().map(index).collect(),
        ways: layout.services.iter().map(|service| way(&service.choice)).collect(),
        price: Money::from_pico(layout.cost.total()),
    }
}
