//! Operations of writes: what is read first, then every item that is touched, with its conditions.

mod action;
mod image;
mod values;

use keywright_dynamodb::expression::Condition;
use keywright_finding::Finding;
use keywright_model::design::{
    Action, Delete, Expected, Generated, Limit, Operation, OperationName, Outcome, Request, Retry, Shape,
    Value,
};
use keywright_model::model::{Literal, Pattern, Step};

use super::condition;
use super::context::{Context, Place};
use super::read::parameters;
use super::request;
use super::scope::Scope;
use crate::cost;
use crate::demand::Source;
use crate::form::{self, Form};
use crate::plan;
use crate::problem::{Attr, Attrs, EffectAction, EffectFacts, WriteFacts, handed_over};
use crate::rules;
use crate::search::Choice;

/// A write that starts over when somebody else was faster tries so often.
const ATTEMPTS: u32 = 3;

/// What is known of an item before it is written.
#[derive(Clone, Debug, Default)]
struct Known {
    /// The primary key.
    key: Vec<(String, Value)>,
    /// Values of attributes: given, made up or read.
    scope: Scope,
    /// The request that read the whole item.
    old: Option<u32>,
    /// The request that found all items to touch.
    each: Option<u32>,
    /// The values that a version keeps, in the order in which the later ones win; none for other items.
    kept: Option<Vec<(String, Value)>>,
}

impl Known {
    /// Whether its key was read.
    fn is_found(&self) -> bool {
        is_found(&self.key)
    }
}

/// Whether a key was read.
fn is_found(key: &[(String, Value)]) -> bool {
    key.iter().any(|(_, value)| value.request().is_some())
}

/// Whether some write changes the primary key of an entity's items.
fn may_move(context: &Context<'_>, entity: usize) -> bool {
    let base = context.chosen_path(entity, Place::Base);
    let mut effects = context.problem.writes.iter().flat_map(|write| &write.effects);
    effects.any(|effect| effect.entity == entity && cost::moves_base(effect, base))
}

/// An operation of a write while it is put together.
struct Draft<'a> {
    context: &'a Context<'a>,
    pattern: &'a Pattern,
    facts: &'a WriteFacts,
    requests: Vec<Request>,
    generated: Vec<Generated>,
    read_half_units: u64,
}

