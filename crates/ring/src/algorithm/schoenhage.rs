//! Schoenhage's product: a transform for any odd modulus, with no roots of unity but those that polynomials are.
//!
//! # The map
//! Operands are cut into pieces of `L` = 32 coefficients: `a = a_0 + a_1 y + ...` with `y = x^L`. Products of two pieces have degree below `2 L`,
//! so nothing is lost where the pieces are elements of `S = Z_q[z]/(z^(2 L) + 1)`. There `z` has order `4 L = 128`, and `w = z^2` is a root of
//! unity of order `m` = 64: a transform of length 64 over `S` multiplies modulo `y^64 - 1`, which holds 2048 coefficients. A product by a
//! power of `z` moves words, and changes the sign of those that come round.
//! 1. Six layers (decimation in frequency): `(u, v) -> (u + v, (u - v) z^t)`. The order is left as it comes.
//! 2. 64 products in `S`, by pairwise multiply-add on 32-bit sums.
//! 3. Six layers back (decimation in time): `(u, v) -> (u + v z^-t, u - v z^-t)`.
//! 4. Pieces overlap by half: added, with the factor `1 / 64`. Then `x^n = x + 1`.
//!
//! # Conditions
//! `x^n - x - 1` with `2 n - 1 <= 2048`, and an odd modulus whose sums of 64 products fit 32 bits.
//!
//! # Bounds
//! In: centred; out: centred. Sums double with each layer and are reduced when one more would not fit
//! ([`PROOF`](Schoenhage::PROOF)).
//!
//! # Source
//! A. Schoenhage: Schnelle Multiplikation von Polynomen ueber Koerpern der Charakteristik 2, 1977. For NTRU Prime: D. J. Bernstein, B. B.
//! Brumley, M.-S. Chen, N. Tuveri (eprint 2021/826, appendix); V. Hwang, C.-T. Liu, B.-Y. Yang (eprint 2023/604), section 4.
//!
//! ```
//! use ringsmith_ring::{Multiplier, Poly, Route, rings::NtruPrime761};
//! use ringsmith_simd::Cpu;
//!
//! let mut x = [0i16; 761];
//! x[760] = 1;
//! let x = Poly::<NtruPrime761>::new(&x).unwrap();
//! let schoenhage = Multiplier::with_route(Cpu::detect(), Route::Schoenhage)?;
//! // x^1520 = x^759 x^761 = x^760 + x^759
//! assert_eq!(schoenhage.multiply(&x, &x, &mut schoenhage.scratch()).centred()[758..], [0, 1, 1]);
//! # Ok::<(), ringsmith_ring::WhyNot>(())
//! ```

use super::rows::base::reduced;
use super::rows::cyclic::PRODUCT;
use super::rows::cyclic::fold::Fold;
use crate::bound::{Bound, hold};
use crate::multiplier::Multiply;
use crate::number::inverse;
use crate::reduce::barrett;
use crate::reduce::montgomery::{self, Factor, bound_any, bound_wide};
use crate::ring::{Ring, Rows, Shape, Workspace};
use crate::route::Route;
use core::marker::PhantomData;
use ringsmith_simd::{Kernel, Row, Run, Simd};

/// Points of the transform.
const POINTS: usize = 64;
/// Rows of an element of `S`: twice those of a piece.
const ELEMENT: usize = 4;
/// Coefficients of an element.
const WORDS: usize = 16 * ELEMENT;
/// Rows of a transform.
const ROWS: usize = POINTS * ELEMENT;
/// Coefficients that a product may have.
pub(crate) const MOST: usize = POINTS * WORDS / 2;

/// Rows of memory that a product takes: two transforms, and two elements.
pub(crate) const SCRATCH: usize = 2 * ROWS + 2 * ELEMENT;

/// After how many layers values are shrunk.
const fn layers(q: i64) -> u32 {
    (((1 << 15) - 1) / (q / 2)).ilog2()
}

/// An operand in pieces.
struct Cut<'a> {
    from: &'a [Row],
    to: &'a mut [Row; ROWS],
}

impl Kernel for Cut<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let zero = s.splat(0);
        for (i, element) in self.to.as_chunks_mut::<ELEMENT>().0.iter_mut().enumerate() {
            for (j, row) in element.iter_mut().enumerate() {
                let at = i * ELEMENT / 2 + j;
                s.store(
                    row,
                    if j < ELEMENT / 2 && at < self.from.len() { s.load(&self.from[at]) } else { zero },
                );
            }
        }
    }
}

/// Shrinks where a layer is one after which values are.
#[inline(always)]
fn shrink<S: Simd, const Q: i64>(s: S, x: S::I16, layer: u32) -> S::I16 {
    if (layer + 1).is_multiple_of(const { layers(Q) }) { barrett::exact::<S, Q>(s, x) } else { x }
}

/// Sixteen words of two elements in a row.
#[inline(always)]
fn words<S: Simd>(s: S, rows: &[Row; 2 * ELEMENT], at: usize) -> S::I16 {
    s.load(rows.as_flattened()[at..].first_chunk().expect("a row of two elements"))
}

