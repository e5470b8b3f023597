//! Values of the recording as generated types have them, and both in one form that can be compared.

use std::collections::{BTreeMap, HashMap};

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use keywright::Decimal;
use serde_json::Value as Json;

/// An item as DynamoDB has it.
pub type Item = HashMap<String, AttributeValue>;

/// The attributes of an item as texts.
pub type Row = BTreeMap<String, String>;

/// An item of the recording.
pub fn item(json: &Json) -> Item {
    json.as_object().into_iter().flatten().map(|(name, value)| (name.clone(), attribute(value))).collect()
}

/// A value of the recording.
pub fn attribute(json: &Json) -> AttributeValue {
    let (kind, value) = json.as_object().and_then(|it| it.iter().next()).expect("a value has a type");
    let text = || value.as_str().expect("it is a text").to_owned();
    let texts = || value.as_array().into_iter().flatten().filter_map(Json::as_str).map(str::to_owned).collect();
    match kind.as_str() {
        "S" => AttributeValue::S(text()),
        "N" => AttributeValue::N(text()),
        "B" => AttributeValue::B(Blob::new(aws_smithy_types::base64::decode(text()).expect("it is base 64"))),
        "BOOL" => AttributeValue::Bool(value == true),
        "NULL" => AttributeValue::Null(true),
        "SS" => AttributeValue::Ss(texts()),
        "NS" => AttributeValue::Ns(texts()),
        "L" => AttributeValue::L(value.as_array().into_iter().flatten().map(attribute).collect()),
        "M" => AttributeValue::M(item(value)),
        other => panic!("there is no type {other}"),
    }
}

fn at<'i>(item: &'i Item, path: &str) -> Option<&'i AttributeValue> {
    item.get(path).or_else(|| {
        let (first, rest) = path.split_once('.')?;
        at(item.get(first)?.as_m().ok()?, rest)
    })
}

/// The attributes of an item that are there, as texts.
pub fn row<'p>(item: &Item, paths: impl Iterator<Item = &'p str>) -> Row {
    paths.filter_map(|path| Some((path.to_owned(), at(item, path)?.show()))).collect()
}

/// A value in the one form.
pub trait Show {
    fn show(&self) -> String;
}

/// A value of the recording as a generated type has it.
pub trait Take {
    fn take(value: AttributeValue) -> Self;
}

impl Show for AttributeValue {
    fn show(&self) -> String {
        match self {
            AttributeValue::S(text) => text.clone(),
            AttributeValue::N(text) => text.parse::<Decimal>().map_or_else(|_| text.clone(), |number| number.to_string()),
            AttributeValue::Bool(flag) => flag.to_string(),
            AttributeValue::B(bytes) => bytes.as_ref().to_vec().show(),
            AttributeValue::Ss(texts) | AttributeValue::Ns(texts) => texts.show(),
            AttributeValue::L(values) => values.show(),
            AttributeValue::M(map) => map.show(),
            other => format!("{other:?}"),
        }
    }
}

impl Show for String {
    fn show(&self) -> String {
        self.clone()
    }
}

impl Show for i64 {
    fn show(&self) -> String {
        self.to_string()
    }
}

impl Show for bool {
    fn show(&self) -> String {
        self.to_string()
    }
}

impl Show for Decimal {
    fn show(&self) -> String {
        self.to_string()
    }
}

impl Show for Vec<u8> {
    fn show(&self) -> String {
        format!("{self:?}")
    }
}

impl Show for Vec<String> {
    fn show(&self) -> String {
        let mut sorted = self.clone();
        sorted.sort();
        format!("{sorted:?}")
    }
}

impl Show for Vec<AttributeValue> {
    fn show(&self) -> String {
        format!("{:?}", self.iter().map(Show::show).collect::<Vec<_>>())
    }
}

impl Show for HashMap<String, AttributeValue> {
    fn show(&self) -> String {
        format!("{:?}", row(self, self.keys().map(String::as_str)))
    }
}

impl Take for String {
    fn take(value: AttributeValue) -> Self {
        match value {
            AttributeValue::S(text) | AttributeValue::N(text) => text,
            other => panic!("{other:?} is no text"),
        }
    }
}

impl Take for i64 {
    fn take(value: AttributeValue) -> Self {
        String::take(value).parse().expect("it is a whole number")
    }
}

impl Take for Decimal {
    fn take(value: AttributeValue) -> Self {
        String::take(value).parse().expect("it is a number")
    }
}

impl Take for bool {
    fn take(value: AttributeValue) -> Self {
        *value.as_bool().expect("it is true or false")
    }
}

impl Take for Vec<u8> {
    fn take(value: AttributeValue) -> Self {
        value.as_b().expect("it is bytes").as_ref().to_vec()
    }
}

impl Take for Vec<String> {
    fn take(value: AttributeValue) -> Self {
        match value {
            AttributeValue::Ss(texts) | AttributeValue::Ns(texts) => texts,
            other => panic!("{other:?} is no set"),
        }
    }
}

impl Take for Vec<AttributeValue> {
    fn take(value: AttributeValue) -> Self {
        value.as_l().expect("it is a list").clone()
    }
}

impl Take for HashMap<String, AttributeValue> {
    fn take(value: AttributeValue) -> Self {
        value.as_m().expect("it is a map").clone()
    }
}

/// An input that is there.
pub fn one<T: Take>(inputs: &Json, name: &str) -> T {
    T::take(attribute(&inputs[name]))
}

/// An input that may be left out.
pub fn optional<T: Take>(inputs: &Json, name: &str) -> Option<T> {
    inputs.get(name).map(|value| T::take(attribute(value)))
}

/// An input of several values.
pub fn several<T: Take>(inputs: &Json, name: &str) -> Vec<T> {
    inputs[name].as_array().into_iter().flatten().map(|value| T::take(attribute(value))).collect()
}
