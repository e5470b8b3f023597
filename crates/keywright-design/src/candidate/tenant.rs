//! Tenants: an entity whose users all name the tenant lies in collections of one tenant each, whatever that costs in
//! bytes. Nothing that is read or written for one tenant then meets a key of another.

use keywright_finding::Finding;

use crate::demand::{Demand, Source};
use crate::naming;
use crate::problem::{Attr, Attrs, EntityFacts, Problem};
use crate::rules;

/// The tenant attributes with which the partition keys of an entity begin: those that every demand gives, that every
/// item has for good, and that leave the identity as it is.
pub(super) fn required(entity: &EntityFacts, demands: &[Demand]) -> Attrs {
    let given = |attr: Attr| demands.iter().all(|demand| demand.given().contains(attr));
    entity.tenants().iter().filter(|attr| is_kept(entity, *attr) && given(*attr)).collect()
}

/// Whether keys of all items may hold it.
fn is_kept(entity: &EntityFacts, attr: Attr) -> bool {
    let it = entity.attribute(attr);
    let always_there = !it.optional && !it.changes && entity.at_creation.contains(attr);
    always_there && (entity.generated || entity.identity.contains(&attr))
}

/// Says of every entity of a tenant whose keys do not begin with it why that is so.
pub(crate) fn report(problem: &Problem, demands: &[Vec<Demand>], findings: &mut Vec<Finding>) {
    for (entity, demands) in problem.entities.iter().zip(demands) {
        for attr in entity.tenants().minus(required(entity, demands)).iter() {
            let tenant = &entity.attribute(attr).name;
            let silent = demands.iter().find(|demand| !demand.given().contains(attr));
            let (span, why, help) = match silent {
                // What a condition looks up is found by what identifies it alone, whatever else the write is given.
                Some(demand) if matches!(demand.source, Source::LocateCheck { .. }) => {
                    let (id, span) = asking(problem, demand);
                    (
                        span,
                        format!("{id} checks {} that it finds without it", naming::one(&entity.name)),
                        format!(
                            "mark `{tenant}` of {} with `id` as well, or mark {} as `Kind: common`",
                            entity.name, entity.name
                        ),
                    )
                }
                Some(demand) => {
                    let (id, span) = asking(problem, demand);
                    (
                        span,
                        format!("{id} does not have it as an input"),
                        format!("add `{tenant}` to its inputs, or mark {} as `Kind: common`", entity.name),
                    )
                }
                None if entity.attribute(attr).optional => (
                    entity.span,
                    "it is optional".to_owned(),
                    format!("drop `optional` from `{tenant}`, or mark {} as `Kind: common`", entity.name),
                ),
                None if entity.attribute(attr).changes => (
                    entity.span,
                    "a write changes it".to_owned(),
                    format!(
                        "let the write delete the {} and create it again under its new tenant",
                        entity.name
                    ),
                ),
                None if !entity.at_creation.contains(attr) => (
                    entity.span,
                    "a create does not have it as an input".to_owned(),
                    format!(
                        "add `{tenant}` to the inputs of the pattern that creates {}",
                        naming::one(&entity.name)
                    ),
                ),
                None => (
                    entity.span,
                    format!(
                        "{} alone identifies {} across all tenants",
                        entity.names(entity.identity.iter().copied()).join(", "),
                        naming::one(&entity.name)
                    ),
                    format!(
                        "mark `{tenant}` with `id` as well if the identifier is unique only within a \
                             tenant"
                    ),
                ),
            };
            findings.push(
                Finding::new(
                    &rules::TENANT_OUTSIDE_KEY,
                    span,
                    format!("keys of {} do not begin with `{tenant}`: {why}", entity.name),
                )
                .help(help),
            );
        }
    }
}

/// The pattern that a demand comes from.
fn asking<'p>(problem: &'p Problem, demand: &Demand) -> (&'p str, keywright_finding::Span) {
    match demand.source {
        Source::Read(read) | Source::Shared { read, .. } | Source::Behind(read) => {
            (&problem.reads[read].id, problem.reads[read].span)
        }
        Source::Locate { write, .. } | Source::LocateCheck { write, .. } => {
            (&problem.writes[write].id, problem.writes[write].span)
        }
    }
}
