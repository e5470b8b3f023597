//! Identifiers that only the patterns tell: what finds one item of an entity that has no id.

use std::collections::BTreeSet;

use keywright_model::At;
use keywright_model::model::{EntityKind, Mutability};

use crate::access_patterns::columns::Column;
use crate::access_patterns::entities::Draft;
use crate::access_patterns::glimpse::{Glimpse, each_row};
use crate::access_patterns::inputs::{Written, read_cell};
use crate::access_patterns::names::{fold, tokens};
use crate::access_patterns::outline::Section;
use crate::access_patterns::remarks::Remarks;
use crate::markdown::{Page, Phrase};

/// Words for one of several: what finds the latest, or the open one, does not identify it.
const ONE_OF_SEVERAL: &[&str] = &[
    "latest", "newest", "last", "current", "active", "open", "first", "next", "oldest", "top", "best",
    "random", "any",
];

/// What a read asks for.
struct Lookup<'p> {
    /// The draft that it is about.
    draft: usize,
    /// The names of what it is given, folded.
    given: BTreeSet<String>,
    /// The cell of the inputs, where they find one item.
    finds_one: Option<Phrase<'p>>,
}

/// Infers the identifier of an entity that has none: the fewest attributes by which a pattern reads one item, unless another
/// pattern reads several by the same.
pub(in crate::access_patterns) fn from_lookups<'p>(
    drafts: &mut [Draft<'p>],
    sections: &[Section<'p>],
    page: &'p Page,
    remarks: &mut Remarks,
) {
    let lacks =
        |draft: &Draft<'_>| draft.entity.identity.is_empty() && !draft.entity.is(EntityKind::Singleton);
    if !drafts.iter().any(lacks) {
        return;
    }
    let mut lookups: Vec<Lookup<'p>> = Vec::new();
    each_row(sections, page, |row| lookups.extend(lookup(&row, drafts)));
    for (at, draft) in drafts.iter_mut().enumerate().filter(|(_, draft)| lacks(draft)) {
        let own: Vec<&Lookup<'p>> = lookups.iter().filter(|it| it.draft == at).collect();
        let lists = |given: &BTreeSet<String>| {
            own.iter().any(|it| it.finds_one.is_none() && it.given.is_superset(given))
        };
        let found = own.iter().filter(|it| !lists(&it.given) && identifies(&it.given, draft));
        let Some((cell, given)) = found
            .filter_map(|it| it.finds_one.map(|cell| (cell, &it.given)))
            .min_by_key(|(_, given)| given.len())
        else {
            continue;
        };
        let names: Vec<String> = draft
            .entity
            .attributes
            .iter()
            .map(|it| it.name.clone())
            .filter(|name| given.contains(&fold(name)))
            .collect();
        remarks.assume(
            cell.span(),
            format!("read {} as the identifier of {}", names.join(" and "), draft.entity.name),
            "the entity has no id of its own, and this finds one item; write `id` in the parentheses of what \
             identifies it",
        );
        draft.entity.identity = names.into_iter().map(|name| At::assumed(name, cell.span())).collect();
    }
}

/// What a row tells, where it reads items of one entity.
fn lookup<'p>(row: &Glimpse<'_, 'p>, drafts: &[Draft<'_>]) -> Option<Lookup<'p>> {
    let [entity] = row.entities()[..] else { return None };
    let draft = drafts.iter().position(|it| fold(&it.entity.name) == fold(entity.as_str()))?;
    let result = fold(row.cell(Column::Result)?.as_str());
    let cell = row.cell(Column::Inputs)?;
    let inputs = read_cell(cell);
    let given = inputs.iter().map(|it| fold(it.name.as_str())).collect();
    let plain = |it: &Written<'_>| it.operator.is_none() && it.constant.is_none() && !it.optional && !it.list;
    let chooses = |words: Phrase<'_>| tokens(words).any(|word| ONE_OF_SEVERAL.iter().any(|it| word.is(it)));
    let finds_one = result == "single"
        && row.cell(Column::Sort).is_none()
        && !row.cell(Column::Description).is_some_and(chooses)
        && inputs.iter().all(plain);
    Some(Lookup { draft, given, finds_one: finds_one.then_some(cell) })
}

/// Whether attributes may identify an entity: it declares them, no item lacks them, no write changes them, and what the
/// entity belongs to is among them.
fn identifies(given: &BTreeSet<String>, draft: &Draft<'_>) -> bool {
    let lasts = |name: &String| {
        draft.attribute(name).is_some_and(|it| {
            let mutability = it.mutability.as_ref().map(|it| it.value);
            !it.is_optional() && mutability != Some(Mutability::Mutable)
        })
    };
    let mut references =
        draft.entity.attributes.iter().filter(|it| it.reference.is_some() && !it.is_optional());
    !given.is_empty() && given.iter().all(lasts) && references.all(|it| given.contains(&fold(&it.name)))
}
