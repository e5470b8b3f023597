//! Writes: what each effect is given, what it changes, what it must check.

use keywright_dynamodb::expression::Comparator;
use keywright_dynamodb::limits::TRANSACTION_ACTIONS;
use keywright_finding::{Finding, Level};
use keywright_model::Model;
use keywright_model::model::{
    Action, Attribute, Condition, ConditionKind, ConditionValue, Effect, Input, Literal, Pattern, Role,
    Transaction, Type, Write,
};

use super::Remarks;
use super::counters::Counters;
use super::versions;
use crate::candidate::time_ordered_id;
use crate::problem::{Attr, Attrs, CheckFacts, EffectAction, EffectFacts, EntityFacts, WriteFacts, home};
use crate::rules;

/// Names of instants that every update sets.
const UPDATE_TIMES: [&str; 4] = ["updatedat", "modifiedat", "lastmodified", "lastupdated"];

/// Notes on every attribute whether a write changes it, and what creates give.
pub(super) fn note_changes(model: &Model, entities: &mut [EntityFacts]) {
    for at in 0..entities.len() {
        let entity = &entities[at];
        if entity.versions_of.is_some() {
            // A version has all that its item has, and nothing of it comes later.
            entities[at].at_creation = all(entity).filter(|attr| !entity.attribute(*attr).optional).collect();
            continue;
        }
        let mut changed = Attrs::NONE;
        let mut at_creation: Option<Attrs> = None;
        let mut given_to_create = Attrs::NONE;
        let mut grows = Attrs::NONE;
        let mut fixed = Attrs::NONE;
        let mut added: Attrs = all(entity).filter(|attr| entity.attribute(*attr).version).collect();
        for pattern in &model.patterns {
            let Some(write) = pattern.write() else { continue };
            for effect in write.effects.iter().filter(|effect| effect.entity == entity.name) {
                match effect.action {
                    Action::Create | Action::Put => {
                        let given: Attrs = inputs_of(pattern, entities, at).collect();
                        let given = given.union(handed(pattern, entities, at));
                        given_to_create = given_to_create.union(given);
                        let known = given.union(made_up(entity, given));
                        at_creation = Some(at_creation.map_or(known, |so_far| so_far.intersection(known)));
                        if matches!(effect.action, Action::Put) {
                            changed = changed.union(given.minus(entity.identity_set()));
                        }
                    }
                    Action::Update | Action::Add { .. } => {
                        let sets = sets(pattern, effect, entities, at);
                        changed = changed.union(sets);
                        let more = adds(pattern, effect, entities, at);
                        grows = grows.union(more);
                        let plain = more.is_empty() && effect.removes.is_empty();
                        fixed = if plain { fixed } else { fixed.union(sets) };
                        // Of many items at once nobody reads what each has.
                        added = if effect.all { added.union(more) } else { added };
                    }
                    Action::Delete => {}
                }
            }
        }
        let required: Attrs = all(entity).filter(|attr| !entity.attribute(*attr).optional).collect();
        // An identifier that creates are given is as old as what it is taken from.
        let has_own_id = time_ordered_id(entity).is_some_and(|id| !given_to_create.contains(id));
        let entity = &mut entities[at];
        // A primary key follows neither a number that grows nor what changes with it, or with what is removed: an item
        // that moves is written whole, from what was read, and a sum is told only to keys.
        entity.at_creation = at_creation.unwrap_or(required).minus(fixed);
        let tells = |attr: &Attr| {
            let it = entity.attribute(*attr);
            matches!(it.ty, Type::Integer | Type::Number) && !it.optional
        };
        let untold: Attrs = grows.iter().filter(|attr| !tells(attr)).collect();
        entity.added = added.union(untold);
        for position in 0..entity.attributes.len() {
            let attr = Attr::new(position);
            let facts = &mut entity.attributes[position];
            facts.changes |= changed.contains(attr);
            facts.grows = grows.contains(attr);
            facts.creation_time = facts.ty == Type::Datetime
                && !facts.optional
                && !facts.changes
                && at_creation.is_some()
                && has_own_id
                && !given_to_create.contains(attr);
        }
    }
}

