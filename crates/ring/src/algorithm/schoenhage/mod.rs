//! Schoenhage's product, and Nussbaumer's inside: transforms for any odd modulus, with no roots of unity but
//! those that polynomials are.
//!
//! # The map
//! Operands are cut into pieces of 32 coefficients: `a = a_0 + a_1 y + ...` with `y = x^32`. Products of two
//! pieces have degree below 64, so nothing is lost where the pieces are elements of `S = Z_q[z]/(z^64 + 1)`.
//! There `z` has order 128, so `S` has roots of unity for transforms of up to 64 points in `y`. A product by
//! a power of `z` moves words, and changes the sign of those that come round.
//! 1. The product is one modulo `(y^F - 1)(y^32 + 1)`: `F` = 16 holds 48 pieces, which is 1536 coefficients
//!    (in `x`: `(x^512 - 1)(x^1024 + 1)`, a truncated transform); `F` = 32 holds 64 of them.
//! 2. Modulo `y^F - 1`: a transform of `F` points. Modulo `y^32 + 1`: `y = z^2 y'` makes `y'^32 - 1` of it, a
//!    transform of 32 points. Layers are `(u, v) -> (u + v, (u - v) z^t)` (decimation in frequency); the
//!    order is left as it comes.
//! 3. 48 or 64 products in `S`, by Nussbaumer's transforms (`nussbaumer.rs`) down to products of 8
//!    coefficients: 16 for each, 768 or 1024 in all.
//! 4. The transforms back, by layers `(u, v) -> (u + v z^-t, u - v z^-t)`.
//! 5. From `c_0` modulo `y^F - 1` and `c_+` modulo `y^32 + 1` to `c = c_+ + (y^32 + 1) h`: modulo `y^F - 1`
//!    that is `c_+ + 2 h`, so `2 h = c_0 - c_+`.
//! 6. Pieces overlap by half: added, with the factor that all transforms leave. Then `x^n = x + 1`.
//!
//! # Conditions
//! `x^n - x - 1` with `2 n - 1 <= 2048`, and an odd modulus of which eight centred values fit a lane
//! (`serves`).
//!
//! # Bounds
//! In: centred; out: centred. Sums double with each layer and are reduced when one more would not fit
//! (`serves`).
//!
//! # Source
//! A. Schoenhage: Schnelle Multiplikation von Polynomen ueber Koerpern der Charakteristik 2, 1977; H. J.
//! Nussbaumer: Fast polynomial transform algorithms for digital convolution, 1980. For NTRU Prime: D. J.
//! Bernstein, B. B. Brumley, M.-S. Chen, N. Tuveri (eprint 2021/826, appendix), whose product it is that
//! H.-T. Chen, Y.-H. Chung, V. Hwang, C.-T. Liu, B.-Y. Yang (eprint 2023/541) compare theirs with. Deviation:
//! each lane has a product in `S` of its own.
//!
//! ```
//! use ringsmith_ring::{Poly, Route};
//! use ringsmith_routes::{multiplier, rings::NtruPrime761};
//! use ringsmith_simd::Cpu;
//!
//! let mut x = [0i16; 761];
//! x[760] = 1;
//! let x = Poly::<NtruPrime761>::new(&x).unwrap();
//! let schoenhage = multiplier(Cpu::detect(), Route::Schoenhage)?;
//! // x^1520 = x^759 x^761 = x^760 + x^759
//! assert_eq!(schoenhage.multiply(&x, &x, &mut schoenhage.scratch()).centred()[758..], [0, 1, 1]);
//! # Ok::<(), ringsmith_ring::WhyNot>(())
//! ```

mod nussbaumer;

use super::choice::{Direction, Forward, Inverse, Operand, Shrink};
use super::convolution::fold;
use crate::bound::{Bound, hold};
use crate::memory::Rows;
use crate::multiply::Product;
use crate::number::power;
use crate::reduce::barrett;
use crate::reduce::montgomery::{Factor, bound_any};
use crate::reduce::residues::{Arithmetic, Dynamic, widest};
use crate::ring::{Ring, Shape};
use crate::route::Route;
use crate::why_not::WhyNot;
use core::marker::PhantomData;
use nussbaumer::{LANES, TILE};
use ringsmith_simd::{Kernel, Row, Run, Simd};

