//! `keywright prove`: runs every pattern of a design on an engine.

use std::path::{Path, PathBuf};

use keywright_model::{Design, Model};
use keywright_prove::Options;
use keywright_prove::engine::Embedded;

use crate::derivation::Derivation;
use crate::designing::Designing;
use crate::exit::Exit;
use crate::files;
use crate::output;
use crate::proof::{self, ProofOptions};

/// Runs every access pattern on a DynamoDB engine and checks what comes back.
///
/// The embedded engine needs nothing. On an endpoint the tables get unique names and tags, and are deleted at the
/// end, also after an error or Ctrl-C.
#[derive(clap::Args)]
pub(crate) struct Prove {
    /// The access-patterns document
    #[arg(value_name = "DOC")]
    document: PathBuf,
    /// Prove this design (a table-design document, or JSON) instead of deriving one
    #[arg(long, value_name = "TABLE_DESIGN")]
    design: Option<PathBuf>,
    #[command(flatten)]
    designing: Designing,
    #[command(flatten)]
    proof: ProofOptions,
    /// How to print the evidence
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Write every call and its answer to this file, for tests of generated code
    #[arg(long, value_name = "FILE", hide = true)]
    record: Option<PathBuf>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Format {
    /// A table, and every failure with the smallest input that shows it
    Human,
    /// The evidence; its schema is in `docs/schema/evidence.json`
    Json,
}

impl Prove {
    /// Runs the command to its exit.
    pub(crate) fn run(&self) -> anyhow::Result<Exit> {
        let derivation = match &self.design {
            Some(design) => Derivation::given(&self.document, design)?,
            None => Derivation::derive(&self.document, &self.designing, Ok)?,
        };
        derivation.findings.show()?;
        let Some(design) = &derivation.design else { return Ok(Exit::Fails) };
        if let Some(path) = &self.record {
            return record(&derivation.model, design, path);
        }
        let evidence = proof::run(&derivation.model, design, &self.proof)?;
        let text = match self.format {
            Format::Human => {
                proof::show(&evidence) + &proof::advice(&evidence, &self.document, self.design.as_deref())
            }
            Format::Json => serde_json::to_string_pretty(&evidence)? + "\n",
        };
        output::print(|out| out.write_all(text.as_bytes()))?;
        Ok(if evidence.failed == 0 && evidence.not_checked == 0 { Exit::Holds } else { Exit::Fails })
    }
}

/// How many records a recording is made of: few, since programs in several languages repeat its calls.
const RECORDED_SCALE: u64 = 60;

/// Proves on the embedded engine and writes down what was done.
fn record(model: &Model, design: &Design, path: &Path) -> anyhow::Result<Exit> {
    let options = Options { scale: RECORDED_SCALE, ..Options::default() };
    let (evidence, recording) = keywright_prove::record(model, design, &Embedded::in_memory()?, &options)?;
    let text = serde_json::to_string(&recording)? + "\n";
    files::write(path, &text)?;
    Ok(if evidence.failed == 0 { Exit::Holds } else { Exit::Fails })
}
