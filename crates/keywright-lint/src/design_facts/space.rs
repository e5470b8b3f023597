//! Key spaces: the item types of a table or an index, and the keys that they have there.

use std::collections::BTreeMap;

use keywright_finding::Span;
use keywright_key::{Placeholder, Segment, Template};
use keywright_model::At;
use keywright_model::design::{KeyAssignment, KeyValue};

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
    pub(super) collections: BTreeMap<String, Vec<usize>>,
}

impl<'d> Space<'d> {
    pub(super) fn new(table: &'d str, index: Option<&'d str>, members: Vec<Member<'d>>) -> Self {
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
    /// Its sort key; the first attribute of several.
    pub sort: Option<Key<'d>>,
    /// The further attributes of the partition key, then of the sort key, where an index has native keys.
    pub further: (Vec<Key<'d>>, Vec<Key<'d>>),
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
