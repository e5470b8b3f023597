//! What is particular to a read.

use keywright_finding::Finding;
use keywright_model::At;
use keywright_model::model::{AttributeRef, Consistency, Input, Read, ResultKind, Sort, Type};

use super::row::{Named, Row};
use super::story::Speaker;
use crate::access_patterns::attribute::split_list;
use crate::access_patterns::cell::{Said, yes_no};
use crate::access_patterns::columns::Column;
use crate::access_patterns::description;
use crate::access_patterns::inputs::{self, read_cell};
use crate::access_patterns::names::{fold, tokens};
use crate::access_patterns::quantity::{bytes, number, quantity};
use crate::access_patterns::remarks::Remarks;
use crate::access_patterns::sort;
use crate::access_patterns::verbs::Verb;
use crate::markdown::Phrase;
use crate::rules::UNREADABLE_CELL;

impl<'p> Row<'_, 'p> {
    pub(super) fn read_kind(
        &self,
        description: Phrase<'p>,
        verb: Option<Verb>,
        named: &[Named<'p>],
        speaker: Speaker,
        remarks: &mut Remarks,
    ) -> (Option<At<Vec<Input>>>, Read) {
        let entities: Vec<usize> = named.iter().filter_map(|(_, index)| *index).collect();
        let mut read = Read::default();
        if let Said::Words(cell) = self.said(Column::Sort) {
            read.sort = sort::read(cell, &entities, self.domain, remarks);
        } else if matches!(self.said(Column::Sort), Said::Silent) {
            read.sort = self.told_order(description, &entities, remarks).into_iter().collect();
        }
        self.paging(&mut read, description, &entities, remarks);
        let sorted_by: Vec<AttributeRef> = read.sort.iter().map(|it| it.attribute.clone()).collect();
        let context = inputs::Context {
            entities: &entities,
            touched: &[],
            update: false,
            updated: &[],
            read: true,
            sorted_by: &sorted_by,
            description: description.as_str(),
            changing: &[],
            set: &[],
            listed: &[],
            used: &[],
            domain: self.domain,
        };
        let mut inputs = self.read_inputs(description, &read.sort, &context, remarks);
        if let (Some(speaker), true, Said::Silent) = (speaker, self.loose, self.said(Column::Inputs)) {
            inputs = description::inputs_of_speaker(inputs, description, speaker, &context, remarks);
        }
        if let Some(cell) = self.words(Column::Consistency) {
            read.consistency = self.consistency(cell, remarks);
        }
        if let Some(cell) = self.words(Column::MultiEntity) {
            read.multi_entity = self.flag(cell, remarks);
        } else if let Some(cell) = self.outcome().filter(|_| entities.len() > 1) {
            remarks.assume(
                cell.span(),
                format!("read \"{}\" as one read of several entities", cell.as_str()),
                "write Yes into a column Multi-Entity",
            );
            read.multi_entity = Some(At::assumed(true, cell.span()));
        } else if entities.len() > 1
            && !self.columns.has(Column::MultiEntity)
            && let Some(cell) = self.words(Column::Entity)
            && named.iter().all(|(words, _)| cell.span().contains(words.span()))
        {
            remarks.assume(
                cell.span(),
                format!("read \"{}\" as entities that are returned together", cell.as_str()),
                "write Yes into a column Multi-Entity",
            );
            read.multi_entity = Some(At::assumed(true, cell.span()));
        } else if entities.len() > 1 && self.loose && !self.columns.has(Column::MultiEntity) {
            remarks.assume(
                description.span(),
                format!("read \"{}\" as one read of several entities", description.as_str()),
                "name them in a column Entity, and write Yes into a column Multi-Entity",
            );
            read.multi_entity = Some(At::assumed(true, description.span()));
        }
        if let Some(cell) = self.outcome() {
            // It names entities: all of their attributes come back.
            report_selection(cell, remarks);
        } else if self.result_cell(&entities).is_some_and(|_| !self.columns.has(Column::Result)) {
            // It says how much comes back: whole items do.
        } else if let Some(cell) = self.words(Column::Returns) {
            read.returns = self.returns(cell, &entities);
        } else if let Some(cell) = self.words(Column::Attributes) {
            read.returns = self.returns(cell, &entities).map(|it| At::assumed(it.value, it.span));
            if read.returns.is_some() {
                remarks.assume(
                    cell.span(),
                    format!("read \"{}\" as what the read returns", cell.as_str()),
                    "write what the caller passes into a column Input Parameters, and what it receives into \
                     Returns",
                );
            }
        }
        if let Some(cell) = self.words(Column::ItemSize) {
            read.item_bytes = self.bytes(cell, remarks);
        }
        read.result = self.result(description, verb, &entities, inputs.as_ref(), remarks);
        if inputs.is_none() && self.loose {
            let single = read.result.as_ref().is_some_and(|it| it.value == ResultKind::Single);
            inputs = description::unsaid_inputs(description, &read.sort, single, &context, remarks);
        }
        if self.loose && !self.columns.has(Column::Inputs) && !self.columns.has(Column::Filters) {
            description::report_adjective(description, &read.sort, &context, remarks);
        }
        if self.loose
            && matches!(self.said(Column::Inputs), Said::Silent)
            && !self.columns.has(Column::Filters)
        {
            let given = inputs.as_ref().map_or(&[][..], |it| &it.value);
            description::report_lost(description, given, &read.sort, &context, remarks);
        }
        if let Some(inputs) = inputs.as_ref().filter(|it| self.loose && !it.assumed) {
            description::report_unsaid(description, &inputs.value, &read.sort, &context, remarks);
        }
        if self.loose && !self.columns.has(Column::Filters) {
            let given = inputs.as_ref().map_or(&[][..], |it| &it.value);
            description::report_clause(description, given, &context, remarks);
        }
        if let (Some(outcome), Some(inputs)) = (self.outcome(), &inputs) {
            description::report_state(outcome, &inputs.value, &read.sort, &context, remarks);
        }
        if let Some(inputs) = inputs.as_ref().filter(|it| !it.assumed) {
            description::report_state(description, &inputs.value, &read.sort, &context, remarks);
        }
        read.scan = verb == Some(Verb::Scan)
            && tokens(description).next().is_some_and(|word| word.is("scan"))
            || self.words(Column::Notes).is_some_and(|notes| tokens(notes).any(|word| word.is("scan")));
        (inputs, read)
    }

    /// The order that words tell where no column Sort does: those of the result, the description, or the notes.
    fn told_order(&self, description: Phrase<'p>, entities: &[usize], remarks: &mut Remarks) -> Option<Sort> {
        let links = self.links(description, entities);
        let loosely = self.outcome().into_iter().chain([description]).filter(|_| self.loose);
        let words = self.result_cell(entities).into_iter().chain(loosely);
        let mut words = words.filter(|_| !self.columns.has(Column::Sort)).collect::<Vec<_>>();
        words.dedup_by_key(|it| it.span());
        let before = remarks.assumptions.len();
        let told = words.into_iter().find_map(|it| sort::told(it, entities, &links, self.domain, remarks));
        // "By due date" beside an input `dueDate`: who gives one asks for no order.
        let given = self.words(Column::Inputs).map_or_else(Vec::new, read_cell);
        let is_given = |sort: &Sort| {
            given
                .iter()
                .any(|it| it.operator.is_none() && fold(it.name.as_str()) == fold(&sort.attribute.attribute))
        };
        let dated = |sort: &Sort| {
            let entity = self.domain.find(&sort.attribute.entity);
            let declared = entity.and_then(|it| self.domain.attribute(it, &sort.attribute.attribute));
            declared.is_some_and(|it| it.ty.value == Type::Date)
        };
        let told = told.filter(|sort| !is_given(sort) || !dated(sort));
        if told.is_none() {
            remarks.assumptions.truncate(before);
        }
        let notes = || self.words(Column::Notes);
        told.or_else(|| sort::noted(notes()?, entities, &links, self.domain, remarks))
    }

    /// What ties the entity that is read to others that the row names, where it holds nothing of them itself: the
    /// students of a course are found through enrollments.
    fn links(&self, description: Phrase<'p>, entities: &[usize]) -> Vec<usize> {
        let [entity] = entities else { return Vec::new() };
        let others = self.domain.mentions(description).into_iter().map(|(other, _)| other);
        let others = others.filter(|other| other != entity);
        let named = others.flat_map(|other| self.domain.entities[other].identity_names());
        let given = self.words(Column::Inputs).map_or_else(Vec::new, read_cell);
        let given: Vec<&str> = given.iter().map(|it| it.name.as_str()).collect();
        let holds = |name: &str| {
            self.domain.attribute(*entity, name).is_some()
                || self.domain.pointer(*entity, &fold(name)).is_some()
        };
        let spoken: Vec<usize> = self.domain.mentions(description).into_iter().map(|(it, _)| it).collect();
        let mut links: Vec<usize> = Vec::new();
        for name in named.chain(given) {
            let link = self.domain.through(*entity, name).and_then(|it| self.domain.find(&it.entity));
            let link = link.filter(|it| !holds(name) || spoken.contains(it));
            links.extend(link.filter(|it| !links.contains(it)));
        }
        links
    }

    fn read_inputs(
        &self,
        description: Phrase<'p>,
        order: &[Sort],
        context: &inputs::Context<'_>,
        remarks: &mut Remarks,
    ) -> Option<At<Vec<Input>>> {
        let filters = self.words(Column::Filters);
        let mut stated = match self.said(Column::Inputs) {
            Said::Words(cell) => {
                Some(At::stated(inputs::resolve(&read_cell(cell), false, context, remarks), cell.span()))
            }
            Said::Nothing(cell) => Some(At::stated(Vec::new(), cell.span())),
            Said::Silent => None,
        };
        if stated.is_none()
            && let Some(cell) = self.words(Column::KeyCondition)
        {
            let placeholders = description::placeholders(cell);
            stated = Some(At::stated(inputs::resolve(&placeholders, false, context, remarks), cell.span()));
        }
        if stated.is_none() && self.loose {
            stated = description::inputs(description, order, context, remarks);
        }
        if let Some(cell) = filters {
            let more = inputs::resolve(&read_cell(cell), true, context, remarks);
            stated.get_or_insert_with(|| At::stated(Vec::new(), cell.span())).value.extend(more);
        }
        stated
    }

    /// Paginated, Page Size, "20 per page" where the result stands, and "top 100" there or in the description.
    fn paging(&self, read: &mut Read, description: Phrase<'p>, entities: &[usize], remarks: &mut Remarks) {
        let result = self.result_cell(entities);
        if let Some(cell) = self.words(Column::Paginated) {
            // `Yes (20)`, or only the number: "20", "20 per page".
            let size = quantity(cell).filter(|(size, _)| size.mean > 0);
            let words = ["per", "a", "page", "items", "rows", "each"];
            let alone = cell.as_str().starts_with(|first: char| first.is_ascii_digit())
                && size.as_ref().is_some_and(|(_, rest)| {
                    tokens(*rest).all(|word| words.iter().any(|it| word.is(it))) && !rest.is("page")
                });
            read.paginated =
                if alone { Some(At::stated(true, cell.span())) } else { self.flag(cell, remarks) };
            read.page_size = size.map(|(size, _)| At::stated(size.mean, cell.span()));
        }
        if let Some(cell) = self.words(Column::PageSize) {
            match number(cell.as_str()) {
                Some(size) => read.page_size = Some(At::stated(size, cell.span())),
                None => remarks.say(
                    &UNREADABLE_CELL,
                    cell.span(),
                    format!("`{}` is not a number of items", cell.as_str()),
                    "write a number, such as `20`",
                ),
            }
        }
        let words = result.or(self.loose.then_some(description));
        if let Some(cell) = words.filter(|_| !self.columns.has(Column::Paginated))
            && tokens(cell)
                .any(|word| word.as_str().to_lowercase().starts_with("page") || word.is("paginated"))
        {
            read.paginated = Some(At::stated(true, cell.span()));
            let size = page_size(cell).filter(|size| *size > 0);
            read.page_size = read.page_size.take().or(size.map(|size| At::stated(size, cell.span())));
        }
        if read.page_size.is_none()
            && let Some((size, words)) = result.into_iter().chain([description]).find_map(description::top)
        {
            remarks.assume(
                words.span(),
                format!("read \"{}\" as a page of {size}", words.as_str()),
                "write the number into a column Page Size",
            );
            read.page_size = Some(At::assumed(size, words.span()));
        }
    }

    pub(super) fn flag(&self, cell: Phrase<'p>, remarks: &mut Remarks) -> Option<At<bool>> {
        let flag = yes_no(cell);
        if flag.is_none() {
            remarks.say(
                &UNREADABLE_CELL,
                cell.span(),
                format!("`{}` is neither yes nor no", cell.as_str()),
                "write `Yes` or `No`",
            );
        }
        flag
    }

    fn consistency(&self, cell: Phrase<'p>, remarks: &mut Remarks) -> Option<At<Consistency>> {
        let folded = fold(cell.as_str());
        if folded.starts_with("eventual") {
            Some(At::stated(Consistency::Eventual, cell.span()))
        } else if folded.starts_with("strong") || folded.starts_with("consistent") {
            Some(At::stated(Consistency::Strong, cell.span()))
        } else {
            remarks.say(
                &UNREADABLE_CELL,
                cell.span(),
                format!("`{}` is not a consistency level", cell.as_str()),
                "write `Eventual` or `Strong`",
            );
            None
        }
    }

    fn returns(&self, cell: Phrase<'p>, entities: &[usize]) -> Option<At<Vec<AttributeRef>>> {
        if ["all", "*", "everything", "all attributes"].iter().any(|it| cell.is(it)) {
            return None;
        }
        let mut found = Vec::new();
        for part in split_list(cell) {
            let name = part.trim_matches(&['<', '>', '{', '}', '`']);
            let (qualifier, own) = match name.as_str().split_once('.') {
                Some((entity, own)) if self.domain.find(entity).is_some() => (self.domain.find(entity), own),
                _ => (None, name.as_str()),
            };
            let owners: Vec<usize> = qualifier.map_or_else(|| entities.to_vec(), |it| vec![it]);
            let before = found.len();
            found.extend(owners.iter().filter_map(|entity| self.domain.reference(*entity, own)));
            found.extend(owners.iter().flat_map(|entity| self.domain.members(*entity, own)));
            if found.len() == before {
                // Kept as written, so that a rule can speak of it.
                let entity = owners.first().map_or("", |entity| self.domain.entities[*entity].name.as_str());
                found.push(AttributeRef::new(entity, own));
            }
        }
        Some(At::stated(found, cell.span()))
    }

    pub(super) fn bytes(&self, cell: Phrase<'p>, remarks: &mut Remarks) -> Option<At<u64>> {
        let bare = || quantity(cell).filter(|(_, unit)| unit.is_empty()).map(|(amount, _)| amount.mean);
        let size = bytes(cell).or_else(bare);
        if size.is_none() {
            remarks.say(
                &UNREADABLE_CELL,
                cell.span(),
                format!("`{}` is not a size", cell.as_str()),
                "write bytes or kilobytes, such as `800 B` or `2 KB`",
            );
        }
        size.map(|size| At::stated(size, cell.span()))
    }
}

/// The number beside the page: "20 per page", "page 25", "pages of 50"; else the only number.
fn page_size(words: Phrase<'_>) -> Option<u64> {
    let words: Vec<Phrase<'_>> = tokens(words).collect();
    let page = words.iter().position(|word| word.as_str().to_lowercase().starts_with("page"))?;
    let near = words[page.saturating_sub(2)..(page + 3).min(words.len())].iter();
    near.chain(&words).find_map(|word| word.as_str().parse().ok())
}

/// What comes back may say which items those are, "flights with status cancelled", where only inputs and filters select.
fn report_selection(outcome: Phrase<'_>, remarks: &mut Remarks) {
    let words = ["where", "with", "without", "whose", "if"];
    let Some(first) = tokens(outcome).find(|token| words.iter().any(|it| token.is(it))) else { return };
    let start = first.range_in(outcome).start;
    let selection = outcome.slice(start..outcome.as_str().len()).trim();
    remarks.report(
        Finding::new(
            &UNREADABLE_CELL,
            selection.span(),
            format!("\"{}\" selects nothing here", selection.as_str()),
        )
        .help("write it among the inputs or into a column Filters, such as `status = OPEN`"),
    );
}
