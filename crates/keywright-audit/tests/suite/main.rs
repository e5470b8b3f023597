//! The checker on certificates that are right and on ones that are not. One binary, linked once.

mod decisions;
mod examples;
mod kinds;
mod tampered;
