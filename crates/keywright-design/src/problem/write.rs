//! Writes as the search sees them: what they do to each entity, and what they check.

use keywright_finding::Span;
use keywright_model::Rate;
use keywright_model::model::Literal;

use super::{Attr, Attrs, EntityFacts, Range};
use crate::form::Form;
use crate::path::Path;

/// A write or a delete.
#[derive(Debug)]
pub(crate) struct WriteFacts {
    pub(crate) pattern: usize,
    pub(crate) id: String,
    pub(crate) span: Span,
    pub(crate) effects: Vec<EffectFacts>,
    /// Conditions on items that no effect touches.
    pub(crate) checks: Vec<CheckFacts>,
    /// What touches all items of a collection fits into the same transaction.
    pub(crate) all_in_transaction: bool,
    /// All or nothing: asked for, or forced by a check, a uniqueness item or a sequence.
    pub(crate) transaction: bool,
    pub(crate) rate: Rate,
    pub(crate) peak: Rate,
}

impl WriteFacts {
    /// Whether an effect is part of a transaction: with all others, or with the number that is kept of what it deletes.
    pub(crate) fn holds_together(&self, effect: &EffectFacts) -> bool {
        let each = effect.is_portioned() || effect.guarded;
        self.transaction && (!effect.all || self.all_in_transaction) || each
    }
}

/// What a write does to one entity.
#[derive(Debug)]
pub(crate) struct EffectFacts {
    pub(crate) entity: usize,
    pub(crate) action: EffectAction,
    /// The identifier of its item and the input that gives it, where several inputs point to items of its entity.
    pub(crate) named_by: Option<(Attr, String)>,
    /// Touches all items that `given` selects.
    pub(crate) all: bool,
    /// Attributes whose present values the caller gives.
    pub(crate) given: Attrs,
    /// The ranges within which all its items lie; the first is what a key may serve.
    pub(crate) ranges: Vec<Range>,
    /// Attributes that get new values or go (all that are known, for a create).
    pub(crate) sets: Attrs,
    /// Those of them that it adds to: what they become is known only to who reads them first.
    pub(crate) grows: Attrs,
    /// Those of them that stay as they are where the caller leaves them out.
    pub(crate) maybe: Attrs,
    /// Those of them that go: the item does not hold them any more.
    pub(crate) removes: Attrs,
    /// Those of them whose new value is always the same.
    pub(crate) fixed: Vec<(Attr, Literal)>,
    /// What its conditions say that attributes are before it; none where they only say that there is a value.
    pub(crate) was: Vec<(Attr, Option<Literal>)>,
    /// What its conditions say that the item does not hold before it.
    pub(crate) lacked: Attrs,
    /// Its conditions say that the item is there: where it puts one, it always replaces one.
    pub(crate) there: bool,
    /// The sets of `EntityFacts::unique` whose items come, go or move with it.
    pub(crate) unique: Vec<usize>,
    /// Indices of the Model's conditions that ride on it.
    pub(crate) conditions: Vec<usize>,
    /// The effect of the same write whose item, once read, gives this one's key.
    pub(crate) derived_from: Option<usize>,
    /// Another effect's key comes from this one's item, so it is read first.
    pub(crate) read_first: bool,
    /// Counters of this item that go up or down with the write's other effects.
    pub(crate) adds: Vec<(Attr, i64)>,
    /// Counters of this item that must be as they were read when it goes: nothing came under it meanwhile.
    pub(crate) settled: Attrs,
    /// The item comes to be where it is not there yet.
    pub(crate) upsert: bool,
    /// A number goes up or down with it, so that it must not happen twice.
    pub(crate) counted: bool,
    /// The effect on all items of another entity that it counts: each portion of what is deleted has its own.
    pub(crate) counts_all: Option<usize>,
    /// How often it is sent in one call on average, where it is not repeated for every item.
    pub(crate) portions: u64,
    /// The counter of this item that gives out the next number of a sequence.
    pub(crate) next_number: Option<Attr>,
    /// This item's number is the next of a counter: the attribute, the counter, the effect that keeps it.
    pub(crate) numbered_by: Option<(Attr, Attr, usize)>,
    /// Numbers with which its item begins, since it comes together with what they count: those that are kept of the children
    /// that come with a parent, and the number of such a child.
    pub(crate) begins: Vec<(Attr, i64)>,
    /// The effect of the same write whose item, as it then is, this one keeps as a version.
    pub(crate) version_of: Option<usize>,
    /// Another effect keeps a version of its item.
    pub(crate) versioned: bool,
    /// Deletes all of several items together with those that keep their identities unique: both of each at once.
    pub(crate) guarded: bool,
    /// Looks once more, when all is done, for items that came meanwhile.
    pub(crate) swept: bool,
    /// Indices of the Model's effects that it stands for.
    pub(crate) sources: Vec<usize>,
}

