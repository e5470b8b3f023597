//! What must hold for a write: "X must exist", "status must be PENDING", "max 100 songs per user".

mod bearer;
mod comparison;

use std::ops::Range;

use keywright_dynamodb::expression::Comparator;
use keywright_model::model::{Attribute, AttributeRef, Condition, ConditionKind, ConditionValue, Entity};

use crate::markdown::Phrase;

use super::cardinality::per;
use super::names::{Domain, fold, join, tokens};
use super::quantity::quantity;
use super::remarks::Remarks;
use super::states::state_named;
use bearer::{Bearer, Suits, bearer};
use comparison::comparison;

/// What is known of a pattern when its conditions are read.
pub(super) struct Context<'a> {
    /// The entities of the pattern and of its effects, the main one first.
    pub(super) entities: &'a [usize],
    /// Those of them that come to be: nothing holds of them before.
    pub(super) created: &'a [usize],
    /// The names of the inputs, as written.
    pub(super) inputs: &'a [String],
    pub(super) domain: &'a Domain<'a>,
}

/// Reads the cell Conditions. What can't be read is kept as words.
pub(super) fn read(cell: Phrase<'_>, context: &Context<'_>, remarks: &mut Remarks) -> Vec<Condition> {
    clauses(cell)
        .into_iter()
        .map(|words| Condition {
            text: words.as_str().to_owned(),
            span: words.span(),
            kind: kind_of(words, context, remarks).unwrap_or(ConditionKind::Words),
        })
        .collect()
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

fn kind_of(words: Phrase<'_>, context: &Context<'_>, remarks: &mut Remarks) -> Option<ConditionKind> {
    let lower = words.as_str().to_lowercase();
    let main = || context.entities.first().map(|entity| context.domain.entities[*entity].name.clone());
    if let Some(kind) = at_most(words, &lower, context) {
        return Some(kind);
    }
    if let Some(kind) = existence(words, &lower, context) {
        return Some(kind);
    }
    if let Some(before) = unique_subject(words, &lower) {
        return unique(before, unique_scope(words, &lower), context, remarks);
    }
    if let Some((kind, bearer)) = held(words, &lower, context).or_else(|| comparison(words, context)) {
        bearer.note(words, remarks);
        return Some(kind);
    }
    // "optimistic locking", "version must match", "version unchanged"
    if ["must match", "unchanged", "optimistic lock", "matches"].iter().any(|it| lower.contains(it)) {
        return matching(words, &lower, context).or_else(|| version(context));
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
    // An identity that the write makes up is nobody's.
    let made_up = |word: &Phrase<'_>| {
        let is_new =
            owner(word.as_str(), context).is_some_and(|(entity, _)| context.created.contains(&entity));
        is_new && !context.inputs.iter().any(|input| fold(input) == fold(word.as_str()))
    };
    let owned = subject.iter().find_map(|word| {
        let lacking = if function || made_up(word) { lacking(word.as_str(), context) } else { None };
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
    if let Some(entity) = named.filter(|_| names_entity) {
        let declared = &context.domain.entities[entity];
        let rest = || subject.iter().filter(|word| qualifies_existence(**word, words, entity, context));
        // "A user with that email must not exist": no two may have it.
        let unique: Vec<String> = rest()
            .filter_map(|word| context.domain.attribute(entity, word.as_str()))
            .map(|it| it.name.clone())
            .collect();
        if negated && !unique.is_empty() && unique.len() == rest().count() {
            return Some(ConditionKind::Unique { entity: declared.name.clone(), attributes: unique });
        }
        // "An active loan must exist" speaks of some of them, and "a loan of that book must not" of others.
        if rest().any(|word| negated || state_named(word.as_str(), declared).is_some()) {
            return None;
        }
    }
    let owned = owned.map(|it| it.0);
    let main =
        context.entities.first().copied().filter(|_| subject.is_empty() || lower.contains("attribute_"));
    let entity = named.or(owned).or(main)?;
    let entity = context.domain.entities[entity].name.clone();
    Some(if negated { ConditionKind::NotExists { entity } } else { ConditionKind::Exists { entity } })
}

/// Whether a word of "a loan of that book must not exist" says which loans: it names no entity and nothing of what
/// identifies one.
fn qualifies_existence(word: Phrase<'_>, words: Phrase<'_>, entity: usize, context: &Context<'_>) -> bool {
    const PLAIN: [&str; 22] = [
        "of",
        "for",
        "with",
        "this",
        "these",
        "those",
        "by",
        "and",
        "or",
        "under",
        "in",
        "from",
        "to",
        "on",
        "any",
        "other",
        "another",
        "one",
        "new",
        "existing",
        "duplicate",
        "id",
    ];
    let is_plain = PLAIN.iter().any(|it| word.is(it));
    let named = context.domain.mentions(words);
    let is_named = named.iter().any(|(_, it)| it.span().contains(word.span()));
    let identifies = context
        .domain
        .attribute(entity, word.as_str())
        .is_some_and(|it| context.domain.identifies(entity, &it.name));
    let points = context.domain.counted_by(word).is_some();
    !is_plain && !is_named && !identifies && !points
}

/// "lessonId must be empty", "endedAt must not be set", "assignee is set".
fn held(words: Phrase<'_>, lower: &str, context: &Context<'_>) -> Option<(ConditionKind, Bearer)> {
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
    // What every item has is never missing.
    let suits = |it: &Attribute| if it.is_optional() { Suits::Well } else { Suits::Never };
    let bearer = bearer(words.slice(0..at).trim(), &suits, context)?;
    Some((ConditionKind::Held { attribute: bearer.attribute.clone(), held }, bearer))
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

/// What the input `newEmail` gives a new value.
fn renewed<'w>(name: &'w str, context: &Context<'_>) -> Option<&'w str> {
    let is_input = context.inputs.iter().any(|input| fold(input) == fold(name));
    let rest = ["new", "updated", "next"].iter().find_map(|word| name.strip_prefix(word));
    rest.map(|rest| rest.trim_start_matches('_')).filter(|rest| is_input && !rest.is_empty())
}

/// What stands behind "unique": "per folder", "within its workspace".
fn unique_scope<'p>(words: Phrase<'p>, lower: &str) -> Option<Phrase<'p>> {
    let at = lower.find("unique").filter(|_| lower.len() == words.as_str().len())? + "unique".len();
    let after = words.slice(at..words.as_str().len()).trim();
    let first = tokens(after).next()?;
    ["per", "within", "in", "for", "across", "among"].iter().any(|it| first.is(it)).then_some(after)
}

fn unique(
    subject: Phrase<'_>,
    scope: Option<Phrase<'_>>,
    context: &Context<'_>,
    remarks: &mut Remarks,
) -> Option<ConditionKind> {
    let mut entity = context.domain.mentions(subject).first().map(|(entity, _)| *entity);
    let mut attributes = Vec::new();
    let words: Vec<Phrase<'_>> = tokens(subject).collect();
    // "The insurance number must be unique" is about `insuranceNumber`.
    let runs = (1..=3).rev().flat_map(|count| words.windows(count));
    for word in runs.map(|run| join(subject, run)) {
        if let Some((found, name)) = entity
            .and_then(|entity| {
                context.domain.attribute(entity, word.as_str()).map(|it| (entity, it.name.clone()))
            })
            .or_else(|| owner(word.as_str(), context))
            .or_else(|| owner(renewed(word.as_str(), context)?, context))
        {
            entity.get_or_insert(found);
            if !attributes.contains(&name) {
                attributes.push(name);
            }
        }
    }
    let declared = &context.domain.entities[entity?];
    if attributes.is_empty() {
        return None;
    }
    // "Unique per folder" is unique together with what names the folder; what nothing names is not understood.
    let plain = [
        "per", "within", "in", "for", "across", "among", "and", "a", "an", "the", "its", "each", "one",
        "same", "every",
    ];
    for word in scope.into_iter().flat_map(tokens).filter(|word| !plain.iter().any(|it| word.is(it))) {
        let name = word.as_str().trim_end_matches("'s");
        let own = entity.and_then(|it| {
            let domain = context.domain;
            let id = format!("{name}Id");
            let found = domain.attribute(it, name).or_else(|| domain.pointer(it, &fold(name)));
            found.or_else(|| domain.attribute(it, &id)).map(|it| it.name.clone())
        });
        let tenant = || {
            let tenants = declared.attributes.iter().find(|it| it.tenant.is_some());
            tenants.filter(|_| word.is("tenant")).map(|it| it.name.clone())
        };
        if !declared.name.eq_ignore_ascii_case(name) && !is_all_of(&declared.name, name) {
            let name = own.or_else(tenant)?;
            if !attributes.contains(&name) {
                attributes.push(name);
            }
        }
    }
    if let Some(set) = declared_set(declared, &attributes) {
        let words = attributes.join(" and ");
        remarks.assume(
            subject.span(),
            format!("read \"{words}\" as {} together", set.join(" and ")),
            format!(
                "that is what {} declares as unique; mark `{words}` as `unique` if no two may have it at all",
                declared.name
            ),
        );
        attributes = set;
    }
    Some(ConditionKind::Unique { entity: declared.name.clone(), attributes })
}

/// Whether a noun means all items of an entity: "unique among users".
fn is_all_of(entity: &str, noun: &str) -> bool {
    let (entity, noun) = (fold(entity), fold(noun));
    noun.strip_suffix('s') == Some(&entity) || noun == "all"
}

/// The attributes that the document says are unique together, of which these are some; none where it says that these
/// are unique by themselves.
fn declared_set(entity: &Entity, attributes: &[String]) -> Option<Vec<String>> {
    let alone = |name: &String| {
        entity.attribute(name).and_then(|it| it.unique.as_ref()).is_some_and(|unique| unique.value)
    };
    let identity: Vec<String> = entity.identity_names().map(str::to_owned).collect();
    let mut sets: Vec<&Vec<String>> = entity.unique.iter().map(|set| &set.attributes).collect();
    sets.push(&identity);
    let within = |set: &&&Vec<String>| attributes.iter().all(|name| set.contains(name));
    if attributes.iter().any(alone) || sets.iter().filter(within).any(|set| set.len() == attributes.len()) {
        return None;
    }
    sets.iter().find(within).map(|set| (*set).clone())
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
    let named = counted.get(1).or_else(|| before.iter().find(|(it, _)| it != entity)).map(|(it, _)| *it);
    let per = match (named, per(rest.as_str())) {
        // A limit for each of what nobody knows is none for all.
        (None, Some(at)) => Some(context.domain.counted_by(rest.slice(at..rest.as_str().len()))?),
        _ => named,
    };
    if qualifies(words, context.domain) {
        return None;
    }
    let entity = per.and_then(|per| tie(context, *entity, per)).unwrap_or(*entity);
    Some(ConditionKind::AtMost {
        entity: context.domain.entities[entity].name.clone(),
        per: per.map(|per| context.domain.entities[per].name.clone()),
        limit,
    })
}

/// Whether words say of which of the items a limit speaks: "max 5 **open** loans per member", "5 a **day**".
fn qualifies(words: Phrase<'_>, domain: &Domain<'_>) -> bool {
    const PLAIN: [&str; 50] = [
        "max", "maximum", "at", "most", "up", "to", "no", "more", "than", "limit", "limits", "limited", "of",
        "fewer", "less", "per", "each", "every", "for", "a", "an", "the", "any", "one", "can", "cannot",
        "may", "must", "not", "have", "has", "hold", "holds", "own", "owns", "contain", "contains", "with",
        "be", "are", "is", "in", "on", "there", "items", "total", "its", "their", "allowed", "and",
    ];
    let named = domain.mentions(words);
    tokens(words).any(|word| {
        let is_plain =
            PLAIN.iter().any(|it| word.is(it)) || word.as_str().starts_with(|it: char| it.is_ascii_digit());
        let is_named = named.iter().any(|(_, it)| it.span().contains(word.span()));
        !is_plain && !is_named && domain.counted_by(word).is_none()
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

/// "holdId must match": the item's is the one that an input of the same name gives.
fn matching(words: Phrase<'_>, lower: &str, context: &Context<'_>) -> Option<ConditionKind> {
    let end = ["must match", "must still match", "matches", "must be unchanged", "is unchanged", "unchanged"]
        .iter()
        .filter_map(|it| lower.find(it))
        .min()
        .filter(|_| lower.len() == words.as_str().len())?;
    let attribute = bearer(words.slice(0..end).trim(), &|_| Suits::Well, context)?.attribute;
    let is_new = context.created.iter().any(|it| context.domain.entities[*it].name == attribute.entity);
    let wanted = fold(&attribute.attribute);
    let input = context.inputs.iter().find(|input| fold(input) == wanted).filter(|_| !is_new)?;
    let value = ConditionValue::Input(input.clone());
    Some(ConditionKind::Compare { attribute, comparator: Comparator::Equal, value })
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
