//! too-many-indexes: more indexes or projected attributes than a table may have.

use keywright_dynamodb::limits::{GLOBAL_SECONDARY_INDEXES, LOCAL_SECONDARY_INDEXES, PROJECTED_ATTRIBUTES};
use keywright_finding::{Finding, Group, Rule, Span};
use keywright_model::design::Projection;

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::error(
    "too-many-indexes",
    Group::Indexes,
    "more indexes or projected attributes than a table may have",
    include_str!("too_many_indexes.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for table in &facts.design.tables {
        let own: Vec<usize> = (0..facts.design.indexes.len())
            .filter(|at| facts.design.indexes[*at].table == table.name)
            .collect();
        let is_local = |at: &usize| facts.source.indexes.get(*at).is_some_and(|it| it.local);
        let span = |at: usize| facts.source.indexes.get(at).map_or_else(Span::default, |it| it.name);
        let (local, global): (Vec<usize>, Vec<usize>) = own.iter().partition(|at| is_local(at));
        for (list, kind, limit) in
            [(global, "global", GLOBAL_SECONDARY_INDEXES), (local, "local", LOCAL_SECONDARY_INDEXES)]
        {
            if let Some(first) = list.get(limit) {
                findings.push(
                    Finding::new(
                        &RULE,
                        span(*first),
                        format!(
                            "{} has {} {kind} secondary indexes, and DynamoDB lets a table have {limit}",
                            table.name,
                            list.len()
                        ),
                    )
                    .help("let several item types share an index"),
                );
            }
        }
        let projected: usize = own
            .iter()
            .map(|at| match &facts.design.indexes[*at].projection {
                Projection::Include(names) => names.len(),
                Projection::All | Projection::KeysOnly => 0,
            })
            .sum();
        if projected > PROJECTED_ATTRIBUTES {
            findings.push(
                Finding::new(&RULE, own.last().map_or_else(Span::default, |at| span(*at)), format!("the INCLUDE lists of {} have {projected} attributes, and DynamoDB takes {PROJECTED_ATTRIBUTES}", table.name))
                    .help("project ALL where the list is long"),
            );
        }
    }
}
