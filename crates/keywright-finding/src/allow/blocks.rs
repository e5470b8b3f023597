//! The blocks of a Markdown text, as far as they decide what an allow comment covers.
//!
//! This is not a Markdown parser: it distinguishes headings, list items, fences, comments and blank lines,
//! line by line, in time linear in the length of the text.

use crate::Span;

/// The kind of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Blank,
    /// Consists of comments only, or of a part of one.
    Comment,
    Heading {
        depth: u8,
    },
    Item {
        indent: u32,
    },
    /// Opens a fenced block; `last` is the index of its last line.
    Fence {
        last: usize,
    },
    /// Inside a fenced block.
    Fenced,
    Text {
        indent: u32,
    },
}

/// A line: its first byte and its kind.
#[derive(Clone, Copy, Debug)]
struct Line {
    start: u32,
    kind: Kind,
}

/// The lines of a text and the comments in it.
pub(super) struct Blocks {
    lines: Vec<Line>,
    end: u32,
    /// For each line, the first line at or after it that an allow comment can cover.
    targets: Vec<usize>,
    /// For each line, the end of the block that starts there; filled on demand.
    ends: Vec<Option<usize>>,
    /// For each heading line, the line of the next heading of the same or a higher level.
    sections: Vec<usize>,
    /// All comments outside code.
    pub(super) comments: Vec<Span>,
}

impl Blocks {
    pub(super) fn new(text: &str) -> Self {
        let (mut lines, comments) = classify(text);
        mark_setext_headings(text, &mut lines);
        let count = lines.len();
        let mut targets = vec![count; count + 1];
        let mut sections = vec![count; count];
        let mut open: Vec<(u8, usize)> = Vec::new();
        for index in (0..count).rev() {
            targets[index] = match lines[index].kind {
                Kind::Blank | Kind::Comment => targets[index + 1],
                _ => index,
            };
            if let Kind::Heading { depth } = lines[index].kind {
                while open.last().is_some_and(|(other, _)| *other > depth) {
                    open.pop();
                }
                sections[index] = open.last().map_or(count, |(_, next)| *next);
                open.push((depth, index));
            }
        }
        Self { ends: vec![None; count], end: text.len() as u32, lines, targets, sections, comments }
    }

    /// The part of the text that a comment covers.
    pub(super) fn scope(&mut self, comment: Span) -> Span {
        let line_of = |offset: u32| self.lines.partition_point(|line| line.start <= offset) - 1;
        let (first, last) = (line_of(comment.start), line_of(comment.end - 1));
        if self.lines[first].kind != Kind::Comment || self.lines[last].kind != Kind::Comment {
            return Span::new(self.start(first), self.start(last + 1));
        }
        let target = self.targets[last + 1];
        if target == self.lines.len() {
            return Span::at(self.end);
        }
        let end = self.block_end(target);
        Span::new(self.start(target), self.start(end))
    }

    fn start(&self, line: usize) -> u32 {
        self.lines.get(line).map_or(self.end, |line| line.start)
    }

    /// The line after the block that starts at the line `target`.
    fn block_end(&mut self, target: usize) -> usize {
        if let Some(end) = self.ends[target] {
            return end;
        }
        let end = match self.lines[target].kind {
            Kind::Heading { .. } => self.sections[target],
            Kind::Fence { last } => (last + 1).min(self.lines.len()),
            Kind::Item { indent } => {
                let ends_item = |kind: Kind| match kind {
                    Kind::Blank | Kind::Comment | Kind::Fence { .. } | Kind::Fenced => false,
                    Kind::Heading { .. } => true,
                    Kind::Item { indent: other } | Kind::Text { indent: other } => other <= indent,
                };
                let rest = self.lines[target + 1..].iter();
                target + 1 + rest.take_while(|line| !ends_item(line.kind)).count()
            }
            _ => {
                let rest = self.lines[target + 1..].iter();
                target + 1 + rest.take_while(|line| matches!(line.kind, Kind::Text { .. })).count()
            }
        };
        self.ends[target] = Some(end);
        end
    }
}

/// An open code fence: its character, its length, and its line.
struct Fence {
    mark: char,
    length: usize,
    line: usize,
}

