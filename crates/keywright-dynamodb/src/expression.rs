//! DynamoDB's expressions as typed trees, generic over the type of their values.
//!
//! The values of a design's trees are inputs and key templates; the values of the trees that an engine gets
//! are placeholders such as `:v0`. The same functions print both: a [`Names`] table decides which attribute
//! names are written as `#n0`, and a closure turns each value into text. [`parse`] reads the text back.

mod map;
mod names;
pub mod parse;

pub use names::{Names, quoted};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A document path: `status`, `location.country`, `lines[0].sku`, as DynamoDB writes it.
pub type Path = String;

/// `=`, `<>`, `<`, `<=`, `>`, `>=`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub enum Comparator {
    /// `=`
    #[serde(rename = "=")]
    Equal,
    /// `<>`
    #[serde(rename = "<>")]
    NotEqual,
    /// `<`
    #[serde(rename = "<")]
    Less,
    /// `<=`
    #[serde(rename = "<=")]
    LessOrEqual,
    /// `>`
    #[serde(rename = ">")]
    Greater,
    /// `>=`
    #[serde(rename = ">=")]
    GreaterOrEqual,
}

impl Comparator {
    /// All comparators.
    pub const ALL: [Comparator; 6] = [
        Comparator::Equal,
        Comparator::NotEqual,
        Comparator::Less,
        Comparator::LessOrEqual,
        Comparator::Greater,
        Comparator::GreaterOrEqual,
    ];

    /// The comparator as DynamoDB writes it.
    pub const fn symbol(self) -> &'static str {
        match self {
            Comparator::Equal => "=",
            Comparator::NotEqual => "<>",
            Comparator::Less => "<",
            Comparator::LessOrEqual => "<=",
            Comparator::Greater => ">",
            Comparator::GreaterOrEqual => ">=",
        }
    }
}

/// One side of a comparison: an attribute, its size, or a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Operand<V> {
    /// The attribute at a path.
    Path(Path),
    /// `size(path)`.
    Size(Path),
    /// A value.
    Value(V),
}

/// A condition or filter expression.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Condition<V> {
    /// `a = b`, `a < b`, …
    Compare(Operand<V>, Comparator, Operand<V>),
    /// `a BETWEEN b AND c`.
    Between(Operand<V>, Operand<V>, Operand<V>),
    /// `a IN (b, c)`.
    In(Operand<V>, Vec<Operand<V>>),
    /// `attribute_exists(path)`.
    Exists(Path),
    /// `attribute_not_exists(path)`.
    NotExists(Path),
    /// `attribute_type(path, type)`.
    Type(Path, V),
    /// `begins_with(path, value)`.
    BeginsWith(Path, V),
    /// `contains(path, value)`.
    Contains(Path, V),
    /// All of the conditions; at least one.
    All(Vec<Condition<V>>),
    /// Any of the conditions; at least one.
    Any(Vec<Condition<V>>),
    /// The negation.
    Not(Box<Condition<V>>),
}

impl<V> Condition<V> {
    /// `path = value`.
    pub fn equals(path: impl Into<Path>, value: V) -> Self {
        Condition::Compare(Operand::Path(path.into()), Comparator::Equal, Operand::Value(value))
    }

    /// The conjunction of the conditions; `None` if there are none, and the condition itself if there is one.
    pub fn all(mut conditions: Vec<Condition<V>>) -> Option<Self> {
        match conditions.len() {
            0 => None,
            1 => conditions.pop(),
            _ => Some(Condition::All(conditions)),
        }
    }

