//! The params of one read request.

use keywright_dynamodb::expression::parse::{self, Parser};
use keywright_dynamodb::expression::{Condition, Names};
use keywright_finding::Span;
use keywright_model::At;
use keywright_model::design::{Limit, Request, Scatter, Value};
use keywright_model::model::Literal;

use super::super::Problems;
use super::super::value::{self, Scope};
use super::{Param, sentence};

/// Page size where a document says `paginated` and no more.
const DEFAULT_PAGE: u64 = 25;

/// What a read request says beside its keys.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct RequestParams {
    pub(in super::super) items: Vec<String>,
    pub(in super::super) filter: Option<Condition<Value>>,
    pub(in super::super) projection: Vec<String>,
    pub(in super::super) backward: bool,
    limit: Option<u64>,
    paginated: bool,
    pub(in super::super) consistent: bool,
    pub(in super::super) count: bool,
    pub(in super::super) may_be_absent: bool,
    pub(in super::super) scatter: Vec<Scatter>,
    /// Where things are said that a rule may want to point at.
    pub(in super::super) items_span: Option<Span>,
    pub(in super::super) filter_written: Option<At<String>>,
    pub(in super::super) projection_written: Option<At<String>>,
    pub(in super::super) consistent_span: Option<Span>,
}

impl RequestParams {
    pub(in super::super) fn limit(&self) -> Limit {
        match (self.limit, self.paginated) {
            (None, false) => Limit::All,
            (Some(count), false) => Limit::First(count),
            (limit, true) => Limit::Page { default: limit.unwrap_or(DEFAULT_PAGE) },
        }
    }

    /// The params of a request, each as the text of a code span.
    pub(in super::super) fn write(request: &Request) -> Vec<String> {
        let mut list = Vec::new();
        match request {
            Request::GetItem(get) => {
                list.push(format!("Item: {}", value::name(&get.item)));
                projection(&mut list, &get.projection);
                flag(&mut list, get.consistent, "ConsistentRead=true");
                flag(&mut list, get.may_be_absent, "MayBeAbsent");
            }
            Request::Query(query) => {
                items(&mut list, &query.items);
                filter(&mut list, query.filter.as_ref());
                projection(&mut list, &query.projection);
                flag(&mut list, !query.forward, "ScanIndexForward=false");
                limit(&mut list, &query.limit);
                flag(&mut list, query.consistent, "ConsistentRead=true");
                flag(&mut list, query.count, "Select=COUNT");
                list.extend(query.scatter.iter().map(scatter));
            }
            Request::BatchGetItem(batch) => {
                items(&mut list, &batch.items);
                projection(&mut list, &batch.projection);
                flag(&mut list, batch.consistent, "ConsistentRead=true");
            }
            Request::Scan(scan) => {
                items(&mut list, &scan.items);
                filter(&mut list, scan.filter.as_ref());
                limit(&mut list, &scan.limit);
                flag(&mut list, scan.count, "Select=COUNT");
            }
            Request::Write { .. } | Request::TransactWriteItems { .. } | Request::BatchWriteItem { .. } => {}
        }
        list
    }

