//! What rules ask of a Design, answered once: which item types share which key space, and what is known of the
//! attributes in their keys.

mod place;
mod space;
mod told;

use std::collections::BTreeMap;

use keywright_finding::Span;
use keywright_key::Template;
use keywright_model::design::source::{ItemSource, OperationSource};
use keywright_model::design::{
    DesignSource, ItemType, KeyAssignment, KeyAttribute, KeyValue, Operation, Request,
};
use keywright_model::model::{Attribute, Pattern, Type};
use keywright_model::{At, Design, Style};

use crate::{Conventions, Facts};

pub use place::RequestPlace;
pub use space::{Key, Member, Space};

pub(crate) use space::shape;
pub(crate) use told::{is_identifier, is_time};

/// A Design with its key spaces, its places in a document, and the Model that it serves where that is known.
pub struct DesignFacts<'d> {
    /// The Design itself.
    pub design: &'d Design,
    /// Where its parts stand.
    pub source: &'d DesignSource,
    /// The Model, with its names resolved.
    pub model: Option<&'d Facts<'d>>,
    /// The design of the table that exists, where this one extends it.
    pub base: Option<&'d Design>,
    /// The customs of the team.
    pub conventions: Conventions,
    /// The key spaces: of each table, then of each index.
    pub spaces: Vec<Space<'d>>,
    items: BTreeMap<&'d str, usize>,
}

/// What is known of an attribute.
#[derive(Clone, Copy)]
pub struct Known<'d> {
    /// Its type.
    pub ty: Type,
    /// An item may lack it.
    pub optional: bool,
    /// How many declared values it has; none where it is no enumeration.
    pub values: Option<u64>,
    /// What the Model says of it.
    pub model: Option<&'d Attribute>,
}

impl<'d> DesignFacts<'d> {
    /// Resolves the names of a Design.
    #[must_use]
    pub fn new(design: &'d Design, source: &'d DesignSource, model: Option<&'d Facts<'d>>) -> Self {
        let items =
            design.items.iter().enumerate().rev().map(|(at, item)| (item.name.as_str(), at)).collect();
        let mut facts = DesignFacts {
            design,
            source,
            model,
            base: None,
            conventions: Conventions::default(),
            spaces: Vec::new(),
            items,
        };
        for table in &design.tables {
            let members =
                facts.members(&table.name, std::slice::from_ref(&table.partition), table.sort.as_slice());
            facts.spaces.push(Space::new(&table.name, None, members));
        }
        for index in &design.indexes {
            if index.partition.is_empty() {
                continue;
            }
            let members = facts.members(&index.table, &index.partition, &index.sort);
            facts.spaces.push(Space::new(&index.table, Some(&index.name), members));
        }
        facts
    }

    /// The same facts beside the design of the table that exists.
    #[must_use]
    pub fn with_base(mut self, base: Option<&'d Design>) -> Self {
        self.base = base;
        self
    }

