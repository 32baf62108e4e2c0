//! What is computed with elements beside products: one pass each.
//!
//! # Bounds
//! Coefficients are centred modulo `q`, or -1, 0, 1; sums of a few fit words.

use crate::modulus::Modulus;
use core::marker::PhantomData;
use ringsmith_cyclic::ternary::{modulo_3, sum_of_lanes};
use ringsmith_ring::three::third;
use ringsmith_simd::{Cpu, Kernel, Row, Simd};

/// `a = a + b` modulo 3.
struct AddTernary<'a> {
    a: &'a mut [Row],
    b: &'a [Row],
    /// 1 or -1: what `b` is multiplied by.
    sign: i16,
}

impl Kernel for AddTernary<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let sign = s.splat(self.sign);
        for (a, b) in self.a.iter_mut().zip(self.b) {
            let sum = s.add(s.load(a), s.mul_lo(s.load(b), sign));
            s.store(a, modulo_3(s, sum));
        }
    }
}

/// `a + b` modulo 3, of coefficients -1, 0, 1.
pub(crate) fn add_ternary(cpu: Cpu, a: &mut [Row], b: &[Row]) {
    cpu.run(AddTernary { a, b, sign: 1 });
}

/// `a - b` modulo 3, of coefficients -1, 0, 1.
pub(crate) fn subtract_ternary(cpu: Cpu, a: &mut [Row], b: &[Row]) {
    cpu.run(AddTernary { a, b, sign: -1 });
}

/// The sum of coefficients, and how many of them are odd.
struct Count<'a>(&'a [Row]);

impl Kernel for Count<'_> {
    type Out = [i16; 2];
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> [i16; 2] {
        let (mut sum, mut odd, one) = (s.splat(0), s.splat(0), s.splat(1));
        for row in self.0 {
            let x = s.load(row);
            (sum, odd) = (s.add(sum, x), s.add(odd, s.and(x, one)));
        }
        [sum_of_lanes(s, sum), sum_of_lanes(s, odd)]
    }
}

/// How many coefficients are 1, and how many -1, of -1, 0 and 1; which is a secret. Of others it is any
/// number.
pub(crate) fn counts(cpu: Cpu, a: &[Row]) -> [i16; 2] {
    let [sum, odd] = cpu.run(Count(a));
    [odd.wrapping_add(sum) >> 1, odd.wrapping_sub(sum) >> 1]
}

/// All ones where `n` coefficients have fewer than `least` of one of the three values, else 0.
pub(crate) fn has_too_few(cpu: Cpu, a: &[Row], n: usize, least: usize) -> i16 {
    let [ones, minus_ones] = counts(cpu, a);
    let (zeroes, least) = (n as i16 - ones - minus_ones, least as i16);
    ((ones - least) | (minus_ones - least) | (zeroes - least)) >> 15
}

/// What a masked message is where it is added: libntru adds 2 for -1.
#[inline(always)]
fn lifted<S: Simd>(s: S, x: S::I16, three: S::I16) -> S::I16 {
    s.add(x, s.and(s.shift_right::<15>(x), three))
}

/// `a + scale m`.
struct AddMessage<'a, M> {
    modulus: PhantomData<M>,
    a: &'a mut [Row],
    m: &'a [Row],
    three: i16,
    scale: i16,
}

impl<M: Modulus> Kernel for AddMessage<'_, M> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (three, scale) = (s.splat(self.three), s.splat(self.scale));
        for (a, m) in self.a.iter_mut().zip(self.m) {
            let m = s.mul_lo(lifted(s, s.load(m), three), scale);
            s.store(a, M::centred(s, s.add(s.load(a), m)));
        }
    }
}

/// `a + m` modulo `q`, of a masked message; 3 is added where it is -1 and the message is `lifted`.
pub(crate) fn add_message<M: Modulus>(cpu: Cpu, a: &mut [Row], m: &[Row], is_lifted: bool) {
    let (modulus, three) = (PhantomData::<M>, 3 * i16::from(is_lifted));
    cpu.run(AddMessage { modulus, a, m, three, scale: 1 });
}

