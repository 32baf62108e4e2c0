//! What cargo checks and tests on this machine.

use super::{headers, unbuilt, width};
use crate::book;
use crate::builds::{Build, LIBRARY, selected};
use crate::cost::compiling;
use crate::needs::OLDEST;
use crate::shell::{cargo, cargo_of, run, target_dir};
use crate::suite::{Options, Verdict};
use std::process::Command;

/// The sources are formatted, have no line that is too long and no header with too many numbers, and hold no
/// test that is not built.
pub(crate) fn format(_: &Options) -> Verdict {
    run(&mut cargo(&["fmt", "--all", "--", "--check"]))?;
    let sources = width::sources()?;
    width::run(&sources)?;
    headers::run(&sources)?;
    unbuilt::run()
}

/// Runs a cargo command that makes no code, in a folder of its own.
fn check(folder: &str, cargo: &mut Command) -> Verdict {
    cargo.env("CARGO_TARGET_DIR", target_dir().join(folder));
    compiling(|| run(cargo))
}

/// All that the workspace may have: the C library's schemes, the GPU's drivers and all peers of the
/// benchmarks, which no other crate asks for.
const ALL_FEATURES: [&str; 2] = [
    "--features",
    "ringsmith/cuda,ringsmith-bench/emulated,ringsmith-capi/all,ringsmith-cli/cuda,ringsmith-gpu/ntru,\
     ringsmith-gpu/ntru-prime,ringsmith-gpu/ntruencrypt,ringsmith-gpu-device/emulated,ringsmith-peers/all",
];
/// The code behind `cfg` that this machine can have. Whatever checks here has these flags, so that what
/// others wrote is checked once.
const ALL_FLAGS: &str = "--cfg ringsmith_scalar --cfg ringsmith_harness --cfg ringsmith_internals";

/// Clippy, here with all that builds may ask for, and (for the code behind `cfg`) for AArch64.
pub(crate) fn lint(_: &Options) -> Verdict {
    let denied = ["--", "-D", "warnings"];
    let mut here = cargo(&["clippy", "--workspace", "--all-targets"]);
    check("lint", here.args(ALL_FEATURES).env("RUSTFLAGS", ALL_FLAGS).args(denied))?;
    let aarch64 = ["clippy", "--target", "aarch64-unknown-linux-gnu", "--all-targets"];
    let mut there = cargo(&aarch64);
    there.env("RUSTFLAGS", "--cfg ringsmith_internals");
    check("lint", there.args(selected(LIBRARY)).args(denied))
}

/// The documentation of the sources, the book, and the pages that say how to add something, done.
pub(crate) fn docs(options: &Options) -> Verdict {
    book::build()?;
    book::do_pages(options)?;
    let mut doc = cargo(&["doc", "--no-deps", "--workspace"]);
    doc.args(ALL_FEATURES).env("RUSTFLAGS", ALL_FLAGS).env("RUSTDOCFLAGS", "-Dwarnings");
    check("lint", &mut doc)
}

/// The command, the library, the C library and TLS's crates, by the oldest compiler.
pub(crate) fn oldest_rust(_: &Options) -> Verdict {
    let features =
        ["--features", "ringsmith/all,ringsmith/getrandom,ringsmith/hazmat,ringsmith/pem,ringsmith-capi/all"];
    let packages = [
        "ringsmith-cli",
        "ringsmith",
        "ringsmith-capi",
        "ringsmith-ossl",
        "ringsmith-rustls",
        "ringsmith-oqs",
    ];
    let mut of_old = cargo_of(OLDEST, &["check"]);
    check("oldest", of_old.args(selected(&packages)).args(features))
}

/// The tests of GPUs: kernels on the CPU, what needs a driver without one, and the command with it.
const OF_GPUS: [&str; 11] = [
    "blinding",
    "cuda",
    "devices",
    "encapsulations",
    "encryptions",
    "gpu",
    "gpu_device",
    "gpu_report",
    "kernels",
    "on_gpu",
    "shim",
];

/// All tests, and random messages of public-key encryption, with the best backend of the machine.
pub(crate) fn unit(options: &Options) -> Verdict {
    let all = [("RINGSMITH_EXHAUSTIVE", "1")];
    Build::Checked.test(&[], if options.exhaustive { &all[..] } else { &[] })?;
    // The program of random messages is built with the tests of its package.
    run(&mut Command::new(Build::Checked.programs().join("messages")))?;
    // Threads allocate, which a test that refuses memory can't have: they are a build of two crates.
    let packages = ["-p", "ringsmith-word", "-p", "ringsmith-any"];
    let features = ["--features", "ringsmith-word/rayon,ringsmith-any/rayon"];
    let mut threads = cargo(&["test", "--release"]);
    threads.args(packages).args(features).args(["--test", "rns", "--test", "batches"]);
    Build::Checked.environment(&mut threads);
    run(&mut threads)
}

/// The tests of GPUs alone.
pub(crate) fn gpu(_: &Options) -> Verdict {
    Build::Checked.test(&OF_GPUS.map(|test| ["--test", test]).concat(), &[])
}

/// The tour of the README, by the program that the tests of the command run.
pub(crate) fn tour(_: &Options) -> Verdict {
    Build::Checked.compile("recorded")?;
    run(Command::new(Build::Checked.programs().join("ringsmith")).arg("tour"))
}

/// Whether the CPU has what the backend `avx2` asks for: AVX2 alone is not enough.
#[cfg(target_arch = "x86_64")]
pub(super) fn has_avx2() -> bool {
    use std::arch::is_x86_feature_detected as has;
    has!("avx2") && has!("bmi1") && has!("bmi2") && has!("fma") && has!("pclmulqdq")
}

/// Whether the CPU has what the backend `avx512` asks for.
#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    use std::arch::is_x86_feature_detected as has;
    let base = has!("avx512f") && has!("avx512vl") && has!("avx512bw") && has!("avx512dq");
    let later = has!("avx512vbmi") && has!("avx512vbmi2") && has!("avx512ifma");
    base && later && has_avx2()
}

/// The backends that are built for this machine: plain Rust is not.
pub(crate) fn backends_here() -> Vec<&'static str> {
    #[cfg(target_arch = "x86_64")]
    let vector: &[&str] = match (has_avx512(), has_avx2()) {
        (true, _) => &["sse2", "avx2", "avx512"],
        (_, true) => &["sse2", "avx2"],
        _ => &["sse2"],
    };
    #[cfg(target_arch = "aarch64")]
    let vector: &[&str] = &["neon"];
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let vector: &[&str] = &[];
    vector.to_vec()
}

/// The tests that let `RINGSMITH_CPU` choose, with each choice. The others take every backend by themselves.
pub(crate) fn backends(_: &Options) -> Verdict {
    for backend in backends_here() {
        println!("RINGSMITH_CPU={backend}");
        Build::Checked.test(&["--bins", "--test=vectors"], &[("RINGSMITH_CPU", backend)])?;
    }
    Ok(())
}

/// The exhaustive tests of the reductions.
pub(crate) fn reductions(options: &Options) -> Verdict {
    let all = [("RINGSMITH_EXHAUSTIVE", "1")];
    let environment = if options.exhaustive { &all[..] } else { &[] };
    Build::Checked.test(&["--test", "reductions", "--", "--ignored"], environment)
}
