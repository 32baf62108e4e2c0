//! NTRU-HRSS: all coefficients are independent; keys and lifts are multiples of `x - 1`.
//!
//! # Keys
//! Neighbours in `f` and `g` must not be negatively correlated: where the sum of `a_i a_(i+1)` is negative,
//! the coefficients of even powers change their signs, and so does the sum.
//!
//! # The lift
//! `Lift(m) = (x - 1) b` with the ternary `b` that is `m / (x - 1)` modulo 3 and `Phi_n`. `n = -1 (mod 3)`,
//! so with `s = m(1)` the element `m + s Phi_n` is the same and 0 at 1, and a multiple of `x - 1` modulo 3:
//! of its coefficients `w_i` comes
//!
//! ```text
//! b_(i-1) - b_i = w_i,    b_i = -(w_0 + .. + w_i),    b_(n-1) = 0
//! ```
//!
//! # Bounds
//! `|w_i| <= 2`, so no sum is greater than twice the coefficients that rows have room for, below `2^13`.
//!
//! Source: NTRU, round 3, sections 1.9.3 and 1.10.2; the quotient by sums of coefficients is Ringsmith's own.

use super::element::{Element, InRows, Ternary, clear_from};
use super::rings::Quotient;
use super::sample::{independent, independent_bytes};
use super::ternary::{Centre, add_multiple, modulo_3, sum_of_lanes, word_modulo_3};
use super::variant::Variant;
use ringsmith_ring::{Coefficients, Ring};
use ringsmith_simd::{Cpu, Kernel, Row, Simd};

/// The system.
pub struct Hrss;

impl Hrss {
    /// Bytes of the pair of elements that a key or a ciphertext is made of.
    pub(super) const fn pair_bytes(n: usize) -> usize {
        2 * independent_bytes(n)
    }
}

/// The sum of all lanes.
struct Sum<'a>(&'a [Row]);

impl Kernel for Sum<'_> {
    type Out = i16;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> i16 {
        let mut sum = s.splat(0);
        for row in self.0 {
            sum = s.add(sum, s.load(row));
        }
        sum_of_lanes(s, sum)
    }
}

/// The sum of the products of neighbours; a row more than counts.
struct Correlation<'a>(&'a [Row]);

impl Kernel for Correlation<'_> {
    type Out = i16;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> i16 {
        let (mut sum, words) = (s.splat(0), self.0.as_flattened());
        for (r, row) in self.0.iter().enumerate().take(self.0.len() - 1) {
            let next = s.load(words[16 * r + 1..].first_chunk().expect("a row more"));
            sum = s.add(sum, s.mul_lo(s.load(row), next));
        }
        sum_of_lanes(s, sum)
    }
}

/// Coefficients of even powers with their signs changed where the mask is -1.
struct Negate<'a> {
    mask: i16,
    a: &'a mut [Row],
}

impl Kernel for Negate<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let even = s.load(const { &[-1, 0, -1, 0, -1, 0, -1, 0, -1, 0, -1, 0, -1, 0, -1, 0] });
        let mask = s.and(s.splat(self.mask), even);
        for row in self.a {
            let x = s.load(row);
            s.store(row, s.sub(s.xor(x, mask), mask));
        }
    }
}

/// An element of a key.
fn not_negatively_correlated<R: Ring>(cpu: Cpu, bytes: &[u8], out: &mut Ternary<R>) {
    const { assert!(R::N.div_ceil(16) < <R::Coeffs as Coefficients>::ROWS) };
    independent(cpu, bytes, out);
    let sum = cpu.run(Correlation(&out.rows()[..const { R::N.div_ceil(16) + 1 }]));
    cpu.run(Negate { mask: sum >> 15, a: out.rows_mut() });
}

/// `scale (a_(i-1) - a_i)`, centred, with `a_(-1) = last`.
struct Differences<'a> {
    centre: Centre,
    scale: i16,
    last: i16,
    a: &'a [Row],
    out: &'a mut [Row],
}