/// The operation that serves a write.
pub(super) fn operation(
    context: &Context<'_>,
    write: usize,
    pattern: &Pattern,
    findings: &mut Vec<Finding>,
) -> Operation {
    let facts = &context.problem.writes[write];
    let mut draft =
        Draft { context, pattern, facts, requests: Vec::new(), generated: Vec::new(), read_half_units: 0 };
    let mut known: Vec<Known> = vec![Known::default(); facts.effects.len()];
    // What goes in portions is found after everything else is done, so that it can be looked for again.
    let chosen: Vec<bool> =
        facts.effects.iter().map(|effect| !action::chosen(&draft, effect).is_empty()).collect();
    let again = |at: usize| {
        let effect = &facts.effects[at];
        effect.is_portioned() || effect.guarded || chosen[at] || effect.starts_over()
    };
    let portioned = |at: &usize| again(*at) && !facts.all_in_transaction;
    let (later, mut order): (Vec<usize>, Vec<usize>) = (0..facts.effects.len()).partition(portioned);
    // What gives another effect its key is read before it.
    order.sort_by_key(|at| {
        let effect = &facts.effects[*at];
        let after = [effect.derived_from, effect.counts_all, effect.version_of];
        match draft.handed_over(effect).is_empty() {
            // What is found under a parent is looked for once the parent is known.
            true => u8::from(effect.all || after.iter().any(Option::is_some) || effect.numbered_by.is_some()),
            false => 2,
        }
    });
    for at in &order {
        known[*at] = draft.prepare(write, *at, &known, findings);
    }
    order.sort_unstable();
    // A check of an item that may move meanwhile is one of where it was.
    let mut check_strays = false;
    let mut actions: Vec<(Action, bool)> = Vec::new();
    for at in order {
        let effect = &facts.effects[at];
        actions.extend(draft.actions(effect, &known[at]).into_iter().map(|action| (action, effect.all)));
    }
    for (at, check) in facts.checks.iter().enumerate() {
        let mut scope = draft.present(check.entity).or(draft.inputs(check.entity)).named(&check.named_by);
        let given = scope.attrs();
        let key = draft.locate(Source::LocateCheck { write, check: at }, check.entity, &mut scope).0;
        check_strays |= is_found(&key) && may_move(context, check.entity);
        let stated: Vec<_> = check.conditions.iter().map(|at| &draft.conditions()[*at]).collect();
        let conditions = stated.iter().map(|it| {
            let presence = context.presence_for(it, check.entity);
            condition::stated(context.model, it, &presence, None).unwrap_or(Condition::Exists(presence))
        });
        let mut conditions: Vec<_> = conditions.collect();
        if condition::hold_of_nothing(&stated, &conditions) {
            conditions.insert(0, Condition::Exists(context.presence(check.entity)));
        }
        let words: Vec<&str> = stated.iter().map(|it| it.text.as_str()).collect();
        let facts = context.entity(check.entity);
        let compared = draft.compared(Source::LocateCheck { write, check: at }, check.entity);
        // What is there for another tenant is not there for this one.
        let tenants = facts.tenants().minus(context.chosen_path(check.entity, Place::Base).attrs());
        let compared = condition::equalities(facts, compared.union(tenants.intersection(given)), &scope);
        let condition = Condition::all(conditions.into_iter().chain(compared).collect());
        let check = Delete {
            table: context.table(check.entity),
            item: facts.name.clone(),
            key,
            condition,
            fails_as: Some(words.join("; ")),
            each: None,
            when: Vec::new(),
        };
        actions.push((Action::Check(check), false));
    }
    let reads = draft.requests.len();
    draft.send(actions);
    // What is found after everything else is done is not looked for once more.
    let swept = |at: &usize| facts.effects[*at].swept && (!facts.effects[*at].guarded || !portioned(at));
    for at in (0..facts.effects.len()).filter(swept) {
        draft.sweep(write, at, &known, findings);
    }
    // Who finds an item that may move meanwhile looks for it again.
    let strays = |(effect, it): (&EffectFacts, &Known)| {
        !effect.all && it.is_found() && may_move(context, effect.entity)
    };
    let reads_first = known.iter().any(|it| it.old.is_some())
        || facts.effects.iter().zip(&known).any(strays)
        || check_strays
        || chosen.contains(&true);
    let mut from_request = reads_first.then_some(1);
    for at in later.into_iter().filter(|at| facts.effects[*at].all) {
        from_request = Some(draft.next_request());
        known[at] = draft.prepare(write, at, &known, findings);
        let mut actions = draft.actions(&facts.effects[at], &known[at]);
        for (number, effect) in facts.effects.iter().enumerate().filter(|(_, it)| it.counts_all == Some(at)) {
            known[number] = draft.prepare(write, number, &known, findings);
            actions.extend(draft.actions(effect, &known[number]));
        }
        let alone = !facts.effects[at].is_portioned() && actions.len() == 1;
        match alone {
            true => draft.requests.extend(actions.into_iter().map(for_each)),
            false => draft.requests.push(Request::TransactWriteItems { actions }),
        }
    }
    if from_request.is_none() && facts.effects.iter().any(EffectFacts::is_portioned) {
        from_request = Some(1);
    }
    let expected = draft.expected();
    let retry = from_request.map(|from_request| Retry { from_request, attempts: ATTEMPTS });
    Operation {
        pattern: pattern.id.clone(),
        description: pattern.description.value.clone(),
        operation: main_operation(&draft.requests[reads..]),
        index: None,
        shards: 1,
        inputs: parameters(context, pattern),
        outcome: Outcome {
            shape: Shape::Nothing,
            items: Vec::new(),
            attributes: Vec::new(),
            order: Vec::new(),
            client_sort: false,
            first: None,
            from_request: draft.requests.len().max(1) as u32,
        },
        requests: draft.requests,
        generated: draft.generated,
        retry,
        expected: Some(expected),
    }
}

/// The request that does something to each item that was found.
fn for_each(action: Action) -> Request {
    match action {
        // A batch takes no conditions.
        Action::Delete(Delete { condition: Some(_), .. }) | Action::Update(_) | Action::Check(_) => {
            Request::Write { action }
        }
        Action::Delete(_) | Action::Put(_) => Request::BatchWriteItem { actions: vec![action] },
    }
}

/// A step as a placeholder says it, behind the number that it is added to.
fn said(step: &Step) -> String {
    match step {
        Step::Fixed(by) if *by < 0 => format!("- {}", by.unsigned_abs()),
        Step::Fixed(by) => format!("+ {by}"),
        Step::Input(name) => format!("+ {name}"),
        Step::MinusInput(name) => format!("- {name}"),
    }
}

