//! A table that exists: keys that can't change, and indexes that are open already.
//!
//! Extending restricts the candidates and nothing else, so that the search stays exact: an entity that has items has
//! one base placement, its present indexes are open at no price, and whatever else is opened comes beside them.

use std::collections::{BTreeMap, BTreeSet};

use keywright_finding::{Finding, Span};
use keywright_key::Enumeration;
use keywright_model::design::{self, ItemKind, ItemType, KeyAssignment, KeyAttribute, KeyValue};
use keywright_model::{Design, Style};

use crate::candidate::{Candidates, IndexCandidate};
use crate::form::{Form, Forms};
use crate::key::{Key, Part, PartValue, Piece};
use crate::naming::Encoding;
use crate::path::{Path, Projection, Segment};
use crate::problem::{Attr, AttributeFacts, Attrs, Domain, EntityFacts, Problem, ReadFacts};
use crate::rules;
use crate::search::{FixedBlock, Present, SharedPlace, arrange, tables};

/// What exists.
#[derive(Debug)]
pub(crate) struct Existing<'d> {
    pub(crate) design: &'d Design,
    /// What each entity has there; none for an entity that is new.
    pub(crate) entities: Vec<Option<Kept>>,
    /// The table that each entity's items are in or come into, by its position in the design; none for a new table.
    homes: Vec<Option<usize>>,
    /// What entities had whose keys are taken as movable.
    pub(crate) moved: BTreeMap<usize, Kept>,
}

/// The keys of an entity's items.
#[derive(Debug)]
pub(crate) struct Kept {
    /// The item type, by its position in the design.
    pub(crate) item: usize,
    /// The table, by its position in the design.
    table: usize,
    pub(crate) key: Key,
    pub(crate) path: Path,
    pub(crate) indexes: Vec<KeptIndex>,
}

impl Kept {
    /// The name of the table.
    pub(crate) fn table<'d>(&self, existing: &Existing<'d>) -> &'d str {
        &existing.design.tables[self.table].name
    }
}

/// An index that an entity's items are in.
#[derive(Debug)]
pub(crate) struct KeptIndex {
    /// Its position in the design.
    pub(crate) number: usize,
    pub(crate) key: Key,
    pub(crate) path: Path,
    pub(crate) projection: Projection,
}

/// Why a design can't be extended.
#[derive(Debug)]
pub(crate) enum Unreadable {
    /// It has no table.
    NoTable,
    /// A key of an entity's items is no template over its attributes.
    Key { entity: usize, attribute: String },
    /// Keys hold the position of a value among these, and the document declares values with other positions.
    Rank { entity: usize, attribute: String, values: Vec<String> },
    /// An entity lies in another's item, and the document asks for what needs one of its own.
    Held { entity: usize, item: String },
}

impl Unreadable {
    /// What is to be said about the document.
    pub(crate) fn finding(&self, problem: &Problem) -> Finding {
        match self {
            Unreadable::NoTable => Finding::new(
                &rules::BASE_NOT_EXTENDABLE,
                Span::default(),
                "the design to extend has no table",
            )
            .help("describe the table and its keys under `## Table Configuration`"),
            Unreadable::Held { entity, item } => {
                let facts = &problem.entities[*entity];
                Finding::new(
                    &rules::BASE_NOT_EXTENDABLE,
                    facts.span,
                    format!(
                        "{} is stored in the item of {item} in the design to extend, but the document needs \
                         a separate item for it",
                        facts.name
                    ),
                )
                .help("create it with or after its owner, and delete it with its owner")
            }
            Unreadable::Rank { entity, attribute, values } => {
                let facts = &problem.entities[*entity];
                Finding::new(
                    &rules::BASE_NOT_EXTENDABLE,
                    facts.span,
                    format!(
                        "keys of {} in the design to extend hold the position of `{attribute}` among {}, and \
                         the document declares values with other positions",
                        facts.name,
                        values.join(", ")
                    ),
                )
                .help(
                    "declare the same values in the same order; new ones can follow at the end, unless keys sort \
                     them downwards or need one digit more",
                )
            }
            Unreadable::Key { entity, attribute } => {
                let facts = &problem.entities[*entity];
                Finding::new(
                    &rules::BASE_NOT_EXTENDABLE,
                    facts.span,
                    format!(
                        "`{attribute}` of {} in the design to extend does not consist of attributes of {}",
                        facts.name, facts.name
                    ),
                )
                .help("give the attributes in the document the names of the key's placeholders")
            }
        }
    }
}

