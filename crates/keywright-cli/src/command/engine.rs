//! `keywright engine`: the embedded engine over HTTP, until Ctrl-C.

use std::io::Write;
use std::path::PathBuf;
use std::sync::mpsc;

use anyhow::Context;
use keywright_prove::engine::Embedded;
use keywright_prove::engine::serve::Server;

use crate::exit::Exit;
use crate::output;

/// Serves the embedded DynamoDB engine over HTTP on loopback.
///
/// Point any AWS SDK at the address that is printed; region and credentials can be anything. Ctrl-C stops it.
#[derive(clap::Args)]
pub(crate) struct Engine {
    /// The port; 0 takes any free port
    #[arg(long, value_name = "N", default_value_t = 8000)]
    port: u16,
    /// Store the tables in this file; without it they are in memory and lost at the end
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
}

impl Engine {
    /// Runs the command to its exit.
    pub(crate) fn run(&self) -> anyhow::Result<Exit> {
        let engine = match &self.data {
            Some(path) => Embedded::on_file(path).context("can't open the data file")?,
            None => Embedded::in_memory()?,
        };
        // Before the address is printed, so that a program that reads it can stop the server cleanly.
        let (stop, stopped) = mpsc::channel();
        ctrlc::set_handler(move || {
            let _ = stop.send(());
        })
        .context("can't listen for Ctrl-C")?;
        let server = Server::start(&engine, self.port)?;
        self.announce(&server.url())?;
        // The handler lives as long as the process, so this waits for the signal and nothing else.
        let _ = stopped.recv();
        server.stop()?;
        Ok(Exit::Holds)
    }

    /// The address on standard output, alone on its line, for programs that start us; the rest on standard error.
    fn announce(&self, url: &str) -> anyhow::Result<()> {
        let mut out = std::io::stdout().lock();
        writeln!(out, "{url}").and_then(|()| out.flush()).context("can't print the address")?;
        output::message(&match &self.data {
            Some(path) => format!("serving the tables in {}; Ctrl-C stops the server\n", path.display()),
            None => "serving from memory; Ctrl-C stops the server and discards the tables\n".to_owned(),
        });
        Ok(())
    }
}
