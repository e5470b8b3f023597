//! Which calls are usual ones: only those tell about mean costs.

use keywright_dynamodb::value::AttributeValue;
use keywright_model::model::{Effect, Pattern, Relationship, Role};

use crate::check::Checker;
use crate::data::{fan_out, many};
use crate::interpret::Inputs;
use crate::oracle::{Judgement, binding};
use crate::writing::Writing;

/// How many items an entity has where the document is silent.
const DEFAULT_COUNT: u64 = 1_000_000;

impl<'a> Checker<'a, '_> {
    /// Whether a call deletes no more than the document lets one expect of its parent.
    pub(crate) fn is_usual(&self, writing: Writing<'a>, inputs: &Inputs) -> bool {
        let mut all = writing.write.effects.iter().filter(|effect| effect.all).peekable();
        if all.peek().is_none() {
            return true;
        }
        let Judgement::Holds { changes, .. } = self.foretell(writing, inputs) else { return true };
        all.all(|effect| {
            let found = changes.iter().filter(|change| change.entity == effect.entity).count() as u64;
            let expected = self.stated(writing, effect).or_else(|| self.assumed(writing, effect));
            expected.is_none_or(|expected| found <= many(expected))
        })
    }

    /// Whether a read asks for the children of nobody who has far more of them than the document says.
    pub(crate) fn is_usual_read(&self, pattern: &'a Pattern, inputs: &Inputs) -> bool {
        let given = |entity: &str, name: &str| {
            let equal = pattern.inputs().iter().filter(|input| input.role == Role::Equal);
            let mut named = equal.filter(|input| binding(self.model, input, entity) == Some(name));
            named.find_map(|input| inputs.get(&input.name)?.one())
        };
        let is_crowded = |relationship: &Relationship| {
            let held: Option<Vec<(&str, &AttributeValue)>> = relationship
                .via
                .iter()
                .map(|name| Some((name.as_str(), given(&relationship.child, name)?)))
                .collect();
            let (parent, child) = (&relationship.parent, &relationship.child);
            let expected =
                fan_out(self.model, parent, child).or_else(|| Some(self.taken_for_granted(parent, child)));
            held.filter(|held| !held.is_empty()).zip(expected).is_some_and(|(held, expected)| {
                let more = many(expected).saturating_add(1);
                self.world.holds_as_many(&relationship.child, &held, more)
            })
        };
        // The players of a tournament are found through its registrations.
        let found_by =
            pattern.inputs().iter().flat_map(|input| &input.binds).map(|bind| bind.entity.as_str());
        let mut read = pattern.entities.iter().map(|entity| entity.value.as_str()).chain(found_by);
        !read.any(|entity| self.model.parents_of(entity).any(is_crowded))
    }

    /// Whether nothing says how many records go with a call.
    pub(crate) fn is_open(&self, writing: Writing<'a>) -> bool {
        let mut all = writing.write.effects.iter().filter(|effect| effect.all);
        all.any(|effect| self.stated(writing, effect).is_none())
    }

    /// How many records the document lets one expect of an entity of which all are deleted that a parent has.
    fn stated(&self, writing: Writing<'a>, effect: &'a Effect) -> Option<u64> {
        let parents = self.parents(writing, effect);
        parents.filter_map(|parent| fan_out(self.model, parent, &effect.entity)).min()
    }

    /// How many prices take for granted where the document does not say how many items there are.
    fn assumed(&self, writing: Writing<'a>, effect: &'a Effect) -> Option<u64> {
        self.parents(writing, effect).map(|parent| self.taken_for_granted(parent, &effect.entity)).min()
    }

    fn taken_for_granted(&self, parent: &str, child: &str) -> u64 {
        let count = |name: &str| {
            let stated = self.model.entity(name).and_then(|entity| entity.count.as_ref());
            stated.map_or(DEFAULT_COUNT, |count| count.value).max(1)
        };
        count(child) / count(parent)
    }

    /// The parents that a call names of an entity of which all are deleted.
    fn parents(&self, writing: Writing<'a>, effect: &'a Effect) -> impl Iterator<Item = &'a str> {
        let model = self.model;
        let given = move |name: &str| {
            let mut inputs = writing.pattern.inputs().iter().filter(|input| input.role == Role::Equal);
            inputs.any(|input| binding(model, input, &effect.entity) == Some(name))
        };
        let parents = model.parents_of(&effect.entity).filter(move |relationship| {
            !relationship.via.is_empty() && relationship.via.iter().all(|name| given(name))
        });
        parents.map(|relationship| relationship.parent.as_str())
    }
}
