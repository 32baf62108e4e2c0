//! The report, of results that are made up (`made-up.jsonl`): no machine has them.

use ringsmith_gpu_device::report;
use std::fs;
use std::path::{Path, PathBuf};

const RESULTS: &str = include_str!("made-up.jsonl");
const PAGE: &str = "before\n<!-- measured: begin -->\nold\n<!-- measured: end -->\nafter\n";

/// A page after a report of these results, or why there is none.
fn reported(name: &str, results: &str, page: &str) -> Result<String, String> {
    let file =
        |suffix: &str| -> PathBuf { Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.{suffix}")) };
    fs::write(file("jsonl"), results).unwrap();
    fs::write(file("md"), page).unwrap();
    report::command(&file("jsonl"), &file("md")).map_err(|why| why.to_string())?;
    Ok(fs::read_to_string(file("md")).unwrap())
}

/// Protects: each kind of results stands in the section, with its unit; the rest of the page stays.
#[test]
fn section() {
    let expected = "before\n<!-- measured: begin -->\n\
        Measured on one GPU, a made-up GPU, compute capability 0.0 (driver, highest clock, power limit: \
        0, 1 MHz, 1 W); the CPU's library on 3 cores of a CPU, a made-up CPU.\n\n\
        Products checked against the CPU's library: 5, in 1 rings.\n\
        A soak of 2 seconds: 4 batches, 9 products.\n\
        Two processes on the GPU at once: both right.\n\
        `compute-sanitizer`, memcheck: no error.\n\
        Clock, power, temperature at the end: 1 MHz.\n\n\
        Instructions of a warp, on the whole GPU:\n\n\
        | loop | M/s |\n|---|---:|\n| `made_up` | 7.00 |\n\n\
        Experiment 5, 1024, 2048 and 4096 coefficients modulo a prime, and GPU-NTT:\n\n\
        | ring | kernel | batch | on the GPU, M/s | with copies, M/s | CPU, all cores, M/s |\n\
        |---|---|---:|---:|---:|---:|\n\
        | Z_7[x]/(x^1024+1) | `made_up` | 2 | 8.00 | 1.00 | 0.50 |\n\n\
        Experiment 6, one key for many messages:\n\n\
        | ring | kernel | batch | on the GPU, M/s | with copies, M/s | CPU, all cores, M/s |\n\
        |---|---|---:|---:|---:|---:|\n\
        | made up | `made_up` in 7 parts | 2 | 9.00 | 1.00 | 0.50 |\n\n\
        Of operands of made-up words the plan takes `made_up`: it is the only one.\n\n\
        The same kernels with fewer blocks (of one warp) at once on a processor than it could have:\n\n\
        | ring | kernel | limit | blocks | on the GPU, M/s |\n|---|---|---|---|---:|\n\
        | made up | `made_up` | 8 | 8 | 4.00 |\n| made up | `made_up` | none | 16 | 5.00 |\n\n\
        NTRUEncrypt, from messages to ciphertexts: the product is the GPU's, what blinds a \
        message is the GPU's or the CPU's, and the rest is the CPU's, on all cores:\n\n\
        | set | sampling | batch | a batch, ms | without copies, ms |\n|---|---|---:|---:|---:|\n\
        | made-up | GPU | 1000 | 12.500 | 11.500 |\n\n\
        GPU-NTT, which is not made for transforms as short as these: products of two transforms, one \
        back, on the GPU:\n\n\
        | n | prime | GPU-NTT, M/s | ours in its |\n|---|---|---:|---|\n| 1024 | 7 | 2.00 | 4.0 |\n\n\
        Copies and products side by side, made up; efficiency is the gain, by streams:\n\n\
        | streams | the host's memory | KiB | with copies, M/s | to one stream's | efficiency |\n\
        |---|---|---|---:|---|---|\n\
        | 1 | pinned | 4 | 2.00 | 1.00 | 100 % |\n| 2 | pinned | 4 | 3.00 | 1.50 | 75 % |\n\
        | 1 | pageable | 4 | 0.50 | 1.00 | 100 % |\n\n\
        Memory of the GPU, made and cleared, and cleared and given back:\n\n\
        | bytes | made, microseconds | given back, microseconds |\n|---|---|---|\n\
        | 4096 | 20.0 | 12.5 |\n\n\
        With nine tenths of the GPU's memory taken a batch that asks for more is refused and a small one is \
        right. Memory is cleared and given back at 3 gigabytes a second.\n\
        <!-- measured: end -->\nafter\n";
    assert_eq!(reported("section", RESULTS, PAGE).as_deref(), Ok(expected));
}

/// Protects: a wrong result, results of an unknown machine, a line that is none and a page without a place
/// are errors.
#[test]
fn refused() {
    let why = |name, results: &str, page| reported(name, results, page).unwrap_err();
    let wrong = RESULTS.replacen("\"right\":true", "\"right\":false", 1);
    assert!(why("wrong", &wrong, PAGE).starts_with("a result is wrong"));
    let nowhere = RESULTS.split_once('\n').unwrap().1;
    assert_eq!(why("nowhere", nowhere, PAGE), "the results do not name the machine");
    assert!(reported("no-line", "no result", PAGE).is_err());
    assert_eq!(why("no-place", RESULTS, "text"), "the page has no place for what was measured");
}
