//! The check itself: the chosen layouts cost what is claimed, and nothing within any limits costs less.

use std::collections::BTreeMap;

use keywright_dynamodb::Money;
use keywright_dynamodb::limits::{GLOBAL_SECONDARY_INDEXES, MB};
use keywright_model::Certificate;
use keywright_model::certificate::{Bound, Layout, Limits, LogicalIndex, Path, Proof, ResultFacts, Way};

use crate::entity::Entity;
use crate::enumerate::{Search, allows};
use crate::money::{reads, waits};
use crate::paths::{bases, indexes, is_primary};
use crate::price::{Place, Priced, Pricing, half_units, kind};
use crate::set::set;
use crate::{Refusal, Verdict};

/// The space of a proof: all that its entities could be.
pub(crate) struct Space<'p> {
    pub(crate) proof: &'p Proof,
    pub(crate) entities: Vec<Entity<'p>>,
    pub(crate) bases: Vec<Vec<Path>>,
    pub(crate) indexes: Vec<Vec<LogicalIndex>>,
    /// No index of the entity could ever need shards.
    pub(crate) cool: Vec<bool>,
}

impl<'p> Space<'p> {
    fn new(proof: &'p Proof) -> Self {
        let entities: Vec<Entity<'p>> = proof.entities.iter().map(Entity::new).collect();
        let bases = entities.iter().map(bases).collect();
        let indexes = entities.iter().map(indexes).collect();
        let mut space = Space { proof, entities, bases, indexes, cool: Vec::new() };
        let cool = |at: usize| space.pricing(at).is_cool(&space.bases[at], &space.indexes[at]);
        space.cool = (0..proof.entities.len()).map(cool).collect();
        space
    }

