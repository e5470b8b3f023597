//! The report of a run.

use std::collections::{BTreeMap, BTreeSet};

use crate::allow::{Allow, allows};
use crate::{
    ALLOW_WITHOUT_REASON, Baseline, Catalogue, Edit, Finding, Fix, Level, Levels, Rule, SourceId, Sources,
    Span, Suggestions, UNUSED_ALLOW,
};

/// How a run filters and grades its findings.
#[derive(Clone, Debug)]
pub struct Policy {
    /// All rules that an allow comment may name.
    pub catalogue: Catalogue,
    /// The names of the rules that were run. An allow of any other rule is not reported as unused.
    pub judged: BTreeSet<&'static str>,
    /// The levels that the user set.
    pub levels: Levels,
    /// Levels for single documents, used instead of `levels`: each document may have its team's own settings.
    pub levels_of: BTreeMap<SourceId, Levels>,
    /// The findings that were accepted earlier.
    pub baseline: Option<Baseline>,
}

impl Policy {
    /// Every finding at its own level, no baseline; only the rules about allow comments count as run.
    #[must_use]
    pub fn new(catalogue: Catalogue) -> Self {
        let judged = crate::RULES.iter().map(|rule| rule.name()).collect();
        Self { catalogue, judged, levels: Levels::new(), levels_of: BTreeMap::new(), baseline: None }
    }

    /// Adds the rules that were run.
    #[must_use]
    pub fn judged_by(mut self, rules: impl IntoIterator<Item = &'static Rule>) -> Self {
        self.judged.extend(rules.into_iter().map(Rule::name));
        self
    }

    /// The level at which a finding is reported; `None` if it is off.
    fn level(&self, finding: &Finding) -> Option<Level> {
        self.levels_of.get(&finding.source).unwrap_or(&self.levels).of(finding)
    }
}

/// A finding that an allow comment suppresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allowed {
    /// The finding.
    pub finding: Finding,
    /// The reason in the comment.
    pub reason: String,
}

/// The findings of a run: in source order, without duplicates, after allow comments, levels and the baseline.
#[derive(Clone, Debug, Default)]
pub struct Report {
    findings: Vec<Finding>,
    allowed: Vec<Allowed>,
    accepted: usize,
}

/// The number of findings at each level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// At error level.
    pub errors: usize,
    /// At warning level.
    pub warnings: usize,
    /// At note level.
    pub notes: usize,
}

impl Report {
    /// Sorts findings and applies allow comments, levels and the baseline.
    #[must_use]
    pub fn new(findings: Vec<Finding>, sources: &Sources, policy: &Policy) -> Self {
        let mut comments = Comments::read(sources);
        let mut report = Self::default();
        report.take(in_order(findings), &mut comments, policy);
        // Findings about allow comments can be allowed too, so they are processed the same way, after all
        // others.
        let about_comments = comments.findings(policy, |rule| !is_about_comments(rule));
        report.take(in_order(about_comments), &mut comments, policy);
        report.take(in_order(comments.findings(policy, is_about_comments)), &mut Comments::default(), policy);
        report.findings = in_order(report.findings);
        if let Some(baseline) = &policy.baseline {
            report.accepted = baseline.remove_from(&mut report.findings, sources);
        }
        report
    }

    /// Sorts findings into reported and allowed ones. `findings` must be in order.
    fn take(&mut self, findings: Vec<Finding>, comments: &mut Comments, policy: &Policy) {
        comments.rewind();
        for mut finding in findings {
            if let Some(reason) = comments.allow(&finding) {
                self.allowed.push(Allowed { finding, reason });
            } else if let Some(level) = policy.level(&finding) {
                finding.level = level;
                self.findings.push(finding);
            }
        }
    }

    /// The findings, in source order.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The findings that allow comments suppress.
    #[must_use]
    pub fn allowed(&self) -> &[Allowed] {
        &self.allowed
    }

    /// The number of findings that the baseline suppresses.
    #[must_use]
    pub fn accepted(&self) -> usize {
        self.accepted
    }

