//! Which of the documents a text is: what the user states, or the design that follows from it.

/// A kind of document that we read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocumentKind {
    /// Entities and access patterns, before any key exists.
    AccessPatterns,
    /// Tables, indexes, key templates and operations; entity charts are table designs too.
    TableDesign,
}

impl DocumentKind {
    /// Tells by the headings and table columns that only a design has. What tells nothing states access patterns.
    ///
    /// ```
    /// use keywright_document::DocumentKind;
    ///
    /// assert_eq!(DocumentKind::of("## Entities\n### Song\n"), DocumentKind::AccessPatterns);
    /// assert_eq!(DocumentKind::of("| Entity | PK | SK |\n|---|---|---|\n"), DocumentKind::TableDesign);
    /// ```
    #[must_use]
    pub fn of(text: &str) -> Self {
        let mut chart = false;
        for line in text.lines() {
            let line = line.trim().trim_start_matches('\u{feff}');
            if let Some(heading) = line.strip_prefix('#') {
                match fold(heading.trim_start_matches('#')).as_str() {
                    "dynamodb table design"
                    | "table design"
                    | "table configuration"
                    | "entity key design"
                    | "access pattern mapping" => return Self::TableDesign,
                    "dynamodb access patterns" | "access patterns" | "entities" => {
                        return Self::AccessPatterns;
                    }
                    _ => {}
                }
            }
            // A chart has a column for the partition key; it counts only where no heading says otherwise.
            chart |= line.starts_with('|')
                && line.split('|').any(|cell| matches!(fold(cell).as_str(), "pk" | "gsi1pk"));
        }
        if chart { Self::TableDesign } else { Self::AccessPatterns }
    }
}

/// Words without case and the marks of a code span.
fn fold(words: &str) -> String {
    words.trim().trim_matches(['`', '*', ':']).trim().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_decide_before_columns() {
        let pattern_tables =
            "| Entity | Access Pattern | Index | Parameters | Notes |\n|---|---|---|---|---|\n";
        assert_eq!(DocumentKind::of(pattern_tables), DocumentKind::AccessPatterns);
        assert_eq!(DocumentKind::of("# Access Patterns\n| Entity | PK |\n"), DocumentKind::AccessPatterns);
        assert_eq!(DocumentKind::of("\u{feff}# DynamoDB Table Design\r\n"), DocumentKind::TableDesign);
        assert_eq!(DocumentKind::of("### `Entity Key Design`:\n"), DocumentKind::TableDesign);
        assert_eq!(DocumentKind::of(""), DocumentKind::AccessPatterns);
    }
}
