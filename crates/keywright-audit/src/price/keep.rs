//! What keeping items and index entries costs: writes, old values, storage.

use keywright_dynamodb::limits::WRITE_UNIT_BYTES;
use keywright_model::certificate::{EffectAction, EffectFacts, KeyForm, LogicalIndex, Path, Projected};

use super::{MICRO, Pricing, half_units, kind};
use crate::entity::Entity;
use crate::money::{reads, stores, waits, writes};
use crate::paths::attributes;
use crate::set::{Set, has, members, set, within};

pub(crate) fn write_units(bytes: u64) -> u64 {
    bytes.div_ceil(WRITE_UNIT_BYTES).max(1)
}

/// How many in a million of the items that a write touches have what an index is for, before it and after it.
struct Lies<'a> {
    entity: &'a Entity<'a>,
    effect: &'a EffectFacts,
}

impl Lies<'_> {
    fn instant(&self, at: usize) -> usize {
        self.entity.facts.attributes.get(at).and_then(|it| it.period_of).unwrap_or(at)
    }

    fn held_before(&self, at: usize) -> u64 {
        let of = self.instant(at);
        let told = self.effect.was.iter().any(|(was, _)| *was == of);
        // An update that always writes the attribute is taken to find one.
        let written = self.effect.action == EffectAction::Update
            && self.effect.sets.contains(&of)
            && !self.effect.maybe.contains(&of);
        match (self.effect.lacked.contains(&of), told || written) {
            (true, _) => 0,
            (false, true) => MICRO,
            (false, false) => self.entity.present(set(&[at])),
        }
    }

    fn held_after(&self, at: usize) -> u64 {
        let of = self.instant(at);
        let new = matches!(self.effect.action, EffectAction::Create | EffectAction::Put);
        let (set_to, maybe) = (self.effect.sets.contains(&of), self.effect.maybe.contains(&of));
        match (set_to, maybe, new) {
            (true, false, _) => MICRO,
            (true, true, true) => self.entity.present(set(&[at])),
            (false, _, true) => 0,
            (_, _, false) => self.held_before(at),
        }
    }

    fn was(&self, at: usize, value: &str) -> u64 {
        let told = self.effect.was.iter().find_map(|(was, text)| text.as_ref().filter(|_| *was == at));
        told.map_or(MICRO / self.entity.distinct(at), |text| if text == value { MICRO } else { 0 })
    }

    fn is(&self, at: usize, value: &str) -> u64 {
        let fixed = self.effect.fixed.iter().find(|(set, _)| *set == at);
        let fixed = fixed.filter(|_| !self.effect.maybe.contains(&at));
        match fixed {
            Some((_, new)) => u64::from(new == value) * MICRO,
            None if self.effect.sets.contains(&at) => MICRO / self.entity.distinct(at),
            None => self.was(at, value),
        }
    }
}

