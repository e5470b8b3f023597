//! What a write touches: `1 (User)`, `Song + Rating + GlobalRating update`, `User + all Songs`, `OrderCount +1`.

mod assignment;
mod changes;
mod guess;
mod moved;
mod role;
mod step;

use keywright_finding::Span;
use keywright_model::model::{Action, Effect, Step};

use crate::markdown::Phrase;
use crate::rules::UNREADABLE_CELL;

use super::attribute::split_list;
use super::cell::Said;
use super::names::{Domain, fold, tokens};
use super::outline::Kind;
use super::remarks::Remarks;
use super::verbs::Verb;
use assignment::assignment;
use changes::Changes;
use guess::{default_action, note_guess, noun, refine};
use step::step;

pub(super) use assignment::Assignment;
pub(super) use moved::{moved, moved_number};
pub(super) use role::tell_apart;

/// What is known of a pattern when its effects are read.
pub(super) struct Context<'a, 'p> {
    pub(super) kind: Kind,
    pub(super) description: Phrase<'p>,
    /// What the description says is done.
    pub(super) verb: Option<Verb>,
    /// The entities whose items, as conditions say, are there before (an update) or not (a creation).
    pub(super) existence: &'a [(usize, Verb)],
    /// The entities of the column Entity: where they stand and which they are, if known.
    pub(super) entities: &'a [(Phrase<'p>, Option<usize>)],
    /// The names of the inputs, folded.
    pub(super) inputs: &'a [String],
    /// The same as they are written.
    pub(super) names: &'a [String],
    pub(super) domain: &'a Domain<'a>,
}

/// What a cell with items says.
#[derive(Default)]
pub(super) struct Items<'p> {
    pub(super) effects: Vec<Effect>,
    /// The values that it gives to attributes.
    pub(super) assignments: Vec<Assignment<'p>>,
}

/// Reads the cell with the items; where it is silent, the pattern's entities are what it touches.
pub(super) fn read<'p>(cell: Said<'p>, context: &Context<'_, '_>, remarks: &mut Remarks) -> Items<'p> {
    let mut items = Items::default();
    if let Said::Words(cell) = cell {
        let mut verb = None;
        for part in split_effects(cell) {
            // "delete Booking, all Passengers": the verb stands once for all that follow.
            let own = verb_among(part, context).or(verb.filter(|_| !part.as_str().contains(['(', '.', '+'])));
            read_part(part, own, context, &mut items, remarks);
            verb = own.filter(|verb| matches!(verb, Verb::Create | Verb::Delete));
        }
        join_updates(&mut items.effects);
    }
    let effects = &mut items.effects;
    if effects.is_empty()
        && let [(first, Some(one)), (last, Some(other))] = context.entities
        && let Some(link) = context.domain.link(*one, *other)
    {
        // A pattern about two that a link ties together is about the link.
        effects.push(effect(
            link.to_owned(),
            first.span().cover(last.span()),
            default_action(context.domain.find(link), context),
            false,
        ));
    }
    if let (true, [(words, Some(entity))]) = (effects.is_empty(), context.entities)
        && let Some((attribute, by)) = moved(context.description, *entity, context.names, context.domain)
    {
        let name = context.domain.entities[*entity].name.clone();
        remarks.assume(
            context.description.span(),
            format!(
                "read \"{}\" as a change of {name}.{attribute} by {}",
                context.description.as_str(),
                amount(&by)
            ),
            format!("the verb says so; to state it, write `{name} ({attribute} +…)` as the items written"),
        );
        effects.push(effect(name, words.span(), Action::Add { attribute, by }, true));
    }
    if effects.is_empty() {
        // "1", an empty cell: the entities of the pattern.
        let assumed = !matches!(cell, Said::Words(_));
        for (words, entity) in context.entities {
            let name = entity.map_or_else(
                || words.as_str().to_owned(),
                |index| context.domain.entities[index].name.clone(),
            );
            let mut found = effect(name, words.span(), default_action(*entity, context), assumed);
            // "Delete a ticket with all its comments"
            let told = context.description.span().contains(words.span());
            let goes = told && found.action == Action::Delete && is_plural(words.as_str(), &found.entity);
            // "Delete all sessions of a customer"
            let all = || {
                let words = tokens(context.description).take_while(|it| it.span().start < words.span().start);
                words.last().is_some_and(|word| word.is("all") || word.is("every"))
            };
            found.all = goes && (!effects.is_empty() || all());
            effects.push(found);
        }
        if assumed && let Some(first) = effects.first() {
            let names = effects.iter().map(|it| it.entity.as_str()).collect::<Vec<_>>().join(" and ");
            let place = effects.iter().map(|it| it.span).fold(first.span, Span::cover);
            let subject = match context.description.as_str() {
                "" => "the pattern".to_owned(),
                words => format!("\"{words}\""),
            };
            let statement = format!("read {subject} as {} of {names}", noun(&first.action));
            remarks.assume(
                place,
                statement,
                "the items are not stated; name them in the column Items Written or Items Deleted",
            );
        }
    }
    if let Said::Words(cell) = cell
        && context.kind == Kind::Write
        && context.verb.is_none()
        && verb_among(cell, context).is_none()
    {
        note_guess(effects, context, remarks);
    }
    refine(effects, context, remarks);
    items
}

