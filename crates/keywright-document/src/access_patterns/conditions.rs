//! What must hold for a write: "X must exist", "status must be PENDING", "max 100 songs per user".

mod comparison;

use std::ops::Range;

use keywright_dynamodb::expression::Comparator;
use keywright_model::model::{AttributeRef, Condition, ConditionKind, ConditionValue, Entity, UniqueSet};

use crate::markdown::Phrase;

use super::names::{Domain, fold, tokens};
use super::quantity::quantity;
use super::remarks::Remarks;
use comparison::{comparison, subject_attribute};

/// What is known of a pattern when its conditions are read.
pub(super) struct Context<'a> {
    /// The entities of the pattern and of its effects, the main one first.
    pub(super) entities: &'a [usize],
    /// The names of the inputs, as written.
    pub(super) inputs: &'a [String],
    pub(super) domain: &'a Domain<'a>,
}

/// Reads the cell Conditions. What can't be read is kept as words.
pub(super) fn read(cell: Phrase<'_>, context: &Context<'_>, remarks: &mut Remarks) -> Vec<Condition> {
    clauses(cell)
        .into_iter()
        .map(|words| {
            let mut kind = kind_of(words, context).or_else(|| of_parent(words, context, remarks));
            if let Some(ConditionKind::Unique { entity, attributes }) = &mut kind {
                within_declared(words, entity, attributes, context, remarks);
            }
            let kind = kind.unwrap_or(ConditionKind::Words);
            Condition { text: words.as_str().to_owned(), span: words.span(), kind }
        })
        .collect()
}

/// "state must be OPEN" of what has no state is said of what it belongs to, where only one such has it.
fn of_parent(words: Phrase<'_>, context: &Context<'_>, remarks: &mut Remarks) -> Option<ConditionKind> {
    let own = context.entities.iter().flat_map(|entity| &context.domain.entities[*entity].attributes);
    let mut parents = Vec::new();
    for reference in own.filter_map(|it| it.reference.as_ref()) {
        let parent = context.domain.find(&reference.value.entity);
        parents.extend(parent.filter(|it| !context.entities.contains(it) && !parents.contains(it)));
    }
    let mut found = parents.iter().filter_map(|parent| {
        let kind = kind_of(words, &Context { entities: std::slice::from_ref(parent), ..*context })?;
        let attribute = match &kind {
            ConditionKind::Compare { attribute, .. }
            | ConditionKind::OneOf { attribute, .. }
            | ConditionKind::Held { attribute, .. } => attribute.clone(),
            _ => return None,
        };
        Some((kind, attribute))
    });
    let (kind, attribute) = found.next().filter(|_| found.next().is_none())?;
    remarks.assume(
        words.span(),
        format!("read \"{}\" as a condition on {attribute}", words.as_str()),
        format!("what the pattern writes has no such attribute; write `{attribute}` to say so"),
    );
    Some(kind)
}

/// "mrn must be unique" means what the entity declares: unique together with its hospital.
fn within_declared(
    words: Phrase<'_>,
    entity: &str,
    attributes: &mut Vec<String>,
    context: &Context<'_>,
    remarks: &mut Remarks,
) {
    let Some(declared) = context.domain.find(entity).map(|it| &context.domain.entities[it]) else { return };
    let holds = |set: &&UniqueSet| attributes.iter().all(|it| set.attributes.contains(it));
    let mut sets = declared.unique.iter().filter(holds);
    let (Some(set), None) = (sets.next(), sets.next()) else { return };
    if set.attributes.len() > attributes.len() {
        attributes.clone_from(&set.attributes);
        remarks.assume(
            words.span(),
            format!("read \"{}\" as {} together", words.as_str(), attributes.join(" and ")),
            format!("that is what {entity} declares as unique"),
        );
    }
}

