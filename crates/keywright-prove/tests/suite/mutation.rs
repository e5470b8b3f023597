//! The proof can fail: a correct design, broken in every way that people break designs, is caught each time.

use crate::fixture;

use keywright_dynamodb::expression::SortRange;
use keywright_model::Design;
use keywright_model::design::{
    Action, Delete, KeyValue, Limit, Operation, Projection, Put, Query, Request, Scatter, Shape, Update,
    Value,
};
use keywright_model::evidence::Outcome;
use keywright_model::model::Direction;
use keywright_prove::engine::Embedded;
use keywright_prove::{Options, prove};

/// A way to break a design.
struct Mutation {
    name: &'static str,
    breaks: fn(&mut Design),
}

const MUTATIONS: &[Mutation] = &[
    Mutation {
        name: "drop the padding of a number",
        breaks: |design| retemplate(design, ":pad6", ":pad9", &["from", "to"]),
    },
    Mutation {
        name: "drop a tie-breaker",
        breaks: |design| rekey(design, "Ticket", "GSI1SK", "<priority:desc3>"),
    },
    Mutation {
        name: "tie-breaker that does not tell items apart",
        breaks: |design| {
            rekey(design, "Ticket", "sk", "#TICKET#<title>");
        },
    },
    Mutation { name: "reverse an order", breaks: |design| query(design, "AP-004").forward = false },
    Mutation { name: "reverse another order", breaks: |design| query(design, "AP-006").forward = true },
    Mutation {
        name: "ascending instead of inverted",
        breaks: |design| {
            rekey(design, "Ticket", "GSI1SK", "<priority:pad3>#<projectId>#<number:pad6>");
            each_update(design, "AP-023", |update| {
                update.entries[1].value =
                    Some(Value::Template("<1.priority:pad3>#<projectId>#<number:pad6>".into()));
            });
        },
    },
    Mutation {
        name: "swap two segments",
        breaks: |design| {
            rekey(design, "Ticket", "GSI2SK", "<projectId>#<createdAt:iso>#<number:pad6>");
            each_update(design, "AP-025", |update| {
                update.entries[1].value =
                    Some(Value::Template("<projectId>#<1.createdAt:iso>#<number:pad6>".into()));
            });
        },
    },
    Mutation {
        name: "swap two segments of the table's key",
        breaks: |design| {
            rekey(design, "Account", "pk", "ACCOUNT#<username>#<tenant>");
        },
    },
    Mutation {
        name: "project too little",
        breaks: |design| {
            index(design, "GSI2").projection =
                Projection::Include(vec!["projectId".into(), "number".into(), "createdAt".into()]);
        },
    },
    Mutation {
        name: "project keys only",
        breaks: |design| index(design, "GSI3").projection = Projection::KeysOnly,
    },
    Mutation {
        name: "ask an index for what it does not hold",
        breaks: |design| {
            query(design, "AP-006").projection =
                ["projectId", "number", "title", "createdAt", "status"].map(str::to_owned).to_vec();
        },
    },
    Mutation {
        name: "forget an index attribute on update",
        breaks: |design| {
            each_update(design, "AP-025", |update| update.entries.clear());
        },
    },
    Mutation {
        name: "forget half of an index key on update",
        breaks: |design| {
            each_update(design, "AP-025", |update| update.entries.truncate(1));
        },
    },
    Mutation {
        name: "leave a stale sparse entry",
        breaks: |design| {
            each_update(design, "AP-023", |update| {
                update.entries.iter_mut().for_each(|entry| entry.when = None)
            });
        },
    },
    Mutation {
        name: "never re-enter a sparse index",
        breaks: |design| {
            each_update(design, "AP-023", |update| {
                update.entries.iter_mut().for_each(|entry| entry.value = None)
            });
        },
    },
    Mutation {
        name: "forget that an index is sparse",
        breaks: |design| {
            let ticket = design.items.iter_mut().find(|item| item.name == "Ticket").expect("it is there");
            ticket.keys.iter_mut().for_each(|key| key.sparse = None);
        },
    },
    Mutation {
        name: "delete a parent without its children",
        breaks: |design| {
            operation(design, "AP-032").requests.truncate(2);
            actions(design, "AP-032").retain(|action| !is_delete_of(action, "Ticket"));
        },
    },
    Mutation {
        name: "delete all children without a second look",
        breaks: |design| operation(design, "AP-032").requests.truncate(2),
    },
    Mutation {
        name: "look for all children with an eventual read",
        breaks: |design| {
            for request in &mut operation(design, "AP-032").requests {
                if let Request::Query(query) = request {
                    query.consistent = false;
                }
            }
        },
    },
    Mutation {
        name: "forget the uniqueness item on create",
        breaks: |design| {
            actions(design, "AP-020").retain(|action| !is_put_of(action, "AccountEmail"));
        },
    },
    Mutation {
        name: "forget the new uniqueness item on update",
        breaks: |design| {
            actions(design, "AP-024").retain(|action| !is_put_of(action, "AccountEmail"));
        },
    },
    Mutation {
        name: "leave the old uniqueness item on update",
        breaks: |design| {
            actions(design, "AP-024").retain(|action| !is_delete_of(action, "AccountEmail"));
        },
    },
    Mutation {
        name: "leave the uniqueness item on delete",
        breaks: |design| {
            actions(design, "AP-031").retain(|action| !is_delete_of(action, "AccountEmail"));
        },
    },
    Mutation {
        name: "let a uniqueness item be overwritten",
        breaks: |design| {
            each_put(design, "AP-020", |put| {
                if put.item == "AccountEmail" {
                    put.condition = None
                }
            });
        },
    },
    Mutation {
        name: "let a uniqueness item be overwritten on update",
        breaks: |design| {
            each_put(design, "AP-024", |put| put.condition = None);
        },
    },
    Mutation {
        name: "too few shards on read",
        breaks: |design| {
            query(design, "AP-009").scatter = vec![Scatter::Shards { count: 3, one_after_another: false }];
        },
    },
    Mutation {
        name: "too many shards on write",
        breaks: |design| rekey(design, "Event", "GSI1PK", "EVENTS#<eventId:shard8>"),
    },
    Mutation {
        name: "read shards one after another though an order is promised",
        breaks: |design| {
            query(design, "AP-009").scatter = vec![Scatter::Shards { count: 4, one_after_another: true }];
        },
    },
    Mutation {
        name: "prefix without separator",
        breaks: |design| {
            rekey(design, "Ticket", "GSI3PK", "TITLE#<tenant>");
            query(design, "AP-007").key.partition[0].1 = Value::Template("TITLE#<tenant>".into());
        },
    },
    Mutation {
        name: "count a prefix that others share",
        breaks: |design| {
            query(design, "AP-008").key.range = None;
        },
    },
    Mutation {
        name: "tenant moved to the sort key",
        breaks: |design| {
            rekey(design, "Ticket", "GSI1PK", "OPEN");
            rekey(design, "Ticket", "GSI1SK", "<tenant>#<priority:desc3>#<projectId>#<number:pad6>");
            let query = query(design, "AP-005");
            query.key.partition[0].1 = Value::Template("OPEN".into());
            query.key.range =
                Some(("GSI1SK".into(), SortRange::BeginsWith(Value::Template("<tenant>".into()))));
        },
    },
    Mutation {
        name: "tenant forgotten",
        breaks: |design| {
            rekey(design, "Ticket", "GSI2PK", "ASSIGNEE#<assignee>");
            query(design, "AP-006").key.partition[0].1 = Value::Template("ASSIGNEE#<assignee>".into());
            each_update(design, "AP-025", |update| {
                update.entries[0].value = Some(Value::Template("ASSIGNEE#<newAssignee>".into()));
            });
        },
    },
    Mutation {
        name: "condition removed from a create",
        breaks: |design| each_put(design, "AP-021", |put| put.condition = None),
    },
    Mutation {
        name: "condition removed from an update",
        breaks: |design| {
            each_update(design, "AP-025", |update| update.condition = None);
        },
    },
    Mutation {
        name: "condition removed from a delete",
        breaks: |design| {
            each_delete(design, "AP-030", |delete| delete.condition = None);
        },
    },
    Mutation {
        name: "existence of the parent not checked",
        breaks: |design| {
            actions(design, "AP-022").retain(|action| !matches!(action, Action::Check(_)));
        },
    },
    Mutation {
        name: "counter not conditioned on what was read",
        breaks: |design| {
            actions(design, "AP-022").retain(|action| !matches!(action, Action::Check(_)));
            each_update(design, "AP-022", |update| update.condition = None);
            each_put(design, "AP-022", |put| put.condition = None);
        },
    },
    Mutation {
        name: "no retry after a lost race",
        breaks: |design| operation(design, "AP-022").retry = None,
    },
    Mutation {
        name: "counter that stands still",
        breaks: |design| {
            each_update(design, "AP-022", |update| update.update.set.retain(|(name, _)| name != "last"));
        },
    },
    Mutation {
        name: "upper bound without its end",
        breaks: |design| {
            let (_, range) = query(design, "AP-006").key.range.as_mut().expect("it has a range");
            if let SortRange::Between(_, upper) = range {
                *upper = Value::Template("<to:iso>".into());
            }
        },
    },
    Mutation {
        name: "exclusive lower bound",
        breaks: |design| {
            let key = &mut query(design, "AP-004").key;
            if let Some((name, SortRange::Between(lower, _))) = key.range.clone() {
                key.range = Some((
                    name,
                    SortRange::Compare(keywright_dynamodb::expression::Comparator::Greater, lower),
                ));
            }
        },
    },
    Mutation {
        name: "an eventual read where a strong one is asked",
        breaks: |design| {
            if let Request::GetItem(get) = &mut operation(design, "AP-001").requests[0] {
                get.consistent = false;
            }
        },
    },
    Mutation {
        name: "a page that is the whole answer",
        breaks: |design| {
            query(design, "AP-005").limit = Limit::First(5);
            operation(design, "AP-005").outcome.shape = Shape::Collection;
        },
    },
    Mutation {
        name: "an attribute that is not stored",
        breaks: |design| {
            each_put(design, "AP-020", |put| put.values.retain(|(name, _)| name != "plan"));
        },
    },
    Mutation {
        name: "an attribute that is not written to the copy of its value",
        breaks: |design| {
            each_put(design, "AP-024", |put| put.values.retain(|(name, _)| name != "username"));
        },
    },
    Mutation {
        name: "transaction taken apart",
        breaks: |design| {
            let operation = operation(design, "AP-020");
            let Some(Request::TransactWriteItems { actions }) = operation.requests.pop() else {
                panic!("a transaction")
            };
            operation.requests = actions.into_iter().map(|action| Request::Write { action }).collect();
        },
    },
    Mutation {
        name: "merged shards in the wrong order",
        breaks: |design| {
            operation(design, "AP-009").outcome.order[0].direction = Direction::Ascending;
        },
    },
    Mutation {
        name: "an operation that is missing",
        breaks: |design| design.operations.retain(|one| one.pattern != "AP-010"),
    },
];

