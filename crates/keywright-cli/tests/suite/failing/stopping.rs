//! Ctrl-C in the middle of a proof: what is ours goes, what is theirs stays, and it is no success.
#![cfg(unix)]

use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::failing::desk::{Desk, is_empty, large, said};
use crate::failing::faulty::{Fate, Faulty};

/// More records than any of these tests waits for.
const ENDLESS: &str = "100000";

fn interrupt(child: &Child) {
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
}

/// A proof on the endpoint, once it writes.
fn under_way(desk: &Desk, command: &str, more: &[&str], endpoint: &Faulty) -> Child {
    let mut command = desk.command_at(command, ENDLESS);
    command.args(["--endpoint", &endpoint.url()]).args(more);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until("it writes", || endpoint.count("PutItem") >= 20);
    child
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let patience = Instant::now();
    while !is_so() {
        assert!(patience.elapsed() < Duration::from_secs(120), "never: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn ctrl_c_deletes_our_table_and_ends_with_an_error() {
    for command in ["prove", "build"] {
        let (desk, endpoint) = (Desk::new(), Faulty::start(|_, _| Fate::Served));
        let before = endpoint.make_table_of_others("Notes");
        let child = under_way(&desk, command, &[], &endpoint);
        assert_eq!(endpoint.tables().len(), 2);
        interrupt(&child);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
        assert!(said(&output).contains("interrupted"), "{}", said(&output));
        assert!(output.stdout.is_empty());
        assert!(endpoint.is_left_with_the_table_of_others("Notes", &before), "{:?}", endpoint.tables());
        assert!(desk.is_untouched());
    }
}

/// Whoever was stopped still gets through with the deletion, however often it is put off.
#[test]
fn ctrl_c_deletes_our_table_also_where_that_is_throttled() {
    let endpoint = Faulty::start(|operation, before| match (operation, before) {
        // The first are those of the tables on which the endpoint is tried out.
        ("DeleteTable", PROBES..=5) => Fate::Refused("ThrottlingException"),
        _ => Fate::Served,
    });
    let desk = Desk::new();
    let child = under_way(&desk, "prove", &[], &endpoint);
    assert_eq!(endpoint.count("DeleteTable"), PROBES);
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("interrupted"), "{}", said(&output));
    assert_eq!((endpoint.tables(), endpoint.count("DeleteTable")), (Vec::new(), 7));
}

/// So many tables are made, and are gone again, to find out what an endpoint can do.
const PROBES: usize = 4;

#[test]
fn a_second_ctrl_c_waits_for_nothing() {
    let endpoint = Faulty::start(|operation, before| match (operation, before) {
        ("DeleteTable", PROBES..) => Fate::Refused("ThrottlingException"),
        _ => Fate::Served,
    });
    let desk = Desk::new();
    let child = under_way(&desk, "build", &[], &endpoint);
    interrupt(&child);
    wait_until("it cleans up", || endpoint.count("DeleteTable") > PROBES);
    // Not so soon that it could be the same one.
    std::thread::sleep(Duration::from_millis(600));
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", said(&output));
    assert!(said(&output).contains("look for tables named keywright-"), "{}", said(&output));
    assert!(desk.is_untouched());
}

/// `timeout` signals its child and the group of its child.
#[test]
fn two_signals_at_once_are_one() {
    let (desk, endpoint) = (Desk::new(), Faulty::start(|_, _| Fate::Served));
    let child = under_way(&desk, "prove", &[], &endpoint);
    interrupt(&child);
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert_eq!(endpoint.tables(), Vec::<String>::new());
}

#[test]
fn ctrl_c_leaves_what_is_to_be_kept_and_names_it() {
    let (desk, endpoint) = (Desk::new(), Faulty::start(|_, _| Fate::Served));
    let child = under_way(&desk, "prove", &["--keep"], &endpoint);
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    let tables = endpoint.tables();
    assert!(tables.len() == 1 && said(&output).contains(&tables[0]), "{tables:?} {}", said(&output));
}

#[test]
fn ctrl_c_removes_the_temporary_file_of_a_large_proof() {
    let desk = Desk::new();
    let (mut command, temporary) = large(&desk);
    let child = command.spawn().unwrap();
    let patience = Instant::now();
    let begun = || {
        fs::read_dir(&temporary).unwrap().any(|it| {
            fs::metadata(it.unwrap().path().join("tables-wal")).is_ok_and(|wal| wal.len() > 300_000)
        })
    };
    while !begun() {
        assert!(patience.elapsed() < Duration::from_secs(120), "it never starts");
        std::thread::sleep(Duration::from_millis(5));
    }
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("interrupted"), "{}", said(&output));
    assert!(is_empty(&temporary) && desk.is_untouched());
}
