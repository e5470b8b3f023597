//! Access patterns as a list of sentences: `AP-001: Get a show by its id (hot)`, with more about each in a list below it.

use crate::access_patterns::columns::{Column, Columns};
use crate::access_patterns::frequency;
use crate::access_patterns::inputs::period_named;
use crate::access_patterns::names::fold;
use crate::access_patterns::outline::{Kind, kind_in, labelled};
use crate::markdown::{Item, Page, Phrase, Row};

/// An item of a list, as a row of a table that has the columns it speaks of.
pub(super) struct Listed {
    pub(super) cells: Row,
    pub(super) columns: Columns<'static>,
    /// The kind that the item above it announces.
    pub(super) kind: Option<Kind>,
}

/// The patterns of a list. An item with more items below it is a pattern where those say something of it, each behind
/// the name of a column; otherwise it is a heading for them.
pub(super) fn rows(items: &[Item], page: &Page) -> Vec<Listed> {
    let mut found = Vec::new();
    let mut at = 0;
    let mut heading: Option<(usize, Option<Kind>)> = None;
    while let Some(item) = items.get(at) {
        let words = page.phrase(item.words).trim();
        let below = items[at + 1..].iter().take_while(|next| next.depth > item.depth).count();
        let details: Vec<(Column, Phrase<'_>)> =
            items[at + 1..=at + below].iter().filter_map(|next| detail(page.phrase(next.words))).collect();
        heading = heading.filter(|(depth, _)| item.depth > *depth);
        if below > 0 && details.len() < below {
            heading = Some((item.depth, kind_in(&fold(words.as_str()))));
            at += 1;
            continue;
        }
        if !words.is_empty() {
            found.push(row(words, &details, heading.and_then(|(_, kind)| kind)));
        }
        at += below + 1;
    }
    found
}

/// `Input: showId`, below a pattern.
fn detail(words: Phrase<'_>) -> Option<(Column, Phrase<'_>)> {
    let (label, value) = labelled(words.trim())?;
    let column = Column::named(&fold(label.as_str()))?;
    Some((column, value.words()?))
}

fn row(words: Phrase<'_>, details: &[(Column, Phrase<'_>)], kind: Option<Kind>) -> Listed {
    let span = words.span();
    let (id, sentence) = id_of(words).map_or((None, words), |(id, rest)| (Some(id), rest));
    let (sentence, often) = often_of(sentence);
    let mut cells = vec![(Column::Description, sentence)];
    cells.extend(id.map(|id| (Column::Id, id)));
    cells.extend(often.map(|often| (Column::Frequency, often)));
    cells.extend(consistency_of(words).map(|it| (Column::Consistency, it)));
    let stated = details.iter().any(|(column, _)| *column == Column::Inputs);
    cells.extend(inputs_of(sentence).filter(|_| !stated).map(|it| (Column::Inputs, it)));
    for detail in details {
        if !cells.iter().any(|(column, _)| *column == detail.0) {
            cells.push(*detail);
        }
    }
    let columns = Columns::of(cells.iter().map(|(column, _)| *column));
    let touches = [(Column::ItemsDeleted, Kind::Delete), (Column::ItemsWritten, Kind::Write)];
    let told = touches.into_iter().find(|(column, _)| columns.has(*column)).map(|(_, kind)| kind);
    Listed {
        columns,
        cells: Row { span, cells: cells.into_iter().map(|(_, words)| words.into()).collect() },
        kind: told.or(kind),
    }
}

/// The id in front of a sentence, and the sentence: `AP-001: …`, `AP-7 – …`, `Q3. …`.
pub(super) fn id_of(words: Phrase<'_>) -> Option<(Phrase<'_>, Phrase<'_>)> {
    let text = words.as_str();
    let end = text.find(char::is_whitespace)?;
    let id = text[..end].trim_end_matches([':', '.', ')', '-', '–', '—']);
    let digits = id.trim_start_matches(|next: char| next.is_ascii_uppercase()).trim_start_matches('-');
    let letters = id.len() - digits.len();
    let is_id = (1..=5).contains(&letters)
        && !id.starts_with('-')
        && !digits.is_empty()
        && digits.bytes().all(|it| it.is_ascii_digit());
    let rest = text[end..].trim_start_matches([' ', '\t', '\n', ':', '-', '–', '—']);
    (is_id && !rest.is_empty()).then(|| (words.part(id), words.part(rest).trim()))
}

