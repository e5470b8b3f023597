//! The check itself: the chosen layouts cost what is claimed, and nothing within any limits costs less.

use keywright_dynamodb::Money;
use keywright_dynamodb::limits::GLOBAL_SECONDARY_INDEXES;
use keywright_model::Certificate;
use keywright_model::certificate::{Bound, Limits, Proof, TableProof};

use crate::price::{Place, Priced, kind};
use crate::space::Space;
use crate::whole::is_whole;
use crate::{Refusal, Verdict};

/// Checks a design's certificate.
pub(crate) fn audit(total: Money, indexes: usize, certificate: &Certificate) -> Result<Verdict, Refusal> {
    let Some(proof) = &certificate.proof else { return Err(Refusal::NoProof) };
    if !is_whole(proof) {
        return Err(Refusal::Malformed);
    }
    let space = Space::new(proof);
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
    let mut shown = Some(proof.fixed.pico());
    for table in &proof.tables {
        for bound in &table.bounds {
            for (component, claim) in table.components.iter().zip(&bound.components) {
                space.component(bound.limits, component, claim)?;
            }
        }
        shown = shown.zip(least(proof, table)).map(|(sum, least)| sum + least);
    }
    let shown = shown.map_or(total, Money::from_pico).min(total);
    Ok(Verdict { total, claimed: certificate.lower_bound, shown })
}

/// What the chosen layouts cost together.
fn chosen(space: &Space<'_>) -> Result<i128, Refusal> {
    let (proof, any) = (space.proof, Limits::default());
    let layouts = proof.chosen.iter().enumerate();
    let priced: Result<Vec<Priced>, Refusal> = layouts.map(|(at, it)| space.written(at, it, &any)).collect();
    let priced = priced?;
    let mut sum: i128 = priced.iter().map(|it| it.pico).sum::<i128>() + proof.fixed.pico();
    for (read, shared) in proof.shared.iter().enumerate() {
        let parts = shared.parts.iter();
        let places: Vec<Place> =
            parts.map(|(entity, demand)| space.place(*entity, *demand, &priced[*entity])).collect();
        sum += space.together(read, &places).ok_or(Refusal::Malformed)?;
    }
    for table in &proof.tables {
        let mut most = [0; 3];
        for entity in table.components.iter().flatten() {
            for (which, most) in most.iter_mut().enumerate() {
                let indexes = proof.chosen[*entity].indexes.iter();
                *most = indexes.filter(|it| kind(&it.projection) == which).count().max(*most);
            }
        }
        let needed = most.iter().sum();
        if table.indexes < needed {
            return Err(Refusal::Indexes { claimed: table.indexes, needed });
        }
        sum += proof.prices.index.pico() * table.indexes as i128;
    }
    Ok(sum)
}

/// What no design of a table is cheaper than, over all numbers of indexes; none where no number works.
fn least(proof: &Proof, table: &TableProof) -> Option<i128> {
    let most = GLOBAL_SECONDARY_INDEXES;
    let mut least: Option<i128> = None;
    for all in 0..=most {
        for keys in 0..=most - all {
            for lists in 0..=most - all - keys {
                let running = proof.prices.index.pico() * (all + keys + lists) as i128;
                if let Some(sum) = within(&table.bounds, [all, keys, lists]) {
                    least = Some(least.map_or(sum + running, |least| least.min(sum + running)));
                }
            }
        }
    }
    least
}

/// What nothing with so many indexes of each kind is cheaper than: any limits that leave room for so many bound it, and
/// the best of them counts. None where one of them says that nothing is.
fn within(bounds: &[Bound], [all, keys, lists]: [usize; 3]) -> Option<i128> {
    let room = |limits: &Limits| {
        limits.all.is_none_or(|it| all <= it)
            && limits.keys.is_none_or(|it| keys <= it)
            && limits.include.is_none_or(|it| lists <= it)
            && limits.total.is_none_or(|it| all + keys + lists <= it)
    };
    let mut best = 0;
    for bound in bounds.iter().filter(|bound| room(&bound.limits)) {
        let sum: Option<i128> = bound.components.iter().map(|it| it.least.map(Money::pico)).sum();
        best = best.max(sum?);
    }
    Some(best)
}
