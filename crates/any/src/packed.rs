//! Two coefficients a number, for small `q`: products of half the length.
//!
//! # The map
//! With `z = x^2`, a polynomial is `a(x) = a_0(z) + x a_1(z)`: its even coefficients, and its odd ones. A
//! product of two is
//!
//! ```text
//! a b = c_0 + x c_1 + z c_2,    c_0 = a_0 b_0,   c_1 = a_0 b_1 + a_1 b_0,   c_2 = a_1 b_1.
//! ```
//!
//! For `x` a number `B` is put in beside `z` (L. Kronecker, 1882, in the second variable): transforms of half
//! the length multiply `a_0 + B a_1` by `b_0 + B b_1`, to `c_0 + B c_1 + B^2 c_2`. Each coefficient of that
//! is a number whose digits in base `B` are coefficients of `c_0`, `c_1` and `c_2`. `a b` has `c_1` at odd
//! places, and `c_0` and, a place of `z` later, `c_2` at even ones.
//!
//! Modulo `x^n - 1` or `x^n + 1` with even `n` all is modulo `z^(n/2) - 1` or `z^(n/2) + 1`: transforms wrap
//! there, and `z c_2` wraps where it is added.
//!
//! # Bounds
//! Coefficients are centred, from `-floor((q-1)/2)` to `floor(q/2)`, or those of a small factor. With `w` the
//! difference of the greatest and the least product of two, of both signs where a wrap takes products off,
//! `t` products in a sum and operands of `n` coefficients, digits are made non-negative by what they are less
//! than 0 at most, which is added to them. Then
//!
//! ```text
//! D_0 = ceil(n/2) t w,   D_1 = 2 floor(n/2) t w,   D_2 = floor(n/2) t w
//! ```
//!
//! are their greatest values. `B > D_1 >= D_0`, so digits don't meet, and one prime `p` tells all numbers
//! where `D_0 + D_1 B + D_2 B^2 < p`, about `(n t w)^3 < 2 p`: the inequality of [`Packing::new`].
//!
//! # Digits
//! Nothing is divided: reciprocals and shifts do. A number is `e B^2 + r`; its upper 32 bits times the upper
//! 32 bits of `1 / B^2` give `e` or one less, which is put right without a branch. `r < B^2` divided by `B`
//! is exact, and so is what is divided by `q`: a reciprocal `m / 2^s`, rounded up, is exact for all `x` with
//! `x (m d - 2^s) < 2^s` (T. Granlund, P. L. Montgomery, PLDI 1994).
//!
//! # Where it pays
//! Wherever one prime holds the digits and no transform is shorter than 64. With AVX2 on a busy machine,
//! where products that are not packed take a prime of 30 bits, packed ones took 0.6 to 0.9 of their time, and
//! at worst as long: `q` of 4 and 7 at degree 256, 2 at degree `2^14`.
//!
//! # Loops
//! Bodies are plain loops over words, which the compiler makes vectors of in a kernel.

use crate::exact::Bounds;
use crate::route::Packed;
use core::iter::zip;
use ringsmith_simd::{Cpu, Kernel, Simd, WideLanes};
use ringsmith_word::Shape;

/// How many bits are multiplied: halves of words.
const HALF: u32 = 32;

/// A way to pack two coefficients.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Packing {
    cpu: Cpu,
    q: u64,
    p: u64,
    wraps: Option<Shape>,
    /// `B`.
    base: u64,
    /// `D_0`, `D_1` and `D_2`.
    greatest: [u64; 3],
    /// What digits are less than 0 at most.
    least: [u64; 3],
    /// What takes that off modulo `q`, at even places and at odd ones.
    complements: [u64; 2],
    /// How many bits are dropped before `1 / B^2`.
    dropped: u32,
    by_square: Reciprocal,
    by_base: Reciprocal,
    by_q: Reciprocal,
}

/// A number to multiply by in place of a division, and how far the product is shifted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Reciprocal {
    /// Of 32 bits.
    by: u64,
    shift: u32,
}

impl Reciprocal {
    /// How far 32 bits of `1 / d` are shifted.
    fn shift(d: u64) -> u32 {
        u64::BITS - (d - 1).leading_zeros() + HALF - 1
    }

    /// Rounded up, of `d >= 2`: exact for numbers up to the greatest, which is below `2^32`.
    fn exact(d: u64, greatest: u64) -> Option<Self> {
        let shift = Self::shift(d);
        let by = (1_u128 << shift).div_ceil(d.into());
        let above = by * u128::from(d) - (1 << shift);
        let exact = u128::from(greatest) * above < 1 << shift && (greatest | by as u64) >> HALF == 0;
        exact.then_some(Reciprocal { by: by as u64, shift })
    }