/// The inputs that a sentence lists in parentheses: "Bookings of a lane on a day **(laneId, day of startsAt)**". Other
/// words in parentheses explain, and those behind "fields" or "returning" come back.
fn inputs_of(sentence: Phrase<'_>) -> Option<Phrase<'_>> {
    let text = sentence.as_str();
    text.match_indices('(').find_map(|(open, _)| {
        let before = text[..open].split_whitespace().last().unwrap_or_default();
        let returned = ["fields", "attributes", "columns", "only", "returns", "returning", "showing", "with"];
        let inside = text[open + 1..].split(')').next()?;
        let words = |part: &str| part.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let parts: Vec<Vec<String>> = inside.split(',').map(words).collect();
        let is_camel = |word: &String| {
            word.starts_with(char::is_lowercase)
                && word.contains(char::is_uppercase)
                && word.trim_end_matches('?').chars().all(char::is_alphanumeric)
        };
        let is_input = |part: &Vec<String>| match part.as_slice() {
            [name] => {
                name.trim_end_matches('?').chars().all(char::is_alphanumeric)
                    && name.starts_with(char::is_lowercase)
            }
            [period, of, name] => period_named(period).is_some() && of == "of" && is_camel(name),
            _ => false,
        };
        let lists = parts.iter().all(is_input) && parts.iter().flatten().any(is_camel);
        (lists && !returned.contains(&before)).then(|| sentence.part(inside))
    })
}

/// How often, behind a sentence: in parentheses, or as a rate; or in parentheses between its parts.
fn often_of(sentence: Phrase<'_>) -> (Phrase<'_>, Option<Phrase<'_>>) {
    let text = sentence.as_str();
    let is_rate = |last: &&str| {
        last.starts_with(|next: char| next.is_ascii_digit() || next == '~') && last.contains('/')
    };
    let last = text.split_whitespace().last().filter(is_rate).map(|last| sentence.part(last));
    if let Some(rate) = last.filter(|rate| frequency::read(*rate, false).is_some()) {
        let before = sentence.slice(0..text.len() - rate.as_str().len());
        return (before.trim().trim_matches(&[',', ';', ':', '-', '–', '—', '@']).trim(), Some(rate));
    }
    // "Get a case by id - hot"
    let class = text
        .split_whitespace()
        .last()
        .filter(|last| ["hot", "warm", "cold"].iter().any(|it| last.eq_ignore_ascii_case(it)));
    if let Some(class) = class {
        let before = text[..text.len() - class.len()].trim_end();
        if before.ends_with(['-', '–', '—', ',', ';', ':']) {
            let before = sentence.part(before).trim_matches(&[',', ';', ':', '-', '–', '—']).trim();
            return (before, Some(sentence.part(class)));
        }
    }
    let inside = text
        .strip_suffix([')', ']'])
        .and_then(|text| text.rfind(['(', '[']).map(|open| (open, &text[open + 1..])))
        .filter(|(_, inside)| frequency::read(sentence.part(inside), false).is_some());
    match inside {
        Some((open, inside)) => (sentence.slice(0..open).trim(), Some(sentence.part(inside).trim())),
        None => (sentence, often_within(sentence)),
    }
}

/// "Confirm a lesson **(2/s)**, only if it is requested".
fn often_within(sentence: Phrase<'_>) -> Option<Phrase<'_>> {
    let text = sentence.as_str();
    text.match_indices('(').find_map(|(open, _)| {
        let inside = text[open + 1..].split(')').next()?;
        let rate = sentence.part(inside).trim();
        let is_rate = inside.contains('/') && frequency::read(rate, false).is_some();
        is_rate.then_some(rate)
    })
}

/// How a sentence wants to read: "Get a case (200/s, **strong**)", "…, strongly consistent".
fn consistency_of(sentence: Phrase<'_>) -> Option<Phrase<'_>> {
    let text = sentence.as_str();
    let said = |words: &str| {
        let levels = ["strong", "strongly", "consistent", "eventual", "eventually"];
        let found = words
            .split_whitespace()
            .map(|word| word.trim_matches([',', ';', ')', ']', '.']))
            .find(|word| levels.iter().any(|it| word.eq_ignore_ascii_case(it)))?;
        Some(sentence.part(found))
    };
    let consistently = [
        "strongly consistent",
        "strong consistency",
        "eventually consistent",
        "eventual consistency",
        "consistent read",
    ];
    let outright = consistently.iter().find_map(|words| {
        let at = text.to_ascii_lowercase().find(words)?;
        said(&text[at..])
    });
    let groups =
        || text.match_indices(['(', '[']).filter_map(|(open, _)| text[open + 1..].split([')', ']']).next());
    outright.or_else(|| {
        groups().find_map(|inside| {
            inside.split([',', ';']).find_map(|part| {
                // "(strong passwords)" speaks of something else.
                let alone = part.split_whitespace().count() == 1;
                said(part).filter(|_| alone)
            })
        })
    })
}
