//! Operations as literals that every language can print: the program that a method passes to its runtime.
//!
//! Three things are decided here once, so that no runtime has to: expressions are printed with readable
//! aliases; their clauses are separate, so that a clause can be left out if its optional input is absent; and
//! a template for the bound of a sort key is distinguished from one for a whole key.

use keywright_dynamodb::expression::{Assigned, Condition, Names, SortRange};
use keywright_model::Design;
use keywright_model::design::{
    Action, BatchGet, EntryUpdate, Generator, Get, KeyValue, Keys, Limit, Operation, Query, Request, Scan,
    Shape, Table, Value, as_it_was_read,
};
use keywright_model::model::{Direction, Literal as Fixed, Type};

/// A literal of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Literal {
    /// A text.
    Text(String),
    /// A whole number.
    Number(i64),
    /// True or false.
    Flag(bool),
    /// A list of literals of one kind.
    List(&'static str, Vec<Literal>),
    /// A named constructor with positional arguments: `Given("status")`.
    Call(&'static str, Vec<Literal>),
    /// A named record with named fields. Fields with their default value are left out.
    Record(&'static str, Vec<(&'static str, Literal)>),
}

impl Literal {
    fn text(text: impl Into<String>) -> Self {
        Literal::Text(text.into())
    }

    fn texts<'a>(texts: impl IntoIterator<Item = &'a String>) -> Self {
        Literal::List("Text", texts.into_iter().map(Literal::text).collect())
    }
}

