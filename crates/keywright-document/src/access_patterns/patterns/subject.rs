//! Which entities a row is about: those that it names, those that its description speaks of, or what ties them together.

use keywright_finding::{Finding, Level};

use super::result::SELECTORS;
use super::row::{Named, Row};
use crate::access_patterns::columns::Column;
use crate::access_patterns::names::{fold, tokens};
use crate::access_patterns::outline::Kind;
use crate::access_patterns::remarks::Remarks;
use crate::access_patterns::verbs::{Verb, acting_word, outright, unknown_verb, verb, verb_of};
use crate::markdown::Phrase;
use crate::rules::UNREADABLE_CELL;

impl<'p> Row<'_, 'p> {
    /// The entities that the row names, or, where it has no such column, those that the description names.
    pub(super) fn entities(
        &self,
        description: Phrase<'p>,
        reads: bool,
        remarks: &mut Remarks,
    ) -> Vec<Named<'p>> {
        if let Some(cell) = self.words(Column::Entity) {
            let named: Vec<Named<'p>> = without_remarks(cell)
                .into_iter()
                .flat_map(|part| part.split(&[',', '+', '/', '&', ';', '\n']))
                .flat_map(|part| part.as_str().split(" and ").map(move |it| part.part(it)))
                .map(|part| part.trim_matches(&['`', '"', '<', '>', '{', '}']))
                .filter(|part| !part.is_empty())
                .map(|part| (part, self.domain.find(part.as_str())))
                .collect();
            return match named[..] {
                [(_, Some(own))]
                    if (reads && !self.columns.has(Column::MultiEntity)
                        || self.deletes_silently(description))
                        && self.loose =>
                {
                    let others = self.companions(description, own).into_iter();
                    named.into_iter().chain(others.map(|(it, words)| (words, Some(it)))).collect()
                }
                _ => named,
            };
        }
        if !self.loose {
            return Vec::new();
        }
        // "Remove a user from a team (delete Membership)" is about what the parentheses name.
        let named = outright(description).map(|(_, words)| words).filter(|it| !self.named_in(*it).is_empty());
        let told = self.outcome().map(subject).or(named).unwrap_or(description);
        let mut found: Vec<Named<'p>> = Vec::new();
        // "Unfollow a show" takes back a Follow.
        let undone = tokens(told).next().filter(|word| word.as_str().to_lowercase().starts_with("un"));
        let undone = undone.and_then(|word| Some((self.domain.find(word.as_str().get(2..)?)?, word)));
        found.extend(undone.map(|(entity, word)| (word, Some(entity))));
        let mut mentions = self.named_in(told);
        // "Post a comment" and "a customer posts a comment" are about comments, and "comment on a post" is too.
        if let Some(verb) = acting_word(told, self.domain) {
            let object = |words: &Phrase<'p>| words.span().start > verb.span().start;
            if mentions.iter().any(|(_, words)| object(words) && !selects(told, *words)) {
                mentions.retain(|(_, words)| object(words));
            }
        }
        for (at, (entity, words)) in mentions.iter().copied().enumerate() {
            // "A driver's trips" and "a driver's open trips" are trips: what stands before another noun only selects.
            let owns = words.as_str().ends_with("'s") || words.as_str().ends_with("’s");
            if mentions.get(at + 1).is_some_and(|(_, next)| owns || words.is_right_before(*next)) {
                continue;
            }
            // "Get orders of a customer" is about orders: what follows "of", "for" and "by" only selects.
            let direct = mentions[at + 1..].iter().any(|(_, next)| !selects(told, *next));
            if selects(told, words) && (!found.is_empty() || direct) {
                continue;
            }
            if !found.iter().any(|(_, known)| *known == Some(entity)) {
                found.push((words, Some(entity)));
            }
        }
        // "Invite a user to a workspace" makes a membership, "kick a user out of a workspace" ends one.
        let does = verb_of(told, Some(self.domain)).filter(|_| !reads);
        let ties = matches!(does, Some(Verb::Create | Verb::Delete | Verb::Put));
        if ties
            && let [(one, words), .., (other, last)] = mentions.as_slice()
            && one != other
            && !comes_along(told, *last, false)
            && let Some(link) = self.domain.link(*one, *other).and_then(|link| self.domain.find(link))
        {
            found = vec![(*words, Some(link))];
        } else if !reads && let Some(meant) = self.meant(told, &mentions, remarks) {
            found = vec![meant];
        }
        if found.is_empty() {
            found.extend(self.undeclared(told, remarks));
        }
        if let Some((words, Some(entity))) = found.first() {
            remarks.assume(
                words.span(),
                format!(
                    "read \"{}\" as a pattern about {}",
                    told.as_str(),
                    self.domain.entities[*entity].name
                ),
                "no entity is stated; add a column Entity",
            );
        }
        if let Some((words, Some(entity))) = found.first()
            && self.outcome().is_none()
        {
            self.report_subject(told, *words, *entity, remarks);
        }
        // `Booking + Passengers` are both returned; a description may name what it is not about.
        if self.outcome().is_none() {
            let deletes = verb_of(told, Some(self.domain)) == Some(Verb::Delete);
            let mut at = 0;
            found.retain(|(words, _)| {
                at += 1;
                at == 1 || comes_along(told, *words, deletes)
            });
        }
        found
    }

    /// Whether a row deletes, and no cell says what: "delete a wave with all its tasks".
    fn deletes_silently(&self, description: Phrase<'p>) -> bool {
        let silent = [Column::ItemsWritten, Column::ItemsDeleted].iter().all(|it| self.words(*it).is_none());
        silent && verb_of(description, Some(self.domain)) == Some(Verb::Delete)
    }

    /// The entities that come with the one that a row names: "a board with its **columns** and **cards**".
    fn companions(&self, description: Phrase<'p>, own: usize) -> Vec<(usize, Phrase<'p>)> {
        let mut found: Vec<(usize, Phrase<'p>)> = Vec::new();
        let mut last: Option<Phrase<'p>> = None;
        for (entity, words) in self.domain.mentions(description) {
            let joined = last.is_some_and(|last| {
                let start = last.range_in(description).end;
                let between = description.as_str().get(start..words.range_in(description).start);
                between.is_some_and(|it| [",", "and", ", and", "&"].contains(&it.trim()))
            });
            last = (joined || comes_along(description, words, false)).then_some(words);
            if last.is_some() && entity != own && !found.iter().any(|(known, _)| *known == entity) {
                found.push((entity, words));
            }
        }
        found
    }

    /// "Timetable of a gym" is about something that nobody declares, and is read as about a gym.
    fn report_subject(&self, told: Phrase<'p>, words: Phrase<'p>, entity: usize, remarks: &mut Remarks) {
        const PLAIN: [&str; 21] = [
            "details",
            "detail",
            "profile",
            "info",
            "information",
            "data",
            "overview",
            "list",
            "number",
            "count",
            "total",
            "all",
            "page",
            "summary",
            "the",
            "record",
            "state",
            "content",
            "contents",
            "set",
            "rest",
        ];
        let all: Vec<Phrase<'p>> = tokens(told).collect();
        let end = all.iter().position(|word| SELECTORS.iter().any(|it| word.is(it)));
        let noun = end.and_then(|end| all[..end].last()).copied().filter(|_| selects(told, words));
        let Some(noun) = noun else { return };
        let reads = verb_of(told, Some(self.domain)).is_none_or(|verb| verb.kind() == Kind::Read);
        let known = PLAIN.iter().any(|it| noun.is(it))
            || noun.span().start > words.span().start
            || !noun.as_str().chars().all(char::is_alphabetic)
            || verb(noun.as_str()).is_some()
            || unknown_verb(told, self.domain).is_some()
            || self.domain.meant_by(noun.as_str()).is_some()
            || self.names_attribute(noun, entity);
        if reads && !known {
            remarks.doubt(
                noun.span(),
                format!(
                    "\"{}\" is nothing that is declared: the pattern is read as one about {}",
                    noun.as_str(),
                    self.domain.entities[entity].name
                ),
                "name the entity whose items come back, or declare it",
            );
        }
    }

    /// Whether a noun is an attribute of an entity, or a part of its name: the price of what has a `unitPrice`.
    fn names_attribute(&self, noun: Phrase<'p>, entity: usize) -> bool {
        let folded = fold(noun.as_str());
        let singular = folded.trim_end_matches('s');
        self.domain.entities[entity].attributes.iter().any(|it| fold(&it.name).contains(singular))
    }

    /// What a description is about where that is no entity that is declared: the noun as it is written, so that a rule can
    /// speak of it.
    fn undeclared(&self, told: Phrase<'p>, remarks: &mut Remarks) -> Option<Named<'p>> {
        // Parentheses name inputs.
        let end = told.as_str().find('(').filter(|end| *end > 0).unwrap_or(told.as_str().len());
        let words: Vec<Phrase<'p>> = tokens(told.slice(0..end)).collect();
        let verb = acting_word(told, self.domain).or_else(|| Some(unknown_verb(told, self.domain)?.words));
        let start =
            verb.map_or(0, |verb| words.iter().take_while(|it| it.span().start <= verb.span().start).count());
        let ends = |word: &Phrase<'p>| {
            SELECTORS.iter().chain(&["between", "sorted", "ordered", "and"]).any(|it| word.is(it))
        };
        let object = words[start..].iter().take_while(|word| !ends(word));
        let noun = object.filter(|word| word.as_str().starts_with(char::is_alphabetic)).last();
        if noun.is_none() && !told.is_empty() {
            remarks.report(
                Finding::new(
                    &UNREADABLE_CELL,
                    told.span(),
                    format!("\"{}\" does not say which entity it is about", told.as_str()),
                )
                .level(Level::Error)
                .help("say it in parentheses, such as `Log in (create Session)`, or add a column Entity"),
            );
        }
        noun.map(|noun| (*noun, None))
    }

    /// What a table that names no entities says of what comes back, or of what is written: `All Seats`, `create Seat`.
    pub(super) fn outcome(&self) -> Option<Phrase<'p>> {
        let columns = [Column::Returns, Column::ItemsWritten, Column::ItemsDeleted];
        let cell = columns.into_iter().find_map(|column| self.words(column))?;
        // A read that returns `Seat.number` names attributes, which is what the column is for.
        let attributes = self.columns.has(Column::Returns) && self.domain.mentions(cell).is_empty();
        let says = self.loose
            && !attributes
            && !self.columns.has(Column::Entity)
            && !self.columns.has(Column::Result);
        (says && !self.named_in(subject(cell)).is_empty()).then_some(cell)
    }

    /// The entities that words name, also in front of an attribute: `Flight.status`.
    fn named_in(&self, words: Phrase<'p>) -> Vec<(usize, Phrase<'p>)> {
        let mentions = self.domain.mentions(words);
        if !mentions.is_empty() {
            return mentions;
        }
        let owner = |word: Phrase<'p>| {
            let (owner, _) = word.as_str().split_once('.')?;
            Some((self.domain.find(owner)?, word.part(owner)))
        };
        tokens(words).filter_map(owner).collect()
    }
}

