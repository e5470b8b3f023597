//! One row: what all kinds of patterns have in common.

use keywright_finding::{Finding, Level, Span};
use keywright_model::At;
use keywright_model::model::{Pattern, PatternKind};

use super::ids::Ids;
use super::result::SELECTORS;
use crate::access_patterns::cell::{Said, text};
use crate::access_patterns::columns::{Column, Columns};
use crate::access_patterns::description;
use crate::access_patterns::frequency;
use crate::access_patterns::names::{Domain, fold, tokens};
use crate::access_patterns::outline::Kind;
use crate::access_patterns::remarks::Remarks;
use crate::access_patterns::states::{stamp_of, state_of};
use crate::access_patterns::verbs::{Verb, acting_word, outright, unknown_verb, verb, verb_of};
use crate::access_patterns::versions;
use crate::markdown::{self, Page, Phrase};
use crate::rules::UNREADABLE_CELL;

/// A row of a table of patterns.
pub(super) struct Row<'a, 'p> {
    pub(super) cells: &'a markdown::Row,
    pub(super) columns: &'a Columns<'p>,
    pub(super) page: &'p Page,
    pub(super) domain: &'a Domain<'a>,
    /// The table states no ids of ours: what is missing is inferred.
    pub(super) loose: bool,
}

/// An entity that a pattern names: the words, and which one it is.
pub(super) type Named<'p> = (Phrase<'p>, Option<usize>);

