//! The numbers that prices depend on, as values.

use keywright_model::certificate::{
    AttributeFacts, Bounded, DemandFacts, EffectAction, EffectFacts, EntityFacts, KeptBlock, KeptKeys,
    KeptPlace, KeyForm, Prices, ResultFacts, SharedRead, UniqueFacts,
};
use keywright_model::model::{Bound, Literal, Type};

use crate::candidate::{may_guard, time_ordered_id};
use crate::cost::{MonthlyPrice, encoded_bytes, plain_bytes, uniqueness_bytes};
use crate::demand::{Demand, Source};
use crate::form::{Form, key_type};
use crate::naming;
use crate::path::Segment;
use crate::problem::{self, Attr, Attrs, Problem, ResultShape};
use crate::search::EntityTask;

pub(super) fn prices(month: &MonthlyPrice) -> Prices {
    let operational = &month.operational;
    Prices {
        million_read_units: month.table.million_read_units,
        million_write_units: month.table.million_write_units,
        gb_month: month.table.gb_month,
        index: operational.index,
        item_type: operational.item_type,
        include_list: operational.include_list,
        awkward_pattern: operational.awkward_pattern,
        million_extra_requests: operational.million_extra_requests,
    }
}

pub(super) fn list(attrs: Attrs) -> Vec<usize> {
    attrs.iter().map(Attr::index).collect()
}

pub(super) fn sequence(attrs: &[Attr]) -> Vec<usize> {
    attrs.iter().map(|attr| attr.index()).collect()
}

pub(super) fn by_name(sort: &[Segment]) -> Vec<usize> {
    sort.iter().filter(|it| it.by_name).map(|it| it.attr.index()).collect()
}

pub(super) fn entity(task: &EntityTask<'_>) -> EntityFacts {
    let (problem, at) = (task.problem, task.entity);
    let facts = &problem.entities[at];
    let bytes = |set: Attrs| uniqueness_bytes(problem, at, set);
    let effects = problem.writes.iter().flat_map(|write| write.effects.iter().map(move |it| (write, it)));
    let checks = problem.writes.iter().flat_map(|write| write.checks.iter().map(move |it| (write, it)));
    EntityFacts {
        name: facts.name.clone(),
        count: facts.count,
        attributes: facts
            .attributes
            .iter()
            .chain(&facts.buckets)
            .enumerate()
            .map(|(at, it)| attribute(facts, Attr::new(at), it))
            .collect(),
        identity: sequence(&facts.identity),
        generated: facts.generated,
        singleton: facts.singleton,
        counter: facts.counter,
        copy: facts.copy_of.is_some(),
        may_guard: may_guard(problem, at),
        guard_bytes: bytes(facts.identity_set()),
        unique: facts
            .unique
            .iter()
            .map(|set| UniqueFacts { attributes: list(*set), bytes: bytes(*set) })
            .collect(),
        skew: facts.skew.map(u64::from),
        at_creation: list(facts.at_creation),
        added: list(facts.added),
        time_ordered: time_ordered_id(facts).map(Attr::index),
        parents: facts
            .parents
            .iter()
            .map(|link| Bounded {
                via: sequence(&link.via),
                told: link.told.map(Attr::index),
                mean: link.mean,
                max: link.max,
            })
            .collect(),
        plain_bytes: plain_bytes(problem, at),
        name_bytes: naming::block_name(&facts.name).len() as u64,
        form: form(task.forms.base),
        index_form: form(task.forms.index),
        kept: kept(task),
        home: task.existing.and_then(|existing| existing.home(at)),
        unsorted: task.existing.is_some_and(|it| it.entities[at].is_none() && !it.has_sort(at)),
        crowded: task.candidates.crowded,
        demands: task.demands.iter().map(|it| demand(problem, it)).collect(),
        effects: effects.filter(|(_, it)| it.entity == at).map(|(write, it)| effect(write, it)).collect(),
        checks: checks.filter(|(_, it)| it.entity == at).map(|(write, _)| write.rate).collect(),
    }
}

