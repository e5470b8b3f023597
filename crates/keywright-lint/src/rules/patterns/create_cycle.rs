//! create-cycle: items of which each must be there before the other.

use std::collections::{BTreeMap, BTreeSet};

use keywright_finding::{Finding, Group, Rule, Span};
use keywright_model::model::{Action, ConditionKind, Pattern};

use crate::Facts;
use crate::check::Check;

static RULE: Rule = Rule::error(
    "create-cycle",
    Group::Patterns,
    "creates that each require another's item to exist first",
    include_str!("create_cycle.md"),
);

pub(super) const CHECK: Check = Check { rule: &RULE, run: check };

/// A way in which items of an entity come to be, and whose items must be there before.
struct Create<'m> {
    pattern: &'m str,
    /// The entities, each with the condition that names it.
    needs: Vec<(&'m str, Span)>,
}

fn check(facts: &Facts<'_>, findings: &mut Vec<Finding>) {
    let creates = creates(facts);
    let never = never_begun(&creates);
    let mut told: BTreeSet<&str> = BTreeSet::new();
    for entity in &facts.model.entities {
        let cycle = never.get_key_value(entity.name.as_str()).map(|(name, _)| cycle(&never, name));
        if let Some(cycle) = cycle.filter(|cycle| cycle.iter().all(|(name, _)| !told.contains(name))) {
            told.extend(cycle.iter().map(|(name, _)| *name));
            findings.push(finding(&cycle));
        }
    }
}

/// How the items of each entity come to be. An entity that nothing creates comes from elsewhere, and is there.
fn creates<'m>(facts: &Facts<'m>) -> BTreeMap<&'m str, Vec<Create<'m>>> {
    let mut creates: BTreeMap<&str, Vec<Create<'_>>> = BTreeMap::new();
    for pattern in &facts.model.patterns {
        let Some(write) = pattern.write() else { continue };
        let made: BTreeSet<&str> = write
            .effects
            .iter()
            .filter(|effect| matches!(effect.action, Action::Create | Action::Put))
            .map(|effect| effect.entity.as_str())
            .collect();
        for entity in &made {
            let needs = write.conditions.iter().filter_map(|condition| match &condition.kind {
                // What one pattern creates together waits for nothing.
                ConditionKind::Exists { entity: other } if !made.contains(other.as_str()) => {
                    let other = facts.entity(other)?.entity.name.as_str();
                    (!may_lack(facts, pattern, entity, other)).then_some((other, condition.span))
                }
                _ => None,
            });
            creates.entry(entity).or_default().push(Create { pattern: &pattern.id, needs: needs.collect() });
        }
    }
    creates
}

/// Whether an item may be created that refers to no item of the other entity: then the condition is on those that do.
fn may_lack(facts: &Facts<'_>, pattern: &Pattern, entity: &str, other: &str) -> bool {
    let Some(entity) = facts.entity(entity) else { return true };
    let refers = |name: &str| {
        let attribute = entity.attribute(name);
        attribute.and_then(|it| it.reference.as_ref()).is_some_and(|it| it.entity == other)
    };
    let references: Vec<_> = entity.entity.attributes.iter().filter(|it| refers(&it.name)).collect();
    let left_out = |name: &str| {
        let inputs = pattern.inputs().iter().filter(|input| input.optional);
        inputs
            .flat_map(|input| &input.binds)
            .any(|it| it.attribute == name && it.entity == entity.entity.name)
    };
    !references.is_empty() && references.iter().all(|it| it.is_optional() || left_out(&it.name))
}

/// The entities of which no item can ever come to be, each with its first create and what that lacks.
fn never_begun<'m, 'c>(
    creates: &'c BTreeMap<&'m str, Vec<Create<'m>>>,
) -> BTreeMap<&'m str, (&'c Create<'m>, &'c (&'m str, Span))> {
    let mut begun: BTreeSet<&str> = BTreeSet::new();
    let lacks = |begun: &BTreeSet<&str>, need: &str| creates.contains_key(need) && !begun.contains(need);
    loop {
        let can = |ways: &Vec<Create<'_>>| {
            ways.iter().any(|create| !create.needs.iter().any(|need| lacks(&begun, need.0)))
        };
        let new: Vec<&str> = creates
            .iter()
            .filter(|(name, ways)| !begun.contains(*name) && can(ways))
            .map(|it| *it.0)
            .collect();
        if new.is_empty() {
            break;
        }
        begun.extend(new);
    }
    let stuck = creates.iter().filter(|(name, _)| !begun.contains(*name));
    stuck
        .filter_map(|(name, ways)| {
            let create = ways.first()?;
            Some((*name, (create, create.needs.iter().find(|need| lacks(&begun, need.0))?)))
        })
        .collect()
}

/// A step of a cycle: the entity, and the create that waits for the next.
type Step<'m, 'c> = (&'m str, (&'c Create<'m>, &'c (&'m str, Span)));

/// The cycle that an entity waits for: what is needed is followed until something comes again.
fn cycle<'m, 'c>(
    never: &BTreeMap<&'m str, (&'c Create<'m>, &'c (&'m str, Span))>,
    from: &'m str,
) -> Vec<Step<'m, 'c>> {
    let mut steps: Vec<Step<'_, '_>> = Vec::new();
    let mut at = from;
    loop {
        if let Some(start) = steps.iter().position(|(name, _)| *name == at) {
            return steps.split_off(start);
        }
        let Some(step) = never.get(at) else { return Vec::new() };
        steps.push((at, *step));
        at = step.1.0;
    }
}

fn finding(cycle: &[Step<'_, '_>]) -> Finding {
    let names: Vec<String> = cycle.iter().map(|(name, _)| format!("`{name}`")).collect();
    let ways: Vec<String> = cycle
        .iter()
        .map(|(name, (create, need))| {
            format!("{} creates `{name}` only if `{}` exists", create.pattern, need.0)
        })
        .collect();
    let (_, (_, (_, span))) = cycle[0];
    Finding::new(
        &RULE,
        *span,
        format!("no item of {} can ever be created: {}", names.join(" or "), ways.join(", ")),
    )
    .help(
        "remove one of the conditions, make the reference behind it optional, or create the items in one \
           pattern",
    )
}
