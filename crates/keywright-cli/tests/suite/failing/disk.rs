//! Disks that are full, and places that can't be written: a clear word, and nothing half written.

use std::fs;
#[cfg(unix)]
use std::path::Path;
use std::process::Command;

use crate::failing::desk::{Desk, said};
#[cfg(unix)]
use crate::failing::desk::{is_empty, large};

/// A build of the desk's document into another folder.
fn build_into(desk: &Desk, out: &str) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("keywright"));
    command.arg("build").arg(desk.at("notes.md")).args(["--scale", "12", "--out"]).arg(desk.at(out));
    command
}

#[test]
fn an_output_folder_that_is_a_file_is_said_and_left() {
    let desk = Desk::new();
    fs::write(desk.at("file"), "mine").unwrap();
    let output = build_into(&desk, "file").output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("can't create"), "{}", said(&output));
    assert_eq!(fs::read_to_string(desk.at("file")).unwrap(), "mine");
}

#[test]
fn a_folder_where_a_file_has_to_go_stops_all_files() {
    let desk = Desk::new();
    fs::create_dir(desk.at("out/evidence.json")).unwrap();
    let output = desk.command("build").output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("evidence.json: it is a folder"), "{}", said(&output));
    fs::remove_dir(desk.at("out/evidence.json")).unwrap();
    assert!(desk.is_untouched());
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_said_and_nothing_is_half_written() {
    let desk = Desk::new();
    let output = Desk::on_a_full_disk(&desk.command("build"), 4).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("can't write"), "{}", said(&output));
    assert!(desk.is_untouched());
    let output = Desk::on_a_full_disk(&build_into(&desk, "new/deep"), 4).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(!desk.at("new").exists(), "a folder of ours with nothing in it");
}

/// What other commands write is as whole as what a build does.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_earlier_designs_and_generated_files_as_they_were() {
    let desk = Desk::new();
    fs::write(desk.at("out/keys.rs"), "earlier").unwrap();
    let keywright = || Command::new(assert_cmd::cargo::cargo_bin("keywright"));
    let (mut design, mut generate) = (keywright(), keywright());
    design.arg("design").arg(desk.at("notes.md")).arg("-o").arg(desk.at("out/table-design.md"));
    generate.args(["generate", "typescript"]).arg(desk.at("notes.md")).arg("--out").arg(desk.at("generated"));
    for command in [design, generate] {
        let output = Desk::on_a_full_disk(&command, 4).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
        assert!(said(&output).contains("can't write"), "{}", said(&output));
    }
    fs::remove_file(desk.at("out/keys.rs")).unwrap();
    assert!(desk.is_untouched() && !desk.at("generated").exists());
}

/// Here the disk is full while the tables are filled, not when the documents are written.
#[cfg(unix)]
#[test]
fn a_full_disk_under_a_large_proof_is_said_and_nothing_stays() {
    let desk = Desk::new();
    let (command, temporary) = large(&desk);
    let output = Desk::on_a_full_disk(&command, 900).output().unwrap();
    let said = said(&output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("the proof on embedded engine") && said.contains("set TMPDIR"), "{said}");
    assert!(!said.contains("left behind"), "the tables go with the file: {said}");
    assert!(is_empty(&temporary) && desk.is_untouched());
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_behind_standard_output_is_said() {
    let desk = Desk::new();
    let full = || fs::OpenOptions::new().write(true).open(Path::new("/dev/full")).unwrap();
    for format in ["human", "json"] {
        let output = desk.command("prove").args(["--format", format]).stdout(full()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
        assert!(said(&output).contains("can't write to standard output"), "{}", said(&output));
    }
}
