//! `keywright key version`: the version of a sort key.

use keywright_key::{SortKey, Version as Number, compat};

use super::{Answer, Refusal};

/// Adds, removes or reads the version of a sort key.
#[derive(clap::Args)]
pub(super) struct Version {
    #[command(subcommand)]
    action: Action,
    /// As the TypeScript functions do: no padding, and whatever follows the last `@` is a version.
    #[arg(long, global = true)]
    compat: bool,
}

#[derive(clap::Subcommand)]
enum Action {
    /// The sort key at a version, in place of the one it has.
    Add {
        /// The sort key.
        key: String,
        /// The version.
        #[arg(allow_negative_numbers = true)]
        version: i64,
    },
    /// The sort key without its version.
    Remove {
        /// The sort key.
        key: String,
    },
    /// The version of a sort key.
    Get {
        /// The sort key.
        key: String,
    },
}

impl Version {
    pub(super) fn run(self) -> Result<Answer, Refusal> {
        if self.compat { self.action.run_compat() } else { self.action.run_strict() }
    }
}

impl Action {
    fn run_compat(self) -> Result<Answer, Refusal> {
        Ok(match self {
            Action::Add { key, version } => Answer::text("key", compat::add_sort_key_version(&key, version)),
            Action::Remove { key } => Answer::text("key", compat::remove_sort_key_version(&key)),
            Action::Get { key } => {
                let version = compat::get_sort_key_version(&key);
                let line = version.map_or("NaN".to_owned(), |version| version.to_string());
                // A version that is whole is printed as JavaScript prints it.
                let json = match version {
                    Some(whole) if whole.fract() == 0.0 && whole.abs() < 9e15 => (whole as i64).into(),
                    Some(other) => other.into(),
                    None => serde_json::Value::Null,
                };
                Answer { lines: vec![line], json: serde_json::json!({ "version": json }) }
            }
        })
    }

    fn run_strict(self) -> Result<Answer, Refusal> {
        let (Action::Add { key, .. } | Action::Remove { key } | Action::Get { key }) = &self;
        let read = SortKey::parse(key).map_err(|fault| {
            let way_out =
                if key.contains('@') { "; --compat takes whatever follows the last `@`" } else { "" };
            Refusal::of_key(key, format!("{fault}{way_out}"))
        })?;
        Ok(match &self {
            Action::Add { version, .. } => {
                let number = u64::try_from(*version).ok().and_then(Number::new);
                let range = || format!("version {version} is outside 0 to {}", Number::MAX.number());
                let number = number.ok_or_else(|| Refusal::of_key(key, range()))?;
                Answer::text("key", read.at(number).to_string())
            }
            Action::Remove { .. } => Answer::text("key", read.base()),
            Action::Get { .. } => {
                let number = read.version().map(Number::number);
                let line = number.map_or("none".to_owned(), |number| number.to_string());
                Answer { lines: vec![line], json: serde_json::json!({ "version": number }) }
            }
        })
    }
}
