//! unidentified-entity: an entity whose items nothing tells apart.

use keywright_finding::{Finding, Group, Rule};
use keywright_model::model::{Entity, EntityKind};

use crate::Facts;
use crate::check::Check;

static RULE: Rule = Rule::error(
    "unidentified-entity",
    Group::Patterns,
    "an entity without an identifier",
    include_str!("unidentified_entity.md"),
);

pub(super) const CHECK: Check = Check { rule: &RULE, run: check };

fn check(facts: &Facts<'_>, findings: &mut Vec<Finding>) {
    for entity in &facts.model.entities {
        if entity.identity.is_empty() && !entity.is(EntityKind::Singleton) {
            findings.push(
                Finding::new(
                    &RULE,
                    entity.span,
                    format!(
                        "no attribute identifies a `{}`, so two of them would share a key and overwrite \
                         each other",
                        entity.name
                    ),
                )
                .help(help(entity)),
            );
        }
    }
}

fn help(entity: &Entity) -> String {
    // Diagrams mostly draw names in capitals throughout.
    let capitals = !entity.name.chars().any(char::is_lowercase);
    let name = if capitals { entity.name.to_lowercase() } else { entity.name.clone() };
    let mut letters = name.chars().filter(|next| next.is_alphanumeric());
    let first: String = letters.next().map(|first| first.to_lowercase().collect()).unwrap_or_default();
    let id = format!("{first}{}Id", letters.collect::<String>());
    let mark = if entity.attributes.is_empty() {
        format!("give it an identifier under Attributes, such as `{id}` (ulid, id)")
    } else {
        format!(
            "write `id` in the parentheses of what identifies it, or add an attribute such as `{id}` (ulid, id)"
        )
    };
    format!("{mark}; if there is only one item, add `- **Kind**: singleton`")
}
