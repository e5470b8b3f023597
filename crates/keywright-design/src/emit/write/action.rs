//! Actions: what a write does to the item, its index entries and its uniqueness items.

use keywright_dynamodb::expression::{Assigned, Condition, Update as UpdateExpression};
use keywright_model::design::{Action, Delete, EntryUpdate, Guard, Put, Update, Value};
use keywright_model::model::{self, ConditionKind, Literal, Step};

use super::{Draft, Known, image};
use crate::candidate::ends_with;
use crate::cost;
use crate::emit::condition;
use crate::emit::context::Place;
use crate::emit::key;
use crate::emit::scope::Scope;
use crate::key::PartValue;
use crate::problem::{Attr, Attrs, EffectAction, EffectFacts, EntityFacts};

/// The actions of an effect, the item's own first.
pub(super) fn actions(draft: &Draft<'_>, effect: &EffectFacts, known: &Known) -> Vec<Action> {
    let base = draft.context.chosen_path(effect.entity, Place::Base);
    let mut actions = match effect.action {
        EffectAction::Create | EffectAction::Put => vec![Action::Put(put(draft, effect, known))],
        EffectAction::Update if cost::moves_base(effect, base) => moved(draft, effect, known),
        EffectAction::Update => vec![Action::Update(update(draft, effect, known))],
        EffectAction::Delete => vec![Action::Delete(delete(draft, effect, known))],
    };
    actions.extend(uniqueness(draft, effect, known));
    actions
}

/// The document's conditions on the item, and the words that fail with them.
fn stated(draft: &Draft<'_>, effect: &EffectFacts) -> (Vec<Condition<Value>>, Option<String>) {
    let all = draft.conditions();
    let riding: Vec<&model::Condition> = effect.conditions.iter().map(|at| &all[*at]).collect();
    let facts = draft.context.entity(effect.entity);
    let kept = effect.adds.first().map(|(counter, _)| facts.attribute(*counter).name.as_str());
    let counted = |it: &model::Condition| match &it.kind {
        model::ConditionKind::AtMost { entity, per: Some(per), .. } => {
            draft.context.model.declared_count(entity, per).or(kept)
        }
        _ => None,
    };
    let presence = |it: &model::Condition| draft.context.presence_for(it, effect.entity);
    let mut conditions: Vec<_> = riding
        .iter()
        .filter_map(|it| condition::stated(draft.context.model, it, &presence(it), counted(it)))
        .collect();
    for condition in selecting(draft, effect) {
        if !conditions.contains(&condition) {
            conditions.push(condition);
        }
    }
    if effect.action != EffectAction::Create && condition::hold_of_nothing(&riding, &conditions) {
        conditions.insert(0, Condition::Exists(draft.context.presence(effect.entity)));
    }
    let words: Vec<&str> = riding.iter().map(|it| it.text.as_str()).collect();
    (conditions, (!words.is_empty()).then(|| words.join("; ")))
}

/// What the inputs say of the item beyond its key: an item of another tenant is not meant.
fn selecting(draft: &Draft<'_>, effect: &EffectFacts) -> Vec<Condition<Value>> {
    if !matches!(effect.action, EffectAction::Update | EffectAction::Delete) || effect.all {
        return Vec::new();
    }
    let facts = draft.context.entity(effect.entity);
    // What the key is built of needs no condition.
    let key = draft.context.chosen_path(effect.entity, Place::Base).attrs().intersection(effect.given);
    // What is taken away may be the identifier of another item that the write is about: `bookingId` of a slot.
    let pointing = |bind: &model::AttributeRef| {
        facts.parents.iter().find_map(|link| {
            let parent = draft.context.entity(link.parent);
            let identity = parent.named(&bind.attribute).filter(|_| parent.name == bind.entity)?;
            let at = parent.identity.iter().position(|it| *it == identity)?;
            link.via.get(at).copied().filter(|via| effect.removes.contains(*via))
        })
    };
    let bound = |input: &model::Input| match input.binds.iter().find(|bind| bind.entity == facts.name) {
        Some(direct) => facts.named(&direct.attribute),
        None => input.binds.iter().find_map(pointing),
    };
    let inputs = || draft.pattern.inputs().iter();
    // What is taken away must be what the caller says it is.
    let written = effect.sets.minus(effect.removes);
    let mut conditions = Vec::new();
    for input in inputs().filter(|input| input.role == model::Role::Equal) {
        let expected =
            input.binds.iter().any(|it| it.entity == facts.name && draft.pattern.expects(input, it));
        // A version is never set to what is given: it counts.
        let set = |attr: Attr| written.contains(attr) && !facts.attribute(attr).version && !expected;
        let attr = bound(input).filter(|attr| !key.contains(*attr) && !set(*attr));
        if let Some(attr) = attr {
            let value = match &input.constant {
                Some(literal) => Value::Literal(literal.clone()),
                None => Value::Input(input.name.clone()),
            };
            conditions.push(Condition::equals(facts.attribute(attr).name.clone(), value));
        }
    }
    conditions
}

