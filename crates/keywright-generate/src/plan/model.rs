//! Entity models: the content of an item type, as programs see it.

use keywright_model::Model;
use keywright_model::design::{Design, ItemKind, ItemType};
use keywright_model::model::Type;

use super::Name;

/// The content of an item type.
#[derive(Clone, Debug)]
pub struct EntityModel<'a> {
    /// The name of the type in programs.
    pub name: Name,
    /// The item type.
    pub item: &'a ItemType,
    /// A description, in one or more sentences.
    pub description: String,
    /// Its attributes, without the numbers that only the design keeps: no entry of an index has them.
    pub fields: Vec<Field<'a>>,
}

/// An attribute as a field, a parameter or a part of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field<'a> {
    /// The name in programs.
    pub name: Name,
    /// The name in the table; a nested one is dotted.
    pub attribute: &'a str,
    /// The type.
    pub ty: Type,
    /// Whether it may be absent.
    pub optional: bool,
    /// The values of an enumeration.
    pub values: &'a [String],
    /// The author's description.
    pub description: Option<&'a str>,
}

impl<'a> EntityModel<'a> {
    pub(super) fn new(design: &Design, item: &'a ItemType, model: Option<&'a Model>) -> Self {
        let stated = |entity: &String| model.and_then(|model| model.entity(entity));
        let description = item
            .description
            .clone()
            .or_else(|| {
                let own = item.kind == ItemKind::Main || item.kind == ItemKind::Singleton;
                item.entities
                    .first()
                    .filter(|_| own)
                    .and_then(stated)
                    .and_then(|entity| entity.description.as_ref().map(|it| it.value.clone()))
            })
            .unwrap_or_else(|| sentence(item));
        let fields = item
            .attributes
            .iter()
            .filter(|attribute| !design.is_kept(item, &attribute.name, model))
            .map(|attribute| Field {
                name: value_name(&attribute.name),
                attribute: &attribute.name,
                ty: attribute.ty,
                optional: attribute.optional,
                values: &attribute.values,
                description: item
                    .entities
                    .iter()
                    .filter_map(stated)
                    .find_map(|entity| entity.attribute(&attribute.name)?.description.as_ref())
                    .map(|it| it.value.as_str()),
            })
            .collect();
        EntityModel { name: type_name(&item.name), item, description, fields }
    }

    /// The field of an attribute.
    pub fn field(&self, attribute: &str) -> Option<&Field<'a>> {
        self.fields.iter().find(|field| field.attribute == attribute)
    }
}

/// The name of a type. A name that starts with a digit gets a word in front.
pub(super) fn type_name(text: &str) -> Name {
    let name = Name::new(text);
    if name.is_identifier() || name.camel().is_empty() { name } else { name.prefixed("item") }
}

/// The name of a field or parameter. A name that starts with a digit gets a word in front.
pub(super) fn value_name(text: &str) -> Name {
    let name = Name::new(text);
    if name.is_identifier() || name.camel().is_empty() { name } else { name.prefixed("value") }
}

fn sentence(item: &ItemType) -> String {
    let of = item.entities.join(" and ");
    match item.kind {
        ItemKind::Main => format!("An item of {of}."),
        ItemKind::Uniqueness => format!("Reserves a unique value of {of}."),
        ItemKind::Edge => format!("Links {of}."),
        ItemKind::Counter => format!("Counts {of}."),
        ItemKind::Copy => format!("A copy of {of} for another read."),
        ItemKind::Singleton => format!("The one item of {of}."),
    }
}
