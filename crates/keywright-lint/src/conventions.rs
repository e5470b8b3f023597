//! Customs that a team agrees on. Where nothing is agreed, the rest of the design is the custom.

/// How keys are written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conventions {
    /// The separator between the segments of keys.
    pub separator: Option<String>,
    /// How prefixes are written.
    pub prefixes: Option<PrefixCase>,
}

/// How prefixes are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrefixCase {
    /// `USER#`.
    Upper,
    /// `user#`.
    Lower,
    /// As everybody likes.
    Any,
}
