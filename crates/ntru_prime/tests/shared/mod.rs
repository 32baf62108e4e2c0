//! What several tests need.
#![allow(dead_code, reason = "each test takes what it needs")]

pub(crate) mod ntru_prime;

/// Every place on a fast machine; one in `step` where a test would take minutes.
pub(crate) fn sampled(step: usize) -> usize {
    if cfg!(all(target_arch = "x86_64", not(debug_assertions))) { 1 } else { step }
}
