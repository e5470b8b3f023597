//! What an input is for: told by an operator, by the attribute's name, or inferred from the parameter's name.

use keywright_model::At;
use keywright_model::model::{
    AttributeRef, Bound, EntityKind, Input, Literal, Mutability, Period, Role, Type,
};

use super::cell::{Operator, Written, period_named};
use crate::access_patterns::names::{Domain, fold, parts};
use crate::access_patterns::remarks::Remarks;
use crate::markdown::Phrase;
use crate::rules::UNREADABLE_CELL;

/// What is known of a pattern when its inputs are read.
pub(in crate::access_patterns) struct Context<'a> {
    /// The entities that a plain name may belong to, the main one first.
    pub(in crate::access_patterns) entities: &'a [usize],
    /// Entities of which only the identity may be meant: items that the pattern touches beside the main ones.
    pub(in crate::access_patterns) touched: &'a [usize],
    /// Whether the main effect changes items that are there.
    pub(in crate::access_patterns) update: bool,
    /// Whether the pattern reads.
    pub(in crate::access_patterns) read: bool,
    /// The attributes of the pattern's order: the likely subject of `from` and `to`.
    pub(in crate::access_patterns) sorted_by: &'a [AttributeRef],
    /// The words of the description, to see whether an attribute is what changes.
    pub(in crate::access_patterns) description: &'a str,
    /// The attributes that the effects name as changing, folded.
    pub(in crate::access_patterns) changing: &'a [String],
    pub(in crate::access_patterns) domain: &'a Domain<'a>,
}