/// What chose the items of an effect on all of them and may have changed since they were found. What the primary key
/// is built of can't have: the item would be elsewhere.
pub(super) fn chosen(draft: &Draft<'_>, effect: &EffectFacts) -> Vec<Condition<Value>> {
    let facts = draft.context.entity(effect.entity);
    let base = draft.context.chosen_path(effect.entity, Place::Base).attrs();
    let open = effect.chosen_by(facts).minus(base);
    let scope = draft.present(effect.entity);
    let mut conditions = condition::equalities(facts, open.intersection(effect.given), &scope);
    let ranges = effect.ranges.iter().filter(|range| open.contains(range.attr));
    conditions.extend(ranges.flat_map(|range| condition::range(facts, range)));
    conditions
}

pub(super) fn effects<'a>(
    draft: &'a Draft<'_>,
    effect: &'a EffectFacts,
) -> impl Iterator<Item = &'a model::Effect> {
    let all = draft.pattern.write().map_or(&[][..], |write| &write.effects);
    effect.sources.iter().map(move |at| &all[*at])
}

fn put(draft: &Draft<'_>, effect: &EffectFacts, known: &Known) -> Put {
    let facts = draft.context.entity(effect.entity);
    let values = (0..facts.attributes.len())
        .map(Attr::new)
        .filter_map(|attr| Some((facts.attribute(attr).name.clone(), known.scope.get(attr)?.clone())))
        .collect();
    let values = known.kept.clone().unwrap_or(values);
    let (mut conditions, mut fails_as) = stated(draft, effect);
    if effect.action == EffectAction::Put && effect.versioned {
        conditions.extend(image::is_next(draft, effect, known));
    }
    if effect.action == EffectAction::Create {
        let absent = Condition::NotExists(draft.context.presence(effect.entity));
        if !conditions.contains(&absent) {
            conditions.insert(0, absent);
        }
        // A natural identity is itself unique by this condition.
        let unique = draft.conditions().iter().find(|it| match &it.kind {
            ConditionKind::Unique { entity, attributes } => {
                *entity == facts.name
                    && facts
                        .identity_set()
                        .is_subset(attributes.iter().filter_map(|it| facts.named(it)).collect())
            }
            _ => false,
        });
        fails_as = fails_as.or_else(|| unique.map(|it| it.text.clone()));
    }
    Put {
        table: draft.context.table(effect.entity),
        item: facts.name.clone(),
        values,
        based_on: None,
        condition: once(conditions),
        fails_as,
        each: known.each,
        when: Vec::new(),
    }
}

