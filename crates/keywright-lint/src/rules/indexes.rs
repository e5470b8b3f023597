//! Rules to come.

use crate::check::DesignCheck;

/// The rules of the group.
pub(crate) static INDEXES: &[DesignCheck] = &[];
