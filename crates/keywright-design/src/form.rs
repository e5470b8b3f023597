//! Key forms: how a path becomes key attributes. The style decides, and which entities share a table.

use keywright_model::Style;
use keywright_model::design::KeyType;
use keywright_model::model::{Bound, Type};

use crate::path::{Path, Segment};
use crate::plan::Fit;
use crate::problem::{Attr, AttributeFacts, Attrs, EntityFacts, Problem, ReadPart};

/// The most partition attributes of a native index key, and the most sort attributes.
const NATIVE_PARTS: usize = 4;

/// How a path becomes key attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// One string for the partition and one for the sort key, under names that say nothing: `pk`, `GSI1SK`.
    Generic,
    /// Every attribute is a key attribute of its own, as it is.
    Native,
    /// One key attribute each: the attribute as it is where the path has one, else a string of several.
    Natural,
}

/// The forms of an entity's primary key and of its index keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Forms {
    pub(crate) base: Form,
    pub(crate) index: Form,
}

impl Forms {
    /// The forms that a style gives an entity. In the style of many tables, entities that one pattern reads together
    /// share a table, because a Query reads one table; such a table is overloaded.
    pub(crate) fn of(problem: &Problem, style: Style, entity: usize) -> Self {
        match style {
            Style::Overloaded => Forms { base: Form::Generic, index: Form::Generic },
            Style::MultiAttribute => Forms { base: Form::Generic, index: Form::Native },
            Style::MultiTable if is_alone(problem, entity) => {
                Forms { base: Form::Natural, index: Form::Natural }
            }
            Style::MultiTable => Forms { base: Form::Generic, index: Form::Generic },
        }
    }
}

/// Whether no pattern reads the entity together with another.
fn is_alone(problem: &Problem, entity: usize) -> bool {
    !problem
        .reads
        .iter()
        .any(|read| read.parts.len() > 1 && read.parts.iter().any(|part| part.entity == entity))
}

impl Form {
    /// The sets of attributes of which each makes a string of its own in the item.
    pub(crate) fn strings(self, entity: &EntityFacts, path: &Path) -> Vec<Attrs> {
        let sort: Attrs = path.sort.iter().map(|segment| segment.attr).collect();
        match self {
            // A sort key of nothing says the partition again.
            Form::Generic if path.sort.is_empty() => vec![path.partition_set(), path.partition_set()],
            Form::Generic => vec![path.partition_set(), sort],
            // What is no key by itself stands there once more, as a string.
            Form::Native => path
                .attrs()
                .iter()
                .filter(|attr| key_type(entity.attribute(*attr)).is_none())
                .map(|attr| [attr].into_iter().collect())
                .collect(),
            Form::Natural => {
                let mut strings = Vec::new();
                if own_partition(entity, path).is_none() {
                    strings.push(path.partition_set());
                }
                if !path.sort.is_empty() && own_sort(entity, path).is_none() {
                    strings.push(sort);
                }
                strings
            }
        }
    }

    /// Whether both strings of an index come and go together: they are made for each other, or stand for the same constant.
    pub(crate) fn together(self, path: &Path) -> bool {
        self == Form::Generic || self == Form::Natural && path.only.is_some()
    }

    /// The attributes that one string of a path depends on: those of the strings that come and go with it.
    pub(crate) fn depends(self, path: &Path, string: Attrs) -> Attrs {
        if self.together(path) { path.attrs() } else { string }
    }

    /// The attributes that are key attributes themselves.
    pub(crate) fn own(self, entity: &EntityFacts, path: &Path) -> Attrs {
        match self {
            Form::Generic => Attrs::NONE,
            Form::Native => {
                path.attrs().iter().filter(|attr| key_type(entity.attribute(*attr)).is_some()).collect()
            }
            Form::Natural => own_partition(entity, path).into_iter().chain(own_sort(entity, path)).collect(),
        }
    }

    /// Whether a fit on such a key is a request that DynamoDB takes: no filter on a key attribute, one comparison or
    /// an inclusive BETWEEN on a typed one, a prefix of strings only.
    pub(crate) fn takes(self, entity: &EntityFacts, part: &ReadPart, path: &Path, fit: &Fit) -> bool {
        let own = self.own(entity, path);
        if !fit.filtered(part).intersection(own).is_empty() {
            return false;
        }
        let Some(range) = part.range.as_ref().filter(|range| fit.range && own.contains(range.attr)) else {
            return true;
        };
        let exclusive = |bound: &Option<(String, Bound)>| matches!(bound, Some((_, Bound::Exclusive)));
        let two = range.lower.is_some() && range.upper.is_some();
        let text = key_type(entity.attribute(range.attr)) == Some(KeyType::String);
        !(two && (exclusive(&range.lower) || exclusive(&range.upper))) && (range.prefix.is_none() || text)
    }
}

