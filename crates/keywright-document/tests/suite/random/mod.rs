//! Random designs in normal form: what a derived design can hold, and some of what it never does.

use keywright_dynamodb::expression::{
    self, Assigned, Comparator, Condition, KeyCondition, Operand, SortRange,
};
use keywright_model::design::*;
use keywright_model::model::{Bound, Direction, Literal, Role, Type};
use keywright_model::{Design, Style};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => "[a-z][a-zA-Z0-9]{0,8}",
        1 => select(vec!["status", "name", "key", "set", "index", "size", "optional", "list", "nothing", "true"]).prop_map(str::to_owned),
        1 => "[a-z]{1,4}[-_.][a-z]{1,4}",
    ]
}

fn prose() -> impl Strategy<Value = String> {
    "[A-Za-z0-9`*_<>|&#:.,()'\"=+-]{1,8}( [A-Za-z0-9`*_<>|&#:.,()'\"=+\\\\-]{1,8}){0,5}"
}

fn template() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => "[A-Z]{1,8}(#<[a-z][a-zA-Z0-9.]{0,6}(:pad6|:iso)?>){0,3}",
        1 => "#[A-Z]{1,4}#<[a-z]{1,4}>",
        1 => select(vec![":a", "'x'", "12", "true", "a = :b", "-", "none", "a  b", "a|b`c", " x", "\"q\""]).prop_map(str::to_owned),
    ]
}

fn literal() -> impl Strategy<Value = Literal> {
    prop_oneof![
        "[ -~é]{0,8}".prop_map(Literal::String),
        "-?[1-9][0-9]{0,4}(\\.[0-9]{1,3})?".prop_map(Literal::Number),
        any::<bool>().prop_map(Literal::Boolean),
    ]
}

/// Inputs begin with `i`, generated values with `g`, so that a name says which it is.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        "i[a-zA-Z0-9]{0,6}(-x)?".prop_map(Value::Input),
        "g[a-zA-Z0-9]{0,2}".prop_map(Value::Input),
        (1u32..4, name()).prop_map(|(request, attribute)| Value::Read { request, attribute }),
        literal().prop_map(Value::Literal),
        template().prop_map(Value::Template),
    ];
    (leaf, option::weighted(0.1, any::<i64>())).prop_map(|(of, plus)| match plus {
        Some(plus) => Value::Sum { of: Box::new(of), plus },
        None => of,
    })
}

fn operand() -> impl Strategy<Value = Operand<Value>> {
    prop_oneof![
        name().prop_map(Operand::Path),
        name().prop_map(Operand::Size),
        value().prop_map(Operand::Value)
    ]
}

fn condition() -> impl Strategy<Value = Condition<Value>> {
    let leaf = prop_oneof![
        (operand(), select(Comparator::ALL.to_vec()), operand())
            .prop_map(|(a, b, c)| Condition::Compare(a, b, c)),
        (name(), value(), value()).prop_map(|(a, b, c)| Condition::Between(
            Operand::Path(a),
            Operand::Value(b),
            Operand::Value(c)
        )),
        (name(), vec(value().prop_map(Operand::Value), 1..3))
            .prop_map(|(a, list)| Condition::In(Operand::Path(a), list)),
        name().prop_map(Condition::NotExists),
        (name(), value()).prop_map(|(a, b)| Condition::Contains(a, b)),
    ];
    leaf.prop_recursive(2, 6, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 2..3).prop_map(Condition::All),
            vec(inner.clone(), 2..3).prop_map(Condition::Any),
            inner.prop_map(|part| Condition::Not(Box::new(part))),
        ]
    })
}

fn update() -> impl Strategy<Value = expression::Update<Value>> {
    let assigned = prop_oneof![
        value().prop_map(Assigned::Value),
        (name(), value()).prop_map(|(a, b)| Assigned::Plus(a, b)),
        (name(), value(), value()).prop_map(|(a, b, c)| Assigned::IfNotExistsPlus(a, b, c)),
    ];
    (
        vec((name(), assigned), 0..3),
        vec(name(), 0..2),
        vec((name(), value()), 0..2),
        vec((name(), value()), 0..2),
    )
        .prop_map(|(set, remove, add, delete)| expression::Update { set, remove, add, delete })
}

