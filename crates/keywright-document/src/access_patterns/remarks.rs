//! What the reader says beside the Model: findings, and what it had to assume.

use keywright_finding::{Finding, Level, Rule, Span};
use keywright_model::model::Assumption;

use crate::rules::{ASSUMPTION, OVERSIZED_DOCUMENT, UNREADABLE_CELL};

/// The most findings and the most assumptions that one document gets; the rest is counted.
const MOST: usize = 200_000;

/// The most attributes, and the most patterns, that one document may declare. A table in production has a few hundred of
/// either; the bound keeps what is read in proportion to what is written.
const MOST_DECLARED: usize = 200_000;

/// What a document may declare only so many of.
#[derive(Clone, Copy, Debug)]
pub(super) enum Declared {
    Attribute,
    Pattern,
}

/// Gathers what is to be said while a document is read.
#[derive(Debug, Default)]
pub(super) struct Remarks {
    pub(super) findings: Vec<Finding>,
    pub(super) assumptions: Vec<Assumption>,
    /// How many were left out.
    unsaid: usize,
    attributes: usize,
    patterns: usize,
}

impl Remarks {
    /// Reports a finding.
    pub(super) fn report(&mut self, finding: Finding) {
        if self.findings.len() < MOST {
            self.findings.push(finding);
        } else {
            self.unsaid += 1;
        }
    }

    /// Whether there is room for one more; the first that finds none is reported.
    pub(super) fn has_room(&mut self, declared: Declared, span: Span) -> bool {
        let (count, what) = match declared {
            Declared::Attribute => (&mut self.attributes, "attributes"),
            Declared::Pattern => (&mut self.patterns, "patterns"),
        };
        *count += 1;
        if *count == MOST_DECLARED + 1 {
            let message =
                format!("more than {MOST_DECLARED} {what} are declared; from here on they are not read");
            self.say(&OVERSIZED_DOCUMENT, span, message, "split the document into several");
            return false;
        }
        *count <= MOST_DECLARED
    }

    /// All findings in the order of the document, assumptions among them, and the assumptions in the order in which they
    /// were made.
    pub(super) fn finished(self) -> (Vec<Finding>, Vec<Assumption>) {
        let Remarks { mut findings, assumptions, unsaid, .. } = self;
        findings.extend(
            assumptions
                .iter()
                .map(|it| Finding::new(&ASSUMPTION, it.span, it.statement.clone()).help(it.reason.clone())),
        );
        if unsaid > 0 {
            let message = format!("{unsaid} further findings are left out");
            findings.push(Finding::new(&OVERSIZED_DOCUMENT, Span::at(0), message).help("fix the first ones"));
        }
        findings.sort_by_key(|finding| finding.span);
        (findings, assumptions)
    }

    /// Reports words that were not understood, and what could be written instead.
    pub(super) fn say(&mut self, rule: &'static Rule, span: Span, message: String, help: impl Into<String>) {
        self.report(Finding::new(rule, span, message).help(help));
    }

    /// Reports words that were read in part, or not as they may be meant, and what could be written instead.
    pub(super) fn doubt(&mut self, span: Span, message: String, help: impl Into<String>) {
        self.report(Finding::new(&UNREADABLE_CELL, span, message).level(Level::Warning).help(help));
    }

    /// Notes what was inferred from words, and why or how to say it outright.
    pub(super) fn assume(&mut self, span: Span, statement: String, reason: impl Into<String>) {
        if self.assumptions.len() < MOST {
            self.assumptions.push(Assumption { span, statement, reason: reason.into() });
        } else {
            self.unsaid += 1;
        }
    }
}
