//! Standard output and standard error: buffered, quiet about a reader that went away, and what it can show.

use std::io::{self, BufWriter, IsTerminal, Write};

use anyhow::Context;
use keywright_finding::render::Human;

/// The most findings on a terminal.
const TERMINAL_LIMIT: usize = 200;

/// Writes to standard output. A reader that closes the pipe early, such as `head`, is not a failure.
pub(crate) fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> anyhow::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
            // What is still in the buffer has no reader either.
            drop(out.into_parts());
            Ok(())
        }
        other => other.context("can't write to standard output"),
    }
}

/// Writes to standard error, where messages go: standard output is for the answer alone.
pub(crate) fn message(text: &str) {
    // A closed standard error is not a failure either.
    let _ = io::stderr().write_all(text.as_bytes());
}

/// How a report for people looks on a stream: colour, width and a limit belong to terminals.
pub(crate) fn look(stream: &impl IsTerminal) -> Human {
    if !stream.is_terminal() {
        return Human::default();
    }
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    Human {
        colour: !set("NO_COLOR") && !dumb,
        width: terminal_size::terminal_size().map_or(120, |(width, _)| usize::from(width.0)),
        limit: Some(TERMINAL_LIMIT),
        ..Human::default()
    }
}
