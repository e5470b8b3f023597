//! Item types from headings: labelled lines for keys, attributes and TTL, and a JSON block for the example.

use keywright_finding::Span;
use keywright_model::At;
use keywright_model::design::source::{Example, ExampleValue, ItemSource, KeySource};
use keywright_model::design::{ItemAttribute, ItemKind, ItemType, KeyAssignment, KeyValue, Sparse};
use keywright_model::model::Type;

use keywright_dynamodb::expression::parse::{self, Parser, Term};
use keywright_dynamodb::expression::{Comparator, Condition, Operand};

use super::super::cell::{Entry, fold, is_nothing, is_same_name};
use super::super::params::sentence;
use super::super::value::{Bare, literal_of};
use super::super::{Problems, template};
use super::structure::{said, whole, words};
use super::{Part, Reader, Topic};
use crate::markdown::{Block, Page, Phrase, Piece};

/// A line of a section and how deep it is nested.
#[derive(Clone, Copy)]
struct Line<'p> {
    phrase: Phrase<'p>,
    depth: usize,
    /// Label and value, where they stand in cells of their own.
    cells: Option<(Phrase<'p>, Phrase<'p>)>,
}

impl<'p> Line<'p> {
    fn new(phrase: Phrase<'p>, depth: usize) -> Self {
        Line { phrase, depth, cells: None }
    }

    fn labelled(&self) -> Option<(Label, Phrase<'p>, Phrase<'p>)> {
        match self.cells {
            Some((label, value)) => Some((label_of(label), label, value)),
            None => labelled(self.phrase),
        }
    }
}

/// What the label of a line announces.
enum Label {
    Partition,
    Sort,
    IndexKey(String),
    Description,
    Attributes,
    Ttl,
    Table,
    Other,
}

/// An item type that is being read.
#[derive(Default)]
struct Draft {
    item: Option<ItemType>,
    source: ItemSource,
    /// Lines nested below are attributes.
    in_attributes: bool,
    same_as: Option<String>,
}

/// Whether a section says of an item type what only an item type has.
pub(super) fn describes_item(part: &Part<'_>) -> bool {
    matches!(part.topic, Topic::Unknown | Topic::Entity | Topic::Entities)
        && lines(part).iter().any(|line| matches!(line.labelled(), Some((Label::Partition, ..))))
}

/// Whether a section goes on about an item type that a chart lists: its title is the name, and it has a label of ours.
pub(super) fn goes_on_about_item(part: &Part<'_>, items: &[ItemType]) -> bool {
    let Some(title) = part.title.filter(|_| part.topic == Topic::Unknown) else { return false };
    let is_label = |line: &Line<'_>| !matches!(line.labelled(), None | Some((Label::Other, ..)));
    items.iter().any(|item| is_same_name(&item.name, title.as_str())) && lines(part).iter().any(is_label)
}

/// Whether a block says what a partition key is.
pub(super) fn has_partition_key(block: &Block, page: &Page) -> bool {
    let Block::List(items) = block else { return false };
    let mut lines = items.iter().map(|item| Line::new(page.phrase(item.words).trim(), item.depth));
    lines.any(|line| matches!(line.labelled(), Some((Label::Partition, ..))))
}

fn lines<'p>(part: &Part<'p>) -> Vec<Line<'p>> {
    let mut list = Vec::new();
    for block in part.blocks {
        match block {
            Block::List(items) => {
                for item in items {
                    list.push(Line::new(part.page.phrase(item.words).trim(), item.depth));
                }
            }
            Block::Paragraph(text) => {
                let lines = part.page.phrase(*text).split(&['\n']);
                list.extend(lines.map(|phrase| Line::new(phrase, 0)));
            }
            Block::Code { language, text, .. }
                if matches!(language.as_str(), "" | "text" | "txt" | "plaintext") =>
            {
                let lines = part.page.phrase(*text).split(&['\n']);
                list.extend(lines.map(|phrase| Line::new(phrase, 0)));
            }
            // | Key | Value |
            Block::Table(table) if table.header.len() == 2 && part.topic == Topic::Entity => {
                for row in &table.rows {
                    if let (Some(label), Some(value)) = (row.cell(part.page, 0), row.cell(part.page, 1)) {
                        let cells = Some((label.trim_matches(&['`', '*', ' ']), value.trim()));
                        list.push(Line { cells, ..Line::new(value, 0) });
                    }
                }
            }
            _ => {}
        }
    }
    list
}

