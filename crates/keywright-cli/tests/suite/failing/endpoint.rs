//! Endpoints that are dead, don't know us, throttle, hang up, or answer wrongly.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use keywright_prove::engine::{Endpoint, Engine};
use serde_json::json;

use crate::failing::desk::{Desk, said};
use crate::failing::faulty::{Fate, Faulty};

#[test]
fn wrong_credentials_are_said_once_and_not_tried_again() {
    let desk = Desk::new();
    let endpoint = Faulty::start(|_, _| Fate::Refused("UnrecognizedClientException"));
    for command in ["prove", "build"] {
        let before = endpoint.seen().len();
        let output = desk.command(command).args(["--endpoint", &endpoint.url()]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
        assert!(said(&output).contains("credentials"), "{}", said(&output));
        assert_eq!(endpoint.seen().len(), before + 1, "{:?}", endpoint.seen());
    }
    assert!(desk.is_untouched());
}

#[test]
fn a_moment_of_throttling_is_waited_for() {
    let desk = Desk::new();
    let endpoint = Faulty::start(|operation, before| match (operation, before) {
        ("PutItem", 1 | 2 | 5) => Fate::Refused("ProvisionedThroughputExceededException"),
        _ => Fate::Served,
    });
    let output = desk.command("prove").args(["--endpoint", &endpoint.url()]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert_eq!(endpoint.tables(), Vec::<String>::new());
}

#[test]
fn throttling_without_end_is_given_up_and_the_table_is_gone() {
    let desk = Desk::new();
    let endpoint = Faulty::start(|operation, _| match operation {
        "PutItem" => Fate::Refused("ProvisionedThroughputExceededException"),
        _ => Fate::Served,
    });
    let output = desk.command("build").args(["--endpoint", &endpoint.url()]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("still throttled after 8 attempts"), "{}", said(&output));
    assert_eq!(endpoint.count("PutItem"), 8);
    assert_eq!(endpoint.tables(), Vec::<String>::new());
    assert!(desk.is_untouched());
}

#[test]
fn a_write_whose_connection_was_cut_is_not_repeated_and_the_table_is_gone() {
    let desk = Desk::new();
    let endpoint = Faulty::start(|operation, before| match (operation, before) {
        ("PutItem", 3) => Fate::Cut,
        _ => Fate::Served,
    });
    let output = desk.command("build").args(["--endpoint", &endpoint.url()]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("the connection was lost during PutItem"), "{}", said(&output));
    assert_eq!(endpoint.count("PutItem"), 4);
    assert_eq!(endpoint.tables(), Vec::<String>::new());
    assert!(desk.is_untouched());
}

#[test]
fn a_table_whose_creation_was_cut_is_gone() {
    let desk = Desk::new();
    let endpoint = Faulty::start(|operation, _| match operation {
        "CreateTable" => Fate::Cut,
        _ => Fate::Served,
    });
    let output = desk.command("prove").args(["--endpoint", &endpoint.url()]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert_eq!(endpoint.tables(), Vec::<String>::new());
}

#[test]
fn wrong_answers_are_failures_and_nothing_is_written() {
    let desk = Desk::new();
    let endpoint = Faulty::start(|operation, _| match operation {
        "Query" => Fate::Emptied,
        _ => Fate::Served,
    });
    let mut command = desk.command("build");
    let mut child = command
        .args(["--endpoint", &endpoint.url()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // An eventual read is given time to catch up, several times over.
    let patience = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(patience.elapsed() < Duration::from_secs(240), "it never ends");
        std::thread::sleep(Duration::from_millis(50));
    }
    let output = child.wait_with_output().unwrap();
    let shown = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{shown}");
    assert!(shown.contains("AP-002 failed:") && shown.contains("failed or not checked: AP-002"), "{shown}");
    assert!(shown.contains("written    no files"), "{shown}");
    assert_eq!(endpoint.tables(), Vec::<String>::new());
    assert!(desk.is_untouched());
}

#[test]
fn a_dead_endpoint_is_said() {
    let desk = Desk::new();
    for command in ["prove", "build"] {
        let output = desk.command(command).args(["--endpoint", "http://127.0.0.1:1"]).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(said(&output).contains("can't reach http://127.0.0.1:1"), "{}", said(&output));
        assert!(output.stdout.is_empty() && desk.is_untouched());
    }
}

/// The endpoint is gone for good, so that the table can't be deleted: then it is named.
#[test]
fn an_endpoint_that_dies_is_said_and_so_is_what_is_left_there() {
    let desk = Desk::new();
    let mut engine = Command::new(assert_cmd::cargo::cargo_bin("keywright"))
        .args(["engine", "--port", "0"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut url = String::new();
    BufReader::new(engine.stdout.as_mut().unwrap()).read_line(&mut url).unwrap();
    let mut command = desk.command_at("build", "100000");
    let build = command
        .args(["--endpoint", url.trim()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Once its table is there, and long before a proof of that size is over.
    let asked = Endpoint::new(url.trim()).unwrap();
    let patience = Instant::now();
    while !asked.call("ListTables", json!({})).unwrap().to_string().contains("keywright-Notes-") {
        assert!(patience.elapsed() < Duration::from_secs(120), "it never starts");
        std::thread::sleep(Duration::from_millis(20));
    }
    engine.kill().unwrap();
    engine.wait().unwrap();
    let output = build.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    let message = said(&output);
    assert!(message.contains("the connection was lost") || message.contains("can't reach"), "{message}");
    let left = format!("left behind on {}, to be deleted by hand: keywright-Notes-", url.trim());
    assert!(message.contains(&left), "{message}");
    assert!(desk.is_untouched());
}

#[test]
fn credentials_that_expire_are_said_and_so_is_what_is_left_there() {
    let desk = Desk::new();
    let expired = AtomicBool::new(false);
    let endpoint = Faulty::start(move |operation, before| {
        if operation == "UpdateItem" && before == 3 {
            expired.store(true, Ordering::SeqCst);
        }
        if expired.load(Ordering::SeqCst) { Fate::Refused("ExpiredTokenException") } else { Fate::Served }
    });
    let output = desk.command("build").args(["--endpoint", &endpoint.url()]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("credentials: ExpiredTokenException"), "{}", said(&output));
    let tables = endpoint.tables();
    assert_eq!(tables.len(), 1);
    assert!(said(&output).contains(&format!("to be deleted by hand: {}", tables[0])), "{}", said(&output));
    assert_eq!(endpoint.count("UpdateItem"), 4);
    assert!(desk.is_untouched());
}

/// What changes nothing is asked again, and the proof is none the worse for it.
#[test]
fn reads_are_repeated_where_the_connection_was_cut_or_the_endpoint_failed() {
    let desk = Desk::new();
    let endpoint = Faulty::start(|operation, before| match (operation, before) {
        ("Query" | "GetItem", 3) | ("DeleteTable" | "Scan", 0) => Fate::Cut,
        ("Query" | "GetItem", 7 | 8) | ("DescribeTable", 5) => Fate::Failing,
        ("CreateTable" | "DeleteTable", 1) | ("Query", 12) => Fate::Refused("ThrottlingException"),
        _ => Fate::Served,
    });
    let output = desk.command("prove").args(["--endpoint", &endpoint.url()]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}{}", said(&output), String::from_utf8_lossy(&output.stdout));
    assert!(endpoint.count("Query") > 13 && endpoint.count("GetItem") > 9);
    assert_eq!(endpoint.tables(), Vec::<String>::new());
}

/// The connection breaks for good in the middle of it all: nobody hears even of the deletion.
#[test]
fn a_transaction_is_known_again_by_its_token() {
    let desk = Desk::new();
    let endpoint = Faulty::start(|operation, before| match (operation, before) {
        ("TransactWriteItems", 3) => Fate::Failing,
        ("TransactWriteItems", 6) => Fate::Cut,
        _ => Fate::Served,
    });
    let transfers = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kinds/transfers.md");
    fs::copy(transfers, desk.at("notes.md")).unwrap();
    let output = desk.command("prove").args(["--endpoint", &endpoint.url()]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}{}", String::from_utf8_lossy(&output.stdout), said(&output));
    assert!(endpoint.count("TransactWriteItems") > 8);
    assert_eq!(endpoint.tables(), Vec::<String>::new());
}

#[test]
fn an_endpoint_that_states_other_costs_is_wrong() {
    let desk = Desk::new();
    let endpoint =
        Faulty::start(|operation, _| if operation == "Query" { Fate::Dearer } else { Fate::Served });
    let output = desk.command("prove").args(["--endpoint", &endpoint.url()]).output().unwrap();
    let shown = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{shown}{}", said(&output));
    assert!(shown.contains("AP-002 failed: cost"), "{shown}");
}

#[test]
fn an_endpoint_that_only_hangs_up_is_given_up() {
    let desk = Desk::new();
    let broken = AtomicBool::new(false);
    let endpoint = Faulty::start(move |operation, before| {
        if operation == "UpdateItem" && before == 3 {
            broken.store(true, Ordering::SeqCst);
        }
        if broken.load(Ordering::SeqCst) { Fate::Lost } else { Fate::Served }
    });
    let output = desk.command("build").args(["--endpoint", &endpoint.url()]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("the connection was lost during UpdateItem"), "{}", said(&output));
    assert!(said(&output).contains(&endpoint.tables()[0]), "{}", said(&output));
    assert!(desk.is_untouched());
}
