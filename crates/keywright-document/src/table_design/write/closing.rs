//! Design Decisions, Proof and Validation.

use keywright_dynamodb::limits;
use keywright_model::Design;
use keywright_model::design::{Decision, Request, Subject};
use keywright_model::evidence::{Evidence, Outcome};

use super::{Companions, table};
use crate::table_design::cell::{code, prose};

/// Design Decisions.
pub(super) fn decisions(text: &mut String, design: &Design) {
    text.push_str("## Design Decisions\n\n");
    for decision in &design.decisions {
        one(text, decision);
    }
    text.push_str(if design.decisions.is_empty() { "None.\n\n" } else { "\n" });
}

fn one(text: &mut String, decision: &Decision) {
    let subject = match &decision.subject {
        Subject::Pattern(id) => format!("Pattern {}", code(id)),
        Subject::Item(name) => format!("Item {}", code(name)),
        Subject::Index(name) => format!("Index {}", code(name)),
        Subject::Design => "Design".to_owned(),
    };
    text.push_str(&format!("- **{subject}**: {}\n", prose(&decision.chosen)));
    if !decision.reason.trim().is_empty() {
        text.push_str(&format!("  - **Reason**: {}\n", prose(&decision.reason)));
    }
    if let Some(turning_point) = &decision.turning_point {
        text.push_str(&format!("  - **Turning point**: {}\n", prose(turning_point)));
    }
}

/// Proof.
pub(super) fn proof(text: &mut String, evidence: &Evidence) {
    text.push_str("## Proof\n\n");
    text.push_str(&format!(
        "On {}, seed {}, {} items: {} held, {} failed, {} not checked.\n\n",
        prose(&evidence.engine),
        evidence.seed,
        evidence.scale,
        evidence.held,
        evidence.failed,
        evidence.not_checked
    ));
    let rows = evidence.patterns.iter().map(|pattern| {
        let outcome = match pattern.outcome {
            Outcome::Held => "held",
            Outcome::Failed => "failed",
            Outcome::NotChecked => "not checked",
        };
        let half = if pattern.half_units % 2 == 1 { ".5" } else { "" };
        vec![
            prose(&pattern.id),
            outcome.to_owned(),
            pattern.inputs.to_string(),
            pattern.items.to_string(),
            pattern.requests.to_string(),
            format!("{}{half}", pattern.half_units / 2),
        ]
    });
    table(text, &["AP ID", "Outcome", "Inputs", "Items", "Requests", "Units"], rows);
    text.push('\n');
    let unchecked = evidence.unchecked();
    if !unchecked.is_empty() {
        text.push_str("Not checked:\n\n");
        for (reason, patterns) in unchecked {
            text.push_str(&format!("- {}: {}\n", prose(&patterns.join(", ")), prose(reason)));
        }
        text.push('\n');
    }
}

/// Validation: only what was looked at here or by the caller.
pub(super) fn validation(text: &mut String, design: &Design, companions: Companions<'_>) {
    text.push_str("## Validation\n\n");
    let mut line = |holds: bool, statement: String| {
        text.push_str(&format!("- [{}] {statement}\n", if holds { "x" } else { " " }));
    };
    let served: Vec<&str> = design
        .operations
        .iter()
        .filter(|operation| !operation.requests.is_empty())
        .map(|operation| operation.pattern.as_str())
        .collect();
    match companions.model {
        Some(model) => {
            let missing: Vec<String> = model
                .patterns
                .iter()
                .filter(|pattern| !served.contains(&pattern.id.as_str()))
                .map(|pattern| prose(&pattern.id))
                .collect();
            let mapped = model.patterns.len() - missing.len();
            let rest = if missing.is_empty() {
                String::new()
            } else {
                format!("; not mapped: {}", missing.join(", "))
            };
            line(
                missing.is_empty(),
                format!("Every access pattern is mapped ({mapped} of {}){rest}", model.patterns.len()),
            );
        }
        None => line(
            served.len() == design.operations.len(),
            format!(
                "Every listed access pattern has an operation ({} of {})",
                served.len(),
                design.operations.len()
            ),
        ),
    }
    let scans: Vec<String> = patterns_with(design, |request| matches!(request, Request::Scan(_)));
    match scans.as_slice() {
        [] => line(true, "No pattern needs a Scan".to_owned()),
        scans => line(false, format!("No pattern needs a Scan, except {}", scans.join(", "))),
    }
    for it in &design.tables {
        let count = design.indexes.iter().filter(|index| index.table == it.name).count();
        line(
            count <= limits::GLOBAL_SECONDARY_INDEXES,
            format!("{} of {} possible GSIs on {}", count, limits::GLOBAL_SECONDARY_INDEXES, code(&it.name)),
        );
    }
    let unused: Vec<String> = design
        .indexes
        .iter()
        .filter(|index| {
            patterns_with(design, |request| {
                matches!(request, Request::Query(query) if query.index.as_ref() == Some(&index.name) && query.table == index.table)
                    || matches!(request, Request::Scan(scan) if scan.index.as_ref() == Some(&index.name))
            })
            .is_empty()
        })
        .map(|index| code(&index.name))
        .collect();
    match unused.as_slice() {
        [] => line(true, "Every GSI serves a pattern".to_owned()),
        unused => line(false, format!("Every GSI serves a pattern, except {}", unused.join(", "))),
    }
    let strong_on_index = patterns_with(
        design,
        |request| matches!(request, Request::Query(query) if query.consistent && query.index.is_some()),
    );
    match strong_on_index.as_slice() {
        [] => line(true, "Every strong read is on the table itself".to_owned()),
        some => line(false, format!("Every strong read is on the table itself, except {}", some.join(", "))),
    }
    for check in companions.checks {
        line(check.holds, prose(&check.statement));
    }
}

fn patterns_with(design: &Design, has: impl Fn(&Request) -> bool) -> Vec<String> {
    design
        .operations
        .iter()
        .filter(|operation| operation.requests.iter().any(&has))
        .map(|operation| prose(&operation.pattern))
        .collect()
}