/// `a - m` modulo `q`, likewise.
pub(crate) fn subtract_message<M: Modulus>(cpu: Cpu, a: &mut [Row], m: &[Row], is_lifted: bool) {
    let (modulus, three) = (PhantomData::<M>, 3 * i16::from(is_lifted));
    cpu.run(AddMessage { modulus, a, m, three, scale: -1 });
}

/// `a + 3 p` modulo `q`, and that, centred, modulo 3.
struct Open<'a, M> {
    modulus: PhantomData<M>,
    a: &'a [Row],
    product: &'a [Row],
    out: &'a mut [Row],
}

impl<M: Modulus> Kernel for Open<'_, M> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        for ((a, p), out) in self.a.iter().zip(self.product).zip(self.out) {
            let p = s.load(p);
            let x = s.add(s.load(a), s.add(p, s.add(p, p)));
            s.store(out, modulo_3(s, M::centred(s, x)));
        }
    }
}

/// `f a` modulo `q`, centred, modulo 3, where `f = 1 + 3 F`, of `F a`: the product by 3, the sum and both
/// reductions in one pass.
pub(crate) fn open<M: Modulus>(cpu: Cpu, a: &[Row], product: &[Row], out: &mut [Row]) {
    cpu.run(Open { modulus: PhantomData::<M>, a, product, out });
}

/// `b + scale a`, centred, in the place of `a`.
struct Multiple<'a, M> {
    modulus: PhantomData<M>,
    a: &'a mut [Row],
    b: &'a [Row],
    scale: i16,
}

impl<M: Modulus> Kernel for Multiple<'_, M> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let scale = s.splat(self.scale);
        for (a, b) in self.a.iter_mut().zip(self.b) {
            let x = s.add(s.load(b), s.mul_lo(s.load(a), scale));
            s.store(a, M::centred(s, x));
        }
    }
}

/// `b + scale a` modulo `q`, in the place of `a`; the scale is 1 or 3.
pub(crate) fn multiple<M: Modulus>(cpu: Cpu, a: &mut [Row], b: &[Row], scale: i16) {
    cpu.run(Multiple { modulus: PhantomData::<M>, a, b, scale });
}

/// Whether two differ: the difference of a coefficient, or 0.
struct Differ<'a>(&'a [Row], &'a [Row]);

impl Kernel for Differ<'_> {
    type Out = i16;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> i16 {
        let mut any = s.splat(0);
        for (a, b) in self.0.iter().zip(self.1) {
            any = s.or(any, s.xor(s.load(a), s.load(b)));
        }
        let (mut lanes, mut all, mut i) = ([0; 16], 0, 0);
        s.store(&mut lanes, any);
        while i < 16 {
            all |= lanes[i];
            i += 1;
        }
        all
    }
}

/// 0 where all coefficients are the same; which is a secret.
pub(crate) fn differ(cpu: Cpu, a: &[Row], b: &[Row]) -> i16 {
    cpu.run(Differ(a, b))
}

/// A third of coefficients, and how many of these were not -3, 0 or 3, as a negative number.
struct Thirds<'a>(&'a mut [Row]);

impl Kernel for Thirds<'_> {
    type Out = i16;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> i16 {
        let (mut bad, one, minus_one, zero) = (s.splat(0), s.splat(1), s.splat(-1), s.splat(0));
        for row in self.0 {
            let x = s.load(row);
            let part = third(s, x);
            let rest = s.sub(x, s.add(part, s.add(part, part)));
            let sides = s.add(s.gt(part, one), s.gt(minus_one, part));
            bad = s.add(bad, s.add(sides, s.add(s.gt(rest, zero), s.gt(zero, rest))));
            s.store(row, part);
        }
        sum_of_lanes(s, bad)
    }
}

/// A third of coefficients, centred, in their place; 0 where these were all -3, 0 or 3; which is a secret.
pub(crate) fn thirds(cpu: Cpu, a: &mut [Row]) -> i16 {
    cpu.run(Thirds(a))
}