/// Finds out what each input is for. An input that names a whole range becomes two.
pub(in crate::access_patterns) fn resolve(
    written: &[Written<'_>],
    filter: bool,
    context: &Context<'_>,
    remarks: &mut Remarks,
) -> Vec<Input> {
    let mut inputs = Vec::with_capacity(written.len());
    for input in written {
        match input.operator {
            Some(Operator::Range) => inputs.extend(range(input, filter, context, remarks)),
            Some(Operator::Other) => remarks.say(
                &UNREADABLE_CELL,
                input.name.span(),
                format!("`{}` is no input", input.name.as_str()),
                "keys select equal values, ranges and beginnings: write a pattern for each value that is wanted",
            ),
            _ => inputs.push(one(input, filter, context, remarks)),
        }
    }
    inputs
}

fn base(written: &Written<'_>, filter: bool) -> Input {
    Input {
        name: written.name.as_str().to_owned(),
        span: written.name.span(),
        role: Role::Unknown,
        binds: Vec::new(),
        constant: None,
        optional: written.optional,
        list: written.list,
        filter,
        assumed: false,
    }
}

/// `createdAt range`: the two ends.
fn range(written: &Written<'_>, filter: bool, context: &Context<'_>, remarks: &mut Remarks) -> [Input; 2] {
    let name = written.name.as_str();
    let binds = bind(name, context).or_else(|| time(name, context).map(|it| vec![it])).unwrap_or_default();
    let stem = binds.first().map_or(name, |it| it.attribute.as_str()).to_owned();
    let end = |suffix: &str, role: Role| Input {
        name: format!("{stem}{suffix}"),
        role: if binds.is_empty() { Role::Unknown } else { role },
        binds: binds.clone(),
        assumed: !binds.is_empty(),
        ..base(written, filter)
    };
    if let Some(bound) = binds.first() {
        remarks.assume(
            written.name.span(),
            format!("read \"{name}\" as the range from {stem}From to {stem}To of {bound}"),
            format!("name both ends: `{stem} between {stem}From and {stem}To`"),
        );
    }
    [end("From", Role::Lower(Bound::Inclusive)), end("To", Role::Upper(Bound::Inclusive))]
}

fn one(written: &Written<'_>, filter: bool, context: &Context<'_>, remarks: &mut Remarks) -> Input {
    let mut input = base(written, filter);
    if let Some(attribute) = written.attribute {
        compared(&mut input, written, attribute.as_str(), context, remarks);
        return input;
    }
    let name = written.name.as_str();
    if written.operator == Some(Operator::Paging) {
        input.role = paging(name).unwrap_or(Role::Limit);
        return input;
    }
    if let Some(binds) = bind(name, context) {
        input.binds = binds;
        input.role = Role::Equal;
        if context.update {
            changed(&mut input, context, remarks);
        }
        return input;
    }
    if let Some(inferred) = infer(name, context) {
        input.role = inferred.role;
        input.list |= inferred.list;
        input.binds = inferred.attribute.iter().cloned().collect();
        let target = input.binds.first().map(ToString::to_string).unwrap_or_default();
        input.assumed = true;
        remarks.assume(
            input.span,
            format!("read \"{name}\" as {}{target}", inferred.what),
            inferred.instead(name, input.binds.first()),
        );
        return input;
    }
    if let Some(link) = context.entities.first().and_then(|entity| context.domain.through(*entity, name))
        && context.read
    {
        remarks.assume(
            input.span,
            format!("read \"{name}\" as {link}"),
            format!("the pattern's entity is found through {}; name the attribute in full", link.entity),
        );
        input.role = Role::Equal;
        input.binds = vec![link];
        input.assumed = true;
        return input;
    }
    if let Some(elsewhere) = elsewhere(name, context) {
        remarks.assume(
            input.span,
            format!("read \"{name}\" as {elsewhere}"),
            "no entity of the pattern has such an attribute, but that one does",
        );
        input.role = Role::Equal;
        input.binds = vec![elsewhere];
        input.assumed = true;
    }
    input
}

/// `createdAt >= since`, `status = OPEN`.
fn compared(
    input: &mut Input,
    written: &Written<'_>,
    attribute: &str,
    context: &Context<'_>,
    remarks: &mut Remarks,
) {
    let Some(binds) = bind(attribute, context) else {
        // `newStatus = PAID` gives the new value, and says under which name.
        if let Some(Inferred { role: Role::NewValue, attribute: Some(bound), what, .. }) =
            infer(attribute, context)
            && written.operator == Some(Operator::Equal)
        {
            let ty = type_of(&bound, context).unwrap_or(Type::String);
            input.constant = written.constant.map(|value| literal(value.as_str(), ty));
            input.role = Role::NewValue;
            input.assumed = true;
            remarks.assume(
                input.span,
                format!("read \"{attribute}\" as {what}{bound}"),
                format!("its name says so; to say it outright, write `{} = …`", bound.attribute),
            );
            input.binds = vec![bound];
            return;
        }
        // The unknown name is the attribute's, so that a rule can speak of it.
        input.name = attribute.to_owned();
        input.span = written.attribute.map_or(input.span, |it| it.span());
        return;
    };
    let ty = binds.first().and_then(|bound| type_of(bound, context)).unwrap_or(Type::String);
    input.binds = binds;
    input.constant = written.constant.map(|value| literal(value.as_str(), ty));
    if let (Some(value), Some(bound)) = (written.constant, input.binds.first()) {
        report_value(value, bound, context, remarks);
    }
    input.role = match written.operator {
        Some(Operator::Lower(bound)) => Role::Lower(bound),
        Some(Operator::Upper(bound)) => Role::Upper(bound),
        Some(Operator::Prefix) => Role::Prefix,
        Some(Operator::Within(period)) => Role::Within(period),
        Some(Operator::Equal | Operator::Range | Operator::Paging | Operator::Other) | None => Role::Equal,
    };
    // In an update, `status = PAID` says what becomes of it, unless it identifies.
    if context.update
        && input.role == Role::Equal
        && input.binds.iter().all(|bound| !identifies(bound, context))
    {
        input.role = Role::NewValue;
    }
}

/// A fixed value that the attribute never has.
fn report_value(value: Phrase<'_>, bound: &AttributeRef, context: &Context<'_>, remarks: &mut Remarks) {
    let entity = context.domain.find(&bound.entity);
    let Some(attribute) = entity.and_then(|it| context.domain.attribute(it, &bound.attribute)) else {
        return;
    };
    let listed = |it: &At<String>| fold(&it.value) == fold(value.as_str());
    let help = if !attribute.values.is_empty() && !attribute.values.iter().any(listed) {
        let values: Vec<&str> = attribute.values.iter().map(|it| it.value.as_str()).collect();
        format!("write one of {}, or add it to the values", values.join(", "))
    } else if attribute.ty.value.is_numeric()
        && matches!(literal(value.as_str(), attribute.ty.value), Literal::String(_))
    {
        "write a number".to_owned()
    } else {
        return;
    };
    remarks.say(&UNREADABLE_CELL, value.span(), format!("`{}` is no value of {bound}", value.as_str()), help);
}

fn literal(text: &str, ty: Type) -> Literal {
    match (ty, text.to_ascii_lowercase().as_str()) {
        (Type::Boolean, "true" | "yes") => Literal::Boolean(true),
        (Type::Boolean, "false" | "no") => Literal::Boolean(false),
        _ if ty.is_numeric() && text.parse::<f64>().is_ok_and(f64::is_finite) => {
            Literal::Number(text.to_owned())
        }
        _ => Literal::String(text.to_owned()),
    }
}

fn type_of(bound: &AttributeRef, context: &Context<'_>) -> Option<Type> {
    let entity = context.domain.find(&bound.entity)?;
    context.domain.attribute(entity, &bound.attribute).map(|it| it.ty.value)
}

fn identifies(bound: &AttributeRef, context: &Context<'_>) -> bool {
    context
        .domain
        .find(&bound.entity)
        .is_some_and(|entity| context.domain.identifies(entity, &bound.attribute))
}

/// The attributes that a plain name means: one per entity of the pattern that has it.
fn bind(name: &str, context: &Context<'_>) -> Option<Vec<AttributeRef>> {
    let domain = context.domain;
    if let Some((entity, attribute)) = name.split_once('.')
        && let Some(entity) = domain.find(entity)
        && let Some(found) = domain.reference(entity, attribute)
    {
        return Some(vec![found]);
    }
    let mut binds = Vec::new();
    for entity in context.entities {
        binds.extend(domain.reference(*entity, name).or_else(|| own_name(*entity, name, context)));
    }
    for entity in context.touched {
        let found = domain.reference(*entity, name).or_else(|| own_name(*entity, name, context));
        let identity = |it: &AttributeRef| domain.identifies(*entity, &it.attribute);
        let changes = |it: &AttributeRef| binds.is_empty() && context.changing.contains(&fold(&it.attribute));
        let found = found.filter(|it| identity(it) || changes(it));
        binds.extend(found);
    }
    (!binds.is_empty()).then_some(binds)
}

/// `customerId` for the `id` of a Customer, `customerEmail` for its `email`, `id` for the only identifier; and for an
/// entity that points to a customer, the attribute that does.
fn own_name(entity: usize, name: &str, context: &Context<'_>) -> Option<AttributeRef> {
    let domain = context.domain;
    let declared = &domain.entities[entity];
    let folded = fold(name);
    if folded == "id"
        && let [only] = declared.identity.as_slice()
    {
        return Some(AttributeRef::new(&declared.name, &only.value));
    }
    if let Some(rest) = folded.strip_prefix(&fold(&declared.name))
        && let Some(found) = domain.reference(entity, rest).filter(|_| !rest.is_empty())
    {
        return Some(found);
    }
    domain.pointer(entity, &folded).map(|attribute| AttributeRef::new(&declared.name, &attribute.name))
}

/// In an update, what does not identify the item is what changes.
fn changed(input: &mut Input, context: &Context<'_>, remarks: &mut Remarks) {
    let domain = context.domain;
    let Some(bound) = input.binds.first() else { return };
    let Some(entity) = domain.find(&bound.entity) else { return };
    if input.binds.iter().any(|bound| identifies(bound, context)) {
        return;
    }
    let Some(attribute) = domain.attribute(entity, &bound.attribute) else { return };
    // A version counts the changes by itself: who gives one says which it was that they saw.
    if attribute.version.is_some() && domain.entities[entity].is(EntityKind::History) {
        return;
    }
    let folded = fold(&bound.attribute);
    let named = context.changing.contains(&folded) || fold(context.description).contains(&folded);
    // What an item may lack can't find it.
    let addresses = (attribute.reference.is_some() && !attribute.is_optional())
        || attribute.tenant.is_some()
        || attribute.version.is_some()
        || attribute.mutability.as_ref().is_some_and(|it| it.value == Mutability::Immutable)
        || domain.creation(entity).is_some_and(|it| {
            it.name == attribute.name && it.ty.value == Type::Datetime && folded.starts_with("created")
        });
    if addresses && !named {
        return;
    }
    input.role = Role::NewValue;
    input.assumed = true;
    let (name, bound) = (&input.name, bound.clone());
    remarks.assume(
        input.span,
        format!("read \"{name}\" as a new value for {bound}"),
        format!(
            "it does not identify {}; write `new{}` to say so",
            bound.entity,
            upper_first(&bound.attribute)
        ),
    );
}

fn upper_first(name: &str) -> String {
    let mut characters = name.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

/// What a parameter's name suggests.
struct Inferred {
    role: Role,
    attribute: Option<AttributeRef>,
    list: bool,
    what: &'static str,
}

impl Inferred {
    fn new(role: Role, attribute: AttributeRef, what: &'static str) -> Self {
        Inferred { role, attribute: Some(attribute), list: false, what }
    }

    /// How to say it outright.
    fn instead(&self, name: &str, bound: Option<&AttributeRef>) -> String {
        let attribute = bound.map_or("", |it| it.attribute.as_str());
        match self.role {
            Role::Prefix => {
                format!("its name says so; to say it outright, write `{attribute} begins_with {name}`")
            }
            Role::Lower(_) => format!("its name says so; to say it outright, write `{attribute} >= {name}`"),
            Role::Upper(_) => format!("its name says so; to say it outright, write `{attribute} <= {name}`"),
            Role::Within(period) => {
                format!("its name says so; to say it outright, write `{} of {attribute}`", period.name())
            }
            Role::Limit | Role::Cursor => {
                format!("its name says so; to say it outright, write `{name} (paging)`")
            }
            _ if self.list => format!("its name is the plural; to say it outright, write `{attribute}[]`"),
            _ => "its name says so".to_owned(),
        }
    }
}

/// The part in paging that a name says.
fn paging(name: &str) -> Option<Role> {
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
fn infer(name: &str, context: &Context<'_>) -> Option<Inferred> {
    let words = parts(name);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    if let Some(role) = paging(name) {
        let what = if role == Role::Limit { "the size of a page" } else { "where a page begins" };
        return Some(Inferred { role, attribute: None, list: false, what });
    }
    // "customer username", "the order's id": the last word is the attribute.
    if let Some((_, last)) = name.rsplit_once(char::is_whitespace)
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
    if matches!(*first, "new" | "updated" | "next") && !rest.is_empty() && !context.read {
        return find(rest).map(|it| Inferred::new(Role::NewValue, it, "a new value for "));
    }
    if matches!(*first, "expected" | "current" | "old" | "previous") && !rest.is_empty() {
        return find(rest).map(|it| Inferred::new(Role::Equal, it, "the value so far of "));
    }
    if matches!(*last, "delta" | "increment" | "change" | "step") && !front.is_empty() && !context.read {
        return find(front).map(|it| Inferred::new(Role::Increment, it, "the growth of "));
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

/// The end of a range that a name suggests.
fn bound(words: &[&str], context: &Context<'_>) -> Option<Inferred> {
    let end = |word: &str, leads: bool| match word {
        "start" | "from" | "since" | "min" | "minimum" | "begin" | "earliest" => Some(true),
        "end" | "to" | "until" | "max" | "maximum" | "latest" | "till" => Some(false),
        "after" | "lower" if !leads || words.len() == 1 => Some(true),
        "before" | "upper" if !leads || words.len() == 1 => Some(false),
        _ => None,
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
fn time(name: &str, context: &Context<'_>) -> Option<AttributeRef> {
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

/// An attribute of another entity, where exactly one has that name.
fn elsewhere(name: &str, context: &Context<'_>) -> Option<AttributeRef> {
    context.domain.only_owner(name)
}
