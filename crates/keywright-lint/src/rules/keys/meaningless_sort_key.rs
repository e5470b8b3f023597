//! meaningless-sort-key: a random identifier as the only sort key of a collection that is listed in an order.

use keywright_finding::{Finding, Group, Rule};
use keywright_model::design::{Operation, Request};
use keywright_model::model::Type;

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::warning(
    "meaningless-sort-key",
    Group::Keys,
    "a random identifier as the only sort key of a collection that is listed in an order",
    include_str!("meaningless_sort_key.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for (operation, request, _) in facts.requests() {
        let Request::Query(query) = request else { continue };
        if operation.outcome.client_sort {
            continue;
        }
        let spaces = facts
            .spaces
            .iter()
            .filter(|space| space.table == query.table && space.index == query.index.as_deref());
        for member in spaces
            .flat_map(|space| &space.members)
            .filter(|member| query.items.contains(&facts.item(member.item).name))
        {
            let Some(sort) = &member.sort else { continue };
            let sorts = sorts(facts, operation, member.item);
            if sorts.is_empty() {
                continue;
            }
            let names = sort.names();
            // A native key goes on: what it begins with is given.
            let ordered = |key: &crate::Key<'_>| key.names().iter().any(|name| sorts.contains(name));
            if member.further.1.iter().any(ordered) {
                continue;
            }
            if let [name] = names.as_slice()
                && facts.known(member.item, name).is_some_and(|known| known.ty == Type::Uuid)
                && !sorts.contains(name)
            {
                findings.push(
                    Finding::new(
                        &RULE,
                        sort.span,
                        format!(
                            "{} lists {} by `{}`, but `{}` orders by a random identifier",
                            operation.pattern,
                            facts.item(member.item).name,
                            sorts.join(", "),
                            sort.text()
                        ),
                    )
                    .help(format!(
                        "put `<{}>` in front of `<{name}>`, or use a ULID if the order is that of creation",
                        sorts[0]
                    )),
                );
            }
        }
    }
}

/// What an operation lists the items of one type by. Another type of the same read may have an order, and this one none.
fn sorts<'d>(facts: &DesignFacts<'d>, operation: &'d Operation, item: usize) -> Vec<&'d str> {
    let item = facts.item(item);
    match facts.pattern(operation).and_then(|pattern| pattern.read()) {
        Some(read) => {
            let own = read.sort.iter().filter(|sort| item.entities.contains(&sort.attribute.entity));
            own.map(|sort| sort.attribute.attribute.as_str()).collect()
        }
        None => {
            let held = |name: &str| item.attributes.is_empty() || item.attribute(name).is_some();
            let order = operation.outcome.order.iter().map(|order| order.attribute.as_str());
            order.filter(|name| held(name)).collect()
        }
    }
}
