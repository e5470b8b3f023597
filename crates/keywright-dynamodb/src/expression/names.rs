//! How attribute names and quoted texts are written in an expression.

use std::collections::BTreeMap;

use super::Path;
use crate::reserved::is_reserved;

/// Decides how attribute names are written, and collects the `ExpressionAttributeNames` for them.
#[derive(Clone, Debug)]
pub struct Names {
    alias: Alias,
    given: BTreeMap<String, String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Alias {
    Never,
    Always,
    WhereNeeded,
}

impl Names {
    /// Writes names unchanged: for prose.
    pub fn plain() -> Self {
        Names { alias: Alias::Never, given: BTreeMap::new() }
    }

    /// Writes every name as an alias `#n0`, `#n1`, …: for requests, since DynamoDB refuses reserved words.
    pub fn aliased() -> Self {
        Names { alias: Alias::Always, given: BTreeMap::new() }
    }

    /// Writes names unchanged, with a `#` before reserved words, and quoted where they hold characters that
    /// no word has: for documents that are parsed again.
    ///
    /// ```
    /// use keywright_dynamodb::expression::Names;
    /// assert_eq!(Names::documented().path("order.status"), "#order.#status");
    /// assert_eq!(Names::documented().path("first-name"), "#\"first-name\"");
    /// ```
    pub fn documented() -> Self {
        Names { alias: Alias::WhereNeeded, given: BTreeMap::new() }
    }

    /// The path as it is written.
    pub fn path(&mut self, path: &str) -> String {
        if self.alias == Alias::Never {
            return path.to_owned();
        }
        let parts: Vec<String> = path
            .split('.')
            .map(|part| {
                let (name, subscript) = split_subscript(part);
                match self.alias {
                    Alias::Never => part.to_owned(),
                    Alias::WhereNeeded => format!("{}{subscript}", documented(name)),
                    Alias::Always => {
                        let next = self.given.len();
                        let alias = self.given.entry(name.to_owned()).or_insert_with(|| format!("#n{next}"));
                        format!("{alias}{subscript}")
                    }
                }
            })
            .collect();
        parts.join(".")
    }

    /// A projection expression of several paths.
    pub fn projection(&mut self, paths: &[Path]) -> String {
        let paths: Vec<String> = paths.iter().map(|path| self.path(path)).collect();
        paths.join(", ")
    }

    /// The aliases used so far, as `ExpressionAttributeNames` takes them: alias to name.
    pub fn aliases(&self) -> BTreeMap<String, String> {
        self.given.iter().map(|(name, alias)| (alias.clone(), name.clone())).collect()
    }
}

/// Splits a part of a path into the name and its subscripts.
fn split_subscript(part: &str) -> (&str, &str) {
    let at = part.find('[').unwrap_or(part.len());
    let (name, subscript) = part.split_at(at);
    let well_formed = subscript.is_empty()
        || subscript.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).is_some_and(|inner| {
            inner
                .split("][")
                .all(|index| !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit()))
        });
    if well_formed { (name, subscript) } else { (part, "") }
}

fn documented(name: &str) -> String {
    if name.is_empty() || !name.chars().all(super::parse::is_word) {
        format!("#{}", quoted(name, '"'))
    } else if is_reserved(name) || name.starts_with(|first: char| first.is_numeric()) {
        format!("#{name}")
    } else {
        name.to_owned()
    }
}

/// Quotes a text so that [`parse`](super::parse) reads it back. The result holds no line break, backquote or
/// bar, so that it can stand in a code span of a Markdown table.
///
/// ```
/// use keywright_dynamodb::expression::quoted;
/// assert_eq!(quoted("it's a|b", '\''), r"'it\'s a\u{7c}b'");
/// ```
pub fn quoted(text: &str, quote: char) -> String {
    let mut result = String::from(quote);
    for character in text.chars() {
        match character {
            '\\' => result.push_str(r"\\"),
            _ if character == quote => result.extend(['\\', character]),
            '|' | '`' => result.extend(character.escape_unicode()),
            _ if character.is_control() || (character.is_whitespace() && character != ' ') => {
                result.extend(character.escape_unicode());
            }
            _ => result.push(character),
        }
    }
    result.push(quote);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aliases_are_given_per_path_part() {
        let mut names = Names::aliased();
        assert_eq!(names.path("location.country"), "#n0.#n1");
        assert_eq!(names.path("lines[0].country"), "#n2[0].#n1");
        assert_eq!(names.aliases()["#n1"], "country");
    }

    #[test]
    fn documented_names_escape_what_could_be_read_otherwise() {
        let mut names = Names::documented();
        assert_eq!(names.path("orderId"), "orderId");
        assert_eq!(names.path("status"), "#status");
        assert_eq!(names.path("2fa"), "#2fa");
        assert_eq!(names.path("lines[0][1].sku"), "#lines[0][1].sku");
        assert_eq!(names.path("odd[x]"), "#\"odd[x]\"");
        assert_eq!(names.path(""), "#\"\"");
    }
}
