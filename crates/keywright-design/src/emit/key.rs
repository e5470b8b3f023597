//! Keys by form: the key attributes of an entity's items in a place, and their values from a scope.

use keywright_model::design::{KeyAttribute, KeyType, Value};

use super::context::{Context, Place};
use super::scope::Scope;
use crate::form::{self, Form};
use crate::key::{Key, Part, PartValue, Piece};
use crate::naming::{self, Encoding};
use crate::path::{Path, Segment};
use crate::problem::{Attr, Attrs, EntityFacts};

impl Key {
    /// The whole key with values from a scope.
    pub(super) fn whole(&self, facts: &EntityFacts, scope: &Scope) -> Vec<(String, Value)> {
        self.parts().map(|part| (part.name.clone(), part.value(facts, scope))).collect()
    }

    /// The whole key as an earlier request read it.
    pub(super) fn read(&self, request: u32) -> Vec<(String, Value)> {
        let value = |part: &Part| Value::Read { request, attribute: part.name.clone() };
        self.parts().map(|part| (part.name.clone(), value(part))).collect()
    }
}

impl Part {
    fn text(name: String, pieces: Vec<Piece>) -> Self {
        Part { name, ty: KeyType::String, value: PartValue::Text(pieces) }
    }

    fn own(facts: &EntityFacts, attr: Attr) -> Self {
        let it = facts.attribute(attr);
        let ty = form::key_type(it).expect("only attributes of key types are keys themselves");
        Part { name: it.name.clone(), ty, value: PartValue::Own(attr) }
    }

    pub(super) fn attribute(&self) -> KeyAttribute {
        KeyAttribute { name: self.name.clone(), ty: self.ty }
    }

    /// The value of the attribute with values from a scope.
    pub(super) fn value(&self, facts: &EntityFacts, scope: &Scope) -> Value {
        match &self.value {
            PartValue::Own(attr) => own_value(facts, *attr, scope),
            PartValue::Text(pieces) => Value::Template(render(pieces, facts, scope)),
        }
    }

    /// The value of the attribute in a Query that asks every shard.
    pub(super) fn over_shards(&self, facts: &EntityFacts, scope: &Scope) -> Value {
        match &self.value {
            PartValue::Own(attr) => own_value(facts, *attr, scope),
            PartValue::Text(pieces) => {
                let every = |piece: &Piece| match piece {
                    Piece::Shard { .. } => Piece::Literal("<shard>".to_owned()),
                    other => other.clone(),
                };
                let pieces: Vec<Piece> = pieces.iter().map(every).collect();
                Value::Template(render(&pieces, facts, scope))
            }
        }
    }
}

/// The attribute's value where it is known, else what the caller gives under its name.
fn own_value(facts: &EntityFacts, attr: Attr, scope: &Scope) -> Value {
    scope.get(attr).cloned().unwrap_or_else(|| Value::Input(facts.attribute(attr).name.clone()))
}

/// A template of these pieces.
pub(super) fn render(pieces: &[Piece], facts: &EntityFacts, scope: &Scope) -> String {
    pieces
        .iter()
        .map(|piece| match piece {
            Piece::Literal(text) => text.clone(),
            Piece::Segment { segment, encoding } => scope.segment(facts, segment.attr, encoding),
            Piece::Shard { attr, shards } => {
                scope.segment(facts, *attr, &Encoding::Written(Some(format!("shard{shards}"))))
            }
        })
        .collect()
}

/// The key of an entity's items in a place.
pub(crate) fn key(context: &Context<'_>, entity: usize, place: Place) -> Key {
    if let Some(kept) = context.kept_key(entity, place) {
        return kept.clone();
    }
    let facts = context.entity(entity);
    let path = context.path(entity, place);
    let shards = context.shards(entity, place);
    let shard = facts.shard_attribute().filter(|_| shards > 1).map(|attr| Piece::Shard { attr, shards });
    match context.form(entity, place) {
        Form::Generic => generic(context, entity, place, &path, shard),
        Form::Native => native(context, entity, &path, shard),
        Form::Natural => natural(context, entity, place, &path, shard),
    }
}

/// Segments in a row, with a separator between.
fn joined(segments: impl Iterator<Item = Piece>) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for segment in segments {
        if !pieces.is_empty() {
            pieces.push(Piece::Literal("#".to_owned()));
        }
        pieces.push(segment);
    }
    pieces
}

