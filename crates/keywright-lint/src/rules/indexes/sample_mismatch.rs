//! sample-mismatch: an example item that contradicts the key templates.

use keywright_finding::{Finding, Group, Rule};
use keywright_model::design::source::ExampleValue;

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::error(
    "sample-mismatch",
    Group::Indexes,
    "an example item that contradicts the key templates",
    include_str!("sample_mismatch.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    let mut seen = std::collections::BTreeSet::new();
    for (_, member, key, _) in facts.keys() {
        let (Some(template), Some(example)) =
            (&key.template, facts.item_source(member.item).and_then(|source| source.example.as_ref()))
        else {
            continue;
        };
        if !seen.insert((member.item, key.assignment.attribute.as_str())) {
            continue;
        }
        let text = |name: &str| {
            example.values.iter().find(|(it, _)| it == name).and_then(|(_, value)| match &value.value {
                ExampleValue::String(text) | ExampleValue::Number(text) => Some((text.as_str(), value.span)),
                ExampleValue::Other => None,
            })
        };
        let Some((shown, span)) = text(&key.assignment.attribute) else { continue };
        let all_given = template.attributes().iter().all(|name| text(name).is_some());
        let built = all_given
            .then(|| template.build_from_text(|name| text(name).map(|(text, _)| text)).ok())
            .flatten();
        let message = match built {
            Some(built) if built != shown => {
                Some(format!("the example has `{shown}`, but its values give `{built}`"))
            }
            Some(_) => None,
            None if !template.matches(shown) => {
                Some(format!("the example has `{shown}`, which `{}` never gives", template.as_str()))
            }
            None => None,
        };
        if let Some(message) = message {
            findings.push(Finding::new(&RULE, span, message).help("correct the example or the template"));
        }
    }
}
