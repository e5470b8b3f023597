//! Running a proof from the program: which engine, how far it is, how it is stopped, what it says.

use std::io::IsTerminal;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context;
use comfy_table::Table;
use comfy_table::presets::UTF8_HORIZONTAL_ONLY;
use indicatif::{ProgressBar, ProgressStyle};
use keywright_model::evidence::{Outcome, PatternEvidence};
use keywright_model::{Design, Evidence, Model};
use keywright_prove::engine::{Embedded, Endpoint, Engine, EngineError, Interrupt, Tables};
use keywright_prove::{Options, prove_in};

use crate::output;

/// Work that takes longer than this shows how far it is.
const SILENT: Duration = Duration::from_secs(1);

/// Signals that come this close are one: who stops a program may signal it and its group.
const SAME_SIGNAL: Duration = Duration::from_millis(500);

/// Above this many records the tables are in a temporary file: the engine takes about three kilobytes for each.
const LARGEST_IN_MEMORY: u64 = 20_000;

/// Where and how to prove.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct ProofOptions {
    /// Prove on this DynamoDB endpoint instead of the embedded engine
    #[arg(long, value_name = "URL")]
    pub(crate) endpoint: Option<String>,
    /// How many records to generate, approximately
    #[arg(long, value_name = "N", default_value_t = Options::DEFAULT_SCALE)]
    pub(crate) scale: u64,
    /// Seed of the generated data; the same seed repeats a run exactly
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Keep the tables on the endpoint instead of deleting them
    #[arg(long)]
    pub(crate) keep: bool,
}

/// Runs every pattern.
pub(crate) fn run(model: &Model, design: &Design, options: &ProofOptions) -> anyhow::Result<Evidence> {
    let interrupt = Interrupt::default();
    // Dropped after the engine that uses it, and with it what it holds, however the proof ends.
    let scratch = (options.endpoint.is_none() && options.scale > LARGEST_IN_MEMORY)
        .then(|| tempfile::Builder::new().prefix("keywright-").tempdir())
        .transpose()
        .context("can't create a folder for temporary tables")?;
    let engine: Box<dyn Engine> = match (&options.endpoint, &scratch) {
        (Some(url), _) => Box::new(Endpoint::new(url)?.interrupted_by(&interrupt)),
        (None, Some(scratch)) => Box::new(Embedded::on_scratch_file(&scratch.path().join("tables"))?),
        (None, None) => Box::new(Embedded::in_memory()?),
    };
    listen(&interrupt, options.endpoint.as_deref())?;
    let mut tables = Tables::new(engine.as_ref()).interrupted_by(&interrupt);
    let is_kept = options.keep && options.endpoint.is_some();
    if is_kept {
        tables = tables.keep();
    }
    let told = Options { seed: options.seed, scale: options.scale, interrupt, ..Options::default() };
    let mut bar = Bar::default();
    let outcome = prove_in(model, design, &mut tables, &told, &mut |progress| {
        bar.update(progress.doing, progress.done, progress.total);
    });
    bar.finish();
    if is_kept {
        tell_kept(&tables);
    }
    let folder = scratch.as_ref().and_then(|it| it.path().parent());
    let ended = tables.end(outcome).map_err(|error| match (&error, folder) {
        (EngineError::Broken { .. }, Some(folder)) => anyhow::anyhow!(
            "{error}. The tables of a large proof are in {}: if that is full, free space there, set TMPDIR to a folder with \
             more, or choose a smaller --scale",
            folder.display()
        ),
        _ => error.into(),
    });
    ended.with_context(|| format!("the proof on {} failed to run", engine.name()))
}

/// The first Ctrl-C lets the run delete its tables; a later one ends the program at once, and says what that may leave.
fn listen(interrupt: &Interrupt, endpoint: Option<&str>) -> anyhow::Result<()> {
    let asked = interrupt.clone();
    let endpoint = endpoint.map(str::to_owned);
    let mut first: Option<Instant> = None;
    let handle = move || {
        let again = asked.request();
        let since = *first.get_or_insert_with(Instant::now);
        if again && since.elapsed() >= SAME_SIGNAL {
            if let Some(url) = &endpoint {
                output::message(&format!(
                    "stopped before the tables were deleted: look for tables named keywright-… on {url}\n"
                ));
            }
            std::process::exit(130);
        }
    };
    ctrlc::set_handler(handle).context("can't listen for Ctrl-C")
}

/// Names the tables that stay on the endpoint: their names are generated, so the user can't guess them.
fn tell_kept(tables: &Tables<'_>) {
    for name in tables.names() {
        output::message(&format!("kept on {}: {name}\n", tables.engine().name()));
    }
}

/// A progress bar that appears once the work takes longer than a moment, on a terminal only.
struct Bar {
    started: Instant,
    bar: Option<ProgressBar>,
}

impl Default for Bar {
    fn default() -> Self {
        Bar { started: Instant::now(), bar: None }
    }
}

