//! Documents that are rewritten before they are designed: every way to merge what is one to one, and every few copies,
//! is a document that the enumerator prices by itself. The design costs what the cheapest of them costs.

use keywright_audit::{Verdict, audit};
use keywright_dynamodb::expression::Condition;
use keywright_dynamodb::price::PriceTable;
use keywright_model::Model;
use keywright_model::design::{ItemKind, Request, Value};

use super::cheapest;
use super::random::Dice;
use crate::copy::{Copied, copied, copyable};
use crate::cost::{MonthlyPrice, OperationalPrices};
use crate::demand::demands;
use crate::merge::{mergeable, merged};
use crate::problem::resolve;
use crate::rewriting::Rewriting;
use crate::{Options, design};

/// What the enumerator says of a document as it stands: the outer none where it is too large, the inner one where nothing
/// serves all of it.
fn priced(model: &Model, rewriting: Rewriting<'_>) -> Option<Option<i128>> {
    let month = MonthlyPrice { table: PriceTable::us_east_1(), operational: OperationalPrices::default() };
    let problem = resolve(model, &[], rewriting).problem;
    cheapest(&problem, &month, &demands(&problem, keywright_model::Style::Overloaded, None))
}

fn read(text: &str) -> Model {
    keywright_document::read_access_patterns(text).0
}

pub(super) const READS: &str = "\n## Access Patterns\n\n### Reads\n\n\
    | ID | Entity | Description | Input Parameters | Result | Sort | Paginated | Page Size | Rate | Consistency | Multi-Entity |\n\
    |---|---|---|---|---|---|---|---|---|---|---|\n";
pub(super) const WRITES: &str = "\n### Writes\n\n\
    | ID | Entity | Description | Input Parameters | Items Written | Transaction | Conditions | Rate |\n\
    |---|---|---|---|---|---|---|---|\n";

/// An account with a profile that comes later.
fn accounts(dice: &mut Dice) -> Model {
    let mut rate = || dice.pick(&["0.1", "2", "40", "700"]);
    let (both, own, other, changes) = (rate(), rate(), rate(), rate());
    let bytes = dice.pick(&["60", "900", "3500"]);
    read(&format!(
        "# DynamoDB Access Patterns\n\n## Entities\n\n\
        ### Account\n- **Attributes**:\n  - `accountId` (ulid, id)\n  - `name` (string, mutable, ~{bytes} bytes)\n\
        - **Cardinality**: ~200K total\n\n\
        ### Profile\n- **Attributes**:\n  - `accountId` (ulid, id, ref Account)\n  - `about` (string, mutable, ~80 bytes)\n\
        - **Relationships**: 1:1 with Account\n- **Cardinality**: 1:1 with Account, ~90K total\n{READS}\
        | AP-001 | Account, Profile | Get both | accountId | Collection | - | No | - | {both} | Eventual | Yes |\n\
        | AP-002 | Account | Get an account | accountId | Single | - | No | - | {own} | Strong | No |\n\
        | AP-003 | Profile | Get a profile | accountId | Single | - | No | - | {other} | Eventual | No |\n{WRITES}\
        | AP-010 | Account | Create an account | name | 1 (Account) | No | - | 0.5 |\n\
        | AP-011 | Profile | Create a profile | accountId, about | 1 (Profile) | Yes | Account must exist; Profile must not exist | 0.2 |\n\
        | AP-012 | Profile | Update a profile | accountId, newAbout | 1 (Profile) | No | Profile must exist | {changes} |\n"
    ))
}

