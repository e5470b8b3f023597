//! What rules ask of a Design, answered once: which item types share which key space, and what is known of the
//! attributes in their keys.

use std::collections::BTreeMap;

use keywright_finding::Span;
use keywright_key::{Encoding, Placeholder, Segment, Template};
use keywright_model::design::source::{ItemSource, OperationSource, RequestSource};
use keywright_model::design::{DesignSource, ItemType, KeyAssignment, KeyValue, Operation, Request};
use keywright_model::model::{Attribute, Pattern, Type};
use keywright_model::{At, Design, Style};

use crate::{Conventions, Facts};

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

/// A table or an index, and the item types in it.
pub struct Space<'d> {
    /// The table.
    pub table: &'d str,
    /// The index, none for the table itself.
    pub index: Option<&'d str>,
    /// The item types that have its partition key.
    pub members: Vec<Member<'d>>,
    /// The name that a message shows.
    pub name: &'d str,
    /// Its members by the shape of their partition keys.
    collections: BTreeMap<String, Vec<usize>>,
}

impl<'d> Space<'d> {
    fn new(table: &'d str, index: Option<&'d str>, members: Vec<Member<'d>>) -> Self {
        let mut collections: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (at, member) in members.iter().enumerate() {
            collections.entry(member.shape.clone()).or_default().push(at);
        }
        Space { table, index, members, name: index.unwrap_or(table), collections }
    }

    /// The members by the item collections that they share.
    pub fn collections(&self) -> impl Iterator<Item = Vec<&Member<'d>>> {
        self.collections.values().map(|list| list.iter().map(|at| &self.members[*at]).collect())
    }
}

/// An item type in a key space.
pub struct Member<'d> {
    /// Its position in the Design.
    pub item: usize,
    /// Its partition key; the first attribute of several.
    pub partition: Key<'d>,
    /// Its sort key.
    pub sort: Option<Key<'d>>,
    /// The partition key with what its placeholders hold left out: equal for those that share collections.
    pub shape: String,
}

/// The value of a key attribute of an item type.
#[derive(Clone)]
pub struct Key<'d> {
    /// The item type's position in the Design.
    pub item: usize,
    /// What the item type says of it.
    pub assignment: &'d KeyAssignment,
    /// Where its value stands.
    pub span: Span,
    /// Its template; none for an attribute as it is, or a text that is no template.
    pub template: Option<Template>,
}

impl Key<'_> {
    /// The signs that stand between a literal and a place.
    #[must_use]
    pub fn separators(&self) -> Vec<String> {
        let Some(template) = &self.template else { return Vec::new() };
        let is_sign = |it: char| !it.is_alphanumeric() && it != '_' && it != '-';
        let literals = template.segments().iter().filter_map(|segment| match segment {
            Segment::Literal(text) => Some(text),
            Segment::Placeholder(_) => None,
        });
        literals
            .filter_map(|text| {
                let kept = text.trim_end_matches(is_sign);
                let tail = &text[kept.len()..];
                // A leading sign makes an order; it separates nothing. A version has its own.
                (!tail.is_empty() && !kept.is_empty() && tail != "@").then(|| tail.to_owned())
            })
            .collect()
    }

    /// The template as text, or the attribute's name.
    pub fn text(&self) -> String {
        match &self.assignment.value {
            KeyValue::Template(text) => text.clone(),
            KeyValue::Natural => format!("<{}>", self.assignment.attribute),
        }
    }

    /// The places of its template; an attribute as it is has none.
    pub fn places(&self) -> Vec<&Placeholder> {
        self.template.as_ref().map(|template| template.placeholders().collect()).unwrap_or_default()
    }

    /// The names of the attributes in it.
    pub fn names(&self) -> Vec<&str> {
        match &self.template {
            Some(template) => template.attributes().iter().map(String::as_str).collect(),
            None if self.assignment.value == KeyValue::Natural => vec![&self.assignment.attribute],
            None => Vec::new(),
        }
    }

    /// Where a placeholder's name stands, where the document writes the template letter by letter.
    pub fn place_span(&self, written: Option<&At<String>>, name: &str) -> Option<Span> {
        let written = written.filter(|it| it.value.len() == it.span.len() as usize)?;
        let at = ["<", "{"].iter().find_map(|open| {
            let start = written.value.find(&format!("{open}{name}"))? + 1;
            let after = written.value[start + name.len()..].chars().next();
            matches!(after, Some('>' | '}' | ':')).then_some(start)
        })?;
        let start = written.span.start + u32::try_from(at).ok()?;
        Some(Span::new(start, start + u32::try_from(name.len()).ok()?))
    }

    /// Whether no key of one can be a key of the other, told by what they begin with. This is quick; what it can't tell
    /// apart may still be apart.
    pub(crate) fn is_apart(&self, other: &Key<'_>) -> bool {
        let (one, two) = (self.prefix(), other.prefix());
        !one.starts_with(two) && !two.starts_with(one)
    }

    /// What every key begins with.
    pub fn prefix(&self) -> &str {
        self.template.as_ref().map_or("", Template::leading_literal)
    }
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
            let sort = table.sort.as_ref().map(|key| key.name.as_str());
            let members = facts.members(&table.name, &table.partition.name, sort);
            facts.spaces.push(Space::new(&table.name, None, members));
        }
        for index in &design.indexes {
            let Some(partition) = index.partition.first() else { continue };
            let members =
                facts.members(&index.table, &partition.name, index.sort.first().map(|key| key.name.as_str()));
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

    fn members(&self, table: &str, partition: &str, sort: Option<&str>) -> Vec<Member<'d>> {
        let of_table = self.design.items.iter().enumerate().filter(|(_, item)| item.table == table);
        of_table
            .filter_map(|(at, _)| {
                let partition = self.key(at, partition)?;
                let shape = shape(&partition.text());
                Some(Member { item: at, partition, sort: sort.and_then(|sort| self.key(at, sort)), shape })
            })
            .collect()
    }

    fn key(&self, item: usize, attribute: &str) -> Option<Key<'d>> {
        let at = self.design.items[item].keys.iter().position(|key| key.attribute == attribute)?;
        let assignment = &self.design.items[item].keys[at];
        let source = self.source.items.get(item);
        let span =
            source.and_then(|source| source.keys.get(at)).map_or_else(Span::default, |key| key.value.span);
        let template = match &assignment.value {
            KeyValue::Template(text) => Template::parse(text).ok(),
            KeyValue::Natural => None,
        };
        Some(Key { item, assignment, span, template })
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

