//! Languages in which interfaces are written: one file each, and the one list that names them all.

mod generic;
pub(crate) mod go;
mod identifier;
mod java;
pub(crate) mod python;
pub(crate) mod rust;
pub(crate) mod typescript;

use crate::plan::{EntityModel, KeyBuilder, Method, Name, Plan};

/// How a language writes entity models, key builders and methods, as far as interfaces go.
#[derive(Debug)]
pub struct Language {
    /// The name that documents and `--language` use.
    pub name: &'static str,
    /// The info string of its code blocks.
    pub fence: &'static str,
    /// A method's name.
    pub method: fn(&Name) -> String,
    /// The declaration of an entity model.
    pub entity: fn(&EntityModel<'_>) -> String,
    /// The signature of a key builder.
    pub key_builder: fn(&KeyBuilder<'_>) -> String,
    /// The types that a method's signature needs beside the entity models; nothing where it needs none.
    pub method_types: fn(&Method<'_>) -> Option<String>,
    /// The signature of a method.
    pub signature: fn(&Method<'_>) -> String,
    /// The declaration of the type of a page.
    pub page: fn() -> String,
    /// How a repository of an entity is opened, and closed.
    pub repository: fn(&Plan<'_>, &Name) -> (String, String),
}

/// All languages, in the order in which help shows them.
pub static LANGUAGES: &[&Language] =
    &[&generic::GENERIC, &rust::RUST, &typescript::TYPESCRIPT, &python::PYTHON, &go::GO, &java::JAVA];

/// Whether some language keeps a name for a type of its own, so that an entity's gets the word `Item`.
pub(crate) fn keep(name: &Name) -> bool {
    let written = [
        go::type_name(name),
        java::type_name(name),
        python::type_name(name),
        rust::type_name(name),
        typescript::type_name(name),
    ];
    written.iter().any(|written| *written == name.suffixed("item").pascal())
}
