//! Mermaid's `erDiagram`.

use crate::markdown::Phrase;
use crate::rules::MALFORMED_DIAGRAM;

use super::{CrowsFoot, Diagram, Drawn, DrawnAttribute, connect, crows_foot, lines, unquoted};
use crate::access_patterns::remarks::Remarks;

/// Whether a Mermaid text draws entities and not something else.
pub(super) fn is_diagram(text: Phrase<'_>) -> bool {
    let mut lines = lines(text).filter(|line| !line.as_str().starts_with("%%"));
    let mut first = lines.next();
    if first.is_some_and(|line| line.as_str() == "---") {
        // A front matter of its own.
        first = lines.find(|line| line.as_str() == "---").and_then(|_| lines.next());
    }
    first.is_some_and(|line| line.as_str().split_whitespace().next() == Some("erDiagram"))
}

/// Words that begin lines about how the diagram looks.
const LOOKS: [&str; 9] = [
    "erDiagram",
    "title",
    "accTitle",
    "accTitle:",
    "accDescr",
    "accDescr:",
    "direction",
    "classDef",
    "style",
];

/// What to write where an attribute can't be read.
const ATTRIBUTE: &str = "an attribute is a type, a name, and PK, FK or UK: `ulid orderId PK`";

/// Reads the lines of a diagram.
pub(super) fn read<'p>(text: Phrase<'p>, diagram: &mut Diagram<'p>, remarks: &mut Remarks) {
    let mut open: Option<Drawn<'p>> = None;
    let mut front_matter = false;
    for line in lines(text) {
        let words = line.as_str();
        if words == "---" {
            front_matter = !front_matter && open.is_none() && diagram.entities.is_empty();
            continue;
        }
        if front_matter || words.starts_with("%%") {
            continue;
        }
        if let Some(mut entity) = open.take() {
            if words.starts_with('}') {
                diagram.entities.push(entity);
                continue;
            }
            let (inner, closes) = match words.strip_suffix('}') {
                Some(inner) => (line.part(inner).trim(), true),
                None => (line, false),
            };
            match attribute(inner) {
                Some(attribute) => entity.attributes.push(attribute),
                None => malformed(line, ATTRIBUTE, remarks),
            }
            if closes {
                diagram.entities.push(entity);
            } else {
                open = Some(entity);
            }
            continue;
        }
        let first = words.split_whitespace().next().unwrap_or("");
        if LOOKS.contains(&first) || (first == "class" && !words.contains('{')) {
            continue;
        }
        if let Some(foot) = crows_foot(words, 2).or_else(|| in_words(words)) {
            match connect(line, &foot) {
                Some(mut drawn) => {
                    (drawn.left, _) = aliased(drawn.left);
                    (drawn.right, _) = aliased(drawn.right);
                    diagram.lines.push(drawn);
                }
                None => malformed(
                    line,
                    "a relationship joins two entities: `CUSTOMER ||--o{ ORDER : places`",
                    remarks,
                ),
            }
        } else if let Some(name) = words.strip_suffix('{') {
            let (name, alias) = aliased(unquoted(line.part(name)));
            open = Some(Drawn { name, alias, attributes: Vec::new() });
        } else if let Some((name, body)) = words.split_once('{').filter(|(name, _)| is_name(name)) {
            let (name, alias) = aliased(unquoted(line.part(name)));
            let closed = body.strip_suffix('}');
            let attributes = attributes(line.part(closed.unwrap_or(body)).trim()).unwrap_or_else(|| {
                malformed(line, ATTRIBUTE, remarks);
                Vec::new()
            });
            let entity = Drawn { name, alias, attributes };
            match closed {
                Some(_) => diagram.entities.push(entity),
                None => open = Some(entity),
            }
        } else if words.split_whitespace().count() == 1 || words.starts_with('"') {
            let (name, alias) = aliased(unquoted(line));
            diagram.entities.push(Drawn { name, alias, attributes: Vec::new() });
        } else {
            malformed(
                line,
                "write a relationship (`CUSTOMER ||--o{ ORDER : places`) or an entity with its attributes in braces",
                remarks,
            );
        }
    }
    if let Some(entity) = open {
        malformed(entity.name, "close the attributes of the entity with `}`", remarks);
        diagram.entities.push(entity);
    }
}

/// Whether words are the name of an entity, and not the beginning of a relationship that is drawn wrongly.
fn is_name(words: &str) -> bool {
    let words = words.trim();
    words.contains(['"', '[']) || words.split_whitespace().count() == 1
}

