//! The smallest case that shows a failure: with as few records and as little input as can be found.
//!
//! A failure is seen again in an engine of its own, in memory, and then with less and less: records are left out in
//! halves, quarters and so on down to single ones, and shorter inputs are tried on what is left.

mod related;

use std::collections::{BTreeMap, BTreeSet};

use keywright_dynamodb::value::{AttributeValue, Item};
use keywright_model::evidence::Failure;
use keywright_model::model::{Pattern, PatternKind};
use keywright_model::{Design, Model};

use crate::check::{Checker, Contender};
use crate::data::Plan;
use crate::engine::{Embedded, EngineError, Tables};
use crate::image::{self, Place};
use crate::inputs::{self, Flavour, InputSet};
use crate::interpret::{Given, Inputs};
use crate::mirror::Mirror;
use crate::session::Session;
use crate::show;
use crate::shrink::related::{is_counted, related};
use crate::world::{Change, Record, World};
use crate::writing::Writing;

/// Of a larger world only what the failure may depend on is kept for a second look.
const MOST_RECORDS: usize = 2_000;
/// How often a case is tried before the smallest so far is good enough.
const MOST_TRIALS: usize = 400;
/// How many other inputs of a write are tried on the few records that are left.
const DRAWS: usize = 12;

/// What it takes to see a failure again: the world and the tables before it, and the call.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    world: World,
    mirror: Mirror,
    call: CallOf,
}

/// The call that failed.
#[derive(Clone, Debug)]
pub(crate) enum CallOf {
    /// A read.
    Read(InputSet),
    /// A write, with what it made up.
    Write(Inputs, BTreeMap<String, AttributeValue>),
    /// Two writes at once, the first of them this pattern's.
    Race { inputs: Inputs, other: String, others: Inputs },
}

impl CallOf {
    /// The values that its inputs have.
    fn values(&self) -> BTreeSet<AttributeValue> {
        let inputs: Vec<&Inputs> = match self {
            CallOf::Read(set) => vec![&set.inputs],
            CallOf::Write(inputs, ..) => vec![inputs],
            CallOf::Race { inputs, others, .. } => vec![inputs, others],
        };
        inputs.into_iter().flat_map(Inputs::values).flat_map(Given::all).cloned().collect()
    }

    fn size(&self) -> usize {
        match self {
            CallOf::Read(set) => show::inputs(&set.inputs).len(),
            CallOf::Write(inputs, _) => show::inputs(inputs).len(),
            CallOf::Race { inputs, others, .. } => show::inputs(inputs).len() + show::inputs(others).len(),
        }
    }
}

impl Case {
    /// Keeps what it takes to see a failure of a pattern again.
    pub(crate) fn keep(
        model: &Model,
        design: &Design,
        world: &World,
        mirror: &Mirror,
        pattern: &str,
        call: CallOf,
    ) -> Case {
        if world.total() <= MOST_RECORDS {
            return Case { world: world.clone(), mirror: mirror.clone(), call };
        }
        let find = |id: &str| model.patterns.iter().find(|it| it.id == id);
        let calls: Vec<(&Pattern, &Inputs)> = match &call {
            CallOf::Read(set) => find(pattern).map(|it| (it, &set.inputs)).into_iter().collect(),
            CallOf::Write(inputs, _) => find(pattern).map(|it| (it, inputs)).into_iter().collect(),
            CallOf::Race { inputs, other, others } => find(pattern)
                .map(|it| (it, inputs))
                .into_iter()
                .chain(find(other).map(|it| (it, others)))
                .collect(),
        };
        let (world, mirror) = related(model, design, (world, mirror), &calls, MOST_RECORDS);
        Case { world, mirror, call }
    }

    /// The same before those changes took place.
    pub(crate) fn before(mut self, model: &Model, changes: &[Change], session: &Session<'_>) -> Case {
        self.world.revert(model, changes);
        for changed in session.changed.iter().rev() {
            self.mirror.set(&changed.table, &changed.key, changed.before.clone());
        }
        self
    }
}