#[test]
fn entities_that_are_one_to_one_cost_what_the_cheaper_way_costs() {
    let (mut one, mut two) = (0, 0);
    for seed in 0..120 {
        let model = accounts(&mut Dice(seed));
        let pairs = mergeable(&model);
        assert_eq!(pairs.len(), 1, "seed {seed}");
        let together = merged(&model, &pairs);
        let apart = priced(&model, Rewriting::default());
        let together = priced(&together, Rewriting { merges: &pairs, ..Rewriting::default() });
        let (Some(Some(apart)), Some(Some(together))) = (apart, together) else { panic!("seed {seed}") };
        let found = design(&model, &Options::default()).design.expect("a document that can be served");
        let price = found.total.bill + found.total.operational;
        assert_eq!(price.pico(), apart.min(together), "seed {seed}: {apart} apart, {together} as one");
        if together <= apart { one += 1 } else { two += 1 }
    }
    assert!(one > 5 && two > 5, "{one} as one item, {two} as two");
}

/// Shifts of nurses in wards, wanted strongly by both.
fn shifts(dice: &mut Dice) -> Model {
    let mut rate = || dice.pick(&["0.1", "2", "40"]);
    let (nurses, wards, changes) = (rate(), rate(), rate());
    let (bytes, note) = (dice.pick(&["60", "900", "3500"]), dice.pick(&["60", "900", "3500"]));
    read(&format!(
        "# DynamoDB Access Patterns\n\n## Entities\n\n\
        ### Nurse\n- **Attributes**:\n  - `nurseId` (ulid, id)\n  - `name` (string, ~{bytes} bytes)\n\
        - **Cardinality**: ~10K total\n\n\
        ### Ward\n- **Attributes**:\n  - `wardId` (ulid, id)\n  - `floor` (string, ~20 bytes)\n\
        - **Cardinality**: ~2K total\n\n\
        ### Shift\n- **Attributes**:\n  - `shiftId` (ulid, id)\n  - `nurseId` (ulid, ref Nurse, immutable)\n\
        \x20 - `wardId` (ulid, ref Ward, immutable)\n  - `note` (string, mutable, ~{note} bytes)\n\
        - **Relationships**: Belongs to a Nurse. Belongs to a Ward.\n\
        - **Cardinality**: ~100 shifts per nurse, ~500 shifts per ward, ~1M total\n{READS}\
        | AP-001 | Nurse, Shift | Get a nurse with shifts | nurseId | Collection | - | No | - | {nurses} | Strong | Yes |\n\
        | AP-002 | Ward, Shift | Get a ward with shifts | wardId | Collection | - | No | - | {wards} | Strong | Yes |\n\
        {WRITES}\
        | AP-010 | Shift | Create a shift | nurseId, wardId, note | 1 (Shift) | Yes | - | 1 |\n\
        | AP-011 | Shift | Update a shift | nurseId, wardId, shiftId, newNote | 1 (Shift) | Yes | - | {changes} |\n"
    ))
}

#[test]
fn copies_cost_what_the_cheapest_of_them_costs() {
    let mut compared = 0;
    for seed in 0..40 {
        let model = shifts(&mut Dice(seed));
        assert_eq!(priced(&model, Rewriting::default()), Some(None), "seed {seed}: no table has both");
        let each = copyable(&model);
        assert_eq!(each.len(), 2, "seed {seed}");
        let with = |copy: &Copied| {
            let copies = std::slice::from_ref(copy);
            priced(&copied(&model, copies), Rewriting { copies, ..Rewriting::default() })
        };
        let prices: Option<Vec<Option<i128>>> = each.iter().map(with).collect();
        let Some(prices) = prices else { continue };
        let found = design(&model, &Options::default()).design.expect("a copy serves both");
        assert_eq!(found.items.iter().filter(|item| item.kind == ItemKind::Copy).count(), 1);
        let price = found.total.bill + found.total.operational;
        assert_eq!(Some(price.pico()), prices.into_iter().flatten().min(), "seed {seed}");
        compared += 1;
    }
    assert!(compared > 20, "{compared} compared");
}

