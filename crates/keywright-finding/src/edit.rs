//! Changes to a document that a program can make.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::Span;

/// One change: replaces the bytes of a span. An empty span inserts, an empty replacement removes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Edit {
    /// The bytes to replace.
    pub span: Span,
    /// The new text.
    pub replacement: String,
}

impl Edit {
    /// Puts other text in place of a span.
    #[must_use]
    pub fn replace(span: Span, replacement: impl Into<String>) -> Self {
        Self { span, replacement: replacement.into() }
    }

    /// Puts text before an offset.
    #[must_use]
    pub fn insert(offset: u32, text: impl Into<String>) -> Self {
        Self::replace(Span::at(offset), text)
    }

    /// Removes a span.
    #[must_use]
    pub fn remove(span: Span) -> Self {
        Self::replace(span, "")
    }
}

/// Edits that together resolve a finding, all in the finding's document.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Fix {
    /// The effect of the edits, in one sentence.
    pub message: String,
    /// The edits.
    pub edits: Vec<Edit>,
}

impl Fix {
    /// A fix of one or several edits.
    #[must_use]
    pub fn new(message: impl Into<String>, edits: impl Into<Vec<Edit>>) -> Self {
        Self { message: message.into(), edits: edits.into() }
    }
}

/// Why edits can't be applied to a text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EditError {
    /// Two edits change the same bytes, or insert different texts at the same place.
    #[error("the edits at bytes {}..{} and {}..{} overlap", .0.start, .0.end, .1.start, .1.end)]
    Overlap(Span, Span),
    /// An edit is outside the text or splits a character.
    #[error("the edit at bytes {}..{} is not on characters of the text", .0.start, .0.end)]
    Outside(Span),
}

/// Edits that can be applied together: sorted, without duplicates or overlaps.
///
/// ```
/// use keywright_finding::{Edit, Edits, Span};
///
/// let edits = Edits::new([Edit::insert(6, "s"), Edit::replace(Span::new(2, 3), "O")]).unwrap();
/// assert_eq!(edits.apply("- order").unwrap(), "- Ordesr");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edits(Vec<Edit>);

impl Edits {
    /// Sorts edits and removes duplicates.
    ///
    /// # Errors
    /// If two edits overlap.
    pub fn new(edits: impl IntoIterator<Item = Edit>) -> Result<Self, EditError> {
        let mut edits: Vec<Edit> = edits.into_iter().collect();
        edits.sort();
        edits.dedup();
        for pair in edits.windows(2) {
            let (left, right) = (pair[0].span, pair[1].span);
            // The edits are sorted by start, so the first overlap is between neighbours.
            if right.start < left.end || left == right {
                return Err(EditError::Overlap(left, right));
            }
        }
        Ok(Self(edits))
    }

    /// Takes as many whole fixes as fit together, earlier ones first, and returns how many were left out.
    #[must_use]
    pub fn of_fixes<'f>(fixes: impl IntoIterator<Item = &'f Fix>) -> (Self, usize) {
        let mut taken: std::collections::BTreeSet<Edit> = std::collections::BTreeSet::new();
        let mut left_out = 0;
        for fix in fixes {
            let collides = |edit: &Edit| !taken.contains(edit) && Self::collides(&taken, edit);
            if fix.edits.iter().any(collides) || Self::new(fix.edits.iter().cloned()).is_err() {
                left_out += 1;
            } else {
                taken.extend(fix.edits.iter().cloned());
            }
        }
        (Self(taken.into_iter().collect()), left_out)
    }

    /// Whether an edit overlaps one of `taken`, whose members don't overlap each other.
    fn collides(taken: &std::collections::BTreeSet<Edit>, edit: &Edit) -> bool {
        let clash = |other: &Edit| {
            let (left, right) =
                if other.span <= edit.span { (other.span, edit.span) } else { (edit.span, other.span) };
            right.start < left.end || left == right
        };
        // The members are disjoint, so besides those with the same start only the nearest on each side can
        // overlap.
        let probe = Edit { span: Span::at(edit.span.start), replacement: String::new() };
        taken.range(..&probe).next_back().is_some_and(clash)
            || taken.range(&probe..).take_while(|other| other.span.start <= edit.span.end).any(clash)
    }

    /// Whether there is nothing to change.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The edits in the order of the text.
    #[must_use]
    pub fn as_slice(&self) -> &[Edit] {
        &self.0
    }

    /// Applies all edits to the text; all other bytes stay unchanged.
    ///
    /// # Errors
    /// If an edit is outside the text or splits a character.
    pub fn apply(&self, text: &str) -> Result<String, EditError> {
        let mut result = String::with_capacity(text.len());
        let mut done = 0;
        for Edit { span, replacement } in &self.0 {
            let range = span.range();
            let kept = text.get(done..range.start).ok_or(EditError::Outside(*span))?;
            if !text.is_char_boundary(range.end) {
                return Err(EditError::Outside(*span));
            }
            result.push_str(kept);
            result.push_str(replacement);
            done = range.end;
        }
        result.push_str(&text[done..]);
        Ok(result)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn overlapping_edits_are_refused() {
        let overlap = Edits::new([Edit::replace(Span::new(0, 4), "a"), Edit::remove(Span::new(3, 5))]);
        assert_eq!(overlap, Err(EditError::Overlap(Span::new(0, 4), Span::new(3, 5))));
        let same_place = Edits::new([Edit::insert(3, "a"), Edit::insert(3, "b")]);
        assert!(matches!(same_place, Err(EditError::Overlap(..))));
    }

    #[test]
    fn equal_edits_are_one() {
        let edits = Edits::new([Edit::insert(1, "x"), Edit::insert(1, "x")]).unwrap();
        assert_eq!(edits.apply("ab").unwrap(), "axb");
    }

    #[test]
    fn edits_outside_the_text_are_refused() {
        let outside = Edits::new([Edit::remove(Span::new(1, 9))]).unwrap();
        assert_eq!(outside.apply("ab"), Err(EditError::Outside(Span::new(1, 9))));
        let inside_a_character = Edits::new([Edit::insert(1, "x")]).unwrap();
        assert_eq!(inside_a_character.apply("é"), Err(EditError::Outside(Span::at(1))));
    }

    #[test]
    fn a_fix_is_taken_whole_or_not_at_all() {
        let first = Fix::new("pad", [Edit::replace(Span::new(0, 2), "x")]);
        let clashing = Fix::new("rename", [Edit::insert(5, "y"), Edit::remove(Span::new(1, 3))]);
        let (edits, left_out) = Edits::of_fixes([&first, &clashing]);
        assert_eq!((edits.apply("abcdef").unwrap().as_str(), left_out), ("xcdef", 1));
    }

    fn edit() -> impl Strategy<Value = Edit> {
        (0u32..20, 0u32..4, "[ab]?")
            .prop_map(|(start, len, text)| Edit::replace(Span::new(start, start + len), text))
    }

    proptest! {
        #[test]
        fn fixes_taken_together_never_overlap(fixes in prop::collection::vec(prop::collection::vec(edit(), 1..3), 0..12)) {
            let fixes: Vec<Fix> = fixes.into_iter().map(|edits| Fix::new("", edits)).collect();
            let (edits, left_out) = Edits::of_fixes(&fixes);
            prop_assert!(Edits::new(edits.as_slice().iter().cloned()).is_ok());
            prop_assert!(left_out < fixes.len() || fixes.iter().all(|fix| Edits::new(fix.edits.clone()).is_err()));
        }
    }
}
