use proptest::prelude::*;

use super::*;
use crate::expression::{Names, quoted};

fn print(term: &Term) -> String {
    match term {
        Term::Placeholder(name) if name.chars().all(is_word) && !name.is_empty() => format!(":{name}"),
        Term::Placeholder(name) => format!(":{}", quoted(name, '"')),
        Term::Quoted(text) => quoted(text, '\''),
        Term::DoubleQuoted(text) => quoted(text, '"'),
        Term::Number(number) => number.clone(),
        Term::Boolean(flag) => flag.to_string(),
        Term::Sum(of, step) if *step < 0 => format!("{} - {}", print(of), step.unsigned_abs()),
        Term::Sum(of, step) => format!("{} + {step}", print(of)),
    }
}

#[test]
fn precedence_is_not_and_or() {
    assert_eq!(
        condition("NOT a = :a AND b = :b OR c = :c").unwrap(),
        condition("((NOT (a = :a)) AND b = :b) OR (c = :c)").unwrap()
    );
}

#[test]
fn what_people_write_is_read() {
    for text in [
        "attribute_not_exists(pk)",
        "size(tags) <= :max AND #status IN (:a, :b, 'C')",
        "price BETWEEN :low AND :high",
        "begins_with(sk, \"ORDER#\")",
        "size = 3",
        "lines[0].sku <> :sku",
        "flag = true",
    ] {
        condition(text).unwrap_or_else(|error| panic!("{text}: {error} at {}", error.offset));
    }
    let update =
        update("SET a = :a, n = if_not_exists(n, 0) + 1, m = m - :x REMOVE b, c.d ADD k 1 DELETE s :s");
    assert_eq!(update.unwrap().set.len(), 3);
}

#[test]
fn errors_say_where() {
    for (text, offset) in [
        ("", 0),
        ("a", 1),
        ("a = ", 4),
        ("a = :a extra", 7),
        ("a = 'x", 4),
        ("a ? b", 2),
        ("a IN :x", 5),
        ("(a = :a", 7),
        ("begins_with(a :b)", 14),
        ("a BETWEEN :x :y", 13),
        (":", 1),
        ("a[x]", 2),
    ] {
        let error = condition(text).expect_err(text);
        assert_eq!(error.offset, offset, "{text}: {error}");
    }
    assert!(update("SET a = :a SET b = :b").is_err());
    assert!(update("SET a = b").is_err());
}

#[test]
fn nesting_is_bounded() {
    let deep = |depth: usize| format!("{}a = :a{}", "(".repeat(depth), ")".repeat(depth));
    assert!(condition(&deep(NESTING - 1)).is_ok());
    assert!(condition(&deep(NESTING)).is_err());
    assert!(condition(&"NOT ".repeat(1_000_000)).is_err());
}

#[test]
fn names_keep_their_place() {
    let found = names("begins_with(status, :x) AND #name = name AND size(data.list) > 1").unwrap();
    let found: Vec<_> = found.iter().map(|it| (it.name.as_str(), it.escaped, it.range.start)).collect();
    assert_eq!(
        found,
        [
            ("status", false, 12),
            ("name", true, 28),
            ("name", false, 36),
            ("data", false, 50),
            ("list", false, 55)
        ]
    );
}

fn path() -> impl Strategy<Value = String> {
    "[a-z\\-]{1,6}(\\[[0-9]\\])?(\\.(status|size|true|[a-z0-9 |`]{1,4}))?"
}

fn term() -> impl Strategy<Value = Term> {
    let leaf = prop_oneof![
        "[a-zA-Z][a-zA-Z0-9_\\-]{0,6}".prop_map(Term::Placeholder),
        "\\PC{0,8}".prop_map(Term::Quoted),
        any::<String>().prop_map(Term::DoubleQuoted),
        "-?[0-9]{1,4}(\\.[0-9]{1,2})?".prop_map(Term::Number),
        any::<bool>().prop_map(Term::Boolean),
    ];
    (leaf, prop::option::of(any::<i64>())).prop_map(|(leaf, step)| match step {
        Some(step) => Term::Sum(Box::new(leaf), step),
        None => leaf,
    })
}

fn operand() -> impl Strategy<Value = Operand<Term>> {
    prop_oneof![
        path().prop_map(Operand::Path),
        path().prop_map(Operand::Size),
        term().prop_map(Operand::Value)
    ]
}

fn any_condition() -> impl Strategy<Value = Condition<Term>> {
    let comparator = prop::sample::select(Comparator::ALL.to_vec());
    let leaf = prop_oneof![
        (operand(), comparator, operand()).prop_map(|(a, b, c)| Condition::Compare(a, b, c)),
        (operand(), operand(), operand()).prop_map(|(a, b, c)| Condition::Between(a, b, c)),
        (operand(), prop::collection::vec(operand(), 1..3)).prop_map(|(a, list)| Condition::In(a, list)),
        path().prop_map(Condition::Exists),
        path().prop_map(Condition::NotExists),
        (path(), term()).prop_map(|(path, term)| Condition::Type(path, term)),
        (path(), term()).prop_map(|(path, term)| Condition::BeginsWith(path, term)),
        (path(), term()).prop_map(|(path, term)| Condition::Contains(path, term)),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 2..4).prop_map(Condition::All),
            prop::collection::vec(inner.clone(), 2..4).prop_map(Condition::Any),
            inner.prop_map(|part| Condition::Not(Box::new(part))),
        ]
    })
}

fn any_update() -> impl Strategy<Value = Update<Term>> {
    let assigned = prop_oneof![
        term().prop_map(Assigned::Value),
        (path(), term()).prop_map(|(path, term)| Assigned::Plus(path, term)),
        (path(), term()).prop_map(|(path, term)| Assigned::Minus(path, term)),
        (path(), term()).prop_map(|(path, term)| Assigned::IfNotExists(path, term)),
        (path(), term(), term()).prop_map(|(path, start, term)| Assigned::IfNotExistsPlus(path, start, term)),
        (path(), term()).prop_map(|(path, term)| Assigned::ListAppend(path, term)),
    ];
    let pairs = || prop::collection::vec((path(), term()), 0..3);
    (prop::collection::vec((path(), assigned), 0..3), prop::collection::vec(path(), 0..3), pairs(), pairs())
        .prop_map(|(set, remove, add, delete)| Update { set, remove, add, delete })
}

proptest! {
    #[test]
    fn a_printed_condition_reads_back(tree in any_condition()) {
        let text = tree.print(&mut Names::documented(), &mut print);
        prop_assert!(!text.contains(['|', '`', '\n']), "{}", text);
        prop_assert_eq!(condition(&text).map_err(|error| format!("{text}: {error} at {}", error.offset)), Ok(tree));
    }

    #[test]
    fn a_printed_update_reads_back(tree in any_update()) {
        let text = tree.print(&mut Names::documented(), &mut print);
        prop_assert_eq!(update(&text).map_err(|error| format!("{text}: {error} at {}", error.offset)), Ok(tree));
    }

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC*") {
        for error in [condition(&text).err(), update(&text).err(), names(&text).err()].into_iter().flatten() {
            prop_assert!(error.offset <= text.len() && text.is_char_boundary(error.offset));
        }
    }
}
