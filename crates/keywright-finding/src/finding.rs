//! Findings: what rules report about places in documents.

use crate::{Fix, Level, Rule, SourceId, Span};

/// Another place that helps to understand a finding.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Related {
    /// The document.
    pub source: SourceId,
    /// The place in that document.
    pub span: Span,
    /// A few words about the place: `first declared here`.
    pub label: String,
}

/// A problem that a rule reports at a place in a document.
///
/// ```
/// use keywright_finding::{Finding, Group, Level, Rule, Span};
///
/// static DUPLICATE: Rule = Rule::error("duplicate-entity", Group::Document, "two entities share a name", "…");
/// let finding = Finding::new(&DUPLICATE, Span::new(40, 45), "the entity `Order` is declared twice")
///     .help("rename one of the two, or join them")
///     .related(Span::new(4, 9), "first declared here");
/// assert_eq!(finding.level, Level::Error);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The rule that reports it.
    pub rule: &'static Rule,
    /// The level: that of the rule, unless the rule measured another one for this place.
    pub level: Level,
    /// The document.
    pub source: SourceId,
    /// The place in that document.
    pub span: Span,
    /// The problem, in one sentence without a full stop.
    pub message: String,
    /// What to do about it, without a full stop.
    pub help: Option<String>,
    /// Other relevant places, in the order in which to show them.
    pub related: Vec<Related>,
    /// Edits that resolve it.
    pub fix: Option<Fix>,
}

impl Finding {
    /// A finding at the rule's level, in the first document of the run.
    #[must_use]
    pub fn new(rule: &'static Rule, span: Span, message: impl Into<String>) -> Self {
        Self {
            rule,
            level: rule.level(),
            source: SourceId::default(),
            span,
            message: message.into(),
            help: None,
            related: Vec::new(),
            fix: None,
        }
    }

    /// Sets another level, for rules that judge by numbers.
    #[must_use]
    pub fn level(mut self, level: Level) -> Self {
        self.level = level;
        self
    }

    /// Moves the finding, with the related places added so far, to another document.
    #[must_use]
    pub fn in_source(mut self, source: SourceId) -> Self {
        self.source = source;
        for related in &mut self.related {
            related.source = source;
        }
        self
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds a related place in the same document.
    #[must_use]
    pub fn related(self, span: Span, label: impl Into<String>) -> Self {
        let source = self.source;
        self.related_in(source, span, label)
    }

    /// Adds a related place in any document of the run.
    #[must_use]
    pub fn related_in(mut self, source: SourceId, span: Span, label: impl Into<String>) -> Self {
        self.related.push(Related { source, span, label: label.into() });
        self
    }

    /// Adds edits that resolve the finding.
    #[must_use]
    pub fn fix(mut self, fix: Fix) -> Self {
        self.fix = Some(fix);
        self
    }
}
