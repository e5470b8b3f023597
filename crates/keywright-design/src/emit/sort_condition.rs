//! The condition on the sort key of a Query: equalities from the left, then a range that stays inside the block.

use keywright_dynamodb::expression::{Comparator, Condition, SortRange};
use keywright_model::design::Value;
use keywright_model::model::Bound;

use super::condition;
use super::key::render;
use super::scope::{Scope, placeholder};
use crate::demand::Demand;
use crate::key::{Key, PartValue, Piece};
use crate::naming::Encoding;
use crate::path::Path;
use crate::plan::Fit;
use crate::problem::{Attr, EntityFacts, Range};

/// Equalities of leading sort attributes, and the condition on the next.
type SortCondition = (Vec<(String, Value)>, Option<(String, SortRange<Value>)>);

/// The condition on the sort key that serves a demand. What a bound can't say is left to the filter.
pub(super) fn sort_condition(
    facts: &EntityFacts,
    key: &Key,
    path: &Path,
    fit: &Fit,
    demand: &Demand,
    scope: &Scope,
    filter: &mut Vec<Condition<Value>>,
) -> SortCondition {
    let range = demand.part.range.as_ref().filter(|_| fit.range);
    let mut equal: Vec<(String, Value)> = Vec::new();
    // So many of the path's sort attributes stand before the part at hand.
    let mut before = 0;
    for part in &key.sort {
        let held = part.segments().len();
        // A sort key that repeats the partition key is known as a whole.
        if path.sort.is_empty() || before + held <= fit.run {
            equal.push((part.name.clone(), part.value(facts, scope)));
            before += held;
            continue;
        }
        let next = match &part.value {
            // A condition without its value falls away, which is all right where the key is nothing but that value.
            PartValue::Own(_) if fit.optional.is_some() => {
                // What the caller leaves out falls away.
                equal.push((part.name.clone(), part.value(facts, scope)));
                None
            }
            PartValue::Own(_) => match fit.within {
                Some(period) => {
                    Some(SortRange::BeginsWith(Value::Template(period_text(facts, period, scope))))
                }
                None => range.map(typed),
            },
            PartValue::Text(pieces) => {
                let within = Within { facts, pieces, given: fit.run - before, scope };
                within.condition(fit, range, filter)
            }
        };
        return (equal, next.map(|next| (part.name.clone(), next)));
    }
    (equal, None)
}

/// A period as the text that its instants begin with.
fn period_text(facts: &EntityFacts, period: Attr, scope: &Scope) -> String {
    scope.segment(facts, period, &Encoding::of(facts.attribute(period), false))
}

/// A range on an attribute that is a key by itself.
fn typed(range: &Range) -> SortRange<Value> {
    let value = |input: &String| Value::Input(input.clone());
    match (&range.prefix, &range.lower, &range.upper) {
        (Some(prefix), _, _) => SortRange::BeginsWith(value(prefix)),
        (None, Some((lower, _)), Some((upper, _))) => SortRange::Between(value(lower), value(upper)),
        (None, Some((lower, bound)), None) => {
            let exclusive = *bound == Bound::Exclusive;
            let comparator = if exclusive { Comparator::Greater } else { Comparator::GreaterOrEqual };
            SortRange::Compare(comparator, value(lower))
        }
        (None, None, upper) => {
            let (upper, bound) = upper.as_ref().expect("a range has a bound or a prefix");
            let exclusive = *bound == Bound::Exclusive;
            let comparator = if exclusive { Comparator::Less } else { Comparator::LessOrEqual };
            SortRange::Compare(comparator, value(upper))
        }
    }
}

/// A key string of which some leading segments are given.
struct Within<'a> {
    facts: &'a EntityFacts,
    pieces: &'a [Piece],
    given: usize,
    scope: &'a Scope,
}

impl Within<'_> {
    fn condition(
        &self,
        fit: &Fit,
        range: Option<&Range>,
        filter: &mut Vec<Condition<Value>>,
    ) -> Option<SortRange<Value>> {
        let (at, next, encoding) = self
            .pieces
            .iter()
            .enumerate()
            .filter_map(|(at, piece)| match piece {
                Piece::Segment { segment, encoding } => Some((at, *segment, encoding)),
                Piece::Literal(_) | Piece::Shard { .. } => None,
            })
            .nth(self.given)
            .expect("some segment is not given");
        // Everything before the first segment that is not given, with the separator at its end.
        let lead = render(&self.pieces[..at], self.facts, self.scope);
        let begins = |text: String| Some(SortRange::BeginsWith(Value::Template(text)));
        if let Some(attr) = fit.optional {
            // Were it a part of the condition, the block would fall away with it: the block is read and filtered.
            filter.extend(condition::equalities(self.facts, [attr].into_iter().collect(), self.scope));
            return if lead.is_empty() { None } else { begins(lead) };
        }
        if let Some(period) = fit.within {
            return begins(format!("{lead}{}", period_text(self.facts, period, self.scope)));
        }
        let Some(range) = range else {
            return if lead.is_empty() { None } else { begins(lead) };
        };
        if let Some(input) = &range.prefix {
            return begins(format!("{lead}<{input}>"));
        }
        let continues = at + 1 < self.pieces.len();
        // Encoded downwards, the greatest value has the smallest key.
        let (low, high) =
            if next.descending { (&range.upper, &range.lower) } else { (&range.lower, &range.upper) };
        let lower = match low {
            Some((input, Bound::Inclusive)) => format!("{lead}{}", placeholder(input, encoding)),
            Some((input, Bound::Exclusive)) => format!("{lead}{}$", placeholder(input, encoding)),
            None => lead.clone(),
        };
        let upper = match high {
            Some((input, Bound::Inclusive)) if continues => {
                format!("{lead}{}$", placeholder(input, encoding))
            }
            Some((input, bound)) => {
                if *bound == Bound::Exclusive && !continues {
                    let name = &self.facts.attribute(range.attr).name;
                    filter.push(condition::compare(name, Comparator::NotEqual, Value::Input(input.clone())));
                }
                format!("{lead}{}", placeholder(input, encoding))
            }
            // The byte that follows the separator closes the block.
            None => lead.strip_suffix('#').map_or_else(String::new, |open| format!("{open}$")),
        };
        let (lower, upper) = (Value::Template(lower), Value::Template(upper));
        Some(match (lead.is_empty(), low, high) {
            (true, None, _) => SortRange::Compare(Comparator::LessOrEqual, upper),
            (true, _, None) => SortRange::Compare(Comparator::GreaterOrEqual, lower),
            _ => SortRange::Between(lower, upper),
        })
    }
}
