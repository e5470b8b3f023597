//! Random small problems, the same for the same seed.

mod versions;

use keywright_finding::Span;
use keywright_model::Rate;
use keywright_model::model::{Bound, Direction, Literal, Period, Type};

use crate::problem::{
    Attr, AttributeFacts, Attrs, Bucket, Domain, EffectAction, EffectFacts, EntityFacts, Equality,
    ParentLink, Problem, Range, ReadFacts, ReadPart, ResultShape, Sieve, WriteFacts, sift, siftable,
};

#[path = "../../tests/suite/support/dice.rs"]
mod dice;

pub(super) use dice::Dice;

/// The attributes of every entity.
const NAMES: [&str; 7] = ["id", "owner", "state", "at", "body", "code", "kind"];

/// How many attributes every entity has.
pub(super) const ATTRIBUTES: usize = NAMES.len();

const HERE: Span = Span::new(0, 0);

/// The seeds that the environment asks for: `500`, or `180..190`.
pub(crate) fn asked_for() -> Option<std::ops::Range<u64>> {
    let text = std::env::var("KEYWRIGHT_SEEDS").ok()?;
    let (from, to) = text.split_once("..").unwrap_or(("0", &text));
    Some(from.parse().ok()?..to.parse().ok()?)
}

/// A problem of six to twelve entities and about thirty patterns: more than can be enumerated, but few of each entity, so
/// that all that it can be is listed.
pub(crate) fn mid_size(seed: u64) -> Problem {
    let mut dice = Dice(1_000_000 + seed);
    let entities = 6 + dice.roll(7) as usize;
    let mut problem = sized(&mut dice, entities, 26, 16);
    let mut asked = vec![0; problem.entities.len()];
    let mut few = |entity: usize| {
        asked[entity] += 1;
        asked[entity] <= 2
    };
    problem.reads.retain(|read| read.parts.iter().all(|part| few(part.entity)));
    for read in &mut problem.reads {
        // What is too hot for any key would leave nothing to compare.
        read.rate = read.rate.min(Rate::per_second(400));
        read.peak = read.rate;
        // Strong reads of whatever no key holds neither.
        read.strong &= read.parts.iter().all(|part| part.eq().contains(Attr::new(0)));
        // Lists of names that differ keep GSIs apart.
        if let [alone] = read.parts.as_mut_slice()
            && dice.roll(3) == 0
        {
            let listed = dice.pick(&[[0, 3], [1, 2], [5, 6]]);
            alone.returns = listed.into_iter().map(Attr::new).collect();
        }
    }
    let mut written = vec![0; problem.entities.len()];
    problem.writes.retain(|write| {
        let entity = write.effects[0].entity;
        written[entity] += 1;
        written[entity] <= 2
    });
    // Nothing grows that no write is left to add to.
    let state = Attr::new(2);
    for (at, entity) in problem.entities.iter_mut().enumerate() {
        let adds = |effect: &EffectFacts| effect.entity == at && effect.grows.contains(state);
        entity.attributes[state.index()].grows &=
            problem.writes.iter().flat_map(|write| &write.effects).any(adds);
    }
    problem
}

/// A problem of up to four entities and eight patterns.
pub(crate) fn problem(seed: u64) -> Problem {
    let mut dice = Dice(seed);
    let entities = 1 + dice.roll(4) as usize;
    let reads = 1 + dice.roll(5) as usize;
    let writes = dice.roll(9 - reads as u64) as usize;
    sized(&mut dice, entities, reads, writes)
}

