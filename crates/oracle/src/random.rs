//! Operands that look random.

/// Numbers for tests that look random and are the same for the same seed: SplitMix64 (Steele, Lea and Flood,
/// OOPSLA 2014). Any seed is as good as any other, and a number costs a few cycles. No source of secrets.
#[derive(Clone)]
pub struct Random(u64);

impl Random {
    /// From a seed.
    pub const fn new(seed: u64) -> Self {
        Random(seed)
    }

    /// The next 64 bits.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// A number from `low` to `high`, of which there must be fewer than `2^63`.
    pub fn within(&mut self, low: i64, high: i64) -> i64 {
        low + (self.word() % (high - low + 1) as u64) as i64
    }

    /// The next words' bytes, the least significant first.
    pub fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        self.fill(&mut bytes);
        bytes
    }

    /// The same into a slice.
    pub fn fill(&mut self, bytes: &mut [u8]) {
        let (words, rest) = bytes.as_chunks_mut();
        words.iter_mut().for_each(|word| *word = self.word().to_le_bytes());
        if !rest.is_empty() {
            rest.copy_from_slice(&self.word().to_le_bytes()[..rest.len()]);
        }
    }
}

/// Interfaces that make keys ask for a generator of secrets, and so it is marked as one: for keys that are
/// tested or measured, and dropped.
#[cfg(feature = "rand_core")]
mod generator {
    use super::Random;
    use rand_core::{Infallible, TryCryptoRng, TryRng};

    impl TryRng for Random {
        type Error = Infallible;
        fn try_next_u32(&mut self) -> Result<u32, Infallible> {
            Ok(self.word() as u32)
        }
        fn try_next_u64(&mut self) -> Result<u64, Infallible> {
            Ok(self.word())
        }
        fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
            self.fill(out);
            Ok(())
        }
    }

    impl TryCryptoRng for Random {}

    /// A generator of a function that fills bytes: for tests that say what is drawn.
    pub struct Generator<F>(pub F);

    impl<F: FnMut(&mut [u8])> TryRng for Generator<F> {
        type Error = Infallible;
        fn try_next_u32(&mut self) -> Result<u32, Infallible> {
            rand_core::utils::next_word_via_fill(self)
        }
        fn try_next_u64(&mut self) -> Result<u64, Infallible> {
            rand_core::utils::next_word_via_fill(self)
        }
        fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
            (self.0)(out);
            Ok(())
        }
    }

    impl<F: FnMut(&mut [u8])> TryCryptoRng for Generator<F> {}
}
#[cfg(feature = "rand_core")]
pub use generator::Generator;