    fn members(&self, table: &str, partition: &[KeyAttribute], sort: &[KeyAttribute]) -> Vec<Member<'d>> {
        let of_table = self.design.items.iter().enumerate().filter(|(_, item)| item.table == table);
        of_table
            .filter_map(|(at, _)| {
                let keys = |list: &[KeyAttribute]| -> Vec<Option<Key<'d>>> {
                    list.iter().map(|key| self.key(at, &key.name)).collect()
                };
                let further = |list: &[KeyAttribute]| keys(list).into_iter().skip(1).flatten().collect();
                let partition_key = keys(partition).into_iter().next()??;
                // An item that lacks one of several native attributes is not in their index.
                let native = partition.len() + sort.len() > 2;
                if native && keys(partition).iter().chain(&keys(sort)).any(Option::is_none) {
                    return None;
                }
                let shape = shape(&partition_key.text());
                Some(Member {
                    item: at,
                    partition: partition_key,
                    sort: keys(sort).into_iter().next().flatten(),
                    further: (further(partition), further(sort)),
                    shape,
                })
            })
            .collect()
    }

    fn key(&self, item: usize, attribute: &str) -> Option<Key<'d>> {
        let at = self.design.items[item].keys.iter().position(|key| key.attribute == attribute)?;
        let assignment = &self.design.items[item].keys[at];
        let source = self.source.items.get(item);
        let span =
            source.and_then(|source| source.keys.get(at)).map_or_else(Span::default, |key| key.value.span);
        Some(Key { item, assignment, span, template: self.template_of(assignment) })
    }

    /// The template of a key; none for an attribute as it is, or a text that is no template.
    pub(crate) fn template_of(&self, key: &KeyAssignment) -> Option<Template> {
        match &key.value {
            KeyValue::Template(text) => Template::parse(text).ok(),
            KeyValue::Natural => None,
        }
    }

    /// The item type at a position.
    #[must_use]
    pub fn item(&self, at: usize) -> &'d ItemType {
        &self.design.items[at]
    }

    /// The position of the item type of that name.
    #[must_use]
    pub fn item_named(&self, name: &str) -> Option<usize> {
        self.items.get(name).copied()
    }

    /// Where an item type stands.
    #[must_use]
    pub fn item_source(&self, at: usize) -> Option<&'d ItemSource> {
        self.source.items.get(at)
    }

    /// A key as the document writes it.
    #[must_use]
    pub fn written(&self, key: &Key<'_>) -> Option<&'d At<String>> {
        let at = self.item(key.item).keys.iter().position(|it| it == key.assignment)?;
        self.item_source(key.item)?.keys.get(at).map(|source| &source.value)
    }

    /// Where the name of an item type stands.
    #[must_use]
    pub fn item_span(&self, at: usize) -> Span {
        self.item_source(at).map_or_else(Span::default, |source| source.name)
    }

    /// Every key of every space, with its space and whether it is the partition key.
    pub fn keys(&self) -> impl Iterator<Item = (&Space<'d>, &Member<'d>, &Key<'d>, bool)> {
        self.spaces.iter().flat_map(|space| {
            space.members.iter().flat_map(move |member| {
                std::iter::once((space, member, &member.partition, true))
                    .chain(member.sort.iter().map(move |sort| (space, member, sort, false)))
            })
        })
    }

    /// Every sort key.
    pub fn sort_keys(&self) -> impl Iterator<Item = (&Space<'d>, &Member<'d>, &Key<'d>)> {
        self.keys()
            .filter(|(.., is_partition)| !is_partition)
            .map(|(space, member, key, _)| (space, member, key))
    }

    /// What is known of an attribute of an item type: the Model's word first.
    #[must_use]
    pub fn known(&self, item: usize, name: &str) -> Option<Known<'d>> {
        let item = self.item(item);
        let of_model = self
            .model
            .and_then(|facts| item.entities.iter().find_map(|entity| facts.attribute(entity, name)));
        if let Some(attribute) = of_model {
            let values = (!attribute.values.is_empty()).then_some(attribute.values.len() as u64);
            return Some(Known {
                ty: attribute.ty.value,
                optional: attribute.is_optional(),
                values,
                model: Some(attribute),
            });
        }
        let attribute = item.attribute(name)?;
        let values = (!attribute.values.is_empty()).then_some(attribute.values.len() as u64);
        Some(Known { ty: attribute.ty, optional: attribute.optional, values, model: None })
    }

    /// The operations with their places.
    pub fn operations(&self) -> impl Iterator<Item = (&'d Operation, Option<&'d OperationSource>)> {
        self.design
            .operations
            .iter()
            .enumerate()
            .map(|(at, operation)| (operation, self.source.operations.get(at)))
    }

    /// The requests of all operations with their places.
    pub fn requests(&self) -> impl Iterator<Item = (&'d Operation, &'d Request, RequestPlace<'d>)> {
        self.operations().flat_map(|(operation, source)| {
            operation.requests.iter().enumerate().map(move |(at, request)| {
                let request_source = source.and_then(|source| source.requests.get(at));
                (operation, request, RequestPlace { operation: source, request: request_source })
            })
        })
    }

    /// The separator that the team agreed on, else the one that the keys use most.
    #[must_use]
    pub fn separator(&self) -> Option<String> {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for separator in self.keys().flat_map(|(_, _, key, _)| key.separators()) {
            *counts.entry(separator).or_default() += 1;
        }
        let common = counts.into_iter().max_by_key(|(_, count)| *count).map(|(separator, _)| separator);
        self.conventions.separator.clone().or(common)
    }

    /// Whether a cell names an index: one that the design lists, or one that it forgot to list but calls so.
    #[must_use]
    pub fn is_index(&self, cell: &str) -> bool {
        let called = ["gsi", "lsi"];
        self.design.indexes.iter().any(|index| cell.eq_ignore_ascii_case(&index.name))
            || cell.get(..3).is_some_and(|start| called.iter().any(|it| start.eq_ignore_ascii_case(it)))
    }

    /// The pattern that an operation serves.
    #[must_use]
    pub fn pattern(&self, operation: &Operation) -> Option<&'d Pattern> {
        self.model?.model.pattern(&operation.pattern)
    }

    /// Whether item types share tables under generic keys: one table per entity has other customs.
    #[must_use]
    pub fn is_overloaded(&self, table: &str) -> bool {
        self.design.style != Style::MultiTable
            && self.design.items.iter().filter(|item| item.table == table).count() > 1
    }

    /// The other members of a space whose partition keys have the same shape: they share collections.
    pub fn collection<'s, 'x>(&self, space: &'s Space<'x>, member: &Member<'_>) -> Vec<&'s Member<'x>> {
        let list = space.collections.get(&member.shape).map(Vec::as_slice).unwrap_or_default();
        list.iter().map(|at| &space.members[*at]).collect()
    }
}
