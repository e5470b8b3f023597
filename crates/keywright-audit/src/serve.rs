//! What a path can do for a demand.

use keywright_model::certificate::{DemandFacts, KeyForm, Path, Projected, ResultFacts};
use keywright_model::design::KeyType;

use crate::entity::Entity;
use crate::paths::{attributes, is_same};
use crate::set::{Set, has, members, set, within};

/// Queries in parallel, at most.
const MOST_QUERIES: u64 = 10;

/// How a path serves a demand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Served {
    /// Attributes that the key condition fixes.
    pub(crate) fixed: Set,
    /// One Query for each of so many values.
    pub(crate) queries: u64,
    pub(crate) scattered: bool,
    pub(crate) range: bool,
    /// An equality that the caller may leave out follows in the key.
    pub(crate) optional: Option<usize>,
    /// A period that the demand gives begins the instant that follows in the key.
    pub(crate) begun: Option<usize>,
    /// Equalities that are filters.
    pub(crate) filter: Set,
    /// Periods that filters hold against their instants.
    pub(crate) filter_periods: Set,
    pub(crate) filter_range: bool,
    pub(crate) sorted_by_caller: bool,
    /// What the order is by and the path lacks: a filter drops items without it.
    pub(crate) dropped_without: Set,
    /// One GetItem does.
    pub(crate) get: bool,
}

impl Served {
    /// Something is read that does not come back, or not in that order.
    pub(crate) fn wastes(&self, demand: &DemandFacts) -> bool {
        self.filter | self.filter_periods != 0
            || self.filter_range
            || self.sorted_by_caller
            || !demand.more_ranges.is_empty()
            || demand.holding.is_some()
    }

    /// What filters look at.
    pub(crate) fn looks_at(&self, entity: &Entity<'_>, demand: &DemandFacts) -> Set {
        let instants = members(self.filter_periods).filter_map(|at| entity.instant_of(at));
        let range = if self.filter_range { demand.range } else { None };
        let single = |at: Option<usize>| at.map_or(0, |at| 1 << at);
        let instants = instants.fold(0, |all, at| all | 1 << at);
        let filters = self.filter | instants | self.dropped_without;
        filters | set(&demand.more_ranges) | single(range) | single(demand.holding)
    }

    /// What an entry has to hold: what filters look at, also for an equality that the caller may leave out.
    pub(crate) fn needs(&self, entity: &Entity<'_>, demand: &DemandFacts) -> Set {
        self.looks_at(entity, demand) | self.optional.map_or(0, |at| 1 << at)
    }

    /// What the caller has to see: what is returned, and what it sorts by.
    pub(crate) fn shows(&self, demand: &DemandFacts) -> Set {
        let order = demand.order.iter().filter(|_| self.sorted_by_caller);
        order.fold(set(&demand.returns), |all, it| all | 1 << it.0)
    }
}

/// How a path serves a demand, if it can.
pub(crate) fn serve(entity: &Entity<'_>, demand: &DemandFacts, path: &Path) -> Option<Served> {
    let given = entity.with_periods(set(&demand.given));
    let equal = set(&demand.given) | set(&demand.optional);
    if let Some(only) = &path.only
        && !demand.constants.contains(only)
    {
        return None;
    }
    let order: Vec<usize> = demand.order.iter().map(|it| it.0).collect();
    let mentioned = equal | set(&order) | demand.range.map_or(0, |at| 1 << at);
    let instants = members(mentioned).filter_map(|at| entity.instant_of(at));
    let mentioned = entity.with_periods(instants.fold(mentioned, |all, at| all | 1 << at));
    if members(attributes(path)).any(|at| entity.is_optional(at) && !has(mentioned, at)) {
        return None;
    }
    let partition = set(&path.partition);
    let asked_for_each = partition & !given;
    let queries = members(asked_for_each).map(|at| entity.facts.attributes[at].values).product::<u64>();
    // What the caller may give is not asked for each value of it.
    let may_be_given = asked_for_each & set(&demand.optional) != 0;
    if queries == 0 || queries > MOST_QUERIES || may_be_given {
        return None;
    }
    let run = path.sort.iter().take_while(|at| has(given, **at)).count();
    let next = path.sort.get(run).copied();
    let range = next.is_some_and(|at| demand.range == Some(at) && !path.by_name.contains(&at));
    if !range && is_by_rank(entity, demand) {
        return None;
    }
    let optional = next.filter(|at| !range && demand.optional.contains(at));
    // The first that is given of the periods of an instant that runs upwards.
    let begun = next.filter(|at| !range && !path.descending.contains(at)).and_then(|at| {
        let mut periods = members(set(&demand.given)).filter(|it| entity.instant_of(*it) == Some(at));
        periods.next().filter(|it| !has(attributes(path), *it))
    });
    let single = |at: Option<usize>| at.map_or(0, |at| 1 << at);
    let behind =
        path.sort[run..].iter().map(|at| (*at, path.descending.contains(at), path.by_name.contains(at)));
    let settled = path.only.iter().fold(0, |_, it| 1 << it.0);
    let fixed = partition | set(&path.sort[..run]) | settled | single(begun);
    let unserved = equal & !(fixed | single(optional));
    let filter = unserved & entity.everything();
    let sorted_by_caller = demand.sorted_later || ordered_up(entity, demand, behind).is_none();
    let may_lack = members(set(&order)).filter(|at| entity.is_optional(*at));
    let lacking = may_lack.fold(0, |all, at| all | 1 << at) & !attributes(path) & !set(&demand.given);
    let alone = demand.shared.is_none();
    let mut served = Served {
        fixed,
        queries,
        scattered: asked_for_each != 0,
        range,
        optional,
        begun,
        filter,
        filter_periods: unserved & !filter,
        filter_range: demand.range.is_some() && !range,
        sorted_by_caller,
        dropped_without: if sorted_by_caller && alone { lacking } else { 0 },
        get: within(attributes(path), given),
    };
    served.get &= demand.listed.is_some() && demand.holding.is_none() || !served.wastes(demand);
    // A page of several kinds comes in the order of its keys.
    let page = demand.shared.is_some() && matches!(demand.result, ResultFacts::Page(_));
    (!page || !served.sorted_by_caller).then_some(served)
}

