//! What a write is given: by its inputs, by what it makes up, and by what finds its items.

use keywright_model::model::{Input, Pattern, Role, Type};

use crate::problem::resolve::reads;
use crate::problem::{Attr, Attrs, EntityFacts, Range, ReadPart};

/// Every attribute of an entity.
pub(super) fn all(entity: &EntityFacts) -> impl Iterator<Item = Attr> + use<> {
    (0..entity.attributes.len()).map(Attr::new)
}

/// What a create makes up beside what it is given: identifiers, instants, first states, zeros.
pub(super) fn made_up(entity: &EntityFacts, given: Attrs) -> Attrs {
    all(entity)
        .filter(|attr| !given.contains(*attr))
        .filter(|attr| {
            let it = entity.attribute(*attr);
            let generated = it.ty.is_generated_id() && entity.identity.contains(attr);
            let dated = matches!(it.ty, Type::Datetime | Type::Date);
            let known = dated || !it.values.is_empty() || it.ty.is_numeric() || it.ty == Type::Boolean;
            generated || it.sequential || it.version || it.ttl || (known && !it.optional)
        })
        .collect()
}

/// The attributes of an entity that a pattern's inputs speak of, with a present or first value.
pub(in crate::problem::resolve) fn inputs_of<'a>(
    pattern: &'a Pattern,
    entities: &'a [EntityFacts],
    at: usize,
) -> impl Iterator<Item = Attr> + 'a {
    pattern
        .inputs()
        .iter()
        .filter(|input| matches!(input.role, Role::Equal | Role::NewValue | Role::Increment))
        .flat_map(move |input| bound(input, entities, at))
}

/// The attributes of an entity that an input speaks of: those it binds, and identifiers of the same meaning.
pub(in crate::problem::resolve) fn bound<'a>(
    input: &'a Input,
    entities: &'a [EntityFacts],
    at: usize,
) -> impl Iterator<Item = Attr> + use<'a> {
    let entity = &entities[at];
    let direct: Option<Attr> = input
        .binds
        .iter()
        .find(|bind| bind.entity == entity.name)
        .and_then(|bind| entity.named(&bind.attribute));
    let others = input.binds.iter().filter(|_| direct.is_none());
    let domains: Vec<_> = others
        .filter_map(|bind| {
            let other = entities.iter().find(|it| it.name == bind.entity)?;
            Some(other.attribute(other.named(&bind.attribute)?).domain)
        })
        .collect();
    let alike = entity
        .identity
        .iter()
        .copied()
        .filter(move |attr| direct.is_none() && domains.contains(&entity.attribute(*attr).domain));
    direct.into_iter().chain(alike)
}

/// The attributes of an entity that a pattern's inputs give.
pub(in crate::problem::resolve) fn given_to(pattern: &Pattern, entities: &[EntityFacts], at: usize) -> Attrs {
    inputs_of(pattern, entities, at).collect()
}

/// The attributes by which an update or delete finds its item: identity, references, the tenant, and whatever else the
/// caller gives that every item holds for good; else a unique set.
pub(super) fn locators(pattern: &Pattern, entities: &[EntityFacts], at: usize) -> Attrs {
    let entity = &entities[at];
    let equal: Attrs = pattern
        .inputs()
        .iter()
        .filter(|input| input.role == Role::Equal)
        .flat_map(|input| bound(input, entities, at))
        .collect();
    let identity = entity.identity_set();
    let references: Attrs = entity.parents.iter().flat_map(|link| link.via.iter().copied()).collect();
    let lasts = |attr: &Attr| !entity.attribute(*attr).changes && !entity.attribute(*attr).optional;
    let lasting: Attrs = equal.iter().filter(lasts).collect();
    let known = identity.union(references).union(entity.tenants()).union(lasting);
    let direct = equal.intersection(known);
    if identity.is_subset(equal) {
        return direct;
    }
    match entity.unique.iter().find(|set| set.is_subset(equal)) {
        Some(set) => set.union(direct),
        None => direct,
    }
}

/// What chooses the items of an effect on all of an entity's.
#[derive(Default)]
pub(super) struct Choice {
    /// Given by equality.
    pub(super) equal: Attrs,
    pub(super) ranges: Vec<Range>,
    /// Positions of the inputs that choose in a way that no operation serves.
    pub(super) unserved: Vec<usize>,
}

/// What chooses the items of an effect on all of an entity's: every input that says what they are, except those that
/// say what they become.
pub(super) fn choice(pattern: &Pattern, entities: &[EntityFacts], at: usize, written: Attrs) -> Choice {
    let entity = &entities[at];
    let mut choice = Choice::default();
    let mut part = ReadPart::default();
    for (number, input) in pattern.inputs().iter().enumerate() {
        let bind = input.binds.iter().find(|bind| bind.entity == entity.name);
        let Some((bind, attr)) = bind.and_then(|bind| Some((bind, entity.named(&bind.attribute)?))) else {
            continue;
        };
        let plain = !input.optional && !input.list;
        let name = || input.name.clone();
        match input.role {
            Role::Equal if written.contains(attr) && !pattern.expects(input, bind) => {}
            Role::Equal if plain => choice.equal.insert(attr),
            Role::Lower(bound) if plain => reads::range(&mut part, attr).lower = Some((name(), bound)),
            Role::Upper(bound) if plain => reads::range(&mut part, attr).upper = Some((name(), bound)),
            Role::Prefix if plain => reads::range(&mut part, attr).prefix = Some(name()),
            Role::Equal | Role::Lower(_) | Role::Upper(_) | Role::Prefix | Role::Within(_) => {
                choice.unserved.push(number);
            }
            Role::NewValue | Role::Increment | Role::Amount | Role::Limit | Role::Cursor | Role::Unknown => {}
        }
    }
    choice.ranges = part.range.into_iter().chain(part.more_ranges).collect();
    choice
}

/// The attributes whose new values the caller may leave out.
pub(super) fn left_out(pattern: &Pattern, entities: &[EntityFacts], at: usize) -> Attrs {
    let optional = pattern.inputs().iter().filter(|input| input.optional && input.constant.is_none());
    optional
        .filter(|input| matches!(input.role, Role::Equal | Role::NewValue))
        .flat_map(|input| bound(input, entities, at))
        .collect()
}