    /// Takes in a param if it is one of a request.
    pub(in super::super) fn read(
        &mut self,
        param: &Param<'_>,
        scope: &Scope,
        problems: &mut Problems,
    ) -> bool {
        let text = param.value.as_str();
        if param.is("Item") || param.is("Items") {
            self.items_span = Some(param.whole.span());
            match sentence(text, |parser| parser.list(Parser::name)) {
                Ok(names) => self.items = names,
                Err(error) => problems.syntax(param.value, &error),
            }
        } else if param.is("FilterExpression") || param.is("Filter") {
            self.filter_written = Some(At::stated(text.to_owned(), param.value.span()));
            match parse::condition(text) {
                Ok(condition) => self.filter = Some(scope.condition(condition)),
                Err(error) => problems.syntax(param.value, &error),
            }
        } else if param.is("ProjectionExpression") || param.is("Projection") {
            self.projection_written = Some(At::stated(text.to_owned(), param.value.span()));
            match sentence(text, |parser| parser.list(Parser::path)) {
                Ok(paths) => self.projection = paths,
                Err(error) => problems.syntax(param.value, &error),
            }
        } else if param.is("Limit") {
            match text.trim().parse() {
                Ok(limit) => self.limit = Some(limit),
                // `Limit=:limit`: the caller says how many.
                Err(_) if text.starts_with([':', '<', '{', '$']) => self.paginated = true,
                Err(_) => problems.unreadable(param.value, "the limit is not a whole number"),
            }
        } else if param.is("paginated") {
            self.paginated = !text.eq_ignore_ascii_case("no") && !text.eq_ignore_ascii_case("false");
        } else if param.is("ScanIndexForward") {
            self.backward = text.eq_ignore_ascii_case("false");
        } else if param.is("ConsistentRead") {
            self.consistent = text.is_empty() || text.eq_ignore_ascii_case("true");
            self.consistent_span = Some(param.whole.span());
        } else if param.is("Select") {
            self.count = text.eq_ignore_ascii_case("COUNT");
        } else if param.is("MayBeAbsent") {
            self.may_be_absent = true;
        } else if param.is("Shards") || param.is("ShardsInTurn") {
            match text.parse() {
                Ok(count) => {
                    let one_after_another = param.is("ShardsInTurn");
                    self.scatter.push(Scatter::Shards { count, one_after_another });
                }
                Err(_) => problems.unreadable(param.value, "the number of shards is not a whole number"),
            }
        } else if param.is("Scatter") {
            match read_values(text) {
                Some(scatter) => self.scatter.push(scatter),
                None => problems
                    .unreadable(param.value, "write the placeholder and its values: status IN ('A', 'B')"),
            }
        } else {
            return false;
        }
        true
    }
}

fn flag(list: &mut Vec<String>, set: bool, text: &str) {
    if set {
        list.push(text.to_owned());
    }
}

fn items(list: &mut Vec<String>, items: &[String]) {
    if !items.is_empty() {
        list.push(format!("Items: {}", value::names(items)));
    }
}

fn projection(list: &mut Vec<String>, paths: &[String]) {
    if !paths.is_empty() {
        list.push(format!("ProjectionExpression: {}", Names::documented().projection(paths)));
    }
}

fn filter(list: &mut Vec<String>, filter: Option<&Condition<Value>>) {
    list.extend(filter.map(|filter| format!("FilterExpression: {}", value::write_condition(filter))));
}

fn limit(list: &mut Vec<String>, limit: &Limit) {
    match limit {
        Limit::All => {}
        Limit::First(count) => list.push(format!("Limit={count}")),
        Limit::Page { default } => list.extend([format!("Limit={default}"), "paginated".to_owned()]),
    }
}

fn scatter(scatter: &Scatter) -> String {
    match scatter {
        Scatter::Shards { count, one_after_another: false } => format!("Shards={count}"),
        Scatter::Shards { count, one_after_another: true } => format!("ShardsInTurn={count}"),
        Scatter::Values { placeholder, values } => {
            let values: Vec<String> = values.iter().map(value::literal).collect();
            format!("Scatter: {} OF {}", value::name(placeholder), values.join(", "))
        }
    }
}

/// `status OF 'A', 'B'`, or `status IN ('A', 'B')` as people write it.
fn read_values(text: &str) -> Option<Scatter> {
    // The brackets of a list, not those inside its quoted values.
    let in_brackets = text.split_once(" IN ").and_then(|(name, list)| {
        let list = list.trim().strip_prefix('(')?.strip_suffix(')')?;
        Some(format!("{name} OF {list}"))
    });
    let read = sentence(in_brackets.as_deref().unwrap_or(text), |parser| {
        let placeholder = parser.name()?;
        if !parser.word("OF") && !parser.word("IN") {
            return Err(parser.refuse("OF is expected here"));
        }
        if parser.is_at_end() {
            return Ok((placeholder, Vec::new()));
        }
        Ok((placeholder, parser.list(Parser::value)?))
    });
    let (placeholder, terms) = read.ok()?;
    let values: Option<Vec<Literal>> = terms.iter().map(value::literal_of).collect();
    Some(Scatter::Values { placeholder, values: values? })
}