fn ascending<'a>(facts: &'a EntityFacts, attrs: &'a [Attr]) -> impl Iterator<Item = Piece> + 'a {
    attrs.iter().map(|attr| Piece::of(facts, Segment::up(*attr)))
}

fn generic(context: &Context<'_>, entity: usize, place: Place, path: &Path, shard: Option<Piece>) -> Key {
    let facts = context.entity(entity);
    let (partition_name, sort_name) = context.generic_names(entity, place);
    let literal = context.new_literal(entity, place);
    let pieces = match context.kept_partition(entity, place) {
        Some((other, key)) => under(context, entity, path, other, &key.partition[0]),
        None => joined(
            std::iter::once(Piece::Literal(literal)).chain(ascending(facts, &path.partition)).chain(shard),
        ),
    };
    let partition = vec![Part::text(partition_name, pieces)];
    if place == Place::Base && !context.has_sort_key(entity) {
        return Key { partition, sort: Vec::new() };
    }
    let block = std::iter::once(Piece::Literal(context.block(entity, place)));
    let sort = if path.sort.is_empty() {
        // Alone in its partition: the sort key says the same again.
        joined(block.chain(ascending(facts, &path.partition)))
    } else {
        let segments = path.sort.iter().map(|segment| Piece::of(facts, *segment));
        // In a block of several kinds the kind comes last: it tells apart and leaves the order alone.
        let mixed = !context.mixed(entity, place).is_empty();
        let kind = mixed.then(|| Piece::Literal(naming::block_name(&facts.name)));
        joined(block.chain(segments).chain(kind))
    };
    Key { partition, sort: vec![Part::text(sort_name, sort)] }
}

/// The partition key of an entity that is there, made of another's attributes of the same meaning.
fn under(context: &Context<'_>, entity: usize, path: &Path, other: usize, part: &Part) -> Vec<Piece> {
    let (facts, others) = (context.entity(entity), context.entity(other));
    let own = |attr: Attr| {
        let domain = others.attribute(attr).domain;
        let found = path.partition.iter().copied().find(|it| facts.attribute(*it).domain == domain);
        found.expect("both are made of the same domains")
    };
    let pieces = match &part.value {
        PartValue::Own(attr) => vec![Piece::of(others, Segment::up(*attr))],
        PartValue::Text(pieces) => pieces.clone(),
    };
    pieces
        .into_iter()
        .map(|piece| match piece {
            Piece::Literal(text) => Piece::Literal(text),
            Piece::Segment { segment, encoding } => {
                Piece::Segment { segment: Segment { attr: own(segment.attr), ..segment }, encoding }
            }
            Piece::Shard { attr, shards } => Piece::Shard { attr: own(attr), shards },
        })
        .collect()
}

fn native(context: &Context<'_>, entity: usize, path: &Path, shard: Option<Piece>) -> Key {
    let facts = context.entity(entity);
    let part = |segment: Segment| match form::key_type(facts.attribute(segment.attr)) {
        Some(_) => Part::own(facts, segment.attr),
        None => {
            let name = camel([facts.attribute(segment.attr).name.as_str()]);
            let name = if facts.named(&name).is_some() { format!("{name}Key") } else { name };
            Part::text(name, vec![Piece::of(facts, segment)])
        }
    };
    let mut partition: Vec<Part> = path.partition.iter().map(|attr| part(Segment::up(*attr))).collect();
    if form::needs_kind(context.problem, entity, path) {
        // What tells kinds of items apart is an attribute like any other.
        let name = context.problem.type_attribute.to_owned();
        partition.insert(0, Part::text(name, vec![Piece::Literal(facts.name.clone())]));
    }
    let name = format!("{}Shard", camel([facts.name.as_str()]));
    partition.extend(shard.map(|shard| Part::text(name, vec![shard])));
    Key { partition, sort: path.sort.iter().map(|segment| part(*segment)).collect() }
}