/// Determines the kind of every line and collects the comments outside code.
fn classify(text: &str) -> (Vec<Line>, Vec<Span>) {
    let mut lines: Vec<Line> = Vec::new();
    let mut comments = Vec::new();
    let mut fence: Option<Fence> = None;
    // The end of a comment that began on an earlier line.
    let mut comment_end = 0;
    let mut start = 0;
    for raw in text.split_inclusive('\n') {
        let line_end = start + raw.len();
        let index = lines.len();
        let kind = if let Some(open) = &fence {
            if closes(raw, open) {
                lines[open.line].kind = Kind::Fence { last: index };
                fence = None;
            }
            Kind::Fenced
        } else if comment_end >= line_end {
            Kind::Comment
        } else if let (true, Some((mark, length))) = (comment_end <= start, opens(raw)) {
            fence = Some(Fence { mark, length, line: index });
            Kind::Fence { last: usize::MAX - 1 }
        } else {
            let from = comment_end.max(start);
            let found = comments.len();
            let mut words = raw.trim_end();
            let bare = collect_comments(text, from, line_end, &mut comments, &mut comment_end);
            if comments.len() > found || from > start {
                // Only the text outside comments decides the kind of the line.
                if bare {
                    words = "";
                }
                if words.is_empty() { Kind::Comment } else { kind_of(words) }
            } else {
                kind_of(words)
            }
        };
        lines.push(Line { start: start as u32, kind });
        start = line_end;
    }
    (lines, comments)
}

/// Adds the comments that begin between two offsets and returns whether there is no other text between them.
/// Moves `comment_end` to the end of the last comment, which may be on a later line.
fn collect_comments(
    text: &str,
    from: usize,
    line_end: usize,
    comments: &mut Vec<Span>,
    comment_end: &mut usize,
) -> bool {
    let mut bare = true;
    let mut at = from;
    while let Some(open) = text[at..line_end].find("<!--").map(|found| at + found) {
        bare &= text[at..open].trim().is_empty();
        if text[at..open].matches('`').count() % 2 == 1 {
            // In a code span the comment is only quoted. The rest of the line is skipped.
            return false;
        }
        let Some(close) = text[open + 4..].find("-->").map(|found| open + 4 + found + 3) else {
            // An unclosed comment is no comment, and neither is anything after it. Skipping the rest keeps
            // the scan linear.
            *comment_end = text.len();
            return false;
        };
        comments.push(Span::new(open as u32, close as u32));
        *comment_end = close;
        if close >= line_end {
            return bare;
        }
        at = close;
    }
    bare && text[at..line_end].trim().is_empty()
}

fn kind_of(words: &str) -> Kind {
    let trimmed = words.trim_start();
    let indent = (words.len() - trimmed.len()) as u32;
    if trimmed.is_empty() {
        return Kind::Blank;
    }
    let marks = trimmed.bytes().take_while(|byte| *byte == b'#').count();
    if (1..=6).contains(&marks) && trimmed[marks..].chars().next().is_none_or(char::is_whitespace) {
        return Kind::Heading { depth: marks as u8 };
    }
    let digits = trimmed.bytes().take_while(u8::is_ascii_digit).count();
    let marker = if (1..10).contains(&digits) {
        trimmed[digits..].strip_prefix(['.', ')'])
    } else {
        trimmed.strip_prefix(['-', '*', '+'])
    };
    if marker.is_some_and(|rest| rest.chars().next().is_none_or(char::is_whitespace)) {
        return Kind::Item { indent };
    }
    Kind::Text { indent }
}

/// Turns a line of text above a line of `=` or `-` into a heading.
fn mark_setext_headings(text: &str, lines: &mut [Line]) {
    for index in 1..lines.len() {
        let end = lines.get(index + 1).map_or(text.len(), |line| line.start as usize);
        let rule = text[lines[index].start as usize..end].trim();
        let depth = match rule.bytes().next() {
            Some(b'=') if rule.bytes().all(|byte| byte == b'=') => 1,
            Some(b'-') if rule.bytes().all(|byte| byte == b'-') => 2,
            _ => continue,
        };
        let is_paragraph_start = index < 2 || !matches!(lines[index - 2].kind, Kind::Text { .. });
        if matches!(lines[index - 1].kind, Kind::Text { .. }) && is_paragraph_start {
            lines[index - 1].kind = Kind::Heading { depth };
            lines[index].kind = Kind::Text { indent: 0 };
        }
    }
}

/// The character and the length of the fence that a line opens.
fn opens(line: &str) -> Option<(char, usize)> {
    let trimmed = line.trim_start();
    let mark = trimmed.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let length = trimmed.chars().take_while(|next| *next == mark).count();
    let info_is_plain = mark == '~' || !trimmed[length..].contains('`');
    (length >= 3 && info_is_plain).then_some((mark, length))
}

fn closes(line: &str, fence: &Fence) -> bool {
    let trimmed = line.trim();
    trimmed.len() >= fence.length && trimmed.chars().all(|next| next == fence.mark)
}