fn all(entity: &EntityFacts) -> impl Iterator<Item = Attr> + use<> {
    (0..entity.attributes.len()).map(Attr::new)
}

/// What a create makes up beside what it is given: identifiers, instants, first states, zeros.
fn made_up(entity: &EntityFacts, given: Attrs) -> Attrs {
    all(entity)
        .filter(|attr| !given.contains(*attr))
        .filter(|attr| {
            let it = entity.attribute(*attr);
            let generated = it.ty.is_generated_id() && entity.identity.contains(attr);
            let known = it.ty == Type::Datetime || !it.values.is_empty() || it.ty.is_numeric();
            generated || it.sequential || it.version || it.ttl || (known && !it.optional)
        })
        .collect()
}

/// The attributes that get the identifier which the same write makes up for another item: who books an appointment puts
/// its new id into the slot.
fn handed(pattern: &Pattern, entities: &[EntityFacts], at: usize) -> Attrs {
    let given: Attrs = inputs_of(pattern, entities, at).collect();
    let handed = handed_over(pattern, entities, at, |other| inputs_of(pattern, entities, other).collect());
    handed.into_iter().map(|(attr, _, _)| attr).filter(|attr| !given.contains(*attr)).collect()
}

/// Which attributes of an entity hold which identifier of another that a write makes up: the attribute, the other entity
/// and what identifies it. What is given is asked for each entity.
pub(crate) fn handed_over(
    pattern: &Pattern,
    entities: &[EntityFacts],
    at: usize,
    given: impl Fn(usize) -> Attrs,
) -> Vec<(Attr, usize, Attr)> {
    let effects = pattern.write().map_or(&[][..], |write| &write.effects);
    let comes = |entity: usize| {
        let name = &entities[entity].name;
        effects
            .iter()
            .any(|it| it.entity == *name && !it.all && matches!(it.action, Action::Create | Action::Put))
    };
    let refers =
        |entity: &EntityFacts, attr: &Attr| entity.parents.iter().any(|link| link.via.contains(attr));
    let is_made_up = |of: usize, own: &Attr| {
        let it = entities[of].attribute(*own);
        (it.ty.is_generated_id() || it.sequential) && !refers(&entities[of], own) && !given(of).contains(*own)
    };
    let mut found = Vec::new();
    for link in entities[at].parents.iter().filter(|link| link.parent != at && comes(link.parent)) {
        let parent = &entities[link.parent];
        for (own, via) in parent.identity.iter().zip(&link.via) {
            if is_made_up(link.parent, own) {
                found.push((*via, link.parent, *own));
            }
        }
    }
    // What has the very name of such an identifier holds it too, as `invoiceNumber` has that of a new Invoice.
    for other in (0..entities.len()).filter(|other| *other != at && comes(*other)) {
        for own in entities[other].identity.iter().filter(|own| is_made_up(other, own)) {
            let name = &entities[other].attribute(*own).name;
            let is_called_so = name.to_lowercase().starts_with(&entities[other].name.to_lowercase());
            let held = entities[at].named(name).filter(|_| is_called_so);
            let new = held.filter(|held| found.iter().all(|(known, _, _)| known != held));
            found.extend(new.map(|held| (held, other, *own)));
        }
    }
    found
}

/// The attributes of an entity that a pattern's inputs speak of, with a present or first value.
pub(super) fn inputs_of<'a>(
    pattern: &'a Pattern,
    entities: &'a [EntityFacts],
    at: usize,
) -> impl Iterator<Item = Attr> + 'a {
    pattern
        .inputs()
        .iter()
        .filter(|input| matches!(input.role, Role::Equal | Role::NewValue | Role::Increment))
        .flat_map(move |input| bound(input, entities, at))
}