/// A longer text before a colon is a sentence. Keys of several attributes have long names.
const LONGEST_LABEL: usize = 80;

/// The label of a line, where it stands, and what follows.
fn labelled(phrase: Phrase<'_>) -> Option<(Label, Phrase<'_>, Phrase<'_>)> {
    let text = phrase.as_str();
    let at = text.find([':', '='])?;
    let label = &text[..at];
    if label.len() > LONGEST_LABEL || label.contains(['<', '#', '{', '(']) {
        return None;
    }
    let value = phrase.part(&text[at + 1..]).trim();
    let label = phrase.part(label).trim();
    Some((label_of(label), label, value))
}

fn label_of(label: Phrase<'_>) -> Label {
    match fold(label.as_str()).as_str() {
        "pk" | "partitionkey" | "hashkey" => Label::Partition,
        "sk" | "sortkey" | "rangekey" => Label::Sort,
        "description" => Label::Description,
        "attributes" => Label::Attributes,
        "ttl" => Label::Ttl,
        "table" => Label::Table,
        other if is_index_key(other) => Label::IndexKey(label.as_str().replace(' ', "")),
        _ => Label::Other,
    }
}

/// `gsi1pk`, `lsi2sk`.
fn is_index_key(folded: &str) -> bool {
    let rest = folded.strip_prefix("gsi").or_else(|| folded.strip_prefix("lsi"));
    rest.and_then(|rest| rest.strip_suffix("pk").or_else(|| rest.strip_suffix("sk"))).is_some()
}

impl Reader {
    /// The item types under one heading.
    pub(super) fn entity(&mut self, part: &Part<'_>) {
        let Some(title) = part.title else { return };
        let mut draft = Draft::default();
        let mut announced: Option<Phrase<'_>> = None;
        let mut started = 0;
        for line in lines(part) {
            let found = line.labelled();
            if draft.in_attributes && line.depth > 0 {
                if let Some(item) = &mut draft.item
                    && let Some((attribute, span)) = attribute(line.phrase)
                {
                    item.attributes.push(attribute);
                    draft.source.attributes.push(span);
                }
                continue;
            }
            draft.in_attributes = false;
            let Some((label, label_phrase, value)) = found else { continue };
            if matches!(label, Label::Partition) && !draft.source.keys.is_empty() {
                self.finish(std::mem::take(&mut draft));
            }
            let opens = !matches!(label, Label::Other);
            if opens && draft.item.is_none() {
                let (item, span) = self.heading(title, announced.take(), started);
                draft.item = Some(item);
                draft.source.name = span;
                started += 1;
            }
            self.labelled_line(&mut draft, label, label_phrase, value);
            if let Some((Label::Other, label, value)) = line.labelled() {
                let index_key = self.index_key_named(label.as_str());
                if let Some(attribute) = index_key.filter(|_| draft.item.is_some()) {
                    self.key(&mut draft, attribute, label, value);
                } else if value.is_empty() {
                    // `Email tracking item:` announces the next item type.
                    announced = Some(label);
                }
            }
        }
        for block in part.blocks {
            if let Block::Code { language, text, span } = block
                && language == "json"
            {
                draft.source.example = example(part.page.phrase(*text), *span);
            }
        }
        if draft.item.is_none() && part.topic == Topic::Entity {
            let (item, span) = self.heading(title, None, 0);
            draft.item = Some(item);
            draft.source.name = span;
        }
        self.finish(draft);
    }

    /// The name of the partition key as items are read.
    pub(super) fn partition_name(&self) -> String {
        self.design.tables.first().map_or_else(
            || self.key_labels.0.clone().unwrap_or_else(|| "PK".to_owned()),
            |table| table.partition.name.clone(),
        )
    }

