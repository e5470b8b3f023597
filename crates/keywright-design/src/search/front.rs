//! The layouts of one entity that no other beats.

use super::layout::{Layout, SharedPlace};

/// The layouts found so far that no other beats in price and in the bytes that shared reads see.
#[derive(Default)]
pub(super) struct Front {
    pub(super) layouts: Vec<Layout>,
}

impl Front {
    /// Whether some layout is at least as good as anything with these least values.
    pub(super) fn beats(&self, total: i128, shared: &[SharedPlace]) -> bool {
        self.layouts.iter().any(|it| it.cost.total() <= total && serves_alike(&it.shared, shared))
    }

    /// Takes a layout in, unless another beats it; between equals the one with fewer indexes, then the one whose
    /// projections and paths come first.
    pub(super) fn add(&mut self, layout: Layout) {
        let rank = |it: &Layout| (it.cost.total(), it.indexes.len());
        let beaten = self
            .layouts
            .iter()
            .any(|it| rank(it) <= rank(&layout) && serves_alike(&it.shared, &layout.shared));
        if beaten {
            return;
        }
        self.layouts
            .retain(|it| it.cost.total() < layout.cost.total() || !serves_alike(&layout.shared, &it.shared));
        self.layouts.push(layout);
    }
}

/// Whether every shared read finds its part in the same place, and no larger.
fn serves_alike(one: &[SharedPlace], other: &[SharedPlace]) -> bool {
    one.iter().zip(other).all(|(one, other)| {
        one.kind == other.kind && one.client_sort == other.client_sort && one.bytes <= other.bytes
    })
}
