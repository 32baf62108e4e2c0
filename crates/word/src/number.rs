//! Numbers modulo a prime, of which all are public: primality, powers, roots of unity.

use crate::WordError;

/// `a b mod p`.
pub(crate) fn multiply(a: u64, b: u64, p: u64) -> u64 {
    // Both are below p; division of words is many times faster.
    if p >> u32::BITS == 0 { a * b % p } else { (u128::from(a) * u128::from(b) % u128::from(p)) as u64 }
}

/// `base^exponent mod p`.
pub(crate) fn power(base: u64, exponent: u64, p: u64) -> u64 {
    let (mut result, mut square, mut rest) = (1 % p, base % p, exponent);
    while rest > 0 {
        if rest & 1 == 1 {
            result = multiply(result, square, p);
        }
        (square, rest) = (multiply(square, square, p), rest >> 1);
    }
    result
}

/// `a^-1 mod p` for a prime `p` that does not divide `a`, by Fermat.
pub(crate) fn inverse(a: u64, p: u64) -> u64 {
    power(a, p - 2, p)
}

/// `p^-1 mod 2^64` for odd `p`, by Newton: each step doubles the bits that are right, of which `p` itself has
/// three.
pub(crate) fn inverse_of_word(p: u64) -> u64 {
    (0..5).fold(p, |x, _| x.wrapping_mul(2_u64.wrapping_sub(p.wrapping_mul(x))))
}

/// These bases tell composites below 318665857834031151167461, which has 79 bits (Sorenson and Webster,
/// *Strong pseudoprimes to twelve prime bases*, Mathematics of Computation 86, 2017).
const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];

/// Whether `p < 2^62` is an odd prime: the test of Miller and Rabin, with bases that leave no doubt.
pub(crate) fn is_odd_prime(p: u64) -> bool {
    if p < 3 || p.is_multiple_of(2) {
        return false;
    }
    if let Some(base) = BASES.into_iter().find(|base| p.is_multiple_of(*base)) {
        return p == base;
    }
    BASES.into_iter().all(|base| passes(base, p))
}

/// Whether `p`, which is below `2^62`, is a prime. It is public.
///
/// ```
/// assert!(ringsmith_word::is_prime(12289) && !ringsmith_word::is_prime(12289 * 3));
/// ```
pub fn is_prime(p: u64) -> bool {
    p == 2 || is_odd_prime(p)
}

/// Whether an odd `p` passes the test of a base: `base^d`, where `p - 1 = 2^s d`, is 1, or a square of it is
/// -1.
fn passes(base: u64, p: u64) -> bool {
    let squarings = (p - 1).trailing_zeros();
    let mut x = power(base, (p - 1) >> squarings, p);
    if x == 1 {
        return true;
    }
    for _ in 0..squarings {
        if x == p - 1 {
            return true;
        }
        x = multiply(x, x, p);
    }
    false
}

/// A root of unity of the order `order`, a power of two from 2 on: that of the least base which has one.
pub(crate) fn root(order: usize, p: u64) -> Result<u64, WordError> {
    let order64 = order as u64;
    if !(p - 1).is_multiple_of(order64) {
        return Err(WordError::Roots { p, order });
    }
    // Half of all bases are no squares, and their power is a root.
    let candidates = (2..p).map(|base| power(base, (p - 1) / order64, p));
    let mut roots = candidates.filter(|root| power(*root, order64 / 2, p) == p - 1);
    roots.next().ok_or(WordError::Roots { p, order })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: the primality test, against trial division; and squares of primes, Carmichael numbers and
    /// strong pseudoprimes to the first bases.
    #[test]
    fn primes() {
        let by_trial = |p: u64| p > 2 && (2..p).take_while(|d| d * d <= p).all(|d| !p.is_multiple_of(d));
        assert!((0..5000).all(|p| is_odd_prime(p) == by_trial(p)));
        for composite in [
            561,
            2047,
            1_373_653,
            25_326_001,
            3_215_031_751,
            341_550_071_728_321,
            3_825_123_056_546_413_051,
            MERSENNE * MERSENNE,
        ] {
            assert!(!is_odd_prime(composite), "{composite}");
        }
        let small = [49_201_153, 1_073_479_681, 70_368_740_769_793, 562_949_950_537_729];
        for prime in small.into_iter().chain([(1 << 60) - 93, (1 << 62) - 57]) {
            assert!(is_odd_prime(prime), "{prime}");
        }
    }

    /// A prime of 31 bits, whose square has 62.
    const MERSENNE: u64 = 2_147_483_647;

    /// Protects: inverses modulo `p` and modulo the word.
    #[test]
    fn inverses() {
        for p in [3, 12289, 1_073_479_681, 70_368_740_769_793, 562_949_950_537_729, (1 << 62) - 57] {
            assert_eq!(inverse_of_word(p).wrapping_mul(p), 1);
            assert_eq!(multiply(inverse(2, p), 2, p), 1);
        }
    }
}