    pub(crate) fn pricing(&self, entity: usize) -> Pricing<'_> {
        Pricing { entity: &self.entities[entity], prices: &self.proof.prices }
    }

    /// Prices a layout that is written down, which has to be what it is said to be.
    fn written(&self, entity: usize, layout: &Layout, limits: &Limits) -> Result<Priced, Refusal> {
        let name = || self.proof.entities[entity].name.clone();
        let open: Vec<&LogicalIndex> = layout.indexes.iter().collect();
        let used = |at: usize| layout.ways.contains(&Way::Index(at));
        let priced = Some(())
            .filter(|()| is_primary(&self.entities[entity], &layout.base))
            .filter(|()| allows(limits, &open) && (0..open.len()).all(used))
            .and_then(|()| self.pricing(entity).layout(&layout.base, &open, &layout.ways))
            .filter(|priced| self.heads_arranged(entity, priced));
        let priced = priced.ok_or_else(|| Refusal::Illegal { entity: name() })?;
        if priced.pico != layout.price.pico() {
            let (claimed, real) = (layout.price, Money::from_pico(priced.pico));
            return Err(Refusal::Price { entity: name(), claimed, real });
        }
        Ok(priced)
    }

    /// The price of a shared read whose parts lie in these places; none where they are not in one.
    fn together(&self, read: usize, places: &[Place]) -> Option<i128> {
        let (shared, prices) = (&self.proof.shared[read], &self.proof.prices);
        if places.iter().any(|place| place.kind != places[0].kind) {
            return None;
        }
        let children = (shared.parts.len() - usize::from(shared.has_head)).max(1) as u64;
        let mut bytes = 0u64;
        for (part, ((entity, demand), place)) in shared.parts.iter().zip(places).enumerate() {
            let given = set(&self.proof.entities[*entity].demands[*demand].given);
            let there = self.entities[*entity].mean(given);
            let items = match shared.result {
                _ if shared.has_head && part == 0 => 1,
                ResultFacts::Page(size) => there.min(size.div_ceil(children)),
                _ => there,
            };
            bytes = bytes.saturating_add(items.saturating_mul(place.bytes));
        }
        let pages = bytes.div_ceil(MB).max(1);
        let sorted = places.iter().any(|place| place.sorted_by_caller);
        Some(
            reads(prices, shared.rate, half_units(bytes, shared.strong))
                + waits(prices, shared.rate, pages - 1)
                + if sorted { prices.awkward_pattern.pico() } else { 0 },
        )
    }

    /// The shared reads among some entities.
    fn reads_of(&self, component: &[usize]) -> Vec<usize> {
        (0..self.proof.shared.len())
            .filter(|read| self.proof.shared[*read].parts.iter().any(|part| component.contains(&part.0)))
            .collect()
    }

    /// The price of one layout for each entity of a component together.
    fn joint(&self, component: &[usize], reads: &[usize], picked: &BTreeMap<usize, &Priced>) -> Option<i128> {
        let mut sum: i128 = component.iter().map(|entity| picked[entity].pico).sum();
        for read in reads {
            let parts = self.proof.shared[*read].parts.iter();
            let places: Vec<Place> =
                parts.map(|(entity, demand)| self.place(*entity, *demand, picked[entity])).collect();
            sum += self.together(*read, &places)?;
        }
        Some(sum)
    }

    /// The least joint price over tables of layouts; `below` ends branches that can't be less.
    fn least(&self, component: &[usize], tables: &[Vec<Priced>], below: i128) -> Option<i128> {
        let reads = self.reads_of(component);
        let mut least: Vec<i128> = tables
            .iter()
            .map(|table| table.iter().map(|it| it.pico).min().unwrap_or(i128::MAX / 4))
            .collect();
        // What the entities after a position cost at least.
        for at in (0..least.len().saturating_sub(1)).rev() {
            least[at] += least[at + 1];
        }
        let mut best: Option<i128> = None;
        self.pick(component, &reads, tables, &least, &mut BTreeMap::new(), 0, below, &mut best);
        best
    }

    #[allow(clippy::too_many_arguments, reason = "a recursion carries what it has and what it looks for")]
    fn pick<'t>(
        &self,
        component: &[usize],
        reads: &[usize],
        tables: &'t [Vec<Priced>],
        least: &[i128],
        picked: &mut BTreeMap<usize, &'t Priced>,
        so_far: i128,
        below: i128,
        best: &mut Option<i128>,
    ) {
        let at = picked.len();
        let limit = best.map_or(below, |best| best.min(below));
        if so_far + least.get(at).copied().unwrap_or(0) >= limit {
            return;
        }
        if at == component.len() {
            *best = Some(so_far);
            return;
        }
        for layout in &tables[at] {
            picked.insert(component[at], layout);
            // A read is priced when its last part was picked.
            let mut sum = Some(so_far + layout.pico);
            for read in reads {
                let parts = &self.proof.shared[*read].parts;
                let here = parts.iter().any(|part| part.0 == component[at]);
                if here && parts.iter().all(|part| picked.contains_key(&part.0)) {
                    let places: Vec<Place> = parts
                        .iter()
                        .map(|(entity, demand)| self.place(*entity, *demand, picked[entity]))
                        .collect();
                    sum = sum.and_then(|sum| Some(sum + self.together(*read, &places)?));
                }
            }
            if let Some(sum) = sum {
                self.pick(component, reads, tables, least, picked, sum, below, best);
            }
            picked.remove(&component[at]);
        }
    }

    /// The least that a shared read can cost, whatever its entities are.
    fn cheapest_together(&self, read: usize) -> i128 {
        let parts = self.proof.shared[read].parts.iter().map(|(entity, _)| {
            let pricing = self.pricing(*entity);
            let items = self.bases[*entity].iter().map(|base| {
                let item = pricing.item_bytes(base, &[]);
                let entries =
                    self.indexes[*entity].iter().map(|index| pricing.entry_bytes(base, index, item));
                entries.min().unwrap_or(item).min(item)
            });
            Place { kind: None, bytes: items.min().unwrap_or(0), sorted_by_caller: false }
        });
        let places: Vec<Place> = parts.collect();
        self.together(read, &places).unwrap_or(0)
    }

    /// Checks that nothing of a component within the limits costs less than is claimed, and that something costs it.
    fn component(&self, bound: &Bound, at: usize) -> Result<(), Refusal> {
        let component = &self.proof.components[at];
        let mut tables: Vec<Vec<Priced>> = Vec::new();
        for entity in component {
            let table = bound.tables.get(*entity).ok_or(Refusal::Malformed)?;
            let priced: Result<Vec<Priced>, Refusal> =
                table.iter().map(|layout| self.written(*entity, layout, &bound.limits)).collect();
            tables.push(priced?);
        }
        let claimed = bound.least.get(at).ok_or(Refusal::Malformed)?.map(Money::pico);
        let listed = self.least(component, &tables, i128::MAX / 2);
        if listed != claimed {
            let (claimed, real) = (claimed.map(Money::from_pico), listed.map(Money::from_pico));
            return Err(Refusal::Sum { entities: self.names(component), claimed, real });
        }
        let below = claimed.unwrap_or(i128::MAX / 8);
        // First the least price of each entity alone, then all that could be part of something cheaper.
        let mut alone: Vec<i128> = Vec::new();
        for (entity, table) in component.iter().zip(&tables) {
            let listed = table.iter().map(|it| it.pico).min();
            let found = self.search(*entity, bound.limits, listed.unwrap_or(i128::MAX / 8), true)?;
            if let (Some(cheaper), Some(_)) = (found.first(), claimed) {
                return Err(Refusal::Missing {
                    entity: self.name(*entity),
                    price: Money::from_pico(cheaper.pico),
                });
            }
            match listed.or(found.first().map(|it| it.pico)) {
                Some(least) => alone.push(least),
                // This entity has no layout at all within the limits, so nothing has.
                None => return Ok(()),
            }
        }
        if component.len() == 1 {
            let impossible = claimed.is_none().then(|| Refusal::Sum {
                entities: self.names(component),
                claimed: None,
                real: alone.first().map(|it| Money::from_pico(*it)),
            });
            return impossible.map_or(Ok(()), Err);
        }
        let shared: i128 = self.reads_of(component).iter().map(|read| self.cheapest_together(*read)).sum();
        let all: i128 = alone.iter().sum::<i128>() + shared;
        let mut could_be: Vec<Vec<Priced>> = Vec::new();
        for (entity, least) in component.iter().zip(&alone) {
            could_be.push(self.search(*entity, bound.limits, below - (all - least), false)?);
        }
        match self.least(component, &could_be, below) {
            None => Ok(()),
            Some(real) => Err(Refusal::Sum {
                entities: self.names(component),
                claimed: claimed.map(Money::from_pico),
                real: Some(Money::from_pico(real)),
            }),
        }
    }

    fn search(
        &self,
        entity: usize,
        limits: Limits,
        below: i128,
        cheapest: bool,
    ) -> Result<Vec<Priced>, Refusal> {
        let found = Search::new(self, entity, limits, below, cheapest).run();
        found.map_err(|_| Refusal::TooLarge { entity: self.name(entity) })
    }

    fn name(&self, entity: usize) -> String {
        self.proof.entities[entity].name.clone()
    }

    fn names(&self, entities: &[usize]) -> String {
        entities.iter().map(|entity| self.name(*entity)).collect::<Vec<_>>().join(", ")
    }

    /// What the chosen layouts cost together.
    fn chosen(&self) -> Result<i128, Refusal> {
        let any = Limits::default();
        if self.proof.chosen.len() != self.entities.len() {
            return Err(Refusal::Malformed);
        }
        let priced: Result<Vec<Priced>, Refusal> =
            self.proof.chosen.iter().enumerate().map(|(at, it)| self.written(at, it, &any)).collect();
        let priced = priced?;
        let mut most = [0; 3];
        for layout in &self.proof.chosen {
            for (which, most) in most.iter_mut().enumerate() {
                let many = layout.indexes.iter().filter(|it| kind(&it.projection) == which).count();
                *most = many.max(*most);
            }
        }
        if self.proof.indexes < most.iter().sum() {
            return Err(Refusal::Indexes { claimed: self.proof.indexes, needed: most.iter().sum() });
        }
        let every: Vec<usize> = (0..priced.len()).collect();
        let reads: Vec<usize> = (0..self.proof.shared.len()).collect();
        let picked: BTreeMap<usize, &Priced> = priced.iter().enumerate().collect();
        let sum = self.joint(&every, &reads, &picked).ok_or(Refusal::Malformed)?;
        let running = self.proof.prices.index.pico() * self.proof.indexes as i128;
        Ok(sum + running + self.proof.fixed.pico())
    }

    /// The components are all entities, and no shared read goes beyond one.
    fn components_are_whole(&self) -> bool {
        let mut all: Vec<usize> = self.proof.components.concat();
        all.sort_unstable();
        let whole = all == (0..self.entities.len()).collect::<Vec<usize>>();
        whole
            && self.proof.shared.iter().all(|read| {
                let of = |entity: usize| self.proof.components.iter().position(|it| it.contains(&entity));
                read.parts.iter().all(|part| of(part.0) == of(read.parts[0].0))
            })
    }
}

