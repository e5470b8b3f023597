//! The values that the stages of Keywright pass to each other, and nothing else.
//!
//! - [`Model`]: the user's statements: entities, attributes, relationships, access patterns, volumes, rates.
//! - [`Design`]: the derived tables, indexes and item types, one executable operation per pattern, decisions.
//! - [`Evidence`]: the results of a proof that ran the patterns.
//! - [`Explanation`]: of a rule, or of how a pattern is served.
//!
//! Every value of a Model keeps its place in the document ([`At`]), so that every message can quote the words
//! it is about. All values have a JSON form; [`schema`] publishes its JSON Schema.

pub mod certificate;
pub mod design;
pub mod evidence;
pub mod explanation;
pub mod model;
mod rate;
pub mod schema;
mod sourced;
mod style;

pub use certificate::Certificate;
pub use design::Design;
pub use evidence::Evidence;
pub use explanation::Explanation;
pub use model::Model;
pub use rate::{Frequency, Rate};
pub use sourced::At;
pub use style::Style;
