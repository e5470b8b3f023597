//! What DynamoDB is: its expressions as typed trees, its prices, its limits and its units.
//!
//! Nothing here knows about access patterns or designs; everything here is a fact about DynamoDB.

pub mod expression;
pub mod money;

pub use money::Money;
