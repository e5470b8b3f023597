//! missing-tie-breaker: a sort key that ends on a value that items share.

use keywright_finding::{Edit, Finding, Fix, Group, Rule};

use crate::DesignFacts;
use crate::check::DesignCheck;
use crate::design_facts::{is_identifier, is_time};
use crate::guards::is_guarded;

static RULE: Rule = Rule::error(
    "missing-tie-breaker",
    Group::Keys,
    "a sort key that ends with a value that several items can share",
    include_str!("missing_tie_breaker.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for (space, member, key) in facts.sort_keys() {
        // In a table two such items are one: that is a collision, which has a rule of its own.
        let places = key.places();
        let Some(last) = places.last() else { continue };
        let shared = |name: &str| {
            let known = facts.known(member.item, name);
            let lower = name.to_ascii_lowercase();
            !is_identifier(known, name)
                && (known.is_some_and(|it| it.ty.is_numeric())
                    || ["score", "rating", "price", "amount", "rank", "total"].contains(&lower.as_str()))
        };
        let is_time =
            |place: &keywright_key::Placeholder| is_time(facts.known(member.item, place.name()), place);
        let others = member.partition.names();
        let identified =
            places.iter().any(|place| is_identifier(facts.known(member.item, place.name()), place.name()));
        let owner_is_self = others
            .iter()
            .any(|name| facts.item(member.item).entities.iter().any(|entity| is_own_id(entity, name)));
        if identified
            || owner_is_self
            || !(shared(last.name()) || is_time(last))
            || (space.index.is_none() && !is_time(last))
        {
            continue;
        }
        let by_model = facts.model.is_some_and(|model| {
            facts.item(member.item).entities.iter().filter_map(|name| model.entity(name)).any(|entity| {
                let names: Vec<&str> =
                    others.iter().copied().chain(places.iter().map(|place| place.name())).collect();
                let whole = !entity.entity.identity.is_empty()
                    && entity.entity.identity_names().all(|it| names.contains(&it));
                whole
                    || entity
                        .entity
                        .unique
                        .iter()
                        .any(|set| set.attributes.iter().all(|it| names.contains(&it.as_str())))
            })
        });
        if by_model
            || (space.index.is_none()
                && facts.model.is_none()
                && (is_guarded(facts, member.item) || !is_shared_series(facts, space, member)))
        {
            continue;
        }
        let mut finding = Finding::new(&RULE, key.span, format!("two items can have the same `<{}>` in `{}`: their order is not defined, and a page may skip one", last.name(), key.text()))
            .help(format!("end the key with an identifier: `{}#<id>`", key.text()));
        if let (Some(tail), Some(written)) = (
            tie_breaker(facts, member.item),
            facts.written(key).filter(|it| it.value.len() == it.span.len() as usize),
        ) {
            finding = finding.fix(Fix::new(
                "end the key with the identifier",
                [Edit::insert(written.span.end, format!("#<{tail}>"))],
            ));
        }
        findings.push(finding);
    }
}

/// The placeholder that tells items of a type apart: its own id, what tells them apart in the table, else an id that is
/// made up.
fn tie_breaker(facts: &DesignFacts<'_>, item: usize) -> Option<String> {
    let item_type = facts.item(item);
    let own =
        item_type.attributes.iter().map(|it| it.name.as_str()).find(|it| is_own_id(&item_type.name, it));
    let table = facts.spaces.iter().filter(|space| space.index.is_none());
    let sort =
        table.flat_map(|space| &space.members).find(|it| it.item == item).and_then(|it| it.sort.as_ref());
    let in_table = || {
        let names = sort.map(crate::Key::names).unwrap_or_default();
        names.into_iter().rfind(|name| is_identifier(facts.known(item, name), name))
    };
    let made_up =
        || item_type.attributes.iter().find(|it| it.ty.is_generated_id()).map(|it| it.name.as_str());
    let name = own.or_else(in_table).or_else(made_up)?;
    let numeric = facts.known(item, name).is_some_and(|known| known.ty.is_numeric());
    Some(if numeric { format!("{name}:pad10") } else { name.to_owned() })
}

/// `orderId` of `Order`.
fn is_own_id(entity: &str, name: &str) -> bool {
    name.eq_ignore_ascii_case(&format!("{entity}id"))
}

/// Several item types under one key, and an identity beside the time: a series of readings of one device has no ties.
fn is_shared_series(facts: &DesignFacts<'_>, space: &crate::Space<'_>, member: &crate::Member<'_>) -> bool {
    let item = facts.item(member.item);
    // An id that the key holds already breaks no tie.
    let sort = member.sort.as_ref().map(crate::Key::names).unwrap_or_default();
    let held = |name: &str| member.partition.names().contains(&name) || sort.contains(&name);
    let has_own_id = item
        .attributes
        .iter()
        .any(|it| (is_own_id(&item.name, &it.name) || it.ty.is_generated_id()) && !held(&it.name));
    facts.collection(space, member).len() > 1 && (item.attributes.is_empty() || has_own_id)
}
