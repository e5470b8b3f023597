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
    if matches!(facts.conventions.prefixes, Some(PrefixCase::Lower | PrefixCase::Any)) {
        return;
    }
    let is_lower = |key: &crate::Key<'_>| key.prefix().chars().any(char::is_lowercase);
    let is_upper = |key: &crate::Key<'_>| key.prefix().chars().any(char::is_uppercase) && !is_lower(key);
    let keys: Vec<_> = facts.keys().map(|(_, _, key, _)| key).collect();
    let upper = keys.iter().filter(|key| is_upper(key)).count();
    let lower = keys.iter().filter(|key| is_lower(key)).count();
    if lower == 0 || (upper <= lower && facts.conventions.prefixes.is_none()) {
        return;
    }
    for key in keys.into_iter().filter(|key| is_lower(key)) {
        let prefix = key.prefix();
        let mut finding = Finding::new(
            &RULE,
            key.span,
            format!("`{prefix}` is in lower case, {upper} other prefixes are in upper case"),
        )
        .help(format!("write `{}`, in the keys of items that exist too", prefix.to_uppercase()));
        if let Some(written) = facts
            .written(key)
            .filter(|it| it.value.starts_with(prefix) && it.value.len() == it.span.len() as usize)
        {
            let end = written.span.start + u32::try_from(prefix.len()).unwrap_or(0);
            finding = finding.fix(Fix::new(
                "write it in upper case",
                [Edit::replace(Span::new(written.span.start, end), prefix.to_uppercase())],
            ));
        }
        findings.push(finding);
    }
}
