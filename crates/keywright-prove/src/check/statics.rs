//! What can be seen of an operation without running it, and what engines don't all refuse.

use keywright_dynamodb::limits::TRANSACTION_ACTIONS;
use keywright_model::At;
use keywright_model::design::{
    self, ItemKind, ItemType, Keys, Limit, Operation, Projection, Query, Request, Value,
};
use keywright_model::model::{
    Action, Attribute, Consistency, Effect, Entity, EntityKind, Input, Pattern, PatternKind, Read,
    ResultKind, Role, Transaction, Type, Write,
};

use crate::check::{Checker, own_reads};
use crate::image;
use crate::interpret::Inputs;
use crate::oracle::binding;

/// A check that an operation does not pass as it stands, what was expected, and what is there.
pub(super) type Wrong = (&'static str, String, String);

impl Checker<'_, '_> {
    /// Checks an operation as it stands.
    pub(crate) fn check_statics(&mut self, pattern: &Pattern, operation: &Operation) {
        let found = match &pattern.kind {
            PatternKind::Read(read) => self.wrong_read(read, operation),
            PatternKind::Write(write) | PatternKind::Delete(write) => {
                let found = self.wrong_write(write, operation).or_else(|| own_reads::stale(operation));
                found.or_else(|| self.unset(pattern, write, operation))
            }
        };
        let found = found.or_else(|| out_of_scope(pattern, operation)).or_else(|| self.wrong_keys(operation));
        if let Some((check, expected, actual)) = found {
            self.session.last_request = None;
            self.fail(&pattern.id, check, &Inputs::new(), expected, actual);
        }
        self.check_lifetime(pattern);
        for reason in self.unseen(pattern) {
            self.tally(&pattern.id).leave(reason);
        }
    }

    /// Checks where a list of the first so many ends, of which no call found as many.
    pub(crate) fn check_end(&mut self, pattern: &Pattern, operation: &Operation) {
        let found = pattern.read().and_then(|read| ends_elsewhere(pattern, read, operation));
        if let Some((check, expected, actual)) = found {
            self.session.last_request = None;
            self.fail(&pattern.id, check, &Inputs::new(), expected, actual);
        }
    }

    /// What the document asks of a write and nobody can see in what it does.
    fn unseen(&self, pattern: &Pattern) -> Vec<String> {
        let mut reasons = Vec::new();
        for effect in pattern.write().into_iter().flat_map(|write| &write.effects) {
            let Some(entity) = self.model.entity(&effect.entity) else { continue };
            let made =
                self.design.operation(&pattern.id).map(|it| it.generated.as_slice()).unwrap_or_default();
            let given = |name: &str| {
                let inputs = pattern.inputs().iter();
                inputs.into_iter().any(|input| binding(self.model, input, &entity.name) == Some(name))
                    || made.iter().any(|generated| generated.name == name)
            };
            let computed =
                effect.attributes.iter().filter(|name| !given(name) && !effect.removes.contains(name));
            reasons.extend(computed.map(|name| {
                format!(
                    "the value of {name} of {}: the document does not say how it is computed",
                    entity.name
                )
            }));
            let keeps = |item_type: &ItemType| {
                item_type.entities.contains(&entity.name)
                    && image::keeps_versions(self.model, self.design, item_type)
            };
            let versions = self.model.versions_of(&entity.name);
            let are_items = versions.is_some_and(|versions| {
                self.design.items.iter().any(|item_type| item_type.entities.contains(&versions.name))
            });
            if entity.is(EntityKind::History) && !are_items && !self.design.items.iter().any(keeps) {
                reasons.push(format!(
                    "earlier versions of {}: the design has no item type for them",
                    entity.name
                ));
            }
        }
        reasons
    }

    fn wrong_read(&self, read: &Read, operation: &Operation) -> Option<Wrong> {
        let strong = read.consistency.as_ref().is_some_and(|it| it.value == Consistency::Strong);
        if let Some(wrong) =
            cut_short(operation).or_else(|| ends_early(read, operation)).or_else(|| too_few_types(operation))
        {
            return Some(wrong);
        }
        for request in &operation.requests {
            let (consistent, index) = match request {
                Request::GetItem(get) => (get.consistent, None),
                Request::BatchGetItem(batch) => (batch.consistent, None),
                Request::Query(query) => (query.consistent, query.index.as_ref()),
                Request::Scan(scan) => (false, scan.index.as_ref()),
                _ => continue,
            };
            if strong && !consistent {
                return Some(("strong read", "ConsistentRead".into(), "an eventual read".into()));
            }
            if consistent && let Some(index) = index {
                return Some(("strong read", "the table itself".into(), format!("the index {index}")));
            }
            if matches!(request, Request::Scan(_)) && !read.scan {
                return Some(("no scan", "GetItem or Query".into(), "a Scan".into()));
            }
            if let Request::Query(query) = request
                && let Some(attribute) = self.not_projected(query)
            {
                let index = query.index.clone().unwrap_or_default();
                return Some((
                    "projection",
                    format!("attributes that {index} holds"),
                    format!("`{attribute}`, which {index} does not hold"),
                ));
            }
        }
        None
    }

    /// An attribute that a Query asks an index for, or filters by, and that the index does not hold.
    fn not_projected<'q>(&self, query: &'q Query) -> Option<&'q str> {
        let index = self.design.index(&query.table, query.index.as_ref()?)?;
        let included: &[String] = match &index.projection {
            Projection::All => return None,
            Projection::Include(names) => names,
            Projection::KeysOnly => &[],
        };
        let table = self.design.table(&query.table)?;
        let held = |name: &str| {
            included.iter().any(|other| other == name || name.starts_with(&format!("{other}.")))
                || table.key().chain(index.key()).any(|key| key.name == name)
        };
        query.projection.iter().map(String::as_str).find(|name| !held(name))
    }

    fn wrong_write(&self, write: &Write, operation: &Operation) -> Option<Wrong> {
        if write.transaction.as_ref().is_none_or(|it| it.value != Transaction::Yes) {
            return None;
        }
        let is_write = |request: &&Request| {
            matches!(
                request,
                Request::Write { .. } | Request::TransactWriteItems { .. } | Request::BatchWriteItem { .. }
            )
        };
        let writes: Vec<&Request> = operation.requests.iter().filter(is_write).collect();
        let batch = writes.iter().any(|request| matches!(request, Request::BatchWriteItem { .. }));
        let everything = write.effects.iter().any(|effect| effect.all);
        if !everything {
            return (writes.len() > 1 || batch).then(|| {
                ("all or nothing", "one transaction".into(), format!("{} separate writes", writes.len()))
            });
        }
        // Who deletes more than a transaction holds can't promise it; who looks once more at the end still can.
        let most: u64 = write.effects.iter().map(|effect| self.most_items(effect)).sum::<Option<u64>>()?;
        let first = writes.first()?;
        let held = |entity: &str| {
            let items = first.actions().iter().filter_map(|action| self.design.item(action.item()));
            items.into_iter().any(|item| item.entities.iter().any(|name| name == entity))
        };
        let outside = write.effects.iter().find(|effect| effect.all && !held(&effect.entity))?;
        (most <= TRANSACTION_ACTIONS as u64).then(|| {
            (
                "all or nothing",
                format!("one transaction, which holds all of up to {most} items"),
                format!("a write of {} apart from the first", outside.entity),
            )
        })
    }

    /// A value that a new item is stated to have and is not given: a reader would have to know what stands for it.
    fn unset(&self, pattern: &Pattern, write: &Write, operation: &Operation) -> Option<Wrong> {
        let comes = |effect: &&Effect| matches!(effect.action, Action::Create | Action::Put);
        for effect in write.effects.iter().filter(comes) {
            let found =
                self.model.entity(&effect.entity).and_then(|it| self.unstored(pattern, it, operation));
            if found.is_some() {
                return found;
            }
            for input in pattern.inputs() {
                let (Some(constant), Some(name)) =
                    (&input.constant, binding(self.model, input, &effect.entity))
                else {
                    continue;
                };
                let lacks = |action: &design::Action| match action {
                    design::Action::Put(put) => {
                        let item = self.design.item(&put.item);
                        let is_it = item.is_some_and(|it| {
                            it.kind == ItemKind::Main
                                && it.entities.contains(&effect.entity)
                                && it.attribute(name).is_some()
                        });
                        is_it && !put.values.iter().any(|(given, _)| given == name)
                    }
                    _ => false,
                };
                if operation.requests.iter().flat_map(Request::actions).any(lacks) {
                    let expected = format!("a {} with {name} = {constant}", effect.entity);
                    return Some(("first value", expected, format!("a Put without {name}")));
                }
            }
        }
        None
    }

    /// A value that every item of an entity has, that the caller or the operation itself gives a new one, and that is not stored.
    fn unstored(&self, pattern: &Pattern, entity: &Entity, operation: &Operation) -> Option<Wrong> {
        let given = |name: &str| {
            let equal =
                |input: &&Input| matches!(input.role, Role::Equal | Role::NewValue) && !input.optional;
            let mut inputs = pattern.inputs().iter().filter(equal);
            inputs.any(|input| binding(self.model, input, &entity.name) == Some(name))
        };
        let made_up = |attribute: &Attribute| {
            let identifies = entity.identity_names().any(|name| *name == attribute.name);
            identifies && attribute.ty.is_generated_id()
                || matches!(*attribute.ty, Type::Datetime | Type::Date)
        };
        let flag = |flag: &Option<At<bool>>| flag.as_ref().is_some_and(|flag| flag.value);
        // What counts from nothing is the same whether it is stored or not.
        let first = |attribute: &Attribute| !attribute.values.is_empty() || *attribute.ty == Type::Boolean;
        let wanted = |attribute: &&Attribute| {
            let required = !attribute.is_optional() && !flag(&attribute.ttl);
            required && (given(&attribute.name) || made_up(attribute) || first(attribute))
        };
        for put in operation.requests.iter().flat_map(Request::actions).filter_map(|action| match action {
            design::Action::Put(put) if put.based_on.is_none() => Some(put),
            _ => None,
        }) {
            let Some(item) = self.design.item(&put.item) else { continue };
            if item.kind != ItemKind::Main || !item.entities.contains(&entity.name) {
                continue;
            }
            let stored = |name: &str| {
                let is_it = |given: &str| {
                    given.strip_prefix(name).is_some_and(|it| it.is_empty() || it.starts_with('.'))
                };
                put.values.iter().any(|(given, _)| is_it(given))
            };
            let holds = |attribute: &&Attribute| item.attribute(&attribute.name).is_some();
            let mut lacking =
                entity.attributes.iter().filter(wanted).filter(holds).filter(|it| !stored(&it.name));
            if let Some(attribute) = lacking.next() {
                let name = &attribute.name;
                let expected = format!("a {} with {name}, which every {} has", entity.name, entity.name);
                return Some(("first value", expected, format!("a Put without {name}")));
            }
        }
        None
    }

    /// How many items an effect touches at most, one each for what the design keeps beside it left out; none where nothing
    /// says so.
    fn most_items(&self, effect: &Effect) -> Option<u64> {
        if !effect.all {
            return Some(1);
        }
        let types = self.design.items.iter().filter(|it| it.entities.contains(&effect.entity)).count() as u64;
        let mut parents = self.model.parents_of(&effect.entity);
        let most = parents.find_map(|it| it.fan_out.max.as_ref().map(|max| max.value))?;
        Some(most.saturating_mul(types))
    }
}

