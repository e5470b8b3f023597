//! `keywright explain RULE`: a rule's page. `keywright explain AP-nnn DOC`: why a pattern is served as it is.

use std::path::PathBuf;

use anyhow::anyhow;
use keywright_design::{Options, TurningPoints};
use keywright_model::Explanation;
use keywright_model::design::{Design, Subject};
use keywright_model::explanation::{PatternExplanation, RuleExplanation};

use crate::derivation::Derivation;
use crate::designing::{Designing, Extending};
use crate::exit::Exit;
use crate::{catalogue, output};

/// Prints a rule's page, or why an access pattern is served as it is.
#[derive(clap::Args)]
pub(crate) struct Explain {
    /// The rule's name, as findings and allow comments write it, or a pattern's id.
    #[arg(value_name = "RULE|AP-nnn")]
    subject: String,
    /// The access-patterns document with the pattern.
    #[arg(value_name = "DOC")]
    document: Option<PathBuf>,
    /// How to print the explanation.
    #[arg(long, value_enum, default_value_t = Format::Markdown)]
    format: Format,
    #[command(flatten)]
    designing: Designing,
    #[command(flatten)]
    extending: Extending,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Format {
    /// For people.
    Markdown,
    /// For programs; the schema is in `docs/schema/explanation.json`.
    Json,
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
            return Err(anyhow!("add the document: `keywright explain {} DOC`", self.subject));
        }
        let catalogue = catalogue::catalogue();
        let rule =
            catalogue.get(&self.subject).ok_or_else(|| match catalogue.names().nearest(&self.subject) {
                Some(meant) => anyhow!("there is no rule named `{}`; did you mean `{meant}`?", self.subject),
                None => {
                    anyhow!("there is no rule named `{}`; `keywright rules` lists the names", self.subject)
                }
            })?;
        self.print(&Explanation::Rule(RuleExplanation {
            name: rule.name().to_owned(),
            level: rule.level(),
            group: rule.group(),
            summary: rule.summary().to_owned(),
            page: rule.page().to_owned(),
        }))
    }

    fn pattern(&self, document: &std::path::Path) -> anyhow::Result<Exit> {
        let derivation = Derivation::derive(document, &self.designing, |options| {
            let turning_points = TurningPoints::Of(self.subject.clone());
            Ok(Options { compare: true, turning_points, base: self.extending.base()?, ..options })
        })?;
        derivation.findings.show()?;
        let Some(design) = derivation.design else { return Ok(Exit::Fails) };
        let explanation = explanation(&design, &self.subject)
            .ok_or_else(|| anyhow!("{} has no pattern `{}`", document.display(), self.subject))?;
        self.print(&Explanation::Pattern(explanation))
    }

    fn print(&self, explanation: &Explanation) -> anyhow::Result<Exit> {
        let text = match (self.format, explanation) {
            (Format::Json, _) => serde_json::to_string_pretty(explanation)? + "\n",
            (Format::Markdown, Explanation::Rule(rule)) => rule.page.clone(),
            (Format::Markdown, Explanation::Pattern(pattern)) => in_markdown(pattern),
        };
        output::print(|out| out.write_all(text.as_bytes()))?;
        Ok(Exit::Holds)
    }
}

/// Everything that was decided about a pattern.
fn explanation(design: &Design, id: &str) -> Option<PatternExplanation> {
    let operation = design.operation(id)?;
    let about = Subject::Pattern(id.to_owned());
    Some(PatternExplanation {
        pattern: id.to_owned(),
        description: operation.description.clone(),
        operation: operation.operation,
        index: operation.index.clone(),
        expected: operation.expected.clone(),
        decisions: design.decisions.iter().filter(|decision| decision.subject == about).cloned().collect(),
    })
}

fn in_markdown(pattern: &PatternExplanation) -> String {
    let mut text = format!("# {}: {}\n\n", pattern.pattern, pattern.description);
    let place = pattern.index.as_deref().unwrap_or("the table");
    text.push_str(&format!("{} on {place}", pattern.operation));
    if let Some(expected) = &pattern.expected {
        text.push_str(&format!(", {} billed a month", expected.price.in_cents()));
    }
    text.push_str("\n\n");
    for decision in &pattern.decisions {
        text.push_str(&format!("{}: {}\n", decision.chosen, decision.reason));
        if !decision.alternatives.is_empty() {
            text.push_str(
                "\n| Alternative | Extra per month, operational prices included | Reason |\n|---|---|---|\n",
            );
            for other in &decision.alternatives {
                let extra = other.extra.map_or("not possible".to_owned(), |extra| extra.in_cents());
                text.push_str(&format!("| {} | {extra} | {} |\n", other.choice, other.reason));
            }
        }
        if let Some(turning_point) = &decision.turning_point {
            text.push_str(&format!("\n{turning_point}.\n"));
        }
    }
    text
}
