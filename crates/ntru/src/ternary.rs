//! Arithmetic modulo 3 and `Phi_n`, and modulo `q` and `Phi_n`, of elements in rows.
//!
//! # The map
//! Modulo `Phi_n = 1 + x + .. + x^(n-1)` an element less its top coefficient times `Phi_n` is the same, and
//! has none. Modulo 3 that coefficient is reduced first, so what is subtracted from is small, too.
//!
//! # Bounds
//! A centred coefficient modulo `q <= 2^14` is between `-2^13` and `2^13 - 1`: there `x - 3 round(x / 3)` is
//! exact.

use super::element::{Element, InRows, Ternary, clear_from};
use ringsmith_ring::Ring;
use ringsmith_ring::three::third;
use ringsmith_simd::{Kernel, Row, Run, Simd};

/// `1 / 3` in units of `2^-15`.
const THIRD: i32 = ((1 << 15) + 1) / 3;

/// `x` modulo 3, centred.
pub(super) const fn word_modulo_3(x: i16) -> i16 {
    let x = x as i32;
    (x - 3 * ((x * THIRD + (1 << 14)) >> 15)) as i16
}

const _: () = {
    let mut x = -(1 << 13);
    while x < 1 << 13 {
        let rest = word_modulo_3(x as i16);
        assert!(-1 <= rest && rest <= 1 && (x - rest as i32) % 3 == 0, "not the nearest multiple of 3");
        x += 1;
    }
};

/// Coefficients modulo 3, centred: of what [`word_modulo_3`] takes.
#[inline(always)]
pub(super) fn modulo_3<S: Simd>(s: S, x: S::I16) -> S::I16 {
    let multiple = third(s, x);
    s.sub(x, s.add(s.add(multiple, multiple), multiple))
}

/// What centres words modulo a power of two.
#[derive(Clone, Copy)]
pub(super) struct Centre(i16);

impl Centre {
    pub(super) const fn of<R: Ring>() -> Self {
        assert!(R::Q.count_ones() == 1 && R::Q <= 1 << 14);
        Centre((R::Q / 2) as i16)
    }

    #[inline(always)]
    pub(super) fn apply<S: Simd>(self, s: S, x: S::I16) -> S::I16 {
        let half = s.splat(self.0);
        s.sub(s.and(s.add(x, half), s.splat(2 * self.0 - 1)), half)
    }

    /// The same of one word.
    pub(super) const fn word(self, x: i16) -> i16 {
        (x.wrapping_add(self.0) & (2 * self.0 - 1)) - self.0
    }
}

/// The sum of all lanes.
#[inline(always)]
pub(super) fn sum_of_lanes<S: Simd>(s: S, x: S::I16) -> i16 {
    let (mut lanes, mut sum, mut i) = ([0; 16], 0_i16, 0);
    s.store(&mut lanes, x);
    while i < 16 {
        sum = sum.wrapping_add(lanes[i]);
        i += 1;
    }
    sum
}

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
            let x = s.sub(modulo_3(s, s.load(row)), top);
            s.store(out, modulo_3(s, x));
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

/// `a + scale b`, centred.
struct AddMultiple<'a> {
    centre: Centre,
    a: &'a mut [Row],
    b: &'a [Row],
    scale: i16,
}

impl Kernel for AddMultiple<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let scale = s.splat(self.scale);
        for (a, b) in self.a.iter_mut().zip(self.b) {
            let x = s.add(s.load(a), s.mul_lo(s.load(b), scale));
            s.store(a, self.centre.apply(s, x));
        }
    }
}

/// `a + b`.
pub(super) fn add<R: Ring>(cpu: impl Run, a: &mut Element<R>, b: &Element<R>) {
    cpu.run(AddMultiple { centre: const { Centre::of::<R>() }, a: a.rows_mut(), b: b.rows(), scale: 1 });
}

/// `a - b`.
pub(super) fn subtract<R: Ring>(cpu: impl Run, a: &mut Element<R>, b: &Element<R>) {
    cpu.run(AddMultiple { centre: const { Centre::of::<R>() }, a: a.rows_mut(), b: b.rows(), scale: -1 });
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