    fn sort_name(&self, table: Option<&str>) -> String {
        let table = match table {
            Some(name) => self.design.table(name),
            None => self.design.tables.first(),
        };
        table.and_then(|table| table.sort.as_ref()).map_or_else(
            || self.key_labels.1.clone().unwrap_or_else(|| "SK".to_owned()),
            |sort| sort.name.clone(),
        )
    }

    /// The key attribute of an index that a label names.
    pub(super) fn index_key_named(&self, label: &str) -> Option<String> {
        self.design
            .indexes
            .iter()
            .flat_map(keywright_model::design::Index::key)
            .map(|key| &key.name)
            .find(|name| fold(name) == fold(label))
            .cloned()
    }

    /// An item type of a heading: its name, and what a remark says it stands for.
    fn heading(
        &mut self,
        title: Phrase<'_>,
        announced: Option<Phrase<'_>>,
        started: usize,
    ) -> (ItemType, Span) {
        let (name, remark) = match title.pieces().first() {
            Some(Piece::Code(name)) => {
                let rest = &title.as_str()[name.as_str().len()..];
                (*name, Some(title.part(rest)))
            }
            _ => match title.as_str().find('(') {
                Some(at) => (title.slice(0..at).trim(), Some(title.slice(at..title.as_str().len()))),
                None => (title, None),
            },
        };
        let base = words(name);
        let full = match announced.map(|label| words(label)) {
            Some(label) if started > 0 || fold(&label) != fold(&base) => {
                let label = label.trim_end_matches(" items").trim_end_matches(" item").to_owned();
                if fold(&label) == "main" { base.clone() } else { label }
            }
            _ if started > 0 => format!("{base} {}", started + 1),
            _ => base.clone(),
        };
        let remark = remark
            .map(|it| it.as_str().trim().trim_start_matches('(').trim_end_matches(')').trim().to_owned());
        let (kind, entities) = remark.as_deref().and_then(kind_of).unwrap_or((ItemKind::Main, vec![base]));
        let table = self.main_table();
        let item = ItemType {
            name: full,
            kind,
            entities,
            table,
            keys: Vec::new(),
            attributes: Vec::new(),
            description: None,
        };
        (item, announced.unwrap_or(name).span())
    }

    fn labelled_line(
        &mut self,
        draft: &mut Draft,
        label: Label,
        label_phrase: Phrase<'_>,
        value: Phrase<'_>,
    ) {
        let Some(item) = &mut draft.item else { return };
        match label {
            Label::Partition => {
                let name = match self.design.table(&item.table) {
                    Some(table) => table.partition.name.clone(),
                    None => self.partition_name(),
                };
                self.key(draft, name, label_phrase, value);
            }
            Label::Sort => {
                let name = self.sort_name(Some(&item.table));
                self.key(draft, name, label_phrase, value);
            }
            Label::IndexKey(written) => {
                let name = self.index_key_named(&written).unwrap_or(written);
                self.key(draft, name, label_phrase, value);
            }
            Label::Description => {
                draft.source.notes.push(said(value));
                item.description = Some(words(value)).filter(|it| !it.is_empty());
            }
            Label::Attributes => {
                draft.in_attributes = true;
                if let Some(other) = same_as(value) {
                    draft.same_as = Some(other);
                } else if !is_nothing(value.as_str()) {
                    for part in outside_brackets(value) {
                        if let Some((attribute, span)) = attribute(part) {
                            item.attributes.push(attribute);
                            draft.source.attributes.push(span);
                        }
                    }
                }
            }
            Label::Ttl => {
                if let Some(first) = whole(value).value().filter(|it| !is_nothing(it.as_str())) {
                    draft.source.ttl = Some(said(value));
                    let name = first.as_str().split_whitespace().next().unwrap_or_default().to_owned();
                    let table = item.table.clone();
                    if let Some(table) = self.design.tables.iter_mut().find(|it| it.name == table)
                        && table.ttl.is_none()
                    {
                        table.ttl = Some(name);
                    }
                }
            }
            Label::Table => {
                if let Some(first) = whole(value).value() {
                    item.table = words(first);
                }
            }
            Label::Other => {}
        }
    }