fn sized(dice: &mut Dice, entities: usize, reads: usize, writes: usize) -> Problem {
    let mut problem = Problem {
        entities: Vec::new(),
        reads: Vec::new(),
        writes: Vec::new(),
        type_attribute: "type".to_owned(),
    };
    for entity in 0..entities {
        let facts = self::entity(dice, entity, &problem.entities);
        problem.entities.push(facts);
    }
    for at in 0..reads {
        let read = read(dice, at, &problem.entities);
        problem.reads.push(read);
    }
    for at in 0..writes {
        let write = write(dice, at, &problem.entities);
        problem.writes.push(write);
    }
    // Nobody has a month that no read asks for.
    let month: Attrs = [Attr::new(NAMES.len())].into_iter().collect();
    for at in 0..entities {
        let asks = |part: &ReadPart| part.entity == at && month.is_subset(part.eq());
        if problem.reads.iter().flat_map(|read| &read.parts).any(asks) {
            continue;
        }
        problem.entities[at].buckets.clear();
        problem.entities[at].at_creation = problem.entities[at].at_creation.minus(month);
        let effects = problem.writes.iter_mut().flat_map(|write| &mut write.effects);
        for effect in effects.filter(|effect| effect.entity == at) {
            effect.given = effect.given.minus(month);
            effect.sets = effect.sets.minus(month);
            effect.removes = effect.removes.minus(month);
        }
    }
    // Some that lead to a state say since when, where not every item has an instant.
    for write in problem.writes.iter_mut().step_by(2) {
        let effect = &mut write.effects[0];
        let facts = &mut problem.entities[effect.entity];
        if !effect.fixed.is_empty() && facts.attributes[3].optional {
            let periods = (0..facts.buckets.len()).map(|_| Attr::new(NAMES.len()));
            effect.sets.extend([Attr::new(3)].into_iter().chain(periods));
            facts.attributes[3].changes = true;
            facts.buckets.iter_mut().for_each(|month| month.changes = true);
        }
    }
    // Of what some updates change the caller may leave a part out.
    for write in problem.writes.iter_mut().skip(2).step_by(2) {
        let effect = &mut write.effects[0];
        if effect.action == EffectAction::Update {
            effect.maybe = effect.sets.minus(effect.removes);
        }
    }
    // Some conditions say what was there.
    for (at, write) in problem.writes.iter_mut().enumerate().skip(1).step_by(2) {
        let effect = &mut write.effects[0];
        if matches!(effect.action, EffectAction::Update | EffectAction::Delete) {
            let value = Literal::String(["A", "B", "C"][at % 3].to_owned());
            effect.was.push((Attr::new(2), Some(value).filter(|_| at % 4 < 3)));
            effect.lacked.extend((at % 5 == 0).then_some(Attr::new(3)));
        }
    }
    // Some states are numbers that one write adds to, and others set.
    let state = Attr::new(2);
    for write in problem.writes.iter_mut().skip(1).step_by(3) {
        let effect = &mut write.effects[0];
        if effect.action == EffectAction::Update && effect.sets.contains(state) {
            effect.grows = effect.sets;
            effect.fixed.clear();
            let entity = &mut problem.entities[effect.entity];
            entity.attributes[state.index()].grows = true;
            entity.at_creation = entity.at_creation.minus(effect.sets);
        }
    }
    // Apart from the other rolls.
    let mut apart = Dice(!dice.0);
    if apart.roll(3) == 0 {
        versions::keep(&mut apart, &mut problem);
    }
    for entity in 0..problem.entities.len() {
        give_identity(&mut apart, &mut problem, entity);
    }
    rank_kinds(&mut Dice(apart.0), &mut problem);
    // Some reads of one kind take a list of several, and drop the others.
    let mut sifted = siftable(&problem);
    sifted.retain(|_| apart.roll(3) > 0);
    sift(&mut problem, &sifted);
    problem
}

