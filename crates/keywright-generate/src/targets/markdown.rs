//! Helpers for Markdown: tables, code spans, and text that must not be read as markup.

/// A table. Cells are Markdown already. In them `|` is escaped and line breaks become spaces, since both
/// would break the row.
pub(super) fn table(columns: &[&str], rows: &[Vec<String>]) -> String {
    let row = |cells: &mut dyn Iterator<Item = &str>| {
        let cells: Vec<String> =
            cells.map(|cell| cell.replace('|', "\\|").replace(['\n', '\r'], " ")).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let mut text = row(&mut columns.iter().copied());
    text += &format!("|{}\n", "---|".repeat(columns.len()));
    for cells in rows {
        text += &row(&mut cells.iter().map(String::as_str));
    }
    text
}

/// A code span; its fence is longer than any run of backticks inside.
pub(super) fn code(text: &str) -> String {
    if text.is_empty() {
        return "-".to_owned();
    }
    let mut longest = 0;
    let mut run = 0;
    for character in text.chars() {
        run = if character == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat(longest + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// A fenced block.
pub(super) fn fenced(info: &str, text: &str) -> String {
    let fence = if text.contains("```") { "````" } else { "```" };
    format!("{fence}{info}\n{}\n{fence}\n", text.trim_end())
}

/// Text of the document, with `<` escaped so that it is not read as HTML.
pub(super) fn words(text: &str) -> String {
    text.replace('<', "\\<").replace(['\n', '\r'], " ")
}
