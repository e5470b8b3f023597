//! From the events of a Markdown parser to a flat sequence of blocks.

use std::collections::BTreeSet;
use std::ops::Range;

use keywright_finding::Span;
use pulldown_cmark::{CodeBlockKind, CowStr, Event, LinkType, Options, Parser, Tag, TagEnd};

use super::limits::{self, Excess};
use super::{Page, Row, Table, Words};

/// A document as a flat sequence of blocks over one page of words.
#[derive(Debug, Default)]
pub struct Blocks {
    /// The words of all blocks.
    pub page: Page,
    /// The blocks, in order. What is nested in a list but no list itself stands after the items before it.
    pub list: Vec<Block>,
    /// The positions of paragraphs that are one bold line, as people write headings too.
    pub bold: BTreeSet<usize>,
    /// What was not read.
    pub excess: Option<Excess>,
}

/// One block.
#[derive(Debug)]
pub enum Block {
    /// A heading.
    Heading {
        /// From 1, the most general, to 6.
        level: u8,
        /// Its words.
        title: Words,
        /// All of it.
        span: Span,
    },
    /// Running text; a line break is a line break.
    Paragraph(Words),
    /// Running text in a block quote, or the lines of a front matter.
    Quote(Words),
    /// The items of a list and of the lists in it, each after its parent.
    List(Vec<Item>),
    /// A table.
    Table(Table),
    /// A fenced or indented block.
    Code {
        /// The first word after the fence.
        language: String,
        /// Its lines.
        text: Words,
        /// All of it.
        span: Span,
    },
}

/// An item of a list.
#[derive(Clone, Copy, Debug)]
pub struct Item {
    /// How many items it is nested in.
    pub depth: usize,
    /// Its words, without those of the items nested in it.
    pub words: Words,
}

/// Reads any text.
#[must_use]
pub fn read(source: &str) -> Blocks {
    let (text, excess) = limits::readable(source);
    let base = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut reader =
        Reader { source: &text, blocks: Blocks { excess, ..Blocks::default() }, ..Reader::default() };
    let base = reader.front_matter(base);
    let events = Parser::new_ext(&text[base..], Options::ENABLE_TABLES).into_offset_iter();
    for (event, range) in events {
        reader.event(event, base + range.start..base + range.end);
    }
    reader.blocks
}

/// Gathers blocks from events.
#[derive(Default)]
struct Reader<'s> {
    source: &'s str,
    blocks: Blocks,
    /// Where the words begin that are being gathered.
    words: Option<u32>,
    /// The items of the outermost list since the last block that was no item.
    items: Vec<Item>,
    /// Whether the words being gathered are those of the last item.
    in_item: bool,
    lists: usize,
    quotes: usize,
    table: Option<Table>,
    code: Option<String>,
}

