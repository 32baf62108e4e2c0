//! What a kernel of a size class needs of a prime: values in tables.

use super::plan::{Plan, Size, TWISTS, quotient};
use crate::algorithm::codelet::run::{Constants, FACTORS};
use crate::number::{centred, inverse, inverse_mod_word, power};
use crate::reduce::montgomery::Factor;
use ringsmith_simd::{Row, Simd};

/// How far the quotient of [`Field::reduce`] is shifted where there is no rounding product.
const SHIFT: u32 = 4;

/// A factor in every lane, as kernels load it.
type Rows2 = [Row; 2];

/// The tables of a prime for transforms of `ROWS` points.
#[repr(align(64))]
pub struct Field<const ROWS: usize> {
    pub(super) q: i64,
    pub(super) numbers: Numbers,
    /// Those of the codelets.
    pub(super) factors: [Rows2; FACTORS],
    /// Powers of the root of the second half, one in the first.
    pub(super) twists: [Rows2; TWISTS],
    /// The same as they are, for ternary numbers.
    pub(super) plain: [Row; TWISTS],
    /// Their inverses, times what takes all factors off.
    pub(super) untwists: [Rows2; TWISTS],
    /// The roots `w` of the base products modulo `x^8 - w`, in both halves.
    pub(super) roots: [Rows2; ROWS],
}

/// Numbers that arithmetic modulo a prime takes.
#[derive(Clone, Copy)]
pub(super) struct Numbers {
    pub(super) q: Row,
    /// `q^-1 mod 2^16`.
    pub(super) inverse: Row,
    /// `round(2^15 / q)`, and that shifted.
    quotients: Rows2,
}

/// A factor in the first half, another in the second.
const fn halves(first: Factor, second: Factor) -> Rows2 {
    let (mut rows, mut i) = (first.rows(), 8);
    while i < 16 {
        (rows[0][i], rows[1][i]) = (second.z, second.zq);
        i += 1;
    }
    rows
}

impl<const ROWS: usize> Field<ROWS> {
    /// The tables modulo `q` for a size class; computing them proves that no lane overflows.
    pub(super) const fn of(size: &Size, plan: &Plan, q: i64) -> Field<ROWS> {
        assert!(size.points() == ROWS && size.has_roots(q), "no such transform modulo the prime");
        let factors = plan.table(size, q);
        assert!(plan.holds_with(size, q, &factors), "overflow: a lane of the transform in halves");
        let quotient = quotient(q);
        let quotients = [[quotient as i16; 16], [(quotient << (SHIFT + 1)) as i16; 16]];
        let mut field = Field {
            q,
            numbers: Numbers { q: [q as i16; 16], inverse: [inverse_mod_word(q); 16], quotients },
            factors: [[[0; 16]; 2]; FACTORS],
            twists: [[[0; 16]; 2]; TWISTS],
            plain: [[0; 16]; TWISTS],
            untwists: [[[0; 16]; 2]; TWISTS],
            roots: [[[0; 16]; 2]; ROWS],
        };
        let mut i = 0;
        while i < factors.len {
            field.factors[i] = factors.list[i].rows();
            i += 1;
        }
        field.with_twists(size).with_roots(size)
    }

    const fn with_twists(mut self, size: &Size) -> Self {
        // The base products leave 2^-16, the transform and the halves twice the number of points.
        let scale = (1 << 16) % self.q * inverse(2 * size.points() as i64 % self.q, self.q) % self.q;
        let mut e = 0;
        while e < size.order() {
            let twist = size.twist(e, self.q);
            self.twists[e] = halves(Factor::new(1, self.q), Factor::new(twist, self.q));
            let mut i = 0;
            while i < 16 {
                self.plain[e][i] = if i < 8 { 1 } else { centred(twist, self.q) as i16 };
                i += 1;
            }
            let back = inverse(twist, self.q) * scale % self.q;
            self.untwists[e] = halves(Factor::new(scale, self.q), Factor::new(back, self.q));
            e += 1;
        }
        self
    }

    /// `y^points = 1` in the first half. In the second it is -1, `y = u y'`, and `y'` is transformed.
    const fn with_roots(mut self, size: &Size) -> Self {
        let (root, twist, mut k) = (size.root(self.q), size.twist(1, self.q), 0);
        while k < ROWS {
            let w = power(root, size.place(k / size.b, k % size.b) as u64, self.q);
            self.roots[k] = halves(Factor::new(w, self.q), Factor::new(w * twist % self.q, self.q));
            k += 1;
        }
        self
    }
}

impl Numbers {
    /// `a - round(a / q) q`, by a quotient of one word, the same number on every CPU: a product that is
    /// rounded where it is shifted is rounded as if it were whole.
    #[inline(always)]
    pub(super) fn reduce<S: Simd>(&self, s: S, a: S::I16) -> S::I16 {
        let quotient = if const { S::HAS_ROUNDED_PRODUCT } {
            s.mul_hi_rounded(a, s.load(&self.quotients[0]))
        } else {
            s.round_shift::<{ SHIFT as i32 }>(s.mul_hi(a, s.load(&self.quotients[1])))
        };
        s.sub(a, s.mul_lo(quotient, s.load(&self.q)))
    }

    /// The centred residue of `a`: what [`reduce`](Numbers::reduce) leaves is off by less than `q`.
    #[inline(always)]
    pub(super) fn centre<S: Simd>(&self, s: S, a: S::I16) -> S::I16 {
        let (x, q) = (self.reduce(s, a), s.load(&self.q));
        let half = s.shift_right::<1>(q);
        let x = s.add(x, s.and(q, s.shift_right::<15>(s.add(x, half))));
        s.sub(x, s.and(q, s.shift_right::<15>(s.sub(half, x))))
    }

    /// `a z`.
    #[inline(always)]
    pub(super) fn scale<S: Simd>(&self, s: S, a: S::I16, factor: &Rows2) -> S::I16 {
        s.mul_mont(a, s.load(&factor[0]), s.load(&factor[1]), s.load(&self.q))
    }
}

impl<const ROWS: usize> Constants for &Field<ROWS> {
    #[inline(always)]
    fn scale<S: Simd>(self, s: S, a: S::I16, _: Factor, at: u8) -> S::I16 {
        self.numbers.scale(s, a, &self.factors[at as usize])
    }
    #[inline(always)]
    fn reduce<S: Simd>(self, s: S, _: u8, a: S::I16) -> S::I16 {
        self.numbers.reduce(s, a)
    }
}
