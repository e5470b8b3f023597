//! Did you mean: the known name that is nearest to an unknown one.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

/// Names longer than this, in characters, are not compared.
const LONGEST: usize = 64;

/// How many comparisons one set of names makes before it stops suggesting.
const BUDGET: u32 = 100_000;

/// Known names, of which the nearest to an unknown name can be found.
///
/// The cost is bounded for every document: long names are not compared, answers are cached, and after a
/// hundred thousand comparisons there are no more suggestions. The answers depend only on the names and the
/// sequence of questions.
///
/// ```
/// use keywright_finding::Suggestions;
///
/// let entities = Suggestions::new(["Order", "OrderItem", "Customer"]);
/// assert_eq!(entities.nearest("Costumer"), Some("Customer"));
/// assert_eq!(entities.nearest("order_item"), Some("OrderItem"));
/// assert_eq!(entities.nearest("Invoice"), None);
/// ```
#[derive(Debug)]
pub struct Suggestions<'n> {
    /// Sorted by folded form; of names with the same folded form, only the alphabetically first.
    names: Vec<(Folded, &'n str)>,
    budget: Cell<u32>,
    answers: RefCell<BTreeMap<String, Option<&'n str>>>,
}

/// A name in lower case without punctuation and plural ending, and its length in characters.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Folded {
    text: String,
    length: usize,
}

impl Folded {
    fn new(name: &str) -> Option<Self> {
        let mut text = String::new();
        let mut length = 0;
        for character in
            name.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase)
        {
            if length == LONGEST {
                return None;
            }
            text.push(character);
            length += 1;
        }
        if length > 3 && text.ends_with('s') {
            text.pop();
            length -= 1;
        }
        (length > 0).then_some(Self { text, length })
    }
}

impl<'n> Suggestions<'n> {
    /// Known names that may be suggested.
    #[must_use]
    pub fn new(names: impl IntoIterator<Item = &'n str>) -> Self {
        let names: BTreeSet<&str> = names.into_iter().collect();
        let mut names: Vec<_> =
            names.into_iter().filter_map(|name| Folded::new(name).map(|folded| (folded, name))).collect();
        names.sort();
        names.dedup_by(|later, earlier| later.0 == earlier.0);
        Self { names, budget: Cell::new(BUDGET), answers: RefCell::default() }
    }

    /// The known name that was probably meant, if one is near enough.
    #[must_use]
    pub fn nearest(&self, unknown: &str) -> Option<&'n str> {
        let folded = Folded::new(unknown)?;
        if let Ok(same) = self.names.binary_search_by(|(name, _)| name.cmp(&folded)) {
            return Some(self.names[same].1);
        }
        if let Some(answer) = self.answers.borrow().get(unknown) {
            return *answer;
        }
        let needed = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        self.budget.set(self.budget.get().checked_sub(needed)?);
        let answer = self.compare(&folded);
        self.answers.borrow_mut().insert(unknown.to_owned(), answer);
        answer
    }

    fn compare(&self, unknown: &Folded) -> Option<&'n str> {
        // Tolerate one typo in a short name, and one per three characters in a longer one.
        let tolerance = (unknown.length / 3).max(1);
        self.names
            .iter()
            .filter(|(name, _)| name.length.abs_diff(unknown.length) <= tolerance)
            .map(|(name, original)| (strsim::osa_distance(&name.text, &unknown.text), *original))
            .filter(|(distance, _)| *distance <= tolerance)
            .min_by_key(|(distance, _)| *distance)
            .map(|(_, original)| original)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_wins_and_equals_are_settled_by_the_alphabet() {
        let names = Suggestions::new(["userId", "usedId", "title"]);
        assert_eq!(names.nearest("usrId"), Some("userId"));
        assert_eq!(names.nearest("useId"), Some("usedId"));
        assert_eq!(names.nearest(""), None);
        assert_eq!(names.nearest(&"x".repeat(1_000_000)), None);
    }

    #[test]
    fn plural_and_case_are_no_distance() {
        let names = Suggestions::new(["Address", "Song"]);
        assert_eq!(names.nearest("songs"), Some("Song"));
        assert_eq!(names.nearest("ADDRESS"), Some("Address"));
    }

    #[test]
    fn many_questions_end_in_silence_not_in_quadratic_time() {
        let known: Vec<String> = (0..10_000).map(|n| format!("attribute{n}")).collect();
        let names = Suggestions::new(known.iter().map(String::as_str));
        let answered = (0..100_000).filter(|n| names.nearest(&format!("atribute{n}")).is_some()).count();
        assert!(answered >= 10, "{answered}");
        assert!(answered < 100_000, "{answered}");
    }
}
