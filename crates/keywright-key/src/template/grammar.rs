//! The grammar of templates: literals, `<name:encoding>`, `{name:encoding}` and `\<name:encoding\>`.

use std::ops::Range;

use super::{Guard, Placeholder, Segment};
use crate::{Encoding, TemplateError, TemplateFault};

/// The segments of a template's text, each with its byte range. Ends after the first error.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = Result<(Range<usize>, Segment), TemplateError>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        if at >= text.len() {
            return None;
        }
        let rest = &text[at..];
        let start = at;
        let piece = match opening(rest) {
            Some(opening) => placeholder(text, start, opening),
            None => literal(text, start),
        };
        // After an error the rest is skipped.
        at = piece.as_ref().map_or(text.len(), |(span, _)| span.end);
        Some(piece)
    })
}

/// The length of the opening bracket, and the matching closing bracket.
fn opening(rest: &str) -> Option<(usize, &'static str)> {
    [("<", ">"), ("{", "}"), ("\\<", "\\>"), ("\\{", "\\}")]
        .iter()
        .find(|(open, _)| rest.starts_with(open))
        .map(|(open, close)| (open.len(), *close))
}

fn placeholder(
    text: &str,
    start: usize,
    (open, close): (usize, &str),
) -> Result<(Range<usize>, Segment), TemplateError> {
    let inner = start + open;
    let fault = |span: Range<usize>, fault| Err(TemplateError::new(text, span, fault));
    let Some(length) = text[inner..].find(close) else {
        return fault(start..text.len(), TemplateFault::NotClosed);
    };
    let span = start..inner + length + close.len();
    let (name, encoding) = match text[inner..inner + length].split_once(':') {
        Some((name, encoding)) => (name, Some(encoding)),
        None => (&text[inner..inner + length], None),
    };
    let trimmed = name.trim();
    if trimmed.is_empty() {
        return fault(span, TemplateFault::NoName);
    }
    if trimmed.contains(|c: char| c.is_control() || "<>{}\\#".contains(c)) {
        return fault(inner..inner + name.len(), TemplateFault::Name);
    }
    let encoding = match encoding {
        None => Encoding::Text,
        Some(encoding) => {
            let at = inner + name.len() + 1;
            match Encoding::parse(encoding.trim()) {
                Ok(encoding) => encoding,
                // An empty encoding has no span of its own, so the whole placeholder is marked.
                Err(error) if encoding.is_empty() => return fault(span, error.fault().clone()),
                Err(error) => return fault(at..at + encoding.len(), error.fault().clone()),
            }
        }
    };
    // The guard and the slot depend on the whole template and are set later.
    let place = Placeholder { name: trimmed.to_owned(), encoding, guard: Guard::End, slot: 0 };
    Ok((span, Segment::Placeholder(place)))
}

fn literal(text: &str, start: usize) -> Result<(Range<usize>, Segment), TemplateError> {
    let rest = &text[start..];
    let end = rest
        .char_indices()
        .map(|(at, _)| at)
        .find(|at| opening(&rest[*at..]).is_some() || rest[*at..].starts_with(['>', '}']))
        .unwrap_or(rest.len());
    if rest[end..].starts_with(['>', '}']) {
        return Err(TemplateError::new(text, start + end..start + end + 1, TemplateFault::NotOpened));
    }
    Ok((start..start + end, Segment::Literal(rest[..end].to_owned())))
}
