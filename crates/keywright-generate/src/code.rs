//! A writer of indented code.

/// Text that grows line by line at a depth of indentation.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    text: String,
    unit: &'static str,
    depth: usize,
}

impl Code {
    /// Empty code that indents by the unit.
    pub(crate) fn new(unit: &'static str) -> Self {
        Code { text: String::new(), unit, depth: 0 }
    }

    /// A line; several if the text has line breaks, each at the same depth. An empty line stays empty.
    pub(crate) fn line(&mut self, text: impl AsRef<str>) -> &mut Self {
        for line in text.as_ref().split('\n') {
            if !line.is_empty() {
                self.text.push_str(&self.unit.repeat(self.depth));
                self.text.push_str(line);
            }
            self.text.push('\n');
        }
        self
    }

    /// An empty line.
    pub(crate) fn blank(&mut self) -> &mut Self {
        self.line("")
    }

    /// A line that opens a block, the block one step deeper, and a line that closes it.
    pub(crate) fn block(
        &mut self,
        open: impl AsRef<str>,
        close: impl AsRef<str>,
        body: impl FnOnce(&mut Self),
    ) -> &mut Self {
        self.line(open);
        self.depth += 1;
        body(self);
        self.depth -= 1;
        self.line(close)
    }

    /// The text.
    pub(crate) fn finish(self) -> String {
        self.text
    }
}
