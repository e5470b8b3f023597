//! What the words of a description say a pattern does.

mod table;

use crate::markdown::Phrase;

use super::names::{Domain, fold, join, parts, tokens};
use super::outline::Kind;
use super::patterns::SELECTORS;

pub(super) use table::{is_form_of, verb};

/// What a verb does to an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verb {
    Read,
    Count,
    Scan,
    Create,
    Put,
    Update,
    Increment,
    Decrement,
    Delete,
}

impl Verb {
    /// The kind of pattern that such a verb makes.
    pub(super) const fn kind(self) -> Kind {
        match self {
            Verb::Read | Verb::Count | Verb::Scan => Kind::Read,
            Verb::Create | Verb::Put | Verb::Update | Verb::Increment | Verb::Decrement => Kind::Write,
            Verb::Delete => Kind::Delete,
        }
    }
}

/// Words before a noun of which there is one.
const ARTICLES: &[&str] =
    &["a", "an", "the", "one", "my", "your", "his", "her", "its", "their", "this", "that", "another", "some"];

/// The verb of a description: "create or update" is a put, what stands in parentheses or behind a colon says it outright,
/// else it is the first verb that is no noun.
pub(super) fn verb_of(description: Phrase<'_>, domain: Option<&Domain<'_>>) -> Option<Verb> {
    found(description, domain).map(|it| it.0)
}

/// The word that is a description's verb, where an entity has its name: "**Post** a comment".
pub(super) fn acting_word<'p>(description: Phrase<'p>, domain: &Domain<'_>) -> Option<Phrase<'p>> {
    found(description, Some(domain)).map(|it| it.1)
}

fn found<'p>(description: Phrase<'p>, domain: Option<&Domain<'_>>) -> Option<(Verb, Phrase<'p>)> {
    let lower = description.as_str().to_lowercase();
    if ["create or update", "create or replace", "insert or update", "add or update", "set or replace"]
        .iter()
        .any(|words| lower.starts_with(words))
    {
        return tokens(description).next().map(|first| (Verb::Put, first));
    }
    if let Some((verb, words)) = outright(description) {
        return tokens(words).next().map(|first| (verb, first));
    }
    let words: Vec<Phrase<'p>> = tokens(description).collect();
    let first = *words.first()?;
    // Who opens something by its name, or logs somebody in by their email, looks at it.
    let by = words.iter().skip(2).any(|word| word.is("by"));
    if let Some(both) = words.get(1).and_then(|next| table::phrasal(first.as_str(), next.as_str())) {
        let looks = by && ["in", "on"].iter().any(|it| words[1].is(it)) && both == Some(Verb::Create);
        let looks = looks && ["log", "sign"].iter().any(|it| first.is(it));
        return if looks { Some((Verb::Read, first)) } else { both.map(|verb| (verb, first)) };
    }
    if counts_one(&words) {
        return Some((Verb::Increment, first));
    }
    if leaves_something(&words) {
        return Some((Verb::Create, first));
    }
    if let Some(verb) = verb(first.as_str()).filter(|_| !is_noun(&words, 0, domain)) {
        return Some((if by && first.is("open") { Verb::Read } else { verb }, first));
    }
    // `createTrip`, `get_trips_by_rider`
    if let [begins, _, ..] = parts(first.as_str()).as_slice()
        && let Some(verb) = verb(begins)
    {
        return Some((verb, first));
    }
    // "A customer places an order", but not "orders to ship" and "orders placed today".
    let selects = |word: &Phrase<'_>| SELECTORS.iter().chain(&["who", "that", "which"]).any(|it| word.is(it));
    let rest = words.iter().enumerate().skip(1).take_while(|(_, word)| !selects(word));
    // "The shows a listener follows" says which shows.
    let ends = |word: &Phrase<'_>| {
        let after = description.as_str()[word.range_in(description).end..].trim_start();
        after.is_empty() || after.starts_with([',', ';', '.', '('])
    };
    rest.filter(|(at, word)| !word.as_str().ends_with("ed") && !is_noun(&words, *at, domain) && !ends(word))
        .find_map(|(_, word)| verb(word.as_str()).map(|verb| (verb, *word)))
}

