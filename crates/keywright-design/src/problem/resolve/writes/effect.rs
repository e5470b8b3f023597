//! What one effect of a write does to its item.

use keywright_finding::{Finding, Level};
use keywright_model::model::{Action, Effect, Input, Literal, Pattern, Role};

use super::changes::{adds, sets};
use super::given::{Choice, all, bound, choice, inputs_of, left_out, locators, made_up};
use super::handed::handed;
use crate::problem::resolve::{Remarks, ranks, reads};
use crate::problem::{Attr, Attrs, EffectAction, EffectFacts, EntityFacts};
use crate::rules;

/// What an effect does, as far as it alone says.
pub(super) fn facts(
    pattern: &Pattern,
    effect: &Effect,
    source: usize,
    entities: &[EntityFacts],
    at: usize,
) -> EffectFacts {
    let entity = &entities[at];
    let every = || (0..entity.unique.len()).collect::<Vec<_>>();
    let (action, given, sets, unique) = match effect.action {
        Action::Create if entity.versions_of.is_some() => {
            let whole: Attrs = all(entity).collect();
            (EffectAction::Create, whole, whole, every())
        }
        Action::Create | Action::Put => {
            let given: Attrs = inputs_of(pattern, entities, at).collect();
            let given = given.union(handed(pattern, entities, at));
            let known = given.union(made_up(entity, given));
            // What is put under an identity that is made up is always new.
            let new = effect.action == Action::Create || !entity.identity_set().is_subset(given);
            let action = if new { EffectAction::Create } else { EffectAction::Put };
            (action, known, known, every())
        }
        Action::Update | Action::Add { .. } => {
            let sets = sets(pattern, effect, entities, at);
            let touched =
                every().into_iter().filter(|set| !entity.unique[*set].intersection(sets).is_empty());
            (EffectAction::Update, locators(pattern, entities, at), sets, touched.collect())
        }
        Action::Delete => (EffectAction::Delete, locators(pattern, entities, at), Attrs::NONE, every()),
    };
    let grows = match action {
        EffectAction::Update => adds(pattern, effect, entities, at).intersection(sets),
        _ => Attrs::NONE,
    };
    let removes: Attrs = effect.removes.iter().filter_map(|name| entity.named(name)).collect();
    let touches = matches!(action, EffectAction::Update | EffectAction::Delete);
    let chosen = match effect.all && touches {
        true => choice(pattern, entities, at, sets.minus(removes)),
        false => Choice::default(),
    };
    EffectFacts {
        all: effect.all,
        given: given.union(chosen.equal),
        ranges: chosen.ranges,
        sets,
        grows,
        maybe: left_out(pattern, entities, at).intersection(sets),
        removes,
        fixed: match action {
            EffectAction::Update => fixed(pattern, entities, at, sets),
            EffectAction::Create | EffectAction::Put => first(pattern, entities, at, sets),
            EffectAction::Delete => Vec::new(),
        },
        unique,
        sources: vec![source],
        ..EffectFacts::new(at, action)
    }
}

/// The values that a pattern fixes for attributes that an effect sets.
fn fixed(pattern: &Pattern, entities: &[EntityFacts], at: usize, sets: Attrs) -> Vec<(Attr, Literal)> {
    let mut fixed: Vec<(Attr, Literal)> = Vec::new();
    let name = &entities[at].name;
    // What must be there before is nothing that comes.
    let expected =
        |input: &Input| input.binds.iter().any(|it| it.entity == *name && pattern.expects(input, it));
    let given = |input: &&Input| matches!(input.role, Role::Equal | Role::NewValue) && !expected(input);
    for input in pattern.inputs().iter().filter(given) {
        for attr in bound(input, entities, at).filter(|attr| sets.contains(*attr)) {
            fixed.retain(|(other, _)| *other != attr);
            fixed.extend(input.constant.clone().map(|value| (attr, value)));
        }
    }
    fixed
}

/// The values with which what a write creates always begins: those that it fixes, and first states.
fn first(pattern: &Pattern, entities: &[EntityFacts], at: usize, sets: Attrs) -> Vec<(Attr, Literal)> {
    let mut first = fixed(pattern, entities, at, sets);
    let given: Attrs = inputs_of(pattern, entities, at).collect();
    let fixed: Attrs = first.iter().map(|(attr, _)| *attr).collect();
    for attr in sets.minus(given).minus(fixed).iter() {
        let state = entities[at].attribute(attr).values.first();
        first.extend(state.map(|state| (attr, Literal::String(state.clone()))));
    }
    first
}

