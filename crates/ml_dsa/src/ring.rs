//! The ring `Z_q[x]/(x^256 + 1)`, `q = 8380417 = 2^23 - 2^13 + 1`, and its transform: FIPS 204, section 7.5.
//!
//! The transform is that of [`WordNtt`], whose header has its mathematics and its bounds. Values stand in the
//! order of the standard: so the matrix is sampled in place. In tiled order a transform saves as much as it
//! costs to reorder one element of the matrix, and a signature takes about as many transforms as there are
//! elements.
//!
//! Memory for secrets, and the bounds of what is computed with them, are here as well.
//!
//! Constant time; no division.

use core::ops::{Deref, DerefMut};
use ringsmith_ring::algorithm::words::{self, Standard, WordNtt};
use ringsmith_ring::{Rows, Rows32};
use ringsmith_simd::{Kernel, Row32, Simd};
use zeroize::Zeroize;

/// Coefficients of an element.
pub(crate) const N: usize = 256;
/// Rows of an element.
pub(crate) const ROWS: usize = 32;
/// The modulus.
pub(crate) const Q: i32 = 8_380_417;

/// The coefficients of an element.
pub(crate) type Poly = Rows32<ROWS>;
/// Coefficients that fit words.
pub(crate) type Words = Rows<16>;
/// The values of an element.
pub(crate) type Values = words::Values<{ Q as i64 }, ROWS, Standard>;
/// A sum of products of values.
pub(crate) type Products = words::Products<{ Q as i64 }, ROWS, Standard>;
/// The transform.
pub(crate) type Ntt = WordNtt<{ Q as i64 }, ROWS>;

/// The element 0.
pub(crate) const ZERO: Poly = Rows32([[0; 8]; ROWS]);
/// The same in words.
pub(crate) const ZERO_WORDS: Words = Rows([[0; 16]; 16]);

/// What is secret: cleared on drop.
pub(crate) struct Secret<T: Zeroize>(T);

impl<T: Zeroize> Secret<T> {
    /// A place for it, which should be a constant.
    pub(crate) const fn of(blank: T) -> Self {
        Secret(blank)
    }
}

impl<T: Zeroize> Deref for Secret<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Zeroize> DerefMut for Secret<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: Zeroize> Drop for Secret<T> {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

/// The least and the greatest coefficients, lane by lane.
#[derive(Clone, Copy)]
pub(crate) struct Extremes<V> {
    least: V,
    greatest: V,
}

impl<V: Copy> Extremes<V> {
    /// Those of 0.
    #[inline(always)]
    pub(crate) fn new<S: Simd<I32 = V>>(s: S) -> Self {
        Extremes { least: s.splat32(0), greatest: s.splat32(0) }
    }

    /// With another row.
    #[inline(always)]
    pub(crate) fn and<S: Simd<I32 = V>>(self, s: S, x: V) -> Self {
        Extremes { least: s.min_max32(self.least, x).0, greatest: s.min_max32(self.greatest, x).1 }
    }

    /// Negative where one is `bound` or more in absolute value, else not; `|x|` and `bound` are below `2^30`.
    #[inline(always)]
    pub(crate) fn exceed<S: Simd<I32 = V>>(self, s: S, bound: i32) -> i32 {
        let (mut least, mut greatest, mut i, mut exceeding) = ([0; 8], [0; 8], 0, 0);
        s.store32(&mut least, self.least);
        s.store32(&mut greatest, self.greatest);
        while i < 8 {
            exceeding |= (bound - 1 - greatest[i]) | (bound - 1 + least[i]);
            i += 1;
        }
        exceeding >> 31
    }
}

/// The first and the last eight of a row of words.
#[inline(always)]
pub(crate) fn halves<S: Simd>(s: S, words: &Words, row: usize) -> [S::I32; 2] {
    let (low, high) = s.widen(s.load(&words.0[row]));
    [low, high]
}

/// Adds words to an element; whether the sum has a coefficient of `bound` or more in absolute value.
pub(crate) struct AddBounded<'a> {
    pub(crate) sum: &'a mut Poly,
    pub(crate) words: &'a Words,
    pub(crate) bound: i32,
}

impl Kernel for AddBounded<'_> {
    /// -1 or 0.
    type Out = i32;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> i32 {
        let (mut extremes, mut row) = (Extremes::new(s), 0);
        while row < 16 {
            let halves = halves(s, self.words, row);
            let mut half = 0;
            while half < 2 {
                let place: &mut Row32 = &mut self.sum.0[2 * row + half];
                let x = s.add32(s.load32(place), halves[half]);
                s.store32(place, x);
                extremes = extremes.and(s, x);
                half += 1;
            }
            row += 1;
        }
        extremes.exceed(s, self.bound)
    }
}

/// Words as an element.
pub(crate) struct Widen<'a> {
    pub(crate) words: &'a Words,
    pub(crate) out: &'a mut Poly,
}

impl Kernel for Widen<'_> {
    type Out = ();
    const SPILLS: bool = false;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let mut row = 0;
        while row < 16 {
            let [low, high] = halves(s, self.words, row);
            s.store32(&mut self.out.0[2 * row], low);
            s.store32(&mut self.out.0[2 * row + 1], high);
            row += 1;
        }
    }
}
