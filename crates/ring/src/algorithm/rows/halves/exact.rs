//! From products modulo primes to the product modulo `x^n - 1` and a power of two.

use crate::algorithm::size_class::lanes_below;
use crate::bound::Bound;
use crate::number::inverse;
use crate::reduce::montgomery::{Factor, bound_scaled};
use crate::reduce::residues::{Arithmetic, Wrapping};
use ringsmith_simd::{Kernel, Row, Simd};

/// What takes digits apart: values, so that one kernel serves all primes.
#[derive(Clone, Copy)]
pub(super) struct Digits {
    primes: [i64; 3],
    /// `1 / p_1` modulo `p_2` and modulo `p_3`, `1 / p_2` modulo `p_3`.
    factors: [Factor; 3],
}

impl Digits {
    /// Of three primes.
    pub(super) const fn of(primes: [i64; 3]) -> Digits {
        let [p1, p2, p3] = primes;
        let (second, third) = (Factor::new(inverse(p1 % p2, p2), p2), Factor::new(inverse(p1 % p3, p3), p3));
        Digits { primes, factors: [second, third, Factor::new(inverse(p2 % p3, p3), p3)] }
    }

    /// Whether the integer whose digits `x_1`, `u_2` (and `u_3`) are is the product, for coefficients of which
    /// none is greater than `most`, and residues modulo each prime, folded, within `x`. The integer and the
    /// product agree modulo all primes: they are equal where they are closer to each other than the primes'
    /// product is great. No residue is canonical.
    pub(super) const fn hold(&self, count: usize, most: i64, x: [Bound; 3]) -> bool {
        let [p1, p2, p3] = self.primes;
        let distinct = p1 != p2 && p1 != p3 && p2 != p3;
        let difference = x[1].sub(x[0]);
        let second = bound_scaled(difference, self.factors[0].z, p2);
        let other = x[2].sub(x[0]);
        let step = bound_scaled(other, self.factors[1].z, p3).sub(second);
        let third = bound_scaled(step, self.factors[2].z, p3);
        let two = most + x[0].magnitude() + p1 * second.magnitude();
        let held = match count {
            2 => two < p1 * p2,
            _ => other.fits(16) && step.fits(16) && two + p1 * p2 * third.magnitude() < p1 * p2 * p3,
        };
        distinct && held && x[0].fits(16) && x[1].fits(16) && x[2].fits(16) && difference.fits(16)
    }
}

/// The sum of the coefficients of a product at `at` and `n` behind it.
#[inline(always)]
fn folded<S: Simd>(s: S, product: &[i16], at: usize, n: usize) -> S::I16 {
    let row = |at: usize| s.load(product[at..].first_chunk().expect("a row of the product"));
    s.add(row(at), row(at + n))
}

/// The product by two primes, or by three.
pub(super) struct Join<'a, const COUNT: usize> {
    pub(super) by: Wrapping,
    pub(super) n: usize,
    pub(super) digits: Digits,
    pub(super) products: [&'a [i16]; COUNT],
    pub(super) out: &'a mut [Row],
}

impl<const COUNT: usize> Join<'_, COUNT> {
    /// Sixteen coefficients, in wrapping words.
    #[inline(always)]
    fn row<S: Simd>(&self, s: S, at: usize) -> S::I16 {
        let Digits { primes: [p1, p2, p3], factors } = self.digits;
        let scale =
            |a: S::I16, z: Factor, q: i64| s.mul_mont(a, s.splat(z.z), s.splat(z.zq), s.splat(q as i16));
        let x = folded(s, self.products[0], at, self.n);
        let y = folded(s, self.products[1], at, self.n);
        let second = scale(s.sub(y, x), factors[0], p2);
        let two = s.add(x, s.mul_lo(second, s.splat(p1 as i16)));
        if const { COUNT < 3 } {
            return self.by.finish(s, two);
        }
        let z = folded(s, self.products[COUNT - 1], at, self.n);
        let third = scale(s.sub(scale(s.sub(z, x), factors[1], p3), second), factors[2], p3);
        self.by.finish(s, s.add(two, s.mul_lo(third, s.splat((p1 * p2) as i16))))
    }
}

impl<const COUNT: usize> Kernel for Join<'_, COUNT> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        let (whole, count) = (self.n / 16, self.n % 16);
        let out = core::mem::take(&mut self.out);
        let (rows, rest) = out.split_at_mut(whole);
        for (i, out) in rows.iter_mut().enumerate() {
            s.store(out, self.row(s, 16 * i));
        }
        for (i, out) in rest.iter_mut().enumerate() {
            *out = [0; 16];
            if i == 0 && count > 0 {
                let row = self.row(s, 16 * whole);
                s.store(out, s.and(row, s.load(lanes_below(count))));
            }
        }
    }
}

/// Takes the coefficients that wrapped off where they stand, and adds them where they belong: `wrapped` has
/// those of a product of two polynomials of `n` coefficients from `length` on, modulo `2^16`.
pub(super) fn unwrap(by: Wrapping, n: usize, length: usize, wrapped: &[i16], out: &mut [i16]) {
    for (t, x) in wrapped.iter().take((2 * n - 1).saturating_sub(length)).enumerate() {
        out[t] = by.finish_word(out[t].wrapping_sub(*x));
        let at = length - n + t;
        out[at] = by.finish_word(out[at].wrapping_add(*x));
    }
}
