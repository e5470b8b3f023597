//! Heat of what reads tie together, by trying everything: the search has to find the cheapest design in which no
//! collection of several entities is too hot, and to know that it is.

use std::collections::BTreeMap;

use keywright_dynamodb::price::PriceTable;

use super::random::Dice;
use super::rewritten::{READS, WRITES};
use super::{Interface, each_layout, places, shared_reads, together};
use crate::cost::{Load, MonthlyPrice, OperationalPrices, bears, hottest_share, multi_price};
use crate::demand::{Demand, demands};
use crate::design::cool_price;
use crate::problem::{Attrs, Problem, resolve};
use crate::rewriting::Rewriting;

/// More combinations than this are left to other seeds.
const MOST_LAYOUTS: usize = 3_000;
const MOST_TOGETHER: usize = 300_000;

/// What an entity asks of its table, then of each of its indexes, with the partition attributes there.
type Asked = Vec<(Attrs, Load)>;

/// The cheapest price of all designs in which nothing that reads tie together is too hot; the outer none where there are
/// too many.
fn cheapest(problem: &Problem, month: &MonthlyPrice, demands: &[Vec<Demand>]) -> Option<Option<i128>> {
    let mut budget = MOST_LAYOUTS;
    let mut all: Vec<Vec<((Interface, i128), Asked)>> = Vec::new();
    for (entity, demands) in demands.iter().enumerate() {
        let mut best: BTreeMap<(Interface, Asked), i128> = BTreeMap::new();
        each_layout(problem, month, entity, demands, &mut budget, &mut |interface, laid| {
            let least = best.entry((interface, laid.asked)).or_insert(laid.price);
            *least = laid.price.min(*least);
        })?;
        let mut sorted: Vec<_> =
            best.into_iter().map(|((interface, asked), price)| ((interface, price), asked)).collect();
        sorted.sort_by_key(|((_, price), _)| *price);
        all.push(sorted);
    }
    let combinations = all.iter().try_fold(1usize, |product, it| product.checked_mul(it.len()))?;
    if combinations > MOST_TOGETHER {
        return None;
    }
    let mut best: Option<i128> = None;
    for combination in 0..combinations {
        let mut rest = combination;
        let mut picked: Vec<&(Interface, i128)> = Vec::new();
        let mut asked: Vec<&Asked> = Vec::new();
        for options in &all {
            let (priced, asks) = &options[rest % options.len()];
            rest /= options.len();
            picked.push(priced);
            asked.push(asks);
        }
        let least: i128 = picked.iter().map(|it| it.1).sum();
        if best.is_none_or(|best| least < best)
            && let Some(total) = together(problem, month, demands, &picked)
            && best.is_none_or(|best| total < best)
            && is_cool(problem, month, demands, &picked, &asked)
        {
            best = Some(total);
        }
    }
    Some(best)
}

/// Whether every collection that reads tie together bears all that is asked of it.
fn is_cool(
    problem: &Problem,
    month: &MonthlyPrice,
    demands: &[Vec<Demand>],
    picked: &[&(Interface, i128)],
    asked: &[&Asked],
) -> bool {
    let mut group: BTreeMap<(usize, Option<usize>), usize> = BTreeMap::new();
    for (read, facts) in shared_reads(problem) {
        let here: Vec<(usize, Option<usize>)> =
            places(facts, read, demands, picked).iter().map(|(entity, place)| (*entity, place.0)).collect();
        for it in &here {
            let number = group.len();
            group.entry(*it).or_insert(number);
        }
        for it in &here {
            let (from, to) = (group[it], group[&here[0]]);
            group.values_mut().filter(|it| **it == from).for_each(|it| *it = to);
        }
    }
    let mut loads: BTreeMap<usize, (usize, Load)> = BTreeMap::new();
    let at = |place: Option<usize>| place.map_or(0, |at| 1 + at);
    for ((entity, place), number) in &group {
        let (members, load) = loads.entry(*number).or_default();
        *members += 1;
        load.add(asked[*entity][at(*place)].1);
    }
    for (read, facts) in shared_reads(problem) {
        let parts = places(facts, read, demands, picked);
        let bytes: Vec<u64> = parts.iter().map(|part| part.1.1).collect();
        let (head, place) = (parts[0].0, parts[0].1.0);
        let half = multi_price(month, facts, &problem.entities, &bytes).half_units_per_partition;
        let share = hottest_share(&problem.entities[head], asked[head][at(place)].0, false);
        let (_, load) = loads.entry(group[&(head, place)]).or_default();
        load.add_reads(facts.peak, half, share);
    }
    loads.values().all(|(members, load)| *members == 1 || bears(*load))
}

