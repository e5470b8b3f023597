//! Declared values of an enumeration, in their declared order or by name.

use super::{Direction, digits, malformed};
use crate::{KeyFault, Value};

/// The order of an enumeration's values.
///
/// ```
/// use keywright_key::{Encoding, EnumerationOrder};
/// let Ok(Encoding::Enumeration(status)) = Encoding::parse("enum(OPEN,PAID)") else { panic!() };
/// assert_eq!(status.order(), EnumerationOrder::Declared);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EnumerationOrder {
    /// In declared order: the key holds the index.
    Declared,
    /// By name: the key holds the name or, descending, the rank of the name counted from the end.
    Name,
}

/// The encoding of an enumeration.
///
/// | text | the key holds |
/// |---|---|
/// | `enum(A,B,C)` | the index in the list, padded: `0`, `1`, `2` |
/// | `enumdesc(A,B,C)` | the index counted from the end: `2`, `1`, `0` |
/// | `enumname(A,B,C)` | the name, which must be declared |
/// | `enumnamedesc(A,B,C)` | the rank of the name in byte order, counted from the end |
///
/// Without a list, the values are those that the attribute's type declares.
/// [`Template::resolve`](crate::Template::resolve) fills them in; until then no key can be built.
///
/// ```
/// use keywright_key::{Encoding, Value};
/// let status = Encoding::parse("enum(OPEN,PAID,SENT)").unwrap();
/// assert_eq!(status.encode(&Value::from("PAID")).unwrap(), "1");
/// assert!(status.encode(&Value::from("LOST")).is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Enumeration {
    values: Vec<String>,
    order: EnumerationOrder,
    direction: Direction,
}

impl Enumeration {
    /// An enumeration of these values; `None` if a value is repeated or holds a character of the template
    /// grammar.
    ///
    /// ```
    /// use keywright_key::{Direction, Enumeration, EnumerationOrder};
    /// let twice = vec!["A".to_owned(), "A".to_owned()];
    /// assert!(Enumeration::new(twice, EnumerationOrder::Declared, Direction::Ascending).is_none());
    /// ```
    pub fn new(values: Vec<String>, order: EnumerationOrder, direction: Direction) -> Option<Enumeration> {
        let is_name = |value: &String| {
            !value.is_empty()
                && value.trim() == value
                && !value.contains(|c: char| c.is_control() || "<>{}(),\\".contains(c))
        };
        let is_new = |at: usize| !values[..at].contains(&values[at]);
        (values.iter().all(is_name) && (0..values.len()).all(is_new)).then_some(Enumeration {
            values,
            order,
            direction,
        })
    }

    /// The declared values, in order. Empty if the template leaves them to the attribute's type.
    ///
    /// ```
    /// use keywright_key::Encoding;
    /// let Ok(Encoding::Enumeration(status)) = Encoding::parse("enum(OPEN,PAID)") else { panic!() };
    /// assert_eq!(status.values(), ["OPEN", "PAID"]);
    /// ```
    pub fn values(&self) -> &[String] {
        &self.values
    }

    /// The order of the values.
    ///
    /// ```
    /// use keywright_key::{Encoding, EnumerationOrder};
    /// let Ok(Encoding::Enumeration(status)) = Encoding::parse("enumname(OPEN,PAID)") else { panic!() };
    /// assert_eq!(status.order(), EnumerationOrder::Name);
    /// ```
    pub fn order(&self) -> EnumerationOrder {
        self.order
    }

    /// Whether the order is reversed.
    ///
    /// ```
    /// use keywright_key::{Direction, Encoding};
    /// let Ok(Encoding::Enumeration(status)) = Encoding::parse("enumdesc(OPEN,PAID)") else { panic!() };
    /// assert_eq!(status.direction(), Direction::Descending);
    /// ```
    pub fn direction(&self) -> Direction {
        self.direction
    }

    /// Whether the key holds the name itself.
    ///
    /// ```
    /// use keywright_key::Encoding;
    /// let Ok(Encoding::Enumeration(status)) = Encoding::parse("enumname(OPEN,PAID)") else { panic!() };
    /// assert!(status.writes_name());
    /// ```
    pub fn writes_name(&self) -> bool {
        self.direction == Direction::Ascending && self.order == EnumerationOrder::Name
    }

    pub(super) fn width(&self) -> Option<usize> {
        (!self.writes_name() && !self.values.is_empty()).then(|| digits::count(self.last() as u128))
    }

    pub(super) fn write(&self, name: &str, out: &mut String) -> Result<(), KeyFault> {
        if self.values.is_empty() {
            return Err(KeyFault::NothingDeclared);
        }
        let rank = self.rank(name).ok_or_else(|| undeclared(name))?;
        if self.writes_name() {
            out.push_str(name);
        } else {
            let written = if self.direction.is_descending() { self.last() - rank } else { rank };
            digits::write(written as u128, digits::count(self.last() as u128), out);
        }
        Ok(())
    }

    pub(super) fn decode<'k>(&self, text: &'k str) -> Result<Value<'k>, KeyFault> {
        if self.values.is_empty() {
            return Err(KeyFault::NothingDeclared);
        }
        if self.writes_name() {
            let declared = self.rank(text).is_some();
            return if declared { Ok(Value::from(text)) } else { Err(undeclared(text)) };
        }
        let written = digits::read(text, digits::count(self.last() as u128))? as usize;
        let rank =
            if self.direction.is_descending() { self.last().checked_sub(written) } else { Some(written) };
        let name = rank.and_then(|rank| match self.order {
            EnumerationOrder::Declared => self.values.get(rank),
            EnumerationOrder::Name => self.values.iter().find(|name| self.rank(name) == Some(rank)),
        });
        name.map(|name| Value::from(name.clone()))
            .ok_or_else(|| malformed(text, "the index of a declared value"))
    }

    /// The position of the name in the order; `None` if it is not declared.
    pub(crate) fn rank(&self, name: &str) -> Option<usize> {
        let index = self.values.iter().position(|value| value == name)?;
        Some(match self.order {
            EnumerationOrder::Declared => index,
            EnumerationOrder::Name => self.values.iter().filter(|value| value.as_str() < name).count(),
        })
    }

    fn last(&self) -> usize {
        self.values.len().saturating_sub(1)
    }
}

fn undeclared(name: &str) -> KeyFault {
    KeyFault::Undeclared { value: name.to_owned() }
}
