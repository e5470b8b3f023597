//! Verbs: what a sentence does, also where a noun looks like one, and where nobody can tell.

use keywright_document::read_access_patterns;
use keywright_finding::Level;
use keywright_model::Model;
use keywright_model::model::{Action, PatternKind};

const SHOP: &str = "\
## Entities
### Invoice
- invoiceId: ulid, id
- customerId: ulid, ref Customer
- state: DRAFT | OPEN | PAID | VOIDED | CANCELLED
- amount: integer
- rating: decimal
- dueAt: datetime
### Session
- token: string, id
- customerId: ulid, ref Customer
### Customer
- customerId: ulid, id
- name: string
### Post
- postId: ulid, id
- customerId: ulid, ref Customer
- createdAt: datetime
### Comment
- commentId: ulid, id
- postId: ulid, ref Post
- createdAt: datetime
## Access patterns
";

fn sentence(words: &str) -> (Model, Vec<(Level, String)>) {
    let (model, findings) = read_access_patterns(&format!("{SHOP}- {words}\n"));
    let findings = findings.into_iter().filter(|it| it.rule.name() != "assumption");
    (model, findings.map(|it| (it.level, it.message)).collect())
}

/// What a sentence was read as: `delete Session`, `read Invoice`.
fn shown(words: &str) -> String {
    let (model, _) = sentence(words);
    let pattern = &model.patterns[0];
    match &pattern.kind {
        PatternKind::Read(_) => {
            let names: Vec<_> = pattern.entities.iter().map(|it| it.value.as_str()).collect();
            format!("read {}", names.join("+"))
        }
        PatternKind::Write(write) | PatternKind::Delete(write) => {
            let effect = &write.effects[0];
            let what = match effect.action {
                Action::Create => "create",
                Action::Put => "put",
                Action::Update | Action::Add { .. } => "update",
                Action::Delete => "delete",
            };
            format!("{what} {}", effect.entity)
        }
    }
}

#[test]
fn what_is_done_is_said_by_the_verb_or_beside_it() {
    for (words, expected) in [
        ("Log out (delete session)", "delete Session"),
        ("Log in (create session)", "create Session"),
        ("Revoke access: delete session", "delete Session"),
        ("Sign out of a session", "delete Session"),
        ("Sign up a customer", "create Customer"),
        ("Remove a customer from a post (delete Comment)", "delete Comment"),
        ("Check out [update Invoice]", "update Invoice"),
        ("List invoices (update every minute)", "read Invoice"),
        ("Void an invoice", "update Invoice"),
        ("Reschedule an invoice", "update Invoice"),
        ("Draft an invoice", "create Invoice"),
        ("A customer posts a comment", "create Comment"),
    ] {
        assert_eq!(shown(words), expected, "{words}");
    }
}

#[test]
fn a_noun_that_looks_like_a_verb_does_nothing() {
    for (words, expected) in [
        ("Posts of a customer", "read Post"),
        ("Comments on a post", "read Comment"),
        ("Post by postId", "read Post"),
        ("Open invoices of a customer", "read Invoice"),
        ("Invoices paid by a customer", "read Invoice"),
        ("Log of invoices", "read Invoice"),
        ("Which invoices are open", "read Invoice"),
        ("Comment on a post", "create Comment"),
        ("Post a comment", "create Comment"),
    ] {
        assert_eq!(shown(words), expected, "{words}");
    }
}

#[test]
fn a_verb_that_leads_to_a_state_sets_it() {
    for (words, state) in [
        ("Void an invoice", "VOIDED"),
        ("Pay an invoice", "PAID"),
        ("Cancel an invoice", "CANCELLED"),
        ("Mark an invoice as paid", "PAID"),
        ("Set the state of an invoice to OPEN", "OPEN"),
    ] {
        let (model, _) = sentence(words);
        let inputs = model.patterns[0].inputs();
        let state_input =
            inputs.iter().find(|it| it.name == "state").unwrap_or_else(|| panic!("{words}: {inputs:#?}"));
        assert_eq!(state_input.constant.as_ref().unwrap().to_string(), state, "{words}");
    }
}

#[test]
fn a_verb_that_nobody_knows_is_a_finding() {
    for (words, level) in [
        ("Adjudicate an invoice", Level::Error),
        ("Check out an invoice", Level::Error),
        ("Adjudicate invoice", Level::Warning),
    ] {
        let (_, findings) = sentence(words);
        let (found, message) = &findings[0];
        assert_eq!(*found, level, "{words}");
        assert!(message.ends_with("reads, writes or deletes"), "{message}");
    }
    for words in ["Invoices of a customer", "Customer profile", "Adjudicate an invoice (update)"] {
        let (_, findings) = sentence(words);
        assert_eq!(findings, [], "{words}");
    }
    // Below a heading for writes, it is only not known whether the item is there.
    let (_, findings) = read_access_patterns(&format!("{SHOP}### Writes\n- Adjudicate an invoice\n"));
    assert!(findings.iter().all(|it| it.rule.name() == "assumption"), "{findings:#?}");
}

#[test]
fn an_order_in_a_sentence_selects_nothing() {
    for (words, expected, page) in [
        ("Top 100 invoices by rating", "rating Descending", Some(100)),
        ("List the top 20 invoices of a customer by amount", "amount Descending", Some(20)),
        ("Invoices of a customer, highest rating first", "rating Descending", None),
        ("List invoices, largest amount first", "amount Descending", None),
        ("List invoices, by due date", "dueAt Ascending", None),
        ("Invoices by amount descending", "amount Descending", None),
        ("List invoices of a customer in order of due date", "dueAt Ascending", None),
        ("Customers alphabetically", "name Ascending", None),
        ("Posts of a customer, newest first", "createdAt Descending", None),
    ] {
        let (model, findings) = sentence(words);
        let pattern = &model.patterns[0];
        let read = pattern.read().unwrap();
        let sort: Vec<_> =
            read.sort.iter().map(|it| format!("{} {:?}", it.attribute.attribute, it.direction)).collect();
        assert_eq!(sort, [expected], "{words}");
        assert_eq!(read.page_size.as_ref().map(|it| it.value), page, "{words}");
        let names: Vec<_> = pattern.inputs().iter().map(|it| it.name.as_str()).collect();
        let of: &[&str] = if words.contains("customer") { &["customerId"] } else { &[] };
        assert_eq!(names, of, "{words}");
        assert!(pattern.inputs.is_some(), "{words}: that nothing is given is an assumption, not a gap");
        assert_eq!(findings, [], "{words}");
    }
}

#[test]
fn a_state_before_a_noun_is_what_the_items_are_in() {
    let (model, _) = sentence("List paid invoices of a customer");
    let inputs: Vec<_> = model.patterns[0]
        .inputs()
        .iter()
        .map(|it| format!("{} {:?}", it.name, it.constant.as_ref().map(ToString::to_string)))
        .collect();
    assert_eq!(inputs, ["state Some(\"PAID\")", "customerId None"]);
    let (_, findings) = sentence("Open or paid invoices");
    assert_eq!(findings[0].1, "a read takes only one value of state, not also `paid`");
}