impl<'p> Row<'_, 'p> {
    /// Whether no cell says anything.
    pub(super) fn is_blank(&self) -> bool {
        self.cells.cells.iter().all(|words| self.page.phrase(*words).trim().is_empty())
    }

    /// What the cell of a column says.
    pub(super) fn said(&self, column: Column) -> Said<'p> {
        Said::new(self.columns.index(column).and_then(|index| self.cells.cell(self.page, index)))
    }

    /// The words of a column.
    pub(super) fn words(&self, column: Column) -> Option<Phrase<'p>> {
        self.said(column).words()
    }

    /// Reads the row.
    pub(super) fn read(&self, kind: Option<Kind>, ids: &mut Ids, remarks: &mut Remarks) -> Pattern {
        let description = self.words(Column::Description);
        let (id, span) = self.id(description, ids, remarks);
        let description = description.unwrap_or_else(|| self.nowhere());
        // What must hold for a write names others than those that it is about.
        let (does, _) = self.parted(description);
        let verb = self.stated_verb().or_else(|| verb_of(does, Some(self.domain)));
        let reads = verb.is_some_and(|verb| verb.kind() == Kind::Read);
        let mut entities = self.entities(if reads { description } else { does }, remarks);
        let verb = verb.or_else(|| self.verb_of_state(description, &entities));
        let verb = verb.map(|verb| self.verb_of_mark(verb, description, &entities));
        let kind = self.stated_kind().or(kind).unwrap_or_else(|| {
            if verb.is_none() {
                self.report_verb(description, remarks);
            }
            let kind = verb.map_or(Kind::Read, Verb::kind);
            let what = match kind {
                Kind::Read => "a read",
                Kind::Write => "a write",
                Kind::Delete => "a delete",
            };
            remarks.assume(
                description.span(),
                format!("read \"{}\" as {what}", description.as_str()),
                "put the pattern under a heading Reads, Writes or Deletes",
            );
            kind
        });
        let (inputs, kind) = match kind {
            Kind::Read => {
                let given = self.words(Column::Inputs);
                versions::mean(&mut entities, description, given, self.domain, remarks);
                let (inputs, read) = self.read_kind(description, verb, &entities, remarks);
                (inputs, PatternKind::Read(read))
            }
            Kind::Write => {
                let (inputs, write) = self.write_kind(Kind::Write, description, verb, &entities, remarks);
                (inputs, PatternKind::Write(write))
            }
            Kind::Delete => {
                let (inputs, write) = self.write_kind(Kind::Delete, description, verb, &entities, remarks);
                (inputs, PatternKind::Delete(write))
            }
        };
        let mut pattern = Pattern {
            id,
            span,
            entities: entities
                .iter()
                .map(|(words, index)| {
                    let name = index.map_or_else(
                        || words.as_str().to_owned(),
                        |it| self.domain.entities[it].name.clone(),
                    );
                    At::stated(name, words.span())
                })
                .collect(),
            description: text(description),
            inputs,
            frequency: None,
            rate: None,
            peak: None,
            notes: self.words(Column::Notes).map(text),
            kind,
        };
        self.often(&mut pattern, remarks);
        pattern
    }

    /// What a description says is done, and what must hold for it where no column says that.
    pub(super) fn parted(&self, description: Phrase<'p>) -> (Phrase<'p>, Option<Phrase<'p>>) {
        match self.said(Column::Conditions) {
            Said::Silent => description::parted(description),
            _ => (description, None),
        }
    }

    /// A verb that we do not know may still lead to a state: "void an invoice", where one can be VOIDED, or "check out a
    /// guest", where one has `checkedOutAt`.
    fn verb_of_state(&self, description: Phrase<'p>, entities: &[Named<'p>]) -> Option<Verb> {
        let unknown = unknown_verb(description, self.domain)?;
        let entity = entities.first().and_then(|(_, entity)| *entity)?;
        let (verb, entity) = (unknown.words.as_str(), &self.domain.entities[entity]);
        let leads = state_of(verb, entity).is_some() || stamp_of(verb, entity).is_some();
        leads.then_some(Verb::Update)
    }

    /// "Clear an alarm" leaves it there, where it holds `clearedAt`.
    fn verb_of_mark(&self, verb: Verb, description: Phrase<'p>, entities: &[Named<'p>]) -> Verb {
        let word = acting_word(description, self.domain).filter(|_| verb == Verb::Delete);
        let entity = entities.first().and_then(|(_, entity)| *entity);
        let (Some(word), Some(entity)) = (word, entity) else { return verb };
        let outright = ["delete", "remove", "purge", "erase", "destroy", "wipe"].iter().any(|it| word.is(it));
        let entity = &self.domain.entities[entity];
        let marked = state_of(word.as_str(), entity).is_some() || stamp_of(word.as_str(), entity).is_some();
        if marked && !outright { Verb::Update } else { verb }
    }

    /// What a pattern does must not be guessed: a read that was meant as a write changes nothing.
    fn report_verb(&self, description: Phrase<'p>, remarks: &mut Remarks) {
        let Some(unknown) = unknown_verb(description, self.domain) else { return };
        let word = unknown.words.as_str();
        remarks.report(
            Finding::new(
                &UNREADABLE_CELL,
                unknown.words.span(),
                format!(
                    "\"{word}\" does not say whether \"{}\" reads, writes or deletes",
                    description.as_str()
                ),
            )
            .level(if unknown.certain { Level::Error } else { Level::Warning })
            .help(format!(
                "state what happens in parentheses, such as `{word} … (update)`, `(create)`, `(delete)` or \
                 `(get)`, or put the pattern under a heading Reads, Writes or Deletes"
            )),
        );
    }

    /// No words, at the place where the row begins.
    fn nowhere(&self) -> Phrase<'p> {
        let first = self.cells.cells.first().copied().unwrap_or_default();
        self.page.phrase(first).slice(0..0)
    }

    /// The id as written; given out where the table has none.
    fn id(&self, description: Option<Phrase<'p>>, ids: &mut Ids, remarks: &mut Remarks) -> (String, Span) {
        let cell = self.columns.index(Column::Id).and_then(|index| self.cells.cell(self.page, index));
        let written = cell.filter(|cell| !cell.is_empty());
        let number =
            // `Q1`, `M2`: numbers of the author's own.
            written.and_then(|cell| cell.as_str().trim_matches(['#', '.', ' ', 'P', 'p', 'Q', 'M', 'R', 'W']).parse().ok());
        let place = cell.or(description).map_or(Span::at(self.cells.span.start), Phrase::span);
        match written {
            Some(cell) if !self.loose || number.is_none() => (cell.as_str().to_owned(), cell.span()),
            None if !self.loose => (String::new(), place),
            _ => {
                let id = ids.give(number);
                remarks.assume(
                    place,
                    format!("gave the pattern the id {id}"),
                    "ids are permanent; write it into a column ID to keep it",
                );
                (id, place)
            }
        }
    }

    /// The entities that the row names, or, where it has no such column, those that the description names.
    fn entities(&self, description: Phrase<'p>, remarks: &mut Remarks) -> Vec<Named<'p>> {
        if let Some(cell) = self.words(Column::Entity) {
            return without_remarks(cell)
                .into_iter()
                .flat_map(|part| part.split(&[',', '+', '/', '&', ';', '\n']))
                .flat_map(|part| part.as_str().split(" and ").map(move |it| part.part(it)))
                .map(|part| part.trim_matches(&['`', '"', '<', '>', '{', '}']))
                .filter(|part| !part.is_empty())
                .map(|part| (part, self.domain.find(part.as_str())))
                .collect();
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
            // "A driver's trips" are trips: what stands right before another noun only selects.
            if mentions.get(at + 1).is_some_and(|(_, next)| words.is_right_before(*next)) {
                continue;
            }
            // "Get orders of a customer" is about orders: what follows "of", "for" and "by" only selects.
            if !found.is_empty() && selects(told, words) {
                continue;
            }
            if !found.iter().any(|(_, known)| *known == Some(entity)) {
                found.push((words, Some(entity)));
            }
        }
        // "Invite a user to a workspace" makes a membership, "kick a user out of a workspace" ends one.
        let ties = matches!(verb_of(told, Some(self.domain)), Some(Verb::Create | Verb::Delete | Verb::Put));
        if ties
            && let [(one, words), .., (other, last)] = mentions.as_slice()
            && one != other
            && !comes_along(told, *last, false)
            && let Some(link) = self.domain.link(*one, *other).and_then(|link| self.domain.find(link))
        {
            found = vec![(*words, Some(link))];
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

    /// What a description is about where that is no entity that is declared: the noun as it is written, so that a rule can
    /// speak of it.
    fn undeclared(&self, told: Phrase<'p>, remarks: &mut Remarks) -> Option<Named<'p>> {
        let words: Vec<Phrase<'p>> = tokens(told).collect();
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

    /// The verb of a column `Operation` or `Type`, also as DynamoDB has it: `Create`, `PutItem`. "Read" and "write" are
    /// kinds, which the description's own verb makes clearer.
    pub(super) fn stated_verb(&self) -> Option<Verb> {
        let folded = fold(self.words(Column::Kind)?.as_str());
        match folded.as_str() {
            "read" | "write" => None,
            word => verb(word.strip_suffix("item").unwrap_or(word)),
        }
    }

    /// What a column `Type` says: read, write, delete, or a verb.
    fn stated_kind(&self) -> Option<Kind> {
        let cell = self.words(Column::Kind)?;
        match fold(cell.as_str()).as_str() {
            "read" | "r" | "query" | "get" | "list" => Some(Kind::Read),
            "write" | "w" | "create" | "update" | "put" | "insert" => Some(Kind::Write),
            "delete" | "d" | "remove" => Some(Kind::Delete),
            _ => self.stated_verb().map(Verb::kind),
        }
    }

    /// Frequency, rate and peak; a number in the column Rate wins over the column Frequency.
    fn often(&self, pattern: &mut Pattern, remarks: &mut Remarks) {
        for (column, bare_is_rate) in [(Column::Rate, true), (Column::Peak, true), (Column::Frequency, false)]
        {
            let Some(cell) = self.words(column) else { continue };
            match frequency::read(cell, bare_is_rate) {
                Some(often) if column == Column::Peak => pattern.peak = pattern.peak.take().or(often.mean),
                Some(often) => {
                    pattern.frequency = pattern.frequency.take().or(often.class);
                    pattern.rate = pattern.rate.take().or(often.mean);
                    pattern.peak = pattern.peak.take().or(often.peak);
                }
                None => remarks.say(
                    &UNREADABLE_CELL,
                    cell.span(),
                    format!("`{}` does not say how often", cell.as_str()),
                    "write Hot, Warm or Cold, or a rate such as `250/s`, `40/min` or `3k/day`",
                ),
            }
        }
    }
}

/// The words before those that only select or order: the **seats** of a flight.
fn subject(words: Phrase<'_>) -> Phrase<'_> {
    let end = tokens(words)
        .find(|word| SELECTORS.iter().chain(&["sorted", "ordered", "that"]).any(|it| word.is(it)))
        .map_or(words.as_str().len(), |word| {
            word.as_str().as_ptr() as usize - words.as_str().as_ptr() as usize
        });
    words.slice(0..end)
}

/// Whether the words before some others say that those only select: "of a", "for the", "by".
fn selects(description: Phrase<'_>, words: Phrase<'_>) -> bool {
    let text = description.as_str();
    let offset = words.as_str().as_ptr() as usize - text.as_ptr() as usize;
    let mut before = text[..offset].split_whitespace().rev().map(str::to_lowercase);
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
    let between = before.iter().rev().take_while(|word| is(word, &owned) || is(word, &["of", "the"])).count();
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