/// What an update sets, adds and removes.
fn expression(draft: &Draft<'_>, effect: &EffectFacts, known: &Known) -> UpdateExpression<Value> {
    let facts = draft.context.entity(effect.entity);
    let given = draft.inputs(effect.entity).named(&effect.named_by);
    let mut update = UpdateExpression::default();
    if effect.upsert {
        // What comes to be with its first count says what it is.
        let context = draft.context;
        let name = Value::Literal(Literal::String(facts.name.clone()));
        update.set.push((context.problem.type_attribute.clone(), Assigned::Value(name)));
        // A key says what it holds by itself.
        let is_key = |name: &String| known.key.iter().any(|(key, _)| key == name);
        let own = facts.identity.iter().filter_map(|attr| {
            Some((facts.attribute(*attr).name.clone(), Assigned::Value(known.scope.get(*attr)?.clone())))
        });
        let own = own.filter(|(name, _)| !is_key(name));
        update.set.extend(own);
    }
    for attr in effect.sets.iter() {
        let it = facts.attribute(attr);
        if effect.removes.contains(attr) {
            update.remove.push(it.name.clone());
            continue;
        }
        let number = |value: i64| Value::Literal(Literal::Number(value.to_string()));
        if let Some((_, step)) = effect.adds.iter().find(|(counter, _)| *counter == attr) {
            update.add.push((it.name.clone(), number(*step)));
            continue;
        }
        if let (true, Some(request)) = (effect.next_number == Some(attr), known.old) {
            let last = Value::Read { request, attribute: it.name.clone() };
            let next = Value::Sum { of: Box::new(last), plus: 1 };
            update.set.push((it.name.clone(), Assigned::Value(next)));
            continue;
        }
        match step(draft, effect, attr) {
            Some(Step::Fixed(by)) => update.add.push((it.name.clone(), number(by))),
            Some(Step::Input(name)) => update.add.push((it.name.clone(), Value::Input(name))),
            Some(Step::MinusInput(name)) => {
                let less = Assigned::Minus(it.name.clone(), Value::Input(name));
                update.set.push((it.name.clone(), less));
            }
            None if it.version => update.add.push((it.name.clone(), number(1))),
            None => match given.get(attr) {
                Some(value) => update.set.push((it.name.clone(), Assigned::Value(value.clone()))),
                None => {
                    if let Some(value) = known.scope.get(attr).filter(|it| matches!(it, Value::Generated(_)))
                    {
                        update.set.push((it.name.clone(), Assigned::Value(value.clone())));
                    }
                }
            },
        }
    }
    update
}

/// What an update adds to a number.
pub(super) fn step(draft: &Draft<'_>, effect: &EffectFacts, attr: Attr) -> Option<Step> {
    let facts = draft.context.entity(effect.entity);
    let it = facts.attribute(attr);
    let stated = effects(draft, effect).find_map(|effect| match &effect.action {
        model::Action::Add { attribute, by } if *attribute == it.name => Some(by.clone()),
        _ => None,
    });
    let bound = |input: &model::Input| {
        input.binds.iter().any(|bind| bind.entity == facts.name && bind.attribute == it.name)
    };
    stated.or_else(|| {
        let mut inputs = draft.pattern.inputs().iter();
        let grows = inputs.find(|input| input.role == model::Role::Increment && bound(input))?;
        Some(Step::Input(grows.name.clone()))
    })
}

fn update(draft: &Draft<'_>, effect: &EffectFacts, known: &Known) -> Update {
    let facts = draft.context.entity(effect.entity);
    let (mut conditions, fails_as) = stated(draft, effect);
    let there = Condition::Exists(draft.context.presence(effect.entity));
    if !effect.upsert && !conditions.contains(&there) {
        conditions.insert(0, there);
    }
    if let Some(request) = known.old {
        conditions.extend(condition::unchanged(facts, relied_on(draft, effect).iter(), request));
    }
    conditions.extend(chosen(draft, effect));
    Update {
        table: draft.context.table(effect.entity),
        item: facts.name.clone(),
        key: known.key.clone(),
        update: expression(draft, effect, known),
        entries: entries(draft, effect, known),
        condition: once(conditions),
        fails_as,
        each: known.each,
    }
}

/// What must hold, each thing said once.
fn once(conditions: Vec<Condition<Value>>) -> Option<Condition<Value>> {
    let mut once: Vec<Condition<Value>> = Vec::new();
    for condition in conditions {
        if !once.contains(&condition) {
            once.push(condition);
        }
    }
    Condition::all(once)
}

/// The old values that the write relies on, beyond the key: unique ones, and those beside a changed key part.
fn relied_on(draft: &Draft<'_>, effect: &EffectFacts) -> Attrs {
    let facts = draft.context.entity(effect.entity);
    let mut attrs: Attrs = effect.unique.iter().flat_map(|set| facts.unique[*set].iter()).collect();
    if effect.versioned {
        attrs.extend(facts.version());
    }
    if effect.action == EffectAction::Update {
        for (_, number) in draft.context.open_indexes(effect.entity) {
            let place = Place::Index(number);
            let path = draft.context.chosen_path(effect.entity, place);
            let strings = draft.context.form(effect.entity, place).strings(facts, path);
            let gate: Attrs = path.only.iter().map(|(attr, _)| *attr).collect();
            let form = draft.context.form(effect.entity, place);
            let idle = |string: Attrs| {
                effect.ends(form, path, string) || effect.stays_out(facts, path, form, string)
            };
            for string in strings.into_iter().filter(|string| !idle(*string)) {
                let changed = form.depends(path, string);
                if !changed.union(gate).intersection(effect.sets).is_empty() {
                    // What becomes of a number that grows is told by what it was.
                    attrs = attrs.union(string.minus(effect.sets.minus(effect.grows)));
                    attrs = attrs.union(effect.unsure(facts, path, form, string));
                }
            }
        }
    }
    attrs = attrs.union(told_by_old(draft, effect)).union(effect.settled);
    attrs.extend(effect.next_number);
    if effect.read_first && effect.next_number.is_none() {
        attrs.extend(facts.parents.iter().flat_map(|link| link.via.iter().copied()));
    }
    let base = draft.context.chosen_path(effect.entity, Place::Base).attrs();
    // A counter may change meanwhile without harm.
    attrs.minus(base).iter().map(|attr| facts.stored(attr)).collect()
}

