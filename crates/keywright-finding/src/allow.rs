//! Allow comments: `<!-- keywright: allow rule-name: reason -->` above the part of the document that they
//! cover.

mod blocks;

use crate::Span;
use blocks::Blocks;

/// An allow comment, or a comment that addresses Keywright but is malformed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allow {
    /// The comment, from `<!--` to `-->`.
    pub comment: Span,
    /// The part of the document that it covers: the section under a heading; a list item with everything
    /// nested in it; a whole table, paragraph or fenced block; or, where other words stand beside the
    /// comment, its line.
    pub scope: Span,
    /// The rules that it names, each with its span.
    pub rules: Vec<(String, Span)>,
    /// The author's reason.
    pub reason: Option<String>,
}

/// Finds all allow comments of a Markdown text, in order. Comments in fenced code and code spans are only
/// quoted, so they are left out.
#[must_use]
pub fn allows(text: &str) -> Vec<Allow> {
    if !text.contains("<!--") {
        return Vec::new();
    }
    let mut blocks = Blocks::new(text);
    let comments = blocks.comments.clone();
    comments
        .into_iter()
        .filter_map(|comment| {
            let body_start = comment.start + 4;
            let body = &text[body_start as usize..comment.end as usize - 3];
            let (rules, reason) = parse(body, body_start)?;
            Some(Allow { comment, scope: blocks.scope(comment), rules, reason })
        })
        .collect()
}

/// The rules that a comment names, and its reason. A comment that addresses Keywright but is not an allow has
/// no rules; for a comment that does not address Keywright, `parse` returns `None`.
type Parsed = (Vec<(String, Span)>, Option<String>);

fn parse(body: &str, offset: u32) -> Option<Parsed> {
    let (rest, at) = after_word(body, "keywright", offset)?;
    let rest_trimmed = rest.trim_start();
    let at = at + (rest.len() - rest_trimmed.len()) as u32;
    let Some(rest) = rest_trimmed.strip_prefix(':') else {
        // "keywright" is the first word of an ordinary remark here, unless "allow" follows.
        return after_word(rest_trimmed, "allow", 0).map(|_| (Vec::new(), None));
    };
    let Some((rest, at)) = after_word(rest, "allow", at + 1) else { return Some((Vec::new(), None)) };
    let (names, reason) = match rest.split_once(':') {
        Some((names, reason)) => (names, Some(reason.trim())),
        None => (rest, None),
    };
    let mut rules = Vec::new();
    let mut name_at = at;
    for part in names.split(',') {
        let name = part.trim();
        let start = name_at + (part.len() - part.trim_start().len()) as u32;
        if !name.is_empty() {
            rules.push((name.to_owned(), Span::new(start, start + name.len() as u32)));
        }
        name_at += part.len() as u32 + 1;
    }
    Some((rules, reason.filter(|reason| !reason.is_empty()).map(str::to_owned)))
}