/// The attributes of an entity that an input speaks of: those it binds, and identifiers of the same meaning.
pub(super) fn bound<'a>(
    input: &'a Input,
    entities: &'a [EntityFacts],
    at: usize,
) -> impl Iterator<Item = Attr> + use<'a> {
    let entity = &entities[at];
    let domains: Vec<_> = input
        .binds
        .iter()
        .filter_map(|bind| {
            let other = entities.iter().find(|it| it.name == bind.entity)?;
            Some(other.attribute(other.named(&bind.attribute)?).domain)
        })
        .collect();
    let direct: Option<Attr> = input
        .binds
        .iter()
        .find(|bind| bind.entity == entity.name)
        .and_then(|bind| entity.named(&bind.attribute));
    let alike = entity
        .identity
        .iter()
        .copied()
        .filter(move |attr| direct.is_none() && domains.contains(&entity.attribute(*attr).domain));
    direct.into_iter().chain(alike)
}

/// The attributes of an entity that a pattern's inputs give.
pub(super) fn given_to(pattern: &Pattern, entities: &[EntityFacts], at: usize) -> Attrs {
    inputs_of(pattern, entities, at).collect()
}

/// The attributes that an update changes.
pub(super) fn sets(pattern: &Pattern, effect: &Effect, entities: &[EntityFacts], at: usize) -> Attrs {
    let entity = &entities[at];
    let mut sets: Attrs = effect.attributes.iter().filter_map(|name| entity.named(name)).collect();
    if let Action::Add { attribute, .. } = &effect.action {
        sets.extend(entity.named(attribute));
    } else if effect.attributes.iter().all(|name| effect.removes.contains(name)) {
        // What an input is to be equal to selects the item; only new values change it.
        let new = pattern.inputs().iter().filter(|it| matches!(it.role, Role::NewValue | Role::Increment));
        sets.extend(new.flat_map(|input| bound(input, entities, at)));
    }
    sets.extend(all(entity).filter(|attr| {
        let it = entity.attribute(*attr);
        let name = it.name.to_lowercase().replace('_', "");
        it.version || it.ty == Type::Datetime && UPDATE_TIMES.contains(&name.as_str())
    }));
    sets
}

/// Whether every update of an item sets the attribute: a version, or the time of the last change.
pub(crate) fn is_kept_by_updates(attribute: &Attribute) -> bool {
    let name = attribute.name.to_lowercase().replace('_', "");
    attribute.version.as_ref().is_some_and(|version| version.value)
        || attribute.ty.value == Type::Datetime && UPDATE_TIMES.contains(&name.as_str())
}

/// The numbers to which an effect adds what it is told, without reading them.
fn adds(pattern: &Pattern, effect: &Effect, entities: &[EntityFacts], at: usize) -> Attrs {
    let grown = pattern.inputs().iter().filter(|input| input.role == Role::Increment);
    let mut adds: Attrs = grown.flat_map(|input| bound(input, entities, at)).collect();
    if let Action::Add { attribute, .. } = &effect.action {
        adds.extend(entities[at].named(attribute));
    }
    adds
}

/// The attributes by which an update or delete finds its item: identity, references and tenant, lasting instants whose
/// periods may be in keys, else a unique set.
fn locators(pattern: &Pattern, entities: &[EntityFacts], at: usize) -> Attrs {
    let entity = &entities[at];
    let equal: Attrs = pattern
        .inputs()
        .iter()
        .filter(|input| input.role == Role::Equal)
        .flat_map(|input| bound(input, entities, at))
        .collect();
    let identity = entity.identity_set();
    let references: Attrs = entity.parents.iter().flat_map(|link| link.via.iter().copied()).collect();
    let lasts = |attr: &Attr| !entity.attribute(*attr).changes && !entity.attribute(*attr).optional;
    let instants: Attrs = entity.periods().map(|(_, bucket)| bucket.of).filter(lasts).collect();
    let known = identity.union(references).union(entity.tenants()).union(instants);
    let direct = equal.intersection(known);
    if identity.is_subset(equal) {
        return direct;
    }
    match entity.unique.iter().find(|set| set.is_subset(equal)) {
        Some(set) => set.union(direct),
        None => direct,
    }
}

