//! Converts byte offsets to lines and columns.

/// Bytes between two checkpoints: the most that a lookup reads.
const STRIDE: usize = 256;

/// The position of an offset, counted from one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    /// The line, from 1. Lines end with `\n`; a `\r` before it belongs to the ending.
    pub line: u32,
    /// The column, from 1, in Unicode code points (SARIF's `unicodeCodePoints`).
    pub column: u32,
    /// The column, from 1, in UTF-16 code units, as in the language server protocol.
    pub utf16_column: u32,
}

/// The line starts of a text, with checkpoints from which any column can be computed without reading the
/// whole line: a document may be one line of ten megabytes with a hundred thousand findings on it.
#[derive(Clone, Debug)]
pub struct LineIndex {
    starts: Vec<u32>,
    checkpoints: Vec<Counts>,
}

/// The number of characters before an offset.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    code_points: u32,
    utf16: u32,
}

impl Counts {
    /// Counts the characters whose first byte is among `bytes`.
    fn after(mut self, bytes: &[u8]) -> Self {
        for byte in bytes {
            // Continuation bytes add nothing; only four-byte characters need two UTF-16 units.
            let starts_character = u32::from((byte & 0b1100_0000) != 0b1000_0000);
            self.code_points += starts_character;
            self.utf16 += starts_character + u32::from(*byte >= 0xF0);
        }
        self
    }
}

impl LineIndex {
    /// Reads the text once. Offsets beyond 4 GiB have no location of their own.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let bytes = &text.as_bytes()[..text.len().min(u32::MAX as usize)];
        let mut starts = vec![0];
        // The offset fits: the slice is at most `u32::MAX` bytes long.
        starts.extend(
            bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at as u32 + 1),
        );
        let mut checkpoints = vec![Counts::default()];
        for chunk in bytes.chunks(STRIDE) {
            let before = checkpoints[checkpoints.len() - 1];
            checkpoints.push(before.after(chunk));
        }
        Self { starts, checkpoints }
    }

    /// The number of lines; a text that ends with `\n` has an empty last line.
    #[must_use]
    pub fn line_count(&self) -> u32 {
        self.starts.len() as u32
    }

    /// The line of an offset, from 1.
    #[must_use]
    pub fn line(&self, offset: u32) -> u32 {
        self.starts.partition_point(|start| *start <= offset) as u32
    }

    /// The byte range of a line (from 1), without its line ending.
    #[must_use]
    pub fn line_range(&self, text: &str, line: u32) -> std::ops::Range<usize> {
        let index = (line.max(1) - 1) as usize;
        let Some(start) = self.starts.get(index).map(|start| *start as usize) else {
            return text.len()..text.len();
        };
        let end = self.starts.get(index + 1).map_or(text.len(), |next| *next as usize - 1);
        let end = if text[start..end].ends_with('\r') { end - 1 } else { end };
        start..end
    }

    /// The location of an offset in the text that the index was made from. An offset inside a character gives
    /// that character; one beyond the end gives the end.
    #[must_use]
    pub fn locate(&self, text: &str, offset: u32) -> Location {
        let offset = text.floor_char_boundary(offset as usize).min(u32::MAX as usize) as u32;
        let line = self.line(offset);
        let start = self.counts(text, self.starts[line as usize - 1]);
        let here = self.counts(text, offset);
        Location {
            line,
            column: here.code_points - start.code_points + 1,
            utf16_column: here.utf16 - start.utf16 + 1,
        }
    }

    fn counts(&self, text: &str, offset: u32) -> Counts {
        let chunk = offset as usize / STRIDE;
        self.checkpoints[chunk].after(&text.as_bytes()[chunk * STRIDE..offset as usize])
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn plainly(text: &str, offset: usize) -> Location {
        let offset = text.floor_char_boundary(offset);
        let before = &text[..offset];
        let line = &before[before.rfind('\n').map_or(0, |at| at + 1)..];
        Location {
            line: before.matches('\n').count() as u32 + 1,
            column: line.chars().count() as u32 + 1,
            utf16_column: line.encode_utf16().count() as u32 + 1,
        }
    }

    #[test]
    fn columns_count_code_points_and_utf16_units() {
        let text = "a\r\n🎵é#\n";
        let index = LineIndex::new(text);
        assert_eq!(index.locate(text, 9), Location { line: 2, column: 3, utf16_column: 4 });
        assert_eq!(index.line_count(), 3);
        assert_eq!(&text[index.line_range(text, 1)], "a");
        assert_eq!(&text[index.line_range(text, 3)], "");
        assert_eq!(index.line_range(text, 9), text.len()..text.len());
    }

    proptest! {
        #[test]
        fn every_offset_is_where_plain_counting_finds_it(text in "[a\n\ré🎵]{0,700}", offset in 0usize..2000) {
            let index = LineIndex::new(&text);
            prop_assert_eq!(index.locate(&text, offset as u32), plainly(&text, offset));
        }
    }
}