/// The text after a word, in any case, and its offset. Leading white space is skipped.
fn after_word<'t>(text: &'t str, word: &str, offset: u32) -> Option<(&'t str, u32)> {
    let trimmed = text.trim_start();
    let (head, rest) = trimmed.split_at_checked(word.len())?;
    let ends = !rest.starts_with(|next: char| next.is_alphanumeric() || next == '-');
    (head.eq_ignore_ascii_case(word) && ends).then(|| (rest, offset + (text.len() - rest.len()) as u32))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn scope_of(text: &str) -> &str {
        let found = allows(text);
        assert_eq!(found.len(), 1, "{found:?}");
        found[0].scope.of(text)
    }

    #[test]
    fn names_and_reason_are_read_with_their_places() {
        let text = "<!-- Keywright: allow a-rule,  b-rule : since 2019: yes -->\n\ntext\n";
        let found = allows(text);
        let [allow] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!(allow.comment.of(text), "<!-- Keywright: allow a-rule,  b-rule : since 2019: yes -->");
        assert_eq!(allow.reason.as_deref(), Some("since 2019: yes"));
        let named: Vec<_> = allow.rules.iter().map(|(name, span)| (name.as_str(), span.of(text))).collect();
        assert_eq!(named, [("a-rule", "a-rule"), ("b-rule", "b-rule")]);
    }

    #[test]
    fn a_missing_reason_and_a_malformed_comment_are_told_apart() {
        let of = |text: &str| allows(text).pop().map(|allow| (allow.rules.len(), allow.reason));
        assert_eq!(of("<!-- keywright: allow a-rule -->"), Some((1, None)));
        assert_eq!(of("<!-- keywright: allow a-rule: -->"), Some((1, None)));
        assert_eq!(of("<!-- keywright: ignore a-rule: because -->"), Some((0, None)));
        assert_eq!(of("<!-- keywright allow a-rule: because -->"), Some((0, None)));
        assert_eq!(of("<!-- keywright wrote this -->"), None);
        assert_eq!(of("<!-- a remark -->"), None);
        assert_eq!(of("<!-- keywright: allow a-rule: because"), None);
    }

    #[test]
    fn above_a_heading_it_covers_the_section() {
        let text = "# A\n<!-- keywright: allow r: x -->\n## B\ntext\n### C\n```\n## no heading\n```\n## D\n";
        assert_eq!(scope_of(text), "## B\ntext\n### C\n```\n## no heading\n```\n");
        let setext = "<!-- keywright: allow r: x -->\n\nB\n---\ntext\n\nC\n===\n";
        assert_eq!(scope_of(setext), "B\n---\ntext\n\n");
    }

    #[test]
    fn above_a_list_item_it_covers_what_is_nested_in_it() {
        let text = "- a\n  <!-- keywright: allow r: x -->\n  - b\n    - c\n\n    d\n  - e\n";
        assert_eq!(scope_of(text), "  - b\n    - c\n\n    d\n");
    }

    #[test]
    fn above_a_table_or_a_fence_it_covers_all_of_it() {
        let table = "<!-- keywright: allow r: x -->\n| a |\n|---|\n| b |\n\n| c |\n";
        assert_eq!(scope_of(table), "| a |\n|---|\n| b |\n");
        let fence = "<!-- keywright: allow r: x -->\n~~~mermaid\na\n\nb\n~~~\nc\n";
        assert_eq!(scope_of(fence), "~~~mermaid\na\n\nb\n~~~\n");
    }

    #[test]
    fn among_other_words_it_covers_its_line() {
        let text = "| a |\n| b <!-- keywright: allow r: x --> |\n| c |\n";
        assert_eq!(scope_of(text), "| b <!-- keywright: allow r: x --> |\n");
    }

    #[test]
    fn several_comments_stack_above_one_place() {
        let text = "<!-- keywright: allow r: x -->\n<!-- a remark\n over lines -->\n<!-- keywright: allow s: y -->\n## B\n";
        let scopes: Vec<_> = allows(text).iter().map(|allow| allow.scope.of(text).to_owned()).collect();
        assert_eq!(scopes, ["## B\n", "## B\n"]);
    }

    #[test]
    fn shown_comments_are_not_meant() {
        assert_eq!(allows("```\n<!-- keywright: allow r: x -->\n```\n"), []);
        assert_eq!(allows("Write `<!-- keywright: allow r: x -->` above it.\n"), []);
    }

    #[test]
    fn many_comments_above_one_long_section_stay_linear() {
        let mut text = "<!-- keywright: allow r: x -->\n".repeat(50_000);
        text.push_str("# A\n");
        text.push_str(&"word\n".repeat(200_000));
        assert_eq!(allows(&text).len(), 50_000);
        let nested: String = (0..2_000)
            .map(|n| format!("{0}<!-- keywright: allow r: x -->\n{0}- a\n", " ".repeat(n)))
            .collect();
        assert_eq!(allows(&nested).len(), 2_000);
    }

    proptest! {
        #[test]
        fn any_text_has_allows_inside_it(text in "(<!--|-->|keywright: allow|[ar:,`~#|\\- \n\r]|é){0,60}") {
            for allow in allows(&text) {
                prop_assert!(text.get(allow.comment.range()).is_some());
                prop_assert!(text.get(allow.scope.range()).is_some());
                for (name, span) in &allow.rules {
                    prop_assert_eq!(name.as_str(), span.of(&text));
                }
            }
        }
    }
}
