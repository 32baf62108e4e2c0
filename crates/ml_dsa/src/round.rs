//! Rounding: FIPS 204, section 7.4.
//!
//! Power2Round: `r = r1 2^d + r0`, `r0` in `(-2^(d-1), 2^(d-1)]`. Decompose: `r = r1 2 gamma2 + r0`, `r0` in
//! `(-gamma2, gamma2]`, but where `r - r0 = q - 1` it is `r1 = 0`, and `r0` is less by one; so there are
//! `m = (q - 1)/(2 gamma2)` values of `r1`.
//!
//! `2 gamma2` is `2^9 e`. So the quotient is `floor(y / e)` for the 15 bits `y` above the lowest nine, and
//! that is `floor((y + 1) floor(2^23 / e) / 2^23)`: a product of words. It does not decrease in `y`, so it is
//! right for all `y` if it is right on both sides of every multiple: the compiler looks at these.
//!
//! # Hints
//! Signing knows `(w1, w0) = Decompose(w)`, and that `|w0 - c s2| < gamma2 - beta`: then
//! `HighBits(w - c s2) = w1`. Adding `c t0` gives `x = w0 - c s2 + c t0`, with `|c t0| < gamma2`. The high
//! part changes where `x` leaves the interval of remainders: above `gamma2`, below `-gamma2`, and at
//! `-gamma2` itself except that with `w1 = 0` it still belongs there (the case of `q - 1`).
//!
//! Constant time; no division.

use crate::ring::{Extremes, N, Poly, Q, ROWS, Words, halves};
use ringsmith_kem::bits;
use ringsmith_simd::{Cpu, Kernel, Simd};

/// Bits that Power2Round drops.
pub(crate) const D: u32 = 13;
/// The largest low part of Power2Round.
pub(crate) const T0_TOP: i32 = 1 << (D - 1);
/// Bits of the high part of Power2Round.
pub(crate) const T1_BITS: usize = 10;

/// The rounding of a set, by its `gamma2`.
#[derive(Clone, Copy)]
pub(crate) struct Rounding {
    gamma2: i32,
    /// Values of the high part.
    parts: i32,
    /// `2^9` goes into `2 gamma2` so often.
    step: i32,
    /// `floor(2^23 / step)`.
    reciprocal: i32,
}

impl Rounding {
    /// Of this `gamma2`, where `2 gamma2` divides `q - 1`.
    pub(crate) const fn new(gamma2: i32) -> Self {
        let step = (2 * gamma2) >> 9;
        assert!((Q - 1) % (2 * gamma2) == 0 && step << 9 == 2 * gamma2);
        let rounding = Rounding { gamma2, parts: (Q - 1) / (2 * gamma2), step, reciprocal: (1 << 23) / step };
        let largest = (Q + gamma2) >> 9;
        assert!(largest + 1 < 1 << 15 && rounding.reciprocal < 1 << 15 && rounding.parts * step < 1 << 15);
        let mut j = 1;
        while j <= rounding.parts + 1 && j * step <= largest {
            assert!(rounding.quotient(j * step - 1) == j - 1 && rounding.quotient(j * step) == j);
            j += 1;
        }
        rounding
    }

    /// `floor(y / step)` for `y` up to `(q + gamma2) / 2^9`.
    const fn quotient(self, y: i32) -> i32 {
        ((y + 1) * self.reciprocal) >> 23
    }

    /// Algorithm 36: the high and the low part of `r` in `[0, q)`.
    #[inline(always)]
    fn decompose<S: Simd>(self, s: S, r: S::I32) -> (S::I32, S::I32) {
        // Rounded up to the next part from gamma2 + 1 on; and y + 1.
        let next = s.shift_right32::<9>(s.add32(r, s.splat32(self.gamma2 - 1 + (1 << 9))));
        let high = s.shift_right32::<23>(s.mul_word32(next, s.splat32(self.reciprocal)));
        let steps = s.mul_word32(high, s.splat32(self.step));
        let low = s.sub32(r, s.mul_word32(steps, s.splat32(1 << 9)));
        let wraps = s.shift_right32::<31>(s.sub32(s.splat32(self.parts - 1), high));
        (s.sub32(high, s.and32(high, wraps)), s.add32(low, wraps))
    }

