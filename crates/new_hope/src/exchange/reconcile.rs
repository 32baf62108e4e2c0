//! Reconciliation: how two polynomials that are nearly the same become the same 256 bits.
//!
//! # The map
//! Coefficients `i, 256 + i, 512 + i, 768 + i` are a point in four dimensions, modulo `q`. One side finds the
//! nearest point of a lattice `D~4` to it and sends how far it is from that, two bits a coordinate
//! (`HelpRec`); the other takes this off its own point and sees in which of two cells it lies (`Rec`).
//!
//! With `y = 2 v + b` for the random bit `b` (Longa and Naehrig: `2 v - b`), the nearest multiples of `q / 2`
//! to the right and to the left of a half step are
//!
//! ```text
//! v0 = #{k odd: 4 y >= k q}     v1 = #{k > 0 even: 4 y >= k q}
//! ```
//!
//! `v0` is taken where `sum |2 y - q v0| < q`, otherwise `v1`. `Rec` adds up the distances of `8 v - q m`
//! from multiples of `8 q`, `m` being what was sent, and compares the sum with `8 q`.
//!
//! # Bounds
//! `y` fits 16 bits, and so does `2 y - q v0`, whose magnitude is at most `q / 2`; it is computed modulo
//! `2^16`. `Rec` has 32-bit lanes.
//!
//! # Source
//! E. Alkim, L. Ducas, T. Poeppelmann, P. Schwabe: Post-quantum key exchange, a new hope, USENIX Security
//! 2016, section 5; P. Longa, M. Naehrig, CANS 2016, section 4.

use super::noise::ROWS;
use ringsmith_kem::bits::{masks, write};
use ringsmith_ring::Rows;
use ringsmith_simd::{Cpu, Kernel, Row, Simd, each};

const Q: i16 = 12289;
/// Rows of a coordinate.
const QUARTER: usize = ROWS / 4;

/// The least `y` with `4 y >= k q`, less one.
const fn below(k: i64) -> i16 {
    ((k * Q as i64 + 3) / 4 - 1) as i16
}

/// Two bits a coefficient, of `v` in `[0, q)` and 256 random bits. `MINUS`: these are taken off, not added.
pub(super) fn help(cpu: Cpu, v: &Rows<ROWS>, random: &[u8; 32], minus: bool, out: &mut Rows<ROWS>) {
    let sign = if minus { -1 } else { 1 };
    cpu.run(Help { v: &v.0, random, sign, out: &mut out.0 });
}

struct Help<'a> {
    v: &'a [Row; ROWS],
    random: &'a [u8; 32],
    sign: i16,
    out: &'a mut [Row; ROWS],
}

impl Kernel for Help<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (q, sign, three) = (s.splat(Q), s.splat(self.sign), s.splat(3));
        let mut r = 0;
        while r < QUARTER {
            let bit = s.and(masks(s, self.random, r), sign);
            let y: [_; 4] = each(
                #[inline(always)]
                |j| {
                    let v = s.load(&self.v[r + QUARTER * j]);
                    s.add(s.add(v, v), bit)
                },
            );
            // -1 for each multiple that is passed.
            let zero: [_; 4] = each(
                #[inline(always)]
                |j| counted(s, y[j], [below(1), below(3), below(5), below(7)]),
            );
            let one: [_; 4] = each(
                #[inline(always)]
                |j| counted(s, y[j], [below(2), below(4), below(6), i16::MAX]),
            );
            let (mut sum, mut j) = (s.splat(0), 0);
            while j < 4 {
                let distance = s.sub(s.add(y[j], y[j]), s.mul_lo(zero[j], q));
                sum = s.add(sum, magnitude(s, distance));
                j += 1;
            }
            // -1 where the second point is nearer.
            let second = s.gt(sum, s.splat(Q - 1));
            let w: [_; 4] = each(
                #[inline(always)]
                |j| s.add(zero[j], s.and(second, s.sub(one[j], zero[j]))),
            );
            j = 0;
            while j < 3 {
                s.store(&mut self.out[r + QUARTER * j], s.and(s.sub(w[j], w[3]), three));
                j += 1;
            }
            let last = s.sub(s.add(w[3], w[3]), second);
            s.store(&mut self.out[r + QUARTER * 3], s.and(last, three));
            r += 1;
        }
    }
}

/// How many of the bounds `y` is above.
#[inline(always)]
fn counted<S: Simd>(s: S, y: S::I16, bounds: [i16; 4]) -> S::I16 {
    let above: [_; 4] = each(
        #[inline(always)]
        |k| s.gt(y, s.splat(bounds[k])),
    );
    s.sub(s.splat(0), s.add(s.add(above[0], above[1]), s.add(above[2], above[3])))
}

#[inline(always)]
fn magnitude<S: Simd>(s: S, x: S::I16) -> S::I16 {
    let negative = s.and(x, s.shift_right::<15>(x));
    s.sub(x, s.add(negative, negative))
}

/// The 256 bits of `v` in `[0, q)` and of what the other side sent of its own. `inclusive`: a sum of `8 q`
/// counts as less.
pub(super) fn reconcile(cpu: Cpu, v: &Rows<ROWS>, sent: &Rows<ROWS>, inclusive: bool, key: &mut [u8; 32]) {
    cpu.run(Reconcile { v: &v.0, sent: &sent.0, bound: 8 * Q as i32 + inclusive as i32, key });
}

struct Reconcile<'a> {
    v: &'a [Row; ROWS],
    sent: &'a [Row; ROWS],
    bound: i32,
    key: &'a mut [u8; 32],
}

impl Kernel for Reconcile<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let bound = s.splat32(self.bound);
        let mut r = 0;
        while r < QUARTER {
            let last = s.load(&self.sent[r + QUARTER * 3]);
            let (mut sums, mut j) = ([s.splat32(0); 2], 0);
            while j < 4 {
                let own = s.load(&self.sent[r + QUARTER * j]);
                let m = if j < 3 { s.add(s.add(own, own), last) } else { last };
                let (v, m) = (s.widen(s.load(&self.v[r + QUARTER * j])), s.widen(m));
                sums = [s.add32(sums[0], distance(s, v.0, m.0)), s.add32(sums[1], distance(s, v.1, m.1))];
                j += 1;
            }
            let less: [_; 2] = each(
                #[inline(always)]
                |i| s.shift_right32::<31>(s.sub32(sums[i], bound)),
            );
            let bits = s.and(s.narrow(less[0], less[1]), s.splat(1));
            write::<S, 1>(s, bits, self.key, r);
            r += 1;
        }
    }
}

/// How far `8 v - q m` is from a multiple of `8 q`, for `v` in `[0, q)` and `m` in `[0, 9]`.
#[inline(always)]
fn distance<S: Simd>(s: S, v: S::I32, m: S::I32) -> S::I32 {
    let (q, half, whole) = (s.splat32(Q as i32), s.splat32(4 * Q as i32), s.splat32(8 * Q as i32));
    let twice = s.add32(v, v);
    let four = s.add32(twice, twice);
    let x = s.sub32(s.add32(four, four), s.mul_word32(m, q));
    let above = s.shift_right32::<31>(s.sub32(half, x));
    let below = s.shift_right32::<31>(s.add32(half, x));
    let x = s.add32(s.sub32(x, s.and32(above, whole)), s.and32(below, whole));
    let negative = s.and32(x, s.shift_right32::<31>(x));
    s.sub32(x, s.add32(negative, negative))
}
