//! One file per command, and the one list that names them all.

use crate::exit::Exit;

/// The commands.
#[derive(clap::Subcommand)]
pub(crate) enum Command {}

/// Runs a command to its exit.
pub(crate) fn run(command: Command) -> anyhow::Result<Exit> {
    match command {}
}
