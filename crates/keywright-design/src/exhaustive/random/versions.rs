//! Versions of one of the entities of a random problem: items of their own that its writes keep, and that are read by
//! themselves.

use keywright_model::Rate;
use keywright_model::model::{Direction, Type};

use super::{Dice, HERE};
use crate::problem::{
    Attr, AttributeFacts, Attrs, Domain, EffectAction, EffectFacts, EntityFacts, Equality, ParentLink,
    Problem, ReadFacts, ReadPart, ResultShape, Sieve,
};

/// Lets an entity keep its versions, and adds some reads of them.
pub(super) fn keep(dice: &mut Dice, problem: &mut Problem) {
    let original = dice.roll(problem.entities.len() as u64) as usize;
    let versions = problem.entities.len();
    // No version is kept of a number that grows.
    let grows = |it: &EffectFacts| it.entity == original && !it.grows.is_empty();
    if problem.writes.iter().flat_map(|write| &write.effects).any(grows) {
        return;
    }
    let facts = entity(dice, &problem.entities[original], original, versions);
    let whole: Attrs = (0..facts.attributes.len()).map(Attr::new).collect();
    let number = Attr::new(facts.attributes.len() - 1);
    problem.entities.push(facts);
    for write in &mut problem.writes {
        let Some(of) =
            write.effects.iter().position(|it| it.entity == original && it.action != EffectAction::Delete)
        else {
            continue;
        };
        let written = &mut write.effects[of];
        written.versioned = true;
        // Now and then the inputs say all that there is.
        written.read_first = written.action == EffectAction::Update && dice.roll(4) > 0;
        write.transaction = true;
        write.effects.push(EffectFacts {
            given: whole,
            sets: whole,
            version_of: Some(of),
            ..EffectFacts::new(versions, EffectAction::Create)
        });
    }
    for _ in 0..dice.roll(3) {
        let read = read(dice, problem.reads.len(), versions, number, whole);
        problem.reads.push(read);
    }
}

fn entity(dice: &mut Dice, original: &EntityFacts, of: usize, at: usize) -> EntityFacts {
    let mut attributes: Vec<AttributeFacts> = original.attributes.clone();
    for (position, attribute) in attributes.iter_mut().enumerate() {
        let attr = Attr::new(position);
        attribute.changes = false;
        attribute.grows = false;
        attribute.domain = match attribute.name.as_str() {
            "id" => Domain { entity: of, attr },
            "owner" => attribute.domain,
            _ => Domain { entity: at, attr },
        };
    }
    let number = Attr::new(attributes.len());
    attributes.push(AttributeFacts {
        name: "version".to_owned(),
        ty: Type::Integer,
        bytes: 4,
        distinct: 10,
        optional: false,
        present: 1_000_000,
        values: Vec::new(),
        rank: Vec::new(),
        max: Some(99_999),
        domain: Domain { entity: at, attr: number },
        creation_time: false,
        sequential: false,
        ttl: false,
        version: false,
        tenant: false,
        changes: false,
        grows: false,
        bucket: None,
    });
    let id = Attr::new(0);
    let max = dice.pick(&[None, Some(20), Some(2_000)]);
    EntityFacts {
        name: format!("{}Version", original.name),
        span: HERE,
        at_creation: (0..attributes.len()).map(Attr::new).collect(),
        attributes,
        buckets: Vec::new(),
        identity: vec![id, number],
        generated: false,
        singleton: false,
        edge: false,
        counter: false,
        count: original.count.saturating_mul(10),
        parents: vec![ParentLink { parent: of, via: vec![id], told: None, mean: 10, max }],
        unique: Vec::new(),
        skew: None,
        retention_days: None,
        added: Attrs::NONE,
        copy_of: None,
        versions_of: Some(of),
        held: Vec::new(),
        rest_bytes: 0,
    }
}

/// One version, or those of one item, the newest or the oldest first.
fn read(dice: &mut Dice, at: usize, entity: usize, number: Attr, whole: Attrs) -> ReadFacts {
    let equality = |attr: Attr| Equality {
        attr,
        input: format!("input{}", attr.index()),
        constant: None,
        optional: false,
        list: false,
    };
    let id = equality(Attr::new(0));
    let (equal, order, result) = match dice.roll(4) {
        0 => (vec![id, equality(number)], Vec::new(), ResultShape::Single),
        1 => (vec![id], vec![(number, Direction::Descending)], ResultShape::Page(20)),
        2 => (vec![id], vec![(number, Direction::Ascending)], ResultShape::Whole),
        _ => (vec![id], Vec::new(), ResultShape::Count),
    };
    let rate = Rate::per_second(dice.pick(&[1, 30, 400]));
    ReadFacts {
        pattern: at,
        id: format!("AP-{at:03}"),
        span: HERE,
        parts: vec![ReadPart { entity, equal, order, returns: whole, ..ReadPart::default() }],
        has_head: false,
        counted: None,
        interleaved: Vec::new(),
        wanted: None,
        sieve: Sieve::default(),
        behind: None,
        result,
        rate,
        peak: rate,
        strong: dice.roll(4) == 0,
        scan: false,
    }
}