/// The places of a request, as far as they are known.
#[derive(Clone, Copy)]
pub struct RequestPlace<'d> {
    /// Of its operation.
    pub operation: Option<&'d OperationSource>,
    /// Of itself.
    pub request: Option<&'d RequestSource>,
}

impl RequestPlace<'_> {
    /// The pattern's id.
    #[must_use]
    pub fn id(self) -> Span {
        self.operation.map_or_else(Span::default, |source| source.id)
    }

    /// The name of the request's operation, else the id.
    #[must_use]
    pub fn name(self) -> Span {
        self.request.map_or_else(|| self.id(), |source| source.operation)
    }

    /// A part of the request, else its name.
    #[must_use]
    pub fn at(self, part: impl Fn(&RequestSource) -> Option<Span>) -> Span {
        self.request.and_then(part).unwrap_or_else(|| self.name())
    }

    /// An action, else the request's name.
    #[must_use]
    pub fn action(self, at: usize) -> Span {
        self.at(|source| source.actions.get(at).map(|action| action.action))
    }

    /// The condition of an action, else the action.
    #[must_use]
    pub fn condition(self, at: usize) -> Span {
        self.at(|source| {
            source.actions.get(at).map(|action| action.condition.as_ref().map_or(action.action, |it| it.span))
        })
    }
}

/// A template with what its placeholders hold left out.
pub(crate) fn shape(template: &str) -> String {
    let mut result = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('<') {
        result.push_str(before);
        let Some((_, after)) = after.split_once('>') else { break };
        result.push_str("<>");
        rest = after;
    }
    result.push_str(rest);
    result
}

/// Whether an attribute is an instant or a date, by its encoding, its type or its name.
pub(crate) fn is_time(known: Option<Known<'_>>, place: &Placeholder) -> bool {
    let encoded = matches!(
        place.encoding(),
        Encoding::Iso { .. } | Encoding::Epoch { .. } | Encoding::Date(_) | Encoding::Bucket(_)
    );
    encoded || is_time_name(known, place.name())
}

/// Whether an attribute is an instant or a date, by its type or, where that is not said, by its name.
pub(crate) fn is_time_name(known: Option<Known<'_>>, name: &str) -> bool {
    if let Some(known) = known
        && (known.model.is_some() || known.ty != Type::String)
    {
        return matches!(known.ty, Type::Datetime | Type::Date);
    }
    let lower = name.to_ascii_lowercase();
    ["timestamp", "date", "day", "month", "week", "year", "time", "datetime"].contains(&lower.as_str())
        || (name.len() > 2 && name.ends_with("At"))
        || lower.ends_with("date")
        || lower.ends_with("timestamp")
        || name.ends_with("Time")
}

/// Whether an attribute identifies something, by its type or its name.
pub(crate) fn is_identifier(known: Option<Known<'_>>, name: &str) -> bool {
    let by_model = known.and_then(|known| known.model).is_some_and(|attribute| {
        attribute.id.as_ref().is_some_and(|it| it.value)
            || attribute.unique.as_ref().is_some_and(|it| it.value)
    });
    let by_type = known.is_some_and(|known| known.ty.is_generated_id());
    let lower = name.to_ascii_lowercase();
    by_model
        || by_type
        || lower == "id"
        || name.ends_with("Id")
        || name.ends_with("ID")
        || lower.ends_with("_id")
        || [
            "uuid", "ulid", "ksuid", "username", "email", "sku", "slug", "token", "isbn", "number", "no",
            "seq", "version", "revision",
        ]
        .iter()
        .any(|word| lower == *word)
        || name.ends_with("Number")
        || name.ends_with("No")
        || name.ends_with("Code")
        || name.ends_with("Name")
}