/// Rows of an element of `S`: twice those of a piece.
const ELEMENT: usize = 4;
/// Coefficients of an element.
const WORDS: usize = 16 * ELEMENT;
/// Points modulo `y^32 + 1`.
const POINTS: usize = 32;
/// Their rows.
const ROWS: usize = ELEMENT * POINTS;
/// Rows of an element, twice.
const BOTH: usize = 2 * ELEMENT;
/// Coefficients that a product may have.
const MAX: usize = 2 * POINTS * WORDS / 2;

/// Rows of memory that a product takes whose points modulo `y^F - 1` have so many: two transforms, one of
/// which is then the product; what is rotated, or the upper halves of two of Nussbaumer's; and a product of
/// his.
pub const fn scratch(first: usize) -> usize {
    2 * (first + ROWS) + 2 * TILE + 16
}

/// After how many layers values are shrunk, modulo whatever number of as many bits as `widest`.
const fn layers(widest: i64) -> u32 {
    (((1 << 15) - 1) / (widest / 2)).ilog2()
}

/// Where row `r` of element `e` is: the rows of sixteen elements are a tile, their first ones in front.
#[inline(always)]
const fn place(e: usize, r: usize) -> usize {
    e / LANES * TILE + LANES * r + e % LANES
}

/// An operand in pieces: modulo `y^F - 1`, and modulo `y^32 + 1`.
struct Cut<'a, M, const FIRST: usize> {
    by: M,
    from: &'a [Row],
    first: &'a mut [Row; FIRST],
    second: &'a mut [Row; ROWS],
}

impl<M, const FIRST: usize> Cut<'_, M, FIRST> {
    /// Row `r` of piece `i`.
    #[inline(always)]
    fn row<S: Simd>(&self, s: S, i: usize, r: usize) -> S::I16 {
        match self.from.get(ELEMENT / 2 * i + r) {
            Some(row) if r < ELEMENT / 2 => s.load(row),
            _ => s.splat(0),
        }
    }
}

impl<M: Arithmetic, const FIRST: usize> Kernel for Cut<'_, M, FIRST> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let mut at = 0;
        while at < ROWS {
            let (i, r) = (at / ELEMENT, at % ELEMENT);
            let mut x = self.row(s, i, r);
            s.store(&mut self.second[place(i, r) % ROWS], x);
            if at < FIRST {
                // y^16 = 1, or no more pieces.
                if FIRST < ROWS {
                    x = self.by.shrink(s, s.add(x, self.row(s, i + FIRST / ELEMENT, r)));
                }
                s.store(&mut self.first[place(i, r) % FIRST], x);
            }
            at += 1;
        }
    }
}

/// Shrinks where a layer is one after which values are.
#[inline(always)]
fn shrink<S: Simd, const WIDEST: i64>(s: S, by: Dynamic<WIDEST>, x: S::I16, layer: u32) -> S::I16 {
    if (layer + 1).is_multiple_of(const { layers(WIDEST) }) { by.shrink(s, x) } else { x }
}

/// Elements with their negatives, as many as a layer rotates: written well before they are read at another
/// offset, since a CPU waits for what it has just written in other words.
type Turning = [Row; BOTH * POINTS / 2];

/// Keeps row `r` of an element to be rotated: the element behind its negative, or backwards in front of it.
#[inline(always)]
fn keep<S: Simd, D: Direction>(s: S, both: &mut [Row; BOTH], r: usize, x: S::I16) {
    let negative = s.sub(s.splat(0), x);
    let [low, high] = if D::INVERSE { [x, negative] } else { [negative, x] };
    s.store(&mut both[r], low);
    s.store(&mut both[ELEMENT + r], high);
}

/// Row `r` of an element that was kept, times `z^rotation`, or `z^-rotation`.
#[inline(always)]
fn rotated<S: Simd, D: Direction>(s: S, both: &[Row; BOTH], rotation: usize, r: usize) -> S::I16 {
    let at = if D::INVERSE { rotation } else { WORDS - rotation } + 16 * r;
    s.load(both.as_flattened()[at..].first_chunk().expect("a row of two elements"))
}

