//! Products modulo a sparse `f` before their coefficients are known.
//!
//! # The map
//! Residues of a product modulo a prime are taken modulo `f` as coefficients are, so that only `n` of them
//! are made to digits, not `2 n - 1`. The primes then have to hold the coefficients of the remainder, over
//! the integers: with `f = x^n + f_low`, its coefficients centred,
//!
//! ```text
//! x^k = sum over i of F_(k,i) x^i modulo f,    |c_i| <= A B sum over k of |F_(k,i)| m_k,
//! ```
//!
//! where `m_k = min(k + 1, 2 n - 1 - k)` products of numbers below `A` and `B` meet at `x^k`.
//!
//! # Bounds
//! The sum can be as great as `2^n`, as for `x^n - 2 x^(n-1) - 1`. So it is computed, with `|f_low|` in place
//! of `f_low`, which gives no less.

use crate::RingError;
use crate::divisor::Sparse;
use crate::exact::Bounds;
use crate::memory::reserve;
use crate::zq::Zq;
use alloc::vec::Vec;
use ringsmith_simd::Cpu;

/// A sparse `f`, over the integers.
pub(crate) struct Fold {
    n: usize,
    /// The terms of `f_low`, centred: exponent, absolute value, whether it is negative.
    low: Vec<(usize, u64, bool)>,
    /// The greatest sum of a coefficient, if it is of any use.
    sum: Option<u64>,
}

/// Greater sums take more primes than there are.
const GREATEST: u128 = 1 << 62;

impl Fold {
    /// Of the terms of `f_low` modulo `q`.
    pub(crate) fn new(q: u64, n: usize, low: &[(usize, u64)]) -> Result<Self, RingError> {
        let mut terms = reserve(low.len())?;
        terms.extend(low.iter().map(|(exponent, x)| (*exponent, (*x).min(q - x), q - x < *x)));
        let sum = greatest_sum(n, &terms)?;
        Ok(Fold { n, low: terms, sum })
    }

    /// The bounds of remainders, from those of products.
    pub(crate) fn bounds(&self, products: Bounds) -> Option<Bounds> {
        let count = products.terms / self.n as u64;
        let terms = self.sum?.checked_mul(count)?;
        // A term is taken off, but where it is negative in `f`.
        let minus = self.low.iter().any(|(_, _, negative)| !negative);
        Some(Bounds { terms, minus: products.minus || minus, ..products })
    }

    /// What takes residues modulo `f`.
    pub(crate) fn modulo(&self, cpu: Cpu, p: u64) -> Result<Sparse, RingError> {
        let (zp, mut low) = (Zq::new(p), reserve(self.low.len())?);
        low.extend(self.low.iter().map(|(exponent, x, negative)| {
            let x = zp.word(*x);
            (*exponent, if *negative { zp.sub(0, x) } else { x })
        }));
        Sparse::new(cpu, zp, self.n, &low)
    }
}

/// The greatest sum of all coefficients of a remainder.
fn greatest_sum(n: usize, low: &[(usize, u64, bool)]) -> Result<Option<u64>, RingError> {
    let mut sums: Vec<u128> = reserve(2 * n - 1)?;
    sums.extend((0..2 * n - 1).map(|k| (k + 1).min(2 * n - 1 - k) as u128));
    for k in (n..2 * n - 1).rev() {
        let sum = sums[k];
        if sum > GREATEST {
            return Ok(None);
        }
        for (exponent, x, _) in low {
            sums[k - n + exponent] += sum * u128::from(*x);
        }
    }
    let greatest = sums[..n].iter().copied().max().unwrap_or(0);
    Ok((greatest <= GREATEST).then_some(greatest as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(q: u64, n: usize, low: &[(usize, u64)]) -> Option<u64> {
        Fold::new(q, n, low).unwrap().sum
    }

    /// Protects: the greatest sum of a coefficient: what wraps once or twice, and what grows beyond bounds.
    #[test]
    fn greatest_sums() {
        for n in [17, 64, 761] {
            let length = n as u64;
            assert_eq!(sum(7, n, &[(0, 1)]), Some(length));
            assert_eq!(sum(7, n, &[(0, 6)]), Some(length));
            // x^n = x + 1: coefficient i takes i + 1 products, n - 1 - i and n - i.
            assert_eq!(sum(4591, n, &[(0, 4590), (1, 4590)]), Some(2 * length - 1));
            assert_eq!(sum(4591, n, &[(0, 3)]), Some(1 + 3 * (length - 1)));
        }
        assert_eq!(sum(4591, 761, &[(0, 4590), (760, 4589)]), None);
    }

    /// Protects: signs, by which a multiple of `q` is added or is not.
    #[test]
    fn signs() {
        let products = Bounds { q: 7, small: None, terms: 34, minus: false, centred: false };
        let bounds = |low: &[(usize, u64)]| Fold::new(7, 17, low).unwrap().bounds(products).unwrap();
        assert_eq!(bounds(&[(0, 6), (1, 6)]), Bounds { terms: 66, ..products });
        assert_eq!(bounds(&[(0, 1)]), Bounds { terms: 34, minus: true, ..products });
    }
}
