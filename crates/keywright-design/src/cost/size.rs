//! Sizes of items, index entries and key strings.

use keywright_model::Style;

use crate::naming;
use crate::path::{Path, Projection};
use crate::problem::{Attr, AttributeFacts, Attrs, Problem};

/// Names of the table's two keys.
const BASE_KEY_NAMES: u64 = "pksk".len() as u64;
/// Names of an overloaded index's two keys.
const INDEX_KEY_NAMES: u64 = "GSI1PKGSI1SK".len() as u64;

/// The key strings of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sizes {
    /// Bytes of the partition key and the sort key, without their names.
    pub(crate) strings: u64,
}

impl Sizes {
    pub(crate) fn of(problem: &Problem, entity: usize, path: &Path) -> Self {
        let facts = &problem.entities[entity];
        let values = |attrs: &mut dyn Iterator<Item = Attr>| -> u64 {
            attrs.map(|attr| 1 + encoded_bytes(facts.attribute(attr))).sum()
        };
        // Literals count as the entity's name, whatever they will be: names are no reason to choose a path.
        let block = naming::block_name(&facts.name).len() as u64;
        let partition = block + values(&mut path.partition.iter().copied());
        // A sort key that only repeats the partition key counts as its literal: were the repetition priced, a path
        // could save bytes by putting an attribute there that nobody asks for.
        let sort = block + values(&mut path.sort.iter().map(|segment| segment.attr));
        Sizes { strings: partition + sort }
    }

    fn in_base(self) -> u64 {
        self.strings + BASE_KEY_NAMES
    }

    /// Native keys of several attributes repeat nothing.
    fn in_index(self, style: Style) -> u64 {
        if style == Style::Overloaded { self.strings + INDEX_KEY_NAMES } else { 0 }
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
    attributes + (problem.type_attribute.len() + facts.name.len()) as u64
}

/// Bytes of an item with these keys.
pub(crate) fn item_bytes(style: Style, plain: u64, base: Sizes, indexes: impl Iterator<Item = Sizes>) -> u64 {
    plain + base.in_base() + indexes.map(|sizes| sizes.in_index(style)).sum::<u64>()
}

/// Bytes of an index entry.
#[allow(clippy::too_many_arguments, reason = "each is a fact of the layout, and there is one caller")]
pub(crate) fn entry_bytes(
    problem: &Problem,
    entity: usize,
    style: Style,
    projection: Projection,
    item: u64,
    base: Sizes,
    index: Sizes,
    keys: Attrs,
) -> u64 {
    let facts = &problem.entities[entity];
    let listed = |attrs: Attrs| -> u64 {
        attrs.iter().map(|attr| facts.attribute(attr).name.len() as u64 + facts.attribute(attr).bytes).sum()
    };
    // A native key stands in the entry as attributes.
    let native = if style == Style::Overloaded { Attrs::NONE } else { keys };
    match projection {
        Projection::All => item,
        Projection::Keys => base.in_base() + index.in_index(style) + listed(native),
        Projection::Include(list) => base.in_base() + index.in_index(style) + listed(list.union(native)),
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
