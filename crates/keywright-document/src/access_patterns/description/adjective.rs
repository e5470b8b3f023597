//! Words before a noun that ought to select, and that nothing explains: "list **overdue** invoices".

use keywright_model::model::{Entity, Input, Role, Sort, Type};

use super::orders;
use crate::access_patterns::inputs::Context;
use crate::access_patterns::names::{fold, join, tokens};
use crate::access_patterns::patterns::SELECTORS;
use crate::access_patterns::remarks::Remarks;
use crate::access_patterns::states::{stamp_of, state_named};
use crate::access_patterns::verbs::verb;
use crate::markdown::Phrase;

/// Words before a noun that select nothing among its items.
const PLAIN: &[&str] = &[
    "a",
    "an",
    "the",
    "all",
    "every",
    "each",
    "any",
    "my",
    "your",
    "his",
    "her",
    "its",
    "their",
    "this",
    "that",
    "one",
    "own",
    "given",
    "specific",
    "certain",
    "single",
    "existing",
    "several",
    "multiple",
    "many",
    "more",
    "other",
    "most",
    "recent",
    "newest",
    "oldest",
    "latest",
    "last",
    "first",
    "top",
    "best",
    "available",
    "individual",
    "whole",
    "full",
    "following",
    "and",
    "or",
    "with",
    "no",
    "number",
    "stored",
    "matching",
];

/// "**Open** loans of a member" beside inputs that give no state: what is given outweighs words, and that is said.
pub(in crate::access_patterns) fn report_state(
    description: Phrase<'_>,
    given: &[Input],
    order: &[Sort],
    context: &Context<'_>,
    remarks: &mut Remarks,
) {
    let [entity] = context.entities else { return };
    let declared = &context.domain.entities[*entity];
    let mentions = context.domain.mentions(description);
    let Some((_, noun)) = mentions.iter().find(|(it, _)| it == entity) else { return };
    let words: Vec<Phrase<'_>> = tokens(description).collect();
    let before = words.iter().take_while(|it| it.span().start < noun.span().start).last();
    // "the tickets of a show that were **used**"
    let said = words.windows(2).filter(|pair| {
        ["is", "are", "was", "were", "been", "still"].iter().any(|it| pair[0].is(it))
            && noun.span().start < pair[0].span().start
    });
    for word in before.into_iter().chain(said.map(|pair| &pair[1])) {
        report_word(*word, declared, given, order, remarks);
    }
}

/// Says of a word that names a state, or what keeps one, that no input refers to it.
fn report_word(word: Phrase<'_>, declared: &Entity, given: &[Input], order: &[Sort], remarks: &mut Remarks) {
    let state = state_named(word.as_str(), declared)
        .map(|(it, value)| (it, format!("{} = {}", it.name, value.value)));
    let stamp = || {
        let stamped = stamp_of(word.as_str(), declared).filter(|it| it.is_optional());
        stamped.map(|it| (it, format!("{} > 0", it.name)))
    };
    let Some((attribute, written)) = state.or_else(stamp) else {
        report_undone(word, declared, given, remarks);
        return;
    };
    let is_given = given.iter().any(|it| it.binds.iter().any(|bind| bind.attribute == attribute.name))
        || order.iter().any(|it| it.attribute.attribute == attribute.name);
    if !is_given {
        remarks.doubt(
            word.span(),
            format!("\"{}\" selects nothing here: no input refers to {}", word.as_str(), attribute.name),
            format!("add `{written}` to the inputs, or remove the word if all are meant"),
        );
    }
}

