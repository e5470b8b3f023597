//! What an input is for: told by an operator, by the attribute's name, or inferred from the parameter's name.

use keywright_model::model::{AttributeRef, Bound, Input, Role, Type};

use super::binding::{bind, elsewhere, identifies, is_mutable, is_optional, is_version, may_change, type_of};
use super::cell::{Operator, Written};
use super::inferred::{Inferred, infer, paging, renewed, time};
use super::value::{literal, report_value};
use crate::access_patterns::names::{Domain, fold};
use crate::access_patterns::remarks::Remarks;
use crate::rules::UNREADABLE_CELL;

/// What is known of a pattern when its inputs are read.
pub(in crate::access_patterns) struct Context<'a> {
    /// The entities that a plain name may belong to, the main one first.
    pub(in crate::access_patterns) entities: &'a [usize],
    /// Entities of which only the identity may be meant: items that the pattern touches beside the main ones.
    pub(in crate::access_patterns) touched: &'a [usize],
    /// Whether the main effect changes items that are there.
    pub(in crate::access_patterns) update: bool,
    /// Those of the touched ones that change, where nothing says what of them does: the inputs do.
    pub(in crate::access_patterns) updated: &'a [usize],
    /// Whether the pattern reads.
    pub(in crate::access_patterns) read: bool,
    /// The attributes of the pattern's order: the likely subject of `from` and `to`.
    pub(in crate::access_patterns) sorted_by: &'a [AttributeRef],
    /// The words of the description, to see whether an attribute is what changes.
    pub(in crate::access_patterns) description: &'a str,
    /// The attributes that the effects name as changing.
    pub(in crate::access_patterns) changing: &'a [AttributeRef],
    /// Those of them that get values which the effects don't name: the inputs of their names.
    pub(in crate::access_patterns) set: &'a [AttributeRef],
    /// The entities of which the effects name all that changes.
    pub(in crate::access_patterns) listed: &'a [String],
    /// What effects use by name, folded: how far a number moves, or what an attribute becomes.
    pub(in crate::access_patterns) used: &'a [String],
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
    let renewed = renewed(written.iter().map(|it| it.attribute.unwrap_or(it.name).as_str()));
    for input in written {
        match input.operator {
            Some(Operator::Range) => inputs.extend(range(input, filter, context, remarks)),
            Some(Operator::Other) => remarks.say(
                &UNREADABLE_CELL,
                input.name.span(),
                format!("`{}` is not an input", input.name.as_str()),
                "keys support equality, ranges and prefixes: write one pattern per value",
            ),
            None if let members = members(input, written, context)
                && !members.is_empty() =>
            {
                for bound in members {
                    let mut member = Input { name: bound.attribute.clone(), ..base(input, filter) };
                    member.role = Role::Equal;
                    member.binds = vec![bound];
                    changed(&mut member, &renewed, context, remarks);
                    inputs.push(member);
                }
            }
            _ => inputs.push(one(input, filter, &renewed, context, remarks)),
        }
    }
    inputs
}

/// What an input gives that names a whole map: each member that is not given by itself.
fn members(input: &Written<'_>, all: &[Written<'_>], context: &Context<'_>) -> Vec<AttributeRef> {
    let given = |bound: &AttributeRef| all.iter().any(|it| fold(it.name.as_str()) == fold(&bound.attribute));
    let entities = context.entities.iter().chain(context.touched);
    let mut members = entities.map(|entity| context.domain.members(*entity, input.name.as_str()));
    let found = members.find(|members| !members.is_empty()).unwrap_or_default();
    found.into_iter().filter(|bound| !given(bound)).collect()
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

