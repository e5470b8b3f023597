//! What is there already in a table that is extended: collections and blocks whose keys stay as they are.

use keywright_model::certificate::{EntityFacts, KeptPlace, Proof};

use crate::price::Place;

/// A block of sort keys that is there already.
pub(crate) struct Block<'p> {
    pub(crate) entity: usize,
    /// The text that its keys begin with.
    pub(crate) text: &'p str,
    /// The attributes of its keys, each with whether it runs downwards.
    pub(crate) sort: &'p [(usize, bool)],
}

/// What an entity's keys look like in the table, or in a GSI that is there.
fn kept(facts: &EntityFacts, gsi: Option<usize>) -> Option<&KeptPlace> {
    facts.kept.as_ref()?.places.iter().find(|place| place.gsi == gsi)
}

/// The blocks that lie where an entity's items lie. An entity that is new may come into any collection of its table.
pub(crate) fn blocks<'p>(proof: &'p Proof, entity: usize, place: &Place) -> Vec<Block<'p>> {
    if place.kind.is_some() && place.gsi.is_none() {
        // Nothing is there in a GSI that is new.
        return Vec::new();
    }
    let home = &proof.entities[entity];
    let mine = kept(home, place.gsi).map(|it| &it.collection);
    let others = proof.entities.iter().enumerate().filter(|(_, it)| it.home == home.home);
    others
        .filter_map(|(entity, facts)| {
            let theirs = kept(facts, place.gsi)?;
            let block = theirs.block.as_ref()?;
            let here = mine.is_none_or(|mine| *mine == theirs.collection);
            here.then_some(Block { entity, text: &block.text, sort: &block.sort })
        })
        .collect()
}

/// Whether the parts of a shared read can lie in one collection: those that are there lie in one, and then nothing is in a
/// GSI that is new.
pub(crate) fn lie_together(proof: &Proof, read: usize, places: &[Place]) -> bool {
    let parts = || proof.shared[read].parts.iter().map(|part| &proof.entities[part.0]);
    let one_table = parts().all(|facts| parts().all(|other| other.home == facts.home));
    let there: Vec<(Option<usize>, &str)> = parts()
        .zip(places)
        .filter(|(_, place)| place.kind.is_none() || place.gsi.is_some())
        .filter_map(|(facts, place)| Some((place.gsi, kept(facts, place.gsi)?.collection.as_str())))
        .collect();
    let new = places.iter().any(|place| place.kind.is_some() && place.gsi.is_none());
    one_table && there.iter().all(|it| *it == there[0]) && (!new || there.is_empty())
}
