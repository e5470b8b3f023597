//! Compares two templates: whether their keys can collide, whether a prefix of one matches the other, how
//! they sort.

use std::collections::{BTreeMap, VecDeque};

use super::Template;
use super::language::{Bytes, Language};

/// Two templates that can build the same key.
///
/// ```
/// use keywright_key::Template;
/// let user = Template::parse("<userId>").unwrap();
/// let order = Template::parse("ORDER<orderId>").unwrap();
/// assert_eq!(user.collision(&order).unwrap().example(), Some("ORDER"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collision {
    example: Option<String>,
}

impl Collision {
    /// A key that both templates build, if a short one was found.
    ///
    /// ```
    /// use keywright_key::Template;
    /// let [a, b] = ["A#<x>", "<y>#<z>"].map(|text| Template::parse(text).unwrap());
    /// assert_eq!(a.collision(&b).unwrap().example(), Some("A#"));
    /// ```
    pub fn example(&self) -> Option<&str> {
        self.example.as_deref()
    }
}

/// How the keys of one template sort relative to those of another, by bytes.
///
/// ```
/// use keywright_key::{KeyOrder, Template};
/// let order = Template::parse("#ORDER#<orderId>").unwrap();
/// let customer = Template::parse("CUSTOMER#<name>").unwrap();
/// assert_eq!(order.order(&customer), KeyOrder::Before); // `#` is below every letter
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyOrder {
    /// Every key sorts before every key of the other.
    Before,
    /// Every key sorts after every key of the other.
    After,
    /// Neither: the order depends on the keys, or some keys are equal.
    Mixed,
    /// Both templates have only one key, and it is the same.
    Same,
}

/// A pair of states of two automata.
type Pair = (usize, usize);

impl Template {
    /// Whether the two templates can build the same key, with an example of one. Every real collision is
    /// found. There may be false ones, without an example, where only the calendar separates the keys
    /// (`<day:date>` and `2024-13-45`) or where an attribute is repeated.
    ///
    /// ```
    /// use keywright_key::Template;
    /// let order = Template::parse("ORDER#<orderId>").unwrap();
    /// let item = Template::parse("ORDER#<orderId>#ITEM#<itemId>").unwrap();
    /// assert!(order.collision(&item).is_none()); // an id can't bring its own `#`
    /// ```
    pub fn collision(&self, other: &Template) -> Option<Collision> {
        let shared = shared_text(&Language::of(self), &Language::of(other))?;
        let example = String::from_utf8(shared).ok().filter(|key| self.matches(key) && other.matches(key));
        Some(Collision { example })
    }

    /// Whether the two templates can build the same key.
    ///
    /// ```
    /// use keywright_key::Template;
    /// let [a, b] = ["USER#<id>", "USER#<name>"].map(|text| Template::parse(text).unwrap());
    /// assert!(a.may_collide(&b));
    /// ```
    pub fn may_collide(&self, other: &Template) -> bool {
        self.collision(other).is_some()
    }

    /// Whether begins_with the text before the first attribute also matches keys of the other template.
    ///
    /// ```
    /// use keywright_key::Template;
    /// let item = Template::parse("ORDER_ITEM#<itemId>").unwrap();
    /// assert!(Template::parse("ORDER").unwrap().contains(&item));
    /// assert!(!Template::parse("ORDER#<orderId>").unwrap().contains(&item));
    /// ```
    pub fn contains(&self, other: &Template) -> bool {
        self.prefix_matches(0, other)
    }

    /// Whether begins_with the first `places` placeholders, and the literal before the next one, can match
    /// keys of the other template.
    ///
    /// ```
    /// use keywright_key::Template;
    /// let order = Template::parse("ORDER#<orderId>").unwrap();
    /// let item = Template::parse("ORDER#<orderId>#ITEM#<itemId>").unwrap();
    /// assert!(order.prefix_matches(1, &item)); // begins_with(ORDER#o1) also matches items
    /// assert!(!item.prefix_matches(1, &order)); // begins_with(ORDER#o1#ITEM#) matches no order
    /// ```
    pub fn prefix_matches(&self, places: usize, other: &Template) -> bool {
        shared_text(&Language::of_prefix(self, places), &Language::of(other)).is_some()
    }

