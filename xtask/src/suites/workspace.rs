//! What cargo checks and tests on this machine.

use super::harness::cargo_here;
use super::unbuilt;
use crate::needs::OLDEST;
use crate::shell::{cargo, cargo_of, run, target_dir};
use crate::suite::{Options, Verdict};
use std::process::Command;

/// The sources are formatted, and hold no test that is not built.
pub(crate) fn format(_: &Options) -> Verdict {
    run(&mut cargo(&["fmt", "--all", "--", "--check"]))?;
    unbuilt::run()
}

/// Clippy, here and (for the code behind `cfg`) for AArch64.
pub(crate) fn lint(_: &Options) -> Verdict {
    run(&mut cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))?;
    let aarch64 = ["clippy", "--target", "aarch64-unknown-linux-gnu", "--all-targets"];
    let packages =
        ["-p", "ringsmith-simd", "-p", "ringsmith-ring", "-p", "ringsmith-hash", "-p", "ringsmith-schemes"];
    run(cargo(&aarch64).args(packages).args(["--", "-D", "warnings"]))
}

/// The documentation.
pub(crate) fn docs(_: &Options) -> Verdict {
    run(cargo(&["doc", "--no-deps", "--workspace"]).env("RUSTDOCFLAGS", "-Dwarnings"))
}

/// Another compiler keeps another target directory, so that nothing is built again for the other suites.
pub(crate) fn oldest_rust(_: &Options) -> Verdict {
    let features = ["--features", "ringsmith/getrandom,ringsmith/hazmat,ringsmith/pem"];
    let mut check = cargo_of(OLDEST, &["check", "-p", "ringsmith-cli", "-p", "ringsmith"]);
    check.args(features);
    run(check.env("CARGO_TARGET_DIR", target_dir().join("oldest")))
}

/// `cargo test` of the whole workspace: always the same packages and flags, so that everything is built once.
fn test() -> Command {
    let mut test = cargo_here("test");
    test.arg("--workspace");
    test
}

/// All tests, with the best backend of the machine.
pub(crate) fn unit(_: &Options) -> Verdict {
    run(&mut test())
}

/// The backends of this machine.
pub(crate) fn backends_here() -> Vec<&'static str> {
    #[cfg(target_arch = "x86_64")]
    let vector: &[&str] =
        if std::arch::is_x86_feature_detected!("avx2") { &["sse2", "avx2"] } else { &["sse2"] };
    #[cfg(target_arch = "aarch64")]
    let vector: &[&str] = &["neon"];
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let vector: &[&str] = &[];
    [&["scalar"], vector].concat()
}

/// The tests that let `RINGSMITH_CPU` choose, with each choice. The others take every backend by themselves.
pub(crate) fn backends(_: &Options) -> Verdict {
    for backend in backends_here() {
        println!("RINGSMITH_CPU={backend}");
        run(test().args(["--bins", "--test=vectors"]).env("RINGSMITH_CPU", backend))?;
    }
    Ok(())
}

/// The exhaustive tests of the reductions.
pub(crate) fn reductions(options: &Options) -> Verdict {
    let mut command = test();
    command.args(["--test", "reductions", "--", "--ignored"]);
    if options.exhaustive {
        command.env("RINGSMITH_EXHAUSTIVE", "1");
    }
    run(&mut command)
}
