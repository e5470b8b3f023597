//! Every example item of every written design is one that its templates make: each key is there that the item has, and is
//! built from the attributes beside it, whose values are within what the document says of them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::support::documents;

use documents::{EXAMPLES, KINDS, TRADES, documents};
use keywright_design::{Options, design};
use keywright_document::Companions;
use keywright_key::Template;
use keywright_model::design::{Design, ItemAttribute, ItemType, KeyValue};
use keywright_model::model::Type;
use keywright_model::{Model, Style};
use serde_json::Value;

/// The example items of a document, in its order.
fn examples(written: &str) -> Vec<Value> {
    let blocks = written.split("Example item:\n\n```json\n").skip(1);
    blocks.map(|block| serde_json::from_str(block.split("\n```").next().unwrap()).unwrap()).collect()
}

/// An attribute of an example as keys take it.
fn text(example: &Value, name: &str) -> Option<String> {
    let value = name.split('.').try_fold(example, |value, part| value.get(part))?;
    Some(value.as_str().map_or_else(|| value.to_string(), str::to_owned))
}

/// What is wrong with an example of an item type.
fn faults(item: &ItemType, example: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    for key in &item.keys {
        let has = key.sparse.as_ref().is_none_or(|sparse| {
            let value = text(example, &sparse.attribute);
            value.is_some() && sparse.equals.as_ref().is_none_or(|it| value == Some(it.to_string()))
        });
        let built = match &key.value {
            KeyValue::Natural => text(example, &key.attribute),
            KeyValue::Template(template) => {
                let template = Template::parse(template).unwrap();
                let texts: Vec<(&String, Option<String>)> =
                    template.attributes().iter().map(|name| (name, text(example, name))).collect();
                let of = |name: &str| texts.iter().find(|(it, _)| *it == name)?.1.as_deref();
                template.build_from_text(of).ok()
            }
        };
        let shown = text(example, &key.attribute);
        let wanted = if has { built.clone() } else { None };
        if shown != wanted || has && built.is_none() {
            faults.push(format!("{}: {shown:?}, its attributes give {wanted:?}", key.attribute));
        }
    }
    faults.extend(item.attributes.iter().filter_map(|attribute| fault(attribute, example)));
    faults.into_iter().map(|fault| format!("{}: {fault}", item.name)).collect()
}

/// What is wrong with the value of an attribute.
fn fault(attribute: &ItemAttribute, example: &Value) -> Option<String> {
    let Some(value) = text(example, &attribute.name) else {
        return Some(format!("{} is missing", attribute.name));
    };
    let declared = attribute.values.is_empty() || attribute.values.contains(&value);
    let within = attribute.max.is_none_or(|max| match attribute.ty {
        Type::Integer | Type::Number | Type::Decimal => value.parse::<f64>().unwrap() <= max as f64,
        Type::String | Type::Text => value.chars().count() as u64 <= max,
        _ => true,
    });
    (!declared || !within).then(|| format!("{} = {value}", attribute.name))
}

fn model(text: &str) -> Model {
    keywright_document::read_access_patterns(text).0
}

fn shown(model: &Model, style: Style) -> Option<(Design, Vec<Value>)> {
    let design = design(model, &Options { style: Some(style), ..Options::default() }).design?;
    let written = keywright_document::write_table_design(&design, Companions::default());
    let examples = examples(&written);
    assert_eq!(examples.len(), design.items.len());
    Some((design, examples))
}

#[test]
fn the_example_items_of_every_document_are_made_by_its_templates() {
    let mut wrong: Vec<(String, Style, Vec<String>)> = Vec::new();
    let mut items = 0;
    for (name, text) in [EXAMPLES, KINDS, TRADES].into_iter().flat_map(documents) {
        for style in [Style::Overloaded, Style::MultiAttribute, Style::MultiTable] {
            let Some((design, examples)) = shown(&model(&text), style) else { continue };
            items += examples.len();
            let faults: Vec<String> = design
                .items
                .iter()
                .zip(&examples)
                .flat_map(|(item, example)| faults(item, example))
                .collect();
            if !faults.is_empty() {
                wrong.push((name.clone(), style, faults));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(items > 400, "only {items} items were looked at");
}

#[test]
fn an_example_has_what_its_keys_can_hold() {
    let model = model(
        "# Hotels\n## Entities\n### Hotel\n- `hotelId` (ulid, id)\n- `city` (string, ~2000 values)\n\
         - `stars` (integer, max 5)\n- `country` (string, max 2)\n- `rating` (decimal, max 5)\n## Access Patterns\n### Reads\n\
         | ID | Entity | Description | Input Parameters | Result | Sort | Paginated | Frequency |\n|--|--|--|--|--|--|--|--|\n\
         | AP-001 | Hotel | Hotels in a city, best first | city | Collection | stars DESC | Yes | 5/s |\n\
         | AP-002 | Hotel | Get | hotelId | Single | - | No | 5/s |\n### Writes\n\
         | ID | Entity | Description | Input Parameters | Items Written | Transaction | Conditions | Frequency |\n\
         |--|--|--|--|--|--|--|--|\n\
         | AP-012 | Hotel | Create | city, stars, country, rating | Hotel | No | - | 10/s |\n",
    );
    let (design, examples) = shown(&model, Style::Overloaded).unwrap();
    let hotel = &examples[0];
    assert_eq!(faults(&design.items[0], hotel), Vec::<String>::new());
    assert_eq!(
        (&hotel["stars"], &hotel["country"], &hotel["rating"]),
        (&1.into(), &"co".into(), &0.5.into())
    );
    assert_eq!(hotel["GSI1SK"], "HOTEL#1#01KF0M9ZM0SGQ7YXJ4T2WB3C5D", "{hotel:#}");
}