impl Pricing<'_> {
    pub(super) fn moves(&self, effect: &EffectFacts, base: &Path) -> bool {
        effect.action == EffectAction::Update && set(&effect.sets) & attributes(base) != 0
    }

    /// A natural identity under another key is guarded by an item of its own.
    pub(super) fn guarded(&self, base: &Path) -> bool {
        let facts = self.entity.facts;
        let kept = self.entity.unique.contains(&self.entity.identity);
        !facts.generated && !facts.singleton && attributes(base) != self.entity.identity && !kept
    }

    /// Whether a write surely ends a string of an index: it takes away what the string is made of, or gives the item another
    /// value than the one that the index is for.
    fn ends(&self, effect: &EffectFacts, path: &Path, string: Set) -> bool {
        let removes = set(&effect.removes);
        let closed = path.only.as_ref().is_some_and(|(at, value)| {
            has(removes, *at) || effect.fixed.iter().any(|(set, new)| set == at && new != value)
        });
        effect.action == EffectAction::Update && (closed || string & removes != 0)
    }

    fn stored(&self, at: usize) -> usize {
        self.entity.facts.attributes.get(at).and_then(|it| it.period_of).unwrap_or(at)
    }

    /// Whether the conditions of a write say that its item is in an index neither before nor after.
    fn stays_out(&self, effect: &EffectFacts, path: &Path, strings: Set) -> bool {
        let sets = set(&effect.sets);
        let elsewhere = path.only.as_ref().is_some_and(|(gate, value)| {
            let says = |was: &(usize, Option<String>)| {
                was.0 == *gate && was.1.as_ref().is_some_and(|it| it != value)
            };
            !has(sets, *gate) && effect.was.iter().any(says)
        });
        let lacks = |at: usize| !has(sets, at) && effect.lacked.contains(&self.stored(at));
        elsewhere || members(strings).any(lacks)
    }

    /// Whether nothing that is said of a write tells whether its item is in an index.
    fn is_unsure(&self, effect: &EffectFacts, path: &Path, strings: Set) -> bool {
        let sets = set(&effect.sets);
        let open = |at: usize| !has(sets, at) && !effect.given.contains(&self.stored(at));
        let held = |at: usize| effect.was.iter().any(|(was, _)| *was == self.stored(at));
        let valued = |at: usize| effect.was.iter().any(|(was, value)| *was == at && value.is_some());
        let gate = path.only.as_ref().is_some_and(|(at, _)| open(*at) && !valued(*at));
        let lacking = |at: usize| self.entity.is_optional(at) && open(at) && !held(at);
        gate || members(strings).any(lacking)
    }

    /// How often a write touches the item that keeps a set unique, in millionths of those who may have one.
    pub(crate) fn unique_writes(&self, effect: &EffectFacts, unique: usize) -> u64 {
        let held = self.entity.unique.get(unique).copied().unwrap_or_default();
        let share = self.entity.present(held).max(1);
        let goes = held & set(&effect.removes) != 0;
        if effect.action == EffectAction::Update && !goes { 2 * share } else { share }
    }

    /// Millionths of units that a write costs on an entry.
    pub(crate) fn entry_writes(
        &self,
        effect: &EffectFacts,
        base: &Path,
        index: &LogicalIndex,
        entry: u64,
    ) -> u64 {
        let (units, path) = (write_units(entry), &index.path);
        let puts = effect.action == EffectAction::Put;
        let sets = if puts { self.beside_identity() } else { set(&effect.sets) };
        let lies = Lies { entity: self.entity, effect };
        let optional = || members(attributes(path)).filter(|at| self.entity.is_optional(*at));
        let all =
            |share: &dyn Fn(usize) -> u64| optional().fold(MICRO, |so_far, at| so_far * share(at) / MICRO);
        let held = all(&|at| lies.held_before(at));
        let gate =
            |of: &dyn Fn(usize, &str) -> u64| path.only.as_ref().map_or(MICRO, |(at, value)| of(*at, value));
        let (was, is) = (gate(&|at, value| lies.was(at, value)), gate(&|at, value| lies.is(at, value)));
        let (before, after) = (held * was / MICRO, all(&|at| lies.held_after(at)) * is / MICRO);
        // Who puts an item over none only creates; where either may be, the dearer is taken.
        let least = if puts && !effect.there { units * after } else { 0 };
        match effect.action {
            EffectAction::Create => return units * after,
            EffectAction::Delete => return units * before,
            EffectAction::Put | EffectAction::Update => {}
        }
        if self.moves(effect, base) {
            return 2 * units * self.share(path);
        }
        if self.ends(effect, path, attributes(path)) {
            return units * before;
        }
        if sets & attributes(path) != 0 {
            return least.max(units * (before + after));
        }
        let shown = match &index.projection {
            Projected::All => sets != 0,
            Projected::Keys => false,
            Projected::Include(list) => set(list) & sets != 0,
        };
        let comes_or_goes = path.only.as_ref().is_some_and(|(at, _)| has(sets, *at));
        let moved = match (comes_or_goes, shown) {
            (false, false) => return least,
            (false, true) => return least.max(units * before),
            (true, shown) => {
                was * (MICRO - is) / MICRO
                    + is * (MICRO - was) / MICRO
                    + if shown { was * is / MICRO } else { 0 }
            }
        };
        least.max(units * (held * moved / MICRO))
    }

    /// All that an item holds beside its identity, and the periods that this tells.
    fn beside_identity(&self) -> Set {
        let instant = |at: usize| self.entity.facts.attributes[at].period_of.unwrap_or(at);
        let beside = |at: &usize| !has(self.entity.identity, instant(*at));
        let all: Vec<usize> = (0..self.entity.facts.attributes.len()).filter(beside).collect();
        set(&all)
    }

    /// Whether a write has to know what was there.
    pub(super) fn needs_old(&self, effect: &EffectFacts, base: &Path, indexes: &[&LogicalIndex]) -> bool {
        let (given, sets) = (set(&effect.given), set(&effect.sets));
        match effect.action {
            // All items of several are found with what has to be known of them.
            _ if effect.all => return false,
            EffectAction::Create => return false,
            EffectAction::Put => return effect.read_first,
            EffectAction::Delete => {
                let known = |at: &usize| self.entity.unique.get(*at).is_some_and(|it| within(*it, given));
                return effect.read_first || !effect.unique.iter().all(known);
            }
            EffectAction::Update => {}
        }
        if effect.read_first || !effect.unique.is_empty() || self.moves(effect, base) {
            return true;
        }
        let known = given | (sets & !set(&effect.grows));
        indexes.iter().any(|index| {
            let path = &index.path;
            let strings = self.entity.strings(self.entity.facts.index_form, path);
            let half_known = |string: &Set| string & sets != 0 && !within(*string, known);
            let gate = path.only.as_ref().is_some_and(|(at, _)| has(sets, *at));
            // Strings that stand by themselves begin each with its own attributes.
            let together = match self.entity.facts.index_form {
                KeyForm::Generic => true,
                KeyForm::Natural => path.only.is_some(),
                KeyForm::Native => false,
            };
            let optional = members(attributes(path) & sets).any(|at| self.entity.is_optional(at));
            let begins = gate || together && optional;
            // Strings that only end need nothing, nor those of an item that stays out; those of a generic key end together.
            let of = |string: Set| if together { attributes(path) } else { string };
            let idle = |it: Set| self.ends(effect, path, of(it)) || self.stays_out(effect, path, of(it));
            let kept = || strings.iter().filter(|it| !idle(**it));
            // Who writes a string must know whether the item is in the index.
            let unsure = |string: &Set| of(*string) & sets != 0 && self.is_unsure(effect, path, of(*string));
            // Of what is written anew the caller may leave a part out.
            let own_optional = |string: Set| members(of(string) & sets).any(|at| self.entity.is_optional(at));
            let gated = path.only.as_ref().map_or(0, |(at, _)| set(&[*at]));
            let left_out = |string: &Set| {
                let whole = gate || own_optional(*string);
                let changed = if whole { of(*string) | gated } else { *string } & sets;
                let of = |at: usize| {
                    self.entity.facts.attributes.get(at).and_then(|it| it.period_of).unwrap_or(at)
                };
                let maybe = |at: usize| effect.maybe.contains(&of(at));
                members(changed).count() > 1 && members(changed).any(maybe)
            };
            kept().any(|it| half_known(it) || left_out(it) || unsure(it))
                || begins && !kept().all(|it| within(*it, known))
        })
    }

    pub(crate) fn times(&self, effect: &EffectFacts) -> u64 {
        if effect.all { self.entity.mean(set(&effect.given)) } else { effect.portions }
    }

    /// Millionths of units that a write costs on the item itself.
    pub(super) fn item_writes(&self, effect: &EffectFacts, base: &Path, item: u64) -> u64 {
        let moves = self.moves(effect, base);
        let guard = self.guards(effect, base);
        let doubled = if effect.transaction || moves || guard { 2 } else { 1 };
        (write_units(item) * if moves { 2 } else { 1 } * doubled * MICRO).saturating_mul(self.times(effect))
    }

    pub(super) fn guards(&self, effect: &EffectFacts, base: &Path) -> bool {
        matches!(effect.action, EffectAction::Create | EffectAction::Delete) && self.guarded(base)
    }

    /// Writes, checks and storage of a month, with what running its lists costs.
    pub(crate) fn keep(&self, base: &Path, indexes: &[&LogicalIndex], item: u64) -> i128 {
        let (facts, prices) = (self.entity.facts, self.prices);
        let entries: Vec<u64> = indexes.iter().map(|index| self.entry_bytes(base, index, item)).collect();
        let mut pico = stores(prices, facts.count, MICRO, item);
        for (index, entry) in indexes.iter().zip(&entries) {
            pico += stores(prices, facts.count, self.share(&index.path), *entry);
            if kind(&index.projection) == 2 {
                pico += prices.include_list.pico();
            }
            pico += self.beside(index);
        }
        for (unique, held) in facts.unique.iter().zip(&self.entity.unique) {
            pico += stores(prices, facts.count, self.entity.present(*held), unique.bytes);
        }
        if self.guarded(base) {
            pico += stores(prices, facts.count, MICRO, facts.guard_bytes) + prices.item_type.pico();
        } else if self.entity.unique.contains(&self.entity.identity) {
            pico += prices.item_type.pico();
        }
        if facts.counter || facts.copy {
            pico += prices.item_type.pico();
        }
        for effect in &facts.effects {
            let times = self.times(effect);
            let unique = effect.unique.iter().filter_map(|at| Some((*at, facts.unique.get(*at)?)));
            let unique: u64 = unique
                .map(|(at, it)| {
                    (write_units(it.bytes) * 2 * self.unique_writes(effect, at)).saturating_mul(times)
                })
                .fold(0, u64::saturating_add);
            let guard = if self.guards(effect, base) {
                (write_units(facts.guard_bytes) * 2 * MICRO).saturating_mul(times)
            } else {
                0
            };
            let on_entries: u64 = indexes
                .iter()
                .zip(&entries)
                .map(|(it, bytes)| self.entry_writes(effect, base, it, *bytes))
                .sum();
            let all = [self.item_writes(effect, base, item), unique, guard, on_entries.saturating_mul(times)]
                .into_iter()
                .fold(0, u64::saturating_add);
            pico += writes(prices, effect.rate, all);
            if self.needs_old(effect, base, indexes) {
                pico += reads(prices, effect.rate, half_units(item, true).saturating_mul(times))
                    + waits(prices, effect.rate, 1);
            }
        }
        for rate in &facts.checks {
            pico += writes(prices, *rate, 2 * write_units(item) * MICRO);
        }
        pico
    }

    /// What storing an item and its entries costs more where it grows, in pico-dollars; rounded up.
    pub(crate) fn grown(&self, base: &Path, open: &[&LogicalIndex], from: u64, to: u64) -> i128 {
        if to <= from {
            return 0;
        }
        let stored = |share: u64, bytes: u64| stores(self.prices, self.entity.facts.count, share, bytes);
        let entries = open.iter().map(|index| {
            let at = |item: u64| stored(self.share(&index.path), self.entry_bytes(base, index, item));
            at(to) - at(from) + 1
        });
        stored(MICRO, to) - stored(MICRO, from) + 1 + entries.sum::<i128>()
    }

    /// The least that opening an index adds to what is open, where an item has no fewer bytes than `floor`: its entries,
    /// and its keys in the item and in the entries that hold all. What it adds by making a write read first or something
    /// larger than a unit, another may have added.
    pub(crate) fn opening(
        &self,
        base: &Path,
        open: &[&LogicalIndex],
        index: &LogicalIndex,
        item: u64,
        floor: u64,
    ) -> i128 {
        let (facts, prices) = (self.entity.facts, self.prices);
        let larger = item + self.key_bytes(index);
        let entry = self.entry_bytes(base, index, larger.max(floor));
        let stored = |share: u64, bytes: u64| stores(prices, facts.count, share, bytes);
        // Rounded apart, each may come to one more than together.
        let mut pico = stored(self.share(&index.path), self.entry_bytes(base, index, larger)) - 1;
        pico += stored(MICRO, larger) - stored(MICRO, item) - 1;
        for other in open {
            let share = self.share(&other.path);
            let grown = |item: u64| stored(share, self.entry_bytes(base, other, item));
            pico += grown(larger) - grown(item) - 1;
        }
        for effect in &facts.effects {
            let micro = self.entry_writes(effect, base, index, entry).saturating_mul(self.times(effect));
            pico += writes(prices, effect.rate, micro) - 1;
        }
        if kind(&index.projection) == 2 {
            pico += prices.include_list.pico();
        }
        // What it costs beside may be less than nothing, and is exact.
        pico.max(0) + self.beside(index)
    }

    /// Whether keeping one index is never dearer than keeping another of the same projection, whatever the primary key.
    pub(crate) fn keeps_no_dearer(&self, one: &LogicalIndex, other: &LogicalIndex) -> bool {
        // A moved primary key costs every index the same.
        let nowhere = Path {
            partition: Vec::new(),
            sort: Vec::new(),
            descending: Vec::new(),
            by_name: Vec::new(),
            only: None,
        };
        let writes_no_more = |effect: &EffectFacts| {
            let of = |index: &LogicalIndex| self.entry_writes(effect, &nowhere, index, 1);
            of(one) <= of(other)
                && (!self.needs_old(effect, &nowhere, &[one]) || self.needs_old(effect, &nowhere, &[other]))
        };
        self.key_bytes(one) <= self.key_bytes(other)
            && self.share(&one.path) <= self.share(&other.path)
            && self.entity.facts.effects.iter().all(writes_no_more)
    }
}
