//! Nussbaumer's products in `S = Z_q[z]/(z^64 + 1)`, for sixteen elements at a time: one a lane, after a
//! transpose.
//!
//! With `w = z^8`, an element is `A_0 + A_1 z + ... + A_7 z^7` with `A_i` in `T = Z_q[w]/(w^8 + 1)`, where
//! `w` has order 16: a transform of length 16 over `T` multiplies modulo `z^16 - 1`, which holds the product
//! of two polynomials of degree 7 in `z`. Its first layer has nothing to add, `(A_i, 0) -> (A_i, A_i w^i)`,
//! so there are two transforms of eight points, the lower and the upper. Backwards, `z^8 = w`.

use crate::algorithm::choice::{Direction, Forward, Inverse};
use crate::algorithm::network::{gather, scatter, transpose16};
use crate::bound::Bound;
use crate::reduce::barrett;
use crate::reduce::centre::Centre;
use crate::reduce::montgomery::bound_wide;
use crate::reduce::residues::Arithmetic;
use ringsmith_simd::{Kernel, Row, Run, Simd, each};

/// Elements at a time.
pub(super) const LANES: usize = 16;
/// Rows of as many elements: first words 0 to 15 of each, then 16 to 31, and so on. Transposed, a row is
/// coefficient `8 k + i`: number `k` of `A_i`.
pub(super) const TILE: usize = 4 * LANES;
/// Coefficients of an element of `T`, and points of half a transform.
const SIZE: usize = 8;
/// What a product is multiplied by, beside `2^-16`.
pub(super) const LENGTH: i64 = 2 * SIZE as i64;

/// `a = a b 2^-16 LENGTH`, of any words, and centred; spoils `b`. `upper` is memory for the upper halves of
/// both transforms.
pub(super) fn multiply<M: Arithmetic>(
    cpu: impl Run,
    by: M,
    a: &mut [Row; TILE],
    b: &mut [Row; TILE],
    upper: &mut [Row; 2 * TILE],
    product: &mut [Row; 2 * SIZE],
) {
    let (a_upper, rest) = upper.split_first_chunk_mut().expect("two tiles");
    let b_upper = rest.first_chunk_mut().expect("two tiles");
    cpu.run(Spread { by, lower: a, upper: a_upper });
    cpu.run(Spread { by, lower: b, upper: b_upper });
    cpu.run(Products { by, a, b, product });
    cpu.run(Products { by, a: a_upper, b: b_upper, product });
    cpu.run(Collect { by, lower: a, upper: a_upper });
}

/// Whether no lane overflows.
pub(super) const fn holds(q: i64) -> bool {
    let centred = Bound::centred(q).mirrored();
    // Three layers from centred values, the last one and z^8 = w.
    centred.scale(SIZE as i64).fits(16) && products_hold(q) && barrett::exact_limit(q) >= 1 << 15
}

/// Whether no sum of products of centred coefficients overflows.
const fn products_hold(q: i64) -> bool {
    let centred = Bound::centred(q).mirrored();
    bound_wide(centred.mul(centred).mirrored(), q).mirrored().scale(SIZE as i64).fits(16)
}

/// The rows of coefficient `i`, `i + 1`, ... of an element of `T` times `w^rotation`, from those of the
/// element.
#[inline(always)]
fn rotated<S: Simd>(s: S, x: [S::I16; SIZE], rotation: usize) -> [S::I16; SIZE] {
    each(
        #[inline(always)]
        |k| {
            let from = (k + 2 * SIZE - rotation) % (2 * SIZE);
            let y = x[from % SIZE];
            if from < SIZE { y } else { s.sub(s.splat(0), y) }
        },
    )
}

/// Element `i` of `T`.
#[inline(always)]
fn element<S: Simd>(s: S, x: &[Row; TILE], i: usize) -> [S::I16; SIZE] {
    gather(s, x, i % SIZE, SIZE)
}

#[inline(always)]
fn put<S: Simd>(s: S, x: &mut [Row; TILE], i: usize, y: [S::I16; SIZE]) {
    scatter(s, x, i % SIZE, SIZE, y);
}

/// Each of two elements' coefficients by `f`.
#[inline(always)]
fn both<S: Simd>(
    x: [S::I16; SIZE],
    y: [S::I16; SIZE],
    f: impl Fn(S::I16, S::I16) -> S::I16,
) -> [S::I16; SIZE] {
    each(
        #[inline(always)]
        |k| f(x[k], y[k]),
    )
}

/// `(u, v) -> (u + v, (u - v) w^ROTATION)`, or backwards `(u + v w^-ROTATION, u - v w^-ROTATION)`.
#[inline(always)]
fn butterfly<S: Simd, const ROTATION: usize, D: Direction>(s: S, x: &mut [Row; TILE], u: usize, v: usize) {
    s.outlined(
        #[inline(always)]
        || butterfly_here::<S, ROTATION, D>(s, x, u, v),
    );
}

#[inline(always)]
fn butterfly_here<S: Simd, const ROTATION: usize, D: Direction>(
    s: S,
    x: &mut [Row; TILE],
    u: usize,
    v: usize,
) {
    let (a, mut b) = (element(s, x, u), element(s, x, v));
    if D::INVERSE {
        b = rotated(s, b, (2 * SIZE - ROTATION) % (2 * SIZE));
    }
    let sum = both::<S>(
        a,
        b,
        #[inline(always)]
        |a, b| s.add(a, b),
    );
    put(s, x, u, sum);
    let mut difference = both::<S>(
        a,
        b,
        #[inline(always)]
        |a, b| s.sub(a, b),
    );
    if !D::INVERSE {
        difference = rotated(s, difference, ROTATION);
    }
    put(s, x, v, difference);
}

