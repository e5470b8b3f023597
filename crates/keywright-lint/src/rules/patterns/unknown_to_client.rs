//! unknown-to-client: an input the caller is unlikely to have at read time.

use std::collections::BTreeSet;

use keywright_finding::{Finding, Group, Rule};
use keywright_model::model::{AttributeRef, Role, Type};

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
        let given: BTreeSet<&AttributeRef> = pattern.inputs().iter().flat_map(|input| &input.binds).collect();
        for input in pattern.inputs() {
            let asked = input.role == Role::Equal && input.constant.is_none() && !input.filter;
            if asked
                && !input.binds.is_empty()
                && input.binds.iter().all(|bind| is_guess(facts, &given, bind))
            {
                findings.push(
                    Finding::new(
                        &RULE,
                        input.span,
                        format!("a caller is unlikely to know `{}` to the last digit", input.name),
                    )
                    .help("read by a range of it, or by an attribute that the caller has"),
                );
            }
        }
    }
}

/// Whether the attribute is a timestamp that nothing else in the pattern leads to. One that completes an identity comes
/// from an item that the caller has already seen.
fn is_guess(facts: &Facts<'_>, given: &BTreeSet<&AttributeRef>, bind: &AttributeRef) -> bool {
    let Some(entity) = facts.entity(&bind.entity) else { return false };
    if entity.attribute(&bind.attribute).is_none_or(|attribute| attribute.ty.value != Type::Datetime) {
        return false;
    }
    let identity = || entity.entity.identity_names();
    let completes = identity().count() > 1
        && identity().any(|name| name == bind.attribute)
        && identity().all(|name| given.contains(&AttributeRef::new(bind.entity.as_str(), name)));
    !completes
}
