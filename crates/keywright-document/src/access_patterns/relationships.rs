//! Relationships: from prose ("Belongs to a Customer. Contains many OrderItems."), merged with what a diagram says.

use std::collections::BTreeMap;

use keywright_finding::Span;
use keywright_model::At;
use keywright_model::model::{Cardinality, FanOut, Relationship};

use crate::markdown::{Block, Page, Phrase};

use super::entities::Draft;
use super::names::{Domain, fold, tokens};
use super::outline::{Section, Topic};

/// How an entity relates to the ones that the next words name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// The other is the parent.
    BelongsTo,
    /// The other is the child.
    Has,
    /// Both are peers.
    Peers,
}

/// All relationships of a Model while it is read: one between any two entities.
#[derive(Debug, Default)]
pub(super) struct Relationships {
    list: Vec<Relationship>,
    /// By the two names, the smaller first.
    index: BTreeMap<(String, String), usize>,
    /// Those that a diagram states: prose does not change them.
    fixed: usize,
}

impl Relationships {
    /// Takes what a diagram states; it wins over prose.
    pub(super) fn from_diagrams(stated: Vec<Relationship>) -> Self {
        let mut relationships = Relationships::default();
        for relationship in stated {
            relationships.add(relationship);
        }
        relationships.fixed = relationships.list.len();
        relationships
    }

    /// Adds a relationship unless one between the two is known.
    pub(super) fn add(&mut self, relationship: Relationship) {
        self.index.entry(pair(&relationship.parent, &relationship.child)).or_insert_with(|| {
            self.list.push(relationship);
            self.list.len() - 1
        });
    }

    /// The relationship between two entities, in either direction.
    pub(super) fn between(&mut self, one: &str, other: &str) -> Option<&mut Relationship> {
        self.index.get(&pair(one, other)).map(|index| &mut self.list[*index])
    }

    /// All of them.
    pub(super) fn all(&mut self) -> &mut [Relationship] {
        &mut self.list
    }

    /// All of them, in the order in which they were found.
    ///
    /// "Belongs to a Customer" does not say how many there are, so while reading, other words may: what is left is the
    /// usual meaning of the words and no assumption.
    pub(super) fn finished(mut self) -> Vec<Relationship> {
        for relationship in &mut self.list {
            relationship.cardinality.assumed &= relationship.assumed;
        }
        self.list
    }

    /// Adds what prose says, or merges it with what is known. Where a diagram says otherwise, returns what both say.
    pub(super) fn state(&mut self, stated: Relationship) -> Option<(&Relationship, Relationship)> {
        let Some(index) = self.index.get(&pair(&stated.parent, &stated.child)).copied() else {
            self.add(stated);
            return None;
        };
        let known = &mut self.list[index];
        let same_way = known.parent == stated.parent;
        if index < self.fixed {
            let symmetric = stated.cardinality.value != Cardinality::OneToMany;
            let agrees = known.cardinality.value == stated.cardinality.value && (same_way || symmetric);
            // "Belongs to" says nothing about how many there are.
            let vague =
                stated.cardinality.assumed && (same_way || known.cardinality.value != Cardinality::OneToMany);
            return if agrees || vague { None } else { Some((known, stated)) };
        }
        if stated.assumed {
            return None;
        }
        if known.assumed {
            *known = stated;
            return None;
        }
        match (same_way, known.cardinality.value, stated.cardinality.value) {
            // Each side has many of the other.
            (false, Cardinality::OneToMany, Cardinality::OneToMany)
                if !known.cardinality.assumed && !stated.cardinality.assumed =>
            {
                known.cardinality = At::stated(Cardinality::ManyToMany, stated.span);
            }
            _ if known.cardinality.assumed && !stated.cardinality.assumed => {
                known.cardinality = stated.cardinality;
                if !same_way {
                    (known.parent, known.child) = (stated.parent, stated.child);
                }
            }
            _ => {}
        }
        None
    }
}

/// The two names in an order that does not depend on who is the parent.
fn pair(one: &str, other: &str) -> (String, String) {
    if one <= other { (one.to_owned(), other.to_owned()) } else { (other.to_owned(), one.to_owned()) }
}

