//! Documents of many trades, written as people write them: every pattern of every one is designed and proven.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use assert_cmd::Command;

/// Builds a document and holds the proof to all of its patterns.
fn holds(name: &str, patterns: usize) {
    let document =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/documents").join(name).with_extension("md");
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::cargo_bin("keywright").unwrap();
    command.arg("build").arg(document).arg("--out").arg(folder.path()).args(["--scale", "80"]);
    let output = command.output().unwrap();
    let shown = String::from_utf8_lossy(&output.stdout);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{shown}{said}");
    assert!(shown.contains(&format!("proven     {patterns} of {patterns} patterns")), "{shown}");
}

/// Entities with history: what is created, changed, put over another, and deleted leaves its versions.
#[test]
fn wiki() {
    holds("wiki", 15);
}

/// Counters beside a limit on children; a KSUID, which knows no milliseconds; lists over several states.
#[test]
fn ads() {
    holds("ads", 16);
}

/// A TTL, a boolean in a key, updates that find their item through an index, or don't.
#[test]
fn chat() {
    holds("chat", 17);
}

/// A value that is set and a number that grows in one item; a number that shrinks by what another item holds too.
#[test]
fn bids() {
    holds("bids", 9);
}

/// What refers to something that comes later can be made before it.
#[test]
fn flights() {
    holds("flights", 5);
}

/// Tenants beside identifiers that need none; numbers from a sequence.
#[test]
fn clinic() {
    holds("clinic", 15);
}

/// Identities of three parts; a count that must not go below zero.
#[test]
fn hotel() {
    holds("hotel", 15);
}

/// Natural identities full of separators; a number that shrinks by an input, unless it is too small.
#[test]
fn inventory() {
    holds("inventory", 17);
}

/// An order by what is not returned, given by shards of an index that holds keys alone.
#[test]
fn dispatch() {
    holds("../../../keywright-generate/tests/documents/dispatch", 4);
}

/// An order by what is not returned, which the caller sorts by.
#[test]
fn league() {
    holds("league", 4);
}

/// A limit on children, which only a counter of the design's own can keep.
#[test]
fn music() {
    holds("music", 17);
}

/// A requirement table with a diagram: more inputs than the key has room for.
#[test]
fn requirements() {
    holds("requirements", 6);
}

/// First states and ratings that nobody gives; sparse lists of what is open.
#[test]
fn rides() {
    holds("rides", 17);
}

/// Numbers as identities, bounded where they are declared and not where they are referred to.
#[test]
fn school() {
    holds("school", 19);
}

/// Writes of several items: an id that one gets and another has, one that is made up, values that are fixed or taken away.
#[test]
fn guilds() {
    holds("guilds", 21);
}