    /// Rounded down, for numbers up to the greatest, of which so many bits are dropped: the quotient, or one
    /// less.
    fn near(d: u64, greatest: u64, dropped: u32) -> Option<Self> {
        let shift = Self::shift(d);
        let by = ((1_u128 << shift) / u128::from(d)) as u64;
        // The bits that are dropped take a half off at most, and so does rounding.
        let near = 2 << dropped <= d && greatest >> (shift - 1) == 0 && greatest >> dropped >> HALF == 0;
        near.then_some(Reciprocal { by, shift: shift - dropped })
    }

    /// The quotient of a number below `2^32`.
    #[inline(always)]
    fn quotient(self, x: u64) -> u64 {
        times(x, self.by) >> self.shift
    }
}

/// A product of numbers below `2^32`, which vectors have.
#[inline(always)]
fn times(a: u64, b: u64) -> u64 {
    u64::from(a as u32) * u64::from(b as u32)
}

/// All ones where the top bit is set.
#[inline(always)]
fn mask(x: u64) -> u64 {
    ((x as i64) >> (u64::BITS - 1)) as u64
}

/// The least and the greatest product of two coefficients: how much the first is below 0, and the second.
fn products(bounds: Bounds) -> [u64; 2] {
    let [low, high] = [(bounds.q - 1) / 2, bounds.q / 2];
    let [small_low, small_high] = bounds.small.map_or([low, high], |small| [small; 2]);
    let [least, greatest] =
        [(low * small_high).max(high * small_low), (low * small_low).max(high * small_high)];
    if bounds.minus { [least.max(greatest); 2] } else { [least, greatest] }
}

/// The greatest `B` that is taken: its square is below `2^32`.
const MAX_BASE: u64 = (1 << 16) - 1;

/// `x_0 + x_1 B + x_2 B^2`, of digits and a base of 16 bits.
fn number(x: [u64; 3], base: u64) -> u64 {
    x[0] + base * (x[1] + base * x[2])
}

impl Packing {
    /// Of operands of `n` coefficients modulo a prime of at most 46 bits, if that holds three digits.
    pub(crate) fn new(cpu: Cpu, wraps: Option<Shape>, n: usize, bounds: Bounds, p: u64) -> Option<Self> {
        // Greater coefficients have digits beyond all bases.
        let Bounds { q, small, .. } = bounds;
        if q >> 16 != 0 || small.is_some_and(|small| small >> 16 != 0) {
            return None;
        }
        let (n, [below, above]) = (n as u64, products(bounds));
        let sums = bounds.terms / n;
        let terms = [n.div_ceil(2), n / 2 * 2, n / 2].map(|terms| terms * sums);
        let base = terms[1].checked_mul(below + above)? + 1;
        let greatest = terms.map(|terms| terms.saturating_mul(below + above));
        if base > MAX_BASE || greatest[0] >= base || number(greatest, base) >= p {
            return None;
        }
        let least = terms.map(|terms| terms * below);
        // What is less than q and makes a multiple of it.
        let complement = |x: u64| (q - x % q) % q;
        let dropped = (u64::BITS - p.leading_zeros()).saturating_sub(HALF);
        Some(Packing {
            cpu,
            q,
            p,
            wraps,
            base,
            greatest,
            least,
            complements: [complement(least[0] + least[2]), complement(least[1])],
            by_square: Reciprocal::near(base * base, p, dropped)?,
            by_base: Reciprocal::exact(base, base * base - 1)?,
            by_q: Reciprocal::exact(q, greatest[0] + greatest[1] + greatest[2] + q)?,
            dropped,
        })
    }

    /// What a route tells.
    pub(crate) fn numbers(&self) -> Packed {
        Packed { base: self.base, digits: self.greatest, greatest: number(self.greatest, self.base) }
    }

    /// Numbers modulo `p` of coefficients in `[0, q)`, two at a time, and zeroes behind them.
    pub(crate) fn pack(&self, from: &[u64], to: &mut [u64]) {
        let (pairs, rest) = from.as_chunks();
        let (whole, behind) = to.split_at_mut(pairs.len());
        self.cpu.run(Pack { packing: self, from: pairs, to: whole });
        behind.fill(0);
        if let ([x], [y, ..]) = (rest, behind) {
            self.cpu.run(Pack { packing: self, from: &[[*x, 0]], to: core::slice::from_mut(y) });
        }
    }

