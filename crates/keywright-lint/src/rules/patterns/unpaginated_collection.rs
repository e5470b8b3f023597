//! unpaginated-collection: an answer that can grow without limit.

use std::collections::BTreeMap;

use keywright_finding::{Finding, Group, Rule};
use keywright_model::Model;
use keywright_model::model::{Action, ConditionKind, Pattern, ResultKind, Role};

use crate::check::Check;
use crate::{EntityFacts, Facts};

static RULE: Rule = Rule::warning(
    "unpaginated-collection",
    Group::Patterns,
    "an unbounded collection that is read without pages",
    include_str!("unpaginated_collection.md"),
);

pub(super) const CHECK: Check = Check { rule: &RULE, run: check };

/// A collection that is known to stay at or below this many items is answered whole.
const ONE_ANSWER: u64 = 100;

fn check(facts: &Facts<'_>, findings: &mut Vec<Finding>) {
    let bounds = Bounds::new(facts.model);
    for pattern in &facts.model.patterns {
        if !returns_without_pages(pattern) {
            continue;
        }
        let Some(size) = facts.entities_of(pattern).map(|entity| bounds.size(facts, pattern, entity)).max()
        else {
            continue;
        };
        let (message, help) = match size {
            Size::Known(items) if items <= ONE_ANSWER => continue,
            Size::Known(items) => (
                format!("this read returns about {items} items in one answer"),
                "write `Yes` under Paginated, and a Page Size if it is known",
            ),
            Size::Unknown => (
                "nothing bounds how many items this read returns in one answer".to_owned(),
                "write `Yes` under Paginated, or state the bound under Cardinality, such as `max 50 per customer`",
            ),
        };
        let span = pattern
            .read()
            .and_then(|read| read.paginated.as_ref())
            .map_or(pattern.span, |paginated| paginated.span);
        findings.push(Finding::new(&RULE, span, message).help(help));
    }
}

fn returns_without_pages(pattern: &Pattern) -> bool {
    let Some(read) = pattern.read() else { return false };
    let is_collection = read.result.as_ref().is_some_and(|result| result.value == ResultKind::Collection);
    let has_pages = read.paginated.as_ref().is_some_and(|paginated| paginated.value)
        || read.page_size.is_some()
        // A list of identifiers bounds the answer by the question.
        || pattern.inputs().iter().any(|input| input.list || matches!(input.role, Role::Limit | Role::Cursor));
    is_collection && !has_pages && !read.scan
}

/// How many items an answer holds. What is not known is more than anything known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Size {
    Known(u64),
    Unknown,
}

/// Limits that writes enforce: at most so many items of an entity per another, or in all.
struct Bounds<'m>(BTreeMap<(&'m str, Option<&'m str>), u64>);

impl<'m> Bounds<'m> {
    fn new(model: &'m Model) -> Self {
        let mut bounds = BTreeMap::new();
        for write in model.patterns.iter().filter_map(|pattern| pattern.write()) {
            let creates = |entity: &str| {
                write.effects.iter().any(|effect| {
                    effect.entity == entity && matches!(effect.action, Action::Create | Action::Put)
                })
            };
            for condition in &write.conditions {
                if let ConditionKind::AtMost { entity, per, limit } = &condition.kind
                    && creates(entity)
                {
                    let bound = bounds.entry((entity.as_str(), per.as_deref())).or_insert(*limit);
                    *bound = (*bound).max(*limit);
                }
            }
        }
        Self(bounds)
    }

    /// How many items of an entity a read returns, by what the document says.
    fn size(&self, facts: &Facts<'_>, pattern: &Pattern, entity: &EntityFacts<'_>) -> Size {
        let name = entity.entity.name.as_str();
        let equal: Vec<&str> = pattern
            .inputs()
            .iter()
            .filter(|input| input.role == Role::Equal)
            .flat_map(|input| {
                input.binds.iter().filter(|bind| bind.entity == name).map(|bind| bind.attribute.as_str())
            })
            .collect();
        let identity: Vec<&str> = entity.entity.identity_names().collect();
        if !identity.is_empty() && identity.iter().all(|attribute| equal.contains(attribute)) {
            return Size::Known(1);
        }
        let all = entity.entity.count.as_ref().map(|count| count.value);
        let in_all = all.into_iter().chain(self.0.get(&(name, None)).copied());
        let under_parents = facts.parents_of(name).iter().filter_map(|relationship| {
            let through = relationship.via.iter().all(|attribute| equal.contains(&attribute.as_str()));
            let named = pattern
                .inputs()
                .iter()
                .any(|input| input.binds.iter().any(|bind| bind.entity == relationship.parent));
            if !(through && (named || !relationship.via.is_empty())) {
                return None;
            }
            let fan_out = relationship
                .fan_out
                .max
                .as_ref()
                .or(relationship.fan_out.mean.as_ref())
                .map(|count| count.value);
            self.0.get(&(name, Some(relationship.parent.as_str()))).copied().or(fan_out)
        });
        in_all.chain(under_parents).min().map_or(Size::Unknown, Size::Known)
    }
}
