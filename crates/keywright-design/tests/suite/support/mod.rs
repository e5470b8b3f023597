//! A small builder of Models, so that a test reads like the document that it stands for.

#![allow(dead_code, reason = "each test file uses its own part")]
#![allow(clippy::unwrap_used, reason = "a test that is written wrong may panic")]

pub(crate) mod dice;
pub(crate) mod documents;

use keywright_design::{Options, Outcome};
use keywright_finding::Span;
use keywright_model::design::{Design, Operation};
use keywright_model::model::Step;
use keywright_model::model::{
    Action, Attribute, AttributeRef, Bound, Cardinality, Condition, ConditionKind, Consistency, Direction,
    Effect, Entity, FanOut, Input, Literal, Mutability, Pattern, PatternKind, Period, Read, Relationship,
    ResultKind, Role, Sort, Transaction, Type, UniqueSet, Write,
};
use keywright_model::{At, Model, Rate};

const HERE: Span = Span::new(0, 0);

pub(crate) fn at<T>(value: T) -> At<T> {
    At::stated(value, HERE)
}

/// A model while it is written down.
pub(crate) struct Doc(pub(crate) Model);

pub(crate) fn doc(application: &str) -> Doc {
    Doc(Model { application: Some(at(application.to_owned())), ..Model::default() })
}

impl Doc {
    /// `"orderId:ulid:id, status:enum(OPEN|PAID), note:string:optional"`.
    pub(crate) fn entity(mut self, name: &str, count: u64, attributes: &str) -> Self {
        let mut entity = Entity::new(name, HERE);
        entity.count = Some(at(count));
        for text in attributes.split(',').map(str::trim).filter(|text| !text.is_empty()) {
            let mut words = text.split(':');
            let attribute = words.next().unwrap();
            let ty = words.next().unwrap();
            let (ty, values) = match ty.strip_prefix("enum(") {
                Some(values) => {
                    (Type::Enum, values.trim_end_matches(')').split('|').map(str::to_owned).collect())
                }
                None => (Type::ALL.into_iter().find(|it| it.name() == ty).expect(ty), Vec::new()),
            };
            let mut it = Attribute::new(attribute, HERE, at(ty));
            it.values = values.into_iter().map(at).collect();
            for flag in words {
                match flag {
                    "id" => entity.identity.push(at(attribute.to_owned())),
                    "optional" => it.optional = Some(at(true)),
                    "unique" => {
                        entity.unique.push(UniqueSet { attributes: vec![attribute.to_owned()], span: HERE })
                    }
                    "mutable" => it.mutability = Some(at(Mutability::Mutable)),
                    "sequential" => it.sequential = Some(at(true)),
                    "ttl" => it.ttl = Some(at(true)),
                    "tenant" => it.tenant = Some(at(true)),
                    _ => {
                        if let Some(bytes) = flag.strip_suffix('B') {
                            it.bytes = Some(at(bytes.parse().unwrap()));
                        } else if let Some(distinct) = flag.strip_suffix("values") {
                            it.distinct = Some(at(distinct.parse().unwrap()));
                        } else if let Some(max) = flag.strip_prefix("max") {
                            it.max = Some(at(max.parse().unwrap()));
                        } else {
                            panic!("unknown flag {flag}");
                        }
                    }
                }
            }
            entity.attributes.push(it);
        }
        self.0.entities.push(entity);
        self
    }

    /// A child of a parent, through these attributes of the child.
    pub(crate) fn belongs(
        mut self,
        child: &str,
        parent: &str,
        via: &str,
        mean: u64,
        max: Option<u64>,
    ) -> Self {
        self.0.relationships.push(Relationship {
            parent: parent.to_owned(),
            child: child.to_owned(),
            span: HERE,
            assumed: false,
            cardinality: at(Cardinality::OneToMany),
            fan_out: FanOut { mean: Some(at(mean)), max: max.map(at) },
            via: list(via),
            label: None,
        });
        self
    }

    /// An attribute whose numbers come from one sequence with those of another entity.
    pub(crate) fn shared_number(mut self, entity: &str, attribute: &str, with: &str) -> Self {
        let entity = self.0.entities.iter_mut().find(|it| it.name == entity).unwrap();
        let attribute = entity.attributes.iter_mut().find(|it| it.name == attribute).unwrap();
        attribute.shared_with.push(at(with.to_owned()));
        self
    }

    /// A child of which each parent has one at most.
    pub(crate) fn one_to_one(self, child: &str, parent: &str, via: &str) -> Self {
        let mut doc = self.belongs(child, parent, via, 1, Some(1));
        doc.0.relationships.last_mut().unwrap().cardinality = at(Cardinality::OneToOne);
        doc
    }

    /// Two entities, many of each for the other.
    pub(crate) fn many_to_many(mut self, one: &str, other: &str) -> Self {
        self = self.belongs(other, one, "", 1, None);
        let last = self.0.relationships.last_mut().unwrap();
        last.cardinality = at(Cardinality::ManyToMany);
        last.fan_out = FanOut::default();
        self
    }