/// What the caller may leave out though index keys are written with it: then what was there stands in for it.
pub(super) fn told_by_old(draft: &Draft<'_>, effect: &EffectFacts) -> Attrs {
    let context = draft.context;
    let facts = context.entity(effect.entity);
    let mut told = Attrs::NONE;
    for (_, number) in context.open_indexes(effect.entity) {
        let place = Place::Index(number);
        let (path, form) = (context.chosen_path(effect.entity, place), context.form(effect.entity, place));
        let gate = path.only.iter().map(|(attr, _)| *attr);
        let all: Attrs = path.attrs().iter().chain(gate).map(|attr| facts.stored(attr)).collect();
        let mut strings = form.strings(facts, path).into_iter();
        if strings.any(|it| !effect.ends(form, path, it) && effect.leaves_out(facts, path, form, it)) {
            told = told.union(all.intersection(effect.maybe));
        }
    }
    told
}

/// What a moved item takes along: everything that some write changes may have changed since it was read.
fn taken_along(draft: &Draft<'_>, effect: &EffectFacts) -> Attrs {
    let facts = draft.context.entity(effect.entity);
    let writes = draft.context.problem.writes.iter().flat_map(|write| &write.effects);
    let changes = writes.filter(|it| {
        it.entity == effect.entity && matches!(it.action, EffectAction::Update | EffectAction::Put)
    });
    let changed = changes.fold(relied_on(draft, effect), |all, it| all.union(it.sets));
    let base = draft.context.chosen_path(effect.entity, Place::Base).attrs();
    let stored = changed.minus(base).iter().map(|attr| facts.stored(attr)).collect::<Attrs>();
    stored.minus(base)
}

/// Index keys that follow from what changes: the strings among them, since an attribute moves its entry by itself.
fn entries(draft: &Draft<'_>, effect: &EffectFacts, known: &Known) -> Vec<EntryUpdate> {
    let context = draft.context;
    let facts = context.entity(effect.entity);
    let primary = context.key(effect.entity, Place::Base);
    let mut entries: Vec<EntryUpdate> = Vec::new();
    for (_, number) in context.open_indexes(effect.entity) {
        let place = Place::Index(number);
        let path = context.chosen_path(effect.entity, place);
        let gate = path.only.as_ref().filter(|(attr, _)| effect.sets.contains(*attr));
        let form = context.form(effect.entity, place);
        for part in context.key(effect.entity, place).parts() {
            let composed = part.composed();
            let there = entries.iter().any(|it| it.attribute == part.name)
                || primary.parts().any(|it| it.name == part.name);
            if matches!(part.value, PartValue::Own(_)) || there {
                continue;
            }
            if effect.ends(form, path, composed) {
                entries.push(EntryUpdate { attribute: part.name.clone(), value: None, when: None });
                continue;
            }
            if effect.stays_out(facts, path, form, composed) {
                continue;
            }
            let unsure = effect.unsure(facts, path, form, composed);
            let of = form.depends(path, composed);
            let varies = effect.sets.union(unsure).union(effect.given);
            // What surely has the value is always let in.
            let in_state =
                path.only.as_ref().filter(|gate| varies.contains(gate.0) && !ends_with(effect, gate));
            let in_state = in_state.and_then(|(attr, equals)| {
                let value = known.scope.becomes(*attr)?;
                let fixed = matches!(value, Value::Literal(_));
                (!fixed).then(|| Guard { value, equals: Some(equals.clone()) })
            });
            let is_optional = |attr: &Attr| facts.attribute(*attr).optional;
            let optional: Attrs = of.iter().filter(is_optional).collect();
            // What lets an item in by its state asks of the rest of the key whether the item has it.
            let read = |attr: &Attr| matches!(known.scope.becomes(*attr), Some(Value::Read { .. }));
            let asked: Attrs = optional.iter().filter(|attr| gate.is_some() && read(attr)).collect();
            let when = in_state.or_else(|| {
                let comes = optional.intersection(effect.sets.union(unsure).union(asked));
                held(draft, facts, &known.scope, comes)
            });
            let begins = gate.is_some() || !optional.intersection(effect.sets).is_empty();
            if begins || effect.upsert || !composed.intersection(effect.sets).is_empty() {
                let value = Some(part.value(facts, &known.scope));
                entries.push(EntryUpdate { attribute: part.name.clone(), value, when });
            }
        }
    }
    entries
}

