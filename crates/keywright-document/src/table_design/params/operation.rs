//! The params of an operation as a whole: what goes in, what is made up, what comes back.

use keywright_dynamodb::expression::Names;
use keywright_dynamodb::expression::parse::{Parser, SyntaxError};
use keywright_model::design::{Generated, Generator, OperationName, Order, Outcome, Parameter, Retry, Shape};
use keywright_model::model::{Bound, Direction, Period, Role, Type};

use super::super::Problems;
use super::super::value;
use super::{Param, sentence};

/// What an operation says beside its requests; none where the document does not say it.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct OperationParams {
    pub(in super::super) inputs: Option<Vec<Parameter>>,
    pub(in super::super) generated: Vec<Generated>,
    pub(in super::super) returns: Option<(Shape, Vec<String>)>,
    pub(in super::super) attributes: Vec<String>,
    pub(in super::super) order: Vec<Order>,
    pub(in super::super) client_sort: bool,
    pub(in super::super) first: Option<u64>,
    pub(in super::super) from_request: Option<u32>,
    pub(in super::super) retry: Option<Retry>,
    pub(in super::super) main_operation: Option<OperationName>,
    pub(in super::super) main_index: Option<Option<String>>,
    pub(in super::super) main_shards: Option<u32>,
    /// Which operation of the design it is, counted from one.
    pub(in super::super) position: Option<u32>,
}

/// What goes in and what is made up, as the texts of code spans.
pub(in super::super) fn write_inputs(inputs: &[Parameter], generated: &[Generated]) -> Vec<String> {
    let mut list = Vec::new();
    if !inputs.is_empty() {
        list.push(format!("Inputs: {}", inputs.iter().map(input).collect::<Vec<_>>().join(", ")));
    }
    if !generated.is_empty() {
        list.push(format!("Generated: {}", generated.iter().map(made_up).collect::<Vec<_>>().join(", ")));
    }
    list
}

/// What comes back, as the texts of code spans; nothing is not said.
pub(in super::super) fn write_outcome(outcome: &Outcome, last_request: u32) -> Vec<String> {
    let mut list = Vec::new();
    if outcome.shape != Shape::Nothing || !outcome.items.is_empty() {
        let shape = match &outcome.shape {
            Shape::Single => "Single".to_owned(),
            Shape::Collection => "Collection".to_owned(),
            Shape::Page => "Page".to_owned(),
            Shape::Count { attribute: None } => "Count".to_owned(),
            Shape::Count { attribute: Some(attribute) } => format!("Count {}", path(attribute)),
            Shape::Nothing => "Nothing".to_owned(),
        };
        list.push(if outcome.items.is_empty() {
            format!("Returns: {shape}")
        } else {
            format!("Returns: {shape} OF {}", value::names(&outcome.items))
        });
    }
    if !outcome.attributes.is_empty() {
        list.push(format!("Attributes: {}", Names::documented().projection(&outcome.attributes)));
    }
    if !outcome.order.is_empty() {
        let order = |order: &Order| match order.direction {
            Direction::Ascending => format!("{} ASC", path(&order.attribute)),
            Direction::Descending => format!("{} DESC", path(&order.attribute)),
        };
        list.push(format!("Order: {}", outcome.order.iter().map(order).collect::<Vec<_>>().join(", ")));
    }
    if outcome.client_sort {
        list.push("ClientSort".to_owned());
    }
    if let Some(first) = outcome.first {
        list.push(format!("First={first}"));
    }
    if outcome.from_request != last_request {
        list.push(format!("FromRequest={}", outcome.from_request));
    }
    list
}

pub(in super::super) fn write_retry(retry: Option<Retry>) -> Option<String> {
    retry.map(|retry| format!("Retry: {} FROM {}", retry.attempts, retry.from_request))
}

fn path(attribute: &str) -> String {
    Names::documented().path(attribute)
}

