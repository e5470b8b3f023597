//! unnormalised-tenant: tenants that differ only by case.

use keywright_finding::{Finding, Group, Rule, Span};
use keywright_model::design::source::ExampleValue;

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::error(
    "unnormalised-tenant",
    Group::Keys,
    "tenants that differ only by case",
    include_str!("unnormalised_tenant.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    let mut first: std::collections::BTreeMap<String, (String, Span)> = std::collections::BTreeMap::new();
    for source in &facts.source.items {
        for (name, value) in source.example.iter().flat_map(|example| &example.values) {
            let ExampleValue::String(text) = &value.value else { continue };
            if !["tenant", "tenantid", "tenantcode", "tenant_id"]
                .contains(&name.to_ascii_lowercase().as_str())
            {
                continue;
            }
            let (before, span) =
                first.entry(text.to_lowercase()).or_insert_with(|| (text.clone(), value.span));
            if before != text {
                findings.push(
                    Finding::new(
                        &RULE,
                        value.span,
                        format!("`{text}` and `{before}` are two tenants to DynamoDB and one to people"),
                    )
                    .help("write tenants in lower case before they become part of a key")
                    .related(*span, "written differently here"),
                );
            }
        }
    }
}