/// Element `j` modulo `y^32 + 1` times `z^(2 j)`, or `z^(-2 j)`.
struct Twist<'a, D> {
    way: PhantomData<D>,
    x: &'a mut [Row; ROWS],
    turning: &'a mut Turning,
}

impl<D: Direction> Kernel for Twist<'_, D> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (tiles, elements) = (self.x.as_chunks_mut::<TILE>().0, self.turning.as_chunks_mut().0);
        for (t, tile) in tiles.iter_mut().enumerate() {
            for (j, both) in elements.iter_mut().enumerate() {
                let mut r = 0;
                while r < ELEMENT {
                    keep::<S, D>(s, both, r, s.load(&tile[place(j, r) % TILE]));
                    r += 1;
                }
            }
            for (j, both) in elements.iter().enumerate() {
                let mut r = 0;
                while r < ELEMENT {
                    let x = rotated::<S, D>(s, both, 2 * (LANES * t + j), r);
                    s.store(&mut tile[place(j, r) % TILE], x);
                    r += 1;
                }
            }
        }
    }
}

/// The elements of butterfly `i` of a layer whose butterflies are `half` wide.
#[inline(always)]
const fn pair(i: usize, half: usize) -> [usize; 2] {
    let first = i / half * 2 * half + i % half;
    [first, first + half]
}

/// The layers of a transform of so many rows, a power of two, forward or back.
struct Layers<'a, const WIDEST: i64, const N: usize, D> {
    by: Dynamic<WIDEST>,
    way: PhantomData<D>,
    x: &'a mut [Row; N],
    turning: &'a mut Turning,
}

impl<const WIDEST: i64, const N: usize, D: Direction> Layers<'_, WIDEST, N, D> {
    /// What is rotated: backwards `v`, forward `u - v` when `u + v` is in its place.
    #[inline(always)]
    fn before<S: Simd>(&mut self, s: S, i: usize, [u, v]: [usize; 2], layer: u32) {
        let both = &mut self.turning.as_chunks_mut().0[i];
        let mut r = 0;
        while r < ELEMENT {
            let (u, v) = (place(u, r) % N, place(v, r) % N);
            let mut y = s.load(&self.x[v]);
            if !D::INVERSE {
                let x = s.load(&self.x[u]);
                s.store(&mut self.x[u], shrink(s, self.by, s.add(x, y), layer));
                y = shrink(s, self.by, s.sub(x, y), layer);
            }
            keep::<S, D>(s, both, r, y);
            r += 1;
        }
    }

    /// `v = (u - v) z^rotation`, or backwards `(u + v z^-rotation, u - v z^-rotation)`.
    #[inline(always)]
    fn after<S: Simd>(&mut self, s: S, i: usize, [u, v]: [usize; 2], rotation: usize, layer: u32) {
        let both = &self.turning.as_chunks().0[i];
        let mut r = 0;
        while r < ELEMENT {
            let (u, v) = (place(u, r) % N, place(v, r) % N);
            let mut y = rotated::<S, D>(s, both, rotation, r);
            if D::INVERSE {
                let x = s.load(&self.x[u]);
                s.store(&mut self.x[u], shrink(s, self.by, s.add(x, y), layer));
                y = shrink(s, self.by, s.sub(x, y), layer);
            }
            s.store(&mut self.x[v], y);
            r += 1;
        }
    }
}

impl<const WIDEST: i64, const N: usize, D: Direction> Kernel for Layers<'_, WIDEST, N, D> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        let (points, mut layer) = (const { N / ELEMENT }, 0);
        while layer < points.ilog2() {
            let half = if D::INVERSE { 1 << layer } else { points >> (layer + 1) };
            let mut i = 0;
            while i < points / 2 {
                self.before(s, i, pair(i, half), layer);
                i += 1;
            }
            i = 0;
            while i < points / 2 {
                // z^2 has order 64: the root of this layer's length is z^(64 / half).
                self.after(s, i, pair(i, half), WORDS / half * (i % half), layer);
                i += 1;
            }
            layer += 1;
        }
    }
}