fn ty() -> impl Strategy<Value = Type> {
    select(Type::ALL.to_vec())
}

fn names(range: std::ops::Range<usize>) -> impl Strategy<Value = Vec<String>> {
    vec(name(), range)
}

fn item_name() -> impl Strategy<Value = String> {
    prop_oneof![5 => "[A-Z][a-zA-Z0-9]{0,8}", 1 => "[A-Z][a-z]{1,4}[_-][a-z]{1,4}"]
}

fn attribute() -> impl Strategy<Value = ItemAttribute> {
    let word = prop_oneof![4 => "[A-Z]{1,6}", 1 => "[A-Z_]{1,4}[-(, ][a-z]{1,3}"];
    let max = option::weighted(0.3, prop_oneof![0..200u64, any::<u64>()]);
    (name(), ty(), any::<bool>(), vec(word, 0..3), max, option::weighted(0.2, item_name())).prop_map(
        |(name, ty, optional, values, max, entity)| ItemAttribute { name, ty, optional, values, max, entity },
    )
}

fn kind() -> impl Strategy<Value = ItemKind> {
    select(vec![
        ItemKind::Main,
        ItemKind::Uniqueness,
        ItemKind::Edge,
        ItemKind::Counter,
        ItemKind::Copy,
        ItemKind::Singleton,
    ])
}

/// The attributes of the key of each place: the table's, and the index's.
fn keys_of(style: Style) -> (Vec<Table>, Vec<Index>) {
    let string = KeyAttribute::string;
    match style {
        Style::Overloaded => (
            vec![Table {
                name: "Shop".into(),
                partition: string("pk"),
                sort: Some(string("sk")),
                ttl: Some("expiresAt".into()),
            }],
            vec![Index {
                name: "GSI1".into(),
                table: "Shop".into(),
                partition: vec![string("GSI1PK")],
                sort: vec![string("GSI1SK")],
                projection: Projection::All,
                purpose: None,
            }],
        ),
        Style::MultiAttribute => (
            vec![Table {
                name: "my-shop".into(),
                partition: string("pk"),
                sort: Some(string("sk")),
                ttl: None,
            }],
            vec![Index {
                name: "by-tenant".into(),
                table: "my-shop".into(),
                partition: vec![string("tenant"), string("region")],
                sort: vec![KeyAttribute { name: "score".into(), ty: KeyType::Number }, string("id")],
                projection: Projection::Include(vec!["a".into(), "b-c".into()]),
                purpose: Some("Everything of a tenant".into()),
            }],
        ),
        Style::MultiTable => (
            vec![
                Table { name: "Customers".into(), partition: string("customerId"), sort: None, ttl: None },
                Table {
                    name: "Orders".into(),
                    partition: string("customerId"),
                    sort: Some(string("orderId")),
                    ttl: None,
                },
            ],
            vec![Index {
                name: "byStatus".into(),
                table: "Orders".into(),
                partition: vec![string("status")],
                sort: vec![],
                projection: Projection::KeysOnly,
                purpose: None,
            }],
        ),
    }
}

#[derive(Clone, Debug)]
struct Place {
    table: String,
    index: Option<String>,
    partition: Vec<String>,
    sort: Vec<String>,
}

fn places(style: Style) -> Vec<Place> {
    let (tables, indexes) = keys_of(style);
    let of_tables = tables.iter().map(|table| Place {
        table: table.name.clone(),
        index: None,
        partition: vec![table.partition.name.clone()],
        sort: table.sort.iter().map(|key| key.name.clone()).collect(),
    });
    let of_indexes = indexes.iter().map(|index| Place {
        table: index.table.clone(),
        index: Some(index.name.clone()),
        partition: index.partition.iter().map(|key| key.name.clone()).collect(),
        sort: index.sort.iter().map(|key| key.name.clone()).collect(),
    });
    of_tables.chain(of_indexes).collect()
}