/// The transform of eight points, forward or back: in memory, an element at a time.
#[inline(always)]
fn eight_points<S: Simd, D: Direction>(s: S, x: &mut [Row; TILE]) {
    let mut layer = 0;
    while layer < 3 {
        // From the greatest distance to the least, or the other way round.
        match if D::INVERSE { 2 - layer } else { layer } {
            0 => {
                butterfly::<S, 0, D>(s, x, 0, 4);
                butterfly::<S, 2, D>(s, x, 1, 5);
                butterfly::<S, 4, D>(s, x, 2, 6);
                butterfly::<S, 6, D>(s, x, 3, 7);
            }
            1 => {
                butterfly::<S, 0, D>(s, x, 0, 2);
                butterfly::<S, 4, D>(s, x, 1, 3);
                butterfly::<S, 0, D>(s, x, 4, 6);
                butterfly::<S, 4, D>(s, x, 5, 7);
            }
            _ => {
                butterfly::<S, 0, D>(s, x, 0, 1);
                butterfly::<S, 0, D>(s, x, 2, 3);
                butterfly::<S, 0, D>(s, x, 4, 5);
                butterfly::<S, 0, D>(s, x, 6, 7);
            }
        }
        layer += 1;
    }
}

#[inline(always)]
fn transpose<S: Simd>(s: S, x: &mut [Row; TILE]) {
    for rows in x.as_chunks_mut().0 {
        transpose16(s, rows);
    }
}

/// From elements of `S` to the transform over `T`, centred.
struct Spread<'a, M> {
    by: M,
    lower: &'a mut [Row; TILE],
    upper: &'a mut [Row; TILE],
}

impl<M: Arithmetic> Kernel for Spread<'_, M> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        transpose(s, self.lower);
        Centre { by: self.by, rows: self.lower }.run(s);
        macro_rules! rotation { ($($i:literal)*) => { $(
            let x = element(s, self.lower, $i);
            put(s, self.upper, $i, rotated(s, x, $i));
        )* }; }
        rotation!(0 1 2 3 4 5 6 7);
        for half in [self.lower, self.upper] {
            eight_points::<S, Forward>(s, half);
            Centre { by: self.by, rows: half }.run(s);
        }
    }
}

/// `a = a b 2^-16`, element by element of `T`; centred.
struct Products<'a, M> {
    by: M,
    a: &'a mut [Row; TILE],
    b: &'a [Row; TILE],
    product: &'a mut [Row; 2 * SIZE],
}

impl<M: Arithmetic> Products<'_, M> {
    /// Element `i`: sums of products of coefficients, less those that wrap. By way of memory; Karatsuba's
    /// sums would not fit every modulus.
    #[inline(always)]
    fn product<S: Simd>(&mut self, s: S, i: usize) {
        s.begin_products(SIZE, LANES);
        let mut k = 0;
        while k < SIZE {
            let (mut sum, mut j) = (s.splat(0), 0);
            while j < SIZE {
                let (a, b) =
                    (s.load(&self.a[i + SIZE * j]), s.load(&self.b[i + SIZE * ((SIZE + k - j) % SIZE)]));
                let x = self.by.product(s, a, b);
                sum = if j <= k { s.add(sum, x) } else { s.sub(sum, x) };
                j += 1;
            }
            s.store(&mut self.product[k], sum);
            k += 1;
        }
        k = 0;
        while k < SIZE {
            s.store(&mut self.a[i + SIZE * k], self.by.shrink(s, s.load(&self.product[k])));
            k += 1;
        }
    }
}

impl<M: Arithmetic> Kernel for Products<'_, M> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        let mut i = 0;
        while i < SIZE {
            self.product(s, i);
            i += 1;
        }
    }
}

/// The way back of [`Spread`].
struct Collect<'a, M> {
    by: M,
    lower: &'a mut [Row; TILE],
    upper: &'a mut [Row; TILE],
}

impl<M: Arithmetic> Collect<'_, M> {
    /// The last layer, `z^8 = w`, and centred.
    #[inline(always)]
    fn join<S: Simd, const I: usize>(&mut self, s: S) {
        let by = self.by;
        let lower = element(s, self.lower, I);
        let upper = rotated(s, element(s, self.upper, I), (2 * SIZE - I) % (2 * SIZE));
        let low = both::<S>(
            lower,
            upper,
            #[inline(always)]
            |a, b| s.add(a, b),
        );
        let high = both::<S>(
            lower,
            upper,
            #[inline(always)]
            |a, b| s.sub(a, b),
        );
        let x = both::<S>(
            low,
            rotated(s, high, 1),
            #[inline(always)]
            |a, b| by.shrink(s, s.add(a, b)),
        );
        put(s, self.lower, I, x);
    }
}

impl<M: Arithmetic> Kernel for Collect<'_, M> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        eight_points::<S, Inverse>(s, self.lower);
        Centre { by: self.by, rows: self.lower }.run(s);
        eight_points::<S, Inverse>(s, self.upper);
        Centre { by: self.by, rows: self.upper }.run(s);
        macro_rules! join { ($($i:literal)*) => { $( self.join::<S, $i>(s); )* }; }
        join!(0 1 2 3 4 5 6 7);
        transpose(s, self.lower);
    }
}
