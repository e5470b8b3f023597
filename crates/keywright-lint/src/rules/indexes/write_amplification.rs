//! write-amplification: a logical write that becomes many.

use keywright_dynamodb::price::PriceTable;
use keywright_dynamodb::units::{self, Units};
use keywright_finding::{Finding, Group, Rule};
use keywright_model::design::{Action, ItemKind, Request};

use crate::DesignFacts;
use crate::check::DesignCheck;
use crate::numbers::{item_bytes, rate};

static RULE: Rule = Rule::warning(
    "write-amplification",
    Group::Indexes,
    "one logical write that causes many physical writes",
    include_str!("write_amplification.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

/// Items and index entries per write above which it is worth a word.
const MANY: usize = 8;

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for (operation, request, place) in facts.requests() {
        let Request::TransactWriteItems { actions } = request else { continue };
        let mut items = 0;
        let mut entries = 0;
        let mut units = Units::ZERO;
        for action in actions {
            let Action::Put(put) = action else { continue };
            let Some(item) = facts.item_named(&put.item) else { continue };
            if facts.item(item).kind == ItemKind::Uniqueness {
                continue;
            }
            let indexes = facts.spaces.iter().filter(|space| space.index.is_some());
            let own = indexes.filter(|space| space.members.iter().any(|member| member.item == item)).count();
            items += 1;
            entries += own;
            // A transaction writes the item twice; its index entries are written once.
            let each = units::write(item_bytes(facts, &put.item));
            units += each * (2 + own as u64);
        }
        if items > 1 && items + entries >= MANY {
            let price = facts.pattern(operation).filter(|it| it.rate.is_some() || it.frequency.is_some());
            let price = price.map_or_else(String::new, |pattern| {
                let month = PriceTable::us_east_1().writes(rate(pattern.mean_rate()), units);
                format!(", {} a month at the pattern's rate", month.in_cents())
            });
            findings.push(
                Finding::new(
                    &RULE,
                    place.name(),
                    format!(
                        "{} writes {items} items and {entries} index entries: {units} write units each time{price}",
                        operation.pattern
                    ),
                )
                .help("leave out copies that no hot pattern reads, or project keys only"),
            );
        }
    }
}
