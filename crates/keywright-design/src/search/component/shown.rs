//! What is written down of a component, for those who check it.

use std::collections::BTreeSet;

use keywright_model::certificate::ListUse;

use super::super::elimination::{Failure, NEVER, eliminate};
use super::super::layout::Layout;
use super::super::limits::Limits;
use super::super::open::{Ban, Found};
use super::super::total::{KnownComponent, Summed};
use super::join::{factors, interfaces};
use super::{Bans, Component, Setting};

impl Component {
    /// All that was found within the limits and without what is ruled out: the layouts of each entity that no other beats, one for each interface, and
    /// what summing one entity out after the other gives. None where the search was stopped.
    pub(in super::super) fn shown(
        &mut self,
        setting: Setting<'_, '_>,
        limits: Limits,
        bans: &Bans,
    ) -> Option<KnownComponent> {
        let solved = self.solved(self.known(setting.tasks, limits, bans)?);
        let (complete, least) = (solved.complete, self.least(setting.tasks, limits, bans));
        // An answer that more freedom gave has no tables of its own yet.
        let entities = self.entities.clone();
        let fronts: Vec<usize> =
            (0..entities.len()).map(|at| self.front(setting, at, limits, bans)).collect();
        let found: Vec<&Found> = fronts.iter().map(|at| &self.fronts[*at].3).collect();
        if !complete || found.iter().any(|it| !it.complete) {
            return None;
        }
        let domains: Vec<_> = found.iter().map(|it| interfaces(&it.layouts)).collect();
        let mut summed = Vec::new();
        if entities.len() > 1 && domains.iter().all(|it| !it.is_empty()) {
            let sizes: Vec<usize> = domains.iter().map(Vec::len).collect();
            let factors = factors(setting, &entities, &self.reads, &domains);
            let possible = |price: &i128| (*price < NEVER).then_some(*price);
            let outcome = eliminate(&sizes, factors, |variable, factor| {
                summed.push(Summed {
                    entity: entities[variable],
                    with: factor.scope.iter().map(|it| entities[*it]).collect(),
                    table: factor.table.iter().map(possible).collect(),
                });
            });
            if outcome == Err(Failure::TooLarge) {
                return None;
            }
        }
        let layouts = domains.iter().map(|some| some.iter().map(|it| Layout::clone(it)).collect()).collect();
        Some(KnownComponent { least, bans: bans.clone(), without: lists(setting, bans), layouts, summed })
    }
}

/// The lists among what is ruled out, each once.
fn lists(setting: Setting<'_, '_>, bans: &Bans) -> Vec<ListUse> {
    let listed = |(entity, ban): &(usize, Ban)| match ban {
        Ban::List { list, most } => Some((setting.lists.kind(*entity, *list), most + 1)),
        Ban::Index(_) | Ban::Place { .. } => None,
    };
    let uses: BTreeSet<_> = bans.iter().filter_map(listed).collect();
    uses.into_iter().map(|it| setting.lists.value(it)).collect()
}
