//! The names in INCLUDE lists: DynamoDB takes only so many of a table.
//!
//! Lists of all attributes are what makes them many. Where the cheapest design with such lists has too many names, the
//! cheapest one without them is chosen. Where a table has hundreds of entities, such a list for each of them would be far
//! beyond that, and most of the search would go into GSIs that they can share: then they are not weighed at all.

use std::collections::{BTreeMap, BTreeSet};

use keywright_dynamodb::limits::PROJECTED_ATTRIBUTES;

use super::weighing::Weighing;
use crate::candidate::Candidates;
use crate::path::Projection;
use crate::search::{Answer, tables};

/// The names in the lists of one table.
#[derive(Default)]
struct Listed {
    /// Of each GSI.
    names: BTreeMap<usize, BTreeSet<String>>,
    /// Some list is of all attributes of an entity.
    whole: bool,
}

impl Listed {
    /// Whether there are too many, each with the type.
    fn is_too_much(&self) -> bool {
        self.names.values().map(|names| 1 + names.len()).sum::<usize>() > PROJECTED_ATTRIBUTES
    }
}

/// A list of all attributes for each entity that could have one: so many names in one table are worth weighing.
const WORTH_WEIGHING: usize = 10 * PROJECTED_ATTRIBUTES;

/// How many entities are named before the others are counted.
const NAMED: usize = 8;

/// The candidates without lists of all attributes, in tables where those would have far more names than DynamoDB takes.
pub(super) fn thinned(weighing: &Weighing<'_>, mut all: Vec<Candidates>) -> Vec<Candidates> {
    let Weighing { problem, style, existing, .. } = *weighing;
    for table in tables(problem, style, existing) {
        let facts = |entity: &usize| &problem.entities[*entity];
        let listed: Vec<usize> =
            table.into_iter().filter(|entity| all[*entity].has_whole_list(facts(entity))).collect();
        let names: usize = listed.iter().map(|entity| 1 + facts(entity).attributes.len()).sum();
        if names > WORTH_WEIGHING {
            for entity in listed {
                all[entity] = std::mem::take(&mut all[entity]).without_whole_lists(facts(&entity));
            }
        }
    }
    all
}

/// The candidates without lists of all attributes, in tables where an answer has too many names because of them; none
/// where it has not.
pub(super) fn relieved(
    weighing: &Weighing<'_>,
    all: &[Candidates],
    answer: &Answer,
) -> Option<Vec<Candidates>> {
    let Weighing { problem, style, existing, .. } = *weighing;
    let tables = tables(problem, style, existing);
    let mut listed: Vec<Listed> = tables.iter().map(|_| Listed::default()).collect();
    for (group, colour) in answer.groups.iter().zip(&answer.colours) {
        for ((entity, _), projection) in group.members.iter().zip(&group.projections) {
            let Some(at) = tables.iter().position(|table| table.contains(entity)) else { continue };
            if let Projection::Include(list) = projection {
                let facts = &problem.entities[*entity];
                listed[at].names.entry(*colour).or_default().extend(facts.names(list.iter()));
                listed[at].whole |= *list == facts.everything();
            }
        }
    }
    let crowded = |entity: usize| {
        let mut of = tables.iter().zip(&listed).filter(|(table, _)| table.contains(&entity));
        of.any(|(_, listed)| listed.whole && listed.is_too_much()) && !all[entity].crowded
    };
    (0..all.len()).any(crowded).then(|| {
        let each = all.iter().cloned().enumerate();
        each.map(|(entity, it)| match crowded(entity) {
            true => it.without_whole_lists(&problem.entities[entity]),
            false => it,
        })
        .collect()
    })
}

/// What is said of candidates that were left out.
pub(super) fn in_words(weighing: &Weighing<'_>, all: &[Candidates]) -> Option<String> {
    let entities = weighing.problem.entities.iter().zip(all).filter(|(_, all)| all.crowded);
    let mut names: Vec<String> = entities.map(|(entity, _)| entity.name.clone()).collect();
    if names.len() > NAMED {
        let others = names.split_off(NAMED).len();
        names.push(format!("{others} more entities"));
    }
    (!names.is_empty()).then(|| {
        format!(
            "INCLUDE lists of all attributes of {}: DynamoDB takes {PROJECTED_ATTRIBUTES} names in the lists of a \
             table, and lists for all that could gain by one have more",
            names.join(", ")
        )
    })
}
