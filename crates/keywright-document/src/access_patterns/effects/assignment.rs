//! What an attribute becomes: `SET status = DELIVERED`, `status: SHIPPED`, `SET status to SHIPPED`.

use super::Context;
use crate::access_patterns::names::{fold, tokens};
use crate::markdown::Phrase;

/// A value that the cell of items gives to an attribute.
#[derive(Clone, Debug)]
pub(in crate::access_patterns) struct Assignment<'p> {
    pub(in crate::access_patterns) entity: usize,
    pub(in crate::access_patterns) attribute: String,
    /// The words for the value: fixed, or the name of an input.
    pub(in crate::access_patterns) value: Phrase<'p>,
}

/// Signs and words between an attribute and what it becomes.
const BECOMES: &[&str] = &[":=", "==", "=", "->", "→", "=>", " to ", " becomes ", " as ", ":"];

/// The assignment that a clause makes; none where it names no attribute, or only moves a number.
pub(super) fn assignment<'p>(
    clause: Phrase<'p>,
    entity: usize,
    context: &Context<'_, '_>,
) -> Option<Assignment<'p>> {
    let text = clause.as_str();
    let (at, sign) =
        BECOMES.iter().filter_map(|sign| Some((text.find(sign)?, *sign))).min_by_key(|it| it.0)?;
    let (before, after) = (&text[..at], &text[at + sign.len()..]);
    // `count += 1` adds.
    if before.ends_with(['+', '-']) {
        return None;
    }
    let named = tokens(clause.part(before)).last()?;
    let name = named.as_str().rsplit('.').next().unwrap_or(named.as_str());
    let attribute = context.domain.attribute(entity, name)?;
    let value = clause.part(after).trim_matches(&['"', '\'', '“', '”', '`', '<', '>', '{', '}', ':']);
    // `count = count + 1` adds too.
    let adds = tokens(value).next().is_some_and(|first| fold(first.as_str()) == fold(name))
        && value.as_str().contains(['+', '-', '−']);
    if value.is_empty() || adds {
        return None;
    }
    Some(Assignment { entity, attribute: attribute.name.clone(), value })
}
