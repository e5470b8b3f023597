//! A rule together with the function that checks it.

use keywright_finding::{Finding, Rule};

use crate::{DesignFacts, Facts};

/// A rule over a Model together with the function that checks it.
pub(crate) struct Check {
    pub(crate) rule: &'static Rule,
    pub(crate) run: fn(&Facts<'_>, &mut Vec<Finding>),
}

/// A rule over a Design together with the function that checks it.
pub(crate) struct DesignCheck {
    pub(crate) rule: &'static Rule,
    pub(crate) run: fn(&DesignFacts<'_>, &mut Vec<Finding>),
}
