//! `keywright design --verify`: checks the certificate with a checker that shares no code with the search.

use std::panic::resume_unwind;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use keywright_audit::{Refusal, Verdict, audit};
use keywright_model::{Certificate, Design};

/// As much as the main thread has: the checker calls itself for each entity of a component.
const STACK_BYTES: usize = 8 << 20;

/// The result of checking a certificate.
pub(super) struct Verified {
    /// One line on what was verified, and one for each part that is not covered.
    pub(super) message: String,
    /// It was checked, and no error was found. A part that is not covered is not an error.
    pub(super) holds: bool,
}

/// Checks the certificate of a design, for at most so long.
pub(super) fn verify(design: &Design, certificate: Option<&Certificate>, limit: Duration) -> Verified {
    let Some(certificate) = certificate else {
        return Verified { message: nothing_to_check(), holds: true };
    };
    let (whole, proof) = (design.clone(), certificate.clone());
    let (first, holds) = match within(limit, move || audit(&whole, &proof)) {
        Some(Ok(verdict)) => (checked(&verdict), true),
        Some(Err(Refusal::NoProof)) => (nothing_to_check(), true),
        Some(Err(refusal)) => (format!("refused: {refusal}\n"), false),
        None => (unfinished(limit), false),
    };
    let not_covered = certificate.not_covered.iter().map(|it| format!("  not covered: {it}\n"));
    Verified { message: first + &not_covered.collect::<String>(), holds }
}

/// What a job gives; none where it takes longer than that. It then ends with the program.
fn within<T: Send + 'static>(limit: Duration, job: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let (sender, receiver) = mpsc::channel();
    let answer = move || {
        // Where nobody waits any more, nobody is told.
        let _ = sender.send(job());
    };
    let job =
        thread::Builder::new().stack_size(STACK_BYTES).spawn(answer).expect("the system gives a thread");
    match receiver.recv_timeout(limit) {
        Ok(answer) => Some(answer),
        Err(RecvTimeoutError::Timeout) => None,
        // It ended without an answer: its panic is ours.
        Err(RecvTimeoutError::Disconnected) => {
            job.join().map_or_else(|panic| resume_unwind(panic), |()| None)
        }
    }
}

fn unfinished(limit: Duration) -> String {
    format!(
        "not verified: the check of the certificate did not finish within {limit:?}; give it more time with \
         `--time-limit`\n"
    )
}

fn nothing_to_check() -> String {
    "not verified: this design has no certificate to check\n".to_owned()
}

fn checked(verdict: &Verdict) -> String {
    let Verdict { total, claimed, shown, too_large } = verdict;
    let costs = format!("the design costs {} a month", total.in_cents());
    let mut message = match verdict.is_shown() {
        true if shown == total => {
            format!("verified: {costs}, and no design in the searched space costs less\n")
        }
        true => format!(
            "verified: {costs}, and no design in the searched space costs less than {}\n",
            shown.in_cents()
        ),
        false => format!(
            "verified in part: {costs}, and none in the searched space costs less than {}; that none costs less than {} \
             is claimed by the search but was not verified\n",
            shown.in_cents(),
            claimed.in_cents()
        ),
    };
    for entity in too_large {
        message.push_str(&format!("  not covered: {entity} has too many layouts to enumerate\n"));
    }
    message
}

#[cfg(test)]
mod tests {
    use keywright_dynamodb::Money;
    use keywright_model::design::Total;

    use super::*;

    const AMPLE: Duration = Duration::from_secs(60);

    #[test]
    fn a_check_that_takes_too_long_says_so() {
        let limit = Duration::from_millis(20);
        let (sender, receiver) = mpsc::channel::<()>();
        assert_eq!(within(limit, move || receiver.recv()), None);
        drop(sender);
        assert_eq!(within(AMPLE, || 7), Some(7));
        assert_eq!(
            unfinished(limit),
            "not verified: the check of the certificate did not finish within 20ms; give it more time with \
             `--time-limit`\n"
        );
    }

    fn dollars(amount: i128) -> Money {
        Money::from_pico(amount * 1_000_000_000_000)
    }

    #[test]
    fn a_part_that_is_not_covered_is_listed_and_is_not_an_error() {
        let certificate = Certificate { not_covered: vec!["the moon".to_owned()], ..Certificate::default() };
        let verified = verify(&Design::default(), Some(&certificate), AMPLE);
        assert!(verified.holds);
        assert_eq!(
            verified.message,
            "not verified: this design has no certificate to check\n  not covered: the moon\n"
        );
    }

    #[test]
    fn a_wrong_price_is_refused() {
        let design =
            Design { total: Total { bill: dollars(1), operational: Money::ZERO }, ..Design::default() };
        let certificate = Certificate { proof: Some(Default::default()), ..Certificate::default() };
        let verified = verify(&design, Some(&certificate), AMPLE);
        assert!(!verified.holds);
        assert_eq!(verified.message, "refused: the design costs $0 a month, but the certificate says $1\n");
    }

    #[test]
    fn a_bound_that_is_shown_in_part_says_which_part() {
        let too_large = ["Order".to_owned()].into();
        let part = Verdict { total: dollars(9), claimed: dollars(8), shown: dollars(5), too_large };
        assert_eq!(
            checked(&part),
            "verified in part: the design costs $9.00 a month, and none in the searched space costs less than $5.00; that \
             none costs less than $8.00 is claimed by the search but was not verified\n  not covered: Order has too many \
             layouts to enumerate\n"
        );
        let whole = Verdict { shown: dollars(8), too_large: [].into(), ..part.clone() };
        assert!(checked(&whole).starts_with("verified: ") && checked(&whole).contains("less than $8.00"));
        let optimal = Verdict { claimed: dollars(9), shown: dollars(9), ..whole };
        assert!(checked(&optimal).ends_with("no design in the searched space costs less\n"));
    }
}
