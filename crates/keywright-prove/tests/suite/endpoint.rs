//! Endpoints: the same calls over HTTP, and every way in which the world around them fails.
#![cfg(feature = "endpoint")]
#![allow(clippy::unwrap_used, reason = "a test that can't go on fails")]

use crate::bench_table;

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use keywright_prove::engine::endpoint::Patience;
use keywright_prove::engine::serve::Server;
use keywright_prove::engine::{Capability, Embedded, Endpoint, Engine, EngineError, Interrupt, Tables};
use serde_json::{Value, json};

fn quick() -> Patience {
    Patience {
        attempts: 3,
        first_wait: Duration::from_millis(1),
        longest_wait: Duration::from_millis(5),
        connect: Duration::from_millis(500),
        answer: Duration::from_millis(2_000),
        whole: Duration::from_millis(3_000),
    }
}

#[test]
fn the_same_calls_work_over_http() {
    let engine = Embedded::in_memory().unwrap();
    let server = Server::start(&engine, 0).unwrap();
    let endpoint = Endpoint::new(&server.url()).unwrap();
    assert!(!endpoint.is_private() && endpoint.name() == server.url());
    let mut tables = Tables::new(&endpoint);
    let table = tables.create(&bench_table::definition()).unwrap();
    assert!(table.starts_with("keywright-Bench-"));
    let item = json!({"pk": {"S": "é"}, "sk": {"S": "😀"}, "n": {"N": "1.5"}});
    endpoint.call("PutItem", json!({"TableName": table, "Item": item})).unwrap();
    let key = json!({"pk": {"S": "é"}, "sk": {"S": "😀"}});
    let got = endpoint.call("GetItem", json!({"TableName": table, "Key": key})).unwrap();
    assert_eq!(got["Item"], item);
    let error = endpoint.call(
        "PutItem",
        json!({
            "TableName": table, "Item": item, "ConditionExpression": "attribute_not_exists(pk)",
        }),
    );
    assert!(error.unwrap_err().is_conditional_check_failed());
    for capability in Capability::ALL {
        assert!(endpoint.support(capability).unwrap().is_present(), "{capability:?}");
    }
    tables.clean_up().unwrap();
    assert_eq!(engine.call("ListTables", json!({})).unwrap()["TableNames"], json!([]), "probes are gone too");
    server.stop().unwrap();
}

/// What the scripted server does with a connection.
#[derive(Clone)]
enum Reply {
    /// Answers with a status and a body.
    Http(u16, String),
    /// Reads the request and hangs up.
    HangUp,
    /// Hangs up in the middle of the body.
    HalfBody,
    /// Says something that is not HTTP.
    Noise,
    /// Says nothing.
    Silence,
}

/// A server that follows a script, one reply per request, the last one for ever; it counts the requests.
struct Scripted {
    url: String,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Scripted {
    fn start(script: Vec<Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let seen = requests.clone();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let request = read_request(&mut stream);
                let number = {
                    let mut seen = seen.lock().unwrap();
                    seen.push(request);
                    seen.len() - 1
                };
                reply(&mut stream, &script[number.min(script.len() - 1)]);
            }
        });
        Scripted { url, requests }
    }

    fn count(&self) -> usize {
        self.requests.lock().unwrap().len()
    }

    fn call(&self, operation: &str) -> Result<Value, EngineError> {
        Endpoint::with_patience(&self.url, quick()).unwrap().call(operation, json!({"TableName": "T"}))
    }
}

/// Reads headers and body of a request.
fn read_request(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&bytes).to_lowercase();
        if let Some(end) = text.find("\r\n\r\n") {
            let length =
                text.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse::<usize>().ok());
            if bytes.len() >= end + 4 + length.unwrap_or(0) {
                return String::from_utf8_lossy(&bytes).into_owned();
            }
        }
        match stream.read(&mut buffer) {
            Ok(0) | Err(_) => return String::from_utf8_lossy(&bytes).into_owned(),
            Ok(count) => bytes.extend(&buffer[..count]),
        }
    }
}

fn reply(stream: &mut TcpStream, reply: &Reply) {
    let text = match reply {
        Reply::Http(status, body) => format!(
            "HTTP/1.1 {status} Status\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
            body.len()
        ),
        Reply::HalfBody => "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{\"Item\":".into(),
        Reply::Noise => "SSH-2.0-OpenSSH_9.9\r\n".into(),
        Reply::HangUp => String::new(),
        Reply::Silence => {
            thread::sleep(Duration::from_secs(10));
            String::new()
        }
    };
    let _ = stream.write_all(text.as_bytes());
}

fn error(status: u16, kind: &str) -> Reply {
    Reply::Http(
        status,
        json!({"__type": format!("com.amazonaws#{kind}"), "message": "as scripted"}).to_string(),
    )
}

fn fine() -> Reply {
    Reply::Http(200, "{}".into())
}

#[test]
fn requests_are_signed_and_name_their_operation() {
    let server = Scripted::start(vec![fine()]);
    server.call("GetItem").unwrap();
    let request = server.requests.lock().unwrap()[0].to_lowercase();
    assert!(request.starts_with("post / http/1.1"), "{request}");
    assert!(request.contains("x-amz-target: dynamodb_20120810.getitem"), "{request}");
    assert!(request.contains("authorization: aws4-hmac-sha256 credential="), "{request}");
    assert!(request.contains("content-type: application/x-amz-json-1.0"), "{request}");
}

