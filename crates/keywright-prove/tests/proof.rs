//! A correct design proves, in all patterns and for several seeds; the run repeats exactly.

mod fixture;

use keywright_model::Evidence;
use keywright_model::evidence::Outcome;
use keywright_prove::engine::Embedded;
use keywright_prove::{Options, prove};

fn run(options: &Options) -> Evidence {
    let engine = Embedded::in_memory().expect("an engine in memory starts");
    prove(&fixture::model(), &fixture::design(), &engine, options, &mut |_| {}).expect("the proof runs")
}

#[test]
fn a_correct_design_holds() {
    for seed in 1..=3 {
        let evidence = run(&Options { seed, ..Options::default() });
        for pattern in &evidence.patterns {
            assert_eq!(pattern.outcome, Outcome::Held, "seed {seed}: {pattern:#?}");
            assert!(pattern.inputs > 5, "{pattern:#?}");
        }
    }
}

#[test]
fn a_seed_repeats_a_run() {
    let options = Options { scale: 60, ..Options::default() };
    assert_eq!(run(&options), run(&options));
}
