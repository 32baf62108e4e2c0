//! Arithmetic modulo a prime below `2^31`, of numbers that are public.

/// The integers modulo a prime.
#[derive(Clone, Copy)]
pub(crate) struct Field(pub(crate) u64);

impl Field {
    /// A product of numbers below the prime.
    pub(crate) fn times(self, a: u64, b: u64) -> u64 {
        a * b % self.0
    }

    /// A power.
    pub(crate) fn power(self, base: u64, mut exponent: u64) -> u64 {
        let (mut result, mut square) = (1, base % self.0);
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = self.times(result, square);
            }
            (square, exponent) = (self.times(square, square), exponent >> 1);
        }
        result
    }

    /// The inverse of what is not 0, by Fermat.
    pub(crate) fn invert(self, a: u64) -> u64 {
        self.power(a, self.0 - 2)
    }

    /// `p^-1` modulo `2^32`, by Newton.
    pub(crate) fn inverse_of_word(self) -> u32 {
        let p = self.0 as u32;
        (0..4).fold(p, |x, _| x.wrapping_mul(2_u32.wrapping_sub(p.wrapping_mul(x))))
    }
}