    /// Visits every value, in the order of the printed text.
    pub fn each_value<'a>(&'a self, visit: &mut impl FnMut(&'a V)) {
        let mut operand = |operand: &'a Operand<V>| {
            if let Operand::Value(value) = operand {
                visit(value);
            }
        };
        match self {
            Condition::Compare(left, _, right) => [left, right].into_iter().for_each(operand),
            Condition::Between(subject, lower, upper) => {
                [subject, lower, upper].into_iter().for_each(operand)
            }
            Condition::In(subject, list) => {
                operand(subject);
                list.iter().for_each(operand);
            }
            Condition::Exists(_) | Condition::NotExists(_) => {}
            Condition::Type(_, value) | Condition::BeginsWith(_, value) | Condition::Contains(_, value) => {
                visit(value)
            }
            Condition::All(parts) | Condition::Any(parts) => {
                parts.iter().for_each(|part| part.each_value(visit))
            }
            Condition::Not(part) => part.each_value(visit),
        }
    }

    /// Prints the condition.
    pub fn print(&self, names: &mut Names, value: &mut impl FnMut(&V) -> String) -> String {
        self.print_within(names, value, false)
    }

    fn print_within(&self, names: &mut Names, value: &mut impl FnMut(&V) -> String, nested: bool) -> String {
        let mut operand = |operand: &Operand<V>, names: &mut Names| match operand {
            Operand::Path(path) => names.path(path),
            Operand::Size(path) => format!("size({})", names.path(path)),
            Operand::Value(it) => value(it),
        };
        match self {
            Condition::Compare(left, comparator, right) => {
                let left = operand(left, names);
                format!("{left} {} {}", comparator.symbol(), operand(right, names))
            }
            Condition::Between(subject, lower, upper) => {
                let subject = operand(subject, names);
                let lower = operand(lower, names);
                format!("{subject} BETWEEN {lower} AND {}", operand(upper, names))
            }
            Condition::In(subject, list) => {
                let subject = operand(subject, names);
                let list: Vec<String> = list.iter().map(|item| operand(item, names)).collect();
                format!("{subject} IN ({})", list.join(", "))
            }
            Condition::Exists(path) => format!("attribute_exists({})", names.path(path)),
            Condition::NotExists(path) => format!("attribute_not_exists({})", names.path(path)),
            Condition::Type(path, it) => format!("attribute_type({}, {})", names.path(path), value(it)),
            Condition::BeginsWith(path, it) => format!("begins_with({}, {})", names.path(path), value(it)),
            Condition::Contains(path, it) => format!("contains({}, {})", names.path(path), value(it)),
            Condition::All(parts) => Self::join(parts, " AND ", names, value, nested),
            Condition::Any(parts) => Self::join(parts, " OR ", names, value, nested),
            Condition::Not(part) => format!("NOT {}", part.print_within(names, value, true)),
        }
    }

    fn join(
        parts: &[Condition<V>],
        word: &str,
        names: &mut Names,
        value: &mut impl FnMut(&V) -> String,
        nested: bool,
    ) -> String {
        let parts: Vec<String> = parts.iter().map(|part| part.print_within(names, value, true)).collect();
        let joined = parts.join(word);
        if nested && parts.len() > 1 { format!("({joined})") } else { joined }
    }
}

/// The key condition of a Query: all partition attributes by equality, then sort attributes from left to
/// right by equality, and optionally a range on the next one. An ordinary key has at most one attribute of
/// each kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", bound(serialize = "V: Serialize", deserialize = "V: Deserialize<'de>"))]
pub struct KeyCondition<V> {
    /// The partition attributes, each with its value.
    pub partition: Vec<(String, V)>,
    /// Leading sort attributes, compared by equality.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sort: Vec<(String, V)>,
    /// The condition on the next sort attribute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<(String, SortRange<V>)>,
}

/// A condition on a sort attribute other than equality.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum SortRange<V> {
    /// `begins_with(sk, value)`.
    BeginsWith(V),
    /// `sk < value`, `<=`, `>`, `>=`.
    Compare(Comparator, V),
    /// `sk BETWEEN lower AND upper`, both included.
    Between(V, V),
}

impl<V> KeyCondition<V> {
    /// Visits every value, in the order of the printed text.
    pub fn each_value<'a>(&'a self, visit: &mut impl FnMut(&'a V)) {
        for (_, value) in self.partition.iter().chain(&self.sort) {
            visit(value);
        }
        match self.range.as_ref().map(|(_, range)| range) {
            None => {}
            Some(SortRange::BeginsWith(value) | SortRange::Compare(_, value)) => visit(value),
            Some(SortRange::Between(lower, upper)) => {
                visit(lower);
                visit(upper);
            }
        }
    }

    /// Prints the key condition.
    pub fn print(&self, names: &mut Names, value: &mut impl FnMut(&V) -> String) -> String {
        let mut parts = Vec::new();
        for (name, it) in self.partition.iter().chain(&self.sort) {
            parts.push(format!("{} = {}", names.path(name), value(it)));
        }
        if let Some((name, range)) = &self.range {
            let name = names.path(name);
            parts.push(match range {
                SortRange::BeginsWith(it) => format!("begins_with({name}, {})", value(it)),
                SortRange::Compare(comparator, it) => format!("{name} {} {}", comparator.symbol(), value(it)),
                SortRange::Between(lower, upper) => {
                    let lower = value(lower);
                    format!("{name} BETWEEN {lower} AND {}", value(upper))
                }
            });
        }
        parts.join(" AND ")
    }
}

/// The right-hand side of an assignment in SET.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Assigned<V> {
    /// A value.
    Value(V),
    /// `path + value`.
    Plus(Path, V),
    /// `path - value`.
    Minus(Path, V),
    /// `if_not_exists(path, value)`.
    IfNotExists(Path, V),
    /// `if_not_exists(path, start) + value`.
    IfNotExistsPlus(Path, V, V),
    /// `list_append(path, value)`.
    ListAppend(Path, V),
}

