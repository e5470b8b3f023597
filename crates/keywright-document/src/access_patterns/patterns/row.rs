//! One row: what all kinds of patterns have in common.

use keywright_finding::{Finding, Level, Span};
use keywright_model::At;
use keywright_model::model::{Pattern, PatternKind};

use super::ids::Ids;
use super::story;
use crate::access_patterns::cell::{Said, text};
use crate::access_patterns::columns::{Column, Columns};
use crate::access_patterns::description;
use crate::access_patterns::frequency;
use crate::access_patterns::names::{Domain, fold};
use crate::access_patterns::outline::Kind;
use crate::access_patterns::remarks::Remarks;
use crate::access_patterns::states::{stamp_of, state_of};
use crate::access_patterns::verbs::{Verb, acting_word, two_verbs, unknown_verb, verb, verb_of};
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
        let (description, speaker) = story::told(description, self.domain);
        // What must hold for a write names others than those that it is about.
        let (does, requires) = self.parted(description);
        // Who scans a ticket that must be unused reads no whole table.
        let scans = |verb: &Verb| *verb == Verb::Scan && requires.is_some();
        let said = || verb_of(does, Some(self.domain)).map(|it| if scans(&it) { Verb::Update } else { it });
        let verb = self.stated_verb().or_else(said);
        let reads = match self.stated_kind().or(kind) {
            Some(kind) => kind == Kind::Read,
            None => verb.is_some_and(|verb| verb.kind() == Kind::Read),
        };
        let mut entities = self.entities(if reads { description } else { does }, reads, remarks);
        let verb = verb.or_else(|| self.verb_of_state(description, &entities));
        let verb = verb.map(|verb| self.verb_of_mark(verb, description, &entities));
        self.report_two(description, remarks);
        if self.stated_kind().is_none() && kind == Some(Kind::Read) {
            self.report_write_among_reads(description, remarks);
        }
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
                let (inputs, read) = self.read_kind(description, verb, &entities, speaker, remarks);
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

    /// "Follow / unfollow a show" would be one of the two.
    fn report_two(&self, description: Phrase<'p>, remarks: &mut Remarks) {
        // Where a column says which items are written, the description is only a title.
        let silent = |column| matches!(self.said(column), Said::Silent);
        let told =
            self.stated_verb().is_some() || !silent(Column::ItemsWritten) || !silent(Column::ItemsDeleted);
        let Some(both) = two_verbs(description, self.domain).filter(|_| !told) else { return };
        remarks.say(
            &UNREADABLE_CELL,
            both.span(),
            format!("\"{}\" are two patterns", both.as_str()),
            "write one for each",
        );
    }

    /// A heading outweighs a verb, but not in silence: a write that is taken for a read changes nothing.
    fn report_write_among_reads(&self, description: Phrase<'p>, remarks: &mut Remarks) {
        let verb = acting_word(description, self.domain).filter(|verb| {
            ["create", "insert", "update", "delete", "remove", "upsert", "add", "rename", "edit"]
                .iter()
                .any(|it| verb.is(it))
        });
        if let Some(verb) = verb.filter(|verb| verb.span().start == description.span().start) {
            remarks.report(
                Finding::new(
                    &UNREADABLE_CELL,
                    verb.span(),
                    format!("\"{}\" says a write, and stands among the reads", verb.as_str()),
                )
                .level(Level::Warning)
                .help("put the pattern under a heading Writes or Deletes"),
            );
        }
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