/// Where the inputs do not give a parent's key, the child that the same write reads does.
pub(super) fn derive_keys(entities: &[EntityFacts], effects: &mut [EffectFacts]) {
    for at in 0..effects.len() {
        let entity = &entities[effects[at].entity];
        let creates = matches!(effects[at].action, EffectAction::Create | EffectAction::Put);
        if creates || effects[at].all || entity.at_most_one(effects[at].given) {
            continue;
        }
        let child = (0..effects.len()).find(|other| {
            let it = &effects[*other];
            let links = &entities[it.entity].parents;
            *other != at
                && !it.all
                && matches!(it.action, EffectAction::Update | EffectAction::Delete)
                && links.iter().any(|link| link.parent == effects[at].entity && !link.via.is_empty())
        });
        if let Some(child) = child {
            effects[child].read_first = true;
            effects[at].derived_from = Some(child);
            effects[at].given = effects[at].given.union(entity.identity_set());
        }
    }
}

/// An update that is given no new value would only look at its item.
pub(super) fn report_no_change(
    pattern: &Pattern,
    entities: &[EntityFacts],
    effects: &[EffectFacts],
    remarks: &mut Remarks,
) {
    let changes = |effect: &EffectFacts| {
        effect.action != EffectAction::Update
            || !effect.sets.is_empty()
            || !effect.adds.is_empty()
            || effect.next_number.is_some()
    };
    let any = effects.iter().any(changes);
    for effect in effects.iter().filter(|effect| !changes(effect)) {
        let name = &entities[effect.entity].name;
        remarks.findings.push(
            Finding::new(
                &rules::UNSERVABLE_PATTERN,
                pattern.span,
                format!(
                    "{} changes nothing in {name}: neither an input nor a fixed value gives a new value",
                    pattern.id
                ),
            )
            // Beside other effects it only makes sure that its item is there.
            .level(if any { Level::Warning } else { Level::Error })
            .help(
                "add the new value to its inputs, such as `newStatus`, or write `status = PAID` for a \
                   fixed value",
            ),
        );
    }
}

/// Whoever touches all items that inputs choose must not touch others: an input that can't choose is refused.
pub(super) fn report_unchosen(
    pattern: &Pattern,
    entities: &[EntityFacts],
    effects: &[EffectFacts],
    remarks: &mut Remarks,
) {
    let touches = |it: &&EffectFacts| {
        it.all && matches!(it.action, EffectAction::Update | EffectAction::Delete) && !it.sources.is_empty()
    };
    for effect in effects.iter().filter(touches) {
        let written = effect.sets.minus(effect.removes);
        for number in choice(pattern, entities, effect.entity, written).unserved {
            let (input, name) = (&pattern.inputs()[number], &entities[effect.entity].name);
            remarks.findings.push(
                Finding::new(
                    &rules::UNSERVABLE_PATTERN,
                    input.span,
                    format!(
                        "{} can't be served: it chooses all {name} items by `{}`, which is a list, a period \
                         or may be left out",
                        pattern.id, input.name
                    ),
                )
                .help(format!(
                    "give one value of `{}`, or its bounds such as `{} >= from`, with every call",
                    input.name, input.name
                )),
            );
        }
    }
}

/// Whoever touches all items within a range says it again of each item, in a condition: those compare names.
pub(super) fn report_by_rank(
    pattern: &Pattern,
    entities: &[EntityFacts],
    effects: &[EffectFacts],
    remarks: &mut Remarks,
) {
    for effect in effects {
        let ranges = effect.ranges.iter().filter(|range| range.prefix.is_none());
        let compared = ranges.map(|range| entities[effect.entity].attribute(range.attr));
        let misordered = compared.filter(|it| ranks::is_misordered(it));
        let finding = |it| reads::misordered_finding(pattern, it, "the condition on each item");
        remarks.findings.extend(misordered.map(finding));
    }
}

/// What every item holds can't be taken from one.
pub(super) fn report_lasting(
    pattern: &Pattern,
    entities: &[EntityFacts],
    effects: &[EffectFacts],
    remarks: &mut Remarks,
) {
    for effect in effects {
        let entity = &entities[effect.entity];
        for attr in effect.removes.iter().filter(|attr| !entity.attribute(*attr).optional) {
            let (name, attribute) = (&entity.name, &entity.attribute(attr).name);
            remarks.findings.push(
                Finding::new(
                    &rules::UNSERVABLE_PATTERN,
                    pattern.span,
                    format!("{} removes {attribute} of {name}, which is required", pattern.id),
                )
                .help(format!("mark `{attribute}` as `optional`, or set a new value instead")),
            );
        }
    }
}