/// The parts between semicolons, line breaks and full stops that end a sentence. A comma and an "and" part only what
/// states something on both sides: "a and b must be unique" and "must be A, B or C" are one.
fn clauses(cell: Phrase<'_>) -> Vec<Phrase<'_>> {
    let text = cell.as_str();
    let bytes = text.as_bytes();
    let mut parts: Vec<Range<usize>> = Vec::new();
    let mut joins = false;
    let mut last_states = false;
    let mut start = 0;
    let mut at = 0;
    while at <= bytes.len() {
        let (soft, length) = match bytes.get(at) {
            None | Some(b';' | b'\n') => (false, 1),
            Some(b',') => (true, 1),
            Some(b'.') if bytes.get(at + 1).is_none_or(u8::is_ascii_whitespace) => (false, 1),
            Some(b' ') if bytes[at..].starts_with(b" and ") => (true, " and ".len()),
            Some(_) => {
                at += 1;
                continue;
            }
        };
        let here = states(&text[start..at]);
        match parts.last_mut() {
            Some(last) if joins && !(here && last_states) => {
                last.end = at;
                last_states |= here;
            }
            _ => {
                parts.push(start..at);
                last_states = here;
            }
        }
        joins = soft;
        at += length;
        start = at.min(bytes.len());
    }
    parts.into_iter().map(|part| cell.slice(part).trim()).filter(|part| !part.is_empty()).collect()
}

/// Whether words state something, and are not only the name of something.
fn states(words: &str) -> bool {
    let lower = words.to_lowercase();
    const MARKS: [&str; 18] = [
        "must",
        "taken",
        "in use",
        "exist",
        "unique",
        "max",
        "at most",
        "up to",
        "no more",
        "=",
        "<",
        ">",
        " is ",
        "≥",
        "≤",
        "attribute_",
        "lock",
        "match",
    ];
    MARKS.iter().any(|mark| lower.contains(mark))
}

fn kind_of(words: Phrase<'_>, context: &Context<'_>) -> Option<ConditionKind> {
    let lower = words.as_str().to_lowercase();
    let main = || context.entities.first().map(|entity| context.domain.entities[*entity].name.clone());
    if let Some(kind) = at_most(words, &lower, context) {
        return Some(kind);
    }
    if let Some(kind) = existence(words, &lower, context) {
        return Some(kind);
    }
    if let Some(before) = unique_subject(words, &lower) {
        return unique(before, context);
    }
    if let Some(kind) = held(words, &lower, context).or_else(|| comparison(words, context)) {
        return Some(kind);
    }
    // "optimistic locking", "version must match", "version unchanged"
    if ["must match", "unchanged", "optimistic lock", "matches"].iter().any(|it| lower.contains(it)) {
        return version(context);
    }
    if lower == "unique" {
        return main().map(|entity| ConditionKind::NotExists { entity });
    }
    None
}

/// "X must exist", "user exists", "X must not exist", `attribute_not_exists(pk)`.
fn existence(words: Phrase<'_>, lower: &str, context: &Context<'_>) -> Option<ConditionKind> {
    let words_lower: Vec<String> = tokens(words).map(|word| word.as_str().to_lowercase()).collect();
    let exists = words_lower
        .iter()
        .any(|word| matches!(word.as_str(), "exist" | "exists" | "existing" | "attribute_exists"));
    let absent =
        words_lower.iter().any(|word| matches!(word.as_str(), "attribute_not_exists" | "nonexistent"));
    if !exists && !absent {
        return None;
    }
    let negated = absent
        || words_lower.iter().any(|word| {
            matches!(
                word.as_str(),
                "not" | "no" | "doesn't" | "mustn't" | "cannot" | "can't" | "already" | "doesn’t"
            )
        }) && !lower.contains("must already exist")
            && !lower.contains("already exists and");
    let named = context.domain.mentions(words).first().map(|(entity, _)| *entity);
    // "email must not exist": the item that an attribute identifies. A subject that nobody declares is nobody's.
    let subject: Vec<Phrase<'_>> = tokens(words)
        .take_while(|word| !["must", "should", "does", "may", "exists", "exist"].iter().any(|it| word.is(it)))
        .filter(|word| {
            !["the", "a", "an", "no", "item", "it", "record", "given", "such", "that", "already", "same"]
                .iter()
                .any(|it| word.is(it))
        })
        .filter(|word| !word.as_str().starts_with("attribute_"))
        .collect();
    // Who writes `attribute_not_exists(lessonId)` means the item that may lack it, not the lesson.
    let function = lower.contains("attribute_exists(") || lower.contains("attribute_not_exists(");
    let owned = subject.iter().find_map(|word| {
        let lacking = if function { lacking(word.as_str(), context) } else { None };
        lacking.or_else(|| owner(word.as_str(), context))
    });
    // "Slot.appointmentId must not exist" is about an attribute, not about the item.
    let names_entity = subject.iter().any(|word| context.domain.find(word.as_str()).is_some());
    if let Some((entity, attribute)) = &owned
        && !names_entity
        && !is_identifying(&context.domain.entities[*entity], attribute)
    {
        let attribute = context.domain.reference(*entity, attribute)?;
        return Some(ConditionKind::Held { attribute, held: !negated });
    }
    let owned = owned.map(|it| it.0);
    let main =
        context.entities.first().copied().filter(|_| subject.is_empty() || lower.contains("attribute_"));
    let entity = named.or(owned).or(main)?;
    let entity = context.domain.entities[entity].name.clone();
    Some(if negated { ConditionKind::NotExists { entity } } else { ConditionKind::Exists { entity } })
}

/// "lessonId must be empty", "endedAt must not be set", "assignee is set".
fn held(words: Phrase<'_>, lower: &str, context: &Context<'_>) -> Option<ConditionKind> {
    if lower.len() != words.as_str().len() {
        return None;
    }
    let at = ["must ", "should ", " is ", " = "].iter().filter_map(|it| lower.find(it)).min()?;
    let said = lower[at..].trim_matches(|next: char| !next.is_alphanumeric()).replace("should ", "must ");
    let held = match said.as_str() {
        "must be empty" | "must be null" | "must not be set" | "must be unset" | "must be absent"
        | "must be missing" | "is empty" | "is null" | "is not set" | "is unset" | "null" | "is missing" => {
            false
        }
        "must be set" | "must not be empty" | "must not be null" | "must be present" | "is set"
        | "is not null" | "is not empty" | "is present" => true,
        _ => return None,
    };
    let subject = words.slice(0..at).trim();
    // "bookingId must be empty" is about the seat that may lack it, not about the booking that it identifies.
    let bare = tokens(subject).last().filter(|_| context.domain.mentions(subject).is_empty());
    let lacking = bare.and_then(|word| lacking(word.as_str(), context));
    let attribute = lacking
        .and_then(|(entity, name)| context.domain.reference(entity, &name))
        .or_else(|| subject_attribute(subject, context))?;
    Some(ConditionKind::Held { attribute, held })
}

/// The entity of the pattern whose items may lack the attribute, and the attribute's declared name: one that says so
/// before others that it does not identify.
fn lacking(name: &str, context: &Context<'_>) -> Option<(usize, String)> {
    let owners = || {
        let all = context.entities.iter();
        all.filter_map(|entity| context.domain.attribute(*entity, name).map(|it| (*entity, it)))
    };
    let optional = owners().find(|(_, attribute)| attribute.is_optional());
    let beside =
        || owners().find(|(entity, it)| !is_identifying(&context.domain.entities[*entity], &it.name));
    optional.or_else(beside).map(|(entity, attribute)| (entity, attribute.name.clone()))
}

/// Whether an attribute tells an item from others, alone or with others.
fn is_identifying(entity: &Entity, attribute: &str) -> bool {
    entity.identity_names().any(|name| name == attribute)
        || entity.unique.iter().any(|set| set.attributes.iter().any(|name| name == attribute))
}

/// The entity of the pattern that has the attribute, and the attribute's declared name.
fn owner(name: &str, context: &Context<'_>) -> Option<(usize, String)> {
    let (qualifier, name) = match name.split_once('.') {
        Some((entity, rest)) if context.domain.find(entity).is_some() => (context.domain.find(entity), rest),
        _ => (None, name),
    };
    let entities: Vec<usize> = qualifier.map_or_else(|| context.entities.to_vec(), |entity| vec![entity]);
    entities
        .into_iter()
        .find_map(|entity| context.domain.attribute(entity, name).map(|it| (entity, it.name.clone())))
}

/// What stands before "must be unique" or "not taken", or after "unique".
fn unique_subject<'p>(words: Phrase<'p>, lower: &str) -> Option<Phrase<'p>> {
    if lower.len() != words.as_str().len() {
        return None;
    }
    // "email not taken", "the slug must not be in use"
    let free = ["not taken", "not be taken", "not in use", "not be in use", "not used", "not be used"];
    if let Some(at) = free.iter().find_map(|it| lower.find(it)) {
        return Some(words.slice(0..at).trim());
    }
    let at = lower.find("unique")?;
    let text = words.as_str();
    let before = words.slice(0..at).trim();
    let after = words.slice(at + "unique".len()..text.len()).trim();
    let subject = if tokens(before).next().is_some() { before } else { after };
    tokens(subject).next().map(|_| subject)
}

