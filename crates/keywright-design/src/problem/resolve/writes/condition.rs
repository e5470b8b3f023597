//! Where the conditions of a write are checked, and what they say of the items.

use keywright_dynamodb::expression::Comparator;
use keywright_finding::{Finding, Level};
use keywright_model::Model;
use keywright_model::model::{Action, Condition, ConditionKind, ConditionValue, Literal, Pattern, Write};

use super::given::inputs_of;
use crate::naming;
use crate::problem::resolve::countable::{Strays, strays};
use crate::problem::resolve::counters::Counters;
use crate::problem::resolve::{Remarks, ranks, reads};
use crate::problem::{Attr, Attrs, CheckFacts, EffectAction, EffectFacts, EntityFacts, home};
use crate::rules;

/// A write whose conditions are placed.
pub(super) struct Placing<'a> {
    pub(super) model: &'a Model,
    pub(super) pattern: &'a Pattern,
    pub(super) write: &'a Write,
    pub(super) entities: &'a [EntityFacts],
    pub(super) counters: &'a Counters,
}

impl Placing<'_> {
    /// Lets a condition ride on an effect of the same item, or makes it a check.
    pub(super) fn place(
        &self,
        at: usize,
        condition: &Condition,
        effects: &mut [EffectFacts],
        checks: &mut Vec<CheckFacts>,
        remarks: &mut Remarks,
    ) {
        let Placing { model, pattern, write, entities, counters } = *self;
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
                .help("write it as `X must exist`, `a must be unique`, `status must be PENDING` or `max 100 \
                       songs per user`"),
            );
                return;
            }
        };
        let position = |name: &String| home(entities, name).map(|(at, _)| at);
        let Some(mut entity) = position(about) else { return };
        if let ConditionKind::AtMost { entity: child, .. } = &condition.kind
            && let Some((keeper, _)) =
                position(child).and_then(|child| counters.kept(entities, child, entity))
        {
            entity = keeper;
        }
        let mut rides = false;
        let of_entity = effects
            .iter_mut()
            .filter(|effect| effect.entity == entity && !effect.all && effect.counts_all.is_none());
        for effect in of_entity {
            let stated = effect.sources.first().and_then(|source| write.effects.get(*source));
            // Of several items in roles of their own, each bears what is asked of it.
            let bears = match (&effect.named_by, stated) {
                (Some(_), Some(stated)) => write.bears(stated, &condition.kind),
                _ => !rides,
            };
            // The first children come with their parent.
            let begins = matches!(condition.kind, ConditionKind::AtMost { .. }) && !effect.begins.is_empty();
            if begins {
                rides = true;
            } else if bears {
                effect.conditions.push(at);
                rides = true;
            }
        }
        if rides {
            return;
        }
        if let ConditionKind::AtMost { entity: counted, .. } = &condition.kind {
            let strays = position(counted).and_then(|child| strays(model, entities, child, entity));
            remarks.findings.push(uncounted(model, condition, pattern, strays, (counted, about)));
            return;
        }
        let given: Attrs = inputs_of(pattern, entities, entity).collect();
        let about = &entities[entity].name;
        let changes_all = effects.iter().any(|effect| effect.entity == entity && effect.all);
        if changes_all && !entities[entity].at_most_one(given) {
            remarks.findings.push(
                Finding::new(
                    &rules::CONDITION_NOT_ENFORCED,
                    condition.span,
                    format!(
                        "{} touches all of its {about} items, and no operation checks \"{}\" on each of them",
                        pattern.id, condition.text
                    ),
                )
                .level(Level::Error)
                .help(format!("remove the condition, or let the pattern touch one {about} per call")),
            );
            return;
        }
        let pointing = model.pointing(pattern, about);
        let roles: Vec<Option<(Attr, String)>> = match pointing.as_slice() {
            [] | [_] => vec![None],
            // What must be there is each that an input points to.
            several => several
                .iter()
                .map(|(input, identifier)| Some((entities[entity].named(identifier)?, input.name.clone())))
                .collect(),
        };
        for named_by in roles {
            // An item is named once in a transaction.
            let same =
                |it: &&mut CheckFacts| it.entity == entity && it.given == given && it.named_by == named_by;
            match checks.iter_mut().find(same) {
                Some(check) => check.conditions.push(at),
                None => checks.push(CheckFacts { entity, given, named_by, conditions: vec![at] }),
            }
        }
    }
}

/// A limit that nothing keeps, since nothing counts.
fn uncounted(
    model: &Model,
    condition: &Condition,
    pattern: &Pattern,
    strays: Option<Strays>,
    (counted, per): (&str, &str),
) -> Finding {
    let unkept = |why: String| {
        let message = format!("no operation of {} enforces \"{}\": {why}", pattern.id, condition.text);
        Finding::new(&rules::CONDITION_NOT_ENFORCED, condition.span, message)
    };
    match (model.putting(counted), strays) {
        (None, Some(Strays::Expire)) => {
            unkept(format!("a {counted} expires by itself, and no number goes down with it"))
                .level(Level::Error)
                .help(format!("remove the limit, or delete every {counted} by a pattern instead of a time to live"))
        }
        (None, Some(Strays::Move { pattern: moving })) => {
            unkept(format!("{moving} gives a {counted} another {per}, and the numbers of both would stay as they were"))
                .level(Level::Error)
                .help(format!(
                    "delete the {counted} and create it anew instead of {moving}, or give {per} a number of your own, such \
                     as `itemCount`, and let every pattern that adds, moves or takes one change it"
                ))
        }
        (Some(puts), _) => {
            unkept(format!("{} may replace an existing {counted}, so their number can't be tracked", puts.id))
                .level(Level::Error)
                .help(format!(
                    "write `{counted} must not exist` under the Conditions of {}, so that it only \
                               creates, or remove the limit",
                    puts.id
                ))
        }
        (None, None) => unkept("nothing counts".to_owned()).help(format!(
            "give {per} a number and let this pattern add to it, such as `{per} itemCount +1`"
        )),
    }
}

