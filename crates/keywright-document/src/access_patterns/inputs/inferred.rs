//! What a parameter's name suggests: `titlePrefix`, `startDate`, `newStatus`, `limit`.

use keywright_model::model::{AttributeRef, Bound, Period, Role, Type};

use super::Context;
use super::binding::{bind, identifies, type_of};
use super::cell::period_named;
use crate::access_patterns::names::{fold, parts};

/// What a parameter's name suggests.
pub(super) struct Inferred {
    pub(super) role: Role,
    pub(super) attribute: Option<AttributeRef>,
    pub(super) list: bool,
    pub(super) what: &'static str,
}

impl Inferred {
    fn new(role: Role, attribute: AttributeRef, what: &'static str) -> Self {
        Inferred { role, attribute: Some(attribute), list: false, what }
    }

    /// How to say it outright.
    pub(super) fn instead(&self, name: &str, bound: Option<&AttributeRef>) -> String {
        let attribute = bound.map_or("", |it| it.attribute.as_str());
        match self.role {
            Role::Prefix => {
                format!("its name says so; to state it explicitly, write `{attribute} begins_with {name}`")
            }
            Role::Lower(_) => format!(
                "its name says so; to state it explicitly, write `{attribute} >= \
                                       {name}`"
            ),
            Role::Upper(_) => format!(
                "its name says so; to state it explicitly, write `{attribute} <= \
                                       {name}`"
            ),
            Role::Within(period) => {
                format!("its name says so; to state it explicitly, write `{} of {attribute}`", period.name())
            }
            Role::Limit | Role::Cursor => {
                format!("its name says so; to state it explicitly, write `{name} (paging)`")
            }
            _ if self.list => {
                format!("its name is the plural; to state it explicitly, write `{attribute}[]`")
            }
            _ => "its name says so".to_owned(),
        }
    }
}

/// Words before an attribute's name that say what it becomes, and those that say what it must be before.
const NEW: &[&str] = &["new", "updated", "next"];
const EXPECTED: &[&str] = &["expected", "current", "old", "previous"];

const SO_FAR: &str = "the current value of ";

/// Whether an input's name says that an attribute must be so before: `expectedStatus`.
pub(in crate::access_patterns) fn is_expected(name: &str) -> bool {
    let words = parts(name);
    words.len() > 1 && (EXPECTED.contains(&words[0].as_str()) || words[0] == "from")
}

/// The folded names of the attributes of which other inputs give new values: `status` where there is a `newStatus`.
pub(super) fn renewed<'w>(names: impl Iterator<Item = &'w str>) -> Vec<String> {
    let rest = |words: Vec<String>| {
        let (first, rest) = words.split_first()?;
        NEW.contains(&first.as_str()).then(|| rest.concat())
    };
    names.map(parts).filter_map(rest).collect()
}

/// `fromStatus` and `toStatus` of a change of state; of times and numbers they are the ends of a range.
fn transition(first: &str, rest: &[&str], context: &Context<'_>) -> Option<Inferred> {
    let changes = context.update || !context.updated.is_empty() || !context.changing.is_empty();
    if context.read || !changes {
        return None;
    }
    let (role, what) = match first {
        "from" => (Role::Equal, SO_FAR),
        "to" => (Role::NewValue, "a new value for "),
        _ => return None,
    };
    let attribute = stem_attribute(rest, context)?;
    let ranges = |ty: Type| matches!(ty, Type::Datetime | Type::Date) || ty.is_numeric();
    let is_state = !identifies(&attribute, context) && !type_of(&attribute, context).is_none_or(ranges);
    is_state.then(|| Inferred::new(role, attribute, what))
}

/// The part in paging that a name says.
pub(super) fn paging(name: &str) -> Option<Role> {
    match fold(name).as_str() {
        "limit" | "pagesize" | "maxresults" | "maxitems" | "first" | "take" | "n" | "top" => {
            Some(Role::Limit)
        }
        "cursor" | "pagetoken" | "nexttoken" | "lastkey" | "exclusivestartkey" | "startkey"
        | "continuationtoken" | "lastevaluatedkey" | "page" | "offset" | "nextcursor" => Some(Role::Cursor),
        _ => None,
    }
}

/// Whether a name is about paging and no attribute's.
pub(in crate::access_patterns) fn is_paging(name: &str) -> bool {
    paging(name).is_some()
}

