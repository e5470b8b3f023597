//! What is there already in a table that is extended: collections and blocks whose keys stay as they are.

use keywright_model::certificate::{EntityFacts, KeptPlace, Proof};

use crate::arrange::is_arranged;
use crate::entity::Entity;
use crate::price::Place;

/// A block of sort keys that is there already.
pub(crate) struct Block<'p> {
    pub(crate) entity: usize,
    /// The text that its keys begin with.
    pub(crate) text: &'p str,
    /// The attributes of its keys, each with whether it runs downwards.
    pub(crate) sort: &'p [(usize, bool)],
    /// Those that say a name, and so nothing of the rank.
    pub(crate) by_name: &'p [usize],
}

/// What an entity's keys look like in the table, or in a GSI that is there.
fn kept(facts: &EntityFacts, gsi: Option<usize>) -> Option<&KeptPlace> {
    facts.kept.as_ref()?.places.iter().find(|place| place.gsi == gsi)
}

/// The text of the collection that is there which a shared read finds in a place.
fn collection(proof: &Proof, read: usize, gsi: Option<usize>) -> Option<&str> {
    let mut there = proof.shared[read].there.iter();
    there.find(|(it, _)| *it == gsi).map(|(_, text)| text.as_str())
}

/// The blocks that lie in the collections that a shared read finds in the table, or in a GSI that is there.
fn blocks_in(proof: &Proof, read: usize, gsi: Option<usize>) -> Vec<Block<'_>> {
    let Some(text) = collection(proof, read, gsi) else { return Vec::new() };
    let home = proof.entities[proof.shared[read].parts[0].0].home;
    let others = proof.entities.iter().enumerate().filter(|(_, it)| it.home == home);
    others
        .filter_map(|(entity, facts)| {
            let theirs = kept(facts, gsi)?;
            let block = theirs.block.as_ref()?;
            (theirs.collection == text).then_some(Block {
                entity,
                text: &block.text,
                sort: &block.sort,
                by_name: &block.by_name,
            })
        })
        .collect()
}

/// The blocks that lie where the items of a shared read's head lie.
pub(crate) fn blocks<'p>(proof: &'p Proof, read: usize, place: &Place) -> Vec<Block<'p>> {
    match place.kind.is_some() && place.gsi.is_none() {
        // Nothing is there in a GSI that is new.
        true => Vec::new(),
        false => blocks_in(proof, read, place.gsi),
    }
}

/// Whether the parts of a shared read can lie in one collection: those that are there lie in one, and what is new comes
/// beside them.
pub(crate) fn lie_together(proof: &Proof, entities: &[Entity<'_>], read: usize, places: &[Place]) -> bool {
    let parts = || proof.shared[read].parts.iter().map(|part| part.0);
    let home = |entity: usize| proof.entities[entity].home;
    let one_table = parts().all(|entity| parts().all(|other| home(other) == home(entity)));
    let mut there: Vec<(Option<usize>, &str)> = Vec::new();
    let mut new: Vec<usize> = Vec::new();
    for (entity, place) in parts().zip(places) {
        let in_new = place.kind.is_some() && place.gsi.is_none();
        match kept(&proof.entities[entity], place.gsi).filter(|_| !in_new) {
            Some(kept) => there.push((place.gsi, &kept.collection)),
            None => new.push(entity),
        }
    }
    let Some((gsi, text)) = there.first().copied() else { return one_table };
    let among = new.is_empty() || collection(proof, read, gsi) == Some(text);
    let once = new.iter().all(|entity| kept(&proof.entities[*entity], gsi).is_none());
    // All that the head is read with finds room there, if it comes new.
    let head = proof.shared[read].parts[0].0;
    let headed = || -> Vec<usize> {
        (0..proof.shared.len()).filter(|other| proof.shared[*other].parts[0].0 == head).collect()
    };
    let room =
        || !new.contains(&head) || is_arranged(proof, entities, &headed(), &blocks_in(proof, read, gsi));
    let taken = gsi.is_none() || new.is_empty() || !text.is_empty() && once && room();
    one_table && there.iter().all(|it| *it == (gsi, text)) && among && taken
}
