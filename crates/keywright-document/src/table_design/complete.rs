//! What a design by hand leaves to the access patterns: the attributes of its items, and where a Put has its values from.

use keywright_model::design::{
    Action, Design, Generated, Generator, ItemAttribute, ItemType, Operation, Parameter, Put, Request, Value,
};
use keywright_model::model::{Attribute, Entity, Input, Literal, Pattern, Role, Type};
use keywright_model::{At, Model};

/// Completes a design that a person wrote from the document that it is for. `Put Order` means an Order with all its
/// attributes: those that the caller gives, those that the document fixes, identifiers and instants that the operation makes
/// up, and first values of the others. What the design says itself stays.
pub fn complete_design(design: &mut Design, model: &Model) {
    for item in design.items.iter_mut().filter(|item| item.attributes.is_empty()) {
        let entities = item.entities.iter().filter_map(|name| model.entity(name));
        item.attributes = entities.flat_map(|entity| &entity.attributes).map(attribute).collect();
    }
    let items = std::mem::take(&mut design.items);
    for operation in &mut design.operations {
        let Some(pattern) = model.pattern(&operation.pattern).filter(|it| it.write().is_some()) else {
            continue;
        };
        let mut completed = Completed { pattern, generated: Vec::new(), inputs: Vec::new() };
        for action in operation.requests.iter_mut().flat_map(actions) {
            let Action::Put(put) = action else { continue };
            let Some(item) = items.iter().find(|item| item.name == put.item) else { continue };
            if let Some(entity) = item.entities.iter().find_map(|name| model.entity(name)) {
                completed.put(entity, item, put);
            }
        }
        completed.write_to(operation);
    }
    design.items = items;
}

fn actions(request: &mut Request) -> &mut [Action] {
    match request {
        Request::Write { action } => std::slice::from_mut(action),
        Request::TransactWriteItems { actions } | Request::BatchWriteItem { actions } => actions,
        _ => &mut [],
    }
}

fn attribute(declared: &Attribute) -> ItemAttribute {
    ItemAttribute {
        name: declared.name.clone(),
        ty: *declared.ty,
        optional: declared.is_optional(),
        values: declared.values.iter().map(|value| value.value.clone()).collect(),
        max: declared.max.as_ref().map(|max| max.value),
        entity: None,
    }
}

/// What the Puts of an operation take beside what it says.
struct Completed<'m> {
    pattern: &'m Pattern,
    generated: Vec<Generated>,
    inputs: Vec<Parameter>,
}

impl Completed<'_> {
    fn put(&mut self, entity: &Entity, item: &ItemType, put: &mut Put) {
        if put.values.is_empty() && put.based_on.is_none() {
            let names = item.attributes.iter().map(|attribute| attribute.name.clone());
            put.values = names.map(|name| (name.clone(), Value::Input(name))).collect();
        }
        put.values.retain_mut(|(name, value)| {
            // Only what stands for an input of the attribute's own name was left unsaid.
            let unsaid = matches!(value, Value::Input(input) if input == name);
            let given =
                self.pattern.inputs().iter().any(|input| input.name == *name && input.constant.is_none());
            match entity.attribute(name).filter(|_| unsaid && !given) {
                Some(declared) => self.found(entity, declared).map(|found| *value = found).is_some(),
                None => true,
            }
        });
        for (name, value) in &put.values {
            if let (Value::Input(input), Some(declared)) = (value, entity.attribute(name)) {
                self.inputs.push(Parameter {
                    name: input.clone(),
                    ty: *declared.ty,
                    role: Role::Equal,
                    attribute: Some(name.clone()),
                    optional: declared.is_optional(),
                    list: false,
                });
            }
        }
    }

    /// Where the value of an attribute comes from that no input of its name gives; none where an item may lack it.
    fn found(&mut self, entity: &Entity, declared: &Attribute) -> Option<Value> {
        let is_bound = |input: &&Input| {
            let own = |bind: &keywright_model::model::AttributeRef| {
                bind.entity == entity.name && bind.attribute == declared.name
            };
            matches!(input.role, Role::Equal | Role::NewValue) && input.binds.iter().any(own)
        };
        if let Some(input) = self.pattern.inputs().iter().find(is_bound) {
            return Some(match &input.constant {
                Some(constant) => Value::Literal(constant.clone()),
                None => Value::Input(input.name.clone()),
            });
        }
        if let Some(generator) = generator(entity, declared) {
            let generated = Generated { name: declared.name.clone(), ty: *declared.ty, generator };
            if !self.generated.contains(&generated) {
                self.generated.push(generated);
            }
            return Some(Value::Generated(declared.name.clone()));
        }
        if declared.is_optional() || is_set(declared.ttl.as_ref()) {
            return None;
        }
        let number = |text: &str| Some(Value::Literal(Literal::Number(text.to_owned())));
        match declared.values.first() {
            Some(first) => Some(Value::Literal(Literal::String(first.value.clone()))),
            None if is_set(declared.version.as_ref()) => number("1"),
            None if declared.ty.is_numeric() && !is_set(declared.sequential.as_ref()) => number("0"),
            None if *declared.ty == Type::Boolean => Some(Value::Literal(Literal::Boolean(false))),
            // Nothing gives it: what runs the operation says so.
            None => Some(Value::Input(declared.name.clone())),
        }
    }

    fn write_to(self, operation: &mut Operation) {
        for made in self.generated {
            operation.inputs.retain(|input| input.name != made.name);
            if !operation.generated.iter().any(|it| it.name == made.name) {
                operation.generated.push(made);
            }
        }
        for input in self.inputs {
            if !operation.inputs.iter().any(|it| it.name == input.name) {
                operation.inputs.push(input);
            }
        }
    }
}

fn is_set(flag: Option<&At<bool>>) -> bool {
    flag.is_some_and(|flag| flag.value)
}

/// How an operation makes a value up that its caller does not give.
fn generator(entity: &Entity, declared: &Attribute) -> Option<Generator> {
    let identifies = entity.identity_names().any(|name| name == declared.name);
    match *declared.ty {
        _ if is_set(declared.ttl.as_ref()) => None,
        Type::Ulid if identifies => Some(Generator::Ulid),
        Type::Uuid if identifies => Some(Generator::Uuid),
        Type::Ksuid if identifies => Some(Generator::Ksuid),
        Type::Datetime | Type::Date if !declared.is_optional() => Some(Generator::Now),
        _ => None,
    }
}