pub(super) fn resolve(
    model: &Model,
    entities: &[EntityFacts],
    counters: &Counters,
    remarks: &mut Remarks,
) -> Vec<WriteFacts> {
    let mut writes = Vec::new();
    for (index, pattern) in model.patterns.iter().enumerate() {
        let Some(write) = pattern.write() else { continue };
        write.conditions.iter().for_each(|it| note_other_number(model, it, pattern, write, remarks));
        if pattern.rate.is_none() && pattern.frequency.is_none() {
            remarks.assume(
                pattern.span,
                format!("{} runs {} times a second", pattern.id, pattern.mean_rate()),
                "nothing states it; fill in Frequency or Rate",
            );
        }
        writes.push(resolve_write(model, index, pattern, write, entities, counters, remarks));
    }
    writes
}

fn resolve_write(
    model: &Model,
    index: usize,
    pattern: &Pattern,
    write: &Write,
    entities: &[EntityFacts],
    counters: &Counters,
    remarks: &mut Remarks,
) -> WriteFacts {
    let mut effects: Vec<EffectFacts> = Vec::new();
    for (source, effect) in write.effects.iter().enumerate() {
        let Some(at) = entities.iter().position(|entity| entity.name == effect.entity) else { continue };
        let mut facts = effect_facts(pattern, effect, source, entities, at);
        facts.upsert = model.is_tally(pattern, effect);
        // One action per item: an addition and an update of the same item are one update.
        match effects.iter_mut().find(|it| it.entity == at && !it.all && !facts.all) {
            Some(same) => {
                if same.action == EffectAction::Update {
                    same.sets = same.sets.union(facts.sets);
                    same.grows = same.grows.union(facts.grows);
                    same.maybe = same.maybe.union(facts.maybe);
                    same.removes = same.removes.union(facts.removes);
                    same.fixed.extend(facts.fixed);
                }
                same.sources.push(source);
            }
            None => effects.push(facts),
        }
    }
    counters.keep(entities, &mut effects, &|entity| inputs_of(pattern, entities, entity).collect());
    let versioned = versions::keep(pattern, entities, &mut effects, remarks);
    report_no_change(pattern, entities, &effects, remarks);
    report_lasting(pattern, entities, &effects, remarks);
    derive_keys(entities, &mut effects);
    let mut checks = Vec::new();
    for (at, condition) in write.conditions.iter().enumerate() {
        place_condition(at, condition, pattern, entities, counters, &mut effects, &mut checks, remarks);
    }
    effects.iter_mut().for_each(|effect| note_before(write, entities, effect));
    report_never(pattern, write, entities, &effects, remarks);
    let asked = write.transaction.as_ref().map(|it| it.value);
    let unique = effects.iter().any(|effect| !effect.unique.is_empty());
    let numbered = effects.iter().any(|effect| effect.numbered_by.is_some());
    let counted = effects.iter().any(|effect| !effect.adds.is_empty() && effect.counts_all.is_none());
    let forced = !checks.is_empty() || unique || numbered || counted || versioned;
    // Where only a read asks for a number, keeping it is our own choice.
    let limits = write.conditions.iter().any(|it| matches!(it.kind, ConditionKind::AtMost { .. }));
    let told = !checks.is_empty() || unique || numbered || counted && limits || versioned;
    if let (Some(stated), true) = (&write.transaction, told)
        && stated.value == Transaction::No
    {
        let why = if versioned {
            "it keeps a version of what it writes"
        } else if numbered {
            "its number comes from a counter"
        } else if counted {
            "it keeps a count"
        } else if unique {
            "a unique value needs an item of its own"
        } else {
            "it checks an item that it does not change"
        };
        let instead = if numbered {
            "or let the caller give the number"
        } else if unique && checks.is_empty() {
            "or do not call the attribute unique"
        } else {
            "or drop the condition"
        };
        remarks.findings.push(
            Finding::new(
                &rules::FORCED_TRANSACTION,
                stated.span,
                format!("{} has to be a transaction: {why}", pattern.id),
            )
            .help(format!("write `Yes` under Transaction, {instead}")),
        );
    }
    let several = effects.len() > 1;
    let transaction = match asked {
        Some(Transaction::Yes) => several || forced,
        Some(Transaction::No | Transaction::Batch) => forced,
        None => several || forced,
    };
    // What changes an item by itself and counts on it too are two actions, and a transaction takes one.
    let twice = effects.iter().any(|it| {
        it.counts_all.is_some()
            && effects.iter().any(|other| other.counts_all.is_none() && other.entity == it.entity)
    });
    let most: Option<u64> = effects
        .iter()
        .map(|effect| {
            let each = 1 + effect.unique.len() as u64;
            let items = if effect.all { entities[effect.entity].most_matches(effect.given)? } else { 1 };
            Some(each.saturating_mul(items))
        })
        .sum();
    let fits = most.is_some_and(|most| most + checks.len() as u64 <= TRANSACTION_ACTIONS as u64);
    let all_in_transaction = transaction && fits && !twice;
    if !all_in_transaction {
        report_parts(pattern, write, entities, &effects, most, remarks);
    }
    for at in 0..effects.len() {
        let Some(counted) = effects[at].counts_all.filter(|_| !all_in_transaction) else { continue };
        let child = &effects[counted];
        let with_each = 1 + child.unique.len() as u64;
        let in_one = ((TRANSACTION_ACTIONS as u64 - 1) / with_each).max(1);
        effects[at].portions = child.times(&entities[child.entity]).div_ceil(in_one).max(1);
    }
    WriteFacts {
        pattern: index,
        all_in_transaction,
        id: pattern.id.clone(),
        span: pattern.span,
        effects,
        checks,
        transaction,
        rate: pattern.mean_rate(),
        peak: pattern.peak_rate(),
    }
}

