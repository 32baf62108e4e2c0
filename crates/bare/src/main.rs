//! Known answers on a Cortex-M4 without an operating system: ML-KEM's and NewHope-Compact-512's, of 100 runs
//! each.
//!
//! The program writes a line for each scheme by semihosting, and ends with a failure where a digest is not
//! the reference implementation's. `cargo xtask test no-std` runs it on an emulated board. For machines with
//! an operating system it is empty.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod answers;
#[cfg(target_os = "none")]
#[path = "../../testkit/src/digests.rs"]
#[allow(dead_code, unreachable_pub, reason = "the test kit checks all schemes")]
mod digests;
#[cfg(target_os = "none")]
#[path = "../../testkit/src/nist.rs"]
#[allow(dead_code, unreachable_pub, reason = "the test kit has more uses for it")]
mod nist;

#[cfg(not(target_os = "none"))]
fn main() {
    eprintln!("known-answers: this program is for machines without an operating system");
    std::process::exit(2);
}
