//! The rules of code generation: names that programs can't have, and operations that can't be run.

use keywright_finding::{Group, Rule};

/// Two names that become the same identifier.
pub(crate) static COLLIDING_NAMES: Rule = Rule::error(
    "colliding-names",
    Group::Document,
    "two names become the same identifier in programs",
    include_str!("rules/colliding_names.md"),
);

/// A name without a letter or a digit.
pub(crate) static UNUSABLE_NAME: Rule = Rule::error(
    "unusable-name",
    Group::Document,
    "a name that no identifier can be made of",
    include_str!("rules/unusable_name.md"),
);

/// An operation that is too incomplete to run.
pub(crate) static INCOMPLETE_OPERATION: Rule = Rule::error(
    "incomplete-operation",
    Group::Document,
    "an operation that is too incomplete to run",
    include_str!("rules/incomplete_operation.md"),
);

/// The rules of this stage.
pub static RULES: &[&Rule] = &[&COLLIDING_NAMES, &INCOMPLETE_OPERATION, &UNUSABLE_NAME];
