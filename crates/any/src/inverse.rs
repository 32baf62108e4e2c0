//! Inverses, in constant time: modulo a prime by division steps, modulo a power of one by lifting.
//!
//! # The map
//! `a` has an inverse modulo `f` and a prime `p` where they have no common factor. With the orders of
//! coefficients turned around, `F = x^n f(1/x)` and `G = x^(n-1) a(1/x)`, a *division step* takes
//!
//! ```text
//! (d, F, G)  to  (1 - d, G, (G_0 F - F_0 G) / x)    where d > 0 and G_0 is not 0,
//!            to  (1 + d, F, (F_0 G - G_0 F) / x)    else.
//! ```
//!
//! `2 n - 1` steps, whatever the operands, end with `G = 0` and `d = 0` where there is an inverse. Two more
//! polynomials follow, `V` and `R`, by the same combinations, `V` times `x` in each step; then coefficient
//! `i` of the inverse is `V_(n-1-i) / F_0`. A sign in the first form changes nothing, as it is divided out.
//!
//! Modulo `p^k`, an inverse `b` modulo `p` becomes one modulo `p^2`, `p^4`, .. by `b (2 - a b)`.
//!
//! # Source
//! D. J. Bernstein, B.-Y. Yang: Fast constant-time gcd computation and modular inversion (TCHES 2019/3).

use crate::memory::Words;
use crate::range::told;
use crate::zq::Zq;
use crate::{Coefficient, Ring, RingError, Room};
use core::fmt;
use core::iter::zip;

/// The greatest degree: a step takes a time of `n`, so that all take one of `n^2`.
pub(crate) const MAX_DEGREE: usize = 4096;

/// `p` and `k` where `q = p^k`, `p` being a prime.
pub(crate) fn prime_power(q: u64) -> Option<(u64, u32)> {
    (1..=u64::BITS).rev().find_map(|k| {
        let p = root(q, k);
        (p.checked_pow(k) == Some(q) && ringsmith_word::is_prime(p)).then_some((p, k))
    })
}

/// The greatest number whose power is at most `q`.
fn root(q: u64, k: u32) -> u64 {
    let (mut low, mut high) = (1, q);
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        match middle.checked_pow(k) {
            Some(power) if power <= q => low = middle,
            _ => high = middle - 1,
        }
    }
    low
}

/// The polynomials of the division steps, of `n + 1` coefficients each.
struct Steps {
    zp: Zq,
    f: Words,
    g: Words,
    v: Words,
    r: Words,
    /// `d`, of a sign that is secret.
    delta: i64,
}

/// Exchanges, where the mask is all ones; it is 0 else.
#[inline(always)]
fn exchange(mask: u64, x: &mut u64, y: &mut u64) {
    let difference = (*x ^ *y) & mask;
    (*x, *y) = (*x ^ difference, *y ^ difference);
}

/// All ones where `x`, which is below `2^63`, is not 0.
fn not_zero(x: u64) -> u64 {
    let sign = x.wrapping_neg() >> (u64::BITS - 1);
    core::hint::black_box(sign).wrapping_neg()
}

impl Steps {
    /// Room for those of a degree.
    fn room(zp: Zq, degree: usize) -> Result<Self, RingError> {
        let words = || Words::zero(degree + 1);
        Ok(Steps { zp, f: words()?, g: words()?, v: words()?, r: words()?, delta: 1 })
    }

    /// Writes the inverse of `a` modulo `f`, all of whose `n + 1` coefficients are given. All ones where
    /// there is none.
    fn inverse(&mut self, f: &[u64], a: &[u64], out: &mut [u64]) -> u64 {
        self.begin(f, a);
        (0..2 * a.len() - 1).for_each(|_| self.step());
        self.end(out)
    }

    /// Where the steps begin.
    fn begin(&mut self, f: &[u64], a: &[u64]) {
        let zp = self.zp;
        [&mut self.g, &mut self.v, &mut self.r].into_iter().for_each(|x| x.fill(0));
        zip(&mut *self.f, f.iter().rev()).for_each(|(x, y)| *x = zp.word(*y));
        zip(&mut *self.g, a.iter().rev()).for_each(|(x, y)| *x = zp.word(*y));
        (self.r[0], self.delta) = (1, 1);
    }

    /// A division step.
    fn step(&mut self) {
        let Steps { zp, f, g, v, r, delta } = self;
        v.rotate_right(1);
        let positive = (-*delta) >> (i64::BITS - 1);
        let swap = positive & not_zero(g[0]) as i64;
        *delta = (*delta ^ swap) - swap + 1;
        for (a, b) in [(&mut *f, &mut *g), (&mut *v, &mut *r)] {
            zip(&mut **a, &mut **b).for_each(|(x, y)| exchange(swap as u64, x, y));
        }
        let (f0, minus_g0) = (f[0], zp.sub(0, g[0]));
        for (a, b) in [(&**f, &mut *g), (&**v, &mut *r)] {
            zip(a, &mut **b).for_each(|(x, y)| *y = zp.add(zp.product(f0, *y), zp.product(minus_g0, *x)));
        }
        // Its first coefficient is 0 now.
        g.rotate_left(1);
    }