fn natural(context: &Context<'_>, entity: usize, place: Place, path: &Path, shard: Option<Piece>) -> Key {
    let facts = context.entity(entity);
    // A string that only items with a certain value have is called after it.
    let gate = path.only.as_ref().map(|(_, value)| value.to_string().to_lowercase());
    let names = |attrs: &[Attr]| facts.names(attrs.iter().copied());
    let named = |mut words: Vec<String>, fallback: &str| {
        if words.is_empty() {
            words.push(fallback.to_owned());
        }
        words.splice(0..0, gate.clone());
        let name = camel(words.iter().map(String::as_str));
        // A name that the entity uses for something else is no name for a key.
        if facts.named(&name).is_some() { format!("{name}Key") } else { name }
    };
    let partition = match (form::own_partition(facts, path), shard) {
        (Some(attr), None) => Part::own(facts, attr),
        (_, shard) => {
            let sharded = shard.is_some();
            let literal = path.partition.is_empty().then(|| {
                Piece::Literal(naming::partition_name(
                    context.problem,
                    entity,
                    context.chosen_path(entity, place),
                ))
            });
            let pieces = joined(literal.into_iter().chain(ascending(facts, &path.partition)).chain(shard));
            let mut words = names(&path.partition);
            if sharded {
                words.push("shard".to_owned());
            }
            Part::text(named(words, "collection"), pieces)
        }
    };
    let sort = match (form::own_sort(facts, path), path.sort.as_slice()) {
        (_, []) => Vec::new(),
        (Some(attr), _) => vec![Part::own(facts, attr)],
        (None, segments) => {
            let attrs: Vec<Attr> = segments.iter().map(|segment| segment.attr).collect();
            let mut words = names(&attrs);
            if segments.iter().any(|segment| segment.descending) {
                words.push("order".to_owned());
            }
            if words.len() == 1 {
                words.push("key".to_owned());
            }
            let pieces = joined(segments.iter().map(|segment| Piece::of(facts, *segment)));
            vec![Part::text(named(words, "sort"), pieces)]
        }
    };
    Key { partition: vec![partition], sort }
}

/// The key of the item that keeps a set unique.
pub(crate) fn uniqueness(context: &Context<'_>, entity: usize, set: Attrs) -> Key {
    let facts = context.entity(entity);
    if let Some((_, key)) = context.existing.and_then(|existing| existing.uniqueness(facts, set)) {
        return key;
    }
    // Whose it is comes first, as in every partition key.
    let (tenants, others): (Vec<Attr>, Vec<Attr>) =
        set.iter().partition(|attr| facts.tenants().contains(*attr));
    let attrs: Vec<Attr> = tenants.into_iter().chain(others).collect();
    if context.form(entity, Place::Base) == Form::Natural {
        let path = match attrs.as_slice() {
            [first, second] => Path::of(vec![*first], vec![Segment::up(*second)]),
            _ => Path::of(attrs.clone(), Vec::new()),
        };
        if let Some(partition) = form::own_partition(facts, &path)
            && (path.sort.is_empty() || form::own_sort(facts, &path).is_some())
        {
            let sort = form::own_sort(facts, &path).map(|attr| Part::own(facts, attr));
            return Key { partition: vec![Part::own(facts, partition)], sort: sort.into_iter().collect() };
        }
        let name = camel(facts.names(attrs.iter().copied()).iter().map(String::as_str));
        let name = if facts.named(&name).is_some() { format!("{name}Key") } else { name };
        return Key { partition: vec![Part::text(name, joined(ascending(facts, &attrs)))], sort: Vec::new() };
    }
    let (partition, sort) = context.generic_names(entity, Place::Base);
    let literal = Piece::Literal(naming::upper(&naming::uniqueness_type(facts, set)));
    let pieces = joined(std::iter::once(literal).chain(ascending(facts, &attrs)));
    let sort = context.has_sort_key(entity).then(|| Part::text(sort, pieces.clone()));
    Key { partition: vec![Part::text(partition, pieces)], sort: sort.into_iter().collect() }
}

/// Words as one: `placed`, `at` → `placedAt`; the first begins small.
pub(super) fn camel<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
    let mut name = String::new();
    for word in words.into_iter().flat_map(|word| word.split(|letter: char| !letter.is_alphanumeric())) {
        let mut letters = word.chars();
        let Some(first) = letters.next() else { continue };
        match name.is_empty() {
            true => name.extend(first.to_lowercase()),
            false => name.extend(first.to_uppercase()),
        }
        name.extend(letters);
    }
    name
}
