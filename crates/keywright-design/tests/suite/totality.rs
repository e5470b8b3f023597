//! Whatever a Model lacks, designing ends in a design or in findings at error level: nothing that a reader gives can break it.

use crate::support;

use std::panic::{AssertUnwindSafe, catch_unwind};

use keywright_design::{CertificateTables, Options, Outcome, design};
use keywright_finding::Level;
use keywright_model::Model;
use keywright_model::model::{
    Action, AttributeRef, Cardinality, Pattern, PatternKind, ResultKind, Role, Step, Type, Write,
};
use support::dice::Dice;
use support::documents::{EXAMPLES, KINDS, TRADES, documents};
use support::{at, doc};

/// So many broken forms of every document are designed. Try more of them with `KEYWRIGHT_BROKEN=200`.
const BROKEN: u64 = 2;

fn answers(outcome: &Outcome) -> bool {
    outcome.design.is_some() || outcome.findings.iter().any(|finding| finding.level == Level::Error)
}

#[test]
fn a_write_of_nothing() {
    let mut nothing = doc("Game").entity("Match", 10, "matchId:ulid:id").write("AP-001", "", "", 50);
    for entities in [1, 0] {
        nothing.0.entities.truncate(entities);
        let outcome = nothing.outcome();
        assert!(outcome.design.is_none());
        assert_eq!(outcome.findings[0].rule.name(), "unservable-pattern");
        assert_eq!(
            outcome.findings[0].message,
            "AP-001 can't be served: nothing says which entity it writes"
        );
    }
}

#[test]
fn a_read_of_nothing() {
    let nothing = doc("Game").entity("Match", 10, "matchId:ulid:id").read("AP-001", "", "", "all", 50);
    let outcome = nothing.outcome();
    assert!(outcome.design.is_none());
    assert_eq!(outcome.findings[0].message, "AP-001 can't be served: nothing says which entity it reads");
}

#[test]
fn what_nobody_declares() {
    let mut game = doc("Game")
        .entity("Match", 10, "matchId:ulid:id")
        .entity("Player", 10, "playerId:ulid:id")
        .read("AP-001", "Player", "playerId", "single", 50)
        .write("AP-002", "create Match, create Player", "", 50);
    game.0.entities.pop();
    let outcome = game.outcome();
    let messages: Vec<&str> = outcome.findings.iter().map(|finding| finding.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "AP-001 can't be served: no entity is named `Player`",
            "AP-002 can't be served: no entity is named `Player`"
        ]
    );
}

#[test]
fn documents_of_which_something_is_missing() {
    let times = std::env::var("KEYWRIGHT_BROKEN").ok().and_then(|it| it.parse().ok()).unwrap_or(BROKEN);
    let all = [EXAMPLES, KINDS, TRADES].into_iter().flat_map(documents);
    for (number, (path, text)) in all.enumerate() {
        let whole = keywright_document::read_access_patterns(&text).0;
        for time in 0..times {
            let mut dice = Dice(number as u64 * 1_000_003 + time);
            let mut model = whole.clone();
            let breaks: Vec<String> =
                (0..=dice.roll(3)).filter_map(|_| damage(&mut model, &mut dice)).collect();
            let limit = Some(std::time::Duration::from_millis(200));
            let options = Options {
                time_limit: limit,
                certificate_tables: CertificateTables::None,
                ..Options::default()
            };
            let outcome = catch_unwind(AssertUnwindSafe(|| design(&model, &options)));
            let outcome = outcome.unwrap_or_else(|_| panic!("{path}, broken {time}: {breaks:?}"));
            assert!(answers(&outcome), "{path}, broken {time}, says nothing: {breaks:?}");
        }
    }
}

