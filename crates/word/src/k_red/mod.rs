//! Lanes of 32 bits that K-RED reduces, modulo primes `p = k 2^M + 1` below `2^26`: a route that is measured
//! beside Montgomery's reduction.
//!
//! # The maps
//! `k 2^M = -1` modulo `p`. So for `C = C_0 + 2^M C_1` with `0 <= C_0 < 2^M`,
//!
//! ```text
//! K-RED(C) = k C_0 - C_1
//! ```
//!
//! is `k C` modulo `p`, and `M` bits shorter but for `p`. A product has twice the bits of `p`, and takes two
//! of these in a row: `D = K-RED(C)`, and `K-RED(D) = k^2 C` modulo `p`. `D` has more than 32 bits, but with
//! `C = C_0 + 2^M c_1 + 2^(2 M) C_2`, `0 <= c_1 < 2^M`, it is `E - 2^M C_2` with `E = k C_0 - c_1`, which has
//! not. So, of the low 32 bits of `C` and of `C_2` alone,
//!
//! ```text
//! K-RED(K-RED(C)) = k E_0 - E_1 + C_2.
//! ```
//!
//! Numbers are signed, and kept times `R = k^-2` modulo `p`, as Montgomery's are times `2^32`; constants are
//! centred, and kept likewise. Then a reduced product is the product, kept likewise: the powers of `k` that
//! reductions bring are gone at once, nothing is prepared, and a transform there and back undoes nothing.
//!
//! The rest is [`lanes32`](crate::lanes32). Steps towards 0 are fewer and greater than Montgomery's.
//!
//! # Bounds
//! `bounds`: lanes are at most `16 p` forward and at most `2 p` backward, in absolute value.
//!
//! # Source
//! K-RED: P. Longa, M. Naehrig, *Speeding up the number theoretic transform for faster ideal lattice-based
//! cryptography* (CANS 2016), section 3. Deviations: `k` need not be odd, so one `M` serves all primes that
//! are 1 modulo `2^M`; the two reductions in a row are one body; and the powers of `k` don't grow.

mod bounds;

use crate::lanes32::{Lanes32, Reduction};
use crate::memory::{Lines, Rows};
use crate::number::{inverse, multiply};
use bounds::STEP;
pub(crate) use bounds::{M, PRIME_BITS};
use ringsmith_simd::{Line32, RowLanes};

/// [`M`], as shifts take it.
const SHIFT: i32 = M as i32;
/// The low bits.
const LOW: i32 = (1 << M) - 1;

/// Whether a modulus has the form.
pub(crate) const fn serves(p: u64) -> bool {
    p >> PRIME_BITS == 0 && p & LOW as u64 == 1
}

/// This kind of lanes.
#[derive(Clone, Copy)]
pub(crate) struct KRed;

/// A prime and what follows from it.
#[derive(Clone, Copy)]
pub(crate) struct Prime {
    /// The prime.
    p: u64,
    /// `(p - 1) / 2^M`.
    k: i32,
    /// `R`.
    kept: u64,
    /// `R^2` modulo `p`, by which a reduced product is a number as it is kept.
    square: i32,
}

impl Prime {
    /// Of a prime that serves.
    fn new(p: u64) -> Self {
        let k = p >> M;
        let kept = inverse(multiply(k, k, p), p);
        let mut prime = Prime { p, k: k as i32, kept, square: 0 };
        prime.square = prime.factor(kept);
        prime
    }

    /// `w R` modulo `p`, centred, for `w < p`.
    fn factor(&self, w: u64) -> i32 {
        let kept = multiply(w, self.kept, self.p);
        if 2 * kept > self.p { kept as i32 - self.p as i32 } else { kept as i32 }
    }
}

/// `x / R` modulo `p`, in `[0, p)`, for a lane: [`write`](crate::lanes::Lanes::write) of one.
pub(crate) fn number(x: i32, p: u64) -> u64 {
    let k_red = |c: i64| (p >> M) as i64 * (c & i64::from(LOW)) - (c >> M);
    let reduced = k_red(k_red(x.into()));
    (reduced + (p as i64 & reduced >> (i64::BITS - 1))) as u64
}

/// The constants of a prime, in all lanes.
#[derive(Clone, Copy)]
pub(crate) struct Constants<V> {
    k: V,
    low: V,
}

/// `k X_0` of numbers whose low bits are `X_0`.
#[inline(always)]
fn low_by_k<V: RowLanes>(l: Lanes32<V, KRed>, x: V::Lanes) -> V::Lanes {
    l.v.multiply_words(l.v.and_lanes(x, l.constants.low), l.constants.k)
}

/// A step of so many `p` towards 0.
#[inline(always)]
fn step<V: RowLanes, const BY: u32>(l: Lanes32<V, KRed>, a: V::Lanes) -> V::Lanes {
    l.v.step(a, multiple::<V, BY>(l))
}

/// `BY p`.
#[inline(always)]
fn multiple<V: RowLanes, const BY: u32>(l: Lanes32<V, KRed>) -> V::Lanes {
    let mut multiple = l.p;
    let mut by = 1;
    while by < BY {
        (multiple, by) = (l.v.add_lanes(multiple, multiple), 2 * by);
    }
    multiple
}

impl Reduction for KRed {
    type Prime = Prime;
    type Constants<V: RowLanes> = Constants<V::Lanes>;