/// The layers of a transform, forward or back.
struct Layers<'a, const Q: i64, const BACK: bool> {
    x: &'a mut [Row; ROWS],
    /// An element and its negative, or the other way round.
    both: &'a mut [Row; 2 * ELEMENT],
}

impl<const Q: i64, const BACK: bool> Layers<'_, Q, BACK> {
    /// `(u, v) -> (u + v, (u - v) z^turn)`.
    #[inline(always)]
    fn forward<S: Simd>(&mut self, s: S, [u, v]: [usize; 2], turn: usize, layer: u32) {
        let mut r = 0;
        while r < ELEMENT {
            let (x, y) = (s.load(&self.x[u + r]), s.load(&self.x[v + r]));
            s.store(&mut self.x[u + r], shrink::<S, Q>(s, s.add(x, y), layer));
            let difference = shrink::<S, Q>(s, s.sub(x, y), layer);
            s.store(&mut self.both[r], s.sub(s.splat(0), difference));
            s.store(&mut self.both[ELEMENT + r], difference);
            r += 1;
        }
        r = 0;
        while r < ELEMENT {
            s.store(&mut self.x[v + r], words(s, self.both, WORDS - turn + 16 * r));
            r += 1;
        }
    }

    /// `(u, v) -> (u + v z^-turn, u - v z^-turn)`.
    #[inline(always)]
    fn back<S: Simd>(&mut self, s: S, [u, v]: [usize; 2], turn: usize, layer: u32) {
        let mut r = 0;
        while r < ELEMENT {
            let y = s.load(&self.x[v + r]);
            s.store(&mut self.both[r], y);
            s.store(&mut self.both[ELEMENT + r], s.sub(s.splat(0), y));
            r += 1;
        }
        r = 0;
        while r < ELEMENT {
            let (x, y) = (s.load(&self.x[u + r]), words(s, self.both, turn + 16 * r));
            s.store(&mut self.x[u + r], shrink::<S, Q>(s, s.add(x, y), layer));
            s.store(&mut self.x[v + r], shrink::<S, Q>(s, s.sub(x, y), layer));
            r += 1;
        }
    }
}

impl<const Q: i64, const BACK: bool> Kernel for Layers<'_, Q, BACK> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        let (count, mut layer) = (POINTS.ilog2(), 0);
        while layer < count {
            let half = if BACK { 1 << layer } else { POINTS >> (layer + 1) };
            let mut i = 0;
            while i < POINTS / 2 {
                let (block, j) = (i / half * 2 * half, i % half);
                let places = [ELEMENT * (block + j), ELEMENT * (block + j + half)];
                // z^2 has order 64: the root of this layer's length is z^(64 / half).
                let turn = WORDS / half * j;
                if BACK {
                    self.back(s, places, turn, layer);
                } else {
                    self.forward(s, places, turn, layer);
                }
                i += 1;
            }
            layer += 1;
        }
    }
}

/// `a = a b 2^-16`, element by element.
struct Products<'a, const Q: i64> {
    a: &'a mut [Row; ROWS],
    b: &'a [Row; ROWS],
    /// `-b`, and `b`.
    both: &'a mut [Row; 2 * ELEMENT],
}

impl<const Q: i64> Kernel for Products<'_, Q> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (a, b) = (self.a.as_chunks_mut::<ELEMENT>().0, self.b.as_chunks::<ELEMENT>().0);
        for (a, b) in a.iter_mut().zip(b) {
            let mut r = 0;
            while r < ELEMENT {
                let (x, y) = (s.load(&a[r]), barrett::exact::<S, Q>(s, s.load(&b[r])));
                s.store(&mut a[r], s.swap_pairs(barrett::exact::<S, Q>(s, x)));
                s.store(&mut self.both[r], s.sub(s.splat(0), y));
                s.store(&mut self.both[ELEMENT + r], y);
                r += 1;
            }
            element::<S, Q>(s, a, self.both);
        }
    }
}

/// The product of an element, its pairs swapped, by another, of which there is the negative before it.
#[inline(always)]
fn element<S: Simd, const Q: i64>(s: S, a: &mut [Row; ELEMENT], both: &[Row; 2 * ELEMENT]) {
    s.begin_products(WORDS, 1);
    let (mut out, mut k) = ([s.splat(0); ELEMENT], 0);
    while k < ELEMENT {
        let (mut sums, mut i) = ([s.acc_zero(); 2], 0);
        while i < ELEMENT {
            let two: &[Row; 2] = both[ELEMENT - 1 + k - i..].first_chunk().expect("two rows");
            s.madd_windows(&mut sums, &a[i], two);
            i += 1;
        }
        out[k] = barrett::exact::<S, Q>(s, reduced::<S, Q>(s, sums));
        k += 1;
    }
    k = 0;
    while k < ELEMENT {
        s.store(&mut a[k], out[k]);
        k += 1;
    }
}