/// From 32 times what is modulo `y^32 + 1`, and as many times as there are points what is modulo `y^F - 1`,
/// to 64 times the pieces, one behind the other, in place.
struct Join<'a, M, const FIRST: usize> {
    by: M,
    first: &'a mut [Row; FIRST],
    second: &'a mut [Row; ROWS],
}

impl<M: Arithmetic, const FIRST: usize> Kernel for Join<'_, M, FIRST> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let by = self.by;
        let mut i = 0;
        while i < FIRST {
            let (u, v) = (by.shrink(s, s.load(&self.first[i])), by.shrink(s, s.load(&self.second[i])));
            // Row i modulo y^F - 1 is made of one row modulo y^32 + 1, or of two: those of other tiles.
            if FIRST < ROWS {
                let next = (i + FIRST) % ROWS;
                let w = by.shrink(s, s.load(&self.second[next]));
                let h = by.shrink(s, s.sub(s.add(u, u), s.add(v, w)));
                s.store(&mut self.first[i], by.shrink(s, s.add(s.add(v, v), h)));
                s.store(&mut self.second[i], by.shrink(s, s.add(w, w)));
                s.store(&mut self.second[next], h);
            } else {
                s.store(&mut self.first[i], by.shrink(s, s.add(u, v)));
                s.store(&mut self.second[i], by.shrink(s, s.sub(u, v)));
            }
            i += 1;
        }
    }
}

/// Undoes what the transforms multiplied by, a power of two, and a product by `2^-16`. By powers of a half,
/// which is `(q + 1) / 2` modulo any odd `q`, prime or not.
const fn scale(q: i64) -> Factor {
    let doublings = (2 * POINTS as i64 * nussbaumer::LENGTH).ilog2();
    assert!(2 * POINTS as i64 * nussbaumer::LENGTH == 1 << doublings);
    Factor::new(power(2, 16, q) * power((q + 1) / 2, doublings as u64, q) % q, q)
}

/// Adds the centred pieces where they overlap: a piece's second half lies on the next one's first.
struct Overlap<'a, M> {
    by: M,
    scale: Factor,
    x: &'a [Row],
    /// Of twice as many rows as an operand; what is behind them stays.
    out: &'a mut [Row],
}

impl<M: Arithmetic> Kernel for Overlap<'_, M> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        for (i, out) in self.out.iter_mut().enumerate() {
            // Row `i` of the product: in its own piece, and in the one before.
            let (piece, r) = (i / (ELEMENT / 2), i % (ELEMENT / 2));
            let mut sum = s.load(&self.x[place(piece, r)]);
            if piece > 0 {
                sum = s.add(sum, s.load(&self.x[place(piece - 1, ELEMENT / 2 + r)]));
            }
            let plain = self.by.scale(s, sum, self.scale);
            s.store(out, self.by.shrink(s, plain));
        }
    }
}

/// The conditions: no lane overflows, and all that is reduced is centred by it.
pub(crate) const fn serves(q: i64, n: usize, shape: Shape) -> Result<(), WhyNot> {
    if !matches!(shape, Shape::PrimeTrinomial) {
        return Err(WhyNot::Shape { needs: Shape::PrimeTrinomial });
    }
    if q % 2 == 0 {
        return Err(WhyNot::Even);
    }
    if 2 * n - 1 > MAX {
        return Err(WhyNot::Length { max: MAX });
    }
    // What is reduced exactly may be any word; a layer at least must fit.
    if !barrett::serves(q) || barrett::exact_limit(q) != 1 << 15 || layers(widest(q)) == 0 {
        return Err(WhyNot::Bounds);
    }
    // As many layers as values are not shrunk, from centred ones on; four pieces where they are joined, two
    // where they overlap, three where x^n is x + 1.
    let centred = Bound::centred(q).mirrored();
    let (layer, overlap) = (centred.scale(1 << layers(widest(q))), bound_any(centred.scale(2), q));
    match layer.fits(16) && nussbaumer::holds(q) && centred.scale(4).fits(16) && overlap.fits(16) {
        true => Ok(()),
        false => Err(WhyNot::Bounds),
    }
}

/// The product modulo any odd number of as many bits as `WIDEST`, of operands of `OPERAND` rows, by as many
/// points modulo `y^F - 1` as have `FIRST` rows: 64 or 128.
pub struct Schoenhage<const WIDEST: i64, const OPERAND: usize, const FIRST: usize>;

