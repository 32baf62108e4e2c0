//! What the project's own checks run: every operation on secrets, of rings, hashes and schemes, as a
//! [`case`], with its secrets marked.
//!
//! Four tools look at the same cases, from outside and on the release build:
//!
//! * valgrind's memcheck, which follows the secrets (marked undefined) and reports a branch or an address
//!   that depends on one;
//! * a QEMU plugin, which hashes the instructions and addresses between the marks of [`observe`], or counts
//!   them;
//! * `ptrace`, by which they run step by step on the CPU itself where no emulator knows its instructions, and
//!   are hashed in the same way;
//! * the disassembler, which reads the kernels that the program `ct` holds.
//!
//! Each tool is shown to fail on the samples of [`leaky`] and of the program `bad-kernels`.
//!
//! Of the schemes, [`nist`] makes known answers, whose [`digests`] are those of the reference
//! implementations, [`vectors`] checks published ones, [`failure`] bounds how often they fail, and
//! [`messages`] looks whether they did. What decodes bytes is a target of [`fuzz`].
#![forbid(unsafe_code)]

// The tests of the other modules do without: cases take the compiler long, and theirs are in `tests/`.
#[cfg(all(feature = "cases", not(test)))]
pub mod case;
pub mod digests;
pub mod failure;
pub mod fuzz;
pub mod leaky;
pub mod messages;
pub mod nist;
pub mod nist_signatures;
pub mod observe;
pub mod operand;
pub mod vectors;

use nist::{Draws, NoFile};
use ringsmith::ml_dsa::{MlDsa44, MlDsa65, MlDsa87, TooManyAttempts};
use ringsmith::scheme::Scheme;
use ringsmith::signature::SignatureSet;
use ringsmith_simd::Cpu;

/// The response file of `count` runs.
///
/// # Errors
/// Where the scheme refuses what it made itself.
pub fn response_file(cpu: Cpu, scheme: &Scheme, count: usize, draws: Draws) -> Result<String, NoFile> {
    let (mut text, mut memory) = (String::new(), vec![0; nist::memory(scheme)]);
    nist::write_response_file(cpu, scheme, count, draws, &mut memory, &mut text)?;
    Ok(text)
}

/// What makes the response file of so many runs of a set of signatures.
pub type ResponseFile = fn(Cpu, usize) -> Result<String, TooManyAttempts>;

/// The sets of signatures by their names.
pub const SIGNATURES: [(&str, ResponseFile); 3] =
    [signatures::<MlDsa44>(), signatures::<MlDsa65>(), signatures::<MlDsa87>()];

const fn signatures<S: SignatureSet>() -> (&'static str, ResponseFile) {
    (S::NAME, nist_signatures::response_file::<S>)
}

/// The first steps of the book, as it prints them.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/start.md")]
pub mod start {}
