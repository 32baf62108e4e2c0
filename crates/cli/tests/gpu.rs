//! `ringsmith bench --gpu`, on machines with a GPU and without.

mod support;

use std::path::Path;
use support::{directory, one_error, ringsmith};

/// Whether a line says that there is no GPU of a number, or no driver for one.
fn is_told(line: &str, number: usize) -> bool {
    let none = format!("ringsmith: the NVIDIA driver finds no GPU number {number}");
    line == "ringsmith: there is no NVIDIA driver on this machine"
        || line == none
        || line.starts_with("ringsmith: the NVIDIA driver reports its error ")
}

/// Protects: a GPU that is not there is one sentence and exit code 2, and nothing is printed.
#[test]
fn no_such_gpu() {
    let output = ringsmith(&directory("no_such_gpu"), &["bench", "--gpu", "99"]).output().unwrap();
    let line = one_error(&output, 2);
    assert!(is_told(&line, 99) && output.stdout.is_empty(), "{line}");
}

/// Protects: without a number it is the first GPU, which is named, and has a row for each size of transform.
/// A machine without NVIDIA's devices says that it has none.
#[test]
fn first_gpu() {
    let output = ringsmith(&directory("first_gpu"), &["bench", "--gpu", "--time", "1"]).output().unwrap();
    if !output.status.success() || !Path::new("/dev/nvidiactl").exists() {
        let line = one_error(&output, 2);
        assert!(is_told(&line, 0) && output.stdout.is_empty(), "{line}");
        return;
    }
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("gpu      ") && text.contains(", compute capability "), "{text}");
    for kernel in ["ntt_1024_30", "ntt_2048_30", "ntt_4096_30"] {
        assert!(text.contains(kernel), "{text}");
    }
}

/// Protects: columns of a GPU that is not there are one sentence, before anything is measured.
#[test]
fn columns_of_no_gpu() {
    let args = ["bench", "--table", "akleylek-tok", "--gpu", "99"];
    let output = ringsmith(&directory("columns_of_no_gpu"), &args).output().unwrap();
    let line = one_error(&output, 2);
    assert!(is_told(&line, 99) && output.stdout.is_empty(), "{line}");
}

/// Protects: what is not measured on a GPU is refused beside it.
#[test]
fn other_rows() {
    for other in [["--only", "kem"], ["--table", "ntru-prime"], ["--json", "rows.json"]] {
        let args = [&["bench", "--gpu"], &other[..]].concat();
        let output = ringsmith(&directory("other_rows"), &args).output().unwrap();
        one_error(&output, 2);
        assert!(output.stdout.is_empty(), "{other:?}");
    }
}
