//! The targets: one file each, and one list of all.

mod cdk;
mod cloudformation;
mod create_table;
mod entity_chart;
mod erd;
mod go;
mod iam;
mod infrastructure;
mod interfaces;
mod manifest;
mod markdown;
mod nosql_workbench;
mod python;
mod rust;
mod terraform;
mod typescript;

use crate::languages::{LANGUAGES, Language};
use crate::{File, Plan};

/// A kind of output that can be generated.
#[derive(Debug)]
pub struct Target {
    /// The name on the command line.
    pub name: &'static str,
    /// What it writes, in one line without a full stop.
    pub summary: &'static str,
    /// Generates the files from a plan.
    pub files: fn(&Plan<'_>, &Options) -> Vec<File>,
}

/// The options of the caller.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The language of interfaces.
    pub language: &'static Language,
}

impl Default for Options {
    fn default() -> Self {
        Options { language: LANGUAGES[0] }
    }
}

/// All targets, in the order in which help shows them.
pub static TARGETS: &[&Target] = &[
    &interfaces::INTERFACES,
    &entity_chart::ENTITY_CHART,
    &rust::RUST,
    &typescript::TYPESCRIPT,
    &python::PYTHON,
    &go::GO,
    &cdk::CDK,
    &cloudformation::CLOUDFORMATION,
    &terraform::TERRAFORM,
    &create_table::CREATE_TABLE,
    &iam::IAM,
    &nosql_workbench::NOSQL_WORKBENCH,
    &erd::ERD,
    &manifest::MANIFEST,
];
