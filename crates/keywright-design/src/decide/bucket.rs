//! The month as a part of the partition key, which texts on time series teach: what it would cost a read by a range of
//! time that one Query serves without it.

use keywright_dynamodb::Money;
use keywright_model::design::Alternative;
use keywright_model::model::Type;

use crate::cost::ReadPrice;
use crate::demand::Demand;
use crate::plan::Fit;
use crate::search::EntityTask;

/// The alternative of one collection for each month, where a range of time with two ends could be read from those.
pub(super) fn alternative(
    task: &EntityTask<'_>,
    demand: &Demand,
    fit: &Fit,
    chosen: &ReadPrice,
) -> Option<Alternative> {
    let range = demand.part.range.as_ref().filter(|_| fit.range)?;
    let attribute = task.facts().attribute(range.attr);
    let closed = range.lower.is_some() && range.upper.is_some();
    if !closed || !matches!(attribute.ty, Type::Datetime | Type::Date) {
        return None;
    }
    // Half of it twice, each rounded up by itself.
    let least = if demand.strong { 2 } else { 1 };
    let halves = 2 * least * chosen.half_units.div_ceil(2 * least).max(1);
    let bill = task.month.reads(demand.rate, halves) + task.month.operational.awkward_pattern
        - task.month.reads(demand.rate, chosen.half_units);
    Some(Alternative {
        choice: format!("a collection for each month, `<{}:ym>` in the partition key", attribute.name),
        extra: Some(bill.max(Money::ZERO)),
        reason:
            "a range over two months would take two Queries, and no partition gets cooler: all new items go \
             to the current month"
                .to_owned(),
    })
}
