//! All rules of a program, collected from the crates that declare them.

use crate::{Rule, Suggestions};

/// All rules of a program, ordered by group and name.
#[derive(Clone, Debug)]
pub struct Catalogue(Vec<&'static Rule>);

impl Catalogue {
    /// Joins lists of rules. This crate's own rules, about allow comments, belong to every catalogue.
    ///
    /// # Panics
    /// If two rules share a name: an allow comment could not say which one it means.
    #[must_use]
    pub fn new(lists: &[&[&'static Rule]]) -> Self {
        let mut rules: Vec<&'static Rule> =
            crate::RULES.iter().chain(lists.iter().copied().flatten()).copied().collect();
        rules.sort_by_key(|rule| (rule.group(), rule.name()));
        let mut names: Vec<&str> = rules.iter().map(|rule| rule.name()).collect();
        names.sort_unstable();
        for pair in names.windows(2) {
            assert!(pair[0] != pair[1], "two rules are named {}", pair[0]);
        }
        Self(rules)
    }

    /// The rule with this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&'static Rule> {
        self.0.iter().copied().find(|rule| rule.name() == name)
    }

    /// The names of all rules, to suggest one for a misspelled name.
    #[must_use]
    pub fn names(&self) -> Suggestions<'static> {
        Suggestions::new(self.0.iter().map(|rule| rule.name()))
    }

    /// All rules.
    pub fn iter(&self) -> impl Iterator<Item = &'static Rule> {
        self.0.iter().copied()
    }
}
