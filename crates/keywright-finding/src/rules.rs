//! The rules that this crate checks itself: those about allow comments.

mod allow_without_reason;
mod unused_allow;

pub use allow_without_reason::ALLOW_WITHOUT_REASON;
pub use unused_allow::UNUSED_ALLOW;

use crate::Rule;

/// The rules about allow comments; part of every [`Catalogue`](crate::Catalogue).
pub static RULES: &[&Rule] = &[&ALLOW_WITHOUT_REASON, &UNUSED_ALLOW];
