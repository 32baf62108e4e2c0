//! The project's own commands: `cargo xtask help`.
//!
//! A [`suite`] is one check of the whole project with what it needs of the machine; [`report`] runs suites
//! and sums up.
#![forbid(unsafe_code)]

mod book;
mod builds;
mod catalogue;
mod cost;
mod demangle;
mod gpu;
mod needs;
mod release;
mod report;
mod shell;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod step;
mod suite;
mod suites;

use std::path::Path;
use std::process::ExitCode;
use suite::Options;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  test [SUITE...] [--exhaustive] [--list]   run the suites that this machine can run (all of them, \
                                            or those named)
  install [SUITE...|release]                what suites need: Debian's packages, Rust's targets and \
                                            toolchains; or what a release needs
  build-cost [--written]                    CPU seconds and kernels by crate: from nothing, \
                                            or of the suites' builds
  docs                                      the documentation, warnings denied; the book; the pages, done
  book [--done]                             the book, and its links; or its pages, done in a copy
  asm [--self-test]                         the kernels as compiled: no calls, no divisions, in registers
  ct                                        constant time, by tool, on every backend
  instructions [--bless]                    instruction counts against the committed ones
  mutants                                   ML-DSA with one rule broken at a time, and the vectors that see it
  kat SCHEME [COUNT] [--bulk-rng]           the response file of NIST's known-answer tests; \
                                            numbers drawn at once
  vectors SCHEME FILE...                    files of published test vectors; SCHEME may be `all`, \
                                            a FILE a folder or `-`
  failure [SCHEME]                          how often schemes fail by themselves at most, \
                                            from the distribution of the error
  messages [SET] [--count N] [--seed N]     random messages of public-key encryption, \
                                            encrypted and decrypted: 10,000 of each set
  fuzz [TARGET] [--seconds N | --runs N] [FILE...] | TARGET --plain N
                                            random bytes into every decoder, or into one; or these files, once
  interop [--time]                          the command next to PyCA's cryptography, Go's crypto/mlkem, \
                                            BouncyCastle,
                                            age and rage; or how long files take beside rage
  load [--exhaustive]                       handshakes a second of nginx, with ML-KEM and without, \
                                            10,000 of each server, or 100,000
  oqs FOLDER                                a shared object with entry points of liboqs, \
                                            in a folder for programs that look for one
  c-library FOLDER [FEATURES]               the C library, its headers and its manual page, in a folder; \
                                            with all schemes and rings, or with those of features
  release FOLDER [PART...] [--for MACHINE]  what is published, in a new folder: sources, inventory, \
                                            licences, binaries, debian, wheel
  release-check [--offline] [--since COMMIT] [STEP...]
                                            manifests, dependencies, packages, features, interfaces, \
                                            documentation, targets
  bench [--peers[=ONE]] [ARGS...]           the benchmarks (built with the peers' crates where asked, \
                                            and one that is not built by itself: mldsa-native)
  bench --table PAPER [ARGS...]             a paper's tables by `ringsmith bench`, plain Rust with them; \
                                            --gpu fills the columns of GPUs
  gpu [--bless] [MODULE...]                 the GPU's kernels by NVIDIA's compilers, \
                                            against the committed budget
  gpu --device FOLDER [--gpu-ntt FOLDER]    programs for a machine with a GPU and nothing else; \
                                            with GPU-NTT, whose sources are in a folder
  gpu --report RESULTS                      writes what such a machine measured into docs/gpu.md
  help                                      this page

  --target T     first of `kat` and `vectors`: on this machine, emulated where it must be \
                 (aarch64-unknown-linux-gnu, ...)
  --exhaustive   every modulus in the exhaustive tests, every plan in `bounds`, \
                 every test on other machines, more
                 secrets and builds before the tools that watch them: not a sample
  --bless        write the committed counts anew from what is measured
  CI=true        a suite that could not run is a failure

suites:
";

fn usage() -> String {
    let lines = catalogue::every().map(|suite| format!("  {:<20} {}\n", suite.name, suite.about));
    USAGE.to_string() + &lines.collect::<String>()
}

fn main() -> ExitCode {
    if let Some(code) = cost::wrapper() {
        return code;
    }
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let outcome = match args.split_first() {
        Some((&"test", rest)) => test(rest),
        Some((&"install", rest)) => install(rest).map(|()| true),
        Some((&"build-cost", rest)) => cost::run(rest).map(|()| true),
        Some((&"docs", rest)) => single(&["docs"], rest),
        Some((&"book", [])) => book::build().map(|()| true),
        Some((&"book", ["--done", rest @ ..])) => {
            Options::parse(rest).and_then(|options| book::do_pages(&options)).map(|()| true)
        }
        Some((&"asm", ["--self-test"])) => single(&["asm-samples"], &[]),
        Some((&"asm", rest)) => single(&["asm"], rest),
        Some((&"ct", rest)) => {
            let kinds = ["constant-time", "constant-time-avx512", "constant-time-neon", "constant-time-i686"];
            single(&[&kinds[..], &["divisions"]].concat(), rest)
        }
        Some((&"mutants", rest)) => single(&["mutants"], rest),
        Some((&"instructions", rest)) => single(&["instructions"], rest),
        Some((program @ (&"kat" | &"failure" | &"messages" | &"vectors"), rest)) => {
            return exit(builds::forward(program, rest));
        }
        Some((&"fuzz", rest)) => suites::nightly::fuzz_command(rest).map(|()| true),
        Some((&"interop", ["--time"])) => suites::interop::time().map(|()| true),
        Some((&"load", rest)) => suites::interop::load(rest).map(|()| true),
        Some((&"interop", rest)) => single(&["interop"], rest),
        Some((&"oqs", [folder])) => folder_of(folder).and_then(suites::interop::ssh::object).map(|()| true),
        Some((&"c-library", [folder])) => c_library(folder, "all"),
        Some((&"c-library", [folder, features])) => c_library(folder, features),
        Some((&"release", [folder, parts @ ..])) => {
            folder_of(folder).and_then(|folder| release::command(folder, parts)).map(|()| true)
        }
        Some((&"release-check", rest)) => suites::release::check(rest).map(|()| true),
        Some((&"gpu", rest)) => gpu::command(rest),
        Some((&"bench", rest)) => suites::bench::run(rest).map(|()| true),
        None | Some((&("help" | "--help" | "-h"), _)) => {
            print!("{}", usage());
            Ok(true)
        }
        Some((command, _)) => Err(format!("no command `{command}`; `cargo xtask help` lists them")),
    };
    exit(outcome.map(|good| u8::from(!good)))
}

/// A folder that is written, which no option is.
fn folder_of(name: &str) -> Result<&Path, String> {
    if name.starts_with('-') {
        return Err(format!("{name} is an option, not a folder; `cargo xtask help` lists the commands"));
    }
    Ok(name.as_ref())
}

/// `cargo xtask c-library`.
fn c_library(folder: &str, features: &str) -> Result<bool, String> {
    let folder = folder_of(folder)?;
    suites::interop::c_library::command(folder, features).map(|()| true)
}

/// An exit code, or 2 after what went wrong.
fn exit(code: Result<u8, String>) -> ExitCode {
    ExitCode::from(code.unwrap_or_else(|why| {
        eprintln!("xtask: {why}");
        2
    }))
}

/// `cargo xtask test`.
fn test(args: &[&str]) -> Result<bool, String> {
    if args.contains(&"--list") {
        catalogue::every().for_each(|suite| println!("{:<20} {}", suite.name, suite.about));
        return Ok(true);
    }
    let names: Vec<&str> = args.iter().copied().filter(|arg| !arg.starts_with("--")).collect();
    let flags: Vec<&str> = args.iter().copied().filter(|arg| arg.starts_with("--")).collect();
    single(&names, &flags)
}

/// `cargo xtask install`.
fn install(names: &[&str]) -> Result<(), String> {
    if names == ["release"] {
        return needs::install(&release::NEEDS.iter().collect::<Vec<_>>());
    }
    let needs: Vec<_> = catalogue::choose(names)?.into_iter().flat_map(|suite| suite.needs).collect();
    needs::install(&needs)
}

/// Runs the named suites (all where none is named).
fn single(names: &[&str], flags: &[&str]) -> Result<bool, String> {
    let options = Options::parse(flags)?;
    let chosen = catalogue::choose(names)?;
    Ok(report::run(&chosen, &options))
}