fn amount(by: &Step) -> String {
    match by {
        Step::Fixed(by) => by.to_string(),
        Step::Input(input) | Step::MinusInput(input) => format!("the input `{input}`"),
    }
}

/// `Seat.passenger, Seat.booking` change one item once.
fn join_updates(effects: &mut Vec<Effect>) {
    let mut joined: Vec<Effect> = Vec::with_capacity(effects.len());
    for next in effects.drain(..) {
        let changes = |it: &Effect| it.action == Action::Update && !it.all && !it.attributes.is_empty();
        let same = |it: &Effect| it.entity == next.entity && it.named_by == next.named_by;
        match joined.iter_mut().find(|it| same(it) && changes(it) && changes(&next)) {
            Some(before) => {
                before.attributes.extend(next.attributes);
                before.removes.extend(next.removes);
            }
            None => joined.push(next),
        }
    }
    *effects = joined;
}

fn effect(entity: String, span: Span, action: Action, assumed: bool) -> Effect {
    let (attributes, removes) = (Vec::new(), Vec::new());
    Effect { entity, span, action, named_by: None, attributes, removes, all: false, assumed }
}

/// The parts between `+`, commas, `and` and `&`; a `+` before a number is a step, and parentheses hold together.
fn split_effects(cell: Phrase<'_>) -> Vec<Phrase<'_>> {
    let mut parts = Vec::new();
    for piece in split_list(cell) {
        let text = piece.as_str();
        let mut depth = 0_usize;
        let mut start = 0;
        for (at, next) in text.char_indices() {
            match next {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                '+' if depth == 0 && !is_step(&text[at + 1..]) => {
                    parts.push(piece.slice(start..at).trim());
                    start = at + 1;
                }
                '&' if depth == 0 => {
                    parts.push(piece.slice(start..at).trim());
                    start = at + 1;
                }
                'a' if depth == 0 && text[at..].starts_with("and ") && text[..at].ends_with(' ') => {
                    parts.push(piece.slice(start..at).trim());
                    start = at + 4;
                }
                _ => {}
            }
        }
        parts.push(piece.slice(start.min(text.len())..text.len()).trim());
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// Whether what follows a `+` is a number and nothing more, or touches the sign: a step.
fn is_step(after: &str) -> bool {
    // `stock +quantity`, but `User +Songs`.
    if after
        .starts_with(|next: char| next.is_ascii_digit() || next.is_lowercase() || matches!(next, '+' | '='))
    {
        return true;
    }
    let trimmed = after.trim_start();
    let digits = trimmed.bytes().take_while(u8::is_ascii_digit).count();
    digits > 0 && trimmed[digits..].trim_start().is_empty()
}

fn read_part<'p>(
    part: Phrase<'p>,
    own_verb: Option<Verb>,
    context: &Context<'_, '_>,
    items: &mut Items<'p>,
    remarks: &mut Remarks,
) {
    let text = part.as_str();
    let (outside, inside) = match text.find('(') {
        Some(open) => {
            let close = text.rfind(')').filter(|close| *close > open).unwrap_or(text.len());
            (part.slice(0..open).trim(), Some(part.slice(open + 1..close).trim()))
        }
        None => (part, None),
    };
    let mut named = context.domain.mentions(outside);
    // `Customer.orderCount +1`: what stands before the point is named too.
    named.extend(tokens(outside).filter_map(|word| {
        let (owner, _) = word.as_str().split_once('.')?;
        Some((context.domain.find(owner)?, word.part(owner)))
    }));
    // `1 (User)`, `2 (Order, OrderItem)`: the parentheses name the items.
    if named.is_empty()
        && let Some(inside) = inside
        && tokens(outside).all(|word| is_count(word.as_str()))
    {
        let several = split_effects(inside);
        if !several.is_empty() {
            let before = items.effects.len();
            for part in several {
                read_part(part, verb_among(part, context), context, items, remarks);
            }
            if let (Some(count), [only]) = (tokens(outside).next(), &mut items.effects[before..]) {
                only.all |= count.as_str().chars().all(|next| matches!(next, 'n' | 'N' | 'm' | 'M'));
                report_count(part, count, only, context, remarks);
            }
            return;
        }
    }
    // `fromAccount (balance -amount)`: who is called after an input that points to it.
    let role = role::said(outside, &named, context);
    if let Some(role) = role.filter(|_| named.is_empty()) {
        named.push((role.entity, role.words));
    }
    let mut numbers = tokens(part).peekable();
    if numbers.peek().is_some() && numbers.all(|word| is_count(word.as_str())) {
        // `1`: how many, not of what. Where that is more than the pattern's entities, some are not named.
        let count: Option<usize> = tokens(part).find_map(|word| word.as_str().parse().ok());
        if count.is_some_and(|count| count > context.entities.len().max(1)) {
            report_unnamed(part, remarks);
        }
        return;
    }
    let all = tokens(outside).any(|word| ["all", "every", "each", "n", "many"].iter().any(|it| word.is(it)));
    if let Some((entity, words)) = named.first() {
        // What is said about attributes stands in the parentheses or after the name: `Customer.orderCount +1`.
        let after = part.as_str().split_once(words.as_str()).map(|(_, rest)| part.part(rest));
        let about = inside.or(after).unwrap_or(part);
        let changes = Changes::read(about, *entity, own_verb, context);
        let all = all || is_plural(words.as_str(), &context.domain.entities[*entity].name);
        let before = items.effects.len();
        push_effects(*entity, *words, changes, own_verb, all, context, items);
        let role = role.filter(|role| role.entity == *entity).map(|role| role.input.to_owned());
        items.effects[before..].iter_mut().for_each(|effect| effect.named_by.clone_from(&role));
        return;
    }
    if let [(_, Some(entity))] = context.entities
        && own_verb.is_some()
        && let changes = Changes::read(part, *entity, own_verb, context)
        && changes.names_any_of(&context.domain.entities[*entity])
    {
        // `SET status = PAID`: of the one that the pattern is about.
        push_effects(*entity, part, changes, own_verb, all, context, items);
        return;
    }
    if let Some((entity, found)) = counter(part, context) {
        items.effects.push(found);
        items.assignments.extend(assignment(part, entity, context));
        return;
    }
    // The name of something that nobody declares stays as it is written, so that a rule can speak of it.
    let name = tokens(outside)
        .find(|word| !is_count(word.as_str()) && explicit_verb(word.as_str()).is_none() && !word.is("all"));
    match name {
        Some(name) => {
            let action = own_verb.map_or_else(|| default_action(None, context), action_of);
            let mut found = effect(name.as_str().to_owned(), name.span(), action, false);
            found.all = all;
            items.effects.push(found);
        }
        None => report_unnamed(part, remarks),
    }
}

/// Says that `2 (User)` is one item, where no list and no second input tells the items apart.
fn report_count(
    part: Phrase<'_>,
    count: Phrase<'_>,
    effect: &Effect,
    context: &Context<'_, '_>,
    remarks: &mut Remarks,
) {
    let several = count.as_str().parse::<u64>().is_ok_and(|count| count > 1);
    let Some(entity) = context.domain.find(&effect.entity).filter(|_| several && !effect.all) else { return };
    let declared = &context.domain.entities[entity];
    let points = |input: &&String| {
        context.domain.pointed_at(input) == Some(entity)
            || declared.identity_names().any(|name| input.ends_with(&fold(name)))
    };
    let lists =
        context.inputs.iter().any(|input| input.ends_with('s') && declared.attribute(input).is_none());
    if !lists && context.inputs.iter().filter(points).count() < 2 {
        remarks.doubt(
            part.span(),
            format!("`{}` is read as one item of {}", part.as_str(), declared.name),
            format!(
                "write `1 ({0})`, or name each item, such as `{0} + {0}`, or take a list of them as an input, such as \
                 `{1}[]`",
                declared.name,
                declared.identity_names().last().unwrap_or("id"),
            ),
        );
    }
}

fn report_unnamed(part: Phrase<'_>, remarks: &mut Remarks) {
    remarks.say(
        &UNREADABLE_CELL,
        part.span(),
        format!("`{}` does not say which items are touched", part.as_str()),
        "name the entities, such as `Order + OrderItem`, `Customer (orderCount +1)` or `all Songs`",
    );
}

fn is_count(word: &str) -> bool {
    let lower = word.to_lowercase();
    matches!(lower.as_str(), "n" | "m" | "x" | "×" | "item" | "items" | "record" | "records")
        || lower.trim_end_matches('x').chars().all(|next| next.is_ascii_digit())
}

/// The verb of a cell: only words that say what happens to an item, and none that name an entity, for a Star may be one.
fn verb_among(part: Phrase<'_>, context: &Context<'_, '_>) -> Option<Verb> {
    let named = context.domain.mentions(part);
    tokens(part)
        .filter(|word| !named.iter().any(|(_, name)| name.span().contains(word.span())))
        .find_map(|word| explicit_verb(word.as_str()))
}

/// Whether a cell says itself what happens to its items: `new Event`, `Order update`, `stock +1`.
pub(super) fn names_action(cell: Phrase<'_>) -> bool {
    let text = cell.as_str();
    tokens(cell).any(|word| explicit_verb(word.as_str()).is_some()) || text.contains(['+', '=', ':'])
}

fn explicit_verb(word: &str) -> Option<Verb> {
    Some(match word.to_lowercase().as_str() {
        "new" | "create" | "created" | "creates" | "insert" | "inserted" => Verb::Create,
        "put" | "upsert" | "replace" | "replaced" | "upserted" => Verb::Put,
        "update" | "updated" | "updates" | "set" | "change" | "changed" | "modify" | "soft-delete"
        | "mark" => Verb::Update,
        "delete" | "deleted" | "deletes" | "remove" | "removed" => Verb::Delete,
        "add" | "increment" | "incremented" | "increase" | "bump" => Verb::Increment,
        "decrement" | "decremented" | "decrease" | "reduce" => Verb::Decrement,
        _ => return None,
    })
}

fn action_of(verb: Verb) -> Action {
    match verb {
        Verb::Create => Action::Create,
        Verb::Delete => Action::Delete,
        Verb::Put => Action::Put,
        _ => Action::Update,
    }
}

fn push_effects<'p>(
    entity: usize,
    words: Phrase<'p>,
    changes: Changes<'p>,
    own_verb: Option<Verb>,
    all: bool,
    context: &Context<'_, '_>,
    items: &mut Items<'p>,
) {
    let name = &context.domain.entities[entity].name;
    let Changes { attributes, removed, steps, assignments } = changes;
    let changes = !attributes.is_empty() || !removed.is_empty();
    if changes || steps.is_empty() {
        let action = match own_verb {
            // `Player (REMOVE guildId)` takes an attribute away, not the player.
            Some(Verb::Increment | Verb::Decrement | Verb::Delete) if changes => Action::Update,
            Some(verb) => action_of(verb),
            // `Product (stock)`: naming attributes of an item beside the main one says that they change.
            None if changes && (!items.effects.is_empty() || !steps.is_empty()) => Action::Update,
            None => default_action(Some(entity), context),
        };
        let mut found = effect(name.clone(), words.span(), action, false);
        if !matches!(found.action, Action::Create | Action::Delete) {
            found.attributes = attributes;
        }
        if found.action == Action::Update {
            found.attributes.extend(removed.iter().cloned());
            found.removes = removed;
        }
        found.all = all;
        items.effects.push(found);
    }
    for action in steps {
        let mut found = effect(name.clone(), words.span(), action, false);
        found.all = all;
        items.effects.push(found);
    }
    items.assignments.extend(assignments);
}

/// Whether a value says that there is none.
pub(super) fn is_none(value: &str) -> bool {
    matches!(fold(value).as_str(), "null" | "nil" | "none" | "nothing" | "undefined" | "empty")
}

fn is_plural(written: &str, declared: &str) -> bool {
    let (written, declared) = (fold(written), fold(declared));
    // "Tasks" are items of `PickTask` too.
    written.ends_with('s') && (written.len() > declared.len() || !declared.ends_with('s'))
}

/// `OrderCount +1` where OrderCount is no entity: an attribute of one, of those of the pattern first.
fn counter(part: Phrase<'_>, context: &Context<'_, '_>) -> Option<(usize, Effect)> {
    let domain = context.domain;
    let word = tokens(part).next()?;
    let own = context.entities.iter().filter_map(|(_, entity)| *entity);
    let entity = own
        .filter(|entity| domain.attribute(*entity, word.as_str()).is_some())
        .chain(domain.only_owner(word.as_str()).and_then(|owner| domain.find(&owner.entity)))
        .next()?;
    let (by, attribute) = step(part, entity, verb_among(part, context), context);
    let name = domain.entities[entity].name.clone();
    let attribute = attribute?;
    let found = match by {
        Some(by) => effect(name, part.span(), Action::Add { attribute, by }, false),
        None => {
            let mut found = effect(name, part.span(), Action::Update, false);
            found.attributes.push(attribute);
            found
        }
    };
    Some((entity, found))
}
