//! Mutants of reads: the order turned round, each part of a filter and each bound left out or moved by one, limits, projections,
//! shards, requests and consistency.

use keywright_dynamodb::expression::{Condition, SortRange};
use keywright_model::design::{
    ItemAttribute, KeyValue, Limit, Operation, Projection, Query, Request, Scatter, Shape, Value,
};
use keywright_model::model::{Consistency, Direction, Pattern, Read};
use keywright_model::{Design, Model};

use super::{Mutant, neighbour, writes};

/// Where a list ends that should not, unless the document lets it have fewer.
const FIRST: u64 = 5;

/// Why a mutant means the same.
type Equal = Option<&'static str>;

/// All mutants of the reads of a design, and of its indexes.
pub(super) fn mutants(model: &Model, design: &Design) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    for (nth, operation) in design.operations.iter().enumerate() {
        let Some(pattern) = model.pattern(&operation.pattern) else { continue };
        let Some(read) = pattern.read() else { continue };
        let mut breaking = Breaking { model, design, pattern, read, operation, broken: Vec::new() };
        for (at, request) in operation.requests.iter().enumerate() {
            match request {
                Request::Query(query) => breaking.query(at, query),
                Request::GetItem(get) => {
                    breaking.consistency(at, get.consistent);
                    breaking.projection(at, &get.projection);
                }
                Request::BatchGetItem(batch) => {
                    breaking.consistency(at, batch.consistent);
                    breaking.projection(at, &batch.projection);
                }
                Request::Scan(scan) => {
                    for (what, filter, equal) in breaking.filters(scan.filter.as_ref()) {
                        breaking.request(at, what, equal, |it| {
                            if let Request::Scan(scan) = it {
                                scan.filter = filter.clone();
                            }
                        });
                    }
                }
                _ => {}
            }
        }
        breaking.outcome();
        for (what, equal, broken) in breaking.broken {
            let mut design = design.clone();
            design.operations[nth] = broken;
            mutants.push(Mutant { name: format!("{} read: {what}", operation.pattern), design, equal });
        }
    }
    mutants.extend(indexes(design));
    mutants
}

/// One read and its mutants so far.
struct Breaking<'d> {
    model: &'d Model,
    design: &'d Design,
    pattern: &'d Pattern,
    read: &'d Read,
    operation: &'d Operation,
    broken: Vec<(String, Equal, Operation)>,
}