fn input(input: &Parameter) -> String {
    let mut text = format!("{} {}", value::name(&input.name), input.ty);
    let role = match input.role {
        Role::Equal if input.attribute.as_ref() == Some(&input.name) => None,
        Role::Equal => Some("IS"),
        Role::Lower(Bound::Inclusive) => Some("AT LEAST"),
        Role::Lower(Bound::Exclusive) => Some("ABOVE"),
        Role::Upper(Bound::Inclusive) => Some("AT MOST"),
        Role::Upper(Bound::Exclusive) => Some("BELOW"),
        Role::Prefix => Some("PREFIX OF"),
        Role::Within(Period::Year) => Some("YEAR OF"),
        Role::Within(Period::Month) => Some("MONTH OF"),
        Role::Within(Period::Day) => Some("DAY OF"),
        Role::Within(Period::Hour) => Some("HOUR OF"),
        Role::NewValue => Some("NEW"),
        Role::Increment => Some("ADDS TO"),
        Role::Amount => Some("AMOUNT FOR"),
        Role::Limit => Some("LIMIT"),
        Role::Cursor => Some("CURSOR"),
        Role::Unknown => Some("UNKNOWN"),
    };
    if let Some(role) = role {
        text.push(' ');
        text.push_str(role);
        if let Some(attribute) = &input.attribute {
            text.push(' ');
            text.push_str(&value::name(attribute));
        }
    }
    if input.optional {
        text.push_str(" OPTIONAL");
    }
    if input.list {
        text.push_str(" LIST");
    }
    text
}

fn made_up(generated: &Generated) -> String {
    let generator = match generated.generator {
        Generator::Ulid => "Ulid".to_owned(),
        Generator::Uuid => "Uuid".to_owned(),
        Generator::Ksuid => "Ksuid".to_owned(),
        Generator::Now => "Now".to_owned(),
        Generator::ExpiresAfterDays(days) => format!("ExpiresAfterDays {days}"),
    };
    format!("{} {} {generator}", value::name(&generated.name), generated.ty)
}

impl OperationParams {
    /// Takes in a param if it is one of an operation.
    pub(in super::super) fn read(&mut self, param: &Param<'_>, problems: &mut Problems) -> bool {
        let text = param.value.as_str();
        let outcome = if param.is("Inputs") {
            sentence(text, |parser| parser.list(read_input)).map(|inputs| self.inputs = Some(inputs))
        } else if param.is("Generated") {
            sentence(text, |parser| parser.list(read_made_up)).map(|generated| self.generated = generated)
        } else if param.is("Returns") {
            sentence(text, read_returns).map(|returns| self.returns = Some(returns))
        } else if param.is("Attributes") {
            sentence(text, |parser| parser.list(Parser::path)).map(|attributes| self.attributes = attributes)
        } else if param.is("Order") {
            sentence(text, |parser| parser.list(read_order)).map(|order| self.order = order)
        } else if param.is("ClientSort") {
            self.client_sort = true;
            Ok(())
        } else if param.is("First") {
            sentence(text, small).map(|first| self.first = Some(first.into()))
        } else if param.is("FromRequest") {
            sentence(text, small).map(|request| self.from_request = Some(request))
        } else if param.is("Retry") {
            sentence(text, read_retry).map(|retry| self.retry = Some(retry))
        } else if param.is("MainOperation") {
            match text.parse() {
                Ok(operation) => self.main_operation = Some(operation),
                Err(message) => problems.unreadable(param.value, &message),
            }
            Ok(())
        } else if param.is("MainIndex") {
            self.main_index = Some((!super::super::cell::is_nothing(text)).then(|| text.to_owned()));
            Ok(())
        } else if param.is("MainShards") {
            sentence(text, small).map(|shards| self.main_shards = Some(shards))
        } else if param.is("Position") {
            sentence(text, small).map(|position| self.position = Some(position))
        } else {
            return false;
        };
        if let Err(error) = outcome {
            problems.syntax(param.value, &error);
        }
        true
    }
}

fn small(parser: &mut Parser) -> Result<u32, SyntaxError> {
    let refuse = parser.refuse("the number is too large");
    u32::try_from(parser.integer()?).map_err(|_| refuse)
}

fn read_type(parser: &mut Parser) -> Result<Type, SyntaxError> {
    let refuse = parser.refuse("a type such as string, number or ulid is expected here");
    let name = parser.name()?;
    Type::ALL.into_iter().find(|ty| ty.name().eq_ignore_ascii_case(&name)).ok_or(refuse)
}

