//! The operating system's randomness. If it fails, that is an error and not a panic.
//!
//! Functions that need randomness take a generator that cannot fail. The operating system's generator can
//! fail, at the first draw or at the tenth. [`drawn`] runs such a function on the system's generator and then
//! checks that every draw succeeded. If one failed, it drops the result and returns an error.
//!
//! ```
//! use rand_core::Rng;
//! use ringsmith_kem::random;
//!
//! let (mut seed, mut nonce) = ([0; 32], [0; 12]);
//! random::drawn(|rng| {
//!     rng.fill_bytes(&mut seed);
//!     rng.fill_bytes(&mut nonce);
//! })?;
//! # Ok::<(), random::Error>(())
//! ```

use core::convert::Infallible;
pub use getrandom::Error;
use getrandom::SysRng;
use rand_core::{TryCryptoRng, TryRng};

/// The system's generator. It remembers a failure; after one it returns a counter, so that a function which
/// draws until a value is accepted still ends.
pub struct SystemRng {
    failure: Option<Error>,
    count: u64,
}

/// Runs `make` with the system's randomness and returns its result.
///
/// # Errors
/// If the system's generator failed. Then do not use anything that `make` wrote elsewhere.
pub fn drawn<T>(make: impl FnOnce(&mut SystemRng) -> T) -> Result<T, Error> {
    let mut rng = SystemRng { failure: None, count: 0 };
    let made = make(&mut rng);
    match rng.failure {
        None => Ok(made),
        Some(why) => Err(why),
    }
}

impl SystemRng {
    /// Fills bytes with a counter; the result made of them is dropped.
    fn count(&mut self, bytes: &mut [u8]) {
        for piece in bytes.chunks_mut(8) {
            // The multiplier of Knuth's MMIX, so that all bits change.
            self.count = self.count.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            piece.copy_from_slice(&self.count.to_be_bytes()[..piece.len()]);
        }
    }
}

impl TryRng for SystemRng {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        let mut bytes = zeroize::Zeroizing::new([0; 4]);
        self.try_fill_bytes(bytes.as_mut())?;
        Ok(u32::from_le_bytes(*bytes))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let mut bytes = zeroize::Zeroizing::new([0; 8]);
        self.try_fill_bytes(bytes.as_mut())?;
        Ok(u64::from_le_bytes(*bytes))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        if self.failure.is_none()
            && let Err(why) = SysRng.try_fill_bytes(bytes)
        {
            self.failure = Some(why);
        }
        if self.failure.is_some() {
            self.count(bytes);
        }
        Ok(())
    }
}

impl TryCryptoRng for SystemRng {}