/// A limit beside a sort by the caller: the items that come first are only known once all of them are there.
fn cut_short(operation: &Operation) -> Option<Wrong> {
    let outcome = &operation.outcome;
    let answer = operation.requests.get((outcome.from_request as usize).checked_sub(1)?)?;
    let limit = match answer {
        Request::Query(query) => &query.limit,
        Request::Scan(scan) => &scan.limit,
        _ => return None,
    };
    let Limit::First(count) = limit else { return None };
    outcome.client_sort.then(|| {
        (
            "limit",
            "all items, since the caller sorts them".to_owned(),
            format!("Limit={count} beside ClientSort: the first {count} before they are in order"),
        )
    })
}

/// A list that the document wants whole, or page after page, and that ends after so many items.
fn ends_early(read: &Read, operation: &Operation) -> Option<Wrong> {
    let several = |it: &At<ResultKind>| matches!(it.value, ResultKind::Collection | ResultKind::Count);
    let paginated = read.paginated.as_ref().is_some_and(|it| it.value);
    if !read.result.as_ref().is_some_and(several) || !paginated && read.page_size.is_some() {
        return None;
    }
    let answer = operation.requests.get((operation.outcome.from_request as usize).checked_sub(1)?)?;
    let limit = match answer {
        Request::Query(query) => &query.limit,
        Request::Scan(scan) => &scan.limit,
        _ => return None,
    };
    let Limit::First(count) = limit else { return None };
    let expected = if paginated { "one page after the other" } else { "all items" };
    Some(("limit", expected.to_owned(), format!("Limit={count}: nothing comes after the first {count}")))
}

