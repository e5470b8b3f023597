//! filter-as-access: a filter that throws away most of what is read.

use keywright_finding::{Finding, Group, Rule};
use keywright_model::design::{Limit, Request, Value};

use crate::DesignFacts;
use crate::check::DesignCheck;
use crate::numbers::attribute_distinct;

static RULE: Rule = Rule::warning(
    "filter-as-access",
    Group::Operations,
    "a filter that throws away most of what is read",
    include_str!("filter_as_access.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for (operation, request, place) in facts.requests() {
        let Request::Query(query) = request else { continue };
        let Some(filter) = &query.filter else { continue };
        if query.items.iter().any(|item| is_bounded(facts, item))
            || !matches!(query.limit, Limit::Page { .. })
        {
            continue;
        }
        let mut names = Vec::new();
        // What the caller may leave out is no way to find something.
        let optional = |name: &str| operation.inputs.iter().any(|it| it.name == name && it.optional);
        equalities(filter, &optional, &mut names);
        let item = query.items.first().and_then(|name| facts.item_named(name));
        let distinct = names
            .iter()
            .filter_map(|name| attribute_distinct(facts, item?, name))
            .fold(1u64, u64::saturating_mul);
        if names.is_empty() || (facts.model.is_some() && distinct < 2) {
            continue;
        }
        let waste = if distinct > 1 {
            format!("about {} of {distinct} items that it reads", distinct - 1)
        } else {
            "most of what it reads".to_owned()
        };
        findings.push(
            Finding::new(
                &RULE,
                place.at(|source| source.filter.as_ref().map(|it| it.span)),
                format!(
                    "{} filters by `{}` and throws away {waste}: they are billed, and pages come back short",
                    operation.pattern,
                    names.join("`, `")
                ),
            )
            .help("put the attribute into a key, or bound the collection in the access patterns"),
        );
    }
}

/// Whether the Model bounds how many such items a parent has.
fn is_bounded(facts: &DesignFacts<'_>, item: &str) -> bool {
    let Some(model) = facts.model else { return false };
    let Some(at) = facts.item_named(item) else { return false };
    facts
        .item(at)
        .entities
        .iter()
        .any(|entity| model.parents_of(entity).iter().any(|it| it.fan_out.max.is_some()))
}

fn equalities<'c>(
    condition: &'c keywright_dynamodb::expression::Condition<Value>,
    optional: &dyn Fn(&str) -> bool,
    names: &mut Vec<&'c str>,
) {
    use keywright_dynamodb::expression::{Comparator, Condition, Operand};
    match condition {
        Condition::Compare(_, Comparator::Equal, Operand::Value(Value::Input(name))) if optional(name) => {}
        Condition::Compare(Operand::Path(path), Comparator::Equal, _) => names.push(path),
        Condition::All(parts) => parts.iter().for_each(|part| equalities(part, optional, names)),
        _ => {}
    }
}
