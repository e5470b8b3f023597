//! PlantUML's entity diagrams.

use crate::markdown::Phrase;
use crate::rules::MALFORMED_DIAGRAM;

use super::{CrowsFoot, Diagram, Drawn, DrawnAttribute, connect, crows_foot, lines, unquoted};
use crate::access_patterns::remarks::Remarks;

/// Words that begin lines about how the diagram looks.
const LOOKS: [&str; 22] = [
    "@startuml",
    "@enduml",
    "title",
    "skinparam",
    "hide",
    "show",
    "left",
    "top",
    "scale",
    "header",
    "footer",
    "caption",
    "legend",
    "endlegend",
    "note",
    "end",
    "together",
    "!include",
    "!define",
    "!theme",
    "@startchen",
    "@endchen",
];

/// Reads the lines of a diagram.
pub(super) fn read<'p>(text: Phrase<'p>, diagram: &mut Diagram<'p>, remarks: &mut Remarks) {
    let mut open: Option<Drawn<'p>> = None;
    // Notes and comments go over several lines.
    let mut skipping: Option<&str> = None;
    for line in lines(text) {
        let words = line.as_str();
        if let Some(end) = skipping {
            if words.starts_with(end) || words.ends_with(end) {
                skipping = None;
            }
            continue;
        }
        if words.starts_with('\'') {
            continue;
        }
        if words.starts_with("/'") {
            skipping = (!words.ends_with("'/")).then_some("'/");
            continue;
        }
        if let Some(mut entity) = open.take() {
            if words.starts_with('}') {
                diagram.entities.push(entity);
                continue;
            }
            if !is_separator(words) {
                match attribute(line) {
                    Some(attribute) => entity.attributes.push(attribute),
                    None => malformed(
                        line,
                        "an attribute is a name and a type: `* orderId : ulid <<PK>>`",
                        remarks,
                    ),
                }
            } else if !entity.attributes.is_empty() {
                // What stands above the first separator identifies the entity, where nothing else says so.
                let stated = entity.attributes.iter().any(|it| it.identifies);
                if !stated && words.chars().all(|next| next == '-') {
                    entity.attributes.iter_mut().for_each(|it| it.identifies = true);
                }
            }
            open = Some(entity);
            continue;
        }
        let first = words.split_whitespace().next().unwrap_or("");
        match first {
            "note" if !words.contains(':') => {
                skipping = Some("end note");
                continue;
            }
            "entity" | "class" | "table" | "object" => {
                let rest = line.part(&words[first.len()..]).trim();
                let (rest, opens) = match rest.as_str().strip_suffix('{') {
                    Some(rest_words) => (rest.part(rest_words).trim(), true),
                    None => (rest, false),
                };
                let (name, alias) = named(rest);
                let entity = Drawn { name, alias, attributes: Vec::new() };
                if name.is_empty() {
                    malformed(line, "an entity needs a name: `entity Order {`", remarks);
                } else if opens {
                    open = Some(entity);
                } else {
                    diagram.entities.push(entity);
                }
                continue;
            }
            _ => {}
        }
        if words.starts_with('}') {
            // The end of a package or of settings.
            continue;
        }
        if LOOKS.contains(&first) || first.starts_with('!') {
            continue;
        }
        if let Some(foot) = crows_foot(words, 1) {
            match connect(line, &foot) {
                Some(drawn) => diagram.lines.push(drawn),
                None => malformed(
                    line,
                    "a relationship joins two entities: `Customer ||--o{ Order : places`",
                    remarks,
                ),
            }
        } else if let Some(drawn) = multiplicities(line) {
            diagram.lines.push(drawn);
        } else if !words.ends_with('{') {
            // Else a package or a rectangle around entities.
            malformed(
                line,
                "write a relationship (`Customer ||--o{ Order : places`) or `entity Order {`",
                remarks,
            );
        }
    }
    if let Some(entity) = open {
        malformed(entity.name, "close the attributes of the entity with `}`", remarks);
        diagram.entities.push(entity);
    }
}

fn malformed(line: Phrase<'_>, help: &str, remarks: &mut Remarks) {
    remarks.say(&MALFORMED_DIAGRAM, line.span(), format!("`{}` can't be read", line.as_str()), help);
}

fn is_separator(words: &str) -> bool {
    words.len() >= 2 && words.chars().all(|next| matches!(next, '-' | '=' | '_' | '.'))
}

/// `Order`, `"Order Item" as OrderItem`, `OrderItem as "Order Item"`, `Order <<aggregate>>`.
fn named(rest: Phrase<'_>) -> (Phrase<'_>, Option<Phrase<'_>>) {
    let text = rest.as_str();
    let text = text.find("<<").map_or(text, |at| &text[..at]).trim();
    match text.split_once(" as ") {
        Some((first, second)) => (unquoted(rest.part(first)), Some(unquoted(rest.part(second)))),
        None => (unquoted(rest.part(text)), None),
    }
}

/// `* orderId : ulid <<PK>>`, `+ email : string <<UK>>`, `name : string`, `note`.
fn attribute(line: Phrase<'_>) -> Option<DrawnAttribute<'_>> {
    let text = line.as_str();
    let marked = text.find("<<").map_or("", |at| &text[at..]).to_ascii_uppercase();
    let body = text.find("<<").map_or(text, |at| &text[..at]).trim();
    let bare = body.trim_start_matches(['*', '+', '#', '-', '~', ' ']);
    let (name, ty) = match bare.split_once(':') {
        Some((name, ty)) => (line.part(name).trim(), Some(line.part(ty).trim())),
        None => (line.part(bare).trim(), None),
    };
    if name.is_empty() || name.as_str().contains(char::is_whitespace) {
        return None;
    }
    Some(DrawnAttribute {
        name,
        ty: ty.filter(|ty| !ty.is_empty()),
        identifies: marked.contains("PK")
            || marked.contains("KEY") && !marked.contains("FOREIGN")
            || marked.contains("GENERATED"),
        unique: marked.contains("UK") || marked.contains("UNIQUE"),
        refers: marked.contains("FK"),
        comment: None,
    })
}

/// `Customer "1" -- "0..*" Order : places`.
fn multiplicities(line: Phrase<'_>) -> Option<super::Line<'_>> {
    let text = line.as_str();
    let first = text.find('"')?;
    let first_end = first + 1 + text[first + 1..].find('"')?;
    let shaft = &text[first_end + 1..];
    let second = first_end + 1 + shaft.find('"')?;
    let second_end = second + 1 + text[second + 1..].find('"')?;
    let arrow = text[first_end + 1..second].trim();
    if arrow.is_empty() || !arrow.chars().all(|next| matches!(next, '-' | '.' | '<' | '>' | 'o' | '*' | '|'))
    {
        return None;
    }
    let many = |text: &str| {
        text.contains('*')
            || text.contains('n')
            || text.contains('N')
            || text.contains("..") && !text.ends_with('1')
    };
    let foot = CrowsFoot {
        optional: false,
        start: first,
        end: second_end + 1,
        left_many: many(&text[first + 1..first_end]),
        right_many: many(&text[second + 1..second_end]),
    };
    connect(line, &foot)
}