impl Kernel for Differences<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (words, scale, mut before) = (self.a.as_flattened(), s.splat(self.scale), [0; 16]);
        before[0] = self.last;
        before[1..].copy_from_slice(&words[..15]);
        for (r, (out, row)) in self.out.iter_mut().zip(self.a).enumerate() {
            let before = match r {
                0 => &before,
                _ => words[16 * r - 1..].first_chunk().expect("a row of the same"),
            };
            let x = s.mul_lo(s.sub(s.load(before), s.load(row)), scale);
            s.store(out, self.centre.apply(s, x));
        }
    }
}

/// `scale (x - 1) a`.
fn differences<R: Ring>(cpu: Cpu, scale: i16, a: &Element<R>, out: &mut Element<R>) {
    let (centre, last) = (const { Centre::of::<R>() }, a.rows().as_flattened()[R::N - 1]);
    cpu.run(Differences { centre, scale, last, a: a.rows(), out: out.rows_mut() });
    clear_from(R::N, out.rows_mut());
}

/// All sums `-(w_0 + .. + w_i)` modulo 3, with `w_i = a_i + x`.
struct Sums<'a> {
    a: &'a [Row],
    x: i16,
    out: &'a mut [Row],
}

/// The sums of each half's lanes up to each.
#[inline(always)]
fn sums_of_halves<S: Simd>(s: S, x: S::I16) -> S::I16 {
    let zero = s.splat(0);
    let two = s.add(x, s.half_window::<7>(zero, x));
    let four = s.add(two, s.half_window::<6>(zero, two));
    s.add(four, s.half_window::<4>(zero, four))
}

impl Kernel for Sums<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let upper = s.load(const { &[0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1] });
        let (x, zero, mut before) = (s.splat(self.x), s.splat(0), 0_i16);
        for (out, row) in self.out.iter_mut().zip(self.a) {
            let sums = sums_of_halves(s, s.add(s.load(row), x));
            s.store(out, sums);
            let (low, high) = (out[7], out[15]);
            let all = s.add(s.add(sums, s.splat(before)), s.and(s.splat(low), upper));
            s.store(out, modulo_3(s, s.sub(zero, all)));
            before = before.wrapping_add(low).wrapping_add(high);
        }
    }
}

/// `m / (x - 1)` modulo 3 and `Phi_n`.
fn quotient<R: Ring>(cpu: Cpu, m: &Ternary<R>, out: &mut Element<R>) {
    const { assert!(R::N % 3 == 2 && 32 * <R::Coeffs as Coefficients>::ROWS < 1 << 13) };
    let x = word_modulo_3(cpu.run(Sum(m.rows())));
    cpu.run(Sums { a: m.rows(), x, out: out.rows_mut() });
    clear_from(R::N, out.rows_mut());
}

impl Variant for Hrss {
    fn sample_key<R: Quotient>(cpu: Cpu, bytes: &[u8], f: &mut Ternary<R>, g: &mut Ternary<R>) {
        let (first, second) = bytes.split_at(independent_bytes(R::N));
        not_negatively_correlated(cpu, first, f);
        not_negatively_correlated(cpu, second, g);
    }

    fn sample_message<R: Quotient>(cpu: Cpu, bytes: &[u8], r: &mut Ternary<R>, m: &mut Ternary<R>) {
        let (first, second) = bytes.split_at(independent_bytes(R::N));
        independent(cpu, first, r);
        independent(cpu, second, m);
    }

    /// `3 (x - 1) a`.
    fn multiple<R: Ring>(cpu: Cpu, a: &Element<R>, out: &mut Element<R>) {
        differences(cpu, 3, a, out);
    }

    fn add_lift<R: Ring>(cpu: Cpu, a: &mut Element<R>, scale: i16, m: &Ternary<R>) {
        let [mut quotient_of_m, mut lifted] = [(); 2].map(|()| Element::zero());
        quotient(cpu, m, &mut quotient_of_m);
        differences(cpu, 1, &quotient_of_m, &mut lifted);
        add_multiple(cpu, a, scale, &lifted);
    }

    /// Any element is one.
    fn not_a_message<R: Ring>(_: Cpu, _: &Ternary<R>) -> i16 {
        0
    }
}