/// Some reads sort or range by an enumeration whose names have another order.
fn rank_kinds(dice: &mut Dice, problem: &mut Problem) {
    let kind = Attr::new(6);
    for read in &mut problem.reads {
        let (ranked, ranged, down) = (dice.roll(8) == 0, dice.roll(2) == 0, dice.roll(2) == 0);
        let [part] = read.parts.as_mut_slice() else { continue };
        if !ranked || part.eq().contains(kind) || part.eq().contains(Attr::new(0)) {
            continue;
        }
        if ranged {
            let lower = Some(("least".to_owned(), Bound::Inclusive));
            part.range = Some(Range { attr: kind, lower, upper: None, prefix: None });
        } else {
            part.order = vec![(kind, if down { Direction::Descending } else { Direction::Ascending })];
        }
        let it = &mut problem.entities[part.entity].attributes[kind.index()];
        it.values.sort_by(|one, other| other.cmp(one));
        it.rank.clone_from(&it.values);
    }
}

/// Some identities are given by callers, who may put one item over another; some traffic is stated to be uneven.
fn give_identity(dice: &mut Dice, problem: &mut Problem, entity: usize) {
    let (given, puts, uneven) = (dice.roll(4) == 0, dice.roll(2) == 0, dice.roll(6) == 0);
    let facts = &mut problem.entities[entity];
    if facts.versions_of.is_some() || problem.writes.iter().any(|write| write.effects.len() > 1) {
        return;
    }
    facts.skew = uneven.then_some(100_000);
    facts.generated &= !given;
    let own = problem.writes.iter_mut().flat_map(|write| &mut write.effects).filter(|it| it.entity == entity);
    let mut there = false;
    for effect in own.filter(|it| given && puts && it.action == EffectAction::Create && !it.all) {
        (effect.action, effect.there) = (EffectAction::Put, there);
        there = !there;
        let beside = facts.attributes.iter_mut().skip(1).chain(&mut facts.buckets);
        beside.for_each(|attribute| attribute.changes = true);
    }
}

/// Whether it is the month of an instant.
pub(super) fn is_month(attr: Attr) -> bool {
    attr.index() == NAMES.len()
}

/// An entity: an id, made up at first, perhaps a parent, a state, an instant, a payload.
fn entity(dice: &mut Dice, index: usize, others: &[EntityFacts]) -> EntityFacts {
    let count = dice.pick(&[50, 5_000, 2_000_000]);
    let parent = (index > 0 && dice.roll(4) > 0).then(|| dice.roll(index as u64) as usize);
    let tenanted = dice.roll(4) == 0;
    let attributes = NAMES.iter().enumerate().map(|(position, name)| {
        let attr = Attr::new(position);
        let (ty, bytes, distinct) = match *name {
            "id" => (Type::Ulid, 26, count),
            "owner" => (Type::Ulid, 26, parent.map_or(1_000, |parent| others[parent].count)),
            "state" => (Type::Enum, 6, 3),
            "kind" => (Type::Enum, 4, 2),
            "at" => (Type::Datetime, 24, count),
            "code" => (Type::String, 12, count),
            _ => (Type::Text, dice.pick(&[100, 900, 5_000]), 1_000),
        };
        let domain = match (*name, parent) {
            ("owner", Some(parent)) => Domain { entity: parent, attr: Attr::new(0) },
            _ => Domain { entity: index, attr },
        };
        let values = match *name {
            "state" => vec!["A".into(), "B".into(), "C".into()],
            "kind" => vec!["X".into(), "Y".into()],
            _ => Vec::new(),
        };
        AttributeFacts {
            // The same names everywhere, so that lists of projected names meet.
            name: (*name).to_owned(),
            ty,
            bytes,
            distinct,
            optional: *name == "at" && dice.roll(4) == 0,
            present: 1_000_000,
            values,
            rank: Vec::new(),
            max: None,
            domain,
            creation_time: false,
            sequential: false,
            ttl: false,
            version: false,
            tenant: tenanted && *name == "owner",
            changes: *name == "state",
            grows: false,
            bucket: None,
        }
    });
    let mut attributes: Vec<AttributeFacts> = attributes.collect();
    for attribute in &mut attributes {
        if attribute.optional {
            attribute.present = 300_000;
        }
    }
    let max = dice.pick(&[None, Some(20), Some(2_000)]);
    // Apart from the other rolls: not every item has a code.
    if Dice(!dice.0).roll(4) == 0 {
        let code = &mut attributes[5];
        (code.optional, code.present) = (true, 400_000);
    }
    // The month of the instant, for whoever asks for it.
    let month = Attr::new(NAMES.len());
    let bucket = Bucket { of: Attr::new(3), period: Period::Month };
    let month = AttributeFacts {
        name: "atMonth".to_owned(),
        bytes: 7,
        distinct: 12,
        domain: Domain { entity: index, attr: month },
        bucket: Some(bucket),
        ..attributes[3].clone()
    };
    EntityFacts {
        name: format!("E{index}"),
        span: HERE,
        attributes,
        buckets: vec![month],
        identity: vec![Attr::new(0)],
        generated: true,
        singleton: false,
        edge: false,
        counter: false,
        count,
        parents: parent
            .map(|parent| ParentLink { parent, via: vec![Attr::new(1)], told: None, mean: 10, max })
            .into_iter()
            .collect(),
        unique: if dice.roll(5) == 0 { vec![[Attr::new(5)].into_iter().collect()] } else { Vec::new() },
        skew: None,
        retention_days: None,
        at_creation: (0..=NAMES.len()).map(Attr::new).collect(),
        added: Attrs::NONE,
        copy_of: None,
        versions_of: None,
        held: Vec::new(),
        rest_bytes: 0,
    }
}

