//! serial-requests: a request for each result of another one.

use keywright_finding::{Finding, Group, Rule};
use keywright_model::design::{Limit, Request, Value};

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::warning(
    "serial-requests",
    Group::Operations,
    "a request for each result of another one",
    include_str!("serial_requests.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for (operation, request, place) in facts.requests() {
        let key: Vec<&Value> = match request {
            Request::GetItem(get) => get.key.iter().map(|(_, value)| value).collect(),
            Request::Query(query) => {
                query.key.partition.iter().chain(&query.key.sort).map(|(_, value)| value).collect()
            }
            _ => continue,
        };
        let reads_many = |number: u32| {
            let earlier = usize::try_from(number)
                .ok()
                .and_then(|number| operation.requests.get(number.checked_sub(1)?));
            matches!(earlier, Some(Request::Query(query)) if query.limit != Limit::First(1) && !query.count)
                || matches!(earlier, Some(Request::Scan(_)))
        };
        let from = key.into_iter().find_map(|value| match value {
            Value::Read { request, .. } => Some(*request),
            Value::Template(template) => {
                template.split('<').skip(1).find_map(|part| part.split_once('.')?.0.parse().ok())
            }
            _ => None,
        });
        if let Some(number) = from.filter(|number| reads_many(*number)) {
            findings.push(
                Finding::new(&RULE, place.name(), format!("{} sends this request once for each item that request {number} returns", operation.pattern))
                    .help("use BatchGetItem, project what is needed into the index, or keep the items in one collection"),
            );
        }
    }
}
