//! What DynamoDB is, as values and arithmetic.
//!
//! Nothing here knows about access patterns or designs; everything here is a fact about DynamoDB.
//!
//! | module | knows |
//! |---|---|
//! | [`limits`] | the service's limits, each a named constant |
//! | [`value`], [`number`] | attribute values and DynamoDB JSON; exact decimal numbers |
//! | [`expression`], [`reserved`] | expressions as typed trees; the words that they can't use as names |
//! | [`size`] | how many bytes an item is, from its values or from what was declared of them |
//! | [`index`] | what a secondary index stores of an item |
//! | [`units`] | read and write units, exact to the half |
//! | [`rate`], [`price`], [`money`] | how often, and what that costs in a month |
//! | [`heat`] | what one partition bears, and how many shards a load needs |

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
