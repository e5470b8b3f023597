//! Copies: the items of an entity once more under another key, because a strong read leaves nothing else. An index is
//! never read strongly, and never dearer than a copy, so that no other reason for one exists.
//!
//! A copy is a document of its own: an entity with the same attributes that some reads read instead of the original, and
//! that every write of the original writes too, in one transaction. The rest of the design sees only that document, and
//! for each copy what it is a copy of.

use std::borrow::Cow;
use std::collections::BTreeMap;

use keywright_model::model::{
    Action, AttributeRef, Consistency, Entity, EntityKind, Pattern, PatternKind, Read, ResultKind, Role,
    Transaction, Write,
};
use keywright_model::{At, Model};

/// An entity whose items lie in the table once more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Copied {
    /// The original.
    pub(crate) entity: String,
    /// The copy.
    pub(crate) name: String,
    /// The reads that read the copy.
    pub(crate) patterns: Vec<String>,
}

/// The copies that strong reads of collections could need: of an entity that several reads want strongly, and where it is
/// wanted alone, only of what no write changes. Each read can have its own, and those that give the same can have one.
pub(crate) fn copyable(model: &Model) -> Vec<Copied> {
    let strong = |pattern: &&Pattern| {
        let strongly =
            |read: &Read| read.consistency.as_ref().is_some_and(|it| it.value == Consistency::Strong);
        pattern.read().is_some_and(|read| strongly(read) && !read.scan)
    };
    // The original serves who wants one item.
    let collects = |pattern: &Pattern| {
        let result = pattern.read().and_then(|read| read.result.as_ref());
        result.is_none_or(|it| it.value != ResultKind::Single)
    };
    let wanted: Vec<&Pattern> = model.patterns.iter().filter(strong).collect();
    let mut copies: Vec<Copied> = Vec::new();
    for entity in model.entities.iter().filter(|entity| may_be_copied(model, entity)) {
        let about = |pattern: &&Pattern| pattern.entities.iter().any(|it| it.value == entity.name);
        let own: Vec<&Pattern> = wanted.iter().copied().filter(about).collect();
        if own.len() < 2 {
            continue;
        }
        let lasting = !changes(model, &entity.name);
        let served: Vec<&Pattern> =
            own.into_iter().filter(|it| collects(it) && (it.entities.len() > 1 || lasting)).collect();
        let alone = served.iter().map(|pattern| vec![*pattern]);
        for patterns in alone.chain(alike(&served)).collect::<Vec<_>>() {
            let head = patterns[0].entities.iter().find(|it| it.value != entity.name);
            let name = match head {
                Some(head) => format!("{}By{}", entity.name, head.value),
                None => format!("{}Copy", entity.name),
            };
            let taken = |name: &str| {
                model.entity(name).is_some() || copies.iter().any(|copy: &Copied| copy.name == name)
            };
            let numbered = (2..).map(|number| format!("{name}{number}"));
            let name = std::iter::once(name.clone()).chain(numbered).find(|name| !taken(name));
            let name = name.expect("numbers never run out");
            let patterns = patterns.iter().map(|pattern| pattern.id.clone()).collect();
            copies.push(Copied { entity: entity.name.clone(), name, patterns });
        }
    }
    copies
}

/// The reads that give the same for the same entities, where they are several: one key can serve them all.
fn alike<'m>(reads: &[&'m Pattern]) -> Vec<Vec<&'m Pattern>> {
    let asks = |pattern: &Pattern| {
        let entities: Vec<String> = pattern.entities.iter().map(|it| it.value.clone()).collect();
        let inputs = pattern.inputs.iter().flat_map(|inputs| &inputs.value);
        let equal = inputs.filter(|input| input.role == Role::Equal).flat_map(|input| &input.binds);
        let mut equal: Vec<String> =
            equal.map(|bind| format!("{}.{}", bind.entity, bind.attribute)).collect();
        equal.sort_unstable();
        (entities, equal)
    };
    let mut groups: BTreeMap<_, Vec<&Pattern>> = BTreeMap::new();
    for read in reads {
        groups.entry(asks(read)).or_default().push(*read);
    }
    groups.into_values().filter(|group| group.len() > 1).collect()
}

