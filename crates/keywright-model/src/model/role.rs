//! Several items of one entity in one write, each with its own role, such as the account that pays and the
//! account that is paid.

use std::borrow::Cow;

use super::{Action, ConditionKind, Effect, Input, Model, Pattern, Role, Step, Write};

impl Model {
    /// The inputs that refer to items of an entity, each with the identity attribute that it holds. Inputs
    /// that refer to an identity attribute which another input gives directly are left out.
    pub fn pointing<'p>(&'p self, pattern: &'p Pattern, entity: &str) -> Vec<(&'p Input, &'p str)> {
        let speaks = |input: &Input, attribute: &str| {
            input.binds.iter().any(|bind| bind.entity == entity && bind.attribute == attribute)
        };
        let always = |input: &&Input| input.role == Role::Equal && !input.optional && !input.list;
        let equal = || pattern.inputs().iter().filter(always);
        let held = |input: &'p Input| {
            input.binds.iter().find_map(|bind| {
                let attribute = self.entity(&bind.entity)?.attribute(&bind.attribute)?;
                let reference = attribute.reference.as_ref().filter(|it| it.value.entity == entity)?;
                Some(reference.value.attribute.as_str())
            })
        };
        let pointing = equal().filter_map(|input| Some((input, held(input)?)));
        pointing.filter(|(_, identifier)| !equal().any(|input| speaks(input, identifier))).collect()
    }

    /// The pattern from the view of one effect: of the inputs that refer to the effect's entity, only the one
    /// that identifies its item is kept.
    pub fn seen_by<'p>(&self, pattern: &'p Pattern, effect: &Effect) -> Cow<'p, Pattern> {
        let Some(named_by) = &effect.named_by else { return Cow::Borrowed(pattern) };
        self.seen_through(pattern, &effect.entity, named_by)
    }

    /// The pattern, in which `named_by` identifies the items of the entity and the other inputs that refer to
    /// it are removed.
    pub fn seen_through<'p>(&self, pattern: &'p Pattern, entity: &str, named_by: &str) -> Cow<'p, Pattern> {
        let pointing = self.pointing(pattern, entity);
        let Some((_, identifier)) = pointing.iter().find(|(input, _)| input.name == named_by) else {
            return Cow::Borrowed(pattern);
        };
        let others: Vec<&str> =
            pointing.iter().map(|(input, _)| input.name.as_str()).filter(|name| *name != named_by).collect();
        let mut seen = pattern.clone();
        if let Some(inputs) = &mut seen.inputs {
            inputs.value.retain(|input| !others.contains(&input.name.as_str()));
            for input in inputs.value.iter_mut().filter(|input| input.name == named_by) {
                input.binds.push(super::AttributeRef::new(entity, *identifier));
            }
        }
        Cow::Owned(seen)
    }
}

impl Write {
    /// Whether a condition applies to the item of an effect. If an effect on the entity decreases the
    /// compared attribute, the condition applies only to items that are decreased; otherwise to every item.
    pub fn bears(&self, effect: &Effect, condition: &ConditionKind) -> bool {
        let ConditionKind::Compare { attribute, .. } = condition else { return true };
        let lowers = |it: &Effect| match &it.action {
            Action::Add { attribute: number, by } => {
                *number == attribute.attribute && matches!(by, Step::MinusInput(_) | Step::Fixed(..0))
            }
            _ => false,
        };
        let of_entity = || self.effects.iter().filter(|it| it.entity == effect.entity);
        let falls: Vec<&Option<String>> =
            of_entity().filter(|it| lowers(it)).map(|it| &it.named_by).collect();
        falls.is_empty() || falls.contains(&&effect.named_by)
    }
}
