//! The rate at which an alternative would win where nothing else changes: two straight lines over the rate.

use keywright_model::Rate;

/// A rate of a pattern at which another choice would cost as much as the present one.
#[derive(Clone, Debug)]
pub(crate) struct Turn {
    /// The id of the pattern whose rate it is.
    pub(crate) pattern: String,
    /// What wins there, in words.
    pub(crate) wins: String,
    /// It wins at higher rates, and not at lower ones.
    pub(crate) above: bool,
    /// The rate, in billionths.
    pub(crate) nano: i128,
    pub(crate) reads: bool,
}

/// No rate beyond this is told, in billionths: what a table takes before its quota is raised.
pub(crate) const FASTEST: i128 = 40_000 * 1_000_000_000;

impl Turn {
    /// Where the line of what costs `extra` more crosses the present one: it saves so much of what goes with the rate.
    pub(super) fn crossing(extra: i128, saves: i128, rate: Rate) -> Option<(bool, i128)> {
        let rate = i128::from(rate.nano());
        // What costs the same turns at no rate.
        if saves == 0 || rate == 0 || extra == 0 {
            return None;
        }
        let turn = extra.checked_add(saves)?.checked_mul(rate)? / saves;
        let told = turn > 0 && turn <= FASTEST.max(rate);
        (told && (saves > 0) == (turn >= rate)).then_some((saves > 0, turn))
    }

    /// What is said of it where all other choices may move too.
    pub(crate) fn exact(&self) -> Option<String> {
        let side = if self.above { "above" } else { "below" };
        let what = if self.reads { "reads" } else { "writes" };
        Some(format!("{} pays off {side} {} {what}/s", self.wins, rounded(self.nano)?))
    }

    /// What is said of it where only this choice was looked at.
    pub(super) fn estimated(&self) -> Option<String> {
        Some(self.exact()? + IF_ALONE)
    }
}

/// What is said of a rate that was reckoned with all other choices as they are.
pub(super) const IF_ALONE: &str = ", if nothing else changes";

/// A rate in billionths, to three significant digits: more than rates deserve.
fn rounded(nano: i128) -> Option<Rate> {
    if nano <= 0 {
        return None;
    }
    let step = 10i128.pow(nano.ilog10().saturating_sub(2));
    Some(Rate::from_nano(u64::try_from((nano + step / 2) / step * step).ok()?))
}
