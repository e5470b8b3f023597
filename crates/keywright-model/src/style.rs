//! The three styles of physical design. They share one search.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How keys are laid out physically.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Style {
    /// One table with generic `pk`/`sk` and overloaded `GSI1PK`/`GSI1SK` string keys.
    #[default]
    Overloaded,
    /// One table whose GSIs have native keys of up to four plus four attributes.
    MultiAttribute,
    /// One table per entity with natural key names.
    MultiTable,
}

impl Style {
    /// All styles.
    pub const ALL: [Style; 3] = [Style::Overloaded, Style::MultiAttribute, Style::MultiTable];

    /// The name that a document and `--style` use.
    pub const fn name(self) -> &'static str {
        match self {
            Style::Overloaded => "overloaded",
            Style::MultiAttribute => "multi-attribute",
            Style::MultiTable => "multi-table",
        }
    }
}

impl fmt::Display for Style {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Style {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wanted = text.trim().to_ascii_lowercase().replace([' ', '_'], "-");
        Style::ALL.into_iter().find(|style| style.name() == wanted).ok_or_else(|| {
            format!(
                "`{text}` is not a style; write overloaded, multi-attribute or \
                                    multi-table"
            )
        })
    }
}
