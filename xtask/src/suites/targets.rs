//! The tests on other machines: emulated, or run as they are. Linkers and runners are in `.cargo/config.toml`.

use super::harness::Machine;
use crate::shell::{cargo, run};
use crate::suite::{Options, Verdict};
use std::process::Command;

/// The crates of the library, which every machine must pass, and the test kit's known answers of the schemes.
const LIBRARY: &[&str] = &[
    "-p",
    "ringsmith-simd",
    "-p",
    "ringsmith-oracle",
    "-p",
    "ringsmith-ring",
    "-p",
    "ringsmith-hash",
    "-p",
    "ringsmith-schemes",
    "-p",
    "ringsmith",
    "-p",
    "ringsmith-testkit",
];

/// Integration and documentation tests, and the oracle's unit tests. Of the others, `ring`, `hash` and `schemes` have none in their sources
/// (`test = false`: they would build every kernel once more), and the test kit's are left to this machine.
fn test_on(cargo_test: impl Fn() -> Command) -> Verdict {
    let test = |args: &[&str], packages: &[&str]| run(cargo_test().args(packages).args(args));
    test(&["--lib"], &["-p", "ringsmith-oracle"])?;
    test(&["--test", "*"], LIBRARY)?;
    test(&["--doc"], LIBRARY)
}

/// NEON, under emulation.
pub(crate) fn aarch64(_: &Options) -> Verdict {
    test_on(|| Machine::Aarch64.cargo("test"))
}

/// Big-endian, under emulation.
pub(crate) fn s390x(_: &Options) -> Verdict {
    test_on(|| cargo(&["test", "--release", "--target", "s390x-unknown-linux-gnu"]))
}

/// 32-bit words; x86-64 runs it as it is.
pub(crate) fn i686(_: &Options) -> Verdict {
    test_on(|| cargo(&["test", "--release", "--target", "i686-unknown-linux-gnu"]))
}

/// The library without a standard library: checked without any feature, built with those that need no operating system.
pub(crate) fn no_std(_: &Options) -> Verdict {
    let library = ["-p", "ringsmith", "--no-default-features", "--target", "thumbv7em-none-eabi"];
    run(cargo(&["check"]).args(library))?;
    run(cargo(&["build", "--release", "--features", "hazmat,hpke,kem,pem"]).args(library))
}