fn one(
    written: &Written<'_>,
    filter: bool,
    renewed: &[String],
    context: &Context<'_>,
    remarks: &mut Remarks,
) -> Input {
    let mut input = base(written, filter);
    if let Some(attribute) = written.attribute {
        compared(&mut input, written, attribute.as_str(), renewed, context, remarks);
        return input;
    }
    let name = written.name.as_str();
    if written.operator == Some(Operator::Paging) {
        input.role = paging(name).unwrap_or(Role::Limit);
        return input;
    }
    if let Some(link) = spoken_link(name, context) {
        remarks.assume(
            input.span,
            format!("read \"{name}\" as {link}"),
            format!("the description speaks of {}; name the attribute in full", link.entity),
        );
        input.role = Role::Equal;
        input.binds = vec![link];
        input.assumed = true;
        return input;
    }
    if let Some(binds) = bind(name, context) {
        input.binds = binds;
        input.role = Role::Equal;
        changed(&mut input, renewed, context, remarks);
        return input;
    }
    if let Some(entity) = in_a_role(name, context) {
        let (entity, identifier) = (&context.domain.entities[entity], fold(name));
        let ty = entity.attributes.iter().find(|it| identifier.ends_with(&fold(&it.name)));
        let ty = ty.map_or_else(String::new, |it| format!("{}, ", it.ty.value));
        remarks.say(
            &UNREADABLE_CELL,
            input.span,
            format!("`{name}` identifies an item of {0}, but no entity has such an attribute", entity.name),
            format!(
                "declare `{name}` ({ty}ref {}) in the entity that records the event, and write an item of \
                 it as well",
                entity.name
            ),
        );
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
    // What moves a number need be no attribute.
    if let Some(elsewhere) = elsewhere(name, context).filter(|_| !context.used.contains(&fold(name))) {
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

/// "My favorites", which are listings: the link that the description names, not what else of a listing points to a user.
fn spoken_link(name: &str, context: &Context<'_>) -> Option<AttributeRef> {
    let [entity] = context.entities else { return None };
    let plain = context.domain.attribute(*entity, name).is_some() || name.contains('.') || fold(name) == "id";
    let link = context.domain.through(*entity, name).filter(|_| context.read && !plain)?;
    let spoken = context.description.split(|it: char| !it.is_alphanumeric()).any(|word| {
        context.domain.find(word).is_some_and(|it| context.domain.entities[it].name == link.entity)
    });
    spoken.then_some(link)
}

/// The entity of which a write is told one of several items by a name that nobody declares: `fromAccountId` is neither the
/// `accountId` of what it writes nor a range of them.
fn in_a_role(name: &str, context: &Context<'_>) -> Option<usize> {
    let folded = fold(name);
    let of = |entity: &&usize| match context.domain.entities[**entity].identity.as_slice() {
        [only] => folded.strip_suffix(&fold(&only.value)).is_some_and(|role| !matches!(role, "" | "new")),
        _ => false,
    };
    let unknown = !context.read && context.domain.owners(name).is_empty();
    context.entities.iter().chain(context.touched).find(|entity| unknown && of(entity)).copied()
}

/// `createdAt >= since`, `status = OPEN`.
fn compared(
    input: &mut Input,
    written: &Written<'_>,
    attribute: &str,
    renewed: &[String],
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
                format!("its name says so; to state it explicitly, write `{} = …`", bound.attribute),
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
    // In an update, `status = PAID` says what becomes of it, unless it identifies, or `newStatus` says it.
    let is_updated = |bound: &AttributeRef| {
        context.domain.find(&bound.entity).is_some_and(|entity| context.updated.contains(&entity))
    };
    if (context.update || input.binds.iter().any(is_updated))
        && input.role == Role::Equal
        && !renewed.contains(&fold(attribute))
        && input.binds.iter().all(|bound| !identifies(bound, context))
    {
        input.role = Role::NewValue;
    }
}

/// In an update, what does not identify the item is what changes.
fn changed(input: &mut Input, renewed: &[String], context: &Context<'_>, remarks: &mut Remarks) {
    let is_updated = |bound: &&AttributeRef| {
        context.domain.find(&bound.entity).is_some_and(|entity| context.updated.contains(&entity))
    };
    let main = input.binds.first().filter(|_| context.update);
    let Some(bound) = main.or_else(|| input.binds.iter().find(is_updated)).cloned() else { return };
    if input.binds.iter().any(|bound| identifies(bound, context)) || !may_change(&bound, context) {
        return;
    }
    if context.set.contains(&bound) && !renewed.contains(&fold(&input.name)) {
        input.role = Role::NewValue;
        return;
    }
    // `Task (SET status = DONE) + Bin (stock -quantity)`: what moves the stock is no quantity of the task.
    let unnamed = is_unnamed(&bound, context);
    let moves = unnamed || context.changing.contains(&bound);
    if moves && context.used.contains(&fold(&input.name)) {
        input.binds.retain(|it| *it != bound);
        input.role = if input.binds.is_empty() { Role::Unknown } else { Role::Equal };
        return;
    }
    let (name, attribute) = (&input.name, &bound.attribute);
    // A time and what changes are told, not known; a version and a state say what was seen, and so may anything beside
    // other new values.
    let beside = context.set.iter().any(|it| it.entity == bound.entity);
    let changes = is_mutable(&bound, context) && !is_version(&bound, context);
    let told = |ty: Type| {
        matches!(ty, Type::Datetime | Type::Date)
            || changes && (ty.is_numeric() || ty != Type::Enum && !beside)
    };
    let lasts = !is_optional(&bound, context) && !type_of(&bound, context).is_some_and(told);
    let (role, what, help) = if renewed.contains(&fold(name)) {
        let help = format!(
            "another input gives its new value; write `expected{}` to say so",
            upper_first(attribute)
        );
        (Role::Equal, "the current value of", help)
    } else if unnamed && lasts {
        let help = format!("the items written name what changes; write `SET {attribute}` there if it does");
        (Role::Equal, "the current value of", help)
    } else if unnamed {
        (
            Role::NewValue,
            "a new value for",
            format!("write `SET {attribute}` beside what else changes to say so"),
        )
    } else {
        let help =
            format!("it does not identify {}; write `new{}` to say so", bound.entity, upper_first(attribute));
        (Role::NewValue, "a new value for", help)
    };
    remarks.assume(input.span, format!("read \"{name}\" as {what} {bound}"), help);
    input.role = role;
    input.assumed = true;
}

/// Whether the items written name what changes of an entity, and not this.
fn is_unnamed(bound: &AttributeRef, context: &Context<'_>) -> bool {
    context.listed.contains(&bound.entity) && !context.changing.contains(bound)
}

fn upper_first(name: &str) -> String {
    let mut characters = name.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}
