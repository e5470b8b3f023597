//! `keywright key sort`: the byte order of keys, which is DynamoDB's.

use std::io::BufRead;

use anyhow::Context;

use super::Answer;

/// Sorts the keys of standard input, one per line, as DynamoDB does: by bytes.
#[derive(clap::Args)]
pub(super) struct Sort {
    /// From the greatest to the least, as with ScanIndexForward=false.
    #[arg(long)]
    reverse: bool,
}

impl Sort {
    pub(super) fn run(self) -> anyhow::Result<Answer> {
        let lines: Result<Vec<String>, _> = std::io::stdin().lock().lines().collect();
        let lines = lines.context("can't read keys from standard input")?;
        let mut keys: Vec<(usize, &str)> = lines
            .iter()
            .enumerate()
            .map(|(at, line)| (at + 1, line.as_str()))
            .filter(|(_, key)| !key.is_empty())
            .collect();
        keys.sort_by_key(|(_, key)| key.as_bytes());
        if self.reverse {
            keys.reverse();
        }
        let json: Vec<_> =
            keys.iter().map(|(line, key)| serde_json::json!({ "key": key, "line": line })).collect();
        Ok(Answer {
            lines: keys.iter().map(|(_, key)| (*key).to_owned()).collect(),
            json: serde_json::json!({ "keys": json }),
        })
    }
}
