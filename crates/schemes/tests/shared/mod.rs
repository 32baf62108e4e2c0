//! What several tests need.
#![allow(dead_code, reason = "each test takes what it needs")]

use rand_core::{Infallible, TryCryptoRng, TryRng};
use ringsmith_hash::{RATE_256, Reader, Shake256};

/// A generator: SHAKE256 of a seed.
pub(crate) struct Random(Reader<RATE_256>);

impl Random {
    pub(crate) fn new(seed: &str) -> Self {
        Random(Shake256::new().absorb(seed.as_bytes()).reader())
    }

    pub(crate) fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        self.0.squeeze(&mut bytes);
        bytes
    }
}

impl TryRng for Random {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(u32::from_le_bytes(self.bytes()))
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(u64::from_le_bytes(self.bytes()))
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        self.0.squeeze(out);
        Ok(())
    }
}

impl TryCryptoRng for Random {}

/// The seed of the examples of RFC 9935: 0, 1, .. 63.
pub(crate) fn example_seed() -> [u8; 64] {
    std::array::from_fn(|i| i as u8)
}

/// Every place on a fast machine; one in `step` where a test would take minutes.
pub(crate) fn sampled(step: usize) -> usize {
    if cfg!(all(target_arch = "x86_64", not(debug_assertions))) { 1 } else { step }
}

/// Runs a macro for each parameter set: `for_each_set!(check)` calls `check!(ml_kem_512, MlKem512)` and so on.
#[macro_export]
macro_rules! for_each_set {
    ($check:ident) => {
        $check!(ml_kem_512, MlKem512);
        $check!(ml_kem_768, MlKem768);
        $check!(ml_kem_1024, MlKem1024);
    };
}
