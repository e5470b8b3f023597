//! Which item of an entity is meant where several inputs point to one: `Account toAccountId (balance +amount)`.

use keywright_finding::Span;
use keywright_model::Model;
use keywright_model::model::{Action, Pattern, PatternKind};

use super::Context;
use crate::access_patterns::names::{fold, tokens};
use crate::access_patterns::remarks::Remarks;
use crate::markdown::Phrase;
use crate::rules::UNREADABLE_CELL;

/// An input that names an item, in the words of a cell.
#[derive(Clone, Copy)]
pub(super) struct Said<'a, 'p> {
    pub(super) entity: usize,
    pub(super) words: Phrase<'p>,
    pub(super) input: &'a str,
}

/// The input that a cell names its item by: `Account toAccountId`, `Account of toAccountId`, `toAccount`.
pub(super) fn said<'a, 'p>(
    outside: Phrase<'p>,
    named: &[(usize, Phrase<'p>)],
    context: &Context<'a, '_>,
) -> Option<Said<'a, 'p>> {
    let is_name = |word: &Phrase<'p>| named.iter().any(|(_, name)| name.span().contains(word.span()));
    tokens(outside).filter(|word| !is_name(word)).find_map(|words| {
        let folded = fold(words.as_str());
        let at = context.inputs.iter().position(|it| *it == folded || *it == format!("{folded}id"))?;
        let entity = context.domain.pointed_at(&context.inputs[at])?;
        // A word that is another entity's is not said of this one.
        let own = named.first().is_none_or(|(named, _)| *named == entity);
        own.then_some(Said { entity, words, input: &context.names[at] })
    })
}

/// Tells the items of one entity apart that several inputs point to: as the document says, in the order in which both are
/// written, or not at all, which is a mistake.
pub(in crate::access_patterns) fn tell_apart(model: &mut Model, remarks: &mut Remarks) {
    for at in 0..model.patterns.len() {
        let mut told = Vec::new();
        for entity in model.entities.iter().map(|entity| &entity.name) {
            told.extend(told_apart(model, &model.patterns[at], entity, remarks));
        }
        let (PatternKind::Write(write) | PatternKind::Delete(write)) = &mut model.patterns[at].kind else {
            continue;
        };
        for (span, input) in told {
            let written = write.effects.iter_mut().filter(|effect| effect.span == span);
            written.for_each(|effect| effect.named_by = Some(input.clone()));
        }
    }
}

/// Which input names which written item of an entity, for those of which the document does not say.
fn told_apart(model: &Model, pattern: &Pattern, entity: &str, remarks: &mut Remarks) -> Vec<(Span, String)> {
    let Some(write) = pattern.write() else { return Vec::new() };
    let found = write.effects.iter().filter(|effect| {
        effect.entity == entity && !effect.all && !matches!(effect.action, Action::Create | Action::Put)
    });
    let mut items: Vec<(Span, Option<&str>)> = Vec::new();
    for effect in found {
        if !items.iter().any(|(span, _)| *span == effect.span) {
            items.push((effect.span, effect.named_by.as_deref()));
        }
    }
    let pointing = model.pointing(pattern, entity);
    let unnamed: Vec<Span> = items.iter().filter(|(_, by)| by.is_none()).map(|(span, _)| *span).collect();
    let free: Vec<&str> = pointing
        .iter()
        .map(|(input, _)| input.name.as_str())
        .filter(|name| !items.iter().any(|(_, by)| *by == Some(*name)))
        .collect();
    let Some(first) = unnamed.first().filter(|_| pointing.len() > 1) else { return Vec::new() };
    let names: Vec<String> = pointing.iter().map(|(input, _)| format!("`{}`", input.name)).collect();
    if unnamed.len() != free.len() {
        remarks.say(
            &UNREADABLE_CELL,
            *first,
            format!(
                "{} does not say which {entity} is meant: {} point to one",
                pattern.id,
                names.join(" and ")
            ),
            format!("name it, such as `{entity} {} (…)`", pointing[0].0.name),
        );
        return Vec::new();
    }
    for (span, name) in unnamed.iter().zip(&free) {
        remarks.assume(
            *span,
            format!("{}: `{name}` identifies this {entity}", pattern.id),
            format!("the items are in the order of the inputs; write `{entity} {name} (…)` to say it"),
        );
    }
    unnamed.into_iter().zip(free).map(|(span, name)| (span, name.to_owned())).collect()
}
