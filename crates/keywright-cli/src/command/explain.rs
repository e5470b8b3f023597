//! `keywright explain RULE`: a rule's page.

use anyhow::anyhow;

use crate::exit::Exit;
use crate::{catalogue, output};

/// Prints a rule's page: why it matters, examples that fail and pass, how to fix it.
#[derive(clap::Args)]
pub(crate) struct Explain {
    /// The rule's name, as findings and allow comments write it.
    rule: String,
}

impl Explain {
    pub(crate) fn run(self) -> anyhow::Result<Exit> {
        let catalogue = catalogue::catalogue();
        let rule = catalogue.get(&self.rule).ok_or_else(|| match catalogue.names().nearest(&self.rule) {
            Some(meant) => anyhow!("there is no rule named `{}`; did you mean `{meant}`?", self.rule),
            None => anyhow!("there is no rule named `{}`; `keywright rules` lists the names", self.rule),
        })?;
        output::print(|out| out.write_all(rule.page().as_bytes()))?;
        Ok(Exit::Holds)
    }
}
