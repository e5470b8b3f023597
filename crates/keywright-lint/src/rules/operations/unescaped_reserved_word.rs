//! unescaped-reserved-word: an expression that names a reserved word as it is.

use keywright_dynamodb::expression::parse::{NameAt, Parser};
use keywright_dynamodb::reserved::is_reserved;
use keywright_finding::{Edit, Finding, Fix, Group, Rule, Span};
use keywright_model::At;

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::error(
    "unescaped-reserved-word",
    Group::Operations,
    "an expression that names a reserved word as it is",
    include_str!("unescaped_reserved_word.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for (_, source) in facts.operations() {
        for request in source.into_iter().flat_map(|source| &source.requests) {
            for text in request
                .filter
                .iter()
                .chain(request.actions.iter().filter_map(|action| action.condition.as_ref()))
            {
                report(text, names(&text.value, |parser| parser.condition().is_ok()), findings);
            }
            if let Some(text) = &request.projection {
                report(text, names(&text.value, |parser| parser.list(Parser::path).is_ok()), findings);
            }
            for action in &request.actions {
                let text = At::stated(action.text.clone(), action.action);
                let starts = ["SET ", "ADD ", "REMOVE ", "DELETE "]
                    .iter()
                    .filter_map(|word| text.value.find(word))
                    .min();
                let Some(start) = starts.filter(|_| !text.value.contains(" KEY ")) else { continue };
                let mut inside = &text.value[start..];
                while inside.ends_with(')') && inside.matches(')').count() > inside.matches('(').count() {
                    inside = &inside[..inside.len() - 1];
                }
                let shifted = names(inside, |parser| parser.update().is_ok())
                    .into_iter()
                    .map(|name| NameAt { range: name.range.start + start..name.range.end + start, ..name });
                report(&text, shifted.collect(), findings);
            }
        }
    }
}

/// The names in a text that is an expression as a whole.
fn names(text: &str, read: impl Fn(&mut Parser) -> bool) -> Vec<NameAt> {
    let Ok(mut parser) = Parser::new(text) else { return Vec::new() };
    if read(&mut parser) && parser.is_at_end() { parser.names().to_vec() } else { Vec::new() }
}

fn report(text: &At<String>, names: Vec<NameAt>, findings: &mut Vec<Finding>) {
    let is_literal = text.value.len() == text.span.len() as usize;
    for name in names.into_iter().filter(|name| !name.escaped && is_reserved(&name.name)) {
        let offset = |at: usize| text.span.start + u32::try_from(at).unwrap_or(0);
        let span =
            if is_literal { Span::new(offset(name.range.start), offset(name.range.end)) } else { text.span };
        let mut finding = Finding::new(
            &RULE,
            span,
            format!("`{}` is a word that DynamoDB reserves, so the request is refused", name.name),
        )
        .help(format!("write `#{}` and name it in ExpressionAttributeNames", name.name));
        if is_literal {
            finding = finding.fix(Fix::new("write it with #", [Edit::insert(span.start, "#")]));
        }
        findings.push(finding);
    }
}
