//! `keywright.toml`: what a team agrees on, found upwards from the document.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use keywright_dynamodb::price::PriceTable;
use keywright_finding::{Catalogue, Levels, Setting};
use keywright_lint::{Conventions, PrefixCase};
use keywright_model::Style;
use serde::Deserialize;

/// The name of the file.
const FILE: &str = "keywright.toml";

/// The settings of a team. All of them are optional.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Config {
    /// The separator between the segments of keys.
    separator: Option<String>,
    /// How prefixes are written: `upper`, `lower`, or `any`.
    prefixes: Option<String>,
    /// The style of designs.
    style: Option<Style>,
    /// The region whose prices count.
    region: Option<String>,
    /// Prices of regions that are not built in.
    #[serde(default)]
    prices: Vec<PriceTable>,
    /// Levels by rule: `off`, `note`, `warning` or `error`.
    #[serde(default)]
    levels: BTreeMap<String, String>,
    /// Where it was found.
    #[serde(skip)]
    path: PathBuf,
}

impl Config {
    /// The nearest file in the folder of the document or above it; the default where there is none.
    pub(crate) fn find(document: &Path) -> anyhow::Result<Self> {
        let absolute = std::path::absolute(document)
            .with_context(|| format!("can't find the folder of {}", document.display()))?;
        for folder in absolute.ancestors().skip(1) {
            let path = folder.join(FILE);
            if path.is_file() {
                return Self::read(&path);
            }
        }
        Ok(Self::default())
    }

    fn read(path: &Path) -> anyhow::Result<Self> {
        let text = std::fs::read_to_string(path).with_context(|| format!("can't read {}", path.display()))?;
        let mut config: Config = toml::from_str(&text)
            .with_context(|| format!("{} is not valid TOML or has an unknown setting", path.display()))?;
        config.path = path.to_owned();
        if let Some(region) = &config.region
            && config.prices().is_none()
        {
            let known: Vec<String> = config.price_tables().map(|table| table.region).collect();
            return Err(anyhow!(
                "{}: there are no prices for `{region}`, only for {}; add them under [[prices]]",
                path.display(),
                known.join(", ")
            ));
        }
        Ok(config)
    }

    /// The levels of a run.
    pub(crate) fn levels(&self, catalogue: &Catalogue) -> anyhow::Result<Levels> {
        let mut levels = Levels::new();
        for (name, level) in &self.levels {
            if catalogue.get(name).is_none() {
                let meant = catalogue
                    .names()
                    .nearest(name)
                    .map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"));
                return Err(anyhow!("{}: there is no rule named `{name}`{meant}", self.path.display()));
            }
            let setting: Setting = level
                .parse()
                .map_err(|message: String| anyhow!("{}: {name}: {message}", self.path.display()))?;
            levels.set(name.clone(), setting);
        }
        Ok(levels)
    }

    /// The customs that keys follow.
    pub(crate) fn conventions(&self) -> anyhow::Result<Conventions> {
        let prefixes = match self.prefixes.as_deref() {
            None => None,
            Some("upper") => Some(PrefixCase::Upper),
            Some("lower") => Some(PrefixCase::Lower),
            Some("any") => Some(PrefixCase::Any),
            Some(other) => {
                return Err(anyhow!(
                    "{}: `{other}` is not a case of prefixes; write upper, lower or any",
                    self.path.display()
                ));
            }
        };
        Ok(Conventions { separator: self.separator.clone(), prefixes })
    }

    /// The style that designs have unless the document or the command line asks for another.
    pub(crate) fn style(&self) -> Option<Style> {
        self.style
    }

    /// The prices that count.
    pub(crate) fn prices(&self) -> Option<PriceTable> {
        let region = self.region.as_ref()?;
        self.price_tables().find(|table| table.region == *region)
    }

    /// The team's own prices first: they may know better than we do.
    fn price_tables(&self) -> impl Iterator<Item = PriceTable> {
        self.prices.iter().cloned().chain(PriceTable::built_in())
    }
}