    /// The value of a key attribute.
    pub(super) fn key_value(
        &mut self,
        attribute: &str,
        value: Phrase<'_>,
        partition: Option<&KeyValue>,
    ) -> Option<(KeyAssignment, At<String>)> {
        let entry = whole(value);
        let (value, written) = key_value(&entry, partition, &mut self.problems)?;
        Some((KeyAssignment { attribute: attribute.to_owned(), value, sparse: sparse(&entry) }, written))
    }

    fn key(&mut self, draft: &mut Draft, attribute: String, label: Phrase<'_>, value: Phrase<'_>) {
        let partition = draft.item.as_ref().and_then(|item| item.keys.first()).map(|key| key.value.clone());
        let read = self.key_value(&attribute, value, partition.as_ref());
        let (Some((assignment, written)), Some(item)) = (read, &mut draft.item) else { return };
        draft.source.notes.extend(whole(value).texts().map(said));
        item.keys.push(assignment);
        draft.source.keys.push(KeySource { label: label.span(), value: written });
    }

    fn finish(&mut self, draft: Draft) {
        let Some(item) = draft.item else { return };
        self.add_item(item, draft.source, draft.same_as);
    }

    /// Adds an item type, unless it is there already.
    pub(super) fn add_item(&mut self, item: ItemType, source: ItemSource, same_as: Option<String>) {
        if let Some(at) = self.design.items.iter().position(|it| it.name == item.name) {
            let before = &self.design.items[at];
            let differs = item
                .keys
                .iter()
                .find(|key| before.key(&key.attribute).is_some_and(|it| it.value != key.value));
            if let Some(key) = differs {
                let span = item
                    .keys
                    .iter()
                    .position(|it| it == key)
                    .and_then(|at| source.keys.get(at))
                    .map_or(source.name, |key| key.value.span);
                self.problems.contradiction(
                    span,
                    format!("`{}` gets two values for `{}`", item.name, key.attribute),
                    self.source.items[at].name,
                    "the other one is of this item type",
                );
            }
            self.complete_item(at, item, source, same_as);
            return;
        }
        if let Some(other) = same_as {
            self.same_as.push((self.design.items.len(), other));
        }
        self.design.items.push(item);
        self.source.items.push(source);
    }
}

impl Reader {
    /// A chart may give the keys of an item type, and a section of its own all else, or the other way round.
    fn complete_item(&mut self, at: usize, item: ItemType, source: ItemSource, same_as: Option<String>) {
        let (own, own_source) = (&mut self.design.items[at], &mut self.source.items[at]);
        for (key, place) in item.keys.into_iter().zip(source.keys) {
            if own.key(&key.attribute).is_none() {
                own.keys.push(key);
                own_source.keys.push(place);
            }
        }
        for (attribute, place) in item.attributes.into_iter().zip(source.attributes) {
            if own.attribute(&attribute.name).is_none() {
                own.attributes.push(attribute);
                own_source.attributes.push(place);
            }
        }
        own.description = own.description.take().or(item.description);
        own_source.example = own_source.example.take().or(source.example);
        own_source.ttl = own_source.ttl.take().or(source.ttl);
        own_source.notes.extend(source.notes);
        self.same_as.extend(same_as.map(|other| (at, other)));
    }
}

/// `uniqueness item of Customer`, `merged Song + Rating`.
fn kind_of(remark: &str) -> Option<(ItemKind, Vec<String>)> {
    let names = |text: &str| {
        text.split(" + ").map(str::trim).filter(|it| !it.is_empty()).map(str::to_owned).collect()
    };
    if let Some(rest) = remark.strip_prefix("merged ") {
        return Some((ItemKind::Main, names(rest)));
    }
    let (kind, entities) = remark.split_once(" of ").map_or((remark, ""), |(kind, rest)| (kind, rest));
    let kind = match fold(kind).as_str() {
        "mainitem" => ItemKind::Main,
        "uniquenessitem" | "uniqueness" => ItemKind::Uniqueness,
        "edge" => ItemKind::Edge,
        "counter" => ItemKind::Counter,
        "copy" => ItemKind::Copy,
        "singleton" => ItemKind::Singleton,
        _ => return None,
    };
    Some((kind, names(entities)))
}

