//! Memory safety, by tools of the nightly compiler.

use crate::needs::NIGHTLY;
use crate::shell::{cargo_of, run, target_dir};
use crate::suite::{Options, Verdict};

const TRIPLE: &str = "x86_64-unknown-linux-gnu";

/// Miri interprets the AVX2 backend: its laws, a permutation of the hash, and every route of the smallest ring.
pub(crate) fn miri(_: &Options) -> Verdict {
    let test = |args: &[&str]| {
        let mut test = cargo_of(NIGHTLY, &["miri", "test", "--target", TRIPLE]);
        test.args(args)
            .env("RUSTFLAGS", "-Ctarget-feature=+avx2")
            .env("MIRIFLAGS", "-Zmiri-permissive-provenance");
        run(test.env("CARGO_TARGET_DIR", target_dir().join("miri")))
    };
    test(&["-p", "ringsmith-simd", "--lib", "--tests"])?;
    test(&["-p", "ringsmith-hash", "--tests", "--", "permutation"])?;
    test(&["-p", "ringsmith-testkit", "--lib", "of_the_small_ring"])
}

/// AddressSanitizer watches the tests of the arithmetic; debug assertions check the proved bounds on the data as they run.
/// Optimised a little: what it puts into kernels takes the optimiser long.
pub(crate) fn asan(_: &Options) -> Verdict {
    let packages = ["simd", "ring", "hash", "schemes", "testkit"].map(|name| format!("-p=ringsmith-{name}"));
    let mut test = cargo_of(NIGHTLY, &["test", "--release", "--target", TRIPLE, "--lib", "--tests"]);
    test.args(packages).env("RUSTFLAGS", "-Zsanitizer=address -Cdebug-assertions=on");
    test.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1");
    run(test.env("CARGO_TARGET_DIR", target_dir().join("asan")))
}