    /// The number of findings at each level.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for finding in &self.findings {
            match finding.level {
                Level::Error => counts.errors += 1,
                Level::Warning => counts.warnings += 1,
                Level::Note => counts.notes += 1,
            }
        }
        counts
    }

    /// Whether there are errors, so that the run fails.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.findings.iter().any(|finding| finding.level == Level::Error)
    }

    /// Keeps only the findings for which `keep` is true.
    #[must_use]
    pub fn only(mut self, keep: impl Fn(&Finding) -> bool) -> Self {
        self.findings.retain(keep);
        self
    }
}

fn is_about_comments(rule: &str) -> bool {
    crate::RULES.iter().any(|own| own.name() == rule)
}

/// Sorts by source position, then rule name, then message, and removes duplicates.
fn in_order(mut findings: Vec<Finding>) -> Vec<Finding> {
    findings.sort_by(|left, right| {
        let key = |finding: &Finding| (finding.source, finding.span, finding.rule.name());
        key(left).cmp(&key(right)).then_with(|| left.message.cmp(&right.message))
    });
    findings.dedup_by(|later, earlier| {
        later.source == earlier.source
            && later.span == earlier.span
            && later.rule == earlier.rule
            && later.message == earlier.message
    });
    findings
}

/// The allow comments of all documents, matched against findings that come in order.
#[derive(Default)]
struct Comments {
    /// In source order.
    comments: Vec<Comment>,
    /// The comments in order of scope, and the position of the next one to open.
    by_scope: Vec<usize>,
    next: usize,
    /// For each rule, the comments whose scope is open at the current place, innermost last.
    open: BTreeMap<String, Vec<usize>>,
}

struct Comment {
    source: SourceId,
    allow: Allow,
    /// For each rule that the comment names, whether it suppressed a finding.
    used: Vec<bool>,
}

impl Comments {
    fn read(sources: &Sources) -> Self {
        let comments: Vec<Comment> = sources
            .iter()
            .flat_map(|(source, document)| {
                allows(document.text()).into_iter().map(move |allow| (source, allow))
            })
            .map(|(source, allow)| Comment { source, used: vec![false; allow.rules.len()], allow })
            .collect();
        let mut by_scope: Vec<usize> = (0..comments.len()).collect();
        // Of two scopes with the same start the wider comes first, so that the innermost is opened last.
        by_scope.sort_by_key(|index| {
            let Comment { source, allow, .. } = &comments[*index];
            (*source, allow.scope.start, std::cmp::Reverse(allow.scope.end))
        });
        Self { comments, by_scope, next: 0, open: BTreeMap::new() }
    }

    fn rewind(&mut self) {
        self.next = 0;
        self.open.clear();
    }

    /// The reason of the innermost comment that allows a finding. Findings must come in order.
    fn allow(&mut self, finding: &Finding) -> Option<String> {
        let place = (finding.source, finding.span.start);
        while let Some(index) = self.by_scope.get(self.next).copied() {
            let Comment { source, allow, .. } = &self.comments[index];
            if (*source, allow.scope.start) > place {
                break;
            }
            if allow.reason.is_some() {
                for (rule, _) in &allow.rules {
                    self.open.entry(rule.clone()).or_default().push(index);
                }
            }
            self.next += 1;
        }
        let open = self.open.get_mut(finding.rule.name())?;
        while let Some(index) = open.last().copied() {
            let comment = &mut self.comments[index];
            if comment.source == finding.source && finding.span.start < comment.allow.scope.end {
                for (used, (rule, _)) in comment.used.iter_mut().zip(&comment.allow.rules) {
                    *used |= rule == finding.rule.name();
                }
                return comment.allow.reason.clone();
            }
            // Scopes nest and findings come in order, so a scope that has ended is over for all later
            // findings.
            open.pop();
        }
        None
    }

