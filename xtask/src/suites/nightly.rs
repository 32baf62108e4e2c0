//! Memory safety, by tools of the nightly compiler.

use super::harness::Programs;
use crate::builds::{Build, LIBRARY, selected};
use crate::needs::NIGHTLY;
use crate::shell::{capture, cargo_of, run, target_dir};
use crate::suite::{Options, Verdict};
use std::path::{Path, PathBuf};
use std::process::Command;

const TRIPLE: &str = "x86_64-unknown-linux-gnu";

/// Miri interprets the AVX2 backend: its laws and a permutation of the hash; and, where all is asked for,
/// every route of the smallest ring, which is of crates without `unsafe` code.
pub(crate) fn miri(options: &Options) -> Verdict {
    let test = |args: &[&str]| {
        let mut test = cargo_of(NIGHTLY, &["miri", "test", "--target", TRIPLE]);
        test.args(args)
            .env("RUSTFLAGS", "-Ctarget-feature=+avx2")
            .env("MIRIFLAGS", "-Zmiri-permissive-provenance");
        run(test.env("CARGO_TARGET_DIR", target_dir().join("miri")))
    };
    test(&["-p", "ringsmith-simd", "--lib", "--tests"])?;
    test(&["-p", "ringsmith-hash", "--tests", "--", "permutation"])?;
    if options.exhaustive {
        test(&["-p", "ringsmith-testkit", "--test", "cases", "of_the_small_ring"])?;
    }
    Ok(())
}

fn sanitizer_dir() -> PathBuf {
    target_dir().join("asan")
}

/// The library's crates whose tests are sanitized: those with `unsafe` code, and what hands memory to it by
/// the row.
const UNSAFE: &[&str] = &["ringsmith-simd", "ringsmith-hash", "ringsmith-word", "ringsmith-any"];

/// Their tests, and known answers of every scheme.
const SANITIZED: &[&str] = &[
    "--test=fips202",
    "--test=inverses",
    "--test=known_answers",
    "--test=laws",
    "--test=products",
    "--test=rns",
    "--test=sha512",
];

/// The flag that makes a build for CPUs that all have AVX2, where this one has: kernels for SSE2, which read
/// and write the same rows, are not compiled there.
fn above_sse2() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    if super::workspace::has_avx2() {
        return "-Ctarget-feature=+avx2,+bmi1,+bmi2,+fma,+pclmulqdq";
    }
    ""
}

/// Tests of what reads and writes memory by the row and the program that libFuzzer drives, under
/// AddressSanitizer; debug assertions check the proved bounds on the data as they run. Optimised a little:
/// what is put into kernels takes the optimiser long.
fn sanitized_test(options: &Options) -> Command {
    let mut test = cargo_of(NIGHTLY, &["test", "--release", "--target", TRIPLE]);
    match options.exhaustive {
        true => test.args(selected(LIBRARY)).args(["--tests", "--features", "ringsmith-testkit/cases"]),
        false => test.args(selected(UNSAFE)).args(SANITIZED),
    };
    test.args(["-p", "ringsmith-testkit", "--no-default-features", "--features", "ringsmith-testkit/fuzz"]);
    // Counters at the edges of the flow, which the fuzzer reads.
    let coverage = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=3 \
                    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
                    -Cllvm-args=-sanitizer-coverage-pc-table";
    let level = if options.exhaustive { "" } else { above_sse2() };
    test.env(
        "RUSTFLAGS",
        format!("-Zsanitizer=address -Cdebug-assertions=on --cfg ringsmith_internals {level} {coverage}"),
    );
    test.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1").env("CARGO_PROFILE_RELEASE_LTO", "off");
    test.env("CARGO_TARGET_DIR", sanitizer_dir());
    test
}

/// AddressSanitizer watches the tests of the arithmetic.
pub(crate) fn asan(options: &Options) -> Verdict {
    run(&mut sanitized_test(options))
}

/// The suite: a little of every target, and the same each time; `cargo xtask fuzz` searches elsewhere.
pub(crate) fn fuzz(_: &Options) -> Verdict {
    fuzz_for(&["-max_total_time=2", "-seed=1"], &[], &[])
}

/// `cargo xtask fuzz [TARGET] [--seconds N | --runs N] [FILE...]`: from the seeds, and from what earlier runs
/// found, for so long or so often; or once, on files. `cargo xtask fuzz TARGET --plain N`: on N inputs near
/// the seeds, without sanitizer and engine.
///
/// # Errors
/// Where the arguments are none, or a target finds something.
pub(crate) fn fuzz_command(args: &[&str]) -> Verdict {
    if let [target, "--plain", runs] = args {
        return run(Command::new(Programs::of(Build::Checked)?.path("fuzz-plain")).args([target, runs]));
    }
    let (mut limit, mut rest) = ("-max_total_time=60".to_string(), args.to_vec());
    for (option, of_engine) in [("--seconds", "-max_total_time"), ("--runs", "-runs")] {
        if let Some(at) = rest.iter().position(|arg| *arg == option) {
            let value = rest.get(at + 1).and_then(|value| value.parse::<u32>().ok());
            limit = format!("{of_engine}={}", value.ok_or(format!("{option} wants a number"))?);
            rest.drain(at..at + 2);
        }
    }
    let (names, files) = rest.split_at(rest.len().min(1));
    fuzz_for(&[&limit], names, files)
}

fn fuzz_for(limits: &[&str], names: &[&str], files: &[&str]) -> Verdict {
    run(sanitized_test(&Options::default()).arg("--no-run"))?;
    let programs = sanitizer_dir().join(TRIPLE).join("release");
    let corpus = target_dir().join("fuzz");
    let list = capture(Command::new(programs.join("fuzz-seeds")).arg(&corpus))?;
    let targets: Vec<&str> = list.lines().filter_map(|line| line.split('\t').next()).collect();
    if let Some(unknown) = names.iter().find(|name| !targets.contains(*name)) {
        return Err(format!("no target `{unknown}`; there are: {}", targets.join(", ")));
    }
    for target in targets.into_iter().filter(|target| names.is_empty() || names.contains(target)) {
        let mut fuzz = Command::new(programs.join("fuzz"));
        fuzz.env("RINGSMITH_FUZZ", target);
        if files.is_empty() {
            fuzz.arg(corpus.join(target)).args(limits);
            let found = corpus.join(found(target));
            fuzz.args(["-timeout=10", "-print_final_stats=1"])
                .arg(format!("-artifact_prefix={}", found.display()));
        }
        run(fuzz.args(files)).map_err(|why| format!("{target}: {}{why}", inputs(&corpus, target)))?;
    }
    Ok(())
}

/// How the names of files begin that hold what a target fails on.
fn found(target: &str) -> String {
    format!("found-{target}-")
}

/// What a target failed on, on a line each.
fn inputs(corpus: &Path, target: &str) -> String {
    let found = found(target);
    let files = corpus.read_dir().into_iter().flatten().flatten();
    let files = files.filter(|file| file.file_name().to_string_lossy().starts_with(&found));
    let inputs = files.filter_map(|file| std::fs::read(file.path()).ok());
    inputs.map(|input| format!("fails on \"{}\"\n", input.escape_ascii())).collect()
}