fn rate(dice: &mut Dice) -> Rate {
    Rate::per_second(dice.pick(&[1, 30, 400, 3_000]))
}

fn read(dice: &mut Dice, at: usize, entities: &[EntityFacts]) -> ReadFacts {
    let child = dice.roll(entities.len() as u64) as usize;
    let all: Attrs = (0..entities[child].attributes.len()).map(Attr::new).collect();
    let equality = |attr: usize| Equality {
        attr: Attr::new(attr),
        input: format!("input{attr}"),
        constant: None,
        optional: false,
        list: false,
    };
    let result = dice.pick(&[ResultShape::Page(20), ResultShape::Whole, ResultShape::Count]);
    let order = match dice.roll(3) {
        0 => vec![(Attr::new(3), Direction::Descending)],
        1 => vec![(Attr::new(3), Direction::Ascending)],
        _ => Vec::new(),
    };
    let constant = (dice.roll(3) == 0).then(|| Literal::String("A".to_owned()));
    let range = (dice.roll(4) == 0).then(|| Range {
        attr: Attr::new(3),
        lower: Some(("since".to_owned(), Bound::Inclusive)),
        upper: None,
        prefix: None,
    });
    let returns = if dice.roll(4) == 0 { [Attr::new(0), Attr::new(2)].into_iter().collect() } else { all };
    let strong = dice.roll(8) == 0;
    let part = |equal: Vec<Equality>, order: Vec<(Attr, Direction)>, returns: Attrs| ReadPart {
        entity: child,
        equal,
        order,
        returns,
        ..ReadPart::default()
    };
    let state = || Equality { constant: constant.clone(), ..equality(2) };
    let ranged = |part: ReadPart| ReadPart { range: range.clone(), ..part };
    // Apart from the other rolls.
    let monthly = Dice(!dice.0).roll(5) == 0;
    let dated = |mut equal: Vec<Equality>| {
        equal.extend(monthly.then(|| equality(NAMES.len())));
        equal
    };
    let parent = entities[child].parents.first().map(|link| link.parent);
    let (parts, result) = match (dice.roll(9), parent) {
        (0, Some(parent)) => {
            let head = ReadPart {
                entity: parent,
                equal: vec![equality(0)],
                returns: (0..entities[parent].attributes.len()).map(Attr::new).collect(),
                ..ReadPart::default()
            };
            let result = if result == ResultShape::Count { ResultShape::Whole } else { result };
            let mut parts = vec![head, part(vec![equality(1)], order, all)];
            // Sometimes with the head's other children, all in one list.
            let also = |(at, it): (usize, &EntityFacts)| {
                (at != child && it.parents.first().is_some_and(|link| link.parent == parent)).then_some(at)
            };
            let sibling = entities.iter().enumerate().find_map(also).filter(|_| Dice(!dice.0).roll(3) > 0);
            if let Some(entity) = sibling {
                let order = vec![(Attr::new(3), Direction::Descending)];
                parts[1].order.clone_from(&order);
                parts.push(ReadPart { entity, order, ..parts[1].clone() });
            }
            (parts, result)
        }
        (0 | 1, _) => (vec![part(vec![equality(0)], Vec::new(), returns)], ResultShape::Single),
        (2, _) => (vec![ranged(part(dated(vec![equality(1), state()]), order, returns))], result),
        (7 | 8, _) => (vec![part(vec![equality(1), equality(2), equality(6)], order, returns)], result),
        (3, _) => (vec![ranged(part(dated(vec![state()]), order, returns))], result),
        (6, _) => (vec![part(vec![equality(5)], Vec::new(), returns)], ResultShape::Single),
        (4, _) => (vec![part(vec![equality(1), equality(0)], Vec::new(), returns)], ResultShape::Single),
        _ => (vec![ranged(part(dated(vec![equality(1)]), order, returns))], result),
    };
    let mut parts = parts;
    if result == ResultShape::Count {
        parts.iter_mut().for_each(|part| part.returns = Attrs::NONE);
    }
    let rate = rate(dice);
    ReadFacts {
        pattern: at,
        id: format!("AP-{at:03}"),
        span: HERE,
        has_head: parts.len() > 1,
        interleaved: parts.iter().skip(1).map(|part| part.entity).filter(|_| parts.len() > 2).collect(),
        parts,
        wanted: None,
        sieve: Sieve::default(),
        behind: None,
        counted: None,
        result,
        rate,
        peak: rate,
        strong,
        scan: false,
    }
}