/// A guard that lets an entry be set where its item holds all of these; none where it surely does.
fn held(draft: &Draft<'_>, facts: &EntityFacts, scope: &Scope, attrs: Attrs) -> Option<Guard> {
    let values = attrs.iter().filter_map(|attr| scope.becomes(facts.stored(attr)));
    let mut values: Vec<Value> = values.filter(|value| !matches!(value, Value::Literal(_))).collect();
    values.dedup();
    // What the caller leaves out leaves the entry as it is, and so it must be asked of by itself.
    let value = match values.iter().position(|value| may_lack(draft, value)) {
        Some(at) => values.swap_remove(at),
        None if values.len() < 2 => values.pop()?,
        None => {
            let placeholders: Vec<String> = values.iter().filter_map(placeholder).collect();
            Value::Template(placeholders.join("#"))
        }
    };
    Some(Guard { value, equals: None })
}

/// A value as a template says it.
fn placeholder(value: &Value) -> Option<String> {
    match value {
        Value::Input(name) | Value::Generated(name) => Some(format!("<{name}>")),
        Value::Read { request, attribute } => Some(format!("<{request}.{attribute}>")),
        Value::Template(text) => Some(text.clone()),
        Value::Literal(_) | Value::Sum { .. } => None,
    }
}

/// A changed base key: the old item goes, the new one comes with everything that the old one held.
fn moved(draft: &Draft<'_>, effect: &EffectFacts, known: &Known) -> Vec<Action> {
    let facts = draft.context.entity(effect.entity);
    let (mut conditions, fails_as) = stated(draft, effect);
    let presence = draft.context.presence(effect.entity);
    conditions.insert(0, Condition::Exists(presence.clone()));
    if let Some(request) = known.old {
        let held = taken_along(draft, effect).iter().chain(facts.version().filter(|_| effect.versioned));
        conditions.extend(condition::unchanged(facts, held, request));
    }
    let gone = Delete {
        table: draft.context.table(effect.entity),
        item: facts.name.clone(),
        key: known.key.clone(),
        condition: once(conditions),
        fails_as,
        each: None,
        when: Vec::new(),
    };
    let set = effect.sets.iter().filter(|attr| facts.stored(*attr) == *attr);
    let values = set
        .filter_map(|attr| {
            let new = image::changed(draft, effect, known, attr)?;
            // What was read comes with the item.
            let changes = !matches!(new, Value::Read { .. });
            changes.then(|| (facts.attribute(attr).name.clone(), new))
        })
        .collect();
    let come = Put {
        table: draft.context.table(effect.entity),
        item: facts.name.clone(),
        values,
        based_on: known.old,
        condition: Some(Condition::NotExists(presence)),
        fails_as: None,
        each: None,
        when: Vec::new(),
    };
    vec![Action::Delete(gone), Action::Put(come)]
}

