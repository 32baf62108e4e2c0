//! The program as a user runs it: what it writes, and what it says about bad input.
#![forbid(unsafe_code)]

use ringsmith_simd::Cpu;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::{env, fs, process};

/// A folder of its own for each test.
fn folder(name: &str) -> PathBuf {
    let folder = env::temp_dir().join(format!("ringsmith-bench-program-{name}-{}", process::id()));
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// A backend that this build and this machine have.
fn baseline() -> &'static str {
    Cpu::available().last().unwrap().name()
}

fn bench(arguments: &[&str], cpu: Option<&str>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ringsmith-bench"));
    command.args(arguments).env_remove("RINGSMITH_CPU");
    command.envs(cpu.map(|cpu| ("RINGSMITH_CPU", cpu)));
    command.output().unwrap()
}

/// Exit code 2, nothing on stdout, one line on stderr that contains `expected`.
#[track_caller]
fn refused(output: &Output, expected: &str) {
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(output.stdout.is_empty());
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(message.contains(expected), "{message}");
}

/// Protects: bad input is one clear line and exit code 2, before anything is measured.
#[test]
fn bad_input() {
    refused(&bench(&["--only", "("], None), "no regular expression: found open group");
    refused(&bench(&["--only", "no such thing"], None), "nothing matches \"no such thing\"");
    refused(&bench(&["--list"], Some("z80")), "RINGSMITH_CPU: no such CPU backend");
    let folder = folder("bad");
    let missing = folder.join("missing/rows.json");
    refused(&bench(&["--json", missing.to_str().unwrap()], None), "can't write");
    refused(&bench(&["--write-docs", folder.to_str().unwrap()], None), "can't write");
    let broken = folder.join("broken.json");
    fs::write(&broken, "{\"rows\": 1}").unwrap();
    let page = folder.join("page.md");
    refused(
        &bench(&["--docs", broken.to_str().unwrap(), page.to_str().unwrap()], None),
        "broken.json: invalid type",
    );
    refused(&bench(&["--docs", missing.to_str().unwrap(), page.to_str().unwrap()], None), "No such file");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "a file was left behind");
    fs::remove_dir_all(folder).unwrap();
}

/// Protects: `--only` filters before anything is measured, and RINGSMITH_CPU is obeyed.
#[test]
fn selection() {
    let output = bench(&["--list", "--only", "/product/ringsmith/"], Some(baseline()));
    let names = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success());
    assert!(names.lines().count() >= 5, "{names}");
    assert!(
        names.lines().all(|name| name.contains(&format!("/product/ringsmith/{}/", baseline()))),
        "{names}"
    );
}

/// Protects: rows, page and plots are written by one run, and the page again from the rows.
#[test]
fn files() {
    let folder = folder("files");
    let [rows, page, again] = ["rows.json", "page.md", "again.md"].map(|name| folder.join(name));
    let [rows, page, again] = [&rows, &page, &again].map(|path| path.to_str().unwrap());
    let only = format!("x.256.1./product/ringsmith/{0}/|ML-KEM-512/keygen/ringsmith/{0}/", baseline());
    let output = bench(
        &["--time", "1", "--only", &only, "--json", rows, "--write-docs", page, "--machine", "m"],
        None,
    );
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty(), "progress on something that is no terminal");
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(table.starts_with("machine  ") && table.contains("Z_3329[x]/(x^256+1)"), "{table}");
    assert!(table.contains("ML-KEM-512"), "{table}");
    assert!(bench(&["--docs", rows, again, "--machine", "m"], None).status.success());
    let [page, again] = [page, again].map(|path| fs::read_to_string(path).unwrap());
    assert_eq!(page.replace("(page.", "(again."), again);
    assert!(fs::read_to_string(folder.join("page.svg")).unwrap().starts_with("<svg "));
    // The picture of the schemes compares, and no other library was measured.
    assert!(page.contains("](page.svg)") && !page.contains("kem.svg"), "{page}");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 5);
    fs::remove_dir_all(folder).unwrap();
}