    /// The hint of a coefficient, -1 or 0, by `x = w0 - c s2 + c t0` and `w1`: see the head of this file.
    #[inline(always)]
    fn make_hint<S: Simd>(self, s: S, x: S::I32, high: S::I32) -> S::I32 {
        let (zero, gamma2) = (s.splat32(0), s.splat32(self.gamma2));
        let above = s.shift_right32::<31>(s.sub32(gamma2, x));
        let not_zero = s.shift_right32::<31>(s.sub32(zero, high));
        let below = s.shift_right32::<31>(s.add32(s.add32(x, gamma2), not_zero));
        s.xor32(above, below)
    }

    /// Algorithm 40: the high part of `r` in `[0, q)` as a hint, -1 or 0, corrects it. The low part decides
    /// by `r0 > 0`: zero goes down.
    #[inline(always)]
    fn use_hint<S: Simd>(self, s: S, hint: S::I32, r: S::I32) -> S::I32 {
        let (high, low) = self.decompose(s, r);
        let (one, parts) = (s.splat32(1), s.splat32(self.parts));
        let down = s.shift_right32::<31>(s.sub32(low, one));
        let by = s.and32(s.add32(s.add32(down, down), one), hint);
        let moved = s.add_if_negative32(s.add32(high, by), parts);
        s.add_if_negative32(s.sub32(moved, parts), parts)
    }

    /// Replaces an element by its low part; writes the high part in `bits` bits.
    pub(crate) fn split(self, cpu: Cpu, bits: usize, w: &mut Poly, high: &mut [u8]) {
        match bits {
            4 => cpu.run(Split::<4> { rounding: self, w, high }),
            _ => cpu.run(Split::<6> { rounding: self, w, high }),
        }
    }

    /// Makes the hints, 1 or 0, of a row; see [`make_hint`](Self::make_hint). Whether `c t0` is too large, as
    /// a mask, and how many ones there are.
    pub(crate) fn hints(
        self,
        cpu: Cpu,
        bits: usize,
        [low, ct0]: [&Poly; 2],
        high: &[u8],
        hints: &mut [u8; N],
    ) -> (i32, i32) {
        match bits {
            4 => cpu.run(MakeHints::<4> { rounding: self, low, ct0, high, hints }),
            _ => cpu.run(MakeHints::<6> { rounding: self, low, ct0, high, hints }),
        }
    }

    /// Writes the high part of an element, corrected by hints, -1 or 0, in `bits` bits.
    pub(crate) fn corrected(self, cpu: Cpu, bits: usize, w: &Poly, hints: &Words, out: &mut [u8]) {
        match bits {
            4 => cpu.run(UseHints::<4> { rounding: self, w, hints, out }),
            _ => cpu.run(UseHints::<6> { rounding: self, w, hints, out }),
        }
    }
}

struct Split<'a, const BITS: usize> {
    rounding: Rounding,
    w: &'a mut Poly,
    high: &'a mut [u8],
}

impl<const BITS: usize> Kernel for Split<'_, BITS> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let mut row = 0;
        while row < ROWS / 2 {
            let (first, low) = self.rounding.decompose(s, s.load32(&self.w.0[2 * row]));
            s.store32(&mut self.w.0[2 * row], low);
            let (second, low) = self.rounding.decompose(s, s.load32(&self.w.0[2 * row + 1]));
            s.store32(&mut self.w.0[2 * row + 1], low);
            bits::write::<S, BITS>(s, s.narrow(first, second), self.high, row);
            row += 1;
        }
    }
}

struct MakeHints<'a, const BITS: usize> {
    rounding: Rounding,
    low: &'a Poly,
    /// Centred.
    ct0: &'a Poly,
    high: &'a [u8],
    hints: &'a mut [u8; N],
}

impl<const BITS: usize> Kernel for MakeHints<'_, BITS> {
    type Out = (i32, i32);
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> (i32, i32) {
        let (mut extremes, mut sum, mut row) = (Extremes::new(s), s.splat(0), 0);
        while row < ROWS / 2 {
            let (first, second) = s.widen(bits::read::<S, BITS>(s, self.high, row));
            let (mut masks, highs, mut half) = ([first; 2], [first, second], 0);
            while half < 2 {
                let ct0 = s.load32(&self.ct0.0[2 * row + half]);
                extremes = extremes.and(s, ct0);
                let x = s.add32(s.load32(&self.low.0[2 * row + half]), ct0);
                masks[half] = self.rounding.make_hint(s, x, highs[half]);
                half += 1;
            }
            let ones = s.and(s.narrow(masks[0], masks[1]), s.splat(1));
            sum = s.add(sum, ones);
            bits::write::<S, 8>(s, ones, self.hints, row);
            row += 1;
        }
        let (mut lanes, mut count, mut i) = ([0; 16], 0, 0);
        s.store(&mut lanes, sum);
        while i < 16 {
            count += lanes[i] as i32;
            i += 1;
        }
        (extremes.exceed(s, self.rounding.gamma2), count)
    }
}

