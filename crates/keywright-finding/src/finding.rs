//! What a rule says about a place in a document.

use crate::{Fix, Level, Rule, SourceId, Span};

/// Another place that helps to understand a finding.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Related {
    /// The document.
    pub source: SourceId,
    /// The place in it.
    pub span: Span,
    /// What is there, in a few words: `first declared here`.
    pub label: String,
}

/// What a rule says about a place in a document.
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
    /// The rule that speaks.
    pub rule: &'static Rule,
    /// How much it matters: the rule's level, unless the rule measured something else here.
    pub level: Level,
    /// The document.
    pub source: SourceId,
    /// The place in it.
    pub span: Span,
    /// One sentence that says what is wrong, without a full stop.
    pub message: String,
    /// What to do about it, without a full stop.
    pub help: Option<String>,
    /// Other places that matter, in the order in which to show them.
    pub related: Vec<Related>,
    /// What a machine can do about it.
    pub fix: Option<Fix>,
}

impl Finding {
    /// A finding at the rule's level in a run's first document.
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

    /// The same finding at another level, for rules that judge by numbers.
    #[must_use]
    pub fn level(mut self, level: Level) -> Self {
        self.level = level;
        self
    }

    /// The same finding in another document, where its related places so far also move.
    #[must_use]
    pub fn in_source(mut self, source: SourceId) -> Self {
        self.source = source;
        for related in &mut self.related {
            related.source = source;
        }
        self
    }

    /// Says what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Points at another place in the same document.
    #[must_use]
    pub fn related(self, span: Span, label: impl Into<String>) -> Self {
        let source = self.source;
        self.related_in(source, span, label)
    }

    /// Points at a place in any document of the run.
    #[must_use]
    pub fn related_in(mut self, source: SourceId, span: Span, label: impl Into<String>) -> Self {
        self.related.push(Related { source, span, label: label.into() });
        self
    }

    /// Offers edits that make the finding go away.
    #[must_use]
    pub fn fix(mut self, fix: Fix) -> Self {
        self.fix = Some(fix);
        self
    }
}
