//! What a write does, as far as one verb says it: what conditions and inputs say outweighs what the verb mostly means.

use keywright_model::model::Mutability;

use super::Given;
use crate::access_patterns::cell;
use crate::access_patterns::columns::Column;
use crate::access_patterns::effects;
use crate::access_patterns::names::{fold, tokens};
use crate::access_patterns::outline::Kind;
use crate::access_patterns::patterns::row::{Named, Row};
use crate::access_patterns::remarks::Remarks;
use crate::access_patterns::verbs::Verb;
use crate::markdown::Phrase;

/// What a row says of its write.
pub(super) struct Said<'a, 'p> {
    pub(super) kind: Kind,
    pub(super) description: Phrase<'p>,
    /// The cell with the items.
    pub(super) items: cell::Said<'p>,
    pub(super) given: &'a Given<'p>,
    pub(super) named: &'a [Named<'p>],
}

impl<'p> Row<'_, 'p> {
    /// The verb of a write whose description begins with one, if any.
    pub(super) fn verb_of_write(
        &self,
        verb: Option<Verb>,
        said: &Said<'_, 'p>,
        remarks: &mut Remarks,
    ) -> Option<Verb> {
        let Given { written, names, folded, .. } = said.given;
        let own: Vec<usize> = said.named.iter().take(1).filter_map(|(_, entity)| *entity).collect();
        let verb = verb.filter(|verb| verb.kind() != Kind::Read);
        let verb = verb.map(|verb| self.verb_beside_others(verb, folded, said.named));
        // "Add points to an entry" changes one that is there.
        let verb = match own.as_slice() {
            [only] if effects::moved(said.description, *only, names, self.domain).is_some() => {
                Some(Verb::Update)
            }
            _ => verb,
        };
        let verb = verb.map(|verb| self.verb_of_record(verb, said, remarks));
        // "Clear the topic of a channel" with `topic = none` takes an attribute away, not the channel.
        let takes_away =
            || written.iter().any(|it| it.constant.is_some_and(|value| effects::is_none(value.as_str())));
        let verb = match verb {
            Some(Verb::Delete) if said.kind == Kind::Write && takes_away() => Some(Verb::Update),
            verb => verb,
        };
        verb.or_else(|| self.verb_of_conditions(folded, &own))
    }

    /// Of which entities conditions say that their items are there before or not. What is said of the only entity is in the
    /// verb.
    pub(super) fn existence_of_others(&self, named: &[Named<'p>]) -> Vec<(usize, Verb)> {
        let others = self.clauses().flat_map(|clause| self.domain.mentions(clause)).map(|(it, _)| it);
        let others = others.filter(|it| !matches!(named, [(_, Some(only))] if only == it));
        others.filter_map(|entity| Some((entity, self.existence(entity)?))).collect()
    }

    /// "Pin a message" makes a pin where no pin may be there before, and "Deposit cash" changes an account that must be:
    /// what a condition or an input says of the one entity outweighs what the verb mostly means.
    fn verb_beside_others(&self, verb: Verb, inputs: &[String], named: &[Named<'p>]) -> Verb {
        let [(_, Some(own))] = named else { return verb };
        let says = self.existence(*own);
        let there =
            || self.clauses().any(|clause| self.wants_state(clause, *own)) || self.gives_new(inputs, *own);
        match (verb, says) {
            (Verb::Create | Verb::Update, Some(said)) => said,
            // "Publish an episode" that must be a draft, "issue a new badge" to somebody.
            (Verb::Create, None) if self.gives_identity(inputs, *own) && there() => Verb::Update,
            _ => verb,
        }
    }

    /// The conditions, one by one.
    fn clauses(&self) -> impl Iterator<Item = Phrase<'p>> + use<'p> {
        self.words(Column::Conditions).into_iter().flat_map(|cell| cell.split(&[',', ';', '\n']))
    }

    /// Whether conditions say that an item of an entity is there before, so that it is changed, or not, so that it is new.
    fn existence(&self, entity: usize) -> Option<Verb> {
        let about = |clause: &Phrase<'p>| self.domain.mentions(*clause).iter().any(|(it, _)| *it == entity);
        self.clauses().filter(about).find_map(|clause| {
            let clause = clause.as_str().to_lowercase();
            clause.contains("must").then(|| match clause {
                it if it.contains("not exist") => Some(Verb::Create),
                it if it.ends_with("must exist") => Some(Verb::Update),
                _ => None,
            })?
        })
    }

    /// "Record progress" of an item that its inputs identify changes it, where progress is what changes of it; either way
    /// the verb is only read so.
    fn verb_of_record(&self, verb: Verb, said: &Said<'_, 'p>, remarks: &mut Remarks) -> Verb {
        let ([(_, Some(own))], Verb::Create, cell::Said::Words(cell)) = (said.named, verb, said.items) else {
            return verb;
        };
        let inputs = &said.given.folded;
        let words: Vec<Phrase<'p>> = tokens(said.description).collect();
        let may_change = ["record", "log", "report", "capture"];
        let first = words.first().filter(|it| may_change.iter().any(|word| it.is(word)));
        let says =
            |column| self.words(column).is_some_and(|cell| cell.as_str().to_lowercase().contains("exist"));
        let told = effects::names_action(cell) || says(Column::Conditions);
        let Some(first) = first.filter(|_| !told && self.gives_identity(inputs, *own)) else { return verb };
        let declared = &self.domain.entities[*own];
        let object = words.iter().skip(1).find(|word| !["a", "an", "the"].iter().any(|it| word.is(it)));
        let changed = object.and_then(|word| self.domain.attribute(*own, word.as_str())).filter(|it| {
            let mutable = it.mutability.as_ref().is_some_and(|it| it.value == Mutability::Mutable);
            mutable && !self.domain.identifies(*own, &it.name) && inputs.contains(&fold(&it.name))
        });
        let (verb, what, explicit) = match changed {
            Some(_) => (Verb::Update, "an update", format!("{} update", declared.name)),
            None => (Verb::Create, "the creation", format!("new {}", declared.name)),
        };
        remarks.assume(
            first.span(),
            format!("read \"{}\" as {what} of {}", first.as_str(), declared.name),
            format!("the verb may mean either; write `{explicit}` into the column Items Written"),
        );
        verb
    }

    /// Whether the inputs give all that identifies an item.
    fn gives_identity(&self, inputs: &[String], entity: usize) -> bool {
        let identity = &self.domain.entities[entity].identity;
        !identity.is_empty() && identity.iter().all(|name| inputs.contains(&fold(&name.value)))
    }

    /// Whether a clause wants an item in one of the states that an enumeration of its own lists, "state must be DRAFT", or
    /// with or without what an item may lack, "publishedAt must be empty".
    fn wants_state(&self, clause: Phrase<'p>, entity: usize) -> bool {
        let words: Vec<Phrase<'p>> = tokens(clause).collect();
        let [subject, must, verb, rest @ ..] = words.as_slice() else { return false };
        let is_there = ["empty", "blank", "unset", "set", "absent", "present", "missing", "exist"];
        let lacks = |word: &Phrase<'p>| {
            effects::is_none(word.as_str()) || is_there.iter().any(|wanted| word.is(wanted))
        };
        self.domain.attribute(entity, subject.as_str()).filter(|_| must.is("must")).is_some_and(|it| {
            !it.values.is_empty() && verb.is("be")
                || it.is_optional() && std::iter::once(verb).chain(rest).any(lacks)
        })
    }

    /// Whether an input is the new value of an attribute: `newBadge`.
    fn gives_new(&self, inputs: &[String], entity: usize) -> bool {
        let attributes = || self.domain.entities[entity].attributes.iter().map(|it| fold(&it.name));
        inputs.iter().any(|input| {
            let rest = input.strip_prefix("new");
            rest.is_some_and(|rest| attributes().any(|it| it == rest) && !attributes().any(|it| it == *input))
        })
    }

    /// Where the description has no verb that we know, the conditions tell whether the item is there before, and an input
    /// for a new value that it is.
    fn verb_of_conditions(&self, inputs: &[String], entities: &[usize]) -> Option<Verb> {
        // What must hold for another entity says nothing of this one.
        let about_others = |clause: &Phrase<'p>| {
            let named = self.domain.mentions(*clause);
            !named.is_empty() && !named.iter().any(|(entity, _)| entities.contains(entity))
        };
        let conditions: String = self
            .clauses()
            .filter(|clause| !about_others(clause))
            .map(|clause| clause.as_str().to_lowercase())
            .collect();
        if conditions.contains("not exist") {
            Some(Verb::Create)
        } else if conditions.contains("exist") || inputs.iter().any(|name| name.starts_with("new")) {
            Some(Verb::Update)
        } else {
            None
        }
    }
}
