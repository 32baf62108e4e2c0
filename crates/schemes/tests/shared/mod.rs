//! What several tests need.
#![allow(dead_code, reason = "each test takes what it needs")]

pub(crate) mod ntru_prime;

/// The seed of the examples of RFC 9935: 0, 1, .. 63.
pub(crate) fn example_seed() -> [u8; 64] {
    std::array::from_fn(|i| i as u8)
}

/// The sets of ML-KEM among all schemes.
pub(crate) fn ml_kem() -> impl Iterator<Item = &'static ringsmith_schemes::scheme::Scheme> {
    ringsmith_schemes::scheme::ALL.into_iter().filter(|scheme| scheme.name.starts_with("ML-KEM-"))
}

/// Every place on a fast machine; one in `step` where a test would take minutes.
pub(crate) fn sampled(step: usize) -> usize {
    if cfg!(all(target_arch = "x86_64", not(debug_assertions))) { 1 } else { step }
}

/// Runs a macro for each parameter set: `for_each_set!(check)` calls `check!(ml_kem_512, MlKem512)` and so
/// on.
#[macro_export]
macro_rules! for_each_set {
    ($check:ident) => {
        $check!(ml_kem_512, MlKem512);
        $check!(ml_kem_768, MlKem768);
        $check!(ml_kem_1024, MlKem1024);
    };
}