/// The first so many, of which a Query returns another number: data need not have as many for that to be seen.
fn ends_elsewhere(pattern: &Pattern, read: &Read, operation: &Operation) -> Option<Wrong> {
    let paginated = read.paginated.as_ref().is_some_and(|it| it.value);
    let most = read.page_size.as_ref().filter(|_| !paginated)?.value;
    let collection = read.result.as_ref().is_some_and(|it| it.value == ResultKind::Collection);
    let answer = operation.requests.get((operation.outcome.from_request as usize).checked_sub(1)?)?;
    let Request::Query(Query { limit: Limit::First(count), filter, scatter, .. }) = answer else {
        return None;
    };
    // Of a parent that comes too, and of what is dropped later, more may come.
    let plain = pattern.entities.len() == 1 && filter.is_none() && scatter.is_empty();
    let wrong = *count < most || plain && *count > most;
    (collection && wrong)
        .then(|| ("limit", format!("the first {most}"), format!("the first {count}: Limit={count}")))
}

/// A value that nobody gives: a condition on it would fall away, and what is set to it would not be.
fn out_of_scope(pattern: &Pattern, operation: &Operation) -> Option<Wrong> {
    let mut unknown = None;
    let mut note = |value: &Value| {
        let mut value = value;
        while let Value::Sum { of, .. } = value {
            value = of;
        }
        let (name, is_known) = match value {
            Value::Input(name) => {
                let given = |input: &Input| input.name == *name;
                let left_out = operation.inputs.iter().any(|it| it.name == *name && it.optional);
                let declared = operation.inputs.iter().any(|it| it.name == *name);
                (name, left_out || declared && pattern.inputs().iter().any(given))
            }
            Value::Generated(name) => (name, operation.generated.iter().any(|it| it.name == *name)),
            _ => return,
        };
        if !is_known && unknown.is_none() {
            unknown = Some(name.clone());
        }
    };
    for request in &operation.requests {
        let filter = match request {
            Request::Query(query) => {
                query.key.each_value(&mut note);
                &query.filter
            }
            Request::Scan(scan) => &scan.filter,
            _ => &None,
        };
        filter.iter().for_each(|filter| filter.each_value(&mut note));
        for action in request.actions() {
            let condition = match action {
                design::Action::Put(put) => {
                    put.values.iter().for_each(|(_, value)| note(value));
                    &put.condition
                }
                design::Action::Update(update) => {
                    update.update.each_value(&mut note);
                    &update.condition
                }
                design::Action::Delete(delete) | design::Action::Check(delete) => &delete.condition,
            };
            condition.iter().for_each(|condition| condition.each_value(&mut note));
        }
    }
    let name = unknown?;
    Some((
        "scope",
        "only values that the caller gives or the operation makes up".to_owned(),
        format!("`:{name}`, which is neither"),
    ))
}

/// A type of item that an operation returns and the request that reads it does not name.
fn too_few_types(operation: &Operation) -> Option<Wrong> {
    let returned = &operation.outcome.items;
    let mut number = operation.outcome.from_request;
    loop {
        let answer = operation.requests.get((number as usize).checked_sub(1)?)?;
        let (read, before) = match answer {
            Request::Query(query) => (&query.items, None),
            Request::Scan(scan) => (&scan.items, None),
            Request::BatchGetItem(batch) => match batch.keys {
                Keys::OfRequest(before) => (&batch.items, Some(before)),
                Keys::Each(_) => (&batch.items, None),
            },
            _ => return None,
        };
        let lacking = returned.iter().find(|name| !read.is_empty() && !read.contains(name));
        if let Some(lacking) = lacking {
            return Some((
                "item types",
                format!(
                    "`Items: {}` on request {number}, as the operation returns {lacking}",
                    returned.join(", ")
                ),
                format!("`Items: {}`", read.join(", ")),
            ));
        }
        // The keys come from an earlier request, which finds the same items.
        number = before.filter(|before| *before < number)?;
    }
}