impl Bar {
    fn update(&mut self, doing: &str, done: u64, total: u64) {
        if self.bar.is_none() {
            if self.started.elapsed() < SILENT || !std::io::stderr().is_terminal() {
                return;
            }
            let style = ProgressStyle::with_template("proving {bar:30} {percent:>3} %  {msg}");
            let bar = ProgressBar::new(total);
            if let Ok(style) = style {
                bar.set_style(style);
            }
            self.bar = Some(bar);
        }
        if let Some(bar) = &self.bar {
            bar.set_message(doing.to_owned());
            bar.set_position(done);
        }
    }

    fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// The evidence as people read it: a table, then every failure with what shows it.
pub(crate) fn show(evidence: &Evidence) -> String {
    let mut table = Table::new();
    table.load_style(UTF8_HORIZONTAL_ONLY);
    table.set_header(["Pattern", "Outcome", "Inputs", "Items", "Requests", "Units", "Expected", "Measured"]);
    for pattern in &evidence.patterns {
        table.add_row([
            pattern.id.clone(),
            word(pattern.outcome).to_owned(),
            pattern.inputs.to_string(),
            pattern.items.to_string(),
            pattern.requests.to_string(),
            halves(pattern.half_units),
            pattern.expected_micro_units.map_or_else(|| "-".into(), units),
            pattern.measured_micro_units.map_or_else(|| "-".into(), units),
        ]);
    }
    let mut text = format!("{table}\n");
    for pattern in &evidence.patterns {
        text.push_str(&remarks(pattern));
    }
    text.push_str(&not_checked(evidence));
    text.push_str(&format!(
        "\n{} held, {} failed, {} not checked, on {} (seed {}, scale {})\n",
        evidence.held, evidence.failed, evidence.not_checked, evidence.engine, evidence.seed, evidence.scale
    ));
    text
}

/// The next steps after a failure; empty if there is none. `written` is the path of a design written by hand.
pub(crate) fn advice(evidence: &Evidence, document: &Path, written: Option<&Path>) -> String {
    let failed: Vec<&str> = evidence
        .patterns
        .iter()
        .filter(|pattern| pattern.outcome == Outcome::Failed)
        .map(|pattern| pattern.id.as_str())
        .collect();
    let Some(first) = failed.first() else { return String::new() };
    let (all, document) = (failed.join(", "), document.display());
    match written {
        Some(design) => format!(
            "\nnext: with these records and inputs, the call does not do what {document} describes. Correct {all} in {} and \
             prove again;\n      `keywright explain {first} {document}` shows how Keywright would serve the pattern\n",
            design.display()
        ),
        None => {
            let seed = evidence.seed;
            let others = if evidence.held > 0 { "; the patterns that held are proven" } else { "" };
            format!(
                "\nnext: `keywright explain {first} {document}` shows how the pattern was read and how it is served.\n      \
                 If it was misread, state it more precisely in {document}.\n      \
                 If it was read correctly, the design is wrong: please report it, with the document, the case above and \
                 `--seed {seed}`.\n      \
                 To continue without it, remove {all} from {document} and run this again{others}.\n"
            )
        }
    }
}

fn remarks(pattern: &PatternEvidence) -> String {
    let mut text = String::new();
    if let Some(failure) = &pattern.failure {
        text.push_str(&format!("\n{} failed: {}\n", pattern.id, failure.check));
        match failure.records.as_deref() {
            None => {}
            Some([]) => text.push_str("  records   none: the tables are empty\n"),
            Some(records) => {
                for (at, record) in records.iter().enumerate() {
                    text.push_str(&format!(
                        "  {}{record}\n",
                        if at == 0 { "records   " } else { "          " }
                    ));
                }
            }
        }
        text.push_str(&format!("  inputs    {}\n", failure.inputs));
        if let Some(request) = &failure.request {
            text.push_str(&format!("  request   {request}\n"));
        }
        text.push_str(&format!("  expected  {}\n  actual    {}\n", failure.expected, failure.actual));
    }
    text
}

/// The unchecked properties, one paragraph each.
fn not_checked(evidence: &Evidence) -> String {
    let paragraph = |(reason, patterns): (&str, Vec<&str>)| {
        format!("\nnot checked in {}: {reason}\n", concerned(evidence, &patterns))
    };
    evidence.unchecked().into_iter().map(paragraph).collect()
}

/// The patterns that a reason concerns, by their ids.
pub(crate) fn concerned(evidence: &Evidence, patterns: &[&str]) -> String {
    match patterns.len() == evidence.patterns.len() {
        true => "all patterns".to_owned(),
        false => patterns.join(", "),
    }
}

fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Held => "held",
        Outcome::Failed => "FAILED",
        Outcome::NotChecked => "not checked",
    }
}

fn halves(halves: u64) -> String {
    format!("{}{}", halves / 2, if halves % 2 == 1 { ".5" } else { "" })
}

fn units(micro: u64) -> String {
    format!("{}.{:02}", micro / 1_000_000, micro % 1_000_000 / 10_000)
}
