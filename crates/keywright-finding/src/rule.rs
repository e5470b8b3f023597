//! Rules. Each is declared once, and everything that is shown about it derives from the declaration.

use std::fmt;

use serde::Serialize;

use crate::{Examples, Level};

/// The part of the catalogue that a rule belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Group {
    /// Problems in reading a document.
    Document,
    /// Access patterns as the user states them.
    Patterns,
    /// Key templates.
    Keys,
    /// Conditions and operations.
    Operations,
    /// Indexes and items.
    Indexes,
}

impl fmt::Display for Group {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Group::Document => "document",
            Group::Patterns => "patterns",
            Group::Keys => "keys",
            Group::Operations => "operations",
            Group::Indexes => "indexes",
        })
    }
}

/// A rule of the catalogue. Declare each as a `static` next to the code that checks it, with its page beside
/// that file:
///
/// ```
/// use keywright_finding::{Group, Rule};
///
/// pub static UNKNOWN_ENTITY: Rule = Rule::error(
///     "unknown-entity",
///     Group::Patterns,
///     "a pattern names an entity that the document does not declare",
///     "# unknown-entity …", // include_str!("unknown_entity.md")
/// );
/// assert_eq!(UNKNOWN_ENTITY.name(), "unknown-entity");
/// ```
#[derive(Debug)]
pub struct Rule {
    name: &'static str,
    level: Level,
    strict: Option<Level>,
    group: Group,
    summary: &'static str,
    page: &'static str,
}

impl Rule {
    /// A rule whose findings fail the run.
    #[must_use]
    pub const fn error(name: &'static str, group: Group, summary: &'static str, page: &'static str) -> Self {
        Self { name, level: Level::Error, strict: None, group, summary, page }
    }

    /// A rule whose findings are likely mistakes.
    #[must_use]
    pub const fn warning(
        name: &'static str,
        group: Group,
        summary: &'static str,
        page: &'static str,
    ) -> Self {
        Self { level: Level::Warning, ..Self::error(name, group, summary, page) }
    }

    /// A rule whose findings are worth knowing.
    #[must_use]
    pub const fn note(name: &'static str, group: Group, summary: &'static str, page: &'static str) -> Self {
        Self { level: Level::Note, ..Self::error(name, group, summary, page) }
    }

    /// The same rule, but its findings are errors in a strict run.
    #[must_use]
    pub const fn refused_when_strict(self) -> Self {
        Self { strict: Some(Level::Error), ..self }
    }

    /// The name, which reads well after "allow": lower case, words joined with `-`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The level of its findings, unless the finding or the user sets another.
    #[must_use]
    pub const fn level(&self) -> Level {
        self.level
    }

    /// The level of its findings in a strict run, if that differs.
    #[must_use]
    pub const fn strict_level(&self) -> Option<Level> {
        self.strict
    }

    /// The part of the catalogue that it belongs to.
    #[must_use]
    pub const fn group(&self) -> Group {
        self.group
    }

    /// What it reports, in one line without a full stop.
    #[must_use]
    pub const fn summary(&self) -> &'static str {
        self.summary
    }

    /// Its page in Markdown: why it matters, examples that fail and pass, and how to fix a finding.
    #[must_use]
    pub const fn page(&self) -> &'static str {
        self.page
    }

    /// The examples on its page.
    #[must_use]
    pub fn examples(&self) -> Examples {
        Examples::of(self.page)
    }
}

impl PartialEq for Rule {
    /// Two rules are equal if their names are: names are unique in the catalogue.
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Rule {}