impl<'a> Draft<'a> {
    fn next_request(&self) -> u32 {
        self.requests.len() as u32 + 1
    }

    fn conditions(&self) -> &'a [keywright_model::model::Condition] {
        self.pattern.write().map_or(&[], |write| &write.conditions)
    }

    /// The attributes of an effect's item that hold what another effect makes up: the attribute, that effect, and which
    /// of its attributes.
    fn handed_over(&self, effect: &EffectFacts) -> Vec<(Attr, usize, Attr)> {
        let given = |entity: usize| self.inputs(entity).attrs();
        let own = given(effect.entity);
        let handed = handed_over(self.pattern, &self.context.problem.entities, effect.entity, given);
        let written = |attr: &Attr| !own.contains(*attr) && effect.sets.contains(*attr);
        handed
            .into_iter()
            .filter(|(attr, _, _)| written(attr))
            .filter_map(|(attr, entity, own)| {
                let comes = |it: &EffectFacts| {
                    it.entity == entity && matches!(it.action, EffectAction::Create | EffectAction::Put)
                };
                Some((attr, self.facts.effects.iter().position(comes)?, own))
            })
            .collect()
    }

    /// Finds the key and, where they are needed, the old values of the item that an effect touches.
    fn prepare(&mut self, write: usize, at: usize, others: &[Known], findings: &mut Vec<Finding>) -> Known {
        let effect = &self.facts.effects[at];
        let context = self.context;
        let entity = context.entity(effect.entity);
        let mut scope = self.inputs(effect.entity).named(&effect.named_by);
        let mut present = self.present(effect.entity).named(&effect.named_by);
        if let Some(child) = effect.derived_from {
            let from = &self.facts.effects[child];
            let link = context
                .entity(from.entity)
                .parents
                .iter()
                .find(|link| link.parent == effect.entity)
                .expect("a key is derived along a relationship");
            for (own, via) in entity.identity.iter().zip(&link.via) {
                if let Some(value) = others[child].scope.get(*via) {
                    scope.set(*own, value.clone());
                    present.set(*own, value.clone());
                }
            }
        }
        for (attr, from, own) in self.handed_over(effect) {
            if let Some(value) = others[from].scope.get(own) {
                scope.set(attr, value.clone());
            }
        }
        let comes = matches!(effect.action, EffectAction::Create | EffectAction::Put);
        let original = entity.copy_of.filter(|_| comes).and_then(|original| {
            self.facts.effects.iter().position(|it| it.entity == original && it.action == effect.action)
        });
        if let Some(original) = original {
            // What is made up for the original is the copy's too; both have their attributes in one order.
            return Known { scope: others[original].scope.clone(), ..Known::default() };
        }
        if let Some(of) = effect.version_of {
            return image::version(self, effect, &self.facts.effects[of], &others[of]);
        }
        if comes {
            for (attr, number) in &effect.begins {
                scope.set(*attr, Value::Literal(Literal::Number(number.to_string())));
            }
            if let Some((number, counter, keeper)) = effect.numbered_by {
                let keeper_entity = context.entity(self.facts.effects[keeper].entity);
                let request = others[keeper].old.expect("a counter is read before it is used");
                let attribute = keeper_entity.attribute(counter).name.clone();
                let last = Value::Read { request, attribute };
                scope.set(number, Value::Sum { of: Box::new(last), plus: 1 });
            }
            let made = values::made_up(self, effect, &mut scope, findings);
            self.generated.extend(made);
            let old = effect.read_first.then(|| self.next_request());
            if let Some(request) = old {
                // The number of the version that is there, if any.
                self.requests.push(Request::GetItem(keywright_model::design::Get {
                    table: context.table(effect.entity),
                    item: entity.name.clone(),
                    key: request::item_key(context, effect.entity, &scope),
                    consistent: true,
                    projection: Vec::new(),
                    may_be_absent: true,
                }));
                scope = image::numbered(entity, scope, request);
            }
            return Known { scope, old, ..Known::default() };
        }
        let counted = |attr: Attr| {
            effect.removes.contains(attr)
                || effect.next_number == Some(attr)
                || effect.adds.iter().any(|(counter, _)| *counter == attr)
        };
        let unknown: Vec<Attr> = effect
            .sets
            .iter()
            // A period follows from its instant.
            .filter(|attr| entity.stored(*attr) == *attr && scope.get(*attr).is_none() && !counted(*attr))
            .collect();
        for attr in unknown {
            let changed = values::present_instant(self, effect.entity, attr, findings);
            if let Some(made) = changed {
                scope.set(attr, Value::Generated(made.name.clone()));
                self.generated.push(made);
            }
        }
        // What the item is finds it, not what it becomes.
        present = present.or(scope.clone());
        let (key, located) = self.locate(Source::Locate { write, effect: at }, effect.entity, &mut present);
        for attr in entity.identity.iter().filter(|attr| !effect.sets.contains(**attr)) {
            present.get(*attr).into_iter().for_each(|found| scope.set(*attr, found.clone()));
        }
        scope = scope.or(present);
        if effect.all {
            let relies = self.relies_on_old(effect);
            let old = located.filter(|_| relies);
            if let Some(number) = old {
                scope = self.with_old(effect, scope, number);
            }
            if relies && effect.action == EffectAction::Update && !effect.starts_over() {
                findings.push(self.adds_twice(effect));
            }
            return Known { key, scope, old, each: located, ..Known::default() };
        }
        if let Some(counted) = effect.counts_all {
            return Known { key, scope, each: others[counted].each, ..Known::default() };
        }
        let mut old = None;
        if self.relies_on_old(effect) {
            let number = self.next_request();
            self.requests.push(Request::GetItem(keywright_model::design::Get {
                table: context.table(effect.entity),
                item: entity.name.clone(),
                key: key.clone(),
                consistent: true,
                projection: Vec::new(),
                may_be_absent: effect.upsert || self.goes_anyway(effect),
            }));
            old = Some(number);
            scope = self.with_old(effect, scope, number);
        }
        Known { key, scope, old, ..Known::default() }
    }

    /// Whether an effect has to know what its items were.
    fn relies_on_old(&self, effect: &EffectFacts) -> bool {
        let context = self.context;
        let layout = context.layout(effect.entity);
        let base = context.chosen_path(effect.entity, Place::Base);
        let task = &context.tasks[effect.entity];
        let indexes = layout.indexes.iter().map(|it| (&task.candidates.indexes[*it].path, task.forms.index));
        cost::relies_on_old(context.entity(effect.entity), effect, base, indexes)
    }

    /// What is to be said of an update of all items that starts over when one of them has changed since it was found: what
    /// it added to the others it would add again.
    fn adds_twice(&self, effect: &EffectFacts) -> Finding {
        let entity = self.context.entity(effect.entity);
        let counters = effect.adds.iter().map(|(counter, _)| *counter);
        let name = entity.names(effect.grows.iter().chain(counters)).join(" and ");
        let message = format!(
            "{} can't be served: it adds to {name} and changes index keys of all {} items; where one has changed \
             meanwhile it starts over, and would add twice",
            self.facts.id, entity.name
        );
        let help = format!("add to {name} in a pattern of its own, or set its new value");
        Finding::new(&rules::UNSERVABLE_PATTERN, self.facts.span, message).help(help)
    }

    /// What is known of an item once a request has read it.
    fn with_old(&self, effect: &EffectFacts, scope: Scope, number: u32) -> Scope {
        let entity = self.context.entity(effect.entity);
        let mut scope = scope.or(Scope::read(entity, number));
        for attr in action::told_by_old(self, effect).iter() {
            if let Some(Value::Input(name)) = scope.get(attr) {
                let otherwise = format!("{name} else {number}.{}", entity.attribute(attr).name);
                scope.set_told(attr, otherwise);
            }
        }
        for attr in effect.grows.iter() {
            if let Some(step) = action::step(self, effect, attr) {
                scope.set_told(attr, format!("{number}.{} {}", entity.attribute(attr).name, said(&step)));
            }
        }
        scope
    }

    /// The key of an item: built from what is given, or found by the read that the search planned. Where it was
    /// found by a Query over several items, the second value is its number.
    fn locate(
        &mut self,
        source: Source,
        entity: usize,
        scope: &mut Scope,
    ) -> (Vec<(String, Value)>, Option<u32>) {
        let context = self.context;
        let task = &context.tasks[entity];
        let at = task.demands.iter().position(|it| it.source == source).expect("every write is a demand");
        let demand = &task.demands[at];
        let service = &context.layout(entity).services[at];
        self.read_half_units += service.price.half_units;
        let first = self.next_request();
        let limit =
            if demand.result == crate::problem::ResultShape::Single { Limit::First(1) } else { Limit::All };
        match &service.choice {
            Choice::NotNeeded => (request::item_key(context, entity, scope), None),
            Choice::Unique(_) => {
                // The uniqueness item gives the identity; the item itself need not be read for its key.
                let mut all =
                    request::requests(context, entity, demand, &service.choice, scope, first, limit, &[]);
                all.truncate(1);
                self.requests.extend(all);
                let facts = context.entity(entity);
                // What is given of the identity stays: were it replaced, another tenant's item would be meant.
                for attr in facts.identity.iter().filter(|attr| !demand.given().contains(**attr)) {
                    let attribute = facts.attribute(*attr).name.clone();
                    scope.set(*attr, Value::Read { request: first, attribute });
                }
                (request::item_key(context, entity, scope), None)
            }
            choice => {
                self.requests.extend(request::requests(
                    context,
                    entity,
                    demand,
                    choice,
                    scope,
                    first,
                    limit,
                    &[],
                ));
                // What an index does not show is read behind it.
                let last = self.requests.len() as u32;
                (context.key(entity, Place::Base).read(last), Some(last))
            }
        }
    }

    /// What is given of an item that a uniqueness item leads to, and that neither its key nor the unique value says.
    fn compared(&self, source: Source, entity: usize) -> Attrs {
        let context = self.context;
        let task = &context.tasks[entity];
        let Some(at) = task.demands.iter().position(|it| it.source == source) else { return Attrs::NONE };
        let Choice::Unique(set) = context.layout(entity).services[at].choice else { return Attrs::NONE };
        let (facts, base) = (context.entity(entity), context.chosen_path(entity, Place::Base));
        let fit = plan::by_unique(facts, &task.demands[at].part, base, facts.unique[set]);
        fit.map_or(Attrs::NONE, |fit| fit.compared)
    }

    /// Sends the actions: as a transaction, as batches, or one by one. What the document states conditions on
    /// goes first, so that nothing has happened when one fails.
    fn send(&mut self, actions: Vec<(Action, bool)>) {
        if self.facts.all_in_transaction && actions.len() > 1 {
            let actions = actions.into_iter().map(|(action, _)| action).collect();
            self.requests.push(Request::TransactWriteItems { actions });
            return;
        }
        let (each, single): (Vec<_>, Vec<_>) = actions.into_iter().partition(|(_, each)| *each);
        let single: Vec<Action> = single.into_iter().map(|(action, _)| action).collect();
        let forced = single.len() > self.facts.effects.iter().filter(|effect| !effect.all).count();
        let checks_only = matches!(single[..], [Action::Check(_)]);
        // A parent goes after its children where nothing is asked of it: whoever is interrupted can begin again, and
        // leaves no children of nobody.
        let goes = |action: &Action| matches!(action, Action::Delete(delete) if delete.fails_as.is_none());
        // What keeps versions goes after them too: who creates it again meanwhile begins with versions of his own.
        let kept = self.facts.effects.iter().any(|it| it.outlasts_versions(self.context.entity(it.entity)));
        let last = !each.is_empty() && (kept || single.iter().all(goes));
        let mut whole = Vec::new();
        if single.len() > 1 && (self.facts.transaction || forced) || checks_only {
            whole.push(Request::TransactWriteItems { actions: single });
        } else {
            whole.extend(single.into_iter().map(|action| Request::Write { action }));
        }
        let parts = each.into_iter().map(|(action, _)| for_each(action));
        if last {
            self.requests.extend(parts.chain(whole));
        } else {
            self.requests.extend(whole.into_iter().chain(parts));
        }
    }

    /// Whether a delete takes what goes with an item also where the item itself is gone: it does, unless the document
    /// states a condition on the item, or something else depends on what it was.
    fn goes_anyway(&self, effect: &EffectFacts) -> bool {
        let goes = |it: &EffectFacts| it.action == EffectAction::Delete;
        let with_another = || {
            let mut others = self.facts.effects.iter().filter(|it| it.entity != effect.entity);
            !effect.counted && !effect.read_first && others.any(goes)
        };
        goes(effect)
            && effect.conditions.is_empty()
            && (self.facts.effects.iter().any(|it| it.all && goes(it)) || with_another())
    }

    /// Looks once more for what an effect deletes, and deletes what came since it looked first.
    fn sweep(&mut self, write: usize, at: usize, known: &[Known], findings: &mut Vec<Finding>) {
        let priced = self.read_half_units;
        let again = self.prepare(write, at, known, findings);
        // The first look has the price of both.
        self.read_half_units = priced;
        let actions = self.actions(&self.facts.effects[at], &again);
        self.requests.extend(actions.into_iter().map(for_each));
    }

    fn expected(&self) -> Expected {
        let context = self.context;
        let mut micro_units = 0;
        let mut price = keywright_dynamodb::Money::ZERO;
        let mut half_units = self.read_half_units;
        let month = context.tasks[self.facts.effects.first().map_or(0, |effect| effect.entity)].month;
        for effect in &self.facts.effects {
            let layout = context.layout(effect.entity);
            let task = &context.tasks[effect.entity];
            let entries: Vec<cost::Entry<'_>> = layout
                .indexes
                .iter()
                .zip(&layout.entry_bytes)
                .map(|(index, bytes)| {
                    let candidate = &task.candidates.indexes[*index];
                    cost::Entry {
                        path: &candidate.path,
                        form: task.forms.index,
                        projection: candidate.projection,
                        bytes: *bytes,
                        beside: cost::Cost::ZERO,
                    }
                })
                .collect();
            let base = context.chosen_path(effect.entity, Place::Base);
            let part = cost::effect_price(
                context.problem,
                month,
                self.facts,
                effect,
                base,
                layout.item_bytes,
                &entries,
            );
            let strange = self.strange_entries(effect);
            micro_units = part.micro_units.saturating_add(strange).saturating_add(micro_units);
            price += month.writes(self.facts.rate, strange);
            half_units = part.read_half_units.saturating_add(half_units);
            price += part.cost.bill;
        }
        for check in &self.facts.checks {
            let bytes = context.layout(check.entity).item_bytes;
            let part = cost::check_price(month, self.facts, bytes);
            micro_units = cost::check_micro_units(bytes).saturating_add(micro_units);
            price += part.bill;
        }
        price += month.reads(self.facts.rate, self.read_half_units);
        Expected {
            read_micro_units: half_units.saturating_mul(500_000),
            write_micro_units: micro_units,
            micro_requests: self.requests.len() as u64 * 1_000_000,
            price,
        }
    }

    /// Millionths of write units on native indexes that the item is in only because it holds their keys.
    fn strange_entries(&self, effect: &EffectFacts) -> u64 {
        let context = self.context;
        let mut micro_units = 0;
        for number in 0..context.answer.counts.iter().sum() {
            let members = context.members(number);
            let Some((entity, position)) = members.first().copied() else { continue };
            if context.form(entity, Place::Index(number)) != Form::Native {
                continue;
            }
            let at_home = members.iter().any(|(member, _)| *member == effect.entity);
            let index = context.layout(entity).indexes[position];
            let candidate = &context.tasks[entity].candidates.indexes[index];
            for stranger in form::strangers(context.problem, entity, &candidate.path) {
                if stranger.entity == effect.entity && !(at_home && stranger.uniqueness.is_none()) {
                    micro_units += cost::stranger_writes(
                        context.problem,
                        entity,
                        &stranger,
                        candidate.projection,
                        effect,
                    );
                }
            }
        }
        micro_units
    }

    /// The values that the pattern's inputs give an entity.
    fn inputs(&self, entity: usize) -> Scope {
        values::inputs(self.context, self.pattern, entity)
    }

    /// The values that an entity's attributes have before, as the pattern's inputs say.
    fn present(&self, entity: usize) -> Scope {
        values::present(self.context, self.pattern, entity)
    }

    fn actions(&self, effect: &EffectFacts, known: &Known) -> Vec<Action> {
        action::actions(self, effect, known)
    }
}

/// The operation that a summary names.
fn main_operation(requests: &[Request]) -> OperationName {
    let name = |request: &Request| match request {
        Request::TransactWriteItems { .. } => OperationName::TransactWriteItems,
        Request::BatchWriteItem { .. } => OperationName::BatchWriteItem,
        Request::Write { action: Action::Put(_) } => OperationName::PutItem,
        Request::Write { action: Action::Delete(_) } => OperationName::DeleteItem,
        Request::Write { .. } => OperationName::UpdateItem,
        Request::GetItem(_) => OperationName::GetItem,
        Request::BatchGetItem(_) => OperationName::BatchGetItem,
        Request::Query(_) => OperationName::Query,
        Request::Scan(_) => OperationName::Scan,
    };
    let names: Vec<OperationName> = requests.iter().map(name).collect();
    let many = [OperationName::TransactWriteItems, OperationName::BatchWriteItem];
    let main = many.iter().find(|it| names.contains(it));
    main.or(names.last()).copied().unwrap_or(OperationName::UpdateItem)
}
