//! Exit codes, the same for every command.

use std::process::ExitCode;

use crate::output;

/// How a run of the program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// It holds.
    Holds,
    /// Findings at error level, a pattern unproven, or a file stale.
    Fails,
    /// It can't run: usage, unreadable input, no engine.
    CannotRun,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(match exit {
            Exit::Holds => 0,
            Exit::Fails => 1,
            Exit::CannotRun => 2,
        })
    }
}

impl Exit {
    /// Prints what the argument parser has to say: help is an answer, anything else is a wrong call.
    pub(crate) fn of_usage(usage: &clap::Error) -> ExitCode {
        // A closed pipe is no reason to fail while telling about usage.
        let _ = usage.print();
        if usage.use_stderr() { Exit::CannotRun } else { Exit::Holds }.into()
    }

    /// Prints an environment failure as one line with its causes.
    pub(crate) fn of_failure(error: &anyhow::Error) -> Exit {
        output::message(&format!("error: {error:#}\n"));
        Exit::CannotRun
    }
}