impl<'d> Existing<'d> {
    /// What the design has for each entity of the problem.
    pub(crate) fn read(problem: &Problem, design: &'d Design) -> Result<Self, Unreadable> {
        if design.tables.is_empty() {
            return Err(Unreadable::NoTable);
        }
        let mut entities = Vec::with_capacity(problem.entities.len());
        for (at, facts) in problem.entities.iter().enumerate() {
            let holds = |item: &&ItemType| {
                item.kind == ItemKind::Main && item.name != facts.name && item.entities.contains(&facts.name)
            };
            if let Some(item) = design.items.iter().find(holds) {
                return Err(Unreadable::Held { entity: at, item: item.name.clone() });
            }
            let item = design.items.iter().position(|item| is_main(item, &facts.name));
            let Some(item) = item else {
                entities.push(None);
                continue;
            };
            let of = &design.items[item];
            let Some(number) = table_of(design, of) else { return Err(Unreadable::NoTable) };
            let table = &design.tables[number];
            let primary: Vec<&KeyAttribute> = table.key().collect();
            let unreadable =
                |attribute: &str| Unreadable::Key { entity: at, attribute: attribute.to_owned() };
            if let Some((attribute, values)) = moved_rank(facts, of) {
                return Err(Unreadable::Rank { entity: at, attribute, values });
            }
            let key = key(facts, of, &primary[..1], &primary[1..]).map_err(|it| unreadable(&it))?;
            let Some(key) = key else { return Err(unreadable(&table.partition.name)) };
            let mut indexes = Vec::new();
            for (number, index) in design.indexes.iter().enumerate().filter(|(_, it)| it.table == table.name)
            {
                let partition: Vec<&KeyAttribute> = index.partition.iter().collect();
                let sort: Vec<&KeyAttribute> = index.sort.iter().collect();
                let Some(key) = self::key(facts, of, &partition, &sort).map_err(|it| unreadable(&it))? else {
                    continue;
                };
                let mut path = path_of(facts, &key);
                path.only = only(facts, of, index);
                indexes.push(KeptIndex { number, path, projection: projection(facts, index), key });
            }
            let in_table = own(&key);
            for index in &mut indexes {
                index.projection = held_with(index.projection, in_table.union(own(&index.key)));
            }
            entities.push(Some(Kept { item, table: number, path: path_of(facts, &key), key, indexes }));
        }
        Ok(Existing { design, entities, homes: Vec::new(), moved: BTreeMap::new() }.housed(problem))
    }

    /// Finds the table of each entity. What is new comes into the one table that there is; of several, into that of the
    /// entities that it is read together with, if the keys there are not made for one kind of item alone.
    fn housed(mut self, problem: &Problem) -> Self {
        let several = style(self.design) == Style::MultiTable;
        self.homes = match several {
            false => vec![Some(0); self.entities.len()],
            true => self.entities.iter().map(|kept| Some(kept.as_ref()?.table)).collect(),
        };
        if several {
            for together in tables(problem, Style::MultiTable, None) {
                let kept = || together.iter().filter(|entity| self.entities[**entity].is_some());
                let home = kept().next().and_then(|entity| self.homes[*entity]);
                let takes_all = kept().all(|entity| self.homes[*entity] == home && !self.is_natural(*entity));
                for entity in together.iter().filter(|entity| self.entities[**entity].is_none()) {
                    self.homes[*entity] = home.filter(|_| takes_all);
                }
            }
        }
        self
    }

    /// The table that an entity's items are in or come into; none for a new table.
    pub(crate) fn home(&self, entity: usize) -> Option<usize> {
        self.homes[entity]
    }

