//! Whose attribute a condition is about, where several have one of that name: what is there before the write, not what
//! comes to be with it.

use keywright_model::model::{Attribute, AttributeRef, EntityKind};

use super::Context;
use crate::access_patterns::names::{fold, tokens};
use crate::access_patterns::remarks::Remarks;
use crate::markdown::Phrase;

/// How well a condition suits an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Suits {
    /// The attribute lists the value.
    Listed,
    /// It may hold or not.
    Well,
    /// It always holds, or never does.
    Never,
}

/// The attribute that a condition is about.
pub(super) struct Bearer {
    pub(super) attribute: AttributeRef,
    /// Why it is this one, where another has the name too or the sentence is the only sign of it.
    pub(super) assumed: Option<String>,
}

impl Bearer {
    fn new(entity: usize, attribute: &Attribute, context: &Context<'_>) -> Self {
        let attribute = AttributeRef::new(&context.domain.entities[entity].name, &attribute.name);
        Bearer { attribute, assumed: None }
    }

    /// Says which attribute a condition was taken to be about, where that is not plain.
    pub(super) fn note(&self, condition: Phrase<'_>, remarks: &mut Remarks) {
        let Some(why) = &self.assumed else { return };
        let words = condition.as_str();
        let name = fold(&self.attribute.attribute);
        let bare = tokens(condition).find(|word| fold(word.as_str()) == name);
        let at = bare.map_or(0, |word| word.range_in(condition).start);
        let outright = format!("{}{}.{}", &words[..at], self.attribute.entity, &words[at..]);
        remarks.assume(
            condition.span(),
            format!("read \"{words}\" as a condition on {}", self.attribute),
            format!("{why}; write `{outright}` to say so"),
        );
    }
}

/// The last attribute that the words before "must" name: "the order's status", "Order.status", "status".
pub(super) fn bearer(
    subject: Phrase<'_>,
    suits: &dyn Fn(&Attribute) -> Suits,
    context: &Context<'_>,
) -> Option<Bearer> {
    let mentioned = context.domain.mentions(subject).first().map(|(entity, _)| *entity);
    let found = tokens(subject).filter_map(|word| {
        let own =
            mentioned.and_then(|entity| Some((entity, context.domain.attribute(entity, word.as_str())?)));
        match own {
            Some((entity, attribute)) => Some(Bearer::new(entity, attribute, context)),
            None => named(word.as_str(), suits, context),
        }
    });
    found.last()
}

/// The attribute that a plain name means.
fn named(name: &str, suits: &dyn Fn(&Attribute) -> Suits, context: &Context<'_>) -> Option<Bearer> {
    let domain = context.domain;
    if let Some((entity, name)) = name.split_once('.')
        && let Some(entity) = domain.find(entity)
    {
        return Some(Bearer::new(entity, domain.attribute(entity, name)?, context));
    }
    let holding = |entities: &[usize]| -> Vec<(usize, &Attribute, Suits)> {
        let all = entities.iter().filter_map(|it| Some((*it, domain.attribute(*it, name)?)));
        let mut all: Vec<_> = all.map(|(entity, attribute)| (entity, attribute, suits(attribute))).collect();
        all.sort_by_key(|(_, _, suits)| *suits);
        all
    };
    let (new, old): (Vec<usize>, Vec<usize>) =
        context.entities.iter().partition(|entity| context.created.contains(entity));
    let (there, new) = (holding(&old), holding(&new));
    let beside = match there.first() {
        Some((_, _, Suits::Listed | Suits::Well)) => Vec::new(),
        Some((_, _, Suits::Never)) | None => holding(&beside(name, context)),
    };
    let bearer =
        |(entity, attribute, _): &(usize, &Attribute, Suits)| Bearer::new(*entity, attribute, context);
    let called = |entity: usize| domain.entities[entity].name.as_str();
    match (there.as_slice(), beside.as_slice()) {
        // A value that only another lists is that one's.
        ([(own, _, Suits::Never), ..], [other @ (_, _, Suits::Listed), rest @ ..])
            if !rest.iter().any(|it| it.2 == Suits::Listed) =>
        {
            let assumed = Some(format!("{} never has that value, and {} may", called(*own), called(other.0)));
            Some(Bearer { assumed, ..bearer(other) })
        }
        ([first, others @ ..], _) => {
            let rival = others.iter().find(|other| other.2 == first.2);
            let assumed = match (rival, new.first()) {
                (Some((other, ..)), _) => Some(format!("{} has that attribute too", called(*other))),
                (None, Some((other, ..))) => Some(format!("a new {} has no earlier value", called(*other))),
                (None, None) => None,
            };
            Some(Bearer { assumed, ..bearer(first) })
        }
        ([], [first, rest @ ..])
            if first.2 != Suits::Never
                && !rest.iter().any(|it| it.2 == first.2)
                && !is_given(name, &new, context) =>
        {
            let why = match new.first() {
                Some((other, ..)) => format!("a new {} has no earlier value", called(*other)),
                None => "no item of the pattern has that attribute".to_owned(),
            };
            let assumed = Some(format!("{why}, and the whole key of {} is given", called(first.0)));
            Some(Bearer { assumed, ..bearer(first) })
        }
        ([], _) => new.first().map(bearer),
    }
}

/// Whether the caller gives a new item that attribute: then its value is what the condition is about.
fn is_given(name: &str, new: &[(usize, &Attribute, Suits)], context: &Context<'_>) -> bool {
    !new.is_empty() && context.inputs.iter().any(|input| fold(input) == fold(name))
}

/// The entities with an attribute of that name that the write does not touch, and of which the inputs give the whole key.
fn beside(name: &str, context: &Context<'_>) -> Vec<usize> {
    let domain = context.domain;
    let inputs: Vec<String> = context.inputs.iter().map(|input| fold(input)).collect();
    let points = |entity: usize, attribute: &str| {
        let target = AttributeRef::new(&domain.entities[entity].name, attribute);
        let mut pointers = context.entities.iter().flat_map(|own| {
            let given = inputs.iter().filter_map(|input| domain.attribute(*own, input));
            given.filter_map(|it| it.reference.as_ref())
        });
        pointers.any(|reference| reference.value == target)
    };
    let is_given = |entity: usize| {
        let declared = &domain.entities[entity];
        let mut identity = declared.identity_names().peekable();
        let has_key = identity.peek().is_some() || declared.is(EntityKind::Singleton);
        has_key
            && identity.all(|name| {
                let own = format!("{}{}", fold(&declared.name), fold(name));
                inputs.contains(&fold(name)) || inputs.contains(&own) || points(entity, name)
            })
    };
    let owners = domain.owners(name).iter().copied();
    owners.filter(|entity| !context.entities.contains(entity) && is_given(*entity)).collect()
}
