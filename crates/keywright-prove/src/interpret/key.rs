//! Key strings from templates and the values in scope.

use std::collections::BTreeMap;

use keywright_dynamodb::value::{AttributeValue, Item};
use keywright_key::Template;
use keywright_model::Design;
use keywright_model::design::{ItemType, KeyAssignment, KeyValue, Sparse};
use keywright_model::model::Literal;

use crate::interpret::Fault;

/// A value as text, the way that people write it and templates read it; none for what no key can hold.
pub(crate) fn text(value: &AttributeValue) -> Option<String> {
    match value {
        AttributeValue::S(text) => Some(text.clone()),
        AttributeValue::N(number) => Some(number.to_string()),
        AttributeValue::BOOL(flag) => Some(flag.to_string()),
        _ => None,
    }
}

/// A literal as an attribute value; a text that is no number stays text.
pub(crate) fn literal(literal: &Literal) -> AttributeValue {
    match literal {
        Literal::String(text) => AttributeValue::S(text.clone()),
        Literal::Number(text) => match text.parse() {
            Ok(number) => AttributeValue::N(number),
            Err(_) => AttributeValue::S(text.clone()),
        },
        Literal::Boolean(flag) => AttributeValue::BOOL(*flag),
    }
}

/// The value at a path of an item: an attribute of that exact name, else the way through maps.
pub(crate) fn at<'i>(item: &'i Item, path: &str) -> Option<&'i AttributeValue> {
    if let Some(value) = item.get(path) {
        return Some(value);
    }
    let (first, rest) = path.split_once('.')?;
    match item.get(first)? {
        AttributeValue::M(map) => at(map, rest),
        _ => None,
    }
}

/// Gives the attribute at a path a value, with maps along the way.
pub(crate) fn put(item: &mut Item, path: &str, value: AttributeValue) {
    match path.split_once('.') {
        None => {
            item.insert(path.to_owned(), value);
        }
        Some((first, rest)) => {
            let within = item.entry(first.to_owned()).or_insert_with(|| AttributeValue::M(BTreeMap::new()));
            if let AttributeValue::M(map) = within {
                put(map, rest, value);
            }
        }
    }
}

/// Takes the attribute at a path away; the maps along the way stay.
pub(crate) fn remove(item: &mut Item, path: &str) {
    if item.remove(path).is_none()
        && let Some((first, rest)) = path.split_once('.')
        && let Some(AttributeValue::M(map)) = item.get_mut(first)
    {
        remove(map, rest);
    }
}

/// Builds a template over values; none where a value is absent.
pub(crate) fn build(template: &str, value: &dyn Fn(&str) -> Option<String>) -> Result<Option<String>, Fault> {
    let parsed = Template::parse(template)
        .map_err(|error| Fault::Template { template: template.to_owned(), reason: error.to_string() })?;
    let mut values = BTreeMap::new();
    for name in parsed.attributes() {
        match value(name) {
            Some(text) => values.insert(name.clone(), text),
            None => return Ok(None),
        };
    }
    let built = parsed.build_from_text(|name| values.get(name).map(String::as_str));
    built
        .map(Some)
        .map_err(|error| Fault::Unbuilt { template: template.to_owned(), reason: error.to_string() })
}

/// Builds the bound of a key condition. A template that stops short of the whole key is a leading part of it, so
/// that its last text is escaped as in the middle of a key; a `$` at its end closes an inclusive upper bound, since
/// it is the byte that follows the separator.
pub(crate) fn build_bound(
    template: &str,
    goes_on: bool,
    value: &dyn Fn(&str) -> Option<String>,
) -> Result<Option<String>, Fault> {
    let ends_in_place = |text: &str| text.ends_with('>') || text.ends_with('}');
    if let Some(open) = template.strip_suffix('$').filter(|open| ends_in_place(open)) {
        let built = build(&format!("{open}#"), value)?;
        return Ok(built.map(|key| format!("{}$", &key[..key.len() - 1])));
    }
    if goes_on && ends_in_place(template) {
        let built = build(&format!("{template}#"), value)?;
        return Ok(built.map(|key| key[..key.len() - 1].to_owned()));
    }
    build(template, value)
}