    /// Whether the keys of an entity that is there are made of its attributes alone: no text tells it from other kinds.
    fn is_natural(&self, entity: usize) -> bool {
        self.entities[entity].as_ref().is_some_and(|kept| {
            let said = if kept.path.partition.is_empty() {
                kept.key.sort.first()
            } else {
                kept.key.partition.first()
            };
            said.is_none_or(|part| part.leading_literal().is_empty())
        })
    }

    /// How an entity's keys become attributes: as those that are there do.
    pub(crate) fn forms(&self, problem: &Problem, style: Style, entity: usize) -> Forms {
        match (style, &self.entities[entity]) {
            (Style::MultiTable, Some(_)) => {
                let form = if self.is_natural(entity) { Form::Natural } else { Form::Generic };
                Forms { base: form, index: form }
            }
            _ => Forms::of(problem, style, entity),
        }
    }

    /// The same with the keys of these entities taken as movable.
    pub(crate) fn without(mut self, problem: &Problem, moved: &[usize]) -> Self {
        for entity in moved {
            if let Some(kept) = self.entities[*entity].take() {
                self.moved.insert(*entity, kept);
            }
        }
        self.housed(problem)
    }

    /// Whether all that the document speaks of moves out of the one table there is, whose key has no sort key. No table
    /// gets one later: what moves comes into a new table, whose keys are free.
    pub(crate) fn is_left(&self) -> bool {
        let unsorted = style(self.design) != Style::MultiTable && self.design.tables[0].sort.is_none();
        unsorted && !self.moved.is_empty() && self.entities.iter().all(Option::is_none)
    }

    /// The entities of a table whose key has no sort key, where it is the table of one of these: they move together.
    pub(crate) fn beside_in_unsorted(&self, entities: &[usize]) -> Vec<usize> {
        let homes: BTreeSet<Option<usize>> = entities
            .iter()
            .filter(|entity| !self.has_sort(**entity))
            .map(|entity| self.homes[*entity])
            .collect();
        let kept = (0..self.entities.len()).filter(|entity| self.entities[*entity].is_some());
        kept.filter(|entity| homes.contains(&self.homes[*entity])).collect()
    }

    /// Whether the primary key of the table that an entity is in has a sort key.
    pub(crate) fn has_sort(&self, entity: usize) -> bool {
        self.homes[entity].is_none_or(|table| self.design.tables[table].sort.is_some())
    }

    /// The candidates of an entity that leave its keys where they are.
    pub(crate) fn restrict(&self, entity: usize, mut candidates: Candidates) -> Candidates {
        let Some(kept) = &self.entities[entity] else {
            // A new kind of item comes into the table as it is.
            let has_sort = self.has_sort(entity);
            candidates.bases.retain(|path| has_sort || path.sort.is_empty());
            return candidates;
        };
        candidates.bases = vec![kept.path.clone()];
        let stays = |index: &IndexCandidate| {
            !kept.indexes.iter().any(|it| it.path == index.path && it.projection == index.projection)
        };
        let present =
            kept.indexes.iter().map(|it| IndexCandidate { path: it.path.clone(), projection: it.projection });
        candidates.indexes = present.chain(candidates.indexes.into_iter().filter(stays)).collect();
        candidates.kept = kept.indexes.len();
        candidates
    }

    /// The key of an entity's items in the table, or in the index at that position of the design.
    pub(crate) fn key(&self, entity: usize, index: Option<usize>) -> Option<&Key> {
        let kept = self.entities[entity].as_ref()?;
        match index {
            None => Some(&kept.key),
            Some(number) => kept.indexes.iter().find(|it| it.number == number).map(|it| &it.key),
        }
    }

    /// The attributes of an entity that index keys hold beside others in one string.
    pub(crate) fn composed(&self, entity: usize) -> Attrs {
        let indexes = self.entities[entity].iter().flat_map(|kept| &kept.indexes);
        let strings = indexes.flat_map(|index| index.key.parts()).map(Part::composed);
        strings.filter(|attrs| attrs.iter().count() > 1).fold(Attrs::NONE, Attrs::union)
    }

