//! What the world can do to `keywright prove` and `keywright build`: a clear word, nothing left behind, nothing half done.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod desk;
mod disk;
mod endpoint;
mod faulty;
mod stopping;
mod theirs;
