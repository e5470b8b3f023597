//! What emission needs to know at every turn: the problem, the answer, and the final paths of each place.

use std::collections::{BTreeMap, BTreeSet};

use keywright_model::design::{KeyAttribute, KeyValue, Table};
use keywright_model::model::{Condition, ConditionKind};
use keywright_model::{Model, Style};

use super::blocks::{Blocks, arranged_places};
use super::key::{self, camel};
use crate::collection::{Collection, Member, Parted};
use crate::cost::ReadPrice;
use crate::demand::Source;
use crate::existing::Existing;
use crate::form::Form;
use crate::key::Key;
use crate::naming;
use crate::path::Path;
use crate::problem::{Attrs, EntityFacts, Problem};
use crate::search::{Answer, Choice, EntityTask, Layout, tables};

/// Where items lie: the table, or a GSI by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    Base,
    Index(usize),
}

/// Everything that emission reads.
pub(crate) struct Context<'a> {
    pub(crate) model: &'a Model,
    pub(crate) problem: &'a Problem,
    pub(crate) tasks: &'a [EntityTask<'a>],
    pub(crate) answer: &'a Answer,
    pub(crate) style: Style,
    /// The table that the design extends.
    pub(crate) existing: Option<&'a Existing<'a>>,
    /// The entities of each table.
    pub(crate) tables: Vec<Vec<usize>>,
    /// For each entity the GSIs of its open indexes, by their positions in the layout.
    numbers: Vec<Vec<usize>>,
    /// Where items have a literal of their own, since what would share one is too hot for that.
    parted: BTreeMap<Member, &'a Parted>,
    /// The open indexes that lie in each GSI.
    members: Vec<Vec<(usize, usize)>>,
    /// The names of the GSIs, by number.
    index_names: Vec<String>,
    /// The entities that have items in a place under a partition literal.
    sharers: BTreeMap<(Place, String), Vec<usize>>,
    /// The entities whose partition keys in the table are also those of another kind of item.
    crowded: BTreeSet<usize>,
    /// The orders of blocks in collections that several entities share.
    blocks: Vec<Blocks>,
    /// Reads whose blocks have no order together: where there are some, nothing can be written out.
    pub(crate) torn: Vec<usize>,
}