    /// The position in the design of an index candidate that is open already.
    pub(crate) fn index_number(&self, entity: usize, candidate: usize) -> Option<usize> {
        Some(self.entities[entity].as_ref()?.indexes.get(candidate)?.number)
    }

    /// The GSIs that are there in a table.
    pub(crate) fn present(&self, table: usize) -> Vec<Present> {
        let of = |(number, index): (usize, &design::Index)| match &index.projection {
            design::Projection::All => Present { number, kind: 0, names: Vec::new() },
            design::Projection::KeysOnly => Present { number, kind: 1, names: Vec::new() },
            design::Projection::Include(names) => Present { number, kind: 2, names: names.clone() },
        };
        let all = self.design.indexes.iter().enumerate();
        all.filter(|(_, index)| index.table == self.design.tables[table].name).map(of).collect()
    }

    /// The GSIs of tables that nothing of the document is in.
    pub(crate) fn elsewhere(&self) -> Vec<Present> {
        let tables = (0..self.design.tables.len()).filter(|table| !self.homes.contains(&Some(*table)));
        tables.flat_map(|table| self.present(table)).collect()
    }

    /// The text that the partition keys of an entity begin with, in the table or in an index.
    pub(crate) fn partition_literal(&self, entity: usize, index: Option<usize>) -> Option<&str> {
        Some(self.key(entity, index)?.partition[0].leading_literal())
    }

    /// The places where other kinds of items lie among those of an entity, so that a Query finds both: the table (none), or
    /// one of its index candidates.
    pub(crate) fn untold(&self, entity: usize) -> Vec<Option<usize>> {
        let Some(kept) = &self.entities[entity] else { return Vec::new() };
        let own = &self.design.items[kept.item];
        let others = || self.design.items.iter().filter(|it| it.name != own.name && it.table == own.table);
        let among = |key: &Key| {
            let (Some(partition), Some(sort)) = (key.partition.first(), key.sort.first()) else {
                return false;
            };
            // A native key is made of attributes, which tell kinds apart by being there.
            let is_text = |part: &Part| matches!(part.value, PartValue::Text(_));
            is_text(partition)
                && key.partition.len() == 1
                && others().any(|item| {
                    let text = |part: &Part| item.key(&part.name).and_then(leading_text);
                    let (Some(theirs), Some(sorted)) = (text(partition), text(sort)) else { return false };
                    let (mine, block) = (partition.leading_literal(), sort.leading_literal());
                    theirs == mine && (sorted.starts_with(block) || block.starts_with(sorted))
                })
        };
        let indexes = kept.indexes.iter().enumerate().filter(|(_, index)| among(&index.key));
        among(&kept.key).then_some(None).into_iter().chain(indexes.map(|(at, _)| Some(at))).collect()
    }

    /// An entity that is there, in the table or in an index, whose partition keys mean what those of another do, and its
    /// key: what comes new comes into its collections.
    pub(crate) fn under(
        &self,
        problem: &Problem,
        entity: usize,
        partition: Attrs,
        index: Option<usize>,
    ) -> Option<(usize, &Key)> {
        let domains = |entity: usize, attrs: Attrs| -> BTreeSet<Domain> {
            attrs.iter().map(|attr| problem.entities[entity].attribute(attr).domain).collect()
        };
        // Without a sort key each kind has its own partition keys: two under one would be one item.
        if partition.is_empty() || index.is_none() && !self.has_sort(entity) {
            return None;
        }
        let wanted = domains(entity, partition);
        (0..self.entities.len())
            .filter(|other| self.homes[*other] == self.homes[entity])
            .filter_map(|other| Some((other, self.key(other, index)?)))
            .find(|(other, key)| domains(*other, key.path().partition_set()) == wanted)
    }

    /// The text that begins the partition keys which a shared read finds in the table or in an index, where something is
    /// there already.
    pub(crate) fn collection(
        &self,
        problem: &Problem,
        read: &ReadFacts,
        index: Option<usize>,
    ) -> Option<&str> {
        let head = &read.parts[0];
        self.partition_literal(head.entity, index).or_else(|| {
            let (_, key) = self.under(problem, head.entity, head.eq(), index)?;
            Some(key.partition[0].leading_literal())
        })
    }

