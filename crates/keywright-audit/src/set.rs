//! Sets of attribute positions, as bits.

/// Positions below 128.
pub(crate) type Set = u128;

/// The set of some positions; those that no entity can have are left out.
pub(crate) fn set(positions: &[usize]) -> Set {
    positions.iter().filter(|at| **at < 128).fold(0, |all, at| all | 1 << at)
}

/// The positions of a set, ascending.
pub(crate) fn members(mut of: Set) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = (of != 0).then(|| of.trailing_zeros() as usize)?;
        of &= of - 1;
        Some(lowest)
    })
}

pub(crate) fn has(of: Set, position: usize) -> bool {
    position < 128 && of >> position & 1 == 1
}

pub(crate) fn within(small: Set, large: Set) -> bool {
    small & !large == 0
}