/// Whether a demand has a range over ranks: a filter sees names.
pub(crate) fn is_by_rank(entity: &Entity<'_>, demand: &DemandFacts) -> bool {
    demand.range.is_some_and(|at| !demand.prefix && entity.facts.attributes[at].ranked)
}

/// Whether keys that run like this, each upwards or downwards and perhaps by name, are upwards in the order that a demand wants; none where they
/// are not in that order at all.
pub(crate) fn ordered_up(
    entity: &Entity<'_>,
    demand: &DemandFacts,
    mut keys: impl Iterator<Item = (usize, bool, bool)>,
) -> Option<bool> {
    let given = set(&demand.given);
    if demand.result == ResultFacts::Count || entity.is_one(given) {
        return Some(true);
    }
    let mut known = given;
    let mut turned: Option<bool> = None;
    for (wanted, down) in demand.order.iter().filter(|(at, _)| !has(given, *at)) {
        if entity.is_one(known) {
            break;
        }
        let (key, descending, by_name) = keys.next()?;
        let for_time =
            entity.facts.attributes[*wanted].creation_time && entity.facts.time_ordered == Some(key);
        let against = *down != descending;
        if by_name || key != *wanted && !for_time || turned.is_some_and(|it| it != against) {
            return None;
        }
        turned = Some(against);
        known |= 1 << key;
    }
    Some(turned != Some(true))
}

/// Whether a place has what a demand needs of it. A place without a projection is the table.
pub(crate) fn is_allowed(
    entity: &Entity<'_>,
    demand: &DemandFacts,
    path: &Path,
    projection: Option<&Projected>,
    served: &Served,
) -> bool {
    let holds = |attributes: Set| match projection {
        None | Some(Projected::All) => true,
        Some(Projected::Keys) => attributes == 0,
        Some(Projected::Include(list)) => within(attributes, set(list)),
    };
    let order: Vec<usize> = demand.order.iter().map(|it| it.0).collect();
    // Without literals nothing keeps the kinds of items in a native index apart.
    let apart = projection.is_none() || entity.facts.index_form != KeyForm::Native;
    // A list of everything is for reads of one entity, unless it is there.
    let is_kept =
        || entity.kept().iter().any(|it| is_same(&it.path, path) && Some(&it.projection) == projection);
    let all_listed = || match projection {
        Some(Projected::Include(list)) => set(list) == entity.everything() && !is_kept(),
        None | Some(Projected::All | Projected::Keys) => false,
    };
    let together = demand.shared.is_none()
        || apart
            && path.only.is_none()
            && set(&path.partition) == set(&demand.given)
            && !served.scattered
            && !served.range
            && served.begun.is_none()
            && served.looks_at(entity, demand) == 0
            && holds(served.shows(demand))
            && !all_listed();
    together
        && takes(entity, demand, path, projection.is_some(), served)
        && (demand.listed.is_none() || projection.is_none() && served.get)
        && (!served.wastes(demand) || entity.most(served.fixed).is_some())
        && holds(served.needs(entity, demand))
        && (!served.scattered || holds(set(&order)))
        && !(demand.strong && projection.is_some())
}

/// Whether DynamoDB takes the request: no filter looks at a key attribute, and on an attribute that is a key as it is only
/// one comparison, two that include their ends, or a prefix of a string.
fn takes(entity: &Entity<'_>, demand: &DemandFacts, path: &Path, index: bool, served: &Served) -> bool {
    let own = entity.own_keys(entity.form(index), path);
    let is_text = |at: usize| entity.facts.attributes[at].own_key == Some(KeyType::String);
    let range = demand.range.filter(|at| served.range && has(own, *at));
    served.looks_at(entity, demand) & own == 0
        && range.is_none_or(|at| !demand.open_range && (!demand.prefix || is_text(at)))
}