    /// The blocks in the collections that a shared read finds, in the table or in an index.
    pub(crate) fn blocks(
        &self,
        problem: &Problem,
        read: &ReadFacts,
        index: Option<usize>,
    ) -> Vec<FixedBlock> {
        let Some(literal) = self.collection(problem, read, index) else { return Vec::new() };
        (0..self.entities.len())
            .filter(|other| self.homes[*other] == self.homes[read.parts[0].entity])
            .filter(|other| self.partition_literal(*other, index) == Some(literal))
            .filter_map(|other| {
                let sort = self.key(other, index)?.sort.first()?;
                Some(FixedBlock {
                    entity: other,
                    literal: sort.leading_literal().to_owned(),
                    sort: sort.segments(),
                })
            })
            .collect()
    }

    /// Whether what a shared read wants lies in one collection, in these places: what is there in one that is there, and
    /// what is new beside it.
    pub(crate) fn keeps_together(
        &self,
        problem: &Problem,
        facts: &ReadFacts,
        places: &[SharedPlace],
    ) -> bool {
        // Nothing is read from two tables at once.
        let home = self.homes[facts.parts[0].entity];
        if facts.parts.iter().any(|part| self.homes[part.entity] != home) {
            return false;
        }
        let mut there: Vec<(Option<usize>, &str)> = Vec::new();
        let mut new: Vec<usize> = Vec::new();
        for (part, place) in facts.parts.iter().zip(places) {
            let is_new = place.kind.is_some() && place.gsi.is_none();
            match self.partition_literal(part.entity, place.gsi).filter(|_| !is_new) {
                Some(literal) => there.push((place.gsi, literal)),
                None => new.push(part.entity),
            }
        }
        let Some((gsi, literal)) = there.first().copied() else { return true };
        there.iter().all(|it| *it == (gsi, literal))
            && (new.is_empty() || self.collection(problem, facts, gsi) == Some(literal))
            && (gsi.is_none() || self.takes_beside(problem, facts, gsi, literal, &new))
    }

    /// Whether entries of these entities can come into an index beside those that a shared read finds there.
    fn takes_beside(
        &self,
        problem: &Problem,
        facts: &ReadFacts,
        gsi: Option<usize>,
        literal: &str,
        new: &[usize],
    ) -> bool {
        let head = facts.parts[0].entity;
        let headed = |(_, read): &(usize, &ReadFacts)| {
            read.parts.len() > 1 && !read.scan && read.parts[0].entity == head
        };
        let reads =
            || -> Vec<usize> { problem.reads.iter().enumerate().filter(headed).map(|(at, _)| at).collect() };
        // An item has one entry in an index, and keys without text are for one kind of item alone. A head that is there
        // is arranged with its own keys.
        new.is_empty()
            || !literal.is_empty()
                && new.iter().all(|entity| self.key(*entity, gsi).is_none())
                && (!new.contains(&head)
                    || arrange(problem, &reads(), &self.blocks(problem, facts, gsi)).is_some())
    }

    /// The item type that keeps a set of an entity's attributes unique.
    pub(crate) fn uniqueness(&self, facts: &EntityFacts, set: Attrs) -> Option<(&'d ItemType, Key)> {
        self.design.items.iter().filter(|item| item.kind == ItemKind::Uniqueness).find_map(|item| {
            if !item.entities.contains(&facts.name) {
                return None;
            }
            let table = &self.design.tables[table_of(self.design, item)?];
            let primary: Vec<&KeyAttribute> = table.key().collect();
            let key = key(facts, item, &primary[..1], &primary[1..]).ok()??;
            let path = key.path();
            (path.partition_set() == set || path.attrs() == set).then_some((item, key))
        })
    }
}

/// The style in which a design is extended: one of several tables stays one of several.
pub(crate) fn style(design: &Design) -> Style {
    if design.tables.len() > 1 { Style::MultiTable } else { design.style }
}