    /// A read by an attribute of another entity: `("AP-003", "Course", "Enrollment.studentId", "page 25", 10)`.
    pub(crate) fn read_through(self, id: &str, entity: &str, input: &str, result: &str, rate: u64) -> Self {
        let (link, attribute) = input.split_once('.').unwrap();
        let mut doc = self.read(id, entity, "", result, rate);
        let inputs = doc.inputs(&[link.to_owned()], attribute);
        doc.0.patterns.last_mut().unwrap().inputs = Some(at(inputs));
        doc
    }

    fn inputs(&self, entities: &[String], inputs: &str) -> Vec<Input> {
        list(inputs)
            .into_iter()
            .map(|text| {
                let optional = text.ends_with('?');
                let text = text.trim_end_matches('?').to_owned();
                let (text, constant) = match text.split_once('=') {
                    Some((name, value)) if !name.ends_with(['<', '>']) => {
                        (name.to_owned(), Some(Literal::String(value.to_owned())))
                    }
                    _ => (text, None),
                };
                let (role, name, attribute) = match text.split_once(' ') {
                    Some((">=", it)) => (Role::Lower(Bound::Inclusive), format!("from_{it}"), it.to_owned()),
                    Some((">", it)) => (Role::Lower(Bound::Exclusive), format!("after_{it}"), it.to_owned()),
                    Some(("<=", it)) => (Role::Upper(Bound::Inclusive), format!("to_{it}"), it.to_owned()),
                    Some(("<", it)) => (Role::Upper(Bound::Exclusive), format!("before_{it}"), it.to_owned()),
                    Some(("prefix", it)) => (Role::Prefix, format!("{it}Prefix"), it.to_owned()),
                    Some((period, it)) if Period::ALL.iter().any(|known| known.name() == period) => {
                        let period = Period::ALL.into_iter().find(|known| known.name() == period).unwrap();
                        (Role::Within(period), period.name().to_owned(), it.to_owned())
                    }
                    Some(("new", it)) => (Role::NewValue, format!("new_{it}"), it.to_owned()),
                    Some(("list", it)) => (Role::Equal, format!("{it}s"), it.to_owned()),
                    _ => (Role::Equal, text.clone(), text.clone()),
                };
                let binds = entities
                    .iter()
                    .filter(|name| self.0.entity(name).unwrap().attribute(&attribute).is_some())
                    .map(|name| AttributeRef::new(name.clone(), attribute.clone()))
                    .collect();
                Input {
                    list: text.starts_with("list "),
                    name,
                    span: HERE,
                    role,
                    binds,
                    constant,
                    optional,
                    filter: false,
                    assumed: false,
                }
            })
            .collect()
    }

    /// A read: `("AP-001", "Order", "username", "page 20 by placedAt desc", 100)`.
    pub(crate) fn read(mut self, id: &str, entities: &str, inputs: &str, result: &str, rate: u64) -> Self {
        let entities = list(entities);
        let mut read = Read::default();
        let mut words = result.split(' ').peekable();
        while let Some(word) = words.next() {
            match word {
                "single" => read.result = Some(at(ResultKind::Single)),
                "all" => read.result = Some(at(ResultKind::Collection)),
                "count" => read.result = Some(at(ResultKind::Count)),
                "page" => {
                    read.result = Some(at(ResultKind::Collection));
                    read.paginated = Some(at(true));
                    read.page_size = Some(at(words.next().unwrap().parse().unwrap()));
                }
                "top" => {
                    read.result = Some(at(ResultKind::Collection));
                    read.page_size = Some(at(words.next().unwrap().parse().unwrap()));
                }
                "strong" => read.consistency = Some(at(Consistency::Strong)),
                "by" => {
                    let attribute = words.next().unwrap();
                    let direction = match words.peek() {
                        Some(&"desc") => {
                            words.next();
                            Direction::Descending
                        }
                        _ => Direction::Ascending,
                    };
                    let owner = entities
                        .iter()
                        .rev()
                        .find(|name| self.0.entity(name).unwrap().attribute(attribute).is_some())
                        .unwrap();
                    read.sort.push(Sort {
                        attribute: AttributeRef::new(owner.clone(), attribute),
                        direction,
                        span: HERE,
                    });
                }
                "returns" => {
                    let wanted = words.next().unwrap();
                    read.returns = Some(at(wanted
                        .split('+')
                        .map(|name| AttributeRef::new(entities[0].clone(), name))
                        .collect()));
                }
                _ => panic!("unknown word {word}"),
            }
        }
        if entities.len() > 1 {
            read.multi_entity = Some(at(true));
        }
        let inputs = self.inputs(&entities, inputs);
        self.push(id, entities, inputs, rate, PatternKind::Read(read));
        self
    }

    fn push(&mut self, id: &str, entities: Vec<String>, inputs: Vec<Input>, rate: u64, kind: PatternKind) {
        self.0.patterns.push(Pattern {
            id: id.to_owned(),
            span: HERE,
            entities: entities.into_iter().map(at).collect(),
            description: at(id.to_owned()),
            inputs: Some(at(inputs)),
            frequency: None,
            rate: Some(at(Rate::per_second(rate))),
            peak: None,
            notes: None,
            kind,
        });
    }

