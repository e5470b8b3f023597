//! The design problem: a Model with names resolved to numbers and silence filled with defaults.
//!
//! Everything after this file works on indices; only emission goes back to names.

mod attrs;
mod entity;
mod read;
mod resolve;
mod write;

pub(crate) use attrs::{Attr, Attrs};
pub(crate) use entity::{AttributeFacts, Bucket, Domain, EntityFacts, HeldEntity, ParentLink, home};
pub(crate) use read::{Behind, Equality, Range, ReadFacts, ReadPart, ResultShape, Sieve};
pub use resolve::no_patterns;
#[cfg(test)]
pub(crate) use resolve::sift;
pub(crate) use resolve::{
    Countable, Keeping, Resolved, compared, handed_over, is_kept_by_updates, keep_buckets, resolve, siftable,
};
pub(crate) use write::{CheckFacts, EffectAction, EffectFacts, WriteFacts};

/// A Model, resolved.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) entities: Vec<EntityFacts>,
    pub(crate) reads: Vec<ReadFacts>,
    pub(crate) writes: Vec<WriteFacts>,
    /// The name of the attribute that tells item types apart.
    pub(crate) type_attribute: String,
}
