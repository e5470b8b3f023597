//! non-atomic-counter: a count that is read, changed and written back.

use keywright_dynamodb::expression::{Assigned, Condition};
use keywright_finding::{Finding, Group, Rule};
use keywright_model::design::{Action, Request, Value};

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::error(
    "non-atomic-counter",
    Group::Operations,
    "a count that is read, changed and written back",
    include_str!("non_atomic_counter.md"),
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
            for (path, assigned) in &update.update.set {
                let from_read = matches!(assigned, Assigned::Value(Value::Sum { of, .. }) if matches!(**of, Value::Read { .. }));
                let lower = path.to_ascii_lowercase();
                let new_count = matches!(assigned, Assigned::Value(Value::Input(_)))
                    && (lower == "count" || path.ends_with("Count"))
                    && facts.model.is_none();
                let checked = update.condition.as_ref().is_some_and(|condition| names(condition, path));
                if (from_read || new_count) && !checked {
                    findings.push(
                        Finding::new(&RULE, place.action(at), format!("{} writes `{path}` back after \
                                                                       reading it, so two concurrent calls \
                                                                       count as one", operation.pattern))
                            .help(format!("write ADD {path} 1, which DynamoDB does in one step, or condition the update on the value that was read")),
                    );
                }
            }
        }
    }
}

/// Whether a condition compares the attribute.
fn names(condition: &Condition<Value>, path: &str) -> bool {
    use keywright_dynamodb::expression::Operand;
    match condition {
        Condition::Compare(left, _, right) => {
            [left, right].iter().any(|it| matches!(it, Operand::Path(own) if own == path))
        }
        Condition::All(parts) | Condition::Any(parts) => parts.iter().any(|part| names(part, path)),
        Condition::Not(part) => names(part, path),
        _ => false,
    }
}
