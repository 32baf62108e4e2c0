//! Arithmetic modulo 3 and modulo a power of two, of elements in rows.
//!
//! # Bounds
//! A centred coefficient modulo `q <= 2^14` is between `-2^13` and `2^13 - 1`: there, and one further on,
//! `x - 3 round(x / 3)` is exact.

use super::element::{Element, InRows};
use ringsmith_ring::Ring;
use ringsmith_ring::three::third;
use ringsmith_simd::{Kernel, Row, Run, Simd};

/// `1 / 3` in units of `2^-15`.
const THIRD: i32 = ((1 << 15) + 1) / 3;

/// `x` modulo 3, centred.
pub const fn word_modulo_3(x: i16) -> i16 {
    let x = x as i32;
    (x - 3 * ((x * THIRD + (1 << 14)) >> 15)) as i16
}

const _: () = {
    let mut x = -(1 << 13) - 1;
    while x <= 1 << 13 {
        let rest = word_modulo_3(x as i16);
        assert!(-1 <= rest && rest <= 1 && (x - rest as i32) % 3 == 0, "not the nearest multiple of 3");
        x += 1;
    }
};

/// Coefficients modulo 3, centred: of what [`word_modulo_3`] takes.
#[inline(always)]
pub fn modulo_3<S: Simd>(s: S, x: S::I16) -> S::I16 {
    let multiple = third(s, x);
    s.sub(x, s.add(s.add(multiple, multiple), multiple))
}

/// What centres words modulo a power of two.
#[derive(Clone, Copy)]
pub struct Centre(i16);

impl Centre {
    /// Those of a ring.
    pub const fn of<R: Ring>() -> Self {
        assert!(R::Q.count_ones() == 1 && R::Q <= 1 << 14);
        Centre((R::Q / 2) as i16)
    }

    /// Centres lanes.
    #[inline(always)]
    pub fn apply<S: Simd>(self, s: S, x: S::I16) -> S::I16 {
        let half = s.splat(self.0);
        s.sub(s.and(s.add(x, half), s.splat(2 * self.0 - 1)), half)
    }

    /// The same of one word.
    pub const fn word(self, x: i16) -> i16 {
        (x.wrapping_add(self.0) & (2 * self.0 - 1)) - self.0
    }
}

/// The sum of all lanes.
#[inline(always)]
pub fn sum_of_lanes<S: Simd>(s: S, x: S::I16) -> i16 {
    let (mut lanes, mut sum, mut i) = ([0; 16], 0_i16, 0);
    s.store(&mut lanes, x);
    while i < 16 {
        sum = sum.wrapping_add(lanes[i]);
        i += 1;
    }
    sum
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

/// `a + scale b`, of elements modulo `q` and ternary ones.
pub fn add_multiple<R: Ring>(cpu: impl Run, a: &mut Element<R>, scale: i16, b: &impl InRows) {
    cpu.run(AddMultiple { centre: const { Centre::of::<R>() }, a: a.rows_mut(), b: b.rows(), scale });
}
