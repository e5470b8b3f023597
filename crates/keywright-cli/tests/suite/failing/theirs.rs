//! What others have on an endpoint is never touched, and nothing of ours stays there unless it is wanted.

use serde_json::Value;

use crate::failing::desk::{Desk, said};
use crate::failing::faulty::{Fate, Faulty};

#[test]
fn an_endpoint_that_behaves_proves_and_is_left_as_it_was() {
    let (desk, endpoint) = (Desk::new(), Faulty::start(|_, _| Fate::Served));
    let before = endpoint.make_table_of_others("Notes");
    let output = desk.command("build").args(["--endpoint", &endpoint.url()]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(String::from_utf8_lossy(&output.stdout).contains("proven     4 of 4"));
    assert!(endpoint.is_left_with_the_table_of_others("Notes", &before));
    assert!(!desk.is_untouched());
}

#[test]
fn keep_leaves_the_tables_and_names_them() {
    let (desk, endpoint) = (Desk::new(), Faulty::start(|_, _| Fate::Served));
    for command in ["prove", "build"] {
        let before = endpoint.tables();
        let output = desk.command(command).args(["--keep", "--endpoint", &endpoint.url()]).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        let mut new = endpoint.tables();
        new.retain(|name| !before.contains(name));
        assert!(new.len() == 1 && new[0].starts_with("keywright-Notes-"), "{new:?}");
        assert!(
            said(&output).contains(&format!("kept on {}: {}", endpoint.url(), new[0])),
            "{}",
            said(&output)
        );
    }
}

#[test]
fn what_is_kept_is_not_let_expire() {
    let (desk, endpoint) = (Desk::new(), Faulty::start(|_, _| Fate::Served));
    std::fs::write(desk.at("notes.md"), include_str!("../../kinds/sessions.md")).unwrap();
    let mut asked = Vec::new();
    for keep in [true, false] {
        let mut command = desk.command("prove");
        command.args(["--endpoint", &endpoint.url(), "--format", "json"]);
        let output = command.args(keep.then_some("--keep")).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        let evidence: Value = serde_json::from_slice(&output.stdout).unwrap();
        let patterns = evidence["patterns"].as_array().unwrap();
        let open = &patterns.iter().find(|it| it["id"] == "AP-020").unwrap()["notChecked"];
        let left = open.as_array().into_iter().flatten().filter_map(Value::as_str);
        assert_eq!(
            left.filter(|it| it.starts_with("that items expire")).count(),
            usize::from(keep),
            "{open}"
        );
        asked.push(endpoint.count("UpdateTimeToLive"));
    }
    assert_eq!(asked, [0, 1], "how often the engine was told to delete what expires");
}

#[test]
fn a_failing_proof_cleans_up_too_and_keep_keeps_what_failed() {
    // Writes that get lost: the first read after one shows it.
    let endpoint =
        Faulty::start(|operation, _| if operation == "UpdateItem" { Fate::Ignored } else { Fate::Served });
    let desk = Desk::new();
    let before = endpoint.make_table_of_others("Notes");
    let output = desk.command("build").args(["--endpoint", &endpoint.url()]).output().unwrap();
    let shown = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{shown}{}", said(&output));
    assert!(shown.contains("AP-004 failed"), "{shown}");
    assert!(desk.is_untouched() && endpoint.is_left_with_the_table_of_others("Notes", &before));
    let output = desk.command("prove").args(["--keep", "--endpoint", &endpoint.url()]).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert_eq!(endpoint.tables().len(), 2);
}
