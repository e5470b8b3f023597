//! What the reader of designs has to say.

use keywright_dynamodb::expression::parse::SyntaxError;
use keywright_finding::{Finding, Span};
use keywright_model::design::OperationName;

use crate::markdown::Phrase;
use crate::rules;

/// Findings, as they come up.
#[derive(Debug, Default)]
pub(super) struct Problems {
    pub(super) findings: Vec<Finding>,
}

impl Problems {
    /// A cell or line that can't be read.
    pub(super) fn unreadable(&mut self, phrase: Phrase<'_>, message: &str) {
        self.findings.push(
            Finding::new(&rules::UNREADABLE_CELL, phrase.span(), message.to_owned())
                .help("write it as docs/table-design.md shows, or leave the cell empty"),
        );
    }

    /// A check that checks nothing.
    pub(super) fn unconditional(&mut self, check: Phrase<'_>) {
        self.findings.push(
            Finding::new(&rules::UNREADABLE_CELL, check.span(), "this Check has no condition".to_owned()).help(
                "write what must hold beside the same number under Conditions, such as `attribute_exists(pk)`, or remove \
                 the Check",
            ),
        );
    }

    /// An expression that stops being one.
    pub(super) fn syntax(&mut self, phrase: Phrase<'_>, error: &SyntaxError) {
        let at = error.offset.min(phrase.as_str().len());
        let span = if at == phrase.as_str().len() {
            phrase.span()
        } else {
            phrase.slice(at..phrase.as_str().len()).span()
        };
        self.findings.push(
            Finding::new(&rules::UNREADABLE_CELL, span, error.message.clone())
                .help("write it as docs/table-design.md shows, or leave the cell empty"),
        );
    }

    /// A param that a request of this kind does not have.
    pub(super) fn not_taken(&mut self, param: Phrase<'_>, name: &str, operation: OperationName) {
        let help = match operation {
            OperationName::GetItem => "remove it, or read with a Query",
            OperationName::Scan => "remove it: a Scan has no order",
            _ => {
                "remove it: the items come for all keys, in the order of the keys; limit, order and filter the Query that finds them"
            }
        };
        let message = format!("{operation} has no `{name}`");
        self.findings.push(Finding::new(&rules::UNREADABLE_CELL, param.span(), message).help(help));
    }

    /// A list of item types that lacks one that the operation returns.
    pub(super) fn fewer_items(&mut self, items: Span, lacking: &str) {
        let message = format!("`Items` does not name {lacking}, which the operation returns");
        self.findings.push(
            Finding::new(&rules::CONTRADICTING_DESIGN, items, message)
                .help(format!("add {lacking} to `Items`, or remove it from `Returns`")),
        );
    }

    /// What was inferred from words.
    pub(super) fn assume(&mut self, span: Span, statement: String, reason: &str) {
        self.findings.push(Finding::new(&rules::ASSUMPTION, span, statement).help(reason));
    }

    /// The name of an item type that nothing describes.
    pub(super) fn unknown_item(&mut self, name: Phrase<'_>, nearest: Option<&str>) {
        let help = match nearest {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => "give it a heading with its keys below, or a row in the chart of entities".to_owned(),
        };
        let message = format!("no item type is named `{}`", name.as_str());
        self.findings.push(Finding::new(&rules::UNREADABLE_CELL, name.span(), message).help(help));
    }

    /// Two places of which only one can be right.
    pub(super) fn contradiction(&mut self, span: Span, message: String, other: Span, label: &str) {
        self.findings.push(
            Finding::new(&rules::CONTRADICTING_DESIGN, span, message)
                .help("keep one of the two")
                .related(other, label),
        );
    }

    /// A part of the document that is not read.
    pub(super) fn ignored_section(&mut self, span: Span, title: &str) {
        self.findings.push(Finding::new(
            &rules::IGNORED_SECTION,
            span,
            format!("the section `{title}` is not part of a table design and is not read"),
        ));
    }

    /// A column that is not read.
    pub(super) fn ignored_column(&mut self, heading: Phrase<'_>) {
        self.findings.push(Finding::new(
            &rules::IGNORED_COLUMN,
            heading.span(),
            format!("the column `{}` is not read", heading.as_str()),
        ));
    }
}
