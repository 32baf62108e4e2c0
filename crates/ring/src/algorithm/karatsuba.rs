//! Karatsuba's product, recursive and in one iteration: for any modulus and any `f`.
//!
//! # The map
//! `c = a b` over the integers modulo `q`, and that reduced by `f` (see [`convolution`]).
//!
//! Recursive:
//! With `a = a0 + a1 y`, `b = b0 + b1 y`, `y = x^h`:
//! `a b = l + ((a0 + a1)(b0 + b1) - l - u) y + u y^2`, `l = a0 b0`, `u = a1 b1`: three products of half the
//! size for four. `levels` deep that is `3^levels` products of rows blocks.
//!
//! In one iteration (Weimerskirch and Paar):
//! with `s` parts `a = sum a_i y^i` and `D_i = a_i b_i`, `D_ij = (a_i + a_j)(b_i + b_j)`: the coefficient of
//! `y^k` is `sum_(i<j, i+j=k) (D_ij - D_i - D_j)`, and `D_(k/2)` besides for even `k`: `s (s + 1) / 2`
//! products for `s^2`.
//!
//! # Conditions
//! Rows that can be cut so: their number a multiple of `2^levels`, or of `s`. Modulo `q` four residues fit a
//! lane, and a row of products a sum.
//!
//! # Bounds
//! In: centred; out: centred. Sums are shrunk to residues at once, so every block product has operands within
//! [`product_bound`].
//!
//! # Source
//! A. Karatsuba, Y. Ofman, 1962; A. Weimerskirch, C. Paar: Generalizations of the Karatsuba algorithm for
//! efficient implementations (eprint 2006/224). Deviation: products of blocks, of whole rows, are schoolbook.
//!
//! ```
//! use ringsmith_ring::{Poly, Route};
//! use ringsmith_routes::{multiplier, rings::NtruPrime761};
//! use ringsmith_simd::Cpu;
//!
//! let mut x = [0i16; 761];
//! x[760] = 1;
//! let x = Poly::<NtruPrime761>::new(&x).unwrap();
//! for route in [Route::Karatsuba { levels: 3 }, Route::WeimerskirchPaar { parts: 6 }] {
//!     let karatsuba = multiplier(Cpu::detect(), route)?;
//!     // x^1520 = x^759 x^761 = x^760 + x^759
//!     assert_eq!(karatsuba.multiply(&x, &x, &mut karatsuba.scratch()).centred()[758..], [0, 1, 1]);
//! }
//! # Ok::<(), ringsmith_ring::WhyNot>(())
//! ```

use super::choice::Operand;
use super::convolution::{self, product_bound, rows_per_sum};
use crate::bound::Bound;
use crate::multiplier::Product;
use crate::reduce::residue;
use crate::ring::{Ring, Rows};
use crate::route::Route;
use ringsmith_simd::{Kernel, Row, Run, Simd};

/// `sum = shrink(x + y)` for parts `x` and `y` of each operand.
struct Sums<'a, const Q: i64> {
    parts: [[&'a [Row]; 2]; 2],
    sums: [&'a mut [Row]; 2],
}

impl<const Q: i64> Kernel for Sums<'_, Q> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        for ([x, y], sum) in self.parts.into_iter().zip(self.sums) {
            for ((sum, x), y) in sum.iter_mut().zip(x).zip(y) {
                s.store(sum, residue::shrink::<S, Q>(s, s.add(s.load(x), s.load(y))));
            }
        }
    }
}

/// `c = shrink(c + d - l - u)`.
struct Cross<'a, const Q: i64> {
    c: &'a mut [Row],
    d: &'a [Row],
    l: &'a [Row],
    u: &'a [Row],
}

impl<const Q: i64> Kernel for Cross<'_, Q> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        for (((c, d), l), u) in self.c.iter_mut().zip(self.d).zip(self.l).zip(self.u) {
            s.store(c, cross::<S, Q>(s, [s.load(c), s.load(d)], [s.load(l), s.load(u)]));
        }
    }
}

/// `shrink(c + d - l - u)` of four residues.
#[inline(always)]
fn cross<S: Simd, const Q: i64>(s: S, [c, d]: [S::I16; 2], [l, u]: [S::I16; 2]) -> S::I16 {
    residue::shrink::<S, Q>(s, s.sub(s.add(c, d), s.add(l, u)))
}

/// Karatsuba's middle, added to what it lies on: `l` and `u` are the lower and the upper product, each in
/// halves, and `d` that of the sums.
struct Middle<'a, const Q: i64> {
    l: (&'a [Row], &'a mut [Row]),
    u: (&'a mut [Row], &'a [Row]),
    d: (&'a [Row], &'a [Row]),
}

impl<const Q: i64> Kernel for Middle<'_, Q> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let rows = self.l.0.iter().zip(self.l.1).zip(self.u.0.iter_mut().zip(self.u.1));
        for (((l0, l1), (u0, u1)), (d0, d1)) in rows.zip(self.d.0.iter().zip(self.d.1)) {
            let (low, high) = (s.load(l1), s.load(u0));
            s.store(l1, cross::<S, Q>(s, [low, s.load(d0)], [s.load(l0), high]));
            s.store(u0, cross::<S, Q>(s, [high, s.load(d1)], [low, s.load(u1)]));
        }
    }
}

/// Rows per sum in a block product: its operands are residues within [`product_bound`], or centred.
const fn block_rows(q: i64, rows: usize) -> usize {
    let operand = product_bound(q).join(Bound::centred(q));
    rows_per_sum(q, operand, operand, rows)
}

