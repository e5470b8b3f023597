//! A writer of indented code.

/// Text that is written line by line at the current depth of indentation.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    text: String,
    unit: &'static str,
    depth: usize,
}

impl Code {
    /// Empty code; `unit` is one step of indentation.
    pub(crate) fn new(unit: &'static str) -> Self {
        Code { text: String::new(), unit, depth: 0 }
    }

    /// Writes a line at the current depth, or several if the text has line breaks. Empty lines are not
    /// indented.
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

    pub(crate) fn blank(&mut self) -> &mut Self {
        self.line("")
    }

    /// Writes `open`, the block one step deeper, and `close`.
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

    pub(crate) fn finish(self) -> String {
        self.text
    }
}
