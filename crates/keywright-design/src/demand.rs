//! Demands: what the patterns ask of one entity's keys.

use keywright_model::{Rate, Style};

use crate::candidate::may_clear_guards;
use crate::existing::Existing;
use crate::problem::{Attrs, Behind, EffectAction, EffectFacts, Problem, ReadFacts, ReadPart, ResultShape};

/// A read that an entity's layout has to serve.
#[derive(Clone, Debug)]
pub(crate) struct Demand {
    pub(crate) source: Source,
    pub(crate) part: ReadPart,
    pub(crate) result: ResultShape,
    pub(crate) rate: Rate,
    pub(crate) peak: Rate,
    pub(crate) strong: bool,
    /// So many keys come with an equality that is a list.
    pub(crate) listed: u64,
    /// Asked once more when the write is done, to find what came meanwhile: nothing, as a rule.
    pub(crate) swept: bool,
}

/// Keys that a list input gives, where nobody says.
const LIST_LENGTH: u64 = 25;

/// Where a demand comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Source {
    /// A read of this entity alone.
    Read(usize),
    /// A read of several entities, of which this one is the given part.
    Shared { read: usize, part: usize },
    /// The items behind the links that a read finds.
    Behind(usize),
    /// A write that must find the item's key unless its inputs give it.
    Locate { write: usize, effect: usize },
    /// A check that must find the item's key unless its inputs give it.
    LocateCheck { write: usize, check: usize },
}

impl Demand {
    /// Whether only some base placements need it.
    pub(crate) fn is_locating(&self) -> bool {
        matches!(self.source, Source::Locate { .. } | Source::LocateCheck { .. })
    }

    /// Whether it is read strongly where that can be: what a write finds of all there is, it does not look for again.
    pub(crate) fn is_strong(&self, in_base: bool) -> bool {
        self.strong || in_base && self.is_locating() && self.result == ResultShape::Whole
    }

    pub(crate) fn is_shared(&self) -> bool {
        matches!(self.source, Source::Shared { .. })
    }

    /// Whether it comes after another request of its pattern.
    pub(crate) fn is_second(&self) -> bool {
        self.is_locating() || matches!(self.source, Source::Behind(_))
    }

    /// What the caller gives of the item's key.
    pub(crate) fn given(&self) -> Attrs {
        self.part.eq()
    }
}

/// The demands on each entity, in the order of the patterns.
pub(crate) fn demands(problem: &Problem, style: Style, existing: Option<&Existing<'_>>) -> Vec<Vec<Demand>> {
    let mut demands: Vec<Vec<Demand>> = problem.entities.iter().map(|_| Vec::new()).collect();
    for (read, facts) in problem.reads.iter().enumerate().filter(|(_, facts)| !facts.scan) {
        for (at, asked) in facts.parts.iter().enumerate() {
            let several = facts.parts.len() > 1;
            let source = if several { Source::Shared { read, part: at } } else { Source::Read(read) };
            let mut part = asked.clone();
            if facts.wanted == Some(asked.entity) {
                // What a filter looks at has to be where it looks.
                part.returns.extend(facts.sieve.attrs().iter());
            }
            demands[asked.entity].push(Demand {
                source,
                part,
                result: facts.result,
                rate: facts.rate,
                peak: facts.peak,
                strong: facts.strong,
                listed: LIST_LENGTH,
                swept: false,
            });
        }
        if let Some(behind) = &facts.behind {
            demands[behind.entity].push(behind_links(problem, read, facts, behind));
        }
    }
    for (write, facts) in problem.writes.iter().enumerate() {
        let locate = |entity: usize, given: Attrs, source, result| Demand {
            source,
            part: locating_part(problem, entity, given),
            result,
            rate: facts.rate,
            peak: facts.peak,
            strong: false,
            listed: LIST_LENGTH,
            swept: false,
        };
        for (effect, it) in facts.effects.iter().enumerate() {
            if matches!(it.action, EffectAction::Create | EffectAction::Put) {
                continue;
            }
            let result = if it.all { ResultShape::Whole } else { ResultShape::Single };
            let source = Source::Locate { write, effect };
            let mut demand = locate(it.entity, it.given, source, result);
            if finds_whole(problem, style, existing, it) {
                demand.part.returns = problem.entities[it.entity].all();
            } else if may_clear_guards(problem, it) {
                demand.part.returns = problem.entities[it.entity].identity_set();
            }
            let mut ranges = it.ranges.iter().cloned();
            demand.part.range = ranges.next();
            demand.part.more_ranges = ranges.collect();
            demands[it.entity].push(Demand { swept: it.swept, ..demand });
        }
        for (check, it) in facts.checks.iter().enumerate() {
            let source = Source::LocateCheck { write, check };
            demands[it.entity].push(locate(it.entity, it.given, source, ResultShape::Single));
        }
    }
    demands
}

/// Whether a write of all items finds them whole: keys that it may have to write anew hold what it is not given, and
/// uniqueness items go by what was there.
fn finds_whole(
    problem: &Problem,
    style: Style,
    existing: Option<&Existing<'_>>,
    effect: &EffectFacts,
) -> bool {
    let facts = &problem.entities[effect.entity];
    let unique = |at: &usize| !facts.unique[*at].is_subset(effect.given);
    let parts = problem.reads.iter().flat_map(|read| &read.parts).filter(|it| it.entity == effect.entity);
    let others = problem.writes.iter().flat_map(|write| &write.effects);
    let mut keyed = parts.fold(Attrs::NONE, |keyed, part| keyed.union(part.mentions()));
    for other in others.filter(|it| it.entity == effect.entity && it.action != EffectAction::Create) {
        keyed = keyed.union(other.given);
        keyed.extend(other.ranges.iter().map(|range| range.attr));
    }
    let stored: Attrs = keyed.iter().map(|attr| facts.stored(attr)).collect();
    // What is a key by itself needs nothing beside it.
    let new = if style == Style::MultiAttribute { Attrs::NONE } else { stored };
    let there = existing.map_or(Attrs::NONE, |existing| existing.composed(effect.entity));
    let changes = !effect.sets.intersection(new.union(there)).is_empty();
    effect.all && (effect.starts_over() && changes || effect.unique.iter().any(unique))
}

/// The items behind the links that a read finds: by the keys that the links tell, as many as there are links.
fn behind_links(problem: &Problem, read: usize, facts: &ReadFacts, behind: &Behind) -> Demand {
    let links = &facts.parts[0];
    let found = problem.entities[links.entity].mean_matches(links.eq());
    let given = behind.held.iter().map(|(own, _)| *own).collect();
    let mut part = locating_part(problem, behind.entity, given);
    part.equal.iter_mut().for_each(|equality| equality.list = true);
    part.returns = behind.returns;
    Demand {
        source: Source::Behind(read),
        part,
        result: ResultShape::Whole,
        rate: facts.rate,
        peak: facts.peak,
        strong: facts.strong,
        listed: match facts.result {
            ResultShape::Single => 1,
            ResultShape::Page(size) => found.min(size),
            ResultShape::Whole | ResultShape::Count => found,
        },
        swept: false,
    }
}

/// A read by what a write is given, that needs nothing but the key.
fn locating_part(problem: &Problem, entity: usize, given: Attrs) -> ReadPart {
    let facts = &problem.entities[entity];
    ReadPart {
        entity,
        equal: given
            .iter()
            .map(|attr| crate::problem::Equality {
                attr,
                input: facts.attribute(attr).name.clone(),
                constant: None,
                optional: false,
                list: false,
            })
            .collect(),
        ..ReadPart::default()
    }
}