fn delete(draft: &Draft<'_>, effect: &EffectFacts, known: &Known) -> Delete {
    let facts = draft.context.entity(effect.entity);
    let (mut conditions, fails_as) = stated(draft, effect);
    let there = Condition::Exists(draft.context.presence(effect.entity));
    // What is not there is not counted down, and its uniqueness items are another's.
    let has_company = effect.counted || (!effect.unique.is_empty() && known.old.is_none());
    // Where it was found it may not be any more: then it is looked for again.
    let strays = known.is_found() && super::may_move(draft.context, effect.entity);
    if (has_company || strays) && !conditions.contains(&there) {
        conditions.insert(0, there);
    }
    if let Some(request) = known.old {
        conditions.extend(condition::unchanged(facts, relied_on(draft, effect).iter(), request));
    }
    Delete {
        table: draft.context.table(effect.entity),
        item: facts.name.clone(),
        key: known.key.clone(),
        // A batch takes no conditions; what is counted down must be there, and what is chosen still be the same.
        condition: match known.each {
            Some(_) => {
                let counted = Condition::Exists(draft.context.presence(effect.entity));
                // What goes with each item follows from what was read of it.
                let whole = draft.facts.all_in_transaction || effect.is_portioned();
                let read = known.old.filter(|_| whole && !effect.unique.is_empty());
                let relied = relied_on(draft, effect);
                let same = read.map(|request| condition::unchanged(facts, relied.iter(), request));
                let counted = (effect.counted || effect.guarded).then_some(counted).into_iter();
                once(counted.chain(chosen(draft, effect)).chain(same.into_iter().flatten()).collect())
            }
            None => once(conditions),
        },
        fails_as,
        each: known.each,
        when: Vec::new(),
    }
}

/// Uniqueness items come, go and move with their owner.
fn uniqueness(draft: &Draft<'_>, effect: &EffectFacts, known: &Known) -> Vec<Action> {
    let context = draft.context;
    let facts = context.entity(effect.entity);
    let old = known.old.map(|request| Scope::read(facts, request));
    let mut actions = Vec::new();
    for set in effect.unique.iter().map(|at| facts.unique[*at]) {
        let item = context.uniqueness_name(effect.entity, set);
        let key = key::uniqueness(context, effect.entity, set);
        let words = draft.conditions().iter().find(|it| match &it.kind {
            // What is asked of more attributes is asked of each unique set among them.
            ConditionKind::Unique { entity, attributes } => {
                *entity == facts.name
                    && set.is_subset(attributes.iter().filter_map(|it| facts.named(it)).collect())
            }
            _ => false,
        });
        if effect.action != EffectAction::Create && effect.action != EffectAction::Put {
            let scope = old.clone().unwrap_or_else(|| known.scope.clone());
            // What is not given stays as it is.
            let given = set
                .iter()
                .filter_map(|attr| known.scope.get(attr))
                .filter(|it| matches!(it, Value::Input(_)));
            let mut when = match draft.goes_anyway(effect) {
                true => set.iter().filter_map(|attr| scope.get(attr)).cloned().collect(),
                false => not_sure(draft, facts, set, &scope),
            };
            when.extend(given.filter(|it| may_lack(draft, it)).cloned());
            actions.push(Action::Delete(Delete {
                table: context.uniqueness_table(effect.entity, set),
                item: item.clone(),
                key: key.whole(facts, &scope),
                condition: None,
                fails_as: None,
                each: known.each,
                when,
            }));
        }
        let comes = effect.action != EffectAction::Delete
            && set.intersection(effect.removes).is_empty()
            && set.iter().all(|attr| known.scope.get(attr).is_some());
        if comes {
            let held = set.union(facts.identity_set());
            let values = held
                .iter()
                .filter_map(|attr| Some((facts.attribute(attr).name.clone(), known.scope.get(attr)?.clone())))
                .collect();
            actions.push(Action::Put(Put {
                table: context.uniqueness_table(effect.entity, set),
                item,
                values,
                based_on: None,
                condition: Some(Condition::NotExists(key.partition[0].name.clone())),
                fails_as: words.map(|it| it.text.clone()),
                each: known.each,
                when: not_sure(draft, facts, set, &known.scope),
            }));
        }
    }
    actions
}

/// The values of a unique set that may be absent: nothing keeps them unique then.
fn not_sure(draft: &Draft<'_>, facts: &EntityFacts, set: Attrs, scope: &Scope) -> Vec<Value> {
    let values = set.iter().filter_map(|attr| Some((attr, scope.get(attr)?)));
    let lacking = values.filter(|(attr, value)| match value {
        Value::Read { .. } => facts.attribute(*attr).optional,
        other => may_lack(draft, other),
    });
    lacking.map(|(_, value)| value.clone()).collect()
}

/// Whether a value is an input that the caller may leave out.
fn may_lack(draft: &Draft<'_>, value: &Value) -> bool {
    let inputs = draft.pattern.inputs();
    matches!(value, Value::Input(name) if inputs.iter().any(|input| input.name == *name && input.optional))
}