/// Whether writes can keep a second item like the first: nothing is counted in it, and no number is drawn for it.
fn may_be_copied(model: &Model, entity: &Entity) -> bool {
    let numbered = entity.attributes.iter().any(|it| {
        let flags = [&it.sequential, &it.version];
        flags.into_iter().flatten().any(|flag| flag.value) || !it.shared_with.is_empty()
    });
    let adds = effects(model, &entity.name).any(|action| matches!(action, Action::Add { .. }));
    let whole = entity.versions_of.is_none() && !entity.is(EntityKind::History);
    !numbered && !adds && whole && !entity.is(EntityKind::Singleton)
}

fn changes(model: &Model, entity: &str) -> bool {
    effects(model, entity).any(|action| matches!(action, Action::Update | Action::Put | Action::Add { .. }))
}

fn effects<'m>(model: &'m Model, entity: &'m str) -> impl Iterator<Item = &'m Action> {
    let writes = model.patterns.iter().filter_map(Pattern::write);
    writes.flat_map(|write| &write.effects).filter(move |it| it.entity == entity).map(|it| &it.action)
}

/// The document with these copies.
pub(crate) fn copied<'m>(model: &'m Model, copies: &[Copied]) -> Cow<'m, Model> {
    let mut model = Cow::Borrowed(model);
    for copy in copies {
        copy.apply(model.to_mut());
    }
    model
}

impl Copied {
    /// Whether two copies are for the same read of the same entity.
    pub(crate) fn overlaps(&self, other: &Copied) -> bool {
        self.entity == other.entity && self.patterns.iter().any(|it| other.patterns.contains(it))
    }

    fn apply(&self, model: &mut Model) {
        let Some(original) = model.entity(&self.entity) else { return };
        let mut entity = original.clone();
        entity.name.clone_from(&self.name);
        // What is unique is so in the originals.
        entity.unique.clear();
        entity.attributes.iter_mut().for_each(|attribute| attribute.unique = None);
        model.entities.push(entity);
        let links: Vec<_> = model.parents_of(&self.entity).cloned().collect();
        model.relationships.extend(links.into_iter().map(|mut link| {
            link.child.clone_from(&self.name);
            link
        }));
        for pattern in &mut model.patterns {
            let reads_it = self.patterns.contains(&pattern.id);
            match &mut pattern.kind {
                PatternKind::Read(read) if reads_it => {
                    self.read_instead(read);
                    let names = pattern.entities.iter_mut().filter(|it| it.value == self.entity);
                    names.for_each(|it| it.value.clone_from(&self.name));
                    let inputs = pattern.inputs.iter_mut().flat_map(|inputs| &mut inputs.value);
                    inputs.flat_map(|input| &mut input.binds).for_each(|bind| self.rename(bind));
                }
                PatternKind::Read(_) => {}
                PatternKind::Write(write) | PatternKind::Delete(write) => {
                    if self.write_too(write) {
                        for input in pattern.inputs.iter_mut().flat_map(|inputs| &mut inputs.value) {
                            let own = input.binds.iter().find(|bind| bind.entity == self.entity).cloned();
                            input.binds.extend(own.map(|bind| AttributeRef::new(&self.name, bind.attribute)));
                        }
                    }
                }
            }
        }
    }

    fn rename(&self, bound: &mut AttributeRef) {
        if bound.entity == self.entity {
            bound.entity.clone_from(&self.name);
        }
    }

    fn read_instead(&self, read: &mut Read) {
        read.sort.iter_mut().for_each(|sort| self.rename(&mut sort.attribute));
        let returns = read.returns.iter_mut().flat_map(|returns| &mut returns.value);
        returns.for_each(|bound| self.rename(bound));
    }

    /// Lets a write touch the copy wherever it touches the original, all or nothing; whether it does.
    fn write_too(&self, write: &mut Write) -> bool {
        let own: Vec<_> = write.effects.iter().filter(|it| it.entity == self.entity).cloned().collect();
        if own.is_empty() {
            return false;
        }
        let span = own[0].span;
        write.effects.extend(own.into_iter().map(|mut effect| {
            effect.entity.clone_from(&self.name);
            effect
        }));
        write.transaction = Some(At::stated(Transaction::Yes, span));
        true
    }
}
