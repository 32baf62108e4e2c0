//! Every route of every ring with an odd modulus on a token that panics where a lane overflows.
//!
//! Proofs are about bounds that somebody wrote down; this is about what kernels do. Operands are those of the
//! tests of products, and some that were searched for.
//!
//! The token makes the compiler build every kernel once more, as for AVX2, and those of some rings as for
//! other machines, which takes a minute. It is the same for all machines, so one builds it, optimised.
#![allow(
    long_running_const_eval,
    reason = "what the compiler computes for the library, it does again for its types here"
)]

#[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
mod climb;
#[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
#[path = "../common/operands.rs"]
mod operands;
#[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
mod products;
#[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
mod rings;
#[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
mod words;

/// Stands for the others where they are not built.
#[cfg(not(all(target_arch = "x86_64", not(debug_assertions))))]
#[test]
#[ignore = "built on x86-64 in release alone: it takes minutes, and is the same for all machines"]
fn products() {}
