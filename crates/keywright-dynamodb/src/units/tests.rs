//! The cost of requests, checked against the developer guide's own examples.

use super::*;
use crate::index::{Index, Projection};
use crate::limits::KB;
use proptest::prelude::*;

const EVENTUAL: Consistency = Consistency::Eventual;
const STRONG: Consistency = Consistency::Strong;
const TRANSACTIONAL: Consistency = Consistency::Transactional;

#[test]
fn reads_round_each_item_up_to_4_kb() {
    assert_eq!(get_item(Some(1), STRONG), Units::ONE);
    assert_eq!(get_item(Some(4 * KB), STRONG), Units::ONE);
    assert_eq!(get_item(Some(4 * KB + 1), STRONG), Units::whole(2));
    assert_eq!(get_item(Some(8 * KB), EVENTUAL), Units::ONE);
    assert_eq!(get_item(Some(8 * KB), TRANSACTIONAL), Units::whole(4));
    assert_eq!(get_item(None, EVENTUAL), Units::HALF, "what isn't there costs too");
}

#[test]
fn a_batch_rounds_per_item_and_a_query_once() {
    // The guide's example: 1.5 KB and 6.5 KB are 12 KB in a batch, and 8 KB in a Query.
    let sizes = [KB + KB / 2, 6 * KB + KB / 2];
    assert_eq!(get_items(sizes.map(Some), STRONG), Units::whole(3));
    assert_eq!(query(sizes, STRONG), Units::whole(2));
    assert_eq!(query([], EVENTUAL), Units::HALF, "an empty page costs too");
}

#[test]
fn writes_cost_the_larger_image_per_kb() {
    assert_eq!(write_item(None, Some(1)), Units::ONE);
    assert_eq!(write_item(None, Some(KB + 1)), Units::whole(2));
    assert_eq!(write_item(Some(5 * KB), Some(10)), Units::whole(5));
    assert_eq!(write_item(Some(3 * KB), None), Units::whole(3));
    assert_eq!(write_item(None, None), Units::ONE);
    assert_eq!(condition_check(Some(2 * KB + 1)), Units::whole(6));
    assert_eq!(condition_check(None), Units::whole(2));
}

/// A table item with an optional status, which is the index's key, and a note of this many bytes.
fn item(status: Option<&str>, note: usize) -> Item {
    let mut item = Item::from([("pk".into(), "1".into()), ("note".into(), "n".repeat(note).into())]);
    item.extend(status.map(|status| ("status".to_owned(), status.into())));
    item
}

fn index_units(before: Option<&Item>, after: Option<&Item>, projection: &Projection) -> Units {
    let (table, index) = (KeyAttributes::simple("pk", None), KeyAttributes::simple("status", None));
    let image = |item: Option<&Item>| item.and_then(|item| entry(item, &table, &index, projection));
    EntryChange::between(image(before).as_ref(), image(after).as_ref(), &index).units()
}

#[test]
fn an_index_entry_costs_only_what_changes_in_it() {
    let (open, closed, outside) = (item(Some("OPEN"), 1500), item(Some("CLOSED"), 1500), item(None, 1500));
    let grown = item(Some("OPEN"), 2500);
    let all = &Projection::All;
    for (before, after, units, why) in [
        (None, Some(&open), 2, "enters"),
        (Some(&open), None, 2, "leaves with the item"),
        (Some(&open), Some(&outside), 2, "leaves the sparse index"),
        (Some(&outside), Some(&open), 2, "enters the sparse index"),
        (Some(&open), Some(&closed), 4, "moves"),
        (Some(&open), Some(&grown), 3, "changes, by the larger"),
        (Some(&grown), Some(&open), 3, "changes, by the larger"),
        (Some(&open), Some(&open), 0, "stays"),
        (None, Some(&outside), 0, "was never in it"),
    ] {
        assert_eq!(index_units(before, after, all), Units::whole(units), "{why}");
    }
    let keys = &Projection::KeysOnly;
    assert_eq!(index_units(Some(&open), Some(&grown), keys), Units::ZERO, "not projected");
    assert_eq!(index_units(Some(&open), Some(&closed), keys), Units::whole(2), "two small entries");
}

#[test]
fn a_write_is_charged_on_the_table_and_on_each_index_that_it_changes() {
    let index = |name: &str, projection| Index {
        name: name.into(),
        key: KeyAttributes::simple("status", None),
        projection,
    };
    let table = Table {
        key: KeyAttributes::simple("pk", None),
        indexes: vec![index("ALL", Projection::All), index("KEYS", Projection::KeysOnly)],
    };
    let consumed = Consumed::of_write(&table, Some(&item(Some("A"), 1500)), Some(&item(Some("A"), 2500)));
    assert_eq!(consumed, Consumed::of_table(Units::whole(3)).with_index("ALL", Units::whole(3)));
}

#[test]
fn a_transaction_doubles_the_table_alone() {
    let mut sum = Consumed::of_table(Units::whole(2)).with_index("GSI1", Units::ONE).in_transaction();
    sum += Consumed::of_table(Units::ONE).with_index("GSI2", Units::ZERO).in_transaction();
    sum += Consumed::of_table(condition_check(None));
    assert_eq!(sum.table, Units::whole(8));
    assert_eq!(sum.indexes, BTreeMap::from([("GSI1".to_owned(), Units::ONE)]));
    assert_eq!(sum.total(), Units::whole(9));
}

#[test]
fn units_are_numbers_in_json_and_halves_are_exact() {
    assert_eq!(serde_json::to_string(&[Units::HALF, Units::whole(3)]).unwrap(), "[0.5,3]");
    assert_eq!(serde_json::from_str::<Vec<Units>>("[0.5, 3, 3.0]").unwrap()[1], Units::whole(3));
    for wrong in ["0.3", "-1", "1e30"] {
        assert!(serde_json::from_str::<Units>(wrong).is_err(), "{wrong}");
    }
    assert_eq!(Units::from_capacity(f64::NAN), None);
    assert_eq!(Units::halves(7).to_string(), "3.5");
}

proptest! {
    #[test]
    fn one_query_is_never_dearer_than_its_items_one_by_one(sizes in prop::collection::vec(0u64..500_000, 1..20)) {
        let together = query(sizes.iter().copied(), EVENTUAL);
        prop_assert!(together <= get_items(sizes.iter().copied().map(Some), EVENTUAL));
    }

    #[test]
    fn consistency_costs_double_by_double(bytes in 0u64..500_000) {
        prop_assert_eq!(read(bytes, EVENTUAL) * 2, read(bytes, STRONG));
        prop_assert_eq!(read(bytes, STRONG) * 2, read(bytes, TRANSACTIONAL));
    }

    #[test]
    fn capacity_reads_back(halves in 0u64..1 << 40) {
        prop_assert_eq!(Units::from_capacity(halves as f64 / 2.0), Some(Units::halves(halves)));
    }
}