fn key_condition(place: Place) -> BoxedStrategy<KeyCondition<Value>> {
    let range = prop_oneof![
        value().prop_map(SortRange::BeginsWith),
        (select(vec![Comparator::Less, Comparator::GreaterOrEqual]), value())
            .prop_map(|(a, b)| SortRange::Compare(a, b)),
        (value(), value()).prop_map(|(a, b)| SortRange::Between(a, b)),
    ];
    (vec(value(), place.partition.len()), vec(value(), 0..=place.sort.len()), option::of(range))
        .prop_map(move |(partition, sort, range)| {
            let next = place.sort.get(sort.len()).cloned();
            KeyCondition {
                partition: place.partition.iter().cloned().zip(partition).collect(),
                range: next.and_then(|name| Some((name, range?))),
                sort: place.sort.iter().cloned().zip(sort).collect(),
            }
        })
        .boxed()
}

fn primary_key(place: Place) -> BoxedStrategy<Vec<(String, Value)>> {
    let attributes: Vec<String> = place.partition.into_iter().chain(place.sort).collect();
    vec(value(), attributes.len())
        .prop_map(move |values| attributes.iter().cloned().zip(values).collect())
        .boxed()
}

fn limit() -> impl Strategy<Value = Limit> {
    prop_oneof![
        Just(Limit::All),
        (1u64..100).prop_map(Limit::First),
        (1u64..100).prop_map(|default| Limit::Page { default })
    ]
}

fn scatter() -> impl Strategy<Value = Scatter> {
    prop_oneof![
        (1u32..50, any::<bool>())
            .prop_map(|(count, one_after_another)| Scatter::Shards { count, one_after_another }),
        (name(), vec(literal(), 0..3))
            .prop_map(|(placeholder, values)| Scatter::Values { placeholder, values }),
    ]
}

fn read(style: Style) -> BoxedStrategy<Request> {
    let tables: Vec<Place> = places(style).into_iter().filter(|place| place.index.is_none()).collect();
    let query = select(places(style)).prop_flat_map(|place| {
        let (table, index) = (place.table.clone(), place.index.clone());
        (
            key_condition(place),
            vec(item_name(), 1..3),
            option::of(condition()),
            names(0..3),
            any::<[bool; 3]>(),
            limit(),
            prop_oneof![2 => Just(Vec::new()), 1 => vec(scatter(), 1..3)],
        )
            .prop_map(
                move |(key, items, filter, projection, [forward, consistent, count], limit, scatter)| {
                    let (table, index) = (table.clone(), index.clone());
                    Request::Query(Query {
                        table,
                        index,
                        items,
                        key,
                        filter,
                        projection,
                        forward,
                        limit,
                        consistent,
                        count,
                        scatter,
                    })
                },
            )
    });
    let get = select(tables.clone()).prop_flat_map(|place| {
        let table = place.table.clone();
        (item_name(), primary_key(place), any::<[bool; 2]>(), names(0..3)).prop_map(
            move |(item, key, [consistent, may_be_absent], projection)| {
                Request::GetItem(Get {
                    table: table.clone(),
                    item,
                    key,
                    consistent,
                    projection,
                    may_be_absent,
                })
            },
        )
    });
    let batch = select(tables).prop_flat_map(|place| {
        let table = place.table.clone();
        let keys = prop_oneof![(1u32..3).prop_map(Keys::OfRequest), primary_key(place).prop_map(Keys::Each)];
        (vec(item_name(), 1..3), keys, any::<bool>(), names(0..2)).prop_map(
            move |(items, keys, consistent, projection)| {
                Request::BatchGetItem(BatchGet { table: table.clone(), items, keys, consistent, projection })
            },
        )
    });
    let scan = select(places(style)).prop_flat_map(|place| {
        (vec(item_name(), 1..2), option::of(condition()), limit(), any::<bool>()).prop_map(
            move |(items, filter, limit, count)| {
                Request::Scan(Scan {
                    table: place.table.clone(),
                    index: place.index.clone(),
                    items,
                    filter,
                    limit,
                    count,
                })
            },
        )
    });
    prop_oneof![4 => query, 3 => get, 1 => batch, 1 => scan].boxed()
}