fn unique(subject: Phrase<'_>, context: &Context<'_>) -> Option<ConditionKind> {
    let mut entity = context.domain.mentions(subject).first().map(|(entity, _)| *entity);
    let mut attributes = Vec::new();
    for word in tokens(subject) {
        if let Some((found, name)) = entity
            .and_then(|entity| {
                context.domain.attribute(entity, word.as_str()).map(|it| (entity, it.name.clone()))
            })
            .or_else(|| owner(word.as_str(), context))
        {
            entity.get_or_insert(found);
            if !attributes.contains(&name) {
                attributes.push(name);
            }
        }
    }
    let entity = entity?;
    let entity = context.domain.entities[entity].name.clone();
    if attributes.is_empty() { None } else { Some(ConditionKind::Unique { entity, attributes }) }
}

/// "max 100 songs per user", "at most 5 addresses per customer", "a user can have up to 100 songs".
fn at_most(words: Phrase<'_>, lower: &str, context: &Context<'_>) -> Option<ConditionKind> {
    let capped = [
        "max ",
        "maximum",
        "at most",
        "up to",
        "no more than",
        "limit of",
        "limited to",
        "fewer than",
        "less than",
    ];
    if !capped.iter().any(|it| lower.contains(it)) {
        return None;
    }
    let (amount, rest) = quantity(words)?;
    let limit = if lower.contains("fewer than") || lower.contains("less than") {
        amount.mean.saturating_sub(1)
    } else {
        amount.mean
    };
    let counted = context.domain.mentions(rest);
    let before = context.domain.mentions(words);
    let (entity, _) = counted.first()?;
    let per = counted.get(1).or_else(|| before.iter().find(|(it, _)| it != entity)).map(|(it, _)| *it);
    let entity = per.and_then(|per| tie(context, *entity, per)).unwrap_or(*entity);
    Some(ConditionKind::AtMost {
        entity: context.domain.entities[entity].name.clone(),
        per: per.map(|per| context.domain.entities[per].name.clone()),
        limit,
    })
}

