//! A rule together with the function that checks it.

use keywright_finding::{Finding, Rule};

use crate::Facts;

/// A rule together with the function that checks it.
pub(crate) struct Check {
    pub(crate) rule: &'static Rule,
    pub(crate) run: fn(&Facts<'_>, &mut Vec<Finding>),
}