/// "Count a play of an episode" is to add one, not to count plays.
fn counts_one(words: &[Phrase<'_>]) -> bool {
    let is = |at: usize, list: &[&str]| words.get(at).is_some_and(|word| list.iter().any(|it| word.is(it)));
    let owned =
        words.get(2).is_some_and(|word| word.as_str().ends_with("'s") || word.as_str().ends_with("’s"));
    is(0, &["count"]) && is(1, &["a", "an", "one", "another"]) && !owned
}

/// Who leaves a team ends something; who leaves a review makes one.
fn leaves_something(words: &[Phrase<'_>]) -> bool {
    let made =
        ["review", "comment", "note", "rating", "message", "feedback", "tip", "reply", "bid", "remark"];
    words.first().is_some_and(|first| first.is("leave") || first.is("leaves"))
        && words.iter().skip(1).take(3).any(|word| made.iter().any(|it| word.is(it)))
}

/// Two verbs of different effect that begin a description, "follow / unfollow", "add or remove"; "create or update" is one.
pub(super) fn two_verbs<'p>(description: Phrase<'p>, domain: &Domain<'_>) -> Option<Phrase<'p>> {
    let (verb_word, second) = {
        let words: Vec<Phrase<'p>> = tokens(description).collect();
        let (first, next) = (*words.first()?, *words.get(1)?);
        let between =
            &description.as_str()[first.range_in(description).end..next.range_in(description).start];
        let second = match between.trim() {
            "/" | "|" => next,
            "" if next.is("or") || next.is("and") => *words.get(2)?,
            _ => return None,
        };
        (first, second)
    };
    let (one, other) = (verb(verb_word.as_str())?, verb(second.as_str())?);
    let joined =
        matches!((one, other), (Verb::Create | Verb::Put, Verb::Update | Verb::Put | Verb::Increment));
    let reads = one.kind() == Kind::Read && other.kind() == Kind::Read;
    let noun = domain.find(second.as_str()).is_some();
    (one != other && !joined && !reads && !noun).then(|| join(description, &[verb_word, second]))
}

/// What the parentheses or the words behind a colon say is done, and those words: "Log out **(delete session)**". They
/// only explain a read: "list orders (update every minute)".
pub(super) fn outright(description: Phrase<'_>) -> Option<(Verb, Phrase<'_>)> {
    let text = description.as_str();
    let words: Vec<Phrase<'_>> = tokens(description).take(2).collect();
    let reads = match words.as_slice() {
        [first, next] if table::phrasal(first.as_str(), next.as_str()).is_some() => false,
        [first, ..] => verb(first.as_str()).is_some_and(|verb| verb.kind() == Kind::Read),
        [] => false,
    };
    if reads {
        return None;
    }
    let starts = text.char_indices().filter(|(_, next)| matches!(next, '(' | '[' | ':'));
    starts.into_iter().find_map(|(at, opening)| {
        let rest = &text[at + 1..];
        let end = match opening {
            '(' => rest.find(')'),
            '[' => rest.find(']'),
            _ => rest.find(['(', '[']),
        };
        let inside = description.part(&rest[..end.unwrap_or(rest.len())]).trim();
        let verb = table::outright(tokens(inside).next()?.as_str())?;
        Some((verb, inside))
    })
}

/// Whether a word that could be a verb is a noun: the posts of a user, a log of changes, open orders.
fn is_noun(words: &[Phrase<'_>], at: usize, domain: Option<&Domain<'_>>) -> bool {
    let word = words[at];
    let next = words.get(at + 1);
    let is_next = |list: &[&str]| next.is_some_and(|next| list.iter().any(|it| next.is(it)));
    // "The shows a listener follows"
    if at > 0 && ["the", "all", "my", "a", "an"].iter().any(|it| words[at - 1].is(it)) {
        return true;
    }
    // A listing may be an entity.
    if at > 0 && domain.is_some_and(|domain| domain.find(word.as_str()).is_some()) && !is_next(ARTICLES) {
        return true;
    }
    if verb(word.as_str()).is_some_and(|verb| verb.kind() == Kind::Read) || is_next(ARTICLES) {
        return false;
    }
    let plural = |word: &Phrase<'_>| word.as_str().to_lowercase().ends_with('s');
    if is_next(&["of"]) || (word.is("open") && (next.is_some_and(plural) || is_next(&["or", "and"]))) {
        return true;
    }
    let ends = next.is_none_or(|next| SELECTORS.iter().any(|it| next.is(it)));
    let Some(domain) = domain.filter(|domain| domain.find(word.as_str()).is_some()) else {
        return at == 0 && plural(&word) && ends;
    };
    // An entity has the verb's name: "comment on a post" and "post comment" do it, "comments" and "post by id" are nouns.
    let acts = is_next(&["on", "to"])
        || next.is_some_and(|next| domain.find(next.as_str()).is_some() && !plural(next));
    plural(&word) || !acts
}

/// The first word of a description that has no verb we know, where it stands as one: "**Adjudicate** a claim".
pub(super) fn unknown_verb<'p>(description: Phrase<'p>, domain: &Domain<'_>) -> Option<Unknown<'p>> {
    let words: Vec<Phrase<'p>> = tokens(description).collect();
    let (first, next) = (words.first()?, words.get(1)?);
    if table::phrasal(first.as_str(), next.as_str()).is_some() {
        let end = next.range_in(description).end;
        return Some(Unknown { words: description.slice(0..end).trim(), certain: true });
    }

    let others =
        ["after", "before", "at", "as", "if", "whether", "both", "each", "every", "any", "no", "only"];
    let is_other = SELECTORS.iter().chain(ARTICLES).chain(&others).any(|it| first.is(it));
    if is_other || verb(first.as_str()).is_some() || domain.meant_by(first.as_str()).is_some() {
        return None;
    }
    let lower = fold(first.as_str());
    let describes =
        ["ed", "ive", "ing", "al", "able", "ible", "ous", "ful", "est", "er", "ent", "ant", "ic", "s"];
    let noun =
        domain.find(next.as_str()).filter(|it| fold(&domain.entities[*it].name) == fold(next.as_str()));
    if ARTICLES.iter().any(|it| next.is(it)) {
        Some(Unknown { words: *first, certain: true })
    } else if table::is_particle(next.as_str())
        && words
            .get(2)
            .is_some_and(|third| ARTICLES.iter().chain(&["at", "to", "into"]).any(|it| third.is(it)))
        && !describes.iter().any(|ending| lower.ends_with(ending))
    {
        // "Tear down a server"; "Revenue in a month" is no verb that we could know.
        let certain = noun_follows(&words[2..], domain);
        Some(Unknown { words: join(description, &words[..2]), certain })
    } else if noun.is_some() && !describes.iter().any(|ending| lower.ends_with(ending)) {
        Some(Unknown { words: *first, certain: false })
    } else {
        None
    }
}

/// Whether an entity's name follows an article.
fn noun_follows(words: &[Phrase<'_>], domain: &Domain<'_>) -> bool {
    words.iter().skip(1).take(2).any(|word| domain.meant_by(word.as_str()).is_some())
}

/// A word that stands where a verb does, and that we do not know.
pub(super) struct Unknown<'p> {
    pub(super) words: Phrase<'p>,
    /// Whether it can be nothing but a verb.
    pub(super) certain: bool,
}
