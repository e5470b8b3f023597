//! What changes of an item: `(SET status = PAID, paidAt)`, `(REMOVE guildId)`, `(stock -quantity)`.

use keywright_model::model::{Action, Entity};

use super::assignment::{Assignment, assignment};
use super::step::{only_number, step};
use super::{Context, explicit_verb};
use crate::access_patterns::names::{fold, tokens};
use crate::access_patterns::states::state_named;
use crate::access_patterns::verbs::Verb;
use crate::markdown::Phrase;

/// What the words beside an entity's name say of its attributes.
#[derive(Default)]
pub(super) struct Changes<'p> {
    /// Those that get new values.
    pub(super) attributes: Vec<String>,
    /// Those that are taken away.
    pub(super) removed: Vec<String>,
    /// Numbers that move.
    pub(super) steps: Vec<Action>,
    /// The values that are written there.
    pub(super) assignments: Vec<Assignment<'p>>,
}

impl<'p> Changes<'p> {
    /// Reads clause by clause. `SET` and `REMOVE` stand once for all that follow them.
    pub(super) fn read(
        about: Phrase<'p>,
        entity: usize,
        verb: Option<Verb>,
        context: &Context<'_, '_>,
    ) -> Self {
        let mut changes = Changes::default();
        let mut removes = verb == Some(Verb::Delete);
        let mut sets = false;
        let parts = about.split(&[',', ';']);
        // `SET status = PAID and paidAt`
        for clause in parts.flat_map(|it| it.as_str().split(" and ").map(move |part| it.part(part).trim())) {
            match tokens(clause).next().map(|first| first.as_str().to_lowercase()).as_deref() {
                Some("set") => (sets, removes) = (true, false),
                Some("remove" | "unset" | "clear") => (sets, removes) = (true, true),
                _ => {}
            }
            if let Some(found) = assignment(clause, entity, context) {
                changes.attributes.push(found.attribute.clone());
                changes.assignments.push(found);
                continue;
            }
            match step(clause, entity, verb, context) {
                (Some(by), Some(attribute)) => changes.steps.push(Action::Add { attribute, by }),
                (Some(by), None) => {
                    // `OrderCount +1`: the one number that the entity has. Another name stays as it is written, so
                    // that a rule can speak of it.
                    let named = clause.as_str().find(['+', '-', '−', '–']).map(|sign| clause.slice(0..sign));
                    let named = named.and_then(|before| name_in(before, context));
                    let attribute = named.map(|it| it.as_str().to_owned());
                    let attribute = attribute.or_else(|| only_number(entity, context));
                    changes.steps.extend(attribute.map(|attribute| Action::Add { attribute, by }));
                }
                // What identifies the item only says which one is meant.
                (None, Some(attribute)) if !sets && context.domain.identifies(entity, &attribute) => {}
                (None, Some(attribute)) if removes => changes.removed.push(attribute),
                (None, Some(attribute)) => changes.attributes.push(attribute),
                (None, None) if sets => {
                    let Some(word) = name_in(clause, context) else { continue };
                    // `SET to cancelled`
                    match state_named(word.as_str(), &context.domain.entities[entity]) {
                        Some((attribute, _)) => {
                            let attribute = attribute.name.clone();
                            changes.attributes.push(attribute.clone());
                            changes.assignments.push(Assignment { entity, attribute, value: word });
                        }
                        None => changes.attributes.push(word.as_str().to_owned()),
                    }
                }
                (None, None) => {}
            }
        }
        for names in [&mut changes.attributes, &mut changes.removed] {
            part_maps(names, entity, context);
        }
        changes
    }

    /// Whether the entity declares something of what changes.
    pub(super) fn names_any_of(&self, entity: &Entity) -> bool {
        let steps = self.steps.iter().filter_map(|step| match step {
            Action::Add { attribute, .. } => Some(attribute),
            _ => None,
        });
        self.attributes
            .iter()
            .chain(&self.removed)
            .chain(steps)
            .any(|name| entity.attributes.iter().any(|it| it.name == *name))
    }
}

/// Names the members of a map where the map is named.
fn part_maps(names: &mut Vec<String>, entity: usize, context: &Context<'_, '_>) {
    let parted = |name: String| {
        let members = context.domain.members(entity, &name);
        if members.is_empty() { vec![name] } else { members.into_iter().map(|it| it.attribute).collect() }
    };
    *names = std::mem::take(names).into_iter().flat_map(parted).collect();
}

/// The first word of a clause that is neither a verb nor a number nor what the caller gives.
fn name_in<'p>(clause: Phrase<'p>, context: &Context<'_, '_>) -> Option<Phrase<'p>> {
    let other = |word: &Phrase<'_>| {
        let text = word.as_str();
        explicit_verb(text).is_some()
            || text.starts_with(|next: char| next.is_ascii_digit())
            || context.inputs.contains(&fold(text))
            || ["by", "of", "its", "the", "to", "from", "one", "for", "unset", "clear"]
                .iter()
                .any(|it| word.is(it))
    };
    tokens(clause).find(|word| !other(word))
}
