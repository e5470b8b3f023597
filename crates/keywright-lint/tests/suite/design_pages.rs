//! The pages of the rules over designs are their tests: each rule speaks about the examples that fail, says nothing about
//! those that pass, and is silent once its fix is applied.

use keywright_finding::{Edits, Examples, Finding, Group, Rule};
use keywright_model::Model;

/// An example is a design; access patterns may stand above it, or the design that it extends.
fn findings(example: &str) -> Vec<Finding> {
    let (model, design) = split(example);
    let read = keywright_document::read_table_design(design);
    if let Some(base) = model.filter(|text| text.starts_with("# Base Design")) {
        let base = keywright_document::read_table_design(base).design;
        return keywright_lint::designs_on_base(&read.design, &read.source, None, Some(&base));
    }
    let model: Option<Model> = model.map(|text| keywright_document::read_access_patterns(text).0);
    keywright_lint::designs(&read.design, &read.source, model.as_ref())
}

fn split(example: &str) -> (Option<&str>, &str) {
    match example.find("# DynamoDB Table Design\n") {
        Some(at) if at > 0 => (Some(&example[..at]), &example[at..]),
        _ => (None, example),
    }
}

fn of_designs() -> Vec<&'static Rule> {
    let groups = [Group::Keys, Group::Operations, Group::Indexes];
    keywright_lint::rules().into_iter().filter(|rule| groups.contains(&rule.group())).collect()
}

#[test]
fn pages_are_tests() {
    let mut wrong = Vec::new();
    assert!(of_designs().len() >= 73, "{}", of_designs().len());
    for rule in of_designs() {
        let examples = Examples::of(rule.page());
        let speaks = |example: &str| findings(example).iter().any(|finding| finding.rule == rule);
        if examples.fails.len() < 2 || examples.passes.len() < 2 {
            wrong.push(format!(
                "{}: {} fail, {} pass",
                rule.name(),
                examples.fails.len(),
                examples.passes.len()
            ));
        }
        for (at, example) in examples.fails.iter().enumerate() {
            if !speaks(example) {
                wrong.push(format!("{}: silent about failing example {}", rule.name(), at + 1));
            }
        }
        for (at, example) in examples.passes.iter().enumerate() {
            if let Some(finding) = findings(example).iter().find(|finding| finding.rule == rule) {
                wrong.push(format!(
                    "{}: speaks about passing example {}: {}",
                    rule.name(),
                    at + 1,
                    finding.message
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn an_applied_fix_leaves_nothing_to_say_and_the_rest_as_it_was() {
    let mut fixed = 0;
    for rule in of_designs() {
        for example in Examples::of(rule.page()).fails {
            let own: Vec<Finding> =
                findings(&example).into_iter().filter(|finding| finding.rule == rule).collect();
            let fixes: Vec<_> = own.iter().filter_map(|finding| finding.fix.as_ref()).collect();
            if fixes.is_empty() {
                continue;
            }
            let (model, design) = split(&example);
            let (edits, left_out) = Edits::of_fixes(fixes.iter().copied());
            assert_eq!(left_out, 0, "{}", rule.name());
            let text = edits.apply(design).expect("edits are on the document");
            let again = findings(&format!("{}{text}", model.unwrap_or_default()));
            let left = again.iter().find(|finding| finding.rule == rule);
            assert!(left.is_none(), "{}: {left:?}\n{text}", rule.name());
            fixed += 1;
        }
    }
    assert!(fixed >= 4, "{fixed}");
}

#[test]
fn messages_name_the_thing_and_say_what_to_do() {
    for rule in of_designs() {
        for example in Examples::of(rule.page()).fails {
            for finding in findings(&example).iter().filter(|finding| finding.rule == rule) {
                assert!(!finding.message.ends_with('.') && !finding.message.is_empty(), "{}", rule.name());
                assert!(finding.help.as_ref().is_some_and(|help| !help.ends_with('.')), "{}", rule.name());
                let (_, design) = split(&example);
                assert!(finding.span.end as usize <= design.len(), "{}", rule.name());
            }
        }
    }
}
