//! version-unchecked-update: an update of an item with a version that does not check the version.

use keywright_dynamodb::expression::{Assigned, Condition, Operand, Update};
use keywright_finding::{Finding, Group, Level, Rule};
use keywright_model::design::{Action, Request, Value};
use keywright_model::model::Pattern;

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::warning(
    "version-unchecked-update",
    Group::Operations,
    "an update of an item with a version that does not check the version",
    include_str!("version_unchecked_update.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for (operation, request, place) in facts.requests() {
        let actions: &[Action] = match request {
            Request::Write { action } => std::slice::from_ref(action),
            Request::TransactWriteItems { actions } => actions,
            _ => continue,
        };
        for (at, action) in actions.iter().enumerate() {
            let Action::Update(update) = action else { continue };
            let Some(item) = facts.item_named(&update.item) else { continue };
            let Some(version) = version(facts, item) else { continue };
            let checks = |path: &str| update.condition.as_ref().is_some_and(|it| compares(it, path));
            if checks(&version) || !overwrites(&update.update, checks) {
                continue;
            }
            // Who follows a document that gives no version can only count it.
            let counts = update.update.add.iter().any(|(path, _)| *path == version);
            let unasked = counts && facts.pattern(operation).is_some_and(|it| !speaks_of(it, &version));
            let help = match unasked {
                true => format!(
                    "state it as an input and a condition of {}: `expected{}`",
                    operation.pattern,
                    capital(&version)
                ),
                false => format!("add the condition {version} = :{version}, and ADD {version} 1"),
            };
            let finding = Finding::new(
                &RULE,
                place.condition(at),
                format!(
                    "{} updates {} without looking at `{version}`, so the later of two writers undoes the earlier",
                    operation.pattern, update.item
                ),
            );
            findings.push(finding.level(if unasked { Level::Note } else { Level::Warning }).help(help));
        }
    }
}

/// Whether an update may undo what somebody else wrote meanwhile: not where it adds to a number, nor where it is held to what
/// was there before.
fn overwrites(update: &Update<Value>, checks: impl Fn(&str) -> bool) -> bool {
    let adds = |path: &str, value: &Assigned<Value>| match value {
        Assigned::Plus(own, _) | Assigned::Minus(own, _) | Assigned::IfNotExistsPlus(own, _, _) => {
            own == path
        }
        _ => false,
    };
    update.set.iter().any(|(path, value)| !adds(path, value) && !checks(path))
        || update.remove.iter().any(|path| !checks(path))
}

/// Whether a pattern is given a version, or states a condition on it.
fn speaks_of(pattern: &Pattern, version: &str) -> bool {
    let given = pattern.inputs().iter().flat_map(|input| &input.binds).any(|it| it.attribute == version);
    let mut conditions = pattern.write().into_iter().flat_map(|write| &write.conditions);
    given || conditions.any(|it| it.text.contains(version))
}

fn capital(name: &str) -> String {
    let mut letters = name.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + letters.as_str())
}

/// The attribute that counts the versions of an item.
fn version(facts: &DesignFacts<'_>, item: usize) -> Option<String> {
    let own = facts.item(item);
    let is_version = |name: &str| match facts.known(item, name).and_then(|known| known.model) {
        Some(attribute) => attribute.version.as_ref().is_some_and(|flag| flag.value),
        None => name.eq_ignore_ascii_case("version"),
    };
    own.attributes.iter().map(|attribute| &attribute.name).find(|name| is_version(name)).cloned()
}

fn compares(condition: &Condition<Value>, path: &str) -> bool {
    match condition {
        Condition::Compare(left, _, right) => {
            [left, right].iter().any(|it| matches!(it, Operand::Path(own) if own == path))
        }
        Condition::NotExists(own) => own == path,
        Condition::All(parts) | Condition::Any(parts) => parts.iter().any(|part| compares(part, path)),
        _ => false,
    }
}
