//! Methods: one per pattern, with typed parameters and a typed answer.

use keywright_model::Design;
use keywright_model::design::{self, Action, ItemKind, Operation, Put, Request, Shape, Value};
use keywright_model::model::{Role, Type};

use super::model::value_name;
use super::{EntityModel, Field, Name, method_name};

/// The method of a pattern.
#[derive(Clone, Debug)]
pub struct Method<'a> {
    /// The name in programs.
    pub name: Name,
    /// The pattern's id.
    pub pattern: &'a str,
    /// The entity whose repository has the method.
    pub entity: Name,
    /// Whether it reads, writes or deletes.
    pub kind: Kind,
    /// The inputs, without those for paging.
    pub parameters: Vec<Parameter<'a>>,
    /// The default page size, if the caller may give one; `None` otherwise.
    pub page_size: Option<u64>,
    /// The return value.
    pub answer: Answer<'a>,
    /// The operation that it runs.
    pub operation: &'a Operation,
}

/// Whether a method reads, writes or deletes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It reads.
    Read,
    /// It creates or changes items.
    Write,
    /// It only deletes items, apart from writes that keep other items consistent.
    Delete,
}

/// An input of a method.
#[derive(Clone, Debug)]
pub struct Parameter<'a> {
    /// The name in programs.
    pub name: Name,
    /// The parameter of the operation.
    pub source: &'a design::Parameter,
    /// The values of an enumeration, where the attribute has them.
    pub values: &'a [String],
}

/// The return value of a method.
#[derive(Clone, Debug)]
pub enum Answer<'a> {
    /// Nothing.
    Nothing,
    /// The values that the operation generated: identifiers, times, sequence numbers.
    Made(Vec<Field<'a>>),
    /// One item or none.
    One(Vec<View<'a>>),
    /// All items.
    Many(Vec<View<'a>>),
    /// A page of items and a cursor.
    Page(Vec<View<'a>>),
    /// A number.
    Count,
}

impl<'a> Answer<'a> {
    /// The types of items that may come back.
    pub fn views(&self) -> &[View<'a>] {
        match self {
            Answer::One(views) | Answer::Many(views) | Answer::Page(views) => views,
            Answer::Nothing | Answer::Made(_) | Answer::Count => &[],
        }
    }
}

/// An item type as one method returns it.
#[derive(Clone, Debug)]
pub struct View<'a> {
    /// The name of the type in programs: that of the entity model, or its own if not all fields come back.
    pub name: Name,
    /// The item type.
    pub item: &'a str,
    /// The fields that come back.
    pub fields: Vec<Field<'a>>,
    /// Whether fewer fields than the whole item come back, so that the method needs a type of its own.
    pub partial: bool,
}

pub(super) fn methods<'a>(design: &'a Design, entities: &[EntityModel<'a>]) -> Vec<Method<'a>> {
    let mut methods: Vec<Method<'a>> =
        design.operations.iter().map(|operation| method(design, entities, operation)).collect();
    method_name::settle(&mut methods);
    for method in &mut methods {
        let own = method.name.suffixed("item");
        let mixed = method.answer.views().len() > 1;
        if let Answer::One(views) | Answer::Many(views) | Answer::Page(views) = &mut method.answer {
            for view in views.iter_mut().filter(|view| view.partial) {
                view.name = if mixed { Name::joined([&method.name, &view.name]) } else { own.clone() };
            }
        }
    }
    methods
}

fn method<'a>(design: &'a Design, entities: &[EntityModel<'a>], operation: &'a Operation) -> Method<'a> {
    let kind = kind(design, operation);
    let parameters = operation
        .inputs
        .iter()
        .filter(|input| !matches!(input.role, Role::Limit | Role::Cursor))
        .map(|input| Parameter {
            name: value_name(&input.name),
            source: input,
            values: declared_values(entities, operation, input),
        })
        .collect();
    let page_size = operation.requests.iter().find_map(|request| match request {
        Request::Query(query) => page_size(&query.limit),
        Request::Scan(scan) => page_size(&scan.limit),
        _ => None,
    });
    Method {
        name: method_name::wanted(design, operation, kind),
        pattern: &operation.pattern,
        entity: method_name::leading_entity(design, operation),
        kind,
        parameters,
        page_size,
        answer: answer(design, entities, operation),
        operation,
    }
}

fn page_size(limit: &design::Limit) -> Option<u64> {
    match limit {
        design::Limit::Page { default } => Some(*default),
        design::Limit::All | design::Limit::First(_) => None,
    }
}

/// The declared values of the enumeration that an input is a value of.
fn declared_values<'a>(
    entities: &[EntityModel<'a>],
    operation: &Operation,
    input: &design::Parameter,
) -> &'a [String] {
    let attribute = input.attribute.as_deref().unwrap_or(&input.name);
    if input.ty != Type::Enum {
        return &[];
    }
    items_of(operation)
        .filter_map(|item| entities.iter().find(|entity| entity.item.name == item))
        .find_map(|entity| entity.item.attribute(attribute).filter(|it| it.ty == Type::Enum))
        .map_or(&[], |attribute| &attribute.values)
}

/// The item types that an operation reads or writes, those of the result first.
pub(super) fn items_of(operation: &Operation) -> impl Iterator<Item = &str> {
    operation.outcome.items.iter().map(String::as_str).chain(operation.requests.iter().flat_map(|request| {
        match request {
            Request::GetItem(get) => vec![get.item.as_str()],
            Request::Query(query) => query.items.iter().map(String::as_str).collect(),
            Request::BatchGetItem(batch) => batch.items.iter().map(String::as_str).collect(),
            Request::Scan(scan) => scan.items.iter().map(String::as_str).collect(),
            Request::Write { .. } | Request::TransactWriteItems { .. } | Request::BatchWriteItem { .. } => {
                request.actions().iter().map(Action::item).collect()
            }
        }
    }))
}

/// The actions of all writes of an operation.
pub(super) fn actions_of(operation: &Operation) -> impl Iterator<Item = &Action> {
    operation.requests.iter().flat_map(Request::actions)
}

/// Whether the item type holds an entity's own data.
pub(super) fn is_main(design: &Design, item: &str) -> bool {
    design
        .item(item)
        .is_some_and(|item| matches!(item.kind, ItemKind::Main | ItemKind::Singleton | ItemKind::Edge))
}

fn kind(design: &Design, operation: &Operation) -> Kind {
    let (mut writes, mut puts, mut deletes) = (false, false, false);
    for action in actions_of(operation) {
        writes = true;
        match action {
            Action::Put(put) => puts |= is_main(design, &put.item),
            Action::Delete(delete) => deletes |= is_main(design, &delete.item),
            Action::Update(_) | Action::Check(_) => {}
        }
    }
    match (writes, puts, deletes) {
        (false, ..) => Kind::Read,
        (true, false, true) => Kind::Delete,
        (true, ..) => Kind::Write,
    }
}

fn answer<'a>(design: &'a Design, entities: &[EntityModel<'a>], operation: &'a Operation) -> Answer<'a> {
    let views = || {
        operation
            .outcome
            .items
            .iter()
            .filter_map(|item| entities.iter().find(|entity| entity.item.name == *item))
            .map(|entity| view(entity, operation))
            .collect()
    };
    match &operation.outcome.shape {
        Shape::Single => Answer::One(views()),
        Shape::Collection => Answer::Many(views()),
        Shape::Page => Answer::Page(views()),
        Shape::Count { .. } => Answer::Count,
        Shape::Nothing => made(design, entities, operation),
    }
}