impl<const WIDEST: i64, const OPERAND: usize, const FIRST: usize> Schoenhage<WIDEST, OPERAND, FIRST> {
    /// Proves that the points hold the product.
    const FITS: () = {
        assert!(FIRST == TILE || FIRST == ROWS);
        // Each operand has a piece for every two rows; the product has one less than both.
        assert!(2 * OPERAND.div_ceil(2) - 1 <= (FIRST + ROWS) / ELEMENT && OPERAND.div_ceil(2) <= POINTS);
    };

    fn forward(cpu: impl Run, by: Dynamic<WIDEST>, from: &[Row], to: &mut [Row], turning: &mut Turning) {
        let (first, second) = blocks::<FIRST>(to);
        cpu.run(Cut { by, from, first, second });
        cpu.run(Twist::<Forward> { way: PhantomData, x: second, turning });
        cpu.run(Layers::<WIDEST, FIRST, Forward> { by, way: PhantomData, x: first, turning });
        cpu.run(Layers::<WIDEST, ROWS, Forward> { by, way: PhantomData, x: second, turning });
    }

    fn back(cpu: impl Run, by: Dynamic<WIDEST>, x: &mut [Row], turning: &mut Turning) {
        let (first, second) = blocks::<FIRST>(x);
        cpu.run(Layers::<WIDEST, FIRST, Inverse> { by, way: PhantomData, x: first, turning });
        cpu.run(Layers::<WIDEST, ROWS, Inverse> { by, way: PhantomData, x: second, turning });
        cpu.run(Twist::<Inverse> { way: PhantomData, x: second, turning });
        cpu.run(Join { by, first, second });
    }
}

/// The points modulo `y^F - 1`, and those modulo `y^32 + 1`.
fn blocks<const FIRST: usize>(x: &mut [Row]) -> (&mut [Row; FIRST], &mut [Row; ROWS]) {
    let (first, rest) = x.split_first_chunk_mut().expect(ROOM);
    (first, rest.first_chunk_mut().expect(ROOM))
}

/// Panic message for too little memory; it cannot occur, because making an [`Entry`](crate::Entry) proves
/// that the memory is large enough.
const ROOM: &str = "memory for two transforms";

impl<R: Ring<Coeffs = Rows<OPERAND>>, const WIDEST: i64, const OPERAND: usize, const FIRST: usize> Product<R>
    for Schoenhage<WIDEST, OPERAND, FIRST>
{
    const ROUTE: Route = Route::Schoenhage;
    const CHECK: () = {
        assert!(Dynamic::<WIDEST>::serves(R::Q) && R::N.div_ceil(16) == OPERAND);
        assert!(serves(R::Q, R::N, R::SHAPE).is_ok(), "overflow: a lane of the transforms, or of a sum");
        let () = Self::FITS;
    };
    const SCRATCH: usize = scratch(FIRST);

    fn product<B: Operand>(cpu: impl Run, a: &[Row], b: &[Row], out: &mut [Row], scratch: &mut [Row]) {
        let by = const { Dynamic::<WIDEST>::modulo(R::Q).expect("CHECK") };
        let (x, others) = scratch.split_at_mut(FIRST + ROWS);
        let (y, rest) = others.split_at_mut(FIRST + ROWS);
        let (turning, rest) = rest.split_first_chunk_mut().expect(ROOM);
        let product = rest.first_chunk_mut().expect(ROOM);
        Self::forward(cpu, by, a, x, turning);
        Self::forward(cpu, by, b, y, turning);
        for (x, y) in x.as_chunks_mut().0.iter_mut().zip(y.as_chunks_mut().0) {
            nussbaumer::multiply(cpu, by, x, y, turning, product);
        }
        Self::back(cpu, by, x, turning);
        let product = &mut others[..2 * OPERAND];
        cpu.run(Overlap { by, scale: const { scale(R::Q) }, x, out: product });
        debug_assert!(hold(product.as_flattened(), Bound::centred(R::Q)));
        fold::<R, _, Shrink, OPERAND>(cpu, by, product, out);
    }
}
