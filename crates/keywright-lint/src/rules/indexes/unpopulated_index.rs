//! unpopulated-index: an item type that a pattern reads from an index it is not in.

use keywright_finding::{Finding, Group, Rule};
use keywright_model::design::Request;

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::error(
    "unpopulated-index",
    Group::Indexes,
    "an item type that a pattern reads from an index it is not in",
    include_str!("unpopulated_index.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for (operation, request, place) in facts.requests() {
        let Request::Query(query) = request else { continue };
        let Some(index) = &query.index else { continue };
        let Some(space) =
            facts.spaces.iter().find(|space| space.table == query.table && space.index == Some(index))
        else {
            findings.push(
                Finding::new(
                    &RULE,
                    place.at(|source| source.place),
                    format!("{} reads {index}, which the design does not have", operation.pattern),
                )
                .help("list the index, or name one that is there"),
            );
            continue;
        };
        let wanted: Vec<&String> = match facts.pattern(operation) {
            Some(pattern) if query.items.is_empty() => pattern.entities.iter().map(|it| &it.value).collect(),
            _ => query.items.iter().collect(),
        };
        let missing: Vec<&str> = wanted
            .into_iter()
            .filter_map(|name| facts.item_named(name))
            .filter(|item| !space.members.iter().any(|member| member.item == *item))
            .map(|item| facts.item(item).name.as_str())
            .collect();
        if !missing.is_empty() || (space.members.is_empty() && query.items.is_empty()) {
            let what = if missing.is_empty() { "any item".to_owned() } else { missing.join(", ") };
            findings.push(
                Finding::new(
                    &RULE,
                    place.at(|source| source.place),
                    format!(
                        "{} reads {what} from {index}, but no item type writes the keys of {index} for it",
                        operation.pattern
                    ),
                )
                .help(format!("give {what} values for the key attributes of {index}")),
            );
        }
    }
}
