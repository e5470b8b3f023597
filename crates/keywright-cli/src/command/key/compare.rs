//! `keywright key compare`: two templates side by side.

use keywright_key::{KeyOrder, Template};

use super::{Answer, template};

/// Compares two templates: can their keys collide, does the prefix of one match the other, how do they sort.
#[derive(clap::Args)]
pub(super) struct Compare {
    /// One template.
    first: String,
    /// The other.
    second: String,
}

impl Compare {
    pub(super) fn run(self) -> anyhow::Result<Answer> {
        let (first, second) = (template(&self.first)?, template(&self.second)?);
        let collision = first.collision(&second);
        let example = collision.as_ref().and_then(|collision| collision.example());
        let order = match first.order(&second) {
            KeyOrder::Before => "before",
            KeyOrder::After => "after",
            KeyOrder::Mixed => "mixed",
            KeyOrder::Same => "same",
        };
        let collide = match (&collision, example) {
            (None, _) => "never".to_owned(),
            (Some(_), Some(example)) => format!("yes, both build `{example}`"),
            (Some(_), None) => "yes".to_owned(),
        };
        let lines = vec![
            format!("collide       {collide}"),
            contains_line(&first, &second),
            contains_line(&second, &first),
            format!("order         {}", order_words(&first, &second)),
        ];
        let json = serde_json::json!({
            "collide": collision.is_some(),
            "example": example,
            "firstContainsSecond": first.contains(&second),
            "secondContainsFirst": second.contains(&first),
            "order": order,
        });
        Ok(Answer { lines, json })
    }
}

fn order_words(first: &Template, second: &Template) -> String {
    match first.order(second) {
        KeyOrder::Before => format!("all keys of `{first}` sort before those of `{second}`"),
        KeyOrder::After => format!("all keys of `{first}` sort after those of `{second}`"),
        KeyOrder::Mixed => format!("keys of `{first}` and `{second}` sort among each other"),
        KeyOrder::Same => format!("`{first}` and `{second}` build one and the same key"),
    }
}

fn contains_line(prefix: &Template, other: &Template) -> String {
    let verb = if prefix.contains(other) { "matches" } else { "does not match" };
    format!("begins_with   `{}` {verb} keys of `{other}`", prefix.leading_literal())
}