struct UseHints<'a, const BITS: usize> {
    rounding: Rounding,
    w: &'a Poly,
    hints: &'a Words,
    out: &'a mut [u8],
}

impl<const BITS: usize> Kernel for UseHints<'_, BITS> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let mut row = 0;
        while row < ROWS / 2 {
            let [first, second] = halves(s, self.hints, row);
            let first = self.rounding.use_hint(s, first, s.load32(&self.w.0[2 * row]));
            let second = self.rounding.use_hint(s, second, s.load32(&self.w.0[2 * row + 1]));
            bits::write::<S, BITS>(s, s.narrow(first, second), self.out, row);
            row += 1;
        }
    }
}

/// Algorithm 35 on `t + s`, where `t` is in `[0, q)`: writes the high part in 10 bits, and `2^12` less the
/// low one in 13.
pub(crate) struct Power2Round<'a> {
    pub(crate) t: &'a Poly,
    pub(crate) s: &'a Words,
    pub(crate) high: &'a mut [u8],
    pub(crate) low: &'a mut [u8],
}

impl Kernel for Power2Round<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (q, up) = (s.splat32(Q), s.splat32(T0_TOP - 1));
        let mut row = 0;
        while row < ROWS / 2 {
            let small = halves(s, self.s, row);
            let (mut highs, mut lows, mut half) = (small, small, 0);
            while half < 2 {
                let sum = s.add32(s.load32(&self.t.0[2 * row + half]), small[half]);
                let sum = s.add_if_negative32(sum, q);
                let r = s.add_if_negative32(s.sub32(sum, q), q);
                highs[half] = s.shift_right32::<{ D as i32 }>(s.add32(r, up));
                // 2^12 - (r - r1 2^13)
                let back = s.mul_word32(highs[half], s.splat32(1 << D));
                lows[half] = s.add32(s.sub32(back, r), s.splat32(T0_TOP));
                half += 1;
            }
            bits::write::<S, T1_BITS>(s, s.narrow(highs[0], highs[1]), self.high, row);
            bits::write::<S, { D as usize }>(s, s.narrow(lows[0], lows[1]), self.low, row);
            row += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ring::{ZERO, ZERO_WORDS};
    use std::vec::Vec;

    const SETS: [(i32, usize, i32); 2] = [((Q - 1) / 88, 6, 78), ((Q - 1) / 32, 4, 196)];

    /// Decompose by its definition.
    fn decomposed(gamma2: i32, r: i32) -> (i32, i32) {
        let rest = r.rem_euclid(2 * gamma2);
        let centred = if rest > gamma2 { rest - 2 * gamma2 } else { rest };
        match r - centred {
            wrap if wrap == Q - 1 => (0, centred - 1),
            whole => (whole / (2 * gamma2), centred),
        }
    }

    /// Number `i` of `bits` bits.
    fn number(bytes: &[u8], bits: usize, i: usize) -> i32 {
        (0..bits).map(|b| i32::from(bytes[(bits * i + b) / 8] >> ((bits * i + b) % 8) & 1) << b).sum()
    }

    /// Elements that have all these numbers.
    fn polys(numbers: &[i32]) -> impl Iterator<Item = Poly> {
        numbers.chunks(N).map(|some| {
            let mut poly = ZERO;
            poly.0.as_flattened_mut()[..some.len()].copy_from_slice(some);
            poly
        })
    }

    /// Protects: both roundings, on every backend, at both ends of every interval and in between.
    #[test]
    fn roundings() {
        for cpu in Cpu::available() {
            for (gamma2, bits, _) in SETS {
                let near = |x: i32| (x - 2..=x + 2).filter(|r| (0..Q).contains(r));
                let edges = (0..=(Q - 1) / gamma2).flat_map(|j| near(j * gamma2));
                let all: Vec<_> = edges.chain((0..Q).step_by(977)).collect();
                for poly in polys(&all) {
                    let (mut w, mut high) = (poly, [0; 192]);
                    Rounding::new(gamma2).split(cpu, bits, &mut w, &mut high[..32 * bits]);
                    for (i, (r, low)) in poly.0.as_flattened().iter().zip(w.0.as_flattened()).enumerate() {
                        let got = (number(&high, bits, i), *low);
                        assert_eq!(got, decomposed(gamma2, *r), "{r} on {cpu:?}");
                    }
                }
            }
        }
    }

    /// Protects: Power2Round, and the sum before it where it wraps.
    #[test]
    fn powers() {
        for cpu in Cpu::available() {
            let near = |x: i32| (x - 3..=x + 3).filter(|r| (0..Q).contains(r));
            let all: Vec<_> = (0..=Q >> 12).flat_map(|j| near(j << 12)).chain([Q - 1, Q - 2]).collect();
            for poly in polys(&all) {
                for small in [-4, 0, 4] {
                    let (mut words, mut high, mut low) = (ZERO_WORDS, [0; 320], [0; 416]);
                    words.0.as_flattened_mut().fill(small);
                    cpu.run(Power2Round { t: &poly, s: &words, high: &mut high, low: &mut low });
                    for (i, t) in poly.0.as_flattened().iter().enumerate() {
                        let (r1, r0) = (number(&high, 10, i), 4096 - number(&low, 13, i));
                        assert_eq!(r1 * 8192 + r0, (t + i32::from(small)).rem_euclid(Q), "{t} on {cpu:?}");
                        assert!(r0 > -4096 && r0 <= 4096);
                    }
                }
            }
        }
    }

    /// Protects: hints by one decomposition against the definition of MakeHint, that UseHint undoes them at
    /// the ends of every interval, and their count.
    #[test]
    fn hints() {
        for cpu in Cpu::available() {
            for (gamma2, bits, beta) in SETS {
                let (rounding, limit) = (Rounding::new(gamma2), gamma2 - beta - 1);
                let changes =
                    [1 - gamma2, -beta - 2, -beta - 1, -1, 0, 1, beta, beta + 1, beta + 2, gamma2 - 1];
                for change in changes {
                    let lows = [-limit, -1, 0, 1, limit];
                    // r = w - c s2, whose parts are these; adding c t0 is the change.
                    let all: Vec<_> = (0..rounding.parts)
                        .flat_map(|part| lows.map(|low| (part * 2 * gamma2 + low).rem_euclid(Q)))
                        .collect();
                    for poly in polys(&all) {
                        let (mut w, mut high, mut hints) = (poly, [0; 192], [9; N]);
                        rounding.split(cpu, bits, &mut w, &mut high[..32 * bits]);
                        let (mut ct0, mut changed) = (ZERO, poly);
                        ct0.0.as_flattened_mut().fill(change);
                        changed
                            .0
                            .as_flattened_mut()
                            .iter_mut()
                            .for_each(|r| *r = (*r + change).rem_euclid(Q));
                        let (exceeding, count) =
                            rounding.hints(cpu, bits, [&w, &ct0], &high[..32 * bits], &mut hints);
                        assert!(exceeding == 0 && count == hints.iter().map(|x| i32::from(*x)).sum::<i32>());
                        let mut masks = ZERO_WORDS;
                        for (i, r) in changed.0.as_flattened().iter().enumerate() {
                            let expected = decomposed(gamma2, *r).0 != number(&high, bits, i);
                            assert_eq!(hints[i], u8::from(expected), "{r} {change} on {cpu:?}");
                            masks.0.as_flattened_mut()[i] = -i16::from(hints[i]);
                        }
                        let mut out = [0; 192];
                        rounding.corrected(cpu, bits, &changed, &masks, &mut out[..32 * bits]);
                        assert_eq!(out, high, "{change} on {cpu:?}");
                    }
                }
                let mut large = ZERO;
                for (at, x, expected) in [(0, gamma2 - 1, 0), (9, gamma2, -1), (255, -gamma2, -1)] {
                    large.0.as_flattened_mut().fill(0);
                    large.0.as_flattened_mut()[at] = x;
                    let got = rounding.hints(cpu, bits, [&ZERO, &large], &[0; 192], &mut [0; N]);
                    assert_eq!(got.0, expected);
                }
            }
        }
    }
}
