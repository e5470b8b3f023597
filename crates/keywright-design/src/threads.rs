//! Work on many things at once, where each depends on itself alone.

use std::sync::{Mutex, OnceLock, PoisonError};

/// Does something with each, in as many threads as there are processors if there are at least so many as are worth it.
/// Results come in the order of what they are of, so that threads change none.
pub(crate) fn each<T: Send, R: Send>(some: Vec<T>, worth: usize, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let threads = processors();
    if threads < 2 || some.len() < worth {
        return some.into_iter().map(work).collect();
    }
    // Whoever is done takes the next: some take longer than others, and a processor may have other things to do.
    let left = Mutex::new(some.into_iter().enumerate());
    let next = || left.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || std::iter::from_fn(next).map(|(at, one)| (at, work(one))).collect::<Vec<(usize, R)>>();
    let mut done: Vec<(usize, R)> = std::thread::scope(|scope| {
        let running: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut done = work();
        for other in running {
            match other.join() {
                Ok(others) => done.extend(others),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done
    });
    done.sort_unstable_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, one)| one).collect()
}

/// How many threads can run at once: the system is asked once, which takes longer than a small piece of work.
fn processors() -> usize {
    static PROCESSORS: OnceLock<usize> = OnceLock::new();
    *PROCESSORS.get_or_init(|| std::thread::available_parallelism().map_or(1, std::num::NonZero::get))
}

#[cfg(test)]
mod tests {
    use super::each;

    #[test]
    fn results_come_in_the_order_of_what_they_are_of() {
        for many in 0..40usize {
            let some: Vec<usize> = (0..many).collect();
            let squares: Vec<usize> = some.iter().map(|it| it * it).collect();
            assert_eq!(each(some.clone(), 4, |it| it * it), squares);
            assert_eq!(each(some, usize::MAX, |it| it * it), squares);
        }
    }
}
