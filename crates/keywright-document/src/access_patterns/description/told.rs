//! What a sentence says that must hold for its write, behind what it does: "Register a truck; plate **must** be unique",
//! "Enroll a student in a course; **max** 30 students per course".

use keywright_model::model::{Condition, ConditionKind, Write};

use super::page::number;
use crate::access_patterns::names::{Domain, join, tokens};
use crate::access_patterns::quantity;
use crate::access_patterns::remarks::Remarks;
use crate::markdown::Phrase;

/// What parts that which must hold from what is done.
const JOINTS: [&str; 10] = ["; ", ": ", ". ", ", ", " (", " – ", " — ", " - ", " if ", " provided that "];

/// What parts a limit from it besides: "a playlist **with** at most 100 tracks".
const LIMIT_JOINTS: [&str; 4] = [" with ", " as long as ", " unless ", " while "];

/// Words before the number of a limit.
const LIMITS: [&[&str]; 13] = [
    &["max"],
    &["maximum"],
    &["maximally"],
    &["at", "most"],
    &["up", "to"],
    &["no", "more", "than"],
    &["not", "more", "than"],
    &["never", "more", "than"],
    &["limit"],
    &["limited", "to"],
    &["fewer", "than"],
    &["less", "than"],
    &["capacity"],
];

/// Words behind which stands what a write depends on.
const DEPENDENT: &[&str] = &["only if ", "only when ", "only while ", "unless ", "as long as "];

/// A sentence: what it does, and what it says that must hold.
pub(in crate::access_patterns) fn parted(description: Phrase<'_>) -> (Phrase<'_>, Option<Phrase<'_>>) {
    let text = description.as_str();
    let ends = |before: &str, joints: &[&str]| -> Option<(usize, usize)> {
        joints.iter().filter_map(|joint| Some((before.rfind(joint)?, joint.len()))).max()
    };
    let must = text.find(" must ").and_then(|at| ends(&text[..at], &JOINTS));
    let limited = limit(description).and_then(|limit| {
        let before = &text[..limit.range_in(description).start];
        ends(before, &JOINTS).or_else(|| ends(before, &LIMIT_JOINTS))
    });
    let Some((end, length)) = must.into_iter().chain(limited).min() else {
        // "Void an invoice unless it is paid"
        let lower = text.to_ascii_lowercase();
        let dependent = DEPENDENT.iter().filter_map(|words| lower.find(words)).filter(|at| *at > 0).min();
        return dependent.map_or((description, None), |at| {
            let does = description.slice(0..at).trim_matches(&[';', ',', '(', '-', '–', '—']);
            (does, Some(description.slice(at..text.len()).trim().trim_matches(&[')', '.'])))
        });
    };
    let told = description.slice(end + length..text.len()).trim().trim_matches(&[')', '.']);
    (description.slice(0..end).trim(), Some(told))
}

/// The words that begin a limit, with its number: "**at most 30** students".
pub(in crate::access_patterns) fn limit(words: Phrase<'_>) -> Option<Phrase<'_>> {
    let all: Vec<Phrase<'_>> = tokens(words).collect();
    // "One per buyer", "once per day"
    let one = all.windows(2).find(|pair| (pair[0].is("one") || pair[0].is("once")) && pair[1].is("per"));
    let one = one.map(|pair| join(words, pair));
    let limits = (0..all.len()).find_map(|at| {
        let lead = LIMITS.iter().find(|lead| {
            let here = all.get(at..at + lead.len());
            here.is_some_and(|here| here.iter().zip(**lead).all(|(word, it)| word.is(it)))
        })?;
        let after = at + lead.len();
        // "Maximum of 30", "limit is 30"
        let end = (after..all.len().min(after + 2)).find(|it| is_number(all[*it]))?;
        Some(join(words, &all[at..=end]))
    });
    limits.or(one)
}

fn is_number(word: Phrase<'_>) -> bool {
    number(word).is_some() || quantity::number(word.as_str()).is_some()
}

/// Says that a sentence's limit is read, or that it is not.
pub(in crate::access_patterns) fn note(
    description: Phrase<'_>,
    told: Option<Phrase<'_>>,
    remarks: &mut Remarks,
) {
    if let Some(told) = told {
        remarks.assume(
            told.span(),
            format!("read \"{}\" as a condition of the write", told.as_str()),
            "write it into a column Conditions",
        );
    } else if let Some(limit) = limit(description) {
        remarks.doubt(
            limit.span(),
            format!("\"{}\" is not read as a limit here", limit.as_str()),
            "write it behind a semicolon, such as `…; max 30 students per course`, or into a column Conditions",
        );
    }
}

/// What notes beside a write say that must hold: of other remarks, only what is understood, and every limit.
pub(in crate::access_patterns) fn noted(conditions: &mut Vec<Condition>) {
    conditions.retain(|it| it.kind != ConditionKind::Words || is_limit(&it.text) || requires(&it.text));
}

/// Whether words say outright that a write depends on what they name: "only if it is closed".
pub(in crate::access_patterns) fn requires(text: &str) -> bool {
    let lower = text.to_lowercase();
    DEPENDENT.iter().any(|words| lower.contains(words))
}

fn is_limit(text: &str) -> bool {
    let lower = text.to_lowercase();
    LIMITS.iter().any(|lead| lower.contains(&lead.join(" ")))
}

/// "Add a track to a playlist; max 100 tracks" is so many for each playlist, and "Enroll a student in a course; max 30
/// students" so many enrollments for each course: a sentence speaks of one.
pub(in crate::access_patterns) fn bound_to(
    write: &mut Write,
    sentence: Phrase<'_>,
    domain: &Domain<'_>,
    remarks: &mut Remarks,
) {
    let written: Vec<usize> = write.effects.iter().filter_map(|it| domain.find(&it.entity)).collect();
    let refers = |from: usize, to: usize| {
        let mut references = domain.entities[from].attributes.iter().filter_map(|it| it.reference.as_ref());
        references.any(|it| it.value.entity == domain.entities[to].name)
    };
    for condition in &mut write.conditions {
        let ConditionKind::AtMost { entity, per: per @ None, limit } = &mut condition.kind else { continue };
        let Some(counted) = domain.find(entity) else { continue };
        let Some(own) = written.iter().copied().find(|it| *it == counted || refers(*it, counted)) else {
            continue;
        };
        let named = domain.mentions(sentence).into_iter().map(|(it, _)| it);
        let mut parents: Vec<usize> =
            named.filter(|it| ![own, counted].contains(it) && refers(own, *it)).collect();
        parents.sort_unstable();
        parents.dedup();
        if let [parent] = parents.as_slice() {
            let (own, parent) = (&domain.entities[own].name, &domain.entities[*parent].name);
            remarks.assume(
                condition.span,
                format!("read \"{}\" as at most {limit} of {own} for each {parent}", condition.text),
                format!("say for each of what: `max {limit} {own} per {parent}`"),
            );
            entity.clone_from(own);
            *per = Some(parent.clone());
        } else if parents.len() > 1 {
            // Of both that a link ties together: nobody knows for which of them.
            condition.kind = ConditionKind::Words;
        }
    }
}

/// "Delete a patient and everything about them" does not say which items those are.
pub(in crate::access_patterns) fn report_everything(description: Phrase<'_>, remarks: &mut Remarks) {
    let Some(word) = tokens(description).find(|word| word.is("everything") || word.is("anything")) else {
        return;
    };
    remarks.doubt(
        word.span(),
        format!("\"{}\" names no items to delete", word.as_str()),
        "name what goes too, such as `with all its orders and addresses`",
    );
}