/// `c = a b`, recursively; `c` has twice the rows.
pub(super) fn recursive<const Q: i64>(
    cpu: impl Run,
    levels: u32,
    a: &[Row],
    b: &[Row],
    c: &mut [Row],
    scratch: &mut [Row],
) {
    if levels == 0 {
        return convolution::product::<Q>(cpu, const { block_rows(Q, 64) }, a, b, c, scratch);
    }
    let h = a.len() / 2;
    let ((a0, a1), (b0, b1)) = (a.split_at(h), b.split_at(h));
    let (sum_a, rest) = scratch.split_at_mut(h);
    let (sum_b, rest) = rest.split_at_mut(h);
    let (middle, rest) = rest.split_at_mut(2 * h);
    cpu.run(Sums::<Q> { parts: [[a0, a1], [b0, b1]], sums: [sum_a, sum_b] });
    recursive::<Q>(cpu, levels - 1, sum_a, sum_b, middle, rest);
    let (lower, upper) = c.split_at_mut(2 * h);
    recursive::<Q>(cpu, levels - 1, a0, b0, lower, rest);
    recursive::<Q>(cpu, levels - 1, a1, b1, upper, rest);
    let (l0, l1) = lower.split_at_mut(h);
    let (u0, u1) = upper.split_at_mut(h);
    cpu.run(Middle::<Q> { l: (l0, l1), u: (u0, u1), d: middle.split_at(h) });
}

/// `c = a b` in one iteration with `parts` parts.
fn one_iteration<const Q: i64>(
    cpu: impl Run,
    parts: usize,
    a: &[Row],
    b: &[Row],
    c: &mut [Row],
    scratch: &mut [Row],
) {
    let h = a.len() / parts;
    let (diagonal, rest) = scratch.split_at_mut(2 * a.len());
    let (sum_a, rest) = rest.split_at_mut(h);
    let (sum_b, rest) = rest.split_at_mut(h);
    let (d, rest) = rest.split_at_mut(2 * h);
    let block = const { block_rows(Q, 64) };
    for (i, d) in diagonal.chunks_exact_mut(2 * h).enumerate() {
        let at = i * h..(i + 1) * h;
        convolution::product::<Q>(cpu, block, &a[at.clone()], &b[at], d, rest);
    }
    c.copy_from_slice(diagonal);
    for j in 1..parts {
        for i in 0..j {
            let (x, y) = (i * h..(i + 1) * h, j * h..(j + 1) * h);
            let pairs = [[&a[x.clone()], &a[y.clone()]], [&b[x], &b[y]]];
            cpu.run(Sums::<Q> { parts: pairs, sums: [sum_a, sum_b] });
            convolution::product::<Q>(cpu, block, sum_a, sum_b, d, rest);
            let (l, u) = (&diagonal[2 * i * h..][..2 * h], &diagonal[2 * j * h..][..2 * h]);
            cpu.run(Cross::<Q> { c: &mut c[(i + j) * h..][..2 * h], d, l, u });
        }
    }
}

/// Recursive Karatsuba, `LEVELS` deep.
pub struct Karatsuba<const Q: i64, const ROWS: usize, const LEVELS: u32>;

/// Karatsuba in one iteration with `PARTS` parts.
pub struct WeimerskirchPaar<const Q: i64, const ROWS: usize, const PARTS: usize>;

/// The bounds of both: four residues fit a lane, a block product its sum, and the folding its lane.
pub(super) const fn check<R: Ring>(q: i64, rows: usize) {
    assert!(R::Q == q && R::N.div_ceil(16) == rows);
    assert!(
        residue::wraps(q) || product_bound(q).scale(4).mirrored().fits(16),
        "four residues overflow a lane"
    );
    assert!(block_rows(q, 64) > 0);
    convolution::check_fold(q);
}

impl<R: Ring<Coeffs = Rows<ROWS>>, const Q: i64, const ROWS: usize, const LEVELS: u32> Product<R>
    for Karatsuba<Q, ROWS, LEVELS>
{
    const ROUTE: Route = Route::Karatsuba { levels: LEVELS };
    const CHECK: () = {
        check::<R>(Q, ROWS);
        assert!(LEVELS > 0 && ROWS.is_multiple_of(1 << LEVELS), "the rows can't be cut so");
    };

    fn product<B: Operand<R>>(cpu: impl Run, a: &[Row], b: &[Row], out: &mut [Row], scratch: &mut [Row]) {
        let (c, scratch) = scratch.split_at_mut(2 * ROWS);
        recursive::<Q>(cpu, LEVELS, a, b, c, scratch);
        convolution::fold::<Q>(cpu, R::SHAPE, R::N, c, out, scratch);
    }
}

impl<R: Ring<Coeffs = Rows<ROWS>>, const Q: i64, const ROWS: usize, const PARTS: usize> Product<R>
    for WeimerskirchPaar<Q, ROWS, PARTS>
{
    const ROUTE: Route = Route::WeimerskirchPaar { parts: PARTS };
    const CHECK: () = {
        check::<R>(Q, ROWS);
        assert!(PARTS > 1 && ROWS.is_multiple_of(PARTS), "the rows can't be cut so");
    };

    fn product<B: Operand<R>>(cpu: impl Run, a: &[Row], b: &[Row], out: &mut [Row], scratch: &mut [Row]) {
        let (c, scratch) = scratch.split_at_mut(2 * ROWS);
        one_iteration::<Q>(cpu, PARTS, a, b, c, scratch);
        convolution::fold::<Q>(cpu, R::SHAPE, R::N, c, out, scratch);
    }
}
