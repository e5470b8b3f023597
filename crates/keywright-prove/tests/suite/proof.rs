//! A correct design proves, in all patterns and for several seeds; the run repeats exactly.

use crate::fixture;

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

#[test]
fn progress_never_goes_back_and_loading_is_half_of_it() {
    let engine = Embedded::in_memory().expect("an engine in memory starts");
    let mut seen: Vec<(String, u64, u64)> = Vec::new();
    let mut progress =
        |it: keywright_prove::Progress<'_>| seen.push((it.doing.to_owned(), it.done, it.total));
    prove(&fixture::model(), &fixture::design(), &engine, &Options::default(), &mut progress)
        .expect("the proof runs");
    assert!(seen.windows(2).all(|pair| pair[0].1 <= pair[1].1), "{seen:?}");
    let first_pattern = seen.iter().find(|(doing, _, _)| doing.starts_with("AP-")).expect("patterns run");
    assert_eq!(first_pattern.1 * 2, first_pattern.2);
}
