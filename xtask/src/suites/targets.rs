//! The tests on other machines: emulated, or run as they are. Linkers and runners are in
//! `.cargo/config.toml`.

use crate::builds::Build;
use crate::cost::compiling;
use crate::shell::{capture, cargo, run, target_dir};
use crate::suite::{Options, Verdict};
use std::process::Command;

/// What each machine that differs from this one in more than its vectors is tested by: the lanes, one ring
/// for each route, the hashes, and every scheme's known answers.
const SOME: &[&str] =
    &["--test=laws", "--test=routes", "--test=fips202", "--test=sha512", "--test=known_answers"];

/// Integration and documentation tests; all of them, or those that say most.
fn test_on(build: Build, all: bool) -> Verdict {
    build.test(if all { &["--test", "*"] } else { SOME }, &[])?;
    if all { build.test(&["--doc"], &[]) } else { Ok(()) }
}

/// NEON, under emulation: every route of every ring.
pub(crate) fn aarch64(_: &Options) -> Verdict {
    test_on(Build::Aarch64, true)
}

/// Big-endian, under emulation.
pub(crate) fn s390x(options: &Options) -> Verdict {
    test_on(Build::S390x, options.exhaustive)
}

/// 32-bit words; x86-64 runs it as it is.
pub(crate) fn i686(options: &Options) -> Verdict {
    test_on(Build::I686, options.exhaustive)
}

/// The emulated board, with a Cortex-M4.
const BOARD: [&str; 6] =
    ["-M", "mps2-an386", "-nographic", "-semihosting-config", "enable=on,target=native", "-kernel"];

/// The library without a standard library: checked without any feature, and with those that need no operating
/// system; built with those that need no allocator either; and known answers on an emulated microcontroller.
pub(crate) fn no_std(_: &Options) -> Verdict {
    let library = ["-p", "ringsmith", "--no-default-features", "--target", "thumbv7em-none-eabi"];
    for features in ["", "all,hazmat,hpke,kem,pem"] {
        let mut check = cargo(&["check"]);
        check.args(library).args(["--features", features]).env("CARGO_TARGET_DIR", target_dir().join("lint"));
        compiling(|| run(&mut check))?;
    }
    let mut any = cargo(&["check", "-p", "ringsmith-any", "--target", "thumbv7em-none-eabi"]);
    compiling(|| run(any.env("CARGO_TARGET_DIR", target_dir().join("lint"))))?;
    compiling(|| run(&mut Build::Thumb.cargo("build")))?;
    let mut board = Command::new("qemu-system-arm");
    let out = capture(board.args(BOARD).arg(Build::Thumb.programs().join("known-answers")))?;
    print!("{out}");
    // The program's own verdict is its exit code; that it has one for each scheme is seen here.
    match out.lines().filter(|line| line.ends_with(": right")).count() {
        0 => Err("the program on the board said nothing".to_string()),
        _ => Ok(()),
    }
}