/// A repository with issues and pull requests that are one list, few of each.
fn numbered(dice: &mut Dice) -> Model {
    let mut rate = || dice.pick(&["0.1", "2", "40", "700"]);
    let (both, issues, pulls) = (rate(), rate(), rate());
    let (bytes, most) = (dice.pick(&["60", "900"]), dice.pick(&["40", "400", "4000"]));
    let page = dice.pick(&["No | -", "Yes | 10", "Yes | 100"]);
    // Of one kind a filter may ask more than the repository.
    let asked = dice.pick(&[
        "repoId",
        "repoId, status",
        "repoId, number between from and until",
        "repoId, status, author",
    ]);
    let consistency = dice.pick(&["Eventual", "Eventual", "Strong"]);
    read(&format!(
        "# DynamoDB Access Patterns\n\n## Entities\n\n\
        ### Repo\n- **Attributes**:\n  - `repoId` (ulid, id)\n  - `name` (string)\n- **Cardinality**: ~10K total\n\n\
        ### Issue\n- **Attributes**:\n  - `repoId` (ulid, id, ref Repo)\n\
        \x20 - `number` (integer, id, sequential, shared with PullRequest, max 99999)\n  - `title` (string, ~{bytes} bytes)\n\
        \x20 - `status` (enum(OPEN, CLOSED), mutable)\n  - `author` (string, ~500 values)\n\
        - **Relationships**: Belongs to a Repo\n- **Cardinality**: at most {most} issues per repo, ~20 per repo, ~200K total\n\n\
        ### PullRequest\n- **Attributes**:\n  - `repoId` (ulid, id, ref Repo)\n\
        \x20 - `number` (integer, id, sequential, max 99999)\n  - `title` (string, ~60 bytes)\n\
        - **Relationships**: Belongs to a Repo\n- **Cardinality**: at most {most} pull requests per repo, ~10 per repo, ~100K total\n{READS}\
        | AP-001 | Repo, Issue, PullRequest | All of a repo in order | repoId | Collection | number DESC | Yes | 25 | {both} | Eventual | Yes |\n\
        | AP-002 | Issue | Issues of a repo | {asked} | Collection | number DESC | {page} | {issues} | {consistency} | No |\n\
        | AP-003 | PullRequest | Pull requests of a repo | repoId | Collection | number ASC | {page} | {pulls} | Eventual | No |\n"
    ))
}

#[test]
fn a_read_of_one_kind_costs_what_a_filter_or_keys_of_its_own_cost() {
    let (mut compared, mut filtered, mut sieved, mut apart) = (0, 0, 0, 0);
    for seed in 0..100 {
        let model = numbered(&mut Dice(seed));
        let reads = crate::problem::siftable(&resolve(&model, &[], Rewriting::default()).problem);
        assert_eq!(reads.len(), 2, "seed {seed}");
        let ways: [&[usize]; 4] = [&[], &reads[..1], &reads[1..], &reads];
        let prices = ways.map(|sifted| priced(&model, Rewriting { sifted, ..Rewriting::default() }));
        let prices: Option<Vec<Option<i128>>> = prices.into_iter().collect();
        let Some(least) = prices.map(|prices| prices.into_iter().flatten().min()) else { continue };
        let outcome = design(&model, &Options::default());
        let found = outcome.design.map(|found| {
            let verdict = audit(&found, outcome.certificate.as_ref().expect("every design has one"));
            assert!(verdict.as_ref().is_ok_and(Verdict::is_shown), "seed {seed}: {verdict:?}");
            let requests = found.operations.iter().flat_map(|operation| &operation.requests);
            let filters: Vec<&Condition<Value>> = requests
                .filter_map(|request| match request {
                    Request::Query(query) => query.filter.as_ref(),
                    _ => None,
                })
                .collect();
            sieved += usize::from(filters.iter().any(|it| matches!(it, Condition::All(_))));
            match filters.is_empty() {
                true => apart += 1,
                false => filtered += 1,
            }
            (found.total.bill + found.total.operational).pico()
        });
        assert_eq!(found, least, "seed {seed}");
        compared += 1;
    }
    assert!(
        compared > 20 && filtered > 5 && sieved > 5 && apart > 5,
        "{compared}: {filtered} with a filter, {sieved} that asks for more than the kind, {apart} without"
    );
}
