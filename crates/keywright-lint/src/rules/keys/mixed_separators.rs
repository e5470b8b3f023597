//! mixed-separators: a separator that differs from the one in the rest of the design.

use keywright_finding::{Finding, Group, Rule};

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::warning(
    "mixed-separators",
    Group::Keys,
    "a separator that differs from the one in the rest of the design",
    include_str!("mixed_separators.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    let keys: Vec<_> = facts.keys().map(|(_, _, key, _)| key).collect();
    let mut counts: std::collections::BTreeMap<String, usize> = std::collections::BTreeMap::new();
    for separator in keys.iter().flat_map(|key| separators(key)) {
        *counts.entry(separator).or_default() += 1;
    }
    let common = counts.iter().max_by_key(|(_, count)| **count).map(|(separator, _)| separator);
    let Some(custom) = facts.conventions.separator.as_ref().or(common) else { return };
    for key in keys {
        if let Some(odd) = separators(key).into_iter().find(|separator| separator != custom) {
            findings.push(
                Finding::new(
                    &RULE,
                    key.span,
                    format!(
                        "`{}` separates with `{odd}`, the rest of the design with `{custom}`",
                        key.text()
                    ),
                )
                .help(format!("use `{custom}`")),
            );
        }
    }
}

/// The signs that stand between a literal and a place.
fn separators(key: &crate::Key<'_>) -> Vec<String> {
    let Some(template) = &key.template else { return Vec::new() };
    let is_sign = |it: char| !it.is_alphanumeric() && it != '_' && it != '-';
    template
        .segments()
        .iter()
        .filter_map(|segment| match segment {
            keywright_key::Segment::Literal(text) => {
                let kept = text.trim_end_matches(is_sign);
                let tail = &text[kept.len()..];
                // A leading sign makes an order; it separates nothing. A version has its own.
                (!tail.is_empty() && !kept.is_empty() && tail != "@").then(|| tail.to_owned())
            }
            keywright_key::Segment::Placeholder(_) => None,
        })
        .collect()
}