impl Reader<'_> {
    /// A front matter is a quote; returns where the document goes on.
    fn front_matter(&mut self, base: usize) -> usize {
        let text = &self.source[base..];
        let Some(first) = text.split_inclusive('\n').next().filter(|line| line.trim_end() == "---") else {
            return base;
        };
        let mut end = first.len();
        for line in text[first.len()..].split_inclusive('\n') {
            let start = end;
            end += line.len();
            if line.trim_end() == "---" {
                let words = self.blocks.page.begin(base + first.len());
                self.blocks.page.push(&text[first.len()..start], base + first.len()..base + start);
                self.blocks.list.push(Block::Quote(self.blocks.page.end(words)));
                return base + end;
            }
            if line.trim().is_empty() {
                break;
            }
        }
        base
    }

    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(tag) => self.end(tag, range),
            Event::Text(text) => self.push(&text, range),
            Event::Code(text) => {
                let inner = inside_code(&self.source[range.clone()], &text);
                self.push_code(&text, range.start + inner.start..range.start + inner.end);
            }
            Event::InlineHtml(html) => self.html(&html, range),
            Event::SoftBreak | Event::HardBreak => self.push("\n", range),
            Event::Rule => self.flush_items(),
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>, range: Range<usize>) {
        match tag {
            Tag::Heading { .. } => {
                self.flush_items();
                self.begin(range.start);
            }
            Tag::Paragraph if self.lists > 0 => self.go_on(range.start),
            Tag::Paragraph => self.begin(range.start),
            Tag::BlockQuote(_) => {
                self.flush_items();
                self.quotes += 1;
            }
            Tag::CodeBlock(kind) => {
                self.flush_items();
                self.code = Some(language(&kind));
                self.begin(range.start);
            }
            Tag::List(_) => {
                self.close_item();
                self.lists += 1;
            }
            Tag::Item => {
                self.close_item();
                self.open_item(self.lists.saturating_sub(1), range.start);
            }
            Tag::Table(_) => {
                self.flush_items();
                self.table = Some(Table { span: range.into(), ..Table::default() });
            }
            Tag::TableRow => {
                if let Some(table) = &mut self.table {
                    table
                        .rows
                        .push(Row { span: range.into(), cells: Vec::with_capacity(table.header.len()) });
                }
            }
            Tag::TableCell => self.begin(range.start),
            // `<score:pad6>` looks like the address of a link.
            Tag::Link { link_type: LinkType::Autolink | LinkType::Email, .. } => {
                self.push("<", range.start..range.start + 1);
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd, range: Range<usize>) {
        match tag {
            TagEnd::Heading(level) => {
                if let Some(title) = self.take() {
                    self.blocks.list.push(Block::Heading { level: level as u8, title, span: range.into() });
                }
            }
            TagEnd::Paragraph if self.lists > 0 => {}
            TagEnd::Paragraph => {
                if let Some(words) = self.take()
                    && !self.continues_table(words, &range)
                {
                    let block = if self.quotes > 0 { Block::Quote(words) } else { Block::Paragraph(words) };
                    if self.quotes == 0 && is_bold_line(&self.source[range]) {
                        self.blocks.bold.insert(self.blocks.list.len());
                    }
                    self.blocks.list.push(block);
                }
            }
            TagEnd::BlockQuote(_) => {
                self.flush_items();
                self.quotes = self.quotes.saturating_sub(1);
            }
            TagEnd::CodeBlock => {
                if let (Some(text), Some(language)) = (self.take(), self.code.take()) {
                    self.blocks.list.push(Block::Code { language, text, span: range.into() });
                }
            }
            TagEnd::Item => self.close_item(),
            TagEnd::List(_) => {
                self.close_item();
                self.lists = self.lists.saturating_sub(1);
                if self.lists == 0 {
                    self.flush_items();
                }
            }
            TagEnd::TableCell => {
                if let (Some(words), Some(table)) = (self.take(), &mut self.table) {
                    match table.rows.last_mut() {
                        Some(row) => row.cells.push(words),
                        None => table.header.push(words),
                    }
                }
            }
            TagEnd::Table => {
                if let Some(table) = self.table.take() {
                    self.blocks.list.push(Block::Table(table));
                }
            }
            TagEnd::Link if self.source.as_bytes()[range.start] == b'<' => {
                self.push(">", range.end - 1..range.end)
            }
            _ => {}
        }
    }

    /// Words outside of any other block are those of an item: of the open one, or, after something nested in it, of one
    /// below it.
    fn push(&mut self, text: &str, range: Range<usize>) {
        if self.has_place(range.start) {
            self.blocks.page.push(text, range);
        }
    }

    fn push_code(&mut self, text: &str, range: Range<usize>) {
        if self.has_place(range.start) {
            self.blocks.page.push_code(text, range);
        }
    }

    fn has_place(&mut self, source: usize) -> bool {
        if self.words.is_none() && self.lists > 0 {
            self.open_item(self.lists, source);
        }
        self.words.is_some()
    }

    /// A comment or an empty line between the rows of a table ends it for Markdown; what follows looks like a paragraph
    /// whose lines begin and end with `|`, and still belongs to the table.
    fn continues_table(&mut self, words: Words, range: &Range<usize>) -> bool {
        let is_row = |line: &str| line.len() > 1 && line.starts_with('|') && line.ends_with('|');
        let Some(Block::Table(table)) = self.blocks.list.last_mut() else { return false };
        if !self.source[range.clone()].lines().all(|line| is_row(line.trim())) {
            return false;
        }
        let lines = self.blocks.page.lines(words);
        for cells in lines {
            table.rows.push(Row { span: range.clone().into(), cells });
        }
        true
    }

    fn html(&mut self, html: &CowStr<'_>, range: Range<usize>) {
        let is_break = html.strip_prefix("<br").or_else(|| html.strip_prefix("<BR"));
        if is_break.is_some_and(|rest| matches!(rest.trim(), ">" | "/>")) {
            self.push("\n", range);
        } else if !html.starts_with("<!--") {
            // A bare placeholder: `<userId>`.
            self.push(html, range);
        }
    }

    fn begin(&mut self, source: usize) {
        self.close_item();
        self.words = Some(self.blocks.page.begin(source));
    }

    /// A further paragraph of the open item.
    fn go_on(&mut self, source: usize) {
        if self.in_item {
            if self.words.is_some_and(|start| !self.blocks.page.end(start).is_empty()) {
                self.blocks.page.push("\n", source..source);
            }
        } else {
            self.open_item(self.lists, source);
        }
    }

    fn take(&mut self) -> Option<Words> {
        self.words.take().map(|start| self.blocks.page.end(start))
    }

    fn open_item(&mut self, depth: usize, source: usize) {
        self.words = Some(self.blocks.page.begin(source));
        self.items.push(Item { depth, words: Words::default() });
        self.in_item = true;
    }

    fn close_item(&mut self) {
        if std::mem::take(&mut self.in_item)
            && let (Some(words), Some(item)) = (self.take(), self.items.last_mut())
        {
            item.words = words;
        }
    }

    fn flush_items(&mut self) {
        self.close_item();
        if !self.items.is_empty() {
            self.blocks.list.push(Block::List(std::mem::take(&mut self.items)));
        }
    }
}

/// Whether a paragraph is one line in bold, such as `**Reads**` or `**Reads:**`.
fn is_bold_line(paragraph: &str) -> bool {
    let line = paragraph.trim().trim_end_matches(':');
    let inside = ["**", "__"].iter().find_map(|mark| line.strip_prefix(mark)?.strip_suffix(mark));
    inside.is_some_and(|inside| !inside.trim().is_empty() && !inside.contains(['*', '_', '\n', '`']))
}

fn language(kind: &CodeBlockKind<'_>) -> String {
    match kind {
        CodeBlockKind::Indented => String::new(),
        CodeBlockKind::Fenced(info) => info.split_whitespace().next().unwrap_or("").to_ascii_lowercase(),
    }
}

/// Where the words of a code span stand between its back quotes.
fn inside_code(source: &str, text: &str) -> Range<usize> {
    let quotes = source.bytes().take_while(|byte| *byte == b'`').count();
    for start in quotes..=quotes + 1 {
        if source.get(start..start + text.len()) == Some(text) {
            return start..start + text.len();
        }
    }
    0..source.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown::Piece;

    /// Blocks as text, each with the source of its words.
    fn show(source: &str) -> Vec<String> {
        let blocks = read(source);
        let words = |words: Words| {
            let phrase = blocks.page.phrase(words);
            format!("{:?}={:?}", phrase.as_str(), phrase.span().of(source))
        };
        let row = |cells: &[Words]| cells.iter().map(|cell| words(*cell)).collect::<Vec<_>>().join(" | ");
        blocks
            .list
            .iter()
            .map(|block| match block {
                Block::Heading { level, title, .. } => format!("h{level} {}", words(*title)),
                Block::Paragraph(text) => format!("p {}", words(*text)),
                Block::Quote(text) => format!("q {}", words(*text)),
                Block::List(items) => {
                    let items: Vec<_> =
                        items.iter().map(|item| format!("{} {}", item.depth, words(item.words))).collect();
                    format!("l {}", items.join("; "))
                }
                Block::Table(table) => {
                    let rows: Vec<_> = table.rows.iter().map(|it| row(&it.cells)).collect();
                    format!("t {} // {}", row(&table.header), rows.join(" // "))
                }
                Block::Code { language, text, .. } => format!("c {language} {}", words(*text)),
            })
            .collect()
    }

    #[test]
    fn markup_goes_and_places_stay() {
        assert_eq!(show("# The **bold** `one`\n"), [r#"h1 "The bold one"="The **bold** `one""#]);
        assert_eq!(
            show(r"a \<b\> <c> <!-- d --> {e}"),
            [r#"p "a <b> <c>  {e}"="a \\<b\\> <c> <!-- d --> {e}""#]
        );
        assert_eq!(show("x &amp; y <score:pad6>"), [r#"p "x & y <score:pad6>"="x &amp; y <score:pad6>""#]);
        assert_eq!(show("\u{feff}# A\r\n\r\nb\r\nc\r\n"), [r#"h1 "A"="A""#, r#"p "b\nc"="b\r\nc""#]);
    }

    #[test]
    fn nested_lists_are_flat_with_depths() {
        assert_eq!(
            show("- a\n  - b\n\n    c\n  - d\n- e\n"),
            [r#"l 0 "a"="a"; 1 "b\nc"="b\n\n    c"; 1 "d"="d"; 0 "e"="e""#]
        );
    }

    #[test]
    fn what_is_nested_in_a_list_follows_it() {
        let shown = show("- a\n\n  | x |\n  |---|\n  | y |\n\n  b\n- c\n");
        assert_eq!(shown, [r#"l 0 "a"="a""#, r#"t "x"="x" // "y"="y""#, r#"l 1 "b"="b"; 0 "c"="c""#]);
    }

    #[test]
    fn cells_are_somewhere_even_when_empty() {
        let shown = show("| a | b |\n|---|---|\n| `x\\|y` | |\n| z |\n");
        assert_eq!(shown, [r#"t "a"="a" | "b"="b" // "x|y"="`x\\|y`" | ""="" // "z"="z" | ""="""#]);
    }

    #[test]
    fn code_spans_are_pieces_of_their_own() {
        let blocks = read("1. `a` *b* c`d``e`\n");
        let Block::List(items) = &blocks.list[0] else { panic!("a list") };
        let pieces = blocks.page.phrase(items[0].words).pieces();
        let shown: Vec<_> = pieces
            .iter()
            .map(|piece| match piece {
                Piece::Code(phrase) => format!("`{}`", phrase.as_str()),
                Piece::Text(phrase) => phrase.as_str().to_owned(),
            })
            .collect();
        assert_eq!(shown, ["`a`", " b c", "`d``e`"]);
    }

    #[test]
    fn a_comment_between_rows_does_not_end_the_table() {
        let shown = show("| a | b |\n|---|---|\n| c | d |\n<!-- e -->\n| f | `g` |\n| h | |\n");
        assert_eq!(
            shown,
            [
                r#"t "a"="a" | "b"="b" // "c"="c" | "d"="d" // " f "=" f " | " g "=" `g` " // " h "=" h " | " "=" ""#
            ]
        );
    }

    #[test]
    fn front_matter_and_quotes_are_quotes() {
        assert_eq!(
            show("---\nstatus: DRAFT\n---\n> Application: Shop\n> Style: overloaded\n"),
            [
                r#"q "status: DRAFT\n"="status: DRAFT\n""#,
                r#"q "Application: Shop\nStyle: overloaded"="Application: Shop\n> Style: overloaded""#
            ]
        );
    }

    #[test]
    fn a_bold_line_is_known_as_one() {
        let blocks =
            read("**A**\n\n**B**:\n\n**C** d\n\n__E:__\n\n- **F**\n\n> **G**\n\n**H** **I**\n\n****\n");
        let bold: Vec<&Block> = blocks.bold.iter().map(|at| &blocks.list[*at]).collect();
        let words = bold.iter().map(|block| match block {
            Block::Paragraph(words) => blocks.page.phrase(*words).as_str(),
            other => panic!("{other:?}"),
        });
        assert_eq!(words.collect::<Vec<_>>(), ["A", "B:", "E:"]);
    }

    #[test]
    fn a_fenced_block_keeps_its_lines() {
        assert_eq!(show("~~~Mermaid x\na\n  b\n~~~\n"), [r#"c mermaid "a\n  b\n"="a\n  b\n""#]);
    }
}
