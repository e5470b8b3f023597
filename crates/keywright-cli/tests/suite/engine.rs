//! `keywright engine` as people start and stop it.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that can't go on fails")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};

fn keywright(arguments: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("keywright"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Starts the engine and gives the address that it prints.
fn start(arguments: &[&str]) -> (Child, String) {
    let mut engine = keywright(arguments).spawn().unwrap();
    let mut url = String::new();
    BufReader::new(engine.stdout.as_mut().unwrap()).read_line(&mut url).unwrap();
    (engine, url.trim().to_owned())
}

fn signal(process: &Child, name: &str) {
    assert!(Command::new("kill").args([name, &process.id().to_string()]).status().unwrap().success());
}

fn healthy(url: &str) -> bool {
    let address = url.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET / HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n").unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    response.starts_with("HTTP/1.1 200") && response.contains("healthy")
}

#[test]
fn it_prints_where_it_is_and_ends_in_good_order() {
    for name in ["-INT", "-TERM"] {
        let (mut engine, url) = start(&["engine", "--port", "0"]);
        assert!(url.starts_with("http://127.0.0.1:"), "{url}");
        assert!(healthy(&url));
        signal(&engine, name);
        assert_eq!(engine.wait().unwrap().code(), Some(0), "{name}");
    }
}

#[test]
fn data_is_kept_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tables.db");
    let (mut engine, url) = start(&["engine", "--port", "0", "--data", file.to_str().unwrap()]);
    assert!(healthy(&url));
    signal(&engine, "-INT");
    assert_eq!(engine.wait().unwrap().code(), Some(0));
    assert!(file.exists());
}

#[test]
fn what_it_can_t_do_is_said_in_one_line_with_code_2() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().to_str().unwrap();
    for (arguments, said) in [
        (vec!["engine", "--port", port.as_str()], format!("port {port} is in use")),
        (vec!["engine", "--port", "0", "--data", folder], "can't open the data file".to_owned()),
        (vec!["engine", "--port", "99999"], "99999".to_owned()),
    ] {
        let output = keywright(&arguments).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
        assert!(errors.contains(&said), "{arguments:?}: {errors}");
        assert!(output.stdout.is_empty());
    }
}