/// Whether keys of some of the item types go on where the template ends.
pub(crate) fn goes_on(design: &Design, items: &[String], attribute: &str, template: &str) -> bool {
    let parts = |text: &str| text.split('#').count();
    items
        .iter()
        .filter_map(|name| design.item(name))
        .filter_map(|item| item.key(attribute))
        .any(|key| matches!(&key.value, KeyValue::Template(whole) if parts(whole) > parts(template)))
}

/// The values of the key attributes of an item, from its other attributes: of the table, and of every index that the
/// item is in.
pub(crate) fn keys_of(design: &Design, item_type: &ItemType, item: &Item) -> Result<Item, Fault> {
    let mut keys = Item::new();
    for assignment in &item_type.keys {
        let KeyValue::Template(template) = &assignment.value else { continue };
        let wanted = assignment.sparse.as_ref().is_none_or(|sparse| is_in(sparse, item));
        let built = if wanted { build(template, &|name| at(item, name).and_then(text))? } else { None };
        let primary = design
            .table(&item_type.table)
            .is_some_and(|table| table.key().any(|key| key.name == assignment.attribute));
        match built {
            Some(key) => {
                keys.insert(assignment.attribute.clone(), AttributeValue::S(key));
            }
            None if primary => {
                return Err(Fault::KeyIncomplete {
                    item: item_type.name.clone(),
                    attribute: assignment.attribute.clone(),
                    template: template.clone(),
                });
            }
            None => {}
        }
    }
    // Strings of one index that come and go by the same attribute are all there or none is: half of them would keep a stale
    // attribute on the item. One that stands by itself stays, and so does what the table has for its own key.
    let table = design.table(&item_type.table);
    let is_primary = |name: &str| table.is_some_and(|table| table.key().any(|key| key.name == name));
    for index in design.indexes.iter().filter(|index| index.table == item_type.table) {
        let own: Vec<&KeyAssignment> = index
            .key()
            .filter_map(|key| item_type.key(&key.name))
            .filter(|it| matches!(it.value, KeyValue::Template(_)))
            .collect();
        let lacks = |it: &&&KeyAssignment| !keys.contains_key(&it.attribute);
        let ended: Vec<&Option<Sparse>> = own.iter().filter(lacks).map(|it| &it.sparse).collect();
        for it in own.iter().filter(|it| ended.contains(&&it.sparse) && !is_primary(&it.attribute)) {
            keys.remove(&it.attribute);
        }
    }
    Ok(keys)
}

/// Whether an item is in a sparse index.
fn is_in(sparse: &Sparse, item: &Item) -> bool {
    match (at(item, &sparse.attribute), &sparse.equals) {
        (None, _) => false,
        (Some(_), None) => true,
        (Some(value), Some(wanted)) => same(value, wanted),
    }
}

/// Whether a value is that literal: `"5"` and `5` name the same number.
pub(crate) fn same(value: &AttributeValue, wanted: &Literal) -> bool {
    *value == literal(wanted) || text(value).as_deref() == Some(wanted.to_string().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope(name: &str) -> Option<String> {
        match name {
            "title" => Some("Hello World".into()),
            "n" => Some("7".into()),
            _ => None,
        }
    }

    #[test]
    fn a_bound_that_stops_short_is_escaped_like_the_middle_of_a_key() {
        let whole = build("SONG#<title>#<n:pad3>", &scope).unwrap().unwrap();
        let prefix = build_bound("SONG#<title>", true, &scope).unwrap().unwrap();
        assert!(whole.starts_with(&prefix), "{whole} {prefix}");
        let upper = build_bound("SONG#<title>$", true, &scope).unwrap().unwrap();
        assert!(upper > whole, "{upper} {whole}");
        assert!(
            upper
                < build("SONG#<title>x#<n:pad3>", &scope)
                    .unwrap_or(Some("SONG#Hello$WWorldx".into()))
                    .unwrap()
        );
    }

    #[test]
    fn an_absent_value_leaves_the_key_out() {
        assert_eq!(build("A#<nothing>", &scope).unwrap(), None);
        assert!(build("A#<n", &scope).is_err());
    }

    #[test]
    fn paths_lead_through_maps() {
        let mut item = Item::new();
        put(&mut item, "place.country", "SI".into());
        put(&mut item, "place.city", "Piran".into());
        assert_eq!(at(&item, "place.country"), Some(&"SI".into()));
        assert_eq!(item.len(), 1);
        assert_eq!(at(&item, "place.street"), None);
    }
}