/// The words before those that only select or order: the **seats** of a flight.
fn subject(words: Phrase<'_>) -> Phrase<'_> {
    let end = tokens(words)
        .find(|word| SELECTORS.iter().chain(&["sorted", "ordered", "that"]).any(|it| word.is(it)))
        .map_or(words.as_str().len(), |word| word.range_in(words).start);
    words.slice(0..end)
}

/// Whether the words before some others say that those only select: "of a", "for the", "by".
pub(super) fn selects(description: Phrase<'_>, words: Phrase<'_>) -> bool {
    let mut before = description.as_str()[..words.range_in(description).start]
        .split_whitespace()
        .rev()
        .map(str::to_lowercase);
    let Some(mut last) = before.next() else { return false };
    if ["a", "an", "the", "one", "given"].contains(&last.as_str()) {
        last = before.next().unwrap_or_default();
    }
    ["of", "for", "by", "in", "within", "per", "from", "to", "on"].contains(&last.as_str())
}

/// Whether the words before some others say that those come with what was named: "an order **with its** lines", "a ticket
/// **and all** comments". Who deletes takes all that is named.
fn comes_along(description: Phrase<'_>, words: Phrase<'_>, deletes: bool) -> bool {
    let before: Vec<Phrase<'_>> =
        tokens(description).take_while(|it| it.span().start < words.span().start).collect();
    let is = |word: &Phrase<'_>, list: &[&str]| list.iter().any(|it| word.is(it));
    let owned = ["its", "their", "his", "her", "all"];
    // "a show with its **latest 20** episodes"
    let page = |word: &Phrase<'_>| {
        is(word, &["latest", "newest", "recent", "last", "first", "most", "oldest", "top", "next"])
            || word.as_str().chars().all(|letter| letter.is_ascii_digit())
    };
    let filler = |word: &Phrase<'_>| is(word, &owned) || is(word, &["of", "the"]) || page(word);
    let between = before.iter().rev().take_while(|word| filler(word)).count();
    let (rest, between) = before.split_at(before.len() - between);
    let joins = ["with", "and", "plus", "including"];
    (deletes || between.iter().any(|word| is(word, &owned)))
        && rest.last().is_some_and(|word| is(word, &joins))
}

/// What stands outside of parentheses: `Player (score +10)` is about a Player.
fn without_remarks(cell: Phrase<'_>) -> Vec<Phrase<'_>> {
    let text = cell.as_str();
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0_usize, 0);
    for (at, next) in text.char_indices() {
        match next {
            '(' => {
                if depth == 0 {
                    parts.push(cell.slice(start..at));
                }
                depth += 1;
            }
            ')' if depth > 0 => {
                depth -= 1;
                start = at + 1;
            }
            _ => {}
        }
    }
    if depth == 0 {
        parts.push(cell.slice(start..text.len()));
    }
    parts
}