/// The template of a line, and how it is written.
fn key_value(
    entry: &Entry<'_>,
    partition: Option<&KeyValue>,
    problems: &mut Problems,
) -> Option<(KeyValue, At<String>)> {
    if let Some(Piece::Text(before)) = entry.pieces.first()
        && fold(before.as_str()) == "attribute"
        && let Some(code) = entry.codes().next()
    {
        return Some((KeyValue::Natural, said(code)));
    }
    if let Some(code) = entry.codes().next() {
        let text = match Bare::of(code.as_str()) {
            Bare::Term(Term::DoubleQuoted(text)) => text,
            _ => template::normal(code.as_str()),
        };
        return Some((KeyValue::Template(text), said(code)));
    }
    let text = entry.texts().next()?;
    let without_remark = text.as_str().split(" (").next().unwrap_or_default();
    let without_remark =
        without_remark.split(" — ").next().unwrap_or_default().split(" - ").next().unwrap_or_default();
    let text = text.part(without_remark).trim().trim_matches(&['"', '\'', ',']);
    if text.is_empty() || is_nothing(text.as_str()) {
        return None;
    }
    let folded = fold(text.as_str());
    if let (Some(value), true) =
        (partition, matches!(folded.as_str(), "sameaspk" | "samepk" | "pk" | "sameaspartitionkey"))
    {
        return Some((value.clone(), said(text)));
    }
    let first = text.as_str().split_whitespace().next().unwrap_or_default();
    let is_template =
        text.as_str().contains(['<', '{']) || first.len() == text.as_str().len() || first.contains('#');
    if is_template {
        return Some((KeyValue::Template(template::normal(text.as_str())), said(text)));
    }
    let Some(template) = template::in_words(text.as_str()) else {
        problems.unreadable(text, "this key is given in words, so nothing can be said about its values");
        return None;
    };
    problems.assume(
        text.span(),
        format!("read \"{}\" as the key `{template}`", text.as_str()),
        "it is given in words; write the template in a code span",
    );
    Some((KeyValue::Template(template), At::assumed(text.as_str().to_owned(), text.span())))
}

/// `when `status = 'OPEN'``.
fn sparse(entry: &Entry<'_>) -> Option<Sparse> {
    let at = entry.pieces.iter().position(|piece| {
        matches!(piece, Piece::Text(text) if matches!(fold(text.as_str()).as_str(), "when" | "onlywhen" | "if" | "onlyif"))
    })?;
    let Some(Piece::Code(code)) = entry.pieces.get(at + 1) else { return None };
    match parse::condition(code.as_str()).ok()? {
        Condition::Exists(attribute) => Some(Sparse { attribute, equals: None }),
        Condition::Compare(Operand::Path(attribute), Comparator::Equal, Operand::Value(term)) => {
            Some(Sparse { attribute, equals: Some(literal_of(&term)?) })
        }
        _ => None,
    }
}

/// `Same as X`.
fn same_as(value: Phrase<'_>) -> Option<String> {
    let text = words(value);
    let rest = text.get(..8).filter(|it| it.eq_ignore_ascii_case("same as "))?;
    Some(text[rest.len()..].trim_end_matches('.').to_owned())
}

