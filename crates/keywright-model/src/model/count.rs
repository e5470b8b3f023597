//! Numbers that writes keep up to date: counts of children in their parent, and tallies.

use super::{Action, ConditionKind, Effect, Model, Pattern, Role, Step, Write};

impl Model {
    /// The attribute of a parent that holds the number of its children: every write that creates a child adds
    /// one, every write that deletes a child subtracts one, and nothing else changes it. An attribute whose
    /// name says so (`bedCount` for `Bed`) is taken for the count even if some write breaks this rule.
    pub fn declared_count(&self, child: &str, parent: &str) -> Option<&str> {
        let mut numbers = self.patterns.iter().filter_map(Pattern::write).flat_map(|write| {
            let creates = effects_on(write, child).any(|it| it.action == Action::Create && !it.all);
            effects_on(write, parent).filter(move |_| creates).filter_map(added_one)
        });
        numbers.find(|number| {
            let is_called_so = number.eq_ignore_ascii_case(&format!("{child}Count"));
            is_called_so || self.touching_otherwise(child, parent, number).is_none()
        })
    }

    /// A pattern after which the number no longer equals the number of children. A write that deletes the
    /// parent does not matter, since the number is deleted too.
    pub fn touching_otherwise(&self, child: &str, parent: &str, number: &str) -> Option<&Pattern> {
        self.patterns.iter().find(|pattern| {
            let Some(write) = pattern.write() else { return false };
            let goes = effects_on(write, parent).any(|it| it.action == Action::Delete);
            !goes && !follows(pattern, write, child, parent, number)
        })
    }

    /// Whether the first write that adds to an item also creates it. True if no pattern creates or sets such
    /// items, the pattern gives the whole identity and has no condition on the item, and every other required
    /// attribute is a number that writes add to.
    pub fn is_tally(&self, pattern: &Pattern, effect: &Effect) -> bool {
        let Some(entity) = self.entity(&effect.entity) else { return false };
        let effects =
            || self.patterns.iter().filter_map(Pattern::write).flat_map(|it| effects_on(it, &entity.name));
        let grows = |name: &str| {
            effects().any(|it| matches!(&it.action, Action::Add { attribute, .. } if attribute == name))
        };
        let given = |name: &str| {
            let bound = |it: &super::AttributeRef| it.entity == entity.name && it.attribute == name;
            pattern.inputs().iter().any(|input| input.role == Role::Equal && input.binds.iter().any(bound))
        };
        let is_identity = |name: &str| entity.identity_names().any(|it| it == name);
        let counts = matches!(&effect.action, Action::Add { by: Step::Fixed(1..) | Step::Input(_), .. });
        let asks = pattern.write().is_some_and(|write| {
            let about = |kind: &ConditionKind| match kind {
                ConditionKind::Exists { entity: of } => *of == entity.name,
                ConditionKind::Compare { attribute, .. } => attribute.entity == entity.name,
                _ => false,
            };
            write.conditions.iter().any(|it| about(&it.kind))
        });
        counts
            && !effect.all
            && !asks
            && entity.identity_names().next().is_some()
            && entity.identity_names().all(given)
            && effects().all(|it| matches!(it.action, Action::Add { .. } | Action::Delete))
            && entity.attributes.iter().all(|it| it.is_optional() || is_identity(&it.name) || grows(&it.name))
    }
}

impl Write {
    /// Whether a delete must fail if its item does not exist. True if the write also adds to numbers of other
    /// items: they would change although nothing was deleted.
    pub fn must_find(&self, effect: &Effect) -> bool {
        let moves = |it: &Effect| it.entity != effect.entity && matches!(it.action, Action::Add { .. });
        effect.action == Action::Delete && !effect.all && self.effects.iter().any(moves)
    }
}

impl Model {
    /// The pattern that puts items of an entity whether or not they exist: such items can't be counted.
    pub fn putting(&self, entity: &str) -> Option<&Pattern> {
        let puts = |write: &Write| effects_on(write, entity).any(|it| it.action == Action::Put);
        self.patterns.iter().find(|pattern| pattern.write().is_some_and(puts))
    }
}

/// Whether a write changes the number by exactly as many children as it creates, minus those that it deletes.
fn follows(pattern: &Pattern, write: &Write, child: &str, parent: &str, number: &str) -> bool {
    let mut steps = 0;
    for effect in effects_on(write, parent) {
        match &effect.action {
            Action::Add { attribute, by } if attribute == number => match by {
                Step::Fixed(by) => steps += *by,
                Step::Input(_) | Step::MinusInput(_) => return false,
            },
            Action::Update if sets(pattern, effect, number) => return false,
            _ => {}
        }
    }
    let mut come = 0;
    for effect in effects_on(write, child) {
        match effect.action {
            Action::Create if !effect.all => come += 1,
            Action::Delete if !effect.all => come -= 1,
            Action::Update | Action::Add { .. } => {}
            // The number of items that come or go is unknown.
            Action::Create | Action::Put | Action::Delete => return false,
        }
    }
    steps == come
}

fn effects_on<'w>(write: &'w Write, entity: &str) -> impl Iterator<Item = &'w Effect> {
    write.effects.iter().filter(move |effect| effect.entity == entity)
}

fn added_one(effect: &Effect) -> Option<&str> {
    match &effect.action {
        Action::Add { attribute, by: Step::Fixed(1) } => Some(attribute.as_str()),
        _ => None,
    }
}

fn sets(pattern: &Pattern, effect: &Effect, number: &str) -> bool {
    let binds = |it: &super::AttributeRef| it.entity == effect.entity && it.attribute == number;
    let mut new = pattern.inputs().iter().filter(|input| input.role == Role::NewValue);
    effect.attributes.iter().any(|it| it == number) || new.any(|input| input.binds.iter().any(binds))
}
