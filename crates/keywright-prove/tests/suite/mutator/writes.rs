//! Mutants of writes: each part of each condition is left out in turn, each comparison replaced by its neighbours, each action of a
//! transaction and each clause of an update left out, and the word that the write starts over where another one was faster.

use keywright_dynamodb::expression::{Assigned, Comparator, Condition, Operand};
use keywright_model::design::{
    Action, ItemKind, KeyValue, Operation, Request, Update, Value, as_it_was_read,
};
use keywright_model::model::{self, ConditionKind, Effect, Entity};
use keywright_model::{Design, Model};
use keywright_prove::engine::Embedded;
use keywright_prove::{Options, prove};

use super::Mutant;

/// All mutants of the writes of a design.
pub(super) fn mutants(model: &Model, design: &Design) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    let unseen = not_reached(model, design);
    for (nth, operation) in design.operations.iter().enumerate() {
        if model.pattern(&operation.pattern).is_none_or(|pattern| pattern.write().is_none()) {
            continue;
        }
        if operation.retry.is_some() {
            let mut broken = design.clone();
            broken.operations[nth].retry = None;
            let name = format!("{}: gives up where another one was faster", operation.pattern);
            let equal = (!may_be_overtaken(model, design, operation))
                .then_some("nothing changes what it reads first");
            mutants.push(Mutant { name, design: broken, equal });
        }
        mutants.extend(looks(model, design, nth));
        for (request, it) in operation.requests.iter().enumerate() {
            for (at, action) in it.actions().iter().enumerate() {
                // What a proof says it does not check it need not notice.
                if counts(model, design, action) && unseen.iter().any(|item| item == action.item()) {
                    continue;
                }
                let mut add = |what: String, change: &dyn Fn(&mut Vec<Action>)| {
                    let mut broken = design.clone();
                    with_actions(&mut broken.operations[nth].requests[request], change);
                    let item = action.item();
                    mutants.push(Mutant {
                        name: format!("{} {item}: {what}", operation.pattern),
                        design: broken,
                        equal: None,
                    });
                };
                let told = Told { model, design, operation, action };
                if it.actions().len() > 1 && !told.is_done_again() {
                    add("the action left out".into(), &|actions| {
                        actions.remove(at);
                    });
                }
                for broken in told.conditions() {
                    let what = format!("{} for {}", show(broken.as_ref()), show(condition(action)));
                    add(what, &|actions| set_condition(&mut actions[at], broken.clone()));
                }
                for (what, broken) in told.clauses() {
                    add(what, &|actions| actions[at] = Action::Update(broken.clone()));
                }
            }
        }
    }
    mutants
}

/// An operation that looks eventually for all that it writes, and one that does not look once more for what came meanwhile.
fn looks(model: &Model, design: &Design, nth: usize) -> Vec<Mutant> {
    let operation = &design.operations[nth];
    let mut mutants = Vec::new();
    let mut add = |what: &str, equal: Option<&'static str>, change: &dyn Fn(&mut Vec<Request>)| {
        let mut broken = design.clone();
        change(&mut broken.operations[nth].requests);
        mutants.push(Mutant { name: format!("{}: {what}", operation.pattern), design: broken, equal });
    };
    let actions = || operation.requests.iter().flat_map(Request::actions);
    for (at, request) in operation.requests.iter().enumerate() {
        let is_repeated = actions().any(|action| action.each() == Some(at as u32 + 1));
        if matches!(request, Request::Query(query) if query.consistent) && is_repeated {
            add(&format!("request {} looks eventually", at + 1), None, &|requests| {
                if let Request::Query(query) = &mut requests[at] {
                    query.consistent = false;
                }
            });
        }
    }
    let again = |action: &Action| Told { model, design, operation, action }.is_done_again();
    if let [before @ .., Request::Query(_), last] = operation.requests.as_slice()
        && !last.actions().is_empty()
        && last.actions().iter().all(|it| it.each() == Some(before.len() as u32 + 1) && again(it))
    {
        // Where the parent goes only with the number of children that was read, none has come meanwhile.
        let counted = actions().any(|action| {
            let told = Told { model, design, operation, action };
            let mut parts = match condition(action) {
                Some(Condition::All(parts)) => parts.as_slice(),
                Some(one) => std::slice::from_ref(one),
                None => &[],
            }
            .iter();
            parts.any(|part| as_it_was_read(part).is_some_and(|name| told.is_own(name)))
        });
        let equal = counted.then_some("nothing comes meanwhile while the number is as it was read");
        add("does not look again", equal, &|requests| requests.truncate(before.len()));
    }
    mutants
}