fn entry() -> BoxedStrategy<EntryUpdate> {
    (name(), option::of(value()), option::of((value(), option::of(literal()))))
        .prop_map(|(attribute, value, when)| EntryUpdate {
            attribute,
            value,
            when: when.map(|(value, equals)| Guard { value, equals }),
        })
        .boxed()
}

fn action(style: Style, conditional: bool) -> BoxedStrategy<Action> {
    let tables: Vec<Place> = places(style).into_iter().filter(|place| place.index.is_none()).collect();
    let when = move || {
        (option::of(condition()), option::of(prose()))
            .prop_map(move |it| if conditional { it } else { (None, None) })
    };
    let each = || option::weighted(0.2, 1u32..3);
    select(tables)
        .prop_flat_map(move |place| {
            let table = place.table.clone();
            let put_table = table.clone();
            let put = (
                item_name(),
                vec((name(), value()), 0..4),
                option::weighted(0.2, 1u32..3),
                when(),
                each(),
                vec(value(), 0..3),
            )
                .prop_map(move |(item, values, based_on, (condition, fails_as), each, when)| {
                    Action::Put(Put {
                        table: put_table.clone(),
                        item,
                        values,
                        based_on,
                        condition,
                        fails_as,
                        each,
                        when,
                    })
                });
            let update_table = table.clone();
            let update =
                (item_name(), primary_key(place.clone()), update(), vec(entry(), 0..3), when(), each())
                    .prop_map(move |(item, key, update, entries, (condition, fails_as), each)| {
                        Action::Update(Update {
                            table: update_table.clone(),
                            item,
                            key,
                            update,
                            entries,
                            condition,
                            fails_as,
                            each,
                        })
                    });
            let needed = vec(value(), 0..3);
            let delete = (item_name(), primary_key(place), when(), each(), any::<bool>(), needed).prop_map(
                move |(item, key, (condition, fails_as), each, check, when)| {
                    let delete = Delete { table: table.clone(), item, key, condition, fails_as, each, when };
                    // A check without a condition is none.
                    let checks = check && conditional && delete.condition.is_some();
                    if checks { Action::Check(delete) } else { Action::Delete(delete) }
                },
            );
            prop_oneof![put, update, delete]
        })
        .boxed()
}

fn write(style: Style) -> BoxedStrategy<Request> {
    let single = action(style, true)
        .prop_filter("a check can't stand alone", |action| !matches!(action, Action::Check(_)))
        .prop_map(|action| Request::Write { action });
    prop_oneof![
        single,
        vec(action(style, true), 1..4).prop_map(|actions| Request::TransactWriteItems { actions }),
        vec(action(style, false), 1..3).prop_map(|actions| Request::BatchWriteItem { actions }),
    ]
    .boxed()
}

fn role() -> impl Strategy<Value = Role> {
    let bound = || select(vec![Bound::Inclusive, Bound::Exclusive]);
    prop_oneof![
        Just(Role::Equal),
        bound().prop_map(Role::Lower),
        bound().prop_map(Role::Upper),
        Just(Role::Prefix),
        Just(Role::NewValue),
        Just(Role::Increment),
        Just(Role::Limit),
        Just(Role::Cursor),
        Just(Role::Unknown),
    ]
}

fn parameter() -> impl Strategy<Value = Parameter> {
    (name(), ty(), role(), option::of(name()), any::<[bool; 2]>()).prop_map(
        |(name, ty, role, attribute, [optional, list])| Parameter {
            name,
            ty,
            role,
            attribute,
            optional,
            list,
        },
    )
}

fn generated() -> impl Strategy<Value = Generated> {
    let generator = prop_oneof![
        Just(Generator::Ulid),
        Just(Generator::Uuid),
        Just(Generator::Ksuid),
        Just(Generator::Now),
        (1u64..999).prop_map(Generator::ExpiresAfterDays),
    ];
    ("g[a-zA-Z0-9]{0,2}", ty(), generator).prop_map(|(name, ty, generator)| Generated { name, ty, generator })
}

