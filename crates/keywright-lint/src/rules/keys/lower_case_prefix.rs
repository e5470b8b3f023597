//! lower-case-prefix: a prefix in lower case where the others are in upper case.

use keywright_finding::{Edit, Finding, Fix, Group, Rule, Span};

use crate::DesignFacts;
use crate::PrefixCase;
use crate::check::DesignCheck;

static RULE: Rule = Rule::warning(
    "lower-case-prefix",
    Group::Keys,
    "a prefix in lower case where the others are in upper case",
    include_str!("lower_case_prefix.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    let agreed = facts.conventions.prefixes;
    if agreed == Some(PrefixCase::Any) {
        return;
    }
    let is_lower = |key: &crate::Key<'_>| key.prefix().chars().any(char::is_lowercase);
    let has_upper = |key: &crate::Key<'_>| key.prefix().chars().any(char::is_uppercase);
    // What tells item types apart is a name, no prefix.
    let is_type =
        |key: &crate::Key<'_>| Some(&key.assignment.attribute) == facts.design.type_attribute.as_ref();
    let keys: Vec<_> = facts.keys().map(|(_, _, key, _)| key).filter(|key| !is_type(key)).collect();
    let upper = keys.iter().filter(|key| has_upper(key) && !is_lower(key)).count();
    let lower = keys.iter().filter(|key| is_lower(key)).count();
    if agreed.is_none() && upper <= lower {
        return;
    }
    let (case, wanted) = match agreed {
        Some(PrefixCase::Lower) => ("upper", "lower"),
        _ => ("lower", "upper"),
    };
    let is_wrong = |key: &crate::Key<'_>| if case == "upper" { has_upper(key) } else { is_lower(key) };
    for key in keys.into_iter().filter(|key| is_wrong(key)) {
        let prefix = key.prefix();
        let meant = if wanted == "upper" { prefix.to_uppercase() } else { prefix.to_lowercase() };
        let others = match agreed {
            Some(_) => format!("and the team writes prefixes in {wanted} case"),
            None => format!("{upper} other prefixes are in upper case"),
        };
        let message = format!("`{prefix}` is in {case} case, {others}");
        let mut finding = Finding::new(&RULE, key.span, message)
            .help(format!("write `{meant}`, in the keys of items that exist too"));
        if let Some(written) = facts
            .written(key)
            .filter(|it| it.value.starts_with(prefix) && it.value.len() == it.span.len() as usize)
        {
            let end = written.span.start + u32::try_from(prefix.len()).unwrap_or(0);
            finding = finding.fix(Fix::new(
                format!("write it in {wanted} case"),
                [Edit::replace(Span::new(written.span.start, end), meant)],
            ));
        }
        findings.push(finding);
    }
}