fn read_input(parser: &mut Parser) -> Result<Parameter, SyntaxError> {
    let name = parser.name()?;
    let ty = read_type(parser)?;
    let role = if parser.word("IS") {
        Some(Role::Equal)
    } else if parser.word("AT") {
        if parser.word("LEAST") {
            Some(Role::Lower(Bound::Inclusive))
        } else if parser.word("MOST") {
            Some(Role::Upper(Bound::Inclusive))
        } else {
            return Err(parser.refuse("LEAST or MOST is expected here"));
        }
    } else if parser.word("ABOVE") {
        Some(Role::Lower(Bound::Exclusive))
    } else if parser.word("BELOW") {
        Some(Role::Upper(Bound::Exclusive))
    } else if parser.word("PREFIX") {
        parser.word("OF");
        Some(Role::Prefix)
    } else if let Some(period) = Period::ALL.into_iter().find(|period| parser.word(period.name())) {
        parser.word("OF");
        Some(Role::Within(period))
    } else if parser.word("NEW") {
        Some(Role::NewValue)
    } else if parser.word("ADDS") {
        parser.word("TO");
        Some(Role::Increment)
    } else if parser.word("AMOUNT") {
        parser.word("FOR");
        Some(Role::Amount)
    } else if parser.word("LIMIT") {
        Some(Role::Limit)
    } else if parser.word("CURSOR") {
        Some(Role::Cursor)
    } else if parser.word("UNKNOWN") {
        Some(Role::Unknown)
    } else {
        None
    };
    let attribute = match role {
        None => Some(name.clone()),
        Some(_) if parser.sees("OPTIONAL") || parser.sees("LIST") => None,
        Some(_) => parser.clone().name().is_ok().then(|| parser.name()).transpose()?,
    };
    let optional = parser.word("OPTIONAL");
    let list = parser.word("LIST");
    Ok(Parameter { name, ty, role: role.unwrap_or(Role::Equal), attribute, optional, list })
}

fn read_made_up(parser: &mut Parser) -> Result<Generated, SyntaxError> {
    let name = parser.name()?;
    let ty = read_type(parser)?;
    let generator = if parser.word("Ulid") {
        Generator::Ulid
    } else if parser.word("Uuid") {
        Generator::Uuid
    } else if parser.word("Ksuid") {
        Generator::Ksuid
    } else if parser.word("Now") {
        Generator::Now
    } else if parser.word("ExpiresAfterDays") {
        Generator::ExpiresAfterDays(parser.integer()?)
    } else {
        return Err(parser.refuse("Ulid, Uuid, Ksuid, Now or ExpiresAfterDays is expected here"));
    };
    Ok(Generated { name, ty, generator })
}

fn read_returns(parser: &mut Parser) -> Result<(Shape, Vec<String>), SyntaxError> {
    let shape = if parser.word("Single") {
        Shape::Single
    } else if parser.word("Collection") {
        Shape::Collection
    } else if parser.word("Page") {
        Shape::Page
    } else if parser.word("Nothing") {
        Shape::Nothing
    } else if parser.word("Count") {
        let attribute = if parser.is_at_end() || parser.sees("OF") { None } else { Some(parser.path()?) };
        Shape::Count { attribute }
    } else {
        return Err(parser.refuse("Single, Collection, Page, Count or Nothing is expected here"));
    };
    let items = if parser.word("OF") { parser.list(Parser::name)? } else { Vec::new() };
    Ok((shape, items))
}

fn read_order(parser: &mut Parser) -> Result<Order, SyntaxError> {
    let attribute = parser.path()?;
    let direction = if parser.word("DESC") {
        Direction::Descending
    } else {
        parser.word("ASC");
        Direction::Ascending
    };
    Ok(Order { attribute, direction })
}

fn read_retry(parser: &mut Parser) -> Result<Retry, SyntaxError> {
    let attempts = small(parser)?;
    if !parser.word("FROM") {
        return Err(parser.refuse("FROM and the number of a request are expected here"));
    }
    Ok(Retry { from_request: small(parser)?, attempts })
}