fn operation<'d>(design: &'d mut Design, pattern: &str) -> &'d mut Operation {
    design.operations.iter_mut().find(|operation| operation.pattern == pattern).expect("the design serves it")
}

fn query<'d>(design: &'d mut Design, pattern: &str) -> &'d mut Query {
    let found = operation(design, pattern).requests.iter_mut().find_map(|request| match request {
        Request::Query(query) => Some(query),
        _ => None,
    });
    found.expect("it is served by a Query")
}

fn index<'d>(design: &'d mut Design, name: &str) -> &'d mut keywright_model::design::Index {
    design.indexes.iter_mut().find(|index| index.name == name).expect("the design has it")
}

fn actions<'d>(design: &'d mut Design, pattern: &str) -> &'d mut Vec<Action> {
    let found = operation(design, pattern).requests.iter_mut().find_map(|request| match request {
        Request::TransactWriteItems { actions } => Some(actions),
        _ => None,
    });
    found.expect("it is a transaction")
}

fn each_action(design: &mut Design, pattern: &str, mut change: impl FnMut(&mut Action)) {
    for request in &mut operation(design, pattern).requests {
        match request {
            Request::Write { action } => change(action),
            Request::TransactWriteItems { actions } => actions.iter_mut().for_each(&mut change),
            _ => {}
        }
    }
}

