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
    /// Tells by the headings that only one of the two has, else by what tables and lists hold: keys, or inputs. What tells
    /// nothing states access patterns.
    ///
    /// ```
    /// use keywright_document::DocumentKind;
    ///
    /// assert_eq!(DocumentKind::of("## Entities\n### Song\n"), DocumentKind::AccessPatterns);
    /// assert_eq!(DocumentKind::of("| Entity | PK | SK |\n|---|---|---|\n"), DocumentKind::TableDesign);
    /// ```
    #[must_use]
    pub fn of(text: &str) -> Self {
        let (mut keys, mut inputs) = (false, false);
        for line in text.lines() {
            let line = line.trim().trim_start_matches('\u{feff}');
            if let Some(heading) = line.strip_prefix('#') {
                let title = fold(heading.trim_start_matches('#'));
                if let Some(kind) = Self::of_heading(&title, !heading.starts_with('#')) {
                    return kind;
                }
            } else if line.starts_with('|') {
                for cell in line.split('|').map(fold) {
                    keys |= matches!(cell.as_str(), "pk" | "gsi1pk" | "partition key");
                    inputs |=
                        matches!(cell.as_str(), "input parameters" | "inputs" | "parameters" | "result");
                }
            } else if let Some(item) = line.strip_prefix(['-', '*', '+']) {
                let label = item.split([':', '=']).next().unwrap_or_default();
                keys |= matches!(fold(label).as_str(), "pk" | "partition key");
            }
        }
        if keys && !inputs { Self::TableDesign } else { Self::AccessPatterns }
    }

    /// The kind that has such a heading; both may have entities and access patterns below a title of their own.
    fn of_heading(title: &str, is_first_level: bool) -> Option<Self> {
        match title {
            "table configuration" | "entity key design" | "access pattern mapping" | "entity chart" => {
                Some(Self::TableDesign)
            }
            _ if title.contains("table design") || title.contains("key design") => Some(Self::TableDesign),
            "dynamodb access patterns" => Some(Self::AccessPatterns),
            "access patterns" if is_first_level => Some(Self::AccessPatterns),
            _ => None,
        }
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
        assert_eq!(DocumentKind::of("# Our single-table design\n## Entities\n"), DocumentKind::TableDesign);
        assert_eq!(DocumentKind::of(""), DocumentKind::AccessPatterns);
    }

    #[test]
    fn keys_and_inputs_tell_where_headings_do_not() {
        let design = "# Shop\n## Entities\n### User\n- **PK**: `USER#<id>`\n## Access patterns\n| AP ID | Operation | PK |\n";
        assert_eq!(DocumentKind::of(design), DocumentKind::TableDesign);
        let patterns = "# Shop\n## Entities\n### User\n- Attributes: `pk` (string)\n## Access patterns\n| ID | Entity | Input Parameters | PK |\n";
        assert_eq!(DocumentKind::of(patterns), DocumentKind::AccessPatterns);
    }
}