/// Looks for the smallest case that fails like this one; none where it does not fail a second time.
pub(crate) fn shrink(
    model: &Model,
    design: &Design,
    pattern: &str,
    case: Case,
    seed: u64,
) -> Result<Option<Failure>, EngineError> {
    let engine = Embedded::in_memory()?;
    let mut tables = Tables::new(&engine);
    let session = Session::open(design, &engine, &mut tables)?;
    let checker = Checker::new(model, design, session, seed, Plan::new(model, 0));
    let units = units(&checker, &case);
    let owned: BTreeSet<&Place> = units.iter().flat_map(|unit| &unit.places).collect();
    let rest = case
        .mirror
        .all()
        .map(|(table, key, item)| ((table.to_owned(), key), item))
        .filter(|(place, _)| !owned.contains(place))
        .collect();
    let mut shrinker =
        Shrinker { checker, case: &case, pattern, check: None, units: &units, rest, trials: 0 };
    let mut kept: Vec<usize> = (0..units.len()).collect();
    let mut call = case.call.clone();
    // Of several things that are wrong with one call, the case shows the one that is seen first.
    let Some(mut smallest) = shrinker.fails(&kept, &call)? else { return Ok(None) };
    shrinker.check = Some(smallest.check.clone());
    shrinker.fewer_entities(&mut kept, &call, &mut smallest)?;
    shrinker.fewer_families(&mut kept, &call, &mut smallest)?;
    loop {
        let before = (kept.len(), call.size());
        shrinker.fewer_records(&mut kept, &call, &mut smallest)?;
        shrinker.less_input(&kept, &mut call, &mut smallest)?;
        if (kept.len(), call.size()) == before || shrinker.is_spent() {
            break;
        }
    }
    let records = kept.iter().flat_map(|at| &units[*at].records);
    smallest.records = Some(records.map(|(entity, record)| show::record(entity, record)).collect());
    Ok(Some(smallest))
}

/// Whether a call has to do with an entity: it reads, changes or asks for its records.
fn concerns(model: &Model, design: &Design, pattern: &str, call: &CallOf, entity: &str) -> bool {
    let other = if let CallOf::Race { other, .. } = call { Some(other.as_str()) } else { None };
    std::iter::once(pattern).chain(other).filter_map(|id| model.pattern(id)).any(|pattern| {
        pattern.entities.iter().any(|name| name.value == entity)
            || pattern.inputs().iter().flat_map(|input| &input.binds).any(|bind| bind.entity == entity)
            || Writing::of(design, pattern).is_some_and(|writing| writing.touches(entity))
    })
}

/// Records that come and go together, with the places of their items.
struct Unit {
    records: Vec<(String, Record)>,
    places: Vec<Place>,
    /// Nothing can be left out of what is counted where nobody could put the count right.
    fixed: bool,
    /// The values by which its first record belongs to its parents: a number counts those that have them in common.
    family: Vec<AttributeValue>,
}

fn units(checker: &Checker<'_, '_>, case: &Case) -> Vec<Unit> {
    let (model, design) = (checker.model, checker.design);
    let mut units: Vec<Unit> = Vec::new();
    let mut owners: BTreeMap<Place, usize> = BTreeMap::new();
    for entity in &model.entities {
        for record in case.world.records(&entity.name) {
            let stored = image::of_record(model, design, &case.world, &entity.name, record);
            let places: Vec<Place> = stored.unwrap_or_default().into_keys().collect();
            let entry = (entity.name.clone(), record.clone());
            // Records that share an item are one: half of it would be no item of anybody's.
            let shared = places.iter().find_map(|place| owners.get(place)).copied();
            let at = shared.unwrap_or_else(|| {
                let parents = model.parents_of(&entity.name).flat_map(|relationship| &relationship.via);
                units.push(Unit {
                    family: parents.filter_map(|name| record.get(name).cloned()).collect(),
                    records: Vec::new(),
                    places: Vec::new(),
                    fixed: is_counted(model, design, &entity.name) && !checker.keeps_number_of(&entity.name),
                });
                units.len() - 1
            });
            owners.extend(places.iter().map(|place| (place.clone(), at)));
            units[at].records.push(entry);
            units[at].places.extend(places);
        }
    }
    units
}

struct Shrinker<'a, 'e> {
    checker: Checker<'a, 'e>,
    case: &'a Case,
    pattern: &'a str,
    /// What has to be wrong; anything while that is not known.
    check: Option<String>,
    units: &'a [Unit],
    /// Items that belong to no record: counters.
    rest: BTreeMap<Place, Item>,
    trials: usize,
}

impl Shrinker<'_, '_> {
    fn is_spent(&self) -> bool {
        self.trials >= MOST_TRIALS
    }

