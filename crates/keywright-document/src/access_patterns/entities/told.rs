//! Entities as sentences: "A **User** has a userId, a display name and an email."

use keywright_finding::{Finding, Level};

use crate::access_patterns::attribute::{self, guess_type};
use crate::access_patterns::remarks::Remarks;
use crate::markdown::Phrase;
use crate::rules::IGNORED_SECTION;

use super::Draft;

/// The most words that the name of an entity or of an attribute has.
const LONGEST: usize = 3;

/// Words before a noun of which there is one.
const ARTICLES: [&str; 8] = ["a", "an", "the", "each", "every", "its", "their", "one"];

/// The entities that the sentences of a paragraph describe; a sentence about relationships goes to the entity that it
/// begins with.
pub(super) fn read<'p>(paragraph: Phrase<'p>, remarks: &mut Remarks) -> Vec<Draft<'p>> {
    let mut drafts: Vec<Draft<'p>> = Vec::new();
    for sentence in paragraph.sentences() {
        let Some((name, holds)) = subject(sentence) else { continue };
        let parts = parts(holds);
        let names: Option<Vec<String>> = parts.iter().map(|part| attribute_name(*part)).collect();
        let Some(names) = names.filter(|names| names.len() > 1) else { continue };
        let mut draft = Draft::new(name.as_str(), name.span());
        for (part, own) in parts.iter().zip(&names) {
            if let Some(mut attribute) = attribute::read(without_article(*part), remarks) {
                // "An insurance number" is no number called insurance.
                if attribute.name != *own && attribute.values.is_empty() {
                    attribute.name.clone_from(own);
                    guess_type(&mut attribute, remarks);
                }
                attribute.name.clone_from(own);
                draft.declare(attribute, remarks);
            }
        }
        remarks.assume(
            sentence.span(),
            format!(
                "read \"{}\" as the entity {} with {}",
                sentence.as_str(),
                name.as_str(),
                names.join(", ")
            ),
            format!("to state it explicitly, write `- **{}** ({})`", name.as_str(), names.join(", ")),
        );
        drafts.push(draft);
    }
    drafts
}

/// Says that a paragraph among the entities declares none, where nothing else there does either.
pub(super) fn report(paragraph: Phrase<'_>, remarks: &mut Remarks) {
    remarks.report(
        Finding::new(&IGNORED_SECTION, paragraph.span(), "this paragraph declares no entity")
            .level(Level::Warning)
            .help(
                "write a heading for each entity, such as `### Song`, and below it a list of its attributes, or a list of \
                 entities, such as `- **Song** (songId, title)`",
            ),
    );
}

/// The name that a sentence begins with, and what it says that such a one has.
fn subject(sentence: Phrase<'_>) -> Option<(Phrase<'_>, Phrase<'_>)> {
    let text = sentence.as_str();
    let (at, verb) = [" has ", " have ", " holds ", " consists of "]
        .iter()
        .filter_map(|verb| text.find(verb).map(|at| (at, verb)))
        .min()?;
    let name = without_article(sentence.slice(0..at).trim()).trim_matches(&['"', '*', '`']);
    let is_name = name.as_str().starts_with(char::is_uppercase)
        && name.words().count() <= LONGEST
        && name.as_str().chars().all(|it| it.is_alphanumeric() || matches!(it, ' ' | '_' | '-'));
    is_name.then(|| (name, sentence.slice(at + verb.len()..text.len()).trim()))
}

/// What stands between commas and "and", outside of parentheses.
fn parts(list: Phrase<'_>) -> Vec<Phrase<'_>> {
    let parts = attribute::split_list(list).into_iter();
    let parts = parts.flat_map(|part| match part.as_str().split_once('(') {
        Some((before, _)) if !before.contains(" and ") => vec![part],
        _ => part.as_str().split(" and ").map(|it| part.part(it).trim()).collect(),
    });
    let parts = parts.map(|part| match part.as_str().strip_prefix("and ") {
        Some(rest) => part.part(rest).trim(),
        None => part,
    });
    parts.filter(|part| !part.is_empty()).collect()
}

fn without_article(words: Phrase<'_>) -> Phrase<'_> {
    match words.as_str().split_once(' ') {
        Some((first, rest)) if ARTICLES.iter().any(|it| first.eq_ignore_ascii_case(it)) => {
            words.part(rest).trim()
        }
        _ => words,
    }
}

/// The name of one attribute: "a display name" is `displayName`; none where the words count or are too many.
fn attribute_name(part: Phrase<'_>) -> Option<String> {
    let part = without_article(part);
    let text = part.as_str().split_once('(').map_or(part.as_str(), |(name, _)| name);
    let words: Vec<&str> = text.split_whitespace().map(|it| it.trim_matches(['`', '*', '"'])).collect();
    let plain = |word: &&str| {
        word.starts_with(char::is_lowercase) && word.chars().all(|it| it.is_alphanumeric() || it == '_')
    };
    let counts = ["many", "several", "multiple", "no", "at", "up", "exactly"];
    let fits = !words.is_empty()
        && words.len() <= LONGEST
        && words.iter().all(plain)
        && !counts.contains(words.first()?);
    fits.then(|| {
        let mut name = words[0].to_owned();
        for word in &words[1..] {
            let mut letters = word.chars();
            name.extend(letters.next().map(|first| first.to_ascii_uppercase()));
            name.extend(letters);
        }
        name
    })
}