/// Tenants with two kinds of children, each read beside them or alone, all asked for a lot.
fn tenants(dice: &mut Dice) -> Problem {
    let mut rows = (String::new(), String::new());
    let mut entities = String::new();
    let mut pattern = 0;
    let mut id = || {
        pattern += 1;
        format!("AP-{pattern:03}")
    };
    for child in ["Event", "Alarm"] {
        let (name, bytes) = (child.to_lowercase(), dice.pick(&["60", "900"]));
        let under = dice.roll(2) == 0;
        let tenant = if under { "id, ref Tenant" } else { "ref Tenant, immutable" };
        entities.push_str(&format!(
            "### {child}\n- **Attributes**:\n  - `tenantId` (ulid, {tenant})\n  - `{name}Id` (ulid, id)\n\
            \x20 - `text` (string, mutable, ~{bytes} bytes)\n- **Relationships**: Belongs to a Tenant.\n\
            - **Cardinality**: ~2M {name}s per tenant, ~10M total\n\n"
        ));
        let rate = dice.pick(&["1", "100", "250", "500"]);
        let strength = dice.pick(&["Eventual", "Eventual", "Eventual", "Eventual", "Strong"]);
        let (read, several) =
            if dice.roll(4) > 0 { (format!("Tenant, {child}"), "Yes") } else { (child.to_owned(), "No") };
        rows.0.push_str(&format!(
            "| {} | {read} | List | tenantId | Collection | {name}Id desc | Yes | 20 | {rate} | {strength} | {several} |\n",
            id()
        ));
        let rate = dice.pick(&["1", "300", "400", "500", "700"]);
        rows.1.push_str(&format!(
            "| {} | {child} | Create | tenantId, text | 1 ({child}) | No | - | {rate} |\n",
            id()
        ));
        if dice.roll(3) == 0 {
            let (given, rate) = (if under { "tenantId, " } else { "" }, dice.pick(&["1", "200"]));
            rows.1.push_str(&format!(
                "| {} | {child} | Update | {given}{name}Id, newText | 1 ({child}) | No | - | {rate} |\n",
                id()
            ));
        }
    }
    let changes = dice.pick(&["1", "300"]);
    let text = format!(
        "# DynamoDB Access Patterns\n\n## Entities\n\n\
        ### Tenant\n- **Attributes**:\n  - `tenantId` (ulid, id)\n  - `name` (string, mutable, ~40 bytes)\n\
        - **Cardinality**: ~5 total\n\n{entities}{READS}{}{WRITES}{}\
        | {} | Tenant | Rename | tenantId, newName | 1 (Tenant) | No | - | {changes} |\n",
        rows.0,
        rows.1,
        id()
    );
    let (model, _) = keywright_document::read_access_patterns(&text);
    resolve(&model, &[], Rewriting::default()).problem
}

#[test]
fn what_is_too_hot_together_is_parted_at_the_least_price() {
    let month = MonthlyPrice { table: PriceTable::us_east_1(), operational: OperationalPrices::default() };
    let (mut parted, mut impossible, mut skipped) = (0, 0, 0);
    for seed in 0..400 {
        let problem = tenants(&mut Dice(seed));
        // What heat does not part is compared elsewhere, a thousand times.
        let Some(found) = cool_price(&problem, &month).filter(|found| found.parted) else { continue };
        let Some(naive) =
            cheapest(&problem, &month, &demands(&problem, keywright_model::Style::Overloaded, None))
        else {
            skipped += 1;
            continue;
        };
        assert_eq!(found.total, naive, "seed {seed}: {problem:#?}");
        assert_eq!(found.total, found.bound, "seed {seed}: nothing is left open");
        if naive.is_some() { parted += 1 } else { impossible += 1 }
    }
    let seen = format!("{parted} parted, {impossible} impossible, {skipped} too large");
    assert!(parted > 15 && impossible > 5, "{seen}");
}