    /// Leaves out all records of what the call has nothing to do with: all such entities at once, else one after the other.
    /// What a limit counts goes too: nobody asks for the number any more.
    fn fewer_entities(
        &mut self,
        kept: &mut Vec<usize>,
        call: &CallOf,
        smallest: &mut Failure,
    ) -> Result<(), EngineError> {
        let (model, design) = (self.checker.model, self.checker.design);
        let others: Vec<&str> = model
            .entities
            .iter()
            .map(|entity| entity.name.as_str())
            .filter(|name| !concerns(model, design, self.pattern, call, name))
            .collect();
        let each = others.iter().map(std::slice::from_ref);
        for some in std::iter::once(others.as_slice()).chain(each) {
            let goes = |at: &usize| {
                self.units[*at].records.iter().all(|(entity, _)| some.contains(&entity.as_str()))
            };
            let fewer: Vec<usize> = kept.iter().filter(|at| !goes(at)).copied().collect();
            if fewer.len() < kept.len()
                && let Some(failure) = self.fails(&fewer, call)?
            {
                *kept = fewer;
                *smallest = failure;
            }
        }
        Ok(())
    }

    /// Leaves out what is counted, all that one number counts at once, where the call names none of it: its number is then
    /// nobody's.
    fn fewer_families(
        &mut self,
        kept: &mut Vec<usize>,
        call: &CallOf,
        smallest: &mut Failure,
    ) -> Result<(), EngineError> {
        let named = call.values();
        let mut families: BTreeSet<(&str, &[AttributeValue])> = BTreeSet::new();
        let family = |at: usize| {
            let unit = &self.units[at];
            let (entity, _) = unit.records.first()?;
            let is_named = unit.family.iter().all(|value| named.contains(value));
            (unit.fixed && !is_named).then_some((entity.as_str(), unit.family.as_slice()))
        };
        families.extend(kept.iter().filter_map(|at| family(*at)));
        let mut families: Vec<_> = families.into_iter().collect();
        let mut portion = families.len();
        while portion > 0 {
            let mut from = 0;
            while from < families.len() && !self.is_spent() {
                let some = &families[from..(from + portion).min(families.len())];
                let goes = |at: &usize| family(*at).is_some_and(|family| some.contains(&family));
                let fewer: Vec<usize> = kept.iter().filter(|at| !goes(at)).copied().collect();
                match self.fails(&fewer, call)? {
                    Some(failure) => {
                        *kept = fewer;
                        *smallest = failure;
                        families.drain(from..(from + portion).min(families.len()));
                    }
                    None => from += portion,
                }
            }
            portion /= 2;
        }
        Ok(())
    }

    /// Leaves out records, in ever smaller portions, as long as the failure stays.
    fn fewer_records(
        &mut self,
        kept: &mut Vec<usize>,
        call: &CallOf,
        smallest: &mut Failure,
    ) -> Result<(), EngineError> {
        let mut portion = kept.len();
        while portion > 0 {
            let mut from = 0;
            while from < kept.len() && !self.is_spent() {
                let until = (from + portion).min(kept.len());
                let stays = |at: usize| at < from || at >= until || self.units[kept[at]].fixed;
                let fewer: Vec<usize> = (0..kept.len()).filter(|at| stays(*at)).map(|at| kept[at]).collect();
                if fewer.len() == kept.len() {
                    from = until;
                    continue;
                }
                match self.fails(&fewer, call)? {
                    Some(failure) => {
                        *kept = fewer;
                        *smallest = failure;
                    }
                    None => from = until,
                }
            }
            portion /= 2;
        }
        Ok(())
    }

    /// Tries other inputs on the records that are left, and takes the shortest that still fails.
    fn less_input(
        &mut self,
        kept: &[usize],
        call: &mut CallOf,
        smallest: &mut Failure,
    ) -> Result<(), EngineError> {
        self.arrange(kept)?;
        let mut others = self.other_calls();
        others.sort_by_key(CallOf::size);
        for other in others {
            if other.size() >= call.size() || self.is_spent() {
                break;
            }
            if let Some(failure) = self.fails(kept, &other)? {
                *call = other;
                *smallest = failure;
                break;
            }
        }
        Ok(())
    }

