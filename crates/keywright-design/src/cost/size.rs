//! Sizes of items, index entries and key strings.

use crate::form::Form;
use crate::naming;
use crate::path::{Path, Projection};
use crate::problem::{AttributeFacts, Attrs, Problem};

/// Names of the table's two keys.
pub(crate) const BASE_KEY_NAMES: u64 = "pksk".len() as u64;
/// Names of an overloaded index's two keys.
const INDEX_KEY_NAMES: u64 = "GSI1PKGSI1SK".len() as u64;

/// What the keys of a path add to an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sizes {
    /// Bytes of key strings and of their names.
    added: u64,
    /// The item's own attributes that are key attributes.
    own: Attrs,
}

impl Sizes {
    /// The keys of a path in the table.
    pub(crate) fn in_base(problem: &Problem, entity: usize, path: &Path, form: Form) -> Self {
        Sizes::of(problem, entity, path, form, BASE_KEY_NAMES)
    }

    /// The keys of a path in an index.
    pub(crate) fn in_index(problem: &Problem, entity: usize, path: &Path, form: Form) -> Self {
        Sizes::of(problem, entity, path, form, INDEX_KEY_NAMES)
    }

    fn of(problem: &Problem, entity: usize, path: &Path, form: Form, names: u64) -> Self {
        let facts = &problem.entities[entity];
        let values =
            |attrs: Attrs| -> u64 { attrs.iter().map(|attr| 1 + encoded_bytes(facts.attribute(attr))).sum() };
        let sort: Attrs = path.sort.iter().map(|segment| segment.attr).collect();
        let added = match form {
            // Literals count as the entity's name, whatever they will be: names are no reason to choose a path. A
            // sort key that only repeats the partition key counts as its literal: were the repetition priced, a path
            // could save bytes by putting an attribute there that nobody asks for.
            Form::Generic => {
                let block = naming::block_name(&facts.name).len() as u64;
                names + 2 * block + values(path.partition_set()) + values(sort)
            }
            // A string of several attributes stands under their names.
            Form::Native | Form::Natural => form
                .strings(facts, path)
                .into_iter()
                .map(|attrs| {
                    let names: u64 =
                        attrs.iter().map(|attr| 1 + facts.attribute(attr).name.len() as u64).sum();
                    names + values(attrs)
                })
                .sum(),
        };
        Sizes { added, own: form.own(facts, path) }
    }
}

/// Bytes of a value as a key segment.
pub(crate) fn encoded_bytes(attribute: &AttributeFacts) -> u64 {
    naming::Encoding::of(attribute, false).bytes().unwrap_or(attribute.bytes)
}

/// Bytes of an entity's attributes, names and type, without any key; optional ones count as there.
pub(crate) fn plain_bytes(problem: &Problem, entity: usize) -> u64 {
    let facts = &problem.entities[entity];
    let attributes: u64 = facts.attributes.iter().map(|it| it.name.len() as u64 + it.bytes).sum();
    attributes + facts.rest_bytes + type_bytes(problem, entity)
}

/// Bytes of what tells an entity's items from others.
fn type_bytes(problem: &Problem, entity: usize) -> u64 {
    (problem.type_attribute.len() + problem.entities[entity].name.len()) as u64
}

/// Bytes of an item with these keys.
pub(crate) fn item_bytes(plain: u64, base: Sizes, indexes: impl Iterator<Item = Sizes>) -> u64 {
    plain + base.added + indexes.map(|sizes| sizes.added).sum::<u64>()
}

/// Bytes of an index entry.
pub(crate) fn entry_bytes(
    problem: &Problem,
    entity: usize,
    projection: Projection,
    item: u64,
    base: Sizes,
    index: Sizes,
) -> u64 {
    let facts = &problem.entities[entity];
    let listed = |attrs: Attrs| -> u64 {
        attrs.iter().map(|attr| facts.attribute(attr).name.len() as u64 + facts.attribute(attr).bytes).sum()
    };
    let own = base.own.union(index.own);
    match projection {
        Projection::All => item,
        Projection::Keys => base.added + index.added + listed(own),
        // Every list names the type too: items of several kinds may come back. What nobody declares may be in any list.
        Projection::Include(list) => {
            let rest = facts.rest_bytes + type_bytes(problem, entity);
            base.added + index.added + listed(list.union(own)) + rest
        }
    }
}

/// Bytes of a uniqueness item: its key twice over, its type, the unique values and the identity of
/// their owner.
pub(crate) fn uniqueness_bytes(problem: &Problem, entity: usize, set: Attrs) -> u64 {
    let facts = &problem.entities[entity];
    let key: u64 = set.iter().map(|attr| 1 + facts.attribute(attr).bytes).sum();
    let name = naming::uniqueness_type(facts, set).len() as u64;
    let held: u64 = facts
        .identity_set()
        .union(set)
        .iter()
        .map(|attr| facts.attribute(attr))
        .map(|it| it.name.len() as u64 + it.bytes)
        .sum();
    BASE_KEY_NAMES + 2 * (name + key) + problem.type_attribute.len() as u64 + name + held
}
