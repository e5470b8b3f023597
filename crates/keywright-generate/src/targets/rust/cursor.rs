//! Cursors: opaque texts that hold the start of a page and are bound to their pattern.

use aws_sdk_dynamodb::primitives::Blob;

use super::{AttributeValue, Error, Item};

/// The start of a page.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Position {
    pub(super) after: Option<Item>,
    pub(super) shards: Option<Vec<Progress>>,
    pub(super) offset: usize,
}

/// How far one shard was read.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Progress {
    /// Not yet read, or read up to this key.
    Open(Option<Item>),
    /// Read to its end.
    Done,
}

/// A list of texts, each preceded by its length in hexadecimal digits.
#[derive(Default)]
struct Packed(Vec<u8>);

impl Packed {
    fn push(&mut self, text: &str) {
        self.0.extend(format!("{}:{text}", text.len()).bytes());
    }

    fn push_key(&mut self, key: &Item) {
        let mut names: Vec<&String> = key.keys().collect();
        names.sort();
        self.push(&names.len().to_string());
        for name in names {
            self.push(name);
            match &key[name] {
                AttributeValue::N(text) => {
                    self.push("N");
                    self.push(text);
                }
                AttributeValue::B(bytes) => {
                    self.push("B");
                    self.push(&hex(bytes.as_ref()));
                }
                value => {
                    self.push("S");
                    self.push(value.as_s().map_or("", String::as_str));
                }
            }
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    if !text.is_ascii() || text.len() % 2 != 0 {
        return None;
    }
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).ok()).collect()
}

/// Reads the texts of [`Packed`].
struct Unpacked<'t>(&'t str);

impl<'t> Unpacked<'t> {
    fn next(&mut self) -> Option<&'t str> {
        let (length, rest) = self.0.split_once(':')?;
        let length: usize = length.parse().ok()?;
        let text = rest.get(..length)?;
        self.0 = &rest[length..];
        Some(text)
    }

    fn number(&mut self) -> Option<usize> {
        self.next()?.parse().ok()
    }

    fn key(&mut self) -> Option<Item> {
        let mut key = Item::new();
        for _ in 0..self.number()? {
            let name = self.next()?.to_owned();
            let value = match (self.next()?, self.next()?) {
                ("S", text) => AttributeValue::S(text.to_owned()),
                ("N", text) => AttributeValue::N(text.to_owned()),
                ("B", text) => AttributeValue::B(Blob::new(unhex(text)?)),
                _ => return None,
            };
            key.insert(name, value);
        }
        Some(key)
    }
}

pub(super) fn encode(pattern: &str, position: &Position) -> String {
    let mut packed = Packed::default();
    packed.push(pattern);
    if let Some(after) = &position.after {
        packed.push("after");
        packed.push_key(after);
    } else if let Some(shards) = &position.shards {
        packed.push("shards");
        packed.push(&shards.len().to_string());
        for shard in shards {
            match shard {
                Progress::Done => packed.push("done"),
                Progress::Open(None) => packed.push("start"),
                Progress::Open(Some(key)) => {
                    packed.push("after");
                    packed.push_key(key);
                }
            }
        }
    } else {
        packed.push("offset");
        packed.push(&position.offset.to_string());
    }
    hex(&packed.0)
}

pub(super) fn decode(cursor: &str, pattern: &'static str) -> Result<Position, Error> {
    let refused = |reason| Error::Cursor { pattern, reason };
    let text = unhex(cursor)
        .and_then(|bytes| String::from_utf8(bytes).ok())
        .ok_or_else(|| refused("can't be read"))?;
    let mut unpacked = Unpacked(&text);
    if unpacked.next() != Some(pattern) {
        return Err(refused("belongs to another pattern"));
    }
    position(&mut unpacked).ok_or_else(|| refused("can't be read"))
}

fn position(unpacked: &mut Unpacked<'_>) -> Option<Position> {
    match unpacked.next()? {
        "after" => Some(Position { after: Some(unpacked.key()?), ..Position::default() }),
        "offset" => Some(Position { offset: unpacked.number()?, ..Position::default() }),
        "shards" => {
            let mut shards = Vec::new();
            for _ in 0..unpacked.number()? {
                shards.push(match unpacked.next()? {
                    "done" => Progress::Done,
                    "start" => Progress::Open(None),
                    "after" => Progress::Open(Some(unpacked.key()?)),
                    _ => return None,
                });
            }
            Some(Position { shards: Some(shards), ..Position::default() })
        }
        _ => None,
    }
}
