//! GitHub workflow commands: `::error file=…,line=…::message`, which annotate the lines of a pull request.

use std::fmt;
use std::io::{self, Write};

use super::document;
use crate::{Level, Report, Sources};

/// Writes one workflow command per finding.
///
/// # Errors
/// If the writer fails.
pub fn github(report: &Report, sources: &Sources, out: &mut dyn Write) -> io::Result<()> {
    for finding in report.findings() {
        let source = document(sources, finding.source)?;
        let (start, end) = (source.locate(finding.span.start), source.locate(finding.span.end));
        let command = match finding.level {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Note => "notice",
        };
        write!(out, "::{command} file={},line={},endLine={}", Property(source.path()), start.line, end.line)?;
        // GitHub accepts columns only for a span within one line.
        if start.line == end.line {
            write!(out, ",col={},endColumn={}", start.column, end.column.max(start.column + 1))?;
        }
        write!(out, ",title={}::{}", Property(finding.rule.name()), Data(&finding.message))?;
        if let Some(help) = &finding.help {
            write!(out, "%0A{}", Data(help))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// The message of a command, escaped.
struct Data<'t>(&'t str);

impl fmt::Display for Data<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        escape(self.0, "%\r\n", formatter)
    }
}

/// A property of a command, escaped.
struct Property<'t>(&'t str);

impl fmt::Display for Property<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        escape(self.0, "%\r\n:,", formatter)
    }
}

fn escape(text: &str, special: &str, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    for part in text.split_inclusive(|character| special.contains(character)) {
        let (plain, last) = match part.char_indices().next_back() {
            Some((at, character)) if special.contains(character) => (&part[..at], Some(character)),
            _ => (part, None),
        };
        formatter.write_str(plain)?;
        if let Some(character) = last {
            write!(formatter, "%{:02X}", u32::from(character))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ends_a_command_or_a_property_is_escaped() {
        assert_eq!(Data("100 %: a,\r\nb").to_string(), "100 %25: a,%0D%0Ab");
        assert_eq!(Property("c:/a,b%.md").to_string(), "c%3A/a%2Cb%25.md");
    }
}
