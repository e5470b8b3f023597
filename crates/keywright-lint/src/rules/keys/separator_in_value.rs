//! separator-in-value: a value in a key that holds the separator unescaped.

use keywright_finding::{Finding, Group, Rule};
use keywright_model::design::source::ExampleValue;

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::error(
    "separator-in-value",
    Group::Keys,
    "a value in a key that holds the separator unescaped",
    include_str!("separator_in_value.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for (_, member, key, _) in facts.keys() {
        let Some(template) = &key.template else { continue };
        let before_version = |name: &str| template.as_str().contains(&format!("<{name}>@"));
        for name in key.names() {
            let lower = name.to_ascii_lowercase();
            if (lower == "email" || lower.ends_with("email")) && before_version(name) {
                findings.push(
                    Finding::new(
                        &RULE,
                        key.span,
                        format!(
                            "`{name}` holds an `@`, and `@` begins the version in `{}`",
                            template.as_str()
                        ),
                    )
                    .help("escape the `@`, or put an identifier without one in front of the version"),
                );
            }
        }
        let Some(example) = facts.item_source(member.item).and_then(|source| source.example.as_ref()) else {
            continue;
        };
        let text_of = |name: &str| {
            example.values.iter().find(|(it, _)| it == name).and_then(|(_, value)| match &value.value {
                ExampleValue::String(text) => Some((text.as_str(), value.span)),
                ExampleValue::Number(_) | ExampleValue::Other => None,
            })
        };
        let Some((built, span)) = text_of(&key.assignment.attribute) else { continue };
        for name in key.names() {
            if let Some((value, _)) = text_of(name)
                && value.contains('#')
                && built.contains(value)
            {
                findings.push(
                    Finding::new(&RULE, span, format!("`{name}` is `{value}` and stands in the key as it is, so the key has one segment more than `{}`", template.as_str()))
                        .help("escape the separator in values, or refuse values that hold it"),
                );
            }
        }
    }
}