fn kept(task: &EntityTask<'_>) -> Option<KeptKeys> {
    let existing = task.existing?;
    existing.entities[task.entity].as_ref()?;
    let place = |index: Option<usize>| {
        let gsi = index.and_then(|index| existing.index_number(task.entity, index));
        let key = existing.key(task.entity, gsi)?;
        let block = key.sort.first().map(|part| KeptBlock {
            text: part.leading_literal().to_owned(),
            sort: part.segments().iter().map(|it| (it.attr.index(), it.descending)).collect(),
            by_name: by_name(&part.segments()),
        });
        let collection = existing.partition_literal(task.entity, gsi)?.to_owned();
        Some(KeptPlace { gsi, collection, block, mixed: task.untold.contains(&index) })
    };
    Some(KeptKeys {
        base: super::path(task.candidates.bases.first()?),
        indexes: (0..task.candidates.kept).map(|index| super::logical_index(task, index)).collect(),
        places: [None].into_iter().chain((0..task.candidates.kept).map(Some)).filter_map(place).collect(),
    })
}

fn form(form: Form) -> KeyForm {
    match form {
        Form::Generic => KeyForm::Generic,
        Form::Native => KeyForm::Native,
        Form::Natural => KeyForm::Natural,
    }
}

fn attribute(facts: &problem::EntityFacts, attr: Attr, it: &problem::AttributeFacts) -> AttributeFacts {
    let moment = matches!(it.ty, Type::Date | Type::Datetime);
    let ordered = it.ty.is_numeric() || it.ty.is_generated_id() || moment || it.ty == Type::Boolean;
    let ranked = !it.rank.is_empty();
    AttributeFacts {
        name: it.name.clone(),
        bytes: it.bytes,
        key_bytes: encoded_bytes(it),
        distinct: it.distinct,
        present: it.optional.then_some(it.present),
        values: it.values.len() as u64,
        one_value_written: moment || !it.values.is_empty() && it.changes,
        key: facts.may_be_key(attr),
        own_key: key_type(it),
        native_key: key_type(it).is_some() || !it.ttl && it.ty.is_scalar(),
        reversible: ordered || !it.values.is_empty(),
        reversible_block: ordered || ranked,
        ranked,
        creation_time: it.creation_time,
        changes: it.changes,
        tenant: it.tenant,
        period_of: it.bucket.map(|bucket| bucket.of.index()),
    }
}

fn result(shape: ResultShape) -> ResultFacts {
    match shape {
        ResultShape::Single => ResultFacts::Single,
        ResultShape::Whole => ResultFacts::Whole,
        ResultShape::Page(size) => ResultFacts::Page(size),
        ResultShape::Count => ResultFacts::Count,
    }
}

pub(super) fn literal(value: &Literal) -> String {
    format!("{value:?}")
}

/// Whether a range has two ends of which one is not in it.
fn is_open(range: &problem::Range) -> bool {
    let open = |end: &Option<(String, Bound)>| matches!(end, Some((_, Bound::Exclusive)));
    range.lower.is_some() && range.upper.is_some() && (open(&range.lower) || open(&range.upper))
}