fn shape() -> impl Strategy<Value = Shape> {
    prop_oneof![
        Just(Shape::Single),
        Just(Shape::Collection),
        Just(Shape::Page),
        option::of(name()).prop_map(|attribute| Shape::Count { attribute }),
    ]
}

fn outcome(reads: bool) -> BoxedStrategy<Outcome> {
    let shape =
        if reads { shape().boxed() } else { prop_oneof![3 => Just(Shape::Nothing), 1 => shape()].boxed() };
    let direction = select(vec![Direction::Ascending, Direction::Descending]);
    let order = (name(), direction).prop_map(|(attribute, direction)| Order { attribute, direction });
    let first = option::of(1u64..100);
    (shape, vec(item_name(), 0..3), names(0..3), vec(order, 0..3), any::<bool>(), first, 1u32..4)
        .prop_map(|(shape, items, attributes, order, client_sort, first, from_request)| Outcome {
            shape,
            items,
            attributes,
            order,
            client_sort,
            first,
            from_request,
        })
        .boxed()
}

fn operation(style: Style, reads: bool) -> BoxedStrategy<Operation> {
    let requests = if reads {
        vec(read(style), 1..4).boxed()
    } else {
        (vec(read(style), 0..2), vec(write(style), 1..3))
            .prop_map(|(mut first, then)| {
                first.extend(then);
                first
            })
            .boxed()
    };
    (
        prose(),
        requests,
        vec(parameter(), 1..4),
        vec(generated(), 0..3),
        outcome(reads),
        option::weighted(0.2, (1u32..3, 1u32..9)),
        option::weighted(
            0.3,
            (select(OperationName::ALL.to_vec()), option::of("[A-Z][A-Z0-9]{1,4}"), 1u32..20),
        ),
    )
        .prop_map(move |(description, mut requests, inputs, generated, mut outcome, retry, main)| {
            rename_generated(&mut requests, &generated);
            // Only what a request names comes back from it.
            let answers = (outcome.from_request as usize).checked_sub(1).and_then(|at| requests.get(at));
            let named = match answers {
                Some(Request::Query(query)) => query.items.as_slice(),
                Some(Request::BatchGetItem(batch)) => batch.items.as_slice(),
                Some(Request::Scan(scan)) => scan.items.as_slice(),
                Some(Request::GetItem(get)) => std::slice::from_ref(&get.item),
                _ => &[],
            };
            outcome.items.retain(|item| named.is_empty() || named.contains(item));
            let name = |request: &Request| match request {
                Request::GetItem(_) => OperationName::GetItem,
                Request::Query(_) => OperationName::Query,
                Request::BatchGetItem(_) => OperationName::BatchGetItem,
                Request::Scan(_) => OperationName::Scan,
                Request::Write { action: Action::Put(_) } => OperationName::PutItem,
                Request::Write { action: Action::Update(_) } => OperationName::UpdateItem,
                Request::Write { .. } => OperationName::DeleteItem,
                Request::TransactWriteItems { .. } => OperationName::TransactWriteItems,
                Request::BatchWriteItem { .. } => OperationName::BatchWriteItem,
            };
            let first = requests.first().map_or(OperationName::Query, name);
            let (operation, index, shards) = main.unwrap_or((first, None, 1));
            Operation {
                pattern: String::new(),
                description,
                operation,
                index,
                requests,
                shards,
                inputs,
                generated,
                outcome,
                retry: retry.map(|(from_request, attempts)| Retry { from_request, attempts }),
                expected: None,
            }
        })
        .boxed()
}

/// An input that has the name of a generated value is one.
fn rename_generated(requests: &mut [Request], generated: &[Generated]) {
    let json = serde_json::to_string(&requests).expect("requests are JSON");
    let mut json = json;
    for it in generated {
        json = json.replace(
            &format!("{{\"input\":\"{}\"}}", it.name),
            &format!("{{\"generated\":\"{}\"}}", it.name),
        );
    }
    let read: Vec<Request> = serde_json::from_str(&json).expect("they were just written");
    requests.clone_from_slice(&read);
}

