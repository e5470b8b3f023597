//! Versions: what a write has to know of an item of which it keeps one.

use keywright_finding::Finding;
use keywright_model::model::{Action, ConditionKind, Pattern, Role, Step, Type, Write};

use super::Remarks;
use super::writes::{bound, inputs_of};
use crate::problem::{Attr, Attrs, EffectAction, EffectFacts, EntityFacts};
use crate::rules;

/// Ties every effect that keeps a version to the one that writes the item. The number of the version,
/// and what the item holds beside what changes, are read first where the inputs don't say.
pub(super) fn keep(
    pattern: &Pattern,
    entities: &[EntityFacts],
    effects: &mut [EffectFacts],
    remarks: &mut Remarks,
) {
    for at in 0..effects.len() {
        let Some(original) = entities[effects[at].entity].versions_of else { continue };
        if effects[at].action != EffectAction::Create {
            continue;
        }
        // What only counts children is none of the document's writes.
        let writes = |it: &EffectFacts| {
            it.entity == original && it.action != EffectAction::Delete && !it.sources.is_empty()
        };
        let Some(of) = effects.iter().position(writes) else { continue };
        effects[at].version_of = Some(of);
        effects[of].versioned = true;
        effects[of].read_first |= match effects[of].action {
            EffectAction::Create | EffectAction::Delete => false,
            EffectAction::Put => may_be_there(pattern, entities, original),
            EffectAction::Update => !is_whole(pattern, entities, &effects[of]),
        };
        report_unknown(pattern, &entities[original], &effects[of], remarks);
    }
}

/// Lets an item whose versions are all deleted with it go in the version that was read: whoever adds a version changes
/// it, so that all of them were found. Where no transaction holds them together the versions go first, since whoever
/// creates the item again begins with versions of his own; what else is asked of the item would be asked too late then.
pub(super) fn settle(
    pattern: &Pattern,
    write: &Write,
    entities: &[EntityFacts],
    effects: &mut [EffectFacts],
    together: bool,
    remarks: &mut Remarks,
) {
    let all_go = |it: &EffectFacts| it.action == EffectAction::Delete && it.all;
    let originals = effects.iter().filter(|it| all_go(it)).filter_map(|it| entities[it.entity].versions_of);
    for original in originals.collect::<Vec<_>>() {
        let goes =
            |it: &&mut EffectFacts| it.entity == original && it.action == EffectAction::Delete && !it.all;
        let (Some(item), Some(version)) = (effects.iter_mut().find(goes), entities[original].version())
        else {
            continue;
        };
        item.read_first = true;
        item.settled.insert(version);
        let late = |at: &&usize| !matches!(write.conditions[**at].kind, ConditionKind::Exists { .. });
        if let Some(condition) = item.conditions.iter().find(late).filter(|_| !together) {
            let (name, words) = (&entities[original].name, &write.conditions[*condition].text);
            remarks.findings.push(
                Finding::new(
                    &rules::UNSERVABLE_PATTERN,
                    pattern.span,
                    format!(
                        "{} can't be served: all versions of the {name} are deleted before it, too early for \
                         \"{words}\"",
                        pattern.id
                    ),
                )
                .help("remove the condition, or delete the versions in a pattern of their own"),
            );
        }
    }
}

/// Whether an item that is put may have a version already, and the caller does not say which number comes next.
fn may_be_there(pattern: &Pattern, entities: &[EntityFacts], entity: usize) -> bool {
    let facts = &entities[entity];
    let named: Attrs = inputs_of(pattern, entities, entity).collect();
    let numbered = facts.version().is_some_and(|version| equal(pattern, entities, entity).contains(version));
    facts.identity_set().is_subset(named) && !numbered
}

/// The attributes whose present values the caller always gives.
fn equal(pattern: &Pattern, entities: &[EntityFacts], entity: usize) -> Attrs {
    let inputs = pattern.inputs().iter().filter(|it| it.role == Role::Equal && !it.optional && !it.list);
    inputs.flat_map(|input| bound(input, entities, entity)).collect()
}

/// Whether the inputs say all that the item is after an update, the number of its version too.
fn is_whole(pattern: &Pattern, entities: &[EntityFacts], effect: &EffectFacts) -> bool {
    let entity = &entities[effect.entity];
    let Some(version) = entity.version() else { return false };
    let new = pattern.inputs().iter().filter(|it| it.role == Role::NewValue && !it.optional);
    let new: Attrs = new.flat_map(|input| bound(input, entities, effect.entity)).collect();
    let present = equal(pattern, entities, effect.entity);
    let made = |attr: Attr| {
        matches!(entity.attribute(attr).ty, Type::Datetime | Type::Date) && effect.sets.contains(attr)
    };
    let adds = pattern.write().is_some_and(|write| {
        let others = effect.sources.iter().map(|at| &write.effects[*at].action);
        others.into_iter().any(|action| match action {
            Action::Add { attribute, .. } => entity.named(attribute) != Some(version),
            _ => false,
        })
    });
    let known = |attr: Attr| {
        attr == version
            || new.contains(attr) && effect.sets.contains(attr)
            || present.contains(attr)
            || made(attr)
    };
    !adds && present.contains(version) && (0..entity.attributes.len()).map(Attr::new).all(known)
}

/// No operation knows a number that grows by what the caller gives, nor what becomes of many items.
fn report_unknown(pattern: &Pattern, entity: &EntityFacts, effect: &EffectFacts, remarks: &mut Remarks) {
    let grows = pattern.write().is_some_and(|write| {
        let own = effect.sources.iter().map(|at| &write.effects[*at].action);
        own.into_iter()
            .any(|action| matches!(action, Action::Add { by: Step::Input(_) | Step::MinusInput(_), .. }))
    }) || pattern.inputs().iter().any(|input| {
        input.role == Role::Increment && input.binds.iter().any(|bind| bind.entity == entity.name)
    });
    let (why, help) = if effect.all {
        (
            format!(
                "changes all {} items at once, and no transaction can keep a version of each",
                entity.name
            ),
            "let it change one item per call",
        )
    } else if grows {
        (
            format!("adds an input to a number of {}, and no version of the result can be kept", entity.name),
            "take the new value as an input instead, such as `newStock`",
        )
    } else {
        return;
    };
    remarks.findings.push(
        Finding::new(&rules::UNSERVABLE_PATTERN, pattern.span, format!("{} {why}", pattern.id)).help(help),
    );
}
