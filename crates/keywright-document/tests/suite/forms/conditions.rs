//! What conditions are about: the entity that can be meant, and what it declares.

use keywright_model::Model;
use keywright_model::model::{ConditionKind, ConditionValue, Literal};

use crate::forms::music::{effects, inputs, read};

const HOSPITAL: &str = "\
## Entities
### Ward
- wardId: string, id
- open: boolean, mutable
- kind: enum(DAY, NIGHT)
### Bed
- wardId: string, id, ref Ward
- bedNo: integer, id, max 99
- state: enum(FREE, TAKEN), mutable
- admissionId: ulid, optional, mutable, ref Admission
- patientId: string, optional, mutable
### Admission
- admissionId: ulid, id
- patientId: string
- quantity: integer
### Patient
- hospitalId: string, tenant
- patientId: string, id
- mrn: string
- Unique: hospitalId + mrn
### Nurse
- nurseId: string, id
### Duty
- wardId: string, id, ref Ward
- nurseId: string, id, ref Nurse
- Cardinality: max 30 nurses per ward
## Access Patterns
### Writes
| ID | Entity | Description | Input Parameters | Items Written | Transaction | Conditions |
|---|---|---|---|---|---|---|
";

fn write(row: &str) -> Model {
    read(&format!("{HOSPITAL}| AP-1 | {row} |\n"))
}

/// The first condition in short.
fn condition(model: &Model) -> String {
    match &model.patterns[0].write().unwrap().conditions[0].kind {
        ConditionKind::Held { attribute, held } => format!("{attribute} held {held}"),
        ConditionKind::Compare { attribute, value: ConditionValue::Literal(value), .. } => {
            format!("{attribute} {value}")
        }
        ConditionKind::Unique { entity, attributes } => format!("{entity} {}", attributes.join("+")),
        ConditionKind::AtMost { entity, per, limit } => format!("{limit} {entity} per {per:?}"),
        other => format!("{other:?}"),
    }
}

#[test]
fn what_must_be_empty_is_what_may_be() {
    let cell = "Admission | Admit | patientId, wardId, bedNo | Admission + Bed (SET admissionId) | Yes | admissionId must be empty";
    assert_eq!(condition(&write(cell)), "Bed.admissionId held false");
    let said = cell.replace("admissionId must be empty", "Admission.admissionId must be empty");
    assert_eq!(condition(&write(&said)), "Admission.admissionId held false");
}

#[test]
fn a_condition_on_what_only_the_parent_has_is_about_the_parent() {
    let model = write("Bed | Add a bed | wardId, bedNo | new Bed | Yes | open must be true");
    assert_eq!(condition(&model), "Ward.open true");
    assert_eq!(inputs(&model)[0], "wardId is Bed.wardId+Ward.wardId");
    let assumed = model.assumptions.iter().any(|it| it.statement.ends_with("as a condition on Ward.open"));
    assert!(assumed, "{:?}", model.assumptions);
    // Of two that have it, none is meant.
    let twice = HOSPITAL.replace(
        "- nurseId: string, id\n### Duty",
        "- nurseId: string, id\n- kind: enum(DAY, NIGHT)\n### Duty",
    );
    let model = read(&format!(
        "{twice}| AP-1 | Duty | Start a duty | wardId, nurseId | new Duty | Yes | kind must be DAY |\n"
    ));
    assert_eq!(condition(&model), "Words");
    // What would have to be unique among others is none of this pattern's business.
    assert_eq!(
        condition(&write("Bed | Add a bed | wardId, bedNo | new Bed | Yes | open must be unique")),
        "Words"
    );
}

#[test]
fn unique_means_what_the_entity_declares() {
    let model =
        write("Patient | Register | hospitalId, patientId, mrn | new Patient | Yes | mrn must be unique");
    assert_eq!(condition(&model), "Patient hospitalId+mrn");
    assert!(model.assumptions.iter().any(|it| it.statement.contains("hospitalId and mrn together")));
    let alone = HOSPITAL.replace("- Unique: hospitalId + mrn", "- Unique: hospitalId + mrn, mrn");
    let row =
        "| AP-1 | Patient | Register | hospitalId, patientId, mrn | new Patient | Yes | mrn must be unique |";
    assert_eq!(condition(&read(&format!("{alone}{row}\n"))), "Patient mrn");
}

