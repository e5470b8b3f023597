//! tenant-not-in-partition-key: a tenant that is not part of the partition key.

use keywright_finding::{Finding, Group, Level, Rule};
use keywright_model::design::ItemKind;
use keywright_model::model::{ConditionKind, EntityKind, Pattern};

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::error(
    "tenant-not-in-partition-key",
    Group::Keys,
    "a tenant that is not part of the partition key",
    include_str!("tenant_not_in_partition_key.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    let any_tenant = facts
        .keys()
        .any(|(_, member, key, _)| key.names().iter().any(|name| is_tenant(facts, member.item, name)));
    if !any_tenant {
        return;
    }
    for space in &facts.spaces {
        for member in &space.members {
            let in_key =
                |key: &crate::Key<'_>| key.names().iter().any(|name| is_tenant(facts, member.item, name));
            let item = facts.item(member.item);
            let is_common = item.entities.iter().any(|name| {
                facts
                    .model
                    .and_then(|model| model.entity(name))
                    .is_some_and(|it| it.entity.is(EntityKind::Common))
            });
            let has_tenant = member.sort.as_ref().is_some_and(in_key)
                || item.attributes.iter().any(|it| is_tenant(facts, member.item, &it.name));
            let named = std::iter::once(&member.partition).chain(&member.further.0).any(in_key);
            // Who keeps a value unique among all tenants, or finds an item without naming its tenant, can't have it there.
            let apart = item.kind == ItemKind::Uniqueness || found_without(facts, member.item);
            if named || apart || is_common || !has_tenant || member.partition.text().contains("common") {
                continue;
            }
            // Only the access patterns say whether an entity is common to all tenants.
            let level =
                if facts.model.is_none() && !item.attributes.is_empty() { Level::Note } else { Level::Error };
            findings.push(
                Finding::new(&RULE, member.partition.span, format!("{} belongs to a tenant, but `{}` does not name it: tenants share collections and read each other's items", item.name, member.partition.text()))
                    .level(level)
                    .help("put the tenant into the partition key"),
            );
        }
    }
}

/// Whether the access patterns have one that touches the item, or only looks at it, and does not name its tenant.
fn found_without(facts: &DesignFacts<'_>, item: usize) -> bool {
    let Some(model) = facts.model else { return false };
    let own = |entity: &String| facts.item(item).entities.contains(entity);
    let touches = |pattern: &&Pattern| {
        let write = pattern.write();
        let mut effects = write.iter().flat_map(|write| &write.effects);
        let mut conditions = write.iter().flat_map(|write| &write.conditions);
        pattern.entities.iter().any(|it| own(&it.value))
            || effects.any(|effect| own(&effect.entity))
            || conditions.any(|condition| match &condition.kind {
                ConditionKind::Exists { entity } | ConditionKind::NotExists { entity } => own(entity),
                ConditionKind::Compare { attribute, .. }
                | ConditionKind::OneOf { attribute, .. }
                | ConditionKind::Held { attribute, .. } => own(&attribute.entity),
                _ => false,
            })
    };
    let names = |pattern: &Pattern| {
        let mut bound = pattern.inputs().iter().flat_map(|input| &input.binds).filter(|it| own(&it.entity));
        bound.any(|it| {
            let attribute = model.attribute(&it.entity, &it.attribute);
            attribute.is_some_and(|it| it.tenant.as_ref().is_some_and(|flag| flag.value))
        })
    };
    model.model.patterns.iter().filter(touches).any(|pattern| !names(pattern))
}

fn is_tenant(facts: &DesignFacts<'_>, item: usize, name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    facts
        .known(item, name)
        .and_then(|known| known.model)
        .is_some_and(|it| it.tenant.as_ref().is_some_and(|flag| flag.value))
        || ["tenant", "tenantid", "tenantcode", "tenant_id"].contains(&lower.as_str())
}