/// The table that an item type is in, by its position in the design: the only one where nobody says.
fn table_of(design: &Design, item: &ItemType) -> Option<usize> {
    let named = design.tables.iter().position(|table| table.name == item.table);
    named.or((design.tables.len() == 1).then_some(0))
}

/// The text that every value of a key string begins with; none where the attribute is the key itself.
fn leading_text(key: &KeyAssignment) -> Option<&str> {
    match &key.value {
        KeyValue::Natural => None,
        KeyValue::Template(template) => template.split(['<', '{']).next(),
    }
}

fn is_main(item: &ItemType, entity: &str) -> bool {
    item.kind != ItemKind::Uniqueness && item.name == entity
}

/// The key that an item type has; none where it has none of these attributes.
fn key(
    facts: &EntityFacts,
    item: &ItemType,
    partition: &[&KeyAttribute],
    sort: &[&KeyAttribute],
) -> Result<Option<Key>, String> {
    if partition.is_empty() || partition.iter().chain(sort).any(|key| item.key(&key.name).is_none()) {
        return Ok(None);
    }
    let part = |attribute: &&KeyAttribute| -> Result<Part, String> {
        let assigned = item.key(&attribute.name).ok_or_else(|| attribute.name.clone())?;
        let value = match &assigned.value {
            KeyValue::Natural => facts.named(&attribute.name).map(PartValue::Own),
            KeyValue::Template(template) => pieces(facts, template).map(PartValue::Text),
        };
        let value = value.ok_or_else(|| attribute.name.clone())?;
        Ok(Part { name: attribute.name.clone(), ty: attribute.ty, value })
    };
    Ok(Some(Key {
        partition: partition.iter().map(part).collect::<Result<_, _>>()?,
        sort: sort.iter().map(part).collect::<Result<_, _>>()?,
    }))
}

/// The pieces of a template over an entity's attributes.
fn pieces(facts: &EntityFacts, template: &str) -> Option<Vec<Piece>> {
    let template = keywright_key::Template::parse(template).ok()?;
    template
        .segments()
        .iter()
        .map(|segment| match segment {
            keywright_key::Segment::Literal(text) => Some(Piece::Literal(text.clone())),
            keywright_key::Segment::Placeholder(place) => {
                let attr = facts.named(place.name())?;
                let name = renewed(facts.attribute(attr), place.encoding())?.to_string();
                if let Some(shards) = name.strip_prefix("shard") {
                    return Some(Piece::Shard { attr, shards: shards.parse().ok()? });
                }
                let period = facts.periods().find(|(_, it)| it.of == attr && it.period.encoding() == name);
                let attr = period.map_or(attr, |(period, _)| period);
                let descending = place.encoding().direction() == keywright_key::Direction::Descending;
                let by_name = is_ranked(facts, attr) && !holds_rank(place.encoding());
                let segment = Segment { attr, descending, by_name };
                let plain = *place.encoding() == keywright_key::Encoding::Text;
                Some(Piece::Segment { segment, encoding: Encoding::Written((!plain).then_some(name)) })
            }
        })
        .collect()
}

/// Whether values of an attribute are wanted in an order that their names do not have.
fn is_ranked(facts: &EntityFacts, attr: Attr) -> bool {
    !facts.attribute(attr).rank.is_empty()
}

/// Whether a key that is written like this holds the position of a value.
fn holds_rank(encoding: &keywright_key::Encoding) -> bool {
    let order = keywright_key::EnumerationOrder::Declared;
    matches!(encoding, keywright_key::Encoding::Enumeration(it) if it.order() == order)
}

/// An enumeration whose values stood at other positions when keys were written, and the values as they stood.
fn moved_rank(facts: &EntityFacts, item: &ItemType) -> Option<(String, Vec<String>)> {
    let templates = item.keys.iter().filter_map(|key| match &key.value {
        KeyValue::Template(template) => keywright_key::Template::parse(template).ok(),
        KeyValue::Natural => None,
    });
    templates.flat_map(|it| it.segments().to_vec()).find_map(|segment| {
        let keywright_key::Segment::Placeholder(place) = segment else { return None };
        let attribute = facts.attribute(facts.named(place.name())?);
        let keywright_key::Encoding::Enumeration(it) = place.encoding() else { return None };
        let moved = renewed(attribute, place.encoding()).is_none();
        moved.then(|| (attribute.name.clone(), it.values().to_vec()))
    })
}

