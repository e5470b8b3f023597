//! Documents from files, and why one can't be had.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use keywright_finding::Source;
use thiserror::Error;

/// Files beyond this many bytes are refused: no document that a person wrote comes near.
const LARGEST: u64 = 256 * 1024 * 1024;

/// Why a document can't be read.
#[derive(Debug, Error)]
pub(crate) enum InputError {
    /// Nothing is there.
    #[error("{}: no such file", .0.display())]
    Missing(PathBuf),
    /// A folder is there.
    #[error("{}: is a folder, not a document", .0.display())]
    Folder(PathBuf),
    /// The system refuses.
    #[error("{}: can't be read: {}", .0.display(), .1)]
    Unreadable(PathBuf, io::Error),
    /// The bytes are no text.
    #[error("{}: is not UTF-8 text (byte {} is where it stops being one)", .0.display(), .1)]
    NotText(PathBuf, usize),
    /// There is nothing in it.
    #[error("{}: is empty", .0.display())]
    Empty(PathBuf),
    /// There is too much in it.
    #[error("{}: is larger than {} MiB", .0.display(), LARGEST / (1024 * 1024))]
    TooLarge(PathBuf),
}

/// Reads a document whole.
pub(crate) fn read(path: &Path) -> Result<Source, InputError> {
    let unreadable = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => InputError::Missing(path.to_owned()),
        io::ErrorKind::IsADirectory => InputError::Folder(path.to_owned()),
        _ => InputError::Unreadable(path.to_owned(), error),
    };
    let file = File::open(path).map_err(unreadable)?;
    if file.metadata().map_err(unreadable)?.is_dir() {
        return Err(InputError::Folder(path.to_owned()));
    }
    let mut bytes = Vec::new();
    // Devices and pipes have no length to ask for, so the limit is set on what is read.
    file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > LARGEST {
        return Err(InputError::TooLarge(path.to_owned()));
    }
    let text = String::from_utf8(bytes)
        .map_err(|error| InputError::NotText(path.to_owned(), error.utf8_error().valid_up_to()))?;
    if text.trim_start_matches('\u{feff}').trim().is_empty() {
        return Err(InputError::Empty(path.to_owned()));
    }
    Ok(Source::new(path.display().to_string(), text))
}
