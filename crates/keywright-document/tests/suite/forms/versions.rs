//! Entities with history: what is declared for them, and which reads are about versions.

use keywright_model::Model;
use keywright_model::model::{Action, Direction, EntityKind};

fn read(facts: &str, rows: &str) -> Model {
    let text = format!(
        "## Entities\n### Contract\n- **Kind**: history\n{facts}\n## Access Patterns\n### Reads\n\
         | ID | Entity | Description | Input Parameters | Result | Sort |\n|---|---|---|---|---|---|\n{rows}\n\
         ### Writes\n| ID | Entity | Description | Input Parameters | Items Written |\n|---|---|---|---|---|\n\
         | AP-010 | Contract | Create a contract | terms | 1 (Contract) |\n\
         | AP-011 | Contract | Change the terms | contractId, newTerms | 1 (Contract) |\n\
         ### Deletes\n| ID | Entity | Description | Input Parameters | Items Deleted |\n|---|---|---|---|---|\n\
         | AP-020 | Contract | Delete a contract | contractId | 1 (Contract) |\n"
    );
    keywright_document::read_access_patterns(&text).0
}

const CONTRACT: &str = "- **Attributes**: `contractId` (ulid, id), `terms` (text), `revision` (integer)\n\
                        - **Cardinality**: ~1K total, ~20 versions per contract";

#[test]
fn versions_are_an_entity_that_nobody_has_to_declare() {
    let model = read(CONTRACT, "| AP-001 | Contract | Get a contract | contractId | Single | - |");
    let versions = model.versions_of("Contract").expect("it is declared");
    assert_eq!(versions.name, "ContractVersion");
    assert!(!versions.is(EntityKind::History));
    assert_eq!(versions.identity_names().collect::<Vec<_>>(), ["contractId", "revision"]);
    assert_eq!(versions.count.as_ref().map(|count| count.value), Some(20_000));
    let original = model.entity("Contract").expect("it is there");
    assert_eq!(original.version().map(|it| it.name.as_str()), Some("revision"));
    let names = |entity: &keywright_model::model::Entity| -> Vec<String> {
        entity.attributes.iter().map(|it| it.name.clone()).collect()
    };
    assert_eq!(names(versions), names(original));
    let link = model.parents_of("ContractVersion").next().expect("it belongs to the contract");
    assert_eq!(
        (link.via.as_slice(), link.fan_out.mean.as_ref().map(|it| it.value)),
        (&["contractId".to_owned()][..], Some(20))
    );
    // All of that follows from what is said, but for the number that is not marked as one.
    let told: Vec<&str> = model.assumptions.iter().map(|it| it.statement.as_str()).collect();
    let about = |words: &str| told.iter().filter(|it| it.contains(words)).count();
    assert_eq!(
        (about("ersion"), about("Contract.revision as the number of the version")),
        (1, 1),
        "{told:#?}"
    );
}

#[test]
fn a_number_is_declared_where_the_document_has_none() {
    let model = read("- **Attributes**: `contractId` (ulid, id), `terms` (text)", "");
    let number = model.entity("Contract").and_then(|it| it.version()).expect("it is declared");
    assert_eq!(number.name, "version");
    let told = |words: &str| model.assumptions.iter().any(|it| it.statement.contains(words));
    assert!(
        told("gave Contract an attribute version")
            && told("10 versions of each Contract, each a ContractVersion")
    );
}

#[test]
fn a_read_is_about_versions_where_it_says_so() {
    let rows = [
        ("Get a contract as it is now | contractId | Single | -", "Contract"),
        ("Get the latest version of a contract | contractId | Single | -", "Contract"),
        ("Get a version of a contract | contractId, revision | Single | -", "ContractVersion"),
        ("List the versions of a contract | contractId | Collection | newest first", "ContractVersion"),
        ("Show the history of a contract | contractId | Collection | -", "ContractVersion"),
    ];
    for (row, entity) in rows {
        let model = read(CONTRACT, &format!("| AP-001 | Contract | {row} |"));
        assert_eq!(model.patterns[0].entities[0].value, entity, "{row}");
    }
    let model =
        read(CONTRACT, "| AP-001 | ContractVersion | List them | contractId | Collection | newest first |");
    let sort = &model.patterns[0].read().expect("it is a read").sort[0];
    assert_eq!(
        (sort.attribute.to_string().as_str(), sort.direction),
        ("ContractVersion.revision", Direction::Descending)
    );
}

#[test]
fn every_write_but_a_delete_keeps_one() {
    let model = read(CONTRACT, "");
    let kept = |id: &str| {
        let effects = &model.pattern(id).and_then(|it| it.write()).expect("it is a write").effects;
        effects.iter().any(|it| it.entity == "ContractVersion" && it.action == Action::Create)
    };
    assert_eq!(["AP-010", "AP-011", "AP-020"].map(kept), [true, true, false]);
}

#[test]
fn who_has_versions_in_the_identity_has_them_already() {
    let model = read(
        "- **Attributes**: `contractId` (ulid, id), `version` (integer, id, version), `terms` (text)",
        "",
    );
    assert!(model.versions_of("Contract").is_none());
}
