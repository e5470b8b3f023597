//! unguarded-uniqueness: a unique value that no item of the transaction holds.

use keywright_dynamodb::expression::Condition;
use keywright_finding::{Finding, Group, Rule, Span};
use keywright_model::design::{Action, Request};
use keywright_model::model::ConditionKind;

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::error(
    "unguarded-uniqueness",
    Group::Operations,
    "a unique value that no item of the transaction holds",
    include_str!("unguarded_uniqueness.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for (operation, source) in facts.operations() {
        let at = source
            .map_or_else(Span::default, |source| source.operation.as_ref().map_or(source.id, |it| it.span));
        let puts: Vec<_> = operation
            .requests
            .iter()
            .flat_map(|request| match request {
                Request::Write { action } => std::slice::from_ref(action),
                Request::TransactWriteItems { actions } => actions.as_slice(),
                _ => &[],
            })
            .filter_map(|action| match action {
                Action::Put(put)
                    if matches!(put.condition, Some(Condition::NotExists(_) | Condition::All(_))) =>
                {
                    Some(put)
                }
                _ => None,
            })
            .collect();
        let holds = |attributes: &[String]| {
            puts.iter().any(|put| {
                let Some(item) = facts.item_named(&put.item) else { return false };
                let keys: Vec<&str> = facts
                    .spaces
                    .iter()
                    .filter(|space| space.index.is_none())
                    .flat_map(|space| &space.members)
                    .filter(|member| member.item == item)
                    .flat_map(|member| {
                        member
                            .partition
                            .names()
                            .into_iter()
                            .chain(member.sort.iter().flat_map(|sort| sort.names()))
                    })
                    .collect();
                // Where some of them are unique by themselves, so are they all together.
                !keys.is_empty() && keys.iter().all(|it| attributes.iter().any(|own| own == it))
            })
        };
        let unique: Vec<Vec<String>> = match facts.pattern(operation).and_then(|pattern| pattern.write()) {
            Some(write) => write
                .conditions
                .iter()
                .filter_map(|condition| match &condition.kind {
                    ConditionKind::Unique { attributes, .. } => Some(attributes.clone()),
                    _ => None,
                })
                .collect(),
            None => Vec::new(),
        };
        for attributes in
            unique.into_iter().filter(|attributes| !operation.requests.is_empty() && !holds(attributes))
        {
            findings.push(finding(&operation.pattern, &format!("`{}`", attributes.join("` and `")), at));
        }
        let words = source.and_then(|source| source.conditions.as_ref()).filter(|_| facts.model.is_none());
        if words.is_some_and(|words| words.value.to_ascii_lowercase().contains("unique"))
            && puts.len() < 2
            && operation.generated.is_empty()
        {
            let checks = puts.is_empty()
                || facts
                    .design
                    .indexes
                    .iter()
                    .any(|index| words.is_some_and(|it| it.value.contains(&index.name)));
            if checks {
                findings.push(finding(&operation.pattern, "a value", at));
            }
        }
    }
}

fn finding(pattern: &str, what: &str, span: Span) -> Finding {
    Finding::new(
        &RULE,
        span,
        format!(
            "{pattern} promises that {what} is unique, and nothing keeps two writers from taking it at once"
        ),
    )
    .help(
        "write an item whose whole key is the value in the same transaction, with \
               attribute_not_exists; a Query before the write misses concurrent writers",
    )
}