/// Reads the words of a parameter's name: `titlePrefix`, `startDate`, `createdAfter`, `minPrice`, `newStatus`, `limit`.
pub(super) fn infer(name: &str, context: &Context<'_>) -> Option<Inferred> {
    let words = parts(name);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    if let Some(role) = paging(name) {
        let what = if role == Role::Limit { "the size of a page" } else { "where a page begins" };
        return Some(Inferred { role, attribute: None, list: false, what });
    }
    // "customer username", "the order's id": the last word is the attribute; but "from startsAt" is an end of a range.
    let ends_range = words.len() > 1 && words.first().is_some_and(|first| range_end(first).is_some());
    if let Some((_, last)) = name.rsplit_once(char::is_whitespace).filter(|_| !ends_range)
        && let Some(attribute) = bind(last, context).and_then(|binds| binds.into_iter().next())
    {
        return Some(Inferred::new(Role::Equal, attribute, ""));
    }
    let find = |stem: &[&str]| stem_attribute(stem, context);
    let (first, rest) = words.split_first()?;
    let (last, front) = words.split_last()?;
    if matches!(*last, "prefix" | "starts" | "begins") && !front.is_empty() {
        return find(front).map(|it| Inferred::new(Role::Prefix, it, "a prefix of "));
    }
    if *first == "prefix" && !rest.is_empty() {
        return find(rest).map(|it| Inferred::new(Role::Prefix, it, "a prefix of "));
    }
    if NEW.contains(first) && !rest.is_empty() && !context.read {
        return find(rest).map(|it| Inferred::new(Role::NewValue, it, "a new value for "));
    }
    if EXPECTED.contains(first) && !rest.is_empty() {
        return find(rest).map(|it| Inferred::new(Role::Equal, it, SO_FAR));
    }
    if let Some(found) = transition(first, rest, context) {
        return Some(found);
    }
    if matches!(*last, "delta" | "increment" | "change" | "step") && !front.is_empty() && !context.read {
        return find(front).map(|it| Inferred::new(Role::Increment, it, "the increase of "));
    }
    if let Some(found) = bound(&words, context).or_else(|| within(&words, context)) {
        return Some(found);
    }
    // The plural of an attribute is a list of its values.
    let singular = name
        .strip_suffix("es")
        .filter(|it| bind(it, context).is_some())
        .or_else(|| name.strip_suffix('s'))?;
    let attribute = bind(singular, context)?.into_iter().next()?;
    Some(Inferred { list: true, ..Inferred::new(Role::Equal, attribute, "several values of ") })
}

/// Whether a word names the lower end of a range, or the upper one; none where it names neither.
fn range_end(word: &str) -> Option<bool> {
    match word {
        "start" | "from" | "since" | "min" | "minimum" | "begin" | "earliest" => Some(true),
        "end" | "to" | "until" | "max" | "maximum" | "latest" | "till" => Some(false),
        _ => None,
    }
}

/// The end of a range that a name suggests.
fn bound(words: &[&str], context: &Context<'_>) -> Option<Inferred> {
    let end = |word: &str, leads: bool| {
        range_end(word).or(match word {
            "after" | "lower" if !leads || words.len() == 1 => Some(true),
            "before" | "upper" if !leads || words.len() == 1 => Some(false),
            _ => None,
        })
    };
    let (first, rest) = words.split_first()?;
    let (last, front) = words.split_last()?;
    let (lower, stem) = match (end(first, true), end(last, false)) {
        (Some(lower), _) => (lower, rest),
        (None, Some(lower)) => (lower, front),
        (None, None) => return None,
    };
    let generic = stem.is_empty()
        || matches!(stem, ["date" | "time" | "timestamp" | "datetime" | "at" | "day" | "range"]);
    let attribute =
        stem_attribute(stem, context).or_else(|| if generic { time("", context) } else { None })?;
    let (role, what) = if lower {
        (Role::Lower(Bound::Inclusive), "the lower bound of ")
    } else {
        (Role::Upper(Bound::Inclusive), "the upper bound of ")
    };
    Some(Inferred::new(role, attribute, what))
}

/// The whole year, month, day or hour that a name suggests: `month`, `yearMonth`, `createdDay`, and `date` for a day.
fn within(words: &[&str], context: &Context<'_>) -> Option<Inferred> {
    let (last, front) = words.split_last()?;
    let period = match (*last, front) {
        ("date", []) => Period::Day,
        (name, _) => period_named(name)?,
    };
    let stem = front.strip_suffix(&["year"]).unwrap_or(front);
    let attribute = match stem {
        [] => time("", context)?,
        stem => stem_attribute(stem, context)?,
    };
    // A date has no hours, and is a day itself.
    let divides = match type_of(&attribute, context)? {
        Type::Datetime => true,
        Type::Date => matches!(period, Period::Year | Period::Month),
        _ => false,
    };
    let what = match period {
        Period::Year => "the year of ",
        Period::Month => "the month of ",
        Period::Day => "the day of ",
        Period::Hour => "the hour of ",
    };
    (context.read && divides).then(|| Inferred::new(Role::Within(period), attribute, what))
}

/// The attribute that the rest of a parameter's name means: `title`, or `createdAt` for `created`.
fn stem_attribute(stem: &[&str], context: &Context<'_>) -> Option<AttributeRef> {
    if stem.is_empty() {
        return None;
    }
    let joined = stem.concat();
    if let Some(found) = bind(&joined, context).and_then(|binds| binds.into_iter().next()) {
        return Some(found);
    }
    for ending in ["at", "on", "date", "time"] {
        if let Some(found) =
            bind(&format!("{joined}{ending}"), context).and_then(|binds| binds.into_iter().next())
        {
            return Some(found);
        }
    }
    None
}

/// The time that `from` and `to` are about: what the result is sorted by, else the time of creation.
pub(in crate::access_patterns) fn time(name: &str, context: &Context<'_>) -> Option<AttributeRef> {
    if !name.is_empty() && !matches!(fold(name).as_str(), "date" | "time" | "timestamp" | "period") {
        return None;
    }
    let domain = context.domain;
    let is_time = |bound: &&AttributeRef| {
        type_of(bound, context).is_some_and(|ty| matches!(ty, Type::Datetime | Type::Date))
    };
    if let Some(sorted) = context.sorted_by.iter().find(is_time) {
        return Some(sorted.clone());
    }
    context.entities.iter().find_map(|entity| {
        let declared = &domain.entities[*entity];
        domain
            .creation(*entity)
            .filter(|it| matches!(it.ty.value, Type::Datetime | Type::Date))
            .map(|it| AttributeRef::new(&declared.name, &it.name))
    })
}
