//! Standard output: buffered, and quiet about a reader that went away.

use std::io::{self, BufWriter, Write};

/// Writes to standard output. Whoever closes the pipe early, such as `head`, has seen enough: that is no failure.
pub(crate) fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> anyhow::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
            // What is still in the buffer has no reader either.
            drop(out.into_parts());
            Ok(())
        }
        other => Ok(other?),
    }
}
