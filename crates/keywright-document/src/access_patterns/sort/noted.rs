//! The order that notes beside a read tell among other remarks: "newest first", "sorted by placedAt, descending".

use keywright_model::model::Sort;

use super::age;
use super::told::{Prose, report_order, told};
use crate::access_patterns::names::{Domain, tokens};
use crate::access_patterns::remarks::Remarks;
use crate::markdown::Phrase;

/// The most words of a remark that says nothing but an order: "most recent", "latest orders".
const SHORT: usize = 3;

/// Reads the order that a cell with notes tells; what promises one that nothing has is said.
pub(in crate::access_patterns) fn noted(
    notes: Phrase<'_>,
    entities: &[usize],
    links: &[usize],
    domain: &Domain<'_>,
    remarks: &mut Remarks,
) -> Option<Sort> {
    for remark in notes.split(&[';', '\n', '(', ')']).map(Phrase::trim) {
        let prose = Prose::new(remark, entities, links, domain);
        let (Some(first), Some(last)) = (prose.words.first(), prose.words.last()) else { continue };
        let has = |list: &[&str]| prose.words.iter().any(|word| list.iter().any(|it| word.is(it)));
        let age_alone = prose.words.len() <= SHORT && prose.words.iter().any(|it| age(it.as_str()).is_some());
        let ends_first =
            remark.split(&[',', '.']).any(|part| tokens(part).last().is_some_and(|it| it.is("first")));
        let orders = [
            "sorted",
            "ordered",
            "sort",
            "asc",
            "ascending",
            "desc",
            "descending",
            "alphabetically",
            "alphabetical",
            "a-z",
        ];
        let promises = has(&orders) || age_alone || ends_first || last.is("order") && has(&["in"]);
        if promises {
            let found = told(remark, entities, links, domain, remarks);
            // What ends with "first" is said already.
            if found.is_none() && !ends_first {
                report_order(remark, remarks);
            }
            return found;
        }
        if first.is("by") {
            let Some(sort) = prose.by(0) else {
                report_order(remark, remarks);
                return None;
            };
            return Some(prose.assumed(sort, remarks));
        }
    }
    None
}