    /// Other calls of the pattern that make sense in the world as it is.
    fn other_calls(&mut self) -> Vec<CallOf> {
        let checker = &mut self.checker;
        let (model, design) = (checker.model, checker.design);
        let pattern = model.patterns.iter().find(|it| it.id == self.pattern);
        let Some((pattern, operation)) = pattern.zip(design.operation(self.pattern)) else {
            return Vec::new();
        };
        match (&pattern.kind, &self.case.call) {
            (PatternKind::Read(_), _) => {
                let sets = inputs::for_read(model, &checker.world, pattern, operation, &mut checker.random);
                sets.into_iter().map(CallOf::Read).collect()
            }
            (PatternKind::Write(write) | PatternKind::Delete(write), CallOf::Write(..)) => {
                let writing = Writing { pattern, write, operation };
                let mut calls = Vec::new();
                for flavour in [Flavour::Fresh, Flavour::Taken, Flavour::Missing] {
                    for _ in 0..DRAWS {
                        let generated = checker.maker.all(&operation.generated);
                        let inputs = checker.inputs_of(writing, flavour);
                        calls.extend(inputs.map(|inputs| CallOf::Write(inputs, generated)));
                    }
                }
                calls
            }
            _ => Vec::new(),
        }
    }

    /// Makes world and tables those of the units that are kept.
    fn arrange(&mut self, kept: &[usize]) -> Result<(), EngineError> {
        let checker = &mut self.checker;
        checker.world = self.case.world.emptied(checker.model);
        let mut wanted = self.rest.clone();
        for unit in kept.iter().map(|at| &self.units[*at]) {
            for (entity, record) in &unit.records {
                let change = Change { entity: entity.clone(), before: None, after: Some(record.clone()) };
                checker.world.apply(checker.model, &[change]);
            }
            for place in &unit.places {
                if let Some(item) = self.case.mirror.get(&place.0, &place.1) {
                    wanted.insert(place.clone(), item);
                }
            }
        }
        let there: Vec<Place> = checker
            .session
            .mirror
            .all()
            .map(|(table, key, _)| (table.to_owned(), key))
            .filter(|place| !wanted.contains_key(place))
            .collect();
        for (table, key) in there {
            checker.session.place(&table, &key, None)?;
        }
        for ((table, key), item) in wanted {
            if checker.session.mirror.get(&table, &key).as_ref() != Some(&item) {
                checker.session.place(&table, &key, Some(&item))?;
            }
        }
        let stays: BTreeSet<&usize> = kept.iter().collect();
        let gone: Vec<Change> = (0..self.units.len())
            .filter(|at| !stays.contains(at))
            .flat_map(|at| &self.units[at].records)
            .map(|(entity, record)| Change {
                entity: entity.clone(),
                before: Some(record.clone()),
                after: None,
            })
            .collect();
        checker.repair_kept(&gone)
    }

    /// Makes the call in the world of those units, and gives the failure if it is of the same kind.
    fn fails(&mut self, kept: &[usize], call: &CallOf) -> Result<Option<Failure>, EngineError> {
        self.trials += 1;
        self.arrange(kept)?;
        let checker = &mut self.checker;
        checker.tallies.clear();
        let (model, design) = (checker.model, checker.design);
        let find = |id: &str| {
            let pattern = model.patterns.iter().find(|it| it.id == id)?;
            Some((pattern, design.operation(id)?))
        };
        let Some((pattern, operation)) = find(self.pattern) else { return Ok(None) };
        match (call, &pattern.kind) {
            (CallOf::Read(set), PatternKind::Read(read)) => {
                checker.check_read(pattern, read, operation, set)?;
            }
            (CallOf::Write(inputs, generated), PatternKind::Write(write) | PatternKind::Delete(write)) => {
                let writing = Writing { pattern, write, operation };
                checker.check_write_with(writing, inputs, generated.clone(), false)?;
            }
            (
                CallOf::Race { inputs, other, others },
                PatternKind::Write(write) | PatternKind::Delete(write),
            ) => {
                let writing = Writing { pattern, write, operation };
                let other = find(other).and_then(|(other, _)| Writing::of(design, other));
                let Some(other) = other else { return Ok(None) };
                checker.check_race([
                    Contender { writing, inputs: inputs.clone() },
                    Contender { writing: other, inputs: others.clone() },
                ])?;
            }
            _ => return Ok(None),
        }
        let failure = checker.tallies.remove(self.pattern).and_then(|tally| tally.failure);
        Ok(failure.filter(|failure| self.check.as_ref().is_none_or(|check| failure.check == *check)))
    }
}