    /// The first coefficients of a product modulo `q`, as many as there are places, of its numbers modulo
    /// `p`, which are used up; there are half as many.
    pub(crate) fn unpack(&self, numbers: &mut [u64], out: &mut [u64]) {
        let numbers = &mut numbers[..out.len().div_ceil(2)];
        self.cpu.run(Split { packing: self, numbers });
        // What comes from the last number of all: `c_2` or `-c_2` where it wraps, else 0.
        let last = numbers.last().map_or(0, |last| last >> (2 * DIGIT));
        let before = match self.wraps {
            None => self.least[2],
            Some(Shape::Negacyclic) => 2 * self.least[2] - last,
            Some(_) => last,
        };
        let (pairs, rest) = out.as_chunks_mut();
        let Some((first, pairs)) = pairs.split_first_mut() else { return };
        let number = |i: usize| &numbers[i..][..1];
        let before = &[before << (2 * DIGIT)];
        self.cpu.run(Unpack { packing: self, before, numbers: number(0), out: core::slice::from_mut(first) });
        self.cpu.run(Unpack { packing: self, before: numbers, numbers: &numbers[1..], out: pairs });
        if let [x] = rest {
            let (count, mut last) = (numbers.len(), [[0; 2]]);
            let (before, numbers) = (number(count - 2), number(count - 1));
            self.cpu.run(Unpack { packing: self, before, numbers, out: &mut last });
            *x = last[0][0];
        }
    }
}

/// A kernel of plain loops, which is compiled for vectors of the token.
macro_rules! plain {
    ($name:ident) => {
        impl Kernel for $name<'_> {
            type Out = ();
            const AVX512: bool = true;
            #[inline(always)]
            fn run<S: Simd>(self, _: S) {
                self.run_plain();
            }
            #[inline(always)]
            fn run_avx512<S: Simd, W: WideLanes>(self, _: S, _: W) {
                self.run_plain();
            }
        }
    };
}

struct Pack<'a> {
    packing: &'a Packing,
    from: &'a [[u64; 2]],
    to: &'a mut [u64],
}

plain!(Pack);

impl Pack<'_> {
    #[inline(always)]
    fn run_plain(self) {
        let Packing { q, p, base, .. } = *self.packing;
        let (half, q_base) = (q / 2, q * base);
        for (to, [x, y]) in zip(self.to, self.from) {
            let (minus_x, minus_y) = (mask(half.wrapping_sub(*x)), mask(half.wrapping_sub(*y)));
            let positive = x + times(*y, base);
            let number = positive.wrapping_sub(q & minus_x).wrapping_sub(q_base & minus_y);
            *to = number.wrapping_add(p & mask(number));
        }
    }
}

/// The bits of a digit where three stand in a word.
const DIGIT: u32 = 16;

/// Takes numbers apart: three digits in a word.
struct Split<'a> {
    packing: &'a Packing,
    numbers: &'a mut [u64],
}

plain!(Split);

impl Split<'_> {
    #[inline(always)]
    fn run_plain(self) {
        let Packing { p, base, least, by_square, by_base, dropped, .. } = *self.packing;
        let (offset, square) = (number(least, base), base * base);
        for x in self.numbers {
            let above = x.wrapping_add(offset).wrapping_sub(p);
            let number = above.wrapping_add(p & mask(above));
            let near = by_square.quotient(number >> dropped);
            let rest = number.wrapping_sub(times(near, square)).wrapping_sub(square);
            let one_less = mask(rest);
            let (high, rest) =
                (near.wrapping_add(1).wrapping_add(one_less), rest.wrapping_add(square & one_less));
            let middle = by_base.quotient(rest);
            let low = rest.wrapping_sub(times(middle, base));
            *x = low | middle << DIGIT | high << (2 * DIGIT);
        }
    }
}

/// Coefficients of digits, and of those of the number before.
struct Unpack<'a> {
    packing: &'a Packing,
    before: &'a [u64],
    numbers: &'a [u64],
    out: &'a mut [[u64; 2]],
}

plain!(Unpack);

