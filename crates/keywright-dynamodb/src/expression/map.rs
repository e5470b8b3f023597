//! Replaces the values of an expression by values of another type.

use super::{Assigned, Condition, Operand, Update};

impl<V> Operand<V> {
    /// The operand with its value replaced.
    ///
    /// # Errors
    /// If the replacement fails.
    pub fn try_map<W, E>(self, change: &mut impl FnMut(V) -> Result<W, E>) -> Result<Operand<W>, E> {
        Ok(match self {
            Operand::Path(path) => Operand::Path(path),
            Operand::Size(path) => Operand::Size(path),
            Operand::Value(value) => Operand::Value(change(value)?),
        })
    }
}

impl<V> Condition<V> {
    /// The condition with every value replaced, in the order of the printed text.
    ///
    /// # Errors
    /// If a replacement fails.
    pub fn try_map<W, E>(self, change: &mut impl FnMut(V) -> Result<W, E>) -> Result<Condition<W>, E> {
        Ok(match self {
            Condition::Compare(left, comparator, right) => {
                Condition::Compare(left.try_map(change)?, comparator, right.try_map(change)?)
            }
            Condition::Between(subject, lower, upper) => {
                Condition::Between(subject.try_map(change)?, lower.try_map(change)?, upper.try_map(change)?)
            }
            Condition::In(subject, list) => Condition::In(
                subject.try_map(change)?,
                list.into_iter().map(|it| it.try_map(change)).collect::<Result<_, _>>()?,
            ),
            Condition::Exists(path) => Condition::Exists(path),
            Condition::NotExists(path) => Condition::NotExists(path),
            Condition::Type(path, value) => Condition::Type(path, change(value)?),
            Condition::BeginsWith(path, value) => Condition::BeginsWith(path, change(value)?),
            Condition::Contains(path, value) => Condition::Contains(path, change(value)?),
            Condition::All(parts) => Condition::All(Self::try_map_all(parts, change)?),
            Condition::Any(parts) => Condition::Any(Self::try_map_all(parts, change)?),
            Condition::Not(part) => Condition::Not(Box::new(part.try_map(change)?)),
        })
    }

    fn try_map_all<W, E>(
        parts: Vec<Condition<V>>,
        change: &mut impl FnMut(V) -> Result<W, E>,
    ) -> Result<Vec<Condition<W>>, E> {
        let mut mapped = Vec::with_capacity(parts.len());
        for part in parts {
            mapped.push(part.try_map(change)?);
        }
        Ok(mapped)
    }
}

impl<V> Update<V> {
    /// The update with every value replaced, in the order of the printed text.
    ///
    /// # Errors
    /// If a replacement fails.
    pub fn try_map<W, E>(self, change: &mut impl FnMut(V) -> Result<W, E>) -> Result<Update<W>, E> {
        let mut update = Update { remove: self.remove, ..Update::default() };
        for (path, assigned) in self.set {
            let assigned = match assigned {
                Assigned::Value(value) => Assigned::Value(change(value)?),
                Assigned::Plus(from, value) => Assigned::Plus(from, change(value)?),
                Assigned::Minus(from, value) => Assigned::Minus(from, change(value)?),
                Assigned::IfNotExists(from, value) => Assigned::IfNotExists(from, change(value)?),
                Assigned::IfNotExistsPlus(from, start, value) => {
                    let start = change(start)?;
                    Assigned::IfNotExistsPlus(from, start, change(value)?)
                }
                Assigned::ListAppend(from, value) => Assigned::ListAppend(from, change(value)?),
            };
            update.set.push((path, assigned));
        }
        for (path, value) in self.add {
            update.add.push((path, change(value)?));
        }
        for (path, value) in self.delete {
            update.delete.push((path, change(value)?));
        }
        Ok(update)
    }
}
