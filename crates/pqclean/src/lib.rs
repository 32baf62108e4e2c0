//! PQClean's NTRU, NTRU Prime and ML-DSA, C code that the crates `pqcrypto-ntru`, `pqcrypto-ntruprime` and
//! `pqcrypto-mldsa` carry, by its own functions: portable code and the submissions' for AVX2 in one program,
//! and **with the caller's randomness**. For the benchmarks alone; no part of the library.
//!
//! By their Rust interfaces these crates ask the operating system for randomness, which costs more than all
//! else that an encapsulation does on some machines, and have one of the two implementations. What is
//! measured beside it draws from a generator in memory, so this must too.
//!
//! # How
//! The C code draws by `PQCRYPTO_RUST_randombytes`, a function of the crate `pqcrypto-internals`. This crate
//! has one of that name; it stands before that one when a program is linked, and the first is taken. Were it
//! not, the bytes would not be ours: a test of the benchmarks compares keys and ciphertexts of the same seeds
//! byte by byte.
//!
//! Without the features `code` and `ml-dsa` there is nothing here, and no C compiler is needed.
#![cfg(any(feature = "code", feature = "ml-dsa"))]

#[cfg(feature = "code")]
mod kem;
mod randomness;
#[cfg(feature = "code")]
mod sets;
#[cfg(feature = "ml-dsa")]
mod signature;

#[cfg(feature = "code")]
pub use kem::Kem;
#[cfg(feature = "code")]
pub use sets::{NTRU, NTRU_PRIME, Set};
#[cfg(feature = "ml-dsa")]
pub use signature::{ML_DSA, Signature, SignatureSet};

/// What the functions of this crate say of slices that don't fit.
const LENGTH: &str = "lengths are those of the parameter set";

/// Whether the CPU has what vector code was compiled for.
#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    use std::arch::is_x86_feature_detected as has;
    has!("avx2") && has!("bmi1") && has!("bmi2") && has!("aes") && has!("popcnt") && has!("pclmulqdq")
}

/// The same.
#[cfg(not(target_arch = "x86_64"))]
fn has_avx2() -> bool {
    false
}
