//! The languages of interfaces: one file each, and one list of all.

mod generic;
pub(crate) mod go;
mod identifier;
mod java;
pub(crate) mod python;
pub(crate) mod rust;
pub(crate) mod typescript;

use crate::plan::{EntityModel, KeyBuilder, Method, Name, Plan};

/// How a language writes entity models, key builders and method signatures.
#[derive(Debug)]
pub struct Language {
    /// The name in documents and in `--language`.
    pub name: &'static str,
    /// The info string of its code blocks.
    pub fence: &'static str,
    /// A method's name.
    pub method: fn(&Name) -> String,
    /// The declaration of an entity model.
    pub entity: fn(&EntityModel<'_>) -> String,
    /// The signature of a key builder.
    pub key_builder: fn(&KeyBuilder<'_>) -> String,
    /// The types that a method's signature needs in addition to the entity models, if any.
    pub method_types: fn(&Method<'_>) -> Option<String>,
    /// The signature of a method.
    pub signature: fn(&Method<'_>) -> String,
    /// The declaration of the page type.
    pub page: fn() -> String,
    /// The opening and closing lines of an entity's repository.
    pub repository: fn(&Plan<'_>, &Name) -> (String, String),
}

/// All languages, in the order in which help shows them.
pub static LANGUAGES: &[&Language] =
    &[&generic::GENERIC, &rust::RUST, &typescript::TYPESCRIPT, &python::PYTHON, &go::GO, &java::JAVA];

/// Whether a language reserves the name for one of its own types, so that the entity's type gets the suffix
/// `Item`.
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
