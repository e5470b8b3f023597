//! Merging: two entities that are one to one as one item. What comes later than the other is optional.
//!
//! A merge is a document of its own: the child's attributes are the parent's, its creates are updates of the parent's
//! item, and that the child is there means that its marker is. The rest of the design sees only the merged document, and
//! for each child in whose item it lies.

mod legal;

use std::borrow::Cow;

use keywright_model::model::{
    Action, Attribute, AttributeRef, Condition, ConditionKind, Input, Pattern, PatternKind, Presence, Role,
    Write,
};
use keywright_model::{At, Model};

use crate::first_value::first_value;

pub(crate) use legal::mergeable;

/// A child that lies in its parent's item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Merge {
    pub(crate) parent: String,
    pub(crate) child: String,
    /// The child's attribute that tells whether it is there; none where it always is.
    pub(crate) marker: Option<String>,
    /// The child's attributes, without those that hold the parent's identity.
    pub(crate) attributes: Vec<String>,
}

/// The document with these children in their parents' items.
pub(crate) fn merged<'m>(model: &'m Model, merges: &[Merge]) -> Cow<'m, Model> {
    let mut model = Cow::Borrowed(model);
    for merge in merges {
        merge.apply(model.to_mut());
    }
    model
}

impl Merge {
    fn apply(&self, model: &mut Model) {
        let Some(at) = model.entities.iter().position(|entity| entity.name == self.child) else { return };
        let child = model.entities.remove(at);
        let count = child.count.as_ref().map(|count| count.value);
        let own = |it: &&Attribute| self.attributes.contains(&it.name);
        if let Some(parent) = model.entities.iter_mut().find(|entity| entity.name == self.parent) {
            let held = child.attributes.iter().filter(own);
            parent.attributes.extend(held.map(|attribute| self.held(attribute, count)));
        }
        model.relationships.retain(|it| it.child != self.child && it.parent != self.child);
        for pattern in &mut model.patterns {
            self.rewrite(pattern, &child.attributes);
        }
    }

    /// An attribute of the child as one of the parent.
    fn held(&self, attribute: &Attribute, count: Option<u64>) -> Attribute {
        let mut attribute = attribute.clone();
        if self.marker.is_some() {
            if !attribute.is_optional() {
                let present = count.map(|count| At::stated(Presence::Items(count), attribute.span));
                attribute.present = present.or(attribute.present);
            }
            attribute.optional = Some(At::stated(true, attribute.span));
        }
        attribute
    }

    fn rewrite(&self, pattern: &mut Pattern, attributes: &[Attribute]) {
        let comes_later = pattern.write().is_some_and(|write| {
            let creates = |entity: &str| {
                write.effects.iter().any(|it| it.entity == entity && it.action == Action::Create)
            };
            creates(&self.child) && !creates(&self.parent)
        });
        for input in pattern.inputs.iter_mut().flat_map(|inputs| &mut inputs.value) {
            input.binds.iter_mut().for_each(|bind| self.rename(bind));
            input.binds.dedup();
            let sets = input.binds.iter().any(|bind| self.attributes.contains(&bind.attribute));
            if comes_later && sets && input.role == Role::Equal {
                input.role = Role::NewValue;
            }
        }
        if comes_later {
            self.give_first_values(pattern, attributes);
        }
        let given: Vec<String> = pattern
            .inputs()
            .iter()
            .flat_map(|input| input.binds.iter().map(|bind| bind.attribute.clone()))
            .collect();
        match &mut pattern.kind {
            PatternKind::Read(read) => {
                read.sort.iter_mut().for_each(|sort| self.rename(&mut sort.attribute));
                let returned = read.returns.iter_mut().flat_map(|returns| &mut returns.value);
                returned.for_each(|it| self.rename(it));
            }
            PatternKind::Write(write) | PatternKind::Delete(write) => self.join(write, attributes, &given),
        }
    }

    fn rename(&self, attribute: &mut AttributeRef) {
        if attribute.entity == self.child {
            attribute.entity.clone_from(&self.parent);
        }
    }

    /// What a create makes up without being given it, an update has to be given.
    fn give_first_values(&self, pattern: &mut Pattern, attributes: &[Attribute]) {
        let span = pattern.span;
        let Some(inputs) = &mut pattern.inputs else { return };
        for attribute in attributes.iter().filter(|it| self.attributes.contains(&it.name)) {
            let bound = AttributeRef::new(self.parent.clone(), attribute.name.clone());
            let given = inputs.value.iter().any(|input| input.binds.contains(&bound));
            if let Some(first) = first_value(attribute).filter(|_| !given) {
                inputs.value.push(Input {
                    name: format!("first {}", attribute.name),
                    span,
                    role: Role::NewValue,
                    binds: vec![bound],
                    constant: Some(first),
                    optional: false,
                    list: false,
                    filter: false,
                    assumed: true,
                });
            }
        }
    }

    /// One action on one item: what happens to the child happens to its parent.
    fn join(&self, write: &mut Write, attributes: &[Attribute], given: &[String]) {
        let on_parent =
            |action: &Action| write.effects.iter().any(|it| it.entity == self.parent && it.action == *action);
        let with_parent = [Action::Create, Action::Delete].map(|action| (on_parent(&action), action));
        let alone = |action: &Action| !with_parent.iter().any(|(both, it)| *both && it == action);
        write.effects.retain(|it| it.entity != self.child || alone(&it.action));
        let mut conditions: Vec<Condition> = Vec::new();
        for effect in write.effects.iter_mut().filter(|it| it.entity == self.child) {
            effect.entity.clone_from(&self.parent);
            let (text, kind) = if effect.action == Action::Create {
                effect.action = Action::Update;
                let set = attributes.iter().filter(|it| self.attributes.contains(&it.name));
                let set = set.filter(|it| !it.is_optional() || given.contains(&it.name));
                effect.attributes = set.map(|it| it.name.clone()).collect();
                ("must not exist", ConditionKind::NotExists { entity: self.child.clone() })
            } else {
                ("must exist", ConditionKind::Exists { entity: self.child.clone() })
            };
            conditions.push(Condition { text: format!("{} {text}", self.child), span: effect.span, kind });
        }
        for condition in conditions {
            if !write.conditions.iter().any(|it| it.kind == condition.kind) {
                write.conditions.push(condition);
            }
        }
        for condition in &mut write.conditions {
            if let ConditionKind::Compare { attribute, .. }
            | ConditionKind::OneOf { attribute, .. }
            | ConditionKind::Held { attribute, .. } = &mut condition.kind
            {
                self.rename(attribute);
            }
        }
    }
}
