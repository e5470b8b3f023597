//! What writes cost: items, index entries, uniqueness items, checks, old values, storage.

use keywright_dynamodb::Money;
use keywright_dynamodb::limits::WRITE_UNIT_BYTES;
use keywright_model::model::Literal;

use super::read::halves;
use super::{Cost, MonthlyPrice, uniqueness_bytes};
use crate::candidate::needs_guard;
use crate::form::{Form, Stranger};
use crate::path::{Path, Projection};
use crate::problem::{Attr, Attrs, EffectAction, EffectFacts, EntityFacts, Problem, WriteFacts};

const MICRO: u64 = 1_000_000;

/// What one effect of a write costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct EffectPrice {
    pub(crate) cost: Cost,
    /// Millionths of write units of one call.
    pub(crate) micro_units: u64,
    /// Of these, on the item itself.
    pub(crate) base_micro_units: u64,
    /// Half read units of the old values that it needs.
    pub(crate) read_half_units: u64,
}

/// Write units for an image of so many bytes.
pub(crate) fn units(bytes: u64) -> u64 {
    bytes.div_ceil(WRITE_UNIT_BYTES).max(1)
}

/// An index of a layout, as far as writes need to know it.
pub(crate) struct Entry<'a> {
    pub(crate) path: &'a Path,
    pub(crate) form: Form,
    pub(crate) projection: Projection,
    pub(crate) bytes: u64,
    /// What a month of the index costs beside its own entries.
    pub(crate) beside: Cost,
}

/// Whether the base key itself changes.
pub(crate) fn moves_base(effect: &EffectFacts, base: &Path) -> bool {
    effect.action == EffectAction::Update && !effect.sets.intersection(base.attrs()).is_empty()
}

/// Whether an effect reads the item's old values by themselves. Who touches all of several finds them with what it needs.
pub(crate) fn old_values_needed<'p>(
    entity: &EntityFacts,
    effect: &EffectFacts,
    base: &Path,
    indexes: impl Iterator<Item = (&'p Path, Form)>,
) -> bool {
    !effect.all && relies_on_old(entity, effect, base, indexes)
}

/// Whether an effect needs the item's old values: of unique attributes, of a moved key, beside a changed attribute in one
/// key string, or of what says whether the item is in an index at all.
pub(crate) fn relies_on_old<'p>(
    entity: &EntityFacts,
    effect: &EffectFacts,
    base: &Path,
    mut indexes: impl Iterator<Item = (&'p Path, Form)>,
) -> bool {
    match effect.action {
        EffectAction::Create => false,
        _ if effect.read_first => true,
        EffectAction::Put => false,
        EffectAction::Delete => effect.unique.iter().any(|set| !entity.unique[*set].is_subset(effect.given)),
        EffectAction::Update => {
            let known = effect.given.union(effect.sets.minus(effect.grows));
            let beside =
                |attrs: &&Attrs| !attrs.intersection(effect.sets).is_empty() && !attrs.is_subset(known);
            !effect.unique.is_empty()
                || moves_base(effect, base)
                || indexes.any(|(path, form)| {
                    let gate: Attrs = path.only.iter().map(|(attr, _)| *attr).collect();
                    // What it does not touch stays as it is.
                    if effect.sets.intersection(path.attrs().union(gate)).is_empty() {
                        return false;
                    }
                    let strings = form.strings(entity, path);
                    // What only goes out of the index, or stays out, needs no key.
                    let idle = |string: Attrs| {
                        effect.ends(form, path, string) || effect.stays_out(entity, path, form, string)
                    };
                    let kept = || strings.iter().filter(|string| !idle(**string));
                    // An entry that may begin needs all its strings; one that is there needs the changed one. Where
                    // strings stand by themselves, each begins with its own attributes.
                    let optional = |attr: Attr| entity.attribute(attr).optional && effect.sets.contains(attr);
                    let enters = !effect.sets.intersection(gate).is_empty()
                        || form.together(path) && path.attrs().iter().any(optional);
                    let unsure = |it: Attrs| !effect.unsure(entity, path, form, it).is_empty();
                    kept().any(|it| beside(&it) || effect.leaves_out(entity, path, form, *it) || unsure(*it))
                        || enters && !kept().all(|it| it.is_subset(known))
                })
        }
    }
}

