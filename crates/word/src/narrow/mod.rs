//! Lanes of 32 bits: arithmetic modulo primes below `2^30`, lazily reduced.
//!
//! # The maps
//! Those of [`lanes32`](crate::lanes32), with `R = 2^32`. A product is reduced by Montgomery's step
//! (`ringsmith_simd::ProductLanes`). A *step* subtracts or adds `p`, towards 0: a row takes one before each
//! butterfly, and each sum takes one backward.
//!
//! # Bounds
//! `bounds`: lanes are at most `2 p` forward and at most `p` backward, in absolute value.
//!
//! # Source
//! The reduced product: see `ringsmith_simd::ProductLanes`.

mod bounds;

use crate::lanes32::{Lanes32, Reduction};
use crate::memory::{Lines, Rows};
use crate::number;
pub(crate) use bounds::PRIME_BITS;
use ringsmith_simd::{Line32, RowLanes};

/// This kind of lanes.
#[derive(Clone, Copy)]
pub(crate) struct Narrow;

/// A prime and what follows from it.
#[derive(Clone, Copy)]
pub(crate) struct Prime {
    /// The prime.
    p: u64,
    /// `p^-1` modulo `2^32`.
    inverse: i32,
    /// `R^2` modulo `p`, by which a reduced product is a number as it is kept.
    square: i32,
}

impl Prime {
    /// Of an odd prime below `2^30`.
    fn new(p: u64) -> Self {
        let inverse = number::inverse_of_word(p) as i32;
        let mut prime = Prime { p, inverse, square: 0 };
        prime.square = prime.kept(prime.kept(1) as u64 % p);
        prime
    }

    /// `w R` modulo `p`, in `[0, p)`, for `w < p`.
    fn kept(&self, w: u64) -> i32 {
        ((w << u32::BITS) % self.p) as i32
    }

    /// The centred one of a number in `[0, p)`.
    fn centred(&self, w: i32) -> i32 {
        if 2 * i64::from(w) > self.p as i64 { w - self.p as i32 } else { w }
    }
}

/// `x / R` modulo `p`, in `[0, p)`, for a lane and `p^-1` modulo `2^32`:
/// [`write`](crate::lanes::Lanes::write) of one.
pub(crate) fn number(x: i32, p: u64, inverse: u64) -> u64 {
    let multiple = i64::from(x.wrapping_mul(inverse as i32)) * p as i64;
    let quotient = (i64::from(x) - multiple) >> u32::BITS;
    (quotient + (p as i64 & quotient >> u32::BITS)) as u64
}

impl Reduction for Narrow {
    type Prime = Prime;
    /// `p^-1` modulo `2^32`.
    type Constants<V: RowLanes> = V::Lanes;

    fn of_prime(p: u64) -> Prime {
        Prime::new(p)
    }
    fn p(prime: &Prime) -> u64 {
        prime.p
    }
    fn constant(prime: &Prime, w: u64) -> i32 {
        prime.centred(prime.kept(w))
    }
    fn square(prime: &Prime) -> i32 {
        prime.square
    }
    fn to_rows(lines: Lines<Line32>) -> Rows {
        Rows::Narrow(lines)
    }
    fn of_rows(rows: &Rows) -> Option<&Lines<Line32>> {
        if let Rows::Narrow(lines) = rows { Some(lines) } else { None }
    }
    fn of_rows_mut(rows: &mut Rows) -> Option<&mut Lines<Line32>> {
        if let Rows::Narrow(lines) = rows { Some(lines) } else { None }
    }

    #[inline(always)]
    fn constants<V: RowLanes>(v: V, prime: &Prime) -> V::Lanes {
        v.splat_lanes(prime.inverse)
    }
    #[inline(always)]
    fn reduced<V: RowLanes>(l: Lanes32<V, Self>, sum: V::LaneProducts) -> V::Lanes {
        l.v.montgomery(sum, l.p, l.constants)
    }
    #[inline(always)]
    fn step<V: RowLanes>(l: Lanes32<V, Self>, a: V::Lanes) -> V::Lanes {
        l.v.step(a, l.p)
    }
    #[inline(always)]
    fn step_between<V: RowLanes>(l: Lanes32<V, Self>, a: V::Lanes) -> V::Lanes {
        Self::step(l, a)
    }
    #[inline(always)]
    fn step_back<V: RowLanes>(l: Lanes32<V, Self>, sum: V::Lanes) -> V::Lanes {
        Self::step(l, sum)
    }
    #[inline(always)]
    fn sums_back<V: RowLanes>(l: Lanes32<V, Self>, a: V::Lanes, c: V::Lanes) -> [V::Lanes; 2] {
        let [sum, difference] = l.both(Self::step(l, a), Self::step(l, c));
        [Self::step(l, sum), difference]
    }
    #[inline(always)]
    fn turned<V: RowLanes>(l: Lanes32<V, Self>, a: V::Lanes) -> V::Lanes {
        Self::step(l, a)
    }
    /// As it is.
    #[inline(always)]
    fn second<V: RowLanes>(_: Lanes32<V, Self>, a: V::Lanes) -> V::Lanes {
        a
    }
}
