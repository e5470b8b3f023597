//! Levels that the user sets in place of the rules' own.

use std::collections::BTreeMap;

use crate::{Finding, Level};

/// The user's setting for a rule's findings: `off`, `note`, `warning` or `error`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// They are not reported.
    Off,
    /// They are reported at this level.
    At(Level),
}

impl std::str::FromStr for Setting {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "off" => Ok(Setting::Off),
            "note" => Ok(Setting::At(Level::Note)),
            "warning" => Ok(Setting::At(Level::Warning)),
            "error" => Ok(Setting::At(Level::Error)),
            _ => Err(format!("`{text}` is not a level; write off, note, warning or error")),
        }
    }
}

/// The levels of one run: the rules' own, unless the user set another or asked for a strict run.
#[derive(Clone, Debug, Default)]
pub struct Levels {
    settings: BTreeMap<String, Setting>,
    strict: bool,
}

impl Levels {
    /// Keeps every finding at its own level.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets whether assumptions are refused. This takes precedence over the setting of a rule: a strict run
    /// must not be weakened by a configuration file.
    #[must_use]
    pub fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// Sets the level of a rule's findings.
    pub fn set(&mut self, rule: impl Into<String>, setting: Setting) {
        self.settings.insert(rule.into(), setting);
    }

    /// The level at which a finding is reported; `None` if it is off.
    #[must_use]
    pub fn of(&self, finding: &Finding) -> Option<Level> {
        if let (true, Some(level)) = (self.strict, finding.rule.strict_level()) {
            return Some(level);
        }
        match self.settings.get(finding.rule.name()) {
            Some(Setting::Off) => None,
            Some(Setting::At(level)) => Some(*level),
            None => Some(finding.level),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Group, Rule, Span};

    static ASSUMED: Rule = Rule::note("assumed", Group::Document, "", "").refused_when_strict();
    static PLAIN: Rule = Rule::warning("plain", Group::Document, "", "");

    #[test]
    fn settings_are_read_from_words() {
        assert_eq!("off".parse(), Ok(Setting::Off));
        assert_eq!("warning".parse(), Ok(Setting::At(Level::Warning)));
        assert!("Warn".parse::<Setting>().is_err());
    }

    #[test]
    fn settings_replace_levels_and_strict_replaces_settings() {
        let (assumed, plain) =
            (Finding::new(&ASSUMED, Span::at(0), ""), Finding::new(&PLAIN, Span::at(0), ""));
        let mut levels = Levels::new();
        assert_eq!((levels.of(&assumed), levels.of(&plain)), (Some(Level::Note), Some(Level::Warning)));
        levels.set("assumed", Setting::Off);
        levels.set("plain", Setting::At(Level::Error));
        assert_eq!((levels.of(&assumed), levels.of(&plain)), (None, Some(Level::Error)));
        assert_eq!(levels.strict(true).of(&assumed), Some(Level::Error));
    }
}
