//! The check itself: the chosen layouts cost what is claimed, and nothing within any limits costs less.

use std::collections::BTreeSet;

use keywright_dynamodb::Money;
use keywright_model::Certificate;

use crate::component::Unconfirmed;
use crate::numbers::least;
use crate::price::{Place, Priced, kind};
use crate::room::Room;
use crate::space::Space;
use crate::whole::is_whole;
use crate::{Refusal, Verdict};

/// Checks a design's certificate.
pub(crate) fn audit(total: Money, indexes: usize, certificate: &Certificate) -> Result<Verdict, Refusal> {
    let Some(proof) = &certificate.proof else { return Err(Refusal::NoProof) };
    if !is_whole(proof) {
        return Err(Refusal::Malformed);
    }
    let space = Space::new(proof)?;
    let real = Money::from_pico(chosen(&space)?);
    if real != total {
        return Err(Refusal::Total { claimed: total, real });
    }
    let written: usize = proof.tables.iter().map(|table| table.indexes).sum();
    if indexes != written {
        return Err(Refusal::Indexes { claimed: written, needed: indexes });
    }
    if certificate.lower_bound + certificate.gap != total
        || certificate.optimal != (certificate.gap == Money::ZERO)
    {
        return Err(Refusal::Total { claimed: certificate.lower_bound + certificate.gap, real: total });
    }
    // What no way to lay it out is cheaper than; one that can't be costs nothing.
    let mut too_large = BTreeSet::new();
    let mut least = shown(&space, &mut too_large)?;
    for other in &certificate.others {
        if !is_whole(other) {
            return Err(Refusal::Malformed);
        }
        least = least.into_iter().chain(shown(&Space::new(other)?, &mut too_large)?).min();
    }
    let shown = least.map_or(total, Money::from_pico).min(total);
    Ok(Verdict { total, claimed: certificate.lower_bound, shown, too_large })
}

/// What the tables of a proof show that nothing is cheaper than, once all that they say was found to be so; none where
/// nothing can be. What could not be looked at shows nothing.
fn shown(space: &Space<'_>, too_large: &mut BTreeSet<String>) -> Result<Option<i128>, Refusal> {
    let proof = space.proof;
    let mut shown = Some(proof.fixed.pico());
    for table in &proof.tables {
        let mut confirmed = table.clone();
        for component in &mut confirmed.components {
            let mut bounds = Vec::with_capacity(component.bounds.len());
            for bound in std::mem::take(&mut component.bounds) {
                match space.component(&component.entities, &bound) {
                    Ok(()) => bounds.push(bound),
                    Err(Unconfirmed::TooLarge { entity }) => {
                        too_large.insert(entity);
                    }
                    Err(Unconfirmed::Refused(refusal)) => return Err(refusal),
                }
            }
            component.bounds = bounds;
        }
        shown = shown.zip(least(space.index_price(), &confirmed)).map(|(sum, least)| sum + least);
    }
    Ok(shown)
}

/// What the chosen layouts cost together.
fn chosen(space: &Space<'_>) -> Result<i128, Refusal> {
    let (proof, any) = (space.proof, Room::default());
    let layouts = proof.chosen.iter().enumerate();
    let priced: Result<Vec<Priced>, Refusal> = layouts.map(|(at, it)| space.written(at, it, any)).collect();
    let priced = priced?;
    let mut sum: i128 = priced.iter().map(|it| it.pico).sum::<i128>() + proof.fixed.pico();
    sum += space.shared_indexes().ok_or(Refusal::Malformed)?;
    for (read, shared) in proof.shared.iter().enumerate() {
        let parts = shared.parts.iter();
        let places: Vec<Place> =
            parts.map(|(entity, demand)| space.place(*entity, *demand, &priced[*entity])).collect();
        sum += space.together(read, &places).ok_or(Refusal::Malformed)?;
    }
    for table in &proof.tables {
        let mut most = [0; 3];
        for entity in table.components.iter().flat_map(|it| &it.entities) {
            for (which, most) in most.iter_mut().enumerate() {
                let indexes = proof.chosen[*entity].indexes.iter();
                *most = indexes.filter(|it| kind(&it.projection) == which).count().max(*most);
            }
        }
        let needed = most.iter().sum();
        if table.indexes < needed {
            return Err(Refusal::Indexes { claimed: table.indexes, needed });
        }
        let new = table.indexes.saturating_sub(table.present.iter().sum());
        sum += space.index_price() * new as i128;
    }
    Ok(sum)
}
