//! Findings that were accepted earlier, so that only new ones are reported.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Finding, Report, Sources};

/// The findings that a team accepted for now.
///
/// A finding is identified by its document, its rule and its message, not by its line, so that edits
/// elsewhere in the document don't make it new. Of several identical findings, only as many are accepted as
/// there were before.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// The version of this format.
    version: u32,
    /// The accepted findings, in order of document, rule and message.
    accepted: Vec<Accepted>,
}

/// Identical findings.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Accepted {
    /// The document, by its path on the command line.
    file: String,
    /// The rule's name.
    rule: String,
    /// The message.
    message: String,
    /// The number of identical findings.
    count: usize,
}

impl Baseline {
    /// Accepts all findings of a report.
    #[must_use]
    pub fn of(report: &Report, sources: &Sources) -> Self {
        let mut counts: BTreeMap<(&str, &str, &str), usize> = BTreeMap::new();
        for finding in report.findings() {
            *counts.entry(key(finding, sources)).or_default() += 1;
        }
        let accepted = counts.into_iter().map(|((file, rule, message), count)| Accepted {
            file: file.to_owned(),
            rule: rule.to_owned(),
            message: message.to_owned(),
            count,
        });
        Self { version: 1, accepted: accepted.collect() }
    }

    /// Removes the accepted findings and returns how many were removed.
    pub(crate) fn remove_from(&self, findings: &mut Vec<Finding>, sources: &Sources) -> usize {
        let mut left: BTreeMap<(&str, &str, &str), usize> = self
            .accepted
            .iter()
            .map(|accepted| {
                ((accepted.file.as_str(), accepted.rule.as_str(), accepted.message.as_str()), accepted.count)
            })
            .collect();
        let accepted: Vec<bool> = findings
            .iter()
            .map(|finding| match left.get_mut(&key(finding, sources)) {
                Some(count) if *count > 0 => {
                    *count -= 1;
                    true
                }
                _ => false,
            })
            .collect();
        let mut is_accepted = accepted.iter().copied();
        findings.retain(|_| !is_accepted.next().unwrap_or(false));
        accepted.into_iter().filter(|accepted| *accepted).count()
    }
}

fn key<'r>(finding: &'r Finding, sources: &'r Sources) -> (&'r str, &'r str, &'r str) {
    let file = sources.get(finding.source).map_or("", |source| source.path());
    (file, finding.rule.name(), &finding.message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Catalogue, Group, Policy, Rule, Source, Span};

    static ONE: Rule = Rule::error("one-rule", Group::Patterns, "", "");

    fn report(places: &[(u32, &str)], baseline: Option<Baseline>) -> (Report, Sources) {
        let sources = Sources::from(Source::new("a.md", "some words that are long enough"));
        let findings =
            places.iter().map(|(at, message)| Finding::new(&ONE, Span::at(*at), *message)).collect();
        let mut policy = Policy::new(Catalogue::new(&[&[&ONE]]));
        policy.baseline = baseline;
        (Report::new(findings, &sources, &policy), sources)
    }

    #[test]
    fn what_was_accepted_stays_accepted_when_it_moves() {
        let (today, sources) = report(&[(1, "a"), (2, "a"), (3, "b")], None);
        let baseline = Baseline::of(&today, &sources);
        let (later, _) = report(&[(11, "a"), (12, "a"), (13, "b")], Some(baseline.clone()));
        assert_eq!((later.findings().len(), later.accepted()), (0, 3));
        let (grown, _) = report(&[(1, "a"), (2, "a"), (3, "a"), (4, "c")], Some(baseline));
        let left: Vec<_> =
            grown.findings().iter().map(|finding| (finding.span.start, finding.message.as_str())).collect();
        assert_eq!(left, [(3, "a"), (4, "c")]);
        assert!(grown.has_errors());
    }
}