    fn of_prime(p: u64) -> Prime {
        Prime::new(p)
    }
    fn p(prime: &Prime) -> u64 {
        prime.p
    }
    fn constant(prime: &Prime, w: u64) -> i32 {
        prime.factor(w)
    }
    fn square(prime: &Prime) -> i32 {
        prime.square
    }
    fn to_rows(lines: Lines<Line32>) -> Rows {
        Rows::KRed(lines)
    }
    fn of_rows(rows: &Rows) -> Option<&Lines<Line32>> {
        if let Rows::KRed(lines) = rows { Some(lines) } else { None }
    }
    fn of_rows_mut(rows: &mut Rows) -> Option<&mut Lines<Line32>> {
        if let Rows::KRed(lines) = rows { Some(lines) } else { None }
    }

    #[inline(always)]
    fn constants<V: RowLanes>(v: V, prime: &Prime) -> Constants<V::Lanes> {
        Constants { k: v.splat_lanes(prime.k), low: v.splat_lanes(LOW) }
    }
    /// Two steps of K-RED.
    #[inline(always)]
    fn reduced<V: RowLanes>(l: Lanes32<V, Self>, sum: V::LaneProducts) -> V::Lanes {
        let v = l.v;
        let (low, above) = v.split_products::<{ 2 * SHIFT }>(sum);
        let middle = v.and_lanes(v.shift_right_lanes::<SHIFT>(low), l.constants.low);
        let e = v.sub_lanes(low_by_k(l, low), middle);
        v.add_lanes(v.sub_lanes(low_by_k(l, e), v.shift_right_lanes::<SHIFT>(e)), above)
    }
    #[inline(always)]
    fn step<V: RowLanes>(l: Lanes32<V, Self>, a: V::Lanes) -> V::Lanes {
        step::<V, STEP>(l, a)
    }
    /// None.
    #[inline(always)]
    fn step_between<V: RowLanes>(_: Lanes32<V, Self>, a: V::Lanes) -> V::Lanes {
        a
    }
    #[inline(always)]
    fn step_back<V: RowLanes>(l: Lanes32<V, Self>, sum: V::Lanes) -> V::Lanes {
        step::<V, { STEP / 4 }>(l, sum)
    }
    #[inline(always)]
    fn sums_back<V: RowLanes>(l: Lanes32<V, Self>, a: V::Lanes, c: V::Lanes) -> [V::Lanes; 2] {
        let [sum, difference] = l.both(a, c);
        [step::<V, { STEP / 4 }>(l, step::<V, { STEP / 2 }>(l, sum)), difference]
    }
    #[inline(always)]
    fn turned<V: RowLanes>(l: Lanes32<V, Self>, a: V::Lanes) -> V::Lanes {
        step::<V, { STEP / 4 }>(l, step::<V, { STEP / 2 }>(l, step::<V, STEP>(l, a)))
    }
    #[inline(always)]
    fn second<V: RowLanes>(l: Lanes32<V, Self>, a: V::Lanes) -> V::Lanes {
        Self::turned(l, a)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::array::from_fn;
    use ringsmith_oracle::Random;
    use ringsmith_simd::{Cpu, Kernel, Simd};

    /// `a b + c d`, reduced.
    struct Reduced<'a>(&'a Prime, [[i32; 8]; 4]);

    impl Kernel for Reduced<'_> {
        type Out = [i32; 8];
        #[inline(always)]
        fn run<S: Simd>(self, s: S) -> [i32; 8] {
            let (l, [a, b, c, d]) = (Lanes32::<S, KRed>::new(s, self.0), self.1);
            let [ab, cd] =
                [s.products32(s.load32(&a), s.load32(&b)), s.products32(s.load32(&c), s.load32(&d))];
            let mut out = [0; 8];
            s.store32(&mut out, KRed::reduced(l, s.add_products32(ab, cd)));
            out
        }
    }

    /// Protects: two steps in a row are `k^2` times a sum of products, and as small as `bounds` has it, for
    /// the greatest lanes that transforms multiply and for random ones, from the least to the greatest prime.
    #[test]
    fn two_steps_in_a_row() {
        let mut random = Random::new(12);
        for p in [65_537_i64, 786_433, 49_201_153, 67_043_329] {
            let (prime, k) = (Prime::new(p as u64), p >> M);
            for round in 0..64 {
                let mut draw = |most: i64| match random.word() % 4 {
                    0 => most as i32,
                    1 => -most as i32,
                    _ => random.within(-most, most) as i32,
                };
                // Lanes of `lanes p` together, by constants; the last as products of values are.
                let (most, by) = if round < 48 { (16 * p, p / 2) } else { (16 * p, 2 * p) };
                let rows: [[i32; 8]; 4] = from_fn(|i| from_fn(|_| draw(if i % 2 == 0 { most } else { by })));
                let rows = if round < 48 { rows } else { [rows[0], rows[1], [0; 8], [0; 8]] };
                let sum: [i64; 8] = from_fn(|lane| {
                    let [a, b, c, d] = rows.map(|row| i64::from(row[lane]));
                    a * b + c * d
                });
                for cpu in Cpu::available() {
                    for (x, c) in cpu.run(Reduced(&prime, rows)).into_iter().zip(sum) {
                        let (x, wide) = (i128::from(x), i128::from(c));
                        let (k, p) = (i128::from(k), i128::from(p));
                        assert_eq!((x - k * k * wide) % p, 0, "{x} of {wide} modulo {p} on {cpu:?}");
                        assert!((x.abs() - p) << (2 * M) <= wide.abs(), "{x} of {wide} modulo {p}");
                    }
                }
            }
        }
    }
}
