//! Demands: what the patterns ask of one entity's keys.

use keywright_model::Rate;

use crate::problem::{Attrs, EffectAction, Problem, ReadPart, ResultShape};

/// A read that an entity's layout has to serve.
#[derive(Clone, Debug)]
pub(crate) struct Demand {
    pub(crate) source: Source,
    pub(crate) part: ReadPart,
    pub(crate) result: ResultShape,
    pub(crate) rate: Rate,
    pub(crate) peak: Rate,
    pub(crate) strong: bool,
}

/// Where a demand comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Source {
    /// A read of this entity alone.
    Read(usize),
    /// A read of several entities, of which this one is the given part.
    Shared { read: usize, part: usize },
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

    pub(crate) fn is_shared(&self) -> bool {
        matches!(self.source, Source::Shared { .. })
    }

    /// What the caller gives of the item's key.
    pub(crate) fn given(&self) -> Attrs {
        self.part.eq()
    }
}

/// The demands on each entity, in the order of the patterns.
pub(crate) fn demands(problem: &Problem) -> Vec<Vec<Demand>> {
    let mut demands: Vec<Vec<Demand>> = problem.entities.iter().map(|_| Vec::new()).collect();
    for (read, facts) in problem.reads.iter().enumerate().filter(|(_, facts)| !facts.scan) {
        for (part, asked) in facts.parts.iter().enumerate() {
            let source =
                if facts.parts.len() > 1 { Source::Shared { read, part } } else { Source::Read(read) };
            demands[asked.entity].push(Demand {
                source,
                part: asked.clone(),
                result: facts.result,
                rate: facts.rate,
                peak: facts.peak,
                strong: facts.strong,
            });
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
        };
        for (effect, it) in facts.effects.iter().enumerate() {
            if matches!(it.action, EffectAction::Create | EffectAction::Put) {
                continue;
            }
            let result = if it.all { ResultShape::Whole } else { ResultShape::Single };
            let source = Source::Locate { write, effect };
            demands[it.entity].push(locate(it.entity, it.given, source, result));
        }
        for (check, it) in facts.checks.iter().enumerate() {
            let source = Source::LocateCheck { write, check };
            demands[it.entity].push(locate(it.entity, it.given, source, ResultShape::Single));
        }
    }
    demands
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
