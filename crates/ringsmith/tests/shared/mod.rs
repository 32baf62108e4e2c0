//! What several tests need.
#![allow(dead_code, reason = "each test takes what it needs")]

#[path = "../../../ntru_prime/tests/shared/mod.rs"]
mod of_ntru_prime;

#[allow(unused_imports, reason = "each test takes what it needs")]
pub(crate) use of_ntru_prime::{ntru_prime, sampled};

/// The seed of the examples of RFC 9935: 0, 1, .. 63.
pub(crate) fn example_seed() -> [u8; 64] {
    std::array::from_fn(|i| i as u8)
}

/// The sets of ML-KEM among all schemes.
pub(crate) fn ml_kem() -> impl Iterator<Item = &'static ringsmith::scheme::Scheme> {
    ringsmith::scheme::ALL.iter().copied().filter(|scheme| scheme.name.starts_with("ML-KEM-"))
}