fn item(style: Style) -> BoxedStrategy<ItemType> {
    let places = places(style);
    let tables: Vec<Place> = places.iter().filter(|place| place.index.is_none()).cloned().collect();
    (select(tables), item_name(), kind(), vec(item_name(), 0..3), vec(attribute(), 0..4), option::of(prose()))
        .prop_flat_map(move |(place, name, kind, entities, attributes, description)| {
            let attributes_of_indexes = places
                .iter()
                .filter(|it| it.index.is_some() && it.table == place.table)
                .flat_map(|it| it.partition.iter().chain(&it.sort))
                .cloned();
            let primary = place.partition.iter().chain(&place.sort).cloned();
            let key_names: Vec<String> = primary.chain(attributes_of_indexes).collect();
            let sparse = option::weighted(0.3, (self::name(), option::of(literal())));
            let one = (option::weighted(0.8, template()), sparse);
            let table = place.table.clone();
            vec(one, 0..=key_names.len()).prop_map(move |values| ItemType {
                name: name.clone(),
                kind,
                entities: entities.clone(),
                table: table.clone(),
                keys: key_names
                    .iter()
                    .zip(values)
                    .map(|(attribute, (template, sparse))| KeyAssignment {
                        attribute: attribute.clone(),
                        value: template.map_or(KeyValue::Natural, KeyValue::Template),
                        sparse: sparse.map(|(attribute, equals)| Sparse { attribute, equals }),
                    })
                    .collect(),
                attributes: attributes.clone(),
                description: description.clone(),
            })
        })
        .boxed()
}

fn decision() -> impl Strategy<Value = Decision> {
    let subject = prop_oneof![
        "AP-[0-9]{3}".prop_map(Subject::Pattern),
        item_name().prop_map(Subject::Item),
        "GSI[1-9]".prop_map(Subject::Index),
        Just(Subject::Design),
    ];
    (subject, prose(), prose(), option::of(prose())).prop_map(|(subject, chosen, reason, turning_point)| {
        Decision { subject, chosen, reason, alternatives: vec![], turning_point }
    })
}

/// Any design in normal form.
pub(crate) fn design() -> impl Strategy<Value = Design> {
    select(Style::ALL.to_vec()).prop_flat_map(|style| {
        (
            (option::of(prose()), option::of("[0-9]{4}-[0-9]{2}-[0-9]{2}"), option::of("[a-z-]{3,8}\\.md")),
            (option::of(name()), vec(name(), 0..3)),
            vec(item(style), 0..4),
            vec(operation(style, true), 0..3),
            vec(operation(style, false), 0..3),
            vec(decision(), 0..3),
        )
            .prop_map(
                move |(
                    (application, generated_on, input),
                    (type_attribute, tenants),
                    items,
                    reads,
                    writes,
                    decisions,
                )| {
                    let (tables, indexes) = keys_of(style);
                    let mut names = std::collections::BTreeSet::new();
                    let items: Vec<ItemType> =
                        items.into_iter().filter(|item| names.insert(item.name.clone())).collect();
                    // Reads and writes in turn: the tables of the document have another order.
                    let (mut reads, mut writes) = (reads.into_iter(), writes.into_iter());
                    let mut operations: Vec<Operation> = Vec::new();
                    loop {
                        let before = operations.len();
                        operations.extend(writes.next());
                        operations.extend(reads.next());
                        if operations.len() == before {
                            break;
                        }
                    }
                    for (at, operation) in operations.iter_mut().enumerate() {
                        operation.pattern = format!("AP-{at:03}");
                    }
                    Design {
                        application,
                        generated_on,
                        input,
                        style,
                        type_attribute,
                        tenants,
                        tables,
                        indexes,
                        items,
                        operations,
                        decisions,
                        total: Total::default(),
                        certificate: None,
                    }
                },
            )
    })
}
