//! The numbers that only a design keeps: counts of children and last numbers of sequences, which the document states
//! as no attribute and no read returns.

use keywright_dynamodb::expression::Assigned;

use super::{Action, Design, ItemKind, ItemType, Request, Value};
use crate::Model;

impl Design {
    /// Whether an attribute of an item is a number that only the design keeps: none of the item's entities has it, or,
    /// where the entities are not known, operations reckon its value and none is told it.
    pub fn is_kept(&self, item: &ItemType, attribute: &str, model: Option<&Model>) -> bool {
        let is_number = item.attribute(attribute).is_some_and(|it| it.ty.is_numeric());
        if !is_number || item.kind == ItemKind::Counter {
            return false;
        }
        let entities: Vec<_> = model
            .map_or_else(Vec::new, |model| item.entities.iter().filter_map(|it| model.entity(it)).collect());
        if entities.is_empty() {
            self.is_only_reckoned(&item.name, attribute)
        } else {
            entities.iter().all(|entity| entity.attribute(attribute).is_none())
        }
    }

    fn is_only_reckoned(&self, item: &str, attribute: &str) -> bool {
        let mut written = false;
        for action in self.operations.iter().flat_map(|it| &it.requests).flat_map(Request::actions) {
            let told = match action {
                Action::Put(put) if put.item == item => {
                    put.values.iter().find(|(path, _)| *path == attribute).map(|(_, value)| is_told(value))
                }
                Action::Update(update) if update.item == item => update
                    .update
                    .set
                    .iter()
                    .find(|(path, _)| *path == attribute)
                    .map(|(_, assigned)| matches!(assigned, Assigned::Value(value) if is_told(value))),
                _ => None,
            };
            match told {
                Some(true) => return false,
                Some(false) => written = true,
                None => {}
            }
        }
        written
    }
}

fn is_told(value: &Value) -> bool {
    matches!(value, Value::Input(_) | Value::Generated(_) | Value::Template(_))
}