/// The items that keep a number for a limit of which the proof of the whole design says that it was not reached.
fn not_reached(model: &Model, design: &Design) -> Vec<String> {
    let limited = model.patterns.iter().filter_map(|it| it.write()).flat_map(|write| &write.conditions);
    if !limited.into_iter().any(|it| matches!(it.kind, ConditionKind::AtMost { .. })) {
        return Vec::new();
    }
    let engine = Embedded::in_memory().expect("memory is there");
    let options = Options { scale: 60, ..Options::default() };
    let evidence = prove(model, design, &engine, &options, &mut |_| {}).expect("the engine answers");
    let said = |it: &&keywright_model::evidence::PatternEvidence| {
        it.not_checked.iter().any(|reason| reason.starts_with("the limit"))
    };
    let mut items = Vec::new();
    for pattern in evidence.patterns.iter().filter(said) {
        let requests = design.operation(&pattern.id).into_iter().flat_map(|it| &it.requests);
        let counting = requests.flat_map(Request::actions).filter(|it| counts(model, design, it));
        items.extend(counting.map(|it| it.item().to_owned()));
    }
    items
}

/// Whether an action adds to a number that no entity declares.
fn counts(model: &Model, design: &Design, action: &Action) -> bool {
    let Action::Update(update) = action else { return false };
    let item = design.item(&update.item);
    let entities = || item.into_iter().flat_map(|it| &it.entities).filter_map(|it| model.entity(it));
    update.update.add.iter().any(|(name, _)| entities().all(|it| it.attribute(name).is_none()))
}

fn with_actions(request: &mut Request, change: &dyn Fn(&mut Vec<Action>)) {
    match request {
        Request::Write { action } => {
            let mut actions = vec![action.clone()];
            change(&mut actions);
            if let Some(changed) = actions.pop() {
                *action = changed;
            }
        }
        Request::TransactWriteItems { actions } | Request::BatchWriteItem { actions } => change(actions),
        _ => {}
    }
}

/// Whether an operation of the design may change what another one reads first, or where it lies.
fn may_be_overtaken(model: &Model, design: &Design, operation: &Operation) -> bool {
    let mut read: Vec<(u32, String)> = Vec::new();
    let mut note = |value: &Value| match value {
        Value::Read { request, attribute } => read.push((*request, attribute.clone())),
        Value::Sum { of, .. } => {
            if let Value::Read { request, attribute } = &**of {
                read.push((*request, attribute.clone()));
            }
        }
        Value::Template(text) => {
            for place in text.split('<').skip(1).filter_map(|part| part.split_once('>')) {
                let names = place.0.split([':', ' ']).filter_map(|name| name.split_once('.'));
                let found =
                    names.filter_map(|(request, name)| Some((request.parse().ok()?, name.to_owned())));
                read.extend(found);
            }
        }
        Value::Input(_) | Value::Generated(_) | Value::Literal(_) => {}
    };
    for action in operation.requests.iter().flat_map(Request::actions) {
        if let Some(condition) = condition(action) {
            condition.each_value(&mut note);
        }
        match action {
            Action::Update(update) => update.key.iter().for_each(|(_, value)| note(value)),
            Action::Delete(it) | Action::Check(it) => it.key.iter().for_each(|(_, value)| note(value)),
            Action::Put(_) => {}
        }
    }
    let items = |request: u32| match operation.requests.get(request as usize - 1) {
        Some(Request::GetItem(get)) => std::slice::from_ref(&get.item),
        Some(Request::Query(query)) => query.items.as_slice(),
        _ => &[],
    };
    let all: Vec<&Action> =
        design.operations.iter().flat_map(|it| &it.requests).flat_map(Request::actions).collect();
    // What the caller says too refuses the call anyway once it has changed.
    let mut said: Vec<String> = Vec::new();
    for action in operation.requests.iter().flat_map(Request::actions) {
        let parts = match condition(action) {
            Some(Condition::All(parts)) => parts.as_slice(),
            _ => &[],
        };
        said.extend(parts.iter().filter_map(|part| match part {
            Condition::Compare(Operand::Path(path), Comparator::Equal, Operand::Value(Value::Input(_))) => {
                Some(path.clone())
            }
            _ => None,
        }));
    }
    // Every update counts the version: who was overtaken no longer has the one that the caller gives.
    let is_version_said = |item: &str| {
        let entities = design.item(item).into_iter().flat_map(|it| &it.entities);
        let mut versions = entities.filter_map(|it| model.entity(it)?.version());
        versions.any(|version| said.contains(&version.name))
    };
    read.iter().filter(|(_, name)| !said.contains(name)).any(|(request, name)| {
        let mut read = items(*request).iter().filter(|item| !is_version_said(item));
        read.any(|item| all.iter().any(|action| item == action.item() && changes(action, name)))
    })
}

