//! What emission needs to know at every turn: the problem, the answer, and the final paths of each place.

use keywright_model::{Model, Style};

use super::blocks::{Blocks, arranged_places};
use crate::naming;
use crate::path::Path;
use crate::problem::{EntityFacts, Problem};
use crate::search::{Answer, Choice, EntityTask, Layout};

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
    /// The orders of blocks in collections that several entities share.
    blocks: Vec<Blocks>,
}

impl<'a> Context<'a> {
    pub(crate) fn new(
        model: &'a Model,
        problem: &'a Problem,
        tasks: &'a [EntityTask<'a>],
        answer: &'a Answer,
        style: Style,
    ) -> Self {
        let mut context = Context { model, problem, tasks, answer, style, blocks: Vec::new() };
        context.blocks = arranged_places(&context);
        context
    }

    pub(crate) fn entity(&self, entity: usize) -> &'a EntityFacts {
        &self.problem.entities[entity]
    }

    pub(crate) fn layout(&self, entity: usize) -> &'a Layout {
        &self.answer.layouts[entity]
    }

    /// The table's name: the application's, without what DynamoDB refuses.
    pub(crate) fn table(&self) -> String {
        let name: String = self
            .model
            .application
            .as_ref()
            .map_or("", |it| it.value.as_str())
            .chars()
            .map(|letter| if letter.is_ascii_alphanumeric() || "_.-".contains(letter) { letter } else { '-' })
            .collect();
        let name = name.trim_matches('-').to_owned();
        if name.len() < 3 { format!("{name}Table") } else { name }
    }

    /// Whether items need a sort key: some collection holds more than one of them.
    pub(crate) fn has_sort_key(&self) -> bool {
        self.answer
            .layouts
            .iter()
            .enumerate()
            .any(|(entity, layout)| !self.tasks[entity].candidates.bases[layout.base].sort.is_empty())
            || !self.blocks.is_empty()
    }

    /// The number of the GSI in which an open index of an entity lies.
    pub(crate) fn index_number(&self, entity: usize, position: usize) -> usize {
        let group = self
            .answer
            .groups
            .iter()
            .position(|group| group.members.contains(&(entity, position)))
            .expect("every open index is in a group");
        self.answer.colours[group]
    }

    /// The name of a GSI.
    pub(crate) fn index_name(&self, number: usize) -> String {
        format!("GSI{}", number + 1)
    }

    /// The open indexes of an entity: position in the layout, GSI number.
    pub(crate) fn open_indexes(&self, entity: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..self.layout(entity).indexes.len())
            .map(move |position| (position, self.index_number(entity, position)))
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

    /// The literal of an entity's block in a place, with the marks that put it in order.
    pub(crate) fn block(&self, entity: usize, place: Place) -> String {
        let name = naming::block_name(&self.entity(entity).name);
        let marks = self.blocks_of(entity, place).map_or("", |blocks| blocks.marks(entity));
        format!("{marks}{name}")
    }

    /// The names of the key attributes of a place.
    pub(crate) fn key_names(&self, place: Place) -> (String, String) {
        match place {
            Place::Base => ("pk".to_owned(), "sk".to_owned()),
            Place::Index(number) => (format!("GSI{}PK", number + 1), format!("GSI{}SK", number + 1)),
        }
    }

    /// The entities that have items in a place under a partition literal.
    pub(crate) fn sharers(&self, place: Place, literal: &str) -> Vec<usize> {
        (0..self.problem.entities.len())
            .filter(|entity| match place {
                Place::Base => true,
                Place::Index(number) => self.open_indexes(*entity).any(|(_, it)| it == number),
            })
            .filter(|entity| {
                naming::partition_name(self.problem, *entity, self.chosen_path(*entity, place)) == literal
            })
            .collect()
    }
}
