//! `keywright explain RULE`: a rule's page. `keywright explain AP-nnn DOC`: why a pattern is served as it is.

use std::path::PathBuf;

use anyhow::anyhow;
use keywright_model::design::{Decision, Design, Subject};

use super::design;
use crate::designing::Designing;
use crate::exit::Exit;
use crate::{catalogue, input, output};

/// Prints a rule's page, or why an access pattern is served as it is.
#[derive(clap::Args)]
pub(crate) struct Explain {
    /// The rule's name, as findings and allow comments write it, or a pattern's id.
    #[arg(value_name = "RULE|AP-nnn")]
    subject: String,
    /// The document that the pattern stands in.
    #[arg(value_name = "DOC")]
    document: Option<PathBuf>,
    #[command(flatten)]
    designing: Designing,
}

impl Explain {
    pub(crate) fn run(self) -> anyhow::Result<Exit> {
        match &self.document {
            Some(document) => self.pattern(document),
            None => self.rule(),
        }
    }

    fn rule(&self) -> anyhow::Result<Exit> {
        if self.subject.starts_with("AP-") {
            return Err(anyhow!("name the document too: `keywright explain {} DOC`", self.subject));
        }
        let catalogue = catalogue::catalogue();
        let rule =
            catalogue.get(&self.subject).ok_or_else(|| match catalogue.names().nearest(&self.subject) {
                Some(meant) => anyhow!("there is no rule named `{}`; did you mean `{meant}`?", self.subject),
                None => {
                    anyhow!("there is no rule named `{}`; `keywright rules` lists the names", self.subject)
                }
            })?;
        output::print(|out| out.write_all(rule.page().as_bytes()))?;
        Ok(Exit::Holds)
    }

    fn pattern(&self, document: &std::path::Path) -> anyhow::Result<Exit> {
        let source = input::read(document)?;
        let (model, _) = keywright_document::read_access_patterns(source.text());
        let derived = design::derive(source, &self.designing.options(document, &model)?)?;
        let Some(design) = derived.outcome.design else { return Ok(Exit::Fails) };
        let text = explanation(&design, &self.subject)
            .ok_or_else(|| anyhow!("{} has no pattern `{}`", document.display(), self.subject))?;
        output::print(|out| out.write_all(text.as_bytes()))?;
        Ok(Exit::Holds)
    }
}

/// Everything that was decided about a pattern, as Markdown.
fn explanation(design: &Design, id: &str) -> Option<String> {
    let operation = design.operation(id)?;
    let mut text = format!("# {id}: {}\n\n", operation.description);
    let place = operation.index.as_deref().unwrap_or("the table");
    text.push_str(&format!("{} on {place}", operation.operation));
    if let Some(expected) = &operation.expected {
        text.push_str(&format!(", {} a month", expected.price.in_cents()));
    }
    text.push_str("\n\n");
    let about = |decision: &&Decision| decision.subject == Subject::Pattern(id.to_owned());
    for decision in design.decisions.iter().filter(about) {
        text.push_str(&format!("{}: {}\n", decision.chosen, decision.reason));
        if !decision.alternatives.is_empty() {
            text.push_str("\n| Instead | More per month | Why not |\n|---|---|---|\n");
            for other in &decision.alternatives {
                let extra = other.extra.map_or("not possible".to_owned(), |extra| extra.in_cents());
                text.push_str(&format!("| {} | {extra} | {} |\n", other.choice, other.reason));
            }
        }
        if let Some(turning_point) = &decision.turning_point {
            text.push_str(&format!("\n{turning_point}.\n"));
        }
    }
    Some(text)
}
