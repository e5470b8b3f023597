//! What is too much to read: the few shapes of text that would cost more than time linear in their length.

use std::borrow::Cow;

use keywright_finding::Span;

/// The longest document that is read, in bytes.
pub const LONGEST_DOCUMENT: usize = 64 << 20;

/// The deepest nesting of lists and quotes on one line.
pub const DEEPEST_NESTING: usize = 64;

/// The deepest indentation of a list item or a quote, in bytes.
pub const DEEPEST_INDENTATION: usize = 256;

/// A part of a document that was not read, since it is too much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Excess {
    /// What is too much.
    pub kind: ExcessKind,
    /// The first place where it is.
    pub span: Span,
    /// How many lines were left out.
    pub lines: usize,
}

/// What is too much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExcessKind {
    /// The document has more than [`LONGEST_DOCUMENT`] bytes; nothing of it was read.
    Length,
    /// Lists or quotes are nested deeper than [`DEEPEST_NESTING`]; those lines were left out.
    Nesting,
}

/// The text that can be read in linear time, of the same length and with the same line breaks, and what was left out.
///
/// A parser of Markdown matches every line against all lists and quotes that are open, so depth times lines is what it
/// costs. Lines that nest too deep are blanked; offsets stay what they are.
pub(super) fn readable(source: &str) -> (Cow<'_, str>, Option<Excess>) {
    if source.len() > LONGEST_DOCUMENT {
        let excess = Excess { kind: ExcessKind::Length, span: Span::at(0), lines: source.lines().count() };
        return (Cow::Borrowed(""), Some(excess));
    }
    let mut excess: Option<Excess> = None;
    let mut kept = String::new();
    let mut copied = 0;
    let mut start = 0;
    for line in source.split_inclusive('\n') {
        let end = start + line.len();
        if nests_too_deep(line) {
            let words = line.trim_end_matches(['\n', '\r']).len();
            kept.push_str(&source[copied..start]);
            kept.extend(std::iter::repeat_n(' ', words));
            copied = start + words;
            let shown = words.min(line.floor_char_boundary(80));
            excess
                .get_or_insert(Excess {
                    kind: ExcessKind::Nesting,
                    span: (start..start + shown).into(),
                    lines: 0,
                })
                .lines += 1;
        }
        start = end;
    }
    if excess.is_none() {
        return (Cow::Borrowed(source), None);
    }
    kept.push_str(&source[copied..]);
    (Cow::Owned(kept), excess)
}

/// Whether the marks of lists and quotes at the beginning of a line go too deep.
fn nests_too_deep(line: &str) -> bool {
    let bytes = line.as_bytes();
    let mut marks = 0;
    let mut at = 0;
    loop {
        while bytes.get(at).is_some_and(|byte| matches!(byte, b' ' | b'\t')) {
            at += 1;
        }
        let digits = bytes[at..].iter().take(10).take_while(|byte| byte.is_ascii_digit()).count();
        let mark = match bytes.get(at + digits) {
            Some(b'.' | b')') if digits > 0 => digits + 1,
            Some(b'-' | b'*' | b'+') if digits == 0 => 1,
            Some(b'>') if digits == 0 => {
                // A quote needs no space after it.
                marks += 1;
                at += 1;
                if marks > DEEPEST_NESTING || at > DEEPEST_INDENTATION {
                    return true;
                }
                continue;
            }
            _ => return false,
        };
        if !bytes.get(at + mark).is_none_or(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n')) {
            return false;
        }
        marks += 1;
        if marks > DEEPEST_NESTING || at > DEEPEST_INDENTATION {
            return true;
        }
        at += mark;
        if at >= bytes.len() {
            return false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_text_is_borrowed() {
        let source = "# A\n- a\n  - b\n> > c\n1. d\n***\n---\n";
        let (kept, excess) = readable(source);
        assert!(matches!(kept, Cow::Borrowed(_)));
        assert_eq!(excess, None);
    }

    #[test]
    fn deep_lines_are_blanked_and_the_rest_stays_where_it_is() {
        let deep = "- ".repeat(10_000);
        let source = format!("# A\r\n{deep}x\r\n{deep}y\n## B\n");
        let (kept, excess) = readable(&source);
        assert_eq!(kept.len(), source.len());
        assert_eq!(kept.find("## B"), source.find("## B"));
        assert_eq!(kept.trim_start_matches("# A").trim(), "## B");
        let excess = excess.expect("ten thousand levels are too deep");
        assert_eq!((excess.kind, excess.lines, excess.span.start), (ExcessKind::Nesting, 2, 5));
    }

    #[test]
    fn indentation_counts_only_before_a_mark() {
        let spaces = " ".repeat(1_000);
        assert!(nests_too_deep(&format!("{spaces}- a")));
        assert!(!nests_too_deep(&format!("{spaces}a")));
        assert!(nests_too_deep(&">".repeat(100)));
        assert!(!nests_too_deep(&"-".repeat(100)));
    }
}