    /// Findings about the comments that name rules for which `kind` is true.
    fn findings(&self, policy: &Policy, kind: impl Fn(&str) -> bool) -> Vec<Finding> {
        let names_comments = kind(UNUSED_ALLOW.name());
        let known = policy.catalogue.names();
        let mut findings = Vec::new();
        for Comment { source, allow, used } in &self.comments {
            let at = |finding: Finding| finding.in_source(*source);
            if allow.rules.is_empty() {
                if !names_comments {
                    findings.push(at(Finding::new(
                        &UNUSED_ALLOW,
                        allow.comment,
                        "this comment addresses Keywright but is not an allow comment",
                    )
                    .help("write `<!-- keywright: allow rule-name: reason -->`")));
                }
                continue;
            }
            let all_unused = used.iter().all(|used| !used);
            for ((name, span), _) in
                allow.rules.iter().zip(used).filter(|((name, _), used)| !**used && kind(name))
            {
                let finding = match policy.catalogue.get(name) {
                    None => unknown_rule(name, *span, &known),
                    Some(_) if allow.reason.is_none() => continue,
                    Some(rule) if !policy.judged.contains(rule.name()) => continue,
                    Some(_) => {
                        let finding = Finding::new(
                            &UNUSED_ALLOW,
                            *span,
                            format!("this comment suppresses no finding of `{name}`"),
                        )
                        .help("remove the comment, or move it above the place that it is about");
                        if all_unused && allow.rules.len() == 1 {
                            finding.fix(Fix::new("Remove the comment", [Edit::remove(allow.comment)]))
                        } else {
                            finding
                        }
                    }
                };
                findings.push(at(finding));
            }
            if allow.reason.is_none() && !names_comments {
                findings.push(at(Finding::new(
                    &ALLOW_WITHOUT_REASON,
                    allow.comment,
                    "this allow comment gives no reason, so it suppresses nothing",
                )
                .help("write why after the rule's name and a colon: `<!-- keywright: allow rule-name: reason -->`")));
            }
        }
        findings
    }
}