#[test]
fn a_limit_on_the_other_end_of_a_link_counts_links() {
    let model = write("Duty | Sign on | wardId, nurseId | new Duty | Yes | max 30 nurses per ward");
    assert_eq!(condition(&model), "30 Duty per Some(\"Ward\")");
    let nurse = model.entity("Nurse").unwrap();
    assert_eq!(nurse.attributes.len(), 1, "nothing is made up for the nurse");
    let duties = model.relationships.iter().find(|it| it.child == "Duty" && it.parent == "Ward").unwrap();
    assert_eq!(duties.fan_out.max.as_ref().unwrap().value, 30);
}

#[test]
fn what_is_set_without_a_value_is_what_is_given() {
    let model = write(
        "Admission | Admit | patientId, wardId, bedNo | Admission + Bed (SET state = TAKEN, patientId) | Yes | state must be FREE",
    );
    assert_eq!(inputs(&model)[0], "patientId is Admission.patientId+Bed.patientId");
    // A value that the cell states is not the input's.
    let model = write(
        "Admission | Admit | patientId, wardId, bedNo | Admission + Bed (SET patientId = nobody) | Yes | -",
    );
    assert_eq!(inputs(&model)[0], "patientId is Admission.patientId");
}

#[test]
fn how_far_a_number_moves_changes_nothing_of_its_name() {
    let source = "## Entities\n### Bin\n- binCode: string, id\n- onHand: integer, mutable\n\
        ### Task\n- taskId: string, id\n- quantity: integer\n- status: enum(OPEN, PICKED), mutable\n\
        ## Access Patterns\n### Writes\n\
        | ID | Entity | Description | Input Parameters | Items Written | Transaction | Conditions |\n\
        |---|---|---|---|---|---|---|\n\
        | AP-1 | Task | Confirm a pick | taskId, binCode, quantity | Task (SET status = PICKED) + Bin (onHand -quantity) | Yes | - |\n";
    assert_eq!(inputs(&read(source))[2], "quantity for Bin.onHand");
    // Where nothing else says what changes, it is what is given.
    let plain = source.replace("Task (SET status = PICKED)", "Task");
    assert_eq!(inputs(&read(&plain))[2], "quantity new Task.quantity");
}

#[test]
fn what_is_in_a_state_or_gets_a_new_value_is_there() {
    for row in [
        "Bed | Issue a bed | wardId, bedNo, patientId | 1 (Bed) | No | state must be FREE",
        "Bed | Issue a new patient | wardId, bedNo, newPatientId | 1 (Bed) | No | -",
    ] {
        assert_eq!(effects(&write(row)), ["update Bed"], "{row}");
    }
    for row in [
        "Bed | Issue a bed | wardId, bedNo, patientId | 1 (Bed) | No | -",
        // Its identity is not given, so that it can't be there.
        "Bed | Issue a bed | wardId, patientId | 1 (Bed) | No | state must be FREE",
    ] {
        assert_eq!(effects(&write(row)), ["create Bed"], "{row}");
    }
}

#[test]
fn a_state_before_the_noun_is_one_that_holds_before() {
    let document = |sentence: &str| {
        read(&format!(
            "## Entities\n### Order\n- orderId: ulid, id\n- status: enum(PENDING, CANCELLED), mutable\n\
             ## Access Patterns\n- {sentence}\n"
        ))
    };
    let model = document("Cancel a pending order");
    assert_eq!(condition(&model), "Order.status PENDING");
    assert_eq!(inputs(&model)[1], "status new Order.status = CANCELLED");
    assert!(model.assumptions.iter().any(|it| it.statement.ends_with("a condition: status must be PENDING")));
    for sentence in ["Cancel an order", "Create a pending order"] {
        assert!(document(sentence).patterns[0].write().unwrap().conditions.is_empty(), "{sentence}");
    }
    let literal = Literal::String("CANCELLED".to_owned());
    assert_eq!(document("Cancel an order").patterns[0].inputs()[1].constant, Some(literal));
}
