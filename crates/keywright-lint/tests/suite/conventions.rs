//! Customs that a team agreed on win over the custom of the design.

use keywright_finding::Edits;
use keywright_lint::{Conventions, PrefixCase};

const DESIGN: &str = "| Entity | PK | SK |\n|---|---|---|\n\
    | Customer | `CUSTOMER#<customerId>` | `PROFILE#<customerId>` |\n\
    | Order | `CUSTOMER#<customerId>` | `order#<orderId>` |\n";

/// What is said about keys by these customs, and the design with all fixes made.
fn judged(conventions: &Conventions) -> (Vec<String>, String) {
    let read = keywright_document::read_table_design(DESIGN);
    let findings = keywright_lint::designs_by(conventions, &read.design, &read.source, None);
    let own: Vec<_> = findings
        .iter()
        .filter(|finding| ["lower-case-prefix", "mixed-separators"].contains(&finding.rule.name()))
        .collect();
    let (edits, _) = Edits::of_fixes(own.iter().filter_map(|finding| finding.fix.as_ref()));
    let text = edits.apply(DESIGN).expect("fixes are about the document");
    (own.into_iter().map(|finding| finding.message.clone()).collect(), text)
}

fn prefixes(case: PrefixCase) -> Conventions {
    Conventions { prefixes: Some(case), ..Conventions::default() }
}

#[test]
fn prefixes_have_the_case_that_was_agreed_on() {
    let (said, mended) = judged(&Conventions::default());
    assert_eq!(said, ["`order#` is in lower case, 3 other prefixes are in upper case"]);
    assert_eq!(mended, DESIGN.replace("order#", "ORDER#"));
    assert_eq!(judged(&prefixes(PrefixCase::Any)).0, Vec::<String>::new());
    let (said, mended) = judged(&prefixes(PrefixCase::Upper));
    assert_eq!(said, ["`order#` is in lower case, and the team writes prefixes in upper case"]);
    assert_eq!(mended, DESIGN.replace("order#", "ORDER#"));
    let (said, mended) = judged(&prefixes(PrefixCase::Lower));
    assert_eq!(said.len(), 3, "{said:?}");
    assert_eq!(mended, DESIGN.replace("CUSTOMER#", "customer#").replace("PROFILE#", "profile#"));
}

#[test]
fn the_separator_is_the_one_that_was_agreed_on() {
    let conventions = Conventions { separator: Some("|".to_owned()), prefixes: Some(PrefixCase::Any) };
    let (said, _) = judged(&conventions);
    assert_eq!(said.len(), 4, "{said:?}");
    assert!(said[0].ends_with("separates with `#`, the rest of the design with `|`"), "{}", said[0]);
}