fn unknown_rule(name: &str, span: Span, known: &Suggestions<'_>) -> Finding {
    let finding = Finding::new(&UNUSED_ALLOW, span, format!("there is no rule named `{name}`"));
    match known.nearest(name) {
        Some(meant) => finding.help(format!("did you mean `{meant}`?")),
        None => finding.help("`keywright rules` lists the names"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Group, Setting, Source};

    static ONE: Rule = Rule::error("one-rule", Group::Patterns, "", "");
    static TWO: Rule = Rule::warning("two-rule", Group::Patterns, "", "");
    static KEY: Rule = Rule::error("key-rule", Group::Keys, "", "");

    fn policy() -> Policy {
        Policy::new(Catalogue::new(&[&[&ONE, &TWO, &KEY]])).judged_by([&ONE, &TWO])
    }

    /// A finding of the rule at every occurrence of a word.
    fn at_words(text: &str, rule: &'static Rule, word: &str) -> Vec<Finding> {
        text.match_indices(word)
            .map(|(at, _)| Finding::new(rule, (at..at + word.len()).into(), "wrong"))
            .collect()
    }

    fn said(text: &str, findings: Vec<Finding>) -> Vec<(String, String)> {
        let report = Report::new(findings, &Source::new("a.md", text).into(), &policy());
        report
            .findings()
            .iter()
            .map(|finding| (finding.rule.name().to_owned(), finding.span.of(text).to_owned()))
            .collect()
    }

    fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
        expected.iter().map(|(rule, place)| ((*rule).to_owned(), (*place).to_owned())).collect()
    }

    #[test]
    fn findings_come_in_source_order_once() {
        let text = "aa bb";
        let mut findings = at_words(text, &TWO, "bb");
        findings.extend(at_words(text, &ONE, "aa"));
        findings.extend(at_words(text, &TWO, "aa"));
        findings.extend(at_words(text, &ONE, "aa"));
        let expected = pairs(&[("one-rule", "aa"), ("two-rule", "aa"), ("two-rule", "bb")]);
        assert_eq!(said(text, findings.clone()), expected);
        findings.reverse();
        assert_eq!(said(text, findings), expected);
    }

    #[test]
    fn an_allow_covers_its_rule_and_scope_only() {
        let text = "<!-- keywright: allow one-rule: meant -->\n# A\nxx\n\n# B\nxx\n";
        let mut findings = at_words(text, &ONE, "xx");
        findings.extend(at_words(text, &TWO, "xx"));
        let expected = pairs(&[("two-rule", "xx"), ("one-rule", "xx"), ("two-rule", "xx")]);
        assert_eq!(said(text, findings.clone()), expected);
        let report = Report::new(findings, &Source::new("a.md", text).into(), &policy());
        assert_eq!(report.allowed().len(), 1);
        assert_eq!(report.allowed()[0].reason, "meant");
        assert_eq!(report.counts(), Counts { errors: 1, warnings: 2, notes: 0 });
    }

    #[test]
    fn the_innermost_allow_is_the_one_used() {
        let text = "<!-- keywright: allow one-rule: outer -->\n# A\n<!-- keywright: allow one-rule: inner -->\nxx\n\nyy xx\n";
        assert_eq!(said(text, at_words(text, &ONE, "xx")), []);
        let inner_only = at_words(text, &ONE, "xx").into_iter().take(1).collect();
        assert_eq!(said(text, inner_only), pairs(&[("unused-allow", "one-rule")]));
    }

    #[test]
    fn unused_unknown_and_malformed_allows_are_reported() {
        let text = "<!-- keywright: allow one-rule: meant -->\n<!-- keywright: allow one-rul: meant -->\n<!-- keywright: hush -->\nxx\n";
        let report = Report::new(Vec::new(), &Source::new("a.md", text).into(), &policy());
        let said: Vec<_> = report.findings().iter().map(|finding| finding.message.as_str()).collect();
        assert_eq!(
            said,
            [
                "this comment suppresses no finding of `one-rule`",
                "there is no rule named `one-rul`",
                "this comment addresses Keywright but is not an allow comment",
            ]
        );
        assert_eq!(report.findings()[1].help.as_deref(), Some("did you mean `one-rule`?"));
    }

    #[test]
    fn a_rule_that_did_not_judge_is_not_called_unused() {
        let text = "<!-- keywright: allow key-rule: for the design -->\nxx\n";
        assert_eq!(said(text, Vec::new()), []);
    }

    #[test]
    fn without_a_reason_nothing_is_suppressed() {
        let text = "<!-- keywright: allow one-rule -->\nxx\n";
        let expected =
            pairs(&[("allow-without-reason", "<!-- keywright: allow one-rule -->"), ("one-rule", "xx")]);
        assert_eq!(said(text, at_words(text, &ONE, "xx")), expected);
    }

    #[test]
    fn findings_about_comments_can_be_allowed_once() {
        let text = "<!-- keywright: allow unused-allow: kept for the next release -->\n# A\n<!-- keywright: allow one-rule: soon -->\nyy\n";
        assert_eq!(said(text, Vec::new()), []);
        let alone = "<!-- keywright: allow unused-allow: kept -->\n# A\nyy\n";
        assert_eq!(said(alone, Vec::new()), pairs(&[("unused-allow", "unused-allow")]));
    }

    #[test]
    fn levels_are_applied_and_off_is_silent() {
        let mut policy = policy();
        policy.levels.set("one-rule", Setting::At(Level::Note));
        policy.levels.set("two-rule", Setting::Off);
        let findings = vec![Finding::new(&ONE, Span::at(0), ""), Finding::new(&TWO, Span::at(0), "")];
        let report = Report::new(findings, &Source::new("a.md", "xx").into(), &policy);
        assert_eq!(report.counts(), Counts { errors: 0, warnings: 0, notes: 1 });
        assert!(!report.has_errors());
    }

    #[test]
    fn documents_are_apart() {
        let mut sources = Sources::new();
        sources.add(Source::new("a.md", "<!-- keywright: allow one-rule: meant -->\nxx\n"));
        let second = sources.add(Source::new("b.md", &*" ".repeat(43)));
        let findings = vec![
            Finding::new(&ONE, Span::new(42, 43), "wrong").in_source(second),
            Finding::new(&ONE, Span::new(42, 43), "wrong"),
        ];
        let report = Report::new(findings, &sources, &policy());
        assert_eq!((report.findings().len(), report.allowed().len()), (1, 1));
        assert_eq!(report.findings()[0].source, second);
    }
}
