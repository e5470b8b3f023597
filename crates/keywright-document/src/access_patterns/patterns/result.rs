//! How much a read returns: stated in a cell, or told by the verb and the number of its noun.

use keywright_model::At;
use keywright_model::model::{Input, ResultKind, Role};

use super::row::Row;
use crate::access_patterns::columns::Column;
use crate::access_patterns::names::{fold, tokens};
use crate::access_patterns::remarks::Remarks;
use crate::access_patterns::verbs::Verb;
use crate::markdown::Phrase;
use crate::rules::UNREADABLE_CELL;

/// Words that make a result a collection, whatever their noun.
const MANY: &[&str] = &[
    "list", "lists", "listing", "search", "browse", "export", "filter", "scan", "all", "every", "history",
    "feed", "timeline", "top", "multiple", "several",
];

/// Words after which nouns only select: the trips of a **driver**, orders by **status**.
pub(in crate::access_patterns) const SELECTORS: &[&str] = &[
    "by", "for", "of", "in", "within", "per", "from", "to", "on", "with", "where", "whose", "under", "using",
];

impl<'p> Row<'_, 'p> {
    /// The cell that states the result: of its own column, or of one for what comes back that names no attribute first:
    /// `list sorted by endsAt, 20 per page`, `the auction and its bids, newest first`.
    pub(super) fn result_cell(&self, entities: &[usize]) -> Option<Phrase<'p>> {
        if self.columns.has(Column::Result) {
            return self.words(Column::Result);
        }
        let cell = self.words(Column::Returns)?;
        let first = tokens(cell).next()?;
        let is_attribute = |entity: &usize| self.domain.reference(*entity, first.as_str()).is_some();
        let tells = result_named(cell).is_some()
            || self.domain.mentions(cell).iter().any(|(entity, _)| entities.contains(entity));
        (tells && !entities.iter().any(is_attribute)).then_some(cell)
    }

    /// The result that the cell states; where the table has no such column, the one that the description tells.
    pub(super) fn result(
        &self,
        description: Phrase<'p>,
        verb: Option<Verb>,
        entities: &[usize],
        inputs: Option<&At<Vec<Input>>>,
        remarks: &mut Remarks,
    ) -> Option<At<ResultKind>> {
        if let Some(cell) = self.result_cell(entities) {
            let kind = result_named(cell);
            if kind.is_none() && self.columns.has(Column::Result) {
                remarks.say(
                    &UNREADABLE_CELL,
                    cell.span(),
                    format!("`{}` is not a kind of result", cell.as_str()),
                    "write `Single`, `Collection` or `Count`",
                );
            }
            if let Some(kind) = kind {
                return Some(At::stated(kind, cell.span()));
            }
            // It is said, only not in our words: the description tells what it may mean.
        } else if !self.loose && self.stated_verb().is_none() {
            return None;
        }
        let told = self.outcome().unwrap_or(description);
        let kind = self.told(told, verb, entities, inputs);
        let what = match kind {
            ResultKind::Single => "a single item",
            ResultKind::Collection => "a collection",
            ResultKind::Count => "a count",
        };
        remarks.assume(
            told.span(),
            format!("read the result of \"{}\" as {what}", told.as_str()),
            "write Single, Collection or Count into a column Result",
        );
        Some(At::assumed(kind, told.span()))
    }

    /// "Count …" is a count; "List …", "all …" and a plural are collections; "Get a …" is one item. Where the words leave
    /// it open, it is one item if the inputs identify it.
    fn told(
        &self,
        description: Phrase<'p>,
        verb: Option<Verb>,
        entities: &[usize],
        inputs: Option<&At<Vec<Input>>>,
    ) -> ResultKind {
        let words: Vec<String> = tokens(description).map(|word| word.as_str().to_lowercase()).collect();
        let pairs = || words.windows(2).map(|pair| (pair[0].as_str(), pair[1].as_str()));
        if verb == Some(Verb::Count) || pairs().any(|pair| matches!(pair, ("number", "of") | ("how", "many")))
        {
            return ResultKind::Count;
        }
        let subject = words.iter().take_while(|word| !SELECTORS.contains(&word.as_str()));
        if entities.len() > 1 || subject.clone().any(|word| MANY.contains(&word.as_str())) {
            return ResultKind::Collection;
        }
        let identified = self.identifies(entities, inputs);
        let noun =
            self.domain.mentions(description).into_iter().find(|(entity, _)| entities.contains(entity));
        match noun {
            // An entity may be declared in the plural: then its name tells nothing.
            Some((entity, noun)) if identified && self.is_declared_as(entity, noun) => ResultKind::Single,
            Some((_, noun)) if is_plural(noun.as_str()) => ResultKind::Collection,
            Some(_) => ResultKind::Single,
            None if identified => ResultKind::Single,
            None => ResultKind::Collection,
        }
    }

    fn is_declared_as(&self, entity: usize, noun: Phrase<'p>) -> bool {
        fold(noun.as_str()) == fold(&self.domain.entities[entity].name)
    }

    /// Whether the inputs give one value for all that identifies an item.
    fn identifies(&self, entities: &[usize], inputs: Option<&At<Vec<Input>>>) -> bool {
        let Some(declared) = entities.first().map(|entity| &self.domain.entities[*entity]) else {
            return false;
        };
        let given = |name: &str| {
            inputs.is_some_and(|inputs| {
                inputs.value.iter().any(|input| {
                    matches!(input.role, Role::Equal)
                        && !input.list
                        && input.binds.iter().any(|it| it.entity == declared.name && it.attribute == name)
                })
            })
        };
        (!declared.identity.is_empty() && declared.identity_names().all(given))
            || declared.unique.iter().any(|set| set.attributes.iter().all(|name| given(name)))
    }
}

/// Whether a noun looks like a plural: orders, but not address, status or analysis.
fn is_plural(noun: &str) -> bool {
    let lower = noun.to_lowercase();
    let lower = lower.trim_end_matches("'s");
    lower.ends_with('s') && !["ss", "us", "is"].iter().any(|ending| lower.ends_with(ending))
}

fn result_named(cell: Phrase<'_>) -> Option<ResultKind> {
    let first = tokens(cell).next()?;
    Some(match first.as_str().to_lowercase().as_str() {
        "single" | "one" | "item" | "object" | "entity" | "1" => ResultKind::Single,
        "collection" | "list" | "many" | "multiple" | "items" | "array" | "page" | "pages" | "paginated"
        | "set" | "top" => ResultKind::Collection,
        "count" | "number" | "total" => ResultKind::Count,
        _ => return None,
    })
}
