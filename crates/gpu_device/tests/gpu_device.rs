//! The program as a GPU machine runs it, with the kernels on the CPU and as little as there is.

use ringsmith_gpu::{CyclicRoute, Device, Emulated, Faults};
use ringsmith_gpu_device::experiments::{ALL, Bench};
use ringsmith_gpu_device::jobs::{self, Small};
use ringsmith_gpu_device::{Effort, check, results::Results};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;

/// A file of a test's own, which is not there.
fn file(name: &str) -> PathBuf {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&file);
    file
}

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ringsmith-gpu-device"));
    command.arg("--emulated");
    command
}

/// The results in a file.
fn results(file: &Path) -> Vec<Value> {
    let text = fs::read_to_string(file).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Protects: the check meets every kernel that is compiled, and tells that all are right.
#[test]
fn every_kernel() {
    let file = file("every-kernel.jsonl");
    let output =
        program().arg("--results").arg(&file).args(["--tiny", "check", "2", "kernels"]).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    let met: BTreeSet<String> =
        results(&file).iter().map(|result| result["kernel"].as_str().unwrap().to_string()).collect();
    let budget = Path::new(env!("CARGO_MANIFEST_DIR")).join("../gpu/budget.txt");
    let budget = fs::read_to_string(budget).unwrap();
    let of_90 = budget.lines().filter_map(|line| line.strip_prefix("sm_90 "));
    let names = of_90.filter_map(|line| line.split(' ').next());
    // Loops of instructions are the second experiment's, and what prepares is met with what was prepared.
    let compiled: BTreeSet<String> = names
        .filter(|name| !name.starts_with("issue_") && !name.ends_with("_forward"))
        .map(String::from)
        .collect();
    assert_eq!(met, compiled);
    assert!(results(&file).iter().all(|result| result["right"] == true));
}

/// Protects: every experiment runs and tells results, with GPU-NTT's program and without; a report of them is
/// written.
#[test]
fn experiments() {
    let file = file("experiments.jsonl");
    let run = |options: &[&str], words: &[&str]| {
        let mut command = program();
        let output = command.arg("--tiny").arg("--results").arg(&file).args(options).args(words).output();
        let output = output.unwrap();
        assert!(output.status.success(), "{words:?}: {}", said(&output));
    };
    let sanitizer = script("sanitizer-of-all", "exit 0");
    run(&["--sanitizer", sanitizer.to_str().unwrap()], &["all"]);
    let peer = script("peer", "echo '{\"n\":1024,\"p\":1,\"rate\":1.0}'");
    run(&["--gpu-ntt", peer.to_str().unwrap()], &["experiment", "5"]);
    let results = results(&file);
    let finished = results.iter().filter(|result| result["what"] == "experiment");
    assert_eq!(finished.count(), ALL.len() + 1);
    let told = |what: &str| results.iter().filter(|result| result["what"] == what).count();
    assert_eq!(["machine", "twice", "sanitizer", "gpu-ntt"].map(told), [1, 1, 3, 4]);
    // Five sizes of memory, two kinds, three numbers of streams; five limits and none, four kernels.
    assert_eq!(["streams", "cleared", "full", "plan", "occupancy"].map(told), [30, 5, 1, 2, 24]);
    // Every kind alone, and every two of eight.
    assert_eq!(told("instructions"), 8 + 28);
    let fewer = results.iter().filter(|result| result["what"] == "occupancy");
    let [limits, blocks] =
        ["limit", "resident"].map(|name| fewer.clone().map(move |rate| rate[name].clone()));
    let as_asked = limits.zip(blocks).filter(|(limit, blocks)| limit == blocks && limit.is_u64()).count();
    assert_eq!(as_asked, 20);
    let of_6 = results.iter().filter(|result| result["what"] == "rate" && result["experiment"] == 6);
    let parts: BTreeSet<u64> = of_6.filter_map(|rate| rate["parts"].as_u64()).collect();
    assert_eq!(parts, BTreeSet::from([1, 7]));
    // One set, two sizes, and both kinds of sampling.
    assert_eq!(told("encryptions"), 4);
    let page = file.with_extension("md");
    fs::write(&page, "<!-- measured: begin -->\n<!-- measured: end -->\n").unwrap();
    let output = program().arg("report").args([&file, &page]).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    assert!(fs::read_to_string(&page).unwrap().contains("Measured on one GPU, emulated"));
}

/// Protects: a mistake of a kernel ends each experiment that measures it, and the check.
#[test]
fn mistakes() {
    let results = Results(None);
    // Of transforms, of pairs, of one key in parts, of loops of instructions, of hashes.
    let mistakes = [(2, &[4, 5, 9][..]), (12, &[3]), (16, &[6]), (50, &[2]), (51, &[2]), (70, &[8])];
    for (mutant, experiments) in mistakes {
        let driver = Emulated::new(Faults { mutant, memory: 64 << 20, ..Faults::default() });
        let device = Device::by(Arc::new(driver));
        let bench = Bench { device: &device, results: &results, effort: Effort::TINY, gpu_ntt: None };
        for number in experiments {
            let why = bench.run(*number).unwrap_err().to_string();
            assert!(why.ends_with("a wrong product") || why.ends_with("a wrong result"), "{mutant}: {why}");
        }
        // Of a batch the first two messages are constant, by which a turned key makes the same.
        let (batch, jobs) = match mutant {
            2 => (2, jobs::kernels()),
            12 => (2, vec![jobs::cyclic(821, 12, CyclicRoute::Pairs, Small::Byte)]),
            16 => (8, vec![jobs::cyclic(401, 11, CyclicRoute::OneKeyParts(4), Small::Byte)]),
            _ => continue,
        };
        let why = check::all(&device, &results, &jobs, (batch, 1 << 18));
        let why = why.expect_err(&format!("mistake {mutant}")).to_string();
        assert!(why.starts_with("products of ") && why.ends_with(" rings are wrong"), "{mutant}: {why}");
    }
}

/// Protects: two processes run at once, and one that fails is noticed.
#[test]
fn two_processes() {
    let output = program().args(["--tiny", "twice", "0"]).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    // There is no such GPU: both processes fail.
    let mut without = Command::new(env!("CARGO_BIN_EXE_ringsmith-gpu-device"));
    assert!(!without.args(["--device", "99", "twice", "0"]).output().unwrap().status.success());
}

/// A program of a few words of the shell.
fn script(name: &str, words: &str) -> PathBuf {
    let path = file(name);
    fs::write(&path, format!("#!/bin/sh\n{words}\n")).unwrap();
    fs::set_permissions(&path, Permissions::from_mode(0o700)).unwrap();
    path
}

/// Protects: each tool of the sanitizer runs the check of all kernels; what it finds is an error, and so is
/// its absence.
#[test]
fn sanitizer() {
    let sanitize = |sanitizer: &Path, name: &str| {
        let file = file(name);
        let mut command = program();
        command.arg("--results").arg(&file).arg("--sanitizer").arg(sanitizer).arg("sanitize");
        (command.output().unwrap(), results(&file))
    };
    let log = file("sanitizer.log");
    let noted = script("sanitizer-good", &format!("echo \"$@\" >> {}", log.display()));
    let (output, told) = sanitize(&noted, "sanitizer-good.jsonl");
    assert!(output.status.success(), "{}", said(&output));
    assert_eq!(told.len(), 3);
    let log = fs::read_to_string(log).unwrap();
    for (line, tool) in log.lines().zip(["memcheck", "racecheck", "initcheck"]) {
        assert!(line.starts_with(&format!("--tool {tool} --error-exitcode 9 /")), "{line}");
        assert!(line.ends_with("ringsmith-gpu-device --emulated check 64 kernels"), "{line}");
    }
    let (output, _) = sanitize(&script("sanitizer-bad", "exit 9"), "sanitizer-bad.jsonl");
    assert_eq!(said(&output), "memcheck, racecheck, initcheck found errors\n");
    let (output, told) = sanitize(Path::new("/nowhere/sanitizer"), "sanitizer-none.jsonl");
    assert!(said(&output).contains("is not on this machine: memcheck, racecheck, initcheck did not run"));
    assert_eq!((told.len(), &told[0]["ran"]), (1, &Value::Bool(false)));
}
