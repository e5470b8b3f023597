//! A Model as an outline for people.

use std::fmt::{self, Display, Formatter};

use keywright_model::Model;
use keywright_model::model::{
    Action, Attribute, Cardinality, Direction, Effect, Entity, EntityKind, Input, Pattern, PatternKind, Read,
    ResultKind, Role, Step,
};

/// A Model as an outline: entities with what identifies them, relationships, patterns with what they take and give.
pub(crate) struct Outline<'m>(pub(crate) &'m Model);

impl Display for Outline<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let model = self.0;
        if let Some(application) = &model.application {
            writeln!(out, "{}", application.value)?;
        }
        writeln!(out, "Entities")?;
        for entity in &model.entities {
            write_entity(entity, out)?;
        }
        if !model.relationships.is_empty() {
            writeln!(out, "Relationships")?;
        }
        for relationship in &model.relationships {
            let cardinality = match relationship.cardinality.value {
                Cardinality::OneToOne => "1:1",
                Cardinality::OneToMany => "1:N",
                Cardinality::ManyToMany => "N:M",
            };
            write!(out, "  {} {cardinality} {}", relationship.parent, relationship.child)?;
            match (&relationship.fan_out.mean, &relationship.fan_out.max) {
                (Some(mean), Some(max)) => write!(out, ", ~{} each, at most {}", mean.value, max.value)?,
                (Some(mean), None) => write!(out, ", ~{} each", mean.value)?,
                (None, Some(max)) => write!(out, ", at most {} each", max.value)?,
                (None, None) => {}
            }
            writeln!(out, "{}", assumed(relationship.assumed))?;
        }
        writeln!(out, "Patterns")?;
        for pattern in &model.patterns {
            write_pattern(pattern, out)?;
        }
        let count = model.assumptions.len();
        if count > 0 {
            writeln!(
                out,
                "(* inferred; `keywright check --assumptions` lists all {count} with the reasons)"
            )?;
        }
        Ok(())
    }
}

/// The mark of what was inferred.
fn assumed(assumed: bool) -> &'static str {
    if assumed { " *" } else { "" }
}

fn write_entity(entity: &Entity, out: &mut Formatter<'_>) -> fmt::Result {
    write!(out, "  {}", entity.name)?;
    for kind in &entity.kinds {
        let name = match kind.value {
            EntityKind::Singleton => "singleton",
            EntityKind::History => "history",
            EntityKind::Common => "common",
        };
        write!(out, ", {name}")?;
    }
    if let Some(count) = &entity.count {
        write!(out, ", ~{} items{}", count.value, assumed(count.assumed))?;
    }
    writeln!(out)?;
    if !entity.identity.is_empty() {
        let inferred = entity.identity.iter().any(|name| name.assumed);
        writeln!(out, "    identified by {}{}", join(entity.identity_names()), assumed(inferred))?;
    }
    for unique in &entity.unique {
        writeln!(out, "    unique: {}", join(unique.attributes.iter().map(String::as_str)))?;
    }
    for attribute in &entity.attributes {
        write_attribute(attribute, out)?;
    }
    Ok(())
}

fn write_attribute(attribute: &Attribute, out: &mut Formatter<'_>) -> fmt::Result {
    write!(out, "    {}: {}", attribute.name, attribute.ty.value)?;
    if !attribute.values.is_empty() {
        write!(out, "({})", join(attribute.values.iter().map(|value| value.value.as_str())))?;
    }
    if attribute.is_optional() {
        write!(out, ", optional")?;
    }
    if attribute.is_mutable() {
        write!(out, ", mutable")?;
    }
    if let Some(reference) = &attribute.reference {
        write!(out, ", refers to {}{}", reference.value, assumed(reference.assumed))?;
    }
    writeln!(out)
}

fn write_pattern(pattern: &Pattern, out: &mut Formatter<'_>) -> fmt::Result {
    let kind = match &pattern.kind {
        PatternKind::Read(_) => "read",
        PatternKind::Write(_) => "write",
        PatternKind::Delete(_) => "delete",
    };
    let id = if pattern.id.is_empty() { "(no id)" } else { &pattern.id };
    let entities = join(pattern.entities.iter().map(|name| name.value.as_str()));
    writeln!(out, "  {id} {kind} {entities}: {}", pattern.description.value)?;
    if !pattern.inputs().is_empty() {
        let inputs: Vec<String> = pattern.inputs().iter().map(in_words).collect();
        writeln!(out, "    given {}", inputs.join(", "))?;
    }
    match &pattern.kind {
        PatternKind::Read(read) => write_read(read, out)?,
        PatternKind::Write(write) | PatternKind::Delete(write) => {
            for effect in &write.effects {
                writeln!(out, "    {}{}", effect_in_words(effect), assumed(effect.assumed))?;
            }
            for condition in &write.conditions {
                writeln!(out, "    if {}", condition.text)?;
            }
        }
    }
    writeln!(out, "    {} per second", pattern.mean_rate())
}

fn write_read(read: &Read, out: &mut Formatter<'_>) -> fmt::Result {
    if let Some(result) = &read.result {
        let returned = match result.value {
            ResultKind::Single => "one item",
            ResultKind::Collection => "a collection",
            ResultKind::Count => "a count",
        };
        write!(out, "    returns {returned}")?;
        for sort in &read.sort {
            let direction = match sort.direction {
                Direction::Ascending => "ASC",
                Direction::Descending => "DESC",
            };
            write!(out, ", {} {direction}", sort.attribute)?;
        }
        if read.paginated.as_ref().is_some_and(|paginated| paginated.value) {
            write!(out, ", in pages")?;
        }
        writeln!(out, "{}", assumed(result.assumed))?;
    }
    Ok(())
}

/// An input with what it is for.
fn in_words(input: &Input) -> String {
    let bound = input.binds.first().map_or(String::new(), |bind| bind.to_string());
    let meaning = match input.role {
        Role::Equal => format!(" = {bound}"),
        Role::Lower(_) => format!(" ≤ {bound}"),
        Role::Upper(_) => format!(" ≥ {bound}"),
        Role::Prefix => format!(" begins {bound}"),
        Role::Within(period) => format!(" = {} of {bound}", period.name()),
        Role::NewValue => format!(" → {bound}"),
        Role::Increment => format!(" + {bound}"),
        Role::Amount => format!(" for {bound}"),
        Role::Limit => " (limit)".to_owned(),
        Role::Cursor => " (cursor)".to_owned(),
        Role::Unknown => " (unknown)".to_owned(),
    };
    format!("{}{meaning}{}", input.name, assumed(input.assumed))
}

fn effect_in_words(effect: &Effect) -> String {
    let all = if effect.all { "all of " } else { "" };
    match &effect.action {
        Action::Create => format!("creates {all}{}", effect.entity),
        Action::Put => format!("puts {all}{}", effect.entity),
        Action::Update => format!("updates {all}{}", effect.entity),
        Action::Delete => format!("deletes {all}{}", effect.entity),
        Action::Add { attribute, by } => {
            let step = match by {
                Step::Fixed(step) => step.to_string(),
                Step::Input(name) => name.clone(),
                Step::MinusInput(name) => format!("-{name}"),
            };
            format!("adds {step} to {}.{attribute}", effect.entity)
        }
    }
}

fn join<'t>(names: impl Iterator<Item = &'t str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}
