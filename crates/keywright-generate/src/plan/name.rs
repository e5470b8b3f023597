//! Names as lists of words, so that every language can write them in its own case.

use std::fmt;

use unicode_ident::{is_xid_continue, is_xid_start};

/// A name from the document, split into lower-case words: `orderId`, `order_id` and `Order ID` are the same.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name {
    words: Vec<String>,
}

impl Name {
    /// Splits a text into words, at characters that can't be in an identifier and where the case changes.
    ///
    /// ```
    /// use keywright_generate::plan::Name;
    /// assert_eq!(Name::new("HTTPServer2Id").snake(), "http_server2_id");
    /// assert_eq!(Name::new("location.country").camel(), "locationCountry");
    /// ```
    pub fn new(text: &str) -> Self {
        let characters: Vec<char> = text.chars().collect();
        let mut words: Vec<String> = Vec::new();
        let mut word = String::new();
        for (at, &character) in characters.iter().enumerate() {
            if !(character.is_alphanumeric() && is_xid_continue(character)) {
                words.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
                continue;
            }
            let before = at.checked_sub(1).map(|before| characters[before]);
            let after = characters.get(at + 1);
            // `orderId` is split before the I, `HTTPServer` before the S.
            let starts = character.is_uppercase()
                && (before.is_some_and(|it| it.is_lowercase() || it.is_numeric())
                    || before.is_some_and(char::is_uppercase) && after.is_some_and(|it| it.is_lowercase()));
            if starts {
                words.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
            }
            word.extend(character.to_lowercase());
        }
        words.extend((!word.is_empty()).then_some(word));
        Name::of_words(words)
    }

    /// Joins a word that starts with a digit to the one before it: in camel case the border between them
    /// would vanish.
    fn of_words(words: impl IntoIterator<Item = String>) -> Self {
        let mut joined: Vec<String> = Vec::new();
        for word in words {
            match joined.last_mut() {
                Some(last) if word.starts_with(char::is_numeric) => last.push_str(&word),
                _ => joined.push(word),
            }
        }
        Name { words: joined }
    }

    /// The words of several names, one after the other.
    pub fn joined<'a>(names: impl IntoIterator<Item = &'a Name>) -> Self {
        Name::of_words(names.into_iter().flat_map(|name| name.words.clone()))
    }

    /// Whether it can be an identifier: it has words and does not start with a digit.
    pub fn is_identifier(&self) -> bool {
        self.words.first().is_some_and(|word| word.starts_with(is_xid_start))
    }

    /// The name without non-ASCII characters, for packages, modules and resources.
    #[must_use]
    pub fn ascii(&self) -> Self {
        let plain = |word: &String| word.chars().filter(char::is_ascii).collect::<String>();
        Name::of_words(self.words.iter().map(plain).filter(|word| !word.is_empty()))
    }

    /// Whether the two names are the same in some case: letters without upper and lower case show no word
    /// borders.
    pub fn reads_as(&self, other: &Name) -> bool {
        self == other || self.camel() == other.camel() || self.pascal() == other.pascal()
    }

    /// The name with a word in front of it.
    #[must_use]
    pub fn prefixed(&self, word: &str) -> Self {
        Name::joined([&Name::new(word), self])
    }

    /// The name with a word after it.
    #[must_use]
    pub fn suffixed(&self, word: &str) -> Self {
        Name::joined([self, &Name::new(word)])
    }

    /// The name with its last word in the plural.
    #[must_use]
    pub fn plural(&self) -> Self {
        let mut words = self.words.clone();
        if let Some(last) = words.last_mut() {
            *last = plural(last);
        }
        Name { words }
    }

    /// `orderId`
    pub fn camel(&self) -> String {
        let mut text = String::new();
        for (at, word) in self.words.iter().enumerate() {
            if at == 0 { text.push_str(word) } else { text.push_str(&capital(word)) }
        }
        text
    }

    /// `OrderId`
    pub fn pascal(&self) -> String {
        self.words.iter().map(|word| capital(word)).collect()
    }

    /// `order_id`
    pub fn snake(&self) -> String {
        self.words.join("_")
    }

    /// `ORDER_ID`
    pub fn screaming(&self) -> String {
        self.snake().to_uppercase()
    }

    /// `order-id`
    pub fn kebab(&self) -> String {
        self.words.join("-")
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.camel())
    }
}

fn capital(word: &str) -> String {
    let mut characters = word.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

fn plural(word: &str) -> String {
    let consonant_before_last =
        word.chars().rev().nth(1).is_some_and(|it| !matches!(it, 'a' | 'e' | 'i' | 'o' | 'u'));
    if let Some(stem) = word.strip_suffix('y').filter(|_| consonant_before_last) {
        format!("{stem}ies")
    } else if ["s", "x", "z", "ch", "sh"].iter().any(|end| word.ends_with(end)) {
        format!("{word}es")
    } else {
        format!("{word}s")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut_where_people_see_words() {
        for (text, snake) in [
            ("orderId", "order_id"),
            ("ORDER_ID", "order_id"),
            ("GSI1PK", "gsi1_pk"),
            ("user-profile", "user_profile"),
            ("a 1", "a1"),
            ("straßeÖl", "straße_öl"),
            ("⚡", ""),
            ("m²", "m"),
            ("日本", "日本"),
        ] {
            assert_eq!(Name::new(text).snake(), snake, "{text}");
        }
    }

    #[test]
    fn different_words_stay_different_in_camel_case() {
        assert_eq!(Name::new("a_1"), Name::new("a1"));
        assert_ne!(Name::new("ab_c").camel(), Name::new("a_bc").camel());
    }

    #[test]
    fn words_without_case_have_no_border() {
        assert!(Name::new("日本 語").reads_as(&Name::new("日本語")));
        assert!(!Name::new("日本").reads_as(&Name::new("日本語")));
        assert_eq!(Name::new("Größe 日本 2").ascii().snake(), "gre2");
    }

    #[test]
    fn plurals() {
        let plural = |text| Name::new(text).plural().pascal();
        assert_eq!(plural("OrderItem"), "OrderItems");
        assert_eq!(plural("Category"), "Categories");
        assert_eq!(plural("Day"), "Days");
        assert_eq!(plural("Address"), "Addresses");
        assert_eq!(plural("Branch"), "Branches");
    }
}