impl EffectFacts {
    /// An effect that does nothing more than be there.
    pub(crate) fn new(entity: usize, action: EffectAction) -> Self {
        EffectFacts {
            entity,
            action,
            named_by: None,
            all: false,
            given: Attrs::NONE,
            ranges: Vec::new(),
            sets: Attrs::NONE,
            grows: Attrs::NONE,
            maybe: Attrs::NONE,
            removes: Attrs::NONE,
            fixed: Vec::new(),
            was: Vec::new(),
            lacked: Attrs::NONE,
            there: false,
            unique: Vec::new(),
            conditions: Vec::new(),
            derived_from: None,
            read_first: false,
            adds: Vec::new(),
            settled: Attrs::NONE,
            upsert: false,
            counted: false,
            counts_all: None,
            portions: 1,
            next_number: None,
            numbered_by: None,
            begins: Vec::new(),
            version_of: None,
            versioned: false,
            guarded: false,
            swept: false,
            sources: Vec::new(),
        }
    }

    /// Whether a string of an index key may have to be written of which the caller left something out: then what was there
    /// must be known. An entry that comes and goes depends on all its attributes.
    pub(crate) fn leaves_out(&self, entity: &EntityFacts, path: &Path, form: Form, string: Attrs) -> bool {
        let gate: Attrs = path.only.iter().map(|(attr, _)| *attr).collect();
        let optional = |attr: Attr| entity.attribute(attr).optional && self.sets.contains(attr);
        let of = form.depends(path, string);
        let comes_and_goes = !gate.intersection(self.sets).is_empty() || of.iter().any(optional);
        let changed = if comes_and_goes { of.union(gate) } else { string }.intersection(self.sets);
        let mut all = changed.iter();
        all.next().is_some()
            && all.next().is_some()
            && changed.iter().any(|attr| self.maybe.contains(entity.stored(attr)))
    }

    /// What its items must be known to hold before it writes a string of an index, since nothing that is said of the write
    /// tells it: such a string is there where the item is in the index, and nowhere else.
    pub(crate) fn unsure(&self, entity: &EntityFacts, path: &Path, form: Form, string: Attrs) -> Attrs {
        let of = form.depends(path, string);
        if self.action != EffectAction::Update || of.intersection(self.sets).is_empty() {
            return Attrs::NONE;
        }
        let is_open = |attr: Attr| !self.sets.contains(attr) && !self.given.contains(entity.stored(attr));
        let held = |attr: Attr| self.was.iter().any(|(was, _)| *was == entity.stored(attr));
        let optional = of.iter().filter(|attr| entity.attribute(*attr).optional && !held(*attr));
        let told = |attr: Attr| self.was.iter().any(|(was, value)| *was == attr && value.is_some());
        let gate = path.only.iter().map(|(attr, _)| *attr).filter(|attr| !told(*attr));
        optional.chain(gate).filter(|attr| is_open(*attr)).collect()
    }