/// Notes on an effect what its conditions say of the item as it was.
pub(super) fn note_before(write: &Write, entities: &[EntityFacts], effect: &mut EffectFacts) {
    let entity = &entities[effect.entity];
    for at in &effect.conditions {
        let kind = &write.conditions[*at].kind;
        effect.there |= is_of_what_is_there(kind, &entity.name);
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

/// Whether a condition holds only where there is an item of that entity.
fn is_of_what_is_there(condition: &ConditionKind, name: &str) -> bool {
    match condition {
        ConditionKind::Exists { entity } => entity == name,
        ConditionKind::Compare { attribute, .. } | ConditionKind::OneOf { attribute, .. } => {
            attribute.entity == *name
        }
        _ => false,
    }
}

/// Says where a limit is not on the number that its pattern adds to, since that number is not how many there are.
pub(super) fn note_other_number(
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
            format!("the limit applies to the number of {entity} items, not to {per}.{attribute}"),
            &format!(
                "{by} changes {attribute} independently of the number of {entity} items; write `{attribute} \
                 < {limit}` to limit the attribute"
            ),
        );
    }
}

/// Conditions that compare an enumeration with something other than one of its values: a condition of DynamoDB compares
/// names, and the document means the declared order.
pub(super) fn report_by_rank(
    pattern: &Pattern,
    write: &Write,
    entities: &[EntityFacts],
    remarks: &mut Remarks,
) {
    for condition in &write.conditions {
        let ConditionKind::Compare { attribute, comparator, value } = &condition.kind else { continue };
        let Some((entity, _)) = home(entities, &attribute.entity) else { continue };
        let entity = &entities[entity];
        let Some(it) = entity.named(&attribute.attribute).map(|attr| entity.attribute(attr)) else {
            continue;
        };
        if !ranks::is_misordered(it) || it.values.is_empty() || !is_order(*comparator) {
            continue;
        }
        let values = it.values.iter().map(String::as_str);
        match value {
            ConditionValue::Literal(literal) if compared(values, *comparator, literal).is_some() => {}
            ConditionValue::Literal(_) => remarks.findings.push(
                Finding::new(
                    &rules::UNSERVABLE_PATTERN,
                    condition.span,
                    format!(
                        "{} can never succeed: no value of {} is meant by \"{}\"",
                        pattern.id, it.name, condition.text
                    ),
                )
                .help(format!("compare with one of {}", it.values.join(", "))),
            ),
            _ => {
                let what = format!("the condition \"{}\"", condition.text);
                remarks.findings.push(reads::misordered_finding(pattern, it, &what));
            }
        }
    }
}

/// Whether a comparison goes by order.
fn is_order(comparator: Comparator) -> bool {
    !matches!(comparator, Comparator::Equal | Comparator::NotEqual)
}

/// The values of an enumeration, in their order, of which a comparison with one of them holds; none where there are none.
pub(crate) fn compared<'v>(
    values: impl Iterator<Item = &'v str>,
    comparator: Comparator,
    with: &Literal,
) -> Option<Vec<&'v str>> {
    let values: Vec<&str> = values.collect();
    let with = with.to_string();
    let at = values.iter().position(|value| *value == with)?;
    let some = match comparator {
        Comparator::Less => &values[..at],
        Comparator::LessOrEqual => &values[..=at],
        Comparator::Greater => &values[at + 1..],
        Comparator::GreaterOrEqual => &values[at..],
        Comparator::Equal | Comparator::NotEqual => return None,
    };
    (!some.is_empty()).then(|| some.to_vec())
}

/// How to say whether an item comes to be or is there already.
const NEW_OR_OLD: &str =
    "remove the condition, or state under Items Written what happens: `create X`, `update X (status)`";

/// Conditions on one item that exclude each other: the write would always be refused.
pub(super) fn report_never(
    pattern: &Pattern,
    write: &Write,
    entities: &[EntityFacts],
    effects: &[EffectFacts],
    remarks: &mut Remarks,
) {
    for effect in effects.iter().filter(|effect| !effect.upsert) {
        let name = &entities[effect.entity].name;
        let riding = || effect.conditions.iter().map(|at| &write.conditions[*at]);
        let there = riding().find(|it| is_of_what_is_there(&it.kind, name));
        let absent =
            riding().find(|it| matches!(&it.kind, ConditionKind::NotExists { entity } if entity == name));
        let (condition, why, help) = match (effect.action, there, absent) {
            (_, Some(there), Some(absent)) => (
                absent,
                format!("\"{}\" and \"{}\"", there.text, absent.text),
                "remove one of the two conditions",
            ),
            (EffectAction::Create, Some(there), None) => {
                (there, format!("it creates {}, but \"{}\"", naming::one(name), there.text), NEW_OR_OLD)
            }
            (EffectAction::Update | EffectAction::Delete, None, Some(absent)) => {
                (absent, format!("it needs an existing {name}, but \"{}\"", absent.text), NEW_OR_OLD)
            }
            _ => continue,
        };
        remarks.findings.push(
            Finding::new(
                &rules::UNSERVABLE_PATTERN,
                condition.span,
                format!("{} can never succeed: {why}", pattern.id),
            )
            .help(help),
        );
    }
}