/// Millionths of write units that an effect costs on one index: one for an entry that goes, one for an entry that comes, so
/// two where its key changes.
pub(crate) fn entry_writes(
    entity: &EntityFacts,
    effect: &EffectFacts,
    base: &Path,
    entry: &Entry<'_>,
) -> u64 {
    let each = units(entry.bytes);
    let path = entry.path;
    let presence = Presence { entity, effect };
    let (before, after) = (presence.before(path), presence.after(path));
    let sets = effect.replaces(entity);
    match effect.action {
        EffectAction::Create => each * after,
        EffectAction::Delete => each * before,
        // Nobody says how often there is something to replace: the dearer of the two.
        EffectAction::Put if effect.there => rewritten(&presence, sets, entry),
        EffectAction::Put => rewritten(&presence, sets, entry).max(each * after),
        EffectAction::Update if moves_base(effect, base) => 2 * each * share_in(entity, path),
        EffectAction::Update if effect.leaves(path) => each * before,
        EffectAction::Update => rewritten(&presence, sets, entry),
    }
}

/// The same where an item stays that gets new values of some attributes.
fn rewritten(presence: &Presence<'_>, sets: Attrs, entry: &Entry<'_>) -> u64 {
    let (each, path) = (units(entry.bytes), entry.path);
    let before = presence.before(path);
    if !sets.intersection(path.attrs()).is_empty() {
        return each * (before + presence.after(path));
    }
    let shows = match entry.projection {
        Projection::All => !sets.is_empty(),
        Projection::Keys => false,
        Projection::Include(list) => !list.intersection(sets).is_empty(),
    };
    let gate = path.only.as_ref().filter(|(attr, _)| sets.contains(*attr));
    let Some(gate) = gate else { return if shows { each * before } else { 0 } };
    // Beside the constant nothing of the key changes.
    let (was, is) = (presence.gate_before(gate), presence.gate_after(gate));
    let stays = if shows { was * is / MICRO } else { 0 };
    let moves = was * (MICRO - is) / MICRO + is * (MICRO - was) / MICRO + stays;
    each * (presence.held_before(path) * moves / MICRO)
}

/// How many in a million of all items are in an index.
pub(crate) fn share_in(entity: &EntityFacts, path: &Path) -> u64 {
    let gate = path.only.as_ref().map_or(1, |(attr, _)| entity.attribute(*attr).distinct.max(1));
    (entity.share_present(path.attrs()) / gate).max(1)
}

/// How many in a million of the items that an effect touches are in an index, before it and after it.
struct Presence<'a> {
    entity: &'a EntityFacts,
    effect: &'a EffectFacts,
}

impl Presence<'_> {
    fn before(&self, path: &Path) -> u64 {
        let gate = path.only.as_ref().map_or(MICRO, |gate| self.gate_before(gate));
        self.held_before(path) * gate / MICRO
    }

    fn after(&self, path: &Path) -> u64 {
        let held = self.optional(path).fold(MICRO, |share, attr| share * self.is_held_after(attr) / MICRO);
        let gate = path.only.as_ref().map_or(MICRO, |gate| self.gate_after(gate));
        held * gate / MICRO
    }

    fn optional(&self, path: &Path) -> impl Iterator<Item = Attr> {
        path.attrs().iter().filter(|attr| self.entity.attribute(*attr).optional)
    }

    /// Of those that hold the optional attributes of its key.
    fn held_before(&self, path: &Path) -> u64 {
        self.optional(path).fold(MICRO, |share, attr| share * self.is_held_before(attr) / MICRO)
    }

    fn is_held_before(&self, attr: Attr) -> u64 {
        let stored = self.entity.stored(attr);
        if self.effect.lacked.contains(stored) {
            return 0;
        }
        let told = self.effect.was.iter().any(|(was, _)| *was == stored);
        // Who takes a value away, or sets another, calls where there is one, unless the document says otherwise.
        let replaced = self.effect.action == EffectAction::Update
            && self.effect.sets.contains(stored)
            && !self.effect.maybe.contains(stored);
        if told || replaced { MICRO } else { self.entity.attribute(attr).present }
    }

    fn is_held_after(&self, attr: Attr) -> u64 {
        let stored = self.entity.stored(attr);
        let comes = matches!(self.effect.action, EffectAction::Create | EffectAction::Put);
        match (self.effect.sets.contains(stored), self.effect.maybe.contains(stored)) {
            (true, false) => MICRO,
            (true, true) if comes => self.entity.attribute(attr).present,
            (false, _) if comes => 0,
            _ => self.is_held_before(attr),
        }
    }

    fn gate_before(&self, (attr, value): &(Attr, Literal)) -> u64 {
        let same = |was: &Literal| was.to_string() == value.to_string();
        let told = self.effect.was.iter().find(|(was, literal)| was == attr && literal.is_some());
        match told.and_then(|(_, literal)| literal.as_ref()) {
            Some(was) => u64::from(same(was)) * MICRO,
            None => MICRO / self.entity.attribute(*attr).distinct.max(1),
        }
    }

    fn gate_after(&self, gate: &(Attr, Literal)) -> u64 {
        let (attr, value) = gate;
        let fixed = self.effect.fixed.iter().find(|(set, _)| set == attr);
        match fixed {
            Some((_, new)) if !self.effect.maybe.contains(*attr) => {
                u64::from(new.to_string() == value.to_string()) * MICRO
            }
            _ if self.effect.sets.contains(*attr) => MICRO / self.entity.attribute(*attr).distinct.max(1),
            _ => self.gate_before(gate),
        }
    }
}