fn view<'a>(entity: &EntityModel<'a>, operation: &Operation) -> View<'a> {
    let wanted = &operation.outcome.attributes;
    let fields: Vec<Field<'a>> = entity
        .fields
        .iter()
        .filter(|field| wanted.is_empty() || wanted.iter().any(|name| name == field.attribute))
        .cloned()
        .collect();
    let partial = fields.len() < entity.fields.len();
    View { name: entity.name.clone(), item: &entity.item.name, fields, partial }
}

/// The values that a write returns: its generated values, and the attributes of the main Put that are
/// computed from values read before.
fn made<'a>(design: &'a Design, entities: &[EntityModel<'a>], operation: &'a Operation) -> Answer<'a> {
    let mut fields: Vec<Field<'a>> = operation
        .generated
        .iter()
        .map(|generated| Field {
            name: value_name(&generated.name),
            attribute: &generated.name,
            ty: generated.ty,
            optional: false,
            values: &[],
            description: None,
        })
        .collect();
    if let Some(put) = main_put(design, operation) {
        let entity = entities.iter().find(|entity| entity.item.name == put.item);
        for (attribute, value) in &put.values {
            if matches!(value, Value::Sum { .. })
                && fields.iter().all(|field| field.attribute != attribute)
                && let Some(field) = entity.and_then(|entity| entity.field(attribute))
            {
                fields.push(Field { optional: false, ..field.clone() });
            }
        }
    }
    if fields.is_empty() { Answer::Nothing } else { Answer::Made(fields) }
}

/// The first Put of an item that holds an entity's own data.
pub(super) fn main_put<'a>(design: &Design, operation: &'a Operation) -> Option<&'a Put> {
    actions_of(operation).find_map(|action| match action {
        Action::Put(put) if is_main(design, &put.item) => Some(put),
        _ => None,
    })
}
