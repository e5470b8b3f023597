//! Values of a write: inputs, and what a create makes up.

use keywright_finding::Finding;
use keywright_model::design::{Generated, Generator, Value};
use keywright_model::model::{Input, Literal, Pattern, Role, Type};

use super::Draft;
use crate::emit::context::Context;
use crate::emit::scope::Scope;
use crate::first_value::first_value;
use crate::naming;
use crate::problem::{Attr, EffectFacts};
use crate::rules;

/// The values that a pattern's inputs give to an entity's attributes, which they have once it is done.
pub(super) fn inputs(context: &Context<'_>, pattern: &Pattern, entity: usize) -> Scope {
    let facts = context.entity(entity);
    let expected = |input: &Input| {
        input.binds.iter().any(|bind| bind.entity == facts.name && pattern.expects(input, bind))
    };
    let given = |input: &&Input| matches!(input.role, Role::Equal | Role::NewValue | Role::Increment);
    bound(context, pattern.inputs().iter().filter(given).filter(|input| !expected(input)), entity)
}

/// The values that an entity's attributes have before, by which its item is found.
pub(super) fn present(context: &Context<'_>, pattern: &Pattern, entity: usize) -> Scope {
    bound(context, pattern.inputs().iter().filter(|input| input.role == Role::Equal), entity)
}

/// The values of attributes of an entity: of those that inputs bind, and of identifiers of the same meaning.
fn bound<'i>(context: &Context<'_>, inputs: impl Iterator<Item = &'i Input>, entity: usize) -> Scope {
    let facts = context.entity(entity);
    let mut scope = Scope::default();
    for input in inputs {
        let value = match &input.constant {
            Some(literal) => Value::Literal(literal.clone()),
            None => Value::Input(input.name.clone()),
        };
        let direct = input.binds.iter().find(|bind| bind.entity == facts.name);
        if let Some(attr) = direct.and_then(|bind| facts.named(&bind.attribute)) {
            scope.set(attr, value);
            continue;
        }
        for bind in &input.binds {
            let Some(other) = context.problem.entities.iter().find(|it| it.name == bind.entity) else {
                continue;
            };
            let Some(attr) = other.named(&bind.attribute) else { continue };
            let domain = other.attribute(attr).domain;
            for own in &facts.identity {
                if facts.attribute(*own).domain == domain && scope.get(*own).is_none() {
                    scope.set(*own, value.clone());
                }
            }
        }
    }
    scope
}

/// What a create makes up for attributes that its inputs lack: identifiers, instants, first states, zeros.
pub(super) fn made_up(
    draft: &Draft<'_>,
    effect: &EffectFacts,
    scope: &mut Scope,
    findings: &mut Vec<Finding>,
) -> Vec<Generated> {
    let facts = draft.context.entity(effect.entity);
    let mut generated = Vec::new();
    for position in 0..facts.attributes.len() {
        let attr = Attr::new(position);
        if scope.get(attr).is_some() {
            continue;
        }
        let it = facts.attribute(attr);
        let generator = match it.ty {
            _ if it.ttl => facts.retention_days.map(Generator::ExpiresAfterDays),
            Type::Ulid if facts.identity.contains(&attr) => Some(Generator::Ulid),
            Type::Uuid if facts.identity.contains(&attr) => Some(Generator::Uuid),
            Type::Ksuid if facts.identity.contains(&attr) => Some(Generator::Ksuid),
            Type::Datetime | Type::Date if !it.optional => Some(Generator::Now),
            _ => None,
        };
        if let Some(generator) = generator {
            let name = free_name(draft, &facts.name, &it.name, &generated);
            scope.set(attr, Value::Generated(name.clone()));
            generated.push(Generated { name, ty: it.ty, generator });
            continue;
        }
        let declared = draft.context.model.entity(&facts.name).and_then(|entity| entity.attribute(&it.name));
        if declared.map_or(it.optional, |attribute| attribute.is_optional()) || it.ttl {
            continue;
        }
        if it.sequential {
            findings.push(
                Finding::new(
                    &rules::VALUE_NOT_GIVEN,
                    draft.facts.span,
                    format!(
                        "{} numbers {}, but no item stores its last {}",
                        draft.facts.id,
                        naming::one(&facts.name),
                        it.name
                    ),
                )
                .help(format!(
                    "declare the parent entity within which {} counts, or add `{}` to the inputs",
                    it.name, it.name
                )),
            );
            continue;
        }
        // A number that only the design keeps begins at zero.
        let kept = || it.ty.is_numeric().then(|| Literal::Number("0".to_owned()));
        match declared.map_or_else(kept, first_value) {
            Some(literal) => scope.set(attr, Value::Literal(literal)),
            None => findings.push(
                Finding::new(
                    &rules::VALUE_NOT_GIVEN,
                    draft.facts.span,
                    format!(
                        "{} creates {} without a value for {}",
                        draft.facts.id,
                        naming::one(&facts.name),
                        it.name
                    ),
                )
                .help(format!("add `{}` to its inputs, or mark the attribute `optional`", it.name)),
            ),
        }
    }
    generated
}

/// A name for a made-up value: the attribute's, unless an input or another entity's value has it.
fn free_name(draft: &Draft<'_>, entity: &str, attribute: &str, now: &[Generated]) -> String {
    let taken = |name: &str| {
        draft.pattern.inputs().iter().any(|input| input.name == name)
            || draft.generated.iter().chain(now).any(|it| it.name == name)
    };
    if !taken(attribute) {
        return attribute.to_owned();
    }
    let mut name = entity.to_lowercase();
    let mut letters = attribute.chars();
    name.extend(letters.next().map(|first| first.to_ascii_uppercase()));
    name.extend(letters);
    name
}

/// The present instant for an attribute that an update sets without being given a value; a finding where the
/// attribute is nothing that an operation can make up.
pub(super) fn present_instant(
    draft: &Draft<'_>,
    entity: usize,
    attr: Attr,
    findings: &mut Vec<Finding>,
) -> Option<Generated> {
    let facts = draft.context.entity(entity);
    let it = facts.attribute(attr);
    if matches!(it.ty, Type::Datetime | Type::Date) {
        let name = free_name(draft, &facts.name, &it.name, &[]);
        return Some(Generated { name, ty: it.ty, generator: Generator::Now });
    }
    let added = draft.pattern.write().is_some_and(|write| {
        write.effects.iter().any(|effect| match &effect.action {
            keywright_model::model::Action::Add { attribute, .. } => *attribute == it.name,
            _ => false,
        })
    });
    if !added && !it.version {
        findings.push(
            Finding::new(
                &rules::VALUE_NOT_GIVEN,
                draft.facts.span,
                format!(
                    "{} changes {} of {}, but no input gives its value",
                    draft.facts.id, it.name, facts.name
                ),
            )
            .help(format!("add `{}` to its inputs", it.name)),
        );
    }
    None
}
