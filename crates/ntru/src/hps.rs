//! NTRU-HPS: `g` and messages have as many ones as minus ones, which a parameter says.
//!
//! `w = q / 8 - 2` coefficients of them are not 0. They are 0 at 1, so a lift is the coefficients themselves.
//!
//! Source: NTRU, round 3, sections 1.10 and 1.11.

use super::element::{Element, InRows, Ternary};
use super::rings::Quotient;
use super::sample::{fixed, fixed_bytes, independent, independent_bytes};
use super::ternary::{Centre, add_multiple, sum_of_lanes};
use super::variant::Variant;
use ringsmith_ring::Ring;
use ringsmith_simd::{Cpu, Kernel, Row, Simd};

/// The system.
pub struct Hps;

impl Hps {
    /// Bytes of the pair of elements that a key or a ciphertext is made of.
    pub(super) const fn pair_bytes(n: usize) -> usize {
        independent_bytes(n) + fixed_bytes(n)
    }
}

/// Coefficients that are not 0 in an element of the fixed type.
const fn weight<R: Ring>() -> usize {
    (R::Q / 8 - 2) as usize
}

/// `3 a`, centred.
struct Thrice<'a> {
    centre: Centre,
    a: &'a [Row],
    out: &'a mut [Row],
}

impl Kernel for Thrice<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        for (out, row) in self.out.iter_mut().zip(self.a) {
            let x = s.load(row);
            s.store(out, self.centre.apply(s, s.add(s.add(x, x), x)));
        }
    }
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

/// An independent element, and one of the fixed type.
fn pair<R: Quotient>(cpu: Cpu, bytes: &[u8], [first, second]: [&mut Ternary<R>; 2]) {
    let (front, rest) = bytes.split_at(independent_bytes(R::N));
    independent(cpu, front, first);
    fixed(cpu, rest, weight::<R>(), second);
}

impl Variant for Hps {
    fn sample_key<R: Quotient>(cpu: Cpu, bytes: &[u8], f: &mut Ternary<R>, g: &mut Ternary<R>) {
        pair(cpu, bytes, [f, g]);
    }

    fn sample_message<R: Quotient>(cpu: Cpu, bytes: &[u8], r: &mut Ternary<R>, m: &mut Ternary<R>) {
        pair(cpu, bytes, [r, m]);
    }

    /// `3 a`.
    fn multiple<R: Ring>(cpu: Cpu, a: &Element<R>, out: &mut Element<R>) {
        cpu.run(Thrice { centre: const { Centre::of::<R>() }, a: a.rows(), out: out.rows_mut() });
    }

    /// The same coefficients.
    fn add_lift<R: Ring>(cpu: Cpu, a: &mut Element<R>, scale: i16, m: &Ternary<R>) {
        add_multiple(cpu, a, scale, m);
    }

    /// Half of the coefficients that are not 0 are 1.
    fn not_a_message<R: Ring>(cpu: Cpu, m: &Ternary<R>) -> i16 {
        let [sum, odd] = cpu.run(Count(m.rows()));
        sum | (odd ^ const { weight::<R>() as i16 })
    }
}