/// The parts between commas that stand outside of brackets and quotes.
fn outside_brackets(phrase: Phrase<'_>) -> Vec<Phrase<'_>> {
    let text = phrase.as_str();
    let mut parts = Vec::new();
    let (mut start, mut depth, mut quoted, mut escaped) = (0, 0usize, false, false);
    for (at, next) in text.char_indices() {
        if std::mem::take(&mut escaped) {
            continue;
        }
        match next {
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(phrase.slice(start..at).trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(phrase.slice(start..text.len()).trim());
    parts.retain(|part| !part.is_empty());
    parts
}

/// `name` (type, optional, enum(a, b)).
fn attribute(phrase: Phrase<'_>) -> Option<(ItemAttribute, Span)> {
    let name = match phrase.pieces().into_iter().next()? {
        Piece::Code(name) => name,
        Piece::Text(text) => text.words().next()?,
    };
    let text = phrase.as_str();
    let offset = name.as_str().as_ptr() as usize - text.as_ptr() as usize + name.as_str().len();
    let name = name.trim_matches(&['{', '}', ':', ',']);
    let mut attribute = ItemAttribute {
        name: name.as_str().to_owned(),
        ty: Type::String,
        optional: false,
        values: Vec::new(),
        entity: None,
    };
    let rest = text[offset..].trim_start();
    if let Some(facts) = bracketed(rest) {
        for fact in outside_brackets(phrase.part(facts)) {
            apply(&mut attribute, fact.as_str());
        }
    }
    (!attribute.name.is_empty()).then_some((attribute, name.span()))
}

/// The inside of the brackets that a text begins with.
fn bracketed(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('(')?;
    let mut depth = 1usize;
    let mut quote = false;
    let mut escaped = false;
    for (at, next) in inner.char_indices() {
        if std::mem::take(&mut escaped) {
            continue;
        }
        match next {
            '\\' if quote => escaped = true,
            '"' => quote = !quote,
            '(' if !quote => depth += 1,
            ')' if !quote => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(&inner[..at]);
        }
    }
    None
}

fn apply(attribute: &mut ItemAttribute, fact: &str) {
    let list = |inner: &str| {
        sentence(inner, |parser| parser.list(Parser::name)).unwrap_or_else(|_| {
            inner.split(',').map(|it| it.trim().to_owned()).filter(|it| !it.is_empty()).collect()
        })
    };
    let called = |name: &str| fact.strip_prefix(name).and_then(bracketed);
    if let Some(inner) = called("enum") {
        attribute.ty = Type::Enum;
        attribute.values = list(inner);
    } else if let Some(inner) = called("values") {
        attribute.values = list(inner);
    } else if fact.eq_ignore_ascii_case("optional") {
        attribute.optional = true;
    } else if let Some(entity) = fact.strip_prefix("of ") {
        attribute.entity = sentence(entity, Parser::name).ok().or_else(|| Some(entity.trim().to_owned()));
    } else if let Some(ty) = type_named(fact) {
        attribute.ty = ty;
    }
}

fn type_named(text: &str) -> Option<Type> {
    let known = Type::ALL.into_iter().find(|ty| ty.name().eq_ignore_ascii_case(text.trim()));
    known.or(match fold(text).as_str() {
        "s" | "str" => Some(Type::String),
        "n" | "int" | "long" => Some(Type::Number),
        "float" | "double" => Some(Type::Decimal),
        "bool" => Some(Type::Boolean),
        "timestamp" | "iso8601" => Some(Type::Datetime),
        "ss" | "ns" | "stringset" => Some(Type::Set),
        "object" | "json" | "m" => Some(Type::Map),
        "array" | "l" => Some(Type::List),
        "b" | "bytes" => Some(Type::Binary),
        _ => None,
    })
}

/// The example of a JSON block: its top-level values and the lines that they stand on.
fn example(text: Phrase<'_>, span: Span) -> Option<Example> {
    let serde_json::Value::Object(map) = serde_json::from_str(text.as_str()).ok()? else { return None };
    let values = map
        .into_iter()
        .map(|(name, value)| {
            let quoted = serde_json::Value::from(name.as_str()).to_string();
            let at = text.as_str().find(&quoted).map_or(span, |at| text.slice(at..at + quoted.len()).span());
            (name, At::stated(example_value(value), at))
        })
        .collect();
    Some(Example { span, values })
}

fn example_value(value: serde_json::Value) -> ExampleValue {
    match value {
        serde_json::Value::String(text) => ExampleValue::String(text),
        serde_json::Value::Number(number) => ExampleValue::Number(number.to_string()),
        // DynamoDB's own JSON: {"S": "…"}.
        serde_json::Value::Object(map) if map.len() == 1 => match map.into_iter().next() {
            Some((ty, serde_json::Value::String(text))) if ty == "S" => ExampleValue::String(text),
            Some((ty, serde_json::Value::String(text))) if ty == "N" => ExampleValue::Number(text),
            _ => ExampleValue::Other,
        },
        _ => ExampleValue::Other,
    }
}
