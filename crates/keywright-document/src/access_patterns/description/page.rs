//! How many items one answer has: "top 100", "the 5 newest".

use crate::access_patterns::names::{join, tokens};
use crate::markdown::Phrase;

/// Words that stand beside the number of items of an answer: the **top** ten, the 5 **newest**.
const LEADING: &[&str] = &[
    "top", "latest", "last", "first", "newest", "recent", "oldest", "largest", "biggest", "smallest",
    "highest", "lowest", "best", "worst", "cheapest", "longest", "shortest", "most",
];

/// Numbers as words, from one on.
const NUMBERS: &[&str] =
    &["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

/// "Top 100", "latest ten", "the 5 newest": how many items one answer has.
pub(in crate::access_patterns) fn top(description: Phrase<'_>) -> Option<(u64, Phrase<'_>)> {
    let words: Vec<Phrase<'_>> = tokens(description).collect();
    let leads = |word: Phrase<'_>| LEADING.iter().any(|it| word.is(it));
    words.windows(2).find_map(|pair| {
        // "Newest first (5/s)": what stands apart is a rate.
        let gap = pair[0].span().end..pair[1].span().start;
        if gap.len() != 1 {
            return None;
        }
        let size = match (leads(pair[0]), leads(pair[1])) {
            (true, _) => number(pair[1]),
            // "One most …" is no number of items; "the 5 newest" is.
            (false, true) => number(pair[0]).filter(|size| *size > 1),
            (false, false) => None,
        }?;
        let end = words.iter().find(|it| it.span().start > pair[1].span().start);
        // "Last 30 days" is a time, not a number of items.
        let time = end.is_some_and(|word| {
            ["day", "hour", "minute", "week", "month", "year", "second"]
                .iter()
                .any(|unit| word.as_str().to_lowercase().starts_with(unit))
        });
        (size > 0 && !time).then(|| (size, join(description, pair)))
    })
}

pub(super) fn number(word: Phrase<'_>) -> Option<u64> {
    let named = NUMBERS.iter().position(|it| word.is(it)).map(|at| at as u64 + 1);
    word.as_str().parse().ok().or(named)
}
