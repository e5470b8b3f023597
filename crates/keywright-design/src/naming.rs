//! Names that keys are made of: literals, encodings, item types. Pure functions of the problem.

use keywright_model::model::Type;

use crate::path::Path;
use crate::problem::{Attr, AttributeFacts, Attrs, Domain, EntityFacts, Problem};

/// The literal in front of a partition key: it names one sequence of domains, so that entities that share the
/// sequence share the collection and no others do.
pub(crate) fn partition_name(problem: &Problem, entity: usize, path: &Path) -> String {
    let facts = &problem.entities[entity];
    if let Some((attr, value)) = &path.only {
        let value = upper(&value.to_string());
        let of = upper(&facts.attribute(*attr).name);
        let rest = partition_words(problem, facts, &path.partition);
        let mut words = vec![upper(&facts.name), of, value];
        words.extend(rest);
        return words.join("_");
    }
    if path.partition.is_empty() {
        return if facts.singleton { upper(&facts.name) } else { plural(&upper(&facts.name)) };
    }
    let words = partition_words(problem, facts, &path.partition);
    words.join("_")
}

/// The literal of what would share another one with more than a partition bears: `TENANT_ALARM` beside `TENANT`.
pub(crate) fn parted_name(literal: &str, entity: &EntityFacts) -> String {
    format!("{literal}_{}", upper(&entity.name))
}

fn partition_words(problem: &Problem, facts: &EntityFacts, partition: &[Attr]) -> Vec<String> {
    let domains: Vec<Domain> = partition.iter().map(|attr| facts.attribute(*attr).domain).collect();
    let mut left = domains.clone();
    let mut words = Vec::new();
    // Whole identities first, the longest first: `REPO` for owner and name. Only who owns one of the domains can own all.
    let mut owners: Vec<usize> = domains.iter().map(|domain| domain.entity).collect();
    owners.sort_unstable();
    owners.dedup();
    let mut owners: Vec<(usize, Vec<Domain>)> = owners
        .into_iter()
        .map(|at| {
            let owner = &problem.entities[at];
            (at, owner.identity.iter().map(|attr| owner.attribute(*attr).domain).collect())
        })
        .collect();
    owners.sort_by_key(|(at, identity): &(usize, Vec<Domain>)| (std::cmp::Reverse(identity.len()), *at));
    for (at, identity) in owners {
        let own = identity.iter().any(|domain| domain.entity == at);
        if own && !identity.is_empty() && identity.iter().all(|domain| left.contains(domain)) {
            left.retain(|domain| !identity.contains(domain));
            words.push(upper(&problem.entities[at].name));
        }
    }
    for domain in left {
        let owner = &problem.entities[domain.entity];
        if words.is_empty() {
            words.push(upper(&owner.name));
        }
        words.push(upper(&owner.attribute(domain.attr).name));
    }
    words
}

/// The literal of an item type's block in a collection, without marks for its order.
pub(crate) fn block_name(item_type: &str) -> String {
    upper(item_type)
}

/// The literal of a block in which items of several types lie as one list.
pub(crate) fn mixed_name<'n>(item_types: impl Iterator<Item = &'n str>) -> String {
    item_types.map(upper).collect::<Vec<String>>().join("_")
}

/// The name of the item type that keeps a set unique: `CustomerEmail`.
pub(crate) fn uniqueness_type(entity: &EntityFacts, set: Attrs) -> String {
    let mut name = entity.name.clone();
    for attr in set.iter() {
        let word = &entity.attribute(attr).name;
        let mut letters = word.chars().filter(|letter| letter.is_alphanumeric());
        name.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        name.extend(letters);
    }
    name
}

/// Letters and digits in upper case: `OrderItem` → `ORDERITEM`.
pub(crate) fn upper(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_uppercase).collect()
}

/// A name with its article: `an Order`, `a Customer`.
pub(crate) fn one(name: &str) -> String {
    let vowel = name.starts_with(['A', 'E', 'I', 'O', 'a', 'e', 'i', 'o']);
    // `User` and `Unit` begin with a consonant to the ear, `Upload` does not.
    let heard =
        name.get(..2).is_some_and(|it| it.eq_ignore_ascii_case("up") || it.eq_ignore_ascii_case("un"))
            && !name.get(..3).is_some_and(|it| it.eq_ignore_ascii_case("uni"));
    format!("{} {name}", if vowel || heard { "an" } else { "a" })
}