fn condition(action: &Action) -> Option<&Condition<Value>> {
    match action {
        Action::Put(put) => put.condition.as_ref(),
        Action::Update(update) => update.condition.as_ref(),
        Action::Delete(delete) | Action::Check(delete) => delete.condition.as_ref(),
    }
}

fn set_condition(action: &mut Action, condition: Option<Condition<Value>>) {
    match action {
        Action::Put(put) => put.condition = condition,
        Action::Update(update) => update.condition = condition,
        Action::Delete(delete) => delete.condition = condition,
        // A check without a condition is none: it asks for nothing that is not so.
        Action::Check(check) => {
            let nothing = Condition::NotExists("no attribute is called so".into());
            check.condition = Some(condition.unwrap_or(nothing));
        }
    }
}

/// What tells which parts of an action's condition mean something.
#[derive(Clone, Copy)]
struct Told<'d> {
    model: &'d Model,
    design: &'d Design,
    operation: &'d Operation,
    action: &'d Action,
}

impl Told<'_> {
    /// The ways to break the condition; none for no condition at all.
    fn conditions(&self) -> Vec<Option<Condition<Value>>> {
        let Some(whole) = condition(self.action) else { return Vec::new() };
        let parts: Vec<Condition<Value>> = match whole {
            Condition::All(parts) => parts.clone(),
            one => vec![one.clone()],
        };
        let mut broken = Vec::new();
        for at in 0..parts.len() {
            let mut rest = parts.clone();
            let part = rest.remove(at);
            if !self.means_nothing(&part, &rest) {
                broken.push(Condition::all(rest));
            }
            for other in self.neighbours(&part) {
                let mut parts = parts.clone();
                parts[at] = other;
                broken.push(Condition::all(parts));
            }
        }
        broken
    }

    /// Whether nobody could tell that a part is left out.
    fn means_nothing(&self, part: &Condition<Value>, rest: &[Condition<Value>]) -> bool {
        match part {
            // That the item is there follows from what is only true of an item which is; or the document asks nothing of it;
            // or it was read a moment ago, and nothing ever deletes it.
            Condition::Exists(name) if self.is_key(name) => {
                rest.iter().any(|other| self.is_of_an_item(other))
                    || !self.is_asked_for() && !self.is_updated()
                    || self.was_read() && !self.is_ever(|action| matches!(action, Action::Delete(_)))
            }
            // No number of a sequence comes twice; and whoever repeats a call with an identifier that was made up is refused
            // for a unique value, for the first version or for a copy, where there is one.
            Condition::NotExists(name) if self.is_key(name) => {
                self.is_sequential() && self.is_made_up()
                    || self.is_made_up() && (self.has_unique_value() || self.keeps_version())
                    || self.is_part_of_new()
                    || self.is_made_up() && self.comes_with_a_copy()
                    || !self.is_to_be_new() && !self.is_created() && self.takes_the_same_place()
                    || self.is_numbered_anew()
                    || self.has_unique_identity()
            }
            // Every update counts the version: where the caller's is still the last, nothing that was read has changed.
            part if as_it_was_read(part).is_some() && rest.iter().any(|it| self.is_version_given(it)) => true,
            // Whoever names another item than the one that this is a copy of does not find that one.
            Condition::Compare(Operand::Path(_), Comparator::Equal, Operand::Value(Value::Input(input)))
                if self.is_in_key_of_copy(input) =>
            {
                true
            }
            // What it was found by is still so, where nothing ever changes it.
            Condition::Compare(Operand::Path(name), Comparator::Equal, Operand::Value(Value::Input(_)))
                if self.was_read() && !self.is_ever(|action| changes(action, name)) =>
            {
                self.operation
                    .requests
                    .iter()
                    .any(|request| matches!(request, Request::GetItem(get) if get.item != self.action.item()))
            }
            // A version that was read has no next one yet, where that one must not be there.
            Condition::Any(parts) => self.keeps_version() && parts.iter().any(|it| self.is_last_version(it)),
            // What was read is still so, where nothing ever changes it.
            part => {
                let never = |name: &str| !self.is_ever(|action| changes(action, name));
                // A number that was read has no next one yet, where that one must not be there.
                let next = |name: &str| self.puts_next(name);
                let read = as_it_was_read(part);
                read.is_some_and(never)
                    || read.is_some_and(next)
                    || read.is_some_and(|name| self.is_own(name) && self.looks_again())
                    || self.is_last_version(part) && self.keeps_version()
            }
        }
    }

    /// Conditions that are nearly the same.
    fn neighbours(&self, part: &Condition<Value>) -> Vec<Condition<Value>> {
        match part {
            // The same version once more is refused for the version that is kept.
            Condition::Compare(Operand::Path(path), Comparator::Less, _)
                if self.is_version(path) && self.keeps_version() =>
            {
                Vec::new()
            }
            Condition::Compare(left, comparator, right) => {
                // Left out, an equality is as weak as it can be.
                let other = super::neighbour(*comparator);
                other
                    .map(|other| Condition::Compare(left.clone(), other, right.clone()))
                    .into_iter()
                    .collect()
            }
            Condition::In(subject, list) => (0..list.len())
                .filter(|_| list.len() > 1)
                .map(|at| {
                    let mut list = list.clone();
                    list.remove(at);
                    Condition::In(subject.clone(), list)
                })
                .collect(),
            Condition::Any(parts) => {
                let mut others = Vec::new();
                for (at, part) in parts.iter().enumerate() {
                    // What every new item has is never absent.
                    let never = matches!(part, Condition::NotExists(name) if self.is_always_there(name));
                    if parts.len() > 1 && !never {
                        let mut rest = parts.clone();
                        rest.remove(at);
                        others.push(Condition::Any(rest));
                    }
                    for other in self.neighbours(part) {
                        let mut parts = parts.clone();
                        parts[at] = other;
                        others.push(Condition::Any(parts));
                    }
                }
                others
            }
            _ => Vec::new(),
        }
    }

    /// The entities whose records the item is one of.
    fn entities(&self) -> impl Iterator<Item = &Entity> {
        let names = self.design.item(self.action.item()).into_iter().flat_map(|item| &item.entities);
        names.filter_map(|name| self.model.entity(name))
    }

    fn is_key(&self, name: &str) -> bool {
        let item = self.design.item(self.action.item());
        let table = item.and_then(|item| self.design.table(&item.table));
        table.is_some_and(|table| table.key().any(|key| key.name == name))
    }

    /// Whether a condition is true only of an item that is there.
    fn is_of_an_item(&self, part: &Condition<Value>) -> bool {
        let left_out = |value: &Value| match value {
            Value::Input(name) => self.operation.inputs.iter().any(|it| it.name == *name && it.optional),
            Value::Read { attribute, .. } => self.may_lack(attribute),
            _ => false,
        };
        match part {
            Condition::Compare(Operand::Path(_), Comparator::NotEqual, _) => false,
            Condition::Compare(Operand::Path(_), _, Operand::Value(value)) => !left_out(value),
            Condition::Compare(Operand::Path(_), _, Operand::Path(_))
            | Condition::In(Operand::Path(_), _)
            | Condition::Exists(_)
            | Condition::BeginsWith(..) => true,
            _ => false,
        }
    }

    /// Whether an item may be without an attribute.
    fn may_lack(&self, name: &str) -> bool {
        let mut declared = self.entities().filter_map(|entity| entity.attribute(name));
        declared.next().map_or_else(|| !self.is_always_there(name), |attribute| attribute.is_optional())
    }

    /// Whether the document says that the item has to be there, or speaks of what it holds.
    fn is_asked_for(&self) -> bool {
        let Some(write) = self.model.pattern(&self.operation.pattern).and_then(|it| it.write()) else {
            return false;
        };
        let asks = |entity: &Entity| {
            let stated = write.conditions.iter().any(|condition| match &condition.kind {
                ConditionKind::Exists { entity: name } => *name == entity.name,
                ConditionKind::Compare { attribute, .. }
                | ConditionKind::OneOf { attribute, .. }
                | ConditionKind::Held { attribute, .. } => attribute.entity == entity.name,
                _ => false,
            });
            // What is asked of one of several is not asked of the others.
            let pattern = self.model.pattern(&self.operation.pattern);
            let several = pattern.is_some_and(|it| self.model.pointing(it, &entity.name).len() > 1);
            let exists = write
                .conditions
                .iter()
                .any(|it| matches!(&it.kind, ConditionKind::Exists { entity: name } if *name == entity.name));
            stated && (exists || !several)
                || write.effects.iter().any(|it| it.entity == entity.name && write.must_find(it))
        };
        self.entities().any(asks)
    }

    /// Whether the operation puts another item of the same record, under the condition that it is not there.
    fn comes_with_a_copy(&self) -> bool {
        let own = self.design.item(self.action.item()).map(|item| &item.entities);
        self.operation.requests.iter().flat_map(Request::actions).any(|action| {
            let same = self.design.item(action.item()).map(|item| &item.entities) == own;
            let is_new = matches!(condition(action), Some(Condition::NotExists(_)));
            same && is_new && action.item() != self.action.item()
        })
    }

    /// Whether the pattern changes one record of the item's: that one has to be there.
    fn is_updated(&self) -> bool {
        let update =
            |it: &Effect| !it.all && matches!(it.action, model::Action::Update | model::Action::Add { .. });
        matches!(self.action, Action::Update(_))
            && self.has_effect(|pattern, it| update(it) && !self.model.is_tally(pattern, it))
    }

    /// Whether the pattern creates a record of the item's.
    fn is_created(&self) -> bool {
        self.has_effect(|_, it| it.action == model::Action::Create)
    }

    /// Whether the pattern has such an effect on an entity of the item.
    fn has_effect(&self, such: impl Fn(&model::Pattern, &Effect) -> bool) -> bool {
        let Some(pattern) = self.model.pattern(&self.operation.pattern) else { return false };
        let effects = pattern.write().into_iter().flat_map(|write| &write.effects);
        let mut own = effects.filter(|it| self.entities().any(|entity| entity.name == it.entity));
        own.any(|it| such(pattern, it))
    }

    /// Whether the operation ended if an earlier request had not found the item.
    fn was_read(&self) -> bool {
        self.operation.requests.iter().any(|request| match request {
            Request::GetItem(get) => get.item == self.action.item() && !get.may_be_absent,
            Request::Query(query) => query.items.iter().any(|item| item == self.action.item()),
            _ => false,
        })
    }

    /// Whether any action of the design on such an item is of a kind.
    fn is_ever(&self, kind: impl Fn(&Action) -> bool) -> bool {
        let requests = self.design.operations.iter().flat_map(|operation| &operation.requests);
        requests.flat_map(Request::actions).any(|it| it.item() == self.action.item() && kind(it))
    }

    fn is_made_up(&self) -> bool {
        let flag = |flag: &Option<keywright_model::At<bool>>| flag.as_ref().is_some_and(|flag| flag.value);
        self.entities().any(|entity| {
            let mut identity = entity.identity_names().filter_map(|name| entity.attribute(name));
            identity.any(|it| it.ty.is_generated_id() && it.reference.is_none() || flag(&it.sequential))
        })
    }

    /// Whether the item belongs to one with an identifier that is made up and comes with it.
    fn is_part_of_new(&self) -> bool {
        let of_new = |entity: &Entity| {
            let original = entity.versions_of.as_deref();
            original.is_some_and(|original| {
                let new = |it: &Effect| it.entity == original && it.action == model::Action::Create;
                let write = self.model.pattern(&self.operation.pattern).and_then(|it| it.write());
                write.is_some_and(|write| write.effects.iter().any(new))
            })
        };
        self.entities().any(of_new)
    }

    /// Whether its identity is the next number of a sequence: the number that was read is a condition of its own.
    fn is_sequential(&self) -> bool {
        let sequential = |it: &&model::Attribute| it.sequential.as_ref().is_some_and(|flag| flag.value);
        self.entities().any(|entity| entity.attributes.iter().any(|it| sequential(&it)))
    }

    /// Whether a unique value comes with the item: whoever repeats the call is refused for it.
    fn has_unique_value(&self) -> bool {
        self.operation.requests.iter().flat_map(Request::actions).any(|action| {
            let kind = self.design.item(action.item()).map(|item| item.kind);
            kind == Some(ItemKind::Uniqueness) && matches!(condition(action), Some(Condition::NotExists(_)))
        })
    }

    /// Whether the operation also puts what gets the next number, under the condition that it is not there.
    fn puts_next(&self, name: &str) -> bool {
        self.operation.requests.iter().flat_map(Request::actions).any(|action| match action {
            Action::Put(put) => {
                let next = |value: &Value| match value {
                    Value::Sum { of, .. } => {
                        matches!(&**of, Value::Read { attribute, .. } if attribute == name)
                    }
                    _ => false,
                };
                let alone = matches!(put.condition, Some(Condition::NotExists(_)));
                alone && put.values.iter().any(|(_, value)| next(value))
            }
            _ => false,
        })
    }

    /// Whether a put of an identity that is there replaces the item and leaves nothing else behind, so that it is all the same
    /// to a document that does not ask for a new one.
    fn takes_the_same_place(&self) -> bool {
        let Some(item) = self.design.item(self.action.item()) else { return false };
        let Some(table) = self.design.table(&item.table) else { return false };
        let is_identity = |name: &str| self.entities().any(|it| it.identity_names().any(|own| own == name));
        let by_identity = table.key().all(|key| match item.key(&key.name).map(|it| &it.value) {
            Some(KeyValue::Template(text)) => {
                let mut places = text.split('<').skip(1).filter_map(|part| part.split(['>', ':']).next());
                places.all(is_identity)
            }
            _ => is_identity(&key.name),
        });
        // A number that goes up with it would count one that was there already.
        let alone = self.operation.requests.iter().flat_map(Request::actions).all(|action| match action {
            Action::Update(update) => update.update.add.is_empty(),
            Action::Put(put) => self.design.item(&put.item).is_some_and(|it| it.kind == ItemKind::Main),
            Action::Delete(_) | Action::Check(_) => true,
        });
        by_identity && alone
    }

    /// Whether an item of its own keeps the identity unique.
    fn has_unique_identity(&self) -> bool {
        self.operation.requests.iter().flat_map(Request::actions).any(|action| {
            let Action::Put(put) = action else { return false };
            let kind = self.design.item(&put.item).map(|item| item.kind);
            let main = self.design.item(self.action.item()).is_some_and(|item| item.kind == ItemKind::Main);
            let held = |entity: &Entity| {
                put.values.iter().all(|(name, _)| entity.identity_names().any(|identity| identity == name))
            };
            main && kind == Some(ItemKind::Uniqueness) && self.entities().any(held)
        })
    }

    /// Whether an input is in the key of another item of the same record, which has to be there too.
    fn is_in_key_of_copy(&self, input: &str) -> bool {
        let place = format!("<{input}");
        self.operation.requests.iter().flat_map(Request::actions).any(|action| {
            let key = match action {
                Action::Update(update) => &update.key,
                Action::Delete(delete) | Action::Check(delete) => &delete.key,
                Action::Put(_) => return false,
            };
            let own = self.design.item(action.item()).map(|item| &item.entities);
            let same = own == self.design.item(self.action.item()).map(|item| &item.entities);
            let names = |value: &Value| matches!(value, Value::Template(text) if text.contains(&place));
            same && action.item() != self.action.item()
                && condition(action).is_some()
                && key.iter().any(|(_, value)| names(value))
        })
    }

    /// Whether no entity declares an attribute: the design keeps it, to learn of what comes meanwhile.
    fn is_own(&self, name: &str) -> bool {
        self.entities().all(|entity| entity.attribute(name).is_none())
    }

    /// Whether the operation looks once more at the end for what came meanwhile.
    fn looks_again(&self) -> bool {
        let actions = self.operation.requests.iter().flat_map(Request::actions);
        actions.into_iter().any(|action| Told { action, ..*self }.is_done_again())
    }

    /// Whether a later request of the operation does the same to whatever is left.
    fn is_done_again(&self) -> bool {
        let deletes = |action: &Action| matches!(action, Action::Delete(it) if it.each.is_some());
        let same = |action: &&Action| action.item() == self.action.item() && deletes(action);
        let all = self.operation.requests.iter().flat_map(Request::actions);
        deletes(self.action) && all.filter(same).count() > 1
    }

    /// Whether a part says that the item's version is still the one that was read.
    fn is_last_version(&self, part: &Condition<Value>) -> bool {
        as_it_was_read(part).is_some_and(|name| self.is_version(name))
    }

    /// Whether a part holds the item's version to the one that the caller gives.
    fn is_version_given(&self, part: &Condition<Value>) -> bool {
        matches!(
            part,
            Condition::Compare(Operand::Path(name), Comparator::Equal, Operand::Value(Value::Input(_)))
                if self.is_version(name)
        )
    }

    /// Whether an attribute is the number of the item's version.
    fn is_version(&self, name: &str) -> bool {
        self.entities().any(|entity| entity.version().is_some_and(|version| version.name == name))
    }

    /// Whether the operation also keeps the version, under the condition that there is none of that number.
    fn keeps_version(&self) -> bool {
        self.operation.requests.iter().flat_map(Request::actions).any(|action| {
            let item = self.design.item(action.item());
            let mut entities = item.into_iter().flat_map(|it| &it.entities);
            let keeps = entities.any(|it| self.model.entity(it).is_some_and(|it| it.versions_of.is_some()));
            keeps && matches!(condition(action), Some(Condition::NotExists(_)))
        })
    }

    /// Whether the item is a version, and the one before it must still be the last.
    fn is_numbered_anew(&self) -> bool {
        let Some(original) = self.entities().find_map(|entity| entity.versions_of.as_deref()) else {
            return false;
        };
        let version = self.model.entity(original).and_then(|it| it.version());
        self.operation.requests.iter().flat_map(Request::actions).any(|action| {
            let parts = match condition(action) {
                Some(Condition::All(parts)) => parts.as_slice(),
                Some(one) => std::slice::from_ref(one),
                None => &[],
            };
            let mut entities = self.design.item(action.item()).into_iter().flat_map(|it| &it.entities);
            let asks = parts.iter().any(|it| version.is_some_and(|version| is_about(it, &version.name)));
            entities.any(|it| it == original) && asks
        })
    }

    /// The clauses of an update that do something.
    fn clauses(&self) -> Vec<(String, Update)> {
        let Action::Update(update) = self.action else { return Vec::new() };
        let mut clauses = updates(update);
        // Nothing reads of a counter but the number.
        let counts = self.design.item(&update.item).is_some_and(|item| item.kind == ItemKind::Counter);
        clauses.retain(|(_, broken)| !counts || broken.update.add.len() < update.update.add.len());
        // What an attribute is before anybody gives it a value it need not be given.
        clauses.retain(|(_, broken)| {
            let gone = update.update.set.iter().find(|it| !broken.update.set.contains(it));
            gone.is_none_or(|(name, given)| !self.is_initial(name, given))
        });
        clauses.retain(|(_, broken)| {
            let gone = update.entries.iter().find(|entry| !broken.entries.contains(entry));
            gone.is_none_or(|entry| entry.value.is_some() || !self.is_never_in(&entry.attribute))
        });
        clauses
    }

    /// Whether an attribute is that anyway while nobody gives it a value: the first state, nothing yet, not so.
    fn is_initial(&self, name: &str, given: &Assigned<Value>) -> bool {
        let Assigned::Value(Value::Literal(literal)) = given else { return false };
        let mut declared = self.entities().filter_map(|entity| entity.attribute(name));
        declared.any(|attribute| {
            let first = attribute.values.first().map(|value| value.value.clone());
            !attribute.is_optional()
                && [first.as_deref(), Some("0"), Some("false")].contains(&Some(&literal.to_string()))
        }) && !self.is_ever(|action| changes(action, name) && !std::ptr::eq(action, self.action))
    }

    /// Whether the item can't be in an index that is only for items with another value of what the condition asks for.
    fn is_never_in(&self, attribute: &str) -> bool {
        let item = self.design.item(self.action.item());
        let key = item.and_then(|item| item.keys.iter().find(|key| key.attribute == attribute));
        let Some(sparse) = key.and_then(|key| key.sparse.as_ref()) else { return false };
        let Some(Condition::All(parts)) = condition(self.action) else { return false };
        parts.iter().any(|part| match part {
            Condition::Compare(Operand::Path(path), Comparator::Equal, Operand::Value(Value::Literal(wanted))) => {
                *path == sparse.attribute && sparse.equals.as_ref().is_some_and(|equals| equals != wanted)
            }
            Condition::In(Operand::Path(path), list) => {
                let is = |it: &Operand<Value>| {
                    matches!(it, Operand::Value(Value::Literal(wanted)) if Some(wanted) == sparse.equals.as_ref())
                };
                *path == sparse.attribute && sparse.equals.is_some() && !list.iter().any(is)
            }
            _ => false,
        })
    }

    /// Whether the document says that the item must not be there before.
    fn is_to_be_new(&self) -> bool {
        let write = self.model.pattern(&self.operation.pattern).and_then(|it| it.write());
        let conditions = write.into_iter().flat_map(|write| &write.conditions);
        conditions.into_iter().any(|condition| match &condition.kind {
            ConditionKind::NotExists { entity: name } => self.entities().any(|entity| entity.name == *name),
            _ => false,
        })
    }

    /// Whether every put of such an item gives it an attribute.
    fn is_always_there(&self, name: &str) -> bool {
        !self.is_ever(|action| match action {
            Action::Put(put) => !put.values.iter().any(|(given, _)| given == name),
            _ => false,
        })
    }
}