impl<'a> Context<'a> {
    pub(crate) fn new(
        model: &'a Model,
        problem: &'a Problem,
        tasks: &'a [EntityTask<'a>],
        answer: &'a Answer,
        collections: &'a [Collection],
        style: Style,
    ) -> Self {
        let existing = tasks.first().and_then(|task| task.existing);
        let tables = tables(problem, style, existing);
        let mut numbers: Vec<Vec<usize>> =
            answer.layouts.iter().map(|layout| vec![0; layout.indexes.len()]).collect();
        let mut members: Vec<Vec<(usize, usize)>> = vec![Vec::new(); answer.counts.iter().sum()];
        for (group, number) in answer.groups.iter().zip(&answer.colours) {
            group.members.iter().for_each(|(entity, position)| numbers[*entity][*position] = *number);
            members[*number].extend(&group.members);
        }
        let mut parted = BTreeMap::new();
        for collection in collections {
            let why = collection.parted.iter();
            parted.extend(why.flat_map(|why| collection.members.iter().map(move |member| (*member, why))));
        }
        let mut context = Context {
            parted,
            model,
            problem,
            tasks,
            answer,
            style,
            existing,
            tables,
            numbers,
            members,
            index_names: Vec::new(),
            sharers: BTreeMap::new(),
            crowded: BTreeSet::new(),
            blocks: Vec::new(),
            torn: Vec::new(),
        };
        for number in 0..answer.counts.iter().sum() {
            let name = index_name(&context, number);
            context.index_names.push(name);
        }
        context.sharers = sharers(&context);
        context.crowded = crowded(&context);
        match arranged_places(&context) {
            Ok(blocks) => context.blocks = blocks,
            Err(reads) => context.torn = reads,
        }
        context
    }

    pub(crate) fn entity(&self, entity: usize) -> &'a EntityFacts {
        &self.problem.entities[entity]
    }

    pub(crate) fn layout(&self, entity: usize) -> &'a Layout {
        &self.answer.layouts[entity]
    }

    /// The table's name where there is one: the application's, without what DynamoDB refuses.
    fn application(&self) -> String {
        let name: String = self
            .model
            .application
            .as_ref()
            .map_or("", |it| it.value.as_str())
            .chars()
            .map(|letter| if letter.is_ascii_alphanumeric() || "_.-".contains(letter) { letter } else { '-' })
            .collect();
        name.trim_matches('-').to_owned()
    }

    /// The name of the table that an entity's items are in. One of several is called after its first entity too.
    pub(crate) fn table(&self, entity: usize) -> String {
        if let Some(table) = self.kept_table(entity) {
            return table.name.clone();
        }
        match self.style {
            Style::Overloaded | Style::MultiAttribute => long_enough(self.application()),
            Style::MultiTable => self.table_for(&self.entity(self.table_entities(entity)[0]).name),
        }
    }

    /// The table that is there and that an entity's items are in or come into.
    fn kept_table(&self, entity: usize) -> Option<&'a Table> {
        let existing = self.existing?;
        existing.home(entity).map(|table| &existing.design.tables[table])
    }

    fn table_for(&self, name: &str) -> String {
        let name: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
        let application = self.application();
        let name = long_enough(if application.is_empty() { name } else { format!("{application}-{name}") });
        // What is there under this name is another table.
        let taken = |name: &str| {
            self.existing.is_some_and(|existing| existing.design.tables.iter().any(|it| it.name == *name))
        };
        let numbered = (2..).map(|number| format!("{name}{number}"));
        let free = std::iter::once(name.clone()).chain(numbered).find(|name| !taken(name));
        free.expect("numbers never run out")
    }

    /// The name of the table that the uniqueness items of a set are in: a table of natural keys holds one kind of item.
    pub(crate) fn uniqueness_table(&self, entity: usize, set: Attrs) -> String {
        let kept = self.existing.and_then(|existing| existing.uniqueness(self.entity(entity), set));
        if let Some((item, _)) = kept {
            return item.table.clone();
        }
        match self.form(entity, Place::Base) {
            Form::Natural => self.table_for(&naming::uniqueness_type(self.entity(entity), set)),
            Form::Generic | Form::Native => self.table(entity),
        }
    }

    /// The entities that share a table with this one, itself among them.
    pub(crate) fn table_entities(&self, entity: usize) -> &[usize] {
        self.tables.iter().find(|table| table.contains(&entity)).expect("every entity is in a table")
    }

    /// Whether items of the table that an entity is in need a sort key: some collection holds more than one of them.
    pub(crate) fn has_sort_key(&self, entity: usize) -> bool {
        if let Some(table) = self.kept_table(entity) {
            return table.sort.is_some();
        }
        let entities = self.table_entities(entity);
        let sorted =
            |it: &usize| !self.tasks[*it].candidates.bases[self.answer.layouts[*it].base].sort.is_empty();
        let natural = self.form(entity, Place::Base) == Form::Natural;
        entities.iter().any(sorted)
            || !natural && self.blocks.iter().any(|blocks| entities.iter().any(|it| blocks.has(*it)))
            // What has one partition key and nothing to sort by would be one item.
            || !natural && entities.iter().any(|it| self.crowded.contains(it))
    }

    /// How an entity's keys in a place become attributes.
    pub(crate) fn form(&self, entity: usize, place: Place) -> Form {
        match place {
            Place::Base => self.tasks[entity].forms.base,
            Place::Index(_) => self.tasks[entity].forms.index,
        }
    }

    /// The key of an entity's items in a place.
    pub(crate) fn key(&self, entity: usize, place: Place) -> Key {
        key::key(self, entity, place)
    }

    /// How many indexes are there already; they have the first numbers.
    pub(crate) fn present(&self) -> usize {
        self.existing.map_or(0, |existing| existing.design.indexes.len())
    }

    /// The key of an entity's items in a place, as it is there already.
    pub(crate) fn kept_key(&self, entity: usize, place: Place) -> Option<&'a Key> {
        match place {
            Place::Base => self.existing?.key(entity, None),
            Place::Index(number) => self.existing?.key(entity, Some(number)),
        }
    }

    /// The name of the item type that keeps a set unique.
    pub(crate) fn uniqueness_name(&self, entity: usize, set: Attrs) -> String {
        let facts = self.entity(entity);
        let kept = self.existing.and_then(|existing| existing.uniqueness(facts, set));
        kept.map_or_else(|| naming::uniqueness_type(facts, set), |(item, _)| item.name.clone())
    }

    /// The attribute by which it shows that an entity's item is there: its partition key.
    pub(crate) fn presence(&self, entity: usize) -> String {
        self.key(entity, Place::Base).partition[0].name.clone()
    }

    /// The attribute by which it shows whether what a condition speaks of is there, in an item of this entity.
    pub(crate) fn presence_for(&self, condition: &Condition, entity: usize) -> String {
        let facts = self.entity(entity);
        let named = match &condition.kind {
            ConditionKind::Exists { entity } | ConditionKind::NotExists { entity } => Some(entity),
            _ => None,
        };
        let held = named.and_then(|name| facts.held.iter().find(|held| held.name == *name));
        match held.and_then(|held| held.marker) {
            Some(marker) => facts.attribute(marker).name.clone(),
            None => self.presence(entity),
        }
    }

    /// The number of the GSI in which an open index of an entity lies.
    pub(crate) fn index_number(&self, entity: usize, position: usize) -> usize {
        self.numbers[entity][position]
    }

    /// The name of a GSI.
    pub(crate) fn index_name(&self, number: usize) -> String {
        self.index_names[number].clone()
    }

    /// The entities and positions of their open indexes that lie in a GSI.
    pub(crate) fn members(&self, number: usize) -> &[(usize, usize)] {
        &self.members[number]
    }

    /// The position of a GSI among those of its table.
    fn position_in_table(&self, number: usize) -> usize {
        let table = |it: usize| self.members(it).first().map(|(entity, _)| self.table_entities(*entity)[0]);
        (0..number).filter(|other| table(*other) == table(number)).count()
    }

    /// The open indexes of an entity: position in the layout, GSI number, in the order of the numbers.
    pub(crate) fn open_indexes(&self, entity: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let positions = 0..self.layout(entity).indexes.len();
        let mut open: Vec<(usize, usize)> =
            positions.map(|position| (position, self.index_number(entity, position))).collect();
        open.sort_unstable_by_key(|(_, number)| *number);
        open.into_iter()
    }

    /// The place that a choice reads.
    pub(crate) fn place(&self, entity: usize, choice: &Choice) -> Place {
        match choice {
            Choice::Index(index, _) => {
                let position = self.layout(entity).indexes.iter().position(|it| it == index);
                Place::Index(self.index_number(entity, position.expect("every used index is open")))
            }
            Choice::NotNeeded | Choice::Base(_) | Choice::Unique(_) => Place::Base,
        }
    }

    /// The path of an entity's items in a place, as its blocks are finally encoded.
    pub(crate) fn path(&self, entity: usize, place: Place) -> Path {
        let mut path = self.chosen_path(entity, place).clone();
        if let Some(blocks) = self.blocks_of(entity, place) {
            for segment in path.sort.iter_mut().take(blocks.flipped_segments(entity)) {
                segment.descending = !segment.descending;
            }
        }
        path
    }

    /// The path as the search chose it.
    pub(crate) fn chosen_path(&self, entity: usize, place: Place) -> &'a Path {
        let layout = self.layout(entity);
        match place {
            Place::Base => &self.tasks[entity].candidates.bases[layout.base],
            Place::Index(number) => {
                let (position, _) = self
                    .open_indexes(entity)
                    .find(|(_, it)| *it == number)
                    .expect("the entity is in the index");
                &self.tasks[entity].candidates.indexes[layout.indexes[position]].path
            }
        }
    }

    /// What a read costs with the items behind the links that it finds, where it finds links.
    pub(crate) fn with_behind(&self, read: usize, links: ReadPrice) -> ReadPrice {
        let Some(behind) = &self.problem.reads[read].behind else { return links };
        let at = self.tasks[behind.entity].demands.iter().position(|it| it.source == Source::Behind(read));
        let items = self.layout(behind.entity).services[at.expect("what links lead to is a demand")].price;
        ReadPrice {
            cost: links.cost + items.cost,
            half_units: links.half_units + items.half_units,
            requests: links.requests + items.requests,
            ..links
        }
    }

    /// The shards of an entity's entries in a place.
    pub(crate) fn shards(&self, entity: usize, place: Place) -> u64 {
        match place {
            Place::Base => 1,
            Place::Index(number) => self
                .open_indexes(entity)
                .find(|(_, it)| *it == number)
                .map_or(1, |(position, _)| self.layout(entity).shards[position]),
        }
    }

    pub(crate) fn blocks_of(&self, entity: usize, place: Place) -> Option<&Blocks> {
        self.blocks.iter().find(|blocks| blocks.place == place && blocks.has(entity))
    }

    /// The entities whose items lie in one block with those of an entity; none where it has a block of its own.
    pub(crate) fn mixed(&self, entity: usize, place: Place) -> Vec<usize> {
        let mixed = self.blocks_of(entity, place).map_or_else(Vec::new, |blocks| blocks.mixed(entity));
        if mixed.len() > 1 { mixed } else { Vec::new() }
    }

    /// The literal of an entity's block in a place, with the marks that put it in order.
    pub(crate) fn block(&self, entity: usize, place: Place) -> String {
        let name = match self.mixed(entity, place).as_slice() {
            [] => naming::block_name(&self.entity(entity).name),
            mixed => naming::mixed_name(mixed.iter().map(|it| self.entity(*it).name.as_str())),
        };
        let marks = self.blocks_of(entity, place).map_or("", |blocks| blocks.marks(entity));
        format!("{marks}{name}")
    }

    /// The least and the greatest text between which the sort keys of an entity's block lie.
    pub(crate) fn block_bounds(&self, entity: usize, place: Place) -> (String, String) {
        if let Some(sort) = self.kept_key(entity, place).and_then(|key| key.sort.first()) {
            let literal = sort.leading_literal().to_owned();
            // A key without attributes is its own bound.
            let upper = match literal.strip_suffix('#') {
                Some(open) => format!("{open}$"),
                None => literal.clone(),
            };
            return (literal, upper);
        }
        let block = self.block(entity, place);
        (format!("{block}#"), format!("{block}$"))
    }

    /// The names of the generic key attributes of a place that an entity's items are in.
    pub(crate) fn generic_names(&self, entity: usize, place: Place) -> (String, String) {
        let named = |key: Option<&KeyAttribute>| key.map_or_else(String::new, |key| key.name.clone());
        match place {
            Place::Base => match self.kept_table(entity) {
                Some(table) => (table.partition.name.clone(), named(table.sort.as_ref())),
                None => ("pk".to_owned(), "sk".to_owned()),
            },
            Place::Index(number) if number < self.present() => {
                let index = &self.existing.expect("it is there").design.indexes[number];
                (named(index.partition.first()), named(index.sort.first()))
            }
            Place::Index(number) if self.existing.is_some() => {
                let name = self.index_name(number);
                (format!("{name}PK"), format!("{name}SK"))
            }
            Place::Index(number) => {
                let number = self.position_in_table(number) + 1;
                (format!("GSI{number}PK"), format!("GSI{number}SK"))
            }
        }
    }

    /// The literal in front of an entity's partition keys in a place. What comes new under a parent that is there
    /// takes the parent's.
    pub(crate) fn partition_literal(&self, entity: usize, place: Place) -> String {
        let kept = self.kept_key(entity, place).or_else(|| self.kept_partition(entity, place).map(|it| it.1));
        match kept {
            Some(key) => key.partition[0].leading_literal().trim_end_matches('#').to_owned(),
            None => self.new_literal(entity, place),
        }
    }

    /// The literal of partition keys that come new: one that no key of the table or the index begins with, whoever wrote
    /// it. What has a literal of its own never meets anything else, since values hide their separators.
    pub(crate) fn new_literal(&self, entity: usize, place: Place) -> String {
        let name = match self.parted(entity, place) {
            Some(parted) => parted.literal.clone(),
            None => naming::partition_name(self.problem, entity, self.chosen_path(entity, place)),
        };
        let Some(existing) = self.existing else { return name };
        let (partition, _) = self.generic_names(entity, place);
        let table = self.table(entity);
        let taken = |literal: &str| {
            let beside = existing.design.items.iter().filter(|item| item.table == table);
            beside.filter_map(|item| item.key(&partition)).any(|key| match &key.value {
                KeyValue::Template(template) => template.split(['#', '<', '{']).next() == Some(literal),
                KeyValue::Natural => false,
            })
        };
        let numbered = (2..).map(|number| format!("{name}{number}"));
        let free = std::iter::once(name.clone()).chain(numbered).find(|literal| !taken(literal));
        free.expect("numbers never run out")
    }

    /// Why an entity's items have a literal of their own in a place, if they have.
    pub(crate) fn parted(&self, entity: usize, place: Place) -> Option<&'a Parted> {
        let position = match place {
            Place::Base => None,
            Place::Index(number) => Some(self.numbers[entity].iter().position(|it| *it == number)?),
        };
        self.parted.get(&(entity, position)).copied()
    }

    /// An entity that is there whose partition keys in a place are made of the same domains, and its key.
    pub(crate) fn kept_partition(&self, entity: usize, place: Place) -> Option<(usize, &'a Key)> {
        let existing = self.existing?;
        let path = self.chosen_path(entity, place);
        if path.only.is_some() || self.parted(entity, place).is_some() {
            return None;
        }
        let index = match place {
            Place::Base => None,
            Place::Index(number) => Some(number),
        };
        existing.under(self.problem, entity, path.partition_set(), index)
    }

    /// The entities that have items in a place under a partition literal.
    pub(crate) fn sharers(&self, place: Place, literal: &str) -> &[usize] {
        self.sharers.get(&(place, literal.to_owned())).map_or(&[], Vec::as_slice)
    }
}