fn write(dice: &mut Dice, at: usize, entities: &[EntityFacts]) -> WriteFacts {
    let entity = dice.roll(entities.len() as u64) as usize;
    let all: Attrs = (0..=NAMES.len()).map(Attr::new).collect();
    let id: Attrs = [Attr::new(0)].into_iter().collect();
    let located = if dice.roll(2) == 0 { id } else { id.union([Attr::new(1)].into_iter().collect()) };
    let (action, given, sets) = match dice.roll(3) {
        0 => (EffectAction::Create, all, all),
        1 => {
            let changed = dice.pick(&[2, 2, 4, 5]);
            // What is optional may go, and with the instant its month.
            let instant: Attrs = [Attr::new(3), Attr::new(NAMES.len())].into_iter().collect();
            let goes = entities[entity].attribute(Attr::new(3)).optional && at % 3 == 2;
            let sets = if goes { instant } else { [Attr::new(changed)].into_iter().collect() };
            (EffectAction::Update, located, sets)
        }
        _ => (EffectAction::Delete, located, Attrs::NONE),
    };
    // Some delete all that an owner has; some of those look once more.
    let all_of_owner = action == EffectAction::Delete && at.is_multiple_of(2);
    let given = if all_of_owner { [Attr::new(1)].into_iter().collect() } else { given };
    let touched = |set: &Attrs| action != EffectAction::Update || !set.intersection(sets).is_empty();
    let unique: Vec<usize> = entities[entity]
        .unique
        .iter()
        .enumerate()
        .filter(|(_, set)| touched(set))
        .map(|(at, _)| at)
        .collect();
    let forced = !unique.is_empty();
    let removes =
        if action == EffectAction::Update && sets.contains(Attr::new(3)) { sets } else { Attrs::NONE };
    // Some updates lead to one state.
    let leads = action == EffectAction::Update && sets.contains(Attr::new(2)) && at.is_multiple_of(2);
    let fixed = match leads {
        true => vec![(Attr::new(2), Literal::String(["A", "B", "C"][at % 3].to_owned()))],
        false => Vec::new(),
    };
    let rate = rate(dice);
    WriteFacts {
        pattern: 100 + at,
        all_in_transaction: false,
        id: format!("AP-{:03}", 100 + at),
        span: HERE,
        effects: vec![EffectFacts {
            all: all_of_owner,
            given,
            sets,
            removes,
            fixed,
            unique,
            swept: all_of_owner && at.is_multiple_of(4),
            ..EffectFacts::new(entity, action)
        }],
        checks: Vec::new(),
        transaction: forced || dice.roll(2) == 0,
        rate,
        peak: rate,
    }
}