    /// A write: effects such as `"create Order, add Customer orderCount 1"`.
    pub(crate) fn write(mut self, id: &str, effects: &str, inputs: &str, rate: u64) -> Self {
        let mut write = Write::default();
        let mut entities = Vec::new();
        let mut deletes = true;
        for text in list(effects) {
            let words: Vec<&str> = text.split(' ').collect();
            let all = words.contains(&"all");
            let words: Vec<&str> = words.into_iter().filter(|word| *word != "all").collect();
            // `update Fault without openSince`.
            let removes = match words.as_slice() {
                [_, _, "without", removed @ ..] => removed.iter().map(|it| (*it).to_owned()).collect(),
                _ => Vec::new(),
            };
            let action = match words[0] {
                "create" => Action::Create,
                "put" => Action::Put,
                "update" => Action::Update,
                "delete" => Action::Delete,
                "add" => {
                    Action::Add { attribute: words[2].to_owned(), by: Step::Fixed(words[3].parse().unwrap()) }
                }
                other => panic!("unknown action {other}"),
            };
            deletes &= action == Action::Delete;
            entities.push(words[1].to_owned());
            write.effects.push(Effect {
                entity: words[1].to_owned(),
                span: HERE,
                action,
                named_by: None,
                attributes: removes.clone(),
                removes,
                all,
                assumed: false,
            });
        }
        if write.effects.len() > 1 {
            write.transaction = Some(at(Transaction::Yes));
        }
        let inputs = self.inputs(&entities, inputs);
        let kind = if deletes { PatternKind::Delete(write) } else { PatternKind::Write(write) };
        self.push(id, entities, inputs, rate, kind);
        self
    }

    /// A condition on the last pattern.
    pub(crate) fn condition(mut self, text: &str, kind: ConditionKind) -> Self {
        let pattern = self.0.patterns.last_mut().unwrap();
        let (PatternKind::Write(write) | PatternKind::Delete(write)) = &mut pattern.kind else { panic!() };
        write.conditions.push(Condition { text: text.to_owned(), span: HERE, kind });
        self
    }

    pub(crate) fn outcome(&self) -> Outcome {
        keywright_design::design(&self.0, &Options::default())
    }

    /// The design, which must exist.
    pub(crate) fn design(&self) -> Design {
        let outcome = self.outcome();
        let messages: Vec<&str> = outcome.findings.iter().map(|finding| finding.message.as_str()).collect();
        outcome.design.unwrap_or_else(|| panic!("no design: {messages:#?}"))
    }
}

/// A hub with so many kinds of children, and no patterns yet: `KindA`, `KindB`, …
pub(crate) fn hub(kinds: usize) -> Doc {
    let hub = doc("Hub").entity("Hub", 10_000, "hubId:ulid:id, name:string");
    (0..kinds).map(kind).fold(hub, |doc, kind| {
        let attributes = format!("{}Id:ulid:id, hubId:ulid, text:string", kind.to_lowercase());
        doc.entity(&kind, 200_000, &attributes).belongs(&kind, "Hub", "hubId", 20, None)
    })
}

/// The name of a kind of a hub's children.
pub(crate) fn kind(at: usize) -> String {
    format!("Kind{}", char::from(b'A' + u8::try_from(at).unwrap()))
}

/// A hub with so many kinds of children, each read together with it; the last of them strongly.
pub(crate) fn hub_with_each(eventual: usize, strong: usize) -> Doc {
    (0..eventual + strong).fold(hub(eventual + strong), |doc, at| {
        let (kind, id) = (kind(at), format!("AP-{:03}", at + 1));
        let how = if at < eventual { "all" } else { "all strong" };
        doc.read(&id, &format!("Hub, {kind}"), "hubId", how, 5)
    })
}

pub(crate) fn list(text: &str) -> Vec<String> {
    text.split(',').map(|word| word.trim().to_owned()).filter(|word| !word.is_empty()).collect()
}

/// The templates of an item's keys: `"CUSTOMER#<username> | ORDER#<orderId>"`.
pub(crate) fn keys(design: &Design, item: &str) -> String {
    let item = design.item(item).unwrap_or_else(|| panic!("no item type {item}"));
    let texts: Vec<String> = item
        .keys
        .iter()
        .map(|key| match &key.value {
            keywright_model::design::KeyValue::Template(template) => template.clone(),
            keywright_model::design::KeyValue::Natural => key.attribute.clone(),
        })
        .collect();
    texts.join(" | ")
}

pub(crate) fn operation<'d>(design: &'d Design, id: &str) -> &'d Operation {
    design.operation(id).unwrap_or_else(|| panic!("no operation for {id}"))
}

/// An operation in one line: `"Query GSI1"`.
pub(crate) fn summary(design: &Design, id: &str) -> String {
    let operation = operation(design, id);
    let index = operation.index.as_deref().map_or(String::new(), |index| format!(" {index}"));
    let more = if operation.requests.len() > 1 {
        format!(" +{}", operation.requests.len() - 1)
    } else {
        String::new()
    };
    format!("{}{index}{more}", operation.operation)
}
