//! Runs several futures at once, and pauses between attempts.

use std::future::Future;
use std::hash::{BuildHasher, Hasher};
use std::pin::Pin;
use std::task::Poll;
use std::time::Duration;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::AsyncSleep;

/// A future on the heap.
pub(super) type Boxed<'f, T> = Pin<Box<dyn Future<Output = T> + Send + 'f>>;

/// Runs all futures at once and returns their results.
pub(super) async fn all<T>(mut futures: Vec<Boxed<'_, T>>) -> Vec<T> {
    let mut results: Vec<Option<T>> = futures.iter().map(|_| None).collect();
    std::future::poll_fn(|context| {
        let mut pending = false;
        for (future, result) in futures.iter_mut().zip(&mut results) {
            if result.is_none() {
                match future.as_mut().poll(context) {
                    Poll::Ready(value) => *result = Some(value),
                    Poll::Pending => pending = true,
                }
            }
        }
        if pending { Poll::Pending } else { Poll::Ready(()) }
    })
    .await;
    results.into_iter().flatten().collect()
}

/// Waits for a random part of a time that doubles with every attempt.
pub(super) async fn pause(client: &Client, attempt: u32) {
    let most = (25u64 << attempt.min(7)).min(2_000);
    // The hashers of the standard library have random seeds.
    let random = std::collections::hash_map::RandomState::new().build_hasher().finish();
    if let Some(sleep) = client.config().sleep_impl() {
        sleep.sleep(Duration::from_millis(random % most)).await;
    }
}
