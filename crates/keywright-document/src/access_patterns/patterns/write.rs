//! What is particular to a write or a delete.

mod verb;

use keywright_model::At;
use keywright_model::model::{
    Action, Attribute, AttributeRef, Condition, ConditionKind, Effect, Input, Literal, Step, Transaction,
    Write,
};

use super::given;
use super::row::{Named, Row};
use crate::access_patterns::cell::Said;
use crate::access_patterns::columns::Column;
use crate::access_patterns::conditions;
use crate::access_patterns::description;
use crate::access_patterns::effects::{self, Assignment};
use crate::access_patterns::inputs::{self, Written, read_cell};
use crate::access_patterns::names::{Domain, fold, tokens};
use crate::access_patterns::outline::Kind;
use crate::access_patterns::remarks::Remarks;
use crate::access_patterns::verbs::Verb;
use crate::markdown::Phrase;

/// The inputs as they are written.
struct Given<'p> {
    cell: Said<'p>,
    written: Vec<Written<'p>>,
    names: Vec<String>,
    /// The names, folded.
    folded: Vec<String>,
}

/// What a write does and when, before its inputs are read.
struct Done<'p> {
    description: Phrase<'p>,
    verb: Option<Verb>,
    write: Write,
    assignments: Vec<Assignment<'p>>,
    parts: Participants,
}

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
        if matches!(self.said(Column::Conditions), Said::Silent) {
            description::note(description, told, remarks);
        }
        if kind == Kind::Delete && matches!(self.said(Column::ItemsDeleted), Said::Silent) {
            description::report_everything(description, remarks);
        }
        let given = self.given();
        let items = self.items();
        let said = verb::Said { kind, description, items, given: &given, named };
        let verb = self.verb_of_write(verb, &said, remarks);
        let existence = self.existence_of_others(named);
        let context = effects::Context {
            kind,
            description,
            verb,
            existence: &existence,
            entities: named,
            inputs: &given.folded,
            names: &given.names,
            domain: self.domain,
        };
        let items = effects::read(items, &context, remarks);
        let mut write = Write { effects: items.effects, ..Write::default() };
        if let Some(cell) = self.words(Column::ItemSize) {
            write.item_bytes = self.bytes(cell, remarks);
        }
        let parts = Participants::new(&write, named, self);
        let mut done = Done { description, verb, write, assignments: items.assignments, parts };
        self.read_conditions(&mut done, told, &given.names, remarks);
        let inputs = self.inputs_of_write(&mut done, &given, remarks);
        self.read_transaction(&mut done, remarks);
        (inputs, done.write)
    }

    fn given(&self) -> Given<'p> {
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
        let folded = names.iter().map(|name| fold(name)).collect();
        Given { cell, written, names, folded }
    }

    /// The cell with the items.
    fn items(&self) -> Said<'p> {
        match (self.said(Column::ItemsWritten), self.said(Column::ItemsDeleted)) {
            // `Player (score +10)` in the column Entity says what happens to it.
            (Said::Silent, Said::Silent) => {
                let named = self.words(Column::Entity).filter(|cell| cell.as_str().contains('('));
                named.map_or(Said::Silent, Said::Words)
            }
            (Said::Silent, deleted) => deleted,
            (written, _) => written,
        }
    }

    /// Reads what must hold: of the column for it, else what the description says behind what it does, or the notes.
    fn read_conditions(
        &self,
        done: &mut Done<'p>,
        told: Option<Phrase<'p>>,
        names: &[String],
        remarks: &mut Remarks,
    ) {
        let Done { description, write, parts, .. } = done;
        let silent = matches!(self.said(Column::Conditions), Said::Silent);
        let noted = self.words(Column::Notes).filter(|_| silent && told.is_none() && self.loose);
        let noted = noted.filter(|it| {
            let said = it.as_str();
            said.contains("must ") || description::requires(said) || description::limit(*it).is_some()
        });
        if let Some(cell) = self.words(Column::Conditions).or(told).or(noted) {
            let (entities, created) = (parts.all(), created(write, self.domain));
            let context = conditions::Context {
                entities: &entities,
                created: &created,
                inputs: names,
                domain: self.domain,
            };
            write.conditions = conditions::read(cell, &context, remarks);
            if noted.is_some() {
                description::noted(&mut write.conditions);
            }
            if silent {
                description::bound_to(write, *description, self.domain, remarks);
            }
            parts.check(&write.conditions, self);
        } else if silent {
            write.conditions = description::conditions(&write.effects, *description, self.domain, remarks);
        }
    }

    /// Reads the inputs, and what they and the effects say of each other.
    fn inputs_of_write(
        &self,
        done: &mut Done<'p>,
        given: &Given<'p>,
        remarks: &mut Remarks,
    ) -> Option<At<Vec<Input>>> {
        let Done { description, verb, write, assignments, parts } = done;
        let changing: Vec<AttributeRef> = write.effects.iter().flat_map(changed_attributes).collect();
        let set = set_attributes(write, assignments, self.domain);
        let listed: Vec<String> =
            write.effects.iter().filter(|it| lists_changes(it)).map(|it| it.entity.clone()).collect();
        let steps = write.effects.iter().filter_map(step_input).map(fold);
        let values = assignments.iter().map(|it| fold(it.value.as_str()));
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
        let (description, domain) = (*description, self.domain);
        let inputs = match given.cell {
            Said::Words(words) => {
                Some(At::stated(inputs::resolve(&given.written, false, &context, remarks), words.span()))
            }
            Said::Nothing(words) => Some(At::stated(Vec::new(), words.span())),
            Said::Silent => {
                let told = Some(()).filter(|()| self.loose).and_then(|()| {
                    description::inputs(description, &[], &context, remarks).or_else(|| {
                        description::unsaid_inputs_of(&write.effects, description, domain, remarks)
                    })
                });
                told.map(|it| description::complete(it, &write.effects, description, domain, remarks))
            }
        };
        let mut inputs = self.without_none(inputs?, write);
        given::keep(write, &mut inputs.value);
        given::name_changes(write, &inputs.value);
        given::assign(assignments, write, &mut inputs.value, &context, remarks);
        given::share(write, &inputs.value, *verb, &context, remarks);
        given::require(write, &inputs.value, &context);
        given::measure(write, &mut inputs.value, &parts.all(), &context);
        given::identify(&mut inputs.value, &parts.all(), &context);
        name_steps(write, &inputs.value);
        Some(inputs)
    }

    fn read_transaction(&self, done: &mut Done<'p>, remarks: &mut Remarks) {
        let Done { description, write, .. } = done;
        if let Some(cell) = self.words(Column::Transaction) {
            write.transaction = self.transaction(cell, remarks);
        } else if self.loose && write.effects.iter().any(|it| it.all && it.assumed) {
            remarks.assume(
                description.span(),
                format!("read \"{}\" as no transaction", description.as_str()),
                "nothing says how many items it takes; write Yes into a column Transaction where all or none are to go",
            );
            write.transaction = Some(At::assumed(Transaction::No, description.span()));
        }
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
                        // What every item has can't be none.
                        Action::Create | Action::Put => {
                            removed |= declared.is_none_or(Attribute::is_optional);
                        }
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
fn name_steps(write: &mut Write, inputs: &[Input]) {
    for effect in &mut write.effects {
        if let Action::Add { by: Step::Input(name) | Step::MinusInput(name), .. } = &mut effect.action
            && let Some(input) = inputs.iter().find(|it| fold(&it.name) == fold(name))
        {
            name.clone_from(&input.name);
        }
    }
}
