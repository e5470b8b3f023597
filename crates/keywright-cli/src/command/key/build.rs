//! `keywright key build`: a key, a prefix or a range from values.

use std::collections::BTreeMap;
use std::ops::Bound;

use anyhow::bail;
use keywright_key::{KeyPart, KeyRange, SeparatorPolicy, Template, Value};

use super::{Answer, Refusal, template};

/// Builds the key of a template from values, or a prefix or a range of keys.
#[derive(clap::Args)]
pub(super) struct Build {
    /// The template, such as `ORDER#<placedAt:iso>#<orderId>`.
    template: String,
    /// Values, such as `orderId=o1`: numbers, instants and ids as people write them.
    #[arg(value_name = "NAME=VALUE")]
    values: Vec<String>,
    /// Print what keys of a leading run of values begin with.
    #[arg(long, conflicts_with_all = ["from", "to"])]
    prefix: bool,
    /// The least value of the attribute after the given ones: prints a range.
    #[arg(long, value_name = "VALUE")]
    from: Option<String>,
    /// The greatest value of the attribute after the given ones: prints a range.
    #[arg(long, value_name = "VALUE")]
    to: Option<String>,
    /// What to do with text that would change the shape of the key.
    #[arg(long, value_enum, default_value_t = Policy::Escape)]
    policy: Policy,
    /// The separator between segments, if it is not `#`.
    #[arg(long)]
    separator: Option<String>,
    /// Which part of a primary key it is: a sort key may be shorter.
    #[arg(long, value_enum, default_value_t = Part::Partition)]
    part: Part,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Policy {
    Escape,
    Reject,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Part {
    Partition,
    Sort,
}

impl Build {
    pub(super) fn run(self) -> anyhow::Result<Result<Answer, Refusal>> {
        let template = self.template()?;
        let texts = self.texts(&template)?;
        let values = match read_values(&template, &texts) {
            Ok(values) => values,
            Err(refusal) => return Ok(Err(refusal)),
        };
        if self.prefix {
            return Ok(template
                .prefix(&values)
                .map(|prefix| Answer::text("prefix", prefix))
                .map_err(Refusal::from));
        }
        if self.from.is_some() || self.to.is_some() {
            return Ok(self.range(&template, &values).map(|range| range_answer(&range)));
        }
        Ok(template.build(&values).map(|key| Answer::text("key", key)).map_err(Refusal::from))
    }

    fn template(&self) -> anyhow::Result<Template> {
        let policy = match self.policy {
            Policy::Escape => SeparatorPolicy::Escape,
            Policy::Reject => SeparatorPolicy::Reject,
        };
        let part = match self.part {
            Part::Partition => KeyPart::Partition,
            Part::Sort => KeyPart::Sort,
        };
        let template = template(&self.template)?.with_policy(policy).with_part(part);
        Ok(match &self.separator {
            Some(separator) => template.with_separator(separator)?,
            None => template,
        })
    }

    /// The values as given, by name. A name that the template does not have is a wrong call.
    fn texts<'a>(&'a self, template: &Template) -> anyhow::Result<BTreeMap<&'a str, &'a str>> {
        let mut texts = BTreeMap::new();
        for pair in &self.values {
            let Some((name, text)) = pair.split_once('=') else {
                bail!("`{pair}` is not a value: write NAME=VALUE");
            };
            if !template.attributes().iter().any(|attribute| attribute == name) {
                bail!("the template has no attribute `{name}`; it has {}", template.attributes().join(", "));
            }
            if texts.insert(name, text).is_some() {
                bail!("`{name}` is given twice");
            }
        }
        Ok(texts)
    }

    fn range(&self, template: &Template, values: &[(&str, Value<'_>)]) -> Result<KeyRange, Refusal> {
        let open = template.placeholders().find(|place| values.iter().all(|(name, _)| *name != place.name()));
        let bound = |text: &Option<String>| match (text, open) {
            (Some(text), Some(place)) => match place.encoding().read(text) {
                Ok(value) => Ok(Bound::Included(value.into_owned())),
                Err(fault) => Err(Refusal::of_key(template.as_str(), format!("`{}`: {fault}", place.name()))),
            },
            _ => Ok(Bound::Unbounded),
        };
        let bounds = (bound(&self.from)?, bound(&self.to)?);
        template.range(values, bounds).map_err(Refusal::from)
    }
}

/// Every value as its place reads it. Where an attribute stands twice, the place that keeps it whole decides.
fn read_values<'t>(
    template: &'t Template,
    texts: &BTreeMap<&str, &'t str>,
) -> Result<Vec<(&'t str, Value<'t>)>, Refusal> {
    let mut values: Vec<(&str, Value<'_>)> = Vec::new();
    for attribute in template.attributes() {
        let Some(text) = texts.get(attribute.as_str()) else { continue };
        let places: Vec<_> = template.placeholders().filter(|place| place.name() == attribute).collect();
        let whole = places.iter().find(|place| !place.encoding().is_lossy()).or(places.first());
        let encoding = whole.expect("every attribute has a place").encoding();
        match encoding.read(text) {
            Ok(value) => values.push((attribute, value)),
            Err(fault) => {
                let reason = fault.to_string();
                let message = format!("key `{template}`, `{attribute}`: {reason}");
                let (template, attribute) = (Some(template.to_string()), Some(attribute.clone()));
                return Err(Refusal { template, attribute, reason, message });
            }
        }
    }
    Ok(values)
}

fn range_answer(range: &KeyRange) -> Answer {
    let line = |name: &str, bound: Option<&str>| format!("{name} {}", bound.unwrap_or("(none)"));
    Answer {
        lines: vec![line("lower", range.lower()), line("upper", range.upper())],
        json: serde_json::json!({ "lower": range.lower(), "upper": range.upper() }),
    }
}
