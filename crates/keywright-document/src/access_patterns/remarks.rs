//! What the reader says beside the Model: findings, and what it had to assume.

use keywright_finding::{Finding, Rule, Span};
use keywright_model::model::Assumption;

/// Gathers what is to be said while a document is read.
#[derive(Debug, Default)]
pub(super) struct Remarks {
    pub(super) findings: Vec<Finding>,
    pub(super) assumptions: Vec<Assumption>,
}

impl Remarks {
    /// Reports a finding.
    pub(super) fn report(&mut self, finding: Finding) {
        self.findings.push(finding);
    }

    /// Reports words that were not understood, and what could be written instead.
    pub(super) fn say(&mut self, rule: &'static Rule, span: Span, message: String, help: impl Into<String>) {
        self.report(Finding::new(rule, span, message).help(help));
    }

    /// Notes what was inferred from words, and why or how to say it outright.
    pub(super) fn assume(&mut self, span: Span, statement: String, reason: impl Into<String>) {
        self.assumptions.push(Assumption { span, statement, reason: reason.into() });
    }
}