/// "**Unfinished** tasks" and "**unpaid** fines" beside inputs that do not say so.
fn report_undone(word: Phrase<'_>, declared: &Entity, given: &[Input], remarks: &mut Remarks) {
    let text = word.as_str().to_lowercase();
    let Some(done) = text.strip_prefix("un").or_else(|| text.strip_prefix("not-")) else { return };
    let Some(attribute) = stamp_of(done, declared) else { return };
    let name = &attribute.name;
    if given.iter().any(|it| it.binds.iter().any(|bind| bind.attribute == *name)) {
        return;
    }
    let help = match attribute.ty.value {
        Type::Boolean => format!("add `{name} = false` to the inputs, or remove the word if all are meant"),
        _ if attribute.is_optional() => format!(
            "no key holds items for what they lack: keep a state beside {name}, such as `status (enum({}, {}))`, \
             and give it as input, or remove the word if all are meant",
            text.to_uppercase(),
            done.to_uppercase()
        ),
        _ => return,
    };
    remarks.doubt(
        word.span(),
        format!("\"{}\" selects nothing here: no input refers to {name}", word.as_str()),
        help,
    );
}

/// "List **overdue** invoices": what stands right before the noun of a read selects, and nothing says by which attribute.
pub(in crate::access_patterns) fn report_adjective(
    description: Phrase<'_>,
    order: &[Sort],
    context: &Context<'_>,
    remarks: &mut Remarks,
) {
    let [entity] = context.entities else { return };
    let declared = &context.domain.entities[*entity];
    let mentions = context.domain.mentions(description);
    let Some((_, noun)) = mentions.iter().find(|(it, _)| it == entity) else { return };
    let Some(word) = tokens(description).take_while(|it| it.span().start < noun.span().start).last() else {
        return;
    };
    let text = word.as_str();
    let known = PLAIN.iter().chain(SELECTORS).any(|it| word.is(it))
        || verb(text).is_some()
        || !text.chars().all(char::is_alphabetic)
        || mentions.iter().any(|(_, it)| it.span().contains(word.span()))
        || orders(order, word)
        || context.domain.attribute(*entity, text).is_some()
        || state_named(text, declared).is_some();
    if !known {
        remarks.doubt(
            word.span(),
            format!("\"{text}\" selects nothing here"),
            format!(
                "name the attribute of {} in a line `- Inputs: status = OPEN` below it, or use one of \
                     an enumeration's values",
                declared.name
            ),
        );
    }
}

/// "List **broken** artifacts of a hall", "… **by acquisition date**", beside inputs that other words speak of: what is left
/// selects nothing and orders nothing. An input that no other word names may be what they mean.
pub(in crate::access_patterns) fn report_unsaid(
    description: Phrase<'_>,
    given: &[Input],
    order: &[Sort],
    context: &Context<'_>,
    remarks: &mut Remarks,
) {
    let words: Vec<Phrase<'_>> = tokens(description).collect();
    let by = words.iter().position(|word| word.is("by") && !orders(order, *word));
    let led: Vec<Phrase<'_>> = by.map_or_else(Vec::new, |by| {
        let named = words[by + 1..].iter().take_while(|it| !SELECTORS.iter().any(|word| it.is(word)));
        named.take_while(|it| !["and", "or"].iter().any(|word| it.is(word))).copied().collect()
    });
    let names = |input: &Input, word: &Phrase<'_>| {
        let word = fold(word.as_str());
        let word = word.trim_end_matches('s');
        let bound = input.binds.iter().map(|it| fold(&it.attribute));
        word.len() > 1 && bound.chain([fold(&input.name)]).any(|it| it.contains(word))
    };
    let apart = |word: &&Phrase<'_>| !led.iter().any(|it| it.span() == word.span());
    let plain = given.iter().filter(|it| !matches!(it.role, Role::Limit | Role::Cursor));
    let unnamed = plain.filter(|it| !words.iter().filter(apart).any(|word| names(it, word))).count();
    if unnamed > 0 {
        return;
    }
    report_adjective(description, order, context, remarks);
    let explained = led.iter().any(|word| {
        given.iter().any(|it| names(it, word))
            || word.is("id")
            || context.domain.find(word.as_str()).is_some()
            || context.entities.iter().any(|it| context.domain.attribute(*it, word.as_str()).is_some())
    });
    if let (Some(by), Some(last), false) = (by, led.last(), explained) {
        let said = join(description, &[words[by], *last]);
        remarks.doubt(
            said.span(),
            format!("\"{}\" is neither an input nor an order of an attribute", said.as_str()),
            "add the attribute to the inputs, or write it and ASC or DESC into a column Sort",
        );
    }
}