fn plural(name: &str) -> String {
    match name {
        _ if name.ends_with('S') || name.ends_with('X') || name.ends_with("CH") => format!("{name}ES"),
        _ if name.ends_with('Y') && !name.ends_with("EY") && !name.ends_with("AY") => {
            format!("{}IES", &name[..name.len() - 1])
        }
        _ => format!("{name}S"),
    }
}

/// How a value is written in a key, so that byte order is value order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Plain,
    Integer {
        digits: usize,
        descending: bool,
        /// It may be below zero.
        signed: bool,
    },
    Decimal {
        digits: usize,
        scale: usize,
        descending: bool,
    },
    Named {
        name: &'static str,
        bytes: u64,
    },
    /// The position of a value among these.
    Rank {
        values: Vec<String>,
        descending: bool,
    },
    /// As a table that exists has it; plain where there is no name.
    Written(Option<String>),
}

/// Digits of a number whose maximum nobody states.
const DEFAULT_DIGITS: usize = 12;
/// Digits behind the point of a decimal.
const DEFAULT_SCALE: usize = 4;

impl Encoding {
    pub(crate) fn of(attribute: &AttributeFacts, descending: bool) -> Encoding {
        if let Some(bucket) = attribute.bucket {
            let (name, bytes) = (bucket.period.encoding(), bucket.period.width() as u64);
            return Encoding::Named { name, bytes };
        }
        let digits = attribute.max.map_or(DEFAULT_DIGITS, |max| max.max(1).ilog10() as usize + 1);
        let named = |up: &'static str, down: &'static str, bytes| Encoding::Named {
            name: if descending { down } else { up },
            bytes,
        };
        if !attribute.rank.is_empty() {
            return Encoding::Rank { values: attribute.rank.clone(), descending };
        }
        match attribute.ty {
            // Who adds may take away, too.
            Type::Integer | Type::Number if attribute.grows => {
                Encoding::Integer { digits, descending, signed: true }
            }
            Type::Integer => Encoding::Integer { digits, descending, signed: false },
            Type::Number if attribute.max.is_some() || attribute.sequential => {
                Encoding::Integer { digits, descending, signed: false }
            }
            Type::Number | Type::Decimal => {
                Encoding::Decimal { digits: digits + DEFAULT_SCALE, scale: DEFAULT_SCALE, descending }
            }
            Type::Boolean => named("bool", "booldesc", 1),
            Type::Datetime => named("iso", "isodesc", 24),
            Type::Date => named("date", "datedesc", 10),
            Type::Ulid if descending => Encoding::Named { name: "uliddesc", bytes: 26 },
            Type::Uuid if descending => Encoding::Named { name: "uuiddesc", bytes: 36 },
            Type::Ksuid if descending => Encoding::Named { name: "ksuiddesc", bytes: 27 },
            _ => Encoding::Plain,
        }
    }

    /// The name behind the colon of a placeholder; none where the value stands as it is.
    pub(crate) fn name(&self) -> Option<String> {
        let down = |descending: &bool| if *descending { "desc" } else { "" };
        match self {
            Encoding::Plain => None,
            Encoding::Integer { digits, descending, signed: true } => {
                Some(format!("int{}{digits}", down(descending)))
            }
            Encoding::Integer { digits, descending: false, .. } => Some(format!("pad{digits}")),
            Encoding::Integer { digits, descending: true, .. } => Some(format!("desc{digits}")),
            Encoding::Decimal { digits, scale, descending } => {
                Some(format!("dec{}{digits}.{scale}", down(descending)))
            }
            Encoding::Named { name, .. } => Some((*name).to_owned()),
            Encoding::Rank { values, descending } => {
                Some(format!("enum{}({})", down(descending), values.join(",")))
            }
            Encoding::Written(name) => name.clone(),
        }
    }

    /// Bytes of the encoded value, where the encoding fixes them.
    pub(crate) fn bytes(&self) -> Option<u64> {
        match self {
            Encoding::Plain | Encoding::Written(_) => None,
            Encoding::Integer { digits, signed, .. } => Some((digits + usize::from(*signed)) as u64),
            // A digit for the sign, and the point.
            Encoding::Decimal { digits, .. } => Some((digits + 2) as u64),
            Encoding::Named { bytes, .. } => Some(*bytes),
            Encoding::Rank { values, .. } => {
                let last = values.len().saturating_sub(1).max(1);
                Some(u64::from(last.ilog10()) + 1)
            }
        }
    }
}