/// An update expression.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", bound(serialize = "V: Serialize", deserialize = "V: Deserialize<'de>"))]
pub struct Update<V> {
    /// `SET path = …`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub set: Vec<(Path, Assigned<V>)>,
    /// `REMOVE path`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remove: Vec<Path>,
    /// `ADD path value`: numbers and sets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub add: Vec<(Path, V)>,
    /// `DELETE path value`: elements of sets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub delete: Vec<(Path, V)>,
}

impl<V> Default for Update<V> {
    fn default() -> Self {
        Update { set: Vec::new(), remove: Vec::new(), add: Vec::new(), delete: Vec::new() }
    }
}

impl<V> Update<V> {
    /// Whether the update changes nothing.
    pub fn is_empty(&self) -> bool {
        self.set.is_empty() && self.remove.is_empty() && self.add.is_empty() && self.delete.is_empty()
    }

    /// Visits every value, in the order of the printed text.
    pub fn each_value<'a>(&'a self, visit: &mut impl FnMut(&'a V)) {
        for (_, assigned) in &self.set {
            match assigned {
                Assigned::Value(value)
                | Assigned::Plus(_, value)
                | Assigned::Minus(_, value)
                | Assigned::IfNotExists(_, value)
                | Assigned::ListAppend(_, value) => visit(value),
                Assigned::IfNotExistsPlus(_, start, value) => {
                    visit(start);
                    visit(value);
                }
            }
        }
        self.add.iter().chain(&self.delete).for_each(|(_, value)| visit(value));
    }

    /// Prints the update.
    pub fn print(&self, names: &mut Names, value: &mut impl FnMut(&V) -> String) -> String {
        let mut clauses = Vec::new();
        if !self.set.is_empty() {
            let assignments: Vec<String> = self
                .set
                .iter()
                .map(|(path, assigned)| {
                    let path = names.path(path);
                    let assigned = match assigned {
                        Assigned::Value(it) => value(it),
                        Assigned::Plus(from, it) => format!("{} + {}", names.path(from), value(it)),
                        Assigned::Minus(from, it) => format!("{} - {}", names.path(from), value(it)),
                        Assigned::IfNotExists(from, it) => {
                            format!("if_not_exists({}, {})", names.path(from), value(it))
                        }
                        Assigned::IfNotExistsPlus(from, start, it) => {
                            let start = value(start);
                            format!("if_not_exists({}, {start}) + {}", names.path(from), value(it))
                        }
                        Assigned::ListAppend(from, it) => {
                            format!("list_append({}, {})", names.path(from), value(it))
                        }
                    };
                    format!("{path} = {assigned}")
                })
                .collect();
            clauses.push(format!("SET {}", assignments.join(", ")));
        }
        if !self.remove.is_empty() {
            let paths: Vec<String> = self.remove.iter().map(|path| names.path(path)).collect();
            clauses.push(format!("REMOVE {}", paths.join(", ")));
        }
        for (word, pairs) in [("ADD", &self.add), ("DELETE", &self.delete)] {
            if !pairs.is_empty() {
                let pairs: Vec<String> =
                    pairs.iter().map(|(path, it)| format!("{} {}", names.path(path), value(it))).collect();
                clauses.push(format!("{word} {}", pairs.join(", ")));
            }
        }
        clauses.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: &&str) -> String {
        format!(":{value}")
    }

    #[test]
    fn conditions_print_with_the_brackets_they_need() {
        let condition = Condition::All(vec![
            Condition::NotExists("pk".into()),
            Condition::Any(vec![Condition::equals("status", "a"), Condition::equals("status", "b")]),
        ]);
        assert_eq!(
            condition.print(&mut Names::plain(), &mut text),
            "attribute_not_exists(pk) AND (status = :a OR status = :b)"
        );
    }

    #[test]
    fn updates_print_their_clauses_in_order() {
        let update = Update {
            set: vec![
                ("a".into(), Assigned::Value("x")),
                ("n".into(), Assigned::IfNotExistsPlus("n".into(), "0", "1")),
            ],
            remove: vec!["GSI1PK".into()],
            add: vec![("count".into(), "one")],
            delete: vec![],
        };
        assert_eq!(
            update.print(&mut Names::plain(), &mut text),
            "SET a = :x, n = if_not_exists(n, :0) + :1 REMOVE GSI1PK ADD count :one"
        );
        let mut seen = Vec::new();
        update.each_value(&mut |value| seen.push(*value));
        assert_eq!(seen, ["x", "0", "1", "one"]);
    }
}