/// What an effect costs, given the sizes of a layout.
pub(crate) fn effect_price(
    problem: &Problem,
    month: &MonthlyPrice,
    write: &WriteFacts,
    effect: &EffectFacts,
    base: &Path,
    item: u64,
    entries: &[Entry<'_>],
) -> EffectPrice {
    let entity = &problem.entities[effect.entity];
    let times = effect.times(entity);
    let moves = moves_base(effect, base);
    let comes_or_goes = matches!(effect.action, EffectAction::Create | EffectAction::Delete);
    let guard = comes_or_goes && needs_guard(entity, base);
    let transaction = write.holds_together(effect) || moves || guard;
    let factor = if transaction { 2 } else { 1 };
    let on_base = (units(item) * if moves { 2 } else { 1 } * factor * MICRO).saturating_mul(times);
    let unique: u64 = effect
        .unique
        .iter()
        .map(|set| {
            let each = units(uniqueness_bytes(problem, effect.entity, entity.unique[*set]));
            (each * 2 * uniqueness_writes(entity, effect, *set)).saturating_mul(times)
        })
        .fold(0, u64::saturating_add);
    let held = if guard { uniqueness_bytes(problem, effect.entity, entity.identity_set()) } else { 0 };
    let on_guard = if guard { (units(held) * 2 * MICRO).saturating_mul(times) } else { 0 };
    let on_indexes: u64 = entries.iter().map(|entry| entry_writes(entity, effect, base, entry)).sum();
    let on_indexes = on_indexes.saturating_mul(times);
    let micro_units = on_base.saturating_add(unique).saturating_add(on_guard).saturating_add(on_indexes);
    let mut cost = Cost::bill(month.writes(write.rate, micro_units));
    let mut read_half_units = 0;
    if old_values_needed(entity, effect, base, entries.iter().map(|entry| (entry.path, entry.form))) {
        read_half_units = halves(item, true).saturating_mul(times);
        cost += Cost::bill(month.reads(write.rate, read_half_units))
            + Cost::operational(month.extra_requests(write.rate, 1));
    }
    EffectPrice { cost, micro_units, base_micro_units: on_base, read_half_units }
}

/// How often an effect writes the item that keeps a set unique, in millionths: only who has the values has one.
fn uniqueness_writes(entity: &EntityFacts, effect: &EffectFacts, set: usize) -> u64 {
    let set = entity.unique[set];
    let share = entity.share_present(set).max(1);
    match effect.action {
        // Moved: one goes, one comes.
        EffectAction::Update if set.intersection(effect.removes).is_empty() => 2 * share,
        EffectAction::Create | EffectAction::Put | EffectAction::Update | EffectAction::Delete => share,
    }
}

/// What a check of an item costs: twice the units of writing it.
pub(crate) fn check_price(month: &MonthlyPrice, write: &WriteFacts, item: u64) -> Cost {
    Cost::bill(month.writes(write.rate, 2 * units(item) * MICRO))
}

/// A month of storing an entity's items, entries and uniqueness items.
pub(crate) fn storage_price(
    problem: &Problem,
    month: &MonthlyPrice,
    entity: usize,
    base: &Path,
    item: u64,
    entries: &[Entry<'_>],
) -> Cost {
    let facts = &problem.entities[entity];
    let mut bill = month.storage(facts.count, MICRO, item);
    let mut kept = Money::ZERO;
    if needs_guard(facts, base) {
        let bytes = uniqueness_bytes(problem, entity, facts.identity_set());
        bill += month.storage(facts.count, MICRO, bytes);
        kept = month.operational.item_type;
    } else if facts.unique.contains(&facts.identity_set()) {
        // Settled: the item is among the unique ones now.
        kept = month.operational.item_type;
    }
    for entry in entries {
        bill += month.storage(facts.count, share_in(facts, entry.path), entry.bytes);
    }
    for set in &facts.unique {
        bill +=
            month.storage(facts.count, facts.share_present(*set), uniqueness_bytes(problem, entity, *set));
    }
    Cost::bill(bill) + Cost::operational(kept)
}

/// Millionths of write units of a check.
pub(crate) fn check_micro_units(item: u64) -> u64 {
    2 * units(item) * MICRO
}

/// What a month of a stranger's entries in a native index costs, written and stored. They count without their key
/// strings, so that the price of an index does not depend on how other entities are laid out.
pub(crate) fn stranger_price(
    problem: &Problem,
    month: &MonthlyPrice,
    entity: usize,
    projection: Projection,
    stranger: &Stranger,
) -> Cost {
    let facts = &problem.entities[stranger.entity];
    let bytes = stranger_bytes(problem, entity, stranger, projection);
    let share = match stranger.uniqueness {
        None => facts.share_present(stranger.path.attrs()),
        Some(set) => facts.share_present(facts.unique[set]),
    };
    let mut bill = month.storage(facts.count, share, bytes);
    for write in &problem.writes {
        for effect in write.effects.iter().filter(|effect| effect.entity == stranger.entity) {
            let micro = stranger_writes(problem, entity, stranger, projection, effect);
            bill += month.writes(write.rate, micro);
        }
    }
    Cost::bill(bill)
}

/// Millionths of write units that an effect costs on a native index in which its item is a stranger.
pub(crate) fn stranger_writes(
    problem: &Problem,
    entity: usize,
    stranger: &Stranger,
    projection: Projection,
    effect: &EffectFacts,
) -> u64 {
    let facts = &problem.entities[stranger.entity];
    let bytes = stranger_bytes(problem, entity, stranger, projection);
    let times = effect.times(facts);
    if let Some(set) = stranger.uniqueness {
        let writes = if effect.unique.contains(&set) { uniqueness_writes(facts, effect, set) } else { 0 };
        return (units(bytes) * writes).saturating_mul(times);
    }
    // What is listed for one entity is listed by name for all.
    let projection = match projection {
        Projection::Include(list) => {
            let names = problem.entities[entity].names(list.iter());
            Projection::Include(names.iter().filter_map(|name| facts.named(name)).collect())
        }
        other => other,
    };
    let identity = Path::new(facts, facts.identity_set(), Vec::new());
    let entry = Entry { path: &stranger.path, form: Form::Native, projection, bytes, beside: Cost::ZERO };
    entry_writes(facts, effect, &identity, &entry).saturating_mul(times)
}

fn stranger_bytes(problem: &Problem, entity: usize, stranger: &Stranger, projection: Projection) -> u64 {
    let facts = &problem.entities[stranger.entity];
    let listed = |attrs: Attrs| -> u64 {
        attrs.iter().map(|attr| facts.attribute(attr).name.len() as u64 + facts.attribute(attr).bytes).sum()
    };
    let held = match stranger.uniqueness {
        Some(set) => facts.unique[set].union(facts.identity_set()),
        None => (0..facts.attributes.len()).map(Attr::new).collect(),
    };
    match projection {
        Projection::All => listed(held),
        Projection::Keys => listed(stranger.path.attrs()),
        Projection::Include(list) => {
            let names = problem.entities[entity].names(list.iter());
            let shown: Attrs = names.iter().filter_map(|name| facts.named(name)).collect();
            listed(shown.intersection(held).union(stranger.path.attrs()))
        }
    }
}