/// How many of the compared problems had each feature.
#[derive(Debug, Default)]
pub(super) struct Seen {
    unique: usize,
    constants: usize,
    ranges: usize,
    optional: usize,
    several_entities: usize,
    strong: usize,
    lists: usize,
    tenants: usize,
    periods: usize,
    interleaved: usize,
    grows: usize,
    versions: usize,
    sifted: usize,
    sieved: usize,
    ranked: usize,
}

impl Seen {
    pub(super) fn note(&mut self, problem: &Problem) {
        let parts = || problem.reads.iter().flat_map(|read| &read.parts);
        let has = |holds: bool| usize::from(holds);
        self.unique += has(problem.entities.iter().any(|it| !it.unique.is_empty()));
        self.constants += has(parts().any(|it| it.equal.iter().any(|it| it.constant.is_some())));
        self.ranges += has(parts().any(|it| it.range.is_some()));
        self.optional += has(problem.entities.iter().any(|it| it.attribute(Attr::new(3)).optional));
        self.several_entities += has(problem.reads.iter().any(|it| it.parts.len() > 1));
        self.strong += has(problem.reads.iter().any(|it| it.strong));
        let owner = Attr::new(1);
        self.tenants += has(problem.entities.iter().enumerate().any(|(at, it)| {
            let own = || parts().filter(|part| part.entity == at);
            let effects = problem.writes.iter().flat_map(|write| &write.effects);
            it.attribute(owner).tenant
                && own().count() > 0
                && own().all(|part| part.eq().contains(owner))
                && effects.filter(|it| it.entity == at).all(|it| it.given.contains(owner))
        }));
        self.interleaved += has(problem.reads.iter().any(|it| !it.interleaved.is_empty()));
        let effects = || problem.writes.iter().flat_map(|write| &write.effects);
        self.versions += has(effects().any(|it| it.versioned));
        self.ranked += has(problem.entities.iter().any(|it| !it.attribute(Attr::new(6)).rank.is_empty()));
        let sifted = || problem.reads.iter().filter(|read| read.wanted.is_some());
        self.sifted += has(sifted().count() > 0);
        self.sieved += has(sifted().any(|read| !read.sieve.attrs().is_empty()));
        let ordered =
            |at: usize, attr: Attr| parts().any(|it| it.entity == at && it.mentions().contains(attr));
        self.grows += has(effects().any(|it| it.grows.iter().any(|attr| ordered(it.entity, attr))));
        let month = Attr::new(NAMES.len());
        self.periods += has(parts().any(|it| it.eq().contains(month)));
        self.lists += has(parts().any(|it| !it.returns.contains(Attr::new(4))));
    }

    /// Each feature was in many of the problems.
    pub(super) fn assert_everything(&self) {
        let Seen { unique, constants, ranges, optional, several_entities, .. } = self;
        let Seen { strong, lists, tenants, periods, .. } = self;
        assert!(self.interleaved > 10 && self.grows > 10 && self.versions > 50, "{self:?}");
        assert!(self.ranked > 50, "{self:?}");
        assert!(self.sifted > 3 && self.sieved > 1, "{self:?}");
        for seen in [unique, constants, ranges, optional, several_entities, strong, lists, tenants, periods] {
            assert!(*seen > 50, "{self:?}");
        }
    }
}
