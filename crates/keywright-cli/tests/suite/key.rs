//! `keywright key`.

use assert_cmd::Command;

fn key(arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("keywright").expect("the program is built for its tests");
    command.arg("key").args(arguments);
    command
}

fn stdout(arguments: &[&str]) -> String {
    let output = key(arguments).assert().success().get_output().stdout.clone();
    String::from_utf8(output).expect("the program writes UTF-8").trim_end().to_owned()
}

fn json(arguments: &[&str]) -> serde_json::Value {
    serde_json::from_str(&stdout(&[arguments, &["--format", "json"]].concat()))
        .expect("the program writes JSON")
}

#[test]
fn builds_keys_prefixes_and_ranges() {
    let template = "ORDER#{placedAt:isos}#{orderId}";
    let at = "placedAt=2024-01-15T11:30:00+01:00";
    assert_eq!(stdout(&["build", template, at, "orderId=o#1"]), "ORDER#2024-01-15T10:30:00Z#o$Z1");
    assert_eq!(json(&["build", template, at, "orderId=o1"])["key"], "ORDER#2024-01-15T10:30:00Z#o1");
    assert_eq!(stdout(&["build", template, at, "--prefix"]), "ORDER#2024-01-15T10:30:00Z#");
    let range = json(&["build", template, "--from", "2024-01-01T00:00:00Z"]);
    assert_eq!(range["lower"], "ORDER#2024-01-01T00:00:00Z#");
    assert_eq!(range["upper"], "ORDER$");
    assert_eq!(
        stdout(&["build", "LOG#<at:ym>#<at:isos>", "at=2024-01-15T10:30:00Z"]),
        "LOG#2024-01#2024-01-15T10:30:00Z"
    );
    assert_eq!(stdout(&["build", "P#<id:uliddesc>", "id=01HX7MBJK3V9WQBZ7XNDK5ZT2M"]).len(), 28);
}

#[test]
fn refusals_exit_1_and_wrong_calls_2() {
    let template = "SCORE#<score:pad3>";
    let refused =
        key(&["build", template, "score=1000"]).assert().code(1).stdout("").get_output().stderr.clone();
    assert_eq!(
        String::from_utf8(refused).unwrap(),
        "error: key `SCORE#<score:pad3>`, `score`: 1000 is outside 0 to 999\n"
    );
    let refused =
        key(&["build", template, "score=x", "--format", "json"]).assert().code(1).get_output().stdout.clone();
    let error: serde_json::Value = serde_json::from_slice(&refused).unwrap();
    assert_eq!(error["error"]["attribute"], "score");
    assert_eq!(error["error"]["reason"], "\"x\" is not an integer");

    key(&["build", "A#<a>#<b>", "b=1", "--prefix"]).assert().code(1);
    key(&["build", "A#<a>#<b>", "a=x y", "b=1", "--policy", "reject"]).assert().code(1);
    key(&["parse", "ORDER#<id>", "ORDER_ITEM#1"]).assert().code(1);
    key(&["build", "A#<a"]).assert().code(2).stdout("");
    key(&["build", "A#<a>", "b=1"]).assert().code(2);
    key(&["build", "A#<a>", "a"]).assert().code(2);
}

#[test]
fn parses_keys() {
    assert_eq!(
        stdout(&["parse", "REPO#<owner>#<name>", "REPO#octo$Zcat#hello"]),
        "owner=octo#cat\nname=hello"
    );
    let values =
        json(&["parse", "S#<n:desc6>#<on:date>#<big:pad20>", "S#999957#2024-01-15#09007199254740993000"]);
    assert_eq!(
        values["values"],
        serde_json::json!({ "n": 42, "on": "2024-01-15", "big": "9007199254740993000" })
    );
}

#[test]
fn compares_templates() {
    let answer = json(&["compare", "ORDER", "ORDER_ITEM#<id>"]);
    assert_eq!(answer["collide"], false);
    assert_eq!(answer["firstContainsSecond"], true);
    assert_eq!(json(&["compare", "ORDER#<id>", "ORDER_ITEM#<id>"])["firstContainsSecond"], false);
    assert_eq!(json(&["compare", "#ORDER#<id>", "CUSTOMER#<name>"])["order"], "before");
    let collision = stdout(&["compare", "USER#<id>", "USER#<name>"]);
    assert!(collision.starts_with("collide       yes, both build `USER#`"), "{collision}");
}

#[test]
fn versions_are_strict_unless_told_otherwise() {
    assert_eq!(stdout(&["version", "add", "ORDER#o1", "3"]), "ORDER#o1@0000000003");
    assert_eq!(stdout(&["version", "add", "ORDER#o1@0000000003", "4"]), "ORDER#o1@0000000004");
    assert_eq!(stdout(&["version", "remove", "ORDER#o1@0000000003"]), "ORDER#o1");
    assert_eq!(stdout(&["version", "get", "ORDER#o1@0000000003"]), "3");
    assert_eq!(json(&["version", "get", "ORDER#o1"])["version"], serde_json::Value::Null);
    key(&["version", "remove", "user@example.com"]).assert().code(1);
    key(&["version", "add", "a", "-1"]).assert().code(1);

    assert_eq!(stdout(&["version", "add", "abc@3", "7", "--compat"]), "abc@7");
    assert_eq!(stdout(&["version", "remove", "user@example.com", "--compat"]), "user");
    assert_eq!(stdout(&["version", "get", "abc@0x10", "--compat"]), "16");
    assert_eq!(stdout(&["version", "get", "abc", "--compat"]), "-1");
    assert_eq!(stdout(&["version", "get", "user@example.com", "--compat"]), "NaN");
}

#[test]
fn tells_tenants_by_place() {
    assert_eq!(stdout(&["tenant", "PRODUCT#tenant001"]), "tenant001");
    assert_eq!(stdout(&["tenant", "LOG#t1#2024-01"]), "2024-01");
    assert_eq!(stdout(&["tenant", "LOG#t1#2024-01", "--template", "LOG#<tenantCode>#<month>"]), "t1");
    key(&["tenant", "PRODUCT"]).assert().code(1);
}

#[test]
fn sorts_by_bytes() {
    let keys = "CUSTOMER#a\n#ORDER#9\n#ORDER#10\n\u{1f600}\n!\nUSER#\n";
    let sorted = key(&["sort"]).write_stdin(keys).assert().success().get_output().stdout.clone();
    assert_eq!(String::from_utf8(sorted).unwrap(), "!\n#ORDER#10\n#ORDER#9\nCUSTOMER#a\nUSER#\n\u{1f600}\n");
    let sorted = key(&["sort", "--reverse", "--format", "json"]).write_stdin("a\nb\n").assert().success();
    let answer: serde_json::Value = serde_json::from_slice(&sorted.get_output().stdout).unwrap();
    assert_eq!(answer["keys"], serde_json::json!([{ "key": "b", "line": 2 }, { "key": "a", "line": 1 }]));
}
