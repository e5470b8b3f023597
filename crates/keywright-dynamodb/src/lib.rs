//! Facts about DynamoDB, as values and arithmetic.
//!
//! Nothing here depends on access patterns or designs.
//!
//! | module | content |
//! |---|---|
//! | [`limits`] | the service's limits, each a named constant |
//! | [`value`], [`number`] | attribute values and DynamoDB JSON; exact decimal numbers |
//! | [`expression`], [`reserved`] | expressions as typed trees; the words that they can't use as names |
//! | [`size`] | the size of an item in bytes, from its values or from declarations of them |
//! | [`index`] | the entry of an item in a secondary index |
//! | [`units`] | read and write units, exact to the half |
//! | [`rate`], [`price`], [`money`] | request rates, and their monthly cost |
//! | [`heat`] | the load that one partition bears, and the shards that a load needs |

pub mod expression;
pub mod heat;
pub mod index;
pub mod limits;
pub mod money;
pub mod number;
pub mod price;
pub mod rate;
pub mod reserved;
pub mod size;
pub mod units;
pub mod value;

pub use money::Money;