/// Breaks one thing of a model, and says which.
fn damage(model: &mut Model, dice: &mut Dice) -> Option<String> {
    let nobody = || "Nobody".to_owned();
    let entity = some(&model.entities, dice)?;
    let pattern = some(&model.patterns, dice)?;
    let name = model.entities[entity].name.clone();
    let id = model.patterns[pattern].id.clone();
    let what = match dice.roll(20) {
        0 => {
            model.entities.remove(entity);
            format!("no {name}")
        }
        1 => {
            let attributes = &mut model.entities[entity].attributes;
            let gone = attributes.remove(some(attributes, dice)?);
            format!("no {name}.{}", gone.name)
        }
        2 => {
            model.entities[entity].identity.clear();
            format!("no identity of {name}")
        }
        3 => {
            model.entities[entity].identity.push(at(nobody()));
            format!("a strange identity of {name}")
        }
        4 => {
            let gone = model.relationships.remove(some(&model.relationships, dice)?);
            format!("no {} of {}", gone.child, gone.parent)
        }
        5 => {
            let at = some(&model.relationships, dice)?;
            model.relationships[at].via = vec![nobody()];
            "a strange reference".to_owned()
        }
        6 => {
            let at = some(&model.relationships, dice)?;
            model.relationships[at].parent = nobody();
            "a strange parent".to_owned()
        }
        7 => {
            let link = some(&model.relationships, dice)?;
            let any = [Cardinality::OneToOne, Cardinality::OneToMany, Cardinality::ManyToMany];
            model.relationships[link].cardinality = at(dice.pick(&any));
            "another cardinality".to_owned()
        }
        8 => {
            model.patterns[pattern].entities.clear();
            format!("{id} of nobody")
        }
        9 => {
            model.patterns[pattern].inputs = None;
            format!("{id} without inputs")
        }
        10 => {
            let inputs = &mut model.patterns[pattern].inputs.as_mut()?.value;
            let gone = inputs.remove(some(inputs, dice)?);
            format!("{id} without {}", gone.name)
        }
        11 => {
            let inputs = &mut model.patterns[pattern].inputs.as_mut()?.value;
            let at = some(inputs, dice)?;
            inputs[at].binds = vec![AttributeRef::new(name.clone(), "nothing")];
            format!("{id} by a strange attribute of {name}")
        }
        12 => {
            let inputs = &mut model.patterns[pattern].inputs.as_mut()?.value;
            let at = some(inputs, dice)?;
            inputs[at].role = dice.pick(&[Role::Equal, Role::NewValue, Role::Prefix, Role::Unknown]);
            format!("{id} with another role")
        }
        13 => {
            write(&mut model.patterns[pattern])?.effects.clear();
            format!("{id} without effects")
        }
        14 => {
            let effects = &mut write(&mut model.patterns[pattern])?.effects;
            let at = some(effects, dice)?;
            effects[at].entity = nobody();
            format!("{id} of a strange entity")
        }
        15 => {
            let effects = &mut write(&mut model.patterns[pattern])?.effects;
            let at = some(effects, dice)?;
            let by = Step::Input(nobody());
            let add = Action::Add { attribute: nobody(), by };
            effects[at].action = [Action::Create, Action::Put, Action::Update, Action::Delete, add]
                [dice.roll(5) as usize]
                .clone();
            effects[at].all = dice.roll(4) == 0;
            format!("{id} does something else")
        }
        16 => {
            let PatternKind::Read(read) = &mut model.patterns[pattern].kind else { return None };
            let any = [ResultKind::Single, ResultKind::Collection, ResultKind::Count];
            read.result = Some(at(dice.pick(&any)));
            read.multi_entity = Some(at(dice.roll(2) == 0));
            format!("{id} with another result")
        }
        17 => {
            let attributes = &mut model.entities[entity].attributes;
            let attribute = some(attributes, dice)?;
            attributes[attribute].ty = at(dice.pick(&Type::ALL));
            format!("{name}.{} of another type", attributes[attribute].name)
        }
        18 => {
            let again = model.patterns[pattern].clone();
            model.patterns.push(again);
            format!("{id} twice")
        }
        _ => {
            let again = model.entities[entity].clone();
            model.entities.push(again);
            format!("{name} twice")
        }
    };
    Some(what)
}

fn write(pattern: &mut Pattern) -> Option<&mut Write> {
    match &mut pattern.kind {
        PatternKind::Write(write) | PatternKind::Delete(write) => Some(write),
        PatternKind::Read(_) => None,
    }
}

/// The place of some of them, if there are any.
fn some<T>(of: &[T], dice: &mut Dice) -> Option<usize> {
    (!of.is_empty()).then(|| dice.roll(of.len() as u64) as usize)
}
