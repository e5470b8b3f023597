//! Names of methods: get, list, list…Paginated, batchGet, create, update, delete.
//!
//! A name tells what the method accesses and by which inputs. Methods that would share a name all get more
//! words, and at last their pattern ids. Ids never change, so a name does not depend on the order of the
//! patterns.

use keywright_dynamodb::expression::Condition;
use keywright_model::Design;
use keywright_model::design::{Action, ItemType, KeyValue, Operation, Order, Request, Shape};
use keywright_model::model::{Direction, Role};

use super::method::{actions_of, is_main, items_of, main_put};
use super::model::{type_name, value_name};
use super::{Kind, Method, Name, Part, parts};

/// The entity whose repository has the method: that of the item with the main data.
pub(super) fn leading_entity(design: &Design, operation: &Operation) -> Name {
    let put = main_put(design, operation).map(|put| put.item.as_str());
    let deleted = actions_of(operation).find_map(|action| match action {
        Action::Delete(delete) if is_main(design, &delete.item) => Some(delete.item.as_str()),
        _ => None,
    });
    let main = items_of(operation).find(|item| is_main(design, item));
    let item = put.or(deleted).or(main).or_else(|| items_of(operation).next());
    entity_name(design, item.unwrap_or("item"))
}

/// The entity of an item type; the item type's own name if it merges several entities.
fn entity_name(design: &Design, item: &str) -> Name {
    match design.item(item).map(|it| it.entities.as_slice()) {
        Some([entity]) => type_name(entity),
        _ => type_name(item),
    }
}

/// The preferred name of a method, before it is compared with others.
pub(super) fn wanted(design: &Design, operation: &Operation, kind: Kind) -> Name {
    match kind {
        Kind::Read => read(design, operation),
        Kind::Write | Kind::Delete => write(design, operation, kind),
    }
}

fn read(design: &Design, operation: &Operation) -> Name {
    let mut subjects: Vec<Name> = Vec::new();
    for item in &operation.outcome.items {
        let name = entity_name(design, item);
        if !subjects.contains(&name) {
            subjects.push(name);
        }
    }
    if subjects.is_empty() {
        subjects.push(leading_entity(design, operation));
    }
    let and = Name::new("and");
    let subject = Name::joined(
        subjects
            .iter()
            .enumerate()
            .flat_map(|(at, name)| [(at > 0).then_some(&and), Some(name)].into_iter().flatten()),
    );
    let list_input = operation.inputs.iter().any(|input| input.list);
    let (verb, subject, end) = match operation.outcome.shape {
        Shape::Single | Shape::Nothing => ("get", subject, ""),
        Shape::Collection if list_input => ("batchGet", subject.plural(), ""),
        Shape::Collection => ("list", subject.plural(), ""),
        Shape::Page => ("list", subject.plural(), "paginated"),
        Shape::Count { attribute: None } => ("get", subject.suffixed("count"), ""),
        Shape::Count { attribute: Some(ref attribute) } => ("get", subject.suffixed(attribute), ""),
    };
    let single = matches!(operation.outcome.shape, Shape::Single | Shape::Count { attribute: Some(_) });
    let by_identity =
        single && operation.outcome.items.first().is_some_and(|item| by_identity(design, operation, item));
    let by = if by_identity || list_input { Name::new("") } else { by(operation) };
    Name::joined([&Name::new(verb), &subject, &by, &Name::new(end)])
}

fn write(design: &Design, operation: &Operation, kind: Kind) -> Name {
    let entity = leading_entity(design, operation);
    let many = actions_of(operation).any(|action| is_main(design, action.item()) && action.each().is_some());
    if kind == Kind::Delete {
        let subject = if many { entity.plural() } else { entity };
        let main = actions_of(operation).find_map(|action| match action {
            Action::Delete(delete) if is_main(design, &delete.item) => Some(delete.item.as_str()),
            _ => None,
        });
        let identity = !many && main.is_some_and(|item| by_identity(design, operation, item));
        let by = if identity { Name::new("") } else { by(operation) };
        return Name::joined([&Name::new("delete"), &subject, &by]);
    }
    let create = main_put(design, operation).filter(|put| put.based_on.is_none() && put.each.is_none());
    if let Some(put) = create {
        let replaces = !put.condition.as_ref().is_some_and(refuses_existing);
        let verb = if replaces && operation.generated.is_empty() { "update" } else { "create" };
        return Name::joined([&Name::new(verb), &entity]);
    }
    // An update that changes one or two attributes is named after them.
    let mut changed: Vec<&str> = operation
        .inputs
        .iter()
        .filter(|input| matches!(input.role, Role::NewValue | Role::Increment))
        .map(|input| input.attribute.as_deref().unwrap_or(&input.name))
        .collect();
    if changed.is_empty() {
        changed = actions_of(operation)
            .filter_map(|action| match action {
                Action::Update(update) if is_main(design, &update.item) => Some(&update.update),
                _ => None,
            })
            .flat_map(|update| {
                update.set.iter().map(|(path, _)| path).chain(update.add.iter().map(|(path, _)| path))
            })
            .map(String::as_str)
            .collect();
    }
    changed.dedup();
    let what = if changed.len() <= 2 {
        let and = Name::new("and");
        let names: Vec<Name> = changed.iter().map(|name| value_name(name)).collect();
        Name::joined(
            names
                .iter()
                .enumerate()
                .flat_map(|(at, name)| [(at > 0).then_some(&and), Some(name)].into_iter().flatten()),
        )
    } else {
        Name::new("")
    };
    let subject = if many { entity.plural() } else { entity };
    Name::joined([&Name::new("update"), &subject, &what])
}