/// The fields of a record. Those with their default value are left out.
struct Fields(Vec<(&'static str, Literal)>);

impl Fields {
    fn with(mut self, name: &'static str, literal: Literal) -> Self {
        let usual = match &literal {
            Literal::Flag(flag) => !flag,
            Literal::List(_, list) => list.is_empty(),
            _ => false,
        };
        if !usual {
            self.0.push((name, literal));
        }
        self
    }

    fn with_some(self, name: &'static str, literal: Option<Literal>) -> Self {
        match literal {
            Some(literal) => self.with(name, literal),
            None => self,
        }
    }

    fn record(self, name: &'static str) -> Literal {
        Literal::Record(name, self.0)
    }
}

fn fields() -> Fields {
    Fields(Vec::new())
}

/// The program of an operation.
pub fn program(design: &Design, operation: &Operation) -> Literal {
    let outcome = &operation.outcome;
    let shape = match &outcome.shape {
        Shape::Single => "single",
        Shape::Collection => "collection",
        Shape::Page => "page",
        Shape::Count { .. } => "count",
        Shape::Nothing => "nothing",
    };
    let counter = match &outcome.shape {
        Shape::Count { attribute } => attribute.as_ref(),
        _ => None,
    };
    let order = outcome
        .order
        .iter()
        .map(|order| {
            fields()
                .with("attribute", Literal::text(&order.attribute))
                .with("descending", Literal::Flag(order.direction == Direction::Descending))
                .with("values", Literal::texts(design.declared_order(outcome, &order.attribute)))
                .record("Order")
        })
        .collect();
    let made =
        operation.generated.iter().map(|made| generated(&made.name, made.ty, made.generator)).collect();
    let steps = operation.requests.iter().map(|request| step(design, request)).collect();
    fields()
        .with("pattern", Literal::text(&operation.pattern))
        .with("made", Literal::List("Made", made))
        .with("steps", Literal::List("Step", steps))
        .with("shape", Literal::text(shape))
        .with("answerFrom", Literal::Number(outcome.from_request.into()))
        .with_some("counter", counter.map(Literal::text))
        .with("order", Literal::List("Order", order))
        .with("clientSort", Literal::Flag(outcome.client_sort))
        .with_some("first", outcome.first.map(number))
        .with_some(
            "retry",
            operation.retry.map(|retry| {
                fields()
                    .with("fromStep", Literal::Number(retry.from_request.into()))
                    .with("attempts", Literal::Number(retry.attempts.into()))
                    .record("Retry")
            }),
        )
        .record("Operation")
}

fn generated(name: &str, ty: Type, generator: Generator) -> Literal {
    let (how, days) = match (generator, ty) {
        (Generator::Ulid, _) => ("ulid", None),
        (Generator::Uuid, _) => ("uuid", None),
        (Generator::Ksuid, _) => ("ksuid", None),
        (Generator::Now, Type::Number | Type::Integer | Type::Decimal) => ("nowMillis", None),
        (Generator::Now, Type::Date) => ("today", None),
        (Generator::Now, _) => ("now", None),
        (Generator::ExpiresAfterDays(days), _) => ("expiry", Some(days)),
    };
    fields()
        .with("name", Literal::text(name))
        .with("how", Literal::text(how))
        .with_some("days", days.map(|days| Literal::Number(i64::try_from(days).unwrap_or(i64::MAX))))
        .record("Made")
}

fn step(design: &Design, request: &Request) -> Literal {
    match request {
        Request::GetItem(get) => get_item(get),
        Request::Query(query) => self::query(design, query),
        Request::BatchGetItem(batch) => batch_get(batch),
        Request::Scan(scan) => self::scan(scan),
        Request::Write { action } => write("single", std::slice::from_ref(action)),
        Request::TransactWriteItems { actions } => write("transaction", actions),
        Request::BatchWriteItem { actions } => write("batch", actions),
    }
}

fn get_item(get: &Get) -> Literal {
    fields()
        .with("table", Literal::text(&get.table))
        .with("key", pairs(&get.key))
        .with("projection", paths(&get.projection))
        .with("consistent", Literal::Flag(get.consistent))
        .with("mayBeAbsent", Literal::Flag(get.may_be_absent))
        .record("Get")
}

fn query(design: &Design, query: &Query) -> Literal {
    let bound = |attribute: &str, it: &Value| bound(design, query, attribute, it);
    let range = query.key.range.as_ref().map(|(attribute, range)| {
        let (test, values) = match range {
            SortRange::BeginsWith(it) => ("begins_with(#, {0})".to_owned(), vec![bound(attribute, it)]),
            SortRange::Compare(comparator, it) => {
                (format!("# {} {{0}}", comparator.symbol()), vec![bound(attribute, it)])
            }
            SortRange::Between(lower, upper) => {
                ("# BETWEEN {0} AND {1}".to_owned(), vec![bound(attribute, lower), bound(attribute, upper)])
            }
        };
        clause(test.replace('#', &alias(attribute)), values)
    });
    let (limit, paged) = limit(&query.limit);
    fields()
        .with("table", Literal::text(&query.table))
        .with_some("index", query.index.as_ref().map(Literal::text))
        .with("partition", pairs(&query.key.partition))
        .with("sort", pairs(&query.key.sort))
        .with_some("range", range)
        .with("filter", clauses(query.filter.as_ref()))
        .with("projection", paths(&query.projection))
        .with("backward", Literal::Flag(!query.forward))
        .with_some("limit", limit)
        .with("paged", Literal::Flag(paged))
        .with("consistent", Literal::Flag(query.consistent))
        .with("count", Literal::Flag(query.count))
        .with_some("scatter", (!query.scatter.is_empty()).then(|| scatter(query)))
        .record("Query")
}

/// The placeholders, and their values row by row: one row per Query.
fn scatter(query: &Query) -> Literal {
    let placeholders = query.scatter.iter().map(|it| Literal::text(it.placeholder())).collect();
    let rows = query.combinations();
    let values = rows.iter().flatten().map(|(_, value)| Literal::text(value)).collect();
    fields()
        .with("placeholders", Literal::List("Text", placeholders))
        .with("values", Literal::List("Text", values))
        .with("oneAfterAnother", Literal::Flag(query.one_after_another()))
        .record("Scatter")
}

fn batch_get(batch: &BatchGet) -> Literal {
    let of_step = batch.keys.request().map(|request| Literal::Number(request.into()));
    let each = match &batch.keys {
        Keys::OfRequest(_) => None,
        Keys::Each(key) => Some(pairs(key)),
    };
    fields()
        .with("table", Literal::text(&batch.table))
        .with_some("ofStep", of_step)
        .with_some("each", each)
        .with("projection", paths(&batch.projection))
        .with("consistent", Literal::Flag(batch.consistent))
        .record("BatchGet")
}

fn scan(scan: &Scan) -> Literal {
    let (limit, paged) = limit(&scan.limit);
    fields()
        .with("table", Literal::text(&scan.table))
        .with_some("index", scan.index.as_ref().map(Literal::text))
        .with("filter", clauses(scan.filter.as_ref()))
        .with_some("limit", limit)
        .with("paged", Literal::Flag(paged))
        .with("count", Literal::Flag(scan.count))
        .record("Scan")
}

fn limit(limit: &Limit) -> (Option<Literal>, bool) {
    match limit {
        Limit::All => (None, false),
        Limit::First(count) => (Some(number(*count)), false),
        Limit::Page { default } => (Some(number(*default)), true),
    }
}

fn number(count: u64) -> Literal {
    Literal::Number(i64::try_from(count).unwrap_or(i64::MAX))
}

fn write(mode: &str, actions: &[Action]) -> Literal {
    fields()
        .with("mode", Literal::text(mode))
        .with("actions", Literal::List("Action", actions.iter().map(action).collect()))
        .record("Write")
}

fn action(action: &Action) -> Literal {
    match action {
        Action::Put(put) => conditioned(
            fields()
                .with("table", Literal::text(&put.table))
                .with("item", Literal::text(&put.item))
                .with("values", pairs(&put.values))
                .with_some("basedOn", put.based_on.map(|request| Literal::Number(request.into())))
                .with("when", values(&put.when)),
            &[],
            put.condition.as_ref(),
            put.fails_as.as_ref(),
            put.each,
        )
        .record("Put"),
        Action::Update(update) => {
            let set = update.update.set.iter().map(|(path, assigned)| assignment(path, assigned)).collect();
            let each = |pairs: &[(String, Value)]| -> Vec<Literal> {
                pairs
                    .iter()
                    .map(|(path, it)| clause(format!("{} {{0}}", alias(path)), vec![value(it)]))
                    .collect()
            };
            conditioned(
                fields()
                    .with("table", Literal::text(&update.table))
                    .with("key", pairs(&update.key))
                    .with("set", Literal::List("Clause", set))
                    .with("remove", paths(&update.update.remove))
                    .with("add", Literal::List("Clause", each(&update.update.add)))
                    .with("delete", Literal::List("Clause", each(&update.update.delete)))
                    .with("entries", Literal::List("Entry", update.entries.iter().map(entry).collect())),
                &update.key,
                update.condition.as_ref(),
                update.fails_as.as_ref(),
                update.each,
            )
            .record("Update")
        }
        Action::Delete(delete) | Action::Check(delete) => conditioned(
            fields()
                .with("table", Literal::text(&delete.table))
                .with("key", pairs(&delete.key))
                .with("when", values(&delete.when)),
            &delete.key,
            delete.condition.as_ref(),
            delete.fails_as.as_ref(),
            delete.each,
        )
        .record(if matches!(action, Action::Check(_)) { "Check" } else { "Delete" }),
    }
}

fn conditioned(
    fields: Fields,
    key: &[(String, Value)],
    condition: Option<&Condition<Value>>,
    fails_as: Option<&String>,
    each: Option<u32>,
) -> Fields {
    // An item that an earlier request read may have changed since, so that a failed condition may be a lost
    // race.
    let mut on_reads = key.iter().any(|(_, value)| is_read(value));
    if let Some(condition) = condition {
        condition.each_value(&mut |value| on_reads |= is_read(value));
    }
    fields
        .with("condition", clauses(condition))
        .with_some("failsAs", fails_as.map(Literal::text))
        .with("onReads", Literal::Flag(on_reads))
        .with_some("each", each.map(|request| Literal::Number(request.into())))
}

/// Whether a value depends on what an earlier request read.
fn is_read(value: &Value) -> bool {
    match value {
        Value::Read { .. } => true,
        Value::Sum { of, .. } => is_read(of),
        Value::Template(template) => super::parts(template).iter().any(|part| {
            matches!(part, super::Part::Value { name, .. }
                if name.split_once('.').is_some_and(|(request, _)| request.parse::<u32>().is_ok()))
        }),
        Value::Input(_) | Value::Generated(_) | Value::Literal(_) => false,
    }
}

fn assignment(path: &str, assigned: &Assigned<Value>) -> Literal {
    let path = alias(path);
    match assigned {
        Assigned::Value(it) => clause(format!("{path} = {{0}}"), vec![value(it)]),
        Assigned::Plus(from, it) => clause(format!("{path} = {} + {{0}}", alias(from)), vec![value(it)]),
        Assigned::Minus(from, it) => clause(format!("{path} = {} - {{0}}", alias(from)), vec![value(it)]),
        Assigned::IfNotExists(from, it) => {
            clause(format!("{path} = if_not_exists({}, {{0}})", alias(from)), vec![value(it)])
        }
        Assigned::IfNotExistsPlus(from, start, it) => clause(
            format!("{path} = if_not_exists({}, {{0}}) + {{1}}", alias(from)),
            vec![value(start), value(it)],
        ),
        Assigned::ListAppend(from, it) => {
            clause(format!("{path} = list_append({}, {{0}})", alias(from)), vec![value(it)])
        }
    }
}

fn entry(entry: &EntryUpdate) -> Literal {
    let when = entry.when.as_ref();
    fields()
        .with("attribute", Literal::text(&entry.attribute))
        .with_some("value", entry.value.as_ref().map(value))
        .with_some("when", when.map(|guard| value(&guard.value)))
        // If the caller leaves the input out, the entry stays as it is. If an attribute is absent, the entry
        // is removed.
        .with("onlyIfGiven", Literal::Flag(when.is_some_and(|guard| matches!(guard.value, Value::Input(_)))))
        .with_some(
            "equals",
            when.and_then(|guard| guard.equals.as_ref()).map(|wanted| Literal::text(wanted.to_string())),
        )
        .record("Entry")
}

/// The clauses of a condition. All must hold; each is left out if one of its optional inputs is absent.
fn clauses(condition: Option<&Condition<Value>>) -> Literal {
    let parts: Vec<&Condition<Value>> = match condition {
        None => Vec::new(),
        Some(Condition::All(parts)) => parts.iter().collect(),
        Some(one) => vec![one],
    };
    let several = parts.len() > 1;
    let clauses = parts
        .into_iter()
        .map(|part| {
            let mut names = Names::aliased();
            let mut values = Vec::new();
            let text = part.print(&mut names, &mut |it| {
                values.push(value(it));
                format!("{{{}}}", values.len() - 1)
            });
            let mut text = text;
            let mut aliases: Vec<(String, String)> = names.aliases().into_iter().collect();
            // `#n1` is a prefix of `#n10`, so the longest alias is replaced first.
            aliases.sort_by_key(|(alias, _)| std::cmp::Reverse(alias.len()));
            for (number, name) in aliases {
                text = text.replace(&number, &format!("\u{0}{}\u{0}", alias(&name)));
            }
            let text = text.replace('\u{0}', "");
            let alone = several && matches!(part, Condition::Any(_));
            // An attribute that was absent when it was read must still be absent.
            let otherwise = where_absent(part);
            fields()
                .with("text", Literal::Text(if alone { format!("({text})") } else { text }))
                .with("values", Literal::List("Value", values))
                .with_some("otherwise", otherwise.map(Literal::Text))
                .record("Clause")
        })
        .collect();
    Literal::List("Clause", clauses)
}

/// The clause to use where the value that an earlier request read was absent: the attribute must still be
/// absent. `None` if the condition compares with no such value.
fn where_absent(condition: &Condition<Value>) -> Option<String> {
    let absent = |path: &str| format!("attribute_not_exists({})", alias(path));
    match condition {
        Condition::Any(parts) if parts.iter().any(|part| as_it_was_read(part).is_some()) => {
            let mut texts = Vec::new();
            for part in parts {
                let text = match part {
                    Condition::NotExists(path) => absent(path),
                    other => absent(as_it_was_read(other)?),
                };
                if !texts.contains(&text) {
                    texts.push(text);
                }
            }
            Some(format!("({})", texts.join(" OR ")))
        }
        other => as_it_was_read(other).map(absent),
    }
}

fn clause(text: String, values: Vec<Literal>) -> Literal {
    fields().with("text", Literal::Text(text)).with("values", Literal::List("Value", values)).record("Clause")
}

/// A path with a readable alias for every part: `#location.#country`. A name with characters that no alias
/// may hold is written in hexadecimal; [`odd_aliases`] lists these aliases with their names.
fn alias(path: &str) -> String {
    path.split('.')
        .map(|part| {
            let (name, subscript) = part.find('[').map_or((part, ""), |at| part.split_at(at));
            format!("#{}{subscript}", spelled(name))
        })
        .collect::<Vec<_>>()
        .join(".")
}

fn spelled(name: &str) -> String {
    if is_plain(name) {
        return name.to_owned();
    }
    let bytes: String = name.bytes().map(|byte| format!("{byte:02x}")).collect();
    format!("x_{bytes}")
}

fn is_plain(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// All hexadecimal aliases of the design, each with the name that it stands for.
fn odd_aliases(design: &Design) -> Vec<(String, String)> {
    let attributes = design.items.iter().flat_map(|item| item.attributes.iter().map(|it| it.name.as_str()));
    let keys = design
        .tables
        .iter()
        .flat_map(Table::key)
        .chain(design.indexes.iter().flat_map(|index| index.key()))
        .map(|key| key.name.as_str());
    let names: std::collections::BTreeSet<&str> =
        attributes.chain(keys).flat_map(|name| name.split('.')).filter(|name| !is_plain(name)).collect();
    names.into_iter().map(|name| (format!("#{}", spelled(name)), name.to_owned())).collect()
}

fn paths(paths: &[String]) -> Literal {
    Literal::List("Text", paths.iter().map(|path| Literal::Text(alias(path))).collect())
}

fn pairs(pairs: &[(String, Value)]) -> Literal {
    Literal::List(
        "Pair",
        pairs.iter().map(|(name, it)| Literal::Call("Pair", vec![Literal::text(name), value(it)])).collect(),
    )
}

fn values(values: &[Value]) -> Literal {
    Literal::List("Value", values.iter().map(value).collect())
}

fn value(value: &Value) -> Literal {
    match value {
        Value::Input(name) => Literal::Call("Given", vec![Literal::text(name)]),
        Value::Generated(name) => Literal::Call("Generated", vec![Literal::text(name)]),
        Value::Read { request, attribute } => {
            Literal::Call("Found", vec![Literal::Number((*request).into()), Literal::text(attribute)])
        }
        Value::Literal(Fixed::String(text)) => Literal::Call("Text", vec![Literal::text(text)]),
        Value::Literal(Fixed::Number(text)) => Literal::Call("Number", vec![Literal::text(text)]),
        Value::Literal(Fixed::Boolean(flag)) => Literal::Call("Flag", vec![Literal::Flag(*flag)]),
        Value::Template(template) => Literal::Call("Key", vec![Literal::text(template)]),
        Value::Sum { of, plus } => Literal::Call("Sum", vec![self::value(of), Literal::Number(*plus)]),
    }
}

/// The value at the end of a key condition. A template with fewer segments than the whole key is a bound: its
/// last text is escaped as in the middle of a key. A `$` at its end marks an inclusive upper bound.
fn bound(design: &Design, query: &Query, attribute: &str, it: &Value) -> Literal {
    let Value::Template(template) = it else { return value(it) };
    let segments = |text: &str| text.split('#').count();
    let goes_on =
        query.items.iter().filter_map(|name| design.item(name)).filter_map(|item| item.key(attribute)).any(
            |key| matches!(&key.value, KeyValue::Template(whole) if segments(whole) > segments(template)),
        );
    let open = template.ends_with(">$") || goes_on && template.ends_with('>');
    Literal::Call(if open { "Bound" } else { "Key" }, vec![Literal::text(template)])
}

/// The tables, indexes and item types that the runtime needs.
pub fn schema(design: &Design) -> Literal {
    let tables = design
        .tables
        .iter()
        .map(|table| {
            fields()
                .with("name", Literal::text(&table.name))
                .with("key", Literal::texts(table.key().map(|key| &key.name).collect::<Vec<_>>()))
                .record("Table")
        })
        .collect();
    let indexes = design
        .indexes
        .iter()
        .map(|index| {
            fields()
                .with("table", Literal::text(&index.table))
                .with("name", Literal::text(&index.name))
                .with("key", Literal::texts(index.key().map(|key| &key.name).collect::<Vec<_>>()))
                .record("Index")
        })
        .collect();
    let items = design
        .items
        .iter()
        .map(|item| {
            let keys = item
                .keys
                .iter()
                .filter_map(|key| {
                    let KeyValue::Template(template) = &key.value else { return None };
                    let sparse = key.sparse.as_ref();
                    Some(
                        fields()
                            .with("attribute", Literal::text(&key.attribute))
                            .with("template", Literal::text(template))
                            .with_some("when", sparse.map(|sparse| Literal::text(&sparse.attribute)))
                            .with_some(
                                "equals",
                                sparse
                                    .and_then(|sparse| sparse.equals.as_ref())
                                    .map(|wanted| Literal::text(wanted.to_string())),
                            )
                            .record("ItemKey"),
                    )
                })
                .collect();
            fields()
                .with("name", Literal::text(&item.name))
                .with("table", Literal::text(&item.table))
                .with("keys", Literal::List("ItemKey", keys))
                .with("maps", Literal::List("Text", item.maps().into_iter().map(Literal::text).collect()))
                .record("ItemType")
        })
        .collect();
    let aliases = odd_aliases(design)
        .into_iter()
        .map(|(alias, name)| Literal::Call("Alias", vec![Literal::Text(alias), Literal::Text(name)]))
        .collect();
    fields()
        .with_some("typeAttribute", design.type_attribute.as_ref().map(Literal::text))
        .with("tables", Literal::List("Table", tables))
        .with("indexes", Literal::List("Index", indexes))
        .with("items", Literal::List("ItemType", items))
        .with("aliases", Literal::List("Alias", aliases))
        .record("Schema")
}
