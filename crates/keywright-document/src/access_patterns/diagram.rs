//! Entity-relationship diagrams inside the document: what they say, whatever language draws them.

mod merge;
mod mermaid;
mod plantuml;

use crate::markdown::{Block, Blocks, Phrase};

use super::remarks::Remarks;

pub(super) use merge::{declare, refer, relate};

/// What a diagram says.
#[derive(Debug, Default)]
pub(super) struct Diagram<'p> {
    pub(super) entities: Vec<Drawn<'p>>,
    pub(super) lines: Vec<Line<'p>>,
}

/// An entity as drawn.
#[derive(Debug)]
pub(super) struct Drawn<'p> {
    pub(super) name: Phrase<'p>,
    /// Other names that lines may use for it.
    pub(super) alias: Option<Phrase<'p>>,
    pub(super) attributes: Vec<DrawnAttribute<'p>>,
}

/// An attribute as drawn.
#[derive(Debug)]
pub(super) struct DrawnAttribute<'p> {
    pub(super) name: Phrase<'p>,
    pub(super) ty: Option<Phrase<'p>>,
    /// Part of the primary key.
    pub(super) identifies: bool,
    pub(super) unique: bool,
    /// Marked as a foreign key.
    pub(super) refers: bool,
    pub(super) comment: Option<Phrase<'p>>,
}

/// A line between two entities.
#[derive(Debug)]
pub(super) struct Line<'p> {
    pub(super) left: Phrase<'p>,
    pub(super) right: Phrase<'p>,
    /// Whether there are many at the left end.
    pub(super) left_many: bool,
    /// Whether there are many at the right end.
    pub(super) right_many: bool,
    /// Whether the one at one end may be missing: `|o`.
    pub(super) optional: bool,
    pub(super) label: Option<Phrase<'p>>,
    /// All of it.
    pub(super) words: Phrase<'p>,
}

/// Reads all diagrams of a document into one.
pub(super) fn read<'p>(blocks: &'p Blocks, remarks: &mut Remarks) -> Diagram<'p> {
    let mut diagram = Diagram::default();
    for block in &blocks.list {
        let Block::Code { language, text, .. } = block else { continue };
        let text = blocks.page.phrase(*text);
        match language.as_str() {
            "mermaid" if mermaid::is_diagram(text) => mermaid::read(text, &mut diagram, remarks),
            "plantuml" | "puml" | "uml" => plantuml::read(text, &mut diagram, remarks),
            "" if text.as_str().trim_start().starts_with("@startuml") => {
                plantuml::read(text, &mut diagram, remarks)
            }
            "" if mermaid::is_diagram(text) => mermaid::read(text, &mut diagram, remarks),
            _ => {}
        }
    }
    diagram
}

/// The lines of a diagram, trimmed, without empty ones.
fn lines(text: Phrase<'_>) -> impl Iterator<Item = Phrase<'_>> {
    text.as_str().lines().map(move |line| text.part(line).trim()).filter(|line| !line.is_empty())
}

/// A crow's foot between two names: `A ||--o{ B`. Both languages draw it alike.
struct CrowsFoot {
    /// Where the mark stands in the line.
    start: usize,
    end: usize,
    left_many: bool,
    right_many: bool,
    optional: bool,
}

/// Finds the crow's foot of a line, its shaft at least so long.
fn crows_foot(line: &str, shortest: usize) -> Option<CrowsFoot> {
    const LEFT: [(&str, bool); 4] = [("|o", false), ("||", false), ("}o", true), ("}|", true)];
    const RIGHT: [(&str, bool); 4] = [("o|", false), ("||", false), ("o{", true), ("|{", true)];
    for (start, _) in line.char_indices() {
        let rest = &line[start..];
        let Some((left, left_many)) = LEFT.iter().find(|(mark, _)| rest.starts_with(mark)) else { continue };
        let body = &rest[left.len()..];
        let shaft = body.find(|next: char| !matches!(next, '-' | '.')).unwrap_or(body.len());
        if shaft < shortest {
            continue;
        }
        let Some((right, right_many)) = RIGHT.iter().find(|(mark, _)| body[shaft..].starts_with(mark)) else {
            continue;
        };
        let end = start + left.len() + shaft + right.len();
        // One end tells how many parents each of many others has.
        let optional = *left == "|o" && *right_many || *right == "o|" && *left_many;
        return Some(CrowsFoot { start, end, left_many: *left_many, right_many: *right_many, optional });
    }
    None
}

/// The line's ends and label around a mark.
fn connect<'p>(line: Phrase<'p>, foot: &CrowsFoot) -> Option<Line<'p>> {
    let text = line.as_str();
    let left = unquoted(line.slice(0..foot.start));
    let (right, label) = label(line.slice(foot.end..text.len()));
    let right = unquoted(right);
    if left.is_empty() || right.is_empty() {
        return None;
    }
    let (left_many, right_many, optional) = (foot.left_many, foot.right_many, foot.optional);
    Some(Line { left, right, left_many, right_many, optional, label, words: line })
}

/// What follows a colon that stands in no quotes.
fn label(text: Phrase<'_>) -> (Phrase<'_>, Option<Phrase<'_>>) {
    let words = text.as_str();
    let mut quoted = false;
    for (at, next) in words.char_indices() {
        match next {
            '"' => quoted = !quoted,
            ':' if !quoted => {
                let label = unquoted(text.slice(at + 1..words.len()));
                return (text.slice(0..at).trim(), (!label.is_empty()).then_some(label));
            }
            _ => {}
        }
    }
    (text.trim(), None)
}

/// A name without quotes around it.
fn unquoted(text: Phrase<'_>) -> Phrase<'_> {
    text.trim_matches(&['"', '“', '”'])
}