/// What ties two entities together that are many to many, where the pattern writes that: who signs players for a team
/// counts what says so, not players.
fn tie(context: &Context<'_>, counted: usize, per: usize) -> Option<usize> {
    let name = |entity: usize| context.domain.entities[entity].name.as_str();
    let refers = |from: &Entity, to: usize| {
        let mut references = from.attributes.iter().filter_map(|it| it.reference.as_ref());
        references.any(|it| it.value.entity == name(to))
    };
    let is_written = context.entities.contains(&counted);
    let mut ties = context.entities.iter().copied().filter(|it| ![counted, per].contains(it));
    ties.find(|it| {
        let between = &context.domain.entities[*it];
        !is_written && refers(between, counted) && refers(between, per)
    })
}

/// The version that the caller read is still the item's.
fn version(context: &Context<'_>) -> Option<ConditionKind> {
    let (entity, attribute) = context.entities.iter().find_map(|entity| {
        let attributes = &context.domain.entities[*entity].attributes;
        attributes
            .iter()
            .find(|it| it.version.is_some() || fold(&it.name) == "version")
            .map(|it| (*entity, it))
    })?;
    let wanted = fold(&attribute.name);
    let input = context.inputs.iter().find(|input| {
        let folded = fold(input);
        folded == wanted || folded == format!("expected{wanted}") || folded == format!("current{wanted}")
    })?;
    Some(ConditionKind::Compare {
        attribute: AttributeRef::new(&context.domain.entities[entity].name, &attribute.name),
        comparator: Comparator::Equal,
        value: ConditionValue::Input(input.clone()),
    })
}