/// The entities that have items in each place, under each partition literal.
fn sharers(context: &Context<'_>) -> BTreeMap<(Place, String), Vec<usize>> {
    let mut sharers: BTreeMap<(Place, String), Vec<usize>> = BTreeMap::new();
    for entity in 0..context.problem.entities.len() {
        let indexes = context.open_indexes(entity).map(|(_, number)| Place::Index(number));
        let places: BTreeSet<Place> = std::iter::once(Place::Base).chain(indexes).collect();
        for place in places.into_iter().filter(|place| context.form(entity, *place) == Form::Generic) {
            sharers.entry((place, context.partition_literal(entity, place))).or_default().push(entity);
        }
    }
    sharers
}

/// The entities whose partition keys in the table are also those of another kind of item.
fn crowded(context: &Context<'_>) -> BTreeSet<usize> {
    let in_table = context.sharers.iter().filter(|((place, _), _)| *place == Place::Base);
    let together = in_table.flat_map(|(_, entities)| {
        entities.iter().copied().filter(|one| {
            let table = context.table_entities(*one);
            entities.iter().any(|other| other != one && table.contains(other))
        })
    });
    together.collect()
}

/// A table's name has three letters at least.
fn long_enough(name: String) -> String {
    if name.len() < 3 { format!("{name}Table") } else { name }
}