fn each_put(design: &mut Design, pattern: &str, mut change: impl FnMut(&mut Put)) {
    each_action(design, pattern, |action| {
        if let Action::Put(put) = action {
            change(put)
        }
    });
}

fn each_update(design: &mut Design, pattern: &str, mut change: impl FnMut(&mut Update)) {
    each_action(design, pattern, |action| {
        if let Action::Update(update) = action {
            change(update)
        }
    });
}

fn each_delete(design: &mut Design, pattern: &str, mut change: impl FnMut(&mut Delete)) {
    each_action(design, pattern, |action| {
        if let Action::Delete(delete) = action {
            change(delete)
        }
    });
}

fn is_put_of(action: &Action, item: &str) -> bool {
    matches!(action, Action::Put(put) if put.item == item)
}

fn is_delete_of(action: &Action, item: &str) -> bool {
    matches!(action, Action::Delete(delete) if delete.item == item)
}

/// Gives a key attribute of an item type another template.
fn rekey(design: &mut Design, item: &str, attribute: &str, template: &str) {
    let item = design.items.iter_mut().find(|one| one.name == item).expect("the design has it");
    let key = item.keys.iter_mut().find(|key| key.attribute == attribute).expect("the item has it");
    key.value = KeyValue::Template(template.into());
}