impl Breaking<'_> {
    fn add(&mut self, what: String, equal: Equal, breaks: impl FnOnce(&mut Operation)) {
        let mut broken = self.operation.clone();
        breaks(&mut broken);
        self.broken.push((what, equal, broken));
    }

    fn request(&mut self, at: usize, what: String, equal: Equal, breaks: impl FnOnce(&mut Request)) {
        self.add(what, equal, |operation| breaks(&mut operation.requests[at]));
    }

    fn on_query(&mut self, at: usize, what: String, equal: Equal, breaks: impl FnOnce(&mut Query)) {
        self.request(at, what, equal, |request| {
            if let Request::Query(query) = request {
                breaks(query);
            }
        });
    }

    fn query(&mut self, at: usize, query: &Query) {
        self.on_query(at, "the order turned round".into(), self.unordered(query), |it| {
            it.forward = !it.forward;
        });
        for (what, filter, equal) in self.filters(query.filter.as_ref()) {
            self.on_query(at, what, equal, |it| it.filter = filter);
        }
        for (what, range, equal) in self.ranges(query) {
            self.on_query(at, what, equal, |it| {
                it.key.range =
                    range.map(|range| (it.key.range.as_ref().map_or("", |it| &it.0).to_owned(), range));
            });
        }
        for (what, limit, equal) in self.limits(query) {
            self.on_query(at, what, equal, |it| it.limit = limit);
        }
        for (nth, scatter) in query.scatter.iter().enumerate() {
            match scatter {
                Scatter::Shards { count, .. } if *count > 1 => {
                    self.on_query(at, "a shard too few".into(), None, |it| {
                        if let Some(Scatter::Shards { count, .. }) = it.scatter.get_mut(nth) {
                            *count -= 1;
                        }
                    });
                }
                Scatter::Shards { .. } => {}
                Scatter::Values { values, .. } => {
                    for left in 0..values.len() {
                        self.on_query(at, format!("nothing of {}", values[left]), None, |it| {
                            if let Some(Scatter::Values { values, .. }) = it.scatter.get_mut(nth) {
                                values.remove(left);
                            }
                        });
                    }
                }
            }
        }
        self.consistency(at, query.consistent);
        self.projection(at, &query.projection);
    }

    /// What is wrong with the answer as a whole: who sorts, in which order, and which request it comes from.
    fn outcome(&mut self) {
        let outcome = &self.operation.outcome;
        let scattered = self.operation.requests.iter().any(|it| match it {
            Request::Query(query) => query.combinations().len() > 1 && !query.one_after_another(),
            _ => false,
        });
        let merged = outcome.client_sort || scattered;
        for (nth, order) in outcome.order.iter().enumerate() {
            let equal = match () {
                () if !merged => Some("the keys give the order"),
                () if self.is_settled(&order.attribute) => Some("all of an answer have the same of it"),
                () => None,
            };
            self.add(format!("{} in the other direction", order.attribute), equal, |operation| {
                let direction = &mut operation.outcome.order[nth].direction;
                *direction = match direction {
                    Direction::Ascending => Direction::Descending,
                    Direction::Descending => Direction::Ascending,
                };
            });
        }
        if outcome.client_sort {
            let equal = outcome.order.is_empty().then_some("no order is promised");
            self.add("nobody sorts".into(), equal, |operation| operation.outcome.client_sort = false);
        }
        if let Some(first) = outcome.first {
            self.add("one less comes back".into(), None, |operation| {
                operation.outcome.first = Some(first - 1)
            });
            self.add("all that is sorted comes back".into(), None, |operation| {
                operation.outcome.first = None
            });
        }
        if self.operation.requests.len() > 1 {
            let last = self.operation.requests.len() as u32 - 1;
            self.add("the last request left out".into(), self.is_whole_before(), |operation| {
                operation.requests.pop();
                operation.outcome.from_request = operation.outcome.from_request.min(last);
            });
        }
    }

    /// Whether the request before the last one gives the same already.
    fn is_whole_before(&self) -> Equal {
        let [.., before, last] = self.operation.requests.as_slice() else { return None };
        match (before, last) {
            (Request::Query(query), Request::BatchGetItem(_)) => {
                let index = self.design.index(&query.table, query.index.as_ref()?)?;
                let whole = index.projection == Projection::All && query.projection.is_empty();
                whole.then_some("the index holds it all")
            }
            _ => None,
        }
    }

    /// Whether the caller gives an attribute by equality.
    fn is_settled(&self, attribute: &str) -> bool {
        let mut inputs = self.pattern.inputs().iter();
        inputs.any(|input| {
            let names = input.binds.iter().any(|bind| bind.attribute == attribute);
            names && input.role == keywright_model::model::Role::Equal && !input.list && !input.optional
        })
    }

    /// Why nobody could tell in which order a Query reads.
    fn unordered(&self, query: &Query) -> Equal {
        let outcome = &self.operation.outcome;
        let sorted: Vec<_> =
            self.read.sort.iter().filter(|it| !self.is_settled(&it.attribute.attribute)).collect();
        match () {
            () if matches!(outcome.shape, Shape::Count { .. }) => Some("only how many there are is wanted"),
            () if outcome.client_sort && query.limit == Limit::All => Some("the client sorts"),
            () if sorted.is_empty() => Some("no order is promised"),
            () => None,
        }
    }

    fn consistency(&mut self, at: usize, consistent: bool) {
        if !consistent {
            return;
        }
        let strong = self.read.consistency.as_ref().is_some_and(|it| it.value == Consistency::Strong);
        let equal = (!strong).then_some("an eventual read will do");
        self.request(at, "an eventual read".into(), equal, |request| match request {
            Request::GetItem(get) => get.consistent = false,
            Request::Query(query) => query.consistent = false,
            Request::BatchGetItem(batch) => batch.consistent = false,
            _ => {}
        });
    }

    /// Each attribute that is asked for left out.
    fn projection(&mut self, at: usize, names: &[String]) {
        for (nth, name) in names.iter().enumerate().filter(|_| names.len() > 1) {
            let outcome = &self.operation.outcome;
            let returned = outcome.attributes.is_empty() || outcome.attributes.contains(name);
            let is_answer = at + 1 == outcome.from_request as usize;
            let declared = self
                .pattern
                .entities
                .iter()
                .any(|entity| self.model.entity(entity).is_some_and(|it| it.attribute(name).is_some()));
            let equal = (is_answer && !(returned && declared)).then_some("nobody wants it");
            self.request(at, format!("without {name}"), equal, |request| match request {
                Request::GetItem(get) => drop(get.projection.remove(nth)),
                Request::Query(query) => drop(query.projection.remove(nth)),
                Request::BatchGetItem(batch) => drop(batch.projection.remove(nth)),
                _ => {}
            });
        }
    }

    /// Each part of a filter left out, and each comparison replaced by its neighbours.
    fn filters(&self, filter: Option<&Condition<Value>>) -> Vec<(String, Option<Condition<Value>>, Equal)> {
        let Some(whole) = filter else { return Vec::new() };
        let parts: Vec<Condition<Value>> = match whole {
            Condition::All(parts) => parts.clone(),
            one => vec![one.clone()],
        };
        let mut broken = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            let mut others: Vec<Option<Condition<Value>>> = vec![None];
            match part {
                Condition::Compare(left, comparator, right) => others.extend(
                    neighbour(*comparator)
                        .map(|it| Some(Condition::Compare(left.clone(), it, right.clone()))),
                ),
                Condition::Between(subject, lower, upper) => {
                    use keywright_dynamodb::expression::Comparator::{GreaterOrEqual, LessOrEqual};
                    let one = |comparator, bound: &_| {
                        Some(Condition::Compare(subject.clone(), comparator, Clone::clone(bound)))
                    };
                    others.extend([one(GreaterOrEqual, lower), one(LessOrEqual, upper)]);
                }
                _ => {}
            }
            for other in others {
                let rest = parts.iter().enumerate().filter_map(|(nth, it)| match nth == at {
                    true => other.clone(),
                    false => Some(it.clone()),
                });
                let filter = Condition::all(rest.collect());
                let what =
                    format!("filter {} for {}", writes::show(filter.as_ref()), writes::show(Some(whole)));
                broken.push((what, filter, None));
            }
        }
        broken
    }

    /// Each bound of a range left out, moved by one, or without its separator.
    fn ranges(&self, query: &Query) -> Vec<(String, Option<SortRange<Value>>, Equal)> {
        use keywright_dynamodb::expression::Comparator::{GreaterOrEqual, LessOrEqual};
        let Some((name, range)) = &query.key.range else { return Vec::new() };
        let mut broken: Vec<(String, Option<SortRange<Value>>, Equal)> = Vec::new();
        match range {
            SortRange::BeginsWith(Value::Template(text)) => {
                let equal = self.meets_no_others(query, name, "", text);
                broken.push((format!("no begins_with {text}"), None, equal));
                if let Some(shorter) = text.strip_suffix('#') {
                    let equal = self.meets_no_others(query, name, shorter, text);
                    let range = SortRange::BeginsWith(Value::Template(shorter.to_owned()));
                    broken.push((format!("begins_with {shorter} for {text}"), Some(range), equal));
                }
            }
            SortRange::BeginsWith(_) => broken.push(("no begins_with".into(), None, None)),
            SortRange::Compare(comparator, value) => {
                let equal = self.meets_no_value(query, name, value);
                if let Some(other) = neighbour(*comparator) {
                    let range = SortRange::Compare(other, value.clone());
                    broken.push((format!("{other:?} for {comparator:?}"), Some(range), equal));
                }
                broken.push((format!("no bound {comparator:?}"), None, None));
            }
            SortRange::Between(lower, upper) => {
                let from = SortRange::Compare(GreaterOrEqual, lower.clone());
                let until = SortRange::Compare(LessOrEqual, upper.clone());
                let lowest = self.is_lowest(query, name, lower, upper);
                let highest = self.is_lowest(query, name, upper, lower);
                broken.push(("no upper bound".into(), Some(from), highest));
                broken.push(("no lower bound".into(), Some(until), lowest));
                // What follows a value in a key is after it: such a bound leaves its own value out, or lets it in.
                for (what, at) in [("lower", 0), ("upper", 1)] {
                    let mut bounds = [lower.clone(), upper.clone()];
                    let Value::Template(text) = &mut bounds[at] else { continue };
                    if !text.trim_end_matches('$').ends_with('>') {
                        continue;
                    }
                    match text.strip_suffix('$') {
                        Some(shorter) => *text = shorter.to_owned(),
                        None => text.push('$'),
                    }
                    let text = text.clone();
                    let [lower, upper] = bounds;
                    let range = SortRange::Between(lower, upper);
                    let places = |text: &str| text.matches('<').count();
                    let mut keys = query.items.iter().filter_map(|item| self.template(item, name));
                    let is_last = keys.all(|key| places(key) == places(&text));
                    let equal = (at == 1 && is_last).then_some("nothing follows the value in a key");
                    broken.push((format!("the {what} bound {text}"), Some(range), equal));
                }
            }
        }
        broken
    }

    /// Whether one end of a range is nothing but where the items of the types begin or end, and no others are beyond it.
    fn is_lowest(&self, query: &Query, name: &str, bound: &Value, other: &Value) -> Equal {
        let (Value::Template(bound), Value::Template(other)) = (bound, other) else { return None };
        let literal = bound.trim_end_matches(['$', '~']);
        if literal.contains('<') {
            return None;
        }
        if other.starts_with(literal) {
            return self.meets_no_others(query, name, "", literal);
        }
        let upper = bound != literal;
        let others = self.beside(query)?.into_iter().filter_map(|item| self.template(item, name));
        let mut others = others.map(|own| own.split('<').next().unwrap_or_default());
        let within =
            |own: &str| own.starts_with(literal) || (if upper { own < literal } else { own > literal });
        others.all(within).then_some("nothing in the collection lies beyond")
    }

    /// The item types that lie in the collections which a Query reads.
    fn beside(&self, query: &Query) -> Option<Vec<&str>> {
        let literal = |text: &str| text.split('<').next().unwrap_or_default().to_owned();
        let [(partition, Value::Template(asked))] = query.key.partition.as_slice() else { return None };
        let beside = self.design.items.iter().filter(|item| item.table == query.table).filter(|item| {
            let own = self.template(&item.name, partition);
            own.is_some_and(|own| literal(own) == literal(asked))
        });
        Some(beside.map(|item| item.name.as_str()).collect())
    }

    /// Whether no key can be what is compared with: what follows in it makes it longer.
    fn meets_no_value(&self, query: &Query, name: &str, value: &Value) -> Equal {
        let Value::Template(text) = value else { return None };
        let longer = query.items.iter().filter_map(|item| self.template(item, name)).all(|template| {
            let own = template.matches('<').count() > text.matches('<').count();
            own || text.ends_with('$') || !text.ends_with('>')
        });
        longer.then_some("no key is just that")
    }

    /// Whether what begins with the shorter text in such a collection begins with the longer one too.
    fn meets_no_others(&self, query: &Query, name: &str, shorter: &str, longer: &str) -> Equal {
        let literal = |text: &str| text.split('<').next().unwrap_or_default().to_owned();
        let (short, long) = (literal(shorter), literal(longer));
        for item in self.beside(query)? {
            let Some(own) = self.template(item, name) else { continue };
            let own = literal(own);
            if own.starts_with(&short) && !own.starts_with(&long) && !long.starts_with(&own) {
                return None;
            }
        }
        // A value that is cut off at its separator may be the beginning of another one.
        let values = |text: &str| text.matches('<').count();
        if values(shorter) < values(longer) {
            return None;
        }
        let last = longer.rsplit_once('<').and_then(|(_, rest)| rest.split(['>', ':', '$']).next());
        if self.ends_in_whole_constant(query, name, longer) {
            return Some("no value is the beginning of another one");
        }
        match last {
            None => Some("nothing else in the collection begins so"),
            Some(last) => {
                let is_free = |it: &ItemAttribute| {
                    let values = &it.values;
                    let begins =
                        values.iter().any(|a| values.iter().any(|b| a != b && b.starts_with(a.as_str())));
                    let is_text = matches!(
                        it.ty,
                        keywright_model::model::Type::String | keywright_model::model::Type::Text
                    );
                    begins || values.is_empty() && is_text
                };
                let bound = self.operation.inputs.iter().find(|it| it.name == last);
                let attribute = bound.and_then(|it| it.attribute.as_deref()).unwrap_or(last);
                let mut declared =
                    query.items.iter().filter_map(|item| self.design.item(item)?.attribute(attribute));
                let free = declared.any(is_free);
                (!free).then_some("no value is the beginning of another one")
            }
        }
    }

    /// Whether a text ends in a constant that stands where the keys have an attribute, and no other value of that begins so.
    fn ends_in_whole_constant(&self, query: &Query, name: &str, text: &str) -> bool {
        let Some((before, constant)) = text.trim_end_matches('#').rsplit_once("#") else { return false };
        if !before.contains('<') || constant.contains('<') {
            return false;
        }
        let at = before.matches('#').count() + 1;
        query.items.iter().all(|item| {
            let place = self.template(item, name).and_then(|own| own.split('#').nth(at));
            let attribute = place.and_then(|it| it.strip_prefix('<')?.strip_suffix('>'));
            let declared = attribute.and_then(|it| self.design.item(item)?.attribute(it));
            declared.is_some_and(|it| {
                let others = it.values.iter().filter(|value| value.starts_with(constant));
                others.count() == 1
            })
        })
    }

    fn template(&self, item: &str, key: &str) -> Option<&str> {
        match &self.design.item(item)?.key(key)?.value {
            KeyValue::Template(text) => Some(text),
            KeyValue::Natural => None,
        }
    }

    /// Limits that are off by one, and an end where there should be none.
    fn limits(&self, query: &Query) -> Vec<(String, Limit, Equal)> {
        let one = self
            .read
            .result
            .as_ref()
            .is_some_and(|it| it.value == keywright_model::model::ResultKind::Single);
        match &query.limit {
            Limit::All => {
                let first = self.most().map_or(FIRST, |most| FIRST.min(most.saturating_sub(1)));
                let equal = match () {
                    () if self.operation.outcome.client_sort => Some("what the client sorts is read whole"),
                    () if first == 0 || query.index.is_none() && !query.key.sort.is_empty() => {
                        Some("there is never more than one")
                    }
                    () => None,
                };
                vec![(format!("only the first {first}"), Limit::First(first.max(1)), equal)]
            }
            Limit::First(1) => {
                let equal = one.then_some("the first of two is taken");
                vec![("the first two".into(), Limit::First(2), equal)]
            }
            Limit::First(most) => vec![
                ("one fewer".into(), Limit::First(most - 1), None),
                ("one more".into(), Limit::First(most + 1), None),
            ],
            Limit::Page { default } => {
                vec![("only the first page".into(), Limit::First(*default), None)]
            }
        }
    }
}