/// What is asked to be all or nothing, and is more than a transaction holds, is done in parts.
fn report_parts(
    pattern: &Pattern,
    write: &Write,
    entities: &[EntityFacts],
    effects: &[EffectFacts],
    most: Option<u64>,
    remarks: &mut Remarks,
) {
    let Some(stated) = write.transaction.as_ref().filter(|it| it.value == Transaction::Yes) else { return };
    let Some(all) = effects.iter().find(|effect| effect.all && effect.counts_all.is_none()) else { return };
    let name = &entities[all.entity].name;
    let items = match most {
        Some(most) if most > TRANSACTION_ACTIONS as u64 => format!("it touches up to {most} items"),
        Some(_) => "it counts down what it deletes portion by portion".to_owned(),
        None => format!("nothing says how many {name} items it touches at most"),
    };
    remarks.findings.push(
        Finding::new(
            &rules::TRANSACTION_IN_PARTS,
            stated.span,
            format!(
                "{} is not all or nothing: {items}, and a transaction of DynamoDB holds {TRANSACTION_ACTIONS}",
                pattern.id
            ),
        )
        .help(format!("state how many {name} items there are at most per parent, or write `Batch` under Transaction")),
    );
}

/// An update that is given no new value would only look at its item.
fn report_no_change(
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
                format!("{} changes nothing of {name}: it is given no new value", pattern.id),
            )
            // Beside other effects it only makes sure that its item is there.
            .level(if any { Level::Warning } else { Level::Error })
            .help("name what changes among its inputs, such as `newStatus`, or `status = PAID` where the value is fixed"),
        );
    }
}

/// What every item holds can't be taken from one.
fn report_lasting(
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
                    format!("{} removes {attribute} of {name}, which every {name} holds", pattern.id),
                )
                .help(format!("mark `{attribute}` as `optional`, or say which value it gets")),
            );
        }
    }
}

