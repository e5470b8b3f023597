//! Markdown as our documents need it: headings, paragraphs, quotes, lists, tables and fenced blocks, every word of
//! which knows its place in the source.
//!
//! Nothing here knows what a document is about. Reading never fails, takes time linear in the text and uses no
//! recursion, whatever the text.

mod blocks;
mod limits;
mod page;
mod table;

pub use blocks::{Block, Blocks, Item, read};
pub use limits::{DEEPEST_INDENTATION, DEEPEST_NESTING, Excess, ExcessKind, LONGEST_DOCUMENT};
pub use page::{Page, Phrase, Piece, Words};
pub use table::{Row, Table};
