//! The rules of all stages as one catalogue.

use keywright_finding::Catalogue;

/// Joins the rules of the stages. Only the program sees all of them: stages do not know each other.
pub(crate) fn catalogue() -> Catalogue {
    Catalogue::new(&[
        keywright_document::RULES,
        keywright_design::RULES,
        &keywright_lint::rules(),
        keywright_generate::RULES,
    ])
}