    /// Whether its items surely are not in an index before it and after it, by what its conditions say of them.
    pub(crate) fn stays_out(&self, entity: &EntityFacts, path: &Path, form: Form, string: Attrs) -> bool {
        let of = form.depends(path, string);
        let other = |gate: &Literal, was: &Literal| gate.to_string() != was.to_string();
        let closed = path.only.as_ref().is_some_and(|(attr, gate)| {
            let was = |(told, was): &(Attr, Option<Literal>)| {
                told == attr && was.as_ref().is_some_and(|was| other(gate, was))
            };
            !self.sets.contains(*attr) && self.was.iter().any(was)
        });
        let lacks = |attr: Attr| self.lacked.contains(entity.stored(attr)) && !self.sets.contains(attr);
        self.action == EffectAction::Update && (closed || of.iter().any(lacks))
    }

    /// Whether its items surely have another value than the one that an index is for.
    pub(crate) fn closes(&self, gate: Option<&(Attr, Literal)>) -> bool {
        let Some((attr, value)) = gate else { return false };
        let other = |(set, new): &(Attr, Literal)| set == attr && new.to_string() != value.to_string();
        self.removes.contains(*attr) || self.fixed.iter().any(other)
    }

    /// Whether it surely ends the string of these attributes in an index: nothing has to be known to take it out.
    pub(crate) fn ends(&self, form: Form, path: &Path, string: Attrs) -> bool {
        let of = form.depends(path, string);
        self.action == EffectAction::Update
            && (self.closes(path.only.as_ref()) || !of.intersection(self.removes).is_empty())
    }

    /// Whether it surely takes its items out of an index.
    pub(crate) fn leaves(&self, path: &Path) -> bool {
        self.ends(Form::Generic, path, path.attrs())
    }

    /// Whether it updates all of several items and can begin again without doing anything twice: then it does where one of
    /// them has changed or gone since it was found.
    pub(crate) fn starts_over(&self) -> bool {
        let adds = !self.grows.is_empty() || !self.adds.is_empty();
        self.all && self.action == EffectAction::Update && !adds && self.counts_all.is_none()
    }

    /// Whether each portion of it is a transaction with the number that is kept of it.
    pub(crate) fn is_portioned(&self) -> bool {
        self.all && self.counted || self.counts_all.is_some()
    }

    /// The attributes that it may give an item other values of, or take from it: a put replaces all but the identity.
    pub(crate) fn replaces(&self, entity: &EntityFacts) -> Attrs {
        if self.action != EffectAction::Put {
            return self.sets;
        }
        let all: Attrs = (0..entity.attributes.len()).map(Attr::new).collect();
        entity.with_periods(all.minus(entity.identity_set()))
    }

    /// What chooses its items, where it touches all of several, and may change: an item that was found may be another's
    /// choice when it is written.
    pub(crate) fn chosen_by(&self, entity: &EntityFacts) -> Attrs {
        if !self.all || !matches!(self.action, EffectAction::Update | EffectAction::Delete) {
            return Attrs::NONE;
        }
        let references = entity.parents.iter().flat_map(|link| link.via.iter().copied());
        let told: Attrs = references.chain(entity.identity.iter().copied()).collect();
        let ranged: Attrs = self.ranges.iter().map(|range| range.attr).collect();
        let asked = self.given.union(ranged).minus(told).minus(entity.tenants());
        asked.iter().filter(|attr| entity.attribute(entity.stored(*attr)).changes).collect()
    }

    /// Whether it deletes an item whose versions go with it, in the version that was read.
    pub(crate) fn outlasts_versions(&self, entity: &EntityFacts) -> bool {
        let version = entity.version();
        self.action == EffectAction::Delete && version.is_some_and(|version| self.settled.contains(version))
    }

    /// How many items one call touches on average, or how often it touches the one.
    pub(crate) fn times(&self, entity: &EntityFacts) -> u64 {
        if self.all { entity.mean_matches(self.given) } else { self.portions }
    }
}

/// What happens to an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EffectAction {
    Create,
    Put,
    Update,
    Delete,
}

/// An item that a write checks without changing it.
#[derive(Debug)]
pub(crate) struct CheckFacts {
    pub(crate) entity: usize,
    pub(crate) given: Attrs,
    /// The identifier of its item and the input that gives it, where several inputs point to items of its entity.
    pub(crate) named_by: Option<(Attr, String)>,
    /// Indices of the Model's conditions that it checks.
    pub(crate) conditions: Vec<usize>,
}
