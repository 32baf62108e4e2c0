//! The suites, a file for each subject.

pub(crate) mod asm;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub(crate) mod avx512;
#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
pub(crate) mod avx512 {
    //! On other machines programs do not run step by step.

    use crate::suite::{Options, Verdict};

    /// The suite.
    pub(crate) fn run(_: &Options) -> Verdict {
        println!("not looked at: this is not Linux on x86-64");
        Ok(())
    }
}
pub(crate) mod bench;
pub(crate) mod bounds;
pub(crate) mod constant_time;
pub(crate) mod disassembly;
pub(crate) mod divisions;
mod free_threaded;
pub(crate) mod harness;
pub(crate) mod headers;
pub(crate) mod instructions;
pub(crate) mod interop;
pub(crate) mod mutants;
pub(crate) mod nightly;
pub(crate) mod once;
pub(crate) mod packages;
pub(crate) mod python;
pub(crate) mod release;
pub(crate) mod targets;
pub(crate) mod trace;
pub(crate) mod unbuilt;
pub(crate) mod width;
pub(crate) mod workspace;

use sha2::{Digest, Sha256};

/// SHA-256 in hexadecimal digits.
pub(crate) fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