/// The one attribute that is the partition key as it is.
pub(crate) fn own_partition(entity: &EntityFacts, path: &Path) -> Option<Attr> {
    match path.partition.as_slice() {
        [only] if path.only.is_none() && key_type(entity.attribute(*only)).is_some() => Some(*only),
        _ => None,
    }
}

/// The one attribute that is the sort key as it is.
pub(crate) fn own_sort(entity: &EntityFacts, path: &Path) -> Option<Attr> {
    match path.sort.as_slice() {
        [only] if path.only.is_none() && !only.descending => {
            key_type(entity.attribute(only.attr)).map(|_| only.attr)
        }
        _ => None,
    }
}

/// The type of an attribute as a key; none for what can't be one, such as a boolean or a part of a map.
pub(crate) fn key_type(attribute: &AttributeFacts) -> Option<KeyType> {
    // A time of expiry is a number, whatever the document calls it.
    if attribute.name.contains('.') || attribute.ttl || attribute.bucket.is_some() {
        return None;
    }
    // The name of a value does not sort as the value does.
    if !attribute.rank.is_empty() {
        return None;
    }
    match attribute.ty {
        Type::Boolean | Type::List | Type::Map | Type::Set => None,
        Type::Binary => Some(KeyType::Binary),
        ty if ty.is_numeric() => Some(KeyType::Number),
        _ => Some(KeyType::String),
    }
}

/// Whether an index on the attributes themselves can have this path: few enough attributes, all of them of types that
/// keys have and in one direction, and none that other items in the table hold with another type.
pub(crate) fn is_native(problem: &Problem, entity: usize, path: &Path) -> bool {
    let facts = &problem.entities[entity];
    path.only.is_none()
        && native_partition(problem, entity, path) <= NATIVE_PARTS
        && path.sort.len() <= NATIVE_PARTS
        && !path.sort.iter().any(|segment| segment.descending)
        && path.attrs().iter().all(|attr| {
            let it = facts.attribute(attr);
            let ty = key_type(it);
            // DynamoDB refuses to write an item whose attribute has another type than the index.
            let same = |other: &EntityFacts| {
                other.named(&it.name).is_none_or(|attr| key_type(other.attribute(attr)) == ty)
            };
            // A part of a map and a boolean are keys as strings of their own.
            let copied = !it.ttl && it.ty.is_scalar();
            (ty.is_some() || copied) && problem.entities.iter().all(same)
        })
}

/// Whether a native key has room for one more partition attribute: the number of the shard.
pub(crate) fn has_room_for_shard(problem: &Problem, entity: usize, path: &Path) -> bool {
    native_partition(problem, entity, path) < NATIVE_PARTS
}

fn native_partition(problem: &Problem, entity: usize, path: &Path) -> usize {
    path.partition.len() + usize::from(needs_kind(problem, entity, path))
}

/// Whether the kind of the item is part of a native partition key: where nothing else is, and where other items hold
/// all key attributes too, so that they are in the index and must not be in the same collections.
pub(crate) fn needs_kind(problem: &Problem, entity: usize, path: &Path) -> bool {
    path.partition.is_empty() || !strangers(problem, entity, path).is_empty()
}

/// Items of another kind that hold every key attribute of a native index, so that they are in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stranger {
    pub(crate) entity: usize,
    /// The index as a path of theirs.
    pub(crate) path: Path,
    /// The set whose uniqueness items they are; none for the items of the entity themselves.
    pub(crate) uniqueness: Option<usize>,
}

/// The strangers in a native index.
pub(crate) fn strangers(problem: &Problem, entity: usize, path: &Path) -> Vec<Stranger> {
    let facts = &problem.entities[entity];
    let mut strangers = Vec::new();
    for (at, other) in problem.entities.iter().enumerate() {
        let theirs = |attr: Attr| other.named(&facts.attribute(attr).name);
        let partition: Option<Vec<Attr>> = path.partition.iter().map(|attr| theirs(*attr)).collect();
        let sort: Option<Vec<Segment>> =
            path.sort.iter().map(|segment| Some(Segment::up(theirs(segment.attr)?))).collect();
        let (Some(partition), Some(sort)) = (partition, sort) else { continue };
        let mapped = Path::of(partition, sort);
        if at != entity {
            strangers.push(Stranger { entity: at, path: mapped.clone(), uniqueness: None });
        }
        // A uniqueness item holds what it keeps unique and the identity of its owner.
        for (set, attrs) in other.unique.iter().enumerate() {
            if mapped.attrs().is_subset(attrs.union(other.identity_set())) {
                strangers.push(Stranger { entity: at, path: mapped.clone(), uniqueness: Some(set) });
            }
        }
    }
    strangers
}