/// A template of a key that is there, with the values that its enumerations have by now.
pub(crate) fn renewed_template(facts: &EntityFacts, template: &str) -> String {
    let mut text = template.to_owned();
    let Ok(parsed) = keywright_key::Template::parse(template) else { return text };
    for segment in parsed.segments() {
        let keywright_key::Segment::Placeholder(place) = segment else { continue };
        let Some(attr) = facts.named(place.name()) else { continue };
        let new = renewed(facts.attribute(attr), place.encoding());
        if let (keywright_key::Encoding::Enumeration(old), Some(new)) = (place.encoding(), new)
            && !old.values().is_empty()
        {
            text = text.replace(&format!(":{}>", place.encoding()), &format!(":{new}>"));
        }
    }
    text
}

/// The encoding of a key that is there, with the values that are declared by now; none where these would be written
/// otherwise than they are.
fn renewed(
    attribute: &AttributeFacts,
    encoding: &keywright_key::Encoding,
) -> Option<keywright_key::Encoding> {
    let keywright_key::Encoding::Enumeration(old) = encoding else { return Some(encoding.clone()) };
    let declared = &attribute.values;
    let new = Enumeration::new(declared.clone(), old.order(), old.direction())?;
    let new = keywright_key::Encoding::Enumeration(new);
    let written = |encoding: &keywright_key::Encoding, value: &String| {
        encoding.encode(&keywright_key::Value::from(value.as_str())).ok()
    };
    let stays =
        |value: &String| !declared.contains(value) || written(encoding, value) == written(&new, value);
    if declared.is_empty() || old.values().is_empty() || old.values().iter().all(stays) {
        return Some(if declared.is_empty() { encoding.clone() } else { new });
    }
    // Positions may have gaps.
    let mut positions = declared.iter().map(|value| old.values().iter().position(|it| it == value));
    let gaps = positions.clone().all(|it| it.is_some()) && positions.by_ref().is_sorted();
    gaps.then(|| encoding.clone())
}

/// The path that a key follows, where attributes that are keys themselves sort by name.
fn path_of(facts: &EntityFacts, key: &Key) -> Path {
    let path = key.path();
    let own = own(key);
    let sort = path.sort.iter().map(|segment| {
        let by_name = segment.by_name || own.contains(segment.attr) && is_ranked(facts, segment.attr);
        Segment { by_name, ..*segment }
    });
    Path::of(path.partition.clone(), sort.collect())
}

/// The value that all entries of a sparse index have.
fn only(
    facts: &EntityFacts,
    item: &ItemType,
    index: &design::Index,
) -> Option<(Attr, keywright_model::model::Literal)> {
    let sparse = index.key().find_map(|key| item.key(&key.name)?.sparse.as_ref())?;
    Some((facts.named(&sparse.attribute)?, sparse.equals.clone()?))
}

fn projection(facts: &EntityFacts, index: &design::Index) -> Projection {
    match &index.projection {
        design::Projection::All => Projection::All,
        design::Projection::KeysOnly => Projection::Keys,
        design::Projection::Include(names) => {
            Projection::Include(names.iter().filter_map(|name| facts.named(name)).collect())
        }
    }
}

/// The attributes that are key attributes themselves.
fn own(key: &Key) -> Attrs {
    key.parts()
        .filter_map(|part| match part.value {
            PartValue::Own(attr) => Some(attr),
            _ => None,
        })
        .collect()
}

/// What entries hold: DynamoDB takes no key attribute into an INCLUDE list, because every entry has it anyway.
fn held_with(projection: Projection, keys: Attrs) -> Projection {
    match projection {
        Projection::Include(list) => Projection::Include(list.union(keys)),
        other => other,
    }
}