/// Checks a design's certificate.
pub(crate) fn audit(total: Money, indexes: usize, certificate: &Certificate) -> Result<Verdict, Refusal> {
    let Some(proof) = &certificate.proof else { return Err(Refusal::NoProof) };
    let space = Space::new(proof);
    if !space.components_are_whole() || !is_whole(proof) {
        return Err(Refusal::Malformed);
    }
    let real = Money::from_pico(space.chosen()?);
    if real != total {
        return Err(Refusal::Total { claimed: total, real });
    }
    if indexes != proof.indexes {
        return Err(Refusal::Indexes { claimed: proof.indexes, needed: indexes });
    }
    if certificate.lower_bound + certificate.gap != total
        || certificate.optimal != (certificate.gap == Money::ZERO)
    {
        return Err(Refusal::Total { claimed: certificate.lower_bound + certificate.gap, real: total });
    }
    for bound in &proof.bounds {
        for at in 0..proof.components.len() {
            space.component(bound, at)?;
        }
    }
    let shown = shown(proof).unwrap_or(total).min(total);
    Ok(Verdict { total, claimed: certificate.lower_bound, shown })
}

/// What no design is cheaper than, over all numbers of indexes; none where no number works.
fn shown(proof: &Proof) -> Option<Money> {
    let most = GLOBAL_SECONDARY_INDEXES;
    let mut least: Option<i128> = None;
    for all in 0..=most {
        for keys in 0..=most - all {
            for lists in 0..=most - all - keys {
                // Any limits that leave room for so many bound what they can cost: the best of them counts.
                let room = |limits: &Limits| {
                    limits.all.is_none_or(|it| all <= it)
                        && limits.keys.is_none_or(|it| keys <= it)
                        && limits.include.is_none_or(|it| lists <= it)
                        && limits.total.is_none_or(|it| all + keys + lists <= it)
                };
                let sums = proof
                    .bounds
                    .iter()
                    .filter(|bound| room(&bound.limits))
                    .map(|bound| bound.least.iter().map(|it| it.map(Money::pico)).sum::<Option<i128>>());
                let mut impossible = false;
                let mut best = 0;
                for sum in sums {
                    match sum {
                        None => impossible = true,
                        Some(sum) => best = best.max(sum),
                    }
                }
                if !impossible {
                    let running = proof.prices.index.pico() * (all + keys + lists) as i128;
                    let here = best + running + proof.fixed.pico();
                    least = Some(least.map_or(here, |least| least.min(here)));
                }
            }
        }
    }
    least.map(Money::from_pico)
}

