//! unpaginated-collection: an answer that can grow without limit.

use std::collections::{BTreeMap, BTreeSet};

use keywright_dynamodb::limits::{MB, PAGE_BYTES};
use keywright_finding::{Finding, Group, Rule};
use keywright_model::Model;
use keywright_model::model::{Action, ConditionKind, Pattern, ResultKind, Role};

use crate::check::Check;
use crate::words;
use crate::{EntityFacts, Facts};

static RULE: Rule = Rule::warning(
    "unpaginated-collection",
    Group::Patterns,
    "an unbounded collection that is read without pages",
    include_str!("unpaginated_collection.md"),
);

pub(super) const CHECK: Check = Check { rule: &RULE, run: check };

/// So many relationships of an entity are asked for a bound; an entity with more parents is no document of a person.
const PARENTS: usize = 64;

fn check(facts: &Facts<'_>, findings: &mut Vec<Finding>) {
    let bounds = Bounds::new(facts.model);
    for pattern in &facts.model.patterns {
        let Some(read) = pattern.read().filter(|_| returns_without_pages(pattern)) else { continue };
        let asked = Asked::new(pattern);
        let stated = read.item_bytes.as_ref().map(|bytes| bytes.value);
        let sizes = facts.entities_of(pattern).map(|entity| {
            let known = |items: u64| Size::Known {
                bytes: items.saturating_mul(stated.unwrap_or_else(|| entity.item_bytes())),
                items,
            };
            let (under_parent, in_all) = bounds.items(facts, &asked, entity);
            match (under_parent.map(known), in_all.map(known)) {
                (Some(part), Some(all)) => part.min(all),
                (Some(part), None) => part,
                // All items bound the few that an input selects, but say nothing about how many those are.
                (None, Some(all)) if asked.is_everything || all.fits() => all,
                (None, _) => Size::Unknown,
            }
        });
        let Some(size) = sizes.max() else { continue };
        let (message, help) = match size {
            // What one request returns needs no pages.
            size if size.fits() => continue,
            Size::Known { bytes, items } => (
                format!(
                    "this read returns about {} items, some {} MB, and one request returns at most 1 MB",
                    words::number(items),
                    words::number(bytes.div_ceil(MB)),
                ),
                "write `Yes` under Paginated, and a Page Size if it is known",
            ),
            Size::Unknown => (
                "this read can return any number of items in one answer".to_owned(),
                "write `Yes` under Paginated, or state the bound under Cardinality, such as `max 50 per customer`",
            ),
        };
        let span = read.paginated.as_ref().map_or(pattern.span, |paginated| paginated.span);
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

/// How large an answer is. What is not known is more than anything known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Size {
    Known { bytes: u64, items: u64 },
    Unknown,
}

impl Size {
    /// Whether one request returns it all.
    fn fits(self) -> bool {
        matches!(self, Size::Known { bytes, .. } if bytes <= PAGE_BYTES)
    }
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

    /// How many items of an entity a read returns, by what the document says: under a parent that the caller names, and
    /// at most since there are no more in all.
    fn items(
        &self,
        facts: &Facts<'_>,
        asked: &Asked<'_>,
        entity: &EntityFacts<'_>,
    ) -> (Option<u64>, Option<u64>) {
        let name = entity.entity.name.as_str();
        if !entity.entity.identity.is_empty()
            && entity.entity.identity_names().all(|part| asked.is_equal(name, part))
        {
            return (Some(1), None);
        }
        let all = entity.entity.count.as_ref().map(|count| count.value);
        let in_all = all.into_iter().chain(self.0.get(&(name, None)).copied());
        let under_parents = facts.parents_of(name).iter().take(PARENTS).filter_map(|relationship| {
            let parent = relationship.parent.as_str();
            let through = match relationship.via.as_slice() {
                [] => asked.entities.contains(parent),
                via => via.iter().all(|part| asked.is_equal(name, part)),
            };
            let fan_out = relationship.fan_out.max.as_ref().or(relationship.fan_out.mean.as_ref());
            let bound = self.0.get(&(name, Some(parent))).copied().or(fan_out.map(|count| count.value));
            bound.filter(|_| through)
        });
        let linked = asked.entities.iter().filter_map(|link| self.linked(facts, asked, name, link));
        (under_parents.chain(linked).min(), in_all.min())
    }
}

impl Bounds<'_> {
    /// How many items of an entity are behind the links of another that the caller names: as many as it has links.
    fn linked(&self, facts: &Facts<'_>, asked: &Asked<'_>, entity: &str, link: &str) -> Option<u64> {
        let parents = || facts.parents_of(link).iter().take(PARENTS);
        if link == entity || !parents().any(|it| it.parent == entity) {
            return None;
        }
        let of_others = parents().filter(|it| it.parent != entity).filter_map(|relationship| {
            let parent = relationship.parent.as_str();
            let mut via = relationship.via.iter();
            let through =
                asked.entities.contains(parent) || via.len() > 0 && via.all(|it| asked.is_equal(link, it));
            let fan_out = relationship.fan_out.max.as_ref().or(relationship.fan_out.mean.as_ref());
            let bound = self.0.get(&(link, Some(parent))).copied().or(fan_out.map(|count| count.value));
            bound.filter(|_| through)
        });
        of_others.min()
    }
}

/// What a read is asked with: the attributes that equal an input, and the entities that they belong to.
struct Asked<'m> {
    equal: BTreeSet<(&'m str, &'m str)>,
    entities: BTreeSet<&'m str>,
    /// Nothing narrows the read down.
    is_everything: bool,
}

impl<'m> Asked<'m> {
    fn new(pattern: &'m Pattern) -> Self {
        let equal: BTreeSet<(&str, &str)> = pattern
            .inputs()
            .iter()
            .filter(|input| input.role == Role::Equal)
            .flat_map(|input| &input.binds)
            .map(|bind| (bind.entity.as_str(), bind.attribute.as_str()))
            .collect();
        let entities = equal.iter().map(|(entity, _)| *entity).collect();
        Self { entities, equal, is_everything: pattern.inputs().iter().all(|input| input.binds.is_empty()) }
    }

    fn is_equal(&self, entity: &str, attribute: &str) -> bool {
        self.equal.contains(&(entity, attribute))
    }
}
