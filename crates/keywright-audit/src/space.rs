//! The space of a proof: all that its entities could be, and what that costs.

use keywright_dynamodb::Money;
use keywright_dynamodb::limits::PROJECTED_ATTRIBUTES;
use keywright_model::certificate::{KeyForm, Layout, LogicalIndex, Path, Proof, TableProof, Way};

use crate::Refusal;
use crate::entity::Entity;
use crate::native::{Native, Natives, is_native};
use crate::paths::{bases, indexes, is_primary, is_same};
use crate::price::{Priced, Pricing};
use crate::room::Room;

/// Whether indexes have native keys.
fn is_native_table(proof: &Proof) -> bool {
    proof.entities.iter().any(|it| it.index_form == KeyForm::Native)
}

/// Every primary key that an entity can have: the present one, where it stays.
fn all_bases(entity: &Entity<'_>) -> Vec<Path> {
    match &entity.facts.kept {
        Some(kept) => vec![kept.base.clone()],
        None => bases(entity).into_iter().filter(|it| !entity.facts.unsorted || it.sort.is_empty()).collect(),
    }
}

/// Every index that an entity can have; first those that are there.
fn all_indexes(entity: &Entity<'_>) -> Vec<LogicalIndex> {
    let kept = entity.kept();
    let new = indexes(entity).into_iter().filter(|it| !kept.iter().any(|kept| is_one(kept, it)));
    kept.iter().cloned().chain(new).collect()
}

/// Whether two indexes are one.
fn is_one(one: &LogicalIndex, other: &LogicalIndex) -> bool {
    is_same(&one.path, &other.path) && one.projection == other.projection
}

/// Whether lists of all attributes are left out only where lists could have more names than DynamoDB takes.
fn may_be_crowded(table: &TableProof, entities: &[Entity<'_>]) -> bool {
    let own = || table.components.iter().flat_map(|it| &it.entities).map(|at| &entities[*at]);
    let names: usize = own().map(Entity::most_listed).sum();
    names > PROJECTED_ATTRIBUTES || !own().any(|it| it.facts.crowded)
}

/// The space of a proof: all that its entities could be.
pub(crate) struct Space<'p> {
    pub(crate) proof: &'p Proof,
    pub(crate) entities: Vec<Entity<'p>>,
    pub(crate) bases: Vec<Vec<Path>>,
    pub(crate) indexes: Vec<Vec<LogicalIndex>>,
    /// Which indexes could never need shards.
    pub(crate) cool: Vec<Vec<bool>>,
    /// What native indexes cost, where indexes are.
    natives: Option<Vec<Vec<Native>>>,
}

impl<'p> Space<'p> {
    /// All that there is; none where somebody pays for an index who can't open it.
    pub(crate) fn new(proof: &'p Proof) -> Result<Self, Refusal> {
        let entities: Vec<Entity<'p>> = proof.entities.iter().map(Entity::new).collect();
        if !proof.tables.iter().all(|table| may_be_crowded(table, &entities)) {
            return Err(Refusal::Malformed);
        }
        let bases = entities.iter().map(all_bases).collect();
        let mut indexes: Vec<Vec<LogicalIndex>> = entities.iter().map(all_indexes).collect();
        let mut natives = None;
        if is_native_table(proof) {
            for (at, indexes) in indexes.iter_mut().enumerate() {
                let (there, mut many) = (entities[at].kept().len(), 0);
                // What is there is, whatever could be.
                indexes.retain(|index| {
                    many += 1;
                    many <= there || is_native(&entities, at, &index.path)
                });
            }
            let divided = Natives::new(&entities, &proof.prices, &indexes).divided(&proof.payers);
            natives = Some(divided.ok_or(Refusal::Malformed)?);
        }
        let mut space = Space { proof, entities, bases, indexes, cool: Vec::new(), natives };
        let cool = |at: usize| space.pricing(at).cool(&space.bases[at], &space.indexes[at]);
        space.cool = (0..proof.entities.len()).map(cool).collect();
        Ok(space)
    }

    /// What running a GSI costs beyond what its entities pay for it.
    pub(crate) fn index_price(&self) -> i128 {
        if self.natives.is_some() { 0 } else { self.proof.prices.index.pico() }
    }

    /// What the chosen layouts cost more together than each by itself, where native indexes are shared.
    pub(crate) fn shared_indexes(&self) -> Option<i128> {
        if self.natives.is_none() {
            return Some(0);
        }
        let chosen = &self.proof.chosen;
        let paid = chosen.iter().enumerate().flat_map(|(at, layout)| {
            let pricing = self.pricing(at);
            layout.indexes.iter().map(move |index| pricing.beside(index))
        });
        let paid: i128 = paid.sum();
        Natives::new(&self.entities, &self.proof.prices, &self.indexes).together(chosen).map(|it| it - paid)
    }

    pub(crate) fn pricing(&self, entity: usize) -> Pricing<'_> {
        let natives = self.natives.as_ref().map(|natives| natives[entity].as_slice());
        Pricing { entity: &self.entities[entity], prices: &self.proof.prices, natives }
    }

    /// Prices a layout that is written down, which has to be what it is said to be.
    pub(crate) fn written(&self, entity: usize, layout: &Layout, room: Room<'_>) -> Result<Priced, Refusal> {
        let name = || self.proof.entities[entity].name.clone();
        let open: Vec<&LogicalIndex> = layout.indexes.iter().collect();
        let it = &self.entities[entity];
        let kept = it.kept();
        let is_kept = |index: &LogicalIndex| kept.iter().any(|kept| is_one(kept, index));
        let used = |at: usize| layout.ways.contains(&Way::Index(at)) || is_kept(&layout.indexes[at]);
        let is_there = |kept: &LogicalIndex| layout.indexes.iter().any(|index| is_one(kept, index));
        let is_key = match &it.facts.kept {
            Some(keys) => is_same(&keys.base, &layout.base) && kept.iter().all(is_there),
            None => is_primary(it, &layout.base) && (!it.facts.unsorted || layout.base.sort.is_empty()),
        };
        let priced = Some(())
            .filter(|()| is_key)
            .filter(|()| room.allows(it, &open) && (0..open.len()).all(used))
            .and_then(|()| self.pricing(entity).layout(&layout.base, &open, &layout.ways))
            .filter(|priced| self.heads_arranged(entity, priced));
        let priced = priced.ok_or_else(|| Refusal::Illegal { entity: name() })?;
        if priced.pico != layout.price.pico() {
            let (claimed, real) = (layout.price, Money::from_pico(priced.pico));
            return Err(Refusal::Price { entity: name(), claimed, real });
        }
        Ok(priced)
    }

    pub(crate) fn name(&self, entity: usize) -> String {
        self.proof.entities[entity].name.clone()
    }

    pub(crate) fn names(&self, entities: &[usize]) -> String {
        entities.iter().map(|entity| self.name(*entity)).collect::<Vec<_>>().join(", ")
    }
}
