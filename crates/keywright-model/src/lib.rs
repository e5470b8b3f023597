//! The values that the stages of Keywright hand to each other, and nothing else.
//!
//! - [`Model`]: what the user states: entities, attributes, relationships, access patterns, volumes, rates.
//! - [`Design`]: what is derived: tables, indexes, item types, one executable operation per pattern, decisions.
//! - [`Evidence`]: what a proof saw when it ran the patterns.
//! - [`Explanation`]: a rule, or why a pattern is served as it is.
//!
//! Every value of a Model keeps the place in the document that it came from ([`At`]), so that every message
//! can show the words it is about. All values have a JSON form; [`schema`] publishes its JSON Schema.

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