/// Conditions on one item that exclude each other: the write would always be refused.
fn report_never(
    pattern: &Pattern,
    write: &Write,
    entities: &[EntityFacts],
    effects: &[EffectFacts],
    remarks: &mut Remarks,
) {
    for effect in effects.iter().filter(|effect| !effect.upsert) {
        let name = &entities[effect.entity].name;
        let riding = || effect.conditions.iter().map(|at| &write.conditions[*at]);
        let there = riding().find(|it| match &it.kind {
            ConditionKind::Exists { entity } => entity == name,
            ConditionKind::Compare { attribute, .. } | ConditionKind::OneOf { attribute, .. } => {
                attribute.entity == *name
            }
            _ => false,
        });
        let absent =
            riding().find(|it| matches!(&it.kind, ConditionKind::NotExists { entity } if entity == name));
        let (condition, why, help) = match (effect.action, there, absent) {
            (_, Some(there), Some(absent)) => (
                absent,
                format!("\"{}\" and \"{}\"", there.text, absent.text),
                "drop one of the two conditions",
            ),
            (EffectAction::Create, Some(there), None) => {
                (there, format!("it creates a {name}, and \"{}\"", there.text), NEW_OR_OLD)
            }
            (EffectAction::Update | EffectAction::Delete, None, Some(absent)) => {
                (absent, format!("it needs a {name} that is there, and \"{}\"", absent.text), NEW_OR_OLD)
            }
            _ => continue,
        };
        remarks.findings.push(
            Finding::new(
                &rules::UNSERVABLE_PATTERN,
                condition.span,
                format!("{} can never take place: {why}", pattern.id),
            )
            .help(help),
        );
    }
}

/// How to say whether an item comes to be or is there already.
const NEW_OR_OLD: &str =
    "drop the condition, or say under Items Written what happens: `create X`, `update X (status)`";

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

/// Notes on an effect what its conditions say of the item as it was.
fn note_before(write: &Write, entities: &[EntityFacts], effect: &mut EffectFacts) {
    let entity = &entities[effect.entity];
    for at in &effect.conditions {
        let kind = &write.conditions[*at].kind;
        let (name, was) = match kind {
            ConditionKind::Compare { attribute, comparator: Comparator::Equal, value } => match value {
                ConditionValue::Literal(literal) => (&attribute.attribute, Some(literal.clone())),
                _ => (&attribute.attribute, None),
            },
            ConditionKind::Held { attribute, held: true } => (&attribute.attribute, None),
            ConditionKind::Held { attribute, held: false } => {
                effect.lacked.extend(entity.named(&attribute.attribute));
                continue;
            }
            _ => continue,
        };
        effect.was.extend(entity.named(name).map(|attr| (attr, was)));
    }
}

fn effect_facts(
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
            let action =
                if effect.action == Action::Create { EffectAction::Create } else { EffectAction::Put };
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
    EffectFacts {
        entity: at,
        action,
        all: effect.all,
        given,
        sets,
        grows,
        maybe: left_out(pattern, entities, at).intersection(sets),
        removes: effect.removes.iter().filter_map(|name| entity.named(name)).collect(),
        fixed: match action {
            EffectAction::Update => fixed(pattern, entities, at, sets),
            EffectAction::Create | EffectAction::Put => first(pattern, entities, at, sets),
            EffectAction::Delete => Vec::new(),
        },
        was: Vec::new(),
        lacked: Attrs::NONE,
        unique,
        conditions: Vec::new(),
        derived_from: None,
        read_first: false,
        adds: Vec::new(),
        settled: Attrs::NONE,
        upsert: false,
        counted: false,
        counts_all: None,
        portions: 1,
        next_number: None,
        numbered_by: None,
        version_of: None,
        versioned: false,
        sources: vec![source],
    }
}

/// The attributes whose new values the caller may leave out.
fn left_out(pattern: &Pattern, entities: &[EntityFacts], at: usize) -> Attrs {
    let optional = pattern.inputs().iter().filter(|input| input.optional && input.constant.is_none());
    optional
        .filter(|input| matches!(input.role, Role::Equal | Role::NewValue))
        .flat_map(|input| bound(input, entities, at))
        .collect()
}