/// Replaces an encoding in the range of a Query, where the placeholder has one of the names.
fn retemplate(design: &mut Design, from: &str, to: &str, names: &[&str]) {
    if let Some((_, SortRange::Between(lower, upper))) = &mut query(design, "AP-004").key.range {
        for bound in [lower, upper] {
            if let Value::Template(text) = bound
                && names.iter().any(|name| text.contains(name))
            {
                *text = text.replace(from, to);
            }
        }
    }
}

/// Which patterns a proof of the design finds fault with.
fn caught(design: &Design) -> Vec<String> {
    let engine = Embedded::in_memory().expect("memory is there");
    let options = Options { scale: 120, stop_at_failure: true, shrink: false, ..Options::default() };
    let evidence =
        prove(&fixture::model(), design, &engine, &options, &mut |_| {}).expect("the engine answers");
    let failed = evidence.patterns.into_iter().filter(|pattern| pattern.outcome == Outcome::Failed);
    failed
        .map(|pattern| format!("{}: {}", pattern.id, pattern.failure.map_or_else(String::new, |it| it.check)))
        .collect()
}

#[test]
#[allow(clippy::print_stdout, reason = "the suite prints caught / total")]
fn every_mutation_is_caught() {
    let results: Vec<(&str, Vec<String>)> = std::thread::scope(|scope| {
        let halves: Vec<_> = MUTATIONS
            .chunks(MUTATIONS.len().div_ceil(2))
            .map(|some| {
                scope.spawn(move || {
                    let run = |mutation: &Mutation| {
                        let mut design = fixture::design();
                        (mutation.breaks)(&mut design);
                        (mutation.name, caught(&design))
                    };
                    some.iter().map(run).collect::<Vec<_>>()
                })
            })
            .collect();
        halves.into_iter().flat_map(|half| half.join().expect("no proof panics")).collect()
    });
    for (name, found) in &results {
        println!("{} {name}: {}", if found.is_empty() { "MISSED" } else { "caught" }, found.join(", "));
    }
    let missed: Vec<&str> =
        results.iter().filter(|(_, found)| found.is_empty()).map(|(name, _)| *name).collect();
    println!("caught {} / {}", results.len() - missed.len(), results.len());
    assert!(results.len() >= 25);
    assert!(missed.is_empty(), "not caught: {missed:?}");
}
