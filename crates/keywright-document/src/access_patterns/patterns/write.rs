//! What is particular to a write or a delete.

use keywright_model::At;
use keywright_model::model::{
    Action, AttributeRef, Condition, ConditionKind, Effect, Input, Literal, Mutability, Step, Transaction,
    Write,
};

use super::given;
use super::row::{Named, Row};
use crate::access_patterns::cell::Said;
use crate::access_patterns::columns::Column;
use crate::access_patterns::conditions;
use crate::access_patterns::description;
use crate::access_patterns::effects;
use crate::access_patterns::inputs::{self, read_cell};
use crate::access_patterns::names::{Domain, fold, tokens};
use crate::access_patterns::outline::Kind;
use crate::access_patterns::remarks::Remarks;
use crate::access_patterns::verbs::Verb;
use crate::markdown::Phrase;

impl<'p> Row<'_, 'p> {
    pub(super) fn write_kind(
        &self,
        kind: Kind,
        description: Phrase<'p>,
        verb: Option<Verb>,
        named: &[Named<'p>],
        remarks: &mut Remarks,
    ) -> (Option<At<Vec<Input>>>, Write) {
        let (description, told) = self.parted(description);
        let silent = matches!(self.said(Column::Conditions), Said::Silent);
        if silent {
            description::note(description, told, remarks);
        }
        if kind == Kind::Delete && matches!(self.said(Column::ItemsDeleted), Said::Silent) {
            description::report_everything(description, remarks);
        }
        let noted = self.words(Column::Notes).filter(|_| silent && told.is_none() && self.loose);
        let noted = noted.filter(|it| {
            let said = it.as_str();
            said.contains("must ") || description::requires(said) || description::limit(*it).is_some()
        });
        let given = match self.said(Column::Inputs) {
            Said::Silent => self.said(Column::Attributes),
            said => said,
        };
        let (cell, written) = match (given, self.words(Column::KeyCondition)) {
            (Said::Silent, Some(keys)) => (Said::Words(keys), description::placeholders(keys)),
            (Said::Words(words), _) => (given, read_cell(words)),
            _ => (given, Vec::new()),
        };
        let names: Vec<String> = written.iter().map(|it| it.name.as_str().to_owned()).collect();
        let folded: Vec<String> = names.iter().map(|name| fold(name)).collect();
        let items = match (self.said(Column::ItemsWritten), self.said(Column::ItemsDeleted)) {
            // `Player (score +10)` in the column Entity says what happens to it.
            (Said::Silent, Said::Silent) => {
                let named = self.words(Column::Entity).filter(|cell| cell.as_str().contains('('));
                named.map_or(Said::Silent, Said::Words)
            }
            (Said::Silent, deleted) => deleted,
            (written, _) => written,
        };
        let own: Vec<usize> = named.iter().take(1).filter_map(|(_, entity)| *entity).collect();
        let verb = verb.filter(|verb| verb.kind() != Kind::Read);
        let verb = verb.map(|verb| self.verb_beside_others(verb, &folded, named));
        // "Add points to an entry" changes one that is there.
        let verb = match own.as_slice() {
            [only] if effects::moved(description, *only, &names, self.domain).is_some() => Some(Verb::Update),
            _ => verb,
        };
        let verb = verb.map(|verb| self.verb_of_record(verb, description, items, &folded, named, remarks));
        // "Clear the topic of a channel" with `topic = none` takes an attribute away, not the channel.
        let takes_away =
            || written.iter().any(|it| it.constant.is_some_and(|value| effects::is_none(value.as_str())));
        let verb = match verb {
            Some(Verb::Delete) if kind == Kind::Write && takes_away() => Some(Verb::Update),
            verb => verb,
        };
        let verb = verb.or_else(|| self.verb_of_conditions(&folded, &own));
        // What is said of the only entity is in the verb.
        let others = self.clauses().flat_map(|clause| self.domain.mentions(clause)).map(|(it, _)| it);
        let others = others.filter(|it| !matches!(named, [(_, Some(only))] if only == it));
        let existence: Vec<(usize, Verb)> =
            others.filter_map(|entity| Some((entity, self.existence(entity)?))).collect();
        let context = effects::Context {
            kind,
            description,
            verb,
            existence: &existence,
            entities: named,
            inputs: &folded,
            names: &names,
            domain: self.domain,
        };
        let items = effects::read(items, &context, remarks);
        let mut write = Write { effects: items.effects, ..Write::default() };
        if let Some(cell) = self.words(Column::ItemSize) {
            write.item_bytes = self.bytes(cell, remarks);
        }
        let mut parts = Participants::new(&write, named, self);
        if let Some(cell) = self.words(Column::Conditions).or(told).or(noted) {
            let (entities, created) = (parts.all(), created(&write, self.domain));
            let domain = self.domain;
            let context =
                conditions::Context { entities: &entities, created: &created, inputs: &names, domain };
            write.conditions = conditions::read(cell, &context, remarks);
            if noted.is_some() {
                description::noted(&mut write.conditions);
            }
            if silent {
                description::bound_to(&mut write, description, domain, remarks);
            }
            parts.check(&write.conditions, self);
        } else if silent {
            write.conditions = description::conditions(&write.effects, description, self.domain, remarks);
        }
        let changing: Vec<AttributeRef> = write.effects.iter().flat_map(changed_attributes).collect();
        let set = set_attributes(&write, &items.assignments, self.domain);
        let listed: Vec<String> =
            write.effects.iter().filter(|it| lists_changes(it)).map(|it| it.entity.clone()).collect();
        let steps = write.effects.iter().filter_map(step_input).map(fold);
        let values = items.assignments.iter().map(|it| fold(it.value.as_str()));
        let used: Vec<String> = steps.chain(values).collect();
        let context = inputs::Context {
            entities: &parts.main,
            touched: &parts.touched,
            update: parts.update,
            updated: &parts.updated,
            read: false,
            sorted_by: &[],
            description: description.as_str(),
            changing: &changing,
            set: &set,
            listed: &listed,
            used: &used,
            domain: self.domain,
        };
        let inputs = match cell {
            Said::Words(words) => {
                Some(At::stated(inputs::resolve(&written, false, &context, remarks), words.span()))
            }
            Said::Nothing(words) => Some(At::stated(Vec::new(), words.span())),
            Said::Silent if self.loose => description::inputs(description, &[], &context, remarks)
                .or_else(|| description::unsaid_inputs_of(&write.effects, description, self.domain, remarks)),
            Said::Silent => None,
        };
        let inputs = inputs.map(|inputs| match cell {
            Said::Silent => description::complete(inputs, &write.effects, description, self.domain, remarks),
            _ => inputs,
        });
        let mut inputs = inputs.map(|inputs| self.without_none(inputs, &mut write));
        if let Some(inputs) = &mut inputs {
            given::keep(&write, &mut inputs.value);
            given::name_changes(&mut write, &inputs.value);
            given::assign(&items.assignments, &mut write, &mut inputs.value, &context, remarks);
            given::share(&mut write, &inputs.value, verb, &context, remarks);
            given::require(&mut write, &inputs.value, &context);
            given::measure(&write, &mut inputs.value, &parts.all(), &context);
            given::identify(&mut inputs.value, &parts.all(), &context);
        }
        name_steps(&mut write, inputs.as_ref());
        if let Some(cell) = self.words(Column::Transaction) {
            write.transaction = self.transaction(cell, remarks);
        } else if self.loose && write.effects.len() > 1 && write.effects.iter().any(|it| it.all && it.assumed)
        {
            remarks.assume(
                description.span(),
                format!("read \"{}\" as no transaction", description.as_str()),
                "nothing says how many items it takes; write Yes into a column Transaction where all or none are to go",
            );
            write.transaction = Some(At::assumed(Transaction::No, description.span()));
        }
        (inputs, write)
    }

    /// An input `openSince = none` gives nothing: it says that an update takes the attribute away, and that a new item
    /// begins without it.
    fn without_none(&self, mut inputs: At<Vec<Input>>, write: &mut Write) -> At<Vec<Input>> {
        inputs.value.retain(|input| {
            let Some(Literal::String(text)) =
                input.constant.as_ref().filter(|it| effects::is_none(&it.to_string()))
            else {
                return true;
            };
            let mut removed = false;
            for bind in &input.binds {
                let entity = self.domain.find(&bind.entity);
                let declared = entity.and_then(|entity| self.domain.attribute(entity, &bind.attribute));
                // An enumeration may have a value of that name.
                let is_value = declared.is_some_and(|it| it.values.iter().any(|it| it.value == *text));
                let effects = write.effects.iter_mut().filter(|it| it.entity == bind.entity && !is_value);
                for effect in effects {
                    match effect.action {
                        Action::Create | Action::Put => removed = true,
                        Action::Update => {
                            removed = true;
                            for list in [&mut effect.attributes, &mut effect.removes] {
                                if !list.contains(&bind.attribute) {
                                    list.push(bind.attribute.clone());
                                }
                            }
                        }
                        _ => {}
                    }
                }
            }
            !removed
        });
        inputs
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
    fn verb_of_record(
        &self,
        verb: Verb,
        description: Phrase<'p>,
        items: Said<'p>,
        inputs: &[String],
        named: &[Named<'p>],
        remarks: &mut Remarks,
    ) -> Verb {
        let ([(_, Some(own))], Verb::Create, Said::Words(cell)) = (named, verb, items) else { return verb };
        let words: Vec<Phrase<'p>> = tokens(description).collect();
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

    fn transaction(&self, cell: Phrase<'p>, remarks: &mut Remarks) -> Option<At<Transaction>> {
        let batch = tokens(cell).any(|word| word.as_str().to_lowercase().starts_with("batch"));
        let value = if batch {
            Transaction::Batch
        } else if self.flag(cell, remarks)?.value {
            Transaction::Yes
        } else {
            Transaction::No
        };
        Some(At::stated(value, cell.span()))
    }
}

/// The entities of which a write creates items.
fn created(write: &Write, domain: &Domain<'_>) -> Vec<usize> {
    let new = write.effects.iter().filter(|effect| effect.action == Action::Create);
    new.filter_map(|effect| domain.find(&effect.entity)).collect()
}

/// The attributes that an effect names as changing.
fn changed_attributes(effect: &Effect) -> Vec<AttributeRef> {
    let mut names: Vec<&String> = effect.attributes.iter().collect();
    if let Action::Add { attribute, .. } = &effect.action {
        names.push(attribute);
    }
    names.into_iter().map(|name| AttributeRef::new(&effect.entity, name)).collect()
}

/// Whether an effect names what it gives values to; one that only takes away leaves the rest to the inputs.
pub(super) fn lists_changes(effect: &Effect) -> bool {
    effect.action == Action::Update && effect.attributes.iter().any(|name| !effect.removes.contains(name))
}

/// The name of the input by which an effect moves a number.
fn step_input(effect: &Effect) -> Option<&str> {
    match &effect.action {
        Action::Add { by: Step::Input(name) | Step::MinusInput(name), .. } => Some(name),
        _ => None,
    }
}

/// The attributes that updates set to values which they don't name: `SET state = OCCUPIED, patientId` the second.
fn set_attributes(
    write: &Write,
    assignments: &[effects::Assignment<'_>],
    domain: &Domain<'_>,
) -> Vec<AttributeRef> {
    let assigned = |effect: &Effect, name: &String| {
        assignments.iter().any(|it| domain.entities[it.entity].name == effect.entity && it.attribute == *name)
    };
    let updates = write.effects.iter().filter(|effect| effect.action == Action::Update);
    updates
        .flat_map(|effect| {
            let named = effect.attributes.iter();
            let set = named.filter(|name| !effect.removes.contains(name) && !assigned(effect, name));
            set.map(|name| AttributeRef::new(&effect.entity, name))
        })
        .collect()
}

/// The entities that take part in a write.
struct Participants {
    /// Those whose attributes a plain name may mean.
    main: Vec<usize>,
    /// Those of which only the identity is meant.
    touched: Vec<usize>,
    /// Whether the first effect changes an item that is there.
    update: bool,
    /// Those whose items change, where nothing says what of them does.
    updated: Vec<usize>,
}

impl Participants {
    fn new(write: &Write, named: &[Named<'_>], row: &Row<'_, '_>) -> Self {
        let mut main: Vec<usize> = Vec::new();
        let mut touched: Vec<usize> = Vec::new();
        let update =
            write.effects.first().is_some_and(|it| matches!(it.action, Action::Update | Action::Add { .. }));
        for (index, effect) in write.effects.iter().enumerate() {
            let Some(entity) = row.domain.find(&effect.entity) else { continue };
            let whole = match effect.action {
                Action::Create | Action::Put | Action::Delete => true,
                Action::Update | Action::Add { .. } => index == 0,
            };
            let list = if whole { &mut main } else { &mut touched };
            if !list.contains(&entity) {
                list.push(entity);
            }
        }
        let others = named
            .iter()
            .filter_map(|(_, entity)| *entity)
            .filter(|it| !main.contains(it))
            .collect::<Vec<_>>();
        for entity in others {
            if main.is_empty() {
                main.push(entity);
            } else if !touched.contains(&entity) {
                touched.push(entity);
            }
        }
        touched.retain(|entity| !main.contains(entity));
        let silent = |it: &&Effect| it.action == Action::Update && it.attributes.is_empty();
        let updated = write.effects.iter().filter(silent).filter_map(|it| row.domain.find(&it.entity));
        let updated = updated.filter(|entity| touched.contains(entity)).collect();
        Participants { main, touched, update, updated }
    }

    /// Takes in the entities whose items a condition looks at: the inputs must be able to find them.
    fn check(&mut self, conditions: &[Condition], row: &Row<'_, '_>) {
        for condition in conditions {
            let entity = match &condition.kind {
                ConditionKind::Exists { entity } | ConditionKind::NotExists { entity } => entity,
                ConditionKind::Compare { attribute, .. }
                | ConditionKind::OneOf { attribute, .. }
                | ConditionKind::Held { attribute, .. } => &attribute.entity,
                ConditionKind::Unique { .. } | ConditionKind::AtMost { .. } | ConditionKind::Words => {
                    continue;
                }
            };
            if let Some(entity) = row.domain.find(entity)
                && !self.main.contains(&entity)
                && !self.touched.contains(&entity)
            {
                self.touched.push(entity);
            }
        }
    }

    fn all(&self) -> Vec<usize> {
        self.main.iter().chain(&self.touched).copied().collect()
    }
}

/// A step by an input bears that input's name as it is written among the inputs.
fn name_steps(write: &mut Write, inputs: Option<&At<Vec<Input>>>) {
    for effect in &mut write.effects {
        if let Action::Add { by: Step::Input(name) | Step::MinusInput(name), .. } = &mut effect.action
            && let Some(input) =
                inputs.and_then(|inputs| inputs.value.iter().find(|it| fold(&it.name) == fold(name)))
        {
            name.clone_from(&input.name);
        }
    }
}