    /// Writes the inverse. All ones where there is none.
    fn end(&self, out: &mut [u64]) -> u64 {
        let Steps { zp, f, v, delta, .. } = self;
        let scale = zp.inverse_of_prime(f[0]);
        zip(out, v[..f.len() - 1].iter().rev()).for_each(|(x, y)| *x = zp.product(*y, scale));
        not_zero(delta.unsigned_abs())
    }
}

/// Inverses in a ring, and the memory that they take.
///
/// `q` is a prime or a power of one, and the degree at most 4096, or it is [`RingError::Inverses`]. An
/// inverse takes a time of `n^2`, whatever the element: about 40 milliseconds at 1024 coefficients, and 750
/// at 4096.
/// The example `inverses` of this crate measures it.
///
/// ```
/// use ringsmith_any::{Inverses, Ring};
///
/// let ring = Ring::of(&"Z_2048[x]/(x^3-x-1)".parse()?)?;
/// let (a, mut b, mut one) = ([1_u16, 0, 5], [0; 3], [0; 3]);
/// Inverses::new(&ring)?.inverse(&a, &mut b)?;
/// ring.product(&a, &b, &mut one, &mut ring.room()?)?;
/// assert_eq!(one, [1, 0, 0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Constant time
/// In the coefficients. Whether there is an inverse is told.
pub struct Inverses<'a> {
    ring: &'a Ring,
    /// `q = p^exponent`.
    exponent: u32,
    steps: Steps,
    /// All coefficients of `f`.
    f: Words,
    inverse: Words,
    room: Room,
}

impl<'a> Inverses<'a> {
    /// Of a ring of any operands.
    ///
    /// # Errors
    /// Where the ring has no inverses ([`RingError::Inverses`]), its operands are small
    /// ([`RingError::Operands`]), or there is no memory.
    pub fn new(ring: &'a Ring) -> Result<Self, RingError> {
        let (n, q) = (ring.degree(), ring.modulus());
        if ring.operands().bound().is_some() {
            return Err(RingError::Operands);
        }
        let (p, exponent) = prime_power(q).filter(|_| n <= MAX_DEGREE).ok_or(RingError::Inverses { q, n })?;
        let (mut f, inverse, room) = (Words::zero(n + 1)?, Words::zero(n)?, ring.room()?);
        let coefficient = |c: i128| c.rem_euclid(i128::from(q)) as u64;
        ring.polynomial().terms().for_each(|(exponent, c)| f[exponent] = coefficient(c));
        Ok(Inverses { ring, exponent, steps: Steps::room(Zq::new(p), n)?, f, inverse, room })
    }

    /// Writes the inverse of `a` to `out`.
    ///
    /// # Errors
    /// Where there is none ([`RingError::NoInverse`]), or an operand does not serve.
    pub fn inverse<T: Coefficient>(&mut self, a: &[T], out: &mut [T]) -> Result<(), RingError> {
        let Inverses { ring, steps, f, inverse, room, .. } = self;
        ring.read(a, &mut room.a)?;
        told(steps.inverse(f, &room.a, inverse)).map_err(|_| RingError::NoInverse)?;
        let mut known = 1;
        while known < self.exponent {
            self.lift(a)?;
            known *= 2;
        }
        self.room.product[..a.len()].copy_from_slice(&self.inverse);
        self.ring.write(&self.room, out)
    }

    /// `b (2 - a b)` in place of `b`.
    fn lift<T: Coefficient>(&mut self, a: &[T]) -> Result<(), RingError> {
        let Inverses { ring, inverse, room, .. } = self;
        let zq = ring.zq();
        ring.read(a, &mut room.a)?;
        room.b.copy_from_slice(inverse);
        ring.multiply(room, None)?;
        zip(&mut *room.a, &*room.product).for_each(|(x, y)| *x = zq.sub(0, *y));
        room.a[0] = zq.add(room.a[0], zq.word(2));
        ring.multiply(room, None)?;
        inverse.copy_from_slice(&room.product[..a.len()]);
        Ok(())
    }
}

impl fmt::Debug for Inverses<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Inverses of {:?}", self.ring)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: powers of primes, and what is none.
    #[test]
    fn prime_powers() {
        for (q, of) in [
            (2, Some((2, 1))),
            (1 << 62, Some((2, 62))),
            (3_u64.pow(39), Some((3, 39))),
            (12289, Some((12289, 1))),
            (12289 * 12289, Some((12289, 2))),
            (6, None),
            (36, None),
            (1 << 31, Some((2, 31))),
            (12289 * 3329, None),
        ] {
            assert_eq!(prime_power(q), of, "{q}");
        }
    }
}
