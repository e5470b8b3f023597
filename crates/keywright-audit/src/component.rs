//! A component within some limits: nothing of it costs less than is claimed, and something costs it.

use std::collections::BTreeMap;

use keywright_dynamodb::Money;
use keywright_model::certificate::Bound;

use crate::Refusal;
use crate::enumerate::Search;
use crate::price::{Place, Priced};
use crate::room::Room;
use crate::space::Space;
use crate::tree::Walk;

/// More than any price.
const NEVER: i128 = i128::MAX / 8;

/// Why a claim is not confirmed.
pub(crate) enum Unconfirmed {
    /// It is wrong.
    Refused(Refusal),
    /// An entity has more layouts than could be looked at.
    TooLarge { entity: String },
}

impl From<Refusal> for Unconfirmed {
    fn from(refusal: Refusal) -> Self {
        Unconfirmed::Refused(refusal)
    }
}

impl Space<'_> {
    /// Checks what is claimed of a component.
    pub(crate) fn component(&self, component: &[usize], claim: &Bound) -> Result<(), Unconfirmed> {
        let room = Room { limits: claim.limits, without: &claim.without };
        let claimed = claim.least.map(Money::pico);
        let mut listed: BTreeMap<usize, Vec<Priced>> = BTreeMap::new();
        for (entity, layouts) in component.iter().zip(&claim.layouts) {
            let priced = layouts.iter().map(|layout| self.written(*entity, layout, room));
            listed.insert(*entity, priced.collect::<Result<_, _>>()?);
        }
        let refused = |real: Option<i128>| Refusal::Sum {
            entities: self.names(component),
            claimed: claim.least,
            real: real.map(Money::from_pico),
        };
        let [alone] = component else { return self.several(room, component, claim, listed, &refused) };
        let least = listed[alone].iter().map(|it| it.pico).min();
        if least != claimed {
            return Err(refused(least).into());
        }
        let cheaper = self.could_be(room, *alone, claim, claimed.unwrap_or(NEVER), true)?;
        Ok(self.none_is_missing(*alone, &cheaper)?)
    }

    /// Several entities: what is listed costs what is claimed together, and all that could be does not cost less.
    fn several(
        &self,
        room: Room<'_>,
        component: &[usize],
        claim: &Bound,
        listed: BTreeMap<usize, Vec<Priced>>,
        refused: &dyn Fn(Option<i128>) -> Refusal,
    ) -> Result<(), Unconfirmed> {
        let claimed = claim.least.map(Money::pico);
        // An entity without any layout within the limits leaves nothing to sum.
        if let Some(entity) = component.iter().find(|entity| listed[*entity].is_empty()) {
            let some = self.could_be(room, *entity, claim, NEVER, true)?;
            return match claimed {
                Some(_) => Err(refused(None).into()),
                None => Ok(self.none_is_missing(*entity, &some)?),
            };
        }
        let together = self.sum_out(component, claim, &listed, &listed)?;
        if together != claimed {
            return Err(refused(together).into());
        }
        // First the least price of each entity alone, then all that could be part of something cheaper.
        let mut least: BTreeMap<usize, i128> = BTreeMap::new();
        for entity in component {
            let cheapest = listed[entity].iter().map(|it| it.pico).min().unwrap_or(NEVER);
            let cheaper = self.could_be(room, *entity, claim, cheapest, true)?;
            self.none_is_missing(*entity, &cheaper)?;
            least.insert(*entity, cheapest);
        }
        let shared: i128 = self.reads_of(component).iter().map(|read| self.cheapest_together(*read)).sum();
        let all: i128 = least.values().sum::<i128>() + shared;
        let mut could_be = listed.clone();
        for (entity, domain) in &mut could_be {
            let below = claimed.map_or(NEVER, |claimed| claimed - (all - least[entity]));
            for found in self.could_be(room, *entity, claim, below, false)? {
                if !domain.iter().any(|it| is_no_worse(it, &found)) {
                    domain.push(found);
                }
            }
        }
        let real = self.sum_out(component, claim, &listed, &could_be)?;
        if real == claimed { Ok(()) } else { Err(refused(real).into()) }
    }

    /// The layouts of an entity that could cost less, or what is left of them where decisions show that there are none:
    /// the cheapest alone, or one for each interface.
    fn could_be(
        &self,
        room: Room<'_>,
        entity: usize,
        claim: &Bound,
        below: i128,
        cheapest: bool,
    ) -> Result<Vec<Priced>, Unconfirmed> {
        if let Some(tree) = claim.trees.iter().find(|tree| tree.entity == entity) {
            return Ok(Walk::run(self, room, tree, below)?);
        }
        let found = Search::new(self, entity, room, below, cheapest).run();
        found.map_err(|_| Unconfirmed::TooLarge { entity: self.name(entity) })
    }

    fn none_is_missing(&self, entity: usize, cheaper: &[Priced]) -> Result<(), Refusal> {
        match cheaper.first() {
            None => Ok(()),
            Some(it) => Err(Refusal::Missing { entity: self.name(entity), price: Money::from_pico(it.pico) }),
        }
    }
}

/// Whether a layout can take the place of another: shared reads find it in the same kinds of places, no larger.
fn is_no_worse(one: &Priced, other: &Priced) -> bool {
    let fits = |(one, other): (&Place, &Place)| {
        (one.kind, one.gsi) == (other.kind, other.gsi)
            && one.bytes <= other.bytes
            && one.sorted_by_caller <= other.sorted_by_caller
    };
    one.pico <= other.pico && one.places.iter().zip(&other.places).all(fits)
}