    /// How the keys of this template sort relative to those of the other.
    ///
    /// ```
    /// use keywright_key::{KeyOrder, Template};
    /// let [a, b] = ["A#<x>", "B#<x>"].map(|text| Template::parse(text).unwrap());
    /// assert_eq!(a.order(&b), KeyOrder::Before);
    /// ```
    pub fn order(&self, other: &Template) -> KeyOrder {
        let (ours, theirs) = (Language::of(self), Language::of(other));
        let (mut before, mut after, mut equal) = (false, false, false);
        for_each_pair(&ours, &theirs, |(our, their), _| {
            let (a, b) = (next_bytes(&ours, our), next_bytes(&theirs, their));
            if let (Some(our_least), Some(our_most), Some(their_least), Some(their_most)) =
                (a.least(), a.greatest(), b.least(), b.greatest())
            {
                before |= our_least < their_most;
                after |= our_most > their_least;
            }
            // A key sorts before every longer key that begins with it.
            before |= ours.is_end(our) && b != Bytes::none();
            after |= theirs.is_end(their) && a != Bytes::none();
            equal |= ours.is_end(our) && theirs.is_end(their);
            !(before && after)
        });
        match (before, after) {
            (false, false) => KeyOrder::Same,
            (true, false) if !equal => KeyOrder::Before,
            (false, true) if !equal => KeyOrder::After,
            _ => KeyOrder::Mixed,
        }
    }
}

fn next_bytes(language: &Language, state: usize) -> Bytes {
    language.steps(state).iter().fold(Bytes::none(), |all, (bytes, _)| all.or(*bytes))
}

/// A shortest text that is in both languages.
fn shared_text(ours: &Language, theirs: &Language) -> Option<Vec<u8>> {
    let mut found = None;
    let reached = for_each_pair(ours, theirs, |pair @ (our, their), _| {
        if ours.is_end(our) && theirs.is_end(their) {
            found = Some(pair);
        }
        found.is_none()
    });
    let mut at = found?;
    let mut text = Vec::new();
    while let Some(Some((from, byte))) = reached.get(&at) {
        text.push(*byte);
        at = *from;
    }
    text.reverse();
    Some(text)
}

/// Visits all pairs of states that a common text leads to, nearest first, while `visit` returns true. Returns
/// for every pair the previous pair and the byte between them.
fn for_each_pair(
    ours: &Language,
    theirs: &Language,
    mut visit: impl FnMut(Pair, Option<(Pair, u8)>) -> bool,
) -> BTreeMap<Pair, Option<(Pair, u8)>> {
    let mut reached: BTreeMap<Pair, Option<(Pair, u8)>> = BTreeMap::from([((0, 0), None)]);
    let mut waiting = VecDeque::from([(0, 0)]);
    while let Some(pair @ (our, their)) = waiting.pop_front() {
        if !visit(pair, reached[&pair]) {
            break;
        }
        for (our_bytes, our_next) in ours.steps(our) {
            for (their_bytes, their_next) in theirs.steps(their) {
                let Some(byte) = readable(our_bytes.and(*their_bytes)) else { continue };
                reached.entry((*our_next, *their_next)).or_insert_with(|| {
                    waiting.push_back((*our_next, *their_next));
                    Some((pair, byte))
                });
            }
        }
    }
    reached
}

/// A byte of the set, preferably one that reads well in an example.
fn readable(bytes: Bytes) -> Option<u8> {
    let letters = Bytes::of((0..=u8::MAX).filter(u8::is_ascii_alphanumeric));
    let printable = Bytes::of(b' '..=b'~');
    bytes.and(letters).least().or(bytes.and(printable).least()).or(bytes.least())
}
