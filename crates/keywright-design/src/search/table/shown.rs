//! What is written down of a search, for those who check it.

use keywright_dynamodb::limits::GLOBAL_SECONDARY_INDEXES;

use super::super::Counts;
use super::super::limits::Limits;
use super::super::total::Known;
use super::Search;

/// Every number of indexes of each kind that a table can have.
fn vectors() -> impl Iterator<Item = Counts> {
    let most = GLOBAL_SECONDARY_INDEXES;
    (0..=most).flat_map(move |all| {
        (0..=most - all).flat_map(move |keys| (0..=most - all - keys).map(move |lists| [all, keys, lists]))
    })
}

impl Search<'_, '_> {
    /// What was found within those limits that bound some numbers of indexes best.
    pub(super) fn bounds(&mut self) -> Result<Vec<Known>, String> {
        let Some(best) = &self.best else { return Ok(Vec::new()) };
        let known: Vec<(Limits, Option<i128>)> = self
            .solved
            .iter()
            .map(|limits| {
                let least = self.components.iter().map(|it| it.least(self.tasks, *limits));
                (*limits, least.sum::<Option<i128>>())
            })
            .collect();
        // None, for what is impossible, bounds better than any price.
        let rank = |least: Option<i128>| (least.is_none(), least);
        let mut used: Vec<Limits> = vec![Limits::ANY];
        for counts in vectors() {
            let running = self.index_price.pico() * counts.iter().sum::<usize>() as i128;
            let shown = |limits: &Limits| {
                let (_, least) = known.iter().find(|it| it.0 == *limits).expect("it was solved");
                limits.allow(counts) && least.is_none_or(|least| least + running >= best.cost.total())
            };
            let covering = known.iter().filter(|(limits, _)| limits.allow(counts));
            if !used.iter().any(shown)
                && let Some((limits, _)) = covering.max_by_key(|(_, least)| rank(*least))
                && !used.contains(limits)
            {
                used.push(*limits);
            }
        }
        let mut components = std::mem::take(&mut self.components);
        let setting = self.setting();
        let mut shown = |limits| {
            let each = components.iter_mut().map(|it| it.shown(setting, limits));
            Some(Known { limits, components: each.collect::<Option<_>>()? })
        };
        let shown: Option<Vec<Known>> = used.into_iter().map(&mut shown).collect();
        self.components = components;
        shown.ok_or_else(|| "the search was stopped before they were complete".to_owned())
    }
}