impl Unpack<'_> {
    #[inline(always)]
    fn run_plain(self) {
        let Packing { q, by_q, complements: [even, odd], .. } = *self.packing;
        let digit = (1 << DIGIT) - 1;
        for (out, (x, before)) in zip(self.out, zip(self.numbers, self.before)) {
            let (x, y) = ((x & digit) + (before >> (2 * DIGIT)) + even, (x >> DIGIT & digit) + odd);
            *out = [x - times(by_q.quotient(x), q), y - times(by_q.quotient(y), q)];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Words;
    use alloc::{vec, vec::Vec};

    /// A prime of 30 bits and one of 46.
    const PRIMES: [u64; 2] = [1_073_479_681, 70_368_740_769_793];
    const WRAPS: [Option<Shape>; 3] = [None, Some(Shape::Cyclic), Some(Shape::Negacyclic)];

    fn packing(q: u64, n: usize, wraps: Option<Shape>, p: u64) -> Option<Packing> {
        let minus = wraps == Some(Shape::Negacyclic);
        Packing::new(
            Cpu::detect(),
            wraps,
            n,
            Bounds { q, small: None, terms: n as u64, minus, centred: false },
            p,
        )
    }

    /// The greatest degree that a prime holds, a multiple of a step.
    fn greatest(q: u64, wraps: Option<Shape>, p: u64, step: usize) -> usize {
        (1..60_000 / step).map(|i| i * step).rfind(|n| packing(q, *n, wraps, p).is_some()).unwrap_or(0)
    }

    /// Protects: the inequality, at the last degree that meets it; the next one does not.
    #[test]
    fn greatest_degrees() {
        let of = |q, wraps| PRIMES.map(|p| greatest(q, wraps, p, 2));
        assert_eq!(of(2, None), [1288, 52014]);
        assert_eq!(of(3, None), [644, 26006]);
        assert_eq!(of(3, Some(Shape::Negacyclic)), [644, 26006]);
        assert_eq!(of(17, None), [10, 406]);
    }

    /// What three digits of a number stand for.
    fn residue(packing: &Packing, c: [i64; 3]) -> u64 {
        let base = i128::from(packing.base);
        let number = i128::from(c[0]) + base * (i128::from(c[1]) + base * i128::from(c[2]));
        number.rem_euclid(packing.p.into()) as u64
    }

    /// The coefficients that digits give.
    fn coefficients(packing: &Packing, c: &[[i64; 3]], count: usize) -> Vec<u64> {
        let last = c[c.len() - 1][2];
        let first = match packing.wraps {
            None => 0,
            Some(Shape::Negacyclic) => -last,
            Some(_) => last,
        };
        let before = core::iter::once(first).chain(c.iter().map(|c| c[2]));
        let both = zip(c, before).flat_map(|(c, before)| [c[0] + before, c[1]]);
        both.take(count).map(|x| x.rem_euclid(packing.q as i64) as u64).collect()
    }

    /// All products of three digits at their ends and around 0, one after the other.
    fn ends(packing: &Packing) -> Vec<[i64; 3]> {
        let of = |k: usize| {
            let (least, greatest) = (packing.least[k] as i64, packing.greatest[k] as i64);
            [-least, 1 - least, 0, greatest - least - 1, greatest - least]
        };
        (0..125).map(|i| [of(0)[i / 25], of(1)[i / 5 % 5], of(2)[i % 5]]).collect()
    }

    /// Protects: digits at their ends, of all kinds, at the greatest degree of each prime, on every backend.
    #[test]
    fn digits_at_their_ends() {
        for (cpu, wraps) in Cpu::available().flat_map(|cpu| WRAPS.map(|wraps| (cpu, wraps))) {
            for (q, p) in (2..=9).flat_map(|q| PRIMES.map(|p| (q, p))) {
                let n = greatest(q, wraps, p, 64).max(16);
                let Some(packing) = packing(q, n, wraps, p) else { continue };
                let packing = Packing { cpu, ..packing };
                let ends = ends(&packing);
                for count in [ends.len() * 2, ends.len() * 2 - 1, 4, 3] {
                    let c = &ends[ends.len() - count.div_ceil(2)..];
                    let mut numbers: Vec<u64> = c.iter().map(|c| residue(&packing, *c)).collect();
                    let mut out = vec![0; count];
                    packing.unpack(&mut numbers, &mut out);
                    assert_eq!(out, coefficients(&packing, c, count), "q = {q}, n = {n}, {wraps:?}");
                }
            }
        }
    }

    /// Protects: coefficients that are packed, each and an odd number of them.
    #[test]
    fn packs() {
        for (q, p) in (2..=17).flat_map(|q| PRIMES.map(|p| (q, p))) {
            let Some(packing) = packing(q, 16, None, p) else { continue };
            let centred = |x: u64| if x > q / 2 { x as i64 - q as i64 } else { x as i64 };
            let a: Vec<u64> =
                (0..2 * q * q + 1).map(|i| [i / 2 / q, i / 2 % q][(i % 2) as usize] % q).collect();
            let mut to = Words::zero(a.len()).unwrap();
            packing.pack(&a, &mut to);
            for (i, x) in to.iter().enumerate() {
                let [x0, x1] = [2 * i, 2 * i + 1].map(|i| a.get(i).map_or(0, |x| centred(*x)));
                assert_eq!(*x, residue(&packing, [x0, x1, 0]), "q = {q}, {i}");
            }
        }
    }
}
