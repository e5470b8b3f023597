//! key-collision: two items that can have the same primary key.

use keywright_finding::{Finding, Group, Rule};

use crate::check::DesignCheck;
use crate::design_facts::is_identifier;
use crate::guards::is_guarded;
use crate::{DesignFacts, Member};

static RULE: Rule = Rule::error(
    "key-collision",
    Group::Keys,
    "two items that can have the same primary key",
    include_str!("key_collision.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for space in facts.spaces.iter().filter(|space| space.index.is_none()) {
        // Keys that meet begin alike: sorted, what begins with a prefix stands right behind it.
        let mut sorted: Vec<_> = space.members.iter().enumerate().collect();
        sorted.sort_by_key(|(at, member)| (member.partition.prefix(), *at));
        for (at, (first, member)) in sorted.iter().enumerate() {
            let begins_alike = |other: &&(usize, &Member<'_>)| {
                other.1.partition.prefix().starts_with(member.partition.prefix())
            };
            for (second, other) in sorted[at + 1..].iter().take_while(begins_alike) {
                let (one, two) = if first < second { (member, other) } else { (other, member) };
                between_types(facts, one, two, findings);
            }
        }
        for member in &space.members {
            within_type(facts, member, findings);
        }
    }
}

fn between_types(
    facts: &DesignFacts<'_>,
    member: &Member<'_>,
    other: &Member<'_>,
    findings: &mut Vec<Finding>,
) {
    let (Some(one), Some(two)) = (&member.partition.template, &other.partition.template) else { return };
    let sorts_apart =
        member.sort.as_ref().zip(other.sort.as_ref()).is_some_and(|(one, two)| one.is_apart(two));
    if sorts_apart || !one.may_collide(two) {
        return;
    }
    let collides =
        match (member.sort.as_ref().map(|key| &key.template), other.sort.as_ref().map(|key| &key.template)) {
            (None, None) => true,
            (Some(Some(one)), Some(Some(two))) => one.may_collide(two),
            _ => false,
        };
    if collides {
        let (one, two) = (facts.item(member.item), facts.item(other.item));
        let sort = other.sort.as_ref().unwrap_or(&other.partition);
        findings.push(
            Finding::new(
                &RULE,
                sort.span,
                format!(
                    "{} and {} can have the same key, and then one overwrites the other",
                    one.name, two.name
                ),
            )
            .help("give each item type a prefix of its own in the partition key or the sort key")
            .related(member.sort.as_ref().unwrap_or(&member.partition).span, "the other key"),
        );
    }
}

fn within_type(facts: &DesignFacts<'_>, member: &Member<'_>, findings: &mut Vec<Finding>) {
    let item = facts.item(member.item);
    let Some(sort) = &member.sort else { return };
    let names: Vec<&str> = member.partition.names().into_iter().chain(sort.names()).collect();
    let entity = facts.model.and_then(|model| item.entities.first().and_then(|name| model.entity(name)));
    let missing = match entity {
        Some(entity)
            if item.kind == keywright_model::design::ItemKind::Main
                && item.entities.len() == 1
                && !entity.entity.identity.is_empty() =>
        {
            let unique_whole = entity
                .entity
                .unique
                .iter()
                .any(|set| set.attributes.iter().all(|it| names.contains(&it.as_str())));
            entity.entity.identity_names().find(|it| !names.contains(it) && !unique_whole).map(str::to_owned)
        }
        Some(_) => None,
        // Without a Model: a sort key of scores or times alone has ties, unless a create refuses them.
        None if is_guarded(facts, member.item) => None,
        None => {
            let places = sort.places();
            let only_values = !places.is_empty()
                && places.iter().all(|place| {
                    let known = facts.known(member.item, place.name());
                    let lower = place.name().to_ascii_lowercase();
                    !is_identifier(known, place.name())
                        && (known.is_some_and(|it| it.ty.is_numeric())
                            || ["score", "rating", "price", "amount", "rank", "count"]
                                .contains(&lower.as_str()))
                });
            only_values.then(|| "an identifier".to_owned())
        }
    };
    if let Some(missing) = missing {
        findings.push(
            Finding::new(
                &RULE,
                sort.span,
                format!(
                    "two items of {} can have the key `{}`, `{}`, and then one overwrites the other",
                    item.name,
                    member.partition.text(),
                    sort.text()
                ),
            )
            .help(format!("add {missing} at the end of the sort key")),
        );
    }
}