fn demand(problem: &Problem, it: &Demand) -> DemandFacts {
    let part = &it.part;
    let pattern = match it.source {
        Source::Read(read) | Source::Shared { read, .. } | Source::Behind(read) => &problem.reads[read].id,
        Source::Locate { write, .. } | Source::LocateCheck { write, .. } => &problem.writes[write].id,
    };
    DemandFacts {
        pattern: pattern.clone(),
        given: list(part.eq()),
        constants: part
            .equal
            .iter()
            .filter_map(|it| Some((it.attr.index(), literal(it.constant.as_ref()?))))
            .collect(),
        optional: part.equal.iter().filter(|it| it.optional).map(|it| it.attr.index()).collect(),
        listed: part.equal.iter().any(|it| it.list).then_some(it.listed),
        range: part.range.as_ref().map(|it| it.attr.index()),
        prefix: part.range.as_ref().is_some_and(|it| it.prefix.is_some()),
        open_range: part.range.as_ref().is_some_and(is_open),
        holding: part.holding.map(Attr::index),
        more_ranges: part.more_ranges.iter().map(|it| it.attr.index()).collect(),
        order: part
            .order
            .iter()
            .map(|(attr, way)| (attr.index(), *way == keywright_model::model::Direction::Descending))
            .collect(),
        sorted_later: part.sorted_later,
        returns: list(part.returns),
        result: result(it.result),
        rate: it.rate,
        peak: it.peak,
        strong: it.strong,
        locating: it.is_locating(),
        second: it.is_second(),
        swept: it.swept,
        shared: match it.source {
            Source::Shared { read, part } => Some((shared_reads(problem).position(|it| it == read), part)),
            _ => None,
        }
        .and_then(|(read, part)| Some((read?, part))),
        mixed: match it.source {
            Source::Shared { read, .. } => problem.reads[read].interleaved.contains(&part.entity),
            _ => false,
        },
    }
}

fn effect(write: &problem::WriteFacts, it: &problem::EffectFacts) -> EffectFacts {
    EffectFacts {
        action: match it.action {
            problem::EffectAction::Create => EffectAction::Create,
            problem::EffectAction::Put => EffectAction::Put,
            problem::EffectAction::Update => EffectAction::Update,
            problem::EffectAction::Delete => EffectAction::Delete,
        },
        all: it.all,
        given: list(it.given),
        sets: list(it.sets),
        grows: list(it.grows),
        maybe: list(it.maybe),
        removes: list(it.removes),
        fixed: it.fixed.iter().map(|(attr, value)| (attr.index(), literal(value))).collect(),
        was: it.was.iter().map(|(attr, value)| (attr.index(), value.as_ref().map(literal))).collect(),
        lacked: list(it.lacked),
        there: it.there,
        unique: it.unique.clone(),
        read_first: it.read_first,
        transaction: write.holds_together(it),
        portions: it.portions,
        rate: write.rate,
        peak: write.peak,
    }
}

fn shared_reads(problem: &Problem) -> impl Iterator<Item = usize> {
    (0..problem.reads.len()).filter(|read| problem.reads[*read].parts.len() > 1 && !problem.reads[*read].scan)
}

pub(super) fn shared(problem: &Problem, tasks: &[EntityTask<'_>]) -> Vec<SharedRead> {
    shared_reads(problem)
        .map(|read| {
            let facts = &problem.reads[read];
            let position = |part: usize, entity: usize| {
                let source = Source::Shared { read, part };
                let at = tasks[entity].demands.iter().position(|it| it.source == source);
                (entity, at.expect("every part is a demand"))
            };
            SharedRead {
                pattern: facts.id.clone(),
                parts: facts.parts.iter().enumerate().map(|(part, it)| position(part, it.entity)).collect(),
                has_head: facts.has_head,
                wanted: facts
                    .wanted
                    .and_then(|wanted| facts.parts.iter().position(|part| part.entity == wanted)),
                compared: facts.sieve.eq().iter().map(|attr| attr.index()).collect(),
                ranges: facts.sieve.ranges().count(),
                result: result(facts.result),
                rate: facts.rate,
                strong: facts.strong,
                there: there(problem, facts, &tasks[facts.parts[0].entity]),
            }
        })
        .collect()
}

/// The collections that are there which the parts of a read would lie in.
fn there(
    problem: &Problem,
    read: &problem::ReadFacts,
    head: &EntityTask<'_>,
) -> Vec<(Option<usize>, String)> {
    let Some(existing) = head.existing else { return Vec::new() };
    let gsis = existing.home(head.entity).map_or_else(Vec::new, |table| existing.present(table));
    let places = [None].into_iter().chain(gsis.iter().map(|it| Some(it.number)));
    places.filter_map(|gsi| Some((gsi, existing.collection(problem, read, gsi)?.to_owned()))).collect()
}
