//! One file per command, and the one list that names them all.

mod build;
mod check;
mod design;
mod engine;
mod explain;
mod generate;
mod key;
mod model;
mod prove;
mod rules;

use crate::exit::Exit;

/// The commands.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    Build(build::Build),
    Check(check::Check),
    Design(design::Design),
    Engine(engine::Engine),
    Explain(explain::Explain),
    Generate(generate::Generate),
    Key(key::Key),
    Prove(prove::Prove),
    Model(model::Model),
    Rules(rules::Rules),
}

/// Runs a command to its exit.
pub(crate) fn run(command: Command) -> anyhow::Result<Exit> {
    match command {
        Command::Build(build) => build.run(),
        Command::Check(check) => check.run(),
        Command::Model(model) => model.run(),
        Command::Design(design) => design.run(),
        Command::Engine(engine) => engine.run(),
        Command::Explain(explain) => explain.run(),
        Command::Generate(generate) => generate.run(),
        Command::Key(key) => key.run(),
        Command::Prove(prove) => prove.run(),
        Command::Rules(rules) => rules.run(),
    }
}
