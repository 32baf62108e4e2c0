//! The reductions against their definitions: congruent, within the interval that the plans count on, and that
//! interval no wider than it must be.
//!
//! The 16-bit reductions are run on all words, on every backend, at every `cargo test`. Those of 32-bit
//! values are run on edge values there, and on all 2^32 values, on the fastest backend, by the `reductions`
//! suite: `cargo test --release -p ringsmith-ring --test reductions -- --ignored`; `RINGSMITH_EXHAUSTIVE=1`
//! adds more moduli.
//!
//! The reductions are no part of the interface: builds with `--cfg ringsmith_internals`, which `cargo xtask`
//! makes, have them.
#![cfg(ringsmith_internals)]

/// Runs a check for each modulus.
macro_rules! moduli {
    ($check:ident: $($q:literal)*) => { $($check::<$q>();)* };
}

mod k_red;
mod montgomery;
mod support;
mod words;
