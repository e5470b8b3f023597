//! The documents of a run.

use serde::{Deserialize, Serialize};

use crate::{LineIndex, Location, Span};

/// The position of a document in [`Sources`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SourceId(pub u32);

/// One document: the path that the user gave, its text, and its line index.
#[derive(Clone, Debug)]
pub struct Source {
    path: String,
    text: String,
    lines: LineIndex,
}

impl Source {
    /// A document under the path that messages show for it.
    #[must_use]
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        Self { path: path.into(), lines: LineIndex::new(&text), text }
    }

    /// The path as the user wrote it.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The whole text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The location of an offset.
    #[must_use]
    pub fn locate(&self, offset: u32) -> Location {
        self.lines.locate(&self.text, offset)
    }

    /// The span of a line (from 1), without its line ending.
    #[must_use]
    pub fn line(&self, line: u32) -> Span {
        self.lines.line_range(&self.text, line).into()
    }
}

/// The documents of one run, in the order in which the user named them.
#[derive(Clone, Debug, Default)]
pub struct Sources(Vec<Source>);

impl Sources {
    /// No documents yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a document and returns its id.
    pub fn add(&mut self, source: Source) -> SourceId {
        let id =
            SourceId(u32::try_from(self.0.len()).expect("a command line names fewer than 2^32 documents"));
        self.0.push(source);
        id
    }

    /// The document of an id that [`Sources::add`] gave.
    #[must_use]
    pub fn get(&self, id: SourceId) -> Option<&Source> {
        self.0.get(id.0 as usize)
    }

    /// All documents with their ids.
    pub fn iter(&self) -> impl Iterator<Item = (SourceId, &Source)> {
        self.0.iter().zip(0..).map(|(source, id)| (SourceId(id), source))
    }
}

impl From<Source> for Sources {
    fn from(source: Source) -> Self {
        Self(vec![source])
    }
}