fn malformed(line: Phrase<'_>, help: &str, remarks: &mut Remarks) {
    remarks.say(&MALFORMED_DIAGRAM, line.span(), format!("`{}` can't be read", line.as_str()), help);
}

/// `p[Person]` and `p["Order Item"]`: what is shown is the name, what lines use is the alias.
fn aliased(name: Phrase<'_>) -> (Phrase<'_>, Option<Phrase<'_>>) {
    let text = name.as_str();
    match text.strip_suffix(']').and_then(|it| it.split_once('[')) {
        Some((alias, shown)) => (unquoted(name.part(shown)), Some(name.part(alias).trim())),
        None => (name, None),
    }
}

/// The attributes that stand on the line of their entity: `ulid orderId PK string note "free text" int lines`.
fn attributes(line: Phrase<'_>) -> Option<Vec<DrawnAttribute<'_>>> {
    let mut found = Vec::new();
    let mut rest = line;
    while !rest.is_empty() {
        let end = attribute_end(rest.as_str());
        found.push(attribute(rest.slice(0..end).trim())?);
        rest = rest.slice(end..rest.as_str().len()).trim();
    }
    Some(found)
}

/// Where the first of several attributes ends: behind its type, its name, its keys and what is told of it.
fn attribute_end(text: &str) -> usize {
    let mut end = text.len();
    for (at, word) in text.split_whitespace().enumerate() {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        if word.starts_with('"') {
            let closing = text[start + 1..].find('"');
            return closing.map_or(text.len(), |closing| start + closing + 2);
        }
        if at >= 2 && !word.split(',').all(is_key) {
            return start;
        }
        end = start + word.len();
    }
    end
}

fn is_key(word: &str) -> bool {
    word.is_empty() || ["PK", "FK", "UK"].iter().any(|key| word.eq_ignore_ascii_case(key))
}

/// `string title`, `ulid orderId PK`, `string email UK "the address"`, `ulid orderId PK, FK`.
fn attribute(line: Phrase<'_>) -> Option<DrawnAttribute<'_>> {
    let (body, comment) = match line.as_str().split_once('"') {
        Some((body, comment)) => (line.part(body).trim(), Some(unquoted(line.part(comment)))),
        None => (line, None),
    };
    let mut words = body.words();
    let ty = words.next()?;
    let name = words.next()?.trim_matches(&[',', '*']);
    let keys: Vec<&str> = words.flat_map(|word| word.as_str().split(',')).collect();
    if name.is_empty() || !keys.iter().all(|key| is_key(key)) {
        return None;
    }
    let has = |wanted: &str| keys.iter().any(|key| key.eq_ignore_ascii_case(wanted));
    let starred = body.words().nth(1).is_some_and(|word| word.as_str().starts_with('*'));
    Some(DrawnAttribute {
        name,
        ty: Some(ty),
        identifies: has("PK") || starred,
        unique: has("UK"),
        refers: has("FK"),
        comment,
    })
}

/// Mermaid's cardinalities in words: `CUSTOMER only one to zero or more ORDER : places`.
fn in_words(line: &str) -> Option<CrowsFoot> {
    const ONE: [&str; 6] = ["only one", "exactly one", "zero or one", "one or zero", "one", "1"];
    const MANY: [&str; 9] = [
        "zero or more",
        "zero or many",
        "one or more",
        "one or many",
        "many(0)",
        "many(1)",
        "many",
        "0+",
        "1+",
    ];
    let find_end = |text: &str| {
        let cardinalities = MANY.iter().map(|it| (*it, true)).chain(ONE.iter().map(|it| (*it, false)));
        cardinalities
            .filter(|(words, _)| text.ends_with(&format!(" {words}")))
            .max_by_key(|(words, _)| words.len())
    };
    let find_start = |text: &str| {
        let cardinalities = MANY.iter().map(|it| (*it, true)).chain(ONE.iter().map(|it| (*it, false)));
        cardinalities
            .filter(|(words, _)| text.starts_with(&format!("{words} ")))
            .max_by_key(|(words, _)| words.len())
    };
    for joint in [" optionally to ", " to "] {
        let Some(at) = line.find(joint) else { continue };
        let (left, right) = (&line[..at], &line[at + joint.len()..]);
        if let (Some((left_words, left_many)), Some((right_words, right_many))) =
            (find_end(left), find_start(right))
        {
            let end = line.len() - right.len() + right_words.len();
            return Some(CrowsFoot {
                start: at - left_words.len(),
                end,
                left_many,
                right_many,
                optional: false,
            });
        }
    }
    None
}
