//! The `keywright` program: the only place that reads files, prints, and puts the stages together.

mod catalogue;
mod command;
mod config;
mod derivation;
mod designing;
mod exit;
mod expectation;
mod files;
mod input;
mod outline;
mod output;
mod proof;
mod validation;
mod words;

use clap::Parser;
use exit::Exit;

/// Derives, checks and proves DynamoDB table designs from written access patterns.
#[derive(Parser)]
#[command(name = "keywright", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: command::Command,
}

fn main() -> std::process::ExitCode {
    let outcome = match Cli::try_parse() {
        Ok(cli) => command::run(cli.command),
        Err(usage) => return Exit::of_usage(&usage),
    };
    outcome.unwrap_or_else(|error| Exit::of_failure(&error)).into()
}