/// Whether a condition compares an attribute.
fn is_about(condition: &Condition<Value>, name: &str) -> bool {
    match condition {
        Condition::Compare(Operand::Path(path), ..) => path == name,
        Condition::Any(parts) => parts.iter().any(|part| is_about(part, name)),
        _ => false,
    }
}

/// Whether an action changes an attribute of an item that is there.
fn changes(action: &Action, name: &str) -> bool {
    match action {
        Action::Put(put) => put.based_on.is_some() && put.values.iter().any(|(given, _)| given == name),
        Action::Update(update) => {
            update.update.set.iter().any(|(given, _)| given == name)
                || update.update.add.iter().any(|(given, _)| given == name)
                || update.update.remove.iter().any(|given| given == name)
        }
        Action::Delete(_) | Action::Check(_) => false,
    }
}

/// An update without one of its clauses.
fn updates(update: &Update) -> Vec<(String, Update)> {
    let mut broken = Vec::new();
    let mut add = |what: String, change: &dyn Fn(&mut Update)| {
        let mut other = update.clone();
        change(&mut other);
        broken.push((what, other));
    };
    for (at, (name, _)) in update.update.set.iter().enumerate() {
        add(format!("no SET {name}"), &|it| drop(it.update.set.remove(at)));
    }
    for (at, name) in update.update.remove.iter().enumerate() {
        add(format!("no REMOVE {name}"), &|it| drop(it.update.remove.remove(at)));
    }
    for (at, (name, _)) in update.update.add.iter().enumerate() {
        add(format!("no ADD {name}"), &|it| drop(it.update.add.remove(at)));
    }
    for (at, entry) in update.entries.iter().enumerate() {
        add(format!("no entry {}", entry.attribute), &|it| drop(it.entries.remove(at)));
    }
    broken
}

pub(super) fn show(condition: Option<&Condition<Value>>) -> String {
    let Some(condition) = condition else { return "no condition".into() };
    let mut value = |value: &Value| match value {
        Value::Input(name) | Value::Generated(name) => format!(":{name}"),
        Value::Read { request, attribute } => format!(":{request}.{attribute}"),
        Value::Literal(literal) => literal.to_string(),
        Value::Template(text) => format!("'{text}'"),
        Value::Sum { .. } => "a sum".into(),
    };
    format!("\"{}\"", condition.print(&mut keywright_dynamodb::expression::Names::plain(), &mut value))
}
