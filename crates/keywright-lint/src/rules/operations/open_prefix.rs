//! open-prefix: a begins_with that does not end on a separator.

use keywright_dynamodb::expression::SortRange;
use keywright_finding::{Edit, Finding, Fix, Group, Rule};
use keywright_key::{Segment, Template};
use keywright_model::design::{Request, Value};
use keywright_model::model::Role;

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::warning(
    "open-prefix",
    Group::Operations,
    "a begins_with that does not end with a separator",
    include_str!("open_prefix.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    let separator = facts.separator().unwrap_or_else(|| "#".to_owned());
    for (operation, request, place) in facts.requests() {
        let Request::Query(query) = request else { continue };
        let Some((_, SortRange::BeginsWith(Value::Template(prefix)))) = &query.key.range else { continue };
        let Ok(template) = Template::parse(prefix) else { continue };
        let open = match template.segments().last() {
            Some(Segment::Literal(text)) => {
                text.ends_with(|last: char| last.is_alphanumeric() || last == '_')
            }
            // What is of fixed width ends by itself, and a prefix that the caller gives is meant to be open.
            Some(Segment::Placeholder(it)) => {
                it.encoding().width().is_none() && !is_prefix(facts, operation, it.name())
            }
            None => false,
        };
        if !open {
            continue;
        }
        let span = place.at(|source| source.sort_values.first().copied());
        let literal = place
            .request
            .and_then(|source| source.sort_values.first())
            .filter(|span| span.len() as usize == prefix.len());
        let mut finding = Finding::new(&RULE, span, format!("{} begins_with `{prefix}` also matches keys that go on, such as `{prefix}X{separator}1` or `{prefix}0`", operation.pattern))
            .help(format!("end it with the separator: `{prefix}{separator}`"));
        if let Some(span) = literal {
            finding = finding.fix(Fix::new(
                "end the prefix with the separator",
                [Edit::insert(span.end, separator.as_str())],
            ));
        }
        findings.push(finding);
    }
}

fn is_prefix(facts: &DesignFacts<'_>, operation: &keywright_model::design::Operation, name: &str) -> bool {
    let stated = operation.inputs.iter().any(|input| input.name == name && input.role == Role::Prefix);
    let by_model = facts.pattern(operation).is_some_and(|pattern| {
        pattern.inputs().iter().any(|input| input.name == name && input.role == Role::Prefix)
    });
    stated || by_model || name.to_ascii_lowercase().contains("prefix")
}
