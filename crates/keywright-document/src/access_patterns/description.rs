//! What a description in words tells where a table has no column for it: inputs, and how many items.

use keywright_model::At;
use keywright_model::model::{Action, Attribute, AttributeRef, Effect, Input, Literal, Role, Sort, Type};

use crate::markdown::Phrase;
use crate::rules::UNREADABLE_CELL;

use super::inputs::{Context, Written, resolve};
use super::names::{Domain, fold, join, tokens};
use super::patterns::SELECTORS;
use super::remarks::Remarks;
use super::states::{state_named, state_of};

/// The placeholders of a key condition: `PK = USER#<username>` gives `username`.
pub(super) fn placeholders(cell: Phrase<'_>) -> Vec<Written<'_>> {
    let text = cell.as_str();
    let mut found: Vec<Written<'_>> = Vec::new();
    let mut at = 0;
    while let Some(open) = text[at..].find(['<', '{']).map(|offset| at + offset) {
        let close = if text[open..].starts_with('<') { '>' } else { '}' };
        let Some(end) = text[open..].find(close).map(|offset| open + offset) else { break };
        let name = cell.slice(open + 1..end).trim();
        // An encoding may follow a colon.
        let name = name.split_once(':').map_or(name, |(name, _)| name);
        let is_name = !name.is_empty() && !name.as_str().contains(char::is_whitespace);
        if is_name && !found.iter().any(|it| fold(it.name.as_str()) == fold(name.as_str())) {
            found.push(written(name));
        }
        at = end + 1;
    }
    found
}

/// Whether a word tells the order.
fn orders(order: &[Sort], word: Phrase<'_>) -> bool {
    order.iter().any(|it| it.span.contains(word.span()))
}

fn written(name: Phrase<'_>) -> Written<'_> {
    Written { name, attribute: None, operator: None, constant: None, optional: false, list: false }
}

/// Words for a whole period of the time that a result is about: "logs by month".
const PERIODS: &[&str] = &["month", "day", "year", "hour"];

/// The inputs of "Get user by email", "List orders for a customer", "orders by status and date". The words of the order
/// select nothing.
pub(super) fn inputs(
    description: Phrase<'_>,
    order: &[Sort],
    context: &Context<'_>,
    remarks: &mut Remarks,
) -> Option<At<Vec<Input>>> {
    let words: Vec<Phrase<'_>> = tokens(description).filter(|word| !orders(order, *word)).collect();
    let mut found: Vec<Written<'_>> = Vec::new();
    let mut selects = false;
    let mut parents = Vec::new();
    let is_attribute = |name: Phrase<'_>| {
        context.entities.iter().any(|entity| context.domain.attribute(*entity, name.as_str()).is_some())
    };
    for (at, word) in words.iter().enumerate() {
        let lower = word.as_str().to_lowercase();
        match lower.as_str() {
            // "Sorted by title" says nothing of what is given.
            "by" if at > 0
                && ["sorted", "ordered", "sort", "order"].iter().any(|it| words[at - 1].is(it)) =>
            {
                selects = false;
            }
            "by" | "for" | "with" | "of" | "in" | "within" | "per" | "from" | "under" | "where" | "whose"
            | "using" | "on" => selects = true,
            "and" | "or" | "a" | "an" | "the" | "given" | "specific" | "single" | "one" => {}
            "sorted" | "ordered" | "newest" | "latest" => selects = false,
            _ if selects => {
                // "By feed url" is by `feedUrl`.
                let longest = (2..=3).rev().filter_map(|count| words.get(at..at + count));
                let several = longest.map(|some| join(description, some)).find(|it| is_attribute(*it));
                let parent = context.domain.find(word.as_str()).filter(|it| !context.entities.contains(it));
                if let Some(name) = several {
                    found.push(written(name));
                } else if is_attribute(*word) || lower == "id" || PERIODS.contains(&lower.as_str()) {
                    found.push(written(*word));
                } else if let Some(parent) = parent {
                    parents.push((parent, *word));
                }
            }
            _ => {}
        }
    }
    // "A driver's trips", "user orders": the noun right before the entity's own selects.
    for pair in context.domain.mentions(description).windows(2) {
        let ((parent, before), (entity, noun)) = (pair[0], pair[1]);
        let selects = context.entities.contains(&entity) && !context.entities.contains(&parent);
        if selects && before.is_right_before(noun) {
            parents.push((parent, before));
        }
    }
    let states = states(&words, context, remarks);
    found.retain(|it| !states.iter().any(|state| fold(&state.name) == fold(it.name.as_str())));
    let mut inputs = resolve(&found, false, context, remarks);
    inputs.extend(states);
    for (parent, word) in parents {
        for name in context.domain.entities[parent].identity_names() {
            let binds: Vec<_> = context
                .entities
                .iter()
                .filter_map(|entity| pointing(*entity, parent, name, context))
                .collect();
            if let Some(bound) = binds.first() {
                inputs.push(Input {
                    name: bound.attribute.clone(),
                    span: word.span(),
                    role: Role::Equal,
                    binds,
                    constant: None,
                    optional: false,
                    list: false,
                    filter: false,
                    assumed: true,
                });
            }
        }
    }
    if inputs.is_empty() {
        return None;
    }
    for input in &mut inputs {
        input.assumed = true;
        if let Some(bound) = input.binds.first().filter(|_| input.name.contains(char::is_whitespace)) {
            input.name.clone_from(&bound.attribute);
        }
    }
    let names = inputs.iter().map(shown).collect::<Vec<_>>().join(", ");
    remarks.assume(
        description.span(),
        format!("read the inputs of \"{}\" as {names}", description.as_str()),
        "add a column Input Parameters",
    );
    Some(At::assumed(inputs, description.span()))
}

/// An input as it would be written.
fn shown(input: &Input) -> String {
    match &input.constant {
        Some(value) => format!("{} = {value}", input.name),
        None => input.name.clone(),
    }
}

/// What a read says of its items: **open** orders, a doctor's **booked** appointments.
fn states(words: &[Phrase<'_>], context: &Context<'_>, remarks: &mut Remarks) -> Vec<Input> {
    let [entity] = context.entities else { return Vec::new() };
    let declared = &context.domain.entities[*entity];
    let mut found: Vec<Input> = Vec::new();
    for word in words.iter().filter(|_| context.read) {
        let state = state_named(word.as_str(), declared);
        let state = state.map(|(it, value)| (it, Literal::String(value.value.clone())));
        let flag = || {
            let flag = context.domain.attribute(*entity, word.as_str());
            flag.filter(|it| it.ty.value == Type::Boolean).map(|it| (it, Literal::Boolean(true)))
        };
        let Some((attribute, value)) = state.or_else(flag) else { continue };
        if found.iter().any(|it| it.name == attribute.name && it.constant.as_ref() != Some(&value)) {
            remarks.say(
                &UNREADABLE_CELL,
                word.span(),
                format!("one read takes one value of {}, not `{}` as well", attribute.name, word.as_str()),
                "write a pattern for each value that is wanted",
            );
        } else if !found.iter().any(|it| it.name == attribute.name) {
            found.push(Input { constant: Some(value), ..equal(&declared.name, &attribute.name, *word) });
        }
    }
    found
}

/// The inputs of a read whose words name none: one item is found by what identifies it, all items by nothing.
pub(super) fn unsaid_inputs(
    description: Phrase<'_>,
    order: &[Sort],
    single: bool,
    context: &Context<'_>,
    remarks: &mut Remarks,
) -> Option<At<Vec<Input>>> {
    let [entity] = context.entities else { return None };
    let declared = &context.domain.entities[*entity];
    let words = description.as_str();
    // "By" and a word that is no attribute: what is given is said, only not understood.
    let left = || tokens(description).filter(|word| !orders(order, *word));
    if left().any(|word| word.is("by") || word.is("with")) {
        return None;
    }
    let selects = || left().any(|word| SELECTORS.iter().any(|it| word.is(it)));
    let (inputs, what) = if single && !declared.identity.is_empty() {
        let names = declared.identity_names().collect::<Vec<_>>().join(", ");
        (declared.identity_names().map(|name| equal(&declared.name, name, description)).collect(), names)
    } else if left().any(|word| word.is("all") || word.is("every")) || !single && !selects() {
        (Vec::new(), "none".to_owned())
    } else {
        return None;
    };
    remarks.assume(
        description.span(),
        format!("read the inputs of \"{words}\" as {what}"),
        "add a column Input Parameters",
    );
    Some(At::assumed(inputs, description.span()))
}

/// The inputs of a write whose words name none: a create is given all that its item has, a delete what identifies it, an
/// update that and what it names.
pub(super) fn unsaid_inputs_of(
    effects: &[Effect],
    description: Phrase<'_>,
    domain: &Domain<'_>,
    remarks: &mut Remarks,
) -> Option<At<Vec<Input>>> {
    let [effect] = effects else { return None };
    let entity = domain.find(&effect.entity)?;
    let declared = &domain.entities[entity];
    let inputs: Vec<Input> = match effect.action {
        Action::Create | Action::Put => {
            declared.attributes.iter().map(|it| equal(&declared.name, &it.name, description)).collect()
        }
        Action::Delete | Action::Update if !effect.all => {
            let identity = declared.identity_names().map(|name| equal(&declared.name, name, description));
            let changed = changed(effect, entity, description, domain);
            identity.chain(changed).collect()
        }
        _ => return None,
    };
    if inputs.is_empty() {
        return None;
    }
    let names: Vec<String> = inputs.iter().map(shown).collect();
    remarks.assume(
        description.span(),
        format!("read the inputs of \"{}\" as {}", description.as_str(), names.join(", ")),
        "add a column Input Parameters",
    );
    Some(At::assumed(inputs, description.span()))
}

/// What an update gives new values: the state that its words lead to, "mark an order as **shipped**", what they name,
/// "update a member's **plan**", or the state of its verb, "**cancel** a booking".
fn changed(effect: &Effect, entity: usize, description: Phrase<'_>, domain: &Domain<'_>) -> Vec<Input> {
    if effect.action != Action::Update {
        return Vec::new();
    }
    let declared = &domain.entities[entity];
    let words: Vec<Phrase<'_>> = tokens(description).collect();
    let new = |it: &Attribute| Input { role: Role::NewValue, ..equal(&declared.name, &it.name, description) };
    let becomes = |(it, value): (&Attribute, &At<String>)| Input {
        constant: Some(Literal::String(value.value.clone())),
        ..new(it)
    };
    let told = words
        .windows(2)
        .filter(|pair| pair[0].is("as") || pair[0].is("to"))
        .find_map(|pair| state_named(pair[1].as_str(), declared));
    let named = declared.attributes.iter().filter(|it| {
        let is_named = words
            .iter()
            .any(|word| domain.attribute(entity, word.as_str()).is_some_and(|named| named.name == it.name));
        is_named && !declared.identity_names().any(|name| name == it.name)
    });
    let mut inputs: Vec<Input> = told.map(becomes).into_iter().collect();
    inputs.extend(named.filter(|it| told.is_none_or(|(told, _)| told.name != it.name)).map(new));
    if inputs.is_empty() {
        let state = words.first().and_then(|verb| state_of(verb.as_str(), declared));
        inputs.extend(state.map(becomes));
    }
    inputs
}

/// An input that is the value of an attribute, as the words let assume.
fn equal(entity: &str, name: &str, words: Phrase<'_>) -> Input {
    Input {
        name: name.to_owned(),
        span: words.span(),
        role: Role::Equal,
        binds: vec![AttributeRef::new(entity, name)],
        constant: None,
        optional: false,
        list: false,
        filter: false,
        assumed: true,
    }
}

/// The attribute through which an entity points to a part of another's identity.
fn pointing(entity: usize, parent: usize, name: &str, context: &Context<'_>) -> Option<AttributeRef> {
    let (child, parent) = (&context.domain.entities[entity], &context.domain.entities[parent].name);
    let pointer = context.domain.pointer(entity, &format!("{}{}", fold(parent), fold(name)));
    let found = pointer.or_else(|| context.domain.attribute(entity, name))?;
    Some(AttributeRef::new(&child.name, &found.name))
}

/// "Top 100", "latest 20", "last 10": how many items one answer has.
pub(super) fn top(description: Phrase<'_>) -> Option<(u64, Phrase<'_>)> {
    let words: Vec<Phrase<'_>> = tokens(description).collect();
    words.windows(2).find_map(|pair| {
        let leads = ["top", "latest", "last", "first", "newest", "recent"].iter().any(|it| pair[0].is(it));
        let size: u64 = pair[1].as_str().parse().ok().filter(|size| leads && *size > 0)?;
        let text = description.as_str();
        let offset = |part: Phrase<'_>| part.as_str().as_ptr() as usize - text.as_ptr() as usize;
        let end = offset(pair[1]) + pair[1].as_str().len();
        // "Last 30 days" is a time, not a number of items.
        let next = tokens(description.slice(end..text.len())).next();
        let time = next.is_some_and(|word| {
            ["day", "hour", "minute", "week", "month", "year", "second"]
                .iter()
                .any(|unit| word.as_str().to_lowercase().starts_with(unit))
        });
        (!time).then(|| (size, description.slice(offset(pair[0])..end)))
    })
}