fn refuses_existing<V>(condition: &Condition<V>) -> bool {
    match condition {
        Condition::NotExists(_) => true,
        Condition::All(parts) => parts.iter().any(refuses_existing),
        _ => false,
    }
}

/// Whether the equality inputs are exactly the attributes of the item's primary key.
fn by_identity(design: &Design, operation: &Operation, item: &str) -> bool {
    let Some(item) = design.item(item) else { return false };
    let mut identity = primary_key_attributes(design, item);
    let mut given: Vec<&str> = operation
        .inputs
        .iter()
        .filter(|input| input.role == Role::Equal)
        .map(|input| input.attribute.as_deref().unwrap_or(&input.name))
        .collect();
    identity.sort_unstable();
    identity.dedup();
    given.sort_unstable();
    given.dedup();
    given == identity
}

fn primary_key_attributes<'a>(design: &'a Design, item: &'a ItemType) -> Vec<&'a str> {
    let Some(table) = design.table(&item.table) else { return Vec::new() };
    table
        .key()
        .filter_map(|key| item.key(&key.name))
        .flat_map(|assignment| match &assignment.value {
            KeyValue::Natural => vec![assignment.attribute.as_str()],
            KeyValue::Template(template) => parts(template)
                .into_iter()
                .filter_map(|part| match part {
                    Part::Value { name, encoding } if !encoding.starts_with("shard") => Some(name),
                    _ => None,
                })
                .collect(),
        })
        .collect()
}

/// `ByCustomerIdAndStatus`: the inputs by which items are found.
fn by(operation: &Operation) -> Name {
    let and = Name::new("and");
    let mut attributes: Vec<&str> = Vec::new();
    for input in &operation.inputs {
        let finds = matches!(
            input.role,
            Role::Equal | Role::Prefix | Role::Lower(_) | Role::Upper(_) | Role::Within(_)
        );
        let attribute = match input.role {
            // Named after the input (the month), not after the instant that lies in it.
            Role::Within(_) => &input.name,
            _ => input.attribute.as_deref().unwrap_or(&input.name),
        };
        if finds && !attributes.contains(&attribute) {
            attributes.push(attribute);
        }
    }
    let names: Vec<Name> = attributes.iter().map(|name| Name::new(name)).collect();
    let joined = Name::joined(
        names
            .iter()
            .enumerate()
            .flat_map(|(at, name)| [(at > 0).then_some(&and), Some(name)].into_iter().flatten()),
    );
    if names.is_empty() { joined } else { Name::joined([&Name::new("by"), &joined]) }
}

/// `SortedByScore`, `SortedByScoreDescending`.
fn sorted(order: &[Order]) -> Option<Name> {
    let first = order.first()?;
    let direction = match first.direction {
        Direction::Ascending => "",
        Direction::Descending => "descending",
    };
    Some(Name::joined([&Name::new("sortedBy"), &Name::new(&first.attribute), &Name::new(direction)]))
}

/// Makes names unique. Methods that share a name get their sort order, then the inputs that find the item or
/// the word "filtered", then their pattern ids.
pub(super) fn settle(methods: &mut [Method<'_>]) {
    for step in [by_order, by_target, by_id] {
        let shared: Vec<bool> = methods
            .iter()
            .map(|method| methods.iter().filter(|other| other.name == method.name).count() > 1)
            .collect();
        for (method, shared) in methods.iter_mut().zip(shared) {
            if shared {
                method.name = step(method);
            }
        }
    }
}

fn by_order(method: &Method<'_>) -> Name {
    sorted(&method.operation.outcome.order)
        .map_or_else(|| method.name.clone(), |order| Name::joined([&method.name, &order]))
}

/// Distinguishes writes by the inputs that find the item, and reads with a filter by the word "filtered".
fn by_target(method: &Method<'_>) -> Name {
    let create = method.name.snake().starts_with("create");
    match method.kind {
        Kind::Write if !create => Name::joined([&method.name, &by(method.operation)]),
        Kind::Read if has_filter(method.operation) => method.name.suffixed("filtered"),
        Kind::Read | Kind::Write | Kind::Delete => method.name.clone(),
    }
}

fn has_filter(operation: &Operation) -> bool {
    operation
        .requests
        .iter()
        .any(|request| matches!(request, Request::Query(query) if query.filter.is_some()))
}

fn by_id(method: &Method<'_>) -> Name {
    Name::joined([&method.name, &Name::new(method.pattern)])
}