#[test]
fn a_dead_port_is_unreachable() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let endpoint = Endpoint::with_patience(&url, quick()).unwrap();
    let error = endpoint.call("PutItem", json!({})).unwrap_err();
    assert!(matches!(error, EngineError::Unreachable { .. }), "{error:?}");
    assert!(
        error.to_string().contains(&url) && error.to_string().to_lowercase().contains("refused"),
        "{error}"
    );
}

#[test]
fn a_host_that_does_not_exist_and_a_bad_url_are_unreachable() {
    let endpoint = Endpoint::with_patience("http://nowhere.invalid:8000", quick()).unwrap();
    let error = endpoint.call("GetItem", json!({})).unwrap_err();
    assert!(matches!(error, EngineError::Unreachable { .. }), "{error:?}");
    for url in ["", "localhost", "http://user:secret@localhost", "http://localhost/path"] {
        assert!(matches!(Endpoint::new(url), Err(EngineError::Unreachable { .. })), "{url}");
    }
}

#[test]
fn plain_http_where_tls_is_spoken_to_is_unreachable() {
    let server = Scripted::start(vec![Reply::Noise]);
    let url = server.url.replace("http:", "https:");
    let error = Endpoint::with_patience(&url, quick()).unwrap().call("GetItem", json!({})).unwrap_err();
    assert!(matches!(error, EngineError::Unreachable { .. }), "{error:?}");
}

#[test]
fn throttling_is_waited_out_and_given_up_in_the_end() {
    let throttled = || error(400, "ProvisionedThroughputExceededException");
    let server = Scripted::start(vec![throttled(), error(503, "ServiceUnavailable"), fine()]);
    server.call("PutItem").unwrap();
    assert_eq!(server.count(), 3);
    let server = Scripted::start(vec![throttled()]);
    let error = server.call("PutItem").unwrap_err();
    assert!(matches!(error, EngineError::Throttled { attempts: 3, .. }), "{error:?}");
    assert_eq!(server.count(), 3);
}

#[test]
fn reads_survive_a_failing_engine_and_writes_are_not_repeated_blindly() {
    let server =
        Scripted::start(vec![error(500, "InternalServerError"), Reply::Http(502, "<html>".into()), fine()]);
    server.call("Query").unwrap();
    assert_eq!(server.count(), 3);
    let server = Scripted::start(vec![error(500, "InternalServerError")]);
    let error = server.call("UpdateItem").unwrap_err();
    assert!(matches!(error, EngineError::Failing { .. }) && error.is_environment(), "{error:?}");
    assert_eq!(server.count(), 1);
}

#[test]
fn a_cut_connection_is_repeated_for_reads_and_told_for_writes() {
    for cut in [Reply::HangUp, Reply::HalfBody] {
        let server = Scripted::start(vec![cut.clone(), fine()]);
        server.call("GetItem").unwrap();
        let server = Scripted::start(vec![cut, fine()]);
        let error = server.call("PutItem").unwrap_err();
        assert!(matches!(error, EngineError::Cut { .. }), "{error:?}");
        assert_eq!(server.count(), 1, "{error}");
    }
}

#[test]
fn silence_is_not_waited_for_for_ever() {
    let server = Scripted::start(vec![Reply::Silence]);
    let start = Instant::now();
    let error = server.call("PutItem").unwrap_err();
    assert!(matches!(&error, EngineError::Cut { reason, .. } if reason.contains("2000 ms")), "{error:?}");
    assert!(start.elapsed() < Duration::from_secs(9));
}

#[test]
fn answers_that_are_not_dynamodbs_are_shown() {
    for (reply, shown) in [
        (Reply::Http(200, "<html>a proxy</html>".into()), "a proxy"),
        (Reply::Http(200, "[1]".into()), "[1]"),
        (Reply::Http(404, "no such page".into()), "status 404"),
        (Reply::Http(301, String::new()), "status 301 without a body"),
    ] {
        let error = Scripted::start(vec![reply]).call("GetItem").unwrap_err();
        assert!(matches!(error, EngineError::Garbled { .. }), "{error:?}");
        assert!(error.to_string().contains(shown), "{error}");
    }
    let error = Scripted::start(vec![Reply::Noise]).call("PutItem").unwrap_err();
    assert!(matches!(error, EngineError::Cut { .. }), "{error:?}");
}

#[test]
fn credentials_that_are_refused_are_told_at_once() {
    for kind in ["UnrecognizedClientException", "InvalidSignatureException", "AccessDeniedException"] {
        let server = Scripted::start(vec![error(400, kind)]);
        let error = server.call("GetItem").unwrap_err();
        assert!(matches!(&error, EngineError::Credentials { reason } if reason.contains(kind)), "{error:?}");
        assert_eq!(server.count(), 1);
    }
}

#[test]
fn an_interrupt_ends_the_waiting() {
    let server = Scripted::start(vec![error(400, "ThrottlingException")]);
    let interrupt = Interrupt::default();
    let patience =
        Patience { first_wait: Duration::from_secs(60), longest_wait: Duration::from_secs(60), ..quick() };
    let endpoint = Endpoint::with_patience(&server.url, patience).unwrap().interrupted_by(&interrupt);
    let start = Instant::now();
    thread::scope(|scope| {
        let call = scope.spawn(|| endpoint.call("PutItem", json!({})));
        while server.count() == 0 && !call.is_finished() {
            thread::sleep(Duration::from_millis(5));
        }
        interrupt.request();
        assert!(matches!(call.join().unwrap(), Err(EngineError::Interrupted)));
    });
    assert!(start.elapsed() < Duration::from_secs(20));
}
