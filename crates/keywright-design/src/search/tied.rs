//! Ties: of indexes that cost the same, the one whose partitions are the coolest.
//!
//! Of two that are alike the search keeps the one that serves more. Where the chosen layout uses it for some reads only,
//! what all of these give belongs into its partition key.

use std::sync::Arc;

use super::layout::{Layout, evaluate};
use super::options::{Choice, opened};
use super::task::EntityTask;
use crate::cost::hottest_share;
use crate::form::Form;

/// A layout with cooler indexes in the place of its own, where that changes nothing else, and for each of its indexes
/// the position that it has there.
pub(super) fn cooled(task: &EntityTask<'_>, layout: &Layout) -> Option<(Layout, Vec<usize>)> {
    // Native keys decide who shares an index, and what is there has its place.
    if task.forms.index == Form::Native || task.existing.is_some() {
        return None;
    }
    let mut now = layout.clone();
    let mut stands_for = layout.indexes.clone();
    for index in &mut stands_for {
        // Cooler ones come first.
        if let Some((other, cooler)) =
            (0..*index).find_map(|other| Some((other, instead(task, &now, *index, other)?)))
        {
            (*index, now) = (other, cooler);
        }
    }
    let position = |index: &usize| now.indexes.iter().position(|it| it == index);
    let positions: Option<Vec<usize>> = stands_for.iter().map(position).collect();
    positions.filter(|_| now.indexes != layout.indexes).map(|positions| (now, positions))
}

/// The layout with one index in the place of another, if that is cooler and serves the same at the same price.
fn instead(task: &EntityTask<'_>, layout: &Layout, index: usize, other: usize) -> Option<Layout> {
    let (hot, cool) = (&task.candidates.indexes[index], &task.candidates.indexes[other]);
    let share = |writes: bool| {
        let of = |it: &crate::candidate::IndexCandidate| {
            hottest_share(task.facts(), it.path.partition_set(), writes)
        };
        (of(cool), of(hot))
    };
    let ((cool_writes, hot_writes), (cool_reads, hot_reads)) = (share(true), share(false));
    let alike = hot.projection == cool.projection
        && hot.path.only == cool.path.only
        && hot.path.attrs() == cool.path.attrs()
        && !layout.indexes.contains(&other);
    if !alike || (cool_writes, cool_reads) >= (hot_writes, hot_reads) {
        return None;
    }
    let choices = layout.services.iter().zip(task.demands).zip(&task.index_fits);
    let chosen: Option<Vec<Choice>> = choices
        .map(|((service, demand), fits)| {
            if opened(&service.choice) != Some(index) {
                return Some(service.choice.clone());
            }
            // Where a shared read finds its parts is everybody's business.
            let fit = fits.iter().find(|(at, _)| *at == other && !demand.is_shared())?;
            Some(Choice::Index(other, Arc::clone(&fit.1)))
        })
        .collect();
    evaluate(task, layout.base, &chosen?).filter(|it| it.cost == layout.cost)
}