/// Reads what the entities' prose, and a section of its own about relationships, say.
pub(super) fn read(
    drafts: &[Draft<'_>],
    sections: &[Section<'_>],
    page: &Page,
    domain: &Domain<'_>,
) -> Vec<Relationship> {
    let mut found = Vec::new();
    for (own, draft) in drafts.iter().enumerate() {
        for prose in &draft.relationships {
            for sentence in prose.split(&['.', ';', '\n', ',']) {
                read_sentence(own, sentence, domain, &mut found);
            }
        }
    }
    for section in sections.iter().filter(|section| section.topic == Topic::Overview) {
        if !section.title.is_some_and(|title| fold(title.as_str()).contains("relationship")) {
            continue;
        }
        for block in section.blocks {
            let prose: Vec<Phrase<'_>> = match block {
                Block::Paragraph(words) => vec![page.phrase(*words)],
                Block::List(items) => items.iter().map(|item| page.phrase(item.words)).collect(),
                _ => continue,
            };
            for sentence in prose.iter().flat_map(|prose| prose.split(&['.', ';', '\n'])) {
                // "A Customer has many Orders": the first entity is the one that the sentence is about.
                if let Some((own, _)) = domain.mentions(sentence).first() {
                    read_sentence(*own, sentence, domain, &mut found);
                }
            }
        }
    }
    found
}

/// Walks the words of a sentence; a verb says how the entities named after it relate.
fn read_sentence(own: usize, sentence: Phrase<'_>, domain: &Domain<'_>, found: &mut Vec<Relationship>) {
    let mentions = domain.mentions(sentence);
    let mut mentioned = mentions.iter().peekable();
    let mut mode = None;
    let mut many: Option<bool> = None;
    let mut label = None;
    for word in tokens(sentence) {
        let start = word.span().start;
        if let Some((other, phrase)) = mentioned.next_if(|(_, phrase)| phrase.span().start == start) {
            if *other != own || mode == Some(Mode::Has) {
                push(
                    own,
                    *other,
                    *phrase,
                    mode.unwrap_or(Mode::BelongsTo),
                    many,
                    label,
                    mode.is_some(),
                    domain,
                    found,
                );
            }
            many = None;
            continue;
        }
        match word.as_str().to_lowercase().as_str() {
            "belongs" | "belong" | "references" | "reference" | "refers" | "points" | "by" | "under"
            | "within" | "inside" | "child" | "n:1" | "many-to-one" | "part" => {
                mode = Some(Mode::BelongsTo);
                many = None;
                label = Some(word);
            }
            "has" | "have" | "contains" | "contain" | "owns" | "own" | "includes" | "include" | "holds"
            | "groups" | "parent" | "receives" | "places" | "produces" | "places-many" => {
                mode = Some(Mode::Has);
                label = Some(word);
            }
            "1:n" | "1:m" | "one-to-many" => {
                mode = Some(Mode::Has);
                many = Some(true);
            }
            "1:1" | "one-to-one" => {
                mode = Some(mode.unwrap_or(Mode::BelongsTo));
                many = Some(false);
            }
            "n:m" | "m:n" | "n:n" | "m:m" | "many-to-many" => {
                mode = Some(Mode::Peers);
                many = Some(true);
            }
            "many" | "several" | "multiple" | "more" | "zero" | "0..n" | "1..n" | "n" => many = Some(true),
            "one" | "single" | "a" | "an" | "exactly" | "1"
                if many != Some(true) && mode != Some(Mode::Peers) =>
            {
                many = Some(false);
            }
            _ => {}
        }
    }
}

#[expect(clippy::too_many_arguments, reason = "one call site, each the state of one sentence")]
fn push(
    own: usize,
    other: usize,
    phrase: Phrase<'_>,
    mode: Mode,
    many: Option<bool>,
    label: Option<Phrase<'_>>,
    worded: bool,
    domain: &Domain<'_>,
    found: &mut Vec<Relationship>,
) {
    let (own, other) = (&domain.entities[own].name, &domain.entities[other].name);
    let (parent, child) = if mode == Mode::BelongsTo { (other, own) } else { (own, other) };
    let span = phrase.span();
    let cardinality = match (mode, many) {
        (Mode::Peers, _) | (Mode::BelongsTo, Some(true)) => At::stated(Cardinality::ManyToMany, span),
        (Mode::Has, Some(false)) => At::stated(Cardinality::OneToOne, span),
        (Mode::Has, Some(true)) => At::stated(Cardinality::OneToMany, span),
        (Mode::Has, None) | (Mode::BelongsTo, _) => At::assumed(Cardinality::OneToMany, span),
    };
    found.push(Relationship {
        parent: parent.clone(),
        child: child.clone(),
        span: label.map_or(span, |label| label.span().cover(span)),
        assumed: !worded,
        cardinality,
        fan_out: FanOut::default(),
        via: Vec::new(),
        label: None,
    });
}

/// A relationship of which nothing but the two ends is known.
pub(super) fn plain(
    parent: &str,
    child: &str,
    cardinality: At<Cardinality>,
    span: Span,
    assumed: bool,
) -> Relationship {
    Relationship {
        parent: parent.to_owned(),
        child: child.to_owned(),
        span,
        assumed,
        cardinality,
        fan_out: FanOut::default(),
        via: Vec::new(),
        label: None,
    }
}
