//! Candidates: every path that the search may choose, one file per kind and this list that names them all.

mod base;
mod canonical;
mod cooler;
mod guarded;
mod index;
mod projection;
mod sparse;
mod tenant;

pub(crate) use canonical::{is_turnable, time_ordered_id};
pub(crate) use guarded::{may_clear_guards, may_guard, needs_guard, settle, without_room};
pub(crate) use sparse::ends_with;
pub(crate) use tenant::report as report_tenants;

use crate::demand::Demand;
use crate::form::{Form, Forms, is_native};
use crate::path::{Path, Projection};
use crate::problem::{EntityFacts, Problem};

/// What the search may choose for one entity.
#[derive(Clone, Debug, Default)]
pub(crate) struct Candidates {
    /// Base placements.
    pub(crate) bases: Vec<Path>,
    /// Logical indexes: a path with a projection.
    pub(crate) indexes: Vec<IndexCandidate>,
    /// So many of the first indexes are open already.
    pub(crate) kept: usize,
    /// Lists of all attributes are left out, because the table would have too many names in them.
    pub(crate) crowded: bool,
}

/// A logical index that the search may open.
#[derive(Clone, Debug)]
pub(crate) struct IndexCandidate {
    pub(crate) path: Path,
    pub(crate) projection: Projection,
}

impl Candidates {
    /// Those whose keys can have a form.
    pub(crate) fn in_form(mut self, problem: &Problem, entity: usize, forms: Forms) -> Self {
        self.indexes.retain(|index| forms.index != Form::Native || is_native(problem, entity, &index.path));
        self
    }

    /// Whether a new list of all attributes is among them.
    pub(crate) fn has_whole_list(&self, entity: &EntityFacts) -> bool {
        let whole = Projection::Include(entity.everything());
        self.indexes[self.kept..].iter().any(|index| index.projection == whole)
    }

    /// Those without new lists of all attributes.
    pub(crate) fn without_whole_lists(mut self, entity: &EntityFacts) -> Self {
        let mut at = 0..;
        self.indexes.retain(|index| {
            at.next() < Some(self.kept) || index.projection != Projection::Include(entity.everything())
        });
        self.crowded = true;
        self
    }
}

/// All candidates for an entity.
pub(crate) fn candidates(problem: &Problem, entity: usize, demands: &[Demand]) -> Candidates {
    let facts: &EntityFacts = &problem.entities[entity];
    let bases = base::paths(problem, entity, demands);
    let mut indexes: Vec<IndexCandidate> = index::paths(problem, entity, demands)
        .into_iter()
        .flat_map(|path| {
            projection::choices(facts, demands, &path)
                .into_iter()
                .map(move |projection| IndexCandidate { path: path.clone(), projection })
        })
        .collect();
    // Between equals the search keeps the first.
    cooler::sort(facts, &mut indexes);
    Candidates { bases, indexes, kept: 0, crowded: false }
}
