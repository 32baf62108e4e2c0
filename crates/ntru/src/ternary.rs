//! Arithmetic modulo 3 and `Phi_n`, and modulo `q` and `Phi_n`, of elements in rows.
//!
//! # The map
//! Modulo `Phi_n = 1 + x + .. + x^(n-1)` an element less its top coefficient times `Phi_n` is the same, and
//! has none. Modulo 3 that coefficient is reduced first, so a difference is one more than a coefficient at
//! most.
//!
//! What has nothing to do with `Phi_n` is in the crate `ringsmith-cyclic`.

use super::element::{Element, InRows, Ternary, clear_from};
pub(super) use ringsmith_cyclic::ternary::{Centre, add_multiple, modulo_3, sum_of_lanes, word_modulo_3};
use ringsmith_ring::Ring;
use ringsmith_simd::{Kernel, Row, Run, Simd};

/// `a - top` modulo 3.
struct ModuloPhi<'a> {
    a: &'a [Row],
    top: i16,
    out: &'a mut [Row],
}

impl Kernel for ModuloPhi<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let top = s.splat(self.top);
        for (out, row) in self.out.iter_mut().zip(self.a) {
            s.store(out, modulo_3(s, s.sub(s.load(row), top)));
        }
    }
}

/// Centred coefficients modulo 3 and `Phi_n`.
pub(super) fn modulo_3_and_phi<R: Ring>(cpu: impl Run, a: &Element<R>, out: &mut Ternary<R>) {
    let top = word_modulo_3(a.rows().as_flattened()[R::N - 1]);
    cpu.run(ModuloPhi { a: a.rows(), top, out: out.rows_mut() });
    clear_from(R::N, out.rows_mut());
}

/// `a - top`, centred, and how many of that are not -1, 0 or 1, as a negative number.
struct TernaryRest<'a> {
    centre: Centre,
    a: &'a [Row],
    top: i16,
    out: &'a mut [Row],
}

impl Kernel for TernaryRest<'_> {
    type Out = i16;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> i16 {
        let (top, one, minus_one) = (s.splat(self.top), s.splat(1), s.splat(-1));
        let mut bad = s.splat(0);
        for (out, row) in self.out.iter_mut().zip(self.a) {
            let x = self.centre.apply(s, s.sub(s.load(row), top));
            bad = s.add(bad, s.add(s.gt(x, one), s.gt(minus_one, x)));
            s.store(out, x);
        }
        sum_of_lanes(s, bad)
    }
}

/// `a` modulo `q` and `Phi_n`, of which the coefficients must be -1, 0, 1; 0 where they are, which is a
/// secret. Where they are not, `out` must not be multiplied.
pub(super) fn ternary_modulo_phi<R: Ring>(cpu: impl Run, a: &mut Element<R>, out: &mut Ternary<R>) -> i16 {
    let (top, centre) = (a.rows().as_flattened()[R::N - 1], const { Centre::of::<R>() });
    // Behind the last coefficient there is nothing to be found bad.
    a.rows_mut().as_flattened_mut()[R::N..].fill(top);
    let bad = cpu.run(TernaryRest { centre, a: a.rows(), top, out: out.rows_mut() });
    clear_from(R::N, out.rows_mut());
    bad
}

/// A number added to all lanes, centred; the result is the sum of all.
struct AddToAll<'a> {
    centre: Centre,
    a: &'a mut [Row],
    x: i16,
}

impl Kernel for AddToAll<'_> {
    type Out = i16;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> i16 {
        let (x, mut sum) = (s.splat(self.x), s.splat(0));
        for row in self.a {
            let a = self.centre.apply(s, s.add(s.load(row), x));
            sum = s.add(sum, a);
            s.store(row, a);
        }
        sum_of_lanes(s, sum)
    }
}

/// `a` modulo `q` and `Phi_n`: with the top coefficient 0.
pub(super) fn modulo_phi<R: Ring>(cpu: impl Run, a: &mut Element<R>) {
    let (x, centre) = (a.rows().as_flattened()[R::N - 1].wrapping_neg(), const { Centre::of::<R>() });
    cpu.run(AddToAll { centre, a: a.rows_mut(), x });
    clear_from(R::N, a.rows_mut());
}

/// `1 / n` modulo `q`.
const fn inverse_of_degree<R: Ring>() -> i16 {
    let (mut x, mut i) = (R::N as i64, 0);
    while i < 4 {
        // Twice as many bits are right each time: 3, 6, 12, 24.
        x = x * (2 - R::N as i64 * x) % R::Q;
        i += 1;
    }
    assert!((x * R::N as i64 - 1) % R::Q == 0);
    x as i16
}

/// The element that is the same modulo `q` and `Phi_n`, and 0 at 1.
pub(super) fn zero_at_one<R: Ring>(cpu: impl Run, a: &mut Element<R>) {
    let centre = const { Centre::of::<R>() };
    let sum = cpu.run(AddToAll { centre, a: a.rows_mut(), x: 0 });
    let x = centre.word(sum.wrapping_neg().wrapping_mul(const { inverse_of_degree::<R>() }));
    cpu.run(AddToAll { centre, a: a.rows_mut(), x });
    clear_from(R::N, a.rows_mut());
}