/// Every position in the proof is that of something.
fn is_whole(proof: &Proof) -> bool {
    let entity_is_whole = |entity: &keywright_model::certificate::EntityFacts| {
        let many = entity.attributes.len();
        let known = |some: &[usize]| some.iter().all(|at| *at < many);
        many <= 128
            && known(&entity.identity)
            && known(&entity.at_creation)
            && known(&entity.added)
            && entity.unique.iter().all(|it| known(&it.attributes))
            && entity.parents.iter().all(|it| known(&it.via))
            && entity.time_ordered.is_none_or(|at| at < many)
            && entity.effects.iter().all(|it| {
                known(&it.given) && known(&it.sets) && it.unique.iter().all(|at| *at < entity.unique.len())
            })
            && entity.demands.iter().all(|it| {
                let order: Vec<usize> = it.order.iter().map(|it| it.0).collect();
                let constants: Vec<usize> = it.constants.iter().map(|it| it.0).collect();
                let lists = [&it.given, &it.optional, &it.more_ranges, &it.returns, &order, &constants];
                lists.iter().all(|some| known(some))
                    && it.range.is_none_or(|at| at < many)
                    && it.shared.is_none_or(|(read, part)| {
                        proof.shared.get(read).is_some_and(|read| part < read.parts.len())
                    })
            })
    };
    let path_is_whole = |entity: usize, path: &Path| {
        let many = proof.entities[entity].attributes.len();
        path.partition.iter().chain(&path.sort).chain(&path.descending).all(|at| *at < many)
            && path.only.as_ref().is_none_or(|it| it.0 < many)
    };
    let layout_is_whole = |entity: usize, layout: &Layout| {
        path_is_whole(entity, &layout.base) && layout.indexes.iter().all(|it| path_is_whole(entity, &it.path))
    };
    proof.entities.iter().all(entity_is_whole)
        && proof.shared.iter().enumerate().all(|(at, read)| {
            read.parts.len() > 1
                && read.parts.iter().enumerate().all(|(part, (entity, demand))| {
                    let demand = proof.entities.get(*entity).and_then(|it| it.demands.get(*demand));
                    demand.is_some_and(|it| it.shared == Some((at, part)))
                })
        })
        && proof
            .chosen
            .iter()
            .enumerate()
            .all(|(at, it)| at < proof.entities.len() && layout_is_whole(at, it))
        && proof.bounds.iter().all(|bound| {
            bound.tables.len() == proof.entities.len()
                && bound.least.len() == proof.components.len()
                && bound.tables.iter().enumerate().all(|(at, it)| it.iter().all(|it| layout_is_whole(at, it)))
        })
}