impl Breaking<'_> {
    /// As many as an answer has at most, where the document says it.
    fn most(&self) -> Option<u64> {
        let [entity] = self.pattern.entities.as_slice() else { return None };
        let stated = self.model.parents_of(entity).filter(|relationship| {
            !relationship.via.is_empty() && relationship.via.iter().all(|name| self.is_settled(name))
        });
        stated.filter_map(|it| it.fan_out.max.as_ref().map(|max| max.value)).min()
    }
}

/// Indexes that hold less than they should.
fn indexes(design: &Design) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    for (at, index) in design.indexes.iter().enumerate() {
        let less: Vec<(String, Projection)> = match &index.projection {
            Projection::All => vec![("holds only keys".into(), Projection::KeysOnly)],
            Projection::Include(names) => names
                .iter()
                .map(|left| {
                    let rest: Vec<String> = names.iter().filter(|it| *it != left).cloned().collect();
                    let rest = if rest.is_empty() { Projection::KeysOnly } else { Projection::Include(rest) };
                    (format!("does not hold {left}"), rest)
                })
                .collect(),
            Projection::KeysOnly => Vec::new(),
        };
        for (what, projection) in less {
            let mut broken = design.clone();
            broken.indexes[at].projection = projection;
            mutants.push(Mutant {
                name: format!("{} read: {what}", index.name),
                design: broken,
                equal: None,
            });
        }
    }
    mutants
}
