//! Numbers modulo any `q` from 2 to `2^62`, prime or not, in constant time.
//!
//! # The map
//! A product `x = a b < q^2` is reduced by an estimate of its quotient (P. Barrett, 1986). With
//! `2^(k-1) < q <= 2^k` and `m = floor(2^(2 k) / q)`, both public,
//!
//! ```text
//! e = floor(floor(x / 2^(k-1)) m / 2^(k+1))      is at most two less than floor(x / q),
//! ```
//!
//! so that `x - e q` is in `[0, 3 q)`, which a word holds. A product by a constant `w` takes its quotient
//! `floor(2^64 w / q)` instead (V. Shoup's, in NTL), which is at most one less for any word.

/// The bits of the greatest modulus.
pub(crate) const BITS: u32 = 62;

/// `x - y` where that is not negative, else `x`; `y` and `x - y` are below `2^63`.
#[inline(always)]
pub(crate) fn take_off(x: u64, y: u64) -> u64 {
    let difference = x.wrapping_sub(y);
    difference.wrapping_add(y & mask(difference >> (u64::BITS - 1)))
}

/// All ones where `bit` is 1, which the compiler does not see through.
#[inline(always)]
fn mask(bit: u64) -> u64 {
    core::hint::black_box(bit).wrapping_neg()
}

/// A modulus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Zq {
    q: u64,
    /// `k - 1`.
    shift: u32,
    /// `floor(2^(2 k) / q)`.
    reciprocal: u64,
    /// The factor 1.
    one: Factor,
}

/// A constant, made to be multiplied by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Factor {
    w: u64,
    quotient: u64,
}

impl Zq {
    /// From 2 to `2^62`.
    pub(crate) fn new(q: u64) -> Self {
        debug_assert!((2..=1 << BITS).contains(&q));
        let bits = u64::BITS - (q - 1).leading_zeros();
        let reciprocal = ((1_u128 << (2 * bits)) / u128::from(q)) as u64;
        Zq { q, shift: bits - 1, reciprocal, one: factor(1, q) }
    }

    /// `q`.
    pub(crate) fn modulus(self) -> u64 {
        self.q
    }

    /// `x` modulo `q` of a product of numbers below `q`.
    #[inline(always)]
    fn reduce(self, x: u128) -> u64 {
        let top = (x >> self.shift) as u64;
        let estimate = (u128::from(top) * u128::from(self.reciprocal)) >> (self.shift + 2);
        let rest = (x as u64).wrapping_sub((estimate as u64).wrapping_mul(self.q));
        self.once(self.once(rest))
    }

    /// `x` modulo `q` of any word.
    #[inline(always)]
    pub(crate) fn word(self, x: u64) -> u64 {
        self.times(x, self.one)
    }

    /// `x` modulo `q` where `x < 2 q`.
    #[inline(always)]
    pub(crate) fn once(self, x: u64) -> u64 {
        take_off(x, self.q)
    }

    /// `a + b`.
    #[inline(always)]
    pub(crate) fn add(self, a: u64, b: u64) -> u64 {
        self.once(a + b)
    }

    /// `a - b`.
    #[inline(always)]
    pub(crate) fn sub(self, a: u64, b: u64) -> u64 {
        self.once(a + self.q - b)
    }

    /// `a b`.
    #[inline(always)]
    pub(crate) fn product(self, a: u64, b: u64) -> u64 {
        self.reduce(u128::from(a) * u128::from(b))
    }

    /// `base^exponent`; the exponent is public.
    pub(crate) fn power(self, base: u64, exponent: u64) -> u64 {
        (0..u64::BITS).rev().fold(self.word(1), |x, bit| {
            let square = self.product(x, x);
            if exponent >> bit & 1 == 1 { self.product(square, base) } else { square }
        })
    }

    /// `1 / x`, where `q` is a prime, by Fermat.
    pub(crate) fn inverse_of_prime(self, x: u64) -> u64 {
        self.power(x, self.q - 2)
    }

    /// A constant below `q`, which is public.
    pub(crate) fn factor(self, w: u64) -> Factor {
        factor(w, self.q)
    }

    /// `b w` modulo `q`, of any word `b`.
    #[inline(always)]
    pub(crate) fn times(self, b: u64, Factor { w, quotient }: Factor) -> u64 {
        let estimate = ((u128::from(b) * u128::from(quotient)) >> u64::BITS) as u64;
        self.once(b.wrapping_mul(w).wrapping_sub(estimate.wrapping_mul(self.q)))
    }
}

/// The factor of `w < q`.
fn factor(w: u64, q: u64) -> Factor {
    Factor { w, quotient: ((u128::from(w) << u64::BITS) / u128::from(q)) as u64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ringsmith_oracle::Random;

    /// Protects: every operation, for moduli at the edges of every number of bits and for the greatest
    /// operands, against 128-bit division.
    #[test]
    fn operations() {
        let mut random = Random::new(1);
        let edges = (1..=BITS).flat_map(|bits| [(1 << bits) - 1, 1 << bits, (1 << bits) + 1]);
        for q in edges.filter(|q| (2..=1 << BITS).contains(q)) {
            let zq = Zq::new(q);
            let [x, y, z] = [(); 3].map(|()| random.word() % q);
            let numbers = [0, 1, q / 2, q - 1, x, y, z];
            for a in &numbers {
                for b in &numbers {
                    let [wide, other, modulus] = [*a, *b, q].map(u128::from);
                    assert_eq!(u128::from(zq.product(*a, *b)), wide * other % modulus, "{a} {b} {q}");
                    assert_eq!(u128::from(zq.times(*a, zq.factor(*b))), wide * other % modulus);
                    assert_eq!(u128::from(zq.add(*a, *b)), (wide + other) % modulus);
                    assert_eq!(u128::from(zq.sub(*a, *b)), (wide + modulus - other) % modulus);
                }
            }
            for x in [u64::MAX, 1 << 63, random.word()] {
                assert_eq!(zq.word(x), x % q);
            }
        }
    }
}
