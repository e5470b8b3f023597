//! A document about music with one row of a table, and what was read of it in short.

use keywright_document::read_access_patterns;
use keywright_model::Model;
use keywright_model::model::{Action, ConditionKind, ConditionValue, Role, Step};

pub(crate) fn read(source: &str) -> Model {
    read_access_patterns(source).0
}

pub(crate) const MUSIC: &str = "\
# DynamoDB Access Patterns
## Entities
### User
- **Attributes**:
  - `userId` (ulid, id)
  - `email` (string, unique)
  - `songCount` (integer)
### Song
- **Attributes**:
  - `songId` (ulid, id)
  - `userId` (ulid, ref User)
  - `title` (string)
  - `status` (enum(DRAFT, LIVE))
  - `stock` (integer)
  - `createdAt` (datetime)
- **Relationships**: Belongs to a User.
### GlobalRating
- **Attributes**:
  - `songId` (ulid, id, ref Song)
  - `averageRating` (decimal)
  - `ratings` (integer)
### PlayCount
- **Attributes**:
  - `songId` (ulid, id, ref Song)
  - `plays` (integer)
";

/// The Model of the music entities and one row of a table.
pub(crate) fn with_row(header: &str, row: &str) -> Model {
    let columns = header.matches('|').count() - 1;
    read(&format!("{MUSIC}## Access Patterns\n{header}\n|{}\n{row}\n", "---|".repeat(columns)))
}

pub(crate) fn read_row(inputs: &str, sort: &str) -> Model {
    with_row(
        "| ID | Entity | Description | Input Parameters | Result | Sort |",
        &format!("| AP-001 | Song | List songs | {inputs} | Collection | {sort} |"),
    )
}

pub(crate) fn write_row(
    entity: &str,
    description: &str,
    inputs: &str,
    items: &str,
    conditions: &str,
) -> Model {
    with_row(
        "| ID | Entity | Description | Input Parameters | Items Written | Transaction | Conditions |",
        &format!("| AP-001 | {entity} | {description} | {inputs} | {items} | Yes | {conditions} |"),
    )
}

/// The inputs as `name role target`.
pub(crate) fn inputs(model: &Model) -> Vec<String> {
    model.patterns[0]
        .inputs()
        .iter()
        .map(|input| {
            let binds: Vec<_> = input.binds.iter().map(ToString::to_string).collect();
            let constant = input.constant.as_ref().map(|it| format!(" = {it}")).unwrap_or_default();
            let marks = [(input.optional, "?"), (input.list, "[]")];
            let marks: String = marks.iter().filter(|(set, _)| *set).map(|(_, mark)| *mark).collect();
            format!("{}{marks} {} {}{constant}", input.name, role(input.role), binds.join("+"))
        })
        .collect()
}

pub(crate) fn role(role: Role) -> &'static str {
    match role {
        Role::Equal => "is",
        Role::Lower(_) => "from",
        Role::Upper(_) => "to",
        Role::Prefix => "begins",
        Role::Within(_) => "within",
        Role::NewValue => "new",
        Role::Increment => "grows",
        Role::Amount => "for",
        Role::Limit => "limit",
        Role::Cursor => "cursor",
        Role::Unknown => "unknown",
    }
}

/// The effects as `action entity`.
pub(crate) fn effects(model: &Model) -> Vec<String> {
    let write = model.patterns[0].write().expect("a write");
    write
        .effects
        .iter()
        .map(|effect| {
            let action = match &effect.action {
                Action::Create => "create".to_owned(),
                Action::Put => "put".to_owned(),
                Action::Update => "update".to_owned(),
                Action::Delete => "delete".to_owned(),
                Action::Add { attribute, by } => match by {
                    Step::Fixed(by) => format!("{attribute} {by:+}"),
                    Step::Input(name) => format!("{attribute} +{name}"),
                    Step::MinusInput(name) => format!("{attribute} -{name}"),
                },
            };
            let all = if effect.all { "all " } else { "" };
            let set: Vec<&str> = effect
                .attributes
                .iter()
                .filter(|name| !effect.removes.contains(name))
                .map(String::as_str)
                .collect();
            let set = if set.is_empty() { String::new() } else { format!(" ({})", set.join(", ")) };
            let removed = effect.removes.iter().map(|name| format!(" -{name}")).collect::<String>();
            format!("{action} {all}{}{set}{removed}", effect.entity)
        })
        .collect()
}

/// The conditions as DynamoDB would write them, with the entity before each attribute.
pub(crate) fn conditions(model: &Model) -> Vec<String> {
    let write = model.patterns[0].write().expect("a write");
    write
        .conditions
        .iter()
        .map(|condition| match &condition.kind {
            ConditionKind::Exists { entity } => format!("exists {entity}"),
            ConditionKind::NotExists { entity } => format!("absent {entity}"),
            ConditionKind::Unique { entity, attributes } => {
                format!("unique {entity} {}", attributes.join("+"))
            }
            ConditionKind::Compare { attribute, comparator, value } => {
                let value = match value {
                    ConditionValue::Literal(literal) => format!("\"{literal}\""),
                    ConditionValue::Input(name) => name.clone(),
                    ConditionValue::Attribute(name) => format!(".{name}"),
                };
                format!("{attribute} {} {value}", comparator.symbol())
            }
            ConditionKind::OneOf { attribute, values } => {
                let values: Vec<String> = values.iter().map(ToString::to_string).collect();
                format!("{attribute} in {}", values.join("+"))
            }
            ConditionKind::Held { attribute, held: true } => format!("{attribute} is set"),
            ConditionKind::Held { attribute, held: false } => format!("{attribute} is empty"),
            ConditionKind::AtMost { entity, per, limit } => {
                format!("at most {limit} {entity} per {}", per.as_deref().unwrap_or("table"))
            }
            ConditionKind::Words => "words".to_owned(),
        })
        .collect()
}
