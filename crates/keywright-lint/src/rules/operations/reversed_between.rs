//! reversed-between: a range whose lower bound is above its upper one.

use keywright_dynamodb::expression::SortRange;
use keywright_finding::{Edit, Finding, Fix, Group, Rule};
use keywright_key::{KeyOrder, Template};
use keywright_model::design::{Request, Value};

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::error(
    "reversed-between",
    Group::Operations,
    "a range whose lower bound is above its upper one",
    include_str!("reversed_between.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for (operation, request, place) in facts.requests() {
        let Request::Query(query) = request else { continue };
        let Some((_, SortRange::Between(Value::Template(lower), Value::Template(upper)))) = &query.key.range
        else {
            continue;
        };
        if !is_reversed(lower, upper) {
            continue;
        }
        let spans = place.request.map(|source| source.sort_values.clone()).unwrap_or_default();
        let span = spans.first().copied().unwrap_or_else(|| place.name());
        let mut finding = Finding::new(
            &RULE,
            span,
            format!(
                "{} asks BETWEEN `{lower}` AND `{upper}`, which is empty: `{lower}` sorts after `{upper}`",
                operation.pattern
            ),
        )
        .help("write the smaller bound first");
        if let [first, second] = spans.as_slice() {
            finding = finding.fix(Fix::new(
                "swap the bounds",
                [Edit::replace(*first, upper.clone()), Edit::replace(*second, lower.clone())],
            ));
        }
        findings.push(finding);
    }
}

fn is_reversed(lower: &str, upper: &str) -> bool {
    let ends = |text: &str, words: &[&str]| {
        let names: Vec<String> = text
            .split('<')
            .skip(1)
            .filter_map(|it| it.split(['>', ':']).next())
            .map(str::to_ascii_lowercase)
            .collect();
        names.iter().any(|name| words.iter().any(|word| name == word || name.starts_with(word)))
    };
    if ends(lower, &["to", "end", "until", "max"]) && ends(upper, &["from", "start", "since", "min"]) {
        return true;
    }
    match (Template::parse(lower), Template::parse(upper)) {
        (Ok(lower), Ok(upper)) => lower.order(&upper) == KeyOrder::After,
        _ => false,
    }
}
