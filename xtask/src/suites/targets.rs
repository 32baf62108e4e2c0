//! The tests on other machines: emulated, or run as they are. Linkers and runners are in
//! `.cargo/config.toml`.

use crate::builds::Build;
use crate::cost::compiling;
use crate::shell::{capture, cargo, run, target_dir};
use crate::suite::{Options, Verdict};
use std::process::Command;

/// The tests of what lanes compute: the operations themselves, every route of every ring, inverses, words,
/// hashes, every scheme's known answers, ciphertexts that are refused, and whether secrets are cleared. What
/// all other tests look at is the same code on every machine.
const OF_LANES: &[&str] = &[
    "--test=cleared",
    "--test=divisors",
    "--test=fips202",
    "--test=interleaved",
    "--test=inverse",
    "--test=inverse_lifted",
    "--test=inverse_mod_2",
    "--test=inverse_ternary",
    "--test=inverses",
    "--test=k_red",
    "--test=known_answers",
    "--test=laws",
    "--test=ml_dsa",
    "--test=ml_dsa_vectors",
    "--test=ml_kem",
    "--test=modulo_3",
    "--test=new_hope",
    "--test=ntru_definition",
    "--test=ntru_parts",
    "--test=ntru_prime",
    "--test=ntruencrypt",
    "--test=private_keys",
    "--test=products",
    "--test=rejected",
    "--test=rns",
    "--test=routes",
    "--test=sha512",
    "--test=sort",
    "--test=trits",
];

/// Those of them that meet the order of bytes.
const OF_BYTES: &[&str] = &["--test=laws", "--test=fips202", "--test=sha512", "--test=known_answers"];

/// Some integration tests; or all of them, and those of the documentation.
fn test_on(build: Build, some: &[&str], options: &Options) -> Verdict {
    if !options.exhaustive {
        return build.test(some, &[]);
    }
    build.test(&["--test", "*"], &[])?;
    build.test(&["--doc"], &[])
}

/// A CPU without the instructions for SHA-3, which the emulator's best one has.
const WITHOUT_SHA3: (&str, &str) = (
    "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER",
    "qemu-aarch64 -cpu cortex-a72 -L /usr/aarch64-linux-gnu",
);

/// The unit tests of word lanes, which reach what is private: bounds in lanes as bad as their contract
/// allows, passes of the worst rows, and lanes that no ring of the machine chooses.
fn word_lanes(build: Build) -> Verdict {
    build.unit("ringsmith-word", "ringsmith-word/k-red")
}

/// NEON, under emulation; hashes and the known answers of ML-DSA without instructions for SHA-3, too.
pub(crate) fn aarch64(options: &Options) -> Verdict {
    test_on(Build::Aarch64, OF_LANES, options)?;
    word_lanes(Build::Aarch64)?;
    Build::Aarch64.test(&["--test=fips202"], &[WITHOUT_SHA3])?;
    Build::Aarch64.test(&["--test=ml_dsa", "--test=ml_dsa_vectors"], &[WITHOUT_SHA3])?;
    // Of the crate's test; the test kit's has other names.
    Build::Aarch64.test(&["--test=known_answers", "--", "digests"], &[WITHOUT_SHA3])
}

/// Big-endian, under emulation.
pub(crate) fn s390x(options: &Options) -> Verdict {
    test_on(Build::S390x, OF_BYTES, options)
}

/// Plain Rust, and 32-bit words; x86-64 runs it as it is.
pub(crate) fn i686(options: &Options) -> Verdict {
    test_on(Build::I686, OF_LANES, options)?;
    word_lanes(Build::I686)
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