/// The name of a GSI: a number where it is overloaded, else what it finds items by.
fn index_name(context: &Context<'_>, number: usize) -> String {
    if let Some(index) = context.existing.and_then(|existing| existing.design.indexes.get(number)) {
        return index.name.clone();
    }
    let members = context.members(number);
    let (entity, position) = members[0];
    let facts = context.entity(entity);
    let form = context.form(entity, Place::Index(number));
    if form == Form::Generic {
        let free = (context.position_in_table(number) + 1..)
            .map(|number| format!("GSI{number}"))
            .find(|name| !context.index_names.contains(name) || context.existing.is_none());
        return free.expect("numbers never run out");
    }
    let index = context.layout(entity).indexes[position];
    let path = &context.tasks[entity].candidates.indexes[index].path;
    let mut words = match form {
        // One that several kinds of items share is called after none of them.
        Form::Native if members.len() == 1 => vec![facts.name.clone(), "by".to_owned()],
        Form::Native | Form::Generic | Form::Natural => vec!["by".to_owned()],
    };
    words.extend(path.only.iter().map(|(_, value)| value.to_string().to_lowercase()));
    words.extend(facts.names(path.partition.iter().copied()));
    let mut rest = facts.names(path.sort.iter().map(|segment| segment.attr)).into_iter();
    if path.partition.is_empty() {
        words.extend(rest.next());
    }
    let name = |words: &[String]| camel(words.iter().map(String::as_str));
    let siblings: Vec<&String> = (0..number)
        .filter(|other| {
            context.members(*other).first().is_some_and(|(it, _)| context.table(*it) == context.table(entity))
        })
        .map(|other| &context.index_names[other])
        .collect();
    while siblings.contains(&&name(&words)) {
        match rest.next() {
            Some(next) => words.extend(["and".to_owned(), next]),
            None => words.push((number + 1).to_string()),
        }
    }
    name(&words)
}