/// Adds the pieces where they overlap, in place: a piece's second half lies on the next one's first.
struct Overlap<'a, const Q: i64> {
    x: &'a mut [Row; ROWS],
}

impl<const Q: i64> Kernel for Overlap<'_, Q> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let scale = const { Factor::new((1 << 16) % Q * inverse(POINTS as i64, Q) % Q, Q) };
        let mut i = 0;
        while i < ROWS / 2 {
            // Row `i` of the product: in its own piece, and in the one before.
            let (piece, r) = (i / (ELEMENT / 2), i % (ELEMENT / 2));
            let mut sum = barrett::exact::<S, Q>(s, s.load(&self.x[ELEMENT * piece + r]));
            if piece > 0 {
                let before = s.load(&self.x[ELEMENT * (piece - 1) + ELEMENT / 2 + r]);
                sum = s.add(sum, barrett::exact::<S, Q>(s, before));
            }
            let plain = montgomery::scale::<S, Q>(s, sum, scale);
            s.store(&mut self.x[i], barrett::exact::<S, Q>(s, plain));
            i += 1;
        }
    }
}

/// The product modulo `Q` of operands of `OPERAND` rows.
pub struct Schoenhage<const Q: i64, const OPERAND: usize>;

impl<const Q: i64, const OPERAND: usize> Schoenhage<Q, OPERAND> {
    /// Evaluating this proves that no lane overflows, on any CPU.
    pub const PROOF: () = {
        let centred = Bound::centred(Q).mirrored();
        let layers = layers(Q);
        assert!(Q % 2 == 1 && layers > 0 && barrett::exact_limit(Q) == 1 << 15);
        // As many layers as values are not shrunk, from centred ones on.
        assert!(centred.scale(1 << layers).fits(16), "overflow: a layer");
        let sum = centred.mul(centred).mirrored().scale(WORDS as i64);
        assert!(sum.fits(32) && bound_wide(sum, Q).fits(16), "overflow: a product");
        let overlap = bound_any(centred.scale(2), Q);
        assert!(overlap.fits(16) && centred.scale(3).fits(16), "overflow: the last sum");
    };

    fn forward(cpu: impl Run, from: &[Row], to: &mut [Row; ROWS], both: &mut [Row; 2 * ELEMENT]) {
        cpu.run(Cut { from, to });
        cpu.run(Layers::<Q, false> { x: to, both });
    }

    fn product<R: Ring>(cpu: impl Run, a: &[Row], b: &[Row], out: &mut [Row; OPERAND], scratch: &mut [Row]) {
        let (x, rest) = scratch.split_first_chunk_mut().expect(ROOM);
        let (y, rest) = rest.split_first_chunk_mut().expect(ROOM);
        let both = rest.first_chunk_mut().expect(ROOM);
        Self::forward(cpu, a, x, both);
        Self::forward(cpu, b, y, both);
        cpu.run(Products::<Q> { a: x, b: y, both });
        cpu.run(Layers::<Q, true> { x, both });
        cpu.run(Overlap::<Q> { x });
        debug_assert!(hold(x[..ROWS / 2].as_flattened(), Bound::centred(Q)));
        const { assert!(ROWS == PRODUCT) };
        cpu.run(Fold::<R, Q, OPERAND> { product: x, out, ring: PhantomData });
    }
}

/// What every memory of a ring holds: its `CHECK` could not prove it, its tests multiply by every route.
const ROOM: &str = "memory for two transforms";

impl<R: Ring<Coeffs = Rows<OPERAND>>, const Q: i64, const OPERAND: usize> Multiply<R>
    for Schoenhage<Q, OPERAND>
{
    const ROUTE: Route = Route::Schoenhage;
    const IN: Bound = Bound::centred(Q);
    const OUT: Bound = Bound::centred(Q);
    const CHECK: () = {
        assert!(R::Q == Q && R::N.div_ceil(16) == OPERAND && matches!(R::SHAPE, Shape::PrimeTrinomial));
        assert!(2 * R::N - 1 <= MOST);
        let () = Self::PROOF;
    };

    fn multiply(
        cpu: impl Run,
        a: &Rows<OPERAND>,
        b: &Rows<OPERAND>,
        out: &mut Rows<OPERAND>,
        scratch: &mut R::Scratch,
    ) {
        Self::product::<R>(cpu, &a.0, &b.0, &mut out.0, scratch.parts_mut().0);
    }

    /// Keeps `b` as it is: its transform takes more memory than any other route needs.
    fn prepare(_: impl Run, b: &Rows<OPERAND>, prepared: &mut R::Prepared, _: &mut R::Scratch) {
        prepared.parts_mut().0[..OPERAND].copy_from_slice(&b.0);
    }

    fn multiply_prepared(
        cpu: impl Run,
        a: &Rows<OPERAND>,
        prepared: &R::Prepared,
        out: &mut Rows<OPERAND>,
        scratch: &mut R::Scratch,
    ) {
        Self::product::<R>(cpu, &a.0, &prepared.parts().0[..OPERAND], &mut out.0, scratch.parts_mut().0);
    }
}