/// Where the inputs do not give a parent's key, the child that the same write reads does.
fn derive_keys(entities: &[EntityFacts], effects: &mut [EffectFacts]) {
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

/// Says where a limit is not on the number that its pattern adds to, since that number is not how many there are.
fn note_other_number(
    model: &Model,
    condition: &Condition,
    pattern: &Pattern,
    write: &Write,
    remarks: &mut Remarks,
) {
    let ConditionKind::AtMost { entity, per: Some(per), limit } = &condition.kind else { return };
    if model.declared_count(entity, per).is_some() {
        return;
    }
    for effect in write.effects.iter().filter(|it| it.entity == *per) {
        let Action::Add { attribute, .. } = &effect.action else { continue };
        let by = model.touching_otherwise(entity, per, attribute).map_or(&pattern.id, |it| &it.id);
        remarks.assume(
            condition.span,
            format!("the limit is on how many {entity} items there are, not on {per}.{attribute}"),
            &format!(
                "{by} changes {attribute} otherwise than the number of {entity} items; write `{attribute} < {limit}` if it is meant"
            ),
        );
    }
}

/// Lets a condition ride on an effect of the same item, or makes it a check.
#[allow(clippy::too_many_arguments, reason = "a condition, and all that it may touch")]
fn place_condition(
    at: usize,
    condition: &Condition,
    pattern: &Pattern,
    entities: &[EntityFacts],
    counters: &Counters,
    effects: &mut [EffectFacts],
    checks: &mut Vec<CheckFacts>,
    remarks: &mut Remarks,
) {
    let about = match &condition.kind {
        ConditionKind::Exists { entity } | ConditionKind::NotExists { entity } => entity,
        ConditionKind::Compare { attribute, .. }
        | ConditionKind::OneOf { attribute, .. }
        | ConditionKind::Held { attribute, .. } => &attribute.entity,
        // Uniqueness is kept by items of its own.
        ConditionKind::Unique { .. } => return,
        ConditionKind::AtMost { per: Some(per), .. } => per,
        ConditionKind::AtMost { per: None, .. } | ConditionKind::Words => {
            remarks.findings.push(
                Finding::new(
                    &rules::CONDITION_NOT_ENFORCED,
                    condition.span,
                    format!("no operation of {} enforces \"{}\"", pattern.id, condition.text),
                )
                .help("say it as `X must exist`, `a must be unique`, `status must be PENDING` or `max 100 songs per user`"),
            );
            return;
        }
    };
    let position = |name: &String| home(entities, name).map(|(at, _)| at);
    let Some(mut entity) = position(about) else { return };
    if let ConditionKind::AtMost { entity: child, .. } = &condition.kind
        && let Some((keeper, _)) = position(child).and_then(|child| counters.kept(entities, child, entity))
    {
        entity = keeper;
    }
    let rides =
        |effect: &&mut EffectFacts| effect.entity == entity && !effect.all && effect.counts_all.is_none();
    if let Some(effect) = effects.iter_mut().find(rides) {
        effect.conditions.push(at);
        return;
    }
    if matches!(condition.kind, ConditionKind::AtMost { .. }) {
        remarks.findings.push(
            Finding::new(
                &rules::CONDITION_NOT_ENFORCED,
                condition.span,
                format!("no operation of {} enforces \"{}\": nothing counts", pattern.id, condition.text),
            )
            .help(format!(
                "give {about} a number and let this pattern add to it, such as `{about} itemCount +1`"
            )),
        );
        return;
    }
    let given: Attrs = inputs_of(pattern, entities, entity).collect();
    // An item is named once in a transaction.
    match checks.iter_mut().find(|it| it.entity == entity && it.given == given) {
        Some(check) => check.conditions.push(at),
        None => checks.push(CheckFacts { entity, given, conditions: vec![at] }),
    }
}
