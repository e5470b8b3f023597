//! Work on many things at once, where each depends on itself alone.

use std::sync::OnceLock;

/// Does something with each, in as many threads as there are processors if there are at least so many as are worth it.
/// Results come in the order of what they are of, so that threads change none.
pub(crate) fn each<T: Send, R: Send>(some: Vec<T>, worth: usize, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let threads = processors();
    if threads < 2 || some.len() < worth {
        return some.into_iter().map(work).collect();
    }
    // Neighbours are alike, so they are dealt out in turn.
    let mut hands: Vec<Vec<T>> = (0..threads).map(|_| Vec::with_capacity(some.len() / threads + 1)).collect();
    for (at, one) in some.into_iter().enumerate() {
        hands[at % threads].push(one);
    }
    let work = |hand: Vec<T>| hand.into_iter().map(&work).collect::<Vec<R>>();
    let own = hands.pop();
    let done: Vec<Vec<R>> = std::thread::scope(|scope| {
        let running: Vec<_> = hands.into_iter().map(|hand| scope.spawn(|| work(hand))).collect();
        let own = own.map(work);
        let others = running.into_iter().map(|it| match it.join() {
            Ok(done) => done,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        others.collect::<Vec<_>>().into_iter().chain(own).collect()
    });
    let mut done: Vec<_> = done.into_iter().map(Vec::into_iter).collect();
    let mut in_order = Vec::with_capacity(done.iter().map(ExactSizeIterator::len).sum());
    for at in (0..threads).cycle() {
        match done[at].next() {
            Some(one) => in_order.push(one),
            // The hands were dealt in turn, so the first that is empty is the end.
            None => return in_order,
        }
    }
    in_order
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
