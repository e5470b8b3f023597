//! The parts of a template's text, as code generation needs them.

/// A part of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part<'a> {
    /// Text that is the same in every key.
    Literal(&'a str),
    /// A placeholder.
    Value {
        /// The name: an attribute, an input, or `1.username`.
        name: &'a str,
        /// The encoding after the colon; empty where there is none.
        encoding: &'a str,
    },
}

/// The parts of a template in the notation `ORDER#<placedAt:iso>#<orderId>`.
///
/// ```
/// use keywright_generate::plan::{Part, parts};
/// let parts = parts("ORDER#<placedAt:iso>$");
/// assert_eq!(parts[1], Part::Value { name: "placedAt", encoding: "iso" });
/// assert_eq!(parts[2], Part::Literal("$"));
/// ```
pub fn parts(template: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut rest = template;
    while let Some((before, open)) = rest.split_once('<') {
        let Some((inside, after)) = open.split_once('>') else { break };
        if !before.is_empty() {
            parts.push(Part::Literal(before));
        }
        let (name, encoding) = inside.split_once(':').unwrap_or((inside, ""));
        parts.push(Part::Value { name, encoding });
        rest = after;
    }
    if !rest.is_empty() {
        parts.push(Part::Literal(rest));
    }
    parts
}
