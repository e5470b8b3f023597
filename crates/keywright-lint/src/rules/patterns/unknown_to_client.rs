//! unknown-to-client: an input the caller is unlikely to have at read time.

use keywright_finding::{Finding, Group, Rule};
use keywright_model::model::{AttributeRef, Pattern, Role, Type};

use crate::Facts;
use crate::check::Check;

static RULE: Rule = Rule::warning(
    "unknown-to-client",
    Group::Patterns,
    "an input that the caller is unlikely to have, such as an exact timestamp",
    include_str!("unknown_to_client.md"),
);

pub(super) const CHECK: Check = Check { rule: &RULE, run: check };

fn check(facts: &Facts<'_>, findings: &mut Vec<Finding>) {
    for pattern in facts.model.patterns.iter().filter(|pattern| pattern.read().is_some()) {
        for input in pattern.inputs() {
            let given = input.role == Role::Equal && input.constant.is_none() && !input.filter;
            if !given
                || input.binds.is_empty()
                || !input.binds.iter().all(|bind| is_guess(facts, pattern, bind))
            {
                continue;
            }
            findings.push(
                Finding::new(
                    &RULE,
                    input.span,
                    format!("a caller is unlikely to know `{}` to the last digit", input.name),
                )
                .help("read by a range of it, or by an attribute that the caller has")
                .related(pattern.span, "in this pattern"),
            );
        }
    }
}

/// Whether the attribute is a timestamp that nothing else in the pattern leads to. One that completes an identity comes
/// from an item that the caller has already seen.
fn is_guess(facts: &Facts<'_>, pattern: &Pattern, bind: &AttributeRef) -> bool {
    let Some(entity) = facts.entity(&bind.entity) else { return false };
    if entity.attribute(&bind.attribute).is_none_or(|attribute| attribute.ty.value != Type::Datetime) {
        return false;
    }
    let identity: Vec<&str> = entity.entity.identity_names().collect();
    let given = |name: &str| {
        pattern.inputs().iter().any(|input| input.binds.iter().any(|bind| bind.attribute == name))
    };
    !(identity.len() > 1
        && identity.contains(&bind.attribute.as_str())
        && identity.iter().all(|name| given(name)))
}
