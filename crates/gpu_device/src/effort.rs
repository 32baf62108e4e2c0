//! How much is done.

use std::time::Duration;

/// How much is done.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Batches are divided by this.
    pub divisor: usize,
    /// How many degrees, or sizes of words, of a list are taken, at most.
    pub degrees: usize,
    /// How long each rate is measured.
    pub time: Duration,
    /// Bytes of a batch's memory.
    pub memory: usize,
    /// How long the soak takes.
    pub soak: Duration,
}

impl Effort {
    /// For a GPU.
    pub const FULL: Effort = Effort {
        divisor: 1,
        degrees: usize::MAX,
        time: Duration::from_millis(300),
        memory: 256 << 20,
        soak: Duration::from_secs(300),
    };
    /// For the tests of these programs.
    pub const TINY: Effort =
        Effort { divisor: 1 << 15, degrees: 1, time: Duration::ZERO, memory: 1 << 18, soak: Duration::ZERO };

    /// A batch of so many products, or fewer.
    pub fn batch(self, products: usize) -> usize {
        (products / self.divisor).max(1)
    }
}
